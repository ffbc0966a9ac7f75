"""Least squares within games: what each level of a factor adds, everything else and the game held equal.

The regression is of VP (or win share) on indicators of the factors' levels, all less their mean over the game, so that
set-ups, opponents' mean and round tiles drop out; errors are clustered by block (Liang and Zeger 1986; Cameron and Miller
2015) with the finite-sample factor G/(G-1) (N-1)/(N-K) that statsmodels uses. Effects of a factor are relative to the mean
of its levels (sum to zero). Factors that the data cannot separate are found from the rank of the design.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.source import AnalysisError

_TOLERANCE: Final = 1e-7


@dataclass(frozen=True, slots=True)
class Factor:
    """Columns of the design that belong together.

    Attributes:
        name: of the factor.
        levels: names of its levels.
        columns: seats x levels, before the game's mean is taken off; indicators, or any numbers.
    """

    name: str
    levels: tuple[Any, ...]
    columns: Any

    @property
    def size(self) -> int:
        """Number of levels."""
        return len(self.levels)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted regression.

    Attributes:
        factors: by name, the slice of their columns.
        levels: by name, the names of their levels.
        coefficients: one solution (of minimal norm), by column; contrasts of it that the data determine are meaningful.
        covariance: of the coefficients, clustered by block; None with one block.
        row_space: projection on what the data determine.
        residuals: by seat.
        rows: rows of data.
        blocks: by column, blocks in which it is not constant zero.
        n_blocks: blocks in all.
    """

    factors: Mapping[str, slice]
    levels: Mapping[str, tuple[Any, ...]]
    coefficients: Any
    covariance: Any
    row_space: Any
    residuals: Any
    rows: int
    blocks: Any
    n_blocks: int

    def contrast(self, matrix: Any) -> tuple[Any, Any, Any]:
        """Linear combinations of coefficients.

        Args:
            matrix: combinations x columns.

        Returns:
            Values, covariance (None with one block), and whether the data determine each.
        """
        known = np.abs(matrix - matrix @ self.row_space).max(axis=1) < 1e-6
        covariance = None if self.covariance is None else matrix @ self.covariance @ matrix.T
        return matrix @ self.coefficients, covariance, known

    def centring(self, name: str) -> Any:
        """Contrasts: each level of a factor less the mean of its levels."""
        part = self.factors[name]
        size = part.stop - part.start
        matrix = np.zeros((size, len(self.coefficients)))
        matrix[:, part] = np.eye(size) - 1 / size
        return matrix


def factor_of(rows: pl.DataFrame, names: Sequence[str]) -> Factor:
    """The indicator columns of a factor, or of the combinations of several.

    Raises:
        AnalysisError: a row has no value.
    """
    keys = rows.select(names)
    if sum(keys.null_count().row(0)):
        raise AnalysisError(f"seats without {' or '.join(names)}, table seats, leave it out of the model")
    table = keys.unique(maintain_order=True).sort(list(names)).with_row_index("_code")
    codes = keys.join(table, on=list(names), how="left", maintain_order="left")["_code"].to_numpy()
    levels = tuple(row[1] if len(names) == 1 else row[1:] for row in table.iter_rows())
    columns = np.zeros((len(rows), len(levels)))
    columns[np.arange(len(rows)), codes] = 1
    return Factor("x".join(names), levels, columns)


def within_games(values: Any, starts: Any) -> Any:
    """Values less their mean over the game; rows of a game stand together, ``starts`` are their first rows."""
    sizes = np.diff(np.append(starts, len(values)))
    sums = np.add.reduceat(values, starts, axis=0)
    means = sums / (sizes if values.ndim == 1 else sizes[:, None])
    return values - np.repeat(means, sizes, axis=0)


def fit_within_games(rows: pl.DataFrame, quantity: str, factors: Sequence[Factor]) -> Fit:
    """Fit the regression.

    Args:
        rows: of ``seat_table``, in the order of games.
        quantity: column to explain: ``vp`` or ``win_share``.
        factors: of the rows.
    """
    game = rows["game_index"].to_numpy()
    starts = np.flatnonzero(np.append(True, game[1:] != game[:-1]))
    y = within_games(rows[quantity].to_numpy().astype(float), starts)
    raw = np.hstack([factor.columns for factor in factors])
    x = within_games(raw, starts)
    values, vectors = np.linalg.eigh(x.T @ x)
    keep = values > _TOLERANCE * max(values.max(initial=0.0), 1.0)
    inverse = (vectors[:, keep] / values[keep]) @ vectors[:, keep].T
    coefficients = inverse @ (x.T @ y)
    residuals = y - x @ coefficients
    order, block_starts = _block_order(rows["block"].to_numpy())
    n_blocks, rank = len(block_starts), int(keep.sum())
    scores = np.add.reduceat((x * residuals[:, None])[order], block_starts, axis=0)
    covariance = None
    if n_blocks > 1 and len(y) > rank:
        correction = n_blocks / (n_blocks - 1) * (len(y) - 1) / (len(y) - rank)
        covariance = correction * inverse @ (scores.T @ scores) @ inverse
    there = (np.add.reduceat(np.abs(raw)[order], block_starts, axis=0) > 0).sum(axis=0)
    slices, first = {}, 0
    for factor in factors:
        slices[factor.name] = slice(first, first + factor.size)
        first += factor.size
    return Fit(
        factors=slices,
        levels={factor.name: factor.levels for factor in factors},
        coefficients=coefficients,
        covariance=covariance,
        row_space=vectors[:, keep] @ vectors[:, keep].T,
        residuals=residuals,
        rows=len(y),
        blocks=there,
        n_blocks=n_blocks,
    )


def _block_order(block: Any) -> tuple[Any, Any]:
    """Rows sorted by block, and the first row of each."""
    order = np.argsort(block, kind="stable")
    ordered = block[order]
    return order, np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
