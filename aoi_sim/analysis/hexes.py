"""Where on the map players build, and how those who build there do.

Errors are clustered by block (Liang and Zeger, Biometrika 73, 1986); shares have Wilson's interval (see ``balance``).
"""

from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import SHARE, Data
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.source import Source, rows_of
from aoi_sim.analysis.uncertainty import clustered_means, wilson, with_intervals

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
        ``hex``, ``n`` (games), ``blocks``, ``value`` (share of games), ``se``, ``low``, ``high``, ``method``;
        most first.
    """
    games = rows_of(data).select("game_index", "block").unique(maintain_order=True)
    seats = rows_of(data).select("game_index", "seat")
    once = (
        built.join(seats, on=["game_index", "seat"], how="semi", maintain_order="left")
        .select("game_index", "hex")
        .unique(maintain_order=True)
    )
    hexes = once.select("hex").unique().sort("hex")
    cells = games.join(hexes, how="cross").join(
        once.with_columns(built=pl.lit(1.0)), on=["game_index", "hex"], how="left", maintain_order="left"
    )
    table = clustered_means(cells.with_columns(pl.col("built").fill_null(0.0)).lazy(), ["built"], ["hex"])
    table = wilson(table.drop("quantity")).with_columns(method=pl.lit(SHARE.replace("seats", "games")))
    return table.sort(["value", "hex"], descending=[True, False])


def build_margin_by_hex(built: pl.DataFrame, data: Data, least: int = 10) -> pl.DataFrame:
    """Mean margin of seats with a building on a hex less that of seats without one: with/without, so no cause.

    The error is that of a difference of two means of the same sample, by their influence functions, summed by block
    (Liang and Zeger 1986).

    Args:
        built: from ``built_hexes``.
        data: a run, or rows of ``seat_table``, all on one side of the map.
        least: seats that must be there on either side; other hexes are left out.

    Returns:
        ``hex`` and the columns of ``margin_with_less_without``.
    """
    return margin_with_less_without(built, rows_of(data), "hex", least)


def margin_with_less_without(
    held: pl.DataFrame, rows: pl.DataFrame, key: str, least: int, in_play: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Mean margin of seats that have a thing less that of seats that have not, for each of many things.

    Args:
        held: ``game_index``, ``seat`` and ``key``, once each.
        rows: ``game_index``, ``seat``, ``block``, ``margin`` of all seats that count.
        key: column that names the things.
        least: seats that must be there on either side; other things are left out.
        in_play: ``game_index`` and ``key`` of what is in play where; None where all always is.

    Returns:
        ``key``, ``n`` (seats with), ``n_without``, ``blocks`` (the fewer of both sides), ``margin_with``, ``margin_without``,
        ``value``, ``se``, ``low``, ``high``, ``p``, ``q``, ``method``, highest first.
    """
    rows = rows.select("game_index", "seat", "block", "margin").with_row_index("row")
    held = held.join(rows, on=["game_index", "seat"], maintain_order="left")
    keys = held[key].unique().sort().to_list()
    there, possible = _marks(held, len(rows), key, keys), np.ones((len(rows), len(keys)))
    if in_play is not None:
        places = in_play.filter(pl.col(key).is_in(keys)).join(rows, on="game_index", maintain_order="left")
        possible = np.maximum(_marks(places, len(rows), key, keys), there)
    block = np.unique(rows["block"].to_numpy(), return_inverse=True)[1]
    table = _with_less_without(there, possible - there, rows["margin"].to_numpy(), block)
    frame = pl.DataFrame({key: keys, **table}, schema_overrides={key: pl.String})
    frame = frame.filter((pl.col("n") >= least) & (pl.col("n_without") >= least))
    method = "observed, mixes cause and choice; difference of means, errors clustered by block"
    tested = with_tests(with_intervals(frame)).with_columns(method=pl.lit(method))
    return tested.sort(["value", key], descending=[True, False])


def _marks(places: pl.DataFrame, n_rows: int, key: str, keys: list[str]) -> Any:
    """Rows x keys of 0 and 1."""
    marks = np.zeros((n_rows, len(keys)))
    if len(places):
        columns = places[key].replace_strict(keys, range(len(keys)), return_dtype=pl.Int64).to_numpy()
        marks[places["row"].to_numpy(), columns] = 1
    return marks


def _with_less_without(there: Any, absent: Any, margin: Any, block: Any) -> dict[str, Any]:
    """Difference of means by column (seats x keys of 0 and 1), its error by influence functions, counts."""
    n_blocks = int(block.max()) + 1 if len(block) else 0
    counts, rest = there.sum(axis=0), absent.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_with, mean_without = margin @ there / counts, margin @ absent / rest
        influence = there * (margin[:, None] - mean_with) / counts - absent * (margin[:, None] - mean_without) / rest
        sums, with_it, without = (np.zeros((n_blocks, there.shape[1])) for _ in range(3))
        for total, values in ((sums, influence), (with_it, there), (without, absent)):
            np.add.at(total, block, values)
        errors = (
            np.sqrt(n_blocks / (n_blocks - 1) * (sums**2).sum(axis=0)) if n_blocks > 1 else np.full(len(counts), np.nan)
        )
    blocks = np.minimum((with_it > 0).sum(axis=0), (without > 0).sum(axis=0))
    known = np.isfinite(errors) & (blocks > 1)
    return {
        "n": counts.astype(int),
        "n_without": rest.astype(int),
        "blocks": blocks,
        "margin_with": mean_with,
        "margin_without": mean_without,
        "value": mean_with - mean_without,
        "se": pl.Series([float(e) if good else None for e, good in zip(errors, known, strict=True)], dtype=pl.Float64),
    }
