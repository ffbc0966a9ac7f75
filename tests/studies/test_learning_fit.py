"""What is learned from trials of known truth: an effect that was planted, and next to nothing where there is none."""

from typing import Any

import lightgbm
import numpy as np
import pytest

from aoi_sim.players.weighted.features import N_FEATURES, NAMES
from aoi_sim.players.weighted.lessons import check_lessons, unpacked
from aoi_sim.studies.learning_fit import FULL, FitConfig, Forest, boosted, content_of, expected, fitted, whole
from aoi_sim.studies.trials import END, Trials
from tests.players.taught import worth

ACTION, VP, ROUND = (NAMES.index(name) for name in ("action", "vp", "round"))
SD = 10.0
QUICK = FitConfig(trees=2000, leaves=31, rate=0.05, least=200)
"""About a hundred trees for 20,000 trials."""


def made(
    n: int = 20_000, seed: int = 1, own: float = 0.0, others: float = 0.0, position: float = 2.0
) -> tuple[Trials, Any]:
    """Trials in which VP grow with those at hand, and action 3 of 0 to 5 brings so much more, to oneself and the others."""
    random = np.random.default_rng(seed)
    done = np.zeros((n, N_FEATURES), np.int16)
    done[:, ROUND] = random.integers(1, 7, n)
    done[:, VP] = random.integers(0, 40, n)
    tried = done.copy()
    done[:, ACTION], tried[:, ACTION] = random.integers(0, 6, (2, n))
    good = tried[:, ACTION] == 3
    end = np.zeros((n, len(END)), np.int32)
    end[:, END.index("set_up")] = random.integers(0, n // 10, n)
    end[:, END.index("players")] = 4
    vp = 80 + position * done[:, VP] + random.normal(0, SD, n)
    end[:, END.index("vp")] = np.round(vp + own * good)
    end[:, END.index("others")] = np.round(300 + random.normal(0, SD, n) + 3 * others * good)
    return Trials(done, tried, end, np.ones(n)), good


def worths(forest: Forest | None, x: Any) -> Any:
    """What packed and unpacked trees say of options, in VP."""
    assert forest is not None
    content = content_of({"turn": forest}, ["a", "b"], 1000, 3)
    check_lessons(content)
    trees = unpacked(content["trees"]["turn"], content["features"])
    return np.array([worth(trees, [int(f) for f in row]) for row in x]) / 1000


def advantage(forest: Forest | None) -> Any:
    """How much better action 3 is held than action 2, by position."""
    options = np.repeat(made(100, seed=9)[0].tried, 2, axis=0)
    options[:, ACTION] = np.tile([3, 2], 100)
    said = worths(forest, options)
    return said[::2] - said[1::2]


def test_an_option_that_brings_three_vp_is_preferred() -> None:
    forest = fitted(made(own=3.0)[0], QUICK)
    assert forest is not None and len(forest.roots) == 100
    assert advantage(forest).mean() == pytest.approx(3.0, abs=0.6)
    assert (advantage(forest) > 1).all()


def test_noise_teaches_next_to_nothing() -> None:
    """With as many trees as so many trials get, none is held better by much where none is; an effect would be seen."""
    noise, effect = (advantage(fitted(made(own=own)[0], FitConfig())) for own in (0.0, 3.0))
    assert abs(noise.mean()) < 0.4 and noise.std() < 0.8
    assert effect.mean() > 1.5


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
    assert advantage(fitted(trials, QUICK)).mean() == pytest.approx(1.0, abs=0.5)
    against = FitConfig(trees=2000, leaves=31, rate=0.05, least=200, others=1.0)
    assert advantage(fitted(trials, against)).mean() == pytest.approx(-3.0, abs=0.7)


def test_trials_count_by_their_share() -> None:
    """Of two rounds that say the opposite, the one that counts more is believed."""
    up, down = made(own=3.0)[0], made(seed=2, own=-3.0)[0]
    both = Trials(
        *(np.concatenate([getattr(up, name), getattr(down, name)]) for name in ("done", "tried", "end")),
        np.repeat([1.0, 0.05], 20_000),
    )
    assert advantage(fitted(both, QUICK)).mean() > 1.5


def test_trees_of_whole_numbers_say_what_those_of_lightgbm_say() -> None:
    """Within what rounding each tree's answer to a thousandth may do; features below, at and above 0."""
    random = np.random.default_rng(4)
    x = random.integers(-5, 6, (3000, N_FEATURES)).astype(np.float32)
    x[:, 40:] = 0
    y = 5 * (x[:, 0] > 0) - 4 * (x[:, 1] > -1) * (x[:, 2] <= 0) + x[:, 3] + random.normal(0, 1, 3000)
    settings = {"objective": "l2", "num_leaves": 15, "verbosity": -1, "num_threads": 1, "boost_from_average": False}
    booster = lightgbm.train(settings, lightgbm.Dataset(x, y), 60)
    fresh = random.integers(-7, 8, (500, N_FEATURES))
    said = worths(whole(booster.dump_model()["tree_info"]), fresh)
    assert np.ptp(said) > 10
    assert np.abs(said - booster.predict(fresh.astype(np.float32))).max() <= 60 * 0.0005 + 1e-9


def test_a_tree_without_a_question_is_left_out() -> None:
    x = np.zeros((100, 3), np.float32)
    booster = lightgbm.train({"verbosity": -1, "num_threads": 1}, lightgbm.Dataset(x, np.arange(100.0)), 3)
    assert whole(booster.dump_model()["tree_info"]) == Forest([], [], [], [])


def test_too_few_trials_teach_nothing() -> None:
    assert fitted(made(399)[0], FitConfig(least=200)) is None
    assert fitted(made(49)[0], FitConfig(least=1)) is None


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
    forest = fitted(made(4000, own=3.0)[0], FitConfig(trees=300, least=50))
    assert forest is not None and len(forest.roots) == 30 > 300 * 4000 // FULL
    fewer = fitted(made(4000, own=3.0)[0], FitConfig(trees=7, least=50))
    assert fewer is not None and len(fewer.roots) == 7
