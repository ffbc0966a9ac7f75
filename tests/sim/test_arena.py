from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.rules import load_ruleset
from aoi_sim.sim.arena import ARENA, ArenaPlan, arena, block_size, seat_splits, whole_games
from aoi_sim.sim.plan import Plan, PlanConfig, PlanError
from aoi_sim.sim.rerun import plan_of, rerun_game

RULES = load_ruleset()


def plan(n_names: int, n_players: int, n_blocks: int = 1, **config: Any) -> ArenaPlan:
    names = tuple("abcdefghijklm"[:n_names])
    games = n_blocks * block_size(n_names, n_players)
    return ArenaPlan(PlanConfig(games, n_players, heuristics=names, design=ARENA, **config), RULES)


@pytest.mark.parametrize(("n_players", "n_splits"), [(2, 2), (3, 6), (4, 6), (5, 20)])
def test_two_names_play_every_split(n_players: int, n_splits: int) -> None:
    splits = seat_splits(n_players)
    assert len(splits) == len(set(splits)) == n_splits
    assert all(abs(sum(split) * 2 - n_players) <= 1 for split in splits)
    for seat in range(n_players):
        assert sum(split[seat] for split in splits) * 2 == n_splits


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
@pytest.mark.parametrize("n_names", [2, 3, 4, 5, 6, 7, 9, 10, 11])
def test_every_name_plays_every_seat_of_a_block_equally_often(n_names: int, n_players: int) -> None:
    made = plan(n_names, n_players, 5, seed=3)
    games = list(made.games())
    for block in range(5):
        own = [spec for spec in games if spec.block == block]
        assert len({spec.setup_seed for spec in own}) == 1
        assert all(spec.deal == own[0].deal for spec in own)
        counts = Counter((seat, name) for spec in own for seat, name in enumerate(spec.heuristics))
        assert len(counts) == n_names * n_players
        assert len(set(counts.values())) == 1
        if n_names > n_players:
            assert all(len(set(spec.heuristics)) == n_players for spec in own)


@pytest.mark.parametrize(("n_names", "n_players"), [(3, 2), (5, 4), (6, 4), (9, 4), (10, 4), (9, 5), (12, 4)])
def test_pairs_meet_equally_often(n_names: int, n_players: int) -> None:
    meetings = plan(n_names, n_players, 48).meetings()
    assert set(meetings) == set(combinations("abcdefghijkl"[:n_names], 2))
    tables = [count // n_players for count in meetings.values()]
    assert max(tables) - min(tables) <= max(2, 0.04 * max(tables))


@pytest.mark.parametrize(("n_names", "n_players"), [(2, 4), (3, 4), (4, 4), (3, 5), (4, 5), (2, 3)])
def test_pairs_meet_exactly_equally_often_at_tables_for_all(n_names: int, n_players: int) -> None:
    assert len(set(plan(n_names, n_players, 3).meetings().values())) == 1


@pytest.mark.parametrize(("n_names", "n_blocks"), [(2, 8), (2, 20), (9, 8)])
def test_set_ups_are_those_of_a_long_balanced_run(n_names: int, n_blocks: int) -> None:
    made = plan(n_names, 4, n_blocks, seed=5)
    firsts = [made.game(block * made.games_a_block) for block in range(n_blocks)]
    balanced = list(Plan(PlanConfig(84, 4, seed=5), RULES).games(range(n_blocks)))
    assert [(spec.setup_seed, spec.deal) for spec in firsts] == [(spec.setup_seed, spec.deal) for spec in balanced]


def test_orders_differ_from_block_to_block() -> None:
    assert len({spec.heuristics for spec in plan(4, 4, 12).games()}) > 12


def test_games_are_rounded_up_to_whole_blocks() -> None:
    assert whole_games(1000, 2, 4) == 1002
    assert whole_games(1002, 2, 4) == 1002
    assert whole_games(1, 9, 4) == 36


@pytest.mark.parametrize(
    ("names", "games", "message"),
    [
        (("a",), 6, "an arena needs two or more"),
        (("a", "b", "a"), 12, "a given twice"),
        (("a", "b"), 7, "choose 12"),
        (("a", "b"), 0, "0 games"),
    ],
)
def test_refuses(names: tuple[str, ...], games: int, message: str) -> None:
    with pytest.raises(PlanError, match=message) as caught:
        ArenaPlan(PlanConfig(games, 4, heuristics=names, design=ARENA), RULES)
    assert "\n" not in str(caught.value)


def test_an_arena_is_a_run_like_any_other(tmp_path: Path) -> None:
    run = arena(["random", "explorer"], 5, tmp_path / "run", rules=RULES, n_jobs=1, seed=2)
    assert run.n_games == 6
    assert run.n_failed == 0
    seats = run.seats().collect()
    assert dict(seats["heuristic"].value_counts().iter_rows()) == {"random": 12, "explorer": 12}
    assert isinstance(plan_of(run)[0], ArenaPlan)
    assert {entry["name"] for entry in run.manifest["heuristics"]} == {"random", "explorer"}
    assert rerun_game(run, 3).differences == []
