"""Neutral buildings (NEUT)."""

from __future__ import annotations

import pytest

from .scenes import alone, display, income, inventing, is_city
from .table import in_city, neutral

BASE = {"B6": "workshop"}
PRICE = {"coins": -5, "banking-book": -5}  # of an innovation: five books, 5 coins without a palace


def beyond_price(t):
    change = {key: t.change().get(key, 0) - PRICE.get(key, 0) for key in {*t.change(), *PRICE}}
    return {key: amount for key, amount in change.items() if amount}


def places(t):
    return {text.split()[1] for text in t.legal("place")}


# --- NEUT-1: where and for what ---------------------------------------------------------------------------------------
@pytest.mark.rule("NEUT-1", "INNO/workshop")
def test_it_is_placed_free_of_cost_on_home_terrain_in_reach():
    t = inventing("workshop", {"buildings": BASE, "tools": 0}, homes="B5").do("innovate workshop")
    assert t.asks == "neutral"
    assert t.legal() == {"place B5 workshop", "decline"}  # nothing to dig with
    t.do("place B5 workshop")
    assert t.kind_at("B5") == "workshop"
    assert beyond_price(t) == {}


@pytest.mark.rule("NEUT-1", "TB-2", "TB-3")
@pytest.mark.parametrize(("terraforming", "name", "tools"), [(0, "A7", 3), (0, "A6", 6), (1, "A7", 2), (2, "B7", 3)])
def test_other_terrain_is_first_dug_home_with_bought_spades(terraforming, name, tools):
    t = inventing("workshop", {"buildings": BASE, "tools": tools, "terraforming": terraforming})
    t.do("innovate workshop", f"place {name} workshop")
    assert beyond_price(t) == {"tools": -tools}
    assert t.dict["terrain"][name] == "forest"


@pytest.mark.rule("NEUT-1")
def test_only_hexes_that_the_tools_can_dig_home_are_offered():
    t = inventing("workshop", {"buildings": BASE, "tools": 5}).do("innovate workshop")
    assert places(t) == {"B5", "A7"}  # lake and mountain; two spades would cost 6
    t = inventing("workshop", {"buildings": BASE, "tools": 9}).do("innovate workshop")
    assert places(t) == {"B5", "A7", "A6", "C7", "B7", "C6"}


@pytest.mark.rule("NEUT-1", "TB-7", "FAC/goblins", "RS/spade-engineering")
def test_its_spades_count_for_goblins_and_the_spade_tile():
    tiles = ["workshop-law", "guild-law", "spade-engineering", "school-banking", "science-medicine", "city-engineering"]
    t = inventing("guild", {"faction": "goblins", "buildings": BASE}, round_tiles=tiles)
    t.do("innovate guild", "place A6 guild")  # wasteland to forest: two spades
    assert beyond_price(t) == {"tools": -6, "coins": 4, "vp": 4}


@pytest.mark.rule("NEUT-1", "REACH-1")
def test_its_reach_includes_sailing():
    seat = {"buildings": {"B7": "workshop"}}
    t = inventing("workshop", seat, homes="A9").do("innovate workshop")
    assert "A9" not in places(t)
    t = inventing("workshop", {**seat, "sailing": 1}, homes="A9").do("innovate workshop")
    assert "A9" in places(t)


@pytest.mark.rule("NEUT-1", "REACH-2", "RB/river")
def test_its_reach_includes_the_river_tile():
    seat = {"buildings": {"B7": "workshop"}, "bonus": "river"}
    t = inventing("workshop", seat, homes="A9").do("innovate workshop")
    assert "A9" in places(t)


@pytest.mark.rule("NEUT-1", "ORD-2")
def test_if_declined_it_is_lost_and_the_rest_of_the_tile_stays():
    t = inventing("guild", {"buildings": BASE, "bonus": "coins"}, homes="B5").do("innovate guild", "decline").end()
    assert t.kind_at("B5") is None
    assert t.asks == ""
    t.mark().do("pass river").end()
    assert t.change()["coins"] == 5  # its income


@pytest.mark.rule("NEUT-1")
def test_where_it_cannot_be_placed_the_innovation_is_taken_all_the_same():
    t = inventing("monument", {"buildings": BASE, "tools": 0}).do("innovate monument")
    assert t.asks == ""
    assert beyond_price(t) == {"vp": 7}


@pytest.mark.rule("NEUT-1", "OPT/neutral_must_place")
@pytest.mark.parametrize("must", [False, True])
def test_option_neutral_must_place(must):
    options = {"neutral_must_place": must}
    t = inventing("workshop", {"buildings": BASE}, homes="B5", options=options).do("innovate workshop")
    assert ("decline" in t.legal()) is (not must)


