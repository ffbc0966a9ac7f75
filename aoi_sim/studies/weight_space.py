"""The weights of a scripted player as a vector that an optimiser can move: 0 is where it starts, 1 a sizeable step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.players.weighted.weights import ROUNDS, spread

NOT_TUNED: Final = ("pair_width", "chain")
"""Weights that say how much is looked at, not what it is worth."""

_THREE: Final = 3
_STEP_SHARE: Final = 0.35
_LEAST_STEP: Final = {"pct": 8, "many": 2}
_LEAST_STEP_ELSE: Final = 150


@dataclass(frozen=True, slots=True)
class Axis:
    """One number that is moved.

    Attributes:
        name: its weight.
        end: which of the weight's ends: 0 for round 1 (or all rounds), the last for round 6.
        step: what a unit of the vector adds.
    """

    name: str
    end: int
    step: float


class WeightSpace:
    """The vectors around the weights of a player.

    A weight that is one number for all rounds has one axis, [early, middle, late] has three. Others have two, early and
    late; what they add to the rounds between runs in even steps, so that six numbers keep their shape.

    Args:
        weights: of the player; missing ones have their defaults.
        names: weights to move; None moves all.
    """

    def __init__(self, weights: Mapping[str, Any], names: Sequence[str] | None = None) -> None:
        self.weights: dict[str, Any] = {**DEFAULTS, **weights}
        self.names = [name for name in DEFAULTS if name not in NOT_TUNED and (names is None or name in names)]
        self.axes: list[Axis] = []
        for name in self.names:
            value = self.weights[name]
            rows = spread(value, name)
            ends = [rows[0]] if isinstance(value, int) else value if len(value) == _THREE else [rows[0], rows[-1]]
            self.axes += [Axis(name, end, _step(name, number)) for end, number in enumerate(ends)]

    def __len__(self) -> int:
        return len(self.axes)

    def at(self, vector: Sequence[float]) -> dict[str, Any]:
        """All weights at a vector, in whole numbers."""
        moved: dict[str, list[int]] = {}
        for axis, distance in zip(self.axes, vector, strict=True):
            moved.setdefault(axis.name, []).append(round(axis.step * float(distance)))
        return {**self.weights, **{name: _moved(name, self.weights[name], ends) for name, ends in moved.items()}}


def _suffix(name: str) -> str:
    return name.rsplit("_", 1)[-1]


def _step(name: str, value: int) -> float:
    return max(abs(value) * _STEP_SHARE, float(_LEAST_STEP.get(_suffix(name), _LEAST_STEP_ELSE)))


def _moved(name: str, value: Any, ends: Sequence[int]) -> int | list[int]:
    """A weight with the changes of its ends; shares and counts stay at 0 or above."""
    least = 0 if _suffix(name) in _LEAST_STEP else None
    if isinstance(value, int):
        return _at_least(value + ends[0], least)
    if len(value) == len(ends):
        return [_at_least(number + end, least) for number, end in zip(value, ends, strict=True)]
    early, late = ends
    return [_at_least(value[k] + early + (late - early) * k // (ROUNDS - 1), least) for k in range(ROUNDS)]


def _at_least(value: int, least: int | None) -> int:
    return value if least is None else max(value, least)
