"""What all what-if studies share: runs in a folder one after the other, effects and a report from what is there.

A study says which run it wants next from those it has, so one that searches does as well as one with a fixed list. Every run
is resumable; the same command goes on where a study was stopped, and a finished one only writes its report again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from aoi_sim.analysis.source import AnalysisError
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.interrupts import interrupts_raised
from aoi_sim.sim.request import Request
from aoi_sim.sim.runner import Interrupted, run_plan
from aoi_sim.sim.workers import refuse_jobs
from aoi_sim.storage.findings import counted
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run, open_run
from aoi_sim.studies.study_folder import StudyFolder, words_of
from aoi_sim.studies.study_report import Page, Section

Runs = Mapping[str, Run]
"""Runs of a study by their name; the last one may be partial."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class StudyRun:
    """A run that a study wants.

    Attributes:
        name: of its folder under ``runs``; ``/`` makes folders in folders.
        request: what to play.
        events: whether it needs the table of events.
    """

    name: str
    request: Request
    events: bool = False


class Study(ABC):
    """A what-if study.

    Attributes:
        kind: its word on the command line.
        title: of its report.
        note: what to know before it is played, a line; None if nothing.
    """

    kind: ClassVar[str]
    title: str
    note: str | None = None

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """All that decides its figures, as plain data: rules by hash, players by content, seed, sizes."""

    @abstractmethod
    def next_run(self, done: Runs) -> StudyRun | None:
        """The run wanted next, None when all is known. A pure function of the finished runs."""

    @abstractmethod
    def effects(self, runs: Runs) -> pl.DataFrame:
        """The figures from the runs so far, with the columns of ``study_effects.SCHEMA``."""

    @abstractmethod
    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """The report on them; what the command line prints is its first section."""

    @abstractmethod
    def precision(self, run: Run) -> str:
        """In a few words how well a run, finished or not, knows what it is for."""

    def shortfall(self, runs: Runs, effects: pl.DataFrame) -> str | None:
        """What a finished study did not reach, one line: what, where, what to do; None if nothing."""
        return None


@dataclass(frozen=True)
class Outcome:
    """A finished study.

    Attributes:
        effects: its figures.
        page: its report.
        runs: by name.
        shortfall: what went wrong, a line, None if nothing.
    """

    effects: pl.DataFrame
    page: Page
    runs: Runs
    shortfall: str | None


def conduct(
    study: Study,
    path: Path,
    *,
    n_jobs: int = -1,
    progress: bool | None = None,
    say: Say = lambda line: None,
) -> Outcome:
    """Play what a study still wants and write its effects and report.

    Args:
        study: which one.
        path: its folder, absent, empty, or with the same study.
        n_jobs: processes; -1 for as many as there are cores.
        progress: whether to show a progress bar; None shows it on a terminal and in a notebook.
        say: is told the study's note and a line for each finished run.

    Raises:
        StudyError, PlanError, RunFolderError, OSError: wrong input, or the folder cannot be used.
        Interrupted: Ctrl-C; effects and report of what was played are written.
    """
    refuse_jobs(n_jobs)
    wanted = study.next_run({})
    if wanted is not None:
        # Refuses what cannot be played before anything is written.
        plan_for(wanted.request.config, wanted.request.rules)
    folder = StudyFolder(path, study.kind, study.settings())
    if study.note is not None:
        say(study.note)
    runs: dict[str, Run] = {}
    try:
        with interrupts_raised():
            while wanted is not None:
                run = _play(study, wanted, folder.run(wanted.name), n_jobs, progress)
                runs[wanted.name] = run
                line = _careful(study.precision, run)
                folder.note(wanted.name, line)
                say(f"{wanted.name}: {counted(run.n_games, 'game')}, {line}")
                wanted = study.next_run(runs)
    except KeyboardInterrupt as error:
        raise _stopped(study, folder, runs, wanted) from error
    effects = study.effects(runs)
    page = _page(study, runs, study.sections(runs, effects))
    folder.write(effects, page, finished=True)
    return Outcome(effects, page, runs, _failed(runs) or study.shortfall(runs, effects))


