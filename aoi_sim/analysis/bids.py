"""Bids: fair starting VP of a faction on a board, and how well they foretell who wins.

A pairing's handicap is that of its faction plus that of its board plus what the two together still lack, pooled towards
nothing (``pooling.shrunk``). The strength of a seat is the opposite of its handicap. The chance of each seat of a table to
win is a softmax of the strengths with one scale, fitted by cross-validation to who won. On other set-ups the forecasts are
calibrated if they come true as often as they say: slope 1 in the same model (Cox, Two further applications of a model for
binary regression, Biometrika 45, 1958).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.handicap import Contests, Handicap, fair_handicap, soft_win_shares, win_shares_of
from aoi_sim.analysis.pooling import shrunk
from aoi_sim.analysis.source import AnalysisError
from aoi_sim.analysis.uncertainty import t_quantile, with_intervals

FACTION: Final = "faction"
BOARD: Final = "board"
PAIR: Final = (FACTION, BOARD)
_FEW_RESAMPLES: Final = 100
_LEAST_SLOPE: Final = 0.001


def pair_codes(contests: Contests) -> Any:
    """Number of each seat's pairing: faction times the number of boards plus board; games x seats."""
    return contests.codes[FACTION] * len(contests.levels[BOARD]) + contests.codes[BOARD]


def pair_means(contests: Contests, values: Any) -> tuple[Any, Any, Any, Any]:
    """Mean of a value by pairing, its standard error clustered by block, seats and blocks; NaN where it never was."""
    codes, size = pair_codes(contests), len(contests.levels[FACTION]) * len(contests.levels[BOARD])
    n = np.bincount(codes.ravel(), minlength=size)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.bincount(codes.ravel(), weights=values.ravel(), minlength=size) / n
        cell = contests.block[:, None] * size + codes
        used, place = np.unique(cell.ravel(), return_inverse=True)
        sums = np.bincount(place, weights=(values - means[codes]).ravel())
        blocks = np.bincount(used % size, minlength=size)
        squares = np.bincount(used % size, weights=sums**2, minlength=size)
        errors = np.sqrt(blocks / (blocks - 1.0) * squares) / n
    return means, np.where(blocks > 1, errors, np.nan), n, blocks


