import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.source import AnalysisError, Frames
from aoi_sim.analysis.tempo import BUILDINGS, _condition, ever_by_round
from tests.analysis.made_games import centred, coverage, made_seats

EFFECTS = centred(range(12))


def with_condition(rows: pl.DataFrame, gain: float, seed: int) -> pl.DataFrame:
    """A third of the seats meets a condition, strong factions more often, and gains by it."""
    chance = np.where(np.isin(rows["faction"], ["faction10", "faction11"]), 0.7, 0.3)
    met = np.random.default_rng(seed).random(len(rows)) < chance
    rows = rows.with_columns(met=met, vp=pl.col("vp") + gain * met)
    return rows.with_columns(margin=pl.col("vp") - pl.col("vp").mean().over("game_index"))


def test_the_effect_of_a_condition_is_recovered_though_strong_factions_meet_it_more_often() -> None:
    rows = with_condition(made_seats(3000, 1, factions=EFFECTS * 2), 5.0, 1)
    row = _condition(rows, "it", "", 0.95).row(0, named=True)
    assert row["value"] == pytest.approx(5, abs=4 * row["se"])
    assert row["margin_with"] - row["margin_without"] > 5.8  # strong factions are among them
    by_faction = _condition(rows, "it", "faction", 0.95)
    assert by_faction["value"].to_numpy() == pytest.approx(5, abs=4 * by_faction["se"].max())
    assert len(by_faction) == 12


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_cover_the_truth_and_halved_ones_do_not(factor: float, holds: bool) -> None:
    rows = with_condition(made_seats(50, 2, draws=1000, factions=EFFECTS), 3.0, 2)
    tables = [_condition(part, "it", "", 0.95) for part in rows.partition_by("draw", maintain_order=True)]
    assert bool(0.93 <= coverage(pl.concat(tables), 3.0, factor) <= 0.97) is holds


