"""Many questions at once: q-values, adjusted p-values, and equivalence tests."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from aoi_sim.analysis.uncertainty import LEAST_BLOCKS, NO_WIDTH

Numbers = Sequence[float | None]


def q_values(p: Numbers) -> list[float | None]:
    """Q-values of Benjamini and Hochberg (Journal of the Royal Statistical Society B 57, 1995); nulls stay null."""
    known = [i for i, value in enumerate(p) if value is not None]
    result: list[float | None] = [None] * len(p)
    values = np.array([p[i] for i in known], dtype=float)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * len(values) / np.arange(1, len(values) + 1)
    adjusted = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    for place, value in zip(order, adjusted, strict=True):
        result[known[place]] = float(value)
    return result


def holm(p: Any) -> Any:
    """P-values of an array adjusted by Holm's step-down method (Scandinavian Journal of Statistics 6, 1979)."""
    values = np.asarray(p, dtype=float)
    order = np.argsort(values, kind="stable")
    scaled = np.minimum(np.maximum.accumulate(values[order] * (len(values) - np.arange(len(values)))), 1.0)
    adjusted = np.empty(len(values))
    adjusted[order] = scaled
    return adjusted


def two_sided_p(value: float, se: float | None, blocks: int) -> float | None:
    """P-value of no effect by Student's t with blocks - 1 degrees of freedom; None without an error.

    A value without any spread over ``LEAST_BLOCKS`` blocks or more is certain: 1 if it is zero, else 0. Over fewer, None.
    """
    from scipy.special import stdtr

    if se is None or blocks < 2:
        return None
    if se <= NO_WIDTH:
        if blocks < LEAST_BLOCKS:
            return None
        return 1.0 if abs(value) <= 1e-9 else 0.0
    return float(2 * stdtr(blocks - 1, -abs(value) / se))


def equivalence_p(value: float, se: float | None, blocks: int, delta: float) -> float | None:
    """P-value of the two one-sided tests that the effect lies within ``delta`` of zero.

    Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987). None below ``LEAST_BLOCKS`` blocks: that nothing
    was seen in a few set-ups does not show that there is nothing.
    """
    from scipy.special import stdtr

    if se is None or blocks < LEAST_BLOCKS:
        return None
    if se <= NO_WIDTH:
        return 0.0 if abs(value) < delta else 1.0
    return float(stdtr(blocks - 1, (abs(value) - delta) / se))


def with_tests(table: pl.DataFrame) -> pl.DataFrame:
    """Add ``p`` (of no effect) and ``q`` (Benjamini-Hochberg over the table) to ``blocks``, ``value``, ``se``."""
    p = [two_sided_p(value, se, blocks) for value, se, blocks in table.select("value", "se", "blocks").iter_rows()]
    return table.with_columns(pl.Series("p", p, pl.Float64), pl.Series("q", q_values(p), pl.Float64))
