"""Where two components meet."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, dealt, display, income, inventing, is_city, next_round, set_up
from .table import DISCIPLINES, in_city, neutral
from .test_round_tiles import with_tile

BASE = {"B6": "workshop"}


# --- cities -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("PAL/8", "CITY-1", "INNO/monument")
def test_palace_8_with_a_monument_or_a_university():
    palace = {"palace": "8", "buildings": {"I9": "palace"}}
    monument = {"B5": neutral("monument"), "B6": "workshop"}
    t = alone({**palace, "buildings": {**palace["buildings"], **monument}}).do("upgrade B6 guild")
    assert t.asks == "city_tile"  # 4 + 2, two buildings
    university = {"B5": "university", "B6": "guild"}
    t = alone({**palace, "buildings": {**palace["buildings"], **university}}, homes="C6").do("build C6")
    assert t.asks == "city_tile"  # 3 + 2 + 1, three buildings


@pytest.mark.rule("FAC/felines", "PAL/8", "CITY-4")
def test_felines_gain_their_bonus_once_for_each_of_two_cities():
    north = {"A5": "workshop", "A6": "workshop", "B5": "guild", "B6": "school"}
    south = {"H5": "workshop", "H6": "workshop", "I5": "guild", "I6": "school"}
    t = alone({"faction": "felines", "buildings": {**north, **south, "E9": "guild"}}).do(
        "upgrade E9 palace", "palace 8"
    )
    steps = books = 0
    while t.asks:
        if t.asks == "city_tile":
            t.do("city power")
        elif t.asks == "steps":
            t.do("step law" if steps < 2 else "step medicine" if steps < 4 else "step banking")
            steps += 1
        elif t.asks == "books":
            t.do("books law")
            books += 1
        else:
            t.do(sorted(t.legal())[0])
    assert (steps, books) == (6, 2)
    assert t.change()["keys"] == 2


@pytest.mark.rule("FAC/felines", "CITY-6", "PAL/14")
def test_felines_gain_their_bonus_with_a_city_over_a_river():
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "I9": "palace"}
    t = alone({"faction": "felines", "buildings": buildings, "palace": "14"}, homes="E4")
    t.do("build E4", "found D4", "city tools", "resolve faction/felines books", "books law")
    t.do("step law", "step law", "step medicine")
    assert t.change() == {"coins": -2, "tools": 2, "vp": 4, "keys": 1, "law": 2, "medicine": 1, "law-book": 1}


@pytest.mark.rule("FAC/lizards", "PAL/12", "RB/river", "COMP/11")
def test_the_lizards_free_workshop_is_built_for_every_effect():
    buildings = {**TRIANGLE, "I9": "palace"}
    seat = {"faction": "lizards", "buildings": buildings, "palace": "12", "bonus": "river", "competencies": ["11"]}
    t = alone(seat, homes="A6").do("build A6")  # an edge hex
    assert (t.vp_from("palace"), t.vp_from("competency"), t.vp_from("bonus_tile")) == (2, 3, 0)
    t.do("city coins", "transform A7>forest", "build A7")  # an edge hex beside the river A8
    assert (t.vp_from("palace"), t.vp_from("competency"), t.vp_from("bonus_tile")) == (4, 6, 2)


@pytest.mark.rule("FAC/lizards", "TB-6")
def test_lizards_without_a_workshop_piece_may_still_dig():
    names = ("A1", "E2", "G6", "H11", "I1", "I9", "D13", "E8", "B9")
    buildings = {**{name: in_city("workshop") for name in names}, "B6": "guild"}
    t = alone({"faction": "lizards", "buildings": buildings}).do("upgrade B6 palace", "palace 11", "city coins")
    assert t.asks == "spades"
    assert t.legal("build") == set()
    assert "transform B5>forest" in t.legal()


@pytest.mark.rule("PAL/11", "CITY-5", "FAC/felines", "SCI-2")
def test_felines_may_use_palace_11s_key_at_once():
    seat = {"faction": "felines", "buildings": {"B6": "guild"}, "science": {"law": 7}}
    t = alone(seat).do("upgrade B6 palace", "palace 11", "city coins", "resolve faction/felines steps", "step law")
    assert t.asks == "key"
    t.do("key")
    assert (t.seat()["science"]["law"], t.seat()["keys"]) == (8, 0)


@pytest.mark.rule("CITY/spades", "CITY-3", "TB-5")
def test_the_workshop_of_the_spades_tile_joins_the_city():
    t = alone({"buildings": TRIANGLE}, homes="A6").do("build A6", "city spades", "transform A7>forest", "build A7")
    assert is_city(t, "A7")
    assert t.asks == ""


@pytest.mark.rule("COMP/10", "CITY-1", "ORD-1")
def test_the_tower_of_a_competency_may_found_a_city():
    buildings = {"B5": "guild", "B6": "guild", "C6": "workshop"}
    competencies = [{"key": "10", "discipline": "law", "place": 0, "left": 1}]
    t = alone({"buildings": buildings}, homes="A6", competencies=competencies)
    t.do("upgrade B6 school")
    while t.asks != "neutral":  # the only competency left; its tower and its steps in any order
        t.do("resolve competency/10 neutral" if t.asks == "resolve" else "competency 10")
    t.do("place A6 tower")
    while t.asks != "city_tile":
        t.do("resolve city")
    t.do("city power")
    assert is_city(t, "A6")
    assert t.seat()["science"]["law"] == 3


# --- power offers -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("PAL/15", "POW-5")
def test_palace_15s_bridge_adds_nothing_to_the_offer_for_the_palace():
    other = {"board": "swamp", "buildings": {"C3": "guild"}}
    t = alone({"buildings": {"B4": "guild"}}, other).do("upgrade B4 palace", "palace 15")
    t.do("resolve palace/15 bridges", "bridge B4-C3")
    while t.asks and t.mover == 0:
        t.do("books law law" if t.asks == "books" else "decline" if t.asks != "resolve" else sorted(t.legal())[0])
    assert (t.mover, t.asks) == (0, "")


@pytest.mark.rule("PAL/15", "POW-5", "POW-4")
def test_palace_15s_workshop_and_the_palace_make_an_offer_each_in_the_order_built():
    other = {"board": "desert", "buildings": {"A6": "guild"}}
    t = alone({"buildings": {"B6": "guild"}}, other).do("upgrade B6 palace", "palace 15")
    t.do("resolve palace/15 spades", "transform B5>forest", "build B5")
    while t.mover == 0:
        t.do("books law law" if t.asks == "books" else sorted(t.legal())[0])
    assert (t.mover, t.asks, t.pending["hex"], t.pending["power"]) == (1, "offer", "B6", 2)
    t.do("accept")
    assert (t.mover, t.asks, t.pending["hex"], t.pending["power"]) == (1, "offer", "B5", 2)
    t.do("accept")
    assert t.change(1) == {"vp": -2, "bowl1": -4, "bowl2": 4}


@pytest.mark.rule("FAC/lizards", "POW-5")
def test_the_lizards_free_workshop_makes_an_offer():
    other = {"board": "desert", "buildings": {"B7": "guild"}}
    t = alone({"faction": "lizards", "buildings": TRIANGLE}, other, homes="A6 A7")
    t.do("build A6", "city coins", "build A7")  # A6 is not beside B7, A7 is
    assert (t.mover, t.asks, t.pending["hex"]) == (1, "offer", "A7")
    t.do("decline")
    assert t.asks == ""


# --- reach ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FLY-1", "ADJ-1")
def test_a_flight_may_begin_over_a_bridge():
    # C3 - bridge - B4, B5 - B6
    seat = {"buildings": {"C3": "palace"}, "palace": "9", "scholars": 1}
    assert "build B6 flight" not in alone(seat).legal()
    assert "build B6 flight" in alone(seat, bridges=[["B4", "C3", 1]]).legal()


@pytest.mark.rule("PAL/14", "REACH-1", "TR-1")
def test_palace_14s_sailing_serves_the_next_action():
    t = alone({"buildings": {"B7": "guild"}}).do("upgrade B7 palace", "palace 14", "books law law").end()
    assert "build B9" in t.legal()  # forest over B8
    assert "transform D8>forest" in t.legal()  # over C8


@pytest.mark.rule("INNO/steam-engine", "TB-3")
def test_the_free_terraforming_step_makes_spades_cheaper_at_once():
    t = inventing("steam-engine", {"buildings": BASE}).do("innovate steam-engine")
    while t.asks:
        t.do("books law law" if t.asks == "books" else sorted(t.legal())[0])
    t.end().mark().do("transform A7>forest")
    assert t.change() == {"tools": -2}


# --- science ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP/1", "SCI-2", "INC-6")
def test_a_key_may_be_used_for_a_step_of_the_income():
    seat = {"competencies": ["1"], "science": {"law": 7}, "keys": 1, "city_tiles": ["tools"]}
    assert income(seat, "step law", "key") == {"tools": 1, "law": 1, "keys": -1}


@pytest.mark.rule("FAC/blessed", "END-1", "RS/city-engineering")
def test_blessed_and_spades_of_the_science_bonus():
    seat = {"board": "forest", "faction": "blessed", "buildings": BASE, "science": {"engineering": 5}}
    t = next_round(seat, round_tiles=with_tile("city-engineering", 1))
    assert t.pending["free"] == 2  # 8 // 4


@pytest.mark.rule("FAC/philosophers", "INNO/school", "COMP-2")
def test_philosophers_get_their_book_with_the_neutral_school_too():
    seat = {"faction": "philosophers", "buildings": BASE}
    competencies = [
        {"key": "7", "discipline": "medicine", "place": 2, "left": 4},
        {"key": "8", "discipline": "law", "place": 0, "left": 4},
    ]
    t = inventing("school", seat, homes="B5", competencies=competencies).do(
        "innovate school", "place B5 school", "competency 7"
    )
    assert t.seat()["books"]["medicine"] == 3
    assert t.seat()["science"]["medicine"] == 1


@pytest.mark.rule("PAL/6", "SCI-4", "RS/science-medicine")
def test_palace_6s_steps_score():
    seat = {"buildings": {"I9": "palace"}, "palace": "6"}
    t = alone(seat, round_tiles=with_tile("science-medicine", 2)).do("special palace/6", "step law")
    assert t.vp_from("round_tile") == 2


@pytest.mark.rule("INNO/deus-ex-machina", "SCI-4", "RS/innovation-law", "RS/science-medicine")
@pytest.mark.parametrize(("tile", "vp"), [("innovation-law", 5), ("science-medicine", 4)])
def test_deus_ex_machina_scores_the_tile(tile, vp):
    t = inventing("deus-ex-machina", {"buildings": BASE}, round_tiles=with_tile(tile, 3)).do("innovate deus-ex-machina")
    while t.asks:
        t.do("books law" if t.asks == "books" else sorted(t.legal())[0])
    assert t.vp_from("round_tile") == vp


# --- set-up -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-13", "FAC/navigators")
def test_starting_workshops_beside_a_river_score_nothing():
    t = set_up(dealt("desert", "navigators"), "place B7 workshop", "place D5 workshop", until="start_spades")
    assert t.vp() == 20
    assert t.seat()["coins"] == 15


@pytest.mark.rule("FAC/omar", "SET-16", "INC-4")
def test_omars_income_counts_in_round_1():
    t = set_up(dealt("plains", "omar"))
    assert t.seat()["coins"] == 15 + 2 + 6
    assert t.seat()["bowls"] == [3, 9, 0]
    assert sum(t.seat()["science"][discipline] for discipline in DISCIPLINES) == 2


@pytest.mark.rule("CITY-2", "CITY-5", "PAL/11", "POOL-1")
def test_palace_11_without_a_city_tile_left_gives_nothing():
    none_left = dict.fromkeys(("tools", "spades", "books", "coins", "science", "power", "scholar"), 0)
    t = alone({"buildings": {"B6": "guild"}}, city_tiles=none_left).do("upgrade B6 palace", "palace 11")
    assert t.asks == ""
    assert t.change() == {"coins": -6, "tools": -4}


@pytest.mark.rule("CITY/science", "SCI-2")
def test_one_key_serves_one_discipline_of_the_science_tile():
    seat = {"buildings": TRIANGLE, "science": {"banking": 7, "medicine": 7}}
    t = alone(seat, homes="A6").do("build A6", "city science")
    first = t.pending["discipline"]
    t.do("decline")
    assert (t.asks, {first, t.pending["discipline"]}) == ("key", {"banking", "medicine"})
    second = t.pending["discipline"]
    t.do("key")
    assert t.asks == ""
    levels = t.seat()["science"]
    assert (levels[first], levels[second], levels["law"], levels["engineering"]) == (7, 8, 1, 1)


@pytest.mark.rule("PAL/14", "BOARD/lake", "TR-1")
def test_palace_14_on_the_lake_board():
    t = alone({"board": "lake", "buildings": {"B6": "guild"}, "sailing": 1}).do("upgrade B6 palace", "palace 14")
    assert t.vp_from("sailing") == 3
    t.do("books law law")
    assert t.seat()["sailing"] == 3


@pytest.mark.rule("COMP/6", "PAL/3", "PAL/4", "UP-2")
def test_an_annex_stays_with_its_place_when_the_piece_is_exchanged():
    buildings = {"I9": "palace", "B6": {"kind": "workshop", "annex": True}, "C6": "guild"}
    t = alone({"buildings": buildings, "palace": "1"}).do("upgrade B6 guild")
    assert t.seat()["buildings"]["B6"] == {"kind": "guild", "neutral": False, "annex": True, "city": False}


@pytest.mark.rule("FAC/philosophers", "END-2", "SP-1")
def test_special_actions_of_faction_and_tiles_are_free_again_after_the_round():
    seat = {
        "board": "forest",
        "faction": "philosophers",
        "competencies": ["7"],
        "innovations": ["professor"],
        "used": ["faction/philosophers", "competency/7", "innovation/professor"],
    }
    assert next_round(seat).seat()["used"] == []


@pytest.mark.rule("RB/school", "FIN-2", "PASS-1")
def test_steps_gained_by_passing_in_round_6_count_in_the_final_scoring():
    seat = {"buildings": {"B6": "school"}, "bonus": "school"}
    t = alone(seat, {"board": "desert", "science": {"law": 1}}, round=6, round_tiles=with_tile("guild-law", 6))
    t.do("pass", "step law").end()
    assert t.vp_from("science") == 6  # level with seat 1: (8 + 4) / 2


# --- the last city tiles ----------------------------------------------------------------------------------------------
@pytest.mark.rule("CITY-2", "CITY-4", "ORD-1")
@pytest.mark.parametrize(("left", "cities"), [(1, 1), (2, 2)])
def test_a_tile_that_waits_for_its_city_is_not_left_for_another(left, cities):
    # the university founds a city; the workshop of its competency would found a second one before a tile is taken
    north = {"B5": "school", "B6": "guild", "C6": "guild"}
    south = {"H5": "school", "H6": "guild", "I6": "guild"}
    tiles = {**dict.fromkeys(("tools", "spades", "books", "coins", "science", "scholar"), 0), "power": left}
    t = alone({"buildings": {**north, **south}}, homes="I5", city_tiles=tiles, competencies=display("5"))
    t.do("upgrade B5 university", "resolve competency", "competency 5", "resolve competency/5 spades", "build I5")
    while t.asks:
        t.do(sorted(t.legal())[0])
    assert t.seat()["keys"] == cities
    assert is_city(t, "B6")
    assert is_city(t, "I6") is (cities == 2)


@pytest.mark.rule("CITY-2", "CITY-6", "PAL/14")
def test_without_a_tile_left_there_is_no_city_over_a_river():
    tiles = dict.fromkeys(("tools", "spades", "books", "coins", "science", "power", "scholar"), 0)
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "I9": "palace"}
    t = alone({"buildings": buildings, "palace": "14"}, homes="E4", city_tiles=tiles).do("build E4")
    assert t.asks == ""
    assert t.legal("found") == set()


@pytest.mark.rule("CITY-2", "CITY-6", "PAL/14")
@pytest.mark.parametrize("left", [1, 2])
def test_the_last_tile_goes_to_the_city_that_needs_no_river(left):
    # E3, E4 and F5, F6 would be a city over E5 or F4; A6 completes another one
    over_river = {"E3": "workshop", "E4": "school", "F5": "school", "F6": "guild"}
    seat = {"buildings": {**TRIANGLE, **over_river, "I9": "palace"}, "palace": "14"}
    tiles = {**dict.fromkeys(("tools", "spades", "books", "coins", "science", "scholar"), 0), "power": left}
    t = alone(seat, homes="A6", city_tiles=tiles).do("build A6")
    asked = set()
    while t.asks:
        asked.add(t.asks)
        t.do("decline" if t.asks == "found" else sorted(t.legal())[0])
    assert is_city(t, "A6")
    assert ("found" in asked) is (left == 2)
    assert bool(t.legal("found")) is (left == 2)


# --- what is counted follows what is built ----------------------------------------------------------------------------
@pytest.mark.rule("INNO/sewage-system", "TB-6", "UP-2")
def test_workshops_count_as_they_are_built_and_upgraded():
    t = inventing("sewage-system", {"buildings": {"B6": "workshop", "C6": "workshop"}}, homes="B5")
    t.do("build B5").end().do("upgrade B6 guild").end().do("innovate sewage-system")
    assert t.vp_from("innovation") == 2 * 2


@pytest.mark.rule("INNO/trade-routes", "RB/palace-university", "PAL/7", "UP-2")
def test_guilds_palaces_and_schools_count_as_they_are_built():
    seat = {"buildings": {"B6": "guild", "H11": "workshop", "E2": "guild"}, "bonus": "palace-university"}
    t = alone({**seat, "innovations": ["trade-routes"]}, round=1, competencies=display("7"))
    t.do("upgrade H11 guild").end().do("upgrade B6 palace", "palace 7").end().do(
        "upgrade E2 school", "competency 7"
    ).end()
    t.do("pass river")
    assert t.vp_from("innovation") == 2  # H11
    assert t.vp_from("bonus_tile") == 4
    assert t.vp_from("palace") == 3


@pytest.mark.rule("INNO/census", "NEUT-2")
def test_neutral_buildings_count_as_they_are_placed():
    names = ("A1", "E2", "G6", "H11", "I1", "B6")
    innovations = [{"key": key, "column": "banking"} for key in ("guild", "census")]
    seat = {"buildings": {name: in_city("workshop") for name in names}, "books": {"banking": 11}}
    t = alone(seat, homes="B5", round=3, innovations=innovations).do("innovate guild", "place B5 guild").end()
    t.do("innovate census")
    assert t.vp_from("innovation") == 8  # seven buildings


@pytest.mark.rule("PAL/1", "PAL/7", "INC-3", "SET-10")
def test_a_palace_tile_does_nothing_before_the_palace_is_built():
    drafted = {"palace": "1", "palace_built": False, "buildings": {"B6": "workshop"}}
    assert "special palace/1" not in alone(drafted, setup="draft").legal()
    assert income({"palace": "1", "palace_built": False}, setup="draft") == {}


@pytest.mark.rule("UP-1", "ADJ-1")
@pytest.mark.parametrize(("bridges", "coins"), [([], 6), ([["B4", "C3", 1]], 3)])
def test_a_neighbour_over_a_bridge_makes_the_guild_cheaper(bridges, coins):
    other = {"board": "swamp", "buildings": {"C3": "workshop"}}
    t = alone({"buildings": {"B4": "workshop"}}, other, bridges=bridges).do("upgrade B4 guild")
    assert t.change() == {"coins": -coins, "tools": -2}
