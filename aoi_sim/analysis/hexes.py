"""Where on the map players build, and how those who build there do."""

from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.source import Source, rows_of
from aoi_sim.analysis.uncertainty import clustered_means, with_intervals

_NO_HEX: Final = ("bridge_built", "annex_built")


def built_hexes(data: Source) -> pl.DataFrame:
    """Every hex that a seat has ever built on, start pieces and neutral buildings included: ``game_index``, ``seat``, ``hex``.

    Args:
        data: a run or frames with the table ``events``.
    """
    event = pl.col("event").cast(pl.String)
    builds = (event.str.ends_with("_built") & ~event.is_in(_NO_HEX)) | (event == "start_piece_placed")
    return (
        data.table("events")
        .filter(builds & (pl.col("seat") >= 0))
        .select("game_index", "seat", pl.col("hex").cast(pl.String))
        .drop_nulls("hex")
        .unique(maintain_order=True)
        .sort("game_index", "seat", "hex")
        .collect()
    )


def build_share_by_hex(built: pl.DataFrame, data: Data) -> pl.DataFrame:
    """How often each hex is built on, by anybody among the seats given.

    Args:
        built: from ``built_hexes``.
        data: a run, or rows of ``seat_table`` (those of one faction, say), all on one side of the map.

    Returns:
        ``hex``, ``n`` (games), ``blocks``, ``value`` (share of games), ``se``, ``low``, ``high``; clustered by block, most first.
    """
    games = rows_of(data).select("game_index", "block").unique(maintain_order=True)
    seats = rows_of(data).select("game_index", "seat")
    once = (
        built.join(seats, on=["game_index", "seat"], how="semi").select("game_index", "hex").unique(maintain_order=True)
    )
    hexes = once.select("hex").unique().sort("hex")
    cells = games.join(hexes, how="cross").join(
        once.with_columns(built=pl.lit(1.0)), on=["game_index", "hex"], how="left", maintain_order="left"
    )
    table = clustered_means(cells.with_columns(pl.col("built").fill_null(0.0)).lazy(), ["built"], ["hex"])
    return table.drop("quantity").sort(["value", "hex"], descending=[True, False])


def build_margin_by_hex(built: pl.DataFrame, data: Data, least: int = 10) -> pl.DataFrame:
    """Mean margin of seats with a building on a hex less that of seats without one: with/without, so no cause.

    The error is that of a difference of two means of the same sample, by their influence functions, summed by block
    (Liang and Zeger 1986).

    Args:
        built: from ``built_hexes``.
        data: a run, or rows of ``seat_table``, all on one side of the map.
        least: seats that must be there on either side; other hexes are left out.

    Returns:
        ``hex``, ``n`` (seats with), ``blocks`` (with), ``value``, ``se``, ``low``, ``high``, highest first.
    """
    rows = rows_of(data).select("game_index", "seat", "block", "margin").with_row_index("row")
    found = built.join(rows, on=["game_index", "seat"], maintain_order="left")
    hexes = found["hex"].unique().sort().to_list()
    there = np.zeros((len(rows), len(hexes)))
    there[
        found["row"].to_numpy(), found["hex"].replace_strict(hexes, range(len(hexes)), return_dtype=pl.Int64).to_numpy()
    ] = 1
    block = np.unique(rows["block"].to_numpy(), return_inverse=True)[1]
    table = _with_less_without(there, rows["margin"].to_numpy(), block)
    n_with, n_without = there.sum(axis=0), (1 - there).sum(axis=0)
    keep = (n_with >= least) & (n_without >= least)
    frame = pl.DataFrame({"hex": hexes, "n": n_with.astype(int), **table}, schema_overrides={"hex": pl.String})
    return with_intervals(frame.filter(pl.Series(keep))).sort(["value", "hex"], descending=[True, False])


def _with_less_without(there: Any, margin: Any, block: Any) -> dict[str, Any]:
    """Difference of means by column of ``there`` (seats x hexes of 0 and 1), its error and the blocks that have it."""
    n_blocks = int(block.max()) + 1 if len(block) else 0
    counts, rest = there.sum(axis=0), (1 - there).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_with = margin @ there / counts
        mean_without = margin @ (1 - there) / rest
        influence = (
            there * (margin[:, None] - mean_with) / counts - (1 - there) * (margin[:, None] - mean_without) / rest
        )
    sums, present = np.zeros((n_blocks, there.shape[1])), np.zeros((n_blocks, there.shape[1]))
    np.add.at(sums, block, influence)
    np.add.at(present, block, there)
    correction = n_blocks / (n_blocks - 1) if n_blocks > 1 else np.nan
    errors = np.sqrt(correction * (sums**2).sum(axis=0))
    return {
        "blocks": (present > 0).sum(axis=0),
        "value": mean_with - mean_without,
        "se": pl.Series([float(e) if np.isfinite(e) else None for e in errors], dtype=pl.Float64),
    }
