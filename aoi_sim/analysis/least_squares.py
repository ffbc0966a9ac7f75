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


class Runs:
    """Rows that belong together, as sums over them: games, or blocks."""

    def __init__(self, labels: Any) -> None:
        changes = np.flatnonzero(labels[1:] != labels[:-1]) + 1
        self._order: Any = None
        if len(np.unique(labels)) != len(changes) + 1:
            self._order = np.argsort(labels, kind="stable")
            labels = labels[self._order]
            changes = np.flatnonzero(labels[1:] != labels[:-1]) + 1
        self.starts = np.append(0, changes)
        self.sizes = np.diff(np.append(self.starts, len(labels)))
        self._even = int(self.sizes[0]) if (self.sizes == self.sizes[0]).all() else 0

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def together(self) -> bool:
        """Whether the rows of each run stand together."""
        return self._order is None

    def sums(self, values: Any) -> Any:
        """Sums of rows (of an array or a matrix), in the order of the runs."""
        if self._order is not None:
            values = values[self._order]
        if self._even:  # much faster than reduceat
            return values.reshape(len(self.starts), self._even, *values.shape[1:]).sum(axis=1)
        return np.add.reduceat(values, self.starts, axis=0)

    def centred(self, values: Any) -> Any:
        """Rows less the mean of their run; only of rows that stand together."""
        sums = self.sums(values)
        means = sums / (self.sizes if values.ndim == 1 else self.sizes[:, None])
        return values - np.repeat(means, self.sizes, axis=0)


def _pseudo_inverse(product: Any) -> tuple[Any, Any, int]:
    """Inverse of a cross-product on the space that it spans, the projection on that space, and its rank."""
    values, vectors = np.linalg.eigh(product)
    keep = values > _TOLERANCE * max(values.max(initial=0.0), 1.0)
    kept = vectors[:, keep]
    return (kept / values[keep]) @ kept.T, kept @ kept.T, int(keep.sum())


class Design:
    """A regression within games that is fitted as it is, or with one more factor at a time.

    Args:
        rows: of ``seat_table``, in the order of games.
        quantity: column to explain: ``vp`` or ``win_share``.
        factors: of the rows.

    Raises:
        AnalysisError: rows of a game do not stand together.
    """

    def __init__(self, rows: pl.DataFrame, quantity: str, factors: Sequence[Factor]) -> None:
        self.factors = factors
        self.games = Runs(rows["game_index"].to_numpy())
        self.blocks = Runs(rows["block"].to_numpy())
        if not self.games.together:
            raise AnalysisError("rows of a game stand apart, the rows given, sort them by game_index")
        self.y = self.games.centred(rows[quantity].to_numpy().astype(float))
        self.x = self.games.centred(np.hstack([factor.columns for factor in factors]))
        self.inverse, self.row_space, self.rank = _pseudo_inverse(self.x.T @ self.x)
        self.coefficients = self.inverse @ (self.x.T @ self.y)
        self.residuals = self.y - self.x @ self.coefficients

    def fit(self) -> Fit:
        """The regression."""
        covariance = self._covariance(self.x, self.residuals, self.inverse, self.rank)
        return self._fit(self.factors, self.coefficients, covariance, self.row_space, self.residuals)

    def fit_with(self, factor: Factor) -> Fit:
        """The regression with one more factor, of which alone there are coefficients.

        The factor is taken less what the others explain of it (Frisch and Waugh 1933, Lovell 1963), which gives the same
        coefficients, errors and residuals for it as the whole regression.
        """
        own = self.games.centred(factor.columns)
        rest = own - self.x @ (self.inverse @ (self.x.T @ own))
        inverse, row_space, rank = _pseudo_inverse(rest.T @ rest)
        coefficients = inverse @ (rest.T @ self.residuals)
        residuals = self.residuals - rest @ coefficients
        covariance = self._covariance(rest, residuals, inverse, self.rank + rank)
        return self._fit([factor], coefficients, covariance, row_space, residuals)

    def _covariance(self, x: Any, residuals: Any, inverse: Any, rank: int) -> Any:
        n_blocks, n = len(self.blocks), len(self.y)
        if n_blocks < 2 or n <= rank:
            return None
        scores = self.blocks.sums(x * residuals[:, None])
        correction = n_blocks / (n_blocks - 1) * (n - 1) / (n - rank)
        return correction * inverse @ (scores.T @ scores) @ inverse

    def _fit(
        self, factors: Sequence[Factor], coefficients: Any, covariance: Any, row_space: Any, residuals: Any
    ) -> Fit:
        slices, first = {}, 0
        for factor in factors:
            slices[factor.name] = slice(first, first + factor.size)
            first += factor.size
        return Fit(
            factors=slices,
            levels={factor.name: factor.levels for factor in factors},
            coefficients=coefficients,
            covariance=covariance,
            row_space=row_space,
            residuals=residuals,
            rows=len(self.y),
            blocks=np.hstack([(self.blocks.sums(np.abs(one.columns)) > 0).sum(axis=0) for one in factors]),
            n_blocks=len(self.blocks),
        )


def fit_within_games(rows: pl.DataFrame, quantity: str, factors: Sequence[Factor]) -> Fit:
    """Fit the regression of ``Design`` as it is."""
    return Design(rows, quantity, factors).fit()
