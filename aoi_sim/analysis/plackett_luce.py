"""The Plackett-Luce model of finishing orders with additive strengths, fitted by its likelihood.

The winner of a table is one of its seats with odds as the exponentials of the strengths, the second one of the others, and so
on (Plackett, The analysis of permutations, Applied Statistics 24, 1975); the strength of a seat is the sum of those of its
levels (faction, board, ...). A tie counts as every order of the tied seats, in equal parts. Errors are clustered by block
(Liang and Zeger 1986).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, permutations, product
from typing import Any, Final

import numpy as np

PRIOR_PRECISION: Final = 0.01
"""Of a normal prior on each strength (sd 10): finite strengths where one always wins."""
_CHUNK: Final = 4000

Order = tuple[int, ...]
"""Seats (or players) in finishing order."""


def orders_of(players: Sequence[int], scores: Sequence[float]) -> Iterator[tuple[Order, float]]:
    """The finishing orders that scores stand for, with weights that add up to 1: several where seats are tied."""
    seats = sorted(range(len(players)), key=lambda seat: -scores[seat])
    tied = [list(permutations(group)) for _, group in groupby(seats, key=lambda seat: scores[seat])]
    ways = list(product(*tied))
    for way in ways:
        yield tuple(players[seat] for group in way for seat in group), 1 / len(ways)


@dataclass(frozen=True, slots=True)
class Orders:
    """Finishing orders of tables of one size.

    Attributes:
        design: orders x places x strengths: what each seat is made of, winners first.
        blocks: number of the block of each order, from 0.
        weights: how often each order came.
    """

    design: Any
    blocks: Any
    weights: Any

    def stages(self, strengths: Any) -> Iterator[tuple[int, Any, Any]]:
        """Of each place that is contested: its number, the odds' shares of the seats left, and their mean design."""
        utility = self.design @ strengths
        odds = np.exp(utility - utility.max(axis=1, keepdims=True))
        for stage in range(odds.shape[1] - 1):
            shares = odds[:, stage:] / odds[:, stage:].sum(axis=1, keepdims=True)
            yield stage, shares, np.einsum("os,osk->ok", shares, self.design[:, stage:])

    def scores(self, strengths: Any) -> Any:
        """Gradient of each order's log likelihood, not weighted."""
        total = np.zeros((len(self.design), self.design.shape[2]))
        for stage, _, mean in self.stages(strengths):
            total += self.design[:, stage] - mean
        return total

    def value(self, strengths: Any) -> float:
        """Log likelihood."""
        return float(sum(self.weights @ np.log(shares[:, 0]) for _, shares, _ in self.stages(strengths)))

    def information(self, strengths: Any) -> Any:
        """Minus the Hessian of the log likelihood."""
        size = self.design.shape[2]
        total = np.zeros((size, size))
        for stage, shares, mean in self.stages(strengths):
            rows = self.design[:, stage:].reshape(-1, size)
            total += rows.T @ (rows * (shares * self.weights[:, None]).reshape(-1, 1))
            total -= mean.T @ (mean * self.weights[:, None])
        return total

    def resampled_information(self, strengths: Any, resamples: Any) -> Any:
        """``information`` under weights of the blocks, a matrix a row of ``resamples``."""
        size = self.design.shape[2]
        total = np.zeros((len(resamples), size * size))
        for first in range(0, len(self.design), _CHUNK):
            part = Orders(*(values[first : first + _CHUNK] for values in (self.design, self.blocks, self.weights)))
            own = np.zeros((len(part.design), size, size))
            for stage, shares, mean in part.stages(strengths):
                own += np.einsum(
                    "os,osk,osl->okl", shares, part.design[:, stage:], part.design[:, stage:], optimize=True
                )
                own -= mean[:, :, None] * mean[:, None, :]
            total += (resamples[:, part.blocks] * part.weights) @ own.reshape(len(own), -1)
        return total.reshape(len(resamples), size, size)


@dataclass(frozen=True, slots=True)
class Strengths:
    """Fitted strengths.

    Attributes:
        values: by column of the design, of mean 0 in each factor.
        covariance: clustered by block; None with one block.
        resampled: resamples x strengths, of a bootstrap of whole blocks; None without one.
        n_blocks: number of blocks.
    """

    values: Any
    covariance: Any
    resampled: Any
    n_blocks: int


def fit_orders(tables: Sequence[Orders], factors: Sequence[slice], resamples: Any = None) -> Strengths:
    """Fit by Newton's method.

    Args:
        tables: orders, one entry a table size, of the same strengths and with one numbering of the blocks.
        factors: columns of each factor, whose strengths get mean 0.
        resamples: weights of blocks, a row a resample (``uncertainty.block_weights``), for a bootstrap of whole blocks by one
            Newton step each (Davidson and MacKinnon, International Economic Review 40, 1999).
    """
    from scipy.optimize import minimize

    size = tables[0].design.shape[2]

    def objective(strengths: Any) -> tuple[float, Any]:
        value = sum(table.value(strengths) for table in tables)
        gradient = sum(table.weights @ table.scores(strengths) for table in tables)
        prior = PRIOR_PRECISION * strengths
        return -value + 0.5 * float(prior @ strengths), -gradient + prior

    def curvature(strengths: Any) -> Any:
        return sum(table.information(strengths) for table in tables) + PRIOR_PRECISION * np.eye(size)

    start = np.zeros(size)
    strengths = minimize(objective, start, jac=True, hess=curvature, method="trust-exact", tol=1e-8).x
    across = np.eye(size)
    for part in factors:
        across[part, part] -= 1 / (part.stop - part.start)
    n_blocks = 1 + max(int(table.blocks.max()) for table in tables)
    if n_blocks < 2:
        return Strengths(across @ strengths, None, None, n_blocks)
    by_block = np.zeros((n_blocks, size))
    for table in tables:
        np.add.at(by_block, table.blocks, table.scores(strengths) * table.weights[:, None])
    bread = across @ np.linalg.inv(curvature(strengths)) @ across.T
    clustered = bread @ (by_block.T @ by_block) @ bread * n_blocks / (n_blocks - 1)
    # Where one player always wins no order surprises and the clustered error vanishes: the model's own is the least.
    short = np.sqrt(np.maximum(np.diag(bread), 1e-300) / np.maximum(np.diag(clustered), 1e-300))
    stretch = np.maximum(short, 1.0)
    covariance = clustered * np.outer(stretch, stretch)
    resampled = None
    if resamples is not None:
        gradients = resamples @ by_block - PRIOR_PRECISION * strengths
        curved = sum(table.resampled_information(strengths, resamples) for table in tables)
        steps = np.linalg.solve(curved + PRIOR_PRECISION * np.eye(size), gradients[:, :, None])[:, :, 0]
        resampled = (strengths + steps) @ across.T
    return Strengths(across @ strengths, covariance, resampled, n_blocks)
