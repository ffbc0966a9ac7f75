"""Forecasts against what came true."""

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_style import axes_or_new, nothing_to_show, plain
from aoi_sim.report.svg import INK, SOFT


def plot_reliability(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Chances to win that were foretold against the share that was won, with 95 % intervals; calibrated ones lie on the line.

    Args:
        table: ``forecast``, ``value``, ``low``, ``high``; intervals null where they are not known.
        ax: where to draw; None makes new axes.
    """
    ax = axes_or_new(ax, 5.5, 5.0)
    if table.is_empty():
        return nothing_to_show(ax)
    top = 0.0
    for forecast, value, low, high in table.select("forecast", "value", "low", "high").iter_rows():
        if low is not None and high is not None:
            ax.plot([100 * forecast] * 2, [100 * low, 100 * high], color=INK, linewidth=1.6)
        ax.plot([100 * forecast], [100 * value], "o", color=INK, markersize=6)
        top = max(top, 108 * forecast, 108 * (value if high is None else high))
    ax.plot([0, top], [0, top], color=SOFT, linewidth=1, linestyle="--")
    ax.set_xlim(0, top)
    ax.set_ylim(0, top)
    ax.set_xlabel("chance to win that was foretold, %")
    ax.set_ylabel("won, %")
    plain(ax, "both")
    return ax
