"""The round bonus tiles (RB)."""

from __future__ import annotations

import pytest

from .scenes import alone, next_round, settle
from .table import neutral

QUIET = ["city-engineering", "innovation-law", "track-engineering", "school-banking", "workshop-law", "guild-law"]
INCOMES = {
    "river": {},
    "palace-university": {"tools": 1},
    "science": {"tools": 2},
    "scholar": {"scholars": 1, "scholar_supply": -1},
    "school": {"coins": 4},
    "guild": {"bowl1": -3, "bowl2": 3},
    "power": {"bowl1": -4, "bowl2": 4, "coins": 2},
    "coins": {"coins": 6},
}


def passed_for(tile):
    """Seat 0 has passed for a tile without coins and gets the income of round 2."""
    held = [other for other in ("coins", "power", "guild", "school") if other != tile]
    free = [tile, *[other for other in ("river", "scholar", "bridge") if other != tile][:2]]
    seats = [{"bonus": held[seat]} for seat in range(3)]
    seats[0] |= {"board": "forest", "bowls": [12, 0, 0]}
    return next_round(*seats, bonus=tile, bonus_tiles=dict.fromkeys(free, 0), round_tiles=QUIET)


def gained(t):
    """The change without the 1 tool of an empty planning board."""
    change = t.change()
    change["tools"] = change.get("tools", 0) - 1
    return {key: amount for key, amount in change.items() if amount}


@pytest.mark.parametrize(
    "tile", [pytest.param(tile, marks=pytest.mark.rule(f"RB/{tile}", "INC-4")) for tile in INCOMES]
)
def test_income(tile):
    t = passed_for(tile)
    assert t.seat()["bonus"] == tile
    assert gained(t) == INCOMES[tile]


@pytest.mark.parametrize(
    "tile", [pytest.param(tile, marks=pytest.mark.rule(f"RB/{tile}")) for tile in ("spade", "bridge")]
)
def test_income_of_a_book(tile):
    t = passed_for(tile)
    assert (t.asks, t.pending["n"]) == ("books", 1)
    t.do("books engineering")
    assert gained(t) == {"engineering-book": 1}


# --- river ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RB/river")
def test_river_scores_workshops_beside_a_river():
    t = alone({"buildings": {"B6": "workshop"}, "bonus": "river"}, homes="B5 C7").do("build C7")
    assert t.vp_from("bonus_tile") == 2
    t.end().do("build B5").end()  # no river
    t.do("upgrade C7 guild")  # no workshop
    assert t.vp_from("bonus_tile") == 2


@pytest.mark.rule("RB/river", "REACH-2")
def test_river_adds_one_to_reach_until_its_holder_passes():
    seat = {"buildings": {"B7": "workshop"}, "bonus": "river"}
    t = alone(seat, homes="A9", bonus_tiles={"scholar": 0, "school": 0, "guild": 0}, round=1)
    assert "build A9" in t.legal()
    assert not t.legal("transform C10")  # two river hexes away
    assert "build A9" not in alone({**seat, "bonus": "coins"}, homes="A9").legal()


@pytest.mark.rule("RB/river", "REACH-2", "END-1")
def test_river_does_not_help_the_spades_of_phase_3():
    seat = {"board": "forest", "buildings": {"B7": "workshop"}, "science": {"engineering": 4}}
    t = next_round(seat, round_tiles=QUIET, terrain={"B7": "forest"})
    assert t.seat()["bonus"] == "river"
    assert t.asks == "spades"
    assert not t.legal("transform A9")


# --- special actions --------------------------------------------------------------------------------------------------
@pytest.mark.rule("RB/science", "SP-1")
def test_science():
    t = alone({"bonus": "science"}).do("special bonus/science", "step medicine").end()
    assert t.change() == {"medicine": 1}
    assert "special bonus/science" not in t.legal()


