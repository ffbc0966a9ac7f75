"""The factions: what they start with, and what they can do (FAC). Moles have a file of their own."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, dealt, display, income, next_round
from .table import DISCIPLINES, table
from .test_round_tiles import with_tile

BASE = {"B6": "workshop"}


# --- starts -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("faction", "levels", "more"),
    [
        pytest.param(faction, levels, more, id=faction, marks=pytest.mark.rule(f"FAC/{faction}", "SET-11"))
        for faction, levels, more in (
            ("blessed", [1, 1, 1, 1], {}),
            ("felines", [1, 0, 0, 1], {}),
            ("goblins", [1, 0, 1, 0], {"tools": 4}),
            ("illusionists", [0, 0, 0, 2], {}),
            ("inventors", [0, 0, 0, 0], {}),
            ("lizards", [0, 0, 0, 0], {}),
            ("moles", [0, 0, 2, 0], {}),
            ("monks", [0, 1, 0, 0], {}),
            ("navigators", [0, 3, 0, 0], {"bowls": [4, 8, 0]}),
            ("omar", [1, 0, 1, 0], {}),
            ("philosophers", [2, 0, 0, 0], {}),
            ("psychics", [1, 0, 0, 1], {"tools": 4}),
        )
    ],
)
def test_start(faction, levels, more):
    seat = dealt("desert", faction).seat()
    assert [seat["science"].get(discipline, 0) for discipline in DISCIPLINES] == levels
    expected = {"vp": 20, "coins": 15, "tools": 3, "scholars": 0, "sailing": 0, "bowls": [5, 7, 0], **more}
    assert {key: seat[key] for key in expected} == expected
    assert sum(seat["books"].values()) == 0


# --- blessed ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/blessed", "END-1")
@pytest.mark.parametrize(("level", "scholars"), [(0, 1), (2, 1), (3, 2), (6, 3), (8, 3)])
def test_blessed_count_three_levels_more_for_the_science_bonus(level, scholars):
    # level 6 of law: 3 scholars, the rulebook's example
    seat = {"faction": "blessed", "science": {"law": level}}
    assert income(seat, round_tiles=with_tile("workshop-law", 1)) == {"scholars": scholars, "scholar_supply": -scholars}


@pytest.mark.rule("FAC/blessed", "END-1", "INC-4")
def test_blessed_count_beyond_level_12():
    seat = {"faction": "blessed", "science": {"banking": 12}}
    change = income(seat, round_tiles=with_tile("workshop-banking", 1))
    # 15 levels: five times 4 power, from bowl I and then II; and 3 coins of level 9 and more
    assert change == {"coins": 3, "bowl1": -12, "bowl2": 4, "bowl3": 8}


@pytest.mark.rule("FAC/blessed", "END-1")
def test_blessed_count_every_discipline_higher():
    for tile, key in (
        ("school-banking", "coins"),
        ("spade-engineering", "coins"),
        ("palace-university-medicine", "tools"),
    ):
        change = income({"faction": "blessed"}, round_tiles=with_tile(tile, 1))
        assert change == {key: 1 if key == "tools" else 3}


@pytest.mark.rule("FAC/blessed", "INC-4", "COMP/12")
def test_nothing_else_counts_blessed_levels_higher():
    seat = {
        "faction": "blessed",
        "science": {"banking": 8, "law": 8, "engineering": 8, "medicine": 1},
        "competencies": ["12"],
    }
    t = next_round({"board": "forest", "bowls": [12, 0, 0], **seat}, round_tiles=with_tile("workshop-law", 1))
    # no income of level 9; the lowest level is 1
    assert t.change() == {"vp": 1, "tools": 1, "scholars": 3, "scholar_supply": -3}


# --- felines ----------------------------------------------------------------------------------------------------------
FELINES = {"faction": "felines", "buildings": TRIANGLE}


@pytest.mark.rule("FAC/felines", "ORD-1")
def test_felines_gain_three_steps_in_any_split_and_a_book_with_a_city_tile():
    t = alone(FELINES, homes="A6").do("build A6", "city tools")
    assert t.legal() == {"resolve faction/felines steps", "resolve faction/felines books"}
    t.do("resolve faction/felines steps", "step law", "step medicine", "step law", "books banking")
    assert t.asks == ""
    expected = {"coins": -2, "tools": 2, "vp": 4, "keys": 1, "law": 2, "medicine": 1, "banking-book": 1}
    assert t.change() == expected


@pytest.mark.rule("FAC/felines", "SCI-2", "ORD-1")
def test_felines_may_use_the_citys_key_for_their_steps():
    t = alone({**FELINES, "science": {"law": 7}}, homes="A6").do("build A6", "city coins")
    t.do("resolve faction/felines steps", "step law")
    assert t.asks == "key"
    t.do("key", "step law", "step law", "books law")
    assert t.seat()["science"]["law"] == 10
    assert t.seat()["keys"] == 0


@pytest.mark.rule("FAC/felines", "CITY-5", "PAL/11")
def test_felines_gain_it_with_palace_11s_tile_too():
    t = alone({"faction": "felines", "buildings": {"B6": "guild"}}).do("upgrade B6 palace", "palace 11", "city coins")
    t.do("resolve faction/felines books", "books engineering", "step law", "step law", "step law")
    # level 3 of law: 1 power
    expected = {"tools": -4, "vp": 6, "keys": 1, "law": 3, "engineering-book": 1, "bowl1": -1, "bowl2": 1}
    assert t.change() == expected


@pytest.mark.rule("FAC/felines", "RS/science-medicine", "SCI-4")
def test_felines_steps_score_the_science_tile():
    t = alone(FELINES, homes="A6", round_tiles=with_tile("science-medicine", 2)).do("build A6", "city tools")
    t.do("resolve faction/felines steps", "step law", "step law", "step banking", "books law")
    assert t.vp_from("round_tile") == 3


# --- goblins ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/goblins", "TB-7")
@pytest.mark.parametrize(("name", "spades"), [("A7", 1), ("A6", 2), ("B7", 3)])
def test_goblins_gain_2_coins_for_each_bought_spade(name, spades):
    t = alone({"faction": "goblins", "buildings": BASE}).do(f"transform {name}>forest")
    assert t.change() == {"tools": -3 * spades, "coins": 2 * spades}


@pytest.mark.rule("FAC/goblins", "TB-7")
def test_goblins_gain_coins_for_free_spades_too():
    t = alone({"faction": "goblins", "buildings": BASE, "bowls": [0, 0, 12]}).do(
        "power two-spades", "transform A6>forest"
    )
    assert t.change()["coins"] == 4


@pytest.mark.rule("FAC/goblins", "ACT-2", "TB-6")
def test_goblins_pay_the_workshop_with_the_coins_of_its_spade():
    t = alone({"faction": "goblins", "buildings": BASE, "coins": 0, "tools": 4}).do("transform A7>forest", "build A7")
    assert t.change() == {"tools": -4}


# --- illusionists -----------------------------------------------------------------------------------------------------
COSTS = {"bridge": 2, "scholar": 2, "tools": 3, "coins": 3, "spade": 3, "two-spades": 5}
PRINTED = [key.replace("-", " ") for key in COSTS]
BRIDGEABLE = {"B4": "workshop"}


@pytest.mark.rule("FAC/illusionists", *[f"PA/{key}" for key in PRINTED])
@pytest.mark.parametrize("key", COSTS)
def test_power_actions_cost_illusionists_1_less(key):
    cost = COSTS[key]
    seat = {"faction": "illusionists", "buildings": BRIDGEABLE}
    assert f"power {key}" not in alone({**seat, "bowls": [12, 0, cost - 1]}).legal()
    t = alone({**seat, "bowls": [12, 0, cost]}).do(f"power {key}")
    assert (t.change()["bowl1"], t.change()["bowl3"]) == (cost, -cost)


@pytest.mark.rule("FAC/illusionists", "CONV-1")
def test_conversions_cost_illusionists_the_usual_power_and_give_no_vp():
    t = alone({"faction": "illusionists", "buildings": BASE, "bowls": [10, 0, 3]}).do("convert 3power>tool")
    assert t.change() == {"tools": 1, "bowl1": 3, "bowl3": -3}


@pytest.mark.rule("FAC/illusionists")
def test_book_actions_are_no_power_actions():
    seat = {"faction": "illusionists", "buildings": BASE, "books": {"law": 1}}
    t = alone(seat, book_actions=["power", "coins", "guild"])
    t.do("book power")
    assert t.change() == {"law-book": -1, "bowl1": -5, "bowl2": 5}


def illusionists_vp(players, edition):
    seat = {"faction": "illusionists", "bowls": [9, 0, 3]}
    two = {"area_tile": 12, "rival": dict.fromkeys(DISCIPLINES, 2)} if players == 2 else {}
    t = alone(seat, players=players, edition=edition, **two).do("power coins")
    return t.vp_from("faction")


@pytest.mark.rule("FAC/illusionists", "ED/illusionists")
@pytest.mark.parametrize(
    ("edition", "players", "vp"),
    [
        *[("1.2", 2, 1), ("1.2", 3, 1), ("1.2", 4, 2), ("1.2", 5, 2)],
        *[("1.0", 2, 3), ("1.0", 3, 3), ("1.0", 4, 3), ("1.0", 5, 4)],
    ],
)
def test_illusionists_vp_by_edition_and_players(edition, players, vp):
    assert illusionists_vp(players, edition) == vp


# --- philosophers -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/philosophers", "COMP-2")
@pytest.mark.parametrize(("place", "books"), [(0, 1), (1, 2), (2, 3)])
def test_philosophers_get_one_book_more_with_a_competency(place, books):
    order = ["2", "3", "8"]
    order.insert(place, "7")
    t = alone({"faction": "philosophers", "buildings": {"B6": "guild"}}, competencies=display(*order[:3]))
    t.do("upgrade B6 school", "competency 7")
    assert t.seat()["books"]["banking"] == books
    assert t.seat()["science"]["banking"] == 3 - place


@pytest.mark.rule("FAC/philosophers", "PAL/5")
def test_philosophers_get_it_however_the_competency_is_gained():
    t = alone({"faction": "philosophers", "buildings": {"B6": "guild"}}, competencies=display("1", "2", "3", "7"))
    t.do("upgrade B6 palace", "palace 5", "competency 7")
    assert t.change() == {"coins": -6, "tools": -4, "law": 3, "law-book": 1, "bowl1": -1, "bowl2": 1}


@pytest.mark.rule("FAC/philosophers", "SP-1")
def test_philosophers_special_action_is_a_book_once_a_round():
    t = alone({"faction": "philosophers", "buildings": BASE}).do("special faction/philosophers")
    assert t.pending["n"] == 1
    t.do("books medicine").end()
    assert t.change() == {"medicine-book": 1}
    assert "special faction/philosophers" not in t.legal()


# --- psychics ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/psychics", "SP-1")
def test_psychics_gain_5_power_and_act_again_at_once():
    t = alone({"faction": "psychics", "buildings": BASE, "bowls": [0, 7, 0]}).do("special faction/psychics")
    assert t.stage == "second"
    assert t.change() == {"bowl2": -5, "bowl3": 5}
    assert "special faction/psychics" not in t.legal()
    t.mark().do("power tools").end()  # with the power just gained
    assert t.change() == {"tools": 2, "bowl1": 4, "bowl3": -4}
    assert "special faction/psychics" not in t.legal()


@pytest.mark.rule("FAC/psychics", "PASS-2")
def test_the_psychics_second_action_may_be_to_pass():
    t = alone({"faction": "psychics", "buildings": BASE}, round=5).do("special faction/psychics", "pass river").end()
    assert t.dict["round"] == 6


@pytest.mark.rule("FAC/psychics", "ACT-1")
def test_after_the_second_action_it_is_the_next_seats_turn():
    t = table({"faction": "psychics", "board": "forest", "buildings": BASE, "bowls": [0, 7, 0]})
    t.do("special faction/psychics", "power tools").end()
    assert t.mover == 1
