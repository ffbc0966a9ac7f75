"""Figures show the numbers of their tables, in order, with marks where they are sure; nothing breaks on nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import matplotlib.pyplot as plt
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

import aoi_sim as aoi
from aoi_sim.report import figures
from aoi_sim.report.colours import TERRAIN_FILL
from aoi_sim.report.figures_intervals import _apart
from aoi_sim.report.figures_map import map_cells
from aoi_sim.report.figures_style import ABOVE, BELOW, UNSURE, new_axes
from tests.report.picture import PICTURE, drawn

FACTIONS = pl.DataFrame(
    {
        "faction": ["moles", "omar", "monks"],
        "value": [4.0, -3.0, 0.5],
        "low": [2.0, -5.0, -1.0],
        "high": [6.0, -1.0, 2.0],
        "n": [40, 41, 1200],
    }
)
PAIRINGS = pl.DataFrame(
    {
        "faction": ["moles", "moles", "omar"],
        "board": ["lake", "swamp", "lake"],
        "value": [5.0, 1.0, -4.0],
        "low": [3.0, -1.0, None],
        "high": [7.0, 3.0, None],
    }
)


@pytest.fixture(autouse=True)
def no_figures_left() -> Iterator[None]:
    yield
    plt.close("all")


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def labels(ax: Axes, which: str = "y") -> list[str]:
    return [text.get_text() for text in (ax.get_yticklabels() if which == "y" else ax.get_xticklabels())]


def test_a_forest_plot_has_the_best_on_top_with_n_and_the_colour_of_the_verdict() -> None:
    ax = new_axes(7, 4)
    assert figures.plot_vp_margin_by_faction(FACTIONS, ax) is ax
    assert labels(ax) == ["omar  (n 41)", "monks  (n 1,200)", "moles  (n 40)"]
    assert texts(ax) == ["−3.0", "+0.5", "+4.0"]
    points = [line for line in ax.lines if line.get_marker() == "o"]
    assert [to_hex(point.get_color()) for point in points] == [colour.lower() for colour in (BELOW, UNSURE, ABOVE)]
    spans = [line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_ydata()[0] == line.get_ydata()[1]]
    assert [list(span.get_xdata()) for span in spans] == [[-5, -1], [-1, 2], [2, 6]]


def test_win_shares_are_in_percent_around_the_equal_share() -> None:
    shares = pl.DataFrame({"faction": ["omar"], "value": [0.31], "low": [0.27], "high": [0.35], "n": [9]})
    ax = figures.plot_win_share_by_faction(shares, new_axes(5, 3), equal=0.25)
    assert texts(ax) == ["31 %"]
    assert [line.get_xdata()[0] for line in ax.lines][-1] == 25


def test_an_estimate_without_interval_is_a_point_without_colour() -> None:
    table = FACTIONS.with_columns(low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64))
    ax = figures.plot_vp_margin_by_faction(table, new_axes(5, 3))
    assert {to_hex(line.get_color()) for line in ax.lines if line.get_marker() == "o"} == {UNSURE.lower()}


def test_boards_have_the_colours_of_their_terrains() -> None:
    table = FACTIONS.rename({"faction": "board"}).with_columns(board=pl.Series(["lake", "swamp", "desert"]))
    ax = figures.plot_vp_margin_by_board(table, new_axes(5, 3))
    squares = [to_hex(line.get_color()) for line in ax.lines if line.get_marker() == "s"]
    assert squares == [TERRAIN_FILL[name].lower() for name in ("swamp", "desert", "lake")]


def test_a_heat_map_writes_every_cell_a_dash_where_there_is_none_and_frames_what_is_sure() -> None:
    ax = figures.plot_vp_margin_by_pairing(PAIRINGS, new_axes(6, 4))
    assert labels(ax) == ["moles", "omar"]
    assert labels(ax, "x") == ["swamp", "lake"]
    assert texts(ax) == ["+1.0", "+5.0", "-", "−4.0"]
    bold = [text.get_text() for text in ax.texts if text.get_fontweight() == "bold"]
    assert bold == ["+5.0"] and len(ax.patches) == 1


def test_q_values_decide_on_the_marks_where_there_are_any() -> None:
    ax = figures.plot_vp_margin_by_pairing(PAIRINGS.with_columns(q=pl.Series([0.2, 0.01, None])), new_axes(6, 4))
    assert [text.get_text() for text in ax.texts if text.get_fontweight() == "bold"] == ["+1.0"]


def test_shifts_are_shown_pooled_for_factions_and_for_boards() -> None:
    table = PAIRINGS.rename({"board": "key"}).with_columns(pooled=pl.col("value") / 2, q=pl.Series([0.01, 0.9, 0.9]))
    table = table.with_columns(pooled_low=pl.col("low") / 2, pooled_high=pl.col("high") / 2)
    ax = figures.plot_vp_shift_by_round_tile(table, new_axes(6, 4))
    assert texts(ax) == ["+0.5", "+2.5", "-", "−2.0"] and len(ax.patches) == 1
    doubtful = table.with_columns(pooled_low=-pl.col("pooled_high"))
    assert len(figures.plot_vp_shift_by_round_tile(doubtful, new_axes(6, 4)).patches) == 0
    boards = table.rename({"faction": "board"}).with_columns(board=pl.Series(["lake", "lake", "swamp"]))
    assert labels(figures.plot_vp_shift_by_palace(boards, new_axes(6, 4))) == ["lake", "swamp"]


def test_stacks_add_up_to_the_total_and_costs_lie_left_of_zero() -> None:
    table = pl.DataFrame(
        {
            "faction": ["moles"] * 2 + ["omar"] * 2,
            "source": ["city", "power"] * 2,
            "value": [50.0, -2.0, 31.0, -1.0],
        }
    )
    ax = figures.plot_vp_source_by_faction(table, new_axes(7, 3))
    assert labels(ax) == ["omar", "moles"]
    assert texts(ax) == ["30", "48"]
    assert sorted(bar.get_width() for bar in ax.patches) == [-2, -1, 31, 50]


def test_curves_have_a_line_a_group_and_name_the_extremes_of_many() -> None:
    few = pl.DataFrame(
        {
            "faction": ["moles", "moles", "omar", "omar"],
            "round": [1, 2, 1, 2],
            "value": [1.0, 4, 2, 3],
            "quantity": "vp",
        }
    )
    ax = figures.plot_economy_by_round(few.with_columns(quantity=pl.lit("vp")), new_axes(6, 4))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["moles", "omar"]
    assert ax.get_ylabel() == "VP"
    many = pl.DataFrame({"faction": [f"f{k}" for k in range(12)], "round": 1, "value": [float(k) for k in range(12)]})
    ax = figures.plot_economy_by_round(many.with_columns(quantity=pl.lit("vp")), new_axes(6, 4))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["f11", "f10", "f9", "f2", "f1", "f0"]


def test_distributions_show_quarters_median_and_mean() -> None:
    rows = pl.DataFrame({"faction": ["moles"] * 5, "vp": [100.0, 110, 120, 130, 190]})
    ax = figures.plot_vp_distribution(rows, new_axes(6, 3))
    (box,) = ax.patches
    assert (box.get_x(), box.get_x() + box.get_width()) == (110, 130)
    assert [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"] == [130]


@pytest.mark.parametrize("side", ["1-3", "3-5"])
def test_the_hex_map_has_a_number_on_every_hex_of_the_table(side: str) -> None:
    land = [cell.name for cell in map_cells(side) if cell.terrain != "river"]
    shares = pl.DataFrame({"hex": [*land[:3], "Z9"], "value": [0.5, 0.25, 1.0, 0.7]})
    ax = figures.plot_build_share_by_hex(shares, side, new_axes(8, 6))
    written = texts(ax)
    assert [text for text in written if text.isdigit()] == ["50", "25", "100"]
    assert set(land) <= set(written)
    ax = figures.plot_build_margin_by_hex(shares.with_columns(value=-pl.col("value") * 10), side, new_axes(8, 6))
    assert "−10" in texts(ax)


def test_seats_stand_in_turn_order() -> None:
    table = FACTIONS.rename({"faction": "seat"}).with_columns(seat=pl.Series([2, 0, 1]))
    ax = figures.plot_vp_margin_by_seat(table, new_axes(5, 3))
    assert labels(ax, "x") == ["seat 0", "seat 1", "seat 2"]
    assert texts(ax) == ["−3.0", "+0.5", "+4.0"]


def test_a_slope_chart_names_each_group_on_both_sides_and_colours_sure_changes() -> None:
    table = pl.DataFrame(
        {
            "faction": ["moles", "omar"],
            "first": [1.0, -1.0],
            "second": [3.0, -1.5],
            "low": [1.0, -2.0],
            "high": [3.0, 1.0],
        }
    )
    ax = figures.plot_vp_margin_difference_by_faction(table, new_axes(6, 5))
    assert texts(ax) == ["moles +1.0", "omar −1.0", "moles +3.0", "omar −1.5"]
    assert [to_hex(line.get_color()) for line in ax.lines[:2]] == [ABOVE.lower(), UNSURE.lower()]


def test_labels_of_a_slope_chart_keep_apart() -> None:
    places = _apart([1.0, 1.0, 1.1, 9.0], 0.5)
    ordered = sorted(places)
    assert all(b - a >= 0.5 - 1e-9 for a, b in pairwise(ordered))
    assert places.index(max(places)) == 3


def test_a_ladder_has_the_best_player_on_top() -> None:
    table = FACTIONS.rename({"faction": "heuristic"})
    assert labels(figures.plot_rating_by_heuristic(table, new_axes(5, 3)))[-1].startswith("moles")


PLOTS: list[tuple[Callable[..., Axes], pl.DataFrame]] = [
    (figures.plot_vp_margin_by_faction, FACTIONS),
    (figures.plot_vp_margin_by_pairing, PAIRINGS),
    (figures.plot_vp_margin_by_seat, FACTIONS.rename({"faction": "seat"}).with_columns(seat=pl.Series([0, 1, 2]))),
    (figures.plot_vp_source_by_faction, PAIRINGS.rename({"board": "source"})),
    (figures.plot_economy_by_round, FACTIONS.with_columns(round=pl.lit(1), quantity=pl.lit("vp"))),
    (figures.plot_vp_distribution, FACTIONS.with_columns(vp=pl.col("value"))),
    (
        figures.plot_vp_margin_difference_by_faction,
        FACTIONS.with_columns(first=pl.col("value"), second=pl.col("value")),
    ),
    (
        lambda table, ax=None: figures.plot_build_share_by_hex(table, "3-5", ax),
        FACTIONS.rename({"faction": "hex"}).clear(),
    ),
]


@pytest.mark.parametrize(("plot", "table"), PLOTS)
def test_figures_make_their_own_axes_and_say_so_when_there_is_nothing(
    plot: Callable[..., Axes], table: pl.DataFrame
) -> None:
    assert plot(table).get_figure() is plt.gcf()
    empty = plot(table.clear(), new_axes(4, 3))
    assert texts(empty) == ["no data"]


def test_the_picture_of_the_readme_is_drawn_from_a_run(plain_run: aoi.Run) -> None:
    text = drawn(plain_run)
    assert text.startswith("<svg ") and "168 games of 4 random players" in text and "moles" in text
    assert PICTURE.read_text("utf-8").startswith("<svg ")
