"""Judging options by lessons: each is tried on a copy of the game, its features are taken, its trees asked."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import IllegalAction
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.state import P_ACTIONS, State, clone
from aoi_sim.players.weighted.answers import Answers, best_answer
from aoi_sim.players.weighted.features import (
    AFTER,
    BEFORE,
    N_FEATURES,
    change_features,
    option_features,
    seat_features,
    table_features,
    unchanged,
)
from aoi_sim.players.weighted.lessons import TILE, Lessons
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.options import Option
from aoi_sim.players.weighted.prices import Prices

_LONGEST: Final = 30
_FAR: Final = 1500
"""An option that the first trees hold so much worse than the best, in thousandths of a VP, is asked no further."""
_UNKNOWN: Final = -1_000_000_000


class Judge:
    """Judges the options of one decision.

    Args:
        lessons: the lessons.
        subject: which trees are asked.
        state: the position; not changed.
        i: the seat that decides.
        prices: its prices.
        memory: what is known of the seat.
    """

    def __init__(
        self, lessons: Lessons, subject: int, state: State, i: int, prices: Prices, memory: Memory | None
    ) -> None:
        self.lessons = lessons
        self.subject = subject
        self.state = state
        self.i = i
        self.p = prices
        x = [0] * N_FEATURES
        known = None if memory is None else memory.cities(state, 0)
        self._cities = known
        table_features(state, i, lessons.codes, x)
        seat_features(state, i, prices, x, BEFORE, known)
        self._x = x

    def features(self, option: Option, best: Option) -> list[int]:
        """The features of an option beside the one that is worth most; the same list each time."""
        x = self._x
        action = option.steps[-1]
        burnt = 0
        for step in option.steps:
            if step[0] == a.SACRIFICE:
                burnt += 1
        gap = best.value - option.value
        option_features(self.state, self.i, self.lessons.codes, action, burnt, gap, option.alone - best.alone, x)
        if self.subject == TILE or action[0] == a.PASS:
            unchanged(x)
            return x
        after = clone(self.state)
        for step in option.steps:
            apply_action(after, step)
        self._settle(after)
        cities = self._cities
        seat_features(after, self.i, self.p, x, AFTER, cities if cities is not None and cities.holds(after) else None)
        change_features(x)
        return x

    def _settle(self, after: State) -> None:
        """Answer what the option leaves to be answered by its own seat, without lessons."""
        i = self.i
        for _ in range(_LONGEST):
            if after.phase != P_ACTIONS or not after.stack or seat_to_move(after) != i:
                break
            frame = after.stack[-1]
            actions = legal_actions(after)
            apply_action(after, best_answer(Answers(after, i, frame, self.p), actions))

    def best(self, options: list[Option]) -> Option:
        """The option that the trees hold best, the first of equal ones.

        Args:
            options: the most valued first.
        """
        trees = self.lessons.trees[self.subject]
        if trees is None:
            return options[0]
        asked: list[Option] = []
        seen: list[list[int]] = []
        most = _UNKNOWN
        for option in options:
            x = self.tried(option, options[0])
            if x:
                option.worth = trees.part(x, 0, trees.first)
                most = max(most, option.worth)
                asked.append(option)
                seen.append(x)
        least = most - _FAR
        most = _UNKNOWN
        chosen = options[0]
        for k, option in enumerate(asked):
            if option.worth >= least:
                option.worth += trees.rest(seen[k])
                if option.worth > most:
                    most = option.worth
                    chosen = option
        return chosen

    def all(self, options: list[Option]) -> list[Option]:
        """The options that can be done, each with its worth by all trees.

        Args:
            options: the most valued first.
        """
        trees = self.lessons.trees[self.subject]
        asked: list[Option] = []
        for option in options:
            x = self.tried(option, options[0])
            if x:
                if trees is not None:
                    option.worth = trees.worth(x)
                asked.append(option)
        return asked

    def tried(self, option: Option, best: Option) -> list[int]:
        """A copy of an option's features; empty if one of its steps turns out to be illegal after the others."""
        try:
            return list(self.features(option, best))
        except IllegalAction:
            return []
