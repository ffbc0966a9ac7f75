"""The weighted scripted player."""

from aoi_sim.players.weighted.player import WeightedPlayer
from aoi_sim.players.weighted.weights import Weights, WeightsError

__all__ = ["WeightedPlayer", "Weights", "WeightsError"]
