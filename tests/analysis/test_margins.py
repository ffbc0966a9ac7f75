import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.margins import margin_by_faction, margin_rows, paired_difference_by_faction

FACTIONS = [f"f{number}" for number in range(6)]
BOARDS = [f"b{number}" for number in range(5)]


def made(
    n_blocks: int, gain: float = 6.0, seed: int = 1, shared: float = 15.0, own: float = 6.0
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Two levels on the same blocks: f0 gets ``gain`` VP more under the second; play is shared between levels, and own."""
    random = np.random.default_rng(seed)
    seats, games = [], []
    for block in range(n_blocks):
        dealt = random.choice(6, 4, replace=False)
        suits, lift = random.normal(0, shared, 4), random.normal(0, 30)
        for level in range(2):
            index = 2 * block + level
            games.append({"game_index": index, "block": block, "level": ("first", "second")[level]})
            for seat, faction in enumerate(dealt):
                vp = 100 + lift + 2 * faction + suits[seat] + random.normal(0, own) + gain * level * (faction == 0)
                seats.append(
                    {"game_index": index, "seat": seat, "faction": f"f{faction}", "board": f"b{seat}", "vp": vp}
                )
    frame = pl.DataFrame(seats).with_columns(
        win_share=(pl.col("vp") == pl.col("vp").max().over("game_index")).cast(pl.Float64)
    )
    return frame.lazy(), pl.LazyFrame(games)


def cell(table: pl.DataFrame, **keys: str) -> dict[str, float]:
    return table.filter(*(pl.col(name) == value for name, value in keys.items())).row(0, named=True)


def test_margins_add_up_to_nothing_and_leave_out_what_lifts_everybody() -> None:
    rows = margin_rows(*made(400)).collect()
    assert rows.group_by("game_index").agg(pl.col("margin").sum())["margin"].abs().max() < 1e-9
    table = margin_by_faction(rows.lazy(), ["level", "faction"])
    vp = cell(table, level="first", faction="f3", quantity="vp")
    margin = cell(table, level="first", faction="f3", quantity="margin")
    assert margin["se"] < vp["se"] / 1.5


def test_pairing_finds_the_difference_with_a_fraction_of_the_error() -> None:
    rows = margin_rows(*made(1500))
    paired = cell(paired_difference_by_faction(rows, ["first", "second"]), faction="f0", quantity="vp")
    assert paired["low"] < 6 < paired["high"]
    assert paired["n"] == paired["blocks"]
    by_level = margin_by_faction(rows, ["level", "faction"])
    errors = [cell(by_level, level=level, faction="f0", quantity="vp")["se"] for level in ("first", "second")]
    independent = errors[0] ** 2 + errors[1] ** 2
    assert paired["saved"] == pytest.approx(1 - paired["se"] ** 2 / independent, abs=0.01)
    assert paired["saved"] > 0.9


def test_a_gain_of_one_is_a_loss_of_the_others_in_margin() -> None:
    table = paired_difference_by_faction(margin_rows(*made(2000)), ["first", "second"])
    assert cell(table, faction="f0", quantity="margin")["value"] == pytest.approx(4.5, abs=0.5)
    others = [cell(table, faction=name, quantity="margin")["value"] for name in FACTIONS[1:]]
    assert np.mean(others) == pytest.approx(-1.5 * 0.6, abs=0.2)


def test_a_block_counts_where_both_levels_have_the_faction() -> None:
    seats, games = made(50)
    lost = games.filter((pl.col("level") == "first") | (pl.col("block") >= 20))
    table = paired_difference_by_faction(margin_rows(seats, lost), ["first", "second"])
    met = seats.join(lost, on="game_index").filter((pl.col("faction") == "f1") & (pl.col("level") == "second"))
    assert cell(table, faction="f1", quantity="vp")["n"] == met.collect().height
