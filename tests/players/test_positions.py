"""Positions with a clearly right move: each is possible, and `expert` finds all but a few."""

from __future__ import annotations

import pytest

from tests.players.positions import Case, cities, hexes, last_round, power, science

CASES = [case for module in (cities, hexes, last_round, power, science) for case in module.case]
# Raise it as the player learns more; the goal is all of them.
FOUND_AT_LEAST = 91


def test_there_are_enough_positions() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_right_move_is_possible(case: Case) -> None:
    assert case.possible()


def test_expert_finds_the_right_moves() -> None:
    missed = []
    for case in CASES:
        texts = case.played("expert")
        if not case.found(texts):
            missed.append(f"{case.name}: played {', '.join(texts)}, right {' or '.join(case.right + case.then)}")
    print(f"{len(CASES) - len(missed)} of {len(CASES)} found\n" + "\n".join(missed))
    assert len(CASES) - len(missed) >= FOUND_AT_LEAST, "\n".join(missed)
