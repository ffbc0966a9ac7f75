"""What is learned from trials of known truth: an effect that was planted, and next to nothing where there is none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from aoi_sim.players.weighted.features import ADDED_AT, N_FEATURES, NAMES, OPTION_AT
from aoi_sim.players.weighted.networks import HALF, SHIFT
from aoi_sim.studies import learning_fit, network_fit
from aoi_sim.studies.learning_fit import FULL, LEAST_TREES, LEAST_UNITS, FitConfig, boosted, expected, fitted
from aoi_sim.studies.network_fit import Parts
from aoi_sim.studies.trials import END, Trials

ACTION, VP, ROUND, COINS, GAP = (NAMES.index(name) for name in ("action", "vp", "round", "adds_coins", "gap"))
SD = 10.0
QUICK = FitConfig(trees=2500, leaves=31, rate=0.1, least=200)
"""About a hundred trees for 20,000 trials."""


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network of few features needs few steps."""
    monkeypatch.setattr(network_fit, "LEAST_STEPS", 400)


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

    Half of the options add a coin, which brings ``ahead`` VP. Whatever else differs between options means nothing. What would
    have been done is one of the actions ``known``.
    """
    random = np.random.default_rng(seed)
    done = np.zeros((n, N_FEATURES), np.int16)
    done[:, ROUND] = random.integers(1, 7, n)
    done[:, VP] = random.integers(0, 40, n)
    tried = done.copy()
    for option in (done, tried):
        option[:, OPTION_AT:ADDED_AT] = random.integers(0, 4, (n, ADDED_AT - OPTION_AT))
        option[:, COINS] = random.integers(0, 2, n)
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


def options(feature: int, *values: int) -> Any:
    """Pairs of options in a hundred positions that differ in one feature."""
    rows = np.repeat(made(100, seed=9)[0].tried, 2, axis=0)
    rows[:, feature] = np.tile(values, 100)
    return rows


def advantage(network: Parts | None, feature: int = ACTION, better: int = 3, worse: int = 2) -> Any:
    """How much better one option is held than another, in VP, by position."""
    assert network is not None
    said = network.judged(options(feature, better, worse))
    return said[::2] - said[1::2]


def holding(vp: int) -> Parts:
    """What a player may know: action 3 brings so many VP."""
    return Parts([ACTION], [[2, 3]], [[[0], [vp * 1000], [0]]], [HALF], [1 << SHIFT])


def test_an_option_that_brings_three_vp_is_preferred() -> None:
    found = advantage(fitted(made(own=3.0)[0], QUICK))
    assert found.mean() == pytest.approx(3.0, abs=0.6)
    assert (found > 1).all()


def test_of_an_option_that_the_player_does_too_most_is_learned() -> None:
    """Not all: what it brings when it is what would have been done the baseline only learns from trials of just that."""
    trials, _ = made(60_000, own=3.0, known=range(6))
    assert 1.5 < advantage(fitted(trials, replace(QUICK, trees=800))).mean() < 3.3


def test_noise_teaches_next_to_nothing() -> None:
    """With as many trees as so many trials get, none is held better by much where none is; an effect would be seen."""
    noise, effect = (advantage(fitted(made(own=own)[0], FitConfig())) for own in (0.0, 3.0))
    assert abs(noise.mean()) < 0.4 and noise.std() < 0.8
    assert effect.mean() > 0.8


# Lessons go on from those that are known.


def test_what_is_known_is_kept_and_the_trees_learn_what_it_leaves() -> None:
    """Known are 3 of 5 VP."""
    assert advantage(fitted(made(own=5.0)[0], QUICK, holding(3))).mean() == pytest.approx(5.0, abs=0.6)


def test_of_what_is_known_nothing_new_is_learned() -> None:
    trials = made(own=3.0)[0]
    assert advantage(fitted(trials, QUICK, holding(3))).mean() == pytest.approx(3.0, abs=0.6)
    few = replace(QUICK, trees=1, rate=0.01)
    assert advantage(fitted(trials, few, holding(3))).mean() == pytest.approx(3.0, abs=0.15)
    assert advantage(fitted(trials, few)).mean() < 1, "so few do not learn it"


def test_what_is_known_wrongly_is_unlearned() -> None:
    assert advantage(fitted(made(own=0.0)[0], QUICK, holding(3))).mean() == pytest.approx(0.0, abs=0.6)


# Pairs: the fit itself, with a baseline that knows all, or nothing.


def told(monkeypatch: pytest.MonkeyPatch, **effect: float) -> None:
    """What would have been done is expected to bring what it brings."""

    def truth(trials: Trials, worth: Any, config: FitConfig) -> Any:
        done = trials.done
        return 80 + 2 * done[:, VP] + effect["own"] * (done[:, ACTION] == 3) + effect.get("ahead", 0) * done[:, COINS]

    monkeypatch.setattr(learning_fit, "expected", truth)


def test_effects_that_differ_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action brings 3 VP, a coin 2; whatever else differs nothing."""
    told(monkeypatch, own=3.0, ahead=2.0)
    found = fitted(made(own=3.0, ahead=2.0, known=range(6))[0], QUICK)
    assert advantage(found).mean() == pytest.approx(3.0, abs=0.5)
    assert advantage(found, COINS, 1, 0).mean() == pytest.approx(2.0, abs=0.4)
    assert abs(advantage(found, GAP, 3, 0).mean()) < 0.5


