"""Moles: tunnels and their own bridges (MOLE-1, BR-2).

From B6 two hexes away: forest B4, mountain C5 (one spade), wasteland D6 (two), plains A5 and desert D5 (three spades).
"""

from __future__ import annotations

import pytest

from .scenes import alone, final_scores, next_round, points
from .table import DISCIPLINES
from .test_round_tiles import with_tile

BASE = {"B6": "workshop"}
MOLES = {"faction": "moles", "buildings": BASE}
TWO_PLAYERS = {"area_tile": 12, "rival": dict.fromkeys(DISCIPLINES, 2)}


@pytest.mark.rule("MOLE-1", "FAC/moles")
def test_a_tunnel_costs_1_tool_and_skips_one_hex():
    t = alone(MOLES).do("build B4 tunnel")
    assert t.change() == {"tools": -2, "coins": -2, "vp": 5}
    assert t.vp_from("faction") == 5


@pytest.mark.rule("MOLE-1")
def test_where_tunnels_lead():
    t = alone(MOLES)
    hexes = {text.split()[1].split(">")[0] for text in t.legal() if text.endswith(" tunnel")}
    assert hexes == {"A5", "B4", "C5", "D5", "D6"}


@pytest.mark.rule("MOLE-1")
def test_the_target_is_not_adjacent_to_an_own_building():
    t = alone(MOLES, homes="B5")
    assert "build B5" in t.legal()
    assert "build B5 tunnel" not in t.legal()
    t = alone({"faction": "moles", "buildings": {**BASE, "B5": "workshop"}})
    assert "build B4 tunnel" not in t.legal()


@pytest.mark.rule("MOLE-1")
def test_not_two_hexes_at_once():
    # A4 is three hexes away
    t = alone(MOLES, homes="A4")
    assert not any("A4" in text for text in t.legal())


@pytest.mark.rule("MOLE-1")
def test_a_river_hex_or_a_hex_with_a_building_can_be_skipped():
    # B7 - river - A9, B9
    t = alone({"faction": "moles", "buildings": {"B7": "workshop"}}, homes="A9")
    assert {"build A9 tunnel", "build B9 tunnel"} <= t.legal()
    # C6 and C7 lie between B6 and D6, both built on by another
    others = {"board": "swamp", "buildings": {"C7": "guild", "C6": "guild"}}
    t = alone(MOLES, others, homes="D6")
    assert "build D6 tunnel" in t.legal()


@pytest.mark.rule("MOLE-1")
def test_the_target_may_be_in_reach_by_sailing():
    t = alone({"faction": "moles", "buildings": {"B7": "workshop"}, "sailing": 1}, homes="A9")
    assert {"build A9", "build A9 tunnel"} <= t.legal()
    t.do("build A9 tunnel")
    assert t.change() == {"tools": -2, "coins": -2, "vp": 5}


@pytest.mark.rule("MOLE-1", "ADJ-1")
def test_the_skipped_hex_may_be_adjacent_by_a_bridge():
    # C3 - bridge - B4 - A5
    seat = {"faction": "moles", "buildings": {"C3": "workshop"}}
    assert "build A5 tunnel" not in alone(seat, homes="A5").legal()
    assert "build A5 tunnel" in alone(seat, homes="A5", bridges=[["B4", "C3", 1]]).legal()


@pytest.mark.rule("MOLE-1", "TB-3")
def test_transforming_over_a_tunnel():
    t = alone(MOLES).do("transform C5>forest tunnel")
    assert t.change() == {"tools": -1 - 3, "vp": 5}
    t.do("build C5")  # the same action: no second tunnel
    assert t.change() == {"tools": -1 - 3 - 1, "coins": -2, "vp": 5}


@pytest.mark.rule("MOLE-1")
def test_transforming_now_and_building_later_needs_the_tunnel_twice():
    t = alone(MOLES).do("transform C5>forest tunnel", "decline").end()
    assert "build C5" not in t.legal()
    t.do("build C5 tunnel")
    assert t.change() == {"tools": -4 - 2, "coins": -2, "vp": 10}


@pytest.mark.rule("MOLE-1", "TB-4")
def test_one_tunnel_an_action_and_for_one_hex_also_with_free_spades():
    t = alone({**MOLES, "bowls": [0, 0, 12]}).do("power two-spades", "transform C5>forest tunnel")
    assert t.change()["vp"] == 5
    assert not any(text.endswith(" tunnel") for text in t.legal())
    assert "transform A7>forest" in t.legal()  # in reach without a tunnel
    t.do("transform A7>forest", "build C5")
    assert t.change()["vp"] == 5


@pytest.mark.rule("MOLE-1", "TB-4")
def test_the_tunnel_may_serve_the_second_hex():
    t = alone({**MOLES, "bowls": [0, 0, 12]}).do(
        "power two-spades", "transform A7>forest", "transform C5>forest tunnel"
    )
    assert t.change()["vp"] == 5
    assert t.change()["tools"] == -1


@pytest.mark.rule("MOLE-1", "ACT-2")
def test_tunnel_and_workshop_must_be_payable():
    assert "build B4 tunnel" not in alone({**MOLES, "tools": 1}).legal()
    assert "build B4 tunnel" in alone({**MOLES, "tools": 2}).legal()
    assert "transform C5>forest tunnel" not in alone({**MOLES, "tools": 3}).legal()


@pytest.mark.rule("MOLE-1", "END-1")
def test_no_tunnel_in_phase_3():
    seat = {"board": "forest", **MOLES, "science": {"engineering": 4}, "tools": 5}
    t = next_round(seat, round_tiles=with_tile("city-engineering", 1))
    assert t.asks == "spades"
    assert not any(text.endswith(" tunnel") for text in t.legal())


