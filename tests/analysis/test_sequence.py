from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from aoi_sim.analysis.sequence import LEAST_BLOCKS, design_size, half_width, margin_sequence

LOOKS = np.arange(1, 21) * 100
"""Twenty looks, after 100, 200, ... 2,000 blocks."""


def ordinary(n: Any, sd: Any, size: float) -> Any:
    """The interval for a single look."""
    return 1.96 * sd / np.sqrt(n)


def normal(random: np.random.Generator, shape: tuple[int, int]) -> Any:
    return random.normal(0, 17, shape)


def skewed(random: np.random.Generator, shape: tuple[int, int]) -> Any:
    return 17 * (random.gamma(1.0, 1.0, shape) - 1)


def heavy_tailed(random: np.random.Generator, shape: tuple[int, int]) -> Any:
    return 10 * random.standard_t(5, shape)


def coverage(draw: Callable[..., Any], width: Callable[..., Any], size: float, runs: int = 3000) -> float:
    """Share of runs in which the interval holds the true mean (0) at all twenty looks."""
    draws = draw(np.random.default_rng(11), (runs, int(LOOKS[-1])))
    sums, squares = draws.cumsum(axis=1)[:, LOOKS - 1], (draws**2).cumsum(axis=1)[:, LOOKS - 1]
    means = sums / LOOKS
    sds = np.sqrt((squares - LOOKS * means**2) / (LOOKS - 1))
    return float((np.abs(means) <= width(LOOKS, sds, size)).all(axis=1).mean())


@pytest.mark.parametrize("draw", [normal, skewed, heavy_tailed])
@pytest.mark.parametrize("size", [100, 1000, 20_000])
def test_the_sequence_covers_at_all_twenty_looks(draw: Callable[..., Any], size: float) -> None:
    assert coverage(draw, half_width, size) >= 0.95


def test_an_ordinary_interval_does_not() -> None:
    assert 0.70 < coverage(normal, ordinary, 0) < 0.82


def test_a_run_that_stops_by_its_width_covers_too() -> None:
    """As ``--until`` uses it: the interval at the first look that is narrow enough, else at the last."""
    draws = normal(np.random.default_rng(5), (3000, 2000))
    hits = []
    for row in draws:
        for look in LOOKS:
            seen = row[:look]
            width = float(half_width(look, seen.std(ddof=1), design_size(1.6)))
            if width <= 1.6:
                break
        hits.append(abs(seen.mean()) <= width)
    assert np.mean(hits) >= 0.95


def test_its_price_is_half_as_wide_again_at_the_size_it_is_designed_for() -> None:
    for size in (200, 2000):
        assert half_width(size, 1.0, size) / ordinary(size, 1.0, 0) == pytest.approx(1.55, abs=0.03)
        assert half_width(size, 1.0, size) <= min(half_width(size, 1.0, size * k) for k in (0.2, 0.5, 2, 5))


def test_it_says_nothing_at_the_start_and_narrows() -> None:
    sizes = np.arange(1, 4000)
    widths = half_width(sizes, 17.0, 1000)
    assert np.isinf(widths[: LEAST_BLOCKS - 1]).all()
    assert (np.diff(widths[LEAST_BLOCKS - 1 :]) < 0).all()


def test_the_width_of_a_design_size_is_the_wanted_one() -> None:
    for wanted in (0.5, 1.0, 2.0):
        assert half_width(design_size(wanted), 17.0, design_size(wanted)) == pytest.approx(wanted, rel=0.02)


def made(n_blocks: int, levels: int = 1) -> pl.LazyFrame:
    random = np.random.default_rng(3)
    rows = []
    for block in range(n_blocks):
        shared = random.normal(0, 10, 3)
        for level in range(levels):
            names = random.permutation(3) if levels == 1 else range(3)
            margins = shared + random.normal(0, 4, 3)
            rows += [
                (block, f"L{level}" if levels > 1 else None, f"f{f}", margins[f] + f + 2 * level * f) for f in names
            ]
    return pl.LazyFrame(rows, schema={"block": int, "level": str, "faction": str, "margin": float}, orient="row")


def test_sequences_of_margins_are_those_of_block_means() -> None:
    rows = made(400)
    table = margin_sequence(rows, 500)
    own = rows.filter(pl.col("faction") == "f1").collect()["margin"].to_numpy()
    row = table.row(1, named=True)
    assert (row["faction"], row["blocks"]) == ("f1", 400)
    assert row["value"] == pytest.approx(own.mean())
    assert row["half_width"] == pytest.approx(float(half_width(400, own.std(ddof=1), 500)))


def test_games_of_a_block_are_one_observation() -> None:
    rows = made(400)
    twice = pl.concat([rows, rows])
    assert_frame_equal(margin_sequence(twice, 500), margin_sequence(rows, 500))


def test_of_levels_the_paired_difference_is_looked_at() -> None:
    table = margin_sequence(made(600, levels=2), 500, ["L0", "L1"])
    assert table.select("level", "faction", "blocks").rows() == [("L1", f"f{f}", 600) for f in range(3)]
    assert table["value"].to_list() == pytest.approx([0, 2, 4], abs=0.7)
    assert table["half_width"].max() < margin_sequence(made(600), 500)["half_width"].min() / 1.5


def test_too_few_blocks_have_no_width() -> None:
    assert margin_sequence(made(LEAST_BLOCKS - 1), 500)["half_width"].is_infinite().all()
