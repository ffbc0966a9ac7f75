"""Every number of a TOML file, each to be changed by one.

A small scanner finds the places (numbers in strings, comments and names are none); `tomllib` then proves of each change
that it alters exactly one value of the parsed data, and says which.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.mutate.mutant import Mutant, MutationError

_TOKEN = re.compile(
    r"""
    (?P<skip>   [ \t\r]+ | \#[^\n]* )
  | (?P<string> \"{3}(?:\\.|[^\\])*?\"{3,5} | '{3}.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
  | (?P<bare>   [A-Za-z0-9_+\-.:]+ )
  | (?P<mark>   [\[\]{},=\n] )
    """,
    re.VERBOSE | re.DOTALL,
)
_INTEGER = re.compile(r"[+-]?\d(?:_?\d)*")
_FLOAT = re.compile(r"[+-]?\d+\.\d+")
_KEY_NUMBER = re.compile(r"(?<![A-Za-z0-9_-])\d+(?![A-Za-z0-9_-])")


@dataclass(frozen=True)
class Place:
    """Where a number stands, and whether it is (part of) a key."""

    start: int
    text: str
    is_key: bool


def places(text: str) -> Iterator[Place]:
    """The numbers of a TOML text in its order: values, and keys that are numbers."""
    nesting: list[str] = []
    in_key, position = True, 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise MutationError(f"the TOML text cannot be read from {text[position : position + 20]!r} on")
        kind, word = token.lastgroup, token.group()
        if kind == "mark":
            in_key = _next_is_key(word, nesting, in_key)
        elif in_key and kind in ("bare", "string"):
            for number in _KEY_NUMBER.finditer(word):
                yield Place(position + number.start(), number.group(), True)
        elif kind == "bare" and (_INTEGER.fullmatch(word) or _FLOAT.fullmatch(word)):
            yield Place(position, word, False)
        position = token.end()


def _next_is_key(mark: str, nesting: list[str], in_key: bool) -> bool:
    """Keeps the nesting of arrays and inline tables; says whether a key may come next."""
    if mark == "=":
        return False
    if mark == "\n":
        return in_key if nesting else True
    if mark == ",":
        return nesting[-1] == "{"
    if mark in "[{":
        if in_key:  # the header of a table
            return True
        nesting.append(mark)
        return mark == "{"
    if in_key and not (mark == "}" and nesting):
        return True
    nesting.pop()
    return False


def number_mutants(file: str, text: str) -> list[Mutant]:
    """A mutant for every number of a file of rules data, each greater by one.

    A number that is a key counts too (the science levels that give power), but not as the name of a component
    (`[palaces.1]`): that is a name.

    Raises:
        MutationError: A change alters something else than one value; the scanner is wrong.
    """
    before = tomllib.loads(text)
    mutants = []
    for place in places(text):
        plain = place.text.replace("_", "")
        new = str(float(plain) + 1 if "." in plain else int(plain) + 1)
        line = text.count("\n", 0, place.start) + 1
        draft = Mutant(file, place.start, place.text, new, "", line)
        name = _changed_key(draft, before, text) if place.is_key else _changed_value(draft, before, text)
        if name:
            mutants.append(Mutant(file, place.start, place.text, new, f"{name} {place.text} -> {new}", line))
    return mutants


def _changed_value(mutant: Mutant, before: Any, text: str) -> str:
    changes = list(_differences(before, tomllib.loads(mutant.apply(text)), ""))
    if len(changes) != 1 or changes[0][1] + 1 != changes[0][2]:
        raise MutationError(f"{mutant.file}:{mutant.line} {mutant.old} -> {mutant.new} changes {changes}")
    return changes[0][0]


def _changed_key(mutant: Mutant, before: Any, text: str) -> str:
    try:
        after = tomllib.loads(mutant.apply(text))
    except tomllib.TOMLDecodeError:  # the next number is a key of the same table: this change says nothing
        return ""
    changes = list(_differences(before, after, ""))
    is_name = any(path.split(".")[1:2] == [mutant.old] for path, _, _ in changes)
    return "" if is_name or not changes else f"key {changes[0][0]}"


def _differences(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _differences(before.get(key), after.get(key), f"{path}.{key}" if path else key)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif before != after or type(before) is not type(after):
        yield path, before, after
