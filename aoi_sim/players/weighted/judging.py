"""Judging options by lessons."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.features import (
    ADDED_AT,
    BEFORE,
    N_FEATURES,
    option_features,
    seat_features,
    table_features,
)
from aoi_sim.players.weighted.foresight import Foresight
from aoi_sim.players.weighted.lessons import Lessons
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.options import Option
from aoi_sim.players.weighted.prices import Prices


class Judge:
    """Judges the options of one decision.

    Args:
        lessons: the lessons.
        subject: which network is asked.
        state: the position; not changed.
        i: the seat that decides.
        prices: its prices.
        memory: what is known of the seat, renewed for this decision.
    """

    def __init__(self, lessons: Lessons, subject: int, state: State, i: int, prices: Prices, memory: Memory) -> None:
        self.lessons = lessons
        self.subject = subject
        self.state = state
        self.i = i
        x = [0] * N_FEATURES
        table_features(state, i, lessons.codes, memory.due(state), x)
        cities = memory.groups(state)
        seat_features(state, i, cities, memory.near(state), memory.income(state, cities), x, BEFORE)
        self._seen = memory.seen[subject]
        self._foresight = Foresight(state, i, prices, memory, x, ADDED_AT)
        self._x = x

    def features(self, option: Option, best: Option) -> list[int]:
        """The features of an option beside the one that is worth most; the same list each time."""
        burnt = 0
        for step in option.steps:
            if step[0] == a.SACRIFICE:
                burnt += 1
        gap = best.value - option.value
        alone = option.alone - best.alone
        option_features(self.state, self.i, self.lessons.codes, option.steps[-1], burnt, gap, alone, self._x)
        self._foresight.look(option)
        return self._x

    def best(self, options: list[Option]) -> Option:
        """The option that the lessons hold best, the most valued of equal ones.

        Args:
            options: the most valued first.
        """
        chosen = options[0]
        if len(options) > 1:
            self.ask(options)
            for option in options:
                if option.worth > chosen.worth:
                    chosen = option
        return chosen

    def ask(self, options: list[Option]) -> None:
        """Give options their worth by the lessons.

        Args:
            options: the most valued first.
        """
        network = self.lessons.networks[self.subject]
        if network is not None:
            shared = network.shared(self._x, self._seen)
            for option in options:
                option.worth = network.worth_after(shared, self.features(option, options[0]))
