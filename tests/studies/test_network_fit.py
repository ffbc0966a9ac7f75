"""Networks fitted to differences of known truth: they say it of pairs that they never saw, the same in numbers of any kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aoi_sim.players.weighted.features import ADDED_AT, N_FEATURES, NAMES, OPTION_AT
from aoi_sim.players.weighted.lessons import check_lessons, unpacked
from aoi_sim.studies import network_fit
from aoi_sim.studies.network_fit import CATEGORIES, Coding, Parts, Shape, content_of, fitted_network, parts_of

ROUND, COINS, DEED, GAP, TOOLS_ADDED, VP_ADDED = (
    NAMES.index(name) for name in ("round", "coins", "deed", "gap", "adds_tools", "adds_vp")
)
QUICK = Shape(units=24, epochs=1, rate=0.01)
Rows = NDArray[np.int16]
Truth = Callable[[Rows], NDArray[np.float64]]
DEEDS = np.array([0.0, 2.0, -1.0, 0.5, 3.0, -2.0, 1.0, 0.0])
"""VP by deed, in no order."""


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """These truths are simple: few steps find them."""
    monkeypatch.setattr(network_fit, "LEAST_STEPS", 300)


def pairs(n: int, seed: int = 1) -> tuple[Rows, Rows]:
    """Pairs of options in positions of any round and coins."""
    random = np.random.default_rng(seed)
    done = np.zeros((n, N_FEATURES), np.int16)
    done[:, ROUND] = random.integers(1, 7, n)
    done[:, COINS] = random.integers(0, 15, n)
    tried = done.copy()
    for x in (done, tried):
        x[:, DEED] = random.integers(0, len(DEEDS), n)
        x[:, GAP] = random.integers(0, 6000, n)
        x[:, TOOLS_ADDED] = random.integers(-4, 3, n)
        x[:, VP_ADDED] = random.integers(0, 8, n) * random.integers(0, 2, n)
    return done, tried


def plain(x: Rows) -> NDArray[np.float64]:
    """A sum of what single features bring, steeper in one place than in another."""
    return x[:, VP_ADDED] * 0.8 + np.maximum(x[:, TOOLS_ADDED], -1) - x[:, GAP] / 2000.0


def times(n: int, x: Rows) -> NDArray[np.float64]:
    return n * plain(x)


def by_deed(x: Rows) -> NDArray[np.float64]:
    return DEEDS[x[:, DEED]]


def in_later_rounds(x: Rows) -> NDArray[np.float64]:
    """Tools are worth the more the earlier, and nothing in the last round; VP count most with few coins."""
    return x[:, TOOLS_ADDED] * (6.0 - x[:, ROUND]) / 2 + (x[:, COINS] < 5) * x[:, VP_ADDED] / 2


@cache
def fitted_to(truth: Truth, n: int = 3000, shape: Shape = QUICK) -> Parts:
    done, tried = pairs(n)
    return fitted_network(done, tried, truth(tried) - truth(done), np.ones(n), shape)


def explained(parts: Parts, truth: Truth) -> float:
    """R squared of the differences in pairs that were not fitted to."""
    done, tried = pairs(4000, seed=2)
    real = truth(tried) - truth(done)
    left = real - (parts.judged(tried) - parts.judged(done))
    return float(1 - (left**2).mean() / (real**2).mean())


@pytest.mark.parametrize(("truth", "least"), [(plain, 0.98), (by_deed, 0.98), (in_later_rounds, 0.95)])
def test_a_planted_truth_is_found(truth: Truth, least: float) -> None:
    """Amounts, categories, and what hangs on the position."""
    assert explained(fitted_to(truth), truth) > least


def test_the_first_unit_is_a_plain_sum() -> None:
    """With one unit beside it, what single features bring is found by it."""
    assert explained(fitted_to(plain, shape=replace(QUICK, units=2, rate=0.03)), plain) > 0.95


def test_few_pairs_are_looked_at_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once each would be a single step."""
    few = fitted_to(plain, 700)
    monkeypatch.setattr(network_fit, "LEAST_STEPS", 1)
    assert explained(few, plain) > 0.9
    assert explained(fitted_to.__wrapped__(plain, 700), plain) < 0.5
    more = fitted_to.__wrapped__(plain, 700, replace(QUICK, epochs=300))
    assert more == few, "as often as is asked for"


def test_amounts_are_told_in_vp() -> None:
    found = fitted_to(lambda x: 3.0 * (x[:, VP_ADDED] > 0))
    x = pairs(500, seed=3)[0]
    without, with_ = x.copy(), x.copy()
    without[:, VP_ADDED], with_[:, VP_ADDED] = 0, 5
    assert (found.judged(with_) - found.judged(without)).mean() == pytest.approx(3.0, abs=0.15)


