"""Transform and build: spades, terrain, the workshop (TB)."""

from __future__ import annotations

import pytest

from .printed_maps import CIRCLE, steps_home
from .table import game, neutral, pass_round, rounds, table

# E12 (desert) has a neighbour at every distance: D11, E13 plains 1; E11 wasteland 1; F11 swamp 2; D12 mountain 2; F12 lake 3
SEAT = dict(board="desert", buildings={"E12": "workshop"}, coins=20, tools=20, bowls=[0, 0, 12])


def digs(t):
    return {text.removeprefix("transform ") for text in t.legal("transform")}


# --- TB-1 ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TB-1", "TB-2")
def test_every_hex_in_reach_that_is_not_home_may_be_dug_in_every_length():
    assert digs(table(SEAT)) == {
        "D11>desert",
        "E13>desert",
        "E11>desert",
        "F11>plains",
        "F11>desert",
        "D12>wasteland",
        "D12>desert",
        "F12>swamp",
        "F12>plains",
        "F12>desert",
    }


@pytest.mark.rule("TB-1")
def test_transform_and_build():
    t = table(SEAT).do("transform E13>desert", "build E13")
    assert t.change() == {"tools": -3 - 1, "coins": -2}
    assert t.kind_at("E13") == "workshop" and t.dict["terrain"]["E13"] == "desert"


@pytest.mark.rule("TB-1", "ORD-2")
def test_only_transform():
    t = table(SEAT).do("transform E13>desert")
    assert t.asks == "spades" and t.legal() == {"build E13", "decline"}
    t.do("decline")
    assert t.change() == {"tools": -3} and t.kind_at("E13") is None and t.stage == "after"


@pytest.mark.rule("TB-1")
def test_only_build_on_a_home_hex_in_reach():
    t = table(SEAT, terrain={"E13": "desert"})
    assert t.legal("build") == {"build E13"} and not [text for text in digs(t) if text.startswith("E13")]
    assert t.do("build E13").change() == {"tools": -1, "coins": -2}


@pytest.mark.rule("TB-1")
def test_no_digging_under_a_building_ones_own_or_anothers():
    t = table(
        dict(SEAT, buildings={"E12": "workshop", "E13": "guild"}), dict(board="swamp", buildings={"F11": "workshop"})
    )
    assert not [text for text in digs(t) if text[:3] in ("E12", "E13", "F11")]
    assert t.illegal("transform F11>desert") == "TB-1"
    assert t.illegal("build F11") in {"TB-1", "TB-5"}
    assert "build E13" not in t.legal()


@pytest.mark.rule("TB-1", "REACH-1")
def test_out_of_reach():
    t = table(SEAT, terrain={"A11": "desert"})
    assert t.illegal("transform A12>plains") in {"TB-1", "TB-2", "REACH-1"}
    assert t.illegal("transform B11>desert") in {"TB-1", "REACH-1"}
    assert t.illegal("build A11") in {"TB-1", "TB-5", "REACH-1"}


@pytest.mark.rule("TB-1", "TB-2")
def test_home_terrain_is_never_dug():
    t = table(SEAT, terrain={"E13": "desert"})
    assert t.illegal("transform E13>wasteland") in {"TB-1", "TB-2"}


# --- TB-2, TB-3 ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TB-2")
@pytest.mark.parametrize("here", CIRCLE)
@pytest.mark.parametrize("home", CIRCLE)
def test_spades_go_the_shorter_way_round_the_circle(home, here):
    t = table(dict(SEAT, board=home), terrain={"E13": here, "E12": home})
    assert {text for text in digs(t) if text.startswith("E13>")} == {f"E13>{kind}" for kind in steps_home(home, here)}


@pytest.mark.rule("TB-2")
@pytest.mark.parametrize(
    ("here", "spades"),
    [("plains", 1), ("wasteland", 1), ("swamp", 2), ("mountain", 2), ("lake", 3), ("forest", 3)],
)
def test_the_distance_of_each_terrain_from_the_desert(here, spades):
    t = table(SEAT, terrain={"E13": here}).do("transform E13>desert")
    assert t.change() == {"tools": -3 * spades}


