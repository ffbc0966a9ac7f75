"""Intervals clustered by set-up block: all games of a block share their set-up, so the block is the unit of sampling."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

LEVEL: Final = 0.95
N_RESAMPLES: Final = 400
LEAST_BLOCKS: Final = 10
"""Fewer blocks that are all alike say nothing about how much blocks differ, and nothing of fewer is known to be near zero."""
NO_WIDTH: Final = 1e-12
"""Standard error below which values do not differ from block to block."""


def t_quantile(n_blocks: float, level: float = LEVEL) -> float:
    """Half-width of the interval of a mean over blocks, in standard errors; infinite for a single block.

    Student's t with ``n_blocks`` - 1 degrees of freedom, which need not be whole.
    """
    from scipy.special import stdtrit

    return float(stdtrit(n_blocks - 1, 0.5 + level / 2)) if n_blocks > 1 else float("inf")


def t_half_width(se: float | None, n_blocks: float, level: float = LEVEL) -> float | None:
    """Half-width of the interval of an estimate with a standard error; None without one, or with a single block.

    Sentences, plans and tables take it, so that they say the same of the same estimate.
    """
    return None if se is None or n_blocks <= 1 else se * t_quantile(n_blocks, level)


def joint_blocks(errors: Sequence[float], n_blocks: Sequence[float]) -> float:
    """For the sum of independent estimates: the number of blocks whose Student's t has the right degrees of freedom.

    Satterthwaite, An approximate distribution of estimates of variance components, Biometrics Bulletin 2 (1946).
    """
    squares = [error**2 for error in errors]
    spread = sum(square**2 / (count - 1) for square, count in zip(squares, n_blocks, strict=True) if square > 0)
    return 1 + sum(squares) ** 2 / spread if spread > 0 else float(min(n_blocks, default=1.0))


def clustered_means(
    rows: pl.LazyFrame, values: Sequence[str], by: Sequence[str] = (), level: float = LEVEL
) -> pl.DataFrame:
    """Means with errors clustered by block.

    Args:
        rows: has the columns ``block``, ``by`` and ``values``; nulls are left out.
        values: numeric columns to average.
        by: columns of the groups.
        level: of the intervals.

    Returns:
        A row a group and value: ``by``, ``quantity``, ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``; the last
        three are null with one block.
    """
    keys, kept = list(by), list(values)
    sums = (
        rows.select(*keys, "block", *(pl.col(name).cast(pl.Float64) for name in kept))
        .group_by(*keys, "block", maintain_order=True)
        .agg(
            pl.col(kept).sum(),
            *(pl.col(name).count().cast(pl.Int64).alias(f"_n_{name}") for name in kept),
        )
        .collect()
    )
    totals = {q: pl.col(q).sum() / pl.col(f"_n_{q}").sum() for q in kept}
    means = sums.with_columns(**{f"_mean_{q}": mean.over(keys) if keys else mean for q, mean in totals.items()})
    tables = [
        means.lazy()
        .filter(pl.col(f"_n_{q}") > 0)
        .group_by(keys or pl.lit(0).alias("_all"), maintain_order=True)
        .agg(
            quantity=pl.lit(q),
            n=pl.col(f"_n_{q}").sum(),
            blocks=pl.len().cast(pl.Int64),
            value=pl.col(f"_mean_{q}").first(),
            squares=((pl.col(q) - pl.col(f"_n_{q}") * pl.col(f"_mean_{q}")) ** 2).sum(),
        )
        .select(*keys, "quantity", "n", "blocks", "value", "squares")
        for q in kept
    ]
    table = pl.concat(pl.collect_all(tables)).sort(*keys, "quantity")
    errors = [
        (blocks / (blocks - 1) * squares) ** 0.5 / n if blocks > 1 else None
        for n, blocks, squares in table.select("n", "blocks", "squares").iter_rows()
    ]
    return with_intervals(table.drop("squares").with_columns(pl.Series("se", errors, dtype=pl.Float64)), level)


def with_intervals(table: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Add ``low`` and ``high`` to a table with ``blocks``, ``value`` and ``se``.

    Fewer than ``LEAST_BLOCKS`` blocks that are all alike have no standard error: ``se``, ``low`` and ``high`` are null.
    """
    alike = (pl.col("se") <= NO_WIDTH) & (pl.col("blocks") < LEAST_BLOCKS)
    table = table.with_columns(se=pl.when(alike).then(None).otherwise(pl.col("se")))
    widths = [t_half_width(se, blocks, level) for blocks, se in table.select("blocks", "se").iter_rows()]
    half = pl.Series("half", widths, dtype=pl.Float64)
    return table.with_columns(low=pl.col("value") - half, high=pl.col("value") + half)


def wilson(table: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Replace ``low`` and ``high`` of shares by Wilson's interval at the effective sample size p (1 - p) / se^2.

    Where all blocks are alike (as with a share of 0 or 1) the number of blocks is that size. One block has nulls.
    """
    p = table["value"].to_numpy()
    se = np.array([np.nan if x is None else x for x in table["se"].to_list()], dtype=float)
    blocks = table["blocks"].to_numpy().astype(float)
    t = np.array([t_quantile(int(count), level) for count in blocks])
    spread = p * (1 - p)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where((spread <= 1e-12) | ~(se > NO_WIDTH), blocks, spread / se**2)
        factor = t**2 / size
        centre = (p + factor / 2) / (1 + factor)
        half = t / (1 + factor) * np.sqrt(spread / size + factor / (4 * size))
    few = np.where(blocks > 1, 0.0, np.nan)
    return table.with_columns(_bound("low", centre - half, few, 0.0, 1.0), _bound("high", centre + half, few, 0.0, 1.0))


def _bound(name: str, values: Any, se: Any, least: float, most: float) -> pl.Series:
    clipped = np.clip(values, least, most)
    return pl.Series(name, [None if np.isnan(s) else float(v) for v, s in zip(clipped, se, strict=True)], pl.Float64)


def block_weights(n_blocks: int, n_resamples: int = N_RESAMPLES, seed: int = 1) -> Any:
    """How often each block comes in each resample of a bootstrap of whole blocks: resamples x blocks."""
    random = np.random.default_rng(seed)
    return random.multinomial(n_blocks, np.full(n_blocks, 1 / n_blocks), size=n_resamples).astype(float)


def bootstrap_error(resampled: Any) -> float | None:
    """Standard error from the values of resamples; None where too few of them are defined."""
    defined = resampled[np.isfinite(resampled)]
    return float(defined.std(ddof=1)) if len(defined) > len(resampled) // 2 else None
