import numpy as np
import pandas as pd
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.source import AnalysisError, Frames, seat_table
from tests.analysis.made_games import centred, coverage, made_seats

EFFECTS = centred(range(12))
GROUPS = {"faction": ["faction"], "board": ["board"], "pairing": ["faction", "board"], "seat": ["seat"]}
QUANTITIES = {"vp": "vp", "vp_margin": "margin", "win_share": "win_share", "rank": "rank"}


@pytest.fixture(scope="module")
def draws() -> pl.DataFrame:
    return made_seats(100, 5, draws=1000, factions=EFFECTS)


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_of_margins_cover_the_truth_and_halved_ones_do_not(
    draws: pl.DataFrame, factor: float, holds: bool
) -> None:
    table = analysis.vp_margin_by_faction(draws, by=["draw"])
    truth = np.tile(EFFECTS * 12 / 11 * 3 / 4, 1000)
    assert (0.93 <= coverage(table, truth, factor) <= 0.97) is holds
    found = table.group_by("faction", maintain_order=True).agg(pl.col("value").mean())["value"].to_numpy()
    assert found == pytest.approx(truth[:12], abs=0.2)


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_of_win_shares_cover_the_truth_and_halved_ones_do_not(factor: float, holds: bool) -> None:
    truth = analysis.win_share_by_faction(made_seats(60_000, 6, factions=EFFECTS * 2))["value"].to_numpy()
    assert truth[11] > 0.4 > 0.12 > truth[0]
    table = analysis.win_share_by_faction(made_seats(100, 7, draws=1000, factions=EFFECTS * 2), by=["draw"])
    assert (0.93 <= coverage(table, np.tile(truth, 1000), factor) <= 0.97) is holds


def test_the_named_functions_are_the_plain_means_of_pandas() -> None:
    rows = made_seats(40, 1, factions=EFFECTS)
    frame = rows.to_pandas()
    for short, quantity in QUANTITIES.items():
        for name, group in GROUPS.items():
            table = getattr(analysis, f"{short}_by_{name}")(rows).to_pandas().set_index(group)
            expected = frame.groupby(group)[quantity].agg(["mean", "size"])
            pd.testing.assert_series_equal(table["value"], expected["mean"], check_names=False)
            assert (table["n"] == expected["size"]).all()
            assert list(table.columns) == ["n", "blocks", "value", "se", "low", "high", "method"]


def test_a_real_run_agrees_with_plain_pandas(small_run: aoi.Run) -> None:
    seats, games = small_run.to_pandas("seats"), small_run.to_pandas("games")
    seats["margin"] = seats["vp"] - seats.groupby("game_index")["vp"].transform("mean")
    by_faction = seats.assign(faction=seats["faction"].astype(str)).groupby("faction")
    table = aoi.analysis.vp_margin_by_faction(small_run).to_pandas().set_index("faction")
    pd.testing.assert_series_equal(table["value"], by_faction["margin"].mean(), check_names=False)
    wins = aoi.analysis.win_share_by_faction(small_run).to_pandas().set_index("faction")
    pd.testing.assert_series_equal(wins["value"], by_faction["win_share"].mean(), check_names=False)
    assert (wins["blocks"] <= len(games["block"].unique())).all()
    tiles = aoi.analysis.vp_by_bonus_tile(small_run)
    assert tiles["n"].sum() == len(seats)
    for name in ("player_count", "map", "edition"):
        assert getattr(aoi.analysis, f"vp_by_{name}")(small_run)["value"].item() == pytest.approx(seats["vp"].mean())