def test_what_all_options_share_makes_no_difference() -> None:
    """Nothing is learned of the position alone: it is the same for both options of a pair."""
    found = fitted_to(lambda x: 5.0 * x[:, ROUND] + plain(x))
    assert explained(found, plain) > 0.98


def test_pairs_count_by_their_share() -> None:
    """Of two halves that say the opposite the one that counts more is believed."""
    done, tried = pairs(3000)
    beyond = plain(tried) - plain(done)
    beyond[1500:] *= -1
    for shares, sign in ((1.0, 0.02), 1), ((0.02, 1.0), -1):
        found = fitted_network(done, tried, beyond, np.repeat(shares, 1500), QUICK)
        assert explained(found, partial(times, sign)) > 0.8


# Going on from a network.


def still(known: Parts | None, units: int = QUICK.units) -> Parts:
    """A network that looks at other deeds, another feature and other values, and learns nothing."""
    done, tried = pairs(3000, seed=8)
    for x in (done, tried):
        x[:, DEED] += 2
        x[:, GAP] //= 3
        x[:, VP_ADDED + 1] = x[:, COINS]
    return fitted_network(done, tried, plain(tried), np.ones(3000), replace(QUICK, units=units, rate=0.0), known)


@pytest.mark.parametrize("units", [QUICK.units, QUICK.units + 5])
@pytest.mark.parametrize("truth", [plain, by_deed, in_later_rounds])
def test_a_network_that_is_known_is_where_fitting_begins(truth: Truth, units: int) -> None:
    """Whatever the new data: it says what it said, up to rounding, of what it knows; new units add nothing yet."""
    known = fitted_to(truth)
    begun = still(known, units)
    done, tried = pairs(2000, seed=9)
    before, after = (parts.judged(tried) - parts.judged(done) for parts in (known, begun))
    assert np.abs(after - before).max() < 0.02 < np.abs(before).max()
    assert len(begun.begin) == units


def test_deeds_that_a_known_network_never_met_are_told_apart() -> None:
    known, begun = fitted_to(by_deed), still(fitted_to(by_deed))
    at = known.asked.index(DEED)
    assert len(begun.steps[at]) == len(known.steps[at]) + 2
    assert begun.steps[begun.asked.index(GAP)] == known.steps[known.asked.index(GAP)]
    assert VP_ADDED + 1 in begun.asked


def test_what_is_known_need_not_be_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few steps suffice for what has changed."""
    monkeypatch.setattr(network_fit, "LEAST_STEPS", 40)
    done, tried = pairs(3000)

    def changed(x: Rows) -> NDArray[np.float64]:
        return in_later_rounds(x) + 0.3 * (x[:, TOOLS_ADDED] > 0)

    beyond = changed(tried) - changed(done)
    for known, enough in ((fitted_to(in_later_rounds, 3000, replace(QUICK, epochs=300)), True), (None, False)):
        found = fitted_network(done, tried, beyond, np.ones(3000), replace(QUICK, rate=0.003), known)
        assert (explained(found, changed) > 0.97) == enough


def test_a_network_with_too_many_units_is_not_gone_on_from() -> None:
    small = replace(QUICK, units=QUICK.units - 1)
    done, tried = pairs(3000)
    beyond = plain(tried) - plain(done)
    anew = fitted_network(done, tried, beyond, np.ones(3000), small)
    assert fitted_network(done, tried, beyond, np.ones(3000), small, fitted_to(plain)) == anew


# Numbers of any kind.


def anything(n: int, seed: int) -> Rows:
    """Features of any size."""
    random = np.random.default_rng(seed)
    x = random.integers(-8, 9, (n, N_FEATURES)) * random.choice([1, 1, 1, 1000], (n, N_FEATURES))
    found: Rows = x.astype(np.int16)
    return found


def test_many_options_are_judged_as_one_is_in_a_game() -> None:
    """To the last digit, far beyond all that was fitted to as well."""
    parts = fitted_to(in_later_rounds)
    network = parts.network()
    for x in (pairs(300, seed=4)[1], anything(300, seed=5)):
        said = parts.judged(x)
        assert said.tolist() == [network.worth([int(value) for value in row]) / 1000 for row in x]
        assert len(set(said)) > 100


def test_options_are_judged_alike_in_any_number() -> None:
    parts = fitted_to(plain)
    x = pairs(20_100, seed=6)[0]
    assert np.array_equal(parts.judged(x)[-200:], parts.judged(x[-200:]))


def test_the_same_seed_gives_the_same_network() -> None:
    again = fitted_to.__wrapped__
    assert again(plain) == fitted_to(plain) != again(plain, shape=replace(QUICK, seed=2))


@pytest.mark.parametrize("units", [2, 7])
def test_a_network_has_as_many_units_as_are_asked_for(units: int) -> None:
    parts = fitted_to(plain, 3000, Shape(units=units, epochs=1))
    assert parts.network().n_units == len(parts.begin) == units


def test_large_worths_fit_too() -> None:
    found = fitted_to(lambda x: 200 * plain(x), shape=replace(QUICK, rate=0.3))
    assert np.ptp([found.network().worth([int(value) for value in x]) for x in pairs(100)[0]]) > 200_000


def test_the_sums_of_many_features_stay_within_their_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that have few steps; the weights are as fine as that allows."""
    monkeypatch.setattr(network_fit, "LEAST_STEPS", 3)
    x = anything(800, seed=7)
    x[:, [GAP, NAMES.index("alone")]] = 0
    parts = fitted_network(x[:400], x[400:], x[400:, VP_ADDED] / 1000.0, np.ones(400), Shape(units=300))
    assert len(parts.asked) == N_FEATURES - 2
    assert parts.network().n_units == 300
    ranges = [sum(np.ptp([row[k] for row in rows]) for rows in parts.weights) for k in range(300)]
    assert 64_000 < max(ranges) < 65_536


