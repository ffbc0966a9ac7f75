"""What is learned from trials of known truth: an effect that was planted, and next to nothing where there is none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import lightgbm
import numpy as np
import pytest

from aoi_sim.players.weighted.features import AFTER, BEFORE, CHANGE, N_FEATURES, N_SEAT, NAMES, OPTION_AT
from aoi_sim.players.weighted.lessons import check_lessons, unpacked
from aoi_sim.players.weighted.trees import LEAF, MOST
from aoi_sim.studies import learning_fit
from aoi_sim.studies.learning_fit import (
    FULL,
    FitConfig,
    Forest,
    boosted,
    content_of,
    expected,
    fitted,
    forest_of,
    joined,
    judged,
    whole,
)
from aoi_sim.studies.trials import END, Trials
from tests.players.taught import worth

ACTION, VP, ROUND, COINS, GAP = (NAMES.index(name) for name in ("action", "vp", "round", "after_coins", "gap"))
SD = 10.0
QUICK = FitConfig(screen=2500, trees=2500, leaves=31, rate=0.1, least=200)
"""About a hundred trees for 20,000 trials."""


def made(
    n: int = 20_000,
    seed: int = 1,
    *,
    own: float = 0.0,
    others: float = 0.0,
    position: float = 2.0,
    ahead: float = 0.0,
    known: Sequence[int] = (0, 1, 2, 4, 5),
) -> tuple[Trials, Any]:
    """Trials in which VP grow with those at hand, and action 3 of 0 to 5 brings so much more, to oneself and the others.

    Half of the options leave a coin, which can only be seen once they are tried; it brings ``ahead`` VP. Without such an
    effect no option leads anywhere. Whatever else differs between options means nothing. What would have been done is one of
    the actions ``known``.
    """
    random = np.random.default_rng(seed)
    done = np.zeros((n, N_FEATURES), np.int16)
    done[:, ROUND] = random.integers(1, 7, n)
    done[:, VP] = random.integers(0, 40, n)
    done[:, AFTER:CHANGE] = done[:, BEFORE:OPTION_AT]
    tried = done.copy()
    for option in (done, tried):
        option[:, OPTION_AT:AFTER] = random.integers(0, 4, (n, AFTER - OPTION_AT))
        if ahead:
            option[:, COINS] = option[:, COINS + N_SEAT] = random.integers(0, 2, n)
    done[:, ACTION], tried[:, ACTION] = random.choice(known, n), random.integers(0, 6, n)
    same = random.integers(0, 6, n) == 0
    tried[same] = done[same]
    good = tried[:, ACTION] == 3
    end = np.zeros((n, len(END)), np.int32)
    end[:, END.index("set_up")] = random.integers(0, n // 10, n)
    end[:, END.index("players")] = 4
    vp = 80 + position * done[:, VP] + random.normal(0, SD, n)
    end[:, END.index("vp")] = np.round(vp + own * good + ahead * tried[:, COINS])
    end[:, END.index("others")] = np.round(300 + random.normal(0, SD, n) + 3 * others * good)
    return Trials(done, tried, end, np.ones(n)), good


def content(trees: Forest, **screens: Forest) -> dict[str, Any]:
    return content_of(screens, {"turn": trees}, ["a", "b"], within=1000, most=3, tried=2, far=700)


def worths(trees: Forest | None, x: Any) -> Any:
    """What trees, packed and unpacked, say of options, in VP."""
    assert trees is not None
    lessons = content(trees)
    check_lessons(lessons)
    held = unpacked(lessons["trees"]["turn"], lessons["features"])
    return np.array([worth(held, [int(f) for f in row]) for row in x]) / 1000


def options(feature: int, *values: int) -> Any:
    """Pairs of options in a hundred positions that differ in one feature."""
    rows = np.repeat(made(100, seed=9)[0].tried, 2, axis=0)
    rows[:, feature] = np.tile(values, 100)
    if feature >= AFTER:
        rows[:, feature + N_SEAT] = rows[:, feature] - rows[:, feature + BEFORE - AFTER]
    return rows


def advantage(trees: Forest | None, feature: int = ACTION, better: int = 3, worse: int = 2) -> Any:
    """How much better one option is held than another, by position."""
    said = worths(trees, options(feature, better, worse))
    return said[::2] - said[1::2]


def tree(feature: int, *worths: int) -> Forest:
    """A tree that holds an option worth the first of them if its feature is 0, the second if it is 1, and so on."""
    forest = Forest([], [], [], [0])
    for value, worth_of_value in enumerate(worths[:-1]):
        forest.feature.extend([feature, LEAF])
        forest.number.extend([value, worth_of_value])
        forest.above.extend([2 * value + 2, 0])
    forest.feature.append(LEAF)
    forest.number.append(worths[-1])
    forest.above.append(0)
    return forest


THREE_VP = tree(ACTION, 0, 0, 0, 3000, 0)


def test_an_option_that_brings_three_vp_is_preferred() -> None:
    trials, _ = made(own=3.0)
    trees, screen = fitted(trials, QUICK)
    pairs = (trials.done != trials.tried).any(axis=1).sum()
    assert trees is not None and len(trees.roots) == 2500 * pairs // FULL > 100
    assert screen is None, "no option leads anywhere, so there is nothing to try"
    found = advantage(trees)
    assert found.mean() == pytest.approx(3.0, abs=0.6)
    assert (found > 1).all()


def test_of_an_option_that_the_player_does_too_most_is_learned() -> None:
    """Not all: what it brings when it is what would have been done the baseline only learns from trials of just that."""
    trials, _ = made(60_000, own=3.0, known=range(6))
    assert 1.5 < advantage(fitted(trials, replace(QUICK, trees=800))[0]).mean() < 3.3


def test_noise_teaches_next_to_nothing() -> None:
    """With as many trees as so many trials get, none is held better by much where none is; an effect would be seen."""
    noise, effect = (advantage(fitted(made(own=own)[0], FitConfig())[0]) for own in (0.0, 3.0))
    assert abs(noise.mean()) < 0.4 and noise.std() < 0.8
    assert effect.mean() > 0.8


# Lessons go on from those that are known.


def test_known_trees_are_kept_in_front_and_new_ones_learn_what_they_leave() -> None:
    """Known are 3 of 5 VP."""
    trees, _ = fitted(made(own=5.0)[0], QUICK, THREE_VP)
    assert trees is not None and len(trees.roots) > 100
    n = len(THREE_VP.feature)
    assert Forest(trees.feature[:n], trees.number[:n], trees.above[:n], trees.roots[:1]) == THREE_VP
    assert trees.roots[1] == n
    assert advantage(trees).mean() == pytest.approx(5.0, abs=0.6)


def test_of_what_is_known_nothing_new_is_learned() -> None:
    trials = made(own=3.0)[0]
    known = advantage(fitted(trials, QUICK, THREE_VP)[0])
    assert known.mean() == pytest.approx(3.0, abs=0.6)
    few = replace(QUICK, trees=1, rate=0.01)
    assert advantage(fitted(trials, few, THREE_VP)[0]).mean() == pytest.approx(3.0, abs=0.05)
    assert advantage(fitted(trials, few)[0]).mean() < 1, "so few do not learn it"


def test_joined_trees_add_up() -> None:
    other = tree(ROUND, *range(0, 800, 100))
    x = made(100)[0].tried
    both = joined(THREE_VP, other)
    assert np.allclose(judged(both, x), judged(THREE_VP, x) + judged(other, x))
    assert np.allclose(judged(both, x), 3.0 * (x[:, ACTION] == 3) + 0.1 * x[:, ROUND])
    assert np.array_equal(worths(both, x), judged(both, x))
    assert joined(None, other) == other


def test_trees_come_back_from_the_content_of_lessons() -> None:
    other = tree(ROUND, 0, 7)
    lessons = content(joined(THREE_VP, other), turn=other)
    assert forest_of(lessons, "turn") == joined(THREE_VP, other)
    assert forest_of(lessons, "turn", "screens") == other
    assert forest_of(lessons, "tile") is forest_of(content(other), "turn", "screens") is forest_of({}, "turn") is None


@pytest.mark.parametrize("n", [MOST - 4, MOST - 2, MOST - 1])
def test_new_trees_compare_with_no_more_numbers_than_can_be_held(n: int) -> None:
    """A feature of many values, which the known trees compare with nearly as many as can be, or with all."""
    trials = made(4000, known=range(6))[0]
    trials.tried[:, GAP] = np.random.default_rng(5).integers(0, 3000, 4000)
    trials.end[:, END.index("vp")] -= trials.tried[:, GAP] // 100
    known = tree(GAP, *range(n + 1))
    trees, _ = fitted(trials, FitConfig(trees=4000, least=50), known)
    assert trees is not None and len(trees.roots) > 30
    asked = {number for feature, number in zip(trees.feature, trees.number, strict=True) if feature == GAP}
    assert n <= len(asked) < MOST
    check_lessons(content(trees))


# Pairs: the fit itself, with a baseline that knows all, or nothing.


def told(monkeypatch: pytest.MonkeyPatch, **effect: float) -> None:
    """What would have been done is expected to bring what it brings."""

    def truth(trials: Trials, worth: Any, config: FitConfig) -> Any:
        done = trials.done
        return 80 + 2 * done[:, VP] + effect["own"] * (done[:, ACTION] == 3) + effect.get("ahead", 0) * done[:, COINS]

    monkeypatch.setattr(learning_fit, "expected", truth)


def test_the_screen_learns_of_the_trees_what_is_seen_before_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action brings 3 VP, a coin that is left 2; the trees learn both, the screen the action."""
    told(monkeypatch, own=3.0, ahead=2.0)
    trees, screen = fitted(made(own=3.0, ahead=2.0, known=range(6))[0], QUICK)
    assert trees is not None and screen is not None
    assert max(screen.feature) < AFTER
    assert advantage(trees).mean() == pytest.approx(3.0, abs=0.5)
    assert advantage(trees, COINS, 1, 0).mean() == pytest.approx(2.0, abs=0.4)
    assert advantage(screen).mean() == pytest.approx(advantage(trees).mean(), abs=0.4)
    assert not advantage(screen, COINS, 1, 0).any()


