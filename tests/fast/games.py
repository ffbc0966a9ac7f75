"""``python games.py FIRST STOP``: plays games and prints the build, then a digest of everything in each game.

Run as a script, so that the package is the one that PYTHONPATH names.
"""

import hashlib
import sys

import aoi_sim as aoi
from aoi_sim.engine import events, state
from aoi_sim.players import Player

TABLES = (["random"], ["greedy"], ["expert"], ["expert", "greedy", "random", "explorer"])
N_GAMES = 500


def game_digest(rules: aoi.Ruleset, game: int) -> str:
    """A hash of all decisions in words, of what was legal, refused and logged, and of the end."""
    n_players = 2 + game % 4
    names = TABLES[game // 4 % len(TABLES)]
    table = aoi.new_game(rules, n_players=n_players, seed=game, setup=("standard", "draft")[game // 16 % 2])
    table.log = []
    seats: list[Player] = [
        aoi.make_player(names[seat % len(names)], seat, 10 * game + seat) for seat in range(n_players)
    ]
    found = hashlib.sha256()
    asked: list[aoi.engine.Action] = []
    while not aoi.is_over(table):
        actions = aoi.legal_actions(table)
        if table.n_decisions % 16 == 0:
            found.update(
                f"{actions}{[refusal(table, action) for action in asked if action not in actions][:3]}".encode()
            )
            asked = actions
        action = seats[aoi.seat_to_move(table)].choose(table, actions)
        found.update(aoi.format_action(table, action).encode())
        aoi.apply_action(table, action)
    assert len(table.log) > 100 * events.EVENT_WIDTH
    found.update(f"{state.digest(table)}{table.log}{table.round_log}{aoi.scores(table)}".encode())
    return found.hexdigest()


def refusal(table: aoi.State, action: tuple[int, int, int, int]) -> str:
    """What the engine says to an action that is not legal."""
    try:
        aoi.apply_action(aoi.clone(table), action)
    except aoi.IllegalAction as error:
        return str(error)
    raise AssertionError(f"{action} is not among the legal actions, yet it was taken")


def main(first: int, stop: int) -> None:
    assert state.__file__.endswith(".so") == (aoi.build_info().kind == "compiled")
    print(aoi.build_info().kind)
    rules = aoi.load_ruleset()
    for game in range(first, stop):
        print(game, game_digest(rules, game), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
