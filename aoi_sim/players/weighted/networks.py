"""Networks of whole numbers that judge an option by its features: one hidden layer, rectified, and a sum.

The value of a feature is known by its code: how many of the feature's steps lie below it. Each code has a row of weights, one
for each unit of the hidden layer; all weights of a row are held in one int, sixteen bits a unit, so one addition adds them all.
What is the same for all options of a decision is added up once, and from one decision to the next only what has changed;
features that have the value of most options add nothing.
"""

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from aoi_sim.players.weighted.features import OPTION_AT

if TYPE_CHECKING:
    from mypy_extensions import i64  # a machine word; only the compiler and mypy ever see it

UNIT_BITS: Final = 16
HALF: Final = 32_768
"""A unit counts as far as its sum is above this; it lies between 0 and twice as much."""
_HIGH: Final = HALF >> 8
SHIFT: Final = 16
"""What units add is in thousandths of a VP times 2 to this power."""
FURTHEST: Final = 40_000
"""No step lies further from 0."""
_MOST_TOGETHER: Final = (1 << 63) - 1
"""What all units add together, before it is shifted, is held in a machine word."""


class NetworkError(ValueError):
    """A network that cannot be held; the message says what is wrong."""


class Seen:
    """What a network saw at the decision before: the values of the features that options share, and the sums."""

    def __init__(self) -> None:
        self.network: Network | None = None
        self.values: list[int] = []
        self.sums: Any = 0


class Network:
    """The network of one subject.

    Args:
        asked: the features that it asks for, in order.
        steps: by feature, its steps in order: a value has as its code how many of them are lower.
        weights: by feature and code, the weights, one a unit.
        begin: by unit, what its sum begins with.
        adds: by unit, what each one above ``HALF`` adds to the option's worth.

    Attributes:
        n_units: units of the hidden layer.

    Raises:
        NetworkError: it is not whole, or a sum may leave its bits.
    """

    def __init__(
        self,
        asked: list[int],
        steps: list[list[int]],
        weights: list[list[list[int]]],
        begin: list[int],
        adds: list[int],
    ) -> None:
        self.n_units = len(begin)
        _check(asked, steps, weights, begin, adds)
        self._adds = adds
        fixed = bisect_left(asked, OPTION_AT)
        self._shared = _Rows(asked[:fixed], steps[:fixed], weights[:fixed])
        self._own = _Rows(asked[fixed:], steps[fixed:], weights[fixed:])
        self._begin: Any = _packed(begin)

    def worth(self, x: list[int]) -> int:
        """What an option with these features is worth, in thousandths of a VP, all options of a decision on one scale."""
        return self.worth_after(self.shared(x, Seen()), x)

    def shared(self, x: list[int], seen: "Seen") -> Any:
        """The sums of the units over the features that all options of a decision share.

        Args:
            x: the features.
            seen: what it saw at an earlier decision, if any; only what has changed since is added up.
        """
        rows = self._shared
        if seen.network is not self:
            seen.network = self
            seen.values = [x[k] for k in rows.asked]
            seen.sums = rows.added(self._begin, x)
        else:
            seen.sums = rows.moved(seen.sums, seen.values, x)
        return seen.sums

    def worth_after(self, sums: Any, x: list[int]) -> int:
        """The worth of an option, from the sums over what it shares with the others."""
        sums = self._own.added(sums, x)
        units: bytes = sums.to_bytes(2 * self.n_units, "little")
        total: i64 = 0
        high: i64 = 1
        add: i64
        for add in self._adds:
            above: i64 = units[high]
            if above >= _HIGH:
                low: i64 = units[high - 1]
                total += ((above - _HIGH << 8) + low) * add
            high += 2
        return total >> SHIFT


class _Rows:
    """Rows of weights of some features, by feature and value between the furthest that differ; None if they add nothing.

    Args:
        asked: the features.
        steps: by feature, its steps.
        weights: by feature and code, the weights.
    """

    def __init__(self, asked: list[int], steps: list[list[int]], weights: list[list[list[int]]]) -> None:
        self.asked = asked
        self._lows: list[int] = []
        self._highs: list[int] = []
        # For the compiler these sums are objects: as whole numbers each would be tried as a machine word first.
        self._rows: list[list[Any]] = []
        for k in range(len(asked)):
            packed = [_packed(row) for row in weights[k]]
            low = steps[k][0]
            high = steps[k][len(steps[k]) - 1] + 1
            self._lows.append(low)
            self._highs.append(high - low)
            self._rows.append([packed[bisect_left(steps[k], value)] or None for value in range(low, high + 1)])
        self._at_zero: list[Any] = [self._row(place, 0) for place in range(len(asked))]

    def added(self, sums: Any, x: list[int]) -> Any:
        """Sums with the rows of features."""
        for place, k in enumerate(self.asked):
            value = x[k]
            # Most of what an option adds is nothing.
            row = self._row(place, value) if value else self._at_zero[place]
            if row is not None:
                sums = sums + row
        return sums

    def moved(self, sums: Any, values: list[int], x: list[int]) -> Any:
        """Sums with the rows of features in the place of those of earlier values, which are renewed."""
        for place, k in enumerate(self.asked):
            value = x[k]
            before = values[place]
            if value != before:
                values[place] = value
                old = self._row(place, before)
                new = self._row(place, value)
                if new is not old:
                    if old is not None:
                        sums = sums - old
                    if new is not None:
                        sums = sums + new
        return sums

    def _row(self, place: int, value: int) -> Any:
        return self._rows[place][min(max(value - self._lows[place], 0), self._highs[place])]


def _packed(row: list[int]) -> int:
    """Numbers, which may be negative, in one int: added up with others, the sums come out right in the end."""
    packed = 0
    for k in range(len(row) - 1, -1, -1):
        packed = (packed << UNIT_BITS) + row[k]
    return packed


def _check(
    asked: list[int],
    steps: list[list[int]],
    weights: list[list[list[int]]],
    begin: list[int],
    adds: list[int],
) -> None:
    n = len(begin)
    if not n or not asked or len(adds) != n or len(steps) != len(asked) or len(weights) != len(asked):
        raise NetworkError("a network that is not whole")
    if asked != sorted(set(asked)):
        raise NetworkError("a network that asks for a feature twice")
    lowest = begin[:]
    highest = begin[:]
    for row, rows in zip(steps, weights, strict=True):
        if not row or row != sorted(set(row)) or len(rows) != len(row) + 1 or any(len(x) != n for x in rows):
            raise NetworkError("a network that is not whole")
        if row[0] < -FURTHEST or row[len(row) - 1] > FURTHEST:
            raise NetworkError(f"a network with a step further than {FURTHEST}")
        for k in range(n):
            unit = [x[k] for x in rows]
            lowest[k] += min(unit)
            highest[k] += max(unit)
    together = 0
    for k in range(n):
        together += max(0, highest[k] - HALF) * abs(adds[k])
    most = 2 * HALF << SHIFT
    if min(lowest) < 0 or max(highest) >= 2 * HALF or together > _MOST_TOGETHER or any(abs(x) > most for x in adds):
        raise NetworkError("a network whose sums leave their bits")
