"""Small lessons made by hand."""

import json
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import SUBJECTS, packed
from aoi_sim.players.weighted.networks import HALF, SHIFT
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.tables import tables_for

Rows = Sequence[Sequence[int]]


def graded(*steps: tuple[int, int]) -> list[list[int]]:
    """A plain sum: for each number, in order, how much more an option is worth whose feature is above it.

    The least that an option can be worth is 0.
    """
    sums = [0, *accumulate(gain for _, gain in steps)]
    one_unit = [[HALF - min(sums)], [1 << SHIFT]]
    return [[0], [len(steps)], [number for number, _ in steps], *one_unit, *[[worth] for worth in sums]]


STEP: Rows = graded((3, 1200))
"""1200 for an option whose feature is above 3."""


def content(feature: str = "adds_coins", rows: Rows = STEP, subjects: Sequence[str] = SUBJECTS) -> dict[str, Any]:
    """Lessons with the same network for each subject, which asks for one feature."""
    return {
        "components": [c.ref for c in tables_for(load_ruleset(), 4).components],
        "features": [feature],
        "within": 5000,
        "most": 6,
        "networks": {subject: packed(rows) for subject in subjects},
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
    parts: list[Any] = []

    def play(task: Any) -> bytes:
        if parts:
            raise KeyboardInterrupt
        parts.append(task)
        return play_part(task)

    return play


def preferring(feature: str) -> dict[str, Any]:
    """Lessons that hold an option better the higher a feature is."""
    assert feature in NAMES
    return content(feature, graded(*[(number, 1000) for number in range(-12, 12)]))
