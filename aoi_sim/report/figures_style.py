"""What all figures share: axes on demand, colours that colour-blind readers tell apart, words for labels."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from aoi_sim.report.colours import TERRAIN_FILL
from aoi_sim.report.document import tidy
from aoi_sim.report.svg import INK, LINE, SOFT

# Okabe and Ito (2008), without the yellow that is too pale for lines.
SERIES: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#8C6BB1", "#7F7F7F")
ABOVE: Final = "#0072B2"
BELOW: Final = "#D55E00"
UNSURE: Final = "#8A929B"
DIVERGING: Final = "PuOr"
"""Two hues that stay apart in every kind of colour blindness; orange is low, purple high."""
SEQUENTIAL: Final = "YlGnBu"


def axes_or_new(ax: Axes | None, width: float = 7.0, height: float = 4.5) -> Axes:
    """The axes given, or those of a new pyplot figure (inches), which notebooks show by themselves."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout="constrained").add_subplot()


def new_axes(width: float, height: float) -> Axes:
    """Axes of a figure of its own (inches) that pyplot does not know of, so that nothing has to be closed."""
    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def plain(ax: Axes, grid: str = "x") -> None:
    """Only the frame that is needed, and soft grid lines behind the data."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LINE)
    ax.tick_params(length=0, colors=INK)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(axis=grid, color=LINE, linewidth=0.6)  # type: ignore[arg-type]


def zero_line(ax: Axes, value: float = 0.0) -> None:
    """The line that stands for no effect."""
    ax.axvline(value, color=SOFT, linewidth=1)


def sign_colour(low: float | None, high: float | None, zero: float = 0.0) -> str:
    """Colour of an interval: above, below or over the line of no effect."""
    if low is None or high is None or low <= zero <= high:
        return UNSURE
    return ABOVE if low > zero else BELOW


def board_colour(name: str) -> str | None:
    """Colour of the terrain of a planning board, None for other words."""
    return TERRAIN_FILL.get(name)


def words(table: pl.DataFrame, columns: Sequence[str]) -> list[str]:
    """One label a row from one or more columns."""
    return [" on ".join(str(cell).replace("_", " ") for cell in row) for row in table.select(columns).iter_rows()]


def values(table: pl.DataFrame, column: str) -> list[Any]:
    """A column as a list, None where it is null or not there."""
    return table[column].to_list() if column in table.columns else [None] * len(table)


def nothing_to_show(ax: Axes, text: str = "no data") -> Axes:
    """Axes that say in words that there is nothing to draw."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, text, ha="center", va="center", color=SOFT, transform=ax.transAxes)
    return ax


def signed(value: float, decimals: int = 1) -> str:
    """A number with its sign, none where it is rounded to zero."""
    return tidy(f"{value:+.{decimals}f}")


def shade(scale: Any, value: float) -> str:
    """The colour of a value on a colour scale, as ``#RRGGBB``."""
    from matplotlib.colors import to_hex

    return to_hex(scale.to_rgba(value))
