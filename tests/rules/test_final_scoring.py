"""The final scoring: area, science, resources (FIN)."""

from __future__ import annotations

import pytest

import aoi_sim as aoi
from aoi_sim.engine.scoring import win_shares

from .scenes import final_scores, points
from .table import DISCIPLINES, annexed, in_city, neutral

ONE = {"buildings": {"I13": "workshop"}}
# separate groups for up to five seats
NORTH_WEST = ("A4", "A5", "A6", "A7", "B4", "B5", "B6", "B7", "C5", "C6")
WEST = ("C1", "C2", "C3", "D1", "D2", "D3", "E1", "E2", "E3")
SOUTH = ("F5", "F6", "G6", "G7", "H5", "H6", "H7", "I5", "I6")
SOUTH_EAST = ("H8", "H9", "H10", "H11", "H12", "I8", "I9", "I10", "I11")
EAST = ("D11", "D12", "D13", "E10", "E11", "E12", "E13", "F11", "F12")


def town(hexes, n):
    """n buildings of a region, nine workshops and then guilds."""
    return {"buildings": {name: in_city("workshop" if i < 9 else "guild") for i, name in enumerate(hexes[:n])}}


def area(*sizes):
    regions = (NORTH_WEST, WEST, SOUTH, SOUTH_EAST, EAST)
    return points(final_scores(*[town(region, n) for region, n in zip(regions, sizes, strict=False)]), "area")


# --- FIN-1: area ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FIN-1", "FIN-3")
@pytest.mark.parametrize(
    ("sizes", "vp"),
    [
        ((3, 2, 1), [18, 12, 6]),
        ((1, 2, 3), [6, 12, 18]),
        ((10, 9, 9, 9), [18, 6, 6, 6]),  # the rulebook's example
        ((4, 3, 2, 1), [18, 12, 6, 0]),
        ((2, 2, 1), [15, 15, 6]),
        ((2, 2, 2), [12, 12, 12]),
        ((2, 2, 2, 2), [9, 9, 9, 9]),
        ((2, 1, 1), [18, 9, 9]),
        ((3, 2, 1, 1), [18, 12, 3, 3]),
        ((3, 2, 1, 1, 1), [18, 12, 2, 2, 2]),
        ((2, 2, 2, 2, 2), [7, 7, 7, 7, 7]),  # 36 / 5
        ((3, 3, 2, 1, 1), [15, 15, 6, 0, 0]),
    ],
)
def test_area(sizes, vp):
    assert area(*sizes) == vp


@pytest.mark.rule("FIN-1")
def test_only_the_largest_group_counts():
    # four single buildings against a group of two
    single = {"buildings": dict.fromkeys(("A1", "B6", "D13", "H11"), "workshop")}
    assert points(final_scores(single, town(SOUTH, 2), ONE), "area") == [9, 18, 9]


@pytest.mark.rule("FIN-1", "REACH-1")
def test_groups_are_joined_by_sailing():
    # B7 - river - A9: three buildings with sailing 1
    seat = {"buildings": dict.fromkeys(("B7", "A7", "A9"), "workshop")}
    for sailing, vp in ((0, 15), (1, 18)):
        t = final_scores({**seat, "sailing": sailing}, town(WEST, 2), town(SOUTH, 1))
        assert points(t, "area")[0] == vp


@pytest.mark.rule("FIN-1", "REACH-2", "RB/river")
def test_the_river_tile_does_not_join():
    seat = {"buildings": dict.fromkeys(("B7", "A7", "A9"), "workshop"), "bonus": "river"}
    assert points(final_scores(seat, town(WEST, 2), town(SOUTH, 1)), "area")[0] == 15


@pytest.mark.rule("FIN-1", "ADJ-1")
def test_groups_are_joined_by_bridges():
    seat = {"buildings": dict.fromkeys(("B7", "A7", "A9"), "workshop")}
    t = final_scores(seat, town(WEST, 2), town(SOUTH, 1), bridges=[["A9", "B7", 1]])
    assert points(t, "area")[0] == 18


