"""`Ruleset`: the rules of a game as frozen data with a hash."""

import hashlib
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from aoi_sim.rules.options import OptionValue
from aoi_sim.rules.overlay import plain
from aoi_sim.rules.schema import TOP

_HASH_LENGTH = 16


class Ruleset:
    """The rules of a game: edition, options and overlays merged, checked and frozen.

    Two rulesets are equal if they play the same game, whatever edition or overlays they came from.
    """

    __slots__ = ("_data", "_edition", "_hash", "_options", "_overlays")

    def __init__(
        self, edition: str, options: Mapping[str, OptionValue], data: Mapping[str, Any], overlays: tuple[str, ...]
    ) -> None:
        self._edition = edition
        self._options = MappingProxyType(dict(options))
        self._data: Mapping[str, Any] = _frozen(data)
        self._overlays = tuple(overlays)
        self._hash = _hash_of(data, options)

    @property
    def edition(self) -> str:
        """Edition of the rulebook that the overlays were laid over."""
        return self._edition

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The value of every option."""
        return self._options

    @property
    def data(self) -> Mapping[str, Any]:
        """The merged data; tables are read-only mappings, lists are tuples."""
        return self._data

    @property
    def overlays(self) -> tuple[str, ...]:
        """The overlays as JSON text, ready to be given to `load_ruleset` again."""
        return self._overlays

    @property
    def hash(self) -> str:
        """The same for the same rules, in every process; the name of the edition plays no part."""
        return self._hash

    def to_dict(self) -> dict[str, Any]:
        """The data as new dicts and lists."""
        copied: dict[str, Any] = plain(self._data)
        return copied

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self._hash == other._hash

    def __hash__(self) -> int:
        return int(self._hash[:15], 16)

    def __repr__(self) -> str:
        return f"Ruleset(edition={self._edition!r}, hash={self._hash!r})"

    def __reduce__(self) -> tuple[Callable[..., "Ruleset"], tuple[object, ...]]:
        return Ruleset, (self._edition, dict(self._options), self.to_dict(), self._overlays)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    return value


def _hash_of(data: Mapping[str, Any], options: Mapping[str, OptionValue]) -> str:
    """SHA-256 over the rules: the order of components counts (chance draws by it), the order of fields does not."""
    rules: dict[str, Any] = {}
    for name, spec in TOP.items():
        table = plain(data[name])
        rules[name] = list(table.items()) if spec.startswith("rows:") and isinstance(table, dict) else table
    text = json.dumps([rules, dict(options)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_LENGTH]