@pytest.mark.rule("NEUT-1", "OPT/neutral_must_place")
def test_even_where_it_must_be_placed_it_is_lost_when_no_hex_will_do():
    options = {"neutral_must_place": True}
    t = inventing("workshop", {"buildings": BASE, "tools": 0}, options=options).do("innovate workshop")
    assert t.asks == ""
    assert t.seat()["innovations"] == ["workshop"]


@pytest.mark.rule("NEUT-1", "MOLE-1", "FAC/moles")
def test_moles_may_tunnel_for_it():
    # B4 is forest, two hexes from B6; three players: 5 VP a tunnel
    t = inventing("workshop", {"faction": "moles", "buildings": BASE, "tools": 1}).do("innovate workshop")
    assert t.legal() == {"place B4 workshop tunnel", "decline"}
    t.do("place B4 workshop tunnel")
    assert beyond_price(t) == {"tools": -1, "vp": 5}


@pytest.mark.rule("NEUT-1", "MOLE-1")
def test_moles_pay_tunnel_and_spades_together():
    # C5 is mountain: one spade and the tunnel
    t = inventing("workshop", {"faction": "moles", "buildings": BASE, "tools": 3}).do("innovate workshop")
    assert places(t) == {"B4", "B5", "A7"}
    t = inventing("workshop", {"faction": "moles", "buildings": BASE, "tools": 4}).do("innovate workshop")
    assert places(t) == {"B4", "B5", "A7", "C5"}
    t.do("place C5 workshop tunnel")
    assert beyond_price(t) == {"tools": -4, "vp": 5}


FLIERS = {"buildings": {**BASE, "I9": "palace"}, "palace": "9", "scholars": 1, "tools": 0}


@pytest.mark.rule("NEUT-1", "FLY-1", "PAL/9")
def test_palace_9_may_fly_for_it():
    # forest two or three hexes away: B4, B9, E8 from B6, H11 from I9; A4 is made home terrain
    t = inventing("workshop", FLIERS, homes="A4").do("innovate workshop")
    assert t.legal() == {f"place {name} workshop flight" for name in ("A4", "B4", "B9", "E8", "H11")} | {"decline"}
    t.do("place A4 workshop flight")
    assert t.change() == {"banking-book": -5, "scholars": -1, "scholar_supply": 1, "vp": 5}


@pytest.mark.rule("NEUT-1", "OPT/neutral_special_reach")
@pytest.mark.parametrize(("option", "tunnel", "flight"), [("both", 1, 5), ("tunnel", 1, 0), ("none", 0, 0)])
def test_option_neutral_special_reach(option, tunnel, flight):
    options = {"neutral_special_reach": option}
    moles = inventing("workshop", {"faction": "moles", "buildings": BASE, "tools": 1}, options=options)
    assert len(moles.do("innovate workshop").legal("place")) == tunnel
    fliers = inventing("workshop", FLIERS, homes="A4", options=options).do("innovate workshop")
    assert len(fliers.legal("place")) == flight


@pytest.mark.rule("NEUT-1", "COMP/10", "ORD-1")
def test_a_competencys_tower_comes_before_or_after_the_steps_as_its_player_likes():
    t = alone({"buildings": {"B6": "guild"}}, homes="B5", competencies=display("1", "10"))
    t.do("upgrade B6 school", "competency 10")
    assert t.legal() == {"resolve competency/10 neutral", "resolve competency/10 steps"}
    t.do("resolve competency/10 neutral", "place B5 tower")
    assert (t.seat()["science"]["banking"], t.seat()["books"]["banking"]) == (2, 1)


@pytest.mark.rule("NEUT-1", "INNO/school")
def test_the_neutral_school_is_placed_before_its_competency_is_taken():
    t = inventing("school", {"buildings": BASE}, homes="B5").do("innovate school")
    assert t.asks == "neutral"
    t.do("place B5 school")
    assert t.asks == "competency"


# --- NEUT-2: placing is building --------------------------------------------------------------------------------------
def tiles(third):
    others = [
        "workshop-law",
        "science-medicine",
        "track-engineering",
        "city-engineering",
        "innovation-law",
        "guild-law",
    ]
    rest = [tile for tile in others if tile != third][:5]
    return [*rest[:2], third, *rest[2:]]


@pytest.mark.rule("NEUT-2", "RS-2")
@pytest.mark.parametrize(
    ("key", "tile", "vp"),
    [
        ("workshop", "workshop-banking", 2),
        ("guild", "guild-medicine", 3),
        ("school", "school-banking", 4),
        ("university", "palace-university-banking", 5),
        ("palace", "palace-university-medicine", 5),
    ],
)
def test_it_scores_the_round_tile(key, tile, vp):
    t = inventing(key, {"buildings": BASE}, homes="B5", round_tiles=tiles(tile)).do(
        f"innovate {key}", f"place B5 {key}"
    )
    assert t.vp_from("round_tile") == vp


