"""``aoi-sim arena``: balanced match-ups between heuristics, rated."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.errors import INTERRUPTED, WRONG, InputError, complain
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.cli.run import failed_text
from aoi_sim.cli.tables import interval, print_table
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    import polars as pl

    from aoi_sim.storage.reader import Run


def arena(
    heuristics: Annotated[str, typer.Option("--heuristics", help="Who plays: a,b,... (names or files), two or more.")],
    games: Annotated[int, typer.Option("--games", help="Number of games; rounded up to whole set-ups.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the run, absent or empty before.")],
    players: run_options.Players = 4,
    seed: run_options.Seed = 1,
    jobs: run_options.Jobs = -1,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
    events: run_options.Events = "full",
    resume: run_options.Resume = False,
) -> None:
    """Let heuristics meet each other equally often on common set-ups, from all seats, and rate them."""
    from aoi_sim.sim.arena import arena as play_arena
    from aoi_sim.sim.runner import Interrupted

    if events not in ("full", "summary"):
        raise InputError(f"unknown events {events!r}, --events, choose full or summary")
    names = [name.strip() for name in heuristics.split(",") if name.strip()]
    try:
        run = play_arena(
            names,
            games,
            out,
            rules=ruleset_of(edition, rules),
            n_players=players,
            seed=seed,
            n_jobs=jobs,
            events=events == "full",
            resume=resume,
        )
    except Interrupted as error:
        complain(str(error))
        raise typer.Exit(INTERRUPTED) from error
    if run.n_failed < run.n_games:
        print_arena(run)
    typer.echo(f"\nData: {run.path} (manifest.json, {', '.join(run.tables)})")
    if run.n_failed:
        complain(failed_text(run))
        raise typer.Exit(WRONG)


def print_arena(run: "Run") -> None:
    """Print rating, VP, margins, wins, sources of VP and the pairs of an arena's run."""
    from aoi_sim.analysis import contests, ratings

    rows = contests.seat_rows(run.seats(), run.games()).collect().lazy()
    rating = ratings.rating_by_heuristic(rows)
    order: list[str] = rating["heuristic"].to_list()
    n_blocks = rating["blocks"][0]
    typer.echo(
        f"{counted(run.n_games, 'game')} of {run.manifest['config']['n_players']} players on {counted(n_blocks, 'set-up')}, "
        f"{run.n_failed} failed; ± is half of the 95 % interval, clustered by set-up"
    )
    columns = [
        _by_heuristic(rating, 0),
        _by_heuristic(contests.vp_by_heuristic(rows), 1),
        _by_heuristic(contests.margin_by_heuristic(rows), 1),
        _by_heuristic(contests.win_share_by_heuristic(rows), 3),
    ]
    games = dict(rating.select("heuristic", "n").iter_rows())
    print_table(
        "Heuristics (rating: 400 points are odds of 10 to 1 to finish ahead; margin: VP ahead of the others' seats)",
        ["heuristic", "games", "rating", "mean VP", "margin", "win share"],
        [[name, str(games[name]), *(column.get(name, "-") for column in columns)] for name in order],
    )
    _print_sources(contests.vp_source_by_heuristic(rows), order)
    pairs = contests.margin_by_pair(rows)
    for quantity, title, decimals in (
        ("margin", "VP of the row's seats ahead of the column's, at common tables", 1),
        ("ahead", "Share of the row's seats ahead of the column's (a tie is half)", 3),
    ):
        _print_matrix(pairs, order, quantity, title, decimals)


def _by_heuristic(table: "pl.DataFrame", decimals: int) -> dict[str, str]:
    return {row["heuristic"]: interval(row, decimals) for row in table.iter_rows(named=True)}


def _print_sources(table: "pl.DataFrame", order: list[str]) -> None:
    cells = {(row["quantity"], row["heuristic"]): row for row in table.iter_rows(named=True)}
    sources = sorted({source for source, _ in cells}, key=lambda source: -cells[source, order[0]]["value"])
    used = [source for source in sources if any(cells[source, name]["value"] for name in order)]
    print_table(
        "VP by source",
        ["source", *order],
        [[source.replace("_", " "), *(interval(cells[source, name]) for name in order)] for source in used],
    )


def _print_matrix(table: "pl.DataFrame", order: list[str], quantity: str, title: str, decimals: int) -> None:
    cells = {
        (row["heuristic"], row["rival"]): interval(row, decimals)
        for row in table.iter_rows(named=True)
        if row["quantity"] == quantity
    }
    print_table(title, ["", *order], [[name, *(cells.get((name, rival), "") for rival in order)] for name in order])