def test_ties_share_ranks_and_wins() -> None:
    seats = {"game_index": [0, 0, 0], "seat": [0, 1, 2], "faction": list("abc"), "board": list("xyz"), "vp": [9, 9, 5]}
    games = {"game_index": [0], "block": [0], "n_players": [3]}
    data = Frames({"seats": pl.DataFrame({**seats, "win_share": [0.5, 0.5, 0.0]}), "games": pl.DataFrame(games)})
    assert seat_table(data)["rank"].to_list() == [1.5, 1.5, 3.0]
    table = analysis.win_share_by_faction(data)
    assert table["value"].to_list() == [0.5, 0.5, 0.0]
    assert table["low"].null_count() == 3  # one block has no interval
    assert not any(table[name].is_nan().any() for name in ("value", "se", "low", "high"))


def test_all_ties_give_margins_of_nothing() -> None:
    rows = made_seats(10, 1, sd=0, sd_block=0)
    table = analysis.vp_margin_by_faction(rows)
    assert table["value"].to_numpy() == pytest.approx(0, abs=1e-9)
    wins = analysis.win_share_by_faction(rows)
    assert wins["low"].is_between(0, 1).all()


def test_a_faction_that_never_wins_has_an_interval_with_room() -> None:
    rows = made_seats(20, 1, factions=np.array([-500.0, *[0] * 11]))
    row = analysis.win_share_by_faction(rows).row(0, named=True)
    assert row["value"] == 0.0 == row["low"]
    assert 0.1 < row["high"] < 0.6


def test_a_missing_faction_has_no_row() -> None:
    rows = made_seats(20, 1).filter(pl.col("faction") != "faction03")
    assert "faction03" not in analysis.vp_by_faction(rows)["faction"].to_list()


def test_wrong_questions_are_one_line() -> None:
    rows = made_seats(5, 1)
    with pytest.raises(AnalysisError, match="no column planet, seats and games, choose block"):
        mean_by(rows, "vp", ["planet"])
    with pytest.raises(AnalysisError, match="nothing in column bonus"):
        mean_by(rows.with_columns(bonus=pl.lit(None, dtype=pl.String)), "vp", ["bonus"])
    nothing = Frames({"seats": _seats([]), "games": _games([])})
    with pytest.raises(AnalysisError, match="no finished game"):
        analysis.vp_by_faction(nothing)
    with pytest.raises(AnalysisError, match="seats without a game and block"):
        analysis.vp_by_faction(Frames({"seats": _seats([1]), "games": _games([2])}))
    with pytest.raises(AnalysisError, match="no table games, the frames given, choose seats"):
        analysis.vp_by_faction(Frames({"seats": _seats([1])}))


def _seats(games: list[int]) -> pl.DataFrame:
    kinds = {"game_index": pl.Int32, "seat": pl.Int8, "faction": pl.String, "vp": pl.Int32, "win_share": pl.Float64}
    size = len(games)
    values = {
        "game_index": games,
        "seat": [0] * size,
        "faction": ["a"] * size,
        "vp": [9] * size,
        "win_share": [1.0] * size,
    }
    return pl.DataFrame(values, schema=kinds)


def _games(games: list[int]) -> pl.DataFrame:
    values = {"game_index": games, "block": [0] * len(games), "n_players": [4] * len(games)}
    return pl.DataFrame(values, schema={"game_index": pl.Int32, "block": pl.Int32, "n_players": pl.Int8})


def test_every_public_name_of_the_analysis_exists_and_is_no_module() -> None:
    for name in analysis.__all__:
        assert not hasattr(getattr(analysis, name), "__path__")
        assert callable(getattr(analysis, name))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = analysis.nonsense


def test_what_was_found_in_a_run_is_kept_as_long_as_the_run(small_run: aoi.Run) -> None:
    assert seat_table(small_run) is seat_table(small_run)
    first = Frames({name: small_run.table(name) for name in ("games", "seats")})
    second = Frames({"games": small_run.games(), "seats": small_run.seats().filter(pl.col("seat") > 0)})
    assert len(seat_table(first)) == 96 and len(seat_table(second)) == 72
    assert "area" in seat_table(first, ["area"]).columns and "area" not in seat_table(first).columns
