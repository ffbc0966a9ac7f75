"""What is found wrong with a run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_SIGNED_ZERO: Final = re.compile(r"(?<![\w.])[-+\u2212](0(?:\.0+)?)(?![\d.]*\d)")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a run.

    Attributes:
        what: is wrong.
        where: file or key.
        advice: what to do.
    """

    what: str
    where: str
    advice: str

    def __str__(self) -> str:
        return f"{self.what}, {self.where}, {self.advice}"


AGAIN = "restore it from a copy or run the same command again with --resume"
"""Advice where a file is missing or not what was written."""
RESTORE = "restore it from a copy or play the run again"
"""Advice where content is damaged."""


def some(items: Sequence[object]) -> str:
    """The first of many, and how many more there are."""
    text = ", ".join(str(item) for item in items[:3])
    return text if len(items) <= 3 else f"{text} and {len(items) - 3} more"


def counted(count: int, word: str) -> str:
    """``1 game``, ``2,016 games``."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def unsigned_zeros(text: str) -> str:
    """Text in which no figure that is rounded to zero has a sign: ``-0.0 ± 0.1`` is ``0.0 ± 0.1``."""
    return _SIGNED_ZERO.sub(r"\1", text)
