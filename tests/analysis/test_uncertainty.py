import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.standings import with_verdicts
from aoi_sim.analysis.uncertainty import (
    LEAST_BLOCKS,
    block_weights,
    bootstrap_error,
    clustered_means,
    t_quantile,
    wilson,
    with_intervals,
)


def test_clustered_mean_by_hand() -> None:
    rows = pl.LazyFrame({"block": [0, 0, 1, 1, 2, 2], "who": ["a"] * 6, "vp": [1, 3, 4, 6, 7, 9]})
    row = clustered_means(rows, ["vp"], ["who"]).row(0, named=True)
    assert (row["who"], row["quantity"], row["n"], row["blocks"], row["value"]) == ("a", "vp", 6, 3, 5.0)
    # Block sums of residuals: -6, 0, 6; (3/2 * 72) ** 0.5 / 6.
    assert row["se"] == pytest.approx(108**0.5 / 6)
    assert row["high"] - row["value"] == pytest.approx(4.302653 * row["se"], rel=1e-5)


def test_one_block_has_no_interval() -> None:
    row = clustered_means(pl.LazyFrame({"block": [0, 0], "vp": [1, 3]}), ["vp"]).row(0, named=True)
    assert (row["value"], row["se"], row["low"], row["high"]) == (2.0, None, None, None)
    assert t_quantile(1) == float("inf")


def test_nulls_are_left_out() -> None:
    table = clustered_means(pl.LazyFrame({"block": [0, 1, 2], "x": [1.0, None, 3.0], "y": [1, 1, 1]}), ["x", "y"])
    assert table.select("quantity", "n", "value").rows() == [("x", 2, 2.0), ("y", 3, 1.0)]


def test_intervals_cover_the_truth_in_spite_of_blocks() -> None:
    random = np.random.default_rng(4)
    covered = 0
    for _ in range(200):
        vp = (random.normal(0, 10, (20, 1)) + random.normal(0, 3, (20, 6))).ravel()
        table = clustered_means(pl.LazyFrame({"block": np.repeat(np.arange(20), 6), "vp": vp}), ["vp"])
        low, high = table.select("low", "high").row(0)
        covered += low <= 0 <= high
    assert 180 <= covered <= 199


def test_bootstrap_of_blocks_agrees_with_the_clustered_error() -> None:
    random = np.random.default_rng(5)
    vp = random.normal(0, 10, (80, 1)) + random.normal(0, 3, (80, 4))
    weights = block_weights(80, 1000)
    assert (weights.sum(axis=1) == 80).all()
    error = bootstrap_error(weights @ vp.sum(axis=1) / (weights @ np.full(80, 4.0)))
    table = clustered_means(pl.LazyFrame({"block": np.repeat(np.arange(80), 4), "vp": vp.ravel()}), ["vp"])
    assert error == pytest.approx(table["se"].item(), rel=0.1)


def test_a_few_blocks_that_are_all_alike_have_no_interval_and_never_a_verdict() -> None:
    rows = [
        (value, se, blocks) for value in (0.0, 1.0, 50.0) for se in (0.0, 1e-15) for blocks in (1, 2, LEAST_BLOCKS - 1)
    ]
    table = with_intervals(pl.DataFrame(rows, schema=["value", "se", "blocks"], orient="row"))
    assert table.select("se", "low", "high").null_count().row(0) == (len(rows),) * 3
    assert set(with_verdicts(with_tests(table), 100)["verdict"]) == {"undecided"}
    bare = pl.DataFrame(rows, schema=["value", "se", "blocks"], orient="row")
    assert set(with_verdicts(with_tests(bare), 100)["verdict"]) == {"undecided"}
    many = with_verdicts(with_tests(with_intervals(bare.with_columns(blocks=pl.lit(LEAST_BLOCKS)))), 100)
    assert many.group_by("value").agg(pl.col("verdict").first()).sort("value")["verdict"].to_list() == [
        *("equivalent", "equivalent", "different")
    ]


def test_the_interval_of_a_share_stays_inside_0_and_1_and_never_collapses() -> None:
    random = np.random.default_rng(3)
    for blocks in range(2, 30):
        for chance in (0.0, 0.05, 0.5, 1.0):
            won = (random.random(blocks) < chance).astype(float)
            rows = pl.DataFrame({"block": range(blocks), "won": won})
            row = wilson(clustered_means(rows.lazy(), ["won"])).row(0, named=True)
            assert 0 <= row["low"] <= row["value"] + 1e-12
            assert row["value"] - 1e-12 <= row["high"] <= 1
            assert row["high"] - row["low"] > 0.01
    one = wilson(clustered_means(pl.LazyFrame({"block": [0], "won": [1.0]}), ["won"]))
    assert one.select("low", "high").row(0) == (None, None)
