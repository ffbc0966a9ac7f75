"""Confidence sequences: intervals that hold at every look, so that a run may stop when they are narrow enough.

An ordinary 95 % interval that is looked at 20 times misses the truth at some look in about a quarter of the runs. The
sequence here is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory
and asymptotic confidence sequences, Annals of Statistics 52 (2024), theorem 2.2: Robbins' normal mixture with the
estimated variance. It is about 1.55 times as wide as an ordinary interval at the size it is designed for.
"""

from collections.abc import Sequence
from math import log
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.uncertainty import LEVEL

LEAST_BLOCKS: Final = 50
"""Blocks before a sequence says anything: the variance must be known by then."""
_SPREAD: Final = 17.0
_RATIO: Final = 3.04


def half_width(n: Any, sd: Any, design_size: float, level: float = LEVEL) -> Any:
    """Half-width of the sequence after ``n`` observations, infinite before ``LEAST_BLOCKS``; arrays or numbers.

    Args:
        n: how many observations there are.
        sd: their standard deviation.
        design_size: number of observations at which the sequence is to be narrowest.
        level: probability that the mean is inside at all looks together.
    """
    n, alpha = np.asarray(n, dtype=float), 1 - level
    mixing = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / design_size  # rho squared, best at design_size
    grown = n * mixing + 1
    width = sd * np.sqrt(2 * grown / (n * n * mixing) * np.log(np.sqrt(grown) / alpha))
    return np.where(n >= LEAST_BLOCKS, width, np.inf)


def design_size(wanted: float) -> float:
    """About how many blocks of a faction a half-width needs, fixed before the first look: for a spread of 17 VP."""
    return max(float(LEAST_BLOCKS), (_RATIO * _SPREAD / wanted) ** 2)


def margin_sequence(rows: pl.LazyFrame, size: float, levels: Sequence[str] = ()) -> pl.DataFrame:
    """Margins of factions with the half-width of their sequence; of a paired run their differences from the first level.

    Args:
        rows: made by ``margin_rows``.
        size: ``design_size``.
        levels: names of the levels, empty if the run is not paired.

    Returns:
        ``level`` (paired runs only), ``faction``, ``blocks``, ``value``, ``half_width`` (infinite with too few blocks).
    """
    means = rows.group_by("level", "faction", "block", maintain_order=True).agg(pl.col("margin").mean())
    keys = ["level", "faction"] if levels else ["faction"]
    if levels:
        first = means.filter(pl.col("level") == levels[0]).drop("level")
        means = (
            means.filter(pl.col("level") != levels[0])
            .join(first, on=["faction", "block"], suffix="_first", maintain_order="left")
            .with_columns(margin=pl.col("margin") - pl.col("margin_first"))
        )
    table = (
        means.group_by(keys, maintain_order=True)
        .agg(blocks=pl.len(), value=pl.col("margin").mean(), sd=pl.col("margin").std())
        .sort(keys)
        .collect()
    )
    widths = half_width(table["blocks"].to_numpy(), table["sd"].fill_null(0).to_numpy(), size)
    return table.drop("sd").with_columns(pl.Series("half_width", widths, dtype=pl.Float64))
