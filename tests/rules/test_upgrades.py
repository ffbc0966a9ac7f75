"""Upgrading a building (UP)."""

from __future__ import annotations

import pytest

from .table import in_city, neutral, pass_round, rounds, table

SEAT = dict(board="desert", buildings={"E12": "workshop"}, coins=20, tools=20)


def seat(kind, **more):
    return dict(SEAT, buildings={"E12": kind}, **more)


COSTS = {
    ("workshop", "guild"): dict(tools=2, coins=6),
    ("guild", "palace"): dict(tools=4, coins=6),
    ("guild", "school"): dict(tools=3, coins=5),
    ("school", "university"): dict(tools=5, coins=8),
}


@pytest.mark.rule("UP-1")
@pytest.mark.parametrize(("kind", "to"), COSTS)
def test_the_cost_of_each_upgrade(kind, to):
    cost = COSTS[kind, to]
    t = table(seat(kind), palaces=["13"]).do(f"upgrade E12 {to}")
    assert {key: t.change()[key] for key in cost} == {key: -value for key, value in cost.items()}
    assert t.kind_at("E12") == to
    for key in cost:
        assert f"upgrade E12 {to}" not in table(dict(seat(kind), **{key: cost[key] - 1})).legal()
    assert f"upgrade E12 {to}" in table(dict(seat(kind), **cost)).legal()


@pytest.mark.rule("UP-1")
def test_there_are_no_other_upgrades():
    for kind in ("workshop", "guild", "school", "university", "palace"):
        t = table(seat(kind, **({"palace": "17"} if kind == "palace" else {})))
        assert t.legal("upgrade") == {f"upgrade E12 {to}" for old, to in COSTS if old == kind}
    assert table(seat("workshop")).illegal("upgrade E12 school") == "UP-1"
    assert table(seat("school")).illegal("upgrade E12 palace") == "UP-1"


@pytest.mark.rule("UP-1")
def test_a_guild_beside_anothers_building_costs_three_coins():
    # the rulebook's example: the workshop beside the other player pays 3, the one beside own buildings only pays 6
    mine = dict(SEAT, buildings={"E12": "workshop", "E13": "workshop", "D1": "workshop", "E1": "school"})
    other = dict(board="swamp", buildings={"F11": "workshop"})
    assert table(mine, other).do("upgrade E12 guild").change() == {"tools": -2, "coins": -3}
    assert table(mine, other).do("upgrade D1 guild").change() == {"tools": -2, "coins": -6}
    assert table(mine, other).do("upgrade E13 guild").change() == {"tools": -2, "coins": -6}
    assert "upgrade E12 guild" in table(dict(mine, coins=3), other).legal()
    assert "upgrade E12 guild" not in table(dict(mine, coins=2), other).legal()
    assert "upgrade E13 guild" not in table(dict(mine, coins=5), other).legal()


@pytest.mark.rule("UP-1")
def test_a_neutral_building_of_another_player_gives_the_discount_ones_own_does_not():
    other = dict(board="swamp", buildings={"F11": neutral("tower")})
    assert table(SEAT, other).do("upgrade E12 guild").change()["coins"] == -3
    mine = dict(SEAT, buildings={"E12": "workshop", "F11": neutral("tower")})
    assert table(mine).do("upgrade E12 guild").change()["coins"] == -6


@pytest.mark.rule("UP-1")
def test_the_discount_is_for_guilds_only():
    other = dict(board="swamp", buildings={"F11": "workshop"})
    for (kind, to), cost in list(COSTS.items())[1:]:
        t = table(seat(kind), other, palaces=["13"]).do(f"upgrade E12 {to}")
        assert t.change()["coins"] == -cost["coins"]


@pytest.mark.rule("UP-2", "INC-1", "INC-2")
def test_the_old_piece_returns_and_covers_its_income_again():
    built = {"E12": "workshop", "D1": "workshop", "D5": "workshop"}
    t = table(dict(SEAT, buildings=built, bowls=[12, 0, 0]), dict(passed=True), dict(passed=True), next_order=[1, 2])
    t.do("upgrade E12 guild").end().do("pass river").end().mark()
    # the income has come: two workshops 3 tools, a guild 2 coins and 1 power
    start = table(dict(SEAT, buildings=built)).seat()
    assert t.seat()["tools"] == start["tools"] - 2 + 3
    assert t.seat()["coins"] == start["coins"] - 6 + 2
    assert t.seat()["bowls"] == [11, 1, 0]
    assert pass_round(dict(SEAT, buildings=built)).change()["tools"] == 4


@pytest.mark.rule("UP-2", "TB-6")
def test_the_returned_workshop_can_be_built_again():
    nine = dict.fromkeys(["A12", "B7", "D1", "D5", "E4", "E12", "F8", "H2", "H7"], "workshop")
    t = table(
        dict(SEAT, buildings=nine), dict(passed=True), dict(passed=True), terrain={"E13": "desert"}, next_order=[1, 2]
    )
    assert not t.legal("build")
    t.do("upgrade E12 guild").end()
    assert "build E13" in t.legal()


@pytest.mark.rule("UP-2")
def test_the_guild_that_becomes_a_school_is_free_again():
    four = dict.fromkeys(["A12", "B7", "D1", "E12"], "guild") | {"D5": "workshop"}
    t = table(dict(SEAT, buildings=four), dict(passed=True), dict(passed=True), next_order=[1, 2])
    assert t.illegal("upgrade D5 guild") in {"UP-2", "POOL-1", "ACT-2"}
    t.do("upgrade E12 school", "competency 4").end()
    assert "upgrade D5 guild" in t.legal()


