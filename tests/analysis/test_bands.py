from typing import Any

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.bands import BUILDINGS, LEVELS, TABLES, Band, band_source, bands, figures_in_bands


def made_run(n_blocks: int, seed: int = 1, tied: int = 0) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Seats whose figures are known: seat effect -1, faction effects 0, 4 and 8, noise of sd 15."""
    random = np.random.default_rng(seed)
    seats = []
    for block in range(n_blocks):
        shift = random.normal(0, 10)
        for seat in range(4):
            faction = (seat + block) % 3
            vp = round(170 + shift - seat + 4 * faction + random.normal(0, 15))
            seats.append(
                {
                    "game_index": block,
                    "seat": seat,
                    "heuristic": "a" if seat < 3 else "b",
                    "faction": f"f{faction}",
                    "vp": 200 if block < tied and seat < 2 else min(vp, 199) if block < tied else vp,
                    "cities": 2 + block % 2,
                    "innovations": 0,
                    "competencies": 4,
                    "vp_from_power": -8,
                    **dict.fromkeys(BUILDINGS, 2),
                }
            )
    best = pl.col("vp") == pl.col("vp").max().over("game_index")
    frame = pl.LazyFrame(seats).with_columns(
        win_share=pl.when(best).then(1 / best.sum().over("game_index")).otherwise(0.0)
    )
    return frame, pl.LazyFrame({"game_index": range(n_blocks), "block": range(n_blocks)})


def figure(table: pl.DataFrame, quantity: str, heuristic: str = "a") -> dict[str, Any]:
    row: dict[str, Any] = table.filter(quantity=quantity, heuristic=heuristic).row(0, named=True)
    return row


def test_figures_are_those_of_the_truth() -> None:
    table = figures_in_bands(*made_run(600, tied=30))
    for quantity, truth in (("mean_vp", 173.2), ("sd_vp", 18.4), ("faction_spread", 8.0), ("seat_effect", -1.0)):
        row = figure(table, quantity)
        assert abs(row["value"] - truth) < 3.5 * row["se"], quantity
        assert row["low"] < row["value"] < row["high"]
    share = figure(table, "faction_share")
    assert abs(share["value"] - 0.05) < 3.5 * share["se"]
    assert figure(table, "cities")["value"] == 2.5
    assert figure(table, "buildings")["value"] == 14
    assert figure(table, "power_paid")["value"] == 8
    assert figure(table, "shared_wins", TABLES)["value"] == pytest.approx(0.08, abs=0.03)
    assert figure(table, "winner_minus_last", TABLES)["n"] == 600
    marks = {row["quantity"]: row["mark"] for row in table.filter(heuristic="a").iter_rows(named=True)}
    assert marks["mean_vp"] == marks["cities"] == marks["power_paid"] == "ok"
    assert marks["innovations"] == "look again"


def test_chance_alone_gives_factions_no_share() -> None:
    seats, games = made_run(300)
    noise = pl.Series("vp", np.random.default_rng(3).normal(170, 15, 1200).round().astype(int))
    table = figures_in_bands(seats.collect().with_columns(noise).lazy(), games)
    row = figure(table, "faction_share")
    assert abs(row["value"]) < 0.02


def test_one_game_has_figures_without_intervals() -> None:
    table = figures_in_bands(*made_run(1))
    assert table["se"].null_count() == len(table)
    lone = figure(table, "faction_spread", "b")
    assert lone["value"] is None and lone["mark"] == "-"


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_band_of_a_range_is_that_of_so_many_seats(seats: int) -> None:
    """Equal players whose range lies at an end of its band at four have it at that end at any number of seats."""
    random = np.random.default_rng(seats)
    for end in (0, 1):
        sd = next(band for band in bands() if band.range).plausible[end] / 2.059
        expected = np.ptp(random.normal(0, sd, (200_000, seats)), axis=1).mean()
        band = next(band for band in bands(n_players=seats) if band.range)
        assert band.plausible[end] == pytest.approx(expected, rel=0.01)
    assert [band for band in bands(n_players=seats) if not band.range] == [band for band in bands() if not band.range]


def test_figures_of_tables_of_two_are_beside_the_bands_for_two() -> None:
    seats, games = made_run(40)
    table = figures_in_bands(seats.filter(pl.col("seat") < 2), games)
    wanted = {band.quantity: band.plausible for band in bands(n_players=2)}
    assert {
        row["quantity"]: (row["plausible_low"], row["plausible_high"]) for row in table.iter_rows(named=True)
    } == wanted
    assert wanted["winner_minus_last"] == (13.7, 32.9)


def test_marks() -> None:
    band = Band("x", "x", "heuristic", "", (2, 4), (1, 9), 1)
    for mark, intervals in {
        "look again": [(0.2, 0.9), (9.1, 12)],
        "outside": [(0.9, 1.1), (1, 1.9), (4.1, 9), (8, 10)],
        "unclear": [(1.9, 2.1), (3.9, 4.1), (1, 5), (0.5, 10)],
        "ok": [(2, 4), (2, 2), (2.5, 3)],
    }.items():
        assert [band.mark(*interval) for interval in intervals] == [mark] * len(intervals)


def test_a_figure_is_marked_by_its_interval() -> None:
    """The same play is outside a band for sure once there are games enough, not before: no mark hangs on a point."""
    few, many = (figure(figures_in_bands(*made_run(n, tied=n // 25)), "shared_wins", TABLES) for n in (150, 3000))
    assert few["plausible_high"] == many["plausible_high"] < min(few["value"], many["value"])
    assert few["low"] < few["plausible_high"] < many["low"]
    assert (few["mark"], many["mark"]) == ("unclear", "outside")


@pytest.mark.parametrize("level", LEVELS)
def test_the_file_is_sound(level: str) -> None:
    rows = bands(level)
    assert len({band.quantity for band in rows}) == len(rows) == 12
    for band in rows:
        assert band.again[0] <= band.plausible[0] < band.plausible[1] <= band.again[1]
        assert band.per in ("heuristic", "table")
    assert "144,752" in band_source() and "\n" not in band_source()
