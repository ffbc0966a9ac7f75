"""Estimates with intervals: forest plots, seat effect, rating ladder, before and after."""

from collections.abc import Sequence

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_style import (
    UNSURE,
    axes_or_new,
    board_colour,
    nothing_to_show,
    plain,
    sign_colour,
    signed,
    values,
    words,
    zero_line,
)
from aoi_sim.report.svg import INK, SOFT


def forest(
    table: pl.DataFrame,
    by: Sequence[str],
    ax: Axes | None = None,
    label: str = "VP",
    zero: float = 0.0,
    percent: bool = False,
) -> Axes:
    """A point with its 95 % interval a row, best on top; what lies off the line of no effect has colour.

    Args:
        table: ``by``, ``value``, ``low``, ``high``, ``n``; interval null where it is not known.
        by: columns of the groups. Boards are marked with the colour of their terrain.
        ax: where to draw; None makes new axes.
        label: of the horizontal axis.
        zero: value of no effect.
        percent: whether estimates are shares to be shown in percent.
    """
    table = table.drop_nulls("value").sort("value")
    ax = axes_or_new(ax, 7, 0.9 + 0.34 * max(3, len(table)))
    if table.is_empty():
        return nothing_to_show(ax)
    scale = 100.0 if percent else 1.0
    rows = zip(values(table, "value"), values(table, "low"), values(table, "high"), strict=True)
    for place, (value, low, high) in enumerate(rows):
        colour = sign_colour(low, high, zero)
        if low is not None and high is not None:
            ax.plot([low * scale, high * scale], [place, place], color=colour, linewidth=2.4, solid_capstyle="round")
        ax.plot([value * scale], [place], "o", color=colour, markersize=6.5)
        ax.annotate(
            f"{value * scale:.0f} %" if percent else signed(value),
            ((value if high is None else high) * scale, place),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color=SOFT,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    names = words(table, by)
    counts = values(table, "n")
    ax.set_yticks(
        range(len(names)),
        [f"{name}" if n is None else f"{name}  (n {n:,})" for name, n in zip(names, counts, strict=True)],
    )
    _mark_boards(ax, table, by)
    ax.set_ylim(-0.6, len(names) - 0.4)
    plain(ax)
    zero_line(ax, zero * scale)
    ax.margins(x=0.12)
    ax.set_xlabel(label)
    return ax


def _mark_boards(ax: Axes, table: pl.DataFrame, by: Sequence[str]) -> None:
    """A square in the colour of its terrain before each board."""
    if "board" not in by:
        return
    for place, board in enumerate(table["board"].to_list()):
        colour = board_colour(str(board))
        if colour is not None:
            ax.plot(
                [0.012],
                [place],
                "s",
                color=colour,
                markeredgecolor=INK,
                markersize=9,
                transform=ax.get_yaxis_transform(),
            )


def seat_columns(table: pl.DataFrame, ax: Axes | None = None, label: str = "margin in VP", zero: float = 0.0) -> Axes:
    """An interval for each seat, in the turn order of round 1.

    Args:
        table: ``seat``, ``value``, ``low``, ``high``.
        ax: where to draw; None makes new axes.
        label: of the vertical axis.
        zero: value of no effect.
    """
    ax = axes_or_new(ax, 6, 3.2)
    table = table.drop_nulls("value").sort("seat")
    if table.is_empty():
        return nothing_to_show(ax)
    ax.axhline(zero, color=SOFT, linewidth=1)
    for seat, value, low, high in table.select("seat", "value", "low", "high").iter_rows():
        colour = sign_colour(low, high, zero)
        if low is not None:
            ax.plot([seat, seat], [low, high], color=colour, linewidth=3, solid_capstyle="round")
        ax.plot([seat], [value], "o", color=colour, markersize=8)
        ax.annotate(signed(value), (seat, value), xytext=(9, 0), textcoords="offset points", va="center", fontsize=9)
    seats = table["seat"].to_list()
    ax.set_xticks(seats, [f"seat {seat}" for seat in seats])
    ax.set_xlim(min(seats) - 0.5, max(seats) + 0.6)
    ax.margins(y=0.2)
    plain(ax, "y")
    ax.set_ylabel(label)
    return ax


def ladder(table: pl.DataFrame, ax: Axes | None = None, by: str = "heuristic") -> Axes:
    """Ratings on one scale, best on top, with 95 % intervals.

    Args:
        table: ``by``, ``value`` (rating on the scale of Elo), ``low``, ``high``, ``n``.
        ax: where to draw; None makes new axes.
        by: column of who is rated.
    """
    return forest(table, [by], ax, "rating (400 points: odds of ten to one to finish ahead)")


def slopes(table: pl.DataFrame, by: Sequence[str], ax: Axes | None = None, label: str = "margin in VP") -> Axes:
    """Before and after: a line a group; coloured where the change is beyond its interval.

    Args:
        table: ``by``, ``first``, ``second`` and ``low`` and ``high`` of the change (null where not known).
        by: columns of the groups.
        ax: where to draw; None makes new axes.
        label: of the vertical axis.
    """
    table = table.drop_nulls(["first", "second"])
    ax = axes_or_new(ax, 6.5, 5.5)
    if table.is_empty():
        return nothing_to_show(ax)
    names = words(table, by)
    before, after = table["first"].to_list(), table["second"].to_list()
    lows, highs = values(table, "low"), values(table, "high")
    for start, end, low, high in zip(before, after, lows, highs, strict=True):
        colour = sign_colour(low, high)
        ax.plot([0, 1], [start, end], "-o", color=colour, linewidth=1.4 if colour == UNSURE else 2.4, markersize=5)
    spread = max([*before, *after]) - min([*before, *after])
    for at, side, figures in ((-0.04, "right", before), (1.04, "left", after)):
        for name, value, shown in zip(names, figures, _apart(figures, spread / 24), strict=True):
            ax.text(at, shown, f"{name} {signed(value)}", ha=side, va="center", fontsize=8.5, color=INK)
    ax.set_xlim(-0.75, 1.75)
    ax.set_xticks([0, 1], ["before", "after"])
    plain(ax, "")
    ax.axhline(0, color=SOFT, linewidth=0.8, linestyle=":")
    ax.set_ylabel(label)
    return ax


def _apart(figures: Sequence[float], least: float) -> list[float]:
    """Places for labels near their figures that do not overlap, kept in order around their middle."""
    order = sorted(range(len(figures)), key=lambda k: figures[k])
    places = [figures[k] for k in order]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + least)
    shift = (sum(places) - sum(figures)) / max(1, len(places))
    result = [0.0] * len(figures)
    for k, place in zip(order, places, strict=True):
        result[k] = place - shift
    return result
