from typing import Any

import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.choices import KINDS, WARNING, _differences
from aoi_sim.analysis.comparison import difference_by
from aoi_sim.analysis.source import AnalysisError, Frames
from tests.analysis.made_games import centred, coverage, made_seats

EFFECTS = centred(range(12))


def frames_of_palaces(n_blocks: int, seed: int) -> Frames:
    """Palaces 1 and 2 are each in play in half of the blocks. 1 is worth nothing, but leaders take it; 2 lifts all."""
    random = np.random.default_rng(seed)
    rows = made_seats(n_blocks, seed)
    there = random.random((n_blocks, 2)) < 0.5
    block = rows["block"].to_numpy()
    vp = rows["vp"].to_numpy() + 6.0 * there[block, 1]
    leads = rows.select(pl.col("margin") == pl.col("margin").max().over("game_index"))["margin"].to_numpy()
    takes = there[block, 0] & leads & (random.random(len(rows)) < 0.8)
    seats = rows.select("game_index", "seat", "faction", "board", "win_share").with_columns(
        vp=pl.Series(vp), palace=pl.Series(["1" if taken else None for taken in takes], dtype=pl.String)
    )
    games = rows.select("game_index", "block").unique(maintain_order=True)
    names = [[name for name, is_there in zip("12", there[b], strict=True) if is_there] for b in games["block"]]
    games = games.with_columns(n_players=pl.lit(4), palaces=pl.Series(names, dtype=pl.List(pl.String)))
    offers = seats.filter(pl.col("palace").is_not_null()).select(
        "game_index", "seat", pick=pl.lit("palace"), open=pl.lit(["1", "3"], dtype=pl.List(pl.String)), taken="palace"
    )
    return Frames({"seats": seats, "games": games, "offers": offers})


def test_what_leaders_take_looks_good_and_the_draw_says_otherwise() -> None:
    data = frames_of_palaces(1500, 1)
    table = analysis.worth_by_tile(data, "palace")
    first = table.filter(pl.col("key") == "1").row(0, named=True)
    assert first["observed"] > 10 and first["observed_q"] < 1e-6 and first["win_share"] > 0.9
    assert abs(first["drawn"]) < 4 * first["drawn_se"]
    assert first["pick_share"] == 1.0 and first["offered"] == first["picked"] == first["held"]
    drawn = analysis.table_vp_by_tile_available(data, "palace").row(1, named=True)
    assert drawn["key"] == "2" and drawn["value"] == pytest.approx(6, abs=4 * drawn["se"])
    assert drawn["vp_with"] - drawn["vp_without"] == pytest.approx(drawn["value"])
    text = analysis.selection_warning(table, "palace")
    assert text.startswith(WARNING)
    assert f"palace 1 finish {first['observed']:+.1f} VP" in text and f"score {first['drawn']:+.1f} VP" in text
    assert analysis.selection_warning(table.filter(pl.col("key") == "nothing")) == WARNING


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_of_the_difference_cover_the_truth_and_halved_ones_do_not(factor: float, holds: bool) -> None:
    rows = made_seats(50, 2, draws=1000, factions=EFFECTS)
    held = np.random.default_rng(1).random(len(rows)) < 0.3
    rows = rows.with_columns(held=held, key=pl.lit("x"), vp=pl.col("vp") + 4.0 * held)
    figures = [_differences(part, part, ["x"]) for part in rows.partition_by("draw", maintain_order=True)]
    table = pl.concat(figures).with_columns(
        low=pl.col("value") - 2.01 * pl.col("se"), high=pl.col("value") + 2.01 * pl.col("se")
    )
    assert bool(0.93 <= coverage(table, 4.0, factor) <= 0.97) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_of_the_draw_cover_the_truth_and_halved_ones_do_not(factor: float, holds: bool) -> None:
    rows = made_seats(100, 3, draws=1000)
    tables = rows.group_by("draw", "game_index", "block", maintain_order=True).agg(pl.col("vp").mean())
    drawn = pl.col("block") % 3 == 0
    table = difference_by(tables.filter(~drawn), tables.filter(drawn), "vp", ["draw"])
    assert bool(0.93 <= coverage(table, 0.0, factor) <= 0.97) is holds


