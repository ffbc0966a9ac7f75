"""Scripted players: who decides at each decision of a game."""

from aoi_sim.players.heuristic import Heuristic, HeuristicError
from aoi_sim.players.protocol import Player
from aoi_sim.players.registry import (
    UnknownHeuristic,
    find_heuristic,
    find_heuristics,
    heuristic_names,
    make_player,
    makers_of,
)

__all__ = [
    "Heuristic",
    "HeuristicError",
    "Player",
    "UnknownHeuristic",
    "find_heuristic",
    "find_heuristics",
    "heuristic_names",
    "make_player",
    "makers_of",
]
