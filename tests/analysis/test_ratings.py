import numpy as np
import pytest

from aoi_sim.analysis.contests import seat_rows
from aoi_sim.analysis.plackett_luce import orders_of
from aoi_sim.analysis.ratings import ELO, fit_plackett_luce, rating_by_heuristic
from tests.analysis.synthetic import made_tables

TRUE = {"a": -0.9, "b": -0.1, "c": 0.2, "d": 0.3, "e": 0.5}


def test_ties_are_split() -> None:
    assert list(orders_of([0, 1, 2], [5, 9, 7])) == [((1, 2, 0), 1.0)]
    assert sorted(orders_of([0, 1, 2], [9, 9, 7])) == [((0, 1, 2), 0.5), ((1, 0, 2), 0.5)]
    assert len(list(orders_of([0, 1, 2], [7, 7, 7]))) == 6


def test_strengths_are_recovered() -> None:
    table = rating_by_heuristic(seat_rows(*made_tables(TRUE, 500)))
    assert table["heuristic"].to_list() == ["e", "d", "c", "b", "a"] or table["value"].is_sorted(descending=True)
    assert table["value"].sum() == pytest.approx(0, abs=1e-6)
    for row in table.iter_rows(named=True):
        assert abs(row["value"] / ELO - TRUE[row["heuristic"]]) < 3.5 * row["se"] / ELO
        assert 5 < row["se"] < 15
        assert row["low"] < row["value"] < row["high"]


def test_two_seats_are_the_logistic_of_the_share_won() -> None:
    orders, blocks = np.array([[0, 1], [1, 0]]), np.array([0, 1])
    strengths, _ = fit_plackett_luce(orders, blocks, np.array([300.0, 100.0]), 2)
    assert strengths[0] - strengths[1] == pytest.approx(np.log(3), abs=1e-3)


def test_a_player_who_always_wins_gets_a_finite_rating() -> None:
    orders = np.array([[0, 1]] * 50)
    strengths, errors = fit_plackett_luce(orders, np.arange(50), np.ones(50), 2)
    assert np.isfinite(strengths).all()
    assert strengths[0] > 1.5
    assert np.isfinite(errors).all()


def test_one_block_has_no_interval() -> None:
    table = rating_by_heuristic(seat_rows(*made_tables(TRUE, 1)))
    assert table["se"].null_count() == len(table)