@pytest.fixture
def frames() -> Frames:
    """Two games of two seats; seat 0 has a school from round 2, seat 1 never, a palace in round 3 for both of game 0."""
    seats, rounds = [], []
    for game in range(2):
        for seat in range(2):
            vp = 100 + 10 * (1 - seat)
            seats.append((game, seat, f"f{seat}", vp, 1.0 - seat))
            for number in range(1, 7):
                schools = int(seat == 0 and number >= 2)
                palaces = int(game == 0 and number >= 3)
                rounds.append(
                    (game, seat, number, seat, 1 - seat, schools, palaces, 0, 0, number // 6, 10 * number + seat)
                )
    return Frames(
        {
            "seats": pl.DataFrame(seats, ["game_index", "seat", "faction", "vp", "win_share"], orient="row"),
            "games": pl.DataFrame({"game_index": [0, 1], "block": [0, 1], "n_players": [2, 2]}),
            "rounds": pl.DataFrame(
                rounds,
                ["game_index", "seat", "round", "place", "next_place", "schools", "palaces", "universities", "cities"]
                + ["innovations", "start_coins"],
                orient="row",
            ),
        }
    )


def test_firsts_are_found(frames: Frames) -> None:
    table = analysis.milestone_rounds(frames)
    assert table["first_school"].to_list() == [2, None, 2, None]
    assert table["first_palace"].to_list() == [3, 3, None, None]
    assert table["first_innovation"].to_list() == [6] * 4
    timing = analysis.timing_by_faction(frames)
    own = {(r["faction"], r["milestone"], r["quantity"]): (r["value"], r["n"]) for r in timing.iter_rows(named=True)}
    assert own["f0", "school", "share_reached"] == (1.0, 2) and own["f1", "school", "share_reached"] == (0.0, 2)
    assert own["f0", "school", "round"] == (2.0, 2) and ("f1", "school", "round") not in own
    assert own["f1", "palace", "share_reached"] == (0.5, 2) and own["f1", "palace", "round"] == (3.0, 1)
    assert not any(timing[name].is_nan().any() for name in ("value", "se", "low", "high"))


def test_margins_by_timing_and_order_are_means(frames: Frames) -> None:
    table = analysis.vp_margin_by_timing(frames).filter(pl.col("milestone") == "school")
    assert dict(table.select("round", "value").iter_rows()) == {None: -5.0, 2: 5.0}
    order = analysis.vp_margin_by_pass_order(frames).filter(pl.col("round") == 1)
    assert dict(order.select("next_place", "value").iter_rows()) == {0: -5.0, 1: 5.0}
    turn = analysis.vp_margin_by_turn_order(frames).filter(pl.col("round") == 6)
    assert dict(turn.select("place", "value").iter_rows()) == {0: 5.0, 1: -5.0}
    economy = analysis.economy_by_round(frames, columns=["start_coins"])
    assert economy.filter((pl.col("faction") == "f1") & (pl.col("round") == 4))["value"].to_list() == [41.0]
    assert len(analysis.economy_by_round(frames, [], ["start_coins"])) == 6


def test_questions_without_an_answer_are_one_line(frames: Frames) -> None:
    with pytest.raises(AnalysisError, match="no seat has 1 or more cities by round 2, table rounds"):
        analysis.vp_margin_by_condition(frames, "cities", 2)
    with pytest.raises(AnalysisError, match="every seat has 1 or more innovations by round 6, table rounds"):
        analysis.vp_margin_by_condition(frames, "innovations", 6)
    with pytest.raises(AnalysisError, match="no column castles, table rounds, choose cities"):
        analysis.vp_margin_by_condition(frames, "castles", 6)
    with pytest.raises(AnalysisError, match="seats with and without 1 or more palaces by round 3 never meet"):
        analysis.vp_margin_by_condition(frames, "palaces", 3)


def test_a_real_run_agrees_with_plain_pandas(small_run: aoi.Run) -> None:
    rounds, seats = small_run.to_pandas("rounds"), small_run.to_pandas("seats")
    rows = rounds.merge(seats[["game_index", "seat", "faction"]].astype({"faction": str}), on=["game_index", "seat"])
    expected = rows[rows["round"] == 3].groupby("faction")["start_coins"].mean()
    table = analysis.economy_by_round(small_run).filter((pl.col("round") == 3) & (pl.col("quantity") == "start_coins"))
    assert table["value"].to_numpy() == pytest.approx(expected.to_numpy())
    seats["margin"] = seats["vp"] - seats.groupby("game_index")["vp"].transform("mean")
    events = small_run.to_pandas("events")
    built = events[(events["event"].astype(str) == "school_built") & (events["round"] <= 1)]
    early = set(built[["game_index", "seat"]].itertuples(index=False, name=None))
    mine = [key in early for key in seats[["game_index", "seat"]].itertuples(index=False, name=None)]
    row = analysis.vp_margin_by_condition(small_run, "schools", 1).row(0, named=True)
    assert row["n"] == sum(mine)
    assert row["margin_with"] == pytest.approx(seats["margin"][mine].mean())
    offers = small_run.to_pandas("offers")
    offers = offers[offers["pick"].astype(str) == "power"]
    table = analysis.share_accepted_by_power_offer(small_run)
    assert table["n"].sum() == len(offers)
    assert (table["value"] * table["n"]).sum() == pytest.approx((offers["taken"].astype(str) == "accept").sum())
    assert (table["vp_cost"] == table["power"] - 1).all()
    assert analysis.vp_margin_by_milestone(small_run)["milestone"].n_unique() >= 3


def parts_of(run: aoi.Run, events: bool) -> Frames:
    """The tables of a run, with the table of events or without."""
    return Frames({name: run.table(name) for name in run.tables if events or name != "events"})


@pytest.mark.parametrize("events", [True, False])
def test_what_was_had_by_the_end_of_a_round_never_falls(small_run: aoi.Run, events: bool) -> None:
    data = parts_of(small_run, events)
    numbers = [
        n for n, kind in small_run.table("rounds").collect_schema().items() if kind == pl.Int32 and n != "game_index"
    ]
    ever = ever_by_round(data, tuple(numbers))
    steps = ever.with_columns(pl.col(numbers).diff().over("game_index", "seat")).fill_null(0)
    assert [name for name in numbers if steps[name].min() < 0] == []
    standing = small_run.table("rounds").sort("game_index", "seat", "round").select(numbers).collect()
    assert {"schools", "guilds", "workshops", "coins"} <= {n for n in numbers if (standing[n] < ever[n]).any()}
    assert not any((standing[name] > ever[name]).any() for name in numbers)


@pytest.mark.parametrize("column", [*BUILDINGS, "cities", "innovations", "coins", "scholars"])
@pytest.mark.parametrize("at_least", [1, 2])
def test_seats_that_met_a_condition_meet_it_in_every_later_round(
    small_run: aoi.Run, column: str, at_least: int
) -> None:
    counts = []
    for number in range(1, 7):
        try:
            counts.append(analysis.vp_margin_by_condition(small_run, column, number, at_least)["n"].item())
        except AnalysisError as error:
            side = str(error).split()[0]
            counts += [0] if side == "no" else [96] if side == "every" else []
    assert counts == sorted(counts)


def test_a_school_within_a_round_counts_with_events_and_the_method_says_what_does() -> None:
    zero = {name: [0] * 6 for name in ("palaces", "cities", "innovations")}
    rounds = pl.DataFrame(
        {"game_index": [0] * 6, "seat": [0] * 6, "round": range(1, 7), "schools": [0] * 6}
        | {"universities": [0, 1, 1, 1, 1, 1], **zero}
    )
    events = pl.DataFrame(
        {
            "game_index": [0] * 3,
            "seat": [0] * 3,
            "round": [0, 2, 2],
            "event": ["start_piece_placed", "school_built", "university_built"],
            "subject": ["building/workshop", None, None],
        }
    )
    with_events = Frames({"rounds": rounds, "events": events})
    assert ever_by_round(with_events, ("schools",))["schools"].to_list() == [0, 1, 1, 1, 1, 1]
    assert analysis.milestone_rounds(with_events)["first_school"].to_list() == [2]
    without = Frames({"rounds": rounds})
    assert ever_by_round(without, ("schools",))["schools"].to_list() == [0] * 6
    assert analysis.milestone_rounds(without)["first_school"].to_list() == [None]


@pytest.mark.parametrize(("events", "words"), [(True, "ever built or had"), (False, "no table events")])
def test_the_method_says_what_is_counted(small_run: aoi.Run, events: bool, words: str) -> None:
    data = parts_of(small_run, events)
    tables = [
        analysis.timing_by_faction(data),
        analysis.vp_margin_by_timing(data),
        analysis.vp_margin_by_condition(data, "schools", 3),
        analysis.vp_margin_by_milestone(data),
    ]
    assert all(words in text for table in tables for text in table["method"].unique())


def test_a_first_that_comes_with_the_faction_is_left_out_and_the_others_are_told() -> None:
    rows = made_seats(200, 3, factions=EFFECTS)
    random = np.random.default_rng(4)
    school = random.random(len(rows)) < 0.5
    rows = rows.with_columns(
        schools=pl.Series(school.astype(int)),
        universities=(pl.col("faction") == "faction03").cast(pl.Int64),
        vp=pl.col("vp") + 6.0 * school,
    )
    zero = {name: pl.lit(0) for name in ("palaces", "cities", "innovations")}
    rounds = rows.select("game_index", "seat", "schools", "universities", round=pl.lit(2), **zero)
    games = rows.select("game_index", "block").unique(maintain_order=True).with_columns(n_players=pl.lit(4))
    seats = rows.select("game_index", "seat", "faction", "board", "vp", "win_share")
    data = Frames({"seats": seats, "games": games, "rounds": rounds})
    table = analysis.vp_margin_by_milestone(data, rounds=[2])
    assert table["milestone"].to_list() == ["school"]
    assert table["value"][0] == pytest.approx(6, abs=4 * table["se"][0])
