"""Ratings of heuristics, factions, boards and seats from finishing orders, by the model of ``plackett_luce`` (Plackett 1975).

Ratings are on the scale of Elo: 400 points are odds of ten to one to finish ahead; the mean of each factor is 0.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby, pairwise
from math import log
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.least_squares import Runs, factor_of
from aoi_sim.analysis.plackett_luce import Order, Orders, Strengths, fit_orders, orders_of
from aoi_sim.analysis.source import AnalysisError, known_columns, rows_of
from aoi_sim.analysis.uncertainty import LEVEL, block_weights, with_intervals

ELO: Final = 400 / log(10)
FACTORS: Final = ("faction", "board", "seat", "heuristic")


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


def fit_plackett_luce(orders: Any, blocks: Any, weights: Any, n_players: int) -> tuple[Any, Any]:
    """Strengths (mean 0) and their standard errors clustered by block (None with one block).

    Args:
        orders: finishing orders, a row each, all of one length.
        blocks: number of the block of each order, from 0.
        weights: how often each order came.
        n_players: different players.
    """
    fit = fit_orders([Orders(np.eye(n_players)[orders], blocks, weights)], [slice(0, n_players)])
    return fit.values, None if fit.covariance is None else np.sqrt(np.diag(fit.covariance))


def joint_ratings(
    data: Data, factors: Sequence[str] = FACTORS, n_resamples: int = 0, level: float = LEVEL, seed: int = 1
) -> pl.DataFrame:
    """Ratings of factions, boards, seats and heuristics together, each with the others held equal.

    Args:
        data: a run, frames, or rows of ``seat_table``.
        factors: columns of ``seat_table``; those with a single value are left out.
        n_resamples: of a bootstrap of whole blocks for the intervals; 0 for errors clustered by block.
        level: of the intervals.
        seed: of the bootstrap.

    Returns:
        A row a level of a factor: ``factor``, ``name``, ``n`` (seats), ``blocks``, ``value`` (Elo), ``se``, ``low``, ``high``,
        ``method``; best first in each factor.

    Raises:
        AnalysisError: a factor is unknown, all have one value only, or two cannot be told apart.
    """
    rows = rows_of(data)
    for name in factors:
        if name not in rows.columns:
            known_columns(rows, [name])
    kept = [name for name in factors if rows[name].null_count() == 0 and rows[name].n_unique() > 1]
    if not kept:
        raise AnalysisError(f"one {', one '.join(factors)} only, table seats, compare runs that vary one of them")
    parts = [factor_of(rows, [name]) for name in kept]
    columns = np.hstack([part.columns for part in parts])
    edges = np.cumsum([0, *(part.size for part in parts)])
    slices = [slice(int(a), int(b)) for a, b in pairwise(edges)]
    _check_apart(rows, columns, slices, kept)
    tables, n_blocks = _orders_by_size(rows, columns)
    weights = block_weights(n_blocks, n_resamples, seed) if n_resamples and n_blocks > 1 else None
    fit = fit_orders(tables, slices, weights)
    blocks = Runs(rows["block"].to_numpy())
    there = (blocks.sums(columns) > 0).sum(axis=0)
    out = []
    for part, where in zip(parts, slices, strict=True):
        table = _rating_table(fit, where, level)
        names = pl.DataFrame({"factor": [part.name] * part.size, "name": [str(one) for one in part.levels]})
        counts = pl.DataFrame({"n": part.columns.sum(axis=0).astype(int), "blocks": there[where].astype(int)})
        out.append(
            pl.concat([names, counts, table], how="horizontal").sort("value", descending=True, maintain_order=True)
        )
    how = f"bootstrap of whole blocks, {n_resamples} resamples" if weights is not None else "errors clustered by block"
    method = f"additive Plackett-Luce on {' + '.join(kept)}, ties split, {how}"
    table = pl.concat(out).with_columns(method=pl.lit(method))
    return table if weights is not None else with_intervals(table.drop("low", "high"), level).select(table.columns)


def _rating_table(fit: Strengths, where: slice, level: float) -> pl.DataFrame:
    """Values, errors and bootstrap limits on the scale of Elo."""
    size = where.stop - where.start
    nothing = pl.Series([None] * size, dtype=pl.Float64)
    se, low, high = nothing, nothing, nothing
    if fit.resampled is not None:
        own = fit.resampled[:, where] * ELO
        tail = (1 - level) / 2
        low, high = (pl.Series(np.quantile(own, share, axis=0)) for share in (tail, 1 - tail))
        se = pl.Series(own.std(axis=0, ddof=1))
    elif fit.covariance is not None:
        se = pl.Series(np.sqrt(np.diag(fit.covariance)[where]) * ELO)
    return pl.DataFrame({"value": fit.values[where] * ELO, "se": se, "low": low, "high": high})


def _check_apart(rows: pl.DataFrame, columns: Any, slices: Sequence[slice], names: Sequence[str]) -> None:
    """Raise AnalysisError if the tables do not determine the strengths of a factor."""
    inside = Runs(rows["game_index"].to_numpy()).centred(columns)
    values, vectors = np.linalg.eigh(inside.T @ inside)
    kept = vectors[:, values > 1e-7 * max(values.max(initial=0.0), 1.0)]
    for part, name in zip(slices, names, strict=True):
        size = part.stop - part.start
        contrast = np.zeros((size, columns.shape[1]))
        contrast[:, part] = np.eye(size) - 1 / size
        if np.abs(contrast - contrast @ kept @ kept.T).max() > 1e-6:
            others = " and ".join(other for other in names if other != name) or "each other"
            raise AnalysisError(f"{name} cannot be told apart from {others}, table seats, leave one out of factors")


def _orders_by_size(rows: pl.DataFrame, columns: Any) -> tuple[list[Orders], int]:
    """Finishing orders by table size, and the number of blocks."""
    games = Runs(rows["game_index"].to_numpy())
    vp = rows["vp"].to_numpy()
    numbers = np.unique(rows["block"].to_numpy(), return_inverse=True)[1]
    tables = []
    for size in np.unique(games.sizes):
        starts = games.starts[games.sizes == size]
        places = starts[:, None] + np.arange(size)
        scores = vp[places]
        order = np.take_along_axis(places, np.argsort(-scores, axis=1, kind="stable"), axis=1)
        ranked = vp[order]
        tied = (ranked[:, 1:] == ranked[:, :-1]).any(axis=1)
        found = [order[~tied]]
        weights = [np.ones(int((~tied).sum()))]
        for seats in places[tied]:
            ways = list(orders_of(seats.tolist(), vp[seats].tolist()))
            found.append(np.array([way for way, _ in ways]))
            weights.append(np.array([weight for _, weight in ways]))
        seats = np.vstack(found)
        tables.append(Orders(columns[seats], numbers[seats[:, 0]], np.concatenate(weights)))
    return tables, int(numbers.max()) + 1
