"""Turns, what makes an action legal, special actions (ACT, SP)."""

from __future__ import annotations

import pytest

from .table import pass_round, table


@pytest.mark.rule("ACT-1")
def test_one_action_each_in_turn_order_round_and_round():
    seat = dict(board="desert", scholars=3, bowls=[12, 0, 0], tools=0, coins=0)
    t = table(seat, dict(seat, board="swamp"), dict(seat, board="forest"), order=[2, 0, 1])
    movers = []
    for _ in range(6):
        movers.append(t.mover)
        t.do("return law").end()
    assert movers == [2, 0, 1, 2, 0, 1]


@pytest.mark.rule("ACT-1", "PASS-2")
def test_who_has_passed_is_skipped_and_the_last_plays_on():
    seat = dict(scholars=3, bowls=[12, 0, 0], tools=0, coins=0)
    t = table(seat, seat, seat).do("pass river").end().do("return law").end().do("pass scholar").end()
    movers = []
    for _ in range(2):
        movers.append(t.mover)
        t.do("return law").end()
    assert movers == [1, 1]
    t.do("pass coins").end()
    assert (t.dict["round"], t.dict["order"]) == (3, [0, 2, 1])


@pytest.mark.rule("ACT-1")
def test_a_seat_with_nothing_to_do_may_only_pass():
    t = table(dict(bowls=[12, 0, 0], tools=0, coins=0))
    assert t.legal() == {"pass river", "pass scholar", "pass palace-university"}


@pytest.mark.rule("ACT-1")
def test_nobody_moves_out_of_turn_and_one_action_ends_the_turn():
    t = table(dict(scholars=2, bowls=[12, 0, 0], tools=0)).do("return law")
    assert t.mover == 0 and t.stage == "after"
    assert t.illegal("return law") in {"ACT-1", "CONV-2"}


@pytest.mark.rule("ACT-1", "INC-1")
def test_the_game_has_six_rounds_and_the_last_has_no_phase_three():
    t = table(dict(bowls=[12, 0, 0], tools=0, coins=0), players=2, round=5)
    t.do(sorted(t.legal("pass"))[0]).end().do(sorted(t.legal("pass"))[0]).end()
    while t.phase != "actions":
        t.do(sorted(t.legal())[0])
    assert t.dict["round"] == 6
    for _ in range(2):
        t.do("pass").end()
    assert t.phase == "over" and t.dict["round"] == 6 and t.legal() == set()


# --- the price must be there before, and something must change -------------------------------------------------------
PRICES = {
    "power bridge": dict(bowls=[10, 0, 2]),
    "power scholar": dict(bowls=[10, 0, 2]),
    "power tools": dict(bowls=[9, 0, 3]),
    "power coins": dict(bowls=[9, 0, 3]),
    "power spade": dict(bowls=[9, 0, 3]),
    "power two-spades": dict(bowls=[7, 0, 5]),
    "book power": dict(books={}),
    "book science": dict(books={}),
    "book coins": dict(books=dict(law=1)),
    "advance sailing": dict(coins=3, scholars=1),
    "advance terraforming": dict(coins=5, scholars=1, tools=0),
    "return law": dict(scholars=0),
    "send law 3": dict(scholars=0),
    "upgrade F5 guild": dict(coins=5, tools=2),
    "build F6": dict(coins=1, tools=9),
    "transform G6>lake": dict(tools=2),
    "innovate steel": dict(books=dict(law=4)),
}


@pytest.mark.rule("ACT-2")
@pytest.mark.parametrize("text", PRICES)
def test_an_actions_own_price_must_be_payable_before_it_starts(text):
    seat = {"board": "lake", "sailing": 0, "buildings": {"F5": "workshop"}, "coins": 20, "tools": 20, **PRICES[text]}
    top = dict(
        terrain={"F6": "lake"},
        book_actions=["power", "science", "coins"],
        innovations=[dict(key="steel", column="law")],
        round=3,
    )
    t = table(seat, **top)
    assert t.illegal(text)
    enough = {
        "board": "lake",
        "sailing": 0,
        "buildings": {"F5": "workshop"},
        "coins": 20,
        "tools": 20,
        "scholars": 1,
        "bowls": [6, 0, 6],
    }
    assert text in table(dict(enough, books=dict(law=6)), **top).legal()


@pytest.mark.rule("ACT-2", "PA/scholar")
def test_scholar_needs_a_scholar_in_the_supply():
    assert table(dict(bowls=[0, 0, 3], scholars=0, scholar_supply=0)).illegal("power scholar") in {"ACT-2", "POOL-1"}


@pytest.mark.rule("ACT-2", "PA/bridge", "BR-1")
def test_bridge_needs_a_place_and_a_bridge():
    seat = dict(board="desert", bowls=[0, 0, 3])
    assert table(dict(seat, buildings={"E12": "workshop"})).illegal("power bridge") in {
        "ACT-2",
        "BR-1",
    }  # no place beside E12
    assert table(dict(seat, buildings={"D5": "workshop"}, bridge_supply=0)).illegal("power bridge") in {
        "ACT-2",
        "BR-1",
        "POOL-1",
    }
    assert "power bridge" in table(dict(seat, buildings={"D5": "workshop"})).legal()


