"""Checks of games by playing them again: from their stored decisions, and by their players."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import polars as pl

from aoi_sim.players import Heuristic, HeuristicError
from aoi_sim.players.heuristic import Maker
from aoi_sim.sim.level_rows import LevelRows
from aoi_sim.sim.match import Played, play_spec
from aoi_sim.sim.plan import GameSpec, Plan
from aoi_sim.sim.provenance import heuristic_entry, heuristics_of
from aoi_sim.sim.rerun import play_decisions, stored_decisions
from aoi_sim.storage.findings import Finding
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.packed import frame_of
from aoi_sim.storage.reader import Run

_UNTRUE = "do not trust this run; restore it from a copy or play it again"


Entry = Mapping[str, Any]
"""A chunk as the manifest lists it."""


def sample(run: Run, entries: Sequence[Entry], n_wanted: int) -> list[tuple[Entry, list[int]]]:
    """Finished games of some chunks, spread evenly over them: indices by chunk; -1 for all."""
    finished: list[tuple[int, int]] = []
    for number, entry in enumerate(entries):
        games = run.chunk_tables(entry, "games")["games"]
        indices = games.filter(pl.col("status").cast(pl.String) == "finished")["game_index"].to_list()
        finished += [(number, index) for index in indices]
    n = len(finished) if n_wanted < 0 else min(n_wanted, len(finished))
    chosen = [finished[place * len(finished) // n] for place in range(n)]
    groups = groupby(chosen, key=lambda pair: pair[0])
    return [(entries[number], [index for _, index in pairs]) for number, pairs in groups]


def few(chosen: Sequence[tuple[Entry, list[int]]], n_wanted: int) -> list[tuple[Entry, list[int]]]:
    """The first and further games of a sample, evenly spread."""
    flat = [(number, index) for number, (_, indices) in enumerate(chosen) for index in indices]
    n = min(n_wanted, len(flat))
    kept = {flat[place * len(flat) // n] for place in range(n)}
    thinned = [(e, [index for index in indices if (k, index) in kept]) for k, (e, indices) in enumerate(chosen)]
    return [(entry, indices) for entry, indices in thinned if indices]


def decision_findings(run: Run, plan: Plan, entry: Entry, indices: Sequence[int]) -> Iterator[Finding]:
    """Games of a chunk whose stored decisions are against the rules or lead to other rows than the stored ones."""
    tables = run.chunk_tables(entry)
    decisions = stored_decisions(tables["events"].lazy(), indices)
    again: list[tuple[GameSpec, Played]] = []
    for index in indices:
        spec = plan.game(index)
        try:
            again.append((spec, play_decisions(plan, spec, decisions[index])))
        except RunFolderError as error:
            yield Finding(str(error), str(run.path / entry["files"]["events"]["path"]), _UNTRUE)
    rows = _row_findings(tables, plan, again, "its decisions give")
    yield from (Finding(one.what, str(run.path / entry["files"][one.where]["path"]), one.advice) for one in rows)


def player_findings(
    run: Run, plan: Plan, makers: Mapping[str, Maker], entry: Entry, indices: Sequence[int]
) -> Iterator[Finding]:
    """Games of a chunk in which the players now act otherwise than they are stored to have acted."""
    config = plan.config
    again = []
    for index in indices:
        spec = plan.game(index)
        played = play_spec(spec, plan.rulesets[spec.level], makers, config.n_players, config.setup)
        if played.error is None:
            again.append((spec, played))
        else:
            yield Finding(f"game {index} played again fails ({played.error})", str(run.path), _UNTRUE)
    rows = _row_findings(run.chunk_tables(entry), plan, again, "its players give")
    yield from (Finding(one.what, str(run.path / entry["files"][one.where]["path"]), one.advice) for one in rows)


def _row_findings(
    tables: Mapping[str, pl.DataFrame], plan: Plan, again: Sequence[tuple[GameSpec, Played]], by: str
) -> Iterator[Finding]:
    """Rows of games that differ from those made again, one finding a game and table; it is placed by table."""
    for spec, played in again:
        rows = LevelRows(plan, events="events" in tables)
        rows.add(spec, played)
        for name, table in rows.tables().items():
            made = frame_of(name, table)
            stored = tables[name].filter(pl.col("game_index") == spec.index)
            difference = _difference(_plain(stored), _plain(made), by)
            if difference:
                yield Finding(f"game {spec.index} is not what was played: {difference}", name, _UNTRUE)


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Words as words, whichever numbers stand for them."""
    return frame.with_columns(pl.selectors.categorical().cast(pl.String))


def _difference(stored: pl.DataFrame, made: pl.DataFrame, by: str) -> str | None:
    """The first difference of two tables in words; None if they are equal."""
    if stored.equals(made):
        return None
    if len(stored) != len(made):
        return f"{len(stored)} rows, {by} {len(made)}"
    for name in made.columns:
        pairs = zip(stored[name].to_list(), made[name].to_list(), strict=True)
        for row, (one, other) in enumerate(pairs):
            if one != other:
                return f"{name} in its row {row} is {one}, {by} {other}"
    return "its columns differ"


def content_is_hash(entry: Mapping[str, Any]) -> bool:
    """Whether a heuristic of the manifest has the content that its hash says."""
    return hashlib.sha256(str(entry["content"]).encode()).hexdigest() == str(entry["sha256"])


def players_at_hand(manifest: Mapping[str, Any]) -> list[Heuristic]:
    """The heuristics of a run if they and the code that they need are what they were.

    Raises:
        HeuristicError: they are not; the message says why.
    """
    found = heuristics_of(manifest)
    for heuristic, entry in zip(found, manifest["heuristics"], strict=True):
        if heuristic.kind == "module":
            continue  # looked up by its hash
        now = heuristic_entry(heuristic)
        key = "sha256" if heuristic.kind == "built-in" else "program_sha256"
        if now[key] != entry.get(key):
            raise HeuristicError(f"the code of {heuristic.name} has changed since")
    return found
