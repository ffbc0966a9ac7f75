import numpy as np
import polars as pl
import pytest

from aoi_sim import analysis
from aoi_sim.analysis.source import AnalysisError
from tests.analysis.made_games import centred, made_seats

EFFECTS = centred(range(12))


def test_a_run_of_the_size_asked_for_has_the_interval_asked_for() -> None:
    pilot = made_seats(400, 1, factions=EFFECTS)
    table = analysis.games_needed_by_faction(pilot, [1.5])
    games = int(table["games"].mean())  # type: ignore[arg-type]
    run = analysis.vp_effect_by_faction(made_seats(games // 2, 2, factions=EFFECTS))
    assert ((run["high"] - run["low"]) / 2).mean() == pytest.approx(1.5, rel=0.05)
    assert (table["more"] == table["games"] - 800).all()


def test_a_small_pilot_counts_its_few_degrees_of_freedom() -> None:
    pilot = made_seats(12, 3)
    row = analysis.games_needed_by_faction(pilot, [4.0]).row(0, named=True)
    naive = 24 * (row["se"] * 1.96 / 4.0) ** 2
    assert naive < row["games"] < 1.6 * naive


def test_margins_need_fewer_games_than_win_shares() -> None:
    table = analysis.games_needed_by_quantity(made_seats(500, 4, factions=EFFECTS), [1.0])
    games = dict(table.select("quantity", "games").iter_rows())
    assert games["margin"] < games["win_share"]
    assert analysis.games_needed_by_quantity(made_seats(50, 4))["half_width"].to_list() == [
        2.0,
        1.0,
        0.5,
        0.03,
        0.02,
        0.01,
    ]


def test_a_pilot_that_is_large_enough_needs_no_more() -> None:
    table = analysis.games_needed_by_faction(made_seats(400, 5), [50.0])
    assert table["more"].to_list() == [0] * 12
    assert table["games"].min() >= 2


def test_half_widths_scale_with_the_square() -> None:
    table = analysis.games_needed_by_faction(made_seats(400, 6), [2.0, 1.0], group="board")
    wide, narrow = (table.filter(pl.col("half_width") == width)["games"].to_numpy() for width in (2.0, 1.0))
    assert narrow / wide == pytest.approx(np.full(7, 4.0), rel=0.03)


def test_questions_without_an_answer_are_one_line() -> None:
    with pytest.raises(AnalysisError, match=r"half-widths \[0\], sample size, choose positive numbers"):
        analysis.games_needed_by_faction(made_seats(40, 1), [0])
    with pytest.raises(AnalysisError, match="no errors from a single block, the run"):
        analysis.games_needed_by_faction(made_seats(1, 1))
    with pytest.raises(AnalysisError, match="no errors from a single block, the run"):
        analysis.games_needed_by_quantity(made_seats(1, 1))
