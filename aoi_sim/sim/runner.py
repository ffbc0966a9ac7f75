"""The parallel runner: chunks of a plan go to processes, which play them and write their files.

Workers are given the config, the rules and the heuristics as data (a class of a notebook by pickle) and make plan and
players themselves. The parent counts, shows progress and writes the manifest last.
"""

import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aoi_sim.fast import build_info, require_build
from aoi_sim.players import Heuristic, find_heuristics, makers_of
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.plan import Plan, PlanConfig, PlanError
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.writer import Part, finished_chunks, remove_unfinished, write_chunk

if TYPE_CHECKING:
    from aoi_sim.storage.reader import Run


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; says what was kept."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is told.

    Attributes:
        config: the plan's config.
        edition: with ``options`` and ``overlays`` the ruleset as data.
        options: every option and its value.
        overlays: texts of the overlays.
        rules_hash: hash that the ruleset must have.
        heuristics: those that the config names, with their content.
        events: whether the table of events is written.
        folder: the run folder.
        build: build of the parent, which the worker must run too.
    """

    config: PlanConfig
    edition: str
    options: tuple[tuple[str, Any], ...]
    overlays: tuple[str, ...]
    rules_hash: str
    heuristics: tuple[Heuristic, ...]
    events: bool
    folder: str
    build: str


@dataclass(frozen=True, slots=True)
class ChunkDone:
    """A chunk that was played and written."""

    chunk: int
    n_games: int
    n_failed: int
    parts: list[Part]


@lru_cache(maxsize=2)
def _prepared(job: Job) -> tuple[Plan, Ruleset]:
    """Plan and ruleset of a job, made once a process."""
    require_build(job.build)
    rules = load_ruleset(job.edition, dict(job.options), list(job.overlays))
    if rules.hash != job.rules_hash:
        raise RuntimeError(f"ruleset {rules.hash} of a worker is not {job.rules_hash}")
    return plan_for(job.config, rules), rules


def play_chunk(job: Job, chunk: int) -> ChunkDone:
    """Play a chunk and write its files; runs in a worker."""
    from aoi_sim.sim.match import play_spec
    from aoi_sim.sim.rows import ChunkRows

    plan, rules = _prepared(job)
    makers = makers_of(job.heuristics)
    rows = ChunkRows(plan, rules, events=job.events)
    n_failed = 0
    for spec in plan.games(plan.chunks()[chunk]):
        played = play_spec(spec, rules, makers, plan.config.n_players, plan.config.setup, plan.config.map)
        n_failed += played.error is not None
        rows.add(spec, played)
    parts = write_chunk(Path(job.folder), chunk, rows.tables())
    return ChunkDone(chunk, len(plan.chunks()[chunk]), n_failed, parts)


def refuse_jobs(n_jobs: int, error: type[PlanError] = PlanError) -> None:
    """Refuse a number of processes that cannot be, with an error of the caller's kind."""
    if n_jobs != -1 and n_jobs < 1:
        raise error(f"{n_jobs} jobs, --jobs, choose -1 (as many as there are cores) or 1 and more")


