"""The search of a target finds the smallest change that is shown to reach it; fresh set-ups confirm or refuse it."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.studies.change_study import Setting
from aoi_sim.studies.study import conduct
from aoi_sim.studies.study_effects import effect_rows
from aoi_sim.studies.study_folder import StudyError
from aoi_sim.studies.target import Target
from aoi_sim.studies.target_search import Found, Goal, Margin, judged, searched
from tests.studies.whole_report import check_report

SE, BLOCKS = 0.1, 21
REACH = 1.725 * SE  # Student's t, 20 degrees of freedom, 5 % on one side
WIDE = [*range(1, 65), *range(-1, -65, -1)]
GIFT = {"factions": {"moles": {"start": {"vp": 30}}}}
NUMBER = "factions.moles.start.vp"


def answer(truth: Callable[[int], float], goal: Goal, possible: list[int], se: float = SE) -> tuple[Found, list[int]]:
    margins: dict[int, Margin] = {}
    while (state := searched(margins, goal, possible)).ask is not None:
        assert state.ask not in margins
        margins[state.ask] = Margin(truth(state.ask), se, BLOCKS)
    return state, list(margins)


@given(
    start=st.floats(-30, 30),
    slope=st.floats(0.3, 1.5),
    way=st.sampled_from([1, -1]),
    margin=st.floats(-3, 3),
    within=st.floats(1, 4),
)
def test_the_answer_is_the_smallest_change_that_is_shown_to_be_near_enough(
    start: float, slope: float, way: int, margin: float, within: float
) -> None:
    goal = Goal("moles", margin, within, NUMBER)

    def truth(change: int) -> float:
        return start + way * slope * change

    near = [change for change in [0, *WIDE] if abs(truth(change) - margin) + REACH <= within]
    state, played = answer(truth, goal, WIDE)
    if near:
        assert state.answer == min(near, key=abs)
    else:
        assert state.answer is None
        assert state.why
    assert len(played) <= 3 + 2 * 7


def test_a_search_says_why_there_is_no_answer() -> None:
    goal = Goal("moles", 0.0, 2.0, NUMBER)
    assert answer(lambda change: 10.0, goal, WIDE)[0].why == "no step of it moves the margin the right way"
    assert answer(lambda change: 10.0 + 0.01 * change, goal, WIDE)[0].why == "even a change by -64 does not reach it"
    assert answer(lambda change: 10.0 + change, goal, [1, 2, -1, -2])[0].why == "even a change by -2 does not reach it"
    jump = answer(lambda change: 10.0 + 7 * change, goal, WIDE)[0].why
    assert jump == "a change by -1 is too little, one by -2 too much"
    few = answer(lambda change: 10.0 + change, goal, WIDE, se=1.2)[0].why
    assert few.startswith("too few games, a margin known to 2.1 VP shows nothing within 2 VP")
    assert searched({0: Margin(0.5, None, 1)}, goal, WIDE).why == "too few games, a margin shows nothing within 2 VP"


@given(
    start=st.floats(-8, 8),
    slope=st.floats(0.05, 1.5),
    within=st.floats(1, 4),
    most=st.integers(1, 6),
    error=st.floats(0.05, 0.45),
)
def test_games_are_advised_where_an_estimate_lies_inside_and_so_many_are_enough(
    start: float, slope: float, within: float, most: int, error: float
) -> None:
    goal, possible = Goal("moles", 0.0, within, NUMBER), [*range(1, most + 1), *range(-1, -most - 1, -1)]

    def truth(change: int) -> float:
        return start + slope * change

    state, played = answer(truth, goal, possible, se=error * within)
    inside = [change for change in played if abs(truth(change)) < within]
    if state.answer is not None:
        return
    assert state.few == bool(inside)
    if inside:
        assert state.near in inside
        assert state.times is not None
        assert state.times > 1
        if state.times < 1e9:
            assert answer(truth, goal, possible, se=error * within / state.times**0.5)[0].answer is not None
    else:
        assert state.times is None


def test_an_estimate_inside_that_is_not_shown_asks_for_games_and_not_for_another_number() -> None:
    goal = Goal("moles", 0.0, 4.0, "factions.moles.start.vp")
    state = answer(lambda change: 2.6 - 0.1 * change, goal, [1, -1, -2], se=1.02)[0]
    assert state.near is not None
    assert state.why.endswith("within 4 VP, but known to 1.8 VP only")
    plan = Target(load_ruleset(overlays=[GIFT]), goal, Setting(heuristics=("random",), games=100))
    assert plan._advice(Found(few=True, near=0, times=3.28)) == "--games, give about 330"
    assert plan._advice(Found(few=True, near=0, times=100.0)) == "--games, give about 10,000, or another --number"
    assert plan._advice(Found(few=True, times=100.0)) == "--games, give about 10,000, or a wider --within"
    assert plan._advice(Found(few=True)) == "--games, give more games"
    assert plan._advice(Found(why="even a change by -2 does not reach it")) == "--number, try another number"


def test_the_verdict_asks_whether_the_target_is_reached_and_not_whether_nothing_is_missing() -> None:
    made = {"zero": 0.0, "inside": 2.6, "shown": 2.6, "border": 4.0, "outside": 5.0, "far": -9.0, "unknown": 1.0}
    errors = {"zero": 0.5, "inside": 1.02, "shown": 0.3, "border": 0.5, "outside": 1.0, "far": 1.0, "unknown": None}
    table = pl.DataFrame(
        [
            {"component": name, "value": value, "se": errors[name], "low": None, "high": None, "n": 100, "blocks": 100}
            for name, value in made.items()
        ],
        schema_overrides={"low": pl.Float64, "high": pl.Float64},
    )
    rows = effect_rows(table, "component", quantity="off", players=4, heuristic="random", games=100, delta=4.0)
    assert dict(rows.select("component", "verdict").iter_rows())["inside"] == "different"  # from zero
    found = {row["component"]: (row["verdict"], row["games_needed"]) for row in judged(rows, 4.0, 100).rows(named=True)}
    assert found["zero"] == found["shown"] == ("equivalent", None)
    assert found["far"] == ("different", None)
    assert found["inside"] == ("undecided", 329)  # ((1.645 + 0.842) * 1.02 / 1.4) ** 2 = 3.28 times as many
    assert found["outside"] == ("undecided", 619)
    assert found["border"] == found["unknown"] == ("undecided", None)


def study(goal: Goal, games: int = 60) -> Target:
    return Target(load_ruleset(overlays=[GIFT]), goal, Setting(players=(2,), heuristics=("random",), games=games))


def test_a_gift_of_30_vp_is_taken_back_as_far_as_needed(tmp_path: Path) -> None:
    goal = Goal("moles", 0.0, 7.0, NUMBER)
    done = conduct(study(goal), tmp_path / "study", n_jobs=1, progress=False)
    searches = done.effects.filter(quantity="off_target_search")
    off = {int(name.split("=")[1]): value for name, value in searches.select("component", "estimate").iter_rows()}
    errors = dict(searches.select("component", "se").iter_rows())
    # Random players do not look at VP: at two players a VP of the Moles is half a VP of margin, on the same games.
    assert off[29] == pytest.approx(off[30] - 0.5)
    se = errors[f"{NUMBER}=30"]
    needed = next(k for k in range(64) if off[30] - 0.5 * k + 1.645 * se <= 7.0)
    checked = done.effects.filter(quantity="off_target_check")["component"].to_list()
    assert checked == [f"{NUMBER}={value}" for value in (30, 30 - needed + 1, 30 - needed)]
    check_report(tmp_path / "study")
    assert f"30 becomes {30 - needed} (-{needed}); on fresh set-ups" in (tmp_path / "study/report.md").read_text()
    # Nothing whose estimate lies inside is called different, nothing outside equivalent.
    assert not done.effects.filter(pl.col("estimate").abs() < 7.0, verdict="different").height
    assert not done.effects.filter(pl.col("estimate").abs() > 7.0, verdict="equivalent").height
    assert done.effects.filter(component=f"{NUMBER}=30", quantity="off_target_search")["verdict"].item() == "different"
    last = done.effects.filter(quantity="off_target_check").row(-1, named=True)
    assert (done.shortfall is None) == (last["verdict"] == "equivalent")
    again = conduct(study(goal), tmp_path / "study", n_jobs=1, progress=False)
    assert again.effects.equals(done.effects)


def test_what_cannot_be_reached_is_a_shortfall(tmp_path: Path) -> None:
    done = conduct(study(Goal("moles", 0.0, 0.2, NUMBER)), tmp_path / "study", n_jobs=1, progress=False)
    assert done.shortfall is not None
    assert done.shortfall.startswith("no change reaches the target with random: too few games")
    assert "VP, --games, give about " in done.shortfall
    assert "--number" not in done.shortfall
    assert isinstance(done.effects, pl.DataFrame)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (Goal("mole", 0, 2, NUMBER), "no faction or board 'mole', --target, choose .*moles"),
        (Goal("moles", 0, 0, NUMBER), "within 0 VP, --within"),
        (Goal("moles", 0, 2, "factions.moles"), "no number at factions.moles, --number"),
    ],
)
def test_wrong_goals_are_one_line(goal: Goal, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        study(goal)


def test_a_target_is_sought_for_one_number_of_players_and_a_number_of_games() -> None:
    goal = Goal("moles", 0, 2, NUMBER)
    for setting in (Setting(players=(2, 4), heuristics=("random",)), Setting(games=None, until="1 VP")):
        with pytest.raises(PlanError, match="with --target"):
            Target(load_ruleset(overlays=[GIFT]), goal, setting)
