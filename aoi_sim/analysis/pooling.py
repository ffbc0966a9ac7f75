"""Partial pooling of thin cells: each is drawn towards what the additive model says, the more the less is known of it."""

from typing import Any

import numpy as np
import polars as pl

from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.uncertainty import LEVEL, t_quantile, with_intervals

_POOLED = ("pooled", "pooled_se", "pooled_low", "pooled_high", "weight")


def spread_of_cells(values: Any, errors: Any) -> float:
    """Variance tau^2 of true values around zero, from estimates and their standard errors.

    The root of sum(values^2 / (tau^2 + errors^2)) = number of cells (Paule and Mandel, Journal of Research of the National
    Bureau of Standards 87, 1982), 0 if there is none.
    """
    from scipy.optimize import brentq

    squares, noise = np.asarray(values) ** 2, np.maximum(np.asarray(errors) ** 2, 1e-18)

    def excess(variance: float) -> float:
        return float((squares / (variance + noise)).sum() - len(squares))

    return 0.0 if excess(0.0) <= 0 else float(brentq(excess, 0.0, squares.sum() + noise.max()))


def shrunk(values: Any, errors: Any) -> tuple[Any, Any, Any]:
    """Empirical Bayes estimates of cells around zero.

    A cell keeps the weight 1 - (k-2)/k s^2/(tau^2 + s^2); its error includes that tau^2 is estimated (Morris, Parametric
    empirical Bayes inference, JASA 78, 1983). Fewer than three cells are left as they are.

    Args:
        values: estimates by cell.
        errors: standard errors by cell.

    Returns:
        Pooled values, their standard errors, and the weights of the cells' own estimates.
    """
    values, noise = np.asarray(values, dtype=float), np.asarray(errors, dtype=float) ** 2
    size = len(values)
    if size < 3:
        return values, np.sqrt(noise), np.ones(size)
    total = spread_of_cells(values, errors) + noise
    away = (size - 2) / size * np.divide(noise, total, out=np.zeros(size), where=total > 1e-18)
    extra = 2 / (size - 2) * away**2 * values**2 if size > 2 else 0
    return (1 - away) * values, np.sqrt(noise * (1 - away) + extra), 1 - away


def shrunk_with_care(values: Any, errors: Any, level: float = LEVEL) -> tuple[Any, Any]:
    """Empirical Bayes estimates of cells around zero for tests that they are small.

    The variance between cells is not estimated as in ``shrunk`` (few data often give 0, and every cell would be known to be
    small) but taken at the upper end of its interval: where sum(values^2 / (tau^2 + errors^2)) is at its lower quantile
    (Viechtbauer, Confidence intervals for the amount of heterogeneity in meta-analysis, Statistics in Medicine 26, 2007).

    Args:
        values: estimates by cell.
        errors: standard errors by cell.
        level: one-sided level of the variance.

    Returns:
        Pooled values and their standard errors.
    """
    from scipy.optimize import brentq
    from scipy.special import chdtri

    values, noise = np.asarray(values, dtype=float), np.maximum(np.asarray(errors, dtype=float) ** 2, 1e-18)
    least = float(chdtri(len(values), level))

    def excess(variance: float) -> float:
        return float((values**2 / (variance + noise)).sum() - least)

    variance = 0.0 if excess(0.0) <= 0 else float(brentq(excess, 0.0, (values**2).sum() / least + noise.max()))
    weight = variance / (variance + noise)
    return weight * values, np.sqrt(weight * noise)


def with_pooling(table: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """Add intervals, tests and pooled figures to ``n``, ``blocks``, ``value``, ``se`` of differences from an additive model.

    Adds ``low``, ``high``, ``p``, ``q``, ``pooled``, ``pooled_se``, ``pooled_low``, ``pooled_high``, ``weight``. Cells without
    a standard error have nulls there.
    """
    known = table["se"].is_not_null().to_numpy()
    columns = {name: np.full(len(table), np.nan) for name in _POOLED}
    if known.any():
        blocks = table["blocks"].to_numpy()[known]
        pooled, error, weight = shrunk(table["value"].to_numpy()[known], table["se"].to_numpy()[known])
        half = error * np.array([t_quantile(int(count), level) for count in blocks])
        for name, values in zip(_POOLED, (pooled, error, pooled - half, pooled + half, weight), strict=True):
            columns[name][known] = values
    added = [pl.Series(name, values, pl.Float64).fill_nan(None) for name, values in columns.items()]
    return with_tests(with_intervals(table, level)).with_columns(added)
