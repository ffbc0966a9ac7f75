"""The session of a run: chunks of a plan go to workers, which play them and write their files.

The parent counts, shows progress and writes the manifest last.
"""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from aoi_sim.fast import build_info
from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.job import ChunkDone, Job
from aoi_sim.sim.parts import PlanPart, chunks_of_part
from aoi_sim.sim.plan import Plan, PlanConfig
from aoi_sim.sim.progress import games_bar
from aoi_sim.sim.run_folder import kept_text, prepare_folder, tidy
from aoi_sim.sim.until import Until, stages
from aoi_sim.sim.workers import play_chunks, refuse_jobs

if TYPE_CHECKING:
    from aoi_sim.storage.reader import Run


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; says what was kept."""


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
) -> "Run":
    """Play a plan into a folder and return its ``Run``.

    Args:
        config: what to play.
        rules: with which rules.
        folder: the run folder, absent or empty.
        heuristics: those that the config names; None finds them by name.
        n_jobs: processes; -1 for as many as there are cores.
        events: whether to write the table of events.
        progress: whether to show the progress bar; None shows it on a terminal and in a notebook.
        part: the part of the plan to play; None for all.

    Raises:
        PlanError, RunFolderError, HeuristicError, OSError: wrong input, or the folder cannot be written.
        Interrupted: Ctrl-C.
    """
    from aoi_sim.analysis.trust import trust_of_files
    from aoi_sim.sim.provenance import manifest_of
    from aoi_sim.storage.manifest import write_manifest
    from aoi_sim.storage.reader import open_run

    plan = plan_for(config, rules)
    chosen = chunks_of_part(plan, part)
    until = Until(plan, folder) if config.until else None
    refuse_jobs(n_jobs)
    found = find_heuristics(config.names if heuristics is None else heuristics)
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
        with games_bar(sum(len(plan.chunks()[chunk]) for chunk in chosen), progress) as advance:
            for stage in [chosen] if until is None else stages(len(chosen)):
                with closing(play_chunks(job, stage, n_jobs)) as results:
                    for result in results:
                        done[result.chunk] = result
                        advance(result.n_games, "")
                if until is not None and _is_enough(until, plan, [done[chunk] for chunk in stage]):
                    break
        seconds = time.perf_counter() - started
        chunks = [done[i] for i in sorted(done)]
        manifest = manifest_of(plan, rules, job.heuristics, chunks, events, n_jobs, seconds)
        if part is not None:
            manifest["part"] = list(part)
        if until is not None:
            manifest["until"] = until.report()
        manifest["trust"] = trust_of_files(folder, manifest["chunks"], whole=len(chunks) == len(plan.chunks()))
        write_manifest(folder, manifest)
    except KeyboardInterrupt as error:
        tidy(folder)
        raise Interrupted(kept_text(folder, plan)) from error
    except BaseException as error:
        tidy(folder)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(folder)
        raise
    return open_run(folder)


def _is_enough(until: Until, plan: Plan, stage: Sequence[ChunkDone]) -> bool:
    """Look at a run after the chunks of a stage."""
    from aoi_sim.storage.manifest import chunk_entry

    chunks = plan.chunks()
    return any(until.enough(chunk_entry(one.chunk, chunks[one.chunk], one.parts)) for one in stage)
