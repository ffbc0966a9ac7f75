"""Runs in a process of their own, to be stopped at any moment, and what they leave."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import aoi_sim as aoi

ROOT = Path(aoi.__file__).parents[1]
SOAK = os.environ.get("AOI_SIM_SOAK") == "1"


def start(
    out: Path, *options: str, games: int = 200, jobs: int = 2, program: Sequence[str] = ("-m", "aoi_sim")
) -> subprocess.Popen[str]:
    """A run of many short chunks, in a process group of its own."""
    line = f"run --games {games} --players 2 --heuristics random --seed 5 --jobs {jobs} --out".split()
    return subprocess.Popen(
        [sys.executable, *program, *line, str(out), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str], seconds: float = 40) -> tuple[int, str]:
    """Exit status and stderr of a run."""
    try:
        _, stderr = process.communicate(timeout=seconds)
    finally:
        process.kill()
        process.wait()
    return process.returncode, stderr


def wait_for(what: Callable[[], Any], seconds: float = 60) -> Any:
    """What a condition gives once it holds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = what()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError("it did not come about in time")


def workers(process: subprocess.Popen[str]) -> list[int]:
    """The worker processes of a run."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = [line.split(None, 2) for line in listed]
    return [int(pid) for pid, parent, args in rows if int(parent) == process.pid and "popen_loky" in args]


def kill(pids: Sequence[int]) -> None:
    """SIGKILL, also to those that are gone already."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a run but the manifest."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def assert_same(folder: Path, unbroken: Path) -> None:
    """Two run folders hold the same files, and manifests that differ in time only."""
    assert content(folder) == content(unbroken)
    manifests = [dict(aoi.open_run(path).manifest) for path in (folder, unbroken)]
    for manifest in manifests:
        for key in ("jobs", "wall_seconds", "checksum"):
            manifest.pop(key, None)
    assert manifests[0] == manifests[1]