def test_the_screen_learns_what_known_trees_say_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games bring 3 VP for an action, of which the new trees learn nothing anew."""
    told(monkeypatch, own=3.0, ahead=2.0)
    few = replace(QUICK, trees=1, rate=0.1)
    trees, screen = fitted(made(own=3.0, ahead=2.0, known=range(6))[0], few, THREE_VP)
    assert advantage(trees).mean() == pytest.approx(3.0, abs=0.2)
    assert advantage(screen).mean() == pytest.approx(3.0, abs=0.4)


def test_what_all_options_share_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions differ by some 23 VP of which the baseline knows nothing here; the worth of options does not."""

    def no_idea(trials: Trials, worth: Any, config: FitConfig) -> Any:
        return np.full(len(trials), worth.mean())

    monkeypatch.setattr(learning_fit, "expected", no_idea)
    trials, _ = made(own=3.0)
    assert trials.column("vp").std() > 24
    trees, _ = fitted(trials, QUICK)
    rows = options(ACTION, 2, 2)
    few, many = (worths(trees, replaced(rows, VP, vp)) for vp in (0, 39))
    assert abs((many - few).mean()) < 1.5  # of 78


def replaced(rows: Any, feature: int, value: int) -> Any:
    rows = rows.copy()
    rows[:, feature] = value
    return rows


