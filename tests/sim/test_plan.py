import os
import subprocess
import sys
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aoi_sim.rules import Ruleset, load_ruleset
from aoi_sim.sim.plan import DESIGNS, Plan, PlanConfig, PlanError, balance_lines, chunk_size

RULES = load_ruleset()
THIRTEEN = load_ruleset(overlays=[{"factions": {"otters": {"start": {"coins": 1}}}}])

FIXED = '[{"factions":["moles","","",""]},{}]'


def plan(n_games: int = 84, n_players: int = 4, rules: Ruleset = RULES, **config: Any) -> Plan:
    return Plan(PlanConfig(n_games, n_players, **config), rules)


def cells(plan: Plan, name: str) -> list[int]:
    return list(chain.from_iterable(plan.balance()[name]))


@pytest.mark.parametrize("rules", [RULES, THIRTEEN], ids=["12 factions", "13 factions"])
@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
@pytest.mark.parametrize("n_games", [1, 30, 84, 91, 200])
def test_balanced_is_even_to_within_one(n_games: int, n_players: int, rules: Ruleset) -> None:
    balanced = plan(n_games, n_players, rules, design="balanced")
    for name in ("faction x board", "faction x seat"):
        assert max(cells(balanced, name)) - min(cells(balanced, name)) <= 1


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_balanced_is_exact_where_numbers_allow(n_players: int) -> None:
    balanced = plan(168, n_players, design="balanced")
    assert set(cells(balanced, "faction x board")) == {168 * n_players // 84}
    assert set(cells(balanced, "faction x seat")) == {14}


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
@pytest.mark.parametrize("setup", ["standard", "draft"])
def test_rotation_gives_every_pair_every_seat_of_its_block(n_players: int, setup: str) -> None:
    rotation = plan(84 * n_players, n_players, design="rotation", setup=setup)
    games = list(rotation.games())
    for first in range(0, len(games), n_players):
        block = games[first : first + n_players]
        assert {spec.block for spec in block} == {first // n_players}
        assert len({spec.setup_seed for spec in block}) == 1
        rows = [spec.deal for spec in block]
        assert rows[0] is not None
        for turn, deal in enumerate(rows):
            assert deal == rows[0][turn:] + rows[0][:turn]
    assert set(cells(rotation, "faction x board")) == {n_players * n_players}
    assert set(cells(rotation, "faction x seat")) == {7 * n_players}


def test_deals_are_distinct_within_a_game() -> None:
    for design in ("random", "balanced", "rotation"):
        for spec in plan(60, 5, design=design, setup="draft").games():
            assert spec.deal is not None
            for key in ("board", "faction", "bonus", "palace"):
                assert len({row[key] for row in spec.deal}) == 5
            assert "17" not in {row["palace"] for row in spec.deal}


def test_choice_deals_nothing() -> None:
    choice = plan(12, design="choice")
    assert all(spec.deal is None for spec in choice.games())
    assert choice.balance() == {}


def test_a_game_depends_on_its_index_alone() -> None:
    for design in DESIGNS:
        config = {
            "design": design,
            "focus": ("moles",) if design == "focus" else (),
            "fixed": FIXED if design == "fixed" else "",
        }
        whole = plan(200, **config)
        games = list(whole.games())
        again = plan(200, **config)
        assert [again.game(index) for index in reversed(range(200))] == games[::-1]
        assert [spec.index for spec in games] == list(range(200))


def test_set_ups_meet_across_designs_and_heuristics() -> None:
    seeds = [[spec.setup_seed for spec in plan(50, design=d).games()] for d in ("choice", "random", "balanced")]
    assert seeds[0] == seeds[1] == seeds[2]
    other = plan(50, heuristics=("random",), design="balanced")
    assert [spec.deal for spec in other.games()] == [spec.deal for spec in plan(50).games()]


def test_players_of_a_game_have_their_own_streams() -> None:
    seeds = [seed for spec in plan(50).games() for seed in (spec.setup_seed, *spec.player_seeds)]
    assert len(set(seeds)) == len(seeds) == 250


def test_heuristics_fill_or_name_the_seats() -> None:
    assert plan(heuristics=("random",)).game(0).heuristics == ("random",) * 4
    assert plan(heuristics=("a", "b", "c", "d")).game(3).heuristics == ("a", "b", "c", "d")


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 300_000), st.integers(2, 5), st.sampled_from(["balanced", "rotation"]))
def test_chunks_cover_the_games_in_whole_blocks(n_games: int, n_players: int, design: str) -> None:
    n_games = n_games * n_players if design == "rotation" else n_games
    made = plan(n_games, n_players, design=design)
    chunks = made.chunks()
    assert chunks[0].start == 0
    assert chunks[-1].stop == n_games
    assert all(a.stop == b.start for a, b in pairwise(chunks))
    assert all(chunk.start % made.games_a_block == 0 for chunk in chunks)
    assert max(len(chunk) for chunk in chunks) <= 1004


