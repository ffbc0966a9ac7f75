"""Margins of factions: how far they are ahead of the table, alone, by board, and between the levels of a paired run.

The margin of a seat is its VP less the mean VP of its table, so that what lifts everybody's score drops out.
"""

from collections.abc import Sequence
from typing import Final

import polars as pl

from aoi_sim.analysis.uncertainty import clustered_means, wilson

QUANTITIES: Final = ("vp", "margin", "win_share")


def margin_rows(seats: pl.LazyFrame, games: pl.LazyFrame) -> pl.LazyFrame:
    """Seats with their ``block``, ``level`` (null where there are none) and ``margin``.

    Args:
        seats: table of a run.
        games: table of a run.
    """
    return seats.select(
        "game_index",
        "seat",
        pl.col("faction", "board").cast(pl.String),
        "vp",
        "win_share",
        margin=pl.col("vp") - pl.col("vp").mean().over("game_index"),
    ).join(games.select("game_index", "block", pl.col("level").cast(pl.String)), on="game_index", maintain_order="left")


def margin_by_faction(rows: pl.LazyFrame, by: Sequence[str] = ("faction",)) -> pl.DataFrame:
    """Mean VP, margin and win share by faction, with intervals clustered by block.

    Args:
        rows: made by ``margin_rows``.
        by: columns of the groups: ``faction``, with ``board`` for the pairings, with ``level`` in a paired run.

    Returns:
        A row a group and quantity (``vp``, ``margin``, ``win_share``), see ``clustered_means``; intervals of shares are
        those of ``wilson``.
    """
    means = clustered_means(rows, QUANTITIES, by)
    is_share = pl.col("quantity") == "win_share"
    return pl.concat([means.filter(~is_share), wilson(means.filter(is_share))]).sort(*by, "quantity")


def paired_difference_by_faction(rows: pl.LazyFrame, levels: Sequence[str]) -> pl.DataFrame:
    """How each level differs from the first on the same blocks, by faction.

    A block's figure is the mean over the seats of the faction; a block counts where the faction is there under both levels.

    Args:
        rows: made by ``margin_rows``.
        levels: names of the levels; the first is what the others are compared with.

    Returns:
        A row a level (but the first), faction and quantity: ``level``, ``faction``, ``quantity``, ``n`` and ``blocks`` (blocks
        with both), ``value`` (level less first), ``se``, ``low``, ``high``, and ``saved``: the share of the variance (and so
        of the games) of a comparison of independent runs that pairing saves, 2 cov / (var + var); null if undefined.
    """
    cells = rows.group_by("level", "faction", "block", maintain_order=True).agg(pl.col(*QUANTITIES).mean())
    first = cells.filter(pl.col("level") == levels[0]).drop("level")
    pairs = (
        cells.filter(pl.col("level") != levels[0])
        .join(first, on=["faction", "block"], suffix="_first", maintain_order="left")
        .collect()
    )
    keys = ["level", "faction"]
    differences = pairs.lazy().select(*keys, "block", *(pl.col(q) - pl.col(f"{q}_first") for q in QUANTITIES))
    saved = pl.concat(
        pairs.group_by(keys, maintain_order=True).agg(
            quantity=pl.lit(q), saved=2 * pl.cov(q, f"{q}_first") / (pl.col(q).var() + pl.col(f"{q}_first").var())
        )
        for q in QUANTITIES
    ).with_columns(pl.col("saved").fill_nan(None))
    order = pl.col("level").replace_strict(list(levels), range(len(levels)), return_dtype=pl.Int64)
    return (
        clustered_means(differences, QUANTITIES, keys)
        .join(saved, on=[*keys, "quantity"], maintain_order="left")
        .sort(order, "faction", "quantity")
    )