@pytest.mark.rule("MOLE-1", "CITY-1", "ADJ-1")
def test_a_tunnel_joins_nothing_to_a_city():
    buildings = {"B6": "guild", "C7": "guild", "B7": "guild"}
    t = alone({"faction": "moles", "buildings": buildings}).do("build B4 tunnel")
    assert t.asks == ""


@pytest.mark.rule("MOLE-1", "POW-4")
def test_a_tunnel_makes_no_offer_over_the_skipped_hex():
    # seat 1 on A6 is adjacent to A5, seat 2 on A7 is not
    one, two = {"board": "desert", "buildings": {"A6": "guild"}}, {"board": "swamp", "buildings": {"A7": "guild"}}
    t = alone(MOLES, one, two, homes="A5").do("build A5 tunnel")
    assert (t.mover, t.asks, t.pending["power"]) == (1, "offer", 2)
    t.do("decline")
    assert t.asks == ""


def tunnel_vp(players, edition="1.2", options=None):
    """VP of one tunnel; with two players on the 1-3 side from B8 over A9 or B9 to A10."""
    if players == 2:
        seat = {"faction": "moles", "buildings": {"B8": "workshop"}}
        t = alone(seat, homes="A10", players=2, edition=edition, options=options, **TWO_PLAYERS).do("build A10 tunnel")
    else:
        t = alone(MOLES, players=players, edition=edition, options=options).do("build B4 tunnel")
    return t.vp_from("faction")


@pytest.mark.rule("MOLE-1", "FAC/moles", "ED/moles")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_vp_of_a_tunnel_by_edition(players):
    assert tunnel_vp(players, "1.2") == 2 + players
    assert tunnel_vp(players, "1.0") == 4


@pytest.mark.rule("MOLE-1", "OPT/moles_vp_counts")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_option_moles_vp_counts(players):
    assert tunnel_vp(players, options={"moles_vp_counts": "players"}) == 2 + players
    assert tunnel_vp(players, options={"moles_vp_counts": "others"}) == 2 + players - 1
    assert tunnel_vp(players, "1.0", options={"moles_vp_counts": "others"}) == 4


# --- the final area ---------------------------------------------------------------------------------------------------
def area(moles, rival=("E12", "F12"), **top):
    """Area VP of moles and of a seat with two adjacent buildings."""
    seat = {"faction": "moles", "buildings": dict.fromkeys(moles, "workshop")}
    others = ({"buildings": dict.fromkeys(rival, "workshop")}, {"buildings": {"I13": "workshop"}})
    return points(final_scores(seat, *others, **top), "area")


@pytest.mark.rule("MOLE-1", "FIN-1")
def test_in_the_final_area_one_hex_between_joins():
    assert area(["B6", "B4", "D6"]) == [18, 12, 6]  # three buildings


@pytest.mark.rule("MOLE-1", "FIN-1")
def test_in_the_final_area_two_hexes_between_do_not_join():
    assert area(["B6", "A4", "E8"])[1] == 18  # groups of one


@pytest.mark.rule("MOLE-1", "FIN-1", "ADJ-1")
def test_in_the_final_area_the_hex_between_may_be_bridged():
    assert area(["C3", "A5"])[1] == 18
    assert area(["C3", "A5"], bridges=[["B4", "C3", 2]])[1] == 15  # two buildings each: (18 + 12) / 2


# --- bridges ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FAC/moles", "BR-2", "BR-1")
def test_moles_bridge_any_two_hexes_that_face_each_other_across_a_side():
    t = alone(MOLES)
    assert t.legal("bridge") == {"bridge A5-B6", "bridge B6-C5", "bridge B6-D6"}
    t.do("bridge B6-C5")
    assert t.change() == {"tools": -1, "bridge_supply": -1}
    assert t.dict["bridges"] == [["B6", "C5", 0]]


@pytest.mark.rule("FAC/moles", "BR-1", "SP-1")
def test_three_bridges_in_a_round_but_no_fourth():
    t = alone(MOLES)
    for bridge in ("A5-B6", "B6-C5", "B6-D6"):
        t.do(f"bridge {bridge}").end()
    assert t.change() == {"tools": -3, "bridge_supply": -3}
    t = alone({**MOLES, "bridge_supply": 0})
    assert t.legal("bridge") == set()


@pytest.mark.rule("FAC/moles", "BR-1")
def test_no_second_bridge_on_a_line():
    t = alone(MOLES, bridges=[["B6", "C5", 1]])
    assert t.legal("bridge") == {"bridge A5-B6", "bridge B6-D6"}


@pytest.mark.rule("FAC/moles", "BR-2")
def test_with_other_bridge_actions_moles_use_printed_places_only():
    t = alone({"faction": "moles", "buildings": {"B4": "workshop", "C7": "workshop"}, "bowls": [0, 0, 12]})
    assert len(t.legal("bridge")) > 2
    t.do("power bridge")
    assert t.legal("bridge") == {"bridge B4-C3", "bridge C7-D8"}
    assert "power bridge" not in alone({**MOLES, "bowls": [0, 0, 12]}).legal()


@pytest.mark.rule("FAC/moles")
def test_moles_need_the_tool_and_nobody_else_may():
    assert alone({**MOLES, "tools": 0}).legal("bridge") == set()
    assert alone({"faction": "omar", "buildings": BASE}).legal("bridge") == set()


@pytest.mark.rule("FAC/moles", "ADJ-1", "REACH-1")
def test_a_bridge_of_moles_makes_adjacent():
    t = alone(MOLES).do("bridge B6-C5").end().mark().do("transform C5>forest", "build C5")
    assert t.change() == {"tools": -4, "coins": -2}
    assert "build C5 tunnel" not in t.legal()