def test_what_all_options_share_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions differ by some 23 VP of which the baseline knows nothing here; what the action brings is the same in all."""

    def no_idea(trials: Trials, worth: Any, config: FitConfig) -> Any:
        return np.full(len(trials), worth.mean())

    monkeypatch.setattr(learning_fit, "expected", no_idea)
    trials, _ = made(own=3.0)
    assert trials.column("vp").std() > 24
    found = fitted(trials, QUICK)
    assert found is not None
    few, many = (worse_and_better(found, vp) for vp in (0, 39))
    assert abs((many - few).mean()) < 1.5  # of 78


def worse_and_better(network: Parts, vp: int) -> Any:
    """How much better action 3 is held with so many VP at hand."""
    rows = options(ACTION, 3, 2)
    rows[:, VP] = vp
    said = network.judged(rows)
    return said[::2] - said[1::2]


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
    found = advantage(fitted(better_as_it_is(), replace(QUICK, trees=800)), GAP, 0, 101)
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
    assert advantage(fitted(trials, QUICK)).mean() == pytest.approx(1.0, abs=0.5)
    against = replace(QUICK, others=1.0)
    assert advantage(fitted(trials, against)).mean() == pytest.approx(-3.0, abs=0.7)


def test_trials_count_by_their_share() -> None:
    """Of two rounds that say the opposite, the one that counts more is believed."""
    up, down = made(own=3.0)[0], made(seed=2, own=-3.0)[0]
    both = Trials(
        *(np.concatenate([getattr(up, name), getattr(down, name)]) for name in ("done", "tried", "end")),
        np.repeat([1.0, 0.05], 20_000),
    )
    assert advantage(fitted(both, QUICK)).mean() > 1.5


def test_too_few_trials_teach_nothing() -> None:
    assert fitted(made(399)[0], FitConfig(least=200)) is None
    assert fitted(made(49)[0], FitConfig(least=1)) is None


def test_trials_of_what_would_have_been_done_teach_no_difference() -> None:
    trials, _ = made(1000)
    trials.tried[300:] = trials.done[300:]
    assert fitted(trials, FitConfig(least=200)) is None
    assert fitted(trials, FitConfig(least=100)) is not None


def test_differences_that_are_all_too_rare_teach_nothing() -> None:
    """No tree finds a question, so a network would have nothing to learn."""
    trials, _ = made(1000)
    trials.done[:, OPTION_AT:] = 0
    trials.tried[:] = trials.done
    trials.tried[np.arange(1000), OPTION_AT + np.arange(1000) % 9] = 1
    assert fitted(trials, FitConfig(least=300)) is None
    assert fitted(trials, FitConfig(least=50)) is not None


def test_the_trees_are_the_same_on_any_number_of_threads() -> None:
    """A few trees are enough: with threads that sum up in another order the first ones would differ."""
    trials, _ = made(5000, own=3.0)
    y = trials.column("vp") + np.random.default_rng(1).normal(0, 1, 5000)

    def trees(**config: int) -> Any:
        settings = {"num_leaves": 31, "min_data_in_leaf": 20}
        return boosted(trials.tried, y, trials.share, 4, settings, FitConfig(**config)).dump_model()["tree_info"]

    assert trees(threads=1) == trees(threads=2)
    assert trees(seed=1) != trees(seed=2)


def test_few_trials_get_few_trees_and_units(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    train = learning_fit.lightgbm().train

    def counted(settings: Any, data: Any, n: int) -> Any:
        if settings["objective"] != "l2":
            rounds.append(n)
        return train(settings, data, n)

    monkeypatch.setattr(learning_fit.lightgbm(), "train", counted)
    trials = made(4000, own=3.0)[0]
    pairs = (trials.done != trials.tried).any(axis=1).sum()
    for trees, units, expected_ in (
        (150, 64, (LEAST_TREES, LEAST_UNITS)),
        (5, 7, (5, 7)),
        (4000, 8000, (4000 * pairs // FULL, 8000 * pairs // FULL)),
    ):
        found = fitted(trials, FitConfig(trees=trees, units=units, least=50))
        assert found is not None
        assert (rounds.pop(), len(found.begin)) == expected_
    assert 64 * 4000 // FULL < LEAST_UNITS < 8000 * pairs // FULL


def test_many_trials_get_all_trees_and_units() -> None:
    assert [learning_fit._part(64, 24, n) for n in (FULL, 2 * FULL, FULL - 1, FULL // 2)] == [64, 64, 63, 32]
