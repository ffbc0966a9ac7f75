"""Damage to a run is one line on stderr that names the file; never an error of the library that stumbled over it."""

import random
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app

COMMANDS = ("report RUN --out OUT", "profile RUN", "export RUN --csv --out OUT", "replay RUN --game 1")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged") / "run"
    aoi.simulate(n_games=8, n_players=2, heuristics=["random"], seed=3, n_jobs=1, out=folder)
    return folder


@pytest.fixture
def run(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "run"))


def called(command: str, run: Path) -> tuple[int, str]:
    """Status and what stands on stderr."""
    words = {"RUN": str(run), "OUT": str(run.parent / "out")}
    result = CliRunner().invoke(app, [words.get(word, word) for word in command.split()])
    assert "Traceback" not in result.stderr
    return result.exit_code, result.stderr


def overwrite(path: Path, start: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(content)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("table", ["seats", "events"])
@pytest.mark.parametrize("part", ["pages", "footer", "all"])
def test_damage_that_keeps_the_size_names_the_file(run: Path, command: str, table: str, part: str) -> None:
    path = run / table / "part-00000.parquet"
    size = path.stat().st_size
    start, end = {"pages": (4, size // 2), "footer": (size - 200, size - 8), "all": (0, size)}[part]
    overwrite(path, start, random.Random(5).randbytes(end - start))
    status, line = called(command, run)
    if status == 0:  # a command need not read each table
        assert (command.split()[0], table) in {("report", "events"), ("replay", "seats")}
        return
    assert status == 2
    assert line == f"error: damaged file (its checksum differs), {path}, restore it or run again\n"


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_byte_anywhere_raises_nothing_else(run: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = run / chance.choice(["games", "seats", "rounds", "offers", "events"]) / "part-00000.parquet"
    start = chance.randrange(path.stat().st_size)
    overwrite(path, start, bytes([path.read_bytes()[start] ^ 0xFF]))
    for command in COMMANDS[2:]:
        status, line = called(command, run)
        if status == 2:
            assert line == f"error: damaged file (its checksum differs), {path}, restore it or run again\n"
        elif status == 1:
            assert "is not what was stored" in line  # replay compares with the table
        else:
            assert status == 0


def test_an_error_beside_a_sound_run_stays_that_error(run: Path) -> None:
    status, line = called("profile RUN --faction nobody", run)
    assert status == 2
    assert "no faction 'nobody'" in line
