"""`python -m tests.bench [--blocks N] [--players NAME]...`: games a unit of work, on one core.

Unit (`tests/bench/unit.py`) and job alternate; a block's figure is (unit before + unit after) / 2 x games / time, and
the median of all blocks counts. The jobs: runs of four-player games as `aoi-sim run --jobs 1` plays them, with all events
logged, tables made and files written; and the engine alone with random players and no log.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import aoi_sim as aoi
from aoi_sim.engine.actions import Action
from tests.bench.unit import unit

BLOCKS = 20
N_PLAYERS = 4
EXISTING_PROGRAM = 2.0
"""Random games a unit of the one program there was before: fewer rules, no log."""
GAMES = {"random": 60, "greedy": 6}
GAMES_OF_OTHERS = 4
SAMPLE = 40
"""Games whose decisions are timed one by one."""


@dataclass(frozen=True)
class Rate:
    """Medians over the blocks."""

    a_unit: float
    games: float
    decisions: float


def alternate(job: Callable[[int], tuple[int, int]], blocks: int) -> Rate:
    """Time a job between two units, block by block.

    Args:
        job: plays the games of a block and returns how many games and decisions there were.
        blocks: how many.
    """
    rows = []
    job(blocks)  # imports and tables
    before = unit()
    for block in range(blocks):
        started = time.perf_counter()
        games, decisions = job(block)
        seconds = time.perf_counter() - started
        after = unit()
        rows.append(((before + after) / 2 * games / seconds, games / seconds, decisions / seconds))
        before = after
    return Rate(*(statistics.median(column) for column in zip(*rows, strict=True)))


def whole_runs(name: str, games: int) -> Callable[[int], tuple[int, int]]:
    """Runs as a user starts them."""

    def job(block: int) -> tuple[int, int]:
        run = aoi.simulate(n_games=games, n_players=N_PLAYERS, heuristics=name, n_jobs=1, seed=block, progress=False)
        return games, int(run.games().select("n_decisions").collect()["n_decisions"].sum())

    return job


def engine_alone(games: int) -> Callable[[int], tuple[int, int]]:
    """Random players and the engine, nothing logged."""
    rules = aoi.load_ruleset()

    def job(block: int) -> tuple[int, int]:
        decisions = 0
        for seed in range(block * games, (block + 1) * games):
            state = aoi.new_game(rules, N_PLAYERS, seed)
            players = [aoi.make_player("random", seat, seed * 10 + seat) for seat in range(N_PLAYERS)]
            while not aoi.is_over(state):
                seat = aoi.seat_to_move(state)
                aoi.apply_action(state, players[seat].choose(state, aoi.legal_actions(state)))
            decisions += state.n_decisions
        return games, decisions

    return job


def microseconds(games: int) -> dict[str, float]:
    """Mean time of a legal list, an apply and a clone over all positions of random games."""
    rules = aoi.load_ruleset()
    spent = {"legal": 0.0, "apply": 0.0, "clone": 0.0}
    n = 0
    now = time.perf_counter
    for seed in range(games):
        state = aoi.new_game(rules, N_PLAYERS, seed, log=True)
        players = [aoi.make_player("random", seat, seed * 10 + seat) for seat in range(N_PLAYERS)]
        while not aoi.is_over(state):
            first = now()
            legal: list[Action] = aoi.legal_actions(state)
            second = now()
            aoi.clone(state)
            third = now()
            action = players[aoi.seat_to_move(state)].choose(state, legal)
            fourth = now()
            aoi.apply_action(state, action)
            fifth = now()
            spent["legal"] += second - first
            spent["clone"] += third - second
            spent["apply"] += fifth - fourth
            n += 1
    return {name: seconds / n * 1e6 for name, seconds in spent.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"blocks of each job (default {BLOCKS})")
    parser.add_argument(
        "--players", action="append", metavar="NAME", help="heuristics whose runs are timed (default random, greedy)"
    )
    chosen = parser.parse_args(arguments)
    if chosen.blocks < 1:
        parser.error("--blocks must be at least 1")
    names = chosen.players or list(GAMES)
    print(f"{aoi.build_info().kind} build, {N_PLAYERS} players, one core, median of {chosen.blocks} blocks")
    print(f"{'':34}{'games/unit':>12}{'games/s':>10}{'decisions/s':>13}")
    for name in names:
        _line(
            f"{name}, a run with all tables",
            alternate(whole_runs(name, GAMES.get(name, GAMES_OF_OTHERS)), chosen.blocks),
        )
    _line("random, engine alone without log", alternate(engine_alone(GAMES["random"]), chosen.blocks))
    print(f"{'random, the program there was before':34}{EXISTING_PROGRAM:10.2f}")
    for name, time_a_call in microseconds(SAMPLE).items():
        print(f"{name:6} {time_a_call:6.1f} microseconds")
    print(f"unit   {unit():.5f} s")
    return 0


def _line(label: str, rate: Rate) -> None:
    print(f"{label:34}{rate.a_unit:12.2f}{rate.games:10.1f}{rate.decisions:13,.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
