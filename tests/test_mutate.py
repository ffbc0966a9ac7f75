"""The mutation tool: it finds every number and line, and tells changes that tests notice from those that none does."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.mutate.__main__ import LIST, ROOT, all_mutants, sample
from tests.mutate.data_numbers import number_mutants, places
from tests.mutate.listed import engine_mutants, explain, read_list
from tests.mutate.mutant import MutationError

SAMPLE = 60
SEED = int(os.environ.get("AOI_SIM_MUTATION_SEED", "1"))
FEWEST_ENGINE_MUTATIONS = 150

TOML = '''
name = "7 dwarfs" # 7 again
text = """8
9 = 9"""
price = -1
share = 0.5
dates = [1_000, [2, 3],
  4] # 5
science.power = { 3 = 1, "12" = 3 }
rows = ['1', "2\\"3"]

[palaces.9]
income = { power = 4 }
'''


def test_every_number_is_found_and_no_other_text() -> None:
    found = [(place.text, place.is_key) for place in places(TOML)]
    values = ["-1", "0.5", "1_000", "2", "3", "4", "1", "3", "4"]
    assert [text for text, is_key in found if not is_key] == values
    assert [text for text, is_key in found if is_key] == ["3", "12", "9"]


def test_each_number_is_changed_by_one_and_named() -> None:
    names = {mutant.name for mutant in number_mutants("a.toml", TOML)}
    assert {"price -1 -> 0", "share 0.5 -> 1.5", "dates[0] 1_000 -> 1001", "dates[1][1] 3 -> 4"} <= names
    assert {"science.power.12 3 -> 4", "key science.power.3 3 -> 4", "palaces.9.income.power 4 -> 5"} <= names
    assert len(names) == 11, "all but the name of palace 9"


def test_no_number_of_the_rules_data_is_left_out() -> None:
    def count(value: object) -> int:
        if isinstance(value, dict):
            return sum(map(count, value.values()))
        if isinstance(value, list):
            return sum(map(count, value))
        return isinstance(value, int | float) and not isinstance(value, bool)

    files = sorted((ROOT / "aoi_sim/rules/data").rglob("*.toml"))
    assert files
    for file in files:
        text = file.read_text("utf-8")
        changed = [mutant for mutant in number_mutants(file.name, text) if not mutant.name.startswith("key ")]
        assert len(changed) == count(tomllib.loads(text)), file.name


def test_list_of_mutations_fits_the_sources() -> None:
    """Each listed line stands in its file exactly once; each explanation fits a change."""
    mutants = all_mutants(ROOT)
    entries, _ = read_list(ROOT / LIST)
    assert len(mutants) > len(entries)
    assert len(entries) >= FEWEST_ENGINE_MUTATIONS


SOURCE = """
def price(n):
    if n > 3:
        return 2
    return 1


def power(n):
    if n > 3:
        return 5
    return 0
