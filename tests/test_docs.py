"""README and docs say what is true: examples run, commands and options exist, links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.rules_coverage import ROOT, SPECIFICATION, rule_ids

PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted([*ROOT.glob("docs/*.md"), ROOT / "heuristics/README.md", ROOT / "notebooks/README.md"])
GUIDES = [page for page in PAGES if page.name in ("README.md", "CONTRIBUTING.md")]
NO_PLACES = ("results/", "DIR/")  # made by those who run the commands

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
_PLACE = re.compile(r"[\w.-]+/[\w./*-]*")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
guides = pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.relative_to(ROOT).as_posix())


def blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in _BLOCK.findall(page.read_text("utf-8")) if kind == language]


def commands(page: Path) -> list[str]:
    """Each `aoi-sim ...` of the text or of a shell block."""
    text = page.read_text("utf-8")
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    return [one.strip() for one in [*lines, *_CODE.findall(text)] if one.strip().startswith("aoi-sim ")]


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Python with the project on its path, on a wide plain terminal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "TERM": "dumb", "NO_COLOR": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@cache
def help_of(command: str) -> str:
    done = run(["-m", "aoi_sim", *command.split(), "--help"], ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pages
def test_links_lead_to_a_file(page: Path) -> None:
    links = [link for link in _LINK.findall(page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@guides
def test_named_places_exist(page: Path) -> None:
    named = [name for name in _CODE.findall(page.read_text("utf-8")) if _PLACE.fullmatch(name)]
    places = [name for name in named if name.split("/")[0] in {path.name for path in ROOT.iterdir()}]
    missing = [name for name in places if not (name.startswith(NO_PLACES) or (ROOT / name).exists())]
    assert missing == []


@guides
def test_make_targets_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE))
    assert named - targets == set()


@guides
def test_commands_have_the_options_that_are_named(page: Path) -> None:
    for line in commands(page):
        words = line.split()
        if words[1] in ("COMMAND", "..."):
            continue
        command = " ".join(words[1:3]) if words[1] == "study" else words[1]
        page_of_help = "" if words[1].startswith("-") else help_of(command)
        unknown = [word for word in words[2:] if word.startswith("--") and word.split("=")[0] not in page_of_help]
        assert unknown == [], line


@guides
def test_rule_ids_of_the_guides_exist(page: Path) -> None:
    ids = set(rule_ids(SPECIFICATION.read_text("utf-8")))
    cited = re.findall(r"\brule\(([^)]*)\)", page.read_text("utf-8"))
    named = {rule for marks in cited for rule in re.findall(r'"([A-Z]+[-/][\w -]+)"', marks)}
    assert named - ids == set()


@guides
def test_examples_of_overlays_load(page: Path) -> None:
    import aoi_sim as aoi

    for text in blocks(page, "toml"):
        assert aoi.load_ruleset(overlays=[tomllib.loads(text)]).hash != aoi.load_ruleset().hash


@pytest.mark.slow
def test_examples_in_python_run(tmp_path: Path) -> None:
    """The blocks of the README, one after the other, where a small run lies in results/demo."""
    examples = blocks(ROOT / "README.md", "python")
    assert len(examples) >= 3
    made = "import aoi_sim as aoi\naoi.simulate(n_games=4, n_players=4, heuristics='random', n_jobs=1, out='results/demo')\n"
    program = "\n".join([made, *(re.sub(r"n_games=\d+", "n_games=4", example) for example in examples)])
    (tmp_path / "results").mkdir()
    (tmp_path / "examples.py").write_text(f"if __name__ == '__main__':\n{_indented(program)}")
    done = run(["-W", "error", "examples.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "faction" in done.stdout, "the first study prints a row a faction"
    picture = (tmp_path / "margins.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10_000, "the first study saves its picture"


def test_the_first_study_has_five_lines() -> None:
    first = blocks(ROOT / "README.md", "python")[0]
    assert "savefig" in first and len([line for line in first.splitlines() if line]) == 5


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())
