"""`python -m tests.bench.study [--games N] [--jobs J] [--out DIR]`: the balanced study with `expert`, its time and errors.

Every pairing of a faction with a board is played equally often at four players; 8,400 games give each 400 seats. Prints the
time and, for every pairing, the margin (VP less the table's mean) with its standard error, clustered by set-up.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import polars as pl

import aoi_sim as aoi
from aoi_sim.analysis.margins import margin_by_faction, margin_rows
from aoi_sim.cli.errors import status_of
from aoi_sim.cli.tables import print_table
from aoi_sim.storage.reader import Run

GAMES = 8400
SEED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.study", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--games", type=int, default=GAMES, help=f"games of the study (default {GAMES})")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 for as many as there are cores")
    parser.add_argument("--out", type=Path, help="folder that keeps the run, absent or empty before")
    chosen = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="aoi-sim-study-") as spare:
            run = aoi.simulate(
                chosen.games, 4, "expert", seed=SEED, n_jobs=chosen.jobs, out=chosen.out or Path(spare) / "run"
            )
            print_study(run)
            return 1 if run.n_failed else 0
    except (Exception, KeyboardInterrupt) as error:
        return status_of(error)


def print_study(run: Run) -> None:
    """Print time, margins and standard errors of a balanced run."""
    manifest = run.manifest
    seconds = manifest["wall_seconds"]
    print(
        f"{run.n_games} games of 4 expert players, {manifest['build']} build, {manifest['jobs']} jobs: {seconds:.0f} s, "
        f"{run.n_games / seconds:.1f} games/s, {run.n_failed} failed"
    )
    rows = margin_rows(run.seats(), run.games()).collect().lazy()
    cells = margin_by_faction(rows, ["faction", "board"]).filter(pl.col("quantity") == "margin")
    factions = margin_by_faction(rows).filter(pl.col("quantity") == "margin")
    by_cell = {(row["faction"], row["board"]): row for row in cells.iter_rows(named=True)}
    boards = sorted({board for _, board in by_cell})
    lines = [
        [row["faction"], *(_figure(by_cell.get((row["faction"], board))) for board in boards), _figure(row)]
        for row in factions.sort("value", descending=True).iter_rows(named=True)
    ]
    print_table("Margin in VP and its standard error", ["faction", *boards, "all boards"], lines)
    errors = cells["se"].drop_nulls()
    if len(errors):
        print(
            f"\nStandard error of a pairing {errors.min():.2f} to {errors.max():.2f} VP, median {errors.median():.2f}; "
            f"of a faction {factions['se'].min():.2f} to {factions['se'].max():.2f} VP"
        )


def _figure(row: dict[str, float] | None) -> str:
    if row is None:
        return "-"
    return f"{row['value']:.1f}" + ("" if row["se"] is None else f" ({row['se']:.2f})")


if __name__ == "__main__":
    sys.exit(main())
