"""The section on what the set-up draws: who gains by which round tile, final tile, palace, innovation, book action."""

from collections.abc import Callable
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.analysis import interplay
from aoi_sim.report import figures
from aoi_sim.report.document import Column, Picture, Section, Sheet
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import bracket, counted, listed, sure_rows, vp
from aoi_sim.report.sheets import HIGH, LOW, Q, plain_sheet
from aoi_sim.report.study import Study

DRAWN: Final[tuple[tuple[str, str, Callable[..., pl.DataFrame], Callable[..., Axes]], ...]] = (
    ("round-tiles", "round tile", interplay.vp_shift_by_round_tile, figures.plot_vp_shift_by_round_tile),
    ("final-tiles", "final tile", interplay.vp_shift_by_final_tile, figures.plot_vp_shift_by_final_tile),
    ("palaces-drawn", "palace", interplay.vp_shift_by_palace, figures.plot_vp_shift_by_palace),
    ("innovations-drawn", "innovation", interplay.vp_shift_by_innovation, figures.plot_vp_shift_by_innovation),
    ("book-actions", "book action", interplay.vp_shift_by_book_action, figures.plot_vp_shift_by_book_action),
    ("opponents", "opponent", interplay.vp_shift_by_opponent, figures.plot_vp_shift_by_opponent),
)
"""Key, word, estimate and figure of everything that is in some games and not in others."""
_PICTURED: Final = ("round-tiles", "final-tiles", "opponents")
SHIFT_COLUMNS: Final = (
    Column("n", "n", "games of the faction with it", "count"),
    Column("n_without", "without", "games of the faction without it", "count"),
    Column(
        "value", "shift", "VP that the faction gains on the mean faction when it is in play: with less without", "+1"
    ),
    LOW,
    HIGH,
    Column("pooled", "pooled", "the shift drawn towards none by how little is known: the best guess", "+1"),
    Column("pooled_low", "from", "lower end of the best guess's 95 % interval", "+1"),
    Column("pooled_high", "to", "upper end of it", "+1"),
    Q,
)


def tile_section(study: Study) -> Section:
    """Every faction by everything that the set-up draws."""
    section = Section("draw", "What the draw does to factions")
    for key, word, estimate, plot in DRAWN:
        table = study.shifts(key, estimate)
        if table is None:
            continue
        section.lead.append(shift_sentence(table, word))
        if key in _PICTURED:
            section.pictures.append(_picture(key, word, table, plot))
        section.sheets.append(shift_sheet(key, f"Faction by {word}", word, table))
    if section.sheets:
        section.notes.append(
            "The draw decides what is in play, so these shifts are caused by it; what players make of it is theirs."
        )
    return section


def _picture(key: str, word: str, table: pl.DataFrame, plot: Callable[..., Axes]) -> Picture:
    wide, tall = 2.6 + 0.66 * max(4, table["key"].n_unique()), 2.2 + 0.36 * max(4, table["faction"].n_unique())
    caption = (
        f"VP that a faction gains on the mean faction by {word}, pooled; bold and framed where it is beyond doubt."
    )
    return Picture(key, caption, plot(table, new_axes(wide, tall)))


def shift_sheet(key: str, title: str, word: str, table: pl.DataFrame, faction: bool = True) -> Sheet:
    """A table of shifts; without the column of the faction if there is only one."""
    names = [Column("faction", "faction", "the faction", "text")] if faction else []
    columns = (*names, Column("key", word, f"the {word}", "text"), *SHIFT_COLUMNS)
    return plain_sheet(
        key, title, table.sort(pl.col("pooled").abs(), descending=True, nulls_last=True), *columns, n_open=20
    )


def sure_cells(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows that are believed, largest first: ``sure_rows`` whose pooled interval, which is what is quoted, says so too."""
    away = (pl.col("pooled_low") > 0) | (pl.col("pooled_high") < 0)
    return list(sure_rows(table).filter(away).sort(pl.col("pooled").abs(), descending=True).iter_rows(named=True))


def shift_sentence(table: pl.DataFrame, word: str) -> str:
    """Which factions gain or lose by what, as far as it is beyond doubt."""
    found = sure_cells(table)
    if not found:
        return f"No faction gains or loses beyond doubt by any {word} ({counted(len(table), 'cell')} looked at)."
    named = [f"{row['faction']} with {row['key'].replace('_', ' ')} ({_pooled(row)})" for row in found[:3]]
    more = f", then {counted(len(found) - 3, 'further cell')}" if len(found) > 3 else ""
    return f"By {word}, most is gained or lost by {listed(named)}{more}; {counted(len(table), 'cell')} looked at."


def _pooled(row: dict[str, Any]) -> str:
    return f"{vp(row['pooled'])}{bracket(row['pooled_low'], row['pooled_high'])}"
