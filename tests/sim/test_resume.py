"""A run may be stopped anywhere: what it keeps, and that it ends with the files of an unbroken one."""

from __future__ import annotations

import errno
import json
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.sim import run_folder, runner, workers
from aoi_sim.sim.config import PlanConfig
from aoi_sim.sim.job import ChunkDone, Job
from aoi_sim.sim.lock import locked
from aoi_sim.sim.runner import Interrupted, run_plan
from aoi_sim.storage import writer
from aoi_sim.storage.reader import Run, open_run
from tests.sim.stopping import assert_same, content

RULES = aoi.load_ruleset()
CONFIG = PlanConfig(60, 2, 5, ("random",))


def play(folder: Path, resume: bool = False, config: PlanConfig = CONFIG, **options: Any) -> Run:
    options.setdefault("n_jobs", 1)
    return run_plan(config, RULES, folder, resume=resume, **options)


def stop_after(monkeypatch: pytest.MonkeyPatch, n_chunks: int, error: BaseException) -> None:
    """Let the chunk after so many raise."""
    play_chunk, played = workers.play_chunk, 0

    def stopped(job: Job, chunk: int) -> ChunkDone:
        nonlocal played
        played += 1
        if played > n_chunks:
            raise error
        return play_chunk(job, chunk)

    monkeypatch.setattr(workers, "play_chunk", stopped)


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A run of which three chunks of six are finished."""
    with pytest.MonkeyPatch.context() as patch:
        stop_after(patch, 3, KeyboardInterrupt())
        with pytest.raises(Interrupted, match=r"interrupted after 30 of 60 games, .* go on with --resume"):
            play(tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("unbroken") / "run").path


def test_a_chunk_that_kills_its_workers_is_stored_as_a_failure(tmp_path: Path, unbroken: Path) -> None:
    """Whoever plays chunk 2 dies; it is the only one lost."""
    source = f"""
import os, random, signal
from aoi_sim.players import make_player

class Player:
    def __init__(self, seat, seed):
        self.player = make_player("random", seat, seed)
        self.deadly = seed in {[seed for index in range(20, 30) for seed in seeds(index)]!r}

    def choose(self, state, actions):
        if self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.player.choose(state, actions)
