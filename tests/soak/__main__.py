"""`python -m tests.soak [--games N] [--jobs J] [--seed S] [--fixed-part] [--game PLAYERS:INDEX]`.

Plays N games (2,000) for each of 2, 3, 4 and 5 players with every invariant checked after every action, and prints how
often each component's effect, each kind of action and each option fired. Exit status: 0 nothing is broken, 1 a game
broke a rule or, at the full size, something fired less than 50 times, 2 wrong input.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence

import aoi_sim as aoi
from aoi_sim.rules.tables import tables_for
from tests.soak import effects, options
from tests.soak.plan import COUNTS, draw_game
from tests.soak.referee import Shares
from tests.soak.run import Outcome, play_all, play_games

FULL_SIZE = 2000
BAR = 50
FIXED_GAMES = 48
"""Games a player count in the part that `make test` plays."""
FIXED_SEED = 1
_FAILURES_SHOWN = 20


def expected_names() -> list[str]:
    """Everything that must fire."""
    return effects.expected(tables_for(aoi.load_ruleset(), 4)) + options.expected()


def too_rare(count: Counter[str], bar: int = BAR) -> list[str]:
    return [name for name in expected_names() if count[name] < bar]


def report(outcome: Outcome, full_size: bool, seconds: float) -> int:
    """Print what fired and what broke; the exit status."""
    print("How often each effect, action, decision, event and option fired:")
    for name in expected_names():
        print(f"{outcome.count[name]:9,}  {name}")
    print("\nHow often each check was made:")
    for name, times in outcome.checks.items():
        print(f"{times:9,}  {name}")
    for text in outcome.failures[:_FAILURES_SHOWN]:
        print(f"BROKEN {text}")
    rare = too_rare(outcome.count) if full_size else []
    for name in rare:
        print(f"TOO RARE {name}: {outcome.count[name]} times, {BAR} wanted")
    if not full_size:
        print(f"\nA part of the soak: what must fire {BAR} times is not judged ({len(too_rare(outcome.count))} below).")
    print(f"{outcome.games:,} games in {seconds:.0f} s: {len(outcome.failures)} broken, {len(rare)} effects too rare")
    return 1 if outcome.failures or rare else 0


def _play_one(name: str, seed: int) -> int:
    n_players, index = (int(word) for word in name.split(":"))
    game = draw_game(n_players, index, seed)
    print(game)
    outcome = play_games(n_players, [index], seed, Shares(1, 1, 1, 0.2, 1, 1))
    for text in outcome.failures:
        print(f"BROKEN {text}")
    return 1 if outcome.failures else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--games", type=int, default=FULL_SIZE, help="for each number of players (default 2000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    parser.add_argument("--seed", type=int, default=FIXED_SEED, help="draws other games (default 1)")
    parser.add_argument("--fixed-part", action="store_true", help="only the games that make test plays")
    parser.add_argument("--game", metavar="PLAYERS:INDEX", help="one game, with every check at every position")
    chosen = parser.parse_args(arguments)
    games, seed = (FIXED_GAMES, FIXED_SEED) if chosen.fixed_part else (chosen.games, chosen.seed)
    if chosen.game:
        try:
            return _play_one(chosen.game, seed)
        except ValueError:
            parser.error(f"no game {chosen.game!r}, --game, write players:index, as 4:17")
    if games < 1 or chosen.jobs < 1:
        parser.error("--games and --jobs must be at least 1")
    started = time.perf_counter()
    total = Outcome()
    told = 0
    try:
        for outcome in play_all(games, seed, chosen.jobs):
            total.add(outcome)
            for text in outcome.failures:
                print(f"BROKEN {text}", flush=True)
            if total.games * 20 // (games * len(COUNTS)) > told:
                told = total.games * 20 // (games * len(COUNTS))
                print(f"{total.games:,} games in {time.perf_counter() - started:.0f} s", flush=True)
    except KeyboardInterrupt:
        return 130
    return report(total, games >= FULL_SIZE, time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