def pairing_handicap(found: Handicap) -> pl.DataFrame:
    """Fair starting VP of each faction on each board.

    Args:
        found: handicaps of factions and boards (and others).

    Returns:
        A row a pairing: ``faction``, ``board``, ``n``, ``blocks``, ``additive`` (faction plus board), ``rest`` (what it lacks
        besides, raw), ``rest_se``, ``pooled`` (the same pooled), ``value`` (additive plus pooled), ``se``, ``low``, ``high``.
        A pairing that never was has its additive value.
    """
    contests = found.contests
    excess = soft_win_shares(contests.added(found.values)) - 1 / contests.n_seats
    means, errors, n, blocks = pair_means(contests, excess)
    rest, rest_se = -means / found.slope, errors / found.slope
    known = np.isfinite(rest_se) & (rest_se > 0)
    pooled, pooled_se = np.zeros(len(rest)), np.zeros(len(rest))
    if known.any():
        pooled[known], pooled_se[known], _ = shrunk(rest[known], rest_se[known])
    factions, boards = contests.levels[FACTION], contests.levels[BOARD]
    places = contests.offsets()
    rows = []
    for k in range(len(rest)):
        f, b = places[FACTION].start + k // len(boards), places[BOARD].start + k % len(boards)
        variance = found.covariance[f, f] + found.covariance[b, b] + 2 * found.covariance[f, b]
        additive = float(found.values[f] + found.values[b])
        rows.append(
            {
                "faction": factions[k // len(boards)],
                "board": boards[k % len(boards)],
                "n": int(n[k]),
                "blocks": int(blocks[k]),
                "additive": additive,
                "rest": float(rest[k]) if known[k] else None,
                "rest_se": float(rest_se[k]) if known[k] else None,
                "pooled": float(pooled[k]),
                "value": additive + float(pooled[k]),
                "se": float(np.sqrt(variance + pooled_se[k] ** 2)),
            }
        )
    half = t_quantile(int(contests.block.max()) + 1) * pl.col("se")
    table = pl.DataFrame(rows, schema_overrides={"rest": pl.Float64, "rest_se": pl.Float64})
    return table.with_columns(low=pl.col("value") - half, high=pl.col("value") + half)


def strengths(contests: Contests, pairs: pl.DataFrame, others: Mapping[str, Mapping[str, float]]) -> Any:
    """VP that each seat is ahead of a fair table by its bids; games x seats.

    Args:
        contests: whose seats.
        pairs: from ``pairing_handicap``.
        others: further handicaps by factor and level, as of the bonus tile.
    """
    by_pair = {(row["faction"], row["board"]): row["value"] for row in pairs.iter_rows(named=True)}
    try:
        values = np.array([by_pair[f, b] for f in contests.levels[FACTION] for b in contests.levels[BOARD]])
        total = -values[pair_codes(contests)]
        for factor, handicaps in others.items():
            total -= np.array([handicaps[level] for level in contests.levels[factor]])[contests.codes[factor]]
    except KeyError as missing:
        raise AnalysisError(f"no bid for {missing}, the bids given, take bids of the same rules") from None
    return total


def chances(strength: Any, scale: float) -> Any:
    """Chance of each seat to win; games x seats."""
    return soft_win_shares(strength, scale)


def scale_of(contests: Contests, n_folds: int = 5) -> float:
    """The scale in VP with which bids foretell best who wins in games that they were not made from.

    Each fold of the blocks is foretold by bids made from the others: with bids made from the same games the forecasts would be
    too bold. At most 1,000 VP: bids that say nothing then.

    Args:
        contests: games without handicap.
        n_folds: parts of the blocks.
    """
    strength, wins = [], []
    for fold in range(n_folds):
        held_out = contests.block % n_folds == fold
        if not held_out.any() or held_out.all():
            continue
        found = fair_handicap(contests.part(~held_out), resamples=_FEW_RESAMPLES)
        rest = contests.part(held_out)
        others = {name: found.of(name) for name in contests.factors if name not in PAIR}
        strength.append(strengths(rest, pairing_handicap(found), others))
        wins.append(win_shares_of(rest.scores))
    if not strength:
        raise AnalysisError(f"{len(contests.scores)} games, the run given, play more set-ups")
    slope, _ = _slope(np.concatenate(strength), np.concatenate(wins), np.arange(sum(map(len, wins))))
    return 1 / max(slope, _LEAST_SLOPE)


def calibration(strength: Any, scale: float, contests: Contests) -> dict[str, Any]:
    """Whether forecasts come true on games not used for them.

    Args:
        strength: of the seats of the games.
        scale: of ``scale_of``.
        contests: the games.

    Returns:
        ``value``: slope of the forecasts, 1 if calibrated, below if too bold; ``se``, ``low``, ``high``, ``n`` games, ``blocks``.
    """
    slope, se = _slope(strength / scale, win_shares_of(contests.scores), contests.block)
    blocks = int(contests.block.max()) + 1
    half = t_quantile(blocks) * se
    return {
        "value": slope,
        "se": se,
        "low": slope - half,
        "high": slope + half,
        "n": len(contests.scores),
        "blocks": blocks,
    }


def reliability(forecast: Any, contests: Contests, n_bins: int = 10) -> pl.DataFrame:
    """Chances that were foretold beside how often it came true.

    Args:
        forecast: chance of each seat, games x seats.
        contests: the games.
        n_bins: groups of seats of equal size by their forecast.

    Returns:
        A row a group, the least forecast first: ``forecast`` (mean), ``n``, ``blocks``, ``value`` (share won), ``se``, ``low``,
        ``high``.
    """
    flat = forecast.ravel()
    order = np.argsort(flat, kind="stable")
    bins = np.empty(len(flat), dtype=int)
    bins[order] = np.arange(len(flat)) * n_bins // len(flat)
    wins = win_shares_of(contests.scores).ravel()
    block = np.repeat(contests.block, contests.n_seats)
    rows = []
    for k in range(n_bins):
        there = bins == k
        if not there.any():
            continue
        value = float(wins[there].mean())
        _, place = np.unique(block[there], return_inverse=True)
        sums = np.bincount(place, weights=wins[there] - value)
        blocks = len(sums)
        se = float(np.sqrt(blocks / (blocks - 1) * (sums**2).sum())) / int(there.sum()) if blocks > 1 else None
        rows.append(
            {"forecast": float(flat[there].mean()), "n": int(there.sum()), "blocks": blocks, "value": value, "se": se}
        )
    return with_intervals(pl.DataFrame(rows, schema_overrides={"se": pl.Float64}))


def _slope(strength: Any, wins: Any, block: Any) -> tuple[float, float]:
    """Slope of a conditional logit of the wins on one strength, and its standard error clustered by block."""
    slope = 0.0
    for _ in range(60):
        share = soft_win_shares(strength * slope, 1.0)
        mean = (share * strength).sum(axis=1, keepdims=True)
        gradient = ((wins - share) * strength).sum(axis=1)
        curvature = float((share * (strength - mean) ** 2).sum())
        if curvature <= 1e-12:
            return 0.0, float("inf")
        move = float(gradient.sum()) / curvature
        slope += move
        if abs(move) < 1e-9 * max(1.0, abs(slope)):
            break
    by_block = np.bincount(block, weights=gradient)
    return slope, float(np.sqrt((by_block**2).sum())) / curvature


def named_bids(pairs: pl.DataFrame, keys: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """The rows of some pairings.

    Raises:
        AnalysisError: there is no bid for one.
    """
    found = {(row["faction"], row["board"]): row for row in pairs.iter_rows(named=True)}
    missing = [key for key in keys if key not in found]
    if missing:
        raise AnalysisError(f"no bid for {' on '.join(missing[0])}, the bids given, take bids of the same rules")
    return [found[key] for key in keys]
