"""Seeded noise: chances, and games with it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.engine.legal import legal_actions
from aoi_sim.engine.notation import format_action
from aoi_sim.players import find_heuristic
from aoi_sim.players.conformance import check_heuristic
from aoi_sim.players.heuristic import maker_of
from aoi_sim.players.noisy import NoisyPlayer, chances, draw
from aoi_sim.players.weighted import WeightedPlayer
from tests.players.positions import spot
from tests.players.table import play, start
from tests.players.taught import content, graded
from tests.rules.scenes import TRIANGLE


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    path = tmp_path / "warm.toml"
    path.write_text('base = "expert"\ntemperature = 400\n')
    return path


def test_a_chance_halves_with_every_temperature() -> None:
    assert chances([1000, 900, 800, 700], 100) == [1 << 30, 1 << 29, 1 << 28, 1 << 27]
    between = chances([100, 50], 100)[1]
    assert between == round((1 << 30) * 2**-0.5)


def test_what_is_far_worse_has_no_chance() -> None:
    assert chances([0, -10_000_000], 100)[1] == 0
    assert chances([-3, -3], 1) == [1 << 30, 1 << 30]


def test_draws_follow_the_chances() -> None:
    chance = random.Random(1)
    drawn = [draw(chance, [1000, 900, 0], 100) for _ in range(3000)]
    assert 1900 < drawn.count(0) < 2100
    assert drawn.count(2) < 20


def test_draws_are_the_same_everywhere() -> None:
    chance = random.Random(7)
    assert [draw(chance, [30, 20, 10, 0], 20) for _ in range(12)] == [1, 0, 1, 0, 0, 2, 0, 1, 3, 0, 2, 0]


def test_a_noisy_player_passes_the_checks_and_plays_by_its_seed(warm: Path) -> None:
    heuristic = find_heuristic(warm)
    make = maker_of(heuristic)
    assert isinstance(make(0, 1), NoisyPlayer)
    assert check_heuristic(heuristic).failures == {}
    games = [play(start(2, 3), [make(seat, seed + seat) for seat in range(2)]) for seed in (1, 1, 9)]
    assert games[0] == games[1] != games[2]


def test_without_temperature_the_seed_changes_nothing() -> None:
    make = maker_of(find_heuristic("expert"))
    games = [play(start(2, 3), [make(seat, seed + seat) for seat in range(2)]) for seed in (1, 9)]
    assert games[0] == games[1]


def test_what_lessons_hold_better_is_drawn_more_often() -> None:
    """By weights alone `build A6` is; the lessons want what costs five coins."""
    state = spot({"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 9, "tools": 5}, homes="A6 I8", round=3).state
    actions = legal_actions(state)

    def drawn(lessons: dict[str, Any]) -> set[str]:
        player = NoisyPlayer(WeightedPlayer("taught", {}, {}, str(lessons), lessons), 20, 1)
        return {format_action(state, player.choose(state, actions)).split()[-1] for _ in range(30)}

    assert drawn({}) == {"A6"}
    assert drawn(content("adds_coins", graded((-6, 3000), (-5, -3000)), ["turn"])) == {"school"}
