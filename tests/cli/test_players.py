"""`aoi-sim check` and `aoi-sim explain`, and files of players in `aoi-sim run`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.storage.reader import open_run
from tests.players.positions import spot
from tests.rules.scenes import TRIANGLE


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "position.toml"
    path.write_text(aoi.dump_position(spot({"buildings": TRIANGLE, "coins": 2, "tools": 1}, homes="A6").state))
    return path


def test_check_prints_a_table(tmp_path: Path) -> None:
    path = tmp_path / "first.py"
    path.write_text(
        "class Player:\n    name = 'first'\n    def choose(self, state, actions):\n        return actions[0]\n"
    )
    done = call("check", str(path))
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("first: passes\n")
    assert "ms a decision" in done.stdout
    assert "kinds" in done.stdout


def test_check_fails_with_status_1(tmp_path: Path) -> None:
    path = tmp_path / "rash.py"
    path.write_text(
        "class Player:\n    name = 'rash'\n    def choose(self, state, actions):\n        return actions[1]\n"
    )
    done = call("check", str(path))
    assert done.exit_code == 1
    assert done.stdout.startswith("rash: FAILS\n")
    assert done.stderr.startswith("error: checks failed (answers everything)")
    assert done.stderr.count("\n") == 1


WRONG = [
    ("check nobody", ["'nobody'", "choose one of"]),
    ("check nowhere.py", ["no such file", "nowhere.py"]),
    ("check random --games 0", ["0 games", "--games"]),
    ("explain nowhere.toml", ["nowhere.toml"]),
    ("explain POSITION --heuristic random", ["no weights", "random"]),
    ("explain POSITION --options 0", ["0 options", "--options"]),
    ("run --games 2 --out x --heuristics nowhere.toml", ["no such file", "nowhere.toml"]),
]


@pytest.mark.parametrize(("line", "words"), WRONG)
def test_wrong_input_is_one_line_and_status_2(
    line: str, words: list[str], position: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*line.replace("POSITION", str(position)).split())
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert [word for word in words if word not in done.stderr] == []


def test_explain_shows_what_each_option_adds(position: Path) -> None:
    done = call("explain", str(position), "--options", "2")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "seat 0, round 2; amounts in VP"
    assert lines[1].split() == ["value", "brings", "price", "then", "judged"]
    assert lines[2].startswith("1. build A6")
    assert lines[2].endswith("<- chosen")
    assert "city_extra" in done.stdout


def test_run_takes_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "expert"\n[weights]\ncoin = 400\n')
    out = tmp_path / "run"
    done = call(*f"run --games 2 --players 2 --jobs 1 --heuristics {path},random --out {out}".split())
    assert done.exit_code == 0, done.output
    assert open_run(out).manifest["config"]["heuristics"] == ["mine", "random"]
