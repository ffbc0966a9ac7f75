"""Adjacency and reach: two relations (ADJ, REACH)."""

from __future__ import annotations

import pytest

from .printed_maps import SIDES, land, reached, steps_home, terrain
from .table import neutral, rounds, table

PLAYERS = {"3-5": 3, "1-3": 2}


def touched(t):
    """Hexes of the seat to move that it may dig or build on."""
    return {text.split()[1].split(">")[0] for text in t.legal("transform") | t.legal("build")}


@pytest.mark.rule("REACH-1", "ADJ-1", "TB-1", "MAP-1")
@pytest.mark.parametrize("sailing", [0, 1, 2, 3])
@pytest.mark.parametrize("side", SIDES)
def test_reach_from_every_hex_with_every_sailing_level(side, sailing):
    for name in land(side):
        seat = dict(board="desert", buildings={name: "workshop"}, sailing=sailing, tools=12)
        t = table(seat, map=side, players=PLAYERS[side])
        assert touched(t) == reached(side, [name], sailing), name


@pytest.mark.rule("REACH-1")
@pytest.mark.parametrize(
    ("sailing", "expected"), [(0, set()), (1, {"A9"}), (2, {"A9", "B9"}), (3, {"A9", "B9", "C7", "D8", "C10"})]
)
def test_each_sailing_level_is_one_more_river_hex(sailing, expected):
    # a mountain workshop on A7 beside the river A8; A6, B6, B7 are its neighbours on land
    t = table(dict(board="mountain", buildings={"A7": "workshop"}, sailing=sailing, tools=12))
    assert touched(t) == {"A6", "B6", "B7"} | expected


@pytest.mark.rule("REACH-1")
def test_a_river_chain_must_begin_beside_the_building():
    # B5 lies between land hexes only: no sailing helps
    t = table(dict(board="lake", buildings={"B5": "workshop"}, sailing=3, tools=12))
    assert touched(t) == {"A5", "A6", "B4", "B6", "C5", "C6"}


@pytest.mark.rule("REACH-1")
def test_chains_do_not_run_over_land():
    # A11's seat reaches nothing beyond A12 although the river A13 lies behind it
    t = table(dict(board="plains", buildings={"A11": "workshop"}, sailing=3, tools=12))
    assert touched(t) == {"A10", "A12", "B10", "B11"}


@pytest.mark.rule("REACH-2")
def test_the_river_tile_adds_one_to_reach_while_it_is_held():
    seat = dict(board="mountain", buildings={"A7": "workshop"}, sailing=1, tools=12)
    assert touched(table(seat)) == {"A6", "B6", "B7", "A9"}
    assert touched(table(dict(seat, bonus="river"))) == {"A6", "B6", "B7", "A9", "B9"}


@pytest.mark.rule("REACH-2")
def test_the_river_tile_works_without_any_sailing_and_on_top_of_the_last_step():
    seat = dict(board="mountain", buildings={"A7": "workshop"}, tools=12, bonus="river")
    assert touched(table(dict(seat, sailing=0))) == {"A6", "B6", "B7", "A9"}
    assert touched(table(dict(seat, sailing=3))) == reached("3-5", ["A7"], 4)


@pytest.mark.rule("REACH-2", "END-1")
def test_the_river_tile_serves_neither_the_one_who_has_passed_nor_the_one_who_takes_it_in_phase_three():
    spades = rounds({1: "guild-medicine"})
    seat = dict(board="mountain", buildings={"A7": "workshop"}, science=dict(medicine=4))
    for held, taken in (("river", "school"), ("guild", "river")):
        t = table(
            dict(seat, bonus=held),
            dict(passed=True),
            dict(passed=True),
            next_order=[1, 2],
            round=1,
            round_tiles=spades,
            bonus_tiles={taken: 0, "palace-university": 0, "scholar": 0},
        )
        t.do(f"pass {taken}").end()
        assert t.asks == "spades"
        assert {text.split()[1].split(">")[0] for text in t.legal("transform")} == {"A6", "B6", "B7"}


@pytest.mark.rule("ADJ-1", "REACH-1")
def test_a_bridge_makes_adjacent_whoever_built_it():
    # B4-C3 crosses the water; the bridge is seat 1's, seat 0 uses it
    seat = dict(board="forest", buildings={"B4": "workshop"}, tools=12)
    plain = {"A4", "A5", "B5", "C5"}
    assert touched(table(seat)) == plain
    assert touched(table(seat, dict(buildings={"C3": "workshop"}, board="swamp"), bridges=[["B4", "C3", 1]])) == plain
    assert touched(table(seat, dict(buildings={"A4": "workshop"}, board="swamp"), bridges=[["B4", "C3", 1]])) == {
        "A5",
        "B5",
        "C5",
        "C3",
    }


@pytest.mark.rule("ADJ-1", "REACH-1", "BR-1")
@pytest.mark.parametrize(("own", "other"), [("B4", "C3"), ("C3", "B4")])
def test_a_new_bridge_gives_reach_at_once_from_either_end(own, other):
    alone = dict(passed=True)
    t = table(
        dict(board="desert", buildings={own: "workshop"}, tools=12, bowls=[0, 0, 3]), alone, alone, next_order=[1, 2]
    )
    assert other not in touched(t)
    t.do("power bridge")
    if t.asks == "bridge":
        t.do("bridge B4-C3")
    assert other in touched(t.end())


