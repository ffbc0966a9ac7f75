"""Phase I: what the pieces off the board, the tracks and the tiles give (INC)."""

from __future__ import annotations

import pytest

from .printed_maps import terrain
from .table import neutral, pass_round, rounds, table

DESERTS = [name for name, kind in terrain("3-5").items() if kind == "desert"]
MOUNTAINS = [name for name, kind in terrain("3-5").items() if kind == "mountain"]
EMPTY_BOWLS = [12, 0, 0]


def built(kinds, hexes=DESERTS):
    return dict(zip(hexes, kinds, strict=False))


def income(**seat):
    """What the income of round 2 gives to a seat that holds the tile "river" (no income)."""
    return pass_round({"board": "desert", "bowls": EMPTY_BOWLS, **seat}).change()


def power(n):
    return {"bowl1": -n, "bowl2": n}


@pytest.mark.rule("INC-1")
@pytest.mark.parametrize(("workshops", "tools"), list(enumerate([1, 2, 3, 4, 5, 5, 6, 7, 8, 9])))
def test_tools_for_the_workshops_on_the_map(workshops, tools):
    assert income(buildings=built(["workshop"] * workshops)) == {"tools": tools}


@pytest.mark.rule("INC-1", "BOARD/mountain")
@pytest.mark.parametrize(("workshops", "tools"), list(enumerate([1, 2, 3, 4, 5, 5, 6, 7, 8, 9])))
def test_the_mountain_board_gives_two_coins_besides_the_tools(workshops, tools):
    assert income(board="mountain", buildings=built(["workshop"] * workshops, MOUNTAINS)) == {
        "tools": tools,
        "coins": 2,
    }


@pytest.mark.rule("INC-2")
@pytest.mark.parametrize(("guilds", "power_gained", "coins"), [(1, 1, 2), (2, 2, 4), (3, 4, 6), (4, 6, 8)])
def test_power_and_coins_for_the_guilds_on_the_map(guilds, power_gained, coins):
    assert income(buildings=built(["guild"] * guilds)) == {"tools": 1, "coins": coins} | power(power_gained)


@pytest.mark.rule("INC-2", "BOARD/mountain")
@pytest.mark.parametrize(("guilds", "power_gained", "coins"), [(1, 1, 3), (2, 2, 5), (3, 4, 7), (4, 6, 9)])
def test_the_mountain_boards_first_guild_gives_three_coins(guilds, power_gained, coins):
    gained = income(board="mountain", buildings=built(["guild"] * guilds, MOUNTAINS))
    assert gained == {"tools": 1, "coins": coins + 2} | power(power_gained)


@pytest.mark.rule("INC-3")
@pytest.mark.parametrize("schools", [1, 2, 3])
def test_a_scholar_for_each_school(schools):
    assert income(buildings=built(["school"] * schools)) == {
        "tools": 1,
        "scholars": schools,
        "scholar_supply": -schools,
    }


@pytest.mark.rule("INC-3")
def test_a_scholar_for_the_university():
    assert income(buildings=built(["university"])) == {"tools": 1, "scholars": 1, "scholar_supply": -1}


@pytest.mark.rule("INC-3")
def test_the_palace_gives_what_its_tile_says():
    assert income(buildings=built(["palace"]), palace="17") == {"tools": 1} | power(2)
    assert income(buildings=built(["palace"]), palace="10") == {"tools": 1, "coins": 6}
    assert income(buildings=built(["palace"]), palace="13") == {"tools": 1}


@pytest.mark.rule("INC-3")
def test_a_drafted_palace_tile_gives_nothing_before_the_palace_is_built():
    assert income(palace="10", palace_built=False) == {"tools": 1}


@pytest.mark.rule("INC-1", "INC-2", "INC-3")
def test_the_rulebooks_example_one_guild_and_two_workshops():
    # 1 power, 2 coins and 3 tools
    assert income(buildings=built(["workshop", "workshop", "guild"])) == {"tools": 3, "coins": 2} | power(1)


@pytest.mark.rule("INC-1", "INC-2", "INC-3", "NEUT-3")
@pytest.mark.parametrize("kind", ["workshop", "guild", "school", "university", "palace", "tower", "monument"])
def test_neutral_buildings_uncover_no_income(kind):
    assert income(buildings=built([neutral(kind)])) == {"tools": 1}


@pytest.mark.rule("INC-4")
@pytest.mark.parametrize(
    ("discipline", "gain"),
    [("banking", {"coins": 3}), ("law", power(6)), ("engineering", {"tools": 2}), ("medicine", {"vp": 3})],
)
@pytest.mark.parametrize("level", [9, 10, 11, 12])
def test_each_discipline_gives_income_from_level_nine_on(discipline, gain, level):
    # the science bonus of the round tile is taken away: it scores another discipline
    tile = "workshop-law" if discipline == "banking" else "school-banking"
    chosen = rounds({1: tile})
    t = pass_round(dict(board="desert", bowls=EMPTY_BOWLS, science={discipline: level}), round_tiles=chosen)
    assert t.change() == {"tools": 1} | gain


@pytest.mark.rule("INC-4")
@pytest.mark.parametrize("discipline", ["law", "engineering", "medicine"])
def test_level_eight_gives_no_income(discipline):
    assert income(science={discipline: 8}) == {"tools": 1}


