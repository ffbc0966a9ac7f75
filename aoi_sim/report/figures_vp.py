"""Where victory points come from and when: stacks by source, curves over the rounds, distributions of scores."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_style import SERIES, axes_or_new, nothing_to_show, plain
from aoi_sim.report.svg import INK, SOFT

_HATCHES = ("", "///", "...", "\\\\\\")


def source_stacks(table: pl.DataFrame, by: str, ax: Axes | None = None, most: int = 9) -> Axes:
    """Mean VP by source as a stacked bar a group, most VP on top; costs go to the left of zero.

    Args:
        table: ``by``, ``source``, ``value`` (mean VP of a player and game).
        by: column of the groups.
        ax: where to draw; None makes new axes.
        most: sources with a colour of their own; the smaller ones are put together as ``other``.
    """
    table = table.drop_nulls("value").with_columns(pl.col(by, "source").cast(pl.String))
    groups = table.group_by(by, maintain_order=True).agg(pl.col("value").sum()).sort("value")[by].to_list()
    ax = axes_or_new(ax, 9, 1.4 + 0.34 * max(3, len(groups)))
    if not groups:
        return nothing_to_show(ax)
    sizes = (
        table.group_by("source", maintain_order=True)
        .agg(size=pl.col("value").abs().mean())
        .sort(["size", "source"], descending=[True, False])
    )
    named = sizes["source"].to_list()[:most]
    table = table.with_columns(source=pl.when(pl.col("source").is_in(named)).then("source").otherwise(pl.lit("other")))
    left_up, left_down = np.zeros(len(groups)), np.zeros(len(groups))
    sources = [*named, *(["other"] if len(sizes) > most else [])]
    for number, source in enumerate(sources):
        cells = dict(
            table.filter(pl.col("source") == source)
            .group_by(by, maintain_order=True)
            .agg(pl.col("value").sum())
            .iter_rows()
        )
        widths = np.array([cells.get(group, 0.0) for group in groups])
        left = np.where(widths >= 0, left_up, left_down)
        style: dict[str, Any] = {"color": SERIES[number % len(SERIES)], "hatch": _HATCHES[number // len(SERIES)]}
        ax.barh(
            range(len(groups)),
            widths,
            left=left,
            label=source.replace("_", " "),
            edgecolor="white",
            height=0.74,
            **style,
        )
        left_up += np.maximum(widths, 0)
        left_down += np.minimum(widths, 0)
    for place, total in enumerate(left_up + left_down):
        ax.text(left_up[place] + 1, place, f"{total:.0f}", va="center", fontsize=9, color=SOFT)
    ax.set_yticks(range(len(groups)), groups)
    plain(ax)
    ax.axvline(0, color=INK, linewidth=0.8)
    ax.margins(x=0.05)
    ax.set_xlabel("mean VP of a player and game")
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=9)
    return ax


def round_curves(table: pl.DataFrame, by: str, ax: Axes | None = None, label: str = "VP", most: int = 9) -> Axes:
    """A line a group over the rounds with its 95 % band; more than ``most`` groups: the highest and lowest are named.

    Args:
        table: ``by``, ``round``, ``value`` and, where known, ``low`` and ``high``.
        by: column of the groups.
        ax: where to draw; None makes new axes.
        label: of the vertical axis.
        most: lines with a colour of their own; the others are grey.
    """
    ax = axes_or_new(ax, 7, 4.2)
    table = table.drop_nulls("value").with_columns(pl.col(by).cast(pl.String)).sort(by, "round")
    if table.is_empty():
        return nothing_to_show(ax)
    last = table.filter(pl.col("round") == pl.col("round").max()).sort(["value", by], descending=[True, False])
    order = last[by].to_list()
    shown = order if len(order) <= most else [*order[:3], *order[-3:]]
    colours = dict(zip(shown, cycle(SERIES), strict=False))
    for group in order[::-1]:
        line = table.filter(pl.col(by) == group)
        colour = colours.get(group, "#C9CED6")
        rounds = line["round"].to_list()
        ax.plot(
            rounds,
            line["value"].to_list(),
            color=colour,
            linewidth=2 if group in colours else 1,
            label=group if group in colours else None,
        )
        if group in colours and "low" in line.columns and line["low"].null_count() == 0:
            ax.fill_between(
                rounds, line["low"].to_list(), line["high"].to_list(), color=colour, alpha=0.15, linewidth=0
            )
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[::-1], labels[::-1], frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.set_xticks(sorted(table["round"].unique().to_list()))
    plain(ax, "y")
    ax.set_xlabel("round")
    ax.set_ylabel(label)
    return ax


def distributions(rows: pl.DataFrame, by: str, ax: Axes | None = None, value: str = "vp", label: str = "VP") -> Axes:
    """Score distributions: a box a group (quarters), whiskers from the 5th to the 95th hundredth, mean as a dot.

    Args:
        rows: a row a player and game with ``by`` and ``value``.
        by: column of the groups.
        ax: where to draw; None makes new axes.
        value: column to show.
        label: of the horizontal axis.
    """
    quantiles = (0.05, 0.25, 0.5, 0.75, 0.95)
    table = (
        rows.drop_nulls(value)
        .group_by(pl.col(by).cast(pl.String), maintain_order=True)
        .agg(*(pl.col(value).quantile(q, "linear").alias(f"q{q}") for q in quantiles), mean=pl.col(value).mean())
        .sort("mean", by)
    )
    ax = axes_or_new(ax, 7, 0.9 + 0.34 * max(3, len(table)))
    if table.is_empty():
        return nothing_to_show(ax)
    names: Sequence[str] = table[by].to_list()
    for place, (_, p5, q1, median, q3, p95, mean) in enumerate(table.iter_rows()):
        ax.plot([p5, p95], [place, place], color=SOFT, linewidth=1.2)
        ax.barh(place, q3 - q1, left=q1, height=0.55, color="#9CC9E8", edgecolor=SERIES[0], linewidth=1)
        ax.plot([median, median], [place - 0.27, place + 0.27], color=INK, linewidth=1.6)
        ax.plot([mean], [place], "o", color=SERIES[1], markersize=5)
    ax.set_yticks(range(len(names)), names)
    plain(ax)
    ax.set_xlabel(f"{label} (box: middle half, line: median, dot: mean, whiskers: 5 to 95 %)")
    return ax
