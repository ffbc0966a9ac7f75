"""Overlays: tables merged over the data of the game, and who changed what."""

import difflib
from collections.abc import Mapping
from typing import Any

from aoi_sim.rules.errors import one_of, rules_error, shown
from aoi_sim.rules.schema import OVERLAY_WORDS, TOP
from aoi_sim.rules.structure import has_control_characters


class Provenance:
    """Remembers which source gave which part of the data, so that an error can name it."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.touched: list[tuple[str, str]] = []

    def note(self, path: str, source: str) -> None:
        """Notes that `source` changed or removed the entry `path`."""
        self.touched.append((path, source))

    def of(self, *paths: str) -> tuple[str, str]:
        """The source that last changed one of `paths` (or something in or around it), and that path."""
        for touched, source in reversed(self.touched):
            for path in paths:
                if touched == path or touched.startswith(path + ".") or path.startswith(touched + "."):
                    return source, path
        return self.files.get(paths[0].partition(".")[0], "data"), paths[0]


def plain(value: Any) -> Any:
    """A deep copy of dicts and lists (from any mapping and tuple)."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def normal_overlay(raw: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A copy of an overlay with its top level checked and its conversions keyed by their key."""
    overlay: dict[str, Any] = plain(raw)
    _check_keys(overlay, source, "")
    allowed = (*TOP, *OVERLAY_WORDS)
    for key in overlay:
        if key not in allowed:
            raise rules_error(source, key, "unknown key", one_of(allowed, key))
    for word in ("name", "question"):
        if not isinstance(overlay.get(word, ""), str):
            raise rules_error(source, word, f"wrong type {shown(overlay[word])}", "allowed: a text")
    # A question may have several lines.
    for word, text in (("name", overlay.get("name", "")), ("question", " ".join(overlay.get("question", "").split()))):
        if has_control_characters(text):
            raise rules_error(source, word, f"wrong value {shown(text)}", "allowed: a text without control characters")
    removed = overlay.get("remove", [])
    if not isinstance(removed, list) or not all(isinstance(path, str) for path in removed):
        allowed_text = 'allowed: a list of dotted keys, as ["factions.moles"]'
        raise rules_error(source, "remove", f"wrong type {shown(removed)}", allowed_text)
    if not isinstance(overlay.get("options", {}), dict):
        raise rules_error(source, "options", f"wrong type {shown(overlay['options'])}", "allowed: a table")
    if "conversions" in overlay:
        overlay["conversions"] = keyed_conversions(overlay["conversions"], source)
    return overlay


def _check_keys(value: Any, source: str, path: str) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str) or not key or "." in key:
                raise rules_error(source, path, f"impossible key {shown(key)}", "allowed: a text without a dot")
            _check_keys(item, source, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            _check_keys(item, source, f"{path}.{i}")


def keyed_conversions(rows: Any, source: str) -> dict[str, Any]:
    """The array of conversions as a table by key, so that overlays merge it like the others."""
    if not isinstance(rows, list):
        what = f"wrong type {shown(rows)}"
        raise rules_error(source, "conversions", what, 'allowed: a list, as [{ key = "3power>tool", ... }]')
    found: dict[str, Any] = {}
    for i, row in enumerate(rows):
        if not isinstance(row, dict) or not isinstance(row.get("key"), str):
            raise rules_error(source, f"conversions.{i}", "without a key", "allowed: tables with a text `key`")
        if row["key"] in found:
            raise rules_error(source, f"conversions.{row['key']}", "key used twice", "list each conversion once")
        found[row["key"]] = row
    return found


def merge_overlay(data: dict[str, Any], overlay: dict[str, Any], source: str, provenance: Provenance) -> None:
    """Merges a normal overlay into `data`: first what it removes, then its tables, key by key."""
    for path in overlay.get("remove", []):
        _remove(data, path, source)
        provenance.note(path, source)
    for name in overlay:
        if name in TOP:
            if TOP[name].startswith("rows:"):
                _refuse_misspelt(data.get(name), overlay[name], name, source)
            _merge(data, name, overlay[name], name, source, provenance)


def _refuse_misspelt(known: Any, given: Any, path: str, source: str) -> None:
    """A component that the rules lack is a new one, unless its key is nearly that of one they have: a slip of the pen."""
    if not isinstance(known, dict) or not isinstance(given, dict):
        return
    for key in given:
        near = [] if key in known else difflib.get_close_matches(key, known, 1, cutoff=0.75)
        if near and not key.isdigit():
            raise rules_error(
                source, f"{path}.{key}", "not in the rules", f"did you mean {near[0]!r}? a new one needs another name"
            )


def _merge(table: dict[str, Any], key: str, value: Any, path: str, source: str, provenance: Provenance) -> None:
    old = table.get(key)
    if isinstance(old, dict) and isinstance(value, dict):
        for name, item in value.items():
            _merge(old, name, item, f"{path}.{name}", source, provenance)
    else:
        table[key] = plain(value)
        provenance.note(path, source)


def _remove(data: dict[str, Any], path: str, source: str) -> None:
    *parents, last = path.split(".")
    table: Any = data
    walked = ""
    for name in parents:
        table = table.get(name) if isinstance(table, dict) else None
        walked += name + "."
    if not isinstance(table, dict) or last not in table:
        near = [walked + key for key in table] if isinstance(table, dict) else list(data)
        raise rules_error(source, "remove", f"nothing at {shown(path)}", one_of(near, path))
    del table[last]
