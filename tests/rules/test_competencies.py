"""Competencies (COMP)."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, display, income, is_city, next_round, scored_by_passing
from .table import DISCIPLINES, annexed, in_city, neutral

SCHOOL = {"coins": -5, "tools": -3}  # the price of a guild's upgrade to a school
GUILD_AT_B6 = {"B6": "guild"}


def taken(number, *answers, place=0, seat=None, homes=""):
    """A school on B6 brings the competency (of the banking column); the change without the school's price."""
    fillers = [other for other in ("2", "3", "8", "9") if other != number][:2]
    order = [*fillers[:place], number, *fillers[place:]]
    t = alone({"buildings": GUILD_AT_B6, **(seat or {})}, homes=homes, competencies=display(*order))
    t.do("upgrade B6 school", f"competency {number}", *answers)
    change = {key: t.change().get(key, 0) - SCHOOL.get(key, 0) for key in {*t.change(), *SCHOOL}}
    return t, {key: amount for key, amount in change.items() if amount}


# three steps of banking: level 3, 1 power
THREE_STEPS = {"banking": 3, "bowl1": -1, "bowl2": 1}


# --- COMP-1, COMP-2 ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP-1", "UP-3")
def test_a_kind_already_owned_cannot_be_taken():
    t = alone({"buildings": GUILD_AT_B6, "competencies": ["7", "9"]}).do("upgrade B6 school")
    assert t.legal() == {f"competency {number}" for number in range(1, 13) if number not in (7, 9)}


@pytest.mark.rule("COMP-1")
def test_a_kind_without_a_copy_left_cannot_be_taken():
    places = display()
    places[0]["left"] = 0
    places[4]["left"] = 1
    t = alone({"buildings": GUILD_AT_B6}, competencies=places).do("upgrade B6 school")
    assert t.legal() == {f"competency {number}" for number in range(2, 13)}
    t.do("competency 5")
    assert next(place for place in t.dict["competencies"] if place["key"] == "5")["left"] == 0


@pytest.mark.rule("COMP-1")
def test_if_none_can_be_taken_nothing_is():
    places = [{**place, "left": 0} for place in display()]
    t = alone({"buildings": GUILD_AT_B6}, competencies=places).do("upgrade B6 school")
    assert t.asks == ""
    assert t.change() == SCHOOL


@pytest.mark.rule("COMP-2", "COMP-1")
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("discipline", range(4))
def test_the_place_gives_steps_and_books_of_its_discipline(discipline, place):
    # 3 steps of law and 2 steps and 1 book of engineering are the rulebook's examples
    name = DISCIPLINES[discipline]
    places = display("7")
    places[0], places[3 * discipline + place] = (
        {**places[3 * discipline + place], "discipline": "banking", "place": 0},
        {**places[0], "discipline": name, "place": place},
    )
    t = alone({"buildings": GUILD_AT_B6}, competencies=places).do("upgrade B6 school", "competency 7")
    steps, books = ((3, 0), (2, 1), (1, 2))[place]
    expected = {**SCHOOL, name: steps}
    if books:
        expected[f"{name}-book"] = books
    if steps == 3:
        expected |= {"bowl1": -1, "bowl2": 1}
    assert t.change() == expected


@pytest.mark.rule("COMP-1", "SCI-2")
def test_its_steps_may_use_a_key():
    t, _ = taken("7", seat={"science": {"banking": 6}, "keys": 1})
    assert t.asks == "key"
    t.do("key")
    assert (t.seat()["science"]["banking"], t.seat()["keys"]) == (9, 0)


@pytest.mark.rule("COMP-1", "ORD-1", "COMP/5")
def test_steps_and_own_effect_come_in_the_players_order():
    t, _ = taken("5")
    assert t.legal() == {"resolve competency/5 steps", "resolve competency/5 spades"}


# --- income -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP/1", "INC-4")
def test_competency_1():
    assert income({"competencies": ["1"]}, "step engineering") == {"tools": 1, "engineering": 1}