@pytest.mark.rule("FIN-1")
def test_every_building_counts_one_and_annexes_none():
    # two buildings with annexes and much power against three workshops
    seat = {"buildings": {"B6": annexed("university"), "B5": neutral("monument", annex=True)}}
    assert points(final_scores(seat, town(WEST, 3), town(SOUTH, 1)), "area") == [12, 18, 6]


@pytest.mark.rule("FIN-1", "NEUT-3")
def test_neutral_buildings_count():
    seat = {"buildings": {"B6": "workshop", "B5": neutral("tower"), "C6": neutral("workshop")}}
    assert points(final_scores(seat, town(WEST, 2), town(SOUTH, 1)), "area") == [18, 12, 6]


# --- FIN-2, FIN-3: science --------------------------------------------------------------------------------------------
def science(*levels, discipline="banking"):
    seats = [{"science": {discipline: level}} for level in levels]
    return points(final_scores(*seats), "science")


@pytest.mark.rule("FIN-2", "FIN-3")
@pytest.mark.parametrize("discipline", DISCIPLINES)
@pytest.mark.parametrize(
    ("levels", "vp"),
    [
        ((9, 8, 7), [8, 4, 2]),
        ((9, 8, 7, 6), [8, 4, 2, 0]),
        ((9, 7, 7, 0), [8, 3, 3, 0]),  # the rulebook's example
        ((9, 9, 9), [4, 4, 4]),  # 14 / 3
        ((9, 9, 7), [6, 6, 2]),
        ((9, 8, 7, 7), [8, 4, 1, 1]),
        ((9, 8, 7, 7, 7), [8, 4, 0, 0, 0]),  # 2 / 3
        ((9, 9, 9, 9), [3, 3, 3, 3]),
        ((5, 0, 0), [8, 0, 0]),  # level 0 is never ranked
        ((0, 0, 0), [0, 0, 0]),
        ((1, 2, 0), [4, 8, 0]),
    ],
)
def test_science(levels, vp, discipline):
    assert science(*levels, discipline=discipline) == vp


@pytest.mark.rule("FIN-2")
def test_the_four_disciplines_are_scored_apart():
    seats = [
        {"science": {"banking": 5, "law": 1, "engineering": 3}},
        {"science": {"banking": 4, "law": 2, "engineering": 3}},
        {"science": {"banking": 3, "law": 3, "engineering": 3, "medicine": 1}},
    ]
    assert points(final_scores(*seats), "science") == [8 + 2 + 4, 4 + 4 + 4, 2 + 8 + 4 + 8]


@pytest.mark.rule("FIN-2", "FAC/blessed")
def test_blessed_are_ranked_with_their_real_levels():
    t = final_scores({"faction": "blessed", "science": {"law": 3}}, {"science": {"law": 4}}, {"science": {"law": 5}})
    assert points(t, "science") == [2, 4, 8]


# --- FIN-4: resources -------------------------------------------------------------------------------------------------
def resources(options=None, **seat):
    return final_scores(seat, {}, {}, options=options).vp_from("resources")


@pytest.mark.rule("FIN-4")
@pytest.mark.parametrize(("coins", "vp"), [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (24, 4), (25, 5)])
def test_five_coins_are_one_vp(coins, vp):
    assert resources(coins=coins) == vp


@pytest.mark.rule("FIN-4")
@pytest.mark.parametrize(
    "more",
    [
        {"tools": 1},
        {"scholars": 1},
        {"bowls": [11, 0, 1]},
        *[{"books": {discipline: 1}} for discipline in DISCIPLINES],
        {"bowls": [10, 2, 0]},
    ],
)
def test_everything_left_is_turned_into_coins(more):
    assert resources(coins=3, **more) == 0
    assert resources(coins=4, **more) == 1
    assert resources(coins=8, **more) == 1


@pytest.mark.rule("FIN-4")
def test_all_resources_add_up():
    # 3 coins, 2 tools, 1 scholar, 3 books, 4 tokens in bowl III, 2 for the five in bowl II: 15
    seat = {"coins": 3, "tools": 2, "scholars": 1, "books": {"law": 2, "medicine": 1}, "bowls": [3, 5, 4]}
    assert resources(**seat) == 3
    assert resources(**{**seat, "coins": 2}) == 2