@pytest.mark.rule("TB-2")
def test_one_may_stop_before_home_but_not_build_there():
    t = table(SEAT).do("transform F12>plains")
    assert t.change() == {"tools": -6} and t.dict["terrain"]["F12"] == "plains"
    assert t.asks == "" and t.stage == "after"


@pytest.mark.rule("TB-2")
def test_never_past_home_nor_away_from_it():
    t = table(SEAT)
    for text in ("transform E13>wasteland", "transform E13>swamp", "transform F12>forest", "transform F12>mountain"):
        assert t.illegal(text) == "TB-2"


@pytest.mark.rule("TB-3")
@pytest.mark.parametrize("spades", [1, 2, 3])
@pytest.mark.parametrize(("terraforming", "price"), [(0, 3), (1, 2), (2, 1)])
def test_a_bought_spade_costs_three_two_or_one_tools(terraforming, price, spades):
    target = {1: "E13>desert", 2: "F11>desert", 3: "F12>desert"}[spades]
    t = table(dict(SEAT, terraforming=terraforming)).do(f"transform {target}")
    assert t.change() == {"tools": -price * spades}
    assert target in digs(table(dict(SEAT, terraforming=terraforming, tools=price * spades)))
    assert target not in digs(table(dict(SEAT, terraforming=terraforming, tools=price * spades - 1)))


@pytest.mark.rule("TB-3")
def test_the_rulebooks_example_mountain_to_desert_costs_six_tools_and_the_workshop():
    t = table(dict(SEAT, tools=7, coins=2)).do("transform D12>desert", "build D12")
    assert t.change() == {"tools": -7, "coins": -2}


@pytest.mark.rule("TB-3")
def test_bought_spades_alone_serve_one_hex():
    t = table(SEAT).do("transform E13>desert")
    assert not t.legal("transform")
    assert t.illegal("transform E11>desert") in {"TB-3", "TB-4", "ACT-1"}


# --- TB-4: free spades -----------------------------------------------------------------------------------------------
@pytest.mark.rule("TB-4", "PA/two spades")
def test_the_second_free_spade_serves_another_hex():
    # the rulebook's example: one plains hex with each spade, the workshop on the first
    t = table(SEAT).do("power two-spades", "transform E13>desert")
    assert "D11>desert" in digs(t)
    t.do("transform D11>desert")
    assert t.legal() == {"build E13", "decline"}
    t.do("build E13")
    assert t.change() == {"bowl3": -6, "bowl1": 6, "tools": -1, "coins": -2}
    assert t.dict["terrain"]["D11"] == "desert" and t.kind_at("D11") is None


@pytest.mark.rule("TB-4", "TB-5")
def test_a_hex_beside_the_new_workshop_only_is_out_of_reach():
    # the rulebook's example continued: F13 (wasteland) lies beside E13, not beside E12
    t = table(SEAT).do("power two-spades", "transform E13>desert")
    assert not [text for text in digs(t) if text.startswith("F13")]
    assert t.illegal("transform F13>desert") in {"TB-5", "TB-1", "REACH-1"}


@pytest.mark.rule("TB-4")
def test_three_free_spades_may_serve_three_hexes():
    seat = dict(SEAT, books=dict(law=3))
    t = table(seat, book_actions=["three-spades", "power", "coins"]).do("book three-spades")
    t.do("transform E13>desert", "transform D11>desert", "transform E11>desert")
    assert t.legal() == {"build E13", "decline"}
    assert t.do("decline").change() == {"law-book": -3}


@pytest.mark.rule("TB-4")
def test_a_further_hex_only_after_the_one_before_has_become_home():
    seat = dict(SEAT, books=dict(law=3))
    t = table(seat, book_actions=["three-spades", "power", "coins"]).do("book three-spades", "transform F11>plains")
    assert digs(t) == set()  # left short of home: the digging is over
    assert t.asks == "" and t.stage == "after" and t.change() == {"law-book": -3}


@pytest.mark.rule("TB-4")
def test_the_last_hex_may_be_left_short():
    t = table(SEAT).do("power two-spades", "transform E13>desert", "transform F12>swamp")
    assert t.dict["terrain"]["F12"] == "swamp"
    assert t.legal() == {"build E13", "decline"}


