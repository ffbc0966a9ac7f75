"""Small lessons made by hand."""

import json
from base64 import b85encode
from collections.abc import Callable, Sequence
from typing import Any
from zlib import compress

from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import SUBJECTS, Trees
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
    lines += [f"{key} = {json.dumps(value)}" for key, value in lessons.items() if key != "trees"]
    if isinstance(lessons.get("trees"), dict):
        lines.append("[lessons.trees]")
        lines += [f"{subject} = {json.dumps(text)}" for subject, text in lessons["trees"].items()]
    elif "trees" in lessons:
        lines.append(f"trees = {json.dumps(lessons['trees'])}")
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
    n = 12
    feature = [k for _ in range(n) for k in (0, -1, -1)]
    number = [k for question in range(n) for k in (question, 0, 1000)]
    above = [k for question in range(n) for k in (3 * question + 2, 0, 0)]
    return content(option, (feature, number, above, [3 * k for k in range(n)]))
