"""The hex map of the game with a figure on every hex."""

import math
from collections.abc import Mapping

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import RegularPolygon

from aoi_sim.report.colours import RIVER_FILL, ink_on, terrain_fill
from aoi_sim.report.figures_style import DIVERGING, SEQUENTIAL, axes_or_new, nothing_to_show, shade, signed
from aoi_sim.report.view import Cell, View
from aoi_sim.rules import Ruleset, load_ruleset


def map_cells(side: str, rules: Ruleset | None = None) -> list[Cell]:
    """The hexes of a side of the map with their printed terrain.

    Args:
        side: key of the map, as in column ``map`` of ``games``.
        rules: the ruleset; None for the current edition.
    """
    return View({"map": side}, rules if rules is not None else load_ruleset()).cells


def hex_heat(
    table: pl.DataFrame,
    side: str,
    ax: Axes | None = None,
    value: str = "value",
    label: str = "share of games in which it is built on",
    diverging: bool = False,
    decimals: int = 0,
    scale: float = 1.0,
    rules: Ruleset | None = None,
) -> Axes:
    """Each hex of the real map coloured by a figure, in a rim of its printed terrain; rivers are pale blue.

    Args:
        table: ``hex`` and ``value``; hexes that are not in it stay empty.
        side: key of the map.
        ax: where to draw; None makes new axes.
        value: column to show.
        label: of the colour bar.
        diverging: whether the figure has a middle at zero (a difference), else it starts there.
        decimals: of the numbers in the hexes.
        scale: what numbers are multiplied with, 100 for percent.
        rules: the ruleset; None for the current edition.
    """
    ax = axes_or_new(ax, 9, 6)
    cells = map_cells(side, rules)
    found = {str(name): cell * scale for name, cell in table.drop_nulls(value).select("hex", value).iter_rows()}
    known = {name: cell for name, cell in found.items() if name in {c.name for c in cells}}
    if not cells or not known:
        return nothing_to_show(ax)
    reach = max(max(abs(v) for v in known.values()), 1e-9)
    norm = mpl.colors.Normalize(-reach if diverging else 0, reach)
    shades = mpl.cm.ScalarMappable(norm, DIVERGING if diverging else SEQUENTIAL)
    _draw_cells(ax, cells, known, shades)
    for cell in cells:
        if cell.name in known:
            figure_text = signed(known[cell.name], decimals)
            shown = figure_text if diverging else figure_text.lstrip("+")
            ink = ink_on(shade(shades, known[cell.name]))
            ax.text(cell.x, -cell.y, shown, ha="center", va="center", fontsize=7, color=ink)
        if cell.terrain != "river":
            ax.text(cell.x, -cell.y - 0.33, cell.name, ha="center", va="center", fontsize=5, color="#59636E")
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.set_axis_off()
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(shades, ax=ax, shrink=0.6, pad=0.01)
        bar.outline.set_visible(False)
        bar.set_label(label)
    return ax


def _draw_cells(ax: Axes, cells: list[Cell], known: Mapping[str, float], shades: mpl.cm.ScalarMappable) -> None:
    """Outer hexes in terrain colours, inner ones in the shade of the figure."""
    radius = 1 / math.sqrt(3)
    outer, inner, fills, fills_inside = [], [], [], []
    for cell in cells:
        place = (cell.x, -cell.y)
        outer.append(RegularPolygon(place, 6, radius=radius * 0.985))
        fills.append(RIVER_FILL if cell.terrain == "river" else terrain_fill(cell.terrain))
        if cell.terrain != "river":
            inner.append(RegularPolygon(place, 6, radius=radius * 0.80))
            fills_inside.append(shade(shades, known[cell.name]) if cell.name in known else "#FFFFFF")
    ax.add_collection(PatchCollection(outer, facecolors=fills, edgecolors="#FFFFFF", linewidths=0.6))
    ax.add_collection(PatchCollection(inner, facecolors=fills_inside, edgecolors="none"))