# The baseline: what the position promised to what would have been done.


def better_as_it_is(n: int = 60_000) -> Trials:
    """Trials in which whatever differs from what would have been done brings 2 VP less."""
    trials, _ = made(n, seed=3)
    same = (trials.done == trials.tried).all(axis=1)
    trials.done[:, GAP] = 0
    trials.tried[:, GAP] = np.where(same, 0, 100 + trials.tried[:, GAP])
    trials.end[:, END.index("vp")] += 2 * same
    return trials


def test_what_is_done_is_not_held_worse_than_it_is() -> None:
    """A baseline of what options drawn all alike bring would promise less, and whatever differs would seem to pay."""
    found = advantage(fitted(better_as_it_is(), replace(QUICK, trees=800))[0], GAP, 0, 101)
    assert found.mean() == pytest.approx(2.0, abs=0.6)
    assert (found > 1).all()


def test_the_baseline_promises_what_would_be_done_brings() -> None:
    trials = better_as_it_is()
    vp = trials.column("vp").astype(float)
    beyond = vp - expected(trials, vp, QUICK)
    same = (trials.done == trials.tried).all(axis=1)
    assert abs(beyond[same].mean()) < 0.5
    assert beyond[~same].mean() == pytest.approx(-2.0, abs=0.5)


def test_what_the_position_brings_is_no_merit_of_the_option() -> None:
    """Positions differ by some 23 VP, and that does not reach the options."""
    trials, _ = made(own=3.0)
    left = trials.column("vp") - expected(trials, trials.column("vp").astype(float), QUICK)
    assert trials.column("vp").std() > 24
    assert SD < left.std() < 1.15 * SD


