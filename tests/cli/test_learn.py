"""The command learn: to its end, after a stop, and one line for whatever is wrong."""

import inspect
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from aoi_sim.cli.app import app
from aoi_sim.cli.learn import learn
from aoi_sim.players import find_heuristic
from aoi_sim.studies import learning, learning_games, network_fit
from aoi_sim.studies.learning import LearnConfig
from aoi_sim.studies.learning_fit import FitConfig
from aoi_sim.studies.network_fit import parts_of
from aoi_sim.studies.trials import PART_GAMES
from aoi_sim.studies.tuning_games import Outcome, Workers
from tests.cli.interrupting import interrupted
from tests.players.taught import stopping

SMALL = "--players 2 --held-out 2 --jobs 1 --units 5 --epochs 1 --trees 3 --leaves 4 --least 20 --turns 300"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned does not matter here."""
    monkeypatch.setattr(network_fit, "LEAST_STEPS", 3)


def call(line: str) -> Result:
    return CliRunner().invoke(app, line.split())


def judged(margin: float) -> Any:
    """Tests that what was taught wins by so much."""

    def play(workers: Workers, tasks: Any) -> Any:
        for setting, player, root, block in tasks:
            mine = margin if player.name == "taught" else 0.0
            yield Outcome(100.0 + (root + block) % 5 + mine, (mine,) * len(setting.against))

    return play


def test_learn_plays_fits_and_tests(tmp_path: Path) -> None:
    """All of it really played; so little is learned that it may not win."""
    out = tmp_path / "taught.toml"
    done = call(f"learn expert --games 6 {SMALL} --out {out}")
    assert done.exit_code in (0, 1), done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("turn: ") and lines[0].endswith(" trials, 5 units")
    assert lines[6].startswith("after 8 games: ") and " on 2 held-out set-ups, " in lines[6]
    assert out.exists() == (done.exit_code == 0)
    if done.exit_code:
        assert done.stderr.startswith("error: what was learned is not shown to be better than expert, ")
        assert done.stderr.count("\n") == 1


def test_what_wins_can_be_checked_and_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", judged(2.0))
    out = tmp_path / "taught.toml"
    done = call(f"learn expert --games 6 {SMALL} --out {out}")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1].startswith(f"{out}: ") and done.stdout.endswith(" subjects, 6 games\n")
    assert call(f"check {out}").exit_code == 0
    turns = parts_of(find_heuristic(out).table()["lessons"], "turn")
    assert turns is not None and len(turns.begin) == 5
    again = call(f"learn {out} --seed 2 --with {out}.trials:0.5 --games 6 {SMALL} --out {tmp_path}/again.toml")
    assert again.exit_code == 0, again.output


def test_what_loses_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", judged(-1.0))
    done = call(f"learn expert --games 6 {SMALL} --out {tmp_path}/taught.toml")
    assert done.exit_code == 1
    assert "not shown to be better than expert" in done.stderr and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["taught.toml.trials"]


def test_too_few_games_teach_nothing(tmp_path: Path) -> None:
    done = call(f"learn expert --games 2 {SMALL} --least 300 --out {tmp_path}/taught.toml")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: nothing was learned from ") and done.stderr.count("\n") == 1


def test_a_failed_game_is_told_and_the_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = learning_games._play

    def failing(shared: Any, number: int) -> Any:
        if number == 3:
            raise ValueError("no luck")
        return really(shared, number)

    monkeypatch.setattr(Workers, "play", judged(2.0))
    monkeypatch.setattr(learning_games, "_play", failing)
    done = call(f"learn expert --games 6 {SMALL} --out {tmp_path}/taught.toml")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: 1 game failed (game 3: ValueError: no luck), ")
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "taught.toml").exists()


def test_a_stop_keeps_the_parts_that_were_played(tmp_path: Path) -> None:
    out = tmp_path / "taught.toml"
    first = tmp_path / "taught.toml.trials" / f"games-{0:07d}-{PART_GAMES - 1:07d}.npz"
    status, error = interrupted(f"learn expert --games 4000 {SMALL} --out {out}", first)
    assert status == 130
    assert error == f"error: interrupted, {out}.trials keeps what is played, run the same command to go on\n"
    assert first.exists() and not out.exists()
    assert {path.suffix for path in first.parent.iterdir()} == {".npz", ".json"}


def test_it_goes_on_to_the_same_file_with_other_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", judged(2.0))
    monkeypatch.setattr("joblib.cpu_count", lambda: 1)  # threads that wait for each other are slow beside other tests
    games = PART_GAMES + 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "play_part", stopping(learning.play_part))
        stopped = call(f"learn expert --games {games} {SMALL} --out {tmp_path}/a.toml")
    assert stopped.exit_code == 130 and stopped.stderr.startswith("error: interrupted, ")
    for name, line in (("a", SMALL), ("b", SMALL.replace("--jobs 1", "--jobs 2"))):
        done = call(f"learn expert --games {games} {line} --out {tmp_path}/{name}.toml")
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a.toml").read_text() == (tmp_path / "b.toml").read_text()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("learn expert --games 6 --units 1 --out new.toml", ["1 is out of bounds", "--units"]),
        ("learn expert --games 6 --epochs 0 --out new.toml", ["0 is out of bounds", "--epochs"]),
        ("learn expert --games 6 --leaves 101 --out new.toml", ["101 is out of bounds", "--leaves"]),
        ("learn greedy --games 6 --out new.toml", ["no weights", "greedy"]),
        ("learn nobody --games 6 --out new.toml", ["nobody"]),
        ("learn expert --games 0 --out new.toml", ["0 is out of bounds", "--games"]),
        ("learn expert --games 6 --players 4,six --out new.toml", ["'4,six'", "--players"]),
        ("learn expert --games 6 --players 7 --out new.toml", ["7 players"]),
        ("learn expert --games 6 --jobs 0 --out new.toml", ["0 jobs"]),
        ("learn expert --games 6 --against nobody --out new.toml", ["nobody"]),
        ("learn expert --games 6 --with nowhere --out new.toml", ["no trials", "nowhere"]),
        ("learn expert --games 6 --with nowhere:much --out new.toml", ["no number 'much'", "--with"]),
        ("learn expert --games 6 --with nowhere:0 --out new.toml", ["0 is out of bounds", "--with"]),
        ("learn expert --games 6 --trees 0 --out new.toml", ["--trees"]),
        ("learn expert --games 6 --out new.txt", ["no .toml file"]),
        ("learn expert --games 6 --out no/new.toml", ["no such folder"]),
        ("learn expert --games 6 --edition 3 --out new.toml", ["3"]),
    ],
)
def test_wrong_input_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(line)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr
    assert not list(tmp_path.iterdir())


def test_without_lightgbm_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    done = call(f"learn expert --games 6 --out {tmp_path}/new.toml")
    assert done.exit_code == 2
    assert done.stderr == "error: LightGBM is not installed, aoi-sim learn, pip install 'aoi-sim[learn]'\n"
    assert not list(tmp_path.iterdir())


def test_trials_of_another_player_are_one_line(tmp_path: Path) -> None:
    call(f"learn expert --games 2 {SMALL} --least 300 --out {tmp_path}/new.toml")
    state = json.loads((tmp_path / "new.toml.trials/trials.json").read_text())
    assert state["games"] == 2 and state["identity"]["parent"]["name"] == "expert"
    done = call(f"learn balanced --games 2 {SMALL} --least 300 --out {tmp_path}/new.toml")
    assert done.exit_code == 2
    assert "other trials (parent differs)" in done.stderr and done.stderr.count("\n") == 1


def test_the_defaults_are_those_of_the_library() -> None:
    """The command states them itself, so that its help needs no numpy."""
    known = {**asdict(LearnConfig(1)), **asdict(FitConfig())}
    for name, parameter in inspect.signature(learn).parameters.items():
        if name in known and name not in ("games", "players"):
            assert parameter.default == known[name], name
