import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

import aoi_sim
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.standings import with_verdicts
from aoi_sim.analysis.uncertainty import (
    LEAST_BLOCKS,
    block_weights,
    bootstrap_error,
    clustered_means,
    joint_blocks,
    t_half_width,
    t_quantile,
    wilson,
    with_intervals,
)

PACKAGE = Path(aoi_sim.__file__).parent


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


def test_half_widths_are_those_of_students_t() -> None:
    assert t_half_width(2.0, 6) == pytest.approx(2.0 * stats.t.ppf(0.975, 5))
    assert t_half_width(2.0, 6, 0.9) == pytest.approx(2.0 * stats.t.ppf(0.95, 5))
    assert t_half_width(2.0, 10**7) == pytest.approx(2.0 * 1.96, rel=1e-4)
    assert t_half_width(None, 50) is None and t_half_width(2.0, 1) is None


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_sums_of_means_of_few_blocks_have_intervals_that_cover(factor: float, holds: bool) -> None:
    random = np.random.default_rng(8)
    parts = [random.normal(0, sd, (1000, n)) for sd, n in ((10, 6), (4, 12), (9, 5))]
    values = sum(part.mean(axis=1) for part in parts)
    errors = [part.std(axis=1, ddof=1) / part.shape[1] ** 0.5 for part in parts]
    counts = [part.shape[1] for part in parts]
    halves = [
        t_half_width(sum(e**2 for e in own) ** 0.5, joint_blocks(own, counts)) for own in zip(*errors, strict=True)
    ]
    covered = np.mean(np.abs(values) <= factor * np.array(halves, dtype=float))
    assert bool(0.93 <= covered <= 0.97) is holds
    normal = 1.96 * sum(e**2 for e in errors) ** 0.5
    assert np.mean(np.abs(values) <= normal) < 0.93, "so few blocks need Student's t"


def test_one_estimate_alone_keeps_its_own_blocks() -> None:
    assert joint_blocks([2.0], [7]) == pytest.approx(7)
    assert joint_blocks([2.0, 0.0], [7, 3]) == pytest.approx(7)
    assert joint_blocks([0.0, 0.0], [7, 3]) == 3
    assert joint_blocks([1.0, 1.0], [7, 7]) == pytest.approx(13)


def test_no_interval_is_made_with_a_quantile_of_the_normal_distribution() -> None:
    quantiles = re.compile(
        r"\b(1\.96\d*|1\.64\d*|1\.28\d*|2\.5[78]\d*)\b(?! times)|\bndtri\b|norm\.(ppf|isf)|NormalDist"
    )
    found = {
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in ("engine", "players", "rules")
        for line in path.read_text(encoding="utf-8").splitlines()
        if quantiles.search(line)
    }
    # The games that a later, larger run needs are planned with it.
    planning = ("analysis/standings.py", "studies/target_search.py")
    assert {text for text in found if not text.startswith(planning)} == set()
    assert len(found) == 6, found
