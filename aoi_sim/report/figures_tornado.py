"""Tornado chart: what one step up and one step down of each number does, the most telling number on top."""

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_style import ABOVE, BELOW, axes_or_new, nothing_to_show, plain, zero_line
from aoi_sim.report.svg import INK

_STEPS = {"step_up": ABOVE, "step_down": BELOW}


def plot_tornado(table: pl.DataFrame, ax: Axes | None = None, label: str = "change of the margin, VP") -> Axes:
    """Bars from no effect to the effect of one step up and one step down, with 95 % intervals.

    Args:
        table: ``component``, ``quantity`` (``step_up`` or ``step_down``; other rows are left out), ``estimate``, ``low``,
            ``high`` (null where not known).
        ax: where to draw; None makes new axes.
        label: of the horizontal axis.
    """
    table = table.filter(pl.col("quantity").is_in(list(_STEPS))).drop_nulls("estimate")
    order = (
        table.group_by("component", maintain_order=True)
        .agg(size=pl.col("estimate").abs().max())
        .sort("size", maintain_order=True)["component"]
        .to_list()
    )
    ax = axes_or_new(ax, 8, 1.1 + 0.34 * max(3, len(order)))
    if not order:
        return nothing_to_show(ax)
    places = {name: place for place, name in enumerate(order)}
    for number, (quantity, colour) in enumerate(_STEPS.items()):
        rows = table.filter(quantity=quantity)
        y = [places[name] + 0.19 - 0.38 * number for name in rows["component"]]
        values = rows["estimate"].to_list()
        ax.barh(y, values, height=0.34, color=colour, alpha=0.75, label=quantity.replace("step_", "one "))
        for place, (low, high) in zip(y, rows.select("low", "high").iter_rows(), strict=True):
            if low is not None and high is not None:
                ax.plot([low, high], [place, place], color=INK, linewidth=1)
    ax.set_yticks(range(len(order)), order)
    ax.set_ylim(-0.6, len(order) - 0.4)
    plain(ax)
    zero_line(ax)
    ax.set_xlabel(label)
    ax.legend(loc="lower right", frameon=False, fontsize=9)
    return ax
