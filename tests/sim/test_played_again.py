"""A finished run with damaged or missing files: the same command plays just their chunks again, to the same files."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim import run_folder, workers
from aoi_sim.sim.job import ChunkDone, Job
from aoi_sim.sim.runner import Interrupted
from tests.sim.stopping import assert_same, content
from tests.sim.test_resume import CONFIG, play, stop_after

TABLES = ("games", "seats", "rounds", "offers", "events")
LINE = "run --games 60 --players 2 --seed 5 --heuristics random --jobs 1 --resume --out"


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "flipped": flip,
    "of another chunk": lambda path: shutil.copy(path.with_name("part-00005.parquet"), path),
}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("unbroken") / "run").path


@pytest.fixture
def run(unbroken: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(unbroken, tmp_path / "run"))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the chunks that are played from here on (with one job)."""
    play_chunk, numbers = workers.play_chunk, []

    def noted(job: Job, chunk: int) -> ChunkDone:
        numbers.append(chunk)
        return play_chunk(job, chunk)

    monkeypatch.setattr(workers, "play_chunk", noted)
    return numbers


def tell(folder: Path, wanted: str) -> None:
    """The error of every reader ends with what to do."""
    with pytest.raises(aoi.RunFolderError) as refused:
        aoi.open_run(folder, checked=True)
    assert wanted in str(refused.value)
    assert str(refused.value).endswith(", restore it from a copy or run the same command again with --resume")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_just_the_damaged_chunk_is_played_again(
    run: Path, unbroken: Path, played: list[int], damage: str, table: str
) -> None:
    file = run / table / "part-00003.parquet"
    DAMAGES[damage](file)
    tell(run, str(file))
    made = play(run, True)
    assert played == [3]
    assert (made.partial, made.n_games) == (False, 60)
    assert_same(run, unbroken)


@pytest.mark.parametrize("seed", range(6))
def test_any_damage_anywhere_ends_with_the_files_of_an_unbroken_run(
    run: Path, unbroken: Path, played: list[int], seed: int
) -> None:
    chance = random.Random(seed)
    files = chance.sample(sorted(run.glob("*/part-*.parquet")), chance.randint(2, 12))
    for file in files:
        DAMAGES[chance.choice(["missing", "empty", "cut", "flipped"])](file)
    play(run, True)
    assert played == sorted({int(file.stem[-5:]) for file in files})
    assert_same(run, unbroken)


def test_all_files_may_be_gone(run: Path, unbroken: Path) -> None:
    for table in TABLES:
        shutil.rmtree(run / table)
    play(run, True, n_jobs=2)
    assert_same(run, unbroken)


def test_files_of_others_stay(run: Path, unbroken: Path) -> None:
    (run / "report.html").write_text("mine")
    (run / "seats/notes.md").write_text("mine")
    (run / "seats/part-00000.parquet").unlink()
    play(run, True)
    for name in ("report.html", "seats/notes.md"):
        assert (run / name).read_text() == "mine"
        (run / name).unlink()
    assert_same(run, unbroken)


def test_the_command_and_simulate_do_it_too(run: Path, unbroken: Path) -> None:
    flip(run / "offers/part-00002.parquet")
    done = CliRunner().invoke(app, [*LINE.split(), str(run)])
    assert done.exit_code == 0, done.output
    assert_same(run, unbroken)
    flip(run / "offers/part-00002.parquet")
    assert aoi.simulate(60, 2, "random", seed=5, n_jobs=1, out=run, progress=False).n_games == 60
    assert_same(run, unbroken)


def test_without_resume_nothing_is_touched(run: Path) -> None:
    flip(run / "offers/part-00002.parquet")
    before = content(run)
    with pytest.raises(aoi.RunFolderError, match="folder is not empty"):
        play(run)
    assert content(run) == before


@pytest.mark.parametrize("change", ["manifest", "config", "build"])
def test_what_was_changed_or_is_another_run_stays_refused(
    run: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    (run / "seats/part-00001.parquet").unlink()
    config, wanted = CONFIG, "another run lies there"
    if change == "manifest":
        path = run / "manifest.json"
        path.write_text(path.read_text().replace('"seed": 5', '"seed": 6'))
        wanted = "manifest was changed"
    elif change == "config":
        config = replace(CONFIG, seed=6)
    else:
        stored = json.loads((run / "manifest.json").read_text()) | {"build": "of wood"}
        monkeypatch.setattr(run_folder, "sound_manifest", lambda _: stored)
    before = content(run)
    with pytest.raises(aoi.RunFolderError, match=wanted):
        play(run, True, config=config)
    assert content(run) == before


@pytest.mark.parametrize("n_chunks", [0, 1])
def test_a_stop_on_the_way_leaves_a_run_that_goes_on(
    run: Path, unbroken: Path, monkeypatch: pytest.MonkeyPatch, n_chunks: int
) -> None:
    for number in (1, 4):
        flip(run / f"events/part-0000{number}.parquet")
    with monkeypatch.context() as patch:
        stop_after(patch, n_chunks, KeyboardInterrupt())
        with pytest.raises(Interrupted, match=f"interrupted after {40 + 10 * n_chunks} of 60 games"):
            play(run, True)
    assert aoi.open_run(run, partial=True, checked=True).n_games == 40 + 10 * n_chunks
    play(run, True)
    assert_same(run, unbroken)


def test_killed_before_the_manifest_says_so_it_is_still_the_finished_run(
    run: Path, unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flip(run / "events/part-00001.parquet")

    def killed(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(run_folder.manifest, "write_manifest", killed)
        with pytest.raises(SystemExit):
            play(run, True)
    assert not json.loads((run / "manifest.json").read_text()).get("partial")
    play(run, True)
    assert_same(run, unbroken)


def test_a_part_and_a_run_with_failed_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aoi_sim.sim import match

    monkeypatch.setattr(match, "_MOST_DECISIONS", 120)  # some games are longer, some are not
    whole = play(tmp_path / "whole", part=(2, 2))
    assert 0 < whole.n_failed < whole.n_games
    run = Path(shutil.copytree(whole.path, tmp_path / "run"))
    (run / "games/part-00004.parquet").unlink()
    shutil.rmtree(run / "failures")
    (run / "seats/part-00003.parquet").unlink()
    (run / "seats/part-00005.parquet").unlink()
    play(run, True, part=(2, 2))
    assert_same(run, whole.path)


def test_a_run_that_ended_early_ends_at_the_same_game(tmp_path: Path) -> None:
    config = replace(CONFIG, n_games=400, until=9.0)
    whole = play(tmp_path / "whole", config=config)
    assert whole.n_games < 400
    for number in (0, len(whole.manifest["chunks"]) - 1):
        run = Path(shutil.copytree(whole.path, tmp_path / f"run-{number}"))
        flip(run / f"games/part-{number:05d}.parquet")
        play(run, True, config=config, n_jobs=2)
        assert_same(run, whole.path)


def test_time_adds_up(run: Path) -> None:
    before = aoi.open_run(run).manifest["wall_seconds"]
    flip(run / "events/part-00001.parquet")
    assert play(run, True).manifest["wall_seconds"] > before
