"""The end of a round (END) and the science bonuses of the round tiles (RS)."""

from __future__ import annotations

import pytest

from .scenes import final_scores, income, next_round
from .table import table
from .test_round_tiles import with_tile

# tile: discipline, threshold, what each one gives
BONUSES = {
    "workshop-law": ("law", 3, {"scholars": 1, "scholar_supply": -1}),
    "workshop-banking": ("banking", 3, {"bowl1": -4, "bowl2": 4}),
    "school-banking": ("banking", 1, {"coins": 1}),
    "palace-university-medicine": ("medicine", 2, {"tools": 1}),
    "palace-university-banking": ("banking", 2, {"tools": 1}),
    "spade-engineering": ("engineering", 1, {"coins": 1}),
    "track-engineering": ("engineering", 3, {"scholars": 1, "scholar_supply": -1}),
    "innovation-law": ("law", 2, {"bowl1": -3, "bowl2": 3}),
}
DISCIPLINES = ("banking", "law", "engineering", "medicine")


def first(tile):
    return with_tile(tile, 1)


@pytest.mark.rule("END-1", *[f"RS/{tile}" for tile in BONUSES])
@pytest.mark.parametrize("level", range(9))
@pytest.mark.parametrize("tile", BONUSES)
def test_science_bonus(tile, level):
    discipline, every, each = BONUSES[tile]
    others = dict.fromkeys(DISCIPLINES, 0)
    expected = {key: amount * (level // every) for key, amount in each.items() if level >= every}
    assert income({"science": {**others, discipline: level}}, round_tiles=first(tile)) == expected


@pytest.mark.rule("END-1", *[f"RS/{tile}" for tile in BONUSES])
@pytest.mark.parametrize("tile", BONUSES)
def test_no_science_bonus_for_the_other_disciplines(tile):
    discipline = BONUSES[tile][0]
    science = {other: 8 for other in DISCIPLINES if other != discipline}
    assert income({"science": science}, round_tiles=first(tile)) == {}


@pytest.mark.rule("END-1", "RS/science-medicine", "RS/guild-law")
@pytest.mark.parametrize(("tile", "discipline"), [("science-medicine", "medicine"), ("guild-law", "law")])
@pytest.mark.parametrize(("level", "books"), [(2, 0), (3, 1), (5, 1), (6, 2), (8, 2)])
def test_science_bonus_of_books(tile, discipline, level, books):
    # level 3 of medicine gives one book: the rulebook's example
    t = next_round({"board": "forest", "science": {discipline: level}}, round_tiles=first(tile))
    if books:
        assert (t.asks, t.pending["n"]) == ("books", books)
        t.do("books " + " ".join(["law"] * books))
    assert t.asks == ""
    assert t.change() == ({"tools": 1, "law-book": books} if books else {"tools": 1})


@pytest.mark.rule("END-1", "RS/city-engineering", "RS/guild-medicine")
@pytest.mark.parametrize(("tile", "discipline"), [("city-engineering", "engineering"), ("guild-medicine", "medicine")])
@pytest.mark.parametrize(("level", "spades"), [(3, 0), (4, 1), (7, 1), (8, 2)])
def test_science_bonus_of_spades(tile, discipline, level, spades):
    # level 8 of engineering gives two spades: the rulebook's example
    seat = {"board": "forest", "buildings": {"B6": "workshop"}, "science": {discipline: level}}
    t = next_round(seat, round_tiles=first(tile))
    if not spades:
        assert t.asks == ""
        return
    assert (t.phase, t.asks, t.pending["free"], t.pending["rule"]) == ("bonus", "spades", spades, "single")


@pytest.mark.rule("END-1", "TB-2")
def test_bonus_spades_go_one_by_one_on_any_hexes_in_reach_and_nothing_is_built_or_bought():
    seat = {"board": "forest", "buildings": {"B6": "workshop"}, "science": {"engineering": 8}, "tools": 9, "coins": 9}
    t = next_round(seat, round_tiles=first("city-engineering"))
    # one step of each of the six neighbours; none of the other things
    steps = {"A6>mountain", "A7>forest", "B5>forest", "B7>wasteland", "C6>swamp", "C7>lake"}
    assert t.legal() == {f"transform {step}" for step in steps} | {"decline"}
    t.do("transform B7>wasteland", "transform A6>mountain")  # neither is finished
    assert (t.dict["round"], t.phase) == (2, "actions")
    assert (t.dict["terrain"]["B7"], t.dict["terrain"]["A6"]) == ("wasteland", "mountain")
    assert t.change() == {"tools": 2}  # income


@pytest.mark.rule("END-1", "ORD-2")
def test_bonus_spades_may_be_declined_and_are_not_kept():
    seat = {"board": "forest", "buildings": {"B6": "workshop"}, "science": {"engineering": 8}}
    t = next_round(seat, round_tiles=first("city-engineering")).do("decline")
    assert (t.dict["round"], t.phase, t.asks) == (2, "actions", "")


@pytest.mark.rule("END-1")
def test_bonus_spades_are_used_in_the_next_rounds_turn_order():
    # seats 2 and 1 passed before seat 0
    seats = [
        {"board": board, "buildings": {name: "workshop"}, "science": {"engineering": 4}}
        for board, name in (("forest", "B6"), ("swamp", "H9"), ("desert", "E12"))
    ]
    for seat in seats[1:]:
        seat["passed"] = True
    t = table(*seats, round=1, round_tiles=first("city-engineering"), next_order=[2, 1]).do("pass river").end()
    for expected in (2, 1, 0):
        assert (t.mover, t.asks) == (expected, "spades")
        t.do("decline")
    assert t.dict["order"] == [2, 1, 0]


@pytest.mark.rule("END-1", "FAC/goblins", "TB-7")
def test_goblins_get_their_coins_in_phase_3_but_the_spade_tile_scores_in_phase_2_only():
    seat = {"faction": "goblins", "board": "forest", "buildings": {"B6": "workshop"}, "science": {"engineering": 8}}
    tiles = ["city-engineering", "spade-engineering", *first("workshop-law")[:4]]
    t = next_round(seat, round_tiles=tiles).do("transform A6>mountain", "transform A6>forest")
    assert t.change() == {"tools": 2, "coins": 4}


@pytest.mark.rule("END-1", "POOL-1", "RS/workshop-law")
def test_bonus_scholars_come_from_the_supply():
    change = income({"science": {"law": 6}, "scholar_supply": 1}, round_tiles=first("workshop-law"))
    assert change == {"scholars": 1, "scholar_supply": -1}


@pytest.mark.rule("END-1")
def test_every_seat_gets_the_science_bonus():
    seats = [{"board": "forest", "science": {"banking": 2}}, {"science": {"banking": 5}, "bonus": "power"}]
    t = next_round(*seats, round_tiles=first("school-banking"))
    assert t.change(0)["coins"] == 2
    assert t.change(1)["coins"] == 5 + 2  # and the 2 coins of its round bonus tile "power"


@pytest.mark.rule("END-1", "RS-1")
def test_round_6_has_no_science_bonus():
    seat = {"board": "forest", "science": {"banking": 5}, "passed": False}
    t = final_scores(seat, {}, {}, round_tiles=with_tile("school-banking", 6), final_tile="workshop")
    assert "coins" not in t.change()


# --- the rest of phase III --------------------------------------------------------------------------------------------
@pytest.mark.rule("END-2", "PA-1", "SP-1")
def test_markers_leave_all_actions():
    seat = {"board": "forest", "buildings": {"I9": "palace"}, "palace": "1", "used": ["palace/1"]}
    t = next_round(
        seat,
        used_power_actions=["coins", "spade"],
        used_book_actions=["power"],
        book_actions=["power", "coins", "guild"],
    )
    assert t.dict["used_power_actions"] == []
    assert t.dict["used_book_actions"] == []
    assert t.seat()["used"] == []


@pytest.mark.rule("END-3")
def test_one_coin_on_each_free_round_bonus_tile():
    t = next_round({"board": "forest", "bonus": "coins"}, bonus_tiles={"river": 0, "scholar": 2, "school": 0})
    assert t.dict["bonus_tiles"] == {"coins": 1, "scholar": 3, "school": 1}


@pytest.mark.rule("END-3", "SET-9", "PASS-2")
def test_the_coins_on_a_tile_go_to_who_takes_it():
    t = next_round({"board": "forest", "bonus": "coins"}, bonus_tiles={"river": 2, "scholar": 0, "school": 0})
    assert t.change() == {"coins": 2, "tools": 1}
