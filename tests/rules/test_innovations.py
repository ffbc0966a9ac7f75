"""What the innovations do (INNO)."""

from __future__ import annotations

import pytest

from .scenes import alone, income, invented, inventing, scored_by_passing, settle
from .table import DISCIPLINES, annexed, in_city, neutral

# nine hexes of one group and four on their own
GROUP = ("A5", "A6", "B4", "B5", "B6", "C5", "C6", "C7", "D6")
APART = ("A1", "E2", "H11", "I9")


def town(n):
    """n buildings: up to nine workshops, then guilds, all in cities."""
    names = [*GROUP, *APART][:n]
    return {name: in_city("workshop" if index < 9 else "guild") for index, name in enumerate(names)}


# --- special actions and passing --------------------------------------------------------------------------------------
@pytest.mark.rule("INNO/deus-ex-machina", "TB-4")
def test_deus_ex_machina():
    t = settle(
        inventing("deus-ex-machina", {"buildings": {"B6": "workshop"}}).do("innovate deus-ex-machina"), "books law"
    )
    each = dict.fromkeys(DISCIPLINES, 1)
    assert t.change() == {"coins": -5, "banking-book": -5, "law-book": 1, **each}
    t.end().do("special innovation/deus-ex-machina")
    assert (t.asks, t.pending["free"], t.pending["rule"]) == ("spades", 1, "normal")
    t.do("transform A7>forest", "decline").end()
    assert "special innovation/deus-ex-machina" not in t.legal()


@pytest.mark.rule("INNO/trade-routes", "PASS-1")
@pytest.mark.parametrize("guilds", [0, 1, 4])
def test_trade_routes(guilds):
    buildings = dict.fromkeys(APART[:guilds], "guild")
    buildings["B6"] = neutral("guild") if guilds else "workshop"
    t = scored_by_passing({"innovations": ["trade-routes"], "buildings": buildings})
    assert t.vp_from("innovation") == 2 * (guilds + 1 if guilds else 0)


@pytest.mark.rule("INNO/trade-routes")
def test_trade_routes_gives_nothing_at_once():
    assert invented("trade-routes", {"buildings": {"B6": "guild"}}) == {}


@pytest.mark.rule("INNO/professor", "SP-1")
def test_professor():
    t = alone({"innovations": ["professor"]}).do("special innovation/professor").end()
    assert t.change() == {"scholars": 1, "scholar_supply": -1, "vp": 3}
    assert "special innovation/professor" not in t.legal()


@pytest.mark.rule("INNO/professor", "POOL-1")
def test_professor_without_a_scholar_left_still_scores():
    t = alone({"innovations": ["professor"], "scholar_supply": 0}).do("special innovation/professor")
    assert t.change() == {"vp": 3}


# --- once -------------------------------------------------------------------------------------------------------------
ALL_KINDS = {
    "A1": "workshop",
    "E2": "guild",
    "H11": "school",
    "I9": "university",
    "B6": "palace",
    "G6": neutral("tower"),
    "D13": neutral("monument"),
}


@pytest.mark.rule("INNO/architecture")
@pytest.mark.parametrize("kinds", [1, 2, 5, 7])
def test_architecture(kinds):
    buildings = dict(list(ALL_KINDS.items())[:kinds])
    palace = {"palace": "17"} if "B6" in buildings else {}
    t = inventing("architecture", {"buildings": buildings, **palace}).do("innovate architecture")
    assert t.vp_from("innovation") == 10
    assert (t.asks, t.pending["n"], t.pending["split"]) == ("steps", kinds, True)


@pytest.mark.rule("INNO/architecture")
def test_architecture_steps_go_in_any_split_and_a_neutral_building_is_of_its_kind():
    buildings = {"A1": "workshop", "E2": neutral("workshop"), "H11": neutral("school"), "I9": "school", "G6": "guild"}
    t = inventing("architecture", {"buildings": buildings}).do("innovate architecture")
    assert t.pending["n"] == 3
    t.do("step law", "step medicine", "step law")
    assert t.change() == {"coins": -5, "banking-book": -5, "vp": 10, "law": 2, "medicine": 1}


