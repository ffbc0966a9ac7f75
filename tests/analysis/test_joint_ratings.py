import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.plackett_luce import Orders, fit_orders
from aoi_sim.analysis.ratings import ELO
from aoi_sim.analysis.source import AnalysisError
from tests.analysis.made_games import centred, coverage, seat_frame

FACTIONS, BOARDS, SEATS = centred(range(6)) * 0.25, centred([0, 0.3, 0.6, 0.2]), np.array([0.2, 0.1, -0.1, -0.2])


def made_orders(n_games: int, seed: int, draws: int = 1, copies: int = 1, rounded: bool = False) -> pl.DataFrame:
    """Games whose finishing orders are additive Plackett-Luce (Gumbel noise); each is there ``copies`` times in its block."""
    random = np.random.default_rng(seed)
    faction = np.argsort(random.random((draws, n_games, 6)), axis=2)[:, :, :4]
    board = np.argsort(random.random((draws, n_games, 4)), axis=2)
    vp = 100 + 20 * (FACTIONS[faction] + BOARDS[board] + SEATS + random.gumbel(size=faction.shape))
    vp = np.round(vp / 10) * 10 if rounded else vp
    block = np.repeat(np.arange(n_games), copies)
    return seat_frame(*(np.repeat(x, copies, axis=1) for x in (vp, faction, board)), block)


def truth(table: pl.DataFrame) -> np.ndarray:
    found = []
    for factor, name in table.select("factor", "name").iter_rows():
        effects = {"faction": FACTIONS, "board": BOARDS, "seat": SEATS}[factor]
        found.append(effects[int(name.removeprefix(factor))] * ELO)
    return np.array(found)


KEPT = ("faction", "board", "seat")


def test_strengths_of_all_factors_are_recovered_together() -> None:
    table = analysis.joint_ratings(made_orders(6000, 1), KEPT)
    assert len(table) == 14
    assert np.abs((table["value"].to_numpy() - truth(table)) / table["se"].to_numpy()).max() < 4
    assert table.group_by("factor").agg(pl.col("value").sum())["value"].to_numpy() == pytest.approx(0, abs=1e-4)


@pytest.fixture(scope="module")
def clustered() -> list[pl.DataFrame]:
    parts = made_orders(80, 2, draws=1000).partition_by("draw", maintain_order=True)
    return [analysis.joint_ratings(part, KEPT) for part in parts]


@pytest.fixture(scope="module")
def bootstrapped() -> list[pl.DataFrame]:
    parts = made_orders(120, 3, draws=300).partition_by("draw", maintain_order=True)
    return [analysis.joint_ratings(part, KEPT, n_resamples=200) for part in parts]


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_cover_the_truth_and_halved_ones_do_not(
    clustered: list[pl.DataFrame], factor: float, holds: bool
) -> None:
    assert bool(0.93 <= np.mean([coverage(table, truth(table), factor) for table in clustered]) <= 0.97) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_bootstrapped_intervals_cover_the_truth_and_halved_ones_do_not(
    bootstrapped: list[pl.DataFrame], factor: float, holds: bool
) -> None:
    assert bool(0.91 <= np.mean([coverage(table, truth(table), factor) for table in bootstrapped]) <= 0.985) is holds


def test_the_bootstrap_agrees_with_the_clustered_errors() -> None:
    rows = made_orders(800, 4)
    own, booted = analysis.joint_ratings(rows, KEPT), analysis.joint_ratings(rows, KEPT, n_resamples=2000)
    assert booted["se"].to_numpy() == pytest.approx(own["se"].to_numpy(), rel=0.15)
    assert "bootstrap of whole blocks, 2000 resamples" in booted["method"][0]


def test_replayed_games_are_no_new_evidence() -> None:
    once, thrice = (analysis.joint_ratings(made_orders(300, 5, copies=copies), KEPT) for copies in (1, 3))
    assert thrice["value"].to_numpy() == pytest.approx(once["value"].to_numpy(), abs=0.1)
    assert thrice["se"].to_numpy() == pytest.approx(once["se"].to_numpy(), rel=0.03)


def test_tied_seats_are_split_and_bias_nothing() -> None:
    rows = made_orders(4000, 6, rounded=True)
    assert (rows["win_share"] == 0.5).any()
    table = analysis.joint_ratings(rows, KEPT)
    assert np.abs(table["value"].to_numpy() - truth(table)).max() < 0.15 * ELO


def test_gradient_and_curvature_are_those_of_the_likelihood() -> None:
    random = np.random.default_rng(7)
    orders = Orders(random.normal(size=(5, 4, 3)), np.arange(5), random.random(5))
    point, step = random.normal(size=3), 1e-5
    numeric = [(orders.value(point + step * e) - orders.value(point - step * e)) / (2 * step) for e in np.eye(3)]
    assert orders.weights @ orders.scores(point) == pytest.approx(numeric, rel=1e-4)
    slopes = [
        orders.weights @ (orders.scores(point - step * e) - orders.scores(point + step * e)) / (2 * step)
        for e in np.eye(3)
    ]
    assert orders.information(point) == pytest.approx(np.array(slopes), rel=1e-4)
    again = orders.resampled_information(point, np.vstack([np.ones(5), 2 * np.ones(5)]))
    assert again[1] == pytest.approx(2 * orders.information(point))


def test_tables_of_different_sizes_are_fitted_together() -> None:
    rows = made_orders(3000, 8)
    small = rows.filter(~((pl.col("game_index") % 2 == 0) & (pl.col("seat") == 3)))
    table = analysis.joint_ratings(small, ["faction", "board"])
    assert np.abs((table["value"].to_numpy() - truth(table)) / table["se"].to_numpy()).max() < 4.5


def test_one_game_and_hopeless_questions() -> None:
    rows = made_orders(1, 9)
    table = analysis.joint_ratings(rows, ["faction"])
    assert table["se"].null_count() == 4 and table["value"].is_finite().all()
    fit = fit_orders([Orders(np.eye(2)[[[0, 1]] * 30], np.arange(30), np.ones(30))], [slice(0, 2)])
    assert np.isfinite(fit.values).all() and np.isfinite(fit.covariance).all()
    same = made_orders(20, 9).with_columns(board=pl.col("faction"))
    with pytest.raises(AnalysisError, match="faction cannot be told apart from board, table seats"):
        analysis.joint_ratings(same, ["faction", "board"])
    with pytest.raises(AnalysisError, match="one board only, table seats"):
        analysis.joint_ratings(same.with_columns(board=pl.lit("x")), ["board"])
    with pytest.raises(AnalysisError, match="no column planet"):
        analysis.joint_ratings(same, ["planet"])


def test_all_ties_rate_everybody_alike() -> None:
    rows = made_orders(30, 10).with_columns(vp=pl.lit(50.0))
    table = analysis.joint_ratings(rows, ["faction"])
    assert table["value"].to_numpy() == pytest.approx(0, abs=1e-6)
    assert table["se"].is_finite().all()


def test_heuristics_of_a_real_run_are_rated(small_run: aoi.Run) -> None:
    table = analysis.joint_ratings(small_run, ["heuristic"])
    assert set(table["name"]) == {"cities", "greedy", "random"}
    assert table["name"][2] == "random"
    assert table["n"].sum() == 96
