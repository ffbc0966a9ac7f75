"""Networks: what they say is what their definition says, however they are held, up to the limits of how they are held."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aoi_sim.players.weighted.features import N_FEATURES, OPTION_AT
from aoi_sim.players.weighted.networks import FURTHEST, HALF, Network, NetworkError, Seen

Parts = dict[str, Any]
"""What a network is made of, by the names of its arguments."""
UNIT_MOST = 2 * HALF - 1
"""The most that a unit's sum can be."""
MOST_ADDED = 2 * HALF << 16

FEATURES = [0, 1, OPTION_AT - 1, OPTION_AT, OPTION_AT + 1, N_FEATURES - 1]
NEAR = st.integers(-3, 3)
NUMBERS = st.integers(-FURTHEST, FURTHEST) | NEAR
WEIGHTS = st.integers(-500, 500) | NEAR
GAINS = st.integers(-MOST_ADDED, MOST_ADDED) | NEAR


def spans(parts: Parts) -> list[tuple[int, int]]:
    """By unit, the least and the most that the weights of all features come to."""
    units = range(len(parts["adds"]))
    return [
        (
            sum(min(row[k] for row in rows) for rows in parts["weights"]),
            sum(max(row[k] for row in rows) for rows in parts["weights"]),
        )
        for k in units
    ]


def fits(least: int, most: int) -> Callable[[int], bool]:
    """Whether a unit that begins so stays within its bits."""
    return lambda begin: begin + least >= 0 and begin + most <= UNIT_MOST


@st.composite
def networks(draw: st.DrawFn) -> Parts:
    """Networks of one to four units; a unit's sum may reach both ends of what it can hold."""
    n = draw(st.integers(1, 4))
    asked = sorted(draw(st.sets(st.sampled_from(FEATURES), min_size=1)))
    steps = [sorted(draw(st.sets(NUMBERS, min_size=1, max_size=6))) for _ in asked]
    rows = st.lists(WEIGHTS, min_size=n, max_size=n)
    parts: Parts = {"asked": asked, "steps": steps, "adds": draw(st.lists(GAINS, min_size=n, max_size=n))}
    parts["weights"] = [[draw(rows) for _ in range(len(row) + 1)] for row in steps]
    parts["begin"] = [
        draw(
            st.sampled_from([-least, UNIT_MOST - most]) | st.integers(HALF - 500, HALF + 500).filter(fits(least, most))
        )
        for least, most in spans(parts)
    ]
    return parts


def options_of(parts: Parts) -> st.SearchStrategy[list[int]]:
    """Features below, at and above every step, and far from all; those that no network asks for here are 7."""
    near = {step + d for row in parts["steps"] for step in row for d in (-1, 0, 1)}
    values = st.sampled_from(sorted(near | {-100_000, 0, 100_000}))
    n = len(FEATURES)
    return st.lists(values, min_size=n, max_size=n).map(all_features)


def all_features(values: list[int]) -> list[int]:
    x = [7] * N_FEATURES
    for feature, value in zip(FEATURES, values, strict=True):
        x[feature] = value
    return x


def defined(parts: Parts, x: list[int]) -> int:
    """The worth as the definition has it: units add up weights, and what each is above half of its range adds to the worth."""
    total = 0
    for unit, sum_ in enumerate(parts["begin"]):
        for feature, steps, rows in zip(parts["asked"], parts["steps"], parts["weights"], strict=True):
            code = len([step for step in steps if step < x[feature]])
            sum_ += rows[code][unit]
        if sum_ > HALF:
            total += (sum_ - HALF) * parts["adds"][unit]
    return total // 65_536


@given(st.data())
def test_the_worth_is_what_the_definition_says(data: st.DataObject) -> None:
    parts = data.draw(networks())
    x = data.draw(options_of(parts))
    assert Network(**parts).worth(x) == defined(parts, x)


