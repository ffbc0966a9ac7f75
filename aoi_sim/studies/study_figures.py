"""Figures of studies, made from rows of their table of effects."""

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_intervals import forest, slopes
from aoi_sim.report.figures_style import new_axes


def change_of_margins(effects: pl.DataFrame) -> Axes | None:
    """The factions' margins before and after as a slope chart; None where no faction has both.

    Args:
        effects: rows of one number of players and one player, with the quantities ``margin`` (the change), ``margin_before`` and
            ``margin_after``.
    """
    first, second = (
        effects.filter(quantity=f"margin_{side}").select("component", pl.col("estimate").alias(name))
        for side, name in (("before", "first"), ("after", "second"))
    )
    change = effects.filter(quantity="margin").select("component", "low", "high")
    table = first.join(second, on="component", maintain_order="left")
    table = table.join(change, on="component", how="left", maintain_order="left").drop_nulls(["first", "second"])
    return None if table.is_empty() else slopes(table, ["component"], new_axes(6.5, 5.5), "margin in VP")


def intervals(effects: pl.DataFrame, label: str) -> Axes | None:
    """A point with its interval a row; None where there is nothing to show.

    Args:
        effects: rows of one quantity.
        label: of the horizontal axis.
    """
    table = effects.drop_nulls("estimate").rename({"estimate": "value"})
    if table.is_empty():
        return None
    return forest(table, ["component"], new_axes(7, 0.9 + 0.34 * max(3, len(table))), label)
