"""`explain`: the options that a weighted player weighs, and what they owe to which weight."""

from __future__ import annotations

from pathlib import Path

import pytest

import aoi_sim as aoi
from aoi_sim.engine.state import State
from aoi_sim.players import HeuristicError, find_heuristic
from aoi_sim.players.explain import explain, option_lines
from tests.players.positions import Case, cities, power, spot
from tests.players.taught import content, graded, toml
from tests.rules.scenes import TRIANGLE
from tests.rules.table import game

EXPERT = find_heuristic("expert")


def case(name: str) -> Case:
    return next(one for one in [*cities.case, *power.case] if one.name == name)


def two_workshops() -> State:
    seat = {"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 9, "tools": 5}
    state: State = spot(seat, homes="A6 I8", round=3).state
    return state


def test_the_options_of_a_turn() -> None:
    t = spot({"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 2, "tools": 1}, homes="A6 I8", round=2)
    before = aoi.digest(t.state)
    options = explain(EXPERT, t.state)
    assert aoi.digest(t.state) == before
    assert options[0].text == "build A6"
    assert options[0].chosen
    assert [option.value for option in options] == sorted((option.value for option in options), reverse=True)
    assert 1 < len(options) <= 6
    owed = dict(options[0].owes)
    assert owed["city_extra"] > 0  # the city is worth something beside its tile
    assert "city_extra" not in dict(next(option for option in options if option.text == "build I8").owes)
    lines = option_lines(t.state, options)
    assert "<- chosen" in lines[2]
    assert any("city_extra" in line for line in lines)


def test_lessons_say_how_far_an_option_is_behind_and_by_which_feature() -> None:
    state = two_workshops()
    options = explain(EXPERT, state)
    judged = {option.text: option for option in options if option.judged is not None}
    assert len(judged) > 1
    assert max(option.judged or 0 for option in judged.values()) == 0
    assert any(option.taught for option in judged.values())
    lines = option_lines(state, options)
    assert any("judged by feature, beside the most valued: " in line for line in lines)
    plain = explain(find_heuristic("quick"), state)
    assert all(option.judged is None and not option.taught for option in plain)
    assert "judged" not in option_lines(state, plain)[1]


def test_what_an_option_owes_to_a_feature_is_said_beside_the_most_valued(tmp_path: Path) -> None:
    """`build A6` costs two coins and is most valued; the lessons want what costs five, and not what costs six."""
    path = tmp_path / "taught.toml"
    path.write_text(toml(content("adds_coins", graded((-6, 900), (-3, -600)), ["turn"])))
    options = explain(find_heuristic(path), two_workshops())
    assert [option.text for option in options if option.chosen] == ["upgrade B5 school"]
    said = {option.text: (option.judged, option.taught) for option in options}
    assert said["build A6"] == (-600, [])
    assert said["upgrade B5 palace"] == (-900, [("adds_coins", -300)])
    assert said["upgrade B5 school"] == (0, [("adds_coins", 600)])


def test_of_plans_that_begin_alike_the_chosen_one_is_marked(tmp_path: Path) -> None:
    """Both workshops lack a tool; the lessons want the one that is worth least."""
    path = tmp_path / "taught.toml"
    path.write_text(toml({**content("gap", graded((5000, 1000)), ["turn"]), "within": 9000}))
    seat = {"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 2, "bowls": [9, 0, 3]}
    options = explain(find_heuristic(path), spot(seat, homes="A6 I8", round=5).state)
    first, second = [option for option in options if option.conversions == ["convert 3power>tool"]]
    assert (first.text, first.chosen) == ("build A6", False)
    assert (second.text, second.chosen, second.judged) == ("build I8", True, 0)


def test_each_heuristic_is_explained_by_its_own_lessons(tmp_path: Path) -> None:
    """Of two with the same weights one holds schools better, the other nothing."""
    state = two_workshops()
    judged = []
    for gain in (700, 0):
        path = tmp_path / f"gain-{gain}.toml"
        path.write_text(toml(content("gap", graded((1000, gain)), ["turn"])))
        judged.append([option.judged for option in explain(find_heuristic(path), state) if option.text == "build A6"])
    assert judged == [[-700], [0]]


def test_conversions_stand_before_their_action() -> None:
    options = explain(EXPERT, case("three_power_become_the_tool_of_a_city").build().state)
    assert options[0].text == "build A6"
    assert options[0].conversions == ["convert 3power>tool"]
    assert options[0].price > 0


def test_a_pass_is_listed_when_it_is_chosen() -> None:
    options = explain(EXPERT, spot({"coins": 1}, round=6, players=3).state)
    assert [option.text for option in options if option.chosen] == ["pass"]


def test_answers_to_a_pending_decision() -> None:
    t = spot({"buildings": TRIANGLE, "coins": 2, "tools": 1}, homes="A6").do("build A6")
    options = explain(EXPERT, t.state, 3)
    assert [option.chosen for option in options].count(True) == 1
    assert all(option.text.startswith("city ") for option in options)
    assert option_lines(t.state, options)[1].startswith("1. city ")


def test_a_set_up_decision() -> None:
    options = explain(EXPERT, game(seed=3).state, 2)
    assert len(options) == 2
    assert options[0].chosen


def test_only_heuristics_with_weights_explain() -> None:
    with pytest.raises(HeuristicError, match="no weights, heuristic greedy"):
        explain(find_heuristic("greedy"), game().state)
