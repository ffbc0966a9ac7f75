"""The search over the weights that all factions share: CMA-ES, told the worth of each candidate."""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np

from aoi_sim.studies.tuning_check import Version
from aoi_sim.studies.tuning_config import TuneConfig
from aoi_sim.studies.tuning_games import Outcome, Setting
from aoi_sim.studies.tuning_state import Generation, TuningError
from aoi_sim.studies.weight_space import WeightSpace

FAILED_WORTH: Final = -500.0
"""Worth of a set-up on which a game failed."""
_FULL_UP_TO: Final = 30
"""Axes up to which the search learns how weights go together; with more, games do not suffice for that."""


class Search(Protocol):
    """What a tuning asks for candidates and tells how they did.

    Attributes:
        setting: of the games that candidates play.
    """

    setting: Setting

    def ask(self) -> list[Version]:
        """The candidates of the next generation."""

    def tell(self, outcomes: Sequence[Sequence[Outcome]]) -> Generation:
        """Judge them by their outcomes, by candidate and set-up, and learn."""

    def replay(self, generation: Generation) -> None:
        """Learn from a generation that was played before."""

    def mean(self) -> Version:
        """Where the search stands."""

    def width(self) -> float:
        """How wide it looks."""

    def identity(self) -> dict[str, Any]:
        """What decides on its candidates, beside seed and configuration."""

    def told(self) -> dict[str, Any]:
        """What the provenance of its result says of it."""


def optimiser(axes: int, config: TuneConfig, seed: int | Sequence[int], *, full: bool) -> Any:
    """A CMA-ES at 0 with a chance of its own.

    Args:
        axes: how many there are.
        config: first width and population.
        seed: of its chance.
        full: whether it learns how axes go together.
    """
    import cma

    random = np.random.default_rng(seed)
    options = {
        "popsize": config.population,
        "randn": lambda *shape: random.standard_normal(shape),
        "seed": np.nan,
        "verbose": -9,
        "CMA_diagonal": not full,
    }
    return cma.CMAEvolutionStrategy([0.0] * axes, config.step, options)


class WeightSearch:
    """The search over the weights for all factions; the changes by faction stay as they are.

    A weight that differs in games of so many players is moved there, all others for every number of players.

    Args:
        start: where it starts.
        setting: of the games.
        config: how.

    Raises:
        TuningError: nothing to move.
    """

    def __init__(self, start: Version, setting: Setting, config: TuneConfig) -> None:
        self.start, self.setting = start, setting
        self.space = WeightSpace(start.of_players(setting.n_players), config.weights or None)
        if not len(self.space):
            raise TuningError("no weight to move, --weights, name weights of the defaults")
        self._optimiser = optimiser(len(self.space), config, config.seed, full=len(self.space) <= _FULL_UP_TO)
        self._vectors: list[Any] = []

    def _at(self, vector: Any) -> Version:
        return self.start.moved(self.setting.n_players, self.space.at(vector))

    def ask(self) -> list[Version]:
        """The candidates of the next generation."""
        self._vectors = self._optimiser.ask()
        return [self._at(vector) for vector in self._vectors]

    def tell(self, outcomes: Sequence[Sequence[Outcome]]) -> Generation:
        """Judge the candidates by the mean of their worth, and learn."""
        fitness = fitness_of(outcomes)
        self._learn(fitness)
        return Generation(fitness, games_of(outcomes, self.setting), failed_of(outcomes))

    def replay(self, generation: Generation) -> None:
        """Learn from a generation that was played before."""
        self._vectors = self._optimiser.ask()
        self._learn(generation.fitness)

    def _learn(self, fitness: Sequence[float]) -> None:
        self._optimiser.tell(self._vectors, [-worth for worth in fitness])

    def mean(self) -> Version:
        """Where the search stands."""
        return self._at(self._optimiser.mean)

    def width(self) -> float:
        """How wide it looks."""
        return float(self._optimiser.sigma)

    def identity(self) -> dict[str, Any]:
        """The weights that are moved."""
        return {"weights": self.space.names}

    def told(self) -> dict[str, Any]:
        """Nothing beside what every tuning tells."""
        return {}


def fitness_of(outcomes: Sequence[Sequence[Outcome]]) -> list[float]:
    """Worth of each candidate: the mean over its set-ups."""
    return [sum(FAILED_WORTH if outcome.error else outcome.worth for outcome in row) / len(row) for row in outcomes]


def games_of(outcomes: Sequence[Sequence[Outcome]], setting: Setting) -> int:
    """Games that were played for outcomes."""
    return sum(len(row) for row in outcomes) * setting.games_a_set_up


def failed_of(outcomes: Sequence[Sequence[Outcome]]) -> int:
    """Outcomes of which a game failed."""
    return sum(outcome.error is not None for row in outcomes for outcome in row)
