"""`python -m tests.bench.measure --build KIND --blocks N --players NAME ...`: measures the build that this process runs.

Unit (`tests/bench/unit.py`) and job alternate; a block's figure is (unit before + unit after) / 2 x games / time, and
the median of all blocks counts. Times are CPU time of the process, so that other work on the machine hardly counts. The
jobs: runs of four-player games as `aoi-sim run --jobs 1` plays them, with all events logged, tables made and files
written; and the engine alone with random players and no log. Then the shares of time (`tests/bench/shares.py`) and the
mean times of single calls of the engine.
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
from aoi_sim.fast import require_build
from aoi_sim.players import find_heuristics, makers_of
from tests.bench.shares import Games, shares
from tests.bench.unit import unit

N_PLAYERS = 4
BEFORE = {"random": 2.0}
"""Games a unit of the one program there was before: fewer rules, no log."""
TARGETS = {
    ("pure", "random"): 3.0,
    ("pure", "quick"): 0.5,
    ("pure", "expert"): 0.3,
    ("compiled", "random"): 10.0,
    ("compiled", "quick"): 3.0,
    ("compiled", "expert"): 1.5,
}
"""Games a unit that this project wants to reach."""
GAMES = {
    "pure": {"random": 1300, "greedy": 12, "quick": 24, "expert": 12},
    "compiled": {"random": 1300, "greedy": 60, "quick": 360, "expert": 360},
}
"""Games of a block, enough that what a run does once hardly counts: where they are fast so many that chunks grow as those of a
study do (a chunk has its price whatever it holds)."""
GAMES_OF_OTHERS = 6
REPETITIONS = 5
"""At most so many for the shares of time, fewer with fewer blocks."""
SAMPLE = 40
"""Games whose decisions are timed one by one."""
WIDTH = 42


class GameFailedError(RuntimeError):
    """Games that failed, and so would count as fast ones; the message is one line."""


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
        started = time.process_time()
        games, decisions = job(block)
        seconds = time.process_time() - started
        after = unit()
        rows.append(((before + after) / 2 * games / seconds, games / seconds, decisions / seconds))
        before = after
    return Rate(*(statistics.median(column) for column in zip(*rows, strict=True)))


def whole_runs(name: str, games: int) -> Callable[[int], tuple[int, int]]:
    """Runs as a user starts them."""

    def job(block: int) -> tuple[int, int]:
        run = aoi.simulate(n_games=games, n_players=N_PLAYERS, heuristics=name, n_jobs=1, seed=block, progress=False)
        table = run.games().select("status", "error", "n_decisions").collect()
        failed = table.filter(table["status"] != "finished")
        if len(failed):
            raise GameFailedError(f"{len(failed)} of {games} games failed, {name}, {failed['error'][0]}, mend it first")
        return games, int(table["n_decisions"].sum())

    return job


def engine_alone(games: int) -> Callable[[int], tuple[int, int]]:
    """Random players and the engine, nothing logged."""
    rules = aoi.load_ruleset()
    maker = makers_of(find_heuristics(["random"]))["random"]

    def job(block: int) -> tuple[int, int]:
        decisions = 0
        for seed in range(block * games, (block + 1) * games):
            state = aoi.new_game(rules, N_PLAYERS, seed)
            players = [maker(seat, seed * 10 + seat) for seat in range(N_PLAYERS)]
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
    """The command line; prints one build's figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.measure")
    parser.add_argument("--build", required=True)
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--players", action="append", required=True)
    chosen = parser.parse_args(arguments)
    try:
        require_build(chosen.build)
        report(chosen.build, chosen.players, chosen.blocks)
    except (aoi.HeuristicError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except GameFailedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def report(build: str, names: Sequence[str], blocks: int) -> None:
    """Print rates, shares of time and times of single calls."""
    games = {name: GAMES[build].get(name, GAMES_OF_OTHERS) for name in names}
    played = {name: Games(name, n, N_PLAYERS) for name, n in games.items()}  # a name that is unknown stops here
    print(f"{build} build, {N_PLAYERS} players, one core, median of {blocks} blocks")
    print(f"{'':{WIDTH}}{'games/unit':>11}{'target':>8}{'before':>8}{'games/s':>10}{'decisions/s':>13}")
    for name, n in games.items():
        rate = alternate(whole_runs(name, n), blocks)
        _line(f"{name}, a run with all tables", rate, TARGETS.get((build, name)), BEFORE.get(name))
    _line("random, engine alone without log", alternate(engine_alone(GAMES[build]["random"]), blocks))
    print(f"\n{'share of the time of a run':{WIDTH}}{'engine':>11}{'players':>8}{'storage':>8}")
    for name in names:
        part = shares(played[name], min(blocks, REPETITIONS))
        print(f"{name:{WIDTH}}{part.engine:9.0f} %{part.players:6.0f} %{part.storage:6.0f} %", flush=True)
    print()
    for name, time_a_call in microseconds(SAMPLE).items():
        print(f"{name:6} {time_a_call:6.1f} microseconds")
    print(f"unit   {unit():.5f} s", flush=True)


def _line(label: str, rate: Rate, target: float | None = None, before: float | None = None) -> None:
    beside = "".join(f"{'' if figure is None else f'{figure:.1f}':>8}" for figure in (target, before))
    print(f"{label:{WIDTH}}{rate.a_unit:11.2f}{beside}{rate.games:10.1f}{rate.decisions:13,.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
