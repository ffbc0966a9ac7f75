"""The heuristics by name."""

import difflib
from collections.abc import Callable

from aoi_sim.players.explorer import ExplorerPlayer
from aoi_sim.players.greedy import GreedyPlayer
from aoi_sim.players.protocol import Player
from aoi_sim.players.random_player import RandomPlayer

_MAKERS: dict[str, Callable[[int, int], Player]] = {
    "explorer": ExplorerPlayer,
    "greedy": GreedyPlayer,
    "random": RandomPlayer,
}


class UnknownHeuristic(ValueError):  # noqa: N818
    """A heuristic that does not exist."""

    def __init__(self, name: str) -> None:
        close = difflib.get_close_matches(name, list(_MAKERS), n=1)
        hint = f"did you mean {close[0]}?" if close else f"choose one of {', '.join(_MAKERS)}"
        super().__init__(f"unknown heuristic, {name!r}, {hint}")
        self.heuristic = name


def heuristic_names() -> list[str]:
    """The names of all heuristics, in alphabetical order."""
    return sorted(_MAKERS)


def make_player(name: str, seat: int, seed: int) -> Player:
    """A player of a heuristic.

    Args:
        name: name of the heuristic.
        seat: the seat it plays.
        seed: seed of its chance.

    Raises:
        UnknownHeuristic: there is no heuristic of that name.
    """
    maker = _MAKERS.get(name)
    if maker is None:
        raise UnknownHeuristic(name)
    return maker(seat, seed)
