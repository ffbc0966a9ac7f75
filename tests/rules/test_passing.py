"""Passing: bonuses, the new round bonus tile, the next turn order (PASS)."""

from __future__ import annotations

import pytest

from .table import rounds, table

QUIET = dict(bowls=[12, 0, 0], tools=0, coins=0)


@pytest.mark.rule("PASS-1", "RB/palace-university")
def test_the_rulebooks_example_four_vp_for_palace_and_university():
    seat = dict(
        board="desert", bonus="palace-university", buildings={"E12": "palace", "A12": "university"}, palace="13"
    )
    t = table(dict(QUIET, **seat)).do("pass river")
    assert t.vp_from("bonus_tile") == 8


@pytest.mark.rule("PASS-1", "INNO/trade-routes", "PAL/7", "COMP/8")
def test_pass_bonuses_of_all_own_tiles():
    seat = dict(
        board="desert",
        buildings={"E12": "palace", "A12": "guild", "B7": "guild", "D1": "school"},
        palace="7",
        bonus="palace-university",
        innovations=["trade-routes"],
        competencies=["8"],
        city_tiles=["coins", "power"],
    )
    t = table(dict(QUIET, **seat)).do("pass river")
    sources = {key: t.vp_from(key) for key in ("bonus_tile", "innovation", "palace", "competency")}
    assert sources == dict(bonus_tile=4, innovation=4, palace=3, competency=4)


@pytest.mark.rule("PASS-1", "RS-2", "RB/school", "COMP/12")
def test_steps_of_passing_come_in_the_order_that_the_player_chooses():
    # lowest level 1 (law); the step of the school tile first makes it 2
    science = rounds({2: "science-medicine"})
    level = dict(banking=2, law=1, engineering=2, medicine=2)
    seat = dict(QUIET, board="desert", bonus="school", buildings={"E12": "school"}, competencies=["12"], science=level)
    results = set()
    for steps_first in (True, False):
        t = table(seat, round_tiles=science).do("pass river")
        while t.asks:
            steps = [text for text in sorted(t.legal()) if "step" in text]
            others = [text for text in sorted(t.legal()) if "step" not in text]
            if "step law" in t.legal():
                t.do("step law")
            else:
                t.do((steps or others)[0] if steps_first else (others or steps)[0])
        assert t.vp_from("round_tile") == 1 and t.seat()["science"]["law"] == 2
        results.add(t.vp_from("competency"))
    assert results == {1, 2}


@pytest.mark.rule("PASS-2")
def test_one_of_the_three_free_tiles_with_its_coins_and_the_old_one_is_free_for_the_next():
    t = table(dict(QUIET, bonus="coins"), QUIET, bonus_tiles={"river": 3, "scholar": 1, "school": 0})
    assert t.legal() == {"pass river", "pass scholar", "pass school"}
    t.do("pass river")
    assert t.change() == {"coins": 3} and t.seat()["bonus"] == "river" and t.seat()["passed"] is True
    t.end()
    assert t.dict["bonus_tiles"] == {"scholar": 1, "school": 0, "coins": 0}
    assert t.mover == 1 and t.legal("pass") == {"pass scholar", "pass school", "pass coins"}


@pytest.mark.rule("PASS-2")
def test_ones_own_tile_cannot_be_kept():
    t = table(dict(QUIET, bonus="coins"))
    assert t.illegal("pass coins") == "PASS-2"
    assert t.illegal("pass") in {"PASS-2", "PASS-1"}


@pytest.mark.rule("PASS-2", "ACT-1")
def test_the_order_of_passing_is_the_turn_order_of_the_next_round():
    t = table(
        QUIET, QUIET, QUIET, QUIET, order=[0, 1, 2, 3], active=2, bonus_tiles={"river": 0, "scholar": 0, "school": 0}
    )
    assert t.dict["next_order"] == []
    passed = []
    for _ in range(4):
        passed.append(t.mover)
        t.do(sorted(t.legal("pass"))[0]).end()
        while t.phase == "income":
            t.do(sorted(t.legal())[0])
    assert passed == [2, 3, 0, 1]
    assert t.dict["order"] == [2, 3, 0, 1] and t.dict["next_order"] == [] and t.mover == 2
    assert not any(seat["passed"] for seat in t.dict["seats"])


@pytest.mark.rule("PASS-2", "PASS-1")
def test_in_round_six_only_the_pass_bonuses():
    seat = dict(QUIET, board="desert", bonus="palace-university", buildings={"E12": "university"})
    t = table(seat, QUIET, round=6)
    assert t.legal() == {"pass"}
    t.do("pass")
    assert t.vp_from("bonus_tile") == 4 and t.seat()["bonus"] == "palace-university"
    assert t.seat()["passed"] is True and t.mover == 1


@pytest.mark.rule("END-3", "PASS-2")
def test_each_tile_left_gets_a_coin_at_the_end_of_the_round():
    rest = dict(QUIET, passed=True)
    t = (
        table(QUIET, rest, rest, next_order=[1, 2], bonus_tiles={"river": 0, "scholar": 2, "school": 0})
        .do("pass river")
        .end()
    )
    assert t.dict["bonus_tiles"] == {"scholar": 3, "school": 1, "coins": 1}


@pytest.mark.rule("PASS-2")
def test_the_new_tile_gives_its_income_and_the_old_one_nothing_more():
    rest = dict(QUIET, passed=True)
    t = table(
        dict(QUIET, bonus="coins"), rest, rest, next_order=[1, 2], bonus_tiles={"school": 0, "scholar": 0, "river": 0}
    )
    assert t.do("pass school").end().change()["coins"] == 4
