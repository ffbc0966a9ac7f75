"""Runs in processes of their own, killed, interrupted and out of space at any moment, and taken up again."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from aoi_sim.storage import journal
from aoi_sim.storage.reader import open_run
from tests.sim import stopping
from tests.sim.stopping import assert_same, finish, kill, start, wait_for

MOMENTS = 20 if stopping.SOAK else 5


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of ``stopping.start``, unbroken."""
    out = tmp_path_factory.mktemp("long") / "run"
    assert finish(start(out, jobs=1)) == (0, "")
    return out


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(MOMENTS))
@pytest.mark.parametrize("victim", ["parent", "worker"])
def test_a_killed_run_ends_as_if_it_had_not_been(tmp_path: Path, long_run: Path, victim: str, moment: int) -> None:
    random = Random(f"{victim} {moment}")
    out = tmp_path / "run"
    process = start(out)
    wait_for(lambda: stopping.workers(process) or process.poll() is not None)
    # From the start of the workers to about the end of the run.
    time.sleep(random.random() * 3)
    if victim == "parent":
        process.kill()
        status, _ = finish(process)
        assert status in (0, -signal.SIGKILL)  # the run may have been over
        assert finish(start(out, "--resume")) == (0, "")
    else:
        kill(random.choices(stopping.workers(process), k=1) if stopping.workers(process) else [])
        assert finish(process) == (0, "")
    assert_same(out, long_run)


def test_workers_of_a_killed_run_end_soon(tmp_path: Path) -> None:
    process = start(tmp_path / "run", games=20_000)
    wait_for(lambda: list(tmp_path.glob("run/games/*.parquet")))
    pids = stopping.workers(process)
    assert len(pids) == 2
    process.kill()
    finish(process)
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids) or not Path("/proc").exists(), 20)


def test_a_run_killed_twice_and_interrupted_goes_on(tmp_path: Path, long_run: Path) -> None:
    out = tmp_path / "run"
    for signal_number, expected in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
        before = len(journal.read_entries(out))
        process = start(out, "--resume")
        wait_for(lambda before=before: len(journal.read_entries(out)) > before + 1)
        process.send_signal(signal_number)
        status, stderr = finish(process, 30)
        assert status == expected
        assert stderr.count("\n") == 1 or expected != 130
    assert finish(start(out, "--resume")) == (0, "")
    assert_same(out, long_run)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_within_seconds(tmp_path: Path, jobs: int) -> None:
    out = tmp_path / "run"
    process = start(out, games=5000, jobs=jobs)
    wait_for(lambda: journal.read_entries(out))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    began = time.monotonic()
    status, stderr = finish(process, 30)
    assert time.monotonic() - began < 5
    assert status == 130
    assert stderr.startswith("error: interrupted after ")
    assert stderr.endswith("go on with --resume\n")
    assert stderr.count("\n") == 1
    assert open_run(out, partial=True).n_games == sum(entry["n_games"] for entry in journal.read_entries(out))


def test_two_runs_into_one_folder_at_once(tmp_path: Path, long_run: Path) -> None:
    out = tmp_path / "run"
    first = start(out, games=3000)
    wait_for(lambda: (out / ".lock").is_file() and (out / "manifest.json").is_file())
    status, stderr = finish(start(out, "--resume", games=3000))
    assert status == 2
    assert stderr.startswith("error: a run is being played there by process ")
    assert stderr.count("\n") == 1
    first.send_signal(signal.SIGINT)
    assert finish(first)[0] == 130


def mount(disk: Path, options: str) -> bool:
    """Mount a file system in memory; whether that is permitted here."""
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], capture_output=True, check=False
        )
    except FileNotFoundError:
        return False
    return done.returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A file system of a few hundred kB; None where none may be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if not mount(disk, "size=300k"):
        yield None
        return
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


FILLING = """
import errno, os, sys
from pathlib import Path
from aoi_sim.storage import writer

write, room = writer.write_atomically, 300_000

def write_some(path, content, lasting=True):
    global room
    room -= len(content)
    if room < 0:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    write(path, content, lasting)

writer.write_atomically = write_some
from aoi_sim.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_small_disk_fills_up(tmp_path: Path, small_disk: Path | None, long_run: Path, jobs: int) -> None:
    """On a small file system, or where none may be mounted with a writer that has room for little in this process."""
    if small_disk is None:
        out, jobs = tmp_path / "run", 1
        process = start(out, jobs=jobs, program=("-c", FILLING))
    else:
        out = small_disk / "run"
        process = start(out, jobs=jobs)
    status, stderr = finish(process)
    assert status == 2
    assert stderr.startswith("error: no space left on device after ")
    assert stderr.endswith("free some space and go on with --resume\n")
    assert stderr.count("\n") == 1
    if small_disk is not None:
        subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    assert finish(start(out, "--resume", jobs=jobs)) == (0, "")
    assert_same(out, long_run)
