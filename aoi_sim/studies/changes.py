"""What a change of the rules changes: every leaf of the data that differs, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aoi_sim.rules.ruleset import Ruleset

MOST_LINES: Final = 40
"""Changes that are listed; of all others their number is given."""
_MOST_LEAVES: Final = 20
"""Entries of a new or removed component that are listed."""


@dataclass(frozen=True)
class Change:
    """A place of the rules that differs.

    Attributes:
        path: dotted; entries of lists by their place from 0; ``options.NAME`` is the value of an option.
        before: its value, None where there is none.
        after: its value, None where there is none.
    """

    path: str
    before: Any
    after: Any

    @property
    def is_component(self) -> bool:
        """Whether a whole component (``factions.weavers``) is new or removed."""
        return self.path.count(".") == 1 and isinstance(self.after if self.before is None else self.before, Mapping)

    def __str__(self) -> str:
        if not self.is_component:
            return f"{self.path} {_words(self.before)} -> {_words(self.after)}"
        word, value = ("new", self.after) if self.before is None else ("removed", self.before)
        leaves = [f"{path} {_words(leaf)}" for path, leaf in _leaves(value, "")]
        return f"{self.path} ({word}): {', '.join(cut(leaves, _MOST_LEAVES))}"


def changes(before: Ruleset, after: Ruleset) -> list[Change]:
    """All places in which two rulesets differ, in the order of the data, options last.

    A component (an entry of a table, as ``factions.weavers``) that only one of them has is one change.
    """
    found = [
        change
        for table in before.data
        if table != "options"
        for change in _differences(before.data[table], after.data[table], table)
    ]
    return [*found, *_differences(before.options, after.options, "options")]


def change_lines(before: Ruleset, after: Ruleset) -> list[str]:
    """The changes in words, ``factions.goblins.on.0.coins 2 -> 1``; a long list is cut and says how much is left out."""
    found = [str(change) for change in changes(before, after)]
    return cut(found, MOST_LINES) or ["the order of components, by which draws go; no number and no word"]


def cut(items: Sequence[str], most: int) -> list[str]:
    """The first items, and how many more there are."""
    return list(items) if len(items) <= most else [*items[:most], f"and {len(items) - most:,} more"]


def _differences(old: Any, new: Any, path: str) -> Iterator[Change]:
    if old == new:
        return
    if path.count(".") == 1 and None in (old, new):
        yield Change(path, old, new)  # A component, or an entry of a table without components.
        return
    inner = [_entries(value) for value in (old, new)]
    kinds = {type(value) for value in (old, new) if value is not None}
    if len(kinds) > 1 or not any(inner):
        yield Change(path, old, new)
        return
    for key in {**inner[0], **inner[1]}:
        yield from _differences(inner[0].get(key), inner[1].get(key), f"{path}.{key}")


def _entries(value: Any) -> dict[str, Any]:
    """What a table or list holds, by key or place."""
    if isinstance(value, Mapping):
        return dict(value)
    return {str(place): item for place, item in enumerate(value)} if isinstance(value, tuple) else {}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Numbers and words below a value; lists of them are leaves too."""
    if isinstance(value, tuple) and not any(map(_entries, value)):
        yield path, value
        return
    inner = _entries(value)
    if not inner:
        yield path, value
    for key, item in inner.items():
        yield from _leaves(item, f"{path}.{key}" if path else key)


def _words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} {_words(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_words, value)) + "]"
    return str(value)
