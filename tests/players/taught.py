"""Small lessons made by hand."""

import json
from base64 import b85encode
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from zlib import compress

from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import SUBJECTS
from aoi_sim.players.weighted.trees import Trees
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.tables import tables_for

Rows = Sequence[Sequence[int]]
STUMP: Rows = ([0, -1, -1], [3, -500, 700], [2, 0, 0], [0])
"""One question (is the first feature above 3?), then -500 or 700."""


def worth(trees: Trees, x: list[int]) -> int:
    """What trees say of an option with these features."""
    return trees.worth(x)


def packed(rows: Rows) -> str:
    text = "\n".join(" ".join(map(str, row)) for row in rows)
    return b85encode(compress(text.encode())).decode()


def content(feature: str = "after_coins", rows: Rows = STUMP, subjects: Sequence[str] = SUBJECTS) -> dict[str, Any]:
    """Lessons with the same trees for each subject."""
    return {
        "components": [c.ref for c in tables_for(load_ruleset(), 4).components],
        "features": [feature],
        "within": 5000,
        "most": 6,
        "trees": {subject: packed(rows) for subject in subjects},
    }


def toml(lessons: dict[str, Any]) -> str:
    """The tables of a heuristic file, as anybody might write them."""
    lines = ["[lessons]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in lessons.items() if not isinstance(value, dict)]
    for key, table in lessons.items():
        if isinstance(table, dict):
            lines.append(f"[lessons.{key}]")
            lines += [f"{subject} = {json.dumps(text)}" for subject, text in table.items()]
    return "\n".join(lines) + "\n"


def stopping(play_part: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Plays one part of trials, then Ctrl-C is pressed."""
    parts = []

    def play(task: Any) -> bytes:
        if parts:
            raise KeyboardInterrupt
        parts.append(task)
        return play_part(task)

    return play


def preferring(option: str) -> dict[str, Any]:
    """Lessons that hold an option better the higher a feature is."""
    assert option in NAMES
    return content(option, stumps(range(12)))


def stumps(numbers: Iterable[int], gain: int = 1000) -> Rows:
    """A tree for each number that adds so much if the first feature is above it."""
    return questions([(number, gain) for number in numbers])


def questions(asked: Sequence[tuple[int, int]]) -> Rows:
    """A tree for each number and gain: it adds the gain if the first feature is above the number."""
    n = len(asked)
    number = [k for question, gain in asked for k in (question, 0, gain)]
    above = [k for question in range(n) for k in (3 * question + 2, 0, 0)]
    return [0, -1, -1] * n, number, above, [3 * k for k in range(n)]


def screened(screen: tuple[str, Rows], trees: tuple[str, Rows], tried: int = 6, **more: int) -> dict[str, Any]:
    """Lessons of turns with a screen and trees; each asks for the feature that comes with it."""
    feature, number, above, roots = trees[1]
    return {
        **content(screen[0]),
        "tried": tried,
        **more,
        "features": [screen[0], trees[0]],
        "screens": {"turn": packed(screen[1])},
        "trees": {"turn": packed(([1 if f == 0 else f for f in feature], number, above, roots))},
    }
