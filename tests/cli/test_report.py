"""``aoi-sim report`` on the command line: where it writes, what it refuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app


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
        ([str(folder), "--out", str(tmp_path / "none" / "x.html")], "no such file"),
        ([str(folder), "--out", str(tmp_path)], "is a directory"),
    ):
        done = CliRunner().invoke(app, ["report", *arguments])
        assert done.exit_code == 2, done.stdout
        assert done.stderr.startswith("error: ") and words in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["damaged"]
