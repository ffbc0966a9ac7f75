"""Weights of the weighted player: integers by round, with changes by players and faction, read from `heuristics/*.toml`."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from aoi_sim.players.weighted.defaults import DEFAULTS

ROUNDS: Final = 6
MIDDLE: Final = 3
"""The round that the middle one of three numbers is for."""


class WeightsError(ValueError):
    """Weights that cannot be read: what, where, what to do, in one line."""


def spread(value: object, where: str) -> list[int]:
    """A weight as one int a round: an int for all, [early, late] or [early, middle, late] in even steps, or one a round."""
    if isinstance(value, bool) or not isinstance(value, (int, list, tuple)):
        raise WeightsError(
            f"{value!r}, in {where}, use a whole number, [early, late], [early, middle, late] or one number a round"
        )
    if isinstance(value, int):
        return [value] * ROUNDS
    numbers: list[int] = []
    for x in value:
        if isinstance(x, bool) or not isinstance(x, int):
            raise WeightsError(f"{x!r}, in {where}, use whole numbers")
        numbers.append(x)
    if len(numbers) == ROUNDS:
        return numbers
    if len(numbers) == 3:
        early, middle, late = numbers
        first = [early + (middle - early) * k // (MIDDLE - 1) for k in range(MIDDLE - 1)]
        return first + [middle + (late - middle) * k // (ROUNDS - MIDDLE) for k in range(ROUNDS - MIDDLE + 1)]
    if len(numbers) != 2:
        raise WeightsError(f"{len(numbers)} numbers, in {where}, use 1, 2, 3 or {ROUNDS}")
    early, late = numbers
    return [early + (late - early) * k // (ROUNDS - 1) for k in range(ROUNDS)]


class Weights:
    """All weights for one faction in games of so many players: `get(name)[round - 1]`.

    Args:
        table: weights by name; missing ones take their defaults.
        faction: key of the faction whose changes apply.
        changes: by faction, weights that differ.
        players: players of the game as a text, whose changes apply where the faction has none.
        by_players: by number of players, weights that differ.
    """

    def __init__(
        self,
        table: Mapping[str, Any],
        faction: str = "",
        changes: Mapping[str, Mapping[str, Any]] | None = None,
        players: str = "",
        by_players: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        rows: dict[str, list[int]] = {}
        for name, value in DEFAULTS.items():
            rows[name] = spread(value, name)
        _lay(rows, table, "")
        if by_players is not None and players in by_players:
            _lay(rows, by_players[players], f"players.{players}.")
        if changes is not None and faction in changes:
            _lay(rows, changes[faction], f"factions.{faction}.")
        self.rows = rows

    def at(self, name: str, rnd: int) -> int:
        """A weight in a round; set-up counts as round 1."""
        return self.rows[name][max(rnd, 1) - 1 if rnd <= ROUNDS else ROUNDS - 1]


def _lay(rows: dict[str, list[int]], weights: Mapping[str, Any], where: str) -> None:
    for name, value in weights.items():
        if name not in DEFAULTS:
            raise WeightsError(f"unknown weight, in {where}{name}, use one of {', '.join(sorted(DEFAULTS))}")
        rows[name] = spread(value, where + name)


def without(changes: Mapping[str, Mapping[str, Any]], names: Collection[str]) -> dict[str, dict[str, Any]]:
    """Changes, by faction or by number of players, that leave some weights as they are for all."""
    return {key: {name: value for name, value in row.items() if name not in names} for key, row in changes.items()}


def names() -> Sequence[str]:
    """The names of all weights."""
    return sorted(DEFAULTS)
