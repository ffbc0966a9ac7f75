"""Trees: what they say is what their questions lead to, however they are held, up to the limits of how they are held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aoi_sim.players.weighted.features import N_FEATURES, OPTION_AT
from aoi_sim.players.weighted.trees import FURTHEST, Trees, TreesError
from tests.players.taught import Rows, stumps

Node = Any
"""An end: what it adds. A question: feature, number, node below, node above."""

NUMBERS = st.integers(-FURTHEST, FURTHEST) | st.integers(-3, 3)
FEATURES = st.sampled_from([0, 1, OPTION_AT - 1, OPTION_AT, N_FEATURES - 1])
NODES = st.recursive(
    st.integers(-1_000_000, 1_000_000),
    lambda nodes: st.tuples(FEATURES, NUMBERS, nodes, nodes),
    max_leaves=12,
)


def rows_of(forest: Sequence[Node]) -> list[list[int]]:
    """The rows of trees: feature, number, way above, roots."""
    rows: list[list[int]] = [[], [], [], []]
    for node in forest:
        rows[3].append(len(rows[0]))
        add(node, rows)
    return rows


def add(node: Node, rows: list[list[int]]) -> None:
    feature, number, above, _ = rows
    place = len(feature)
    is_end = isinstance(node, int)
    feature.append(-1 if is_end else node[0])
    number.append(node if is_end else node[1])
    above.append(0)
    if not is_end:
        add(node[2], rows)
        above[place] = len(feature)
        add(node[3], rows)


def answer(node: Node, x: Sequence[int]) -> int:
    """What the questions lead to."""
    while not isinstance(node, int):
        node = node[3] if x[node[0]] > node[1] else node[2]
    return node


def numbers_of(node: Node) -> set[int]:
    return set() if isinstance(node, int) else {node[1]} | numbers_of(node[2]) | numbers_of(node[3])


def codes_of(trees: Trees, x: list[int]) -> bytes:
    codes = [0] * len(trees.asked)
    trees.code(x, codes, 0)
    return bytes(codes)


@given(st.data())
def test_written_and_walked_they_say_what_their_questions_lead_to(data: st.DataObject) -> None:
    """Features lie below, at and above every number that something is compared with, and far from all."""
    forest = data.draw(st.lists(NODES, min_size=1, max_size=6))
    trees = Trees(*rows_of(forest))
    near = {number + d for node in forest for number in numbers_of(node) for d in (-1, 0, 1)}
    values = st.sampled_from(sorted(near | {-100_000, 0, 100_000}))
    x = data.draw(st.lists(values, min_size=N_FEATURES, max_size=N_FEATURES))
    said = [answer(node, x) for node in forest]
    assert trees.worth(x) == sum(said)
    codes = codes_of(trees, x)
    begin = data.draw(st.integers(0, len(forest)))
    for first, last in ((0, begin), (begin, len(forest)), (begin, begin)):
        part = sum(said[first:last])
        assert trees.written(first, last)(codes) == trees.walked(codes, first, last) == part
        assert trees.part(codes, first, last) == part


@given(st.lists(NODES, min_size=1, max_size=6), st.lists(NUMBERS, min_size=N_FEATURES, max_size=N_FEATURES))
def test_of_a_decision_only_what_differs_between_options_is_coded_anew(forest: list[Node], x: list[int]) -> None:
    trees = Trees(*rows_of(forest))
    assert trees.asked == sorted(trees.asked)
    assert [f for f in trees.asked if f < OPTION_AT] == trees.asked[: trees.fixed]
    codes = [*codes_of(trees, [0] * OPTION_AT + x[OPTION_AT:])]
    before = codes[: trees.fixed]
    trees.code([0] * OPTION_AT + [1] * (N_FEATURES - OPTION_AT), codes, trees.fixed)
    assert codes[: trees.fixed] == before
    assert bytes(codes) == codes_of(trees, [0] * OPTION_AT + [1] * (N_FEATURES - OPTION_AT))


# Limits. What is at a limit is held and read rightly, what is beyond is refused.


def long(ends: int, on_yes: bool) -> Rows:
    """A tree that asks on and on where the answer is yes, or where it is no."""
    node: Node = ends - 1
    for k in range(ends - 2, -1, -1):
        node = (k % 2, k, k, node) if on_yes else (k % 2, -k, node, k)
    return rows_of([node])


def of_features(n: int) -> Rows:
    """A tree for each of so many features."""
    return rows_of([(f, 0, f, -f) for f in range(n)])


LIMITS = {
    "features": (of_features, 254, "more than 254 features"),
    "numbers of a feature": (lambda n: stumps(range(n)), 254, "more than 254 features or numbers of one"),
    "ends": (lambda n: long(n, True), 255, "more than 255 nodes below one or ends"),
    "nodes below one": (lambda n: long(n, False), 128, "more than 255 nodes below one"),
    "a high number": (lambda n: stumps([n]), FURTHEST, "compare with 40001, further than 40000"),
    "a low number": (lambda n: stumps([-n]), FURTHEST, "compare with -40001, further than 40000"),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits(limit: str) -> None:
    made, most, words = LIMITS[limit]
    with pytest.raises(TreesError, match=words):
        Trees(*map(list, made(most + 1)))
    rows = made(most)
    trees = Trees(*map(list, rows))
    for value in (-FURTHEST - 1, -FURTHEST, -FURTHEST + 1, -127, -1, 0, 1, 127, 252, 253, 254, FURTHEST, FURTHEST + 1):
        codes = codes_of(trees, [value] * 300)
        said = sum(walked_in_rows(rows, root, value) for root in rows[3])
        assert trees.walked(codes, 0, trees.n) == trees.written(0, trees.n)(codes) == said


def walked_in_rows(rows: Rows, at: int, value: int) -> int:
    """What a tree says if all features have this value, by its rows alone."""
    feature, number, above, _ = rows
    while feature[at] >= 0:
        at = above[at] if value > number[at] else at + 1
    return number[at]
