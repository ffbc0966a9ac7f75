"""Ctrl-C while a command writes: status 130, one line, nothing half-written, and what was there before is as it was."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from tests.cli.test_full_disk import COMMANDS, made

__all__ = ["made"]

READERS = [("verify RUN", "aoi_sim.sim.verify.content_findings"), ("info RUN", "aoi_sim.cli.info.print_table")]


def called(made: Path, disk: Path, line: str) -> tuple[int, str]:
    places = {"RUN": made / "run", "GAME": made / "game.txt", "MINE": made / "mine.toml", "RULES": made / "my.toml"}
    done = CliRunner().invoke(app, [str(places.get(word, word)).replace("DISK", str(disk)) for word in line.split()])
    return done.exit_code, done.stderr


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("line", [line for line, _ in COMMANDS])
def test_a_stop_while_a_file_is_written(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    (tmp_path / "old").write_text("old")
    monkeypatch.setattr(os, "fsync", interrupt)
    status, error = called(made, tmp_path, line)
    assert status == 130, error
    assert error.startswith("error: interrupted") and error.count("\n") == 1
    assert (tmp_path / "old").read_text() == "old"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / "old"]


@pytest.mark.parametrize(("line", "where"), READERS)
def test_a_stop_while_a_run_is_read(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, where: str
) -> None:
    run = shutil.copytree(made / "run", tmp_path / "run")
    before = {path: path.read_bytes() for path in Path(run).rglob("*") if path.is_file()}
    monkeypatch.setattr(where, interrupt)
    assert called(tmp_path, tmp_path, line) == (130, "error: interrupted, aoi-sim, run it again\n")
    assert {path: path.read_bytes() for path in Path(run).rglob("*") if path.is_file()} == before


def swallowed(*_: object, **__: object) -> None:
    raise TypeError("no data type")


PLAYING = [
    (
        "learn expert --games 20 --out OUT.toml",
        "aoi_sim.studies.learning.Learning.play",
        ".trials keeps what is played",
    ),
    (
        "tune expert --against greedy --budget 100 --out OUT.toml",
        "aoi_sim.studies.tuning.Tuning.run",
        "before the first generation",
    ),
    (
        "tune expert --candidate quick --against greedy --budget 800 --out OUT.toml",
        "aoi_sim.studies.candidate.CandidateTest.run",
        "--candidate",
    ),
    ("ablate expert --games 6 --groups lessons --out OUT", "aoi_sim.studies.ablation.Ablation._play", "first group"),
]


@pytest.mark.parametrize("press", [interrupt, swallowed])
@pytest.mark.parametrize(("line", "where", "words"), PLAYING)
def test_a_stop_while_games_are_played_says_what_is_kept_even_if_a_library_swallowed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, where: str, words: str, press: Callable[..., None]
) -> None:
    monkeypatch.setattr(where, press)
    monkeypatch.setattr("aoi_sim.sim.interrupts._pressed", [True])
    done = CliRunner().invoke(app, line.replace("OUT", str(tmp_path / "out")).split())
    assert done.exit_code == 130, done.stderr
    assert done.stderr.startswith("error: interrupted") and done.stderr.count("\n") == 1
    assert words in done.stderr
