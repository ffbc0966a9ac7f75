"""The list of engine mutations and of explanations, `tests/mutations.toml`.

```toml
[[engine]]
file = "aoi_sim/engine/cities.py"
in = "found_cities"                    # optional: the function or class in which the line stands
old = "if power >= needed:"            # the whole line without its indent; it must stand there exactly once
new = "if power > needed:"

[[explained]]
mutant = "setup.area_tiles*"           # a pattern of mutants' names, * stands for anything
why = "..."
```
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.mutate.mutant import Mutant, MutationError


@dataclass(frozen=True)
class Explanation:
    """Why no test can notice the mutants of a pattern."""

    pattern: str
    why: str

    def fits(self, mutant: Mutant) -> bool:
        """Whether the mutant's name is of the pattern, as a whole."""
        return re.fullmatch(".*".join(map(re.escape, self.pattern.split("*"))), mutant.name) is not None


def read_list(path: Path) -> tuple[list[dict[str, Any]], list[Explanation]]:
    """The entries of a list of mutations, unchecked against the sources, and its explanations.

    Raises:
        MutationError: A key is unknown, missing or empty.
    """
    data = tomllib.loads(path.read_text("utf-8"))
    entries = data.pop("engine", [])
    explained = data.pop("explained", [])
    if data:
        raise MutationError(f"{path.name}: unknown table {next(iter(data))!r}, allowed are engine, explained")
    for kind, table, required, optional in (
        ("engine", entries, {"file", "old", "new"}, {"in"}),
        ("explained", explained, {"mutant", "why"}, set()),
    ):
        for number, entry in enumerate(table, 1):
            wrong = sorted(required - entry.keys()) or sorted(entry.keys() - required - optional)
            if wrong or not all(isinstance(value, str) and value.strip() for value in entry.values()):
                needs = ", ".join(sorted(required))
                raise MutationError(f"{path.name}: {kind} entry {number} needs texts {needs}: {entry}")
    return entries, [Explanation(entry["mutant"], entry["why"]) for entry in explained]


def engine_mutants(entries: Iterable[dict[str, Any]], root: Path) -> list[Mutant]:
    """The listed mutants, each found in its source.

    Raises:
        MutationError: A line is not there or there more than once, or two entries are the same.
    """
    mutants: dict[str, Mutant] = {}
    for entry in entries:
        file = root / entry["file"]
        if not file.is_file():
            raise MutationError(f"mutations.toml: {entry['file']} does not exist, write {entry['old']!r} anew")
        mutant = _find(entry, file.read_text("utf-8"))
        if str(mutant) in mutants:
            raise MutationError(f"mutations.toml: {mutant} is listed twice")
        mutants[str(mutant)] = mutant
    return list(mutants.values())


def _find(entry: dict[str, Any], text: str) -> Mutant:
    file, scope, old, new = entry["file"], entry.get("in", ""), entry["old"].strip(), entry["new"].strip()
    lines = text.splitlines(keepends=True)
    first, last = _extent(text, scope, file) if scope else (1, len(lines))
    found = [number for number in range(first, last + 1) if lines[number - 1].strip() == old]
    if len(found) != 1:
        where = f"in {scope} " if scope else ""
        problem = "is not there" if not found else f"stands there {len(found)} times"
        raise MutationError(f"mutations.toml: {file} {where}the line {old!r} {problem}, write the entry anew")
    line = found[0]
    before = lines[line - 1]
    start = sum(map(len, lines[: line - 1])) + len(before) - len(before.lstrip())
    name = f"{scope}: {old}  ->  {new}" if scope else f"{old}  ->  {new}"
    mutant = Mutant(file, start, old, new, name, line)
    try:
        same = ast.dump(ast.parse(mutant.apply(text))) == ast.dump(ast.parse(text))
    except SyntaxError as error:
        raise MutationError(f"mutations.toml: {mutant} is no Python: {error.msg}") from None
    if same:
        raise MutationError(f"mutations.toml: {mutant} changes nothing")
    return mutant


def _extent(text: str, scope: str, file: str) -> tuple[int, int]:
    """First and last line of a function, method (`Class.method`) or class."""
    body: list[ast.stmt] = ast.parse(text).body
    node: ast.FunctionDef | ast.ClassDef | None = None
    for part in scope.split("."):
        named = [one for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == part]
        if len(named) != 1:
            raise MutationError(f"mutations.toml: {file} has no {scope}, write its entries anew")
        node = named[0]
        body = node.body
    assert node is not None
    return node.lineno, node.end_lineno or node.lineno


def explain(mutants: Iterable[Mutant], explanations: list[Explanation]) -> list[Mutant]:
    """The mutants, with their explanation where one fits.

    Raises:
        MutationError: An explanation fits no mutant.
    """
    used: set[Explanation] = set()
    result = []
    for mutant in mutants:
        fitting = next((one for one in explanations if one.fits(mutant)), None)
        if fitting is not None:
            used.add(fitting)
            mutant = replace(mutant, explained=fitting.why)
        result.append(mutant)
    for explanation in explanations:
        if explanation not in used:
            raise MutationError(f"mutations.toml: explained {explanation.pattern!r} fits no mutant, remove it")
    return result
