"""The section on faction x board."""

from typing import Any

import polars as pl

from aoi_sim.report import figures
from aoi_sim.report.balance_sections import value_table
from aoi_sim.report.document import Column, Picture, Section, Sheet
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import bracket, counted, listed, sure_rows, vp
from aoi_sim.report.sheets import Q, group_sheet, plain_sheet
from aoi_sim.report.study import Study


def pairing_section(study: Study) -> Section:
    """Every faction on every planning board."""
    table = study.pairings
    section = Section("pairings", "Faction and board")
    if table.is_empty():
        return section
    section.lead.append(interplay_sentence(study.interplay))
    wide, tall = 2.4 + 0.75 * max(4, table["board"].n_unique()), 1.6 + 0.36 * max(4, table["faction"].n_unique())
    section.pictures.append(
        Picture(
            "pairings",
            "Mean VP of each pairing ahead of its table; bold and framed where the 95 % interval leaves zero out.",
            figures.plot_vp_margin_by_pairing(value_table(table, "faction", "board"), new_axes(wide, tall)),
        )
    )
    if study.interplay is not None:
        section.sheets.append(_interplay_sheet(study.interplay))
    section.sheets.append(group_sheet("pairings", "All pairings as measured", table, ["faction", "board"], n_open=20))
    return section


def sure_pairings(table: pl.DataFrame | None) -> list[dict[str, Any]]:
    """Rows of pairings that are not the sum of their parts, beyond doubt, largest first."""
    if table is None:
        return []
    sure = sure_rows(table).sort(pl.col("difference").abs(), descending=True)
    return list(sure.iter_rows(named=True))


def interplay_sentence(table: pl.DataFrame | None) -> str:
    """Which pairings are more or less than faction and board add up to."""
    if table is None or table["q"].null_count() == len(table):
        return "There are too few games to tell pairings from the sum of faction and board."
    sure = sure_pairings(table)
    if not sure:
        return (
            f"No pairing differs beyond doubt from what its faction and its board add up to ({counted(len(table), 'pairing')} "
            "looked at): take faction and board one by one."
        )
    named = [
        f"{row['faction']} with {row['board']} ({vp(row['difference'])}{bracket(row['difference_low'], row['difference_high'])})"
        for row in sure[:4]
    ]
    more = f" and {len(sure) - 4} more" if len(sure) > 4 else ""
    return f"More or less than faction and board add up to, beyond doubt: {listed(named)}{more}."


def _interplay_sheet(table: pl.DataFrame) -> Sheet:
    return plain_sheet(
        "interplay",
        "Pairings beside the sum of their parts",
        table.sort(pl.col("difference").abs(), descending=True),
        Column("faction", "faction", "the faction", "text"),
        Column("board", "board", "the planning board", "text"),
        Column("n", "n", "seats that the figures rest on", "count"),
        Column("value", "observed", "VP of the pairing against the mean pairing, seat held equal", "+1"),
        Column("additive", "sum", "what faction and board add up to", "+1"),
        Column("difference", "beyond", "observed less sum: what the pairing has of its own", "+1"),
        Column("difference_low", "from", "lower end of its 95 % interval, clustered by set-up", "+1"),
        Column("difference_high", "to", "upper end of it", "+1"),
        Q,
        Column("pooled", "pooled", "best guess: between observed and sum by how much is known", "+1"),
        Column("pooled_low", "from", "lower end of the best guess's 95 % interval", "+1"),
        Column("pooled_high", "to", "upper end of it", "+1"),
        n_open=20,
    )
