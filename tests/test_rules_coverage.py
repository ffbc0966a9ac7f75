"""Every rule of the specification has a test that cites it, and no test cites a rule that does not exist."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules_coverage import ROOT, SPECIFICATION, collect_marks, coverage, rule_ids

SMALL = """
| item | 1.0 | 1.2 |
|---|---|---|
| Moles, VP per tunnel | 4 | 5 |

**Options.** Named in the text as option `name`, with its default.

## Actions (ACT)
- ACT-1 In turn order (option
  `strict_order`: `on`). Not a rule: ACT-9.

### Power and book actions (PA)
- PA-1 Once a round.

| power action | cost |
|---|---|
| two spades | 6 |

| book action | books |
|---|---|
| coins | 2 |

## Special actions (SP) and passing (PASS)
- PASS-1 Option `strict_order` again.

## Words
| word | meaning |
|---|---|
| hex | no id |
"""


def test_ids_are_rules_table_rows_and_options() -> None:
    expected = ["ED/moles", "ACT-1", "PA-1", "PA/two spades", "PA/book coins", "PASS-1", "OPT/strict_order"]
    assert rule_ids(SMALL) == expected


def test_an_id_that_stands_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="PA-1"):
        rule_ids(SMALL + "- PA-1 again\n")


def test_specification_has_all_components() -> None:
    sections = [rule.split("/")[0] for rule in rule_ids(SPECIFICATION.read_text("utf-8")) if "/" in rule]
    expected = {"FAC": 12, "BOARD": 7, "PAL": 17, "INNO": 18, "COMP": 12, "RS": 12, "RB": 10, "CITY": 7, "PA": 12}
    expected |= {"ED": 3, "OPT": 20}
    assert {section: sections.count(section) for section in dict.fromkeys(sections)} == expected


def test_ids_are_matched_whole() -> None:
    found = coverage(["TB-1", "TB-10", "PAL/1"], [("TB-10", "a"), ("TB-10", "b"), ("PAL/1 ", "c")])
    assert found.tests == {"TB-1": 0, "TB-10": 2, "PAL/1": 0}
    assert found.missing == ["TB-1", "PAL/1"]
    assert found.unknown == {"PAL/1 ": ["c"]}


def test_marks_of_modules_classes_and_parameters_count(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["rule(*ids): rules"]\n')
    (tmp_path / "test_marks.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.rule('A-1')\n"
        "@pytest.mark.rule('A-2', 'A-3')\n"
        "class TestGroup:\n"
        "    @pytest.mark.parametrize('n', [1, pytest.param(2, marks=pytest.mark.rule('A-4'))])\n"
        "    def test_one(self, n): pass\n"
    )
    program = "import sys; from pathlib import Path; from tests.rules_coverage import collect_marks; import json;"
    program += "print(json.dumps(collect_marks(Path(sys.argv[1]))))"
    output = subprocess.check_output([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT, text=True)
    rules = [rule for rule, _ in json.loads(output)]
    assert sorted(rules) == ["A-1", "A-1", "A-2", "A-2", "A-3", "A-3", "A-4"]


def test_tests_that_cannot_be_collected_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import there_is_no_such_module\n")
    with pytest.raises(RuntimeError, match="there_is_no_such_module"):
        collect_marks(tmp_path)


def test_every_rule_has_a_test() -> None:
    """In a process of its own: this pytest run may have collected some of the tests only."""
    command = [sys.executable, "-m", "tests.rules_coverage", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    assert found["unknown"] == {}, "marks that cite no id of docs/rules.md"
    assert [rule for rule, count in found["tests"].items() if not count] == [], "rules without a test"
