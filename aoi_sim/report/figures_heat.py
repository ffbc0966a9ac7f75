"""Heat maps of cells: faction x board, faction x tile."""

from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes

from aoi_sim.analysis.uncertainty import LEAST_BLOCKS
from aoi_sim.report.colours import ink_on
from aoi_sim.report.figures_style import DIVERGING, axes_or_new, board_colour, nothing_to_show, shade, signed
from aoi_sim.report.sentences import SURE
from aoi_sim.report.svg import INK, SOFT

FAINT = 2.0
"""VP that get the deepest colour at least, so that small differences look small."""


def heat(
    table: pl.DataFrame,
    row: str,
    column: str,
    ax: Axes | None = None,
    label: str = "VP",
    value: str = "value",
    decimals: int = 1,
) -> Axes:
    """Cells coloured by an effect around zero, best rows on top and best columns left; sure cells are bold and framed.

    Args:
        table: ``row``, ``column``, ``value`` and, where known, ``q`` (or ``low`` and ``high``).
        row: column whose words are the rows.
        column: column whose words are the columns; boards get the colour of their terrain.
        ax: where to draw; None makes new axes.
        label: of the colour bar.
        value: column to show.
        decimals: of the numbers in the cells.
    """
    rows, columns = _by_mean(table, row, value), _by_mean(table, column, value)
    ax = axes_or_new(ax, 2.2 + 0.62 * max(4, len(columns)), 1.4 + 0.36 * max(4, len(rows)))
    if not rows:
        return nothing_to_show(ax)
    grid = np.full((len(rows), len(columns)), np.nan)
    sure = np.zeros_like(grid, dtype=bool)
    for cell in table.drop_nulls(value).iter_rows(named=True):
        place = rows.index(str(cell[row])), columns.index(str(cell[column]))
        grid[place] = cell[value]
        sure[place] = _is_sure(cell, value)
    reach = max(float(np.nanmax(np.abs(grid))), FAINT)
    image = ax.imshow(np.ma.masked_invalid(grid), cmap=DIVERGING, vmin=-reach, vmax=reach, aspect="auto")
    _write_cells(ax, grid, sure, image, decimals)
    ax.set_xticks(
        range(len(columns)),
        [name.replace("_", " ") for name in columns],
        rotation=40,
        ha="right",
        rotation_mode="anchor",
    )
    ax.set_yticks(range(len(rows)), [name.replace("_", " ") for name in rows])
    if column == "board":
        for number, name in enumerate(columns):
            colour = board_colour(name)
            if colour is not None:
                ax.plot([number], [-0.78], "s", color=colour, markeredgecolor=INK, markersize=9, clip_on=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(image, ax=ax, shrink=0.7, pad=0.02)
        bar.outline.set_visible(False)
        bar.set_label(label)
    return ax


def _by_mean(table: pl.DataFrame, name: str, value: str) -> list[str]:
    """Words of a column, those with the highest mean first."""
    means = (
        table.drop_nulls(value)
        .group_by(pl.col(name).cast(pl.String), maintain_order=True)
        .agg(mean=pl.col(value).mean())
        .sort(["mean", name], descending=[True, False])
    )
    return means[name].to_list()


def _is_sure(cell: dict[str, Any], value: str) -> bool:
    """Whether its q-value is low, on ten set-ups or more, without q-values whether its interval leaves zero out.

    Of a pooled figure its own interval must leave zero out too.
    """
    if cell.get("q") is not None:
        sure = cell["q"] < SURE and cell.get("blocks", LEAST_BLOCKS) >= LEAST_BLOCKS
        return sure and (value == "value" or _away(cell, f"{value}_low", f"{value}_high"))
    return _away(cell, "low", "high")


def _away(cell: dict[str, Any], low: str, high: str) -> bool:
    """Whether the interval leaves zero out."""
    ends = cell.get(low), cell.get(high)
    return ends[0] is not None and ends[1] is not None and (ends[0] > 0 or ends[1] < 0)


def _write_cells(ax: Axes, grid: Any, sure: Any, image: Any, decimals: int) -> None:
    """Numbers in the cells, "-" where there is none; a frame around what is sure."""
    for (i, j), value in np.ndenumerate(grid):
        if np.isnan(value):
            ax.text(j, i, "-", ha="center", va="center", fontsize=8, color=SOFT)
            continue
        ink = ink_on(shade(image, value))
        weight = "bold" if sure[i, j] else "normal"
        text = signed(value, decimals)
        ax.text(j, i, text, ha="center", va="center", fontsize=8, color=ink, fontweight=weight)
        if sure[i, j]:
            ax.add_patch(
                mpl.patches.Rectangle((j - 0.46, i - 0.44), 0.92, 0.88, fill=False, edgecolor=ink, linewidth=1.1)
            )
