"""Lessons: what a player learned from its own games, as networks of whole numbers (`networks`) that judge its options.

A network belongs to a subject, a kind of decision. It asks only what is known of an option without doing it.
"""

from base64 import b85decode, b85encode
from collections.abc import Mapping, Sequence
from typing import Any, Final
from zlib import compress, decompress

from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.networks import Network, NetworkError
from aoi_sim.rules.tables import Tables

SUBJECTS: Final = ("turn", "tile", "competency", "palace", "city", "step")
TURN: Final = 0
TILE: Final = 1
COMPETENCY: Final = 2
PALACE: Final = 3
CITY: Final = 4
STEP: Final = 5
_ROWS: Final = 5
"""Rows of a packed network before those of its weights."""
_MOST_WEIGHTS: Final = 4_000_000
# Networks by their packed form and features: they are checked when a file is read and asked when it plays.
_UNPACKED: Final[dict[tuple[str, ...], Network]] = {}
_MANY_UNPACKED: Final = 100


class LessonsError(ValueError):
    """Lessons that cannot be read; the message says what is wrong."""


class Lessons:
    """The networks by subject, and the numbers that they know components by.

    Attributes:
        codes: by component, its number in the networks, -1 for those that they never met.
        networks: by subject; None where nothing was learned.
        within: an option that is worth so much less than the best is not looked at. `most`: so many are.
    """

    def __init__(self, content: Mapping[str, Any], tables: Tables) -> None:
        known: dict[str, int] = {}
        for code, key in enumerate(content["components"]):
            known[key] = code
        self.codes: list[int] = [known.get(c.ref, -1) for c in tables.components]
        self.within: int = content["within"]
        self.most: int = content["most"]
        self.networks: list[Network | None] = [None] * len(SUBJECTS)
        for k, subject in enumerate(SUBJECTS):
            if subject in content["networks"]:
                self.networks[k] = unpacked(content["networks"][subject], content["features"])

    def teach(self, subject: int) -> bool:
        """Whether something was learned of a subject."""
        return self.networks[subject] is not None

    def worth(self, subject: int, x: list[int]) -> int:
        """What the network of a subject holds an option with these features worth, in thousandths of a VP."""
        network = self.networks[subject]
        return 0 if network is None else network.worth(x)


def nothing_learned(tables: Tables) -> dict[str, Any]:
    """Content of lessons without networks that know every component of the rules."""
    return {"components": [c.ref for c in tables.components], "features": [], "networks": {}, "within": 0, "most": 1}


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
    networks = content.get("networks")
    if not isinstance(networks, dict):
        raise LessonsError("networks is no table")
    for subject, text in networks.items():
        if subject not in SUBJECTS:
            raise LessonsError(f"unknown subject {subject!r}")
        if not isinstance(text, str):
            raise LessonsError(f"the network of {subject} is no text")
        unpacked(text, content["features"])


def unpacked(text: str, features: Sequence[str]) -> Network:
    """The network of a subject from its packed form, each read once.

    Raises:
        LessonsError: it is damaged, or asks for a feature that there is not.
    """
    key = (text, *features)
    known = _UNPACKED.get(key)
    if known is None:
        try:
            known = Network(*rows_of(text, features))
        except NetworkError as bad:
            raise LessonsError(str(bad)) from None
        if len(_UNPACKED) >= _MANY_UNPACKED:
            _UNPACKED.clear()
        _UNPACKED[key] = known
    return known


def packed(rows: Sequence[Sequence[int]]) -> str:
    """The packed form: base 85 of zlib of lines of numbers.

    Args:
        rows: places of the features among those of the lessons, number of steps of each, all steps, what the units begin
            with and add; then the weights of each feature's codes, one row a code.
    """
    return b85encode(compress("\n".join(" ".join(map(str, row)) for row in rows).encode(), 9)).decode()


def rows_of(
    text: str, features: Sequence[str]
) -> tuple[list[int], list[list[int]], list[list[list[int]]], list[int], list[int]]:
    """What a packed network is made of, as `Network` takes it: nothing but the number of rows is known to be right.

    Raises:
        LessonsError: it is damaged, or asks for a feature that there is not.
    """
    try:
        lines = decompress(b85decode("".join(text.split()))).decode("ascii").splitlines()
        rows = [[int(x) for x in line.split()] for line in lines]
    except Exception as bad:
        raise LessonsError(f"a network that cannot be unpacked ({type(bad).__name__})") from None
    if len(rows) < _ROWS or sum(map(len, rows)) > _MOST_WEIGHTS:
        raise LessonsError("a network that is not whole")
    places, counts, all_steps = rows[:3]
    asked: list[int] = []
    for place in places:
        if not 0 <= place < len(features):
            raise LessonsError("a network that asks for a feature without a name")
        if features[place] not in NAMES:
            raise LessonsError(f"unknown feature {features[place]!r}")
        asked.append(NAMES.index(features[place]))
    if len(counts) != len(asked) or sum(counts) != len(all_steps) or len(rows) != _ROWS + sum(counts) + len(counts):
        raise LessonsError("a network that is not whole")
    steps: list[list[int]] = []
    weights: list[list[list[int]]] = []
    at, code = 0, _ROWS
    for n in counts:
        steps.append(all_steps[at : at + n])
        weights.append(rows[code : code + n + 1])
        at += n
        code += n + 1
    return asked, steps, weights, rows[3], rows[4]
