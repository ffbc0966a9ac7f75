"""Judging options by lessons: a screen says which are worth trying; those are tried on a copy of the game and judged."""

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
from aoi_sim.players.weighted.memory import Memory, remembered
from aoi_sim.players.weighted.options import Option
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.trees import Trees

_LONGEST: Final = 30
_STAGES: Final = ((20, 1500), (40, 1000), (70, 700), (100, 0))
"""After so many in a hundred of the trees, an option that they hold so much worse than the best is asked no further."""


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
        self._ahead: Memory | None = None if memory is None else memory.ahead(state)
        table_features(state, i, lessons.codes, x)
        seat_features(state, i, prices, x, BEFORE, known)
        self._x = x

    def features(self, option: Option, best: Option) -> list[int]:
        """The features of an option beside the one that is worth most; the same list each time."""
        self._glance(option, best)
        self._try(option)
        return self._x

    def _glance(self, option: Option, best: Option) -> None:
        """Take the features that are known without trying the option."""
        burnt = 0
        for step in option.steps:
            if step[0] == a.SACRIFICE:
                burnt += 1
        gap = best.value - option.value
        alone = option.alone - best.alone
        option_features(self.state, self.i, self.lessons.codes, option.steps[-1], burnt, gap, alone, self._x)

    def _try(self, option: Option) -> None:
        """Take the features of what the option leads to."""
        x = self._x
        if self.subject == TILE or option.steps[-1][0] == a.PASS:
            unchanged(x)
            return
        after = clone(self.state)
        for step in option.steps:
            apply_action(after, step)
        self._settle(after)
        cities = self._cities
        if cities is not None and not cities.holds(after):
            cities = None
        seat_features(after, self.i, self.p, x, AFTER, cities, self.state)
        change_features(x)

    def _settle(self, after: State) -> None:
        """Answer what the option leaves to be answered by its own seat, without lessons."""
        i = self.i
        for _ in range(_LONGEST):
            if after.phase != P_ACTIONS or not after.stack or seat_to_move(after) != i:
                break
            frame = after.stack[-1]
            actions = legal_actions(after)
            self._ahead = remembered(self._ahead, after, i, self.p)
            apply_action(after, best_answer(Answers(after, i, frame, self.p, self._ahead), actions))

    def best(self, options: list[Option]) -> Option:
        """The option that the lessons hold best; of equal ones the best by the screen, then the most valued.

        Args:
            options: the most valued first.
        """
        left = self._screened(options)
        trees = self.lessons.trees[self.subject]
        if trees is None or len(left) == 1:
            return left[0]
        return self._asked(left, options[0], trees)

    def _screened(self, options: list[Option]) -> list[Option]:
        """The options that are worth trying, the best by the screen first; all if there is none."""
        screen = self.lessons.screens[self.subject]
        if screen is None or len(options) == 1:
            return options
        codes = [0] * len(screen.asked)
        begin = 0
        for option in options:
            self._glance(option, options[0])
            screen.code(self._x, codes, begin)
            begin = screen.fixed
            option.worth = screen.part(bytes(codes), 0, screen.n)
        left = sorted(options, key=_least_worth)
        least = left[0].worth - self.lessons.far
        return [option for option in left[: self.lessons.tried] if option.worth >= least]

    def _asked(self, options: list[Option], best: Option, trees: Trees) -> Option:
        """The option that the trees hold best."""
        asked: list[Option] = []
        codes = [0] * len(trees.asked)
        begin = 0
        for option in options:
            try:
                x = self.features(option, best)
            except IllegalAction:  # one of its steps is illegal after the others
                continue
            trees.code(x, codes, begin)
            begin = trees.fixed
            option.codes = bytes(codes)
            option.worth = 0
            asked.append(option)
        begin = 0
        for share, far in _STAGES:
            if len(asked) <= 1:
                break
            end = trees.n * share // 100
            for option in asked:
                option.worth += trees.part(option.codes, begin, end)
            least = max([option.worth for option in asked]) - far
            asked = [option for option in asked if option.worth >= least]
            begin = end
        return asked[0] if asked else options[0]

    def all(self, options: list[Option]) -> list[Option]:
        """The options that can be done, each with its worth by the trees.

        Args:
            options: the most valued first.
        """
        asked: list[Option] = []
        for option in options:
            x = self.tried(option, options[0])
            if x:
                if self.lessons.teach(self.subject):
                    option.worth = self.lessons.worth(self.subject, x)
                asked.append(option)
        return asked

    def tried(self, option: Option, best: Option) -> list[int]:
        """A copy of an option's features; empty if one of its steps turns out to be illegal after the others."""
        try:
            return list(self.features(option, best))
        except IllegalAction:
            return []


def _least_worth(option: Option) -> int:
    return -option.worth
