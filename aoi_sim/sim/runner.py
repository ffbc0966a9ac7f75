"""The session of a run: chunks of a plan go to workers, which play them and write their files.

The parent writes the manifest at the start, marked partial, a line of the journal for each finished chunk, and the whole
manifest at the end. What is killed in between is played on by another session.
"""

import errno
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aoi_sim.fast import build_info
from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import run_folder
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.interrupts import is_interrupt
from aoi_sim.sim.job import Job, program_hash
from aoi_sim.sim.lock import locked
from aoi_sim.sim.parts import PlanPart, chunks_of_part
from aoi_sim.sim.plan import Plan, PlanConfig
from aoi_sim.sim.progress import Advance, games_bar
from aoi_sim.sim.until import Until
from aoi_sim.sim.workers import interrupts_held, play_chunks, refuse_jobs
from aoi_sim.storage.manifest import RunFolderError

if TYPE_CHECKING:
    from aoi_sim.storage.reader import Run

Entry = Mapping[str, Any]
"""A finished chunk as the manifest lists it."""
Stand = Callable[["Run"], str]
"""Says in a few words how a run stands, from the games that it has so far."""

_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; says what was kept.

    Attributes:
        n_games: games of a run that are kept.
    """

    def __init__(self, message: str, n_games: int = 0) -> None:
        super().__init__(message)
        self.n_games = n_games


def run_plan(
    config: PlanConfig,
    rules: Ruleset,
    folder: Path,
    *,
    heuristics: Sequence[Heuristic] | None = None,
    n_jobs: int = -1,
    events: bool = True,
    progress: bool | None = None,
    part: PlanPart | None = None,
    resume: bool = False,
    stand: Stand | None = None,
    scheduler: str | None = None,
) -> "Run":
    """Play a plan into a folder and return its ``Run``.

    Args:
        config: what to play.
        rules: with which rules.
        folder: the run folder, absent or empty; with ``resume`` it may hold the same run.
        heuristics: those that the config names; None finds them by name.
        n_jobs: processes; -1 for as many as there are cores.
        events: whether to write the table of events.
        progress: whether to show the progress bar; None shows it on a terminal and in a notebook.
        part: the part of the plan to play; None for all.
        resume: whether to go on with an unfinished run of the folder, and to open a finished one; chunks of either with
            damaged or missing files are played again.
        stand: says how it stands from the games so far, for the progress bar; asked after every chunk.
        scheduler: address of a Dask scheduler, whose workers play instead of processes here.

    Raises:
        PlanError, RunFolderError, HeuristicError, OSError: wrong input, or the folder cannot be written.
        Interrupted: Ctrl-C.
    """
    from aoi_sim.sim.provenance import manifest_of
    from aoi_sim.storage.reader import open_run

    plan = plan_for(config, rules)
    chosen = chunks_of_part(plan, part)
    refuse_jobs(n_jobs)
    found = find_heuristics(config.names if heuristics is None else heuristics)
    players = tuple(sorted({one.name: one for one in found}.values(), key=lambda one: one.name))
    manifest = manifest_of(plan, rules, players, events, n_jobs)
    if part is not None:
        manifest["part"] = list(part)
    stored = run_folder.stored_before(folder, manifest, resume)
    if stored is None:
        run_folder.prepare_folder(folder)
    elif run_folder.is_whole(folder, stored):
        run_folder.remove_leftovers(folder)
        return open_run(folder)
    try:
        with locked(folder) as token:
            stored = run_folder.stored_before(folder, manifest, resume)
            if stored is None or not run_folder.is_whole(folder, stored):
                if stored is not None and not stored.get("partial"):
                    run_folder.reopen(folder, stored, manifest)
                job = replace(_job(config, rules, players, manifest, folder, token), scheduler=scheduler)
                session = Session(plan, chosen, job, manifest, stand)
                with games_bar(session.most_games, progress) as advance:
                    session.play(n_jobs, advance, new=stored is None)
    finally:
        run_folder.drop_if_empty(folder)
    return open_run(folder)


def _job(
    config: PlanConfig,
    rules: Ruleset,
    players: tuple[Heuristic, ...],
    manifest: Mapping[str, Any],
    folder: Path,
    token: str,
) -> Job:
    hashes = ((entry["name"], entry["sha256"], entry.get("program_sha256", "")) for entry in manifest["heuristics"])
    return Job(
        config=config,
        edition=rules.edition,
        options=tuple(rules.options.items()),
        overlays=rules.overlays,
        rules_hash=rules.hash,
        heuristics=players,
        hashes=tuple(hashes),
        events=manifest["config"]["events"] == "full",
        folder=str(folder.absolute()),
        token=token,
        started=time.time(),
        build=build_info().kind,
        program=program_hash(),
    )


class Session:
    """One go at a run, from its start or from where another go stopped.

    Args:
        plan: what is played.
        chosen: numbers of the chunks to play.
        job: what the workers are told.
        manifest: the manifest at the start.
        stand: says how it stands from the games so far.
    """

    def __init__(
        self, plan: Plan, chosen: range, job: Job, manifest: Mapping[str, Any], stand: Stand | None = None
    ) -> None:
        self.plan = plan
        self.chosen = chosen
        self.job = job
        self.folder = Path(job.folder)
        self.manifest = manifest
        self._stand = stand
        self.done: dict[int, Entry] = {}
        self._until = Until(plan, self.folder) if plan.config.until else None
        self._told = 0  # chunks that `_until` was told of, in the order of the plan

    def play(self, n_jobs: int, advance: Advance, new: bool) -> None:
        """Play what is missing and write the manifest.

        Args:
            n_jobs: processes; -1 for as many as there are cores.
            advance: is told games as they are played.
            new: whether nothing of the run is there yet.

        Raises:
            Interrupted: Ctrl-C.
            RunFolderError: the disk is full; finished chunks are kept.
        """
        from aoi_sim.analysis.trust import trust_of_files
        from aoi_sim.sim.provenance import whole_manifest
        from aoi_sim.storage.manifest import write_manifest

        try:
            if new:
                write_manifest(self.folder, self.manifest)
            else:
                self._take_up(advance)
            if not self._is_enough():
                self._play_missing(n_jobs, advance)
            entries = [self.done[chunk] for chunk in sorted(self.done)][: self._told or None]
            run_folder.keep_only(self.folder, entries)
            run_folder.refuse_missing(self.folder, entries)
            listed = [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]
            whole = whole_manifest(self.manifest, listed, self._seconds())
            whole["trust"] = trust_of_files(self.folder, listed, whole=len(listed) == len(self.plan.chunks()))
            if self._until is not None:
                whole["until"] = self._until.report()
            write_manifest(self.folder, whole)
            run_folder.remove_leftovers(self.folder)
        except BaseException as error:
            self._stop(error)

    def _play_missing(self, n_jobs: int, advance: Advance) -> None:
        from aoi_sim.storage import journal
        from aoi_sim.storage.writer import write_files

        missing = [chunk for chunk in self.chosen if chunk not in self.done]
        with closing(play_chunks(self.job, missing, n_jobs)) as results:
            for result in results:
                if result.unwritten:
                    write_files(self.folder, result.unwritten)
                    journal.add_entry(self.folder, result.entry)
                self.done[result.chunk] = result.entry
                advance(result.entry["n_games"], self._how_it_stands())
                if self._is_enough():
                    return
        left = sum(chunk not in self.done for chunk in missing)
        if left:  # never take for finished what is not
            raise RunFolderError(f"{left} chunks were not played, {self.folder}, go on with --resume")

    def _how_it_stands(self) -> str:
        from aoi_sim.storage.reader import open_run

        return "" if self._stand is None else self._stand(open_run(self.folder, partial=True))

    def _take_up(self, advance: Advance) -> None:
        """Take over the chunks that are finished, and delete what is not."""
        from aoi_sim.storage import journal

        entries = run_folder.kept_chunks(self.folder, self.plan, self.manifest["schemas"])
        self.done = {entry["chunk"]: entry for entry in entries}
        seconds = max((entry["seconds"] for entry in entries), default=0.0)
        self.job = replace(self.job, started=self.job.started - seconds)
        advance(self.n_games, "")
        journal.write_entries(self.folder, entries)
        if entries:
            run_folder.keep_only(self.folder, entries)

    def _is_enough(self) -> bool:
        """Whether the run may end: asked after each chunk in the order of the plan, whenever it was finished.

        What was played beyond is thrown away, so that the end does not depend on the workers.
        """
        if self._until is None:
            return False
        while self._told in self.done:
            self._told += 1
            if self._until.enough(self.done[self._told - 1]):
                return True
        return False

    @property
    def most_games(self) -> int:
        """Games to play if none are left out."""
        chunks = self.plan.chunks()
        return sum(len(chunks[chunk]) for chunk in self.chosen)

    @property
    def n_games(self) -> int:
        """Games of the finished chunks."""
        return sum(entry["n_games"] for entry in self.done.values())

    def _seconds(self) -> float:
        return time.time() - self.job.started

    def _stop(self, error: BaseException) -> None:
        """Leave a folder that can be taken up again, or nothing where nothing is finished, and raise."""
        with interrupts_held():
            # Chunks that workers have finished without a chance to tell.
            untold = run_folder.kept_chunks(self.folder, self.plan, self.manifest["schemas"], self.done)
            self.done |= {entry["chunk"]: entry for entry in untold}
            run_folder.keep_only(self.folder, list(self.done.values()))
        how_far = f"{self.n_games} of {self.most_games} games"
        if is_interrupt(error):
            if not self.done:
                text = f"interrupted before the first part was written, {self.folder}, run it again"
            else:
                text = f"interrupted after {how_far}, {self.folder} keeps them, go on with --resume"
            raise Interrupted(text, self.n_games) from error
        if isinstance(error, Exception) and not isinstance(error, RunFolderError):
            # What reads finished chunks meanwhile cannot say which of the run's files it misses.
            run_folder.refuse_missing(self.folder, self.done.values())
        if isinstance(error, OSError):
            if self.done and error.errno in _FULL:
                reason = os.strerror(error.errno or 0).lower()
                where = error.filename or self.folder
                text = f"{reason} after {how_far}, {where}, free some space and go on with --resume"
                raise RunFolderError(text) from error
            if error.filename is None:
                error.filename = str(self.folder)
        raise error
