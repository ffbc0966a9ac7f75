"""What a worker is told, what it does with it, and what it reports.

Workers are given the config, the rules and the heuristics as data (a class of a notebook by pickle) and make plan and
players themselves.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from aoi_sim.fast import require_build
from aoi_sim.players import Heuristic, makers_of
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.plan import Plan, PlanConfig
from aoi_sim.storage.writer import Part, write_chunk


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
def prepared(job: Job) -> tuple[Plan, Ruleset]:
    """Plan and ruleset of a job, made once a process."""
    require_build(job.build)
    rules = load_ruleset(job.edition, dict(job.options), list(job.overlays))
    if rules.hash != job.rules_hash:
        raise RuntimeError(f"ruleset {rules.hash} of a worker is not {job.rules_hash}")
    return plan_for(job.config, rules), rules


def play_chunk(job: Job, chunk: int) -> ChunkDone:
    """Play a chunk and write its files; runs in a worker."""
    from aoi_sim.sim.level_rows import LevelRows
    from aoi_sim.sim.match import play_spec

    plan, _ = prepared(job)
    makers = makers_of(job.heuristics)
    rows = LevelRows(plan, events=job.events)
    n_failed = 0
    for spec in plan.games(plan.chunks()[chunk]):
        played = play_spec(spec, plan.rulesets[spec.level], makers, plan.config.n_players, plan.config.setup)
        n_failed += played.error is not None
        rows.add(spec, played)
    parts = write_chunk(Path(job.folder), chunk, rows.tables())
    return ChunkDone(chunk, len(plan.chunks()[chunk]), n_failed, parts)
