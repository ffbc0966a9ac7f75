"""Building bridges (BR)."""

from __future__ import annotations

import pytest

from .printed_maps import BRIDGE_DIFFERENCES, BRIDGES, at, axial, terrain
from .table import neutral, table

SEAT = dict(board="desert", bowls=[0, 0, 12])
MOLES = dict(faction="moles", board="desert", bowls=[12, 0, 0], coins=0)


def places(*seats, **top):
    """The places on which seat 0 may build with the power action (a single one is taken without asking)."""
    t = table(*seats, **top)
    if "power bridge" not in t.legal():
        return set()
    before = t.dict["bridges"]
    t.do("power bridge")
    if t.asks != "bridge":
        return {f"bridge {a}-{b}" for a, b, seat in t.dict["bridges"] if [a, b, seat] not in before and seat == 0}
    assert "decline" not in t.legal()
    return t.legal("bridge")


def facing(name):
    """All hexes of land that face a hex across one hex side, whatever lies between."""
    q, r = axial(name)
    around = [at(q + dq, r + dr) for dq, dr in BRIDGE_DIFFERENCES if 0 <= r + dr < 9]
    return {other for other in around if terrain("3-5").get(other, "river") != "river"}


def line(a, b):
    first, second = sorted((a, b), key=lambda name: (name[0], int(name[1:])))
    return f"bridge {first}-{second}"


@pytest.mark.rule("BR-1")
def test_one_end_with_an_own_building_is_enough():
    assert places(dict(SEAT, buildings={"D5": "workshop"})) == {"bridge D5-E4", "bridge D5-F5"}
    assert places(dict(SEAT, buildings={"E12": "workshop"})) == set()


@pytest.mark.rule("BR-1")
def test_neutral_buildings_count_as_ones_own():
    assert places(dict(SEAT, buildings={"D5": neutral("tower")})) == {"bridge D5-E4", "bridge D5-F5"}


@pytest.mark.rule("BR-1")
def test_the_other_end_may_be_anothers():
    other = dict(board="swamp", buildings={"E4": "guild"})
    assert places(dict(SEAT, buildings={"D5": "workshop"}), other) == {"bridge D5-E4", "bridge D5-F5"}


@pytest.mark.rule("BR-1")
def test_another_players_building_alone_is_not_enough():
    other = dict(board="swamp", buildings={"E4": "guild"})
    t = table(dict(SEAT, buildings={"D5": "workshop"}), other).do("power bridge")
    assert t.illegal("bridge E4-G4") == "BR-1"


@pytest.mark.rule("BR-1")
def test_only_places_without_a_bridge():
    other = dict(board="swamp", buildings={"E4": "guild"})
    assert places(dict(SEAT, buildings={"D5": "workshop"}), other, bridges=[["D5", "E4", 1]]) == {"bridge D5-F5"}


@pytest.mark.rule("BR-1", "POOL-1")
def test_three_bridges_a_player():
    built = [["D5", "E4", 0], ["D5", "F5", 0], ["E4", "F5", 0]]
    seat = dict(SEAT, buildings={"D5": "workshop", "E4": "workshop"})
    assert places(seat, bridges=built[:2]) == {"bridge E4-F5", "bridge E4-G4"}
    assert places(seat, bridges=built) == set()


@pytest.mark.rule("BR-1", "PAL/15")
def test_a_bridge_that_cannot_be_placed_is_lost():
    # palace 15 brings two bridges; E4 has three places but two bridges are built
    built = [["D5", "E4", 0], ["E4", "F5", 0]]
    seat = dict(board="desert", buildings={"E4": "guild"}, coins=9, tools=9)
    t = table(seat, bridges=built, palaces=["15"]).do("upgrade E4 palace")
    if t.asks == "palace":
        t.do("palace 15")
    t.do("resolve palace/15 bridges")
    assert t.asks == "bridge" and t.legal() == {"bridge E4-G4", "decline"}
    t.do("bridge E4-G4")
    assert t.asks == "resolve" and t.seat()["bridge_supply"] == 0