@pytest.mark.rule("NEUT-2", "RS-1")
def test_it_scores_the_final_tile():
    t = inventing("workshop", {"buildings": BASE}, homes="A6", round=6, final_tile="edge-workshop")
    t.do("innovate workshop", "place A6 workshop")
    assert t.vp_from("final_tile") == 3


@pytest.mark.rule("NEUT-2", "RB/guild", "PAL/13")
def test_a_neutral_guild_scores_round_bonus_tile_and_palace():
    seat = {"buildings": {**BASE, "I9": "palace"}, "palace": "13", "bonus": "guild"}
    t = inventing("guild", seat, homes="B5").do("innovate guild", "place B5 guild")
    assert (t.vp_from("bonus_tile"), t.vp_from("palace")) == (3, 3)


@pytest.mark.rule("NEUT-2", "COMP/11", "PAL/12")
def test_a_neutral_workshop_scores_edge_competency_and_palace():
    seat = {"buildings": {**BASE, "I9": "palace"}, "palace": "12", "competencies": ["11"]}
    t = inventing("workshop", seat, homes="A6").do("innovate workshop", "place A6 workshop")
    assert (t.vp_from("competency"), t.vp_from("palace")) == (3, 2)


@pytest.mark.rule("NEUT-2", "FAC/navigators", "RB/river")
def test_a_neutral_workshop_beside_a_river_scores_for_navigators_and_the_river_tile():
    seat = {"faction": "navigators", "buildings": BASE, "bonus": "river"}
    t = inventing("workshop", seat, homes="C7").do("innovate workshop", "place C7 workshop")
    assert (t.vp_from("faction"), t.vp_from("bonus_tile")) == (2, 2)
    assert beyond_price(t) == {"vp": 4, "coins": 1}


@pytest.mark.rule("NEUT-2", "CITY-4")
def test_it_may_found_a_city():
    buildings = {"B5": "guild", "B6": "guild", "C6": "workshop"}
    t = inventing("guild", {"buildings": buildings}, homes="A6").do("innovate guild", "place A6 guild")
    assert t.asks == "city_tile"


@pytest.mark.rule("NEUT-2", "POW-4")
def test_neighbours_get_an_offer():
    other = {"board": "desert", "buildings": {"B7": "guild"}, "bowls": [12, 0, 0]}
    t = inventing("workshop", {"buildings": BASE}, other, homes="A7").do("innovate workshop", "place A7 workshop")
    assert (t.mover, t.asks) == (1, "offer")
    assert (t.pending["power"], t.pending["cost"]) == (2, 1)


@pytest.mark.rule("NEUT-2", "UP-3")
@pytest.mark.parametrize("key", ["university", "palace"])
def test_no_competency_and_no_palace_tile_come_with_it(key):
    t = inventing(key, {"buildings": BASE}, homes="B5").do(f"innovate {key}", f"place B5 {key}")
    assert t.asks == ""
    assert (t.seat()["competencies"], t.seat().get("palace")) == ([], None)


# --- NEUT-3: it counts as its kind ------------------------------------------------------------------------------------
@pytest.mark.rule("NEUT-3", "POW-4")
@pytest.mark.parametrize(
    ("kind", "power"),
    [("workshop", 1), ("guild", 2), ("school", 2), ("university", 3), ("palace", 3), ("tower", 2), ("monument", 4)],
)
def test_it_has_the_power_of_its_kind_as_a_neighbour(kind, power):
    other = {"board": "desert", "buildings": {"B7": neutral(kind)}}
    t = alone({"buildings": BASE}, other).do("upgrade B6 guild")
    assert (t.mover, t.asks) == (1, "offer")
    assert (t.pending["power"], t.pending["cost"]) == (power, power - 1)


@pytest.mark.rule("NEUT-3", "UP-2", "PAL/4", "PAL/3")
def test_neutral_buildings_are_never_upgraded():
    buildings = {"B5": neutral("workshop"), "B6": neutral("guild"), "C6": neutral("school"), "I9": "palace"}
    for palace in ("3", "4"):
        t = alone({"buildings": buildings, "palace": palace})
        assert t.legal("upgrade") == set()
        assert f"special palace/{palace}" not in t.legal()


@pytest.mark.rule("NEUT-3", "INC-1", "INC-2", "INC-3")
def test_neutral_buildings_uncover_no_income():
    kinds = ("workshop", "guild", "school", "university", "palace")
    buildings = {name: neutral(kind) for name, kind in zip(("B5", "B6", "C6", "A6", "C7"), kinds, strict=True)}
    assert income({"buildings": buildings}) == {}


@pytest.mark.rule("NEUT-3")
def test_a_neutral_piece_takes_none_of_the_own_pieces():
    # four own guilds on the map: the neutral one can still be built
    guilds = {name: in_city("guild") for name in ("B6", "C6", "C7", "D6")}
    t = inventing("guild", {"buildings": guilds}, homes="B5").do("innovate guild", "place B5 guild")
    assert t.kind_at("B5") == "guild"
    assert is_city(t, "B5")