@pytest.mark.rule("TB-4")
def test_unused_spades_are_lost():
    t = table(SEAT).do("power two-spades", "transform E13>desert", "build E13")
    assert t.asks == "" and t.stage == "after" and t.change() == {"bowl3": -6, "bowl1": 6, "tools": -1, "coins": -2}
    t = table(SEAT).do("power two-spades", "transform E13>desert", "decline")
    assert t.asks == "" and t.stage == "after"


@pytest.mark.rule("TB-4")
def test_missing_spades_may_be_bought_for_the_first_hex_to_reach_home():
    for terraforming, price in ((0, 3), (1, 2), (2, 1)):
        t = table(dict(SEAT, terraforming=terraforming)).do("power spade", "transform F12>desert")
        assert t.change() == {"bowl3": -4, "bowl1": 4, "tools": -2 * price}
        assert t.legal() == {"build F12", "decline"}


@pytest.mark.rule("TB-4", "OPT/bought_must_reach_home")
def test_bought_spades_must_bring_the_first_hex_home():
    t = table(SEAT).do("power spade")
    assert {text for text in digs(t) if text.startswith("F12")} == {
        "F12>swamp",
        "F12>desert",
    }  # 1 free, or 3 with 2 bought
    t = table(SEAT, options={"bought_must_reach_home": False}).do("power spade")
    assert {text for text in digs(t) if text.startswith("F12")} == {"F12>swamp", "F12>plains", "F12>desert"}
    t.do("transform F12>plains")
    assert t.change()["tools"] == -3


@pytest.mark.rule("TB-4")
def test_bought_spades_need_the_tools():
    t = table(dict(SEAT, tools=5)).do("power spade")
    assert {text for text in digs(t) if text.startswith(("F12", "F11"))} == {"F12>swamp", "F11>plains", "F11>desert"}


@pytest.mark.rule("TB-4")
def test_nothing_is_bought_for_further_hexes():
    t = table(SEAT).do("power two-spades", "transform E13>desert")
    assert digs(t) == {"D11>desert", "E11>desert", "F11>plains", "D12>wasteland", "F12>swamp"}


@pytest.mark.rule("TB-4")
def test_after_bought_spades_on_the_first_hex_no_free_one_is_left():
    t = table(SEAT).do("power two-spades", "transform F12>desert")
    assert digs(t) == set() and t.change() == {"bowl3": -6, "bowl1": 6, "tools": -3}


@pytest.mark.rule("TB-4", "MOLE-1")
def test_free_and_bought_spades_over_a_tunnel():
    # F13 (wasteland, one step) and D13 (forest, three) lie behind the neighbours of E12
    t = table(dict(SEAT, faction="moles")).do("power two-spades")
    assert {"F13>desert tunnel", "D13>desert tunnel", "D13>mountain tunnel", "D13>wasteland tunnel"} <= digs(t)
    bought = table(dict(SEAT, faction="moles")).do("power two-spades", "transform D13>desert tunnel")
    assert bought.change()["tools"] == -1 - 3  # the tunnel, and the third spade
    t.do("transform E13>desert")
    # further hexes: the tunnel still, but nothing is bought
    far = {text for text in digs(t) if text.startswith("D13")}
    assert far == {"D13>mountain tunnel"} and "F13>desert tunnel" not in digs(table(SEAT).do("power two-spades"))
    t.do("transform F13>desert tunnel")
    assert t.change()["tools"] == -1 and t.legal() == {"build E13", "decline"}


@pytest.mark.rule("TB-5", "MOLE-1")
def test_a_spade_action_may_build_on_a_home_hex_over_a_tunnel():
    t = table(dict(SEAT, faction="moles"), terrain={"F13": "desert"}).do("power spade")
    assert t.legal("build") == {"build F13 tunnel"}
    t.do("build F13 tunnel")
    assert t.change()["tools"] == -1 - 1 and t.kind_at("F13") == "workshop"
    used = table(dict(SEAT, faction="moles"), terrain={"F13": "desert"}).do("power two-spades", "transform E13>desert")
    assert used.legal("build") == {"build E13"}