# What is asked, and in which steps.


def coded(feature: int, values: Sequence[int]) -> list[int]:
    """The steps of a feature that has these values."""
    x = np.zeros((len(values), N_FEATURES), np.int16)
    x[:, feature] = values
    coding = Coding.of(x)
    assert coding.asked == ([feature] if coding.steps else [])
    return coding.steps[0] if coding.steps else []


def test_only_what_differs_is_asked_for() -> None:
    assert fitted_to(plain).asked == sorted((ROUND, COINS, DEED, GAP, TOOLS_ADDED, VP_ADDED))
    assert coded(COINS, [7, 7, 7]) == []


def test_few_values_are_all_told_apart() -> None:
    assert coded(COINS, [3, 9, 1, 3]) == [1, 3]
    assert coded(COINS, [*range(11)]) == [*range(10)] and len(coded(COINS, [*range(12)])) <= 10
    assert coded(DEED, [*range(0, 2000, 10)]) == [*range(0, 1990, 10)]


def test_many_values_are_told_apart_where_there_are_many() -> None:
    """In ten steps, or 120 of what matters most; what an option adds keeps apart from nothing added."""
    values = [k * k // 100 for k in range(1001)]
    assert len(coded(COINS, values)) <= 10 < 100 < len(coded(GAP, values)) <= 120
    steps = coded(COINS, values)
    assert all(60 <= sum(low < x <= high for x in values) <= 140 for low, high in pairwise(steps))
    assert {-1, 0} <= {*coded(VP_ADDED, [*range(-50, 900)])}
    assert not {-1, 0} <= {*coded(COINS, [*range(-50, 900)])}


def test_features_of_one_kind_stand_together() -> None:
    """A position's come first, then the option's, so that the first are added up once."""
    parts = fitted_to(plain)
    assert [f < OPTION_AT for f in parts.asked] == [True, True, False, False, False, False]
    assert DEED in CATEGORIES and not {VP_ADDED, GAP, COINS} & CATEGORIES and min(VP_ADDED, TOOLS_ADDED) >= ADDED_AT


# The content of lessons.


def test_networks_come_back_from_the_content_of_lessons() -> None:
    """Each asks for its own features among those that are named once for all."""
    one = fitted_to(plain)
    done, tried = pairs(3000)
    done[:, GAP] = tried[:, GAP] = 0
    done[:, VP_ADDED + 1], tried[:, VP_ADDED + 1] = 3, 4
    other = fitted_network(done, tried, plain(tried) - plain(done), np.ones(3000), Shape(units=3, epochs=1))
    assert other.asked != one.asked
    content = content_of({"turn": one, "city": other}, ["a", "b"], within=700, most=3)
    check_lessons(content)
    assert parts_of(content, "turn") == one and parts_of(content, "city") == other
    assert parts_of(content, "tile") is parts_of({}, "turn") is None
    assert content["features"] == [NAMES[f] for f in sorted({*one.asked, *other.asked})]
    assert (content["components"], content["within"], content["most"]) == (["a", "b"], 700, 3)
    x: Any = [int(value) for value in tried[0]]
    assert unpacked(content["networks"]["city"], content["features"]).worth(x) == other.network().worth(x)