@pytest.mark.rule("UP-2", "NEUT-3")
@pytest.mark.parametrize("kind", ["workshop", "guild", "school", "tower", "monument"])
def test_neutral_buildings_are_never_upgraded(kind):
    t = table(dict(SEAT, buildings={"E12": neutral(kind)}))
    assert t.legal("upgrade") == set()
    assert t.illegal(f"upgrade E12 {'guild' if kind != 'guild' else 'school'}") in {"UP-2", "NEUT-3", "UP-1"}


@pytest.mark.rule("UP-2", "NEUT-3")
def test_neutral_buildings_take_no_piece():
    guilds = dict.fromkeys(["A12", "B7", "D1"], "guild") | {"D5": neutral("guild"), "E12": "workshop"}
    assert "upgrade E12 guild" in table(dict(SEAT, buildings=guilds)).legal()


@pytest.mark.rule("UP-3", "COMP-1")
@pytest.mark.parametrize(("kind", "to"), [("guild", "school"), ("school", "university")])
def test_school_and_university_bring_a_competency(kind, to):
    t = table(seat(kind)).do(f"upgrade E12 {to}")
    assert t.asks == "competency" and t.legal() == {f"competency {n}" for n in range(1, 13)}
    t.do("competency 4")
    assert t.seat()["competencies"] == ["4"]


@pytest.mark.rule("UP-3")
def test_the_guild_brings_none():
    t = table(SEAT).do("upgrade E12 guild")
    assert t.asks == "" and t.seat()["competencies"] == []


@pytest.mark.rule("UP-3")
def test_the_palace_brings_a_palace_tile_of_those_on_offer():
    t = table(seat("guild"), dict(board="swamp", buildings={"D8": "palace"}, palace="7"), palaces=["1", "10", "17"])
    t.do("upgrade E12 palace")
    assert t.asks == "palace" and t.legal() == {"palace 1", "palace 10", "palace 17"}
    t.do("palace 17")
    assert t.seat()["palace"] == "17" and t.seat()["palace_built"] is True
    assert t.dict["palaces"] == ["1", "10"] and t.vp() == 30


@pytest.mark.rule("UP-3", "SET-10")
def test_with_a_draft_the_palace_brings_ones_own_tile():
    t = table(seat("guild", palace="17"), dict(board="swamp", palace="7"), dict(palace="5"), setup="draft", palaces=[])
    assert t.seat()["palace_built"] is False
    t.do("upgrade E12 palace")
    assert t.asks == "" and t.seat()["palace"] == "17" and t.seat()["palace_built"] is True and t.vp() == 30


@pytest.mark.rule("UP-3", "COMP-2", "SCI-1")
def test_the_rulebooks_competency_examples():
    # on the place of 3 law steps: 3 steps; on that of 2 engineering steps and a book: both
    t = table(seat("guild")).do("upgrade E12 school", "competency 4")
    assert t.seat()["science"] == dict(banking=0, law=3, engineering=0, medicine=0)
    t = table(seat("guild")).do("upgrade E12 school", "competency 8")
    assert t.seat()["science"] == dict(banking=0, law=0, engineering=2, medicine=0)
    assert t.seat()["books"] == dict(banking=0, law=0, engineering=1, medicine=0)


@pytest.mark.rule("UP-4", "PA/book guild")
def test_a_free_upgrade_costs_nothing_and_is_a_build_of_the_new_kind():
    tiles = rounds({2: "guild-law"})
    free = dict(seat("workshop", books=dict(law=2)), coins=0, tools=0)
    t = table(free, round_tiles=tiles, book_actions=["guild", "power", "coins"]).do("book guild")
    if t.asks == "exchange":
        t.do("upgrade E12 guild")
    assert t.change() == {"law-book": -2, "vp": 3} and t.vp_from("round_tile") == 3


@pytest.mark.rule("UP-4", "PAL/4")
def test_palace_four_upgrades_free_of_charge():
    free = dict(board="desert", buildings={"E12": "workshop", "A12": "palace"}, palace="4", coins=0, tools=0)
    t = table(free).do("special palace/4")
    if t.asks == "exchange":
        t.do("upgrade E12 guild")
    assert t.change() == {} and t.kind_at("E12") == "guild"


@pytest.mark.rule("UP-4", "RS-2")
@pytest.mark.parametrize(
    ("kind", "to", "tile", "vp"),
    [
        ("workshop", "guild", "guild-law", 3),
        ("guild", "school", "school-banking", 4),
        ("guild", "palace", "palace-university-medicine", 5),
        ("school", "university", "palace-university-medicine", 5),
    ],
)
def test_an_upgrade_scores_as_a_build_of_the_new_kind(kind, to, tile, vp):
    tiles = rounds({2: tile})
    t = table(seat(kind), round_tiles=tiles, palaces=["13"]).do(f"upgrade E12 {to}")
    assert t.vp_from("round_tile") == vp


@pytest.mark.rule("UP-4", "CITY-1")
def test_an_upgrade_may_found_a_city():
    four = {
        "E12": "workshop",
        "E13": "guild",
        "F12": "school",
        "F13": "workshop",
    }  # 1 + 2 + 2 + 1, with a guild on E12: 7
    t = table(dict(SEAT, buildings=four)).do("upgrade E12 guild")
    assert t.asks == "city_tile"


@pytest.mark.rule("UP-2", "CITY-3")
def test_a_building_of_a_city_may_be_upgraded_and_stays_in_it():
    four = {"E12": in_city("workshop"), "E13": in_city("guild"), "F12": in_city("school"), "F13": in_city("guild")}
    t = table(dict(SEAT, buildings=four, city_tiles=["coins"])).do("upgrade E12 guild")
    assert t.asks == "" and t.seat()["city_tiles"] == ["coins"]
