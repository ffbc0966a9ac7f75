"""Runs on a real Dask cluster: a scheduler and two worker processes on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.sim import cluster, runner
from aoi_sim.sim.config import PlanConfig
from aoi_sim.sim.job import ChunkDone, Job
from aoi_sim.sim.runner import run_plan
from aoi_sim.storage import journal
from aoi_sim.storage.reader import open_run
from tests.sim.stopping import ROOT, assert_same, finish, start, wait_for

pytest.importorskip("distributed", reason="Dask is not installed (extra cluster)")

CONFIG = PlanConfig(60, 2, 5, ("random",))
RULES = aoi.load_ruleset()


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        described = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter"]
        self.processes = [self._start("scheduler", *options, "--scheduler-file", str(described))]
        wait_for(lambda: described.exists() and described.read_text().rstrip().endswith("}"))
        self.address: str = json.loads(described.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log.txt").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, *options],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=log,
                stderr=log,
            )

    def add_worker(self) -> None:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        self.workers.append(self._start("worker", self.address, *options))
        self.processes.append(self.workers[-1])

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def two_workers(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    for _ in range(2):
        made.add_worker()
    yield made
    made.close()


def local(folder: Path, config: PlanConfig = CONFIG) -> Path:
    return run_plan(config, RULES, folder, n_jobs=1).path


@pytest.mark.slow
def test_a_worker_killed_in_mid_run_changes_nothing(tmp_path: Path, two_workers: Cluster) -> None:
    out = tmp_path / "run"
    process = start(out, "--backend", "dask", "--scheduler", two_workers.address, games=400)
    wait_for(lambda: len(journal.read_entries(out)) >= 3 or process.poll() is not None)
    two_workers.workers[0].kill()
    assert finish(process) == (0, "")
    assert finish(start(tmp_path / "local", games=400, jobs=1)) == (0, "")
    assert_same(out, tmp_path / "local")


def test_workers_that_do_not_see_the_folder_send_their_chunks(
    tmp_path: Path, two_workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    play = cluster.play_on_cluster

    def play_elsewhere(job: Job, chunks: Any) -> Iterator[ChunkDone]:
        for done in play(replace(job, folder="/there/is/no/such/folder"), chunks):
            sent.append(len(done.unwritten))
            yield done

    monkeypatch.setattr(cluster, "play_on_cluster", play_elsewhere)
    made = run_plan(CONFIG, RULES, tmp_path / "run", scheduler=two_workers.address)
    assert sent == [5] * 6
    assert_same(made.path, local(tmp_path / "local"))


def test_heuristics_travel_as_content(tmp_path: Path, two_workers: Cluster) -> None:
    """A file that only the parent reads, and a class of this program."""

    class Mine:
        name = "mine"

        def __init__(self, seat: int, seed: int) -> None:
            self.seed = seed

        def choose(self, state: Any, actions: Any) -> Any:
            return actions[self.seed % len(actions)]

    path = tmp_path / "here" / "tuned.toml"
    path.parent.mkdir()
    path.write_text('doc = "mine"\nbase = "expert"\n[weights]\ncoin = 500\n')
    made = aoi.simulate(20, 2, [path, Mine], out=tmp_path / "run", scheduler=two_workers.address, progress=False)
    assert made.n_failed == 0
    assert_same(made.path, aoi.simulate(20, 2, [path, Mine], out=tmp_path / "local", n_jobs=1).path)


def test_a_single_worker_plays_and_not_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(job: Job, chunk: int) -> ChunkDone:
        raise AssertionError("played here")

    made = Cluster(tmp_path)
    made.add_worker()
    try:
        monkeypatch.setattr(cluster, "play_chunk", fail)
        assert run_plan(CONFIG, RULES, tmp_path / "run", scheduler=made.address).n_games == 60
    finally:
        made.close()


def test_another_version_of_a_worker_is_refused(
    tmp_path: Path, two_workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "program_hash", lambda: "beef")
    with pytest.raises(aoi.PlanError, match="a worker has another version of engine or players, --scheduler"):
        run_plan(CONFIG, RULES, tmp_path / "run", scheduler=two_workers.address)
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_stopped_run_goes_on_here_or_there(tmp_path: Path, two_workers: Cluster) -> None:
    out = tmp_path / "run"
    on_cluster = ("--backend", "dask", "--scheduler", two_workers.address)
    process = start(out, *on_cluster, games=400)
    wait_for(lambda: len(journal.read_entries(out)) >= 3 or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    status, stderr = finish(process, 30)
    assert status == 130
    assert stderr.count("\n") == 1
    assert open_run(out, partial=True).n_games < 400
    assert finish(start(out, "--resume", *on_cluster, games=400)) == (0, "")
    assert finish(start(tmp_path / "local", games=400, jobs=1)) == (0, "")
    assert_same(out, tmp_path / "local")


@pytest.mark.slow
def test_a_chunk_that_kills_its_workers_is_stored_as_a_failure(tmp_path: Path) -> None:
    made = Cluster(tmp_path)
    try:
        for _ in range(6):
            made.add_worker()
        deadly = aoi.Plan(CONFIG, RULES).game(25).player_seeds[0]
        source = f"""
import os, signal
from aoi_sim.players import make_player

class Player:
    def __init__(self, seat, seed):
        self.player = make_player("random", seat, seed)
        if seed == {deadly}:
            os.kill(os.getpid(), signal.SIGKILL)

    def choose(self, state, actions):
        return self.player.choose(state, actions)
"""
        (tmp_path / "deadly.py").write_text(source)
        run = aoi.simulate(60, 2, tmp_path / "deadly.py", seed=5, out=tmp_path / "run", scheduler=made.address)
    finally:
        made.close()
    failed = run.games().collect().filter(pl_failed())
    assert failed["game_index"].to_list() == list(range(20, 30))
    assert set(failed["error"]) == {"WorkerDiedError: 4 workers of the cluster died while they played this chunk"}
    assert run.n_games == 60


def pl_failed() -> Any:
    import polars as pl

    return pl.col("status") == "failed"


def test_no_scheduler_and_no_worker_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_SECONDS", 1)
    with pytest.raises(
        aoi.PlanError, match=r"no scheduler answers, --scheduler tcp://127\.0\.0\.1:9, give its address"
    ):
        run_plan(CONFIG, RULES, tmp_path / "run", scheduler="tcp://127.0.0.1:9")
    made = Cluster(tmp_path)
    try:
        with pytest.raises(aoi.PlanError, match=r"no worker has joined, --scheduler .*, start some: dask worker tcp"):
            run_plan(CONFIG, RULES, tmp_path / "run", scheduler=made.address)
    finally:
        made.close()
    assert not (tmp_path / "run").exists()


def test_a_lost_scheduler_is_one_line_and_the_run_goes_on(tmp_path: Path, two_workers: Cluster) -> None:
    out = tmp_path / "run"
    process = start(out, "--backend", "dask", "--scheduler", two_workers.address, games=3000)
    wait_for(lambda: len(journal.read_entries(out)) >= 3 or process.poll() is not None)
    two_workers.processes[0].kill()
    status, stderr = finish(process, 90)
    assert (status, stderr.count("\n")) == (2, 1), stderr
    assert stderr.startswith(f"error: lost the scheduler {two_workers.address}, ")
    assert stderr.endswith("go on with --resume\n")
    assert open_run(out, partial=True).n_games > 0


def test_without_dask_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(aoi.PlanError, match=r'Dask is not installed, --backend dask, .*"aoi-sim\[cluster\]"'):
        run_plan(CONFIG, RULES, tmp_path / "run", scheduler="tcp://127.0.0.1:9")
