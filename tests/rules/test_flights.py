"""Palace 9: flights over one or two hexes (FLY-1).

From B6 two hexes away: A5, B4 (forest), C5 (mountain, one spade), D5, D6; three: A4, A9, B9 and E8 (forest), D8.
"""

from __future__ import annotations

import pytest

from .scenes import alone, final_scores, next_round, points
from .test_round_tiles import with_tile

FLIERS = {"buildings": {"B6": "palace"}, "palace": "9", "scholars": 1}
PAID = {"scholars": -1, "scholar_supply": 1, "vp": 5}


@pytest.mark.rule("FLY-1", "PAL/9")
@pytest.mark.parametrize("target", ["B4", "B9", "E8"])
def test_a_flight_returns_a_scholar_and_skips_one_or_two_hexes(target):
    t = alone(FLIERS).do(f"build {target} flight")
    assert t.change() == {**PAID, "coins": -2, "tools": -1}
    assert t.vp_from("palace") == 5


@pytest.mark.rule("FLY-1")
def test_where_flights_lead():
    t = alone(FLIERS)
    hexes = {text.split()[1].split(">")[0] for text in t.legal() if text.endswith(" flight")}
    assert hexes == {"A5", "B4", "C5", "D5", "D6", "A4", "A9", "B9", "D8", "E8"}


@pytest.mark.rule("FLY-1")
def test_no_flight_to_a_hex_beside_an_own_building():
    t = alone({**FLIERS, "buildings": {"B6": "palace", "B5": "workshop"}}, homes="A7")
    assert "build A7" in t.legal()
    assert "build A7 flight" not in t.legal()
    assert "build B4 flight" not in t.legal()


@pytest.mark.rule("FLY-1")
def test_no_flight_without_a_scholar_or_the_palace():
    assert not any(text.endswith(" flight") for text in alone({**FLIERS, "scholars": 0}).legal())
    assert not any(text.endswith(" flight") for text in alone({**FLIERS, "palace": "1"}).legal())


@pytest.mark.rule("FLY-1")
def test_a_flight_may_lead_where_sailing_does():
    # B7 - river B8 - A9
    seat = {**FLIERS, "buildings": {"B7": "palace"}, "sailing": 1}
    t = alone(seat, homes="A9")
    assert {"build A9", "build A9 flight"} <= t.legal()


@pytest.mark.rule("FLY-1", "TB-3")
def test_transforming_by_flight():
    t = alone(FLIERS).do("transform C5>forest flight", "build C5")
    assert t.change() == {**PAID, "coins": -2, "tools": -4}


@pytest.mark.rule("FLY-1")
def test_transforming_now_and_building_later_needs_the_flight_twice():
    t = alone({**FLIERS, "scholars": 2}).do("transform C5>forest flight", "decline").end()
    assert "build C5" not in t.legal()
    t.do("build C5 flight")
    assert t.change() == {"scholars": -2, "scholar_supply": 2, "vp": 10, "coins": -2, "tools": -4}


@pytest.mark.rule("FLY-1", "TB-4")
def test_one_flight_an_action_also_with_free_spades():
    t = alone({**FLIERS, "scholars": 2, "bowls": [0, 0, 12]}).do("power two-spades", "transform C5>forest flight")
    assert not any(text.endswith(" flight") for text in t.legal())
    t.do("transform A7>forest", "build C5")
    assert t.change()["vp"] == 5


@pytest.mark.rule("FLY-1", "MOLE-1", "FAC/moles")
def test_tunnel_and_flight_are_not_used_in_one_action():
    seat = {**FLIERS, "faction": "moles", "scholars": 2, "bowls": [0, 0, 12]}
    t = alone(seat)
    assert {"build B4 tunnel", "build B4 flight"} <= t.legal()
    assert "build B9 tunnel" not in t.legal()
    t.do("power two-spades", "transform C5>forest tunnel")
    assert not any(text.endswith((" flight", " tunnel")) for text in t.legal())


@pytest.mark.rule("FLY-1", "PAL/2", "TB-4")
def test_flights_serve_all_actions_with_spades():
    t = alone({**FLIERS, "bonus": "spade"}).do("special bonus/spade")
    assert "transform C5>forest flight" in t.legal()


@pytest.mark.rule("FLY-1", "END-1")
def test_no_flight_in_phase_3():
    seat = {"board": "forest", **FLIERS, "science": {"engineering": 4}, "tools": 5}
    t = next_round(seat, round_tiles=with_tile("city-engineering", 1))
    assert t.asks == "spades"
    assert not any(text.endswith(" flight") for text in t.legal())


def area(*hexes, palace="9", **top):
    """Area VP of the fliers (their palace on the first hex) and of a seat with two adjacent buildings."""
    buildings = {hexes[0]: "palace", **dict.fromkeys(hexes[1:], "workshop")}
    others = ({"buildings": {"E12": "workshop", "F12": "workshop"}}, {"buildings": {"I13": "workshop"}})
    return points(final_scores({"buildings": buildings, "palace": palace}, *others, **top), "area")


@pytest.mark.rule("FLY-1", "FIN-1")
def test_in_the_final_area_one_or_two_hexes_between_join():
    assert area("B6", "B4", "A9") == [18, 12, 6]  # one between, two between
    assert area("B6", "B4", "A9", palace="1") == [9, 18, 9]


@pytest.mark.rule("FLY-1", "FIN-1")
def test_in_the_final_area_three_hexes_between_do_not_join():
    assert area("B6", "E9")[1] == 18  # four hexes apart
    assert area("B6", "E8")[1] == 15  # three hexes apart: two buildings each


@pytest.mark.rule("FLY-1", "FIN-1", "FAC/moles")
def test_moles_with_palace_9_join_by_both():
    buildings = {"B6": "palace", "B4": "workshop", "B9": "workshop"}
    others = ({"buildings": {"E12": "workshop", "F12": "workshop"}}, {"buildings": {"I13": "workshop"}})
    t = final_scores({"faction": "moles", "buildings": buildings, "palace": "9"}, *others)
    assert points(t, "area") == [18, 12, 6]