@pytest.mark.rule("FIN-4", "POW-3")
@pytest.mark.parametrize(("tokens", "vp"), [(1, 0), (2, 1), (3, 1)])
def test_pairs_of_bowl_2_are_coins(tokens, vp):
    assert resources(coins=4, bowls=[9, tokens, 0]) == vp


@pytest.mark.rule("FIN-4", "OPT/burn_in_final_scoring")
@pytest.mark.parametrize(("burn", "vp"), [(True, 2), (False, 0)])
def test_option_burn_in_final_scoring(burn, vp):
    assert resources(options={"burn_in_final_scoring": burn}, coins=4, bowls=[0, 12, 0]) == vp


@pytest.mark.rule("FIN-4", "OPT/burn_in_final_scoring")
def test_bowl_3_counts_with_either_option():
    for burn in (True, False):
        assert resources(options={"burn_in_final_scoring": burn}, bowls=[7, 0, 5]) == 1


@pytest.mark.rule("FIN-4")
def test_every_seat_scores_its_resources():
    t = final_scores({"coins": 5}, {"coins": 11}, {"coins": 3, "tools": 12})
    assert points(t, "resources") == [1, 2, 3]


# --- FIN-5, round 6 ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("FIN-5")
def test_the_score_is_the_sum_of_all_vp():
    t = final_scores({"science": {"law": 3}, "coins": 10}, {"vp": 30}, {})
    assert t.vp(0) == 20 + 8 + 2 + t.vp_from("area", 0)
    assert aoi.is_over(t.state)
    assert aoi.scores(t.state) == [t.vp(seat) for seat in range(3)]


@pytest.mark.rule("FIN-5")
def test_most_vp_win_and_a_tie_is_shared():
    assert win_shares([90, 101, 100]) == [0, 1, 0]
    assert win_shares([90, 101, 101]) == [0, 0.5, 0.5]
    assert win_shares([50, 50, 50, 50]) == [0.25] * 4


@pytest.mark.rule("PASS-2", "INC-4", "FIN-1")
def test_round_6_has_pass_bonuses_but_no_income_any_more():
    seat = {"competencies": ["8", "2"], "city_tiles": ["tools"], "bonus": "coins"}
    t = final_scores(seat, {}, {})
    assert t.vp_from("competency") == 2
    assert t.vp_from("resources") == 0


# --- two players ------------------------------------------------------------------------------------------------------
def duel(first, second, area_tile=13, **rival):
    levels = {**dict.fromkeys(DISCIPLINES, 2), **rival}
    return final_scores(first, second, area_tile=area_tile, rival=levels)


# thirteen land hexes in one piece on the 1-3 side
THIRTEEN = ("A2", "A3", "A4", "A5", "B2", "B3", "B4", "B5", "C3", "C4", "C5", "D3", "D4")
ELSEWHERE = {"buildings": {"I9": "workshop"}}


@pytest.mark.rule("SET-17", "FIN-1", "FIN-3")
@pytest.mark.parametrize(("tile", "vp"), [(12, [18, 6]), (13, [15, 6]), (14, [12, 6]), (15, [12, 6])])
def test_the_rival_is_ranked_by_area_with_its_tile(tile, vp):
    assert points(duel(town(THIRTEEN, 13), ELSEWHERE, area_tile=tile), "area") == vp


@pytest.mark.rule("SET-17", "FIN-1", "FIN-3")
def test_two_players_tied_behind_the_rival_share():
    assert points(duel({"buildings": {"A3": "workshop"}}, ELSEWHERE), "area") == [9, 9]


@pytest.mark.rule("SET-17", "FIN-2", "FIN-3")
@pytest.mark.parametrize(
    ("levels", "rival", "vp"),
    [
        ((5, 3), 4, [8, 2]),
        ((5, 3), 6, [4, 2]),
        ((5, 3), 1, [8, 4]),
        ((5, 3), 5, [6, 2]),
        ((5, 3), 3, [8, 3]),
        ((5, 5), 5, [4, 4]),
        ((5, 0), 7, [4, 0]),
        ((0, 0), 2, [0, 0]),
    ],
)
def test_the_rival_is_ranked_in_every_discipline(levels, rival, vp):
    seats = [{"science": {"law": level}} for level in levels]
    assert points(duel(*seats, law=rival), "science") == vp
