"""Whoever reads the output may stop reading, as ``head`` does: no error, not a word."""

import subprocess
import sys
from pathlib import Path

import pytest

import aoi_sim as aoi


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return aoi.simulate(4, 2, "random", n_jobs=1, out=tmp_path_factory.mktemp("pipe") / "run").path


def told_nobody(*arguments: str) -> tuple[int, str]:
    """Status and stderr of a command whose output nobody reads from the start."""
    process = subprocess.Popen(
        [sys.executable, "-m", "aoi_sim", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, stderr = process.communicate(timeout=120)
    return process.returncode, stderr


@pytest.mark.parametrize("command", ["info", "profile", "--help", "--version", "run"])
def test_a_reader_that_leaves_is_no_error(run: Path, tmp_path: Path, command: str) -> None:
    arguments = {
        "info": ["info", str(run)],
        "profile": ["profile", str(run)],
        "run": f"run --games 4 --players 2 --heuristics random --jobs 2 --out {tmp_path / 'new'}".split(),
    }.get(command, [command])
    status, stderr = told_nobody(*arguments)
    assert status == 0
    assert "rror" not in stderr and "Traceback" not in stderr
    if command == "run":
        assert aoi.open_run(tmp_path / "new").n_games == 4


def test_wrong_input_is_still_said_without_a_reader(tmp_path: Path) -> None:
    status, stderr = told_nobody("info", str(tmp_path / "none"))
    assert status == 2
    assert stderr.startswith("error: no such run") and stderr.count("\n") == 1
