"""A full disk: one line that names the file, nothing half-written, and what was there before is as it was."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.storage import writer

FULL = "no space left on device"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, a record of one of its games, and files of rules and weights."""
    folder = tmp_path_factory.mktemp("made")
    aoi.simulate(8, 2, "random", n_jobs=1, out=folder / "run")
    (folder / "game.txt").write_text(aoi.play_game(aoi.load_ruleset(), ["random", "random"], seed=4).record.text)
    (folder / "my.toml").write_text("[factions.goblins]\non = [{ event = 'spade_used', coins = 1 }]\n")
    (folder / "mine.toml").write_text("[weights]\nwait_pct = 0\n")
    return folder


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on a file system of its own that has no room left; where none may be mounted, writes fail as there."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "none", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    (folder / "old").write_text("old")
    if not mounted:
        _refuse_writes(monkeypatch)
        yield folder
        return
    try:
        with (folder / "filler").open("wb", buffering=0) as filler:
            assert filler.write(bytes(1 << 20)) < 1 << 20
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _refuse_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in ("fsync", "pwrite"):
        monkeypatch.setattr(os, name, full)
    monkeypatch.setattr(writer, "_replace", full)


COMMANDS = [
    ("report RUN --out DISK/x.html", "x.html"),
    ("report RUN --format md --out DISK/old", "old"),
    ("profile RUN --csv DISK", "bands.csv"),
    ("profile RUN --csv DISK/csv", "csv/bands.csv"),
    ("export RUN --csv --out DISK/csv", "csv/games.csv"),
    ("merge RUN --out DISK/run", "run/games/part-00000.parquet"),
    ("replay GAME --record DISK/x.txt", "x.txt"),
    ("replay GAME --html DISK/old", "old"),
    ("replay RUN --game 1 --record DISK/old", "old"),
    ("show GAME --svg DISK/x.svg", "x.svg"),
    ("run --games 4 --players 2 --heuristics random --jobs 1 --out DISK/run", "run/.lock"),
    ("run --games 4 --players 2 --heuristics random --jobs 2 --out DISK/run", "run/.lock"),
    ("arena --games 4 --players 2 --heuristics random,greedy --jobs 1 --out DISK/run", "run/.lock"),
    ("ablate MINE --games 6 --players 2 --jobs 1 --groups waiting --out DISK/out", "out/ablation.parquet"),
    ("tune MINE --budget 400 --players 2 --population 4 --held-out 2 --setups 1 --jobs 1 --out DISK/x.toml", "x.toml"),
    ("learn MINE --games 4 --players 2 --jobs 1 --out DISK/x.toml", "x.toml.trials/trials.json"),
    ("study what-if RULES --games 4 --players 2 --heuristics random --jobs 1 --out DISK/study", "study/study.json"),
    ("study fair --games 100 --players 2 --heuristics random --jobs 1 --out DISK/study", "study/study.json"),
]


@pytest.mark.parametrize(("line", "file"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_a_full_disk_is_one_line_that_names_the_file(made: Path, disk: Path, line: str, file: str) -> None:
    before = sorted(disk.rglob("*"))
    places = {
        "RUN": made / "run",
        "GAME": made / "game.txt",
        "MINE": made / "mine.toml",
        "RULES": made / "my.toml",
    }
    words = [str(places.get(word, word)).replace("DISK", str(disk)) for word in line.split()]
    done = CliRunner().invoke(app, words)
    assert done.stderr.startswith(f"error: {FULL}, {disk / file}"), done.stderr
    assert done.stderr.endswith(", free some space and run again\n")
    assert done.stderr.count("\n") == 1
    assert done.exit_code == 2
    assert (disk / "old").read_text() == "old"
    left = {path for path in disk.rglob("*") if path.is_file()} - set(before)
    assert left == set(), "nothing half-written"


def test_standard_output_may_be_the_full_disk(made: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "aoi_sim", "info", str(made / "run")],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == f"error: {FULL}, standard output or a temporary file, free some space and run again\n"


def test_an_error_that_nobody_can_be_told_still_has_its_status(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "aoi_sim", "info", str(tmp_path)]
        assert subprocess.run(command, stdout=subprocess.DEVNULL, stderr=full, check=False).returncode == 2