@pytest.mark.rule("RB/spade", "SP-1", "TB-4")
def test_spade():
    t = alone({"buildings": {"B6": "workshop"}, "bonus": "spade"}).do("special bonus/spade")
    assert (t.asks, t.pending["free"], t.pending["rule"]) == ("spades", 1, "normal")
    t.do("transform A7>forest", "build A7").end()
    assert t.change() == {"coins": -2, "tools": -1}
    assert "special bonus/spade" not in t.legal()


@pytest.mark.rule("RB/bridge", "SP-1", "BR-1")
def test_bridge():
    t = alone({"buildings": {"B4": "workshop", "C7": "workshop"}, "bonus": "bridge"}).do("special bonus/bridge")
    assert {"bridge B4-C3", "bridge C7-D8"} <= t.legal()
    t.do("bridge B4-C3")
    assert t.asks == ""
    assert t.change() == {"bridge_supply": -1}
    assert "special bonus/bridge" not in t.end().legal()
    assert "special bonus/bridge" not in alone({"buildings": {"B6": "workshop"}, "bonus": "bridge"}).legal()


# --- events -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RB/scholar", "SCH-1", "SCH-2")
@pytest.mark.parametrize("move", ["send law 3", "send law 2", "return law"])
def test_scholar(move):
    t = alone({"scholars": 1, "bonus": "scholar"}).do(move)
    assert t.vp_from("bonus_tile") == 2


@pytest.mark.rule("RB/scholar", "COMP/9")
def test_scholar_and_competency_9_both_score():
    t = alone({"scholars": 1, "bonus": "scholar", "competencies": ["9"]}).do("send law 2")
    assert t.change() == {"scholars": -1, "law": 2, "vp": 4}


@pytest.mark.rule("RB/guild", "UP-4")
def test_guild():
    t = alone({"buildings": {"B6": "workshop", "A7": "guild"}, "bonus": "guild"}).do("upgrade B6 guild")
    assert t.vp_from("bonus_tile") == 3
    t.end().do("upgrade A7 school")
    assert t.vp_from("bonus_tile") == 3


# --- passing ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RB/palace-university", "PASS-1")
@pytest.mark.parametrize(
    ("buildings", "vp"),
    [
        ({"B6": "palace"}, 4),
        ({"B6": "university"}, 4),
        ({"B6": "palace", "H11": "university"}, 8),
        ({"B6": "palace", "H11": neutral("palace"), "E2": neutral("university"), "A1": "guild"}, 12),
        ({"B6": "school", "A1": "guild", "H11": neutral("monument")}, 0),
    ],
)
def test_palace_university(buildings, vp):
    # 4 for each palace and university: the rulebook's example
    palace = {"palace": "17"} if buildings["B6"] == "palace" else {}
    t = alone({"buildings": buildings, "bonus": "palace-university", **palace}, round=1).do("pass river")
    assert t.vp_from("bonus_tile") == vp


@pytest.mark.rule("RB/school", "PASS-1", "NEUT-3")
def test_school():
    buildings = {"B6": "school", "H11": "school", "E2": neutral("school"), "A1": "guild"}
    t = alone({"buildings": buildings, "bonus": "school"}, round=1).do("pass river")
    assert (t.asks, t.pending["n"], t.pending["split"]) == ("steps", 3, True)
    t.do("step law", "step law", "step medicine")
    assert t.seat()["science"]["law"] == 2
    assert t.seat()["science"]["medicine"] == 1


@pytest.mark.rule("RB/school", "PASS-1")
def test_without_a_school_there_is_no_step():
    t = alone({"buildings": {"B6": "guild"}, "bonus": "school"}, round=1).do("pass river")
    assert t.asks != "steps"


@pytest.mark.rule("PASS-1", "COMP/12", "RB/school")
def test_pass_bonuses_come_in_the_players_order():
    # the step of the school tile first, then competency 12 counts a lowest level of 1
    seat = {
        "buildings": {"B6": "school"},
        "bonus": "school",
        "competencies": ["12"],
        "science": {"banking": 1, "law": 1, "engineering": 1},
    }
    t = settle(alone(seat, round=1).do("pass river"), "resolve bonus/school steps", "step medicine")
    assert t.vp_from("competency") == 1