def _play(study: Study, wanted: StudyRun, path: Path, n_jobs: int, progress: bool | None) -> Run:
    path.parent.mkdir(parents=True, exist_ok=True)
    request = wanted.request
    return run_plan(
        request.config,
        request.rules,
        path,
        heuristics=request.heuristics,
        n_jobs=n_jobs,
        events=wanted.events,
        progress=progress,
        resume=True,
        stand=lambda run: f"{wanted.name}: {_careful(study.precision, run)}",
    )


def _careful(precision: Callable[[Run], str], run: Run) -> str:
    """The precision; a run may be too short yet to have one."""
    try:
        return precision(run)
    except AnalysisError:
        return "too few games yet"


def _stopped(study: Study, folder: StudyFolder, runs: dict[str, Run], wanted: StudyRun | None) -> Interrupted:
    """Write what is known after Ctrl-C, and the line that says so."""
    if wanted is not None and wanted.name not in runs:
        with suppress(RunFolderError):  # raised where nothing of it was finished
            runs[wanted.name] = open_run(folder.run(wanted.name), partial=True)
    games = sum(run.n_games for run in runs.values())
    if games:
        try:
            effects = study.effects(runs)
            sections = study.sections(runs, effects)
        except AnalysisError as error:
            text = f"nothing can be said yet: {error}"
            return Interrupted(
                f"interrupted after {counted(games, 'game')}, {folder.path}, go on with the same command ({text})"
            )
        unfinished = Section("Unfinished", ["This study was stopped; the figures are those of the games so far."])
        folder.write(effects, _page(study, runs, [unfinished, *sections]), finished=False)
    return Interrupted(
        f"interrupted after {counted(games, 'game')}, {folder.path} keeps them, go on with the same command",
        n_games=games,
    )


def _failed(runs: Runs) -> str | None:
    failed = {name: run for name, run in runs.items() if run.n_failed}
    if not failed:
        return None
    n_failed = sum(run.n_failed for run in failed.values())
    run = next(iter(failed.values()))
    are = "is" if n_failed == 1 else "are"
    return f"{counted(n_failed, 'game')} failed and {are} left out, {run.path}, its folder failures says why"


def _of_runs(runs: Runs) -> Section:
    """What was played."""
    rows = []
    for name, run in runs.items():
        config = run.manifest["config"]
        editions = [level["edition"] for level in config.get("levels", [])] or [run.manifest["rules"]["edition"]]
        trust = [entry["name"] for entry in run.manifest.get("trust", []) if entry["verdict"] == "suspicious"]
        rows.append(
            {
                "run": name,
                "games": str(run.n_games),
                "failed": str(run.n_failed),
                "players": str(config["n_players"]),
                "design": config["design"],
                "seed": str(config["seed"]),
                "who plays": ",".join(config["heuristics"]),
                "edition": ", ".join(dict.fromkeys(editions)),
                "build": run.manifest["build"],
                "trust checks": f"suspicious: {', '.join(trust)}" if trust else "ok",
            }
        )
    return Section("What was played", [], pl.DataFrame(rows))


def _page(study: Study, runs: Runs, sections: Sequence[Section]) -> Page:
    """The report with what was played, by whom, and where it comes from."""
    from aoi_sim.report.context import players
    from aoi_sim.report.study import Study as Studied

    by_players: dict[tuple[str, ...], Run] = {}
    for run in runs.values():
        by_players.setdefault(tuple(run.manifest["config"]["heuristics"]), run)
    lines = [line for run in by_players.values() for line in players(Studied(run))]
    first = next(iter(runs.values())).manifest
    facts = {
        "study": study.kind,
        **{name: words_of(value) for name, value in study.settings().items()},
        "program": f"aoi-sim {first['versions']['aoi-sim']} ({first['build']})",
        "source revision": first["git_revision"] or "unknown",
    }
    return Page(study.title, [*sections, _of_runs(runs)], lines, facts)
