"""The processes that play the chunks of a run."""

import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from aoi_sim.sim.job import ChunkDone, Job, play_chunk
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.manifest import RunFolderError


def refuse_jobs(n_jobs: int, error: type[PlanError] = PlanError) -> None:
    """Refuse a number of processes that cannot be, with an error of the caller's kind."""
    if n_jobs != -1 and n_jobs < 1:
        raise error(f"{n_jobs} jobs, --jobs, choose -1 (as many as there are cores) or 1 and more")


def play_chunks(job: Job, chunks: Sequence[int], n_jobs: int) -> Generator[ChunkDone, None, None]:
    """The chunks of these numbers as they are done, in any order."""
    if n_jobs == -1:
        from joblib import cpu_count

        n_jobs = cpu_count()
    n_jobs = min(n_jobs, len(chunks))
    if n_jobs == 1:
        yield from (play_chunk(job, chunk) for chunk in chunks)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    parallel = Parallel(n_jobs=n_jobs, backend="loky", return_as="generator_unordered", batch_size=1)
    with interrupts_ignored():
        # The first chunks are dispatched here, so that workers start with Ctrl-C ignored: it is the parent's business.
        results = parallel(delayed(play_chunk)(job, chunk) for chunk in chunks)
    try:
        yield from results
    except TerminatedWorkerError as error:
        raise RunFolderError(
            f"a worker process died, {job.folder}, run again (with fewer jobs if memory is short)"
        ) from error


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
