"""Networks of whole numbers that judge an option by its features: one hidden layer, rectified, and a sum.

The value of a feature is known by its code: how many of the feature's steps lie below it. Each code has a row of weights, one
for each unit of the hidden layer; all weights of a row are held in one int, sixteen bits a unit, so one addition adds them all.
What is the same for all options of a decision is added up once; features that have the value of most options add nothing.
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
    """What a network saw at the decision before: by feature the code of its value, and the sums; nothing at first."""

    def __init__(self) -> None:
        self.network: Network | None = None
        self.codes: list[int] = []
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
        self._asked = asked
        self.fixed = bisect_left(asked, OPTION_AT)
        self._adds = adds
        self._low: list[int] = []
        self._high: list[int] = []
        self._codes: list[list[int]] = []
        self._usual: list[int] = []
        # For the compiler these sums are objects: as whole numbers each would be tried as a machine word first.
        self._rows: list[list[Any]] = []
        for k in range(len(asked)):
            rows = [_packed(row) for row in weights[k]]
            low = steps[k][0]
            high = steps[k][len(steps[k]) - 1] + 1
            self._low.append(low)
            self._high.append(high - low)
            self._codes.append([bisect_left(steps[k], value) for value in range(low, high + 1)])
            self._rows.append([*rows])
            self._usual.append(rows.index(0) if 0 in rows else -1)
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
        if seen.network is not self:
            seen.network = self
            seen.codes = self._usual[:]
            seen.sums = self._begin
        seen.sums = self._moved(seen.sums, seen.codes, x, 0, self.fixed)
        return seen.sums

    def worth_after(self, sums: Any, x: list[int]) -> int:
        """The worth of an option, from the sums over what it shares with the others."""
        sums = self._moved(sums, self._usual[:], x, self.fixed, len(self._asked))
        units: bytes = sums.to_bytes(2 * self.n_units, "little")
        adds = self._adds
        total: i64 = 0
        k: i64
        for k in range(self.n_units):
            above: i64 = units[2 * k + 1]
            if above >= _HIGH:
                low: i64 = units[2 * k]
                add: i64 = adds[k]
                total += ((above - _HIGH << 8) + low) * add
        return total >> SHIFT

    def _moved(self, sums: Any, codes: list[int], x: list[int], begin: int, end: int) -> Any:
        """Sums with the rows of some features in the place of those that they have; a usual code's row is 0.

        Args:
            sums: the sums.
            codes: by feature, the code that they have; renewed.
            x: the features.
            begin: the first feature.
            end: the one after the last.
        """
        k: i64
        asked = self._asked
        lows = self._low
        highs = self._high
        for k in range(begin, end):
            place: i64 = x[asked[k]] - lows[k]
            high: i64 = highs[k]
            if place < 0:
                place = 0
            elif place > high:
                place = high
            code: i64 = self._codes[k][place]
            before: i64 = codes[k]
            if code != before:
                rows = self._rows[k]
                usual: i64 = self._usual[k]
                if before != usual:
                    sums = sums - rows[before]
                if code != usual:
                    sums = sums + rows[code]
                codes[k] = code
        return sums


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
