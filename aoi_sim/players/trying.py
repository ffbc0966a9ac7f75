"""Trying: a weighted player that now and then does something else than the best, and notes what it was and might have been.

What lessons are learned from (`studies/lessons.py`). At a share of its decisions an option is drawn, all alike; so what
becomes of the game says what the option is worth, whatever the player thinks of it.
"""

import random
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import State
from aoi_sim.players.restriction import Restriction
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.judging import Judge
from aoi_sim.players.weighted.lessons import TILE, TURN, Lessons, nothing_learned
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.options import NO_SUBJECT, Option, subject_of

WITHIN: Final = 8000
"""Options that are worth so much less than the best are not tried, in thousandths of a VP."""
MOST: Final = 9
"""So many options are tried."""

Trial = tuple[int, list[int], list[int]]
"""Subject, features of what the player would have done, features of what it did."""


class TryingPlayer:
    """A weighted player that tries other options.

    Args:
        player: the player; turned into this one's hand.
        seed: seed of the chance.
        turns: of so many turns in a thousand one is tried. `answers`: of so many answers and bonus tiles.

    Attributes:
        trials: what was tried so far.
    """

    def __init__(self, player: WeightedPlayer, seed: int, turns: int, answers: int) -> None:
        self.name = player.name
        self.trials: list[Trial] = []
        self._player = player
        self._random = random.Random(seed)
        self._turns = turns
        self._answers = answers

    def restrict(self, restriction: Restriction) -> None:
        """Tell the weighted player."""
        self._player.restrict(restriction)

    def choose(self, state: State, actions: list[Action]) -> Action:
        """What the weighted player chooses, or another of its options."""
        if len(actions) == 1:
            return actions[0]
        subject = subject_of(state, actions)
        player = self._player
        if subject == NO_SUBJECT or (subject == TURN and player.is_under_way(actions)):
            return player.choose(state, actions)
        if self._random.randrange(1000) < (self._turns if subject == TURN else self._answers):
            i = state.active if subject == TURN else state.stack[-1][1]
            options = player.options(state, actions, WITHIN, MOST)
            if len(options) > 1:
                return player.begin(self._tried(state, i, subject, options).steps)
        action = player.choose(state, actions)
        if action[0] == a.PASS and action[1] >= 0 and self._random.randrange(1000) < self._answers:
            tiles = player.tiles(state, state.active, actions)
            if len(tiles) > 1:
                return self._tried(state, state.active, TILE, tiles).steps[0]
        return action

    def _tried(self, state: State, i: int, subject: int, options: list[Option]) -> Option:
        """One of the options, and a note of it."""
        player = self._player
        prices = player.prices(state, i, state.round)
        lessons = player.lessons
        if lessons is None:
            lessons = Lessons(nothing_learned(state.tables), state.tables)
        judge = Judge(lessons, subject, state, i, prices, Memory(state, i, prices))
        best = judge.best(options)
        tried = options[self._random.randrange(len(options))]
        before = list(judge.features(best, options[0]))
        self.trials.append((subject, before, list(judge.features(tried, options[0]))))
        return tried