@pytest.mark.rule("INNO/census")
@pytest.mark.parametrize(("buildings", "vp"), [(6, 0), (7, 8), (8, 8), (9, 12), (10, 12), (11, 18), (12, 18), (13, 18)])
def test_census(buildings, vp):
    assert invented("census", {"buildings": town(buildings)}) == ({"vp": vp} if vp else {})


@pytest.mark.rule("INNO/library")
@pytest.mark.parametrize(
    ("levels", "vp"),
    [((9, 7, 7, 2), 16), ((0, 0, 0, 0), 0), ((0, 4, 0, 0), 4), ((1, 2, 3, 4), 7), ((12, 12, 0, 12), 24)],
)
def test_library(levels, vp):
    # 9, 7, 7, 2: the rulebook's example
    science = dict(zip(DISCIPLINES, levels, strict=True))
    assert invented("library", {"science": science}) == ({"vp": vp} if vp else {})


SEPARATE = ("A1", "B6", "D13", "E2", "E8", "G6", "H11")


@pytest.mark.rule("INNO/telecommunication", "ADJ-1")
@pytest.mark.parametrize(("settlements", "vp"), [(3, 0), (4, 8), (5, 12), (6, 18), (7, 18)])
def test_telecommunication(settlements, vp):
    # one more building beside B6 is no settlement of its own
    buildings = dict.fromkeys([*SEPARATE[:settlements], "B5"], "workshop")
    assert invented("telecommunication", {"buildings": buildings, "sailing": 3}) == ({"vp": vp} if vp else {})


@pytest.mark.rule("INNO/telecommunication", "ADJ-1")
def test_a_bridge_joins_two_settlements():
    # E8 and F6 are joined by seat 1's bridge
    buildings = dict.fromkeys(("A1", "B6", "E8", "F6"), "workshop")
    assert invented("telecommunication", {"buildings": buildings}) == {"vp": 8}
    assert invented("telecommunication", {"buildings": buildings}, bridges=[["E8", "F6", 1]]) == {}


@pytest.mark.rule("INNO/science")
@pytest.mark.parametrize("schools", [0, 1, 3])
def test_science(schools):
    buildings = {"B6": "guild", **dict.fromkeys(APART[:schools], "school")}
    assert invented("science", {"buildings": buildings}) == ({"vp": 5 * schools} if schools else {})
    buildings["G6"] = neutral("school")
    assert invented("science", {"buildings": buildings}) == {"vp": 5 * (schools + 1)}


@pytest.mark.rule("INNO/sewage-system")
@pytest.mark.parametrize("workshops", [0, 1, 9])
def test_sewage_system(workshops):
    buildings = {"G6": "guild", **town(workshops)}
    assert invented("sewage-system", {"buildings": buildings}) == ({"vp": 2 * workshops} if workshops else {})
    buildings["H11"] = neutral("workshop")
    assert invented("sewage-system", {"buildings": buildings}) == {"vp": 2 * (workshops + 1)}


@pytest.mark.rule("INNO/league-of-cities", "CITY-5")
@pytest.mark.parametrize("tiles", [[], ["tools"], ["tools", "coins", "coins"]])
def test_league_of_cities(tiles):
    assert invented("league-of-cities", {"city_tiles": tiles}) == ({"vp": 5 * len(tiles)} if tiles else {})


@pytest.mark.rule("INNO/steam-engine", "TR-3")
def test_steam_engine():
    t = inventing("steam-engine", {"buildings": {"B6": "workshop"}}, round=1).do("innovate steam-engine")
    settle(t, "books law law")
    # sailing 1: 2 VP; 2 tools a spade: 2 books
    expected = {"scholars": 1, "scholar_supply": -1, "sailing": 1, "terraforming": 1, "vp": 2, "law-book": 2}
    assert t.change() == {"coins": -5, "banking-book": -5, **expected}


@pytest.mark.rule("INNO/steam-engine", "TR-3", "RS/track-engineering")
def test_steam_engines_steps_score_like_bought_ones():
    t = settle(inventing("steam-engine", {"terraforming": 1}, round=3).do("innovate steam-engine"))
    while t.asks == "resolve":
        t.do(sorted(t.legal())[0])
    assert (t.vp_from("round_tile"), t.vp_from("terraforming"), t.vp_from("sailing")) == (6, 6, 2)