@pytest.mark.rule("COMP/1", "INC-6")
def test_a_step_to_level_9_in_phase_1_pays_that_income_once_at_once():
    for discipline, gain in (
        ("banking", {"coins": 3}),
        ("law", {"bowl1": -6, "bowl2": 6}),
        ("engineering", {"tools": 1}),
        ("medicine", {"vp": 3}),
    ):
        tiles = [
            "innovation-law",
            "workshop-law",
            "guild-law",
            "track-engineering",
            "school-banking",
            "science-medicine",
        ]
        seat = {"competencies": ["1"], "science": {discipline: 8}}
        bonus = {"bowl1": -12, "bowl2": 12} if discipline == "law" else {}  # 8 // 2 times 3 power of the round tile
        expected = {"tools": 1 + gain.get("tools", 0), discipline: 1, **{k: v for k, v in gain.items() if k != "tools"}}
        if bonus:
            expected |= {"bowl1": -12, "bowl2": 12 - 6, "bowl3": 6}
        assert income(seat, f"step {discipline}", round_tiles=tiles) == expected


@pytest.mark.rule("COMP/2", "INC-4")
def test_competency_2():
    assert income({"competencies": ["2"]}) == {"vp": 3, "coins": 2}


@pytest.mark.rule("COMP/3", "INC-4")
def test_competency_3():
    assert income({"competencies": ["3"]}, "books law") == {"law-book": 1, "bowl1": -1, "bowl2": 1}


@pytest.mark.rule("COMP/1", "COMP/2", "COMP/3")
@pytest.mark.parametrize("number", ["1", "2", "3"])
def test_income_competencies_give_nothing_when_taken(number):
    t, change = taken(number)
    assert t.asks == ""
    assert change == THREE_STEPS


# --- once -------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP/4")
def test_competency_4():
    t, change = taken("4")
    assert change == {**THREE_STEPS, "tools": 1, "vp": 5, "coins": 2}
    assert t.vp_from("competency") == 5


@pytest.mark.rule("COMP/5", "TB-4")
def test_competency_5():
    t, _ = taken("5", "resolve competency/5 spades")
    assert (t.pending["free"], t.pending["rule"]) == (2, "normal")
    t.do("transform A7>forest", "transform B5>forest", "build A7")
    change = {key: amount for key, amount in t.change().items() if key not in THREE_STEPS}
    assert change == {"coins": -5 - 2, "tools": -3 - 1}


@pytest.mark.rule("COMP/6")
def test_competency_6_gives_two_annexes():
    t, change = taken("6")
    assert change == {**THREE_STEPS, "annexes": 2}
    t.end()
    assert t.legal("annex") == {"annex B6"}


ANNEX_SEAT = {"competencies": ["6"], "annexes": 2}


@pytest.mark.rule("COMP/6")
def test_an_annex_goes_on_any_own_building_without_one():
    buildings = {"B6": "guild", "A7": annexed("workshop"), "I9": neutral("tower"), "H11": in_city("workshop")}
    t = alone({"buildings": buildings, **ANNEX_SEAT}, {"board": "desert", "buildings": {"B7": "workshop"}})
    assert t.legal("annex") == {"annex B6", "annex I9", "annex H11"}
    t.do("annex I9")
    assert t.change() == {"annexes": -1}
    assert t.asks == ""  # no build: no offer
    t.end()
    assert t.legal("annex") == {"annex B6", "annex H11"}


@pytest.mark.rule("COMP/6", "POW-4")
def test_an_annex_makes_no_offer_but_adds_to_those_of_later_builds():
    other = {"board": "desert", "buildings": {"B7": annexed("guild")}, "bowls": [12, 0, 0]}
    t = alone({"buildings": {"B6": "workshop"}, **ANNEX_SEAT}, other).do("annex B6")
    assert t.asks == ""
    t.end().do("upgrade B6 guild")
    assert (t.mover, t.asks, t.pending["power"], t.pending["cost"]) == (1, "offer", 3, 2)


@pytest.mark.rule("COMP/6")
def test_without_annexes_there_is_no_such_action():
    assert alone({"buildings": TRIANGLE, "competencies": ["6"], "annexes": 0}).legal("annex") == set()


@pytest.mark.rule("COMP/6", "INNO/census", "INNO/architecture")
def test_an_annex_is_not_counted_elsewhere():
    # six buildings and two annexes: census counts six, architecture one kind
    buildings = {
        **dict.fromkeys(("B6", "C6", "B5", "A6"), "workshop"),
        "I9": annexed("workshop"),
        "H11": annexed("workshop"),
    }
    for key, vp in (("census", 0), ("architecture", 10)):
        innovations = [{"key": key, "column": "banking"}]
        seat = {"buildings": buildings, "competencies": ["6"], "books": {"banking": 5}}
        t = alone(seat, round=3, innovations=innovations).do(f"innovate {key}")
        assert t.vp_from("innovation") == vp
        assert key == "census" or t.pending["n"] == 1


