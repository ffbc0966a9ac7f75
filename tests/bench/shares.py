"""Which share of a run's time engine, players and storage take.

The same games are played three times: as a run with all tables (as a user starts it), without log and tables, and by the
engine alone, which lists the legal actions and applies the decisions that the players made. The last is the engine's
time; what the second takes beyond it is the players'; what the first takes beyond the second is storage: log, tables,
files and manifest. Each is CPU time, the least of some repetitions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import aoi_sim as aoi
from aoi_sim.engine.actions import Action
from aoi_sim.engine.setup import draw_setup, start_game
from aoi_sim.players import find_heuristics, makers_of
from aoi_sim.sim.loop import DECISION_WIDTH
from aoi_sim.sim.match import Played, play
from aoi_sim.sim.plan import GameSpec

SEED = 1


@dataclass(frozen=True)
class Shares:
    """Per cent of the time of a run."""

    engine: float
    players: float
    storage: float


class Games:
    """Some games of one heuristic, to be played in several ways.

    Args:
        name: the heuristic.
        n_games: how many.
        n_players: seats of each.
    """

    def __init__(self, name: str, n_games: int, n_players: int) -> None:
        self.rules = aoi.load_ruleset()
        self.name = name
        self.n_players = n_players
        found = find_heuristics([name])
        config = aoi.PlanConfig(n_games, n_players, SEED, (found[0].name,))
        self.specs = list(aoi.Plan(config, self.rules).games())
        self.maker = makers_of(found)[found[0].name]
        self.decisions: list[list[Action]] = []

    def as_a_run(self) -> None:
        """With log, all tables and files."""
        aoi.simulate(len(self.specs), self.n_players, self.name, rules=self.rules, n_jobs=1, seed=SEED, progress=False)

    def without_log(self) -> None:
        """Engine and players only."""
        self.decisions = []
        for spec in self.specs:
            played = Played()
            played.state = start_game(self.rules, self._draws(spec))
            play([self.maker(seat, seed) for seat, seed in enumerate(spec.player_seeds)], played)
            rows = iter(played.decisions)
            self.decisions.append([row[3:] for row in zip(*[rows] * DECISION_WIDTH, strict=True)])

    def engine_alone(self) -> None:
        """The decisions of the games without log once more."""
        for spec, decisions in zip(self.specs, self.decisions, strict=True):
            state = start_game(self.rules, self._draws(spec))
            for action in decisions:
                aoi.seat_to_move(state)
                aoi.legal_actions(state)
                aoi.apply_action(state, action)
            assert aoi.is_over(state)

    def _draws(self, spec: GameSpec) -> dict[str, Any]:
        return draw_setup(self.rules, self.n_players, spec.setup_seed, "standard", "auto", spec.deal)


def shares(games: Games, repetitions: int) -> Shares:
    """Time games in the three ways."""
    ways = (games.as_a_run, games.without_log, games.engine_alone)
    rows = [[_seconds(way) for way in ways] for _ in range(repetitions)]
    run, plain, engine = (min(column) for column in zip(*rows, strict=True))
    return Shares(100 * engine / run, 100 * (plain - engine) / run, 100 * (run - plain) / run)


def _seconds(way: Callable[[], None]) -> float:
    started = time.process_time()
    way()
    return time.process_time() - started
