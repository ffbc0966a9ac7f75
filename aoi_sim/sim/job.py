"""What a worker is told, what it does with it, and what it reports.

Workers are given the config, the rules and the heuristics as data (a class of a notebook by pickle) and make plan and
players themselves.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from aoi_sim.fast import require_build
from aoi_sim.fast.stamp import ROOT, modules, source_hash, source_path
from aoi_sim.players import Heuristic, makers_of
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.lock import holds_token
from aoi_sim.sim.plan import Plan, PlanConfig, PlanError
from aoi_sim.storage.journal import add_entry
from aoi_sim.storage.manifest import chunk_entry
from aoi_sim.storage.schemas import TABLE_NAMES
from aoi_sim.storage.writer import chunk_files, write_files


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
        hashes: name, hash of the content and of the program that reads it of each heuristic, as the worker must find
            them too.
        events: whether the table of events is written.
        folder: the run folder.
        token: what its lock file holds; a worker that does not find it there sees another folder, or none.
        started: when the run started, in seconds since the epoch, less the time between its sessions.
        build: build of the parent, which the worker must run too.
        program: hash of engine and players, as the worker must have them.
        scheduler: address of the scheduler of the cluster that plays; None where processes of this machine do.
    """

    config: PlanConfig
    edition: str
    options: tuple[tuple[str, Any], ...]
    overlays: tuple[str, ...]
    rules_hash: str
    heuristics: tuple[Heuristic, ...]
    hashes: tuple[tuple[str, str, str], ...]
    events: bool
    folder: str
    token: str
    started: float
    build: str
    program: str
    scheduler: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkDone:
    """A chunk that was played.

    Attributes:
        chunk: its number.
        entry: the chunk as journal and manifest list it.
        unwritten: path and content of its files if the worker does not see the run folder, in the order of writing;
            they and the line of the journal are for the parent to write.
    """

    chunk: int
    entry: dict[str, Any]
    unwritten: list[tuple[str, bytes]] = field(default_factory=list)


@lru_cache(maxsize=2)
def prepared(job: Job) -> tuple[Plan, Ruleset]:
    """Plan and ruleset of a job, made once a process.

    Raises:
        PlanError, StaleBuildError: this process has another build, rules or players than the parent.
    """
    require_build(job.build)
    rules = _ruleset(job.edition, job.options, job.overlays)
    if rules.hash != job.rules_hash:
        raise PlanError(f"ruleset {rules.hash} of a worker is not {job.rules_hash}, --rules, install the same aoi-sim")
    if job.scheduler is not None and (program_hash() != job.program or hashes_of(job.heuristics) != job.hashes):
        raise PlanError(
            "a worker has another version of engine or players, --scheduler, install the same aoi-sim there"
        )
    return plan_for(job.config, rules), rules


@lru_cache(maxsize=2)
def _ruleset(edition: str, options: tuple[tuple[str, Any], ...], overlays: tuple[str, ...]) -> Ruleset:
    """The ruleset of the jobs of a process, which plays one run after the other."""
    return load_ruleset(edition, dict(options), list(overlays))


def play_chunk(job: Job, chunk: int) -> ChunkDone:
    """Play a chunk and write its files where the run folder is to be seen."""
    plan, _ = prepared(job)
    made = None
    with suppress(Exception):  # of a state that a player damaged; which game it was shows when each is tried apart
        made = _played(job, plan, chunk)
    tables, failures = made or _played(job, plan, chunk, apart=True)
    return _stored(job, plan, chunk, tables, failures, len(failures))


def _played(job: Job, plan: Plan, chunk: int, apart: bool = False) -> tuple[dict[str, Any], list[tuple[str, bytes]]]:
    """Play a chunk: its tables, and path and content of the text of each failed game.

    Args:
        job: what is played.
        plan: its plan.
        chunk: number of the chunk.
        apart: whether a game that cannot be made into rows is a failed one; else it is raised.
    """
    from aoi_sim.sim.failures import failure_path, failure_text
    from aoi_sim.sim.level_rows import LevelRows
    from aoi_sim.sim.match import play_spec, up_to_damage

    makers = makers_of(job.heuristics)
    rows = LevelRows(plan, events=job.events)
    failures = []
    for spec in plan.games(plan.chunks()[chunk]):
        rules = plan.rulesets[spec.level]
        played = play_spec(spec, rules, makers, plan.config.n_players, plan.config.setup)
        if apart:
            try:
                alone = LevelRows(plan, events=job.events)
                alone.add(spec, played)
                alone.tables()
                if played.error is not None:
                    failure_text(plan, spec, played)
            except Exception as error:
                played.error = played.error or error
                played = up_to_damage(played, spec, rules, plan.config.setup)
        if played.error is not None:
            text = failure_text(plan, spec, played)
            failures.append((failure_path(spec.index), text.encode("utf-8", "backslashreplace")))
        rows.add(spec, played)
    return rows.tables(), failures


def dead_chunk(job: Job, chunk: int, reason: str) -> ChunkDone:
    """Store a chunk that no worker survives: all its games fail."""
    from aoi_sim.sim.failures import WorkerDiedError, dead_chunk_path, dead_chunk_text
    from aoi_sim.sim.level_rows import LevelRows
    from aoi_sim.sim.match import Played

    plan, _ = prepared(job)
    rows = LevelRows(plan, events=job.events)
    error = WorkerDiedError(reason)
    for spec in plan.games(plan.chunks()[chunk]):
        played = Played()
        played.error = error
        rows.add(spec, played)
    text = dead_chunk_text(plan, chunk, error).encode()
    return _stored(job, plan, chunk, rows.tables(), [(dead_chunk_path(chunk), text)], len(plan.chunks()[chunk]))


def hashes_of(heuristics: Sequence[Heuristic]) -> tuple[tuple[str, str, str], ...]:
    """Name, hash of the content and of the program that reads it of each heuristic."""
    from aoi_sim.sim.provenance import heuristic_entry

    entries = map(heuristic_entry, heuristics)
    return tuple((entry["name"], entry["sha256"], entry.get("program_sha256", "")) for entry in entries)


def program_hash() -> str:
    """Hash of the sources of engine and players."""
    hashes = (source_hash(ROOT / source_path(module)) for module in modules())
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def _stored(
    job: Job, plan: Plan, chunk: int, tables: Mapping[str, Any], failures: list[tuple[str, bytes]], n_failed: int
) -> ChunkDone:
    """Write a chunk, or pack it up where the run folder is not to be seen."""
    made = chunk_files(chunk, tables)
    files = failures + [(part.path, content) for part, content in made]
    folder = Path(job.folder)
    parts = sorted((part for part, _ in made), key=lambda part: TABLE_NAMES.index(part.table))
    entry = chunk_entry(chunk, plan.chunks()[chunk], parts, n_failed, failures)
    entry["seconds"] = round(time.time() - job.started, 3)
    if holds_token(folder, job.token):
        write_files(folder, files)
        add_entry(folder, entry)
        files = []
    return ChunkDone(chunk, entry, files)