def test_chunk_sizes() -> None:
    numbers = (1, 200, 319, 320, 799, 800, 1000, 2000, 3200, 6401, 10_000, 100_000, 1_000_000)
    assert [chunk_size(n) for n in numbers] == [10, 10, 10, 20, 20, 50, 50, 100, 100, 200, 200, 1000, 1000]
    assert [chunk_size(n, version=1) for n in numbers] == [10, 10, 10, 10, 20, 20, 20, 50, 50, 200, 200, 1000, 1000]
    assert chunk_size(200, 4) == 12


@given(st.integers(160, 200_000))
def test_there_are_chunks_for_many_workers(n_games: int) -> None:
    assert len(plan(n_games).chunks()) >= 16


def test_runs_of_older_plans_keep_their_hash_and_their_chunks() -> None:
    config = PlanConfig(400, 4, heuristics=("random",))
    today, older = Plan(config, RULES), Plan(config, RULES, 1)
    assert older.hash != today.hash
    assert older.chunks() == [range(first, first + 10) for first in range(0, 400, 10)]
    assert list(older.games(range(5))) == list(today.games(range(5)))


def test_the_hash_knows_every_part_of_the_config() -> None:
    changed = [
        plan(85),
        plan(n_players=3),
        plan(seed=2),
        plan(heuristics=("random",)),
        plan(design="random"),
        plan(setup="draft"),
        plan(map="3-5"),
        plan(rules=THIRTEEN),
    ]
    assert len({made.hash for made in [plan(), *changed]}) == 9
    assert plan().hash == plan().hash


def test_the_plan_is_the_same_in_another_process() -> None:
    code = (
        "from aoi_sim.rules import load_ruleset; from aoi_sim.sim.plan import Plan, PlanConfig; "
        "plan = Plan(PlanConfig(84), load_ruleset()); print(plan.hash, [spec.deal for spec in plan.games()])"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    made = plan()
    assert printed.stdout.strip() == f"{made.hash} {[spec.deal for spec in made.games()]}"


def test_balance_lines_name_the_extremes() -> None:
    lines = balance_lines(plan(84).balance())
    assert lines[:2] == ["faction x board: 4 to 4 times", "faction x seat: 7 to 7 times"]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"n_players": 1}, ["1 player,", "--players", "2 to 5"]),
        ({"n_players": 6}, ["6 players", "--players"]),
        ({"n_games": 0}, ["0 games", "--games"]),
        ({"n_games": 10**9}, ["--games"]),
        ({"seed": -1}, ["seed -1", "--seed"]),
        ({"seed": 2**63}, ["--seed"]),
        ({"design": "latin"}, ["'latin'", "--design", "rotation"]),
        ({"setup": "quick"}, ["'quick'", "--setup", "draft"]),
        ({"map": "4-5"}, ["'4-5'", "--map", "1-3"]),
        ({"map": "1-3"}, ["map 1-3 with 4 players", "3-5"]),
        ({"n_players": 2, "map": "3-5"}, ["map 3-5 with 2 players", "1-3"]),
        ({"heuristics": ("a", "b")}, ["2 heuristics for 4 players", "--heuristics"]),
        ({"heuristics": ()}, ["0 heuristics", "--heuristics"]),
        ({"design": "rotation", "n_games": 10}, ["10 games", "--games", "8 or 12"]),
        ({"design": "rotation", "n_games": 3}, ["3 games", "4 or 8"]),
    ],
)
def test_wrong_configs_say_what_where_and_what_to_do(config: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(PlanError) as caught:
        plan(**config)
    text = str(caught.value)
    assert "\n" not in text
    assert [word for word in words if word not in text] == []


def test_five_boards_serve_five_players() -> None:
    removed = [f"boards.{key}" for key in list(RULES.data["boards"])[:2]]
    few = load_ruleset(overlays=[{"setup": {"bundles": 5, "draft_boards": 5}, "remove": removed}])
    five = plan(60, 5, few)
    assert set(cells(five, "faction x board")) == {5}
    assert set(cells(five, "faction x seat")) == {5}
