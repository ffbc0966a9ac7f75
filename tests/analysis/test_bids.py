"""Bids and forecasts on made games."""

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.bids import (
    calibration,
    chances,
    named_bids,
    pairing_handicap,
    reliability,
    scale_of,
    strengths,
)
from aoi_sim.analysis.handicap import contests_of, fair_handicap
from aoi_sim.analysis.source import AnalysisError
from tests.analysis.test_handicap import BOARDS, FACTIONS, made

FACTORS = ["faction", "board"]
TRUTH = {(f"f{f:02}", f"b{b}"): -(FACTIONS[f] + BOARDS[b]) for f in range(12) for b in range(7)}


def with_rest(n_games: int, seed: int, rest: np.ndarray) -> pl.DataFrame:
    """Made games in which pairings add something of their own."""
    rows = made(n_games, seed)
    faction = rows["faction"].str.slice(1).cast(int).to_numpy()
    board = rows["board"].str.slice(1).cast(int).to_numpy()
    return rows.with_columns(vp=pl.Series(rows["vp"].to_numpy() + rest[faction, board]))


def errors_of(pairs: pl.DataFrame, column: str, rest: np.ndarray) -> np.ndarray:
    truth = [TRUTH[f, b] - rest[int(f[1:]), int(b[1:])] for f, b in pairs.select("faction", "board").iter_rows()]
    return pairs[column].to_numpy() - np.array(truth)


@pytest.fixture(scope="module")
def rest() -> np.ndarray:
    """What pairings add, without main effects."""
    values = np.random.default_rng(5).normal(0, 4, (12, 7))
    values -= values.mean(axis=0, keepdims=True)
    return values - values.mean(axis=1, keepdims=True)


def test_pairings_are_pooled_between_their_own_games_and_the_additive_handicap(rest: np.ndarray) -> None:
    found = fair_handicap(contests_of(with_rest(12_000, 1, rest), FACTORS))
    pairs = pairing_handicap(found).with_columns(raw=pl.col("additive") + pl.col("rest"))
    rms = {name: float(np.sqrt((errors_of(pairs, name, rest) ** 2).mean())) for name in ("additive", "raw", "value")}
    assert rms["value"] < 0.8 * rms["additive"]
    assert rms["value"] < rms["raw"]
    truth = -errors_of(pairs, "value", rest) + pairs["value"].to_numpy()
    covered = ((pairs["low"].to_numpy() < truth) & (truth < pairs["high"].to_numpy())).mean()
    assert covered > 0.85


def test_without_anything_of_their_own_pairings_keep_the_additive_handicap() -> None:
    pairs = pairing_handicap(fair_handicap(contests_of(made(6000), FACTORS)))
    assert pairs["pooled"].abs().max() < 2.5
    assert pairs["pooled"].abs().mean() < 0.4 * pairs["rest"].abs().mean()


def test_forecasts_are_calibrated_on_games_not_used_for_them() -> None:
    fit = contests_of(made(8000), FACTORS)
    pairs = pairing_handicap(fair_handicap(fit))
    scale = scale_of(fit)
    fresh = contests_of(made(8000, seed=2), FACTORS)
    strength = strengths(fresh, pairs, {})
    slope = calibration(strength, scale, fresh)
    assert slope["low"] < 1 < slope["high"]
    assert slope["se"] < 0.06
    table = reliability(chances(strength, scale), fresh)
    assert table["forecast"].to_list() == sorted(table["forecast"].to_list())
    assert table["forecast"][-1] - table["forecast"][0] > 0.25
    assert (table["value"] - table["forecast"]).abs().max() < 0.04


def test_forecasts_that_are_too_bold_have_a_slope_below_one() -> None:
    fresh = contests_of(made(4000, seed=2), FACTORS)
    pairs = pairing_handicap(fair_handicap(contests_of(made(8000), FACTORS)))
    strength = strengths(fresh, pairs, {})
    plain = calibration(strength, 1.0, fresh)["value"]
    assert calibration(strength, 1 / plain, fresh)["value"] == pytest.approx(1, abs=1e-6)
    assert calibration(strength, 0.5 / plain, fresh)["high"] < 0.7


def test_bids_from_few_games_are_not_too_bold() -> None:
    """Bids made from 400 games of 84 pairings are mostly noise; the scale knows it."""
    slopes = []
    for seed in range(12):
        fit = contests_of(made(400, seed), FACTORS)
        fresh = contests_of(made(2000, seed + 100), FACTORS)
        strength = strengths(fresh, pairing_handicap(fair_handicap(fit, resamples=100)), {})
        slopes.append(calibration(strength, scale_of(fit), fresh)["value"])
    assert 0.85 < float(np.mean(slopes)) < 1.25


def test_bids_that_say_nothing_give_equal_chances() -> None:
    fit = contests_of(made(300, factions=np.zeros(12)), FACTORS)
    strength = strengths(fit, pairing_handicap(fair_handicap(fit)), {})
    assert np.abs(chances(strength, scale_of(fit)) - 0.25).max() < 0.2


def test_a_further_factor_counts_and_a_missing_bid_is_one_line() -> None:
    rows = made(500).with_columns(bonus=pl.when(pl.col("seat") == 0).then(pl.lit("x")).otherwise(pl.lit("y")))
    contests = contests_of(rows, [*FACTORS, "bonus"])
    pairs = pairing_handicap(fair_handicap(contests_of(rows, FACTORS)))
    both = strengths(contests, pairs, {"bonus": {"x": 3.0, "y": 0.0}})
    assert (strengths(contests, pairs, {}) - both)[:, 0] == pytest.approx(3)
    with pytest.raises(AnalysisError, match="no bid for 'y'"):
        strengths(contests, pairs, {"bonus": {"x": 3.0}})
    with pytest.raises(AnalysisError, match="no bid for moles on lake"):
        named_bids(pairs, [("moles", "lake")])
