"""Ctrl-C while the command line is being imported, or its words are read: one line, status 130, no traceback."""

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from tests.cli.interrupting import ROOT

STOPPED = """
import os, runpy, signal, sys

class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "{name}":
            {press}

sys.meta_path.insert(0, Stop())
sys.argv = ["aoi-sim", "plan", "--games", "1"]
{start}
"""
PRESSES = {
    "raised": "raise KeyboardInterrupt",
    "swallowed": """
            try:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(100):
                    pass
            except KeyboardInterrupt:
                raise ImportError("cannot be loaded")""",
}
STARTS = {
    "python -m aoi_sim": 'runpy.run_module("aoi_sim", run_name="__main__", alter_sys=True)',
    "aoi-sim": "from aoi_sim.cli import main; sys.exit(main())",
}
EARLY = ("typer", "aoi_sim.cli.app", "aoi_sim.cli.errors", "aoi_sim.cli.verify", "aoi_sim.sim.progress")


@pytest.mark.parametrize(
    ("start", "press", "name"),
    [
        *((start, press, name) for start in STARTS for press in PRESSES for name in EARLY),
        *((start, "raised", "aoi_sim.sim.interrupts") for start in STARTS),
        ("python -m aoi_sim", "raised", "aoi_sim.cli"),
        *((start, "raised", name) for start in STARTS for name in ("aoi_sim.sim.plan", "polars")),
    ],
)
def test_a_stop_within_an_import_is_one_line_and_status_130(start: str, press: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STOPPED.format(name=name, press=PRESSES[press].lstrip(), start=STARTS[start])],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "error: interrupted, aoi-sim, run it again\n")
    assert done.stdout == ""


def test_a_stop_while_the_words_are_read_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer itself makes status 130 of it, without a word."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperGroup.parse_args", stop)
    done = CliRunner().invoke(app, ["plan", "--games", "1"])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "error: interrupted, aoi-sim, run it again\n")
