"""Which rule of docs/rules.md has how many tests: `python -m tests.rules_coverage [--missing] [--json]`.

Rule ids are read from the specification: each `- TB-4 ...` rule; each row of a component table as its section and key
(`PAL/9`, `PA/book coins`); each row of the table of editions (`ED/moles`); each option (`OPT/book_supply`). Tests cite
them with `@pytest.mark.rule("TB-4", "PAL/9")`; marks are read from pytest's own collection, so that marks of modules
and of single parameters count, and ids are matched whole.

Exit status: 0 every id has a test, 1 some have none or a mark cites an unknown id, 2 the tests cannot be collected.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SPECIFICATION = ROOT / "docs" / "rules.md"

_RULE = re.compile(r"- ([A-Z]+-\d+)\b")
_HEADING = re.compile(r"#+ .*?\(([A-Z]+)\)")
_OPTION = re.compile(r"\b[Oo]ption\s+`([a-z0-9_]+)`")
_DIVIDER = re.compile(r"\|[-| :]+\|$")
_EDITIONS_HEADER = "item"  # first cell of the table of editions, which stands before the first section
_BOOK_ACTION_HEADER = "book action"


@dataclass
class Coverage:
    """Tests by rule id, and marks that cite an id the specification does not have."""

    tests: dict[str, int]
    unknown: dict[str, list[str]] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """Ids without a test, in the specification's order."""
        return [rule for rule, count in self.tests.items() if not count]


def _row_id(section: str, header: str, key: str) -> str | None:
    if header == _EDITIONS_HEADER:
        return "ED/" + re.split(r"\W", key)[0].lower()
    if not section:
        return None
    prefix = "book " if header == _BOOK_ACTION_HEADER else ""
    return f"{section}/{prefix}{key}"


def rule_ids(text: str) -> list[str]:
    """Every id of the specification, in its order: rules, table rows, options.

    Raises:
        ValueError: An id stands twice.
    """
    ids: list[str] = []
    section, header = "", None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if heading := _HEADING.match(line):
            section = heading[1]
        elif line.startswith("#"):
            section = ""
        if rule := _RULE.match(line):
            ids.append(rule[1])
        if not line.startswith("|"):
            header = None
        elif not _DIVIDER.match(line):
            first = line.split("|")[1].strip()
            if header is None and _DIVIDER.match(lines[number + 1]):
                header = first
            elif row := _row_id(section, header or "", first):
                ids.append(row)
    ids += [f"OPT/{name}" for name in dict.fromkeys(_OPTION.findall(text)) if name != "name"]
    twice = [rule for rule, count in Counter(ids).items() if count > 1]
    if twice:
        raise ValueError(f"ids that stand twice in the specification: {', '.join(twice)}")
    return ids


class MarkCollector:
    """A pytest plugin that notes the `rule` marks of every collected test."""

    def __init__(self) -> None:
        self.cited: list[tuple[str, str]] = []

    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        """Reads the marks of a test, of its class, module and parameters."""
        for item in items:
            rules = {rule for mark in item.iter_markers("rule") for rule in mark.args}
            self.cited += [(rule, item.nodeid) for rule in sorted(rules)]


def collect_marks(folder: Path) -> list[tuple[str, str]]:
    """Pairs of rule id and test under `folder`, by a collection in this process.

    Raises:
        RuntimeError: pytest could not collect all tests.
    """
    collector = MarkCollector()
    output = io.StringIO()
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(folder)]
    with contextlib.redirect_stdout(output):
        status = pytest.main(options, plugins=[collector])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"the tests cannot be collected (pytest's status {status}):\n{output.getvalue()[-2000:]}")
    return collector.cited


def coverage(ids: Iterable[str], cited: Iterable[tuple[str, str]]) -> Coverage:
    """Counts the tests of each id."""
    found = Coverage(dict.fromkeys(ids, 0))
    for rule, test in cited:
        if rule in found.tests:
            found.tests[rule] += 1
        else:
            found.unknown.setdefault(rule, []).append(test)
    return found


def _report(found: Coverage, only_missing: bool) -> None:
    for rule, count in found.tests.items():
        if count == 0 or not only_missing:
            print(f"{count:5d}  {rule}" + ("" if count else "   <- no test"))
    for rule, tests in found.unknown.items():
        print(f"unknown id {rule!r}, cited by {tests[0]}" + (f" and {len(tests) - 1} more" if len(tests) > 1 else ""))
    print(f"{len(found.tests)} ids, {len(found.missing)} without a test, {len(found.unknown)} unknown ids cited")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules_coverage", description=__doc__.splitlines()[0])
    parser.add_argument("--missing", action="store_true", help="list only ids without a test")
    parser.add_argument("--json", action="store_true", help="print tests by id, and unknown ids, as JSON")
    chosen = parser.parse_args(arguments)
    try:
        found = coverage(rule_ids(SPECIFICATION.read_text("utf-8")), collect_marks(ROOT / "tests"))
    except RuntimeError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps({"tests": found.tests, "unknown": found.unknown}))
    else:
        _report(found, chosen.missing)
    return 1 if found.missing or found.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
