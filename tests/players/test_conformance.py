"""What every heuristic must do: answer everything legally, change nothing, and repeat itself from its seed."""

import ast
import random
import sys
from pathlib import Path

import pytest

import aoi_sim.players
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.state import digest, is_over
from aoi_sim.players import heuristic_names, make_player
from tests.players.table import play, players, start

HEURISTICS = heuristic_names()
SEATS = [2, 3, 4, 5]


def test_heuristics_are_listed_in_alphabetical_order() -> None:
    assert sorted(HEURISTICS) == HEURISTICS
    assert {"explorer", "greedy", "random"} <= set(HEURISTICS)


@pytest.mark.parametrize("name", HEURISTICS)
def test_player_carries_its_name(name: str) -> None:
    assert make_player(name, 0, 1).name == name


@pytest.mark.parametrize("setup", ["standard", "draft"])
@pytest.mark.parametrize("n_players", SEATS)
@pytest.mark.parametrize("name", HEURISTICS)
def test_chooses_legally_and_leaves_the_state_alone(name: str, n_players: int, setup: str) -> None:
    """Whole games: every choice is one of the actions, and neither they nor the state were touched."""
    state = start(n_players, n_players, setup)
    table = players([name], n_players, 3)
    while not is_over(state):
        before = digest(state)
        actions = legal_actions(state)
        shown = actions[:]
        action = table[seat_to_move(state)].choose(state, shown)
        assert action in actions
        assert shown == actions
        assert digest(state) == before
        apply_action(state, action)


@pytest.mark.parametrize("n_players", SEATS)
@pytest.mark.parametrize("name", HEURISTICS)
def test_same_seed_plays_the_same_game(name: str, n_players: int) -> None:
    games = []
    for _ in range(2):
        state = start(n_players, 11)
        games.append((play(state, players([name], n_players, 5)), digest(state)))
    assert games[0] == games[1]


@pytest.mark.parametrize("name", HEURISTICS)
def test_chance_is_its_own(name: str) -> None:
    """Neither the global generator nor another player's draws change what a player does."""
    state = start(3, 12)
    random.seed(1)
    first = play(state, players([name], 3, 5))
    random.seed(2)
    drawn = random.getstate()
    assert play(start(3, 12), players([name], 3, 5)) == first
    assert random.getstate() == drawn


@pytest.mark.parametrize("name", ["random", "explorer"])
def test_another_seed_plays_another_game(name: str) -> None:
    assert play(start(3, 13), players([name], 3, 5)) != play(start(3, 13), players([name], 3, 6))


@pytest.mark.parametrize("n_players", SEATS)
def test_heuristics_play_together(n_players: int) -> None:
    for seed in range(3):
        state = start(n_players, seed, "draft" if seed == 1 else "standard")
        play(state, players(HEURISTICS, n_players, seed))
        assert is_over(state)


def test_players_use_the_standard_library_only() -> None:
    for path in sorted(Path(aoi_sim.players.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in sys.stdlib_module_names or name.startswith("aoi_sim."), (path.name, name)