@given(st.data())
def test_what_options_share_is_added_up_once(data: st.DataObject) -> None:
    """After the sums over what was before the option, only what belongs to the option is asked."""
    parts = data.draw(networks())
    network = Network(**parts)
    one, other = data.draw(options_of(parts)), data.draw(options_of(parts))
    beside = one[:OPTION_AT] + other[OPTION_AT:]
    shared = network.shared(one, Seen())
    assert network.worth_after(shared, one) == network.worth(one)
    assert network.worth_after(shared, beside) == network.worth_after(shared, other) == network.worth(beside)


@given(st.data())
def test_what_was_seen_before_changes_nothing(data: st.DataObject) -> None:
    """Sums are carried from decision to decision, also when another network was asked in between."""
    networks_ = [Network(**data.draw(networks())) for _ in range(2)]
    parts = data.draw(networks())
    networks_.append(Network(**parts))
    seen = Seen()
    for _ in range(data.draw(st.integers(1, 8))):
        network = data.draw(st.sampled_from(networks_))
        x = data.draw(options_of(parts))
        assert network.shared(x, seen) == network.shared(x, Seen())


# One unit by hand.


def one_unit(**changes: Any) -> Parts:
    """It asks for feature 0, which is above 3 or not, and for the first feature of the option: below, at or above 0."""
    parts: Parts = {
        "asked": [0, OPTION_AT],
        "steps": [[3], [-1, 0]],
        "weights": [[[0], [40]], [[-70], [0], [30]]],
        "begin": [HALF + 50],
        "adds": [65_536],
    }
    return {**parts, **changes}


def worth(parts: Parts, first: int, second: int) -> int:
    x = [0] * N_FEATURES
    x[0], x[OPTION_AT] = first, second
    return Network(**parts).worth(x)


def test_a_unit_counts_only_above_half() -> None:
    assert [worth(one_unit(), 3, value) for value in (1, 0, -1)] == [80, 50, 0]
    assert [worth(one_unit(begin=[HALF + 70]), 3, value) for value in (1, 0, -1)] == [100, 70, 0]
    assert [worth(one_unit(begin=[HALF + 71]), 3, value) for value in (1, 0, -1)] == [101, 71, 1]
    assert [worth(one_unit(), 4, value) for value in (1, 0, -1)] == [120, 90, 20]


def test_a_value_beyond_all_steps_is_as_the_nearest_one() -> None:
    assert worth(one_unit(), 10**6, 10**6) == worth(one_unit(), 4, 1) == 120
    assert worth(one_unit(), -(10**6), -(10**6)) == worth(one_unit(), 3, -1) == 0


def test_what_a_unit_adds_may_be_taken_off_and_is_rounded_down() -> None:
    assert worth(one_unit(adds=[-65_536]), 3, 0) == -50
    assert worth(one_unit(adds=[65_535]), 3, 0) == 49
    assert worth(one_unit(adds=[-65_535]), 3, 0) == -50


# Limits. What is at a limit is held and read rightly, what is beyond is refused.


def at_the_limits() -> Parts:
    """Steps and sums that go to both ends: each unit's sum is 0 or the most, its neighbours' the other way round."""
    weights = [[0, UNIT_MOST, 0], [UNIT_MOST, 0, UNIT_MOST], [0, UNIT_MOST, 0]]
    return {
        "asked": [0],
        "steps": [[-FURTHEST, FURTHEST]],
        "weights": [weights],
        "begin": [0, 0, 0],
        "adds": [65_536, -65_536, 2 << 16],
    }


def test_sums_at_their_limits_do_not_touch_each_other() -> None:
    parts = at_the_limits()
    network = Network(**parts)
    for value in (-FURTHEST - 1, -FURTHEST, -FURTHEST + 1, 0, FURTHEST, FURTHEST + 1, FURTHEST + 2):
        x = [value] * N_FEATURES
        inside = bisect_left(parts["steps"][0], value) == 1
        assert network.worth(x) == defined(parts, x) == (3 * (HALF - 1) if inside else 1 - HALF)