@pytest.mark.rule("ORD-2", "RB/bridge", "PAL/15")
def test_a_bridge_of_an_effect_may_be_declined():
    seat = dict(board="desert", buildings={"E4": "guild"}, coins=9, tools=9)
    t = table(seat, palaces=["15"]).do("upgrade E4 palace")
    if t.asks == "palace":
        t.do("palace 15")
    t.do("resolve palace/15 bridges", "decline")
    assert t.asks != "bridge" and t.seat()["bridge_supply"] == 3


@pytest.mark.rule("BR-1", "RB/bridge")
def test_the_bonus_tiles_bridge():
    t = table(dict(SEAT, bonus="bridge", buildings={"D5": "workshop"})).do("special bonus/bridge", "bridge D5-F5")
    assert t.change() == {"bridge_supply": -1} and t.dict["bridges"] == [["D5", "F5", 0]]


# --- moles -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BR-2", "FAC/moles")
@pytest.mark.parametrize("name", ["E12", "D5", "F5", "H7", "A12", "I13"])
def test_the_moles_own_bridges_may_use_any_line(name):
    t = table(dict(MOLES, buildings={name: "workshop"}, tools=1))
    assert t.legal("bridge") == {line(name, other) for other in facing(name)}


@pytest.mark.rule("BR-2", "FAC/moles")
def test_a_moles_bridge_costs_a_tool_and_no_power_and_any_number_a_round():
    seat = dict(MOLES, buildings={"D5": "workshop"}, tools=2)
    t = table(seat, dict(passed=True), dict(passed=True), next_order=[1, 2])
    assert t.legal("bridge") == {"bridge B5-D5", "bridge C7-D5", "bridge D5-E4", "bridge D5-F5"}
    t.do("bridge B5-D5")
    assert t.change() == {"tools": -1, "bridge_supply": -1}
    t.end().do("bridge C7-D5")
    assert t.change() == {"tools": -2, "bridge_supply": -2}
    t.end()
    assert not t.legal("bridge")  # no tool left


@pytest.mark.rule("BR-2", "BR-1", "POOL-1")
def test_all_else_of_building_a_bridge_holds_for_the_moles():
    seat = dict(MOLES, buildings={"D5": "workshop"}, tools=9)
    t = table(seat, dict(board="swamp", buildings={"E4": "workshop"}))
    assert all("D5" in text.split()[1].split("-") for text in t.legal("bridge"))  # an own building at one end
    assert t.illegal("bridge E4-G4") in {"BR-1", "BR-2"}
    two = [["B5", "D5", 0], ["C7", "D5", 0]]
    assert table(seat, bridges=two).legal("bridge") == {"bridge D5-E4", "bridge D5-F5"}
    assert not table(seat, bridges=[*two, ["D5", "E4", 0]]).legal("bridge")  # three bridges a player


@pytest.mark.rule("BR-2", "PA/bridge")
def test_moles_with_the_power_action_use_printed_places_only():
    seat = dict(MOLES, buildings={"D5": "workshop"}, bowls=[0, 0, 3], tools=1)
    assert table(seat).do("power bridge").legal("bridge") == {"bridge D5-E4", "bridge D5-F5"}
    assert len(table(seat).legal("bridge")) > 2


@pytest.mark.rule("BR-2", "FAC/moles")
def test_other_factions_have_no_bridges_for_tools():
    t = table(dict(SEAT, buildings={"D5": "workshop"}, tools=9))
    assert not t.legal("bridge")
    assert t.illegal("bridge D5-E4") in {"BR-2", "BR-1", "FAC/moles"}


@pytest.mark.rule("BR-2")
def test_every_printed_place_is_a_line():
    for side in ("3-5", "1-3"):
        for place in BRIDGES[side]:
            (q1, r1), (q2, r2) = (axial(name) for name in place.split("-"))
            assert (q2 - q1, r2 - r1) in BRIDGE_DIFFERENCES


@pytest.mark.rule("BR-1", "ADJ-1", "CITY-4")
def test_a_bridge_may_found_a_city():
    # guild A9, school A10, school B10 and a workshop on B7: 7 power in 4 buildings once A9-B7 stands
    seat = dict(SEAT, buildings={"A9": "guild", "A10": "school", "B10": "school", "B7": "workshop"})
    t = table(seat).do("power bridge")
    assert t.asks == "city_tile"
