"""Checks of a run against its plan: the chunks' borders, the seeds, who sat where with what."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from aoi_sim.sim.plan import GameSpec, Plan
from aoi_sim.sim.until import Until
from aoi_sim.storage.findings import RESTORE, Finding, some
from aoi_sim.storage.manifest import FILE_NAME
from aoi_sim.storage.manifest_checks import ends_early, is_part
from aoi_sim.storage.reader import Run

_DEALT = ("faction", "board")


def border_findings(run: Run, plan: Plan) -> Iterator[Finding]:
    """Chunks that are not those of the plan, or missing."""
    chunks, where = plan.chunks(), str(run.path / FILE_NAME)
    numbers = []
    for entry in run.manifest["chunks"]:
        number = entry["chunk"]
        games = range(entry["first_game"], entry["first_game"] + entry["n_games"])
        numbers.append(number)
        if number >= len(chunks) or games != chunks[number]:
            yield Finding(f"chunk {number} holds other games than the plan gives it", where, RESTORE)
    n_wanted = max(numbers, default=-1) + 1 if ends_early(run.manifest) else len(chunks)
    missing = sorted(set(range(n_wanted)) - set(numbers))
    if missing and not is_part(run.manifest):
        yield Finding(f"chunks of the plan are missing ({some(missing)})", where, RESTORE)


def until_findings(run: Run, plan: Plan) -> Iterator[Finding]:
    """A run that says it ended when enough was known, where its games say otherwise."""
    if not plan.config.until:
        return
    looker, chunks = Until(plan, run.path), run.manifest["chunks"]
    ends = [looker.enough(entry) for entry in chunks]
    whole = [entry["chunk"] for entry in chunks] == list(range(len(chunks)))
    ended_rightly = whole and not any(ends[:-1]) and (ends[-1] or len(chunks) == len(plan.chunks()))
    if not ended_rightly or _figures(looker.report()) != _figures(run.manifest.get("until") or {}):
        yield Finding("looks of --until are not those of the games", str(run.path / FILE_NAME), RESTORE)


def _figures(report: Mapping[str, Any]) -> dict[str, Any]:
    """What the looks found; the sentence about it may have been worded otherwise."""
    return {key: value for key, value in report.items() if key != "why"}


def deal_findings(run: Run, plan: Plan, entry: Mapping[str, Any]) -> Iterator[Finding]:
    """Games of a chunk whose block, seeds, players, factions or boards are not those of the plan.

    So the balance of the design is what the plan promises where nothing is found.
    """
    specs = list(plan.games(range(entry["first_game"], entry["first_game"] + entry["n_games"])))
    games = _rows(run, entry, "games")
    for name, expected in (
        ("block", [spec.block for spec in specs]),
        ("level", [plan.level_name(spec) for spec in specs]),
        ("replicate", [spec.replicate for spec in specs]),
        ("setup_seed", [spec.setup_seed for spec in specs]),
        ("player_seeds", [list(spec.player_seeds) for spec in specs]),
    ):
        wrong = [spec.index for spec, want, found in zip(specs, expected, games[name], strict=True) if want != found]
        yield from _finding(run, entry, "games", name, wrong)
    seats = _rows(run, entry, "seats")
    finished = set(seats["game_index"])
    played = [spec for spec in specs if spec.index in finished]
    heuristics = [name for spec in played for name in spec.heuristics]
    yield from _differing(run, entry, seats, "heuristic", heuristics)
    if played and all(spec.deal is not None for spec in played):
        for name in _DEALT:
            yield from _differing(run, entry, seats, name, [row.get(name) for row in _deals(played)])


def _deals(specs: Sequence[GameSpec]) -> Iterator[dict[str, str]]:
    for spec in specs:
        yield from spec.deal or ()


def _rows(run: Run, entry: Mapping[str, Any], name: str) -> dict[str, list[Any]]:
    keys = pl.selectors.categorical()
    return run.chunk_tables(entry, name)[name].with_columns(keys.cast(pl.String)).to_dict(as_series=False)


def _differing(
    run: Run, entry: Mapping[str, Any], seats: Mapping[str, list[Any]], name: str, expected: Sequence[str | None]
) -> Iterator[Finding]:
    """A finding for seats that differ from the plan; None leaves the players free."""
    rows = zip(seats["game_index"], expected, seats[name], strict=True)
    wrong = [index for index, want, found in rows if want is not None and want != found]
    yield from _finding(run, entry, "seats", name, wrong)


def _finding(run: Run, entry: Mapping[str, Any], table: str, name: str, wrong: Sequence[int]) -> Iterator[Finding]:
    if wrong:
        where = str(run.path / entry["files"][table]["path"])
        yield Finding(f"{name} is not what the plan says (game {some(sorted(set(wrong)))})", where, RESTORE)
