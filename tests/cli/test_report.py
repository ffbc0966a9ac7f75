"""``aoi-sim report`` on the command line: where it writes, what it refuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim.runner import Interrupted
from tests.sim.test_resume import play, stop_after


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "run"
    aoi.simulate(24, 4, "random", n_jobs=1, out=path)
    return path


def test_the_report_lies_in_the_run_and_verify_knows_it(folder: Path) -> None:
    for arguments, name in (([], "report.html"), (["--format", "md"], "report.md")):
        done = CliRunner().invoke(app, ["report", str(folder), *arguments])
        assert (done.exit_code, done.stdout) == (0, f"Report: {folder / name}\n"), done.stderr
        assert (folder / name).read_text("utf-8").count("Takeaways") == 1
    assert CliRunner().invoke(app, ["verify", str(folder), "--replay", "0"]).exit_code == 0
    (folder / "report-2.txt").write_text("x")
    assert CliRunner().invoke(app, ["verify", str(folder), "--replay", "0"]).exit_code == 1
    (folder / "report-2.txt").unlink()


def test_out_names_another_place_and_an_old_report_is_replaced(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.html"
    path.write_text("old")
    done = CliRunner().invoke(app, ["report", str(folder), "--out", str(path)])
    assert done.exit_code == 0 and "Takeaways" in path.read_text("utf-8")
    assert [found.name for found in tmp_path.iterdir()] == ["mine.html"]


def test_wrong_input_is_one_line(folder: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    next((damaged / "seats").iterdir()).unlink()
    for arguments, words in (
        ([str(tmp_path / "none")], "no such run"),
        ([str(damaged)], "missing file"),
        ([str(folder), "--format", "pdf"], "choose html or md"),
        ([str(folder), "--out", str(tmp_path / "none" / "x.html")], "no such folder"),
        ([str(folder), "--out", str(tmp_path)], "a folder, "),
    ):
        done = CliRunner().invoke(app, ["report", *arguments])
        assert done.exit_code == 2, done.stdout
        assert done.stderr.startswith("error: ") and words in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["damaged"]


def test_a_part_of_a_plan_has_a_report_that_says_so(tmp_path: Path) -> None:
    command = ["run", "--games", "200", "--players", "2", "--heuristics", "random", "--jobs", "1", "--part", "1/2"]
    played = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "part")])
    assert played.exit_code == 0, played.stderr
    done = CliRunner().invoke(app, ["report", str(tmp_path / "part"), "--format", "md"])
    assert done.exit_code == 0, done.stderr
    text = (tmp_path / "part" / "report.md").read_text("utf-8")
    assert "The run holds 100 of the 200 games of its plan" in text


def test_a_stopped_run_has_a_report_of_its_finished_games_and_still_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        stop_after(patch, 3, KeyboardInterrupt())
        with pytest.raises(Interrupted):
            play(out)
    done = CliRunner().invoke(app, ["report", str(out), "--format", "md"])
    assert done.exit_code == 0, done.stderr
    text = (out / "report.md").read_text("utf-8")
    assert "30 games of 2 players" in text and "The run holds 30 of the 60 games of its plan" in text
    assert play(out, True).n_games == 60
