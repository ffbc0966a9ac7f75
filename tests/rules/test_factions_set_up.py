"""Factions that differ from the set-up on: inventors, monks, lizards, navigators, omar (FAC)."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, dealt, income, is_city, set_up
from .table import DISCIPLINES, game, neutral
from .test_round_tiles import with_tile

BASE = {"B6": "workshop"}


# --- inventors and monks ----------------------------------------------------------------------------------------------
def competency_place(t, key):
    return next(place for place in t.dict["competencies"] if place["key"] == key)


@pytest.mark.rule("FAC/inventors", "SET-14", "COMP-2")
def test_inventors_take_a_competency_with_its_steps_and_books():
    t = set_up(dealt("plains"), until="start_competency")
    assert t.mover == 0
    assert t.legal() == {f"competency {number}" for number in range(1, 13)}
    place = competency_place(t, "7")
    t.do("competency 7")
    seat = t.seat()
    assert seat["competencies"] == ["7"]
    assert seat["science"][place["discipline"]] == 3 - place["place"]
    assert sum(seat["books"].values()) == place["place"]
    assert competency_place(t, "7")["left"] == 3


@pytest.mark.rule("FAC/inventors", "SET-14", "COMP/2", "SET-16")
def test_its_income_counts_from_round_1():
    t = set_up(dealt("plains"), "competency 2")
    assert t.vp() == 20 + 3
    assert t.seat()["coins"] == 15 + 2 + 6  # and its round bonus tile


@pytest.mark.rule("FAC/monks", "SET-13", "SET-14")
def test_monks_place_a_university_last_and_take_a_competency():
    t = dealt("plains", "monks")
    pieces = []
    while t.phase == "placement":
        move = sorted(t.legal())[0]
        pieces.append((t.mover, move.split()[2]))
        t.do(move)
    assert pieces == [(1, "workshop"), (2, "workshop"), (2, "workshop"), (1, "workshop"), (0, "university")]
    assert (t.phase, t.mover, t.asks) == ("start_competency", 0, "competency")
    t.do("competency 7")
    assert [t.kind_at(name) for name in t.seat()["buildings"]] == ["university"]


@pytest.mark.rule("FAC/monks", "INC-1", "INC-3")
def test_the_monks_university_gives_its_scholar_in_round_1():
    t = set_up(dealt("plains", "monks"), "competency 7")
    assert t.seat()["scholars"] == 1
    assert t.seat()["tools"] == 3 + 1  # no workshop on the map


@pytest.mark.rule("FAC/monks", "CITY-1")
def test_the_monks_university_makes_a_city_of_three():
    t = alone({"faction": "monks", "buildings": {"B5": "university", "B6": "guild", "C6": "workshop"}})
    t.do("upgrade C6 guild", "city power")
    assert is_city(t, "B5")


# --- lizards ----------------------------------------------------------------------------------------------------------
LIZARDS = {"faction": "lizards", "buildings": TRIANGLE}
CITY_BUILT = {"coins": -2 + 6, "tools": -1, "vp": 6, "keys": 1}  # a workshop, then the city tile "coins"


@pytest.mark.rule("FAC/lizards", "SET-12")
@pytest.mark.parametrize("second", ["law", "medicine"])
def test_lizards_choose_two_steps_at_the_start(second):
    t = dealt("plains", "lizards")
    assert (t.phase, t.asks, t.pending["n"]) == ("start_choices", "steps", 2)
    t.do("step law", f"step {second}")
    levels = t.seat()["science"]
    assert sum(levels.values()) == 2
    assert levels[second] == (2 if second == "law" else 1)


@pytest.mark.rule("FAC/lizards", "TB-4", "TB-5")
def test_lizards_found_a_city_and_build_free_on_the_hex_that_they_dig():
    t = alone(LIZARDS, homes="A6").do("build A6", "city coins")
    assert (t.asks, t.pending["free"], t.pending["rule"]) == ("spades", 1, "free_workshop")
    t.do("transform A7>forest", "build A7")
    assert t.change() == CITY_BUILT
    assert is_city(t, "A7")


@pytest.mark.rule("FAC/lizards", "TB-5")
def test_the_free_workshop_may_stand_on_another_home_hex_after_digging():
    t = alone(LIZARDS, homes="A6").do("build A6", "city coins", "transform A7>forest")
    assert {"build A7", "build B4"} <= t.legal()  # B4 is printed forest beside B5
    t.do("build B4")
    assert t.change() == CITY_BUILT
    assert t.kind_at("A7") is None


@pytest.mark.rule("FAC/lizards", "TB-5", "RS/workshop-law")
def test_the_free_workshop_needs_no_spade_and_scores():
    t = alone({**LIZARDS, "coins": 2, "tools": 1}, homes="A6", round_tiles=with_tile("workshop-law", 2))
    t.do("build A6", "city books", "resolve faction/lizards spades", "build B4", "books law law")
    assert t.change() == {"coins": -2, "tools": -1, "vp": 5 + 2 + 2, "keys": 1, "law-book": 2}


@pytest.mark.rule("FAC/lizards", "TB-4", "TB-3")
def test_lizards_may_buy_the_missing_spade_but_never_two_hexes():
    t = alone(LIZARDS, homes="A6").do("build A6", "city coins", "transform C7>forest")  # swamp: one free, one bought
    assert t.change() == {**CITY_BUILT, "tools": -1 - 3}
    assert t.legal("transform") == set()


@pytest.mark.rule("FAC/lizards", "ORD-2")
def test_lizards_may_decline():
    t = alone(LIZARDS, homes="A6").do("build A6", "city coins", "decline")
    assert t.asks == ""
    assert t.change() == CITY_BUILT


@pytest.mark.rule("FAC/lizards", "CITY-5", "PAL/11")
def test_lizards_gain_it_with_palace_11s_tile_too():
    t = alone({"faction": "lizards", "buildings": {"B6": "guild"}}).do("upgrade B6 palace", "palace 11", "city coins")
    assert (t.asks, t.pending["rule"]) == ("spades", "free_workshop")
    t.do("transform B5>forest", "build B5")
    assert t.change() == {"tools": -4, "vp": 6, "keys": 1}


@pytest.mark.rule("FAC/lizards", "CITY/spades", "ORD-1")
def test_lizards_own_spade_and_the_tiles_two_spades_are_separate():
    t = alone(LIZARDS, homes="A6").do("build A6", "city spades")
    assert t.legal() == {"resolve faction/lizards spades", "resolve city/spades spades"}
    t.do("resolve city/spades spades", "transform C7>forest", "decline")
    assert (t.pending["free"], t.pending["rule"]) == (1, "free_workshop")


# --- navigators, omar -------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/navigators", "ED/navigators")
@pytest.mark.parametrize(("edition", "coins"), [("1.0", 0), ("1.2", 1)])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_navigators_score_workshops_beside_a_river(edition, coins, players):
    seat = {"faction": "navigators", "board": "forest", "tools": 20}
    if players == 2:  # the 1-3 side: F7 lies beside river F8
        seat["buildings"] = {"E7": "workshop"}
        two = {"area_tile": 12, "rival": dict.fromkeys(DISCIPLINES, 2)}
        t = alone(seat, homes="F7", players=2, edition=edition, **two).do("build F7")
    else:
        t = alone({**seat, "buildings": BASE}, homes="C7", players=players, edition=edition).do("build C7")
    assert t.vp_from("faction") == 2
    assert t.change() == {key: n for key, n in {"coins": -2 + coins, "tools": -1, "vp": 2}.items() if n}


@pytest.mark.rule("FAC/navigators")
def test_navigators_score_nothing_away_from_rivers_or_for_an_upgrade():
    t = alone({"faction": "navigators", "buildings": {"B6": "workshop", "C7": "workshop"}}, homes="B5").do("build B5")
    assert t.change() == {"coins": -2, "tools": -1}
    t.end().mark().do("upgrade C7 guild")
    assert t.change() == {"coins": -6, "tools": -2}


@pytest.mark.rule("FAC/omar", "SET-13")
def test_omar_places_two_workshops_and_a_tower_in_an_order_of_its_choice():
    t = dealt("plains", "omar")
    turns = []
    while t.phase == "placement":
        words = {move.split()[2] for move in t.legal()}
        turns.append((t.mover, words))
        t.do(sorted(t.legal(), key=lambda move: ("tower" not in move, move))[0])
    assert turns[0] == (0, {"workshop", "tower"})
    assert [mover for mover, _ in turns] == [0, 1, 2, 2, 1, 0, 0]
    assert turns[-1] == (0, {"workshop"})  # the tower stood first
    assert sorted(t.kind_at(name) for name in t.seat()["buildings"]) == ["tower", "workshop", "workshop"]


@pytest.mark.rule("FAC/omar", "INC-4")
def test_omars_income():
    assert income({"faction": "omar"}) == {"coins": 2, "bowl1": -2, "bowl2": 2}


@pytest.mark.rule("FAC/omar", "CITY-1")
def test_the_tower_counts_in_a_city():
    buildings = {"B5": neutral("tower"), "B6": "guild", "C6": "guild"}
    t = alone({"faction": "omar", "buildings": buildings}, homes="A6").do("build A6")
    assert t.asks == "city_tile"


@pytest.mark.rule("FAC/omar", "SET-13")
def test_omar_in_the_last_seat_places_its_second_piece_in_reverse_order_and_its_third_after_all():
    deal = [
        {"board": "plains", "faction": "felines", "bonus": "coins"},
        {"board": "swamp", "faction": "goblins", "bonus": "power"},
        {"board": "lake", "faction": "omar", "bonus": "guild"},
    ]
    t = game(players=3, deal=deal)
    movers = []
    while t.phase == "placement":
        movers.append(t.mover)
        t.do(sorted(t.legal())[0])
    assert movers == [0, 1, 2, 2, 1, 0, 2]


# --- omar and monks -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/omar", "FAC/monks", "SET-13")
def test_omars_third_piece_comes_before_the_monks_university():
    deal = [
        {"board": "plains", "faction": "monks", "bonus": "coins"},
        {"board": "swamp", "faction": "omar", "bonus": "power"},
        {"board": "lake", "faction": "felines", "bonus": "guild"},
    ]
    t = game(players=3, deal=deal)
    movers = []
    while t.phase == "placement":
        movers.append(t.mover)
        t.do(sorted(t.legal())[0])
    assert movers == [1, 2, 2, 1, 1, 0]
