"""The section on how many games it takes, from the variances of the run itself."""

import polars as pl

from aoi_sim.analysis.sample_size import games_needed_by_faction, games_needed_by_quantity
from aoi_sim.report.document import Column, Section, Sheet
from aoi_sim.report.sentences import counted
from aoi_sim.report.sheets import plain_sheet
from aoi_sim.report.study import Study

_NEEDED = (
    Column("n", "n", "games of the run that the errors come from", "count"),
    Column("blocks", "set-ups", "set-ups in which it plays", "count"),
    Column("games", "games", "games in all until the 95 % interval is so narrow, in the design of this run", "count"),
    Column("more", "more", "games beyond those of the run; 0 where it has enough", "count"),
)


def sample_size_section(study: Study) -> Section:
    """Games until margins, win shares and adjusted effects are known well enough."""
    section = Section("sample-size", "How many games it takes")
    table = study.attempt("sample size", lambda: games_needed_by_quantity(study.rows))
    if table is None:
        return section
    section.lead.append(sample_size_sentence(table))
    section.sheets.append(_quantity_sheet(table))
    factions = study.attempt("sample size by faction", lambda: games_needed_by_faction(study.rows))
    if factions is not None:
        section.sheets.append(
            plain_sheet(
                "sample-size-factions",
                "Adjusted effect of each faction",
                factions.sort("half_width", "games", "faction", descending=[True, True, False]),
                Column("faction", "faction", "the faction", "text"),
                Column("half_width", "± VP", "half of the 95 % interval that is wanted, in VP", "1"),
                Column("se", "error", "standard error in this run, in VP", "2"),
                *_NEEDED,
                n_open=12,
            )
        )
    return section


def sample_size_sentence(table: pl.DataFrame) -> str:
    """What a margin to 1 VP and a win share to 2 points take.

    Args:
        table: from ``games_needed_by_quantity``.
    """
    margin = table.filter((pl.col("quantity") == "margin") & (pl.col("half_width") == 1.0)).row(0, named=True)
    share = table.filter((pl.col("quantity") == "win_share") & (pl.col("half_width") == 0.02)).row(0, named=True)
    have = f"{counted(margin['n'], 'game')} like these"
    return (
        f"The margin of every faction is known to ± 1 VP with {_games(margin)}, its share of wins to ± 2 points with "
        f"{_games(share)} (from the errors of {have})."
    )


def _games(row: dict[str, int]) -> str:
    return (
        f"{counted(row['games'], 'game')} ({row['more']:,} more)"
        if row["more"]
        else f"{counted(row['games'], 'game')} (done)"
    )


def _quantity_sheet(table: pl.DataFrame) -> Sheet:
    percent = pl.when(pl.col("quantity") == "win_share").then(100.0).otherwise(1.0)
    shown = table.with_columns(
        pl.col("half_width", "se") * percent,
        quantity=pl.col("quantity").replace({"margin": "margin, VP", "win_share": "wins, points"}),
    )
    return plain_sheet(
        "sample-size",
        "The least known faction",
        shown,
        Column("quantity", "what", "mean margin in VP, or share of games won in percentage points", "text"),
        Column("half_width", "±", "half of the 95 % interval that is wanted, in VP or points", "1"),
        Column("se", "error", "largest standard error of a faction in this run, in VP or points", "2"),
        *_NEEDED,
    )