@pytest.mark.rule("ACT-2", "MOLE-1")
@pytest.mark.parametrize(("tools", "allowed"), [(1, False), (2, True)])
def test_a_spade_action_for_a_workshop_over_a_tunnel_needs_the_tools_for_both(tools, allowed):
    # every hex beside E12 and behind is occupied, D13 alone is free and home
    around = dict.fromkeys(["D11", "D12", "E11", "E13", "F11", "F12", "C13", "F13", "E10"], "workshop")
    seat = dict(SEAT, faction="moles", tools=tools)
    t = table(seat, dict(board="swamp", buildings=around), terrain={"D13": "desert"})
    assert ("power spade" in t.legal()) is allowed
    assert ("build D13 tunnel" in t.legal()) is allowed


@pytest.mark.rule("TB-1", "FLY-1", "PAL/9")
@pytest.mark.parametrize(("scholars", "allowed"), [(0, False), (1, True), (2, True)])
def test_a_flight_needs_one_scholar(scholars, allowed):
    seat = dict(SEAT, buildings={"E12": "palace"}, palace="9", scholars=scholars)
    assert ("F13>desert flight" in digs(table(seat))) is allowed


@pytest.mark.rule("TB-5")
def test_the_first_hex_of_the_map_is_a_hex_like_the_others():
    # A1 (forest) is dug first, C1 second: the workshop goes to A1
    seat = dict(board="mountain", buildings={"B1": "workshop"}, coins=20, tools=20, bowls=[0, 0, 12])
    t = table(seat, terrain={"A1": "wasteland"}).do(
        "power two-spades", "transform A1>mountain", "transform C1>mountain"
    )
    assert t.legal() == {"build A1", "decline"}
    assert t.do("build A1").kind_at("A1") == "workshop"


# --- TB-5, TB-6 ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TB-5")
def test_without_a_spade_used_the_workshop_stands_on_any_home_hex_in_reach():
    t = table(SEAT, terrain={"E13": "desert", "D11": "desert"}).do("power two-spades")
    assert t.legal("build") == {"build E13", "build D11"}
    t.do("build D11")
    assert t.asks == "" and t.stage == "after"


@pytest.mark.rule("TB-5")
def test_once_a_spade_was_used_never_on_another_home_hex():
    t = table(SEAT, terrain={"D11": "desert"}).do("power two-spades", "transform E13>desert")
    assert t.legal("build") == {"build E13"}
    assert t.illegal("build D11") == "TB-5"


@pytest.mark.rule("TB-5")
def test_never_on_a_further_hex():
    t = table(SEAT).do("power two-spades", "transform E13>desert", "transform D11>desert")
    assert t.illegal("build D11") == "TB-5"


@pytest.mark.rule("TB-5")
def test_a_first_hex_left_short_carries_no_workshop_even_if_another_home_hex_is_in_reach():
    t = table(SEAT, terrain={"D11": "desert"}).do("power spade", "transform F12>swamp")
    assert t.asks == "" and t.stage == "after"


@pytest.mark.rule("TB-5")
def test_no_spade_after_the_workshop():
    t = table(SEAT, terrain={"D11": "desert"}).do("power two-spades", "build D11")
    assert t.asks == "" and not t.legal("transform")


@pytest.mark.rule("TB-6")
@pytest.mark.parametrize(("tools", "coins", "allowed"), [(1, 2, True), (0, 2, False), (1, 1, False), (9, 9, True)])
def test_a_workshop_costs_one_tool_and_two_coins(tools, coins, allowed):
    t = table(dict(SEAT, tools=tools, coins=coins), terrain={"E13": "desert"})
    assert ("build E13" in t.legal()) is allowed
    if allowed:
        assert t.do("build E13").change() == {"tools": -1, "coins": -2}


@pytest.mark.rule("TB-6")
def test_a_workshop_needs_a_free_piece():
    nine = dict.fromkeys(["A12", "B7", "D1", "D5", "E4", "E12", "F8", "H2", "H7"], "workshop")
    t = table(dict(SEAT, buildings=nine), terrain={"E13": "desert"})
    assert t.illegal("build E13") in {"TB-6", "POOL-1"}
    eight = dict(nine, H7=neutral("workshop"))
    assert "build E13" in table(dict(SEAT, buildings=eight), terrain={"E13": "desert"}).legal()


