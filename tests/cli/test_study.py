"""The command study: what it prints and leaves, its statuses, and wrong input in one line."""

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from aoi_sim.cli.app import app
from tests.cli.interrupting import interrupted

QUICK = "--heuristics random --players 2 --games 20 --jobs 1"
MINE = "[factions.moles]\nstart = { vp = 5 }\n"


def call(line: str) -> Result:
    return CliRunner().invoke(app, ["study", *line.split()])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(MINE)
    (tmp_path / "same.toml").write_text('name = "nothing changes"\n')
    (tmp_path / "full").mkdir()
    (tmp_path / "full/something").write_text("x")
    return tmp_path


def test_editions_prints_the_first_section_and_says_where_all_lies(folder: Path) -> None:
    done = call(f"editions {QUICK} --out new/place")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("players-2/random: 20 games, ")
    assert "Edition 1.2 less edition 1.0, on the same set-ups" in lines
    assert lines[-1] == "Report: new/place/report.html (report.md), figures: new/place/effects.parquet"
    table = pl.read_parquet(folder / "new/place/effects.parquet")
    assert table.columns[:7] == ["component", "estimate", "se", "low", "high", "n", "verdict"]


def test_a_rules_file_and_until(folder: Path) -> None:
    done = call("what-if mine.toml --heuristics random --players 2 --until 2.5vp --max-games 800 --jobs 1 --out new")
    assert done.exit_code == 0, done.output
    assert "moles gains 2.5 ± 0.0 VP" in done.stdout
    again = call("what-if mine.toml --heuristics random --players 2 --until 2.5vp --max-games 800 --jobs 1 --out new")
    assert again.stdout == done.stdout


def test_a_target_that_is_not_reached_is_status_1(folder: Path) -> None:
    done = call(f"what-if mine.toml {QUICK} --target moles=0 --within 0.1 --number factions.moles.start.vp --out new")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: no change reaches the target with random: too few games")
    assert done.stderr.count("\n") == 1
    assert "off target, VP" in done.stdout


def test_sensitivity_of_one_faction(folder: Path) -> None:
    done = call(f"sensitivity --component factions --only blessed {QUICK} --out new")
    assert done.exit_code == 0, done.output
    assert "factions.blessed.science_bonus_levels" in done.stdout
    assert (folder / "new/tornado-random.png").is_file()


def test_agree_says_whether_two_seeds_agree(folder: Path) -> None:
    for seed in (1, 2):
        assert call(f"what-if mine.toml {QUICK} --seed {seed} --out {seed}").exit_code == 0
    done = call("agree 1 2")
    assert done.exit_code in (0, 1)
    assert (done.exit_code == 1) == ("do not agree" in done.stderr)
    assert "players-2/random" in done.stdout


def test_a_stop_is_status_130_and_the_same_command_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "study"
    line = f"study editions --heuristics greedy --players 2 --games 400 --jobs 1 --out {place}"
    status, error = interrupted(line, place / "runs/players-2/greedy/chunks.jsonl")
    assert status == 130, error
    assert error.startswith("error: interrupted after ")
    assert error.strip().count("\n") == 0
    assert "go on with the same command" in error
    other = call(f"editions --heuristics greedy --players 2 --games 402 --jobs 1 --out {place}")
    assert other.exit_code == 2
    assert other.stderr.startswith("error: another study lies there (its games is 400, not 402)")
    done = call(line.removeprefix("study "))
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("players-2/greedy: 400 games, ")


WRONG = [
    ("", ["no study", "--help"]),
    ("edition", ["no such command 'edition'"]),
    ("editions", ["missing option '--out'"]),
    ("editions --players two --out x", ["'two'", "--players", "2,3,4"]),
    ("editions --players 4,4 --out x", ["--players", "each number once"]),
    ("editions --players 2,6 --out x", ["6 players", "--players"]),
    ("editions --design rotation --out x", ["'rotation'", "--design"]),
    ("editions --games 0 --out x", ["0 games", "--games"]),
    ("editions --games 10 --until 1VP --out x", ["--games", "--until"]),
    ("editions --heuristics best --out x", ["'best'"]),
    ("editions --heuristics greedy,greedy --out x", ["--heuristics", "each once"]),
    ("editions --games 10 --heuristics random --out full", ["not empty", "full"]),
    ("editions --games 10 --heuristics random --jobs 0 --out x", ["0 jobs", "--jobs"]),
    ("what-if --out x", ["no rules file", "--target"]),
    ("what-if missing.toml --out x", ["missing.toml"]),
    ("what-if same.toml --out x", ["nothing changes"]),
    ("what-if mine.toml --number a.b --out x", ["--number", "--target"]),
    ("what-if --target moles --out x", ["'moles'", "moles=0"]),
    ("what-if --target moles=nan --out x", ["'moles=nan'", "moles=0"]),
    ("what-if --target moles=0 --out x", ["--number"]),
    ("what-if --target mole=0 --number setup.vp --out x", ["'mole'", "--target"]),
    ("what-if --target moles=0 --number setup.bowls --out x", ["setup.bowls.0"]),
    ("what-if --target moles=0 --within -1 --number setup.vp --out x", ["--within"]),
    ("sensitivity --component palaces --out x", ["'palaces'", "--component"]),
    ("sensitivity --only mole --out x", ["'mole'", "--only"]),
    ("sensitivity --games 0 --out x", ["0 games", "--games"]),
    ("agree full full", ["no study", "full"]),
]


@pytest.mark.parametrize(("line", "words"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_input_is_one_line_and_status_2(folder: Path, line: str, words: list[str]) -> None:
    done = call(line)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr
    assert not (folder / "x").exists()