def test_a_real_run_agrees_with_plain_pandas(small_run: aoi.Run) -> None:
    seats, offers = small_run.to_pandas("seats"), small_run.to_pandas("offers")
    seats["margin"] = seats["vp"] - seats.groupby("game_index")["vp"].transform("mean")
    for kind, pick in (
        ("palace", "palace"),
        ("competency", "competency"),
        ("city", "city"),
        ("innovation", "innovation"),
    ):
        own = offers[offers["pick"].astype(str) == pick]
        opened = own["open"].explode().astype(str).value_counts()
        taken = own["taken"].astype(str).value_counts()
        for row in analysis.pick_share_by_tile(small_run, kind).iter_rows(named=True):
            assert row["n"] == opened[row["key"]]
            assert row["picked"] == taken.get(row["key"], 0)
    held = seats["palace"].astype(str)
    games = small_run.to_pandas("games").set_index("game_index")["palaces"]
    for row in analysis.vp_margin_by_tile_held(small_run, "palace").iter_rows(named=True):
        in_play = seats["game_index"].map(lambda game, key=row["key"]: key in list(games[game]))
        assert row["n"] == (held == row["key"]).sum()
        assert row["n_without"] == (in_play & (held != row["key"])).sum()
        assert row["margin"] == pytest.approx(seats["margin"][held == row["key"]].mean())
        assert row["win_share_without"] == pytest.approx(seats["win_share"][in_play & (held != row["key"])].mean())


def test_every_kind_has_a_table_without_nan(small_run: aoi.Run) -> None:
    for kind in KINDS:
        table = analysis.worth_by_tile(small_run, kind)
        assert len(table) > 0
        numbers = table.select(pl.selectors.float())
        assert sum(numbers[name].is_nan().sum() for name in numbers.columns) == 0
        assert table["pick_share"].is_between(0, 1).all()
    assert "faction" in analysis.pick_share_by_tile(small_run, "city", "faction").columns
    with pytest.raises(
        AnalysisError, match="no competency that is in some games only, table games, see pick_share_by_tile"
    ):
        analysis.table_vp_by_tile_available(small_run, "competency")


def test_openings_are_named_by_their_buildings() -> None:
    rounds: list[dict[str, Any]] = []
    for game in range(40):
        for seat in range(2):
            built = (1 + seat, 0, 1, 0, 0) if game else (0, 0, 0, 0, 0)
            names = ("workshops", "guilds", "schools", "universities", "palaces")
            rounds.append({"game_index": game, "seat": seat, "round": 2} | dict(zip(names, built, strict=True)))
    seats = {
        "game_index": [game for game in range(40) for _ in range(2)],
        "seat": [0, 1] * 40,
        "faction": ["a", "b"] * 40,
        "vp": [50, 40] * 40,
        "win_share": [1.0, 0.0] * 40,
    }
    games = pl.DataFrame({"game_index": range(40), "block": range(40)})
    data = Frames({"seats": pl.DataFrame(seats), "games": games, "rounds": pl.DataFrame(rounds)})
    table = analysis.vp_margin_by_opening(data)
    rows = {row["opening"]: row for row in table.iter_rows(named=True)}
    assert set(rows) == {"1 workshop, 1 school", "2 workshops, 1 school", "other"}
    assert rows["1 workshop, 1 school"]["value"] == 5.0 and rows["1 workshop, 1 school"]["win_share"] == 1.0
    assert table["share"].sum() == pytest.approx(1)
    assert analysis.opening_rows(data, least_n=1)["opening"].to_list()[0] == "nothing"
    split = analysis.vp_margin_by_opening(data, by="faction")
    assert split.group_by("faction").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1, 1])


def test_questions_without_an_answer_are_one_line(tmp_path: object) -> None:
    data = frames_of_palaces(10, 1)
    with pytest.raises(AnalysisError, match="no kind castle, choices, choose palace, competency"):
        analysis.worth_by_tile(data, "castle")
    with pytest.raises(AnalysisError, match="no power actions without events, the run, play it with events=full"):
        analysis.pick_share_by_tile(data, "power action")
    with pytest.raises(AnalysisError, match="no city was ever open, the run, play more games"):
        analysis.pick_share_by_tile(data, "city")
    run = aoi.simulate(3, 2, "cities", n_jobs=1, out=f"{tmp_path}/run", events="summary")
    assert len(analysis.pick_share_by_tile(run, "competency")) > 0
    assert len(analysis.tiles_held(run, "competency")) > 0
