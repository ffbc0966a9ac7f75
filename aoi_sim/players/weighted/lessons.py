"""Lessons: what a player learned from its own games, as trees of whole numbers that judge its options.

A set of trees belongs to a subject, a kind of decision. A tree asks of each option's features (`features`) whether they
are above a number, and where the questions end stands what it adds, in thousandths of a VP.
"""

from base64 import b85decode
from collections.abc import Mapping
from typing import Any, Final
from zlib import decompress

from aoi_sim.players.weighted.features import N_FEATURES, NAMES
from aoi_sim.rules.tables import Tables

SUBJECTS: Final = ("turn", "tile", "competency", "palace", "city", "step")
TURN: Final = 0
TILE: Final = 1
COMPETENCY: Final = 2
PALACE: Final = 3
CITY: Final = 4
STEP: Final = 5
LEAF: Final = -1
"""In the place of a feature: here the questions end."""
_SHARE: Final = 3
"""One tree in so many is asked of every option."""
_MOST_NODES: Final = 1_000_000


class LessonsError(ValueError):
    """Lessons that cannot be read; the message says what is wrong."""


class Trees:
    """The trees of one subject, one after the other; in each a node comes before what is below it.

    Args:
        feature: by node, the feature asked for, ``LEAF`` at an end.
        number: by node, what the feature is compared with; at an end what the tree adds.
        above: by node, where it goes on if the feature is above the number; else with the node that follows.
        roots: where each tree begins.

    Attributes:
        first: so many trees are asked of every option, the others only of those that are not far behind by then.
    """

    def __init__(self, feature: list[int], number: list[int], above: list[int], roots: list[int]) -> None:
        self._nodes: list[tuple[int, int, int]] = list(zip(feature, number, above, strict=True))
        self._roots = roots
        self.first = (len(roots) + _SHARE - 1) // _SHARE

    def worth(self, x: list[int]) -> int:
        """What all trees add up to for an option with these features, in thousandths of a VP."""
        return self.part(x, 0, len(self._roots))

    def part(self, x: list[int], begin: int, end: int) -> int:
        """What the trees from ``begin`` up to ``end`` add up to."""
        nodes = self._nodes
        roots = self._roots
        total = 0
        for k in range(begin, end):
            at = roots[k]
            f, number, above = nodes[at]
            while f >= 0:
                if x[f] > number:
                    at = above
                else:
                    at += 1
                f, number, above = nodes[at]
            total += number
        return total

    def rest(self, x: list[int]) -> int:
        """What the trees add that are not asked of every option."""
        return self.part(x, self.first, len(self._roots))


class Lessons:
    """The trees by subject, and the numbers that they know components by.

    Attributes:
        codes: by component, its number in the trees, -1 for those that they never met.
        trees: by subject; None where nothing was learned.
        within: an option that is worth so much less than the best is not looked at. `most`: so many are.
    """

    def __init__(self, content: Mapping[str, Any], tables: Tables) -> None:
        known: dict[str, int] = {}
        for code, key in enumerate(content["components"]):
            known[key] = code
        self.codes: list[int] = [known.get(c.ref, -1) for c in tables.components]
        self.within: int = content["within"]
        self.most: int = content["most"]
        self.trees: list[Trees | None] = [None] * len(SUBJECTS)
        for k, subject in enumerate(SUBJECTS):
            if subject in content["trees"]:
                self.trees[k] = unpacked(content["trees"][subject], content["features"])


def nothing_learned(tables: Tables) -> dict[str, Any]:
    """Content of lessons without trees that know every component of the rules."""
    return {"components": [c.ref for c in tables.components], "features": [], "trees": {}, "within": 0, "most": 1}


def check_lessons(content: Any) -> None:
    """See to it that a content can be read.

    Raises:
        LessonsError: what is wrong with it.
    """
    if not isinstance(content, dict):
        raise LessonsError("lessons that are no table")
    for key in ("components", "features"):
        texts = content.get(key)
        if not isinstance(texts, list) or not all(isinstance(x, str) for x in texts):
            raise LessonsError(f"{key} is no list of texts")
    for key, least in (("within", 0), ("most", 1)):
        n = content.get(key)
        if isinstance(n, bool) or not isinstance(n, int) or n < least:
            raise LessonsError(f"{key} is no whole number from {least}")
    trees = content.get("trees")
    if not isinstance(trees, dict):
        raise LessonsError("trees is no table")
    for subject, text in trees.items():
        if subject not in SUBJECTS or not isinstance(text, str):
            raise LessonsError(f"unknown subject {subject!r}")
        unpacked(text, content["features"])


def unpacked(text: str, features: list[str]) -> Trees:
    """The trees of a subject from their packed form: base 85 of zlib of ``feature number above`` a node, then the roots.

    Raises:
        LessonsError: it is damaged, or asks for a feature that there is not.
    """
    try:
        rows = [
            [int(x) for x in line.split()]
            for line in decompress(b85decode("".join(text.split()))).decode("ascii").splitlines()
        ]
    except Exception as bad:
        raise LessonsError(f"trees that cannot be unpacked ({type(bad).__name__})") from None
    if len(rows) != 4:
        raise LessonsError("trees that are not whole")
    asked, number, above, roots = rows
    n = len(asked)
    where: list[int] = []
    for name in features:
        if name not in NAMES:
            raise LessonsError(f"unknown feature {name!r}")
        where.append(NAMES.index(name))
    feature: list[int] = []
    for f in asked:
        if f < LEAF or f >= len(where):
            raise LessonsError("trees that ask for a feature without a name")
        feature.append(where[f] if f >= 0 else LEAF)
    if len(number) != n or len(above) != n or n > _MOST_NODES or not n or feature[n - 1] != LEAF:
        raise LessonsError("trees that are not whole")
    for node in range(n):
        if feature[node] >= N_FEATURES or (feature[node] >= 0 and not node < above[node] < n):
            raise LessonsError("trees that lead nowhere")
    for root in roots:
        if not 0 <= root < n:
            raise LessonsError("trees that lead nowhere")
    return Trees(feature, number, above, roots)