@pytest.mark.rule("INNO/steel", "BR-1")
@pytest.mark.parametrize(("bridges", "vp"), [(0, 0), (1, 8), (2, 12), (3, 18)])
def test_steel(bridges, vp):
    own = [["B4", "C3", 0], ["C7", "D8", 0], ["A9", "B7", 0]][:bridges]
    others = [["E8", "F6", 1], ["D6", "E8", 2]]
    seat = {"buildings": {"B4": "workshop", "C7": "workshop", "B7": "workshop"}}
    assert invented("steel", seat, bridges=[*own, *others]) == ({"vp": vp} if vp else {})


@pytest.mark.rule("INNO/science", "INN-3")
def test_the_effect_comes_after_paying():
    t = inventing("science", {"buildings": {"B6": "school"}, "coins": 5}).do("innovate science")
    assert t.change() == {"coins": -5, "banking-book": -5, "vp": 5}


# --- neutral buildings ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("key", "gain"),
    [
        pytest.param(key, gain, marks=pytest.mark.rule(f"INNO/{key}"))
        for key, gain in (
            ("workshop", {}),
            ("guild", {}),
            ("university", {}),
            ("palace", {"bowl3": 2}),
            ("monument", {"vp": 7}),
        )
    ],
)
def test_neutral_building_at_once(key, gain):
    t = inventing(key, {"buildings": {"B6": "workshop"}}, homes="B5").do(f"innovate {key}", f"place B5 {key}")
    assert t.asks == ""
    assert t.change() == {"coins": -5, "banking-book": -5, **gain}
    assert t.kind_at("B5") == key


@pytest.mark.rule("INNO/school", "COMP-1")
def test_the_neutral_school_brings_a_competency_even_if_it_is_not_placed():
    t = inventing("school", {"buildings": {"B6": "workshop"}, "tools": 0}).do("innovate school")
    assert t.asks == "competency"


@pytest.mark.parametrize(
    ("key", "gain"),
    [
        pytest.param(key, gain, marks=pytest.mark.rule(f"INNO/{key}", "INC-4"))
        for key, gain in (
            ("workshop", {"tools": 3}),
            ("guild", {"coins": 5}),
            ("school", {}),
            ("university", {"vp": 2}),
            ("palace", {"bowl1": -4, "bowl2": 4}),
            ("monument", {}),
            ("professor", {}),
            ("deus-ex-machina", {}),
        )
    ],
)
def test_innovation_income(key, gain):
    assert income({"innovations": [key]}) == gain


@pytest.mark.rule("INNO/university", "CITY-1")
def test_the_neutral_university_makes_a_city_of_three():
    buildings = {"B5": neutral("university"), "B6": "guild", "C6": "workshop"}
    assert alone({"buildings": buildings}).do("upgrade C6 guild").asks == "city_tile"


@pytest.mark.rule("INNO/palace", "INN-1", "OPT/neutral_palace_waives_surcharge")
@pytest.mark.parametrize(("waives", "coins"), [(False, 5), (True, 0)])
def test_option_neutral_palace_waives_surcharge(waives, coins):
    seat = {
        "buildings": {"B6": "workshop", "I9": neutral("palace")},
        "innovations": ["palace"],
        "books": {"banking": 6},
    }
    t = inventing("trade-routes", seat, options={"neutral_palace_waives_surcharge": waives}).do("innovate trade-routes")
    assert t.change() == {"banking-book": -6, **({"coins": -coins} if coins else {})}


@pytest.mark.rule("INN-1", "INNO/trade-routes")
def test_with_the_own_palace_built_there_is_no_surcharge():
    seat = {"buildings": {"B6": "palace"}, "palace": "17", "coins": 0}
    assert invented("trade-routes", seat) == {}


@pytest.mark.rule("INNO/census", "COMP/6")
def test_census_counts_neutral_buildings_but_no_annexes():
    buildings = {**town(5), "G6": neutral("tower"), "I9": neutral("monument")}
    assert invented("census", {"buildings": buildings}) == {"vp": 8}
    buildings = {**town(5), "G6": annexed("guild")}
    assert invented("census", {"buildings": buildings}) == {}
