"""Reading a position's tables with one clear line for what is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any


class PositionError(ValueError):
    """A position that cannot be: what, where, what to do, in one line."""


class Fields:
    """A table of a position and where it stands; every read checks the type and the bounds."""

    def __init__(self, data: object, where: str, known: Sequence[str]) -> None:
        if not isinstance(data, Mapping):
            raise PositionError(f"{data!r} is no table, in {where or 'the position'}, write a table of keys")
        self.data: Mapping[str, Any] = data
        self.where = where
        for key in data:
            if key not in known:
                raise PositionError(f"unknown key {key!r}, in {where or 'the position'}, use {', '.join(known)}")

    def path(self, key: str) -> str:
        """Dotted name of a key for messages."""
        return f"{self.where}.{key}" if self.where else key

    def has(self, key: str) -> bool:
        """Whether a key is given (None counts as missing)."""
        return self.data.get(key) is not None

    def required(self, key: str) -> object:
        """The value of a key that must be given."""
        if not self.has(key):
            raise PositionError(f"{key} is missing, in {self.where}, give it")
        return self.data[key]

    def checked(self, value: object, where: str, least: int, most: int) -> int:
        """An int within bounds."""
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise PositionError(f"{value!r}, in {where}, use a whole number from {least} to {most}")
        return value

    def integer(self, key: str, default: int, least: int, most: int) -> int:
        """An int within bounds, or the default."""
        if not self.has(key):
            return default
        return self.checked(self.data[key], self.path(key), least, most)

    def boolean(self, key: str, default: bool) -> bool:
        """True or false, or the default."""
        if not self.has(key):
            return default
        value = self.data[key]
        if not isinstance(value, bool):
            raise PositionError(f"{value!r}, in {self.path(key)}, use true or false")
        return value

    def text(self, key: str, default: str) -> str:
        """A string, or the default."""
        if not self.has(key):
            return default
        value = self.data[key]
        if not isinstance(value, str):
            raise PositionError(f"{value!r}, in {self.path(key)}, use a text")
        return value

    def choice(self, key: str, default: str, allowed: Sequence[str]) -> str:
        """One of the allowed words, or the default."""
        value = self.text(key, default)
        if value not in allowed:
            raise PositionError(f"{value!r}, in {self.path(key)}, use one of {', '.join(w for w in allowed if w)}")
        return value

    def items(self, key: str) -> list[object]:
        """A list, empty when missing."""
        value = self.data.get(key)
        if value is None:
            return []
        if not isinstance(value, (list, tuple)):
            raise PositionError(f"{value!r}, in {self.path(key)}, use a list")
        return list(value)

    def rows(self, key: str) -> list[Mapping[str, Any]]:
        """A list of tables, empty when missing."""
        out: list[Mapping[str, Any]] = []
        for k, row in enumerate(self.items(key)):
            if not isinstance(row, Mapping):
                raise PositionError(f"{row!r}, in {self.path(key)}[{k}], use a table")
            out.append(row)
        return out

    def table(self, key: str) -> Mapping[str, Any]:
        """A table, empty when missing."""
        value = self.data.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise PositionError(f"{value!r}, in {self.path(key)}, use a table")
        return value

    def seat_list(self, key: str, default: list[int], n: int) -> list[int]:
        """A list of seats."""
        if not self.has(key):
            return default
        return [self.checked(x, self.path(key), 0, n - 1) for x in self.items(key)]
