"""One change of one file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """The text `old`, at character `start` of `file`, becomes `new`.

    `name` says what is changed and is the same whatever stands elsewhere in the file. `explained` is the reason why no
    test can notice the change, or empty.
    """

    file: str
    start: int
    old: str
    new: str
    name: str
    line: int
    explained: str = ""

    def apply(self, text: str) -> str:
        """The changed text of the file.

        Raises:
            ValueError: `old` does not stand there.
        """
        if not text.startswith(self.old, self.start):
            raise ValueError(f"{self.file}:{self.line} does not read {self.old!r}")
        return text[: self.start] + self.new + text[self.start + len(self.old) :]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}"


class MutationError(ValueError):
    """The list of mutations does not fit the project; one line says where and what to do."""
