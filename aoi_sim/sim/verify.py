"""Is a run what it says it is: its files, its tables, its plan, and a sample of its games played again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.trust import trust_of_files
from aoi_sim.players import HeuristicError, makers_of
from aoi_sim.sim.game_checks import content_is_hash, decision_findings, few, player_findings, players_at_hand, sample
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.plan_checks import border_findings, deal_findings, until_findings
from aoi_sim.sim.rerun import plan_of
from aoi_sim.storage.content_checks import content_findings
from aoi_sim.storage.file_checks import chunk_findings, foreign_findings
from aoi_sim.storage.findings import RESTORE, Finding
from aoi_sim.storage.journal import with_journal
from aoi_sim.storage.manifest import FILE_NAME, RunFolderError, files_of, read_manifest
from aoi_sim.storage.manifest_checks import is_part, manifest_findings, shape_findings
from aoi_sim.storage.reader import Run
from aoi_sim.storage.upgrades import is_readable

N_REPLAYED: Final = 50
N_PLAYED_AGAIN: Final = 2
_MOST_OF_A_KIND: Final = 20
"""Findings of one check that are kept; the rest is counted."""


@dataclass(slots=True)
class Verification:
    """What ``verify_run`` did and found.

    Attributes:
        n_games: games of the chunks that are there.
        n_files: files read.
        n_replayed: games whose stored decisions were played again.
        n_played_again: games that their players played again.
        partial: whether the run holds some chunks of its plan only.
        unfinished: whether it was stopped before its last game.
        n_planned: games of its plan.
        notes: what could not be checked, and why.
        findings: what is wrong.
    """

    n_games: int = 0
    n_files: int = 0
    n_replayed: int = 0
    n_played_again: int = 0
    partial: bool = False
    unfinished: bool = False
    n_planned: int = 0
    notes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def add(self, findings: Iterable[Finding]) -> None:
        """Keep findings, the first of many."""
        found = list(findings)
        self.findings += found[:_MOST_OF_A_KIND]
        if len(found) > _MOST_OF_A_KIND:
            more = len(found) - _MOST_OF_A_KIND
            self.findings.append(Finding(f"{more} more of this kind", found[-1].where, found[-1].advice))


def verify_run(folder: Path, n_replayed: int = N_REPLAYED) -> Verification:
    """Check a run.

    Args:
        folder: the run folder.
        n_replayed: games to play again, spread over the run; -1 for all.

    Raises:
        RunFolderError: there is no run.
    """
    done = Verification()
    try:
        manifest = read_manifest(folder)
    except RunFolderError as error:
        if not any(folder.glob("*/part-*.parquet")):
            raise
        done.add([_finding_of(error)])
        return done
    done.add(shape_findings(folder, manifest))
    if done.findings:
        return done
    done.partial, done.unfinished = is_part(manifest), bool(manifest.get("partial"))
    done.n_planned = manifest["config"]["n_games"]
    done.add(manifest_findings(folder, manifest))
    if manifest.get("partial"):
        manifest = with_journal(folder, manifest)
    done.add(foreign_findings(folder, manifest))
    run = Run(folder, manifest)
    sound = _check_chunks(done, run)
    if len(sound) == len(manifest["chunks"]):
        done.add(_failure_findings(run))
        done.add(_trust_findings(run))
    for entry in manifest["heuristics"]:
        if not content_is_hash(entry):
            what = f"content of heuristic {entry['name']} is not that of its sha256"
            done.add([Finding(what, str(folder / FILE_NAME), "restore manifest.json from a copy")])
    try:
        plan, _ = plan_of(run)
    except RunFolderError as error:
        done.add([_finding_of(error)])
        done.notes.append("design and games not checked: there is no plan to check them against")
        return done
    done.add(border_findings(run, plan))
    if sound and len(sound) == len(manifest["chunks"]) and not manifest.get("partial"):
        done.add(until_findings(run, plan))
    for entry in list(sound):
        found = list(deal_findings(run, plan, entry))
        done.add(found)
        if found:
            sound.remove(entry)
    _check_games(done, run, plan, sound, n_replayed)
    return done


def _finding_of(error: RunFolderError) -> Finding:
    what, where, advice = (str(error).rsplit(", ", 2) + [RESTORE, RESTORE])[:3]
    return Finding(what, where, advice)


def _check_chunks(done: Verification, run: Run) -> list[Mapping[str, Any]]:
    """Check files and tables; returns the chunks in which nothing is wrong."""
    manifest, sound = run.manifest, []
    unread = [name for name, version in manifest["schemas"].items() if not is_readable(name, version)]
    for name in unread:
        what = f"table {name} has schema version {manifest['schemas'][name]}, which this aoi-sim cannot read"
        done.add([Finding(what, str(run.path / FILE_NAME), "restore it or use a newer aoi-sim")])
    for entry in manifest["chunks"]:
        found = chunk_findings(run.path, manifest, entry)
        done.n_files += sum(1 for _ in files_of(entry))
        done.n_games += entry["n_games"]
        if not found and not unread:
            found = list(_table_findings(run, entry))
            if not found:
                sound.append(entry)
        done.add(found)
    return sound


def _table_findings(run: Run, entry: Mapping[str, Any]) -> Iterator[Finding]:
    try:
        for one in content_findings(run.manifest, entry, run.chunk_tables(entry)):
            yield Finding(one.what, str(run.path / one.where), one.advice)
    except (pl.exceptions.PolarsError, OSError) as error:
        where = str(run.path / entry["files"]["games"]["path"])
        text = " ".join(str(error).split())
        yield Finding(f"tables of chunk {entry['chunk']} cannot be read ({text})", where, RESTORE)


def _failure_findings(run: Run) -> Iterator[Finding]:
    failed = pl.col("status").cast(pl.String) == "failed"
    n_failed = run.games().select(failed.sum()).collect().item()
    if n_failed != run.n_failed:
        what = f"manifest contradicts the games: counts.failed is {run.n_failed}, {n_failed} have failed"
        yield Finding(what, str(run.path / FILE_NAME), "restore manifest.json from a copy")


def _trust_findings(run: Run) -> Iterator[Finding]:
    stored = {check["name"]: check["verdict"] for check in run.manifest.get("trust", [])}
    whole = run.n_games == run.manifest["config"]["n_games"]
    found = trust_of_files(run.path, run.manifest["chunks"], whole) if stored else []
    for check in found:
        if stored.get(check["name"]) != check["verdict"]:
            what = f"trust check {check['name']} is {check['verdict']} ({check['sentence']}), not as the manifest says"
            yield Finding(what, str(run.path / FILE_NAME), "restore manifest.json from a copy")


def _check_games(done: Verification, run: Run, plan: Plan, sound: list[Mapping[str, Any]], n_replayed: int) -> None:
    """Play a sample of games again; of those with events also a few by their players."""
    chosen = sample(run, sound, n_replayed)
    if "events" in run.tables:
        for entry, indices in chosen:
            done.add(decision_findings(run, plan, entry, indices))
            done.n_replayed += len(indices)
        chosen = [] if done.findings else few(chosen, N_PLAYED_AGAIN)
    try:
        players = players_at_hand(run.manifest)
    except HeuristicError as error:
        done.notes.append(f"no game was played again by its players: {error}")
        return
    try:
        makers = makers_of(players)
    except HeuristicError as error:
        what = f"players of the manifest cannot play ({error})"
        done.add([Finding(what, str(run.path / FILE_NAME), "restore manifest.json from a copy")])
        return
    for entry, indices in chosen:
        done.add(player_findings(run, plan, makers, entry, indices))
        done.n_played_again += len(indices)