@pytest.mark.rule("INC-4")
def test_the_vp_of_medicine_are_booked_as_discipline():
    assert pass_round(dict(board="desert", science=dict(medicine=9))).vp_from("discipline") == 3


@pytest.mark.rule("INC-4", "RB/power", "FAC/omar", "COMP/2", "INNO/guild")
def test_bonus_tile_faction_competencies_and_innovations_give_their_income_together():
    seat = dict(
        board="desert", faction="omar", bowls=EMPTY_BOWLS, competencies=["2"], innovations=["guild"], bonus="coins"
    )
    t = pass_round(seat, bonus="power", bonus_tiles={"power": 0, "guild": 0, "school": 0})
    # tile 4 power + 2 coins, Omar 2 power + 2 coins, competency 3 VP + 2 coins, innovation 5 coins
    assert t.change() == {"tools": 1, "coins": 11, "vp": 3} | power(6)


@pytest.mark.rule("INC-5", "POOL-1")
def test_scholars_come_from_the_supply_and_are_lost_when_it_is_empty():
    seat = dict(buildings=built(["school"] * 3))
    assert income(scholars=5, **seat) == {"tools": 1, "scholars": 2, "scholar_supply": -2}
    assert income(scholars=7, **seat) == {"tools": 1}


@pytest.mark.rule("INC-5", "SCH-1", "POOL-1")
def test_sent_scholars_never_return():
    places = {"law": [dict(value=3, seat=0), dict(value=2, seat=0), dict(value=2, seat=0), dict(value=2, seat=0)]}
    seat = dict(board="desert", bowls=EMPTY_BOWLS, buildings=built(["school"] * 3), scholars=2)
    t = pass_round(seat, scholar_places=places)
    assert t.change() == {"tools": 1, "scholars": 1, "scholar_supply": -1}
    assert t.seat()["scholar_supply"] == 0


@pytest.mark.rule("INC-6", "COMP/3")
def test_the_choices_of_income_are_the_players():
    t = pass_round(dict(board="desert", competencies=["3"]))
    assert t.phase == "income" and t.asks == "books" and t.mover == 0
    assert t.legal() == {"books banking", "books law", "books engineering", "books medicine"}
    assert t.do("books medicine").change() == {"tools": 1, "medicine-book": 1, "bowl1": -1, "bowl2": 1}
    assert t.phase == "actions"


@pytest.mark.rule("INC-6")
def test_choices_are_asked_in_turn_order():
    first = dict(board="desert", competencies=["3"])
    others = dict(passed=True, competencies=["3"])
    t = table(first, others, others, round=1, next_order=[2, 1]).do("pass river").end()
    asked = []
    while t.phase == "income":
        asked.append(t.mover)
        t.do("books law")
    assert asked == [2, 1, 0]


@pytest.mark.rule("INC-6", "COMP/1", "SCI-2")
def test_a_step_to_level_nine_gained_as_income_pays_that_disciplines_income_once_now():
    t = pass_round(dict(board="desert", bowls=EMPTY_BOWLS, competencies=["1"], science=dict(law=8, medicine=9)))
    assert t.asks == "steps"
    t.do("step law")
    # workshop row 1 tool, competency 1 tool, medicine 3 VP, law 6 power
    assert t.change() == {"tools": 2, "vp": 3, "law": 1} | power(6)


@pytest.mark.rule("INC-6", "COMP/1")
def test_a_step_to_another_level_pays_no_second_time():
    t = pass_round(dict(board="desert", bowls=EMPTY_BOWLS, competencies=["1"], science=dict(medicine=9))).do(
        "step medicine"
    )
    assert t.change() == {"tools": 2, "vp": 3, "medicine": 1}


@pytest.mark.rule("INC-6", "SCI-2", "COMP/1")
def test_a_key_may_be_used_for_a_step_of_income():
    seat = dict(board="desert", bowls=EMPTY_BOWLS, competencies=["1"], science=dict(law=7), keys=1)
    t = pass_round(seat).do("step law")
    assert t.asks == "key" and t.legal() == {"key", "decline"}
    assert t.do("key").change() == {"tools": 2, "law": 1, "keys": -1}


@pytest.mark.rule("INC-6", "SCI-4", "RS-2")
def test_steps_of_income_score_no_round_tile():
    tiles = rounds({1: "school-banking", 2: "science-medicine"})
    t = pass_round(dict(board="desert", competencies=["1"]), round_tiles=tiles).do("step law")
    assert t.seat()["science"]["law"] == 1 and t.vp() == 20


@pytest.mark.rule("INC-6", "INNO/university")
def test_vp_of_income_come_from_their_tiles():
    t = pass_round(dict(board="desert", innovations=["university"], competencies=["2"]))
    assert (t.vp_from("innovation"), t.vp_from("competency"), t.vp()) == (2, 3, 25)


@pytest.mark.rule("INC-1")
def test_every_seat_has_its_income_at_the_start_of_every_round():
    first = dict(board="desert", buildings=built(["workshop"] * 2))
    second = dict(board="mountain", buildings=built(["workshop"] * 4, MOUNTAINS), bonus="coins")
    t = pass_round(first, second)
    assert t.change(0) == {"tools": 3}
    assert t.change(1) == {"tools": 5, "coins": 2 + 6}
    assert t.dict["round"] == 2
