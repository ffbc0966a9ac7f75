"""Both builds play the same games."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from aoi_sim.fast.build import has_compiler
from aoi_sim.fast.stamp import modules
from tests.fast.copies import change, command, copy_package, python, traces
from tests.fast.games import N_GAMES

SCRIPT = Path(__file__).with_name("games.py")


def start(folder: Path, kind: str, first: int, stop: int) -> "subprocess.Popen[str]":
    """Begin to play games in a build."""
    arguments = [sys.executable, str(SCRIPT), str(first), str(stop)]
    return subprocess.Popen(arguments, cwd=folder, env=command(folder, kind), stdout=subprocess.PIPE, text=True)


def digests(players: Sequence["subprocess.Popen[str]"], kind: str) -> list[str]:
    """What the processes print, game by game."""
    found: list[str] = []
    for player in players:
        printed = player.communicate()[0].splitlines()
        assert player.returncode == 0
        assert printed[0] == kind
        found += printed[1:]
    return found


def manifest_of_run(folder: Path, kind: str) -> dict[str, object]:
    arguments = ["-m", "aoi_sim", "run", "--games", "4", "--heuristics", "expert,greedy,random,explorer"]
    done = python(folder, *arguments, "--out", f"out-{kind}", "--jobs", "2", kind=kind)
    assert (done.returncode, done.stderr) == (0, "")
    manifest: dict[str, object] = json.loads((folder / f"out-{kind}/manifest.json").read_text())
    return manifest


@pytest.mark.slow
def test_both_builds_play_the_same_games(tmp_path: Path) -> None:
    if not has_compiler():
        pytest.skip("no C compiler")
    sources = copy_package(tmp_path / "sources")
    compiled = copy_package(tmp_path / "compiled")
    playing = [start(sources, "pure", 0, N_GAMES)]
    done = python(compiled, "-m", "aoi_sim.fast", "build")
    assert done.returncode == 0, done.stderr
    assert len(traces(compiled)) == len(modules()) + 2
    half = N_GAMES // 2
    fast = [start(compiled, "compiled", 0, half), start(compiled, "compiled", half, N_GAMES)]
    found = digests(fast, "compiled")
    assert found == digests(playing, "pure")
    assert len(found) == N_GAMES

    assert python(compiled, "-m", "aoi_sim", "--version").stdout.endswith(" (compiled)\n")
    # Beside the extensions the sources still run on request; the tables and who played are the same.
    runs = [manifest_of_run(compiled, kind) for kind in ("compiled", "pure")]
    assert [run["build"] for run in runs] == ["compiled", "pure"]
    assert runs[0]["chunks"] == runs[1]["chunks"]
    assert runs[0]["heuristics"] == runs[1]["heuristics"]

    change(compiled / "aoi_sim/players/weighted/plans.py")
    done = python(compiled, "-m", "aoi_sim", "--version")
    assert done.returncode == 2
    assert "plans.py has changed since it was built" in done.stderr
    shutil.rmtree(compiled)
