"""Sending a scholar and the science board (SCH, SCI)."""

from __future__ import annotations

import pytest

from .table import DISCIPLINES, rounds, table

PLACES = [3, 2, 2, 2]


def science(**levels):
    return {discipline: levels.get(discipline, 0) for discipline in DISCIPLINES}


def alone(seat, **top):
    """Seat 0 plays on alone: the others have passed."""
    return table(seat, dict(passed=True), dict(passed=True), next_order=[1, 2], **top)


# --- SCH -------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SCH-1")
@pytest.mark.parametrize("discipline", DISCIPLINES)
@pytest.mark.parametrize("value", [3, 2])
def test_a_scholar_on_a_place_advances_by_its_value_and_stays(discipline, value):
    t = table(dict(scholars=1, bowls=[12, 0, 0])).do(f"send {discipline} {value}")
    # level 3 gives 1 power
    gained = {"bowl1": -1, "bowl2": 1} if value == 3 else {}
    assert t.change() == {"scholars": -1, discipline: value} | gained
    assert t.seat()["scholar_supply"] == 6
    assert sorted((p["value"], p["seat"]) for p in t.dict["scholar_places"][discipline] if p["seat"] is not None) == [
        (value, 0)
    ]


@pytest.mark.rule("SCH-1")
def test_each_discipline_has_one_place_of_three_and_three_of_two():
    for places in table().dict["scholar_places"].values():
        assert [place["value"] for place in places] == PLACES and {place["seat"] for place in places} == {None}
    t = alone(dict(scholars=5, bowls=[12, 0, 0], keys=1))
    for text in ("send law 3", "send law 2", "send law 2"):
        t.do(text).end()
    t.do("send law 2", "key")
    t.end()
    assert t.seat()["science"]["law"] == 9
    assert not t.legal("send law")
    assert t.illegal("send law 2") == "SCH-1"


@pytest.mark.rule("SCH-1")
def test_only_free_places():
    taken = {"law": [dict(value=3, seat=1), dict(value=2, seat=None), dict(value=2, seat=None), dict(value=2, seat=2)]}
    t = table(dict(scholars=1, bowls=[12, 0, 0]), scholar_places=taken)
    assert t.legal("send law") == {"send law 2"}
    assert t.illegal("send law 3") == "SCH-1"
    # the rulebook's example: the place of 3 is taken, so the scholar goes on a place of 2
    assert t.do("send law 2").change() == {"scholars": -1, "law": 2}


@pytest.mark.rule("SCH-1")
def test_sending_needs_a_scholar_on_hand():
    t = table(dict(scholars=0))
    assert not t.legal("send") and not t.legal("return")
    assert t.illegal("send law 3") in {"SCH-1", "ACT-2"}
    assert t.illegal("return law") in {"SCH-2", "ACT-2"}


@pytest.mark.rule("SCH-2")
@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_a_returned_scholar_gives_one_step(discipline):
    t = table(dict(scholars=1, bowls=[12, 0, 0])).do(f"return {discipline}")
    assert t.change() == {"scholars": -1, "scholar_supply": 1, discipline: 1}
    assert all(place["seat"] is None for place in t.dict["scholar_places"][discipline])


@pytest.mark.rule("SCH-1", "SCH-2", "COMP/9", "RB/scholar")
@pytest.mark.parametrize("text", ["send law 3", "send law 2", "return law"])
def test_each_scholar_sent_or_returned_counts_as_sent(text):
    t = table(dict(scholars=1, competencies=["9"], bonus="scholar")).do(text)
    assert (t.vp_from("competency"), t.vp_from("bonus_tile")) == (2, 2)


# --- SCI-1 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SCI-1")
@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_power_at_levels_three_five_seven_and_twelve(discipline):
    gains = []
    for level in range(12):
        t = table(dict(scholars=1, bowls=[12, 0, 0], science={discipline: level}, keys=1)).do(f"return {discipline}")
        if t.asks == "key":
            t.do("key")
        assert t.seat()["science"][discipline] == level + 1
        gains.append(t.seat()["bowls"][1])
    assert gains == [0, 0, 1, 0, 2, 0, 2, 0, 0, 0, 0, 3]


@pytest.mark.rule("SCI-1")
def test_steps_go_one_by_one_and_each_level_passed_pays():
    # from 4 by three steps to 7: 2 power at 5 and 2 at 7
    t = table(dict(scholars=1, bowls=[12, 0, 0], science=dict(law=4))).do("send law 3")
    assert t.change() == {"scholars": -1, "law": 3, "bowl1": -4, "bowl2": 4}
    t = table(dict(scholars=1, bowls=[12, 0, 0], science=dict(law=2))).do("send law 3")
    assert t.change() == {"scholars": -1, "law": 3, "bowl1": -3, "bowl2": 3}


# --- SCI-2 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SCI-2")
def test_the_step_from_seven_to_eight_uses_up_a_key():
    t = table(dict(scholars=1, keys=2, science=dict(law=6), bowls=[12, 0, 0])).do("send law 3")
    assert t.asks == "key" and t.pending["discipline"] == "law" and t.pending["n"] == 2
    assert t.legal() == {"key", "decline"}
    t.do("key")
    assert t.change() == {"scholars": -1, "law": 3, "keys": -1, "bowl1": -2, "bowl2": 2}


