"""The palace tiles (PAL). Palace 14's river cities and palace 9's flights have files of their own."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, display, income, is_city
from .table import DISCIPLINES, in_city

PALACE = {"coins": -6, "tools": -4}  # the price of a guild's upgrade
GUILD = {"B6": "guild"}


def built(number, *answers, seat=None, **top):
    """A guild on B6 becomes the palace with that tile; the change without the price."""
    t = alone({"buildings": GUILD, **(seat or {})}, **top).do("upgrade B6 palace", f"palace {number}", *answers)
    change = {key: t.change().get(key, 0) - PALACE.get(key, 0) for key in {*t.change(), *PALACE}}
    return t, {key: amount for key, amount in change.items() if amount}


def owning(number, buildings=(), **seat):
    """A seat whose palace stands far away on I9."""
    return {"buildings": {"I9": "palace", **dict(buildings)}, "palace": str(number), **seat}


def power(n):
    return {"bowl1": -n, "bowl2": n} if n else {}


# --- income -----------------------------------------------------------------------------------------------------------
INCOMES = {
    1: power(5),
    2: {},
    3: power(2),
    4: power(2),
    5: power(4),
    7: power(4),
    8: {"coins": 2, "tools": 1, **power(2)},
    9: {"scholars": 1, "scholar_supply": -1},
    10: {"coins": 6},
    11: {"tools": 1},
    12: power(8),
    13: {},
    14: power(6),
    15: power(6),
    17: power(2),
}


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=pytest.mark.rule(f"PAL/{number}", "INC-3")) for number in INCOMES]
)
def test_palace_income(number):
    assert income({"board": "forest", **owning(number)}) == INCOMES[number]


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=pytest.mark.rule(f"PAL/{number}", "INC-3")) for number in (6, 16)]
)
def test_palace_income_with_a_book(number):
    assert income({"board": "forest", **owning(number)}, "books law") == {**power(2), "law-book": 1}


@pytest.mark.rule(*[f"PAL/{number}" for number in (1, 2, 3, 4, 6, 7, 8, 9, 12, 13)])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 7, 8, 9, 12, 13])
def test_palaces_that_give_nothing_at_once(number):
    t, change = built(number)
    assert t.asks == ""
    assert change == {}


# --- special actions --------------------------------------------------------------------------------------------------
@pytest.mark.rule("PAL/1", "SP-1")
def test_palace_1():
    t = alone(owning(1)).do("special palace/1").end()
    assert t.change() == {"tools": 2}
    assert "special palace/1" not in t.legal()


@pytest.mark.rule("PAL/2", "SP-1")
def test_palace_2():
    t = alone(owning(2, {"B6": "workshop"})).do("special palace/2")
    assert (t.asks, t.pending["free"], t.pending["rule"]) == ("spades", 2, "normal")
    t.do("transform A6>forest", "build A6").end()
    assert t.change() == {"coins": -2, "tools": -1}
    assert "special palace/2" not in t.legal()


@pytest.mark.rule("PAL/3", "SP-1")
def test_palace_3_turns_a_school_into_a_guild():
    t = alone(owning(3, {"B6": "school"}, competencies=["8"])).do("special palace/3")
    if t.asks == "exchange":
        t.do("upgrade B6 guild")
    assert t.change() == {"vp": 3, "tools": 1}
    assert t.kind_at("B6") == "guild"
    assert t.seat()["competencies"] == ["8"]  # stays
    assert "special palace/3" not in t.end().legal()


@pytest.mark.rule("PAL/3", "RS/guild-law", "RB/guild")
def test_palace_3s_guild_is_built():
    tiles = ["workshop-law", "guild-law", "science-medicine", "school-banking", "city-engineering", "innovation-law"]
    t = alone(owning(3, {"B6": "school"}, bonus="guild"), round_tiles=tiles).do("special palace/3")
    if t.asks == "exchange":
        t.do("upgrade B6 guild")
    assert (t.vp_from("round_tile"), t.vp_from("bonus_tile"), t.vp_from("palace")) == (3, 3, 3)


@pytest.mark.rule("PAL/3", "POW-4")
def test_palace_3s_guild_makes_an_offer():
    other = {"board": "desert", "buildings": {"B7": "guild"}}
    t = alone(owning(3, {"B6": "school"}), other).do("special palace/3")
    if t.asks == "exchange":
        t.do("upgrade B6 guild")
    assert (t.mover, t.asks) == (1, "offer")


@pytest.mark.rule("PAL/3")
def test_palace_3_needs_a_school_and_a_free_guild():
    assert "special palace/3" not in alone(owning(3, {"B6": "guild"})).legal()
    guilds = dict.fromkeys(("A1", "D13", "E2", "H11"), "guild")
    assert "special palace/3" not in alone(owning(3, {"B6": "school", **guilds})).legal()
    del guilds["A1"]
    assert "special palace/3" in alone(owning(3, {"B6": "school", **guilds})).legal()


@pytest.mark.rule("PAL/3", "CITY-3")
def test_palace_3_keeps_the_city():
    city = {**dict.fromkeys(("B5", "C6"), in_city("guild")), "B6": in_city("school"), "A6": in_city("workshop")}
    t = alone(owning(3, city, city_tiles=["tools"], keys=1)).do("special palace/3")
    if t.asks == "exchange":
        t.do("upgrade B6 guild")
    assert is_city(t, "B6")
    assert t.asks == ""
    assert (t.seat()["city_tiles"], t.seat()["keys"]) == (["tools"], 1)


@pytest.mark.rule("PAL/3", "UP-3")
def test_the_school_may_be_built_again_with_another_competency():
    t = alone(owning(3, {"B6": "school"}, competencies=["8"])).do("special palace/3")
    if t.asks == "exchange":
        t.do("upgrade B6 guild")
    t.end().do("upgrade B6 school")
    assert "competency 8" not in t.legal()
    assert t.asks == "competency"


@pytest.mark.rule("PAL/4", "SP-1", "UP-4")
def test_palace_4():
    t = alone(owning(4, {"B6": "workshop", "C6": "workshop"})).do("special palace/4")
    assert t.legal() == {"upgrade B6 guild", "upgrade C6 guild"}
    t.do("upgrade C6 guild").end()
    assert t.change() == {}
    assert t.kind_at("C6") == "guild"
    assert "special palace/4" not in t.legal()


@pytest.mark.rule("PAL/6", "SP-1")
def test_palace_6():
    t = alone(owning(6)).do("special palace/6")
    assert (t.asks, t.pending["n"], t.pending["split"]) == ("steps", 2, False)
    t.do("step law").end()
    assert t.change() == {"law": 2}
    assert "special palace/6" not in t.legal()


@pytest.mark.rule("PAL/13", "SP-1")
def test_palace_13s_action():
    t = alone(owning(13)).do("special palace/13", "books banking").end()
    assert t.change() == {"coins": 3, "banking-book": 1}
    assert "special palace/13" not in t.legal()


# --- events and passing -----------------------------------------------------------------------------------------------
@pytest.mark.rule("PAL/7", "PASS-1")
@pytest.mark.parametrize("schools", [0, 1, 3])
def test_palace_7(schools):
    seat = owning(7, dict.fromkeys(("B6", "C6", "A6")[:schools], "school"))
    assert alone(seat, round=1).do("pass river").vp_from("palace") == 3 * schools


@pytest.mark.rule("PAL/8", "CITY-1")
def test_palace_8():
    seat = owning(8, {"B5": "guild", "B6": "guild", "C6": "workshop"})
    t = alone(seat, homes="A6").do("build A6")  # 2 + 2 + 1 + 1
    assert t.asks == "city_tile"


@pytest.mark.rule("PAL/8", "CITY-1")
def test_palace_8_needs_power_six_and_four_buildings():
    t = alone(owning(8, {"B5": "guild", "B6": "workshop", "C6": "workshop"}), homes="A6").do("build A6")
    assert t.asks == ""  # power 5
    t = alone(owning(8, {"B5": "guild", "B6": "guild"}), homes="A6").do("build A6").end().do("upgrade A6 guild")
    assert t.asks == ""  # three buildings


@pytest.mark.rule("PAL/12")
def test_palace_12():
    t = alone(owning(12, {"B6": "workshop"}), homes="B5").do("build B5")
    assert t.vp_from("palace") == 2
    t.end().do("upgrade B6 guild")
    assert t.vp_from("palace") == 2


@pytest.mark.rule("PAL/13")
def test_palace_13s_guilds():
    t = alone(owning(13, {"B6": "workshop", "A7": "guild"})).do("upgrade B6 guild")
    assert t.vp_from("palace") == 3
    t.end().do("upgrade A7 school")
    assert t.vp_from("palace") == 3


# --- once -------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("PAL/5", "COMP-1")
def test_palace_5():
    t, _ = built(5, seat={"competencies": ["9"]}, competencies=display("1", "7"))
    assert t.legal() == {f"competency {number}" for number in range(1, 13) if number != 9}
    t.do("competency 7")
    assert t.change() == {**PALACE, "banking": 2, "banking-book": 1}


@pytest.mark.rule("PAL/10")
def test_palace_10():
    t, change = built(10)
    assert change == {"bowl1": -12, "bowl2": 12}
    t.do("books law law")
    assert t.change() == {**PALACE, "bowl1": -12, "bowl2": 12, "law-book": 2}


@pytest.mark.rule("PAL/11", "CITY-5")
@pytest.mark.parametrize("tile", ["tools", "power", "scholar"])
def test_palace_11(tile):
    t, _ = built(11)
    assert t.asks == "city_tile"
    _, change = built(11, f"city {tile}")
    gain = {
        "tools": {"vp": 4, "tools": 3},
        "power": {"vp": 8, **power(8)},
        "scholar": {"vp": 8, "scholars": 1, "scholar_supply": -1},
    }[tile]
    assert change == {"keys": 1, **gain}


@pytest.mark.rule("PAL/11", "COMP/8", "CITY-5")
def test_palace_11s_tile_counts_when_passing():
    seat = owning(11, city_tiles=["coins"], competencies=["8"])
    assert alone(seat, round=1).do("pass river").vp_from("competency") == 2


@pytest.mark.rule("PAL/14", "TR-1", "TR-3")
def test_palace_14_gives_two_sailing_steps_with_their_rewards():
    t, change = built(14)
    assert change == {"sailing": 2, "vp": 2}
    assert (t.asks, t.pending["n"]) == ("books", 2)
    t.do("books law law")
    assert t.seat()["books"]["law"] == 2
    assert (t.vp_from("sailing"), t.vp_from("palace")) == (2, 0)


@pytest.mark.rule("PAL/14", "TR-3")
def test_palace_14s_steps_beyond_the_track_are_lost():
    assert built(14, seat={"sailing": 2})[1] == {"sailing": 1, "vp": 4}
    assert built(14, seat={"sailing": 3})[1] == {}


@pytest.mark.rule("PAL/15", "ORD-1")
def test_palace_15_has_three_parts_in_any_order():
    t, _ = built(15)
    parts = {"resolve palace/15 spades", "resolve palace/15 bridges", "resolve palace/15 books"}
    assert t.legal() == parts


NEAR_BRIDGES = {"B4": "guild", "C7": "workshop"}


@pytest.mark.rule("PAL/15", "BR-1", "TB-4")
def test_palace_15_whole():
    t = alone({"buildings": NEAR_BRIDGES, "bowls": [12, 0, 0]}).do("upgrade B4 palace", "palace 15")
    t.do("resolve palace/15 spades")
    assert (t.asks, t.pending["free"]) == ("spades", 2)
    t.do("transform C6>lake")  # plains, short of home: no more digging
    t.do("resolve palace/15 bridges", "bridge B4-C3", "bridge C7-D8")
    assert (t.asks, t.pending["n"]) == ("books", 2)
    t.do("books law law")
    assert t.asks == ""
    assert t.change() == {**PALACE, "bridge_supply": -2, "law-book": 2}
    assert t.dict["bridges"] == [["B4", "C3", 0], ["C7", "D8", 0]]


@pytest.mark.rule("PAL/15", "BR-1")
def test_palace_15_has_two_bridges_even_if_there_is_a_third_place():
    t = alone({"buildings": {**NEAR_BRIDGES, "B7": "workshop"}}).do("upgrade B4 palace", "palace 15")
    t.do("resolve palace/15 bridges", "bridge B4-C3", "bridge C7-D8")
    assert t.asks != "bridge"
    assert t.change()["bridge_supply"] == -2


@pytest.mark.rule("PAL/15")
def test_a_part_of_palace_15_is_complete_before_the_next():
    t = alone({"buildings": NEAR_BRIDGES}).do(
        "upgrade B4 palace", "palace 15", "resolve palace/15 bridges", "bridge B4-C3"
    )
    assert t.asks == "bridge"  # the second bridge, before anything else
    assert t.legal() == {"bridge C7-D8", "decline"}


@pytest.mark.rule("PAL/15", "ADJ-1", "REACH-1")
def test_palace_15s_bridge_may_open_the_way_for_its_spades():
    seat = {"buildings": NEAR_BRIDGES}
    t = alone(seat).do("upgrade B4 palace", "palace 15", "resolve palace/15 bridges", "bridge B4-C3", "decline")
    t.do("resolve palace/15 spades", "transform C3>forest", "build C3")
    assert t.kind_at("C3") == "workshop"


@pytest.mark.rule("PAL/15", "OPT/palace15_distinct_books")
@pytest.mark.parametrize("distinct", [False, True])
def test_option_palace15_distinct_books(distinct):
    t, _ = built(15, "resolve palace/15 books", options={"palace15_distinct_books": distinct})
    pairs = {f"books {one} {two}" for i, one in enumerate(DISCIPLINES) for two in DISCIPLINES[i + 1 :]}
    doubles = {f"books {one} {one}" for one in DISCIPLINES}
    assert t.legal() == (pairs if distinct else pairs | doubles)


@pytest.mark.rule("PAL/10", "OPT/palace15_distinct_books")
def test_the_option_of_palace_15_concerns_no_other_books():
    t, _ = built(10, options={"palace15_distinct_books": True})
    assert "books law law" in t.legal()


@pytest.mark.rule("PAL/16")
def test_palace_16_places_a_guild_on_any_free_home_hex():
    t, change = built(16)
    assert change == {}
    assert t.asks == "free_piece"
    # every printed forest hex, B6 being taken
    free = {"A1", "B4", "B9", "D13", "E2", "E8", "G6", "H11", "I1", "I9"}
    assert t.legal() == {f"place {name} guild" for name in free} | {"decline"}
    t.do("place H11 guild")
    assert t.change() == PALACE
    assert t.kind_at("H11") == "guild"


@pytest.mark.rule("PAL/16", "RS/guild-law", "RB/guild", "POW-4")
def test_palace_16s_guild_is_built():
    tiles = ["workshop-law", "guild-law", "science-medicine", "school-banking", "city-engineering", "innovation-law"]
    other = {"board": "swamp", "buildings": {"H12": "guild"}}
    t = alone({"buildings": GUILD, "bonus": "guild"}, other, round_tiles=tiles)
    t.do("upgrade B6 palace", "palace 16", "place H11 guild")
    assert (t.vp_from("round_tile"), t.vp_from("bonus_tile")) == (3, 3)
    assert (t.mover, t.asks, t.pending["power"]) == (1, "offer", 2)


@pytest.mark.rule("PAL/16", "CITY-4")
def test_palace_16s_guild_may_found_a_city():
    # the palace on B6, workshops on B5 and C6 and a guild on A6, home terrain: 3 + 1 + 1 + 2
    t = alone({"buildings": {**GUILD, "B5": "workshop", "C6": "workshop"}}, homes="A6")
    t.do("upgrade B6 palace", "palace 16", "place A6 guild")
    assert t.asks == "city_tile"


@pytest.mark.rule("PAL/16", "ORD-2")
def test_palace_16s_guild_may_be_declined_and_needs_a_piece():
    t, _ = built(16, "decline")
    assert t.asks == ""
    # the palace gives one of four guilds back
    t, _ = built(16, seat={"buildings": dict.fromkeys(("B6", "A1", "D13", "H11"), "guild")})
    assert t.asks == "free_piece"


@pytest.mark.rule("PAL/17")
def test_palace_17():
    t, change = built(17)
    assert change == {"vp": 10}
    assert t.vp_from("palace") == 10


@pytest.mark.rule("UP-3", "PAL/17")
def test_a_taken_palace_tile_is_gone():
    t = alone({"buildings": GUILD}, palaces=["1", "5", "17"]).do("upgrade B6 palace")
    assert t.legal() == {"palace 1", "palace 5", "palace 17"}
    t.do("palace 17")
    assert t.dict["palaces"] == ["1", "5"]
    assert t.seat()["palace"] == "17"


@pytest.mark.rule("PAL/4", "CITY-1")
def test_palace_4s_guild_may_found_a_city():
    seat = owning(4, {**TRIANGLE, "A6": "workshop", "C6": "workshop"})
    t = alone(seat).do("special palace/4", "upgrade A6 guild")
    assert t.asks == "city_tile"