def put(*place: Any) -> Callable[[Parts], None]:
    """Puts the last of the arguments where the others lead to."""
    *way, last, new = place

    def change(parts: Parts) -> None:
        for key in way:
            parts = parts[key]
        parts[last] = new

    return change


def units_of(n: int) -> Callable[[Parts], None]:
    """As many units, each alike."""

    def change(parts: Parts) -> None:
        for key in ("begin", "adds"):
            parts[key] = parts[key] * n
        parts["weights"] = [[row * n for row in rows] for rows in parts["weights"]]

    return change


def together(n: int) -> Callable[[Parts], None]:
    """So many units, each of which adds as much as a unit can."""

    def change(parts: Parts) -> None:
        parts.update(begin=[UNIT_MOST - 70], adds=[-MOST_ADDED])
        units_of(n)(parts)

    return change


PARTIAL = "a network that is not whole"
TWICE = "a network that asks for a feature twice"
FAR = "a network with a step further than 40000"
LEAVES = "a network whose sums leave their bits"
DAMAGES = {
    "no unit": (units_of(0), PARTIAL),
    "no feature": (lambda parts: parts.update(asked=[], steps=[], weights=[]), PARTIAL),
    "an amount too many": (put("adds", [1, 1]), PARTIAL),
    "a feature without steps": (put("steps", [[3]]), PARTIAL),
    "a feature without weights": (put("weights", [[[0], [40]]]), PARTIAL),
    "a feature with no step": (lambda parts: (put("steps", 0, [])(parts), put("weights", 0, [[0]])(parts)), PARTIAL),
    "steps out of order": (put("steps", 1, [0, -1]), PARTIAL),
    "a step twice": (put("steps", 1, [0, 0]), PARTIAL),
    "a code without weights": (put("weights", 1, [[-70], [0]]), PARTIAL),
    "weights without a code": (put("weights", 0, [[0], [40], [40]]), PARTIAL),
    "a weight too few": (put("weights", 1, 1, []), PARTIAL),
    "a weight too many": (put("weights", 1, 1, [0, 0]), PARTIAL),
    "a feature twice": (put("asked", [OPTION_AT, OPTION_AT]), TWICE),
    "features out of order": (put("asked", [OPTION_AT, 0]), TWICE),
    "a step too low": (put("steps", 1, 0, -FURTHEST - 1), FAR),
    "a step too high": (put("steps", 1, 1, FURTHEST + 1), FAR),
    "a sum below 0": (put("begin", [69]), LEAVES),
    "a sum above the most": (put("begin", [UNIT_MOST - 69]), LEAVES),
    "an amount too high": (put("adds", [MOST_ADDED + 1]), LEAVES),
    "an amount too low": (put("adds", [-MOST_ADDED - 1]), LEAVES),
    "units that add more together than a machine word holds": (together(66_000), LEAVES),
}
EDGES = {
    "a step as low as may be": put("steps", 1, 0, -FURTHEST),
    "a step as high as may be": put("steps", 1, 1, FURTHEST),
    "a sum of 0": put("begin", [70]),
    "the highest sum": put("begin", [UNIT_MOST - 70]),
    "the highest amount": put("adds", [MOST_ADDED]),
    "the lowest amount": put("adds", [-MOST_ADDED]),
    "a hundred units that add as much as can be": together(100),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_cannot_be_held_is_refused(damage: str) -> None:
    change, words = DAMAGES[damage]
    parts = deepcopy(one_unit())
    change(parts)
    with pytest.raises(NetworkError) as caught:
        Network(**parts)
    assert str(caught.value) == words


@pytest.mark.parametrize("edge", EDGES)
def test_what_can_just_be_held_is_read_rightly(edge: str) -> None:
    parts = deepcopy(one_unit())
    EDGES[edge](parts)
    for first in (3, 4):
        for second in (-FURTHEST, -FURTHEST + 1, -1, 0, 1, FURTHEST + 1):
            x = [first] * OPTION_AT + [second] * (N_FEATURES - OPTION_AT)
            assert worth(parts, first, second) == defined(parts, x)