@pytest.mark.rule("SCI-2", "ORD-2")
def test_a_key_may_be_declined_and_the_rest_of_the_steps_is_lost():
    t = table(dict(scholars=1, keys=1, science=dict(law=6), bowls=[12, 0, 0])).do("send law 3", "decline")
    assert t.change() == {"scholars": -1, "law": 1, "bowl1": -2, "bowl2": 2}
    assert t.seat()["keys"] == 1


@pytest.mark.rule("SCI-2", "INNO/architecture")
def test_after_a_declined_key_the_other_steps_of_the_gain_go_to_other_disciplines():
    # three kinds of building: three steps in any split
    built = {"E12": "workshop", "A12": "guild", "D1": "school"}
    seat = dict(board="desert", buildings=built, books=dict(law=5), science=dict(medicine=7), keys=2)
    t = table(seat, innovations=[dict(key="architecture", column="law")], round=3).do("innovate architecture")
    t.do("step medicine", "decline")
    assert t.asks == "steps" and t.legal() == {"step banking", "step law", "step engineering"}
    t.do("step law", "step law")
    assert t.asks == "" and t.seat()["science"] == science(law=2, medicine=7) and t.seat()["keys"] == 2


@pytest.mark.rule("SCI-2")
def test_without_a_key_the_rest_of_the_steps_is_lost():
    t = table(dict(scholars=1, keys=0, science=dict(law=6), bowls=[12, 0, 0])).do("send law 3")
    assert t.asks == "" and t.seat()["science"]["law"] == 7


@pytest.mark.rule("SCI-2")
def test_each_key_is_used_once_and_unused_keys_stay():
    t = alone(dict(scholars=3, keys=2, science=dict(law=7, medicine=7, banking=7), bowls=[12, 0, 0]))
    t.do("return law", "key").end().do("return medicine", "key").end()
    assert t.seat()["keys"] == 0
    t.do("return banking")
    assert t.asks == "" and t.seat()["science"] == science(law=8, medicine=8, banking=7)


@pytest.mark.rule("SCI-2")
def test_no_key_is_needed_beyond_level_eight():
    t = table(dict(scholars=1, keys=0, science=dict(law=8), bowls=[12, 0, 0])).do("send law 3")
    assert t.asks == "" and t.seat()["science"]["law"] == 11


@pytest.mark.rule("SCI-2", "CITY/science")
def test_losing_the_steps_in_one_discipline_leaves_those_in_the_others():
    seat = dict(board="desert", science=dict(law=7), coins=20, tools=20, bowls=[12, 0, 0])
    four = {"E12": "workshop", "E13": "guild", "F12": "school", "F13": "workshop"}
    t = table(dict(seat, buildings=four)).do("upgrade E12 guild", "city science")
    while t.asks in ("resolve", "steps"):
        t.do(sorted(t.legal())[0])
    assert t.asks == "key"
    t.do("decline")
    while t.asks in ("resolve", "steps"):
        t.do(sorted(t.legal())[0])
    assert t.seat()["science"] == science(banking=1, law=7, engineering=1, medicine=1)
    assert t.seat()["keys"] == 1


# --- SCI-3 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SCI-3")
def test_level_twelve_of_a_discipline_is_for_one_player():
    t = table(dict(scholars=1, science=dict(law=10), bowls=[12, 0, 0]), dict(science=dict(law=12))).do("send law 3")
    assert t.change() == {"scholars": -1, "law": 1}
    # of another discipline it is still free; 12 is the end
    t = table(dict(scholars=1, science=dict(medicine=10), bowls=[12, 0, 0]), dict(science=dict(law=12))).do(
        "send medicine 3"
    )
    assert t.change() == {"scholars": -1, "medicine": 2, "bowl1": -3, "bowl2": 3}


@pytest.mark.rule("SCI-3")
def test_others_may_stand_on_level_eleven_together():
    t = table(dict(scholars=1, science=dict(law=9)), dict(science=dict(law=11))).do("send law 2")
    assert t.seat()["science"]["law"] == 11


# --- SCI-4 -----------------------------------------------------------------------------------------------------------
SCIENCE_ROUND = rounds({2: "science-medicine"})


@pytest.mark.rule("SCI-4", "RS/science-medicine")
@pytest.mark.parametrize(
    ("text", "level", "keys", "taken"),
    [
        ("send law 3", 0, 0, 3),
        ("send law 2", 0, 0, 2),
        ("return law", 0, 0, 1),
        ("send law 3", 6, 0, 1),
        ("send law 3", 10, 0, 2),
    ],
)
def test_each_step_really_taken_scores_the_science_round_tile(text, level, keys, taken):
    t = table(dict(scholars=1, science=dict(law=level), keys=keys), round_tiles=SCIENCE_ROUND).do(text)
    assert t.vp_from("round_tile") == taken == t.change().get("law", 0)


@pytest.mark.rule("SCI-4", "COMP-2", "RS/science-medicine")
def test_steps_of_a_competency_score_it_too():
    seat = dict(board="desert", buildings={"E12": "guild"}, coins=9, tools=9)
    t = table(seat, round_tiles=SCIENCE_ROUND).do("upgrade E12 school", "competency 8")
    assert t.vp_from("round_tile") == 2


@pytest.mark.rule("SCI-4", "RB/school", "PASS-1")
def test_steps_of_passing_score_it_too():
    t = table(
        dict(board="desert", buildings={"E12": "school", "A12": "school"}, bonus="school"), round_tiles=SCIENCE_ROUND
    )
    t.do("pass river")
    while t.asks == "steps":
        t.do("step law")
    assert t.vp_from("round_tile") == 2 and t.seat()["science"]["law"] == 2
