"""Ctrl-C while a command writes: status 130, one line, nothing half-written, and what was there before is as it was."""

import os
import shutil
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
