"""Who does how well against whom: VP, margins, wins and sources of VP by heuristic and by pair of heuristics."""

import polars as pl

from aoi_sim.analysis.uncertainty import clustered_means


def seat_rows(seats: pl.LazyFrame, games: pl.LazyFrame) -> pl.LazyFrame:
    """Seats with their block and margin.

    Adds ``block`` and ``margin``: VP less the mean VP of the seats at the table that another heuristic plays (null where
    one heuristic plays all). Averaged over the seats of a heuristic it is how far its mean is ahead at the table.
    """
    table, own = ["game_index"], ["game_index", "heuristic"]
    total, count = pl.col("vp").sum().over(table), pl.len().over(table)
    own_total, own_count = pl.col("vp").sum().over(own), pl.len().over(own)
    rivals = count.cast(pl.Int64) - own_count.cast(pl.Int64)
    rival_mean = pl.when(rivals > 0).then((total - own_total) / rivals)
    return (
        seats.with_columns(pl.col("heuristic", "faction").cast(pl.String))
        .join(games.select("game_index", "block"), on="game_index", maintain_order="left")
        .with_columns(margin=pl.col("vp") - rival_mean)
    )


def vp_by_heuristic(rows: pl.LazyFrame) -> pl.DataFrame:
    """Mean VP of a seat, of rows made by ``seat_rows``."""
    return clustered_means(rows, ["vp"], ["heuristic"])


def margin_by_heuristic(rows: pl.LazyFrame) -> pl.DataFrame:
    """How far the mean VP of a heuristic is ahead of the other seats of the table."""
    return clustered_means(rows, ["margin"], ["heuristic"])


def win_share_by_heuristic(rows: pl.LazyFrame) -> pl.DataFrame:
    """Mean win share of a seat: 1 / players where all are equal."""
    return clustered_means(rows, ["win_share"], ["heuristic"])


def vp_source_by_heuristic(rows: pl.LazyFrame) -> pl.DataFrame:
    """Mean VP of a seat from each source (``quantity`` is the source)."""
    sources = [name for name in rows.collect_schema().names() if name.startswith("vp_from_")]
    table = clustered_means(rows, sources, ["heuristic"])
    return table.with_columns(pl.col("quantity").str.strip_prefix("vp_from_"))


def pair_rows(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Each seat against each seat of another heuristic at its table: ``margin`` in VP, ``ahead`` 1, 0 or 1/2 if equal."""
    own = rows.select("game_index", "block", "heuristic", "vp")
    rival = rows.select("game_index", rival=pl.col("heuristic"), rival_vp=pl.col("vp"))
    difference = pl.col("vp") - pl.col("rival_vp")
    return (
        own.join(rival, on="game_index", maintain_order="left")
        .filter(pl.col("heuristic") != pl.col("rival"))
        .select("block", "heuristic", "rival", margin=difference, ahead=(difference.sign() + 1) / 2)
    )


def margin_by_pair(rows: pl.LazyFrame) -> pl.DataFrame:
    """By heuristic and rival, at common tables: mean difference in VP (``margin``) and share of seats ahead."""
    return clustered_means(pair_rows(rows), ["margin", "ahead"], ["heuristic", "rival"])
