"""Judging: a screen only says which options are tried; of those the trees alone decide."""

from __future__ import annotations

from typing import Any

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.legal import legal_actions
from aoi_sim.engine.notation import format_action
from aoi_sim.engine.state import State, digest
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.judging import Judge
from aoi_sim.players.weighted.lessons import TURN
from aoi_sim.players.weighted.options import Option
from tests.players.positions import spot
from tests.players.taught import Rows, content, questions, screened, stumps
from tests.rules.scenes import TRIANGLE

TOP, PALACE, SCHOOL = 0, 1, 4
"""Places of options: worth most (`build A6`, 5 VP at once), 257 and 1798 thousandths of a VP behind it."""
CHEAP: tuple[str, Rows] = ("gap", stumps([1000, 1001]))
"""Two VP for an option that is more than 1 VP behind."""
NEAR: tuple[str, Rows] = ("gap", stumps([200], -3000))
"""Three VP less for an option that is more than 0.2 VP behind."""
VP_AT_ONCE: tuple[str, Rows] = ("change_vp", stumps([1], 9000))
"""Nine VP for what brings VP at once, as only `build A6` does."""
ALIKE: tuple[str, Rows] = ("after_vp", stumps([-1]))


def position() -> State:
    seat = {"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 9, "tools": 5}
    state: State = spot(seat, homes="A6 I8", round=3).state
    return state


def asked(lessons: dict[str, Any]) -> tuple[Judge, list[Option]]:
    """A judge, and the six options that are worth most."""
    state = position()
    player = WeightedPlayer("taught", {}, {}, str(sorted(lessons.items())), lessons)
    options = player.options(state, legal_actions(state), lessons["within"], lessons["most"])
    texts = [format_action(state, option.steps[-1]) for option in options]
    assert [texts[k] for k in (TOP, PALACE, SCHOOL)] == ["build A6", "upgrade B5 palace", "upgrade B5 school"]
    return player.judge(state, 0, TURN), options


def chosen(lessons: dict[str, Any], *impossible: int) -> int:
    """Place of the option that is chosen; some turn out to be impossible once they are tried."""
    judge, options = asked(lessons)
    for k in impossible:
        options[k].steps.insert(0, (a.BUILD, 0, 0, 0))
    return options.index(judge.best(options))


def test_trees_alone_decide_among_those_that_are_tried() -> None:
    """What the screen takes from them does not count, however much it is."""
    against_top = ("after_coins", stumps([3], -1))
    assert chosen(screened(NEAR, against_top)) == PALACE
    assert chosen(screened(NEAR, against_top), PALACE) == PALACE + 1, "an impossible one is noticed"


def test_only_so_many_options_are_tried() -> None:
    """The screen holds both schools better than the rest; the trees want `build A6`, which comes third."""
    assert chosen(screened(CHEAP, VP_AT_ONCE, tried=2)) == SCHOOL
    assert chosen(screened(CHEAP, VP_AT_ONCE, tried=3)) == TOP
    assert chosen(screened(CHEAP, VP_AT_ONCE, tried=3), PALACE) == TOP


def test_what_the_screen_holds_far_behind_is_not_tried() -> None:
    """It holds the schools 2 VP better than the rest."""
    assert chosen(screened(CHEAP, VP_AT_ONCE)) == TOP
    assert chosen(screened(CHEAP, VP_AT_ONCE, far=2000)) == TOP
    assert chosen(screened(CHEAP, VP_AT_ONCE, far=1999)) == SCHOOL
    assert chosen(screened(CHEAP, VP_AT_ONCE, far=0)) == SCHOOL
    assert chosen(screened(CHEAP, VP_AT_ONCE, far=0), SCHOOL) == SCHOOL + 1, "the other one is as good by the screen"
    assert chosen(screened(CHEAP, VP_AT_ONCE, tried=2, far=2000)) == SCHOOL


def test_the_one_that_is_left_is_chosen_without_trying() -> None:
    """So it is not noticed that it is impossible, and it is not judged by the trees."""
    assert chosen(screened(CHEAP, VP_AT_ONCE, tried=1), SCHOOL) == SCHOOL
    assert chosen(screened(NEAR, ("after_coins", stumps([3], -1)), far=2999), TOP) == TOP
    judge, options = asked(screened(CHEAP, ("after_coins", stumps([0])), tried=1))
    assert judge.best(options) is options[SCHOOL]
    assert options[SCHOOL].worth == 2000, "by the screen"


def test_of_options_that_the_trees_hold_alike_the_best_by_the_screen_is_chosen() -> None:
    assert chosen(screened(CHEAP, ALIKE)) == SCHOOL
    assert chosen(screened(CHEAP, ALIKE), SCHOOL) == SCHOOL + 1
    assert chosen(screened(("gap", stumps([-1])), ALIKE)) == TOP, "then the most valued"


@pytest.mark.parametrize(("last", "far"), [(1, 1500), (3, 1000), (6, 700)])
def test_an_option_that_falls_far_behind_is_asked_no_further(last: int, far: int) -> None:
    """After 2, 4 and 7 of 10 trees; the next one would hold the schools best by far."""
    for loss, expected in ((far, SCHOOL), (far + 1, TOP)):
        gains = [0] * 10
        gains[last], gains[last + 1] = -loss, 9000
        trees = questions([(1000, gain) for gain in gains])
        assert chosen(content("gap", trees, ["turn"])) == expected
        assert chosen(screened(CHEAP, ("gap", trees))) == expected


def test_all_options_are_worth_what_the_trees_say() -> None:
    """All trees, of all options; the screen leaves none out and adds nothing."""
    judge, options = asked(screened(NEAR, ("change_vp", questions([(1, -2000), (1, 2500)])), tried=1, far=0))
    before = digest(judge.state)
    assert [option.worth for option in judge.all(options)] == [500, *[0] * 5]
    assert digest(judge.state) == before
    assert [judge.lessons.worth(TURN, judge.tried(x, options[0])) for x in options] == [500, *[0] * 5]


def test_without_a_screen_all_options_are_tried() -> None:
    """As in files that were written before there were screens."""
    lessons = content("after_coins", stumps([3], -1), ["turn"])
    assert chosen({**lessons, "tried": 1, "far": 0}) == chosen(lessons) == PALACE
    assert chosen({**lessons, "tried": 1, "far": 0}, PALACE) == PALACE + 1