# --- TB-7, TB-8 ------------------------------------------------------------------------------------------------------
SPADE_ROUND = rounds({2: "spade-engineering"})


@pytest.mark.rule("TB-7", "RS/spade-engineering", "FAC/goblins")
@pytest.mark.parametrize(
    ("target", "spades"), [("E13>desert", 1), ("F11>plains", 1), ("F11>desert", 2), ("F12>desert", 3)]
)
@pytest.mark.parametrize("action", ["", "power spade", "power two-spades"])
def test_each_spade_used_counts_whatever_paid_for_it(action, target, spades):
    t = table(dict(SEAT, faction="goblins"), round_tiles=SPADE_ROUND)
    t.do(*([action] if action else []), f"transform {target}")
    free = {"": 0, "power spade": 1, "power two-spades": 2}[action]
    cost = 3 * max(0, spades - free)
    assert t.change().get("tools", 0) == -cost
    assert t.change()["coins"] == 2 * spades
    assert t.vp_from("round_tile") == 2 * spades


@pytest.mark.rule("TB-7", "NEUT-1")
def test_spades_for_a_neutral_building_count_too():
    seat = dict(SEAT, faction="goblins", books=dict(law=5))
    tiles = rounds({3: "spade-engineering"})
    t = table(seat, round_tiles=tiles, round=3, innovations=[dict(key="workshop", column="law")])
    t.do("innovate workshop", "place F11 workshop")
    assert t.change() == {"law-book": -5, "coins": -5 + 4, "tools": -6, "vp": 4}


@pytest.mark.rule("TB-7", "END-1", "FAC/goblins", "RS-2")
def test_in_phase_three_the_goblins_get_coins_but_no_round_tile_scores():
    tiles = rounds({1: "guild-medicine", 2: "spade-engineering"})
    seat = dict(
        board="desert", faction="goblins", buildings={"E12": "workshop"}, science=dict(medicine=4), coins=0, tools=0
    )
    t = pass_round(seat, round_tiles=tiles)
    assert t.asks == "spades"
    t.do("transform F12>swamp")
    # 2 coins for the spade, 2 tools of income for one workshop
    assert t.change() == {"coins": 2, "tools": 2} and t.vp() == 20


@pytest.mark.rule("TB-7", "SET-15", "FAC/goblins")
def test_in_set_up_the_goblins_get_coins_but_no_round_tile_scores():
    deal = [
        dict(faction="goblins", board="desert", bonus="science"),
        dict(faction="blessed", board="swamp", bonus="scholar"),
        dict(faction="felines", board="lake", bonus="river"),
    ]
    t = game(players=3, seed=5, deal=deal)
    while t.phase != "start_spades":
        t.do(sorted(t.legal())[0])
    t.mark().do(sorted(t.legal("transform"))[0])
    assert t.vp() == 20 and t.seat()["vp_from"].get("round_tile", 0) == 0
    assert t.change()["coins"] == 2


@pytest.mark.rule("TB-8")
def test_a_hex_without_a_building_may_be_transformed_again_by_anybody():
    second = dict(board="swamp", buildings={"D13": "workshop"}, tools=20, coins=0)
    t = table(dict(SEAT, coins=0), second).do("transform E13>desert").end()
    assert t.mover == 1 and t.dict["terrain"]["E13"] == "desert"
    assert {text for text in digs(t) if text.startswith("E13")} == {"E13>plains", "E13>swamp"}
    t.do("transform E13>swamp").end()
    assert t.dict["terrain"]["E13"] == "swamp" and t.change(1) == {"tools": -6}


@pytest.mark.rule("TB-8")
def test_a_hex_left_on_the_way_stays_so():
    t = table(SEAT).do("transform F12>swamp", "end")
    t.do(sorted(t.legal("pass"))[0]).end().do(sorted(t.legal("pass"))[0]).end()
    assert t.mover == 0 and t.dict["terrain"]["F12"] == "swamp"
    t.do("transform F12>desert")
    assert t.change() == {"tools": -9}
