"""Networks of whole numbers that judge an option by its features: one hidden layer, rectified, and a sum.

The value of a feature is known by its code: how many of the feature's steps lie below it. Each code has a row of weights, one
for each unit of the hidden layer; all weights of a row are held in one int, sixteen bits a unit, so one addition adds them all.
What is the same for all options of a decision is added up once; features that have the value of most options add nothing.
"""

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from aoi_sim.players.weighted.features import OPTION_AT

if TYPE_CHECKING:
    from mypy_extensions import i64  # a machine word; only the compiler and mypy ever see it

UNIT_BITS: Final = 16
UNIT_MOST: Final = 65_535
"""The sum of a unit's weights lies between 0 and this."""
SHIFT: Final = 16
"""What units add is in thousandths of a VP times 2 to this power."""
FURTHEST: Final = 40_000
"""No step lies further from 0."""
_MOST_TOGETHER: Final = (1 << 63) - 1
"""What all units add together, before it is shifted, is held in a machine word."""


class NetworkError(ValueError):
    """A network that cannot be held; the message says what is wrong."""


class Network:
    """The network of one subject.

    Args:
        asked: the features that it asks for, in order.
        steps: by feature, its steps in order: a value has as its code how many of them are lower.
        weights: by feature and code, the weights, one a unit.
        begin: by unit, what its sum begins with.
        least: by unit, what its sum must be above to count.
        adds: by unit, what each one above that adds to the option's worth.

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
        least: list[int],
        adds: list[int],
    ) -> None:
        self.n_units = len(begin)
        _check(asked, steps, weights, begin, least, adds)
        self.asked = asked
        self.fixed = bisect_left(asked, OPTION_AT)
        self._least = least
        self._adds = adds
        self._low: list[int] = []
        self._high: list[int] = []
        self._rows: list[list[int]] = []
        for k in range(len(asked)):
            rows = [_packed(row) for row in weights[k]]
            low = steps[k][0]
            high = steps[k][len(steps[k]) - 1] + 1
            self._low.append(low)
            self._high.append(high - low)
            self._rows.append([rows[bisect_left(steps[k], value)] for value in range(low, high + 1)])
        self._begin = _packed(begin)

    def worth(self, x: list[int]) -> int:
        """What an option with these features is worth, in thousandths of a VP, all options of a decision on one scale."""
        return self.worth_after(self.before(x), x)

    def before(self, x: list[int]) -> int:
        """The sums of the units over the features that all options of a decision share."""
        return self._added(self._begin, x, 0, self.fixed)

    def worth_after(self, sums: int, x: list[int]) -> int:
        """The worth of an option, from the sums over what it shares with the others."""
        n = self.n_units
        units = self._added(sums, x, self.fixed, len(self.asked)).to_bytes(2 * n, "little")
        least = self._least
        adds = self._adds
        total: i64 = 0
        k: i64
        for k in range(n):
            above: i64 = (units[2 * k] | units[2 * k + 1] << 8) - least[k]
            if above > 0:
                total += above * adds[k]
        return total >> SHIFT

    def _added(self, sums: int, x: list[int], begin: int, end: int) -> int:
        """Sums with the rows of some features added."""
        k: i64
        asked = self.asked
        lows = self._low
        highs = self._high
        all_rows = self._rows
        for k in range(begin, end):
            value: i64 = x[asked[k]] - lows[k]
            high: i64 = highs[k]
            if value < 0:
                value = 0
            elif value > high:
                value = high
            row = all_rows[k][value]
            if row:
                sums += row
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
    least: list[int],
    adds: list[int],
) -> None:
    n = len(begin)
    if (
        not n
        or not asked
        or len(least) != n
        or len(adds) != n
        or len(steps) != len(asked)
        or len(weights) != len(asked)
    ):
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
        together += max(0, highest[k] - least[k]) * abs(adds[k])
    if (
        min(lowest) < 0
        or max(highest) > UNIT_MOST
        or any(abs(x) > UNIT_MOST for x in least)
        or any(abs(x) > UNIT_MOST << SHIFT for x in adds)
        or together > _MOST_TOGETHER
    ):
        raise NetworkError("a network whose sums leave their bits")
