"""The processes that play the chunks of a run: a pool that is started again when one of them dies."""

import os
import signal
import threading
import time
import warnings
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Final

from aoi_sim.players import HeuristicError
from aoi_sim.sim import cluster
from aoi_sim.sim.job import ChunkDone, Job, dead_chunk, play_chunk
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.journal import MARKS
from aoi_sim.storage.manifest import RunFolderError

MOST_DEATHS: Final = 3
"""So often a chunk may lose its worker; then it is stored as a failure."""

_WATCH_SECONDS: Final = 0.5
"""So often a worker looks whether its parent is still there."""
_MOST_JOBS: Final = 1024


def refuse_jobs(n_jobs: int, error: type[PlanError] = PlanError) -> None:
    """Refuse a number of processes that cannot be, with an error of the caller's kind."""
    if n_jobs != -1 and not 1 <= n_jobs <= _MOST_JOBS:
        raise error(f"{n_jobs} jobs, --jobs, choose -1 (as many as there are cores) or 1 to {_MOST_JOBS}")


def play_chunks(job: Job, chunks: Sequence[int], n_jobs: int) -> Generator[ChunkDone, None, None]:
    """Chunks as they are done, in any order.

    A death of a worker ends its pool. The missing chunks are played again in a new one, and those in hand at two deaths
    one at a time, so that a chunk which kills its worker takes no other with it for a third time.

    Args:
        job: what the workers are told; if it names a scheduler, they are those of its cluster.
        chunks: which to play.
        n_jobs: processes; -1 for as many as there are cores. With one, or one chunk, this process plays.

    Raises:
        HeuristicError: a player cannot be sent to a worker.
        RunFolderError: workers die before they have a chunk in hand.
        OSError: a worker could not write.
    """
    if job.scheduler is not None:
        yield from cluster.play_on_cluster(job, chunks)
        return
    if n_jobs == -1:
        from joblib import cpu_count

        n_jobs = cpu_count()
    if min(n_jobs, len(chunks)) <= 1:
        yield from (play_chunk(job, chunk) for chunk in chunks)
        return
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    missing = set(chunks)
    deaths: Counter[int] = Counter()
    idle_deaths = 0
    while missing:
        alone = {chunk for chunk in missing if deaths[chunk] == MOST_DEATHS - 1}
        together = sorted(missing - alone) or [min(alone)]
        try:
            with closing(_pool(job, together, n_jobs)) as results:
                for done in results:
                    missing.discard(done.chunk)
                    idle_deaths = 0
                    yield done
        except TerminatedWorkerError as error:
            in_hand = _take_marks(job) & missing
            deaths.update(in_hand)
            idle_deaths += not in_hand
            if idle_deaths == MOST_DEATHS:
                raise RunFolderError(
                    f"worker processes die before they play, {job.folder}, go on with --resume and fewer --jobs"
                ) from error
        for chunk in sorted(chunk for chunk in missing if deaths[chunk] == MOST_DEATHS):
            missing.discard(chunk)
            yield dead_chunk(job, chunk, f"{MOST_DEATHS} worker processes died while they played this chunk")


def _pool(job: Job, chunks: Sequence[int], n_jobs: int) -> Generator[ChunkDone, None, None]:
    """Chunks as the processes of a pool do them."""
    from pickle import PicklingError

    from joblib import Parallel, delayed

    # How many chunks a worker is given at a time follows from how long they take; what is in them does not.
    parallel = Parallel(
        n_jobs=n_jobs,
        backend="loky",
        return_as="generator_unordered",
        batch_size="auto",
        initializer=_end_with,
        initargs=(os.getpid(),),
    )
    # The start of the tracker lets held signals through, so it must not come between.
    resource_tracker.ensure_running()
    with interrupts_held():
        # Workers start here and never see Ctrl-C: it is the parent's business.
        results = parallel(delayed(_play_marked)(job, chunk) for chunk in chunks)
    try:
        for result in results:  # noqa: UP028 - `yield from` would close it before its warnings can be held back
            yield result
    except PicklingError as error:
        names = ", ".join(one.name for one in job.heuristics if one.kind == "class")
        raise HeuristicError(f"cannot be sent to worker processes ({error}), {names}, use one job") from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib counts what a stop throws away
            with suppress(RuntimeError, ValueError):
                results.close()


def _play_marked(job: Job, chunk: int) -> ChunkDone:
    """Play a chunk with a mark that it is in hand; runs in a worker."""
    mark = Path(job.folder) / MARKS / f"{chunk:05d}"
    mark.parent.mkdir(exist_ok=True)
    mark.touch()
    try:
        return play_chunk(job, chunk)
    finally:
        mark.unlink(missing_ok=True)


def _end_with(parent: int) -> None:
    """Let this process end soon after its parent: nobody waits for what it plays then."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _take_marks(job: Job) -> set[int]:
    """The chunks that dead workers had in hand."""
    chunks = set()
    for mark in (Path(job.folder) / MARKS).glob("*"):
        chunks.add(int(mark.name))
        mark.unlink(missing_ok=True)
    return chunks


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait until the end; processes that are started meanwhile never get it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
