"""Founding cities and the city tiles (CITY)."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, inventing, is_city
from .table import in_city, neutral

CITY_TILES = ("tools", "spades", "books", "coins", "science", "power", "scholar")
BUILD = {"coins": -2, "tools": -1}


def less_workshop(change):
    """The change without the price of the workshop that founded the city."""
    total = {key: change.get(key, 0) - BUILD.get(key, 0) for key in {*change, *BUILD}}
    return {key: amount for key, amount in total.items() if amount}


# --- CITY-1: how many buildings, how much power -----------------------------------------------------------------------
@pytest.mark.rule("CITY-1", "CITY-4")
def test_four_adjacent_buildings_of_power_seven_found_a_city():
    t = alone({"buildings": TRIANGLE}, homes="A6").do("build A6")
    assert t.asks == "city_tile"
    assert t.legal() == {f"city {key}" for key in CITY_TILES}
    t.do("city tools")
    assert less_workshop(t.change()) == {"vp": 4, "tools": 3, "keys": 1}
    assert all(is_city(t, name) for name in ("A6", "B5", "B6", "C6"))
    assert t.seat()["city_tiles"] == ["tools"]


@pytest.mark.rule("CITY-1")
def test_four_buildings_of_power_six_are_no_city():
    t = alone({"buildings": {**TRIANGLE, "C6": "workshop"}}, homes="A6").do("build A6")
    assert t.asks == ""
    assert less_workshop(t.change()) == {}
    assert not is_city(t, "B6")


@pytest.mark.rule("CITY-1")
def test_three_buildings_of_power_seven_are_no_city():
    buildings = {"B5": "palace", "B6": "guild", "C6": "workshop"}
    t = alone({"buildings": buildings, "palace": "17"}).do("upgrade C6 guild")
    assert t.asks == ""
    assert not is_city(t, "C6")


@pytest.mark.rule("CITY-1")
def test_with_a_university_three_buildings_of_power_seven_suffice():
    t = alone({"buildings": {"B5": "university", "B6": "guild", "C6": "workshop"}}).do("upgrade C6 guild")
    assert t.asks == "city_tile"


@pytest.mark.rule("CITY-1")
def test_a_university_does_not_lower_the_power_needed():
    t = alone({"buildings": {"B5": "university", "B6": "guild"}}, homes="C6").do("build C6")
    assert t.asks == ""


@pytest.mark.rule("CITY-1", "PAL/8")
def test_with_a_university_two_buildings_do_not_suffice():
    # palace 8: power 6 = 3 + 3 would do, but two buildings do not
    seat = {"buildings": {"B5": "university", "B6": "guild"}}
    t = alone(seat).do("upgrade B6 palace", "palace 8")
    assert t.asks == ""


@pytest.mark.rule("CITY-1", "INNO/monument")
def test_with_a_monument_two_buildings_of_power_seven_suffice():
    seat = {"buildings": {"B5": neutral("monument"), "B6": "guild"}}
    t = alone(seat).do("upgrade B6 palace", "resolve palace", "palace 12")  # 4 + 3
    assert t.asks == "city_tile"


@pytest.mark.rule("CITY-1", "INNO/monument")
def test_a_monument_alone_is_no_city():
    # never enough by the printed power; with power 4 it would be, if the number of buildings did not count
    lower = [{"city": {"power": 4}}]
    t = inventing("monument", {"buildings": {"I9": "workshop"}}, homes="H9", overlays=lower)
    t.do("innovate monument", "place H9 monument")
    assert t.asks == "city_tile"  # monument and workshop, power 5
    t = inventing("monument", {"buildings": {"B7": "workshop"}, "sailing": 1}, homes="A9", overlays=lower)
    t.do("innovate monument", "place A9 monument")
    assert t.asks == ""


@pytest.mark.rule("CITY-1")
def test_a_monument_and_a_school_have_power_six_only():
    seat = {"buildings": {"B5": neutral("monument"), "B6": "guild"}}
    t = alone(seat).do("upgrade B6 school", "competency 7")
    assert t.asks == ""


@pytest.mark.rule("CITY-1", "COMP/6", "CITY-4")
def test_a_building_with_an_annex_counts_as_two_and_has_one_power_more():
    # three guilds: power 6 + 1, buildings 3 + 1
    t = alone({"buildings": TRIANGLE, "competencies": ["6"], "annexes": 1}).do("annex B6")
    assert t.asks == "city_tile"
    t.do("city coins")
    assert t.change() == {"annexes": -1, "vp": 6, "coins": 6, "keys": 1}


@pytest.mark.rule("CITY-1", "COMP/6")
def test_an_annex_adds_no_more_than_one_power():
    # 2 + 2 + 1 and the annex: 6
    buildings = {**TRIANGLE, "C6": "workshop"}
    t = alone({"buildings": buildings, "competencies": ["6"], "annexes": 1}).do("annex B6")
    assert t.asks == ""


@pytest.mark.rule("CITY-1", "COMP/6", "PAL/8")
def test_an_annex_counts_as_no_more_than_one_building_more():
    # palace 8: 3 + 2 + 1 is power enough, but two buildings and an annex are three
    seat = {"buildings": {"B5": "palace", "B6": "guild"}, "palace": "8", "competencies": ["6"], "annexes": 1}
    t = alone(seat).do("annex B6")
    assert t.asks == ""
    assert not is_city(t, "B5")


ENOUGH_WITH = {
    # kind: two buildings that make power 7 with it and the new workshop; and those that make 6
    "workshop": (("guild", "palace"), ("guild", "guild")),
    "guild": (("guild", "guild"), ("guild", "workshop")),
    "school": (("guild", "guild"), ("guild", "workshop")),
    "tower": (("guild", "guild"), ("guild", "workshop")),
    "university": (("guild", "workshop"), ("workshop", "workshop")),
    "palace": (("guild", "workshop"), ("workshop", "workshop")),
    "monument": (("workshop", "workshop"), ("workshop",)),
}


@pytest.mark.rule("CITY-1", "NEUT-3")
@pytest.mark.parametrize("kind", ENOUGH_WITH)
@pytest.mark.parametrize("power", [7, 6])
@pytest.mark.parametrize("own", [True, False])
def test_power_value_of_every_kind(kind, power, own):
    others = ENOUGH_WITH[kind][0 if power == 7 else 1]
    buildings = {
        name: neutral("palace") if other == "palace" else other
        for name, other in zip(("B6", "C6"), others, strict=False)
    }
    own = own and kind not in ("tower", "monument")
    seat = {"palace": "12"} if own and kind == "palace" else {}
    t = alone({"buildings": {"B5": kind if own else neutral(kind), **buildings}, **seat}, homes="A6").do("build A6")
    assert (t.asks == "city_tile") is (power == 7)


# --- CITY-2: the tile -------------------------------------------------------------------------------------------------
def founded(tile, *answers, **seat):
    """A city of four is founded with one tile; without the price of the workshop that did it."""
    t = alone({"buildings": TRIANGLE, **seat}, homes="A6 A7").do("build A6", f"city {tile}", *answers)
    return t, less_workshop(t.change())


@pytest.mark.rule("CITY/tools", "CITY-2")
def test_city_tile_tools():
    assert founded("tools")[1] == {"keys": 1, "vp": 4, "tools": 3}


@pytest.mark.rule("CITY/spades")
def test_city_tile_spades():
    t, change = founded("spades")
    assert change == {"keys": 1, "vp": 5}
    assert (t.asks, t.pending["free"], t.pending["rule"]) == ("spades", 2, "normal")
    t.do("transform C7>forest")  # swamp: both spades
    t.do("build C7")
    assert less_workshop(t.change()) == {"keys": 1, "vp": 5, **BUILD}


@pytest.mark.rule("CITY/books")
def test_city_tile_books():
    t, change = founded("books")
    assert change == {"keys": 1, "vp": 5}
    assert "books law medicine" in t.legal()
    t.do("books banking banking")
    assert less_workshop(t.change()) == {"keys": 1, "vp": 5, "banking-book": 2}


@pytest.mark.rule("CITY/coins")
def test_city_tile_coins():
    assert founded("coins")[1] == {"keys": 1, "vp": 6, "coins": 6}


@pytest.mark.rule("CITY/science")
def test_city_tile_science():
    assert founded("science")[1] == {"keys": 1, "vp": 7, "banking": 1, "law": 1, "engineering": 1, "medicine": 1}


@pytest.mark.rule("CITY/science", "CITY-2", "SCI-2")
def test_the_science_tiles_own_key_may_be_used_at_once():
    t, _ = founded("science", science={"law": 7})
    assert t.asks == "key"
    t.do("key")
    change = less_workshop(t.change())
    assert change == {"vp": 7, "banking": 1, "law": 1, "engineering": 1, "medicine": 1}


@pytest.mark.rule("CITY/science", "SCI-2")
def test_the_science_tiles_key_may_be_kept():
    t, _ = founded("science", science={"law": 7})
    t.do("decline")
    assert less_workshop(t.change()) == {"keys": 1, "vp": 7, "banking": 1, "engineering": 1, "medicine": 1}


@pytest.mark.rule("CITY/power")
def test_city_tile_power_of_the_rulebook_example():
    assert founded("power")[1] == {"keys": 1, "vp": 8, "bowl1": -8, "bowl2": 8}


@pytest.mark.rule("CITY/scholar")
def test_city_tile_scholar():
    assert founded("scholar")[1] == {"keys": 1, "vp": 8, "scholars": 1, "scholar_supply": -1}


@pytest.mark.rule("CITY/scholar", "POOL-1")
def test_without_a_scholar_in_supply_the_rest_of_the_tile_happens():
    assert founded("scholar", scholar_supply=0)[1] == {"keys": 1, "vp": 8}


@pytest.mark.rule("CITY-2")
def test_the_vp_of_a_tile_come_from_the_city():
    t, _ = founded("power")
    assert t.vp_from("city") == 8


@pytest.mark.rule("CITY-2")
def test_only_tiles_that_are_left_can_be_taken():
    left = {"tools": 1, "spades": 0, "books": 0, "coins": 0, "science": 0, "power": 2, "scholar": 0}
    t = alone({"buildings": TRIANGLE}, homes="A6", city_tiles=left).do("build A6")
    assert t.legal() == {"city tools", "city power"}
    t.do("city power")
    assert t.dict["city_tiles"] == {**left, "power": 1}


@pytest.mark.rule("CITY-2")
def test_without_a_tile_left_there_is_no_city():
    t = alone({"buildings": TRIANGLE}, homes="A6", city_tiles=dict.fromkeys(CITY_TILES, 0)).do("build A6")
    assert t.asks == ""
    assert not is_city(t, "B6")
    assert less_workshop(t.change()) == {}


# --- CITY-3: joining --------------------------------------------------------------------------------------------------
OLD_CITY = {"A5": in_city("guild"), "B5": in_city("guild"), "B4": in_city("school"), "A4": in_city("workshop")}


@pytest.mark.rule("CITY-3")
def test_what_is_built_beside_a_city_joins_it():
    t = alone({"buildings": OLD_CITY}, homes="B6").do("build B6")
    assert t.asks == ""
    assert is_city(t, "B6")


@pytest.mark.rule("CITY-3", "CITY-4")
def test_what_is_bridged_to_a_city_joins_it():
    t = alone({"buildings": {**OLD_CITY, "C3": "school"}, "bowls": [0, 0, 12]}).do("power bridge", "bridge B4-C3")
    assert t.asks == ""
    assert is_city(t, "C3")


@pytest.mark.rule("CITY-3")
def test_a_group_that_touches_a_city_founds_none():
    # C7, D5, D6 have power 6; C6 would make seven with them, but it stands beside B5 of the city
    buildings = {**OLD_CITY, "C7": "guild", "D5": "guild", "D6": "school"}
    t = alone({"buildings": buildings}, homes="C6").do("build C6")
    assert t.asks == ""
    assert less_workshop(t.change()) == {}
    assert all(is_city(t, name) for name in ("C6", "C7", "D5", "D6"))


@pytest.mark.rule("CITY-3")
def test_two_cities_joined_keep_their_tiles_and_keys_and_gain_nothing():
    new_city = {"B7": in_city("workshop"), "C7": in_city("guild"), "D5": in_city("guild"), "D6": in_city("school")}
    seat = {"buildings": {**OLD_CITY, **new_city}, "city_tiles": ["tools", "coins"], "keys": 2}
    t = alone(seat, homes="C6").do("build C6")
    assert t.asks == ""
    assert less_workshop(t.change()) == {}
    assert t.seat()["city_tiles"] == ["tools", "coins"]


@pytest.mark.rule("CITY-3", "CITY-1")
def test_an_upgrade_inside_a_city_founds_no_second_one():
    buildings = {name: in_city("guild") for name in ("B5", "B6", "C6")} | {"A6": in_city("workshop")}
    t = alone({"buildings": buildings}).do("upgrade A6 guild")
    assert t.asks == ""
    assert is_city(t, "A6")


# --- CITY-4: when -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("CITY-4")
def test_an_upgrade_may_found_a_city():
    t = alone({"buildings": {**TRIANGLE, "C6": "workshop", "A6": "workshop"}}).do("upgrade A6 guild")
    assert t.asks == "city_tile"


@pytest.mark.rule("CITY-4", "ADJ-1")
def test_water_separates_and_a_bridge_joins():
    # B4 and C3 face each other over the water between B3 and C4
    seat = {"buildings": {"A5": "workshop", "B4": "guild", "B5": "guild", "C3": "school"}, "sailing": 3}
    t = alone({**seat, "bowls": [0, 0, 12]})
    assert not is_city(t, "B4")
    t.do("power bridge", "bridge B4-C3")
    assert t.asks == "city_tile"


@pytest.mark.rule("CITY-4", "CITY-1")
def test_another_players_bridge_makes_adjacent_too():
    seat = {"buildings": {"A5": "workshop", "B4": "guild", "B5": "guild", "C3": "workshop"}}
    t = alone(seat, bridges=[["B4", "C3", 1]]).do("upgrade C3 guild")
    assert t.asks == "city_tile"


TWO_GROUPS = {
    "A5": "workshop",
    "A6": "workshop",
    "B5": "guild",
    "B6": "school",
    "H5": "workshop",
    "H6": "workshop",
    "I5": "guild",
    "I6": "school",
}


@pytest.mark.rule("CITY-4", "PAL/8")
def test_palace_8_founds_all_the_cities_that_power_six_allows():
    t = alone({"buildings": {**TWO_GROUPS, "E9": "guild"}}).do("upgrade E9 palace", "palace 8")
    assert t.asks == "city_tile"
    t.do("city tools", "city coins")
    assert t.change() == {"tools": -4 + 3, "vp": 4 + 6, "keys": 2}  # the palace's 6 coins come back with the tile
    assert is_city(t, "A5")
    assert is_city(t, "I6")
    assert not is_city(t, "E9")


@pytest.mark.rule("CITY-4", "CITY-2")
def test_with_one_tile_left_the_player_says_which_group_is_founded():
    left = {**dict.fromkeys(CITY_TILES, 0), "power": 1}
    t = alone({"buildings": {**TWO_GROUPS, "E9": "guild"}}, city_tiles=left).do("upgrade E9 palace", "palace 8")
    assert t.asks == "city_group"
    assert t.legal() == {"found A5", "found H5"}
    t.do("found H5")
    if t.asks == "city_tile":
        t.do("city power")
    assert t.change()["keys"] == 1
    assert is_city(t, "H6")
    assert not is_city(t, "A6")


# --- CITY-5: palace 11 ------------------------------------------------------------------------------------------------
@pytest.mark.rule("CITY-5", "PAL/11", "RS/city-engineering")
def test_palace_11s_tile_counts_as_a_city_tile_but_is_no_city_on_the_map():
    t = alone({"buildings": {"B6": "guild"}}, round=1).do("upgrade B6 palace", "palace 11", "city coins")
    # -6 coins and +6, key, 6 VP and 5 of the round tile for a city tile taken
    assert t.change() == {"tools": -4, "vp": 11, "keys": 1}
    assert not is_city(t, "B6")
    assert t.seat()["city_tiles"] == ["coins"]
    assert t.dict["city_tiles"]["coins"] == 2


@pytest.mark.rule("CITY-5", "PAL/11")
def test_the_palace_with_the_tile_can_still_be_part_of_a_city():
    seat = {"buildings": {"B5": "palace", "B6": "guild", "C6": "workshop"}, "palace": "11", "city_tiles": ["coins"]}
    t = alone(seat, homes="A6").do("build A6")
    assert t.asks == "city_tile"
    t.do("city coins")
    assert t.seat()["city_tiles"] == ["coins", "coins"]
