"""Ratings: an additive Plackett-Luce model of the finishing orders, ties split, errors clustered by block.

Each heuristic has a strength; the winner of a table is one of its seats with odds as the exponentials of the strengths,
the second one of the others, and so on. A tie counts as every order of the tied seats, in equal parts. A weak normal
prior (sd 10 in natural units) keeps strengths finite where one player always wins. Ratings are on the scale of Elo:
400 points are odds of ten to one to finish ahead; their mean is 0.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, permutations, product
from math import log
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.uncertainty import with_intervals

ELO: Final = 400 / log(10)
_PRIOR_PRECISION: Final = 0.01

Order = tuple[int, ...]
"""Numbers of the heuristics in finishing order."""


def rating_by_heuristic(rows: pl.LazyFrame) -> pl.DataFrame:
    """Ratings of the heuristics, best first.

    Args:
        rows: made by ``seat_rows``.

    Returns:
        ``heuristic``, ``n`` (games), ``blocks``, ``value`` (rating), ``se``, ``low``, ``high``.
    """
    table = rows.select("game_index", "block", "heuristic", "vp").sort("game_index", maintain_order=True).collect()
    names = sorted(table["heuristic"].unique().to_list())
    games = dict(table.group_by("heuristic", maintain_order=True).agg(pl.col("game_index").n_unique()).iter_rows())
    orders, blocks, weights = _finishing_orders(table, names)
    strengths, errors = fit_plackett_luce(orders, blocks, weights, len(names))
    n_blocks = int(blocks.max()) + 1
    result = pl.DataFrame(
        {
            "heuristic": names,
            "n": [games[name] for name in names],
            "blocks": [n_blocks] * len(names),
            "value": strengths * ELO,
            "se": [None] * len(names) if errors is None else errors * ELO,
        },
        schema_overrides={"se": pl.Float64},
    )
    return with_intervals(result).sort("value", descending=True, maintain_order=True)


def _finishing_orders(table: pl.DataFrame, names: Sequence[str]) -> tuple[Any, Any, Any]:
    """Orders (a row each), the number of the block and the weight of each; equal ones of a block are put together."""
    number = {name: i for i, name in enumerate(names)}
    block_number: dict[int, int] = {}
    counts: dict[tuple[int, Order], float] = defaultdict(float)
    for _, seats in groupby(table.iter_rows(), key=lambda row: row[0]):
        own = list(seats)
        block = block_number.setdefault(own[0][1], len(block_number))
        for order, weight in orders_of([number[row[2]] for row in own], [row[3] for row in own]):
            counts[block, order] += weight
    blocks, orders = zip(*counts, strict=True)
    return np.array(orders), np.array(blocks), np.array(list(counts.values()))


def orders_of(players: Sequence[int], scores: Sequence[int]) -> Iterator[tuple[Order, float]]:
    """The finishing orders that scores stand for, with weights that add up to 1: several where seats are tied."""
    seats = sorted(range(len(players)), key=lambda seat: -scores[seat])
    tied = [list(permutations(group)) for _, group in groupby(seats, key=lambda seat: scores[seat])]
    ways = list(product(*tied))
    for way in ways:
        yield tuple(players[seat] for group in way for seat in group), 1 / len(ways)


def fit_plackett_luce(orders: Any, blocks: Any, weights: Any, n_players: int) -> tuple[Any, Any]:
    """Strengths (mean 0) and their standard errors clustered by block (None with one block).

    Args:
        orders: finishing orders, a row each, all of one length.
        blocks: number of the block of each order, from 0.
        weights: how often each order came.
        n_players: different players.
    """
    from scipy.optimize import minimize

    def objective(strengths: Any) -> tuple[float, Any]:
        value, scores, _ = _likelihood(strengths, orders, weights, n_players)
        prior = _PRIOR_PRECISION * strengths
        return -value + 0.5 * float(prior @ strengths), -(weights @ scores) + prior

    def curvature(strengths: Any) -> Any:
        return _likelihood(strengths, orders, weights, n_players)[2] + _PRIOR_PRECISION * np.eye(n_players)

    start = np.zeros(n_players)
    strengths = minimize(objective, start, jac=True, hess=curvature, method="trust-exact", tol=1e-8).x
    strengths = strengths - strengths.mean()
    n_blocks = int(blocks.max()) + 1
    if n_blocks < 2:
        return strengths, None
    scores = _likelihood(strengths, orders, weights, n_players)[1] * weights[:, None]
    by_block = np.zeros((n_blocks, n_players))
    np.add.at(by_block, blocks, scores)
    # The mean is fixed at 0, so errors live in the space across it.
    across = np.eye(n_players) - 1 / n_players
    bread = across @ np.linalg.inv(curvature(strengths)) @ across
    clustered = bread @ (by_block.T @ by_block) @ bread * n_blocks / (n_blocks - 1)
    # Where one player always wins no order surprises and the clustered error vanishes: the model's own is the least.
    return strengths, np.sqrt(np.maximum(np.diag(clustered), np.diag(bread)))


def _likelihood(strengths: Any, orders: Any, weights: Any, n_players: int) -> tuple[float, Any, Any]:
    """Log likelihood, its gradient for each order, and minus its Hessian over all."""
    n_orders, n_seats = orders.shape
    rows = np.arange(n_orders)
    odds = np.exp(strengths[orders])
    value = 0.0
    scores = np.zeros((n_orders, n_players))
    information = np.zeros((n_players, n_players))
    for stage in range(n_seats - 1):
        left = odds[:, stage:].sum(axis=1)
        shares = np.zeros((n_orders, n_players))
        for seat in range(stage, n_seats):
            shares[rows, orders[:, seat]] += odds[:, seat] / left
        value += float(weights @ (strengths[orders[:, stage]] - np.log(left)))
        scores[rows, orders[:, stage]] += 1
        scores -= shares
        information += np.diag(weights @ shares) - shares.T @ (shares * weights[:, None])
    return value, scores, information
