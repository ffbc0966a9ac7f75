"""Conversions and when they are allowed (CONV)."""

from __future__ import annotations

import pytest

from .table import DISCIPLINES, game, rounds, table

RICH = dict(bowls=[0, 0, 12], scholars=2, tools=2, coins=0, books=dict.fromkeys(DISCIPLINES, 1))
RATES = {
    "5power>scholar": {"bowl3": -5, "bowl1": 5, "scholars": 1, "scholar_supply": -1},
    "5power>banking-book": {"bowl3": -5, "bowl1": 5, "banking-book": 1},
    "5power>law-book": {"bowl3": -5, "bowl1": 5, "law-book": 1},
    "5power>engineering-book": {"bowl3": -5, "bowl1": 5, "engineering-book": 1},
    "5power>medicine-book": {"bowl3": -5, "bowl1": 5, "medicine-book": 1},
    "3power>tool": {"bowl3": -3, "bowl1": 3, "tools": 1},
    "1power>coin": {"bowl3": -1, "bowl1": 1, "coins": 1},
    "1scholar>tool": {"scholars": -1, "scholar_supply": 1, "tools": 1},
    "1tool>coin": {"tools": -1, "coins": 1},
    "1banking-book>coin": {"banking-book": -1, "coins": 1},
    "1law-book>coin": {"law-book": -1, "coins": 1},
    "1engineering-book>coin": {"engineering-book": -1, "coins": 1},
    "1medicine-book>coin": {"medicine-book": -1, "coins": 1},
}


@pytest.mark.rule("CONV-1")
@pytest.mark.parametrize("conversion", RATES)
def test_each_conversion(conversion):
    assert table(RICH).do(f"convert {conversion}").change() == RATES[conversion]


@pytest.mark.rule("CONV-1")
def test_there_are_no_other_conversions_none_the_other_way():
    assert table(RICH).legal("convert") == {f"convert {conversion}" for conversion in RATES}


@pytest.mark.rule("CONV-1", "POW-2")
@pytest.mark.parametrize(("tokens", "allowed"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 7), (6, 7)])
def test_the_power_must_be_there(tokens, allowed):
    t = table(dict(bowls=[12 - tokens, 0, tokens], tools=0, coins=0))
    assert len(t.legal("convert")) == allowed


@pytest.mark.rule("CONV-1")
def test_what_is_paid_must_be_there():
    t = table(dict(bowls=[12, 0, 0], tools=0, coins=9))
    assert t.legal("convert") == set()
    for conversion in ("1tool>coin", "1scholar>tool", "1law-book>coin"):
        assert t.illegal(f"convert {conversion}") in {"CONV-1", "ACT-2"}


@pytest.mark.rule("CONV-1", "POOL-1")
def test_a_scholar_must_be_in_the_supply():
    t = table(dict(bowls=[0, 0, 12], scholars=0, scholar_supply=0, tools=0))
    assert t.illegal("convert 5power>scholar") in {"CONV-1", "POOL-1", "INC-5"}
    assert "convert 5power>law-book" in t.legal()


@pytest.mark.rule("CONV-2")
def test_any_number_before_and_after_the_action():
    seat = dict(board="desert", buildings={"E12": "workshop"}, tools=9, coins=0)
    t = table(seat, terrain={"E13": "desert"}).do("convert 1tool>coin", "convert 1tool>coin", "build E13")
    assert t.stage == "after" and t.mover == 0
    t.do("convert 1tool>coin", "convert 1tool>coin", "end")
    assert t.change() == {"tools": -5, "coins": 2}
    assert t.mover == 1


@pytest.mark.rule("CONV-2", "ACT-1")
def test_conversions_are_no_action():
    t = table(dict(tools=3)).do("convert 1tool>coin")
    assert t.mover == 0 and t.stage == "before" and "end" not in t.legal()