def test_no_trial_is_judged_by_a_model_that_saw_it() -> None:
    """A position that tells one trial from all others says nothing about its luck."""
    trials, _ = made(4000, position=0.0)
    trials.done[:, VP] = np.arange(4000)
    worth = trials.column("vp").astype(float)
    config = FitConfig(least=5)
    assert abs(np.corrcoef(expected(trials, worth, config), worth)[0, 1]) < 0.1


def test_the_others_count_as_much_as_is_asked() -> None:
    trials, _ = made(own=1.0, others=4.0)
    assert advantage(fitted(trials, QUICK)[0]).mean() == pytest.approx(1.0, abs=0.5)
    against = replace(QUICK, others=1.0)
    assert advantage(fitted(trials, against)[0]).mean() == pytest.approx(-3.0, abs=0.7)


def test_trials_count_by_their_share() -> None:
    """Of two rounds that say the opposite, the one that counts more is believed."""
    up, down = made(own=3.0)[0], made(seed=2, own=-3.0)[0]
    both = Trials(
        *(np.concatenate([getattr(up, name), getattr(down, name)]) for name in ("done", "tried", "end")),
        np.repeat([1.0, 0.05], 20_000),
    )
    assert advantage(fitted(both, QUICK)[0]).mean() > 1.5


def test_trees_of_whole_numbers_say_what_those_of_lightgbm_say() -> None:
    """Within what rounding each tree's answer to a thousandth may do; features below, at and above 0, known by a place."""
    random = np.random.default_rng(4)
    columns = [3, 0, 60, 1, 2]
    x = random.integers(-5, 6, (3000, len(columns))).astype(np.float32)
    y = 5 * (x[:, 1] > 0) - 4 * (x[:, 3] > -1) * (x[:, 4] <= 0) + x[:, 0] + 3 * x[:, 2] + random.normal(0, 1, 3000)
    settings = {"objective": "l2", "num_leaves": 15, "verbosity": -1, "num_threads": 1, "boost_from_average": False}
    booster = lightgbm.train(settings, lightgbm.Dataset(x, y), 60)
    fresh = random.integers(-7, 8, (500, N_FEATURES))
    said = worths(whole(booster.dump_model()["tree_info"], columns), fresh)
    assert np.ptp(said) > 10
    assert np.abs(said - booster.predict(fresh[:, columns].astype(np.float32))).max() <= 60 * 0.0005 + 1e-9


def test_a_tree_without_a_question_is_left_out() -> None:
    x = np.zeros((100, 3), np.float32)
    booster = lightgbm.train({"verbosity": -1, "num_threads": 1}, lightgbm.Dataset(x, np.arange(100.0)), 3)
    assert whole(booster.dump_model()["tree_info"], range(3)) == Forest([], [], [], [])


def test_too_few_trials_teach_nothing() -> None:
    assert fitted(made(399)[0], FitConfig(least=200)) == (None, None)
    assert fitted(made(49)[0], FitConfig(least=1)) == (None, None)


def test_trials_of_what_would_have_been_done_teach_no_difference() -> None:
    trials, _ = made(1000)
    trials.tried[300:] = trials.done[300:]
    assert fitted(trials, FitConfig(least=200)) == (None, None)
    assert fitted(trials, FitConfig(least=100))[0] is not None


def test_the_trees_are_the_same_on_any_number_of_threads() -> None:
    """A few trees are enough: with threads that sum up in another order the first ones would differ."""
    trials, _ = made(5000, own=3.0)
    y = trials.column("vp") + np.random.default_rng(1).normal(0, 1, 5000)

    def trees(**config: int) -> Any:
        settings = {"num_leaves": 31, "min_data_in_leaf": 20}
        return boosted(trials.tried, y, trials.share, 4, settings, FitConfig(**config)).dump_model()["tree_info"]

    assert trees(threads=1) == trees(threads=2)
    assert trees(seed=1) != trees(seed=2)


def test_few_trials_get_few_trees() -> None:
    trials = made(4000, own=3.0, ahead=2.0)[0]
    few = fitted(trials, FitConfig(screen=60, trees=150, least=50))
    assert [len(forest.roots) for forest in few if forest is not None] == [30, 30] > [300 * 4000 // FULL]
    fewer = fitted(trials, FitConfig(screen=7, trees=5, least=50))
    assert [len(forest.roots) for forest in fewer if forest is not None] == [5, 7]
    more = fitted(trials, FitConfig(screen=8000, trees=4000, least=50))
    pairs = (trials.done != trials.tried).any(axis=1).sum()
    assert [len(forest.roots) for forest in more if forest is not None] == [n * pairs // FULL for n in (4000, 8000)]
