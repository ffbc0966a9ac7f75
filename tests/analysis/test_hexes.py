"""Where players build: shares and with/without differences against sums by hand and known truth."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.analysis.hexes import build_margin_by_hex, build_share_by_hex, built_hexes
from aoi_sim.analysis.source import seat_table

HEXES = ("A1", "B2", "C3")


def made(n_blocks: int, seed: int, worth: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Built hexes and seats: A1 is worth VP, the others nothing; blocks of two games share who builds."""
    random = np.random.default_rng(seed)
    n = 4 * n_blocks
    block = np.repeat(np.arange(n_blocks), 4)
    there = np.repeat(random.random((n_blocks, len(HEXES))) < 0.4, 4, axis=0) ^ (random.random((n, len(HEXES))) < 0.2)
    luck = random.normal(0, 8, n_blocks)[block] * (np.arange(n) % 2 * 2 - 1)
    margin = worth * there[:, 0] + luck + random.normal(0, 10, n)
    rows = pl.DataFrame({"game_index": np.arange(n) // 2, "seat": np.arange(n) % 2, "block": block, "margin": margin})
    game, which = np.nonzero(there)
    built = pl.DataFrame({"game_index": game // 2, "seat": game % 2, "hex": [HEXES[k] for k in which]})
    return built, rows


def test_differences_and_shares_are_those_worked_out_by_hand() -> None:
    built, rows = made(20, 1, 5.0)
    table = build_margin_by_hex(built, rows, least=1)
    with_it = rows.join(built.filter(pl.col("hex") == "B2"), on=["game_index", "seat"], how="semi")
    without = rows.join(built.filter(pl.col("hex") == "B2"), on=["game_index", "seat"], how="anti")
    found = table.filter(pl.col("hex") == "B2").row(0, named=True)
    assert found["n"] == len(with_it)
    assert found["value"] == pytest.approx(with_it["margin"].mean() - without["margin"].mean())
    share = build_share_by_hex(built, rows).filter(pl.col("hex") == "B2").row(0, named=True)
    assert share["value"] == pytest.approx(with_it["game_index"].n_unique() / 40)
    assert build_margin_by_hex(built, rows, least=10_000).is_empty()


def test_built_hexes_are_those_of_the_buildings_that_stand(small_run: aoi.Run) -> None:
    built = built_hexes(small_run)
    kinds = ("workshops", "guilds", "schools", "universities", "palaces", "towers", "monuments")
    standing = small_run.seats().select("game_index", "seat", standing=pl.sum_horizontal(kinds)).collect()
    counts = built.group_by("game_index", "seat").agg(hexes=pl.len().cast(pl.Int32))
    both = standing.join(counts, on=["game_index", "seat"], how="left")
    assert both["hexes"].to_list() == both["standing"].to_list()


def test_a_faction_alone_has_shares_of_its_own_games(small_run: aoi.Run) -> None:
    rows = seat_table(small_run)
    name = rows["faction"][0]
    own = rows.filter(pl.col("faction") == name)
    table = build_share_by_hex(built_hexes(small_run), own)
    assert table["n"].unique().to_list() == [own["game_index"].n_unique()]
    assert table["value"].is_between(0, 1, closed="right").all()


def test_where_nobody_builds_there_is_no_row(small_run: aoi.Run) -> None:
    nothing = built_hexes(small_run).clear()
    rows = seat_table(small_run)
    assert len(build_share_by_hex(nothing, rows)) == 0 and len(build_margin_by_hex(nothing, rows)) == 0
