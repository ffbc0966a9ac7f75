"""Trees of whole numbers that judge an option by its features.

Each asks of features whether they are above a number, and where its questions end stands what it adds, in thousandths of a VP.
They are held as bytes, which a compiled player reads fastest: a feature is known to them by its place among those that
they ask for, its value by how many of the numbers that it is compared with lie below it (its code). An interpreted player
reads them slowly, so for it they are written out as Python, one conditional expression a tree; both add up to the same.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from aoi_sim.players.weighted.features import OPTION_AT

if TYPE_CHECKING:
    from mypy_extensions import i64  # a machine word; only the compiler and mypy ever see it

LEAF: Final = -1
"""In the place of a feature: here the questions end."""
MOST: Final = 255
"""So many ends of a tree, and nodes on the way from a node to the one above, there can be at most; of features, and of numbers
that one of them is compared with, one fewer."""
FURTHEST: Final = 40_000
"""No feature is compared with a number further from 0."""
_END: Final = 255
_INTERPRETED: Final = __file__.endswith(".py")


class TreesError(ValueError):
    """Trees that cannot be held; the message says what is wrong."""


class Trees:
    """The trees of one subject, one after the other; in each a node comes before what is below it.

    Args:
        feature: by node, the feature asked for, ``LEAF`` at an end.
        number: by node, what the feature is compared with; at an end what the tree adds.
        above: by node, where it goes on if the feature is above the number; else with the node that follows.
        roots: where each tree begins, in order.

    Attributes:
        asked: the features that they ask for, in order.
        fixed: so many of those are the same for all options of a decision.
        n: how many trees.

    Raises:
        TreesError: there are too many of something.
    """

    def __init__(self, feature: list[int], number: list[int], above: list[int], roots: list[int]) -> None:
        numbers: dict[int, set[int]] = {}
        for node, f in enumerate(feature):
            if f != LEAF:
                if not -FURTHEST <= number[node] <= FURTHEST:
                    raise TreesError(f"trees that compare with {number[node]}, further than {FURTHEST}")
                numbers.setdefault(f, set()).add(number[node])
        self.asked: list[int] = sorted(numbers)
        self.fixed = bisect_left(self.asked, OPTION_AT)
        self.n = len(roots)
        self._roots = roots
        steps = [sorted(numbers[f]) for f in self.asked]
        if len(steps) >= MOST or any(len(row) >= MOST for row in steps):
            raise TreesError(f"trees that ask for more than {MOST - 1} features or numbers of one")
        self._asked = bytes(self.asked)
        self._low: list[int] = [row[0] + 1 for row in steps]
        self._codes: list[bytes] = [
            bytes([bisect_left(row, value) for value in range(row[0] + 1, row[-1] + 2)]) for row in steps
        ]
        self._written: dict[tuple[int, int], Callable[[bytes], int]] = {}
        self._hold(feature, number, above, steps)

    def _hold(self, feature: list[int], number: list[int], above: list[int], steps: list[list[int]]) -> None:
        """Hold the nodes as bytes, and what the ends add by tree."""
        place = {f: k for k, f in enumerate(self.asked)}
        begins = set(self._roots)
        features, codes, ways = bytearray(), bytearray(), bytearray()
        self._worths: list[int] = []
        self._first: list[int] = []
        for node, f in enumerate(feature):
            if node in begins:
                self._first.append(len(self._worths))
            if f == LEAF:
                end = len(self._worths) - self._first[-1] if self._first else 0
                code, way = end, 0
                self._worths.append(number[node])
            else:
                code, way = bisect_left(steps[place[f]], number[node]), above[node] - node
            if code >= MOST or way > MOST:
                raise TreesError(f"a tree with more than {MOST} nodes below one or ends")
            features.append(_END if f == LEAF else place[f])
            codes.append(code)
            ways.append(way)
        self._features = bytes(features)
        self._numbers = bytes(codes)
        self._ways = bytes(ways)

    def worth(self, x: list[int]) -> int:
        """What all trees add up to for an option with these features, in thousandths of a VP."""
        codes = [0] * len(self.asked)
        self.code(x, codes, 0)
        return self.part(bytes(codes), 0, self.n)

    def code(self, x: list[int], codes: list[int], begin: int) -> None:
        """Fill in the codes of an option's features.

        Args:
            x: all features.
            codes: by place among those asked for.
            begin: those of earlier places are there already.
        """
        asked = self._asked
        low = self._low
        tables = self._codes
        k: i64
        value: i64
        last: i64
        for k in range(begin, len(asked)):
            value = x[asked[k]] - low[k]
            if value < 0:
                codes[k] = 0
            else:
                table = tables[k]
                last = len(table) - 1
                codes[k] = table[value if value < last else last]

    def part(self, codes: bytes, begin: int, end: int) -> int:
        """What the trees from ``begin`` up to ``end`` add up to for an option whose features have these codes."""
        if _INTERPRETED:
            written = self._written.get((begin, end))
            if written is None:
                written = self.written(begin, end)
                self._written[(begin, end)] = written
            return written(codes)
        return self.walked(codes, begin, end)

    def walked(self, codes: bytes, begin: int, end: int) -> int:
        """The same by a walk through the nodes."""
        features = self._features
        numbers = self._numbers
        ways = self._ways
        worths = self._worths
        total = 0
        at: i64
        f: i64
        code: i64
        number: i64
        for k in range(begin, end):
            at = self._roots[k]
            f = features[at]
            while f != _END:
                code = codes[f]
                number = numbers[at]
                if code > number:
                    at += ways[at]
                else:
                    at += 1
                f = features[at]
            total += worths[self._first[k] + numbers[at]]
        return total

    def written(self, begin: int, end: int) -> Callable[[bytes], int]:
        """The trees from ``begin`` up to ``end`` as a Python function of the codes; its text is of whole numbers only."""
        lines = ["def trees(codes):"]
        if self.asked:
            lines.append(f" {' '.join(f'f{k},' for k in range(len(self.asked)))} = codes")
        lines.append(" total = 0")
        lines += [f" total += {self._expression(self._roots[k], self._first[k])}" for k in range(begin, end)]
        lines.append(" return total")
        space: dict[str, Any] = {}
        exec("\n".join(lines), {}, space)
        function: Callable[[bytes], int] = space["trees"]
        return function

    def _expression(self, at: int, first: int) -> str:
        """A node and what is below it as a conditional expression.

        The longer side stands last and needs no brackets, of which Python takes only 200 within each other.
        """
        if self._features[at] == _END:
            return str(self._worths[first + self._numbers[at]])
        above = self._expression(at + self._ways[at], first)
        below = self._expression(at + 1, first)
        feature, number = f"f{self._features[at]}", self._numbers[at]
        if len(above) < len(below):
            return f"({above}) if {feature} > {number} else {below}"
        return f"({below}) if {feature} <= {number} else {above}"