@pytest.mark.rule("ACT-2", "PA/book guild")
def test_the_guild_action_needs_a_workshop_and_a_free_guild():
    top = dict(book_actions=["guild", "power", "coins"])
    seat = dict(board="desert", books=dict(law=2))
    assert table(dict(seat, buildings={"E12": "guild"}), **top).illegal("book guild") in {"ACT-2", "UP-2"}
    four = dict.fromkeys(["A12", "B7", "D1", "D5"], "guild")
    assert table(dict(seat, buildings={"E12": "workshop", **four}), **top).illegal("book guild") in {
        "ACT-2",
        "UP-2",
        "POOL-1",
    }
    assert "book guild" in table(dict(seat, buildings={"E12": "workshop", "A12": "guild"}), **top).legal()


@pytest.mark.rule("ACT-2", "PA/spade")
def test_a_spade_action_needs_a_spade_used_or_a_workshop_built():
    # A11's three neighbours but one are occupied; what is left is home terrain
    seat = dict(board="plains", buildings={"A11": "workshop"}, bowls=[0, 0, 4])
    other = dict(board="swamp", buildings={"A10": "workshop", "A12": "workshop", "B10": "workshop"})
    home = {"B11": "plains"}
    assert "power spade" in table(seat, other).legal()
    assert "power spade" in table(seat, other, terrain=home).legal()  # for the workshop
    assert table(dict(seat, coins=1), other, terrain=home).illegal("power spade") in {"ACT-2", "TB-1"}
    t = table(seat, other).do("power spade")
    assert "decline" not in t.legal()


@pytest.mark.rule("ACT-2", "SCH-1", "SCI-3")
def test_sending_a_scholar_is_legal_even_if_its_steps_are_lost():
    t = table(dict(scholars=1, science=dict(law=12))).do("send law 3")
    assert t.change() == {"scholars": -1}
    t = table(dict(scholars=1, science=dict(law=7))).do("return law")
    assert t.change() == {"scholars": -1, "scholar_supply": 1}


@pytest.mark.rule("ACT-2", "FAC/goblins", "TB-7")
def test_the_goblins_coins_for_a_spade_may_pay_the_workshop_of_the_same_action():
    seat = dict(board="desert", faction="goblins", buildings={"E12": "workshop"}, coins=0, tools=4)
    t = table(seat).do("transform E13>desert")
    assert t.change() == {"tools": -3, "coins": 2}
    t.do("build E13")
    assert t.change() == {"tools": -4}


@pytest.mark.rule("ACT-2", "TB-3", "TB-6")
def test_spades_and_workshop_are_paid_one_after_the_other():
    # 3 tools: a spade, but then no tool for the workshop; the transform alone is legal
    seat = dict(board="desert", buildings={"E12": "workshop"}, coins=9, tools=3)
    t = table(seat).do("transform E13>desert")
    assert t.asks == "" and t.change() == {"tools": -3}


# --- special actions -------------------------------------------------------------------------------------------------
@pytest.mark.rule("SP-1", "COMP/7")
def test_a_special_action_is_free_and_once_a_round():
    t = table(
        dict(competencies=["7"], bowls=[12, 0, 0], tools=0, coins=0),
        dict(passed=True),
        dict(passed=True),
        next_order=[1, 2],
    )
    t.do("special competency/7")
    assert t.change() == {"bowl1": -4, "bowl2": 4}
    t.do("end")
    assert t.illegal("special competency/7") == "SP-1"
    assert t.seat()["used"] == ["competency/7"]


@pytest.mark.rule("SP-1", "END-2")
def test_special_actions_are_free_again_in_the_next_round():
    t = pass_round(dict(competencies=["7"], used=["competency/7"], bowls=[12, 0, 0], tools=0, coins=0))
    while t.mover != 0:
        t.do(sorted(t.legal("pass"))[0]).end()
    assert "special competency/7" in t.legal() and t.seat()["used"] == []


@pytest.mark.rule("SP-1")
def test_each_of_ones_own_tiles_has_its_own_special_action():
    seat = dict(
        faction="philosophers",
        competencies=["7"],
        innovations=["professor"],
        board="desert",
        buildings={"E12": "palace"},
        palace="1",
        bonus="science",
    )
    expected = {"faction/philosophers", "competency/7", "innovation/professor", "palace/1", "bonus/science"}
    t = table(seat, dict(passed=True), dict(passed=True), next_order=[1, 2])
    assert t.legal("special") == {f"special {tile}" for tile in expected}
    t.do("special palace/1").end()
    assert t.legal("special") == {f"special {tile}" for tile in expected - {"palace/1"}}


@pytest.mark.rule("SP-1")
def test_special_actions_are_on_own_tiles_only():
    t = table(dict(), dict(competencies=["7"]))
    assert t.legal("special") == set()
