"""Damage to a run is one line on stderr that names the file; never an error of the library that stumbled over it."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.storage.manifest import checksum_of

AGAIN = "restore it from a copy or run the same command again with --resume"
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
    assert status == 2
    assert line == f"error: damaged file (its checksum differs), {path}, {AGAIN}\n"
    assert sorted(run.parent.iterdir()) == [run]


@pytest.mark.parametrize("table", ["games", "seats", "rounds", "offers", "events"])
@pytest.mark.parametrize("command", [*COMMANDS, "report SOUND --against RUN --out OUT", "plan --se 1 --pilot RUN"])
def test_damage_that_still_decodes_is_noticed(run: Path, sound: Path, command: str, table: str) -> None:
    """Rows in another order: a Parquet file without a fault, of the same size."""
    path = run / table / "part-00000.parquet"
    pq.write_table(pq.read_table(path)[::-1], path)
    edit(run, ("chunks", 0, "files", table, "bytes"), path.stat().st_size, checksum=True)
    status, line = called(command.replace("SOUND", str(sound)), run)
    assert status == 2
    assert line == f"error: damaged file (its checksum differs), {path}, {AGAIN}\n"


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_byte_anywhere_raises_nothing_else(run: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = run / chance.choice(["games", "seats", "rounds", "offers", "events"]) / "part-00000.parquet"
    start = chance.randrange(path.stat().st_size)
    overwrite(path, start, bytes([path.read_bytes()[start] ^ 0xFF]))
    for command in COMMANDS:
        assert called(command, run) == (2, f"error: damaged file (its checksum differs), {path}, {AGAIN}\n")


def test_an_error_beside_a_sound_run_stays_that_error(run: Path) -> None:
    status, line = called("profile RUN --faction nobody", run)
    assert status == 2
    assert "no faction 'nobody'" in line


READERS = ("info RUN", "report RUN --out OUT", "profile RUN", "export RUN --csv --out OUT", "replay RUN --game 1")
RESUME = "run --games 8 --players 2 --heuristics random --seed 3 --jobs 1 --out RUN --resume"


def edit(run: Path, keys: tuple[str | int, ...], value: Any, checksum: bool) -> None:
    """Put a value deep into a manifest, ``...`` to take the key out; with a new checksum or the old one."""
    path = run / "manifest.json"
    manifest = place = json.loads(path.read_text())
    for key in keys[:-1]:
        place = place[key]
    if value is ...:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    if checksum:
        manifest["checksum"] = checksum_of(manifest)
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize("value", [..., None, "a text", 3.5, [None], True])
@pytest.mark.parametrize(
    "keys",
    [
        *[("config", key) for key in ("n_games", "n_players", "seed", "heuristics", "design", "events")],
        *[("rules", key) for key in ("edition", "hash", "options", "overlays")],
        *[("heuristics", 0), ("heuristics", 0, "name"), ("heuristics", 0, "sha256")],
        *[("versions",), ("build",), ("schemas",), ("schemas", "seats"), ("plan_hash",), ("jobs",), ("wall_seconds",)],
        *[("chunks", 0), ("chunks", 0, "n_games"), ("chunks", 0, "files"), ("chunks", 0, "files", "seats")],
        *[("chunks", 0, "files", "seats", "path"), ("chunks", 0, "files", "seats", "bytes")],
        *[("chunks", 0, "n_failed"), ("counts", "games"), ("counts", "failed"), ("counts", "rows")],
        *[("trust",), ("trust", 0), ("trust", 0, "verdict"), ("trust", 0, "figures")],
    ],
    ids=lambda keys: ".".join(map(str, keys)),
)
def test_a_manifest_of_another_shape_is_refused_in_a_line(run: Path, keys: tuple[str | int, ...], value: Any) -> None:
    edit(run, keys, value, checksum=False)
    status, line = called("info RUN", run)
    assert status == 2
    assert line.startswith("error: ")
    assert line.count("\n") == 1
    assert "manifest" in line
    assert str(run) in line
    edit(run, ("seed",), 3, checksum=True)
    for command in READERS[:1]:  # what the shape leaves open is no error of the program either
        status, line = called(command, run)
        assert "unexpected" not in line, line


@pytest.mark.parametrize("command", [*READERS, RESUME])
@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("config", "heuristics"), ["expert"]),
        (("rules", "edition"), "1.0"),
        (("seed",), 4),
        (("counts", "failed"), 1),
        (("versions",), None),
        (("config", "design"), ...),
        (("trust", 0), "ok"),
    ],
)
def test_no_command_believes_a_manifest_that_was_changed(
    run: Path, command: str, keys: tuple[str | int, ...], value: Any
) -> None:
    edit(run, keys, value, checksum=False)
    status, line = called(command, run)
    assert status == 2
    assert line.startswith("error: manifest ")
    assert f"{run / 'manifest.json'}, restore" in line
    assert line.count("\n") == 1
    assert called("verify RUN --replay 0", run)[0] == 1


def test_an_untouched_manifest_is_believed(run: Path) -> None:
    assert called("info RUN", run) == (0, "")
    assert called(RESUME, run)[0] == 0


@pytest.mark.parametrize("options", ["", "--faction FACTION"])
def test_the_report_and_verify_say_first_that_a_run_is_unfinished(run: Path, options: str) -> None:
    faction = str(aoi.open_run(run).seats().collect()["faction"][0])
    manifest = json.loads((run / "manifest.json").read_text())
    entry = manifest["chunks"][0]
    (run / "chunks.jsonl").write_text(json.dumps(entry) + "\n")
    del manifest["trust"]
    manifest |= {"partial": True, "config": {**manifest["config"], "n_games": 300}, "chunks": []}
    manifest["counts"] = {"games": 0, "failed": 0, "rows": dict.fromkeys(manifest["schemas"], 0)}
    manifest["checksum"] = checksum_of(manifest)
    (run / "manifest.json").write_text(json.dumps(manifest))
    words = f"nfinished: {entry['n_games']} of 300 games, go on with --resume"

    command = f"report RUN --format md --out OUT {options}".replace("FACTION", faction)
    assert called(command, run)[0] == 0
    text = (run.parent / "out").read_text()
    assert "older version" not in text
    first = next(line for line in text.splitlines() if line.startswith(("- ", "1. ", "* ")))
    assert words in first
    told = CliRunner().invoke(app, ["info", str(run)]).stdout
    assert f"{entry['n_games']} (unfinished: {entry['n_games']} of 300, go on with --resume) of 2 players" in told
    assert "part" not in next(row for row in told.splitlines() if row.startswith("games "))
    result = CliRunner().invoke(app, ["verify", str(run), "--replay", "0"])
    lines = [line for line in result.stdout.splitlines() if words in line]
    assert lines == [f"u{words}"]
