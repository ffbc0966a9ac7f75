"""The workers of a Dask cluster, through joblib's own backend: they may join, leave and die, the scheduler sees to that."""

import logging
import re
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from aoi_sim.sim.job import ChunkDone, Job, dead_chunk, play_chunk
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.manifest import RunFolderError

_SECONDS: Final = 10
"""So long a scheduler may take to answer."""
_MOST_TASKS: Final = 1000
"""So many chunks are given to the scheduler at once."""
_LOGGER: Final = re.compile(r"(distributed|tornado|asyncio)(\.|$)")


class ClusterTask:
    """The play of one chunk, named after it: a cluster tells of dead workers by the name of what they had in hand.

    Args:
        job: what the worker is told.
        chunk: number of the chunk.
    """

    def __init__(self, job: Job, chunk: int) -> None:
        self.job = job
        self.chunk = chunk
        self.__name__ = f"chunk_{chunk}"

    def __call__(self) -> ChunkDone:
        """Play it; runs in a worker."""
        return play_chunk(self.job, self.chunk)


def play_on_cluster(job: Job, chunks: Sequence[int]) -> Generator[ChunkDone, None, None]:
    """Chunks as the workers of a cluster do them, in any order.

    A chunk whose worker dies is given to another. If that happens as often as the scheduler allows
    (``distributed.scheduler.allowed-failures``), it is stored as a failure.

    Args:
        job: what the workers are told; it names the scheduler.
        chunks: which to play.

    Raises:
        PlanError: Dask is not installed, no scheduler or no worker is there, or workers have another aoi-sim.
        RunFolderError: the scheduler is gone.
        OSError: a worker could not write.
    """
    with _connected(str(job.scheduler)) as client:
        from distributed import KilledWorker

        missing = set(chunks)
        while missing:
            try:
                for done in _played(client, job, sorted(missing)):
                    missing.discard(done.chunk)
                    yield done
                if missing:  # the tasks were cancelled: they end without a result and without an error
                    raise _lost(job)
            except KilledWorker as error:
                found = re.match(r".*chunk_(\d+)_", str(error.task))
                if found is None or int(found[1]) not in missing:
                    raise RunFolderError(f"workers of the cluster die, {job.folder}, go on with --resume") from error
                chunk, n_deaths = int(found[1]), error.allowed_failures + 1
                missing.discard(chunk)
                yield dead_chunk(job, chunk, f"{n_deaths} workers of the cluster died while they played this chunk")


def _played(client: Any, job: Job, chunks: Sequence[int]) -> Generator[ChunkDone, None, None]:
    from concurrent.futures import CancelledError

    from joblib import Parallel, delayed

    scheduler = job.scheduler
    # One chunk a task, so that a task can be named after its chunk; many tasks at once, for workers that join later.
    parallel = Parallel(
        n_jobs=-1,
        backend=_backend(client),
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=min(len(chunks), _MOST_TASKS),
    )
    try:
        results = parallel(delayed(ClusterTask(job, chunk))() for chunk in chunks)
    except TimeoutError as error:
        raise PlanError(
            f"no worker has joined, --scheduler {scheduler}, start some: dask worker {scheduler}"
        ) from error
    try:
        for result in results:  # noqa: UP028 - `yield from` would close it before its warnings can be held back
            yield result
    except (CancelledError, ConnectionError, TimeoutError) as error:
        raise _lost(job) from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib counts what a stop throws away
            with suppress(RuntimeError, ValueError):
                results.close()


def _lost(job: Job) -> RunFolderError:
    return RunFolderError(f"lost the scheduler {job.scheduler}, {job.folder}, go on with --resume")


def _backend(client: Any) -> Any:
    """Joblib's backend for Dask, mended.

    It waits for ever on a task that the scheduler gave up; and a cluster of one worker it does not use at all, but
    plays in this process.
    """
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(2, int(super().effective_n_jobs(n_jobs)))

        def submit(self, func: Any, callback: Callable[[Any], None]) -> Any:
            told = False

            def tell(result: Any) -> None:
                nonlocal told
                if not told:
                    told = True
                    callback(result)

            future = super().submit(func, tell)
            future.add_done_callback(lambda done: tell(done.exception()) if done.exception() else None)
            return future

    return Backend(client=client, wait_for_workers_timeout=_SECONDS)


@contextmanager
def _connected(scheduler: str) -> Iterator[Any]:
    """A client of a scheduler, whose log is not mixed into the output."""
    try:
        from distributed import Client
    except ImportError as error:
        raise PlanError('Dask is not installed, --backend dask, install it: pip install "aoi-sim[cluster]"') from error
    # Each part of Dask, and what it stands on, has a logger with a level of its own.
    loggers = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict) if _LOGGER.match(name)]
    levels = [(logger, logger.level) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        try:
            client = Client(scheduler, timeout=_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError, ImportError) as error:
            raise PlanError(
                f"no scheduler answers, --scheduler {scheduler}, give its address, as tcp://127.0.0.1:8786"
            ) from error
        try:
            yield client
        finally:
            client.close(timeout=_SECONDS)  # type: ignore[no-untyped-call]
    finally:
        for logger, level in levels:
            logger.setLevel(level)