"""
    (tmp_path / "deadly.py").write_text(source)
    made = aoi.simulate(60, 2, str(tmp_path / "deadly.py"), seed=5, n_jobs=2, out=tmp_path / "run")
    assert (made.n_games, made.n_failed) == (60, 10)
    games = made.games().collect()
    assert games["game_index"].to_list() == list(range(60))
    dead = games.filter(games["status"] == "failed")
    assert dead["game_index"].to_list() == list(range(20, 30))
    assert set(dead["error"]) == {"WorkerDiedError: 3 worker processes died while they played this chunk"}
    text = (tmp_path / "run/failures/chunk-00002.txt").read_text()
    assert all(f"player_seeds {' '.join(map(str, seeds(index)))}\n" in text for index in range(20, 30))
    chunk = "seats/part-00001.parquet"
    assert len(list((tmp_path / "run/failures").iterdir())) == 1
    plain = open_run(unbroken)
    together = made.seats().select("game_index", "seat", "vp").collect()
    expected = plain.seats().select("game_index", "seat", "vp").collect()
    assert together.equals(expected.filter(~expected["game_index"].is_in(list(range(20, 30)))))
    assert chunk in content(tmp_path / "run")


def seeds(index: int) -> tuple[int, ...]:
    return aoi.Plan(CONFIG, RULES).game(index).player_seeds


def test_workers_that_die_before_they_play_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def die(job: Job, chunks: Any, n_jobs: int) -> Any:
        raise TerminatedWorkerError("killed")
        yield

    monkeypatch.setattr(workers, "_pool", die)
    with pytest.raises(aoi.RunFolderError, match=r"worker processes die before they play, .*fewer --jobs"):
        play(tmp_path / "run", n_jobs=2)
    assert not (tmp_path / "run").exists()


# What may be taken up


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_stopped_run_goes_on(stopped: Path, unbroken: Path, n_jobs: int) -> None:
    made = play(stopped, True, n_jobs=n_jobs)
    assert not made.partial
    assert_same(stopped, unbroken)


def test_finished_chunks_are_not_played_again(stopped: Path, unbroken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(monkeypatch, 3, AssertionError("a fourth chunk"))
    play(stopped, True)
    assert_same(stopped, unbroken)


def test_a_finished_run_is_opened(unbroken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(monkeypatch, 0, AssertionError("played"))
    assert play(unbroken, True).n_games == 60


def test_resume_of_nothing_plays_all(tmp_path: Path, unbroken: Path) -> None:
    play(tmp_path / "run", True)
    assert_same(tmp_path / "run", unbroken)


def test_an_unfinished_run_is_not_taken_for_a_run(stopped: Path) -> None:
    with pytest.raises(aoi.RunFolderError, match=r"unfinished run \(30 games so far\), .*--resume"):
        open_run(stopped)
    with pytest.raises(aoi.RunFolderError, match=r"unfinished run, .*--resume"):
        play(stopped)
    made = open_run(stopped, partial=True)
    assert made.partial
    assert made.n_games == 30
    assert "30 games of 60, partial" in repr(made)
    assert made.seats().collect().height == 60


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"n_games": 70}, "n_games is 60, not 70"),
        ({"seed": 6}, "seed is 5, not 6"),
        ({"heuristics": ("greedy",)}, "heuristics is random, not greedy"),
        ({"design": "focus", "focus": ("moles",)}, "design is balanced, not focus"),
    ],
)
@pytest.mark.parametrize("finished", [False, True])
def test_another_run_is_refused(
    stopped: Path, unbroken: Path, change: dict[str, Any], what: str, finished: bool
) -> None:
    folder = unbroken if finished else stopped
    before = content(folder)
    with pytest.raises(aoi.RunFolderError, match=f"another run lies there .*{what}"):
        play(folder, True, replace(CONFIG, **change))
    assert content(folder) == before


def test_other_rules_events_and_players_are_refused(stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(aoi.RunFolderError, match="rules have another options"):
        run_plan(CONFIG, aoi.load_ruleset(options={"book_supply": "limited"}), stopped, resume=True)
    with pytest.raises(aoi.RunFolderError, match="events is full, not summary"):
        play(stopped, True, events=False)
    manifest = json.loads((stopped / "manifest.json").read_text())
    for key, value, what in (
        ("heuristics", [{**manifest["heuristics"][0], "sha256": "beef"}], "heuristic random has other content"),
        ("build", "of wood", "build is of wood"),
        ("plan_hash", "beef", "plan_hash is beef"),
    ):
        monkeypatch.setattr(run_folder, "sound_manifest", lambda _, changed={**manifest, key: value}: changed)
        with pytest.raises(aoi.RunFolderError, match=what):
            play(stopped, True)


@pytest.mark.parametrize("damage", ["missing", "flipped", "torn journal", "no journal", "foreign line"])
def test_what_is_damaged_is_played_again(stopped: Path, unbroken: Path, damage: str) -> None:
    part, lines = stopped / "seats/part-00001.parquet", stopped / "chunks.jsonl"
    if damage == "missing":
        part.unlink()
    elif damage == "flipped":
        data = bytearray(part.read_bytes())
        data[len(data) // 2] ^= 1
        part.write_bytes(data)
    elif damage == "torn journal":
        lines.write_bytes(lines.read_bytes()[:-40])
    elif damage == "no journal":
        lines.unlink()
    else:
        lines.write_text(lines.read_text() + '[1]\n{"chunk": 99}\nnonsense\n')
    play(stopped, True)
    assert_same(stopped, unbroken)


def test_what_stopped_workers_left_is_deleted_and_other_files_stay(stopped: Path, unbroken: Path) -> None:
    (stopped / f"seats/part-00004.parquet{writer.TEMPORARY_SUFFIX}").write_bytes(b"half")
    (stopped / "seats/part-00005.parquet").write_bytes(b"of no finished chunk")
    (stopped / ".playing").mkdir()
    (stopped / ".playing/00004").touch()
    (stopped / "failures").mkdir()
    (stopped / "failures/game-000059.txt").write_text("of an unfinished chunk")
    (stopped / "seats/notes.md").write_text("mine")
    play(stopped, True)
    assert (stopped / "seats/notes.md").read_text() == "mine"
    (stopped / "seats/notes.md").unlink()
    assert_same(stopped, unbroken)


def test_a_run_killed_between_its_last_steps_is_finished(tmp_path: Path) -> None:
    made = play(tmp_path / "run")
    before = content(made.path)
    (made.path / "chunks.jsonl").write_text("{}\n")
    assert play(made.path, True).n_games == 60
    assert content(made.path) == before


# The lock


def test_a_live_run_is_not_resumed(stopped: Path, unbroken: Path) -> None:
    before = content(stopped)
    with locked(stopped), pytest.raises(aoi.RunFolderError, match=f"being played there by process {os.getpid()} on"):
        play(stopped, True)
    assert content(stopped) == before
    play(stopped, True)
    assert_same(stopped, unbroken)


@pytest.mark.parametrize("resume", [False, True])
def test_a_live_run_is_said_to_be_played_with_and_without_resume(stopped: Path, resume: bool) -> None:
    before = content(stopped)
    with locked(stopped), pytest.raises(aoi.RunFolderError, match=r"^a run is being played there by process .*, wait"):
        play(stopped, resume)
    assert content(stopped) == before
    (stopped / ".lock").write_text('{"process": 1, "machine": "elsewhere", "token": "old"}')
    with pytest.raises(aoi.RunFolderError, match=r"^unfinished run, .*, go on with --resume or"):
        play(stopped)


def test_the_lock_of_a_dead_process_is_none(stopped: Path, unbroken: Path) -> None:
    (stopped / ".lock").write_text('{"process": 1, "machine": "elsewhere", "token": "old"}')
    play(stopped, True)
    assert_same(stopped, unbroken)


def test_one_of_many_gets_the_lock(tmp_path: Path) -> None:
    held, together, most = 0, 0, 0
    guard = threading.Lock()

    def try_often() -> None:
        nonlocal held, together, most
        for _ in range(200):
            try:
                with locked(tmp_path):
                    with guard:
                        held, together = held + 1, together + 1
                        most = max(most, together)
                    with guard:
                        together -= 1
            except aoi.RunFolderError:
                continue

    threads = [threading.Thread(target=try_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert held > 0


# A full disk


def test_a_full_disk_is_one_line_and_can_be_resumed(
    tmp_path: Path, unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = writer.write_atomically
    left = 13  # files

    def write_some(path: Path, data: bytes, lasting: bool = True) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, data, lasting)

    with monkeypatch.context() as patch:
        patch.setattr(writer, "write_atomically", write_some)
        expected = f"^no space left on device after 20 of 60 games, {tmp_path}/run, free some space and go on with"
        with pytest.raises(aoi.RunFolderError, match=expected):
            play(tmp_path / "run")
    play(tmp_path / "run", True)
    assert_same(tmp_path / "run", unbroken)


# An end before the last game


def enough_after(monkeypatch: pytest.MonkeyPatch, n_chunks: int) -> list[int]:
    """Let it be enough after so many chunks; the chunks that were told of."""
    told: list[int] = []

    class Watch:
        def __init__(self, plan: aoi.Plan, folder: Path) -> None:
            self.folder = folder

        def enough(self, entry: Any) -> bool:
            told.append(entry["chunk"])
            assert (self.folder / entry["files"]["games"]["path"]).is_file()
            return len(told) == n_chunks

        def report(self) -> str:
            return "enough"

    monkeypatch.setattr(runner, "Until", Watch)
    return told


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_run_ends_where_it_is_enough(tmp_path: Path, n_jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told = enough_after(monkeypatch, 4)
    config = replace(CONFIG, until=5.0)
    made = play(tmp_path / "run", n_jobs=n_jobs, config=config)
    assert told == [0, 1, 2, 3]
    assert (made.n_games, made.partial, made.manifest["until"]) == (40, False, "enough")
    with monkeypatch.context() as patch:
        enough_after(patch, 99)
        whole = content(play(tmp_path / "whole", config=config).path)
    assert content(made.path) == {name: data for name, data in whole.items() if int(name[-13:-8]) < 4}


def test_a_stopped_run_ends_where_it_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(CONFIG, until=5.0)
    enough_after(monkeypatch, 2)
    unbroken = play(tmp_path / "unbroken", config=config).path
    with monkeypatch.context() as patch:
        enough_after(patch, 99)
        stop_after(patch, 3, KeyboardInterrupt())
        with pytest.raises(Interrupted):
            play(tmp_path / "run", config=config)
    told = enough_after(monkeypatch, 2)
    assert play(tmp_path / "run", True, config).n_games == 20
    assert told == [0, 1]
    assert_same(tmp_path / "run", unbroken)


def test_a_part_is_resumed_as_that_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unbroken = play(tmp_path / "unbroken", part=(2, 2)).path
    with monkeypatch.context() as patch:
        stop_after(patch, 1, KeyboardInterrupt())
        with pytest.raises(Interrupted, match="interrupted after 10 of 30 games"):
            play(tmp_path / "run", part=(2, 2))
    with pytest.raises(aoi.RunFolderError, match="part is 2,2, not 1,2"):
        play(tmp_path / "run", True, part=(1, 2))
    with pytest.raises(aoi.RunFolderError, match="part is 2,2, not none"):
        play(tmp_path / "run", True)
    assert play(tmp_path / "run", True, part=(2, 2)).n_games == 30
    assert_same(tmp_path / "run", unbroken)
