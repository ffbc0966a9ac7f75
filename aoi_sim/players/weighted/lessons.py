"""Lessons: what a player learned from its own games, as trees of whole numbers (`trees`) that judge its options.

A set of trees belongs to a subject, a kind of decision. A screen, trees that ask only what is known of an option without trying
it on a copy of the game, says which are worth trying; the trees proper judge those by what they lead to.
"""

from base64 import b85decode
from collections.abc import Mapping
from typing import Any, Final
from zlib import decompress

from aoi_sim.players.weighted.features import AFTER, NAMES
from aoi_sim.players.weighted.trees import LEAF, Trees, TreesError
from aoi_sim.rules.tables import Tables

SUBJECTS: Final = ("turn", "tile", "competency", "palace", "city", "step")
TURN: Final = 0
TILE: Final = 1
COMPETENCY: Final = 2
PALACE: Final = 3
CITY: Final = 4
STEP: Final = 5
_UNLIMITED: Final = 1_000_000_000
_MOST_NODES: Final = 1_000_000
# Trees by their packed form and features: they are checked when a file is read and asked when it plays.
_UNPACKED: Final[dict[tuple[str, ...], Trees]] = {}
_MANY_UNPACKED: Final = 100


class LessonsError(ValueError):
    """Lessons that cannot be read; the message says what is wrong."""


class Lessons:
    """The trees by subject, and the numbers that they know components by.

    Attributes:
        codes: by component, its number in the trees, -1 for those that they never met.
        screens: by subject, trees that ask nothing of what an option leads to; None where all options are tried.
        trees: by subject, those that judge; None where nothing was learned.
        within: an option that is worth so much less than the best is not looked at. `most`: so many are.
        tried: so many of those that were screened are tried.
        far: an option that the screen holds so much worse than the best is not tried.
    """

    def __init__(self, content: Mapping[str, Any], tables: Tables) -> None:
        known: dict[str, int] = {}
        for code, key in enumerate(content["components"]):
            known[key] = code
        self.codes: list[int] = [known.get(c.ref, -1) for c in tables.components]
        self.within: int = content["within"]
        self.most: int = content["most"]
        self.tried: int = content.get("tried", self.most)
        self.far: int = content.get("far", _UNLIMITED)
        self.screens: list[Trees | None] = [None] * len(SUBJECTS)
        self.trees: list[Trees | None] = [None] * len(SUBJECTS)
        for k, subject in enumerate(SUBJECTS):
            if subject in content["trees"]:
                self.trees[k] = unpacked(content["trees"][subject], content["features"])
            if subject in content.get("screens", {}):
                self.screens[k] = unpacked(content["screens"][subject], content["features"])

    def teach(self, subject: int) -> bool:
        """Whether something was learned of a subject."""
        return self.trees[subject] is not None

    def worth(self, subject: int, x: list[int]) -> int:
        """What the trees of a subject hold an option with these features worth, in thousandths of a VP."""
        trees = self.trees[subject]
        return 0 if trees is None else trees.worth(x)


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
    for key, least in (("within", 0), ("most", 1), ("tried", 1), ("far", 0)):
        n = content.get(key, 1 if key in ("tried", "far") else None)
        if isinstance(n, bool) or not isinstance(n, int) or n < least:
            raise LessonsError(f"{key} is no whole number from {least}")
    for key in ("trees", "screens"):
        trees = content.get(key, {} if key == "screens" else None)
        if not isinstance(trees, dict):
            raise LessonsError(f"{key} is no table")
        for subject, text in trees.items():
            if subject not in SUBJECTS or not isinstance(text, str):
                raise LessonsError(f"unknown subject {subject!r}")
            if subject not in content["trees"]:
                raise LessonsError(f"a screen without trees, {subject}")
            asked = unpacked(text, content["features"]).asked
            if key == "screens" and asked and asked[-1] >= AFTER:
                raise LessonsError(
                    f"a screen that asks for {NAMES[asked[-1]]}, which is known only once an option is tried"
                )


def unpacked(text: str, features: list[str]) -> Trees:
    """The trees of a subject from their packed form, each read once.

    Raises:
        LessonsError: it is damaged, or asks for a feature that there is not.
    """
    key = (text, *features)
    known = _UNPACKED.get(key)
    if known is None:
        known = _read(text, features)
        if len(_UNPACKED) >= _MANY_UNPACKED:
            _UNPACKED.clear()
        _UNPACKED[key] = known
    return known


def rows_of(text: str) -> list[list[int]]:
    """The four rows of numbers of packed trees, the features by their place among those of the lessons.

    Raises:
        LessonsError: they are damaged.
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
    return rows


def _read(text: str, features: list[str]) -> Trees:
    """The trees of a subject from their packed form: base 85 of zlib of ``feature number above`` a node, then the roots.

    Raises:
        LessonsError: it is damaged, or asks for a feature that there is not.
    """
    asked, number, above, roots = rows_of(text)
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
    if not roots or roots[0] != 0 or roots != sorted(set(roots)) or roots[-1] >= n:
        raise LessonsError("trees that lead nowhere")
    for k, root in enumerate(roots):
        end = roots[k + 1] if k + 1 < len(roots) else n
        if feature[end - 1] != LEAF:
            raise LessonsError("trees that lead nowhere")
        for node in range(root, end):
            if feature[node] != LEAF and not node < above[node] < end:
                raise LessonsError("trees that lead nowhere")
    try:
        return Trees(feature, number, above, roots)
    except TreesError as bad:
        raise LessonsError(str(bad)) from None
