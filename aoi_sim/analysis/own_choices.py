"""What one faction chooses: how often, and how it did with and without."""

import polars as pl

from aoi_sim.analysis.choices import pick_share_by_tile, tiles_drawn, tiles_held
from aoi_sim.analysis.hexes import margin_with_less_without
from aoi_sim.analysis.source import AnalysisError, Source, seat_table


def own_margin_by_tile(data: Source, faction: str, kind: str, least: int = 10) -> pl.DataFrame:
    """Picks of a faction and its margin with a thing less without, in its own games that have it in play.

    Observed, not what the thing is worth: who takes it may have been ahead already. Errors by influence functions, clustered by
    block (Liang and Zeger 1986).

    Args:
        data: a run or frames.
        faction: whose choices.
        kind: of ``choices.KINDS``.
        least: games that must be there on either side.

    Returns:
        ``key``, ``offered``, ``pick_share`` (null without offers), and the columns of ``margin_with_less_without``.

    Raises:
        AnalysisError: there is no such thing in the run.
    """
    rows = seat_table(data).filter(pl.col("faction") == faction)
    held = tiles_held(data, kind).join(
        rows.select("game_index", "seat"), on=["game_index", "seat"], how="semi", maintain_order="left"
    )
    table = margin_with_less_without(held, rows, "key", least, tiles_drawn(data, kind))
    try:
        picks = pick_share_by_tile(data, kind, "faction").filter(pl.col("faction") == faction)
    except AnalysisError:  # nothing of the kind was ever offered among others
        return table.with_columns(offered=pl.lit(None, pl.Int64), pick_share=pl.lit(None, pl.Float64))
    shares = picks.select("key", offered=pl.col("n").cast(pl.Int64), pick_share="value")
    return table.join(shares, on="key", how="left", maintain_order="left")