@pytest.mark.rule("ADJ-1", "REACH-1", "BR-1")
def test_a_new_bridge_serves_all_players_at_once():
    first = dict(board="swamp", buildings={"D5": "workshop"}, tools=12, bowls=[0, 0, 3])
    second = dict(board="lake", buildings={"E4": "workshop"}, sailing=0, tools=12)
    t = table(first, second, dict(passed=True), next_order=[2])
    t.do("power bridge", "bridge D5-E4").end()
    assert t.mover == 1 and t.dict["bridges"] == [["D5", "E4", 0]]
    assert t.do("upgrade E4 guild").change(1)["coins"] == -3  # neighbours now


@pytest.mark.rule("ADJ-1", "REACH-1", "BR-1")
def test_who_builds_at_the_end_of_anothers_bridge_reaches_over_it():
    # seat 0's bridge D5-F5 ends at F5 beside seat 1's G6: once seat 1 stands on F5 it reaches D5
    first = dict(board="swamp", buildings={"A10": "workshop"}, bowls=[12, 0, 0], coins=0, tools=0, passed=True)
    second = dict(board="lake", buildings={"G6": "workshop"}, sailing=0, tools=12, coins=9)
    t = table(first, second, dict(passed=True), next_order=[0, 2], bridges=[["D5", "F5", 0]], active=1)
    assert "D5" not in touched(t)
    t.do("build F5").end()
    assert "D5" in touched(t)


@pytest.mark.rule("ADJ-1", "POW-4")
def test_sailing_gives_no_power_from_neighbours_and_a_bridge_does():
    # B7 and A9 face each other over the river A8/B8; reach of 1 joins them, adjacency needs a bridge
    builder = dict(board="desert", buildings={"A10": "workshop"})
    other = dict(board="swamp", buildings={"B7": "workshop"}, sailing=3)
    across = dict(terrain={"A9": "desert"})
    t = table(builder, other, **across).do("build A9")
    assert t.mover == 0
    t = table(builder, other, bridges=[["A9", "B7", 1]], **across).do("build A9")
    assert (t.asks, t.mover) == ("offer", 1)


@pytest.mark.rule("ADJ-1", "UP-1")
def test_the_guild_discount_needs_adjacency_not_reach():
    mine = dict(board="lake", buildings={"A9": "workshop"}, sailing=3)
    other = dict(board="swamp", buildings={"B7": "workshop"}, sailing=3)
    assert table(mine, other).do("upgrade A9 guild").change()["coins"] == -6
    t = table(mine, other, bridges=[["A9", "B7", 0]]).do("upgrade A9 guild")
    assert t.do("accept").change()["coins"] == -3


@pytest.mark.rule("ADJ-1", "CITY-1")
def test_a_city_needs_adjacency_not_reach():
    # A9 guild, A10 school, B10 school, and the workshop B7 over the water: 4 buildings of value 7
    seat = dict(
        board="desert", sailing=3, buildings={"A9": "workshop", "A10": "school", "B10": "school", "B7": "workshop"}
    )
    t = table(seat).do("upgrade A9 guild")
    assert t.asks != "city_tile" and t.seat()["keys"] == 0
    t = table(seat, bridges=[["A9", "B7", 0]]).do("upgrade A9 guild")
    assert t.asks == "city_tile"


@pytest.mark.rule("ADJ-1", "INNO/telecommunication")
def test_settlements_do_not_join_across_water():
    # A9, B7, A12, D5 stand apart but for sailing: 4 settlements, 8 VP
    apart = {"A9": "guild", "B7": "guild", "A12": "guild", "D5": "palace"}
    seat = dict(board="desert", sailing=3, buildings=apart, palace="17", books=dict(law=5))
    display = [dict(key="telecommunication", column="law")]
    assert table(seat, innovations=display).do("innovate telecommunication").vp_from("innovation") == 8
    bridged = table(seat, innovations=display, bridges=[["A9", "B7", 0]])
    assert bridged.do("innovate telecommunication").vp_from("innovation") == 0


@pytest.mark.rule("REACH-1", "REACH-3")
def test_reach_runs_from_every_own_building_neutral_ones_too():
    seat = dict(board="desert", buildings={"B5": "workshop", "I6": neutral("tower")}, tools=12)
    assert touched(table(seat)) == reached("3-5", ["B5", "I6"], 0)


@pytest.mark.rule("REACH-1")
def test_other_seats_buildings_give_no_reach():
    t = table(
        dict(board="desert", buildings={"B7": "workshop"}, tools=12), dict(board="lake", buildings={"B5": "workshop"})
    )
    assert touched(t) == {"A7", "B6", "C7"}
    assert t.illegal("transform A5>desert") in {"REACH-1", "TB-1"}


@pytest.mark.rule("REACH-3", "BR-1")
def test_a_bridge_needs_a_building_at_its_end_not_reach():
    seat = dict(board="desert", buildings={"B7": "workshop"}, sailing=3, bowls=[0, 0, 3])
    # the only place is A9-B7: nothing is asked
    assert table(seat).do("power bridge").dict["bridges"] == [["A9", "B7", 0]]


@pytest.mark.rule("TB-2")
def test_the_ways_home_of_this_test_are_those_of_the_circle():
    assert steps_home("desert", "swamp") == ["plains", "desert"]
    assert steps_home("desert", "forest") == ["mountain", "wasteland", "desert"]
    assert steps_home("lake", "lake") == []
    assert terrain("3-5")["B4"] == "forest"