@pytest.mark.rule("CONV-2")
def test_no_conversion_between_the_parts_of_an_action():
    seat = dict(board="desert", buildings={"E12": "workshop"}, tools=9, coins=9, bowls=[0, 4, 6])
    t = table(seat).do("transform E13>desert")
    assert t.asks == "spades" and t.legal() == {"build E13", "decline"}
    assert t.illegal("convert 1tool>coin") == "CONV-2"
    t = table(seat).do("power two-spades")
    assert not t.legal("convert") and not t.legal("sacrifice")


@pytest.mark.rule("CONV-2", "TB-6")
def test_tools_must_be_converted_before_the_action_to_pay_for_its_workshop():
    seat = dict(board="desert", buildings={"E12": "workshop"}, tools=6, coins=0)
    t = table(seat).do("transform E13>desert")
    assert t.asks == "" and t.stage == "after"  # no coin for the workshop: nothing is asked
    t = table(seat).do("convert 1tool>coin", "convert 1tool>coin", "transform E13>desert", "build E13")
    assert t.change() == {"tools": -6}


@pytest.mark.rule("CONV-2")
def test_no_conversion_in_anothers_turn():
    t = table(dict(board="desert", buildings={"E12": "workshop"}), dict(board="swamp", buildings={"D12": "guild"}, tools=9),
              terrain={"E13": "desert"}).do("build E13")  # fmt: skip
    assert t.mover == 1 and t.legal() == {"accept", "decline"}
    assert t.illegal("convert 1tool>coin") == "CONV-2"


@pytest.mark.rule("CONV-2", "PASS-1")
def test_before_and_after_passing_too():
    t = table(dict(tools=2)).do("convert 1tool>coin", "pass river")
    assert t.mover == 0 and t.stage == "after"
    t.do("convert 1tool>coin", "end")
    assert t.change() == {"tools": -2, "coins": 2}
    assert t.mover == 1


@pytest.mark.rule("CONV-2")
def test_not_in_set_up_and_not_in_income():
    t = game(players=2, seed=3)
    while t.phase != "actions":
        assert not t.legal("convert") and not t.legal("sacrifice"), t.phase
        t.do(sorted(t.legal())[0])
    rest = dict(passed=True)
    t = table(dict(competencies=["3"], tools=9, bowls=[0, 0, 12]), rest, rest, next_order=[1, 2]).do(
        "pass river", "end"
    )
    assert t.phase == "income" and not t.legal("convert")
    assert t.illegal("convert 1tool>coin") == "CONV-2"


@pytest.mark.rule("CONV-2", "END-1")
def test_not_in_phase_three():
    tiles = rounds({1: "guild-medicine"})
    seat = dict(board="desert", buildings={"E12": "workshop"}, science=dict(medicine=4), tools=9)
    t = table(seat, dict(passed=True), dict(passed=True), round=1, next_order=[1, 2], round_tiles=tiles).do(
        "pass river", "end"
    )
    assert t.phase == "bonus" and t.asks == "spades"
    assert not t.legal("convert")
    assert t.illegal("convert 1tool>coin") == "CONV-2"


@pytest.mark.rule("CONV-2", "OPT/psychics_convert_between", "FAC/psychics")
def test_psychics_may_convert_between_the_five_power_and_the_second_action():
    seat = dict(faction="psychics", bowls=[0, 5, 7], coins=0, tools=1)
    t = table(seat, options={"psychics_convert_between": True}).do("special faction/psychics")
    assert t.stage == "second" and {"convert 3power>tool", "convert 1tool>coin"} <= t.legal()
    t.do("convert 3power>tool", "power tools")
    assert t.stage == "after"
    t = table(seat, options={"psychics_convert_between": False}).do("special faction/psychics")
    assert t.stage == "second" and not t.legal("convert") and not t.legal("sacrifice")
    assert "power tools" in t.legal() and t.illegal("convert 3power>tool") == "CONV-2"


@pytest.mark.rule("OPT/psychics_convert_between")
def test_psychics_convert_between_is_on_by_default():
    assert table().dict["options"]["psychics_convert_between"] is True
