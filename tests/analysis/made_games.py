"""Made-up seats of known truth, as ``seat_table`` gives them: many draws of a run at once, fast."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

FACTIONS = tuple(f"faction{i:02}" for i in range(12))
FAIR = np.zeros(12)
BOARDS = tuple(f"board{i}" for i in range(7))


def centred(values: Sequence[float]) -> Any:
    """Values less their mean."""
    array = np.array(values, dtype=float)
    return array - array.mean()


def made_seats(
    n_blocks: int,
    seed: int,
    draws: int = 1,
    games_a_block: int = 2,
    n_seats: int = 4,
    factions: Any = FAIR,
    boards: Any = FAIR[:7],
    seats: Any = None,
    pairings: Any = None,
    sd: float = 15.0,
    sd_block: float = 8.0,
) -> pl.DataFrame:
    """Seats of random deals.

    VP = 100 + shift of the block + faction + board + seat + pairing + (block x faction) + noise; so games of a block agree
    about a faction more than chance, and errors that ignore the block are too small.

    Returns:
        Columns of ``seat_table`` and ``draw``.
    """
    random = np.random.default_rng(seed)
    games = n_blocks * games_a_block
    shape = (draws, games, n_seats)
    faction = np.argsort(random.random((draws, games, len(factions))), axis=2)[:, :, :n_seats]
    board = np.argsort(random.random((draws, games, len(boards))), axis=2)[:, :, :n_seats]
    block = np.repeat(np.arange(n_blocks), games_a_block)
    shift = random.normal(0, 20, (draws, n_blocks))[:, block]
    own = random.normal(0, sd_block, (draws, n_blocks, len(factions)))
    shared = np.take_along_axis(own[:, block], faction, axis=2)
    vp = 100 + shift[:, :, None] + np.asarray(factions)[faction] + np.asarray(boards)[board] + shared
    vp = vp + (0 if seats is None else np.asarray(seats)) + random.normal(0, sd, shape)
    if pairings is not None:
        vp = vp + np.asarray(pairings)[faction, board]
    return seat_frame(vp, faction, board, block)


def seat_frame(vp: Any, faction: Any, board: Any, block: Any) -> pl.DataFrame:
    """The frame of arrays draws x games x seats; ``block`` by game."""
    draws, games, n_seats = vp.shape
    best = vp == vp.max(axis=2, keepdims=True)
    rank = np.argsort(np.argsort(-vp, axis=2), axis=2) + 1.0
    number = np.arange(draws * games).reshape(draws, games, 1)
    blocks = np.arange(draws)[:, None, None] * (int(block.max()) + 1) + block[None, :, None]

    def flat(values: Any) -> Any:
        return np.broadcast_to(values, vp.shape).ravel()

    return pl.DataFrame(
        {
            "draw": flat(np.arange(draws)[:, None, None]),
            "game_index": flat(number),
            "block": flat(blocks),
            "seat": flat(np.arange(n_seats)),
            "faction": np.array(FACTIONS)[flat(faction)],
            "board": np.array(BOARDS)[flat(board)],
            "vp": flat(vp),
            "margin": flat(vp - vp.mean(axis=2, keepdims=True)),
            "win_share": flat(best / best.sum(axis=2, keepdims=True)),
            "rank": flat(rank),
            "n_players": np.full(vp.size, n_seats),
        }
    )


def coverage(table: pl.DataFrame, truth: Any, factor: float = 1.0) -> float:
    """Share of rows whose interval, made narrower by a factor, holds the truth (by row, or one number)."""
    value, low, high = (table[name].to_numpy() for name in ("value", "low", "high"))
    inside = (value - factor * (value - low) <= truth) & (truth <= value + factor * (high - value))
    return float(inside.mean())