# --- special action ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP/7", "SP-1")
def test_competency_7():
    t = alone({"buildings": {"B6": "workshop"}, "competencies": ["7"]}).do("special competency/7").end()
    assert t.change() == {"bowl1": -4, "bowl2": 4}
    assert "special competency/7" not in t.legal()


# --- pass -------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP/8", "PASS-1")
@pytest.mark.parametrize("tiles", [[], ["tools"], ["tools", "coins", "coins"]])
def test_competency_8(tiles):
    assert scored_by_passing({"competencies": ["8"], "city_tiles": tiles}).vp_from("competency") == 2 * len(tiles)


@pytest.mark.rule("COMP/12", "PASS-1")
@pytest.mark.parametrize(
    ("levels", "vp"), [((9, 7, 7, 2), 2), ((9, 7, 7, 0), 0), ((5, 4, 6, 4), 4), ((12, 12, 12, 12), 12)]
)
def test_competency_12(levels, vp):
    # 9, 7, 7, 2: the rulebook's example
    seat = {"competencies": ["12"], "science": dict(zip(DISCIPLINES, levels, strict=True))}
    t = alone({"board": "forest", **seat}, round=6).do("pass")
    assert t.vp_from("competency") == vp


# --- always -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("COMP/9", "SCH-1", "SCH-2")
@pytest.mark.parametrize("move", ["send law 3", "send law 2", "return law"])
def test_competency_9(move):
    t = alone({"competencies": ["9"], "scholars": 1, "buildings": {"B6": "workshop"}}).do(move)
    assert t.vp_from("competency") == 2


@pytest.mark.rule("COMP/9", "CONV-1", "TR-1")
def test_a_scholar_paid_or_converted_is_not_sent():
    t = alone({"competencies": ["9"], "scholars": 2, "buildings": {"B6": "workshop"}})
    t.do("convert 1scholar>tool", "advance sailing")
    assert t.vp_from("competency") == 0


@pytest.mark.rule("COMP/10", "NEUT-1")
def test_competency_10_places_a_tower():
    t, change = taken("10", "resolve competency/10 neutral", "place B5 tower", homes="B5")
    assert t.kind_at("B5") == "tower"
    assert change == THREE_STEPS


@pytest.mark.rule("COMP/10", "INC-4")
def test_competency_10s_income():
    assert income({"competencies": ["10"]}) == {"coins": 2, "bowl1": -2, "bowl2": 2}


@pytest.mark.rule("COMP/10", "FAC/omar", "CITY-1")
def test_omar_may_own_a_second_tower():
    buildings = {"B6": "guild", "C6": neutral("tower"), "C7": "workshop"}
    answers = ("resolve competency/10 steps", "place B5 tower")
    t, _ = taken("10", *answers, seat={"faction": "omar", "buildings": buildings}, homes="B5")
    assert t.asks == "city_tile"  # school 2, towers 2 + 2, workshop 1
    t.do("city power")
    assert is_city(t, "B5")


@pytest.mark.rule("COMP/11")
def test_competency_11():
    t = alone({"competencies": ["11"], "buildings": {"B6": "workshop"}}, homes="A6").do("build A6")
    assert t.change() == {"coins": -2, "tools": -1, "vp": 3}
    assert t.vp_from("competency") == 3


@pytest.mark.rule("COMP/11")
def test_competency_11_scores_edge_workshops_only():
    t = alone({"competencies": ["11"], "buildings": {"B6": "workshop", "A7": "workshop"}}, homes="B5").do("build B5")
    assert t.vp_from("competency") == 0
    t.end().do("upgrade A7 guild")
    assert t.vp_from("competency") == 0


@pytest.mark.rule("COMP-1", "INNO/school")
def test_the_neutral_school_brings_a_competency_with_steps_and_books():
    innovations = [{"key": "school", "column": "banking"}]
    seat = {"buildings": {"B6": "workshop"}, "books": {"banking": 5}}
    t = alone(seat, homes="B5", round=3, innovations=innovations, competencies=display("1", "7"))
    t.do("innovate school", "place B5 school", "competency 7")
    assert t.change() == {"coins": -5, "banking-book": -4, "banking": 2}


@pytest.mark.rule("COMP/8", "PASS-1")
def test_pass_bonuses_count_at_every_round():
    t = next_round({"board": "forest", "competencies": ["8"], "city_tiles": ["tools"]})
    assert t.vp_from("competency") == 2
