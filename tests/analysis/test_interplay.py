import re

import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.interplay import cell_grid, shifts
from aoi_sim.analysis.least_squares import Design, Factor, factor_of, fit_within_games
from aoi_sim.analysis.pooling import shrunk, spread_of_cells
from aoi_sim.analysis.source import AnalysisError
from tests.analysis.made_games import BOARDS, FACTIONS, centred, coverage, made_seats

SIX, FOUR = centred(range(6)), centred([0, 2, 1, 5])


def with_tiles(rows: pl.DataFrame, moved: np.ndarray, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One of two tiles in each block; the first moves factions by ``moved``."""
    blocks = rows["block"].unique().sort()
    first = pl.DataFrame({"block": blocks, "first": np.random.default_rng(seed).random(len(blocks)) < 0.5})
    names = FACTIONS[: len(moved)]
    gain = pl.col("faction").replace_strict(names, moved.tolist(), return_dtype=pl.Float64)
    rows = rows.join(first, on="block", maintain_order="left")
    rows = rows.with_columns(vp=pl.col("vp") + pl.when("first").then(gain).otherwise(0.0))
    tile = pl.when("first").then(pl.lit("t1")).otherwise(pl.lit("t2")).alias("key")
    return rows, rows.select("draw", "game_index", tile).unique(maintain_order=True)


def test_shifts_are_recovered_and_others_stay_where_they_are() -> None:
    moved = np.array([6.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -6.0])
    rows, members = with_tiles(made_seats(2500, 1, factions=centred(range(12))), moved, 1)
    table = shifts(rows, members)
    assert len(table) == 24
    values = table.filter(pl.col("key") == "t1")["value"].to_numpy()
    assert np.abs(values - moved).max() < 4 * table["se"].max()
    assert table.filter(pl.col("q") < 0.01)["faction"].unique().sort().to_list() == ["faction00", "faction11"]
    assert table.filter(pl.col("key") == "t2")["value"].to_numpy() == pytest.approx(-values)


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_of_shifts_cover_the_truth_and_halved_ones_do_not(factor: float, holds: bool) -> None:
    moved = centred([5, 0, 0, 0, -2, 3])
    rows, members = with_tiles(made_seats(120, 2, draws=1000, factions=SIX, boards=FOUR), moved, 3)
    tiles = members.filter(pl.col("key") == "t1").partition_by("draw", maintain_order=True)
    parts = zip(rows.partition_by("draw", maintain_order=True), tiles, strict=True)
    shares = [coverage(shifts(part, members), moved, factor) for part, members in parts]
    assert bool(0.93 <= np.mean(shares) <= 0.97) is holds


def test_without_shifts_false_alarms_stay_nominal() -> None:
    rows, members = with_tiles(made_seats(120, 4, draws=400, factions=SIX, boards=FOUR), SIX * 0, 5)
    parts = zip(*(x.partition_by("draw", maintain_order=True) for x in (rows, members)), strict=True)
    alarms = np.mean([shifts(part, members)["q"].min() <= 0.05 for part, members in parts])
    assert alarms <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 400)


def test_one_more_factor_has_the_figures_of_the_whole_regression() -> None:
    rows = made_seats(50, 6, factions=SIX, boards=FOUR)
    base = [factor_of(rows, [name]) for name in ("faction", "board", "seat")]
    chosen = np.random.default_rng(1).random(100)[(rows["game_index"] - rows["game_index"][0]).to_numpy()] < 0.4
    more = Factor("interplay", base[0].levels, base[0].columns * chosen[:, None])
    short, whole = Design(rows, "vp", base).fit_with(more), fit_within_games(rows, "vp", [*base, more])
    for fit in (short, whole):
        assert fit.contrast(fit.centring("interplay"))[2].all()
    for own, other in zip(*(fit.contrast(fit.centring("interplay"))[:2] for fit in (short, whole)), strict=True):
        assert own == pytest.approx(other)
    assert short.residuals == pytest.approx(whole.residuals)


def test_pooling_shrinks_what_is_noise_and_keeps_what_is_sure() -> None:
    random = np.random.default_rng(7)
    errors = np.where(np.arange(2000) < 1000, 0.5, 4.0)
    true = random.normal(0, 2, 2000)
    values = true + random.normal(0, errors)
    assert spread_of_cells(values, errors) == pytest.approx(4, rel=0.15)
    pooled, _, weight = shrunk(values, errors)
    assert weight[:1000] == pytest.approx(4 / 4.25, abs=0.02) and weight[1000:] == pytest.approx(0.2, abs=0.04)
    assert np.mean((pooled - true) ** 2) < 0.35 * np.mean((values - true) ** 2)
    assert spread_of_cells(np.zeros(5), np.ones(5)) == 0.0
    assert shrunk([3.0], [1.0])[0].tolist() == [3.0]


Pairings = list[tuple[pl.DataFrame, np.ndarray]]


def pairings(tau: float, draws: int) -> Pairings:
    """Tables of runs whose pairings differ from faction + board with sd ``tau``, and what is their own."""
    random = np.random.default_rng(8)
    found = []
    for draw in range(draws):
        own = random.normal(0, tau, (6, 4))
        own -= own.mean(axis=0) + own.mean(axis=1, keepdims=True) - own.mean()
        table = analysis.vp_interplay_by_pairing(made_seats(100, draw, factions=SIX, boards=FOUR, pairings=own))
        found.append((table, own))
    return found


def pooled_coverage(found: Pairings, factor: float = 1.0) -> float:
    names = {"value": "pooled", "low": "pooled_low", "high": "pooled_high"}
    truths = [(np.add.outer(SIX, FOUR) + own).ravel() for _, own in found]
    return float(
        np.mean([coverage(t.select(**names), truth, factor) for (t, _), truth in zip(found, truths, strict=True)])
    )


@pytest.fixture(scope="module")
def different_pairings() -> Pairings:
    return pairings(3.0, 1000)


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_pooled_pairings_cover_the_truth_and_halved_intervals_do_not(
    different_pairings: Pairings, factor: float, holds: bool
) -> None:
    assert (0.93 <= pooled_coverage(different_pairings, factor) <= 0.97) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_what_a_pairing_has_of_its_own_has_intervals_that_cover(
    different_pairings: Pairings, factor: float, holds: bool
) -> None:
    names = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    shares = [coverage(table.select(**names), own.ravel(), factor) for table, own in different_pairings]
    assert bool(0.93 <= np.mean(shares) <= 0.97) is holds


def test_pooled_intervals_are_on_the_safe_side_where_pairings_hardly_differ() -> None:
    assert pooled_coverage(pairings(0.5, 150)) >= 0.95


def test_a_pairing_that_stands_out_is_found() -> None:
    own = np.zeros((12, 7))
    own[3, 2] = 15
    table = analysis.vp_interplay_by_pairing(made_seats(2000, 9, factions=centred(range(12)), pairings=own))
    assert len(table) == 84
    first = table.sort("q").row(0, named=True)
    assert (first["faction"], first["board"]) == ("faction03", "board2")
    assert first["additive"] + first["difference"] == pytest.approx(first["value"])
    assert first["additive"] < first["pooled"] < first["value"]
    assert table.filter(pl.col("q") < 0.01).height == 1


def test_opponents_own_strength_is_no_shift() -> None:
    strong = centred([30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    rows = made_seats(2500, 10, factions=strong)
    hurt = (pl.col("faction") == "faction05") & (pl.col("faction") == "faction01").any().over("game_index")
    table = analysis.vp_shift_by_opponent(rows.with_columns(vp=pl.col("vp") - pl.when(hurt).then(8).otherwise(0)))
    assert len(table) == 132
    assert table.filter(pl.col("faction") == pl.col("key")).height == 0
    first = table.sort("value").row(0, named=True)
    assert (first["faction"], first["key"]) == ("faction05", "faction01")
    assert first["value"] == pytest.approx(-8 * 10 / 11, abs=4 * first["se"])
    assert table.filter(pl.col("key") == "faction00")["q"].min() > 0.05


def test_cells_without_data_are_absent_and_printed_as_a_dash() -> None:
    rows = made_seats(200, 11, factions=SIX, boards=FOUR)
    lost = (pl.col("faction") == "faction02") & (pl.col("board") == "board3")
    rows = rows.filter((~lost).all().over("game_index"))
    table = analysis.vp_interplay_by_pairing(rows)
    assert len(table) == 23
    grid = cell_grid(table, "faction", "board")
    assert grid.filter(pl.col("faction") == "faction02")["board3"].item() == "-"
    assert re.fullmatch(r"[+-]\d+\.\d\*? \(\d+\)", grid["board0"][0])
    assert (
        table.select(pl.exclude("faction", "board", "method")).select(pl.all().is_nan().any()).sum_horizontal().item()
        == 0
    )


def test_one_game_has_no_errors_and_no_nan() -> None:
    table = analysis.vp_interplay_by_pairing(made_seats(1, 1, games_a_block=1))
    assert len(table) == 4 and table["pooled"].null_count() == 4
    assert table["value"].is_finite().all()


def test_a_real_run_gives_a_shift_for_every_tile_that_was_drawn(small_run: aoi.Run) -> None:
    games = small_run.games().collect()
    for name, column in (("palace", "palaces"), ("innovation", "innovations"), ("book_action", "book_actions")):
        table = getattr(analysis, f"vp_shift_by_{name}")(small_run)
        drawn = games[column].explode().cast(pl.String)
        assert set(table["key"]) <= set(drawn)
        assert table["n"].min() >= 1 and table["n_without"].min() >= 1
        assert not any(table[c].is_nan().any() for c in ("value", "se", "low", "high", "p", "q", "pooled", "weight"))
    late = analysis.vp_shift_by_round_tile(small_run, rounds=[5, 6])
    assert set(late["key"]) <= set(games["round_tiles"].list.tail(2).explode().cast(pl.String))
    assert len(analysis.vp_shift_by_bonus_tile(small_run, group="board")) > 0
    assert len(analysis.vp_shift_by_final_tile(small_run)) > 0
    with pytest.raises(AnalysisError, match=r"no map that is in some games only \(3-5\), table games"):
        analysis.vp_shift_by_map(small_run)


def test_boards_have_names() -> None:
    assert set(analysis.vp_interplay_by_pairing(made_seats(60, 1))["board"]) <= set(BOARDS)
