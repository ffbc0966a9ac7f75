"""Changes of the weights of one faction as a vector that an optimiser can move: 0 is where the faction starts."""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from aoi_sim.players.weighted.weights import ROUNDS, spread
from aoi_sim.studies.tuning_check import Version


@dataclass(frozen=True)
class Changes:
    """What may be changed by faction (``by_faction.toml``).

    Attributes:
        width: a unit multiplies by exp(width).
        multiplied: weights that are multiplied.
        added: weights that are added to, and how much a unit is.
    """

    width: float
    multiplied: tuple[str, ...]
    added: Mapping[str, int]

    @property
    def names(self) -> list[str]:
        """All weights, in the order of the axes."""
        return [*self.multiplied, *self.added]

    def only(self, names: Sequence[str]) -> "Changes":
        """Those of some weights."""
        return Changes(
            self.width,
            tuple(name for name in self.multiplied if name in names),
            {name: unit for name, unit in self.added.items() if name in names},
        )


@cache
def all_changes() -> Changes:
    """The changes of the file."""
    data = tomllib.loads((files("aoi_sim.studies") / "by_faction.toml").read_text(encoding="utf-8"))
    return Changes(data["width"], tuple(data["multiplied"]), data["added"])


class FactionSpace:
    """The vectors around the weights of one faction.

    Args:
        start: the player; the changes that it has for the faction are where the vectors start.
        faction: its key.
        changes: what is moved.
        n_players: players of the games; what differs there is what a faction without its own weight starts from.
    """

    def __init__(self, start: Version, faction: str, changes: Changes, n_players: int) -> None:
        self.own = dict(start.factions.get(faction, {}))
        self.changes = changes
        shared = start.of_players(n_players)
        self._base = {
            name: spread(self.own.get(name, shared[name]), f"factions.{faction}.{name}") for name in changes.names
        }

    def at(self, vector: Sequence[float]) -> dict[str, Any]:
        """The changes of the faction at a vector, in whole numbers; what stays as it is keeps its form."""
        table = dict(self.own)
        for (name, base), distance in zip(self._base.items(), vector, strict=True):
            if name in self.changes.added:
                step = round(self.changes.added[name] * float(distance))
                rows = [value + step for value in base]
            else:
                factor = math.exp(self.changes.width * float(distance))
                rows = [round(value * factor) for value in base]
            if rows != base:
                table[name] = shortest(rows)
        return table


def shortest(rows: list[int]) -> int | list[int]:
    """One number a round in the shortest form: one for all, [early, late] where that gives the same, else all six."""
    if len(set(rows)) == 1:
        return rows[0]
    ends = [rows[0], rows[ROUNDS - 1]]
    return ends if spread(ends, "ends") == rows else rows
