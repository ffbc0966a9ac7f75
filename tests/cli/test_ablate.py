"""The command ablate."""

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from aoi_sim.cli.app import app
from aoi_sim.sim.runner import Interrupted
from aoi_sim.studies.ablation import Ablation
from aoi_sim.studies.tuning_games import Outcome, Workers
from tests.cli.interrupting import interrupted

QUICK = "--players 2 --games 6 --jobs 1"


def call(line: str) -> Result:
    return CliRunner().invoke(app, line.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("[weights]\nwait_pct = 0\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/something").write_text("x")
    return tmp_path


def test_prints_and_writes_the_table(folder: Path) -> None:
    done = call(f"ablate mine.toml {QUICK} --groups waiting,income --out new/place")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("mine at 2 players, as it is ")
    for words in (
        "VP lost",
        "margin lost",
        "  income: Income of the rounds to come counts nothing.",
    ):
        assert words in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.startswith("waiting "))
    assert row.split() == ["waiting", "0.0", "0.0", "2"]  # two set-ups that are alike: nothing lost, no interval
    assert done.stdout.splitlines()[-1] == "Data: new/place/ablation.parquet"
    table = pl.read_parquet(folder / "new/place/ablation.parquet")
    assert table["group"].to_list() == ["waiting", "income"]
    assert table["n"].to_list() == [2, 2]


def test_failed_games_are_status_1(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", lambda workers, tasks: (Outcome(0.0, (), "IndexError: x") for _ in tasks))
    done = call("ablate mine.toml --games 6 --groups waiting --out new")
    assert done.exit_code == 1
    assert (
        done.stderr
        == "error: 4 set-ups left out for failed games, first as it is, set-up 0: IndexError: x, report it\n"
    )


def test_a_stop_is_status_130(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(ablation: Ablation, advance: object) -> None:
        raise Interrupted("interrupted before the first group was finished, new, run it again")

    monkeypatch.setattr(Ablation, "run", stop)
    done = call("ablate mine.toml --games 6 --out new")
    assert done.exit_code == 130
    assert done.stdout == ""
    assert done.stderr == "error: interrupted before the first group was finished, new, run it again\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ablate", ["missing argument"]),
        ("ablate mine.toml --out new", ["--games"]),
        ("ablate mine.toml --games 6", ["--out"]),
        ("ablate greedy --games 6 --out new", ["no weights", "greedy"]),
        ("ablate nobody --games 6 --out new", ["nobody"]),
        ("ablate missing.toml --games 6 --out new", ["missing.toml"]),
        ("ablate mine.toml --games 5 --out new", ["5 games", "--games", "6 or more"]),
        ("ablate mine.toml --games some --out new", ["--games"]),
        ("ablate mine.toml --games 6 --players 1 --out new", ["1 player,", "--players"]),
        ("ablate mine.toml --games 6 --seed -1 --out new", ["seed -1", "--seed"]),
        ("ablate mine.toml --games 6 --jobs 0 --out new", ["0 jobs", "--jobs"]),
        ("ablate mine.toml --games 6 --groups magic --out new", ["'magic'", "--groups", "pairs"]),
        ("ablate mine.toml --games 6 --edition 9 --out new", ["9", "1.2"]),
        ("ablate mine.toml --games 6 --rules missing.toml --out new", ["missing.toml"]),
        ("ablate mine.toml --games 6 --out full", ["not empty", "full"]),
        ("ablate mine.toml --games 6 --out mine.toml", ["not a folder", "mine.toml"]),
    ],
)
def test_wrong_input_is_one_line(folder: Path, line: str, words: list[str]) -> None:
    done = call(line)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert [word for word in words if word not in done.stderr] == []
    assert not (folder / "new").exists()
    assert [path.name for path in (folder / "full").iterdir()] == ["something"]


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_groups(folder: Path) -> None:
    line = "ablate mine.toml --players 2 --games 60 --jobs 2 --out new"
    path = folder / "new/ablation.parquet"
    status, error = interrupted(line, path)
    assert status == 130
    assert error.startswith("error: interrupted after ") and error.count("\n") == 1
    assert 1 <= len(pl.read_parquet(path)) < 26
    assert [found.name for found in path.parent.iterdir()] == [path.name]