"""


def _entry(old: str, new: str, scope: str = "power") -> dict[str, str]:
    return {"file": "engine.py", "in": scope, "old": old, "new": new}


def test_listed_line_is_found_in_its_function(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(SOURCE)
    (mutant,) = engine_mutants([_entry("if n > 3:", "if n >= 3:")], tmp_path)
    assert mutant.line == 9
    assert mutant.apply(SOURCE).count("if n >= 3:") == 1
    assert mutant.apply(SOURCE).endswith("    if n >= 3:\n        return 5\n    return 0\n")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (_entry("if n > 4:", "if n > 5:"), "is not there"),
        ({"file": "engine.py", "old": "if n > 3:", "new": "if n > 4:"}, "2 times"),
        (_entry("if n > 3:", "if n > 4:", "bowl"), "has no bowl"),
        (_entry("if n > 3:", "if n >"), "is no Python"),
        (_entry("if n > 3:", "if (n > 3):"), "changes nothing"),
        ({"file": "gone.py", "old": "a", "new": "b"}, "gone.py does not exist"),
    ],
)
def test_listed_line_that_does_not_fit_is_an_error(tmp_path: Path, entry: dict[str, str], message: str) -> None:
    (tmp_path / "engine.py").write_text(SOURCE)
    with pytest.raises(MutationError, match=message):
        engine_mutants([entry], tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[engines]]\nfile = 'a'", "unknown table 'engines'"),
        ("[[engine]]\nfile = 'a'\nold = 'b'", "needs texts file, new, old"),
        ("[[engine]]\nfile = 'a'\nold = 'b'\nnew = ' '", "needs texts"),
        ("[[explained]]\nmutant = 'a'\nwhy = 'b'\nfile = 'c'", "needs texts mutant, why"),
    ],
)
def test_list_with_wrong_keys_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mutations.toml").write_text(text)
    with pytest.raises(MutationError, match=message):
        read_list(tmp_path / "mutations.toml")


def test_explanation_must_fit_a_mutant(tmp_path: Path) -> None:
    (tmp_path / "list.toml").write_text("[[explained]]\nmutant = 'dates[*'\nwhy = 'no matter'\n")
    _, explanations = read_list(tmp_path / "list.toml")
    mutants = explain(number_mutants("a.toml", TOML), explanations)
    assert sum(mutant.explained == "no matter" for mutant in mutants) == 4
    with pytest.raises(MutationError, match="fits no mutant"):
        explain(number_mutants("a.toml", "price = 1"), explanations)


def test_sample_changes_little_when_a_mutant_is_added() -> None:
    mutants = number_mutants("a.toml", TOML)
    assert sample(mutants, 4, seed=1) == sample(list(reversed(mutants)), 4, seed=1)
    assert sample(mutants, 4, seed=1) != sample(mutants, 4, seed=2)
    assert len(set(sample(mutants, 4, 1)) & set(sample(mutants[1:], 4, 1))) >= 3


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """A project with a price that a test checks and a share that none does."""
    files = {
        "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\naddopts = ['--import-mode=importlib']\n",
        "aoi_sim/__init__.py": "",
        "aoi_sim/rules/data/shop.toml": "price = 3\nshare = 2\ncolour = 7\n",
        "aoi_sim/engine.py": (
            "import tomllib\n"
            "from pathlib import Path\n\n"
            "DATA = tomllib.loads((Path(__file__).parent / 'rules/data/shop.toml').read_text())\n\n"
            "def total(n):\n"
            "    while n > 10:\n"
            "        n -= 1\n"
            "    return n * DATA['price'] + (1 if n > 5 else 0)\n"
        ),
        "tests/__init__.py": "",
        "tests/rules/__init__.py": "",
        "tests/rules/shop.py": "from aoi_sim.engine import total\n",
        "tests/rules/test_shop.py": (
            "from tests.rules.shop import total\n\n"
            "def test_nothing():\n    assert total(0) == 0\n\n"
            "def test_total():\n    assert total(2) == 6\n    assert total(12) == 31\n"
        ),
        "tests/mutations.toml": (
            "[[engine]]\nfile = 'aoi_sim/engine.py'\nin = 'total'\nold = 'while n > 10:'\nnew = 'while n > 11:'\n"
            "[[engine]]\nfile = 'aoi_sim/engine.py'\n"
            "old = \"return n * DATA['price'] + (1 if n > 5 else 0)\"\n"
            "new = \"return n * DATA['price'] + (1 if n > 6 else 0)\"\n"
            "[[explained]]\nmutant = 'colour*'\nwhy = 'nobody sees the colour'\n"
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def _mutate(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, for it forks."""
    program = "import sys; from pathlib import Path; from tests.mutate.__main__ import main;"
    program += "sys.exit(main(sys.argv[2:], Path(sys.argv[1])))"
    command = [sys.executable, "-c", program, str(project), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def test_survivors_are_told_from_noticed_and_explained_changes(small_project: Path) -> None:
    done = _mutate(small_project, "--jobs", "2")
    assert done.returncode == 1, done.stdout + done.stderr
    survivors = [line for line in done.stdout.splitlines() if line.startswith("SURVIVED")]
    assert sorted(line.split()[1] for line in survivors) == ["aoi_sim/engine.py:9", "aoi_sim/rules/data/shop.toml:2"]
    assert "explained (1): nobody sees the colour" in done.stdout
    assert "5 changes in" in done.stdout
    assert "2 noticed, 1 explained, 2 unexplained survivors" in done.stdout
    assert "(tests/rules/test_shop.py::test_total)" in done.stdout
    assert (small_project / "aoi_sim/rules/data/shop.toml").read_text() == "price = 3\nshare = 2\ncolour = 7\n"


def test_only_noticed_changes_end_well(small_project: Path) -> None:
    done = _mutate(small_project, "--only", "shop.toml:1 ", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 noticed, 0 explained, 0 unexplained survivors" in done.stdout


def test_tests_that_fail_unchanged_are_an_error(small_project: Path) -> None:
    (small_project / "tests/rules/test_shop.py").write_text("def test_no():\n    assert False\n")
    done = _mutate(small_project)
    assert done.returncode == 2
    assert done.stderr.startswith("error: the rule tests fail without any change (tests/rules/test_shop.py::test_no)")
    assert done.stderr.count("\n") == 1


def test_no_tests_are_an_error(small_project: Path) -> None:
    (small_project / "tests/rules/test_shop.py").unlink()
    done = _mutate(small_project)
    assert done.returncode == 2
    assert "error: there are no tests in tests/rules" in done.stderr


@pytest.mark.slow
def test_rule_tests_notice_a_sample_of_changes() -> None:
    """All changes are judged by `make mutate`; AOI_SIM_MUTATION_SEED draws another sample."""
    command = [sys.executable, "-m", "tests.mutate", "--sample", str(SAMPLE), "--seed", str(SEED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