def run_plan(
    config: PlanConfig,
    rules: Ruleset,
    folder: Path,
    *,
    heuristics: Sequence[Heuristic] | None = None,
    n_jobs: int = -1,
    events: bool = True,
    progress: bool | None = None,
) -> "Run":
    """Play a plan into a folder and return its ``Run``.

    Args:
        config: what to play.
        rules: with which rules.
        folder: the run folder, absent or empty.
        heuristics: those that the config names; None finds them by name.
        n_jobs: processes; -1 for as many as there are cores.
        events: whether to write the table of events.
        progress: whether to show the progress bar; None decides by the terminal.

    Raises:
        PlanError, RunFolderError, HeuristicError, OSError: wrong input, or the folder cannot be written.
        Interrupted: Ctrl-C.
    """
    from aoi_sim.sim.provenance import manifest_of
    from aoi_sim.storage.manifest import write_manifest
    from aoi_sim.storage.reader import open_run

    plan = plan_for(config, rules)
    refuse_jobs(n_jobs)
    found = find_heuristics(plan.heuristics if heuristics is None else heuristics)
    job = Job(
        config=config,
        edition=rules.edition,
        options=tuple(rules.options.items()),
        overlays=rules.overlays,
        rules_hash=rules.hash,
        heuristics=tuple(sorted({one.name: one for one in found}.values(), key=lambda one: one.name)),
        events=events,
        folder=str(folder.absolute()),
        build=build_info().kind,
    )
    started = time.perf_counter()
    done: dict[int, ChunkDone] = {}
    prepare_folder(folder)
    try:
        results = _results(job, len(plan.chunks()), n_jobs)
        with _progress_bar(config.n_games, progress) as advance, closing(results):
            for result in results:
                done[result.chunk] = result
                advance(result.n_games)
        seconds = time.perf_counter() - started
        chunks = [done[i] for i in sorted(done)]
        write_manifest(folder, manifest_of(plan, rules, job.heuristics, chunks, events, n_jobs, seconds))
    except KeyboardInterrupt as error:
        _tidy(folder)
        raise Interrupted(_kept_text(folder, plan)) from error
    except BaseException as error:
        _tidy(folder)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(folder)
        raise
    return open_run(folder)


def prepare_folder(folder: Path) -> None:
    """Make the run folder.

    Raises:
        RunFolderError: it is a file, or holds something.
        OSError: it cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"not a folder, {folder} (--out), choose another name")
    if folder.exists() and any(folder.iterdir()):
        raise RunFolderError(f"folder is not empty, {folder} (--out), choose a new one or empty it")
    folder.mkdir(parents=True, exist_ok=True)
    # A file, not a right: what counts is whether the file system lets us write.
    probe = folder / ".writable"
    probe.touch()
    probe.unlink()


def _tidy(folder: Path) -> None:
    """After a stop: no temporary file and no empty folder stays."""
    remove_unfinished(folder)
    if not folder.is_dir():
        return
    for path in (*(child for child in folder.iterdir() if child.is_dir()), folder):
        if not any(path.iterdir()):
            path.rmdir()


def _kept_text(folder: Path, plan: Plan) -> str:
    chunks = plan.chunks()
    n_games = sum(len(chunks[chunk]) for chunk in finished_chunks(folder))
    if not n_games:
        return f"interrupted before the first part was written, {folder}, run it again"
    return (
        f"interrupted after {n_games} of {len(plan)} games, {folder} keeps the finished parts, remove it to run again"
    )


def _results(job: Job, n_chunks: int, n_jobs: int) -> Generator[ChunkDone, None, None]:
    """Chunks as they are done, in any order."""
    if n_jobs == -1:
        from joblib import cpu_count

        n_jobs = cpu_count()
    n_jobs = min(n_jobs, n_chunks)
    if n_jobs == 1:
        yield from (play_chunk(job, chunk) for chunk in range(n_chunks))
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    parallel = Parallel(n_jobs=n_jobs, backend="loky", return_as="generator_unordered", batch_size=1)
    with interrupts_ignored():
        # The first chunks are dispatched here, so that workers start with Ctrl-C ignored: it is the parent's business.
        results = parallel(delayed(play_chunk)(job, chunk) for chunk in range(n_chunks))
    try:
        yield from results
    except TerminatedWorkerError as error:
        raise RunFolderError(
            f"a worker process died, {job.folder}, run again (with fewer jobs if memory is short)"
        ) from (error)


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Let child processes inherit that Ctrl-C is ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress_bar(n_games: int, wanted: bool | None) -> Iterator[Callable[[int], None]]:
    """A bar on stderr: games, games/s, time left. Gives the function that counts games."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if wanted is False or (wanted is None and not console.is_terminal):
        yield lambda n: None
        return
    started = time.perf_counter()
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} games"),
        TextColumn("{task.fields[rate]:.1f} games/s"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=n_games, rate=0.0)

        def advance(n: int) -> None:
            bar.update(task, advance=n)
            bar.update(task, rate=bar.tasks[0].completed / (time.perf_counter() - started))

        yield advance
