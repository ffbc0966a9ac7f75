import polars as pl
import pytest

from aoi_sim.analysis.contests import (
    margin_by_heuristic,
    margin_by_pair,
    seat_rows,
    vp_by_heuristic,
    vp_source_by_heuristic,
    win_share_by_heuristic,
)
from tests.analysis.synthetic import made_tables

SEATS = pl.LazyFrame(
    {
        "game_index": [0, 0, 0, 1, 1, 1],
        "seat": [0, 1, 2, 0, 1, 2],
        "heuristic": ["a", "a", "b", "b", "b", "a"],
        "faction": ["x", "y", "z"] * 2,
        "vp": [100, 90, 80, 95, 85, 95],
        "win_share": [1.0, 0.0, 0.0, 0.5, 0.0, 0.5],
        "vp_from_start": [20] * 6,
        "vp_from_city": [80, 70, 60, 75, 65, 75],
    }
)
GAMES = pl.LazyFrame({"game_index": [0, 1], "block": [0, 1]})


def test_figures_by_hand() -> None:
    rows = seat_rows(SEATS, GAMES)
    assert rows.select("margin").collect()["margin"].to_list() == [20, 10, -15, 0, -10, 5]
    assert dict(vp_by_heuristic(rows).select("heuristic", "value").iter_rows()) == {
        "a": 95,
        "b": pytest.approx(260 / 3),
    }
    assert margin_by_heuristic(rows).filter(pl.col("heuristic") == "a")["value"].item() == pytest.approx(35 / 3)
    assert dict(win_share_by_heuristic(rows).select("heuristic", "value").iter_rows()) == {
        "a": 0.5,
        "b": pytest.approx(1 / 6),
    }
    pairs = margin_by_pair(rows)
    ahead = {row["heuristic"]: row["value"] for row in pairs.iter_rows(named=True) if row["quantity"] == "ahead"}
    assert ahead == {"a": pytest.approx(3.5 / 4), "b": pytest.approx(0.5 / 4)}
    margins = {row["heuristic"]: row["value"] for row in pairs.iter_rows(named=True) if row["quantity"] == "margin"}
    assert margins == {"a": 10.0, "b": -10.0}
    sources = vp_source_by_heuristic(rows)
    assert set(sources["quantity"]) == {"start", "city"}
    assert sources.group_by("heuristic").agg(pl.col("value").sum()).sort("heuristic")["value"].to_list() == [
        95,
        pytest.approx(260 / 3),
    ]


def test_mirror_tables_have_no_margin() -> None:
    rows = seat_rows(SEATS.with_columns(heuristic=pl.lit("a")), GAMES)
    assert margin_by_heuristic(rows).is_empty()
    assert margin_by_pair(rows).is_empty()


def test_margins_of_pairs_are_opposite_and_true() -> None:
    rows = seat_rows(*made_tables({"weak": 0.0, "strong": 1.0}, 150))
    pairs = margin_by_pair(rows).filter(pl.col("quantity") == "margin")
    weak, strong = (pairs.filter(pl.col("heuristic") == name).row(0, named=True) for name in ("weak", "strong"))
    assert weak["value"] == pytest.approx(-strong["value"])
    assert strong["low"] < 20 < strong["high"]
    assert strong["low"] > 15
