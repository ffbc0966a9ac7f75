"""Palace 14: cities over one river hex (CITY-6).

West of the river stand D3 and E4, east of it C5 and D5: C4 lies beside C5 and D3, D4 beside all four, E5 beside D5 and E4.
E5 has three separate banks D5, E4 and F5; F4 has E4, F5 and G4.
"""

from __future__ import annotations

import pytest

from .scenes import alone, invented, is_city
from .table import in_city

OVER_D4 = {"C5": "guild", "D5": "guild", "D3": "guild"}
FAR_PALACE = {"I9": "palace"}


def river_scene(buildings, *, options=None, homes="", **seat):
    seat = {"buildings": {**buildings, **FAR_PALACE}, "palace": "14", **seat}
    return alone(seat, homes=homes, options=options)


def founds(t):
    return t.legal("found")


@pytest.mark.rule("CITY-6", "PAL/14")
def test_a_city_may_be_founded_over_one_river_hex():
    t = river_scene(OVER_D4, homes="E4").do("build E4")  # 2 + 2 + 2 + 1 on both banks
    assert t.asks == "found"
    assert t.legal() == {"found C4", "found D4", "found E5", "decline"}
    t.do("found D4", "city power")
    assert t.change() == {"coins": -2, "tools": -1, "vp": 8, "keys": 1, "bowl1": -8, "bowl2": 8}
    assert t.seat()["river_cities"] == ["D4"]
    assert all(is_city(t, name) for name in ("C5", "D5", "D3", "E4"))
    assert not is_city(t, "I9")


@pytest.mark.rule("CITY-6")
def test_without_palace_14_water_separates():
    t = river_scene(OVER_D4, homes="E4", palace="12").do("build E4")
    assert t.asks == ""
    assert founds(t) == set()


@pytest.mark.rule("CITY-6")
def test_the_river_hex_needs_the_same_buildings_and_power():
    t = river_scene({**OVER_D4, "D3": "workshop"}, homes="E4").do("build E4")  # power 6
    assert t.asks == ""
    assert founds(t) == set()


@pytest.mark.rule("CITY-6", "FAC/psychics", "OPT/palace14_when")
@pytest.mark.parametrize(("when", "asked"), [("own_turn", {"found C4", "found D4", "found E5"}), ("check", set())])
def test_a_declined_river_city_is_offered_before_the_second_action_too(when, asked):
    t = river_scene(OVER_D4, homes="E4", faction="psychics", options={"palace14_when": when})
    t.do("build E4", "decline").end()
    t.do("special faction/psychics")
    assert t.stage == "second"
    assert founds(t) == asked


@pytest.mark.rule("CITY-6", "OPT/palace14_when")
def test_a_declined_river_city_is_offered_again_in_the_own_turn():
    t = river_scene(OVER_D4, homes="E4").do("build E4", "decline")
    assert not is_city(t, "E4")
    assert founds(t) == {"found C4", "found D4", "found E5"}
    t.do("end")
    assert founds(t) == {"found C4", "found D4", "found E5"}  # before the next action
    t.do("found D4", "city coins")
    assert is_city(t, "E4")
    assert t.stage == "before"


@pytest.mark.rule("CITY-6", "OPT/palace14_when")
def test_with_the_option_check_it_is_offered_at_checks_only():
    options = {"palace14_when": "check"}
    t = river_scene(OVER_D4, homes="E4 D6", options=options).do("build E4", "decline")
    assert founds(t) == set()
    t.end()
    assert founds(t) == set()
    t.do("build D6")  # a check
    assert t.asks == "found"


@pytest.mark.rule("CITY-6", "CITY-4", "PAL/14")
def test_it_is_offered_when_palace_14_is_gained():
    seat = {"buildings": {**OVER_D4, "E4": "workshop", "I9": "guild"}}
    t = alone(seat).do("upgrade I9 palace", "palace 14")
    while t.asks not in ("found", ""):  # the books of the second sailing step, and the order of the parts
        t.do(sorted(t.legal())[0])
    assert t.asks == "found"


@pytest.mark.rule("CITY-6", "CITY-4", "COMP/6")
def test_it_is_offered_after_an_annex():
    buildings = {"C5": "guild", "D5": "guild", "D3": "workshop", "E4": "workshop"}
    t = river_scene(buildings, competencies=["6"], annexes=1).do("annex E4")
    assert t.legal() == {"found C4", "found D4", "found E5", "decline"}


@pytest.mark.rule("CITY-6", "CITY-4", "BR-1")
def test_it_is_offered_after_a_bridge():
    # E4 - E5 or F4 - F5, F6 have power 5; E8 joins them by the bridge
    t = river_scene({"E4": "guild", "F5": "workshop", "F6": "guild", "E8": "guild"}, bowls=[0, 0, 12])
    assert founds(t) == set()
    t.do("power bridge", "bridge E8-F6")
    assert t.legal() == {"found E5", "found F4", "decline"}


@pytest.mark.rule("CITY-6")
def test_a_river_hex_joins_all_the_banks_beside_it():
    # D5, E4 and F5 touch only by E5
    t = river_scene({"D5": "guild", "E4": "guild", "F5": "guild"}, homes="F6").do("build F6")
    assert t.legal() == {"found E5", "decline"}


E4_F5 = {"E4": "guild", "F5": "guild", "F6": "guild"}


@pytest.mark.rule("CITY-6")
def test_the_player_chooses_between_river_hexes():
    t = river_scene(E4_F5, homes="E3").do("build E3")
    assert t.legal() == {"found E5", "found F4", "decline"}


@pytest.mark.rule("CITY-6")
def test_no_river_hex_beside_a_building_of_an_own_city():
    city = {"G4": in_city("palace"), "H3": in_city("school"), "H2": in_city("school"), "G3": in_city("school")}
    seat = {"buildings": {**E4_F5, **city}, "palace": "14"}
    t = alone(seat, homes="E3").do("build E3")
    assert t.legal() == {"found E5", "decline"}  # F4 lies beside G4


@pytest.mark.rule("CITY-6")
def test_no_river_hex_twice():
    t = river_scene(E4_F5, homes="E3", river_cities=["E5"]).do("build E3")
    assert t.legal() == {"found F4", "decline"}


@pytest.mark.rule("CITY-6")
def test_only_one_river_hex_a_city():
    # E4 - F5, F6 - E8: two river hexes lie between, each joins three buildings only
    t = river_scene({"E4": "guild", "F5": "guild", "F6": "guild", "E8": "workshop"}).do("upgrade E8 guild")
    assert t.asks == ""
    assert founds(t) == set()


@pytest.mark.rule("CITY-6")
def test_a_group_that_qualifies_without_water_founds_its_city_normally():
    t = river_scene({"B5": "guild", "B6": "guild", "C6": "guild"}, homes="A6").do("build A6")
    assert t.asks == "city_tile"
    t.do("city tools")
    assert t.seat()["river_cities"] == []


@pytest.mark.rule("CITY-6", "ADJ-1")
def test_a_used_river_hex_changes_nothing_else():
    # the two banks of the city are still two settlements: with I9 and H5 four
    buildings = {"C5": in_city("guild"), "D5": in_city("guild"), "D3": in_city("guild"), "E4": in_city("workshop")}
    seat = {"board": "forest", "buildings": {**buildings, **FAR_PALACE, "H5": "workshop"}, "palace": "14"}
    assert invented("telecommunication", {**seat, "river_cities": ["D4"]})["vp"] == 8
