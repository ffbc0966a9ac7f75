"""Scripted players: who decides at each decision of a game."""

from aoi_sim.players.protocol import Player
from aoi_sim.players.registry import UnknownHeuristic, heuristic_names, make_player

__all__ = ["Player", "UnknownHeuristic", "heuristic_names", "make_player"]
