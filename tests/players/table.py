"""Games played by hand in the tests of the players."""

from collections.abc import Callable

from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.setup import new_game
from aoi_sim.engine.state import State, is_over
from aoi_sim.players import Player, make_player
from aoi_sim.rules import load_ruleset

Watcher = Callable[[State, list[Action], Action], None]


def start(n_players: int, seed: int, setup: str = "standard", **options: str | int | bool) -> State:
    """A new game of the default edition."""
    return new_game(load_ruleset(options=options), n_players, seed, setup)


def players(names: list[str], n_players: int, seed: int) -> list[Player]:
    """A player a seat, names in turn."""
    return [make_player(names[seat % len(names)], seat, 100 * seed + seat) for seat in range(n_players)]


def play(state: State, table: list[Player], watch: Watcher | None = None) -> list[Action]:
    """Play a game to its end; returns its decisions."""
    decisions: list[Action] = []
    while not is_over(state):
        actions = legal_actions(state)
        action = table[seat_to_move(state)].choose(state, actions)
        if watch:
            watch(state, actions, action)
        apply_action(state, action)
        decisions.append(action)
        assert len(decisions) < 5000, "the game does not end"
    return decisions
