"""Judging: of the options that are looked at the lessons alone decide, and they look without doing anything."""

from __future__ import annotations

from typing import Any

import pytest

from aoi_sim.engine.legal import legal_actions
from aoi_sim.engine.notation import format_action
from aoi_sim.engine.state import State, digest
from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.features import N_FEATURES, NAMES
from aoi_sim.players.weighted.judging import Judge
from aoi_sim.players.weighted.lessons import TILE, TURN
from aoi_sim.players.weighted.options import Option
from tests.players.positions import spot
from tests.players.taught import content, graded
from tests.rules.scenes import TRIANGLE

TOP, PALACE, SCHOOL = 0, 1, 4
"""Places of options: worth most (`build A6`), 257 and 1798 thousandths of a VP behind it."""
FAR_BEHIND = content("gap", graded((1000, 700)), ["turn"])
"""0.7 VP for an option that is more than 1 VP behind."""
CHEAP = content("adds_tools", graded((-5, 300), (-4, 400), (-3, -200), (-2, 1500)), ["turn"])
"""0.3 VP for a palace, which costs four tools, 0.7 VP for a school, three, 2 VP for a workshop."""


def position() -> State:
    seat = {"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 9, "tools": 5}
    state: State = spot(seat, homes="A6 I8", round=3).state
    return state


def taught(lessons: dict[str, Any]) -> WeightedPlayer:
    return WeightedPlayer("taught", {}, {}, str(sorted(lessons.items())), lessons)


def asked(lessons: dict[str, Any], subject: int = TURN) -> tuple[Judge, list[Option]]:
    """A judge, and the six options that are worth most."""
    state = position()
    player = taught(lessons)
    options = player.options(state, legal_actions(state), lessons["within"], lessons["most"])
    texts = [format_action(state, option.steps[-1]) for option in options]
    assert [texts[k] for k in (TOP, PALACE, SCHOOL)] == ["build A6", "upgrade B5 palace", "upgrade B5 school"]
    return player.judge(state, 0, subject), options


def chosen(lessons: dict[str, Any]) -> int:
    """Place of the option that is chosen."""
    judge, options = asked(lessons)
    return options.index(judge.best(options))


def test_what_the_lessons_hold_best_is_chosen_whatever_it_is_worth() -> None:
    assert chosen(FAR_BEHIND) == SCHOOL
    assert chosen(CHEAP) == TOP
    assert chosen(content("adds_tools", graded((-4, -1)), ["turn"])) == PALACE


def test_of_options_that_are_held_alike_the_most_valued_is_chosen() -> None:
    assert chosen(content("gap", graded((-1, 5000)), ["turn"])) == TOP
    assert chosen(content("gap", graded((0, 1)), ["turn"])) == PALACE


def test_all_options_are_worth_what_the_network_says() -> None:
    judge, options = asked(CHEAP)
    judge.ask(options)
    assert [option.worth for option in options] == [2000, 300, 300, 300, 700, 700]
    assert judge.best(options) is options[TOP]
    assert [judge.lessons.worth(TURN, judge.features(option, options[0])) for option in options] == [
        option.worth for option in options
    ]


def test_of_a_subject_without_a_network_nothing_is_said() -> None:
    judge, options = asked(FAR_BEHIND, TILE)
    assert judge.best(options) is options[TOP]
    assert [option.worth for option in options] == [option.value for option in options]


def test_an_option_alone_is_not_asked_about() -> None:
    judge, options = asked(FAR_BEHIND)
    assert judge.best(options[SCHOOL:5]) is options[SCHOOL]
    assert options[SCHOOL].worth == options[SCHOOL].value


def test_only_options_that_come_near_enough_are_looked_at() -> None:
    """The schools, held best, are 1798 thousandths of a VP behind, and the fifth option and the sixth."""
    state = position()
    actions = legal_actions(state)

    def text(**limits: int) -> str:
        return format_action(state, taught({**FAR_BEHIND, **limits}).choose(state, actions))

    assert text(within=1810) == text(most=5) == "upgrade B5 school"
    assert text(within=1700) == text(most=4) == text(most=1) == "build A6"


def test_judging_changes_nothing_in_the_position() -> None:
    judge, options = asked(CHEAP)
    before = digest(judge.state)
    judge.best(options)
    assert digest(judge.state) == before


def test_features_do_not_depend_on_what_was_asked_before() -> None:
    """After any other option they are those that a judge finds which was asked nothing."""
    state = position()
    table = find_heuristic("expert").table()
    player = WeightedPlayer("expert", table["weights"], table["factions"], "expert", table["lessons"])
    options = player.options(state, legal_actions(state), 30_000, 60)
    fresh = [list(player.judge(state, 0, TURN).features(option, options[0])) for option in options]
    assert len({tuple(x) for x in fresh}) == 8 and len(fresh[0]) == N_FEATURES
    judge = player.judge(state, 0, TURN)
    for k, option in enumerate(options):
        for other in options:
            judge.features(other, options[0])
            assert judge.features(option, options[0]) == fresh[k]


@pytest.mark.parametrize(("name", "values"), [("gap", [0, 257, 1798]), ("adds_coins", [-2, -6, -5])])
def test_features_are_those_of_the_option(name: str, values: list[int]) -> None:
    judge, options = asked(CHEAP)
    x = [judge.features(options[k], options[0])[NAMES.index(name)] for k in (TOP, PALACE, SCHOOL)]
    assert x == values
