"""The search over changes by faction: one CMA-ES for each, all at the same tables.

Candidate number j of every faction sits at the tables of player j, so a game tells of as many factions as it has seats.
What the others at the table do differs from candidate to candidate; it is noise that hits all factions alike.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.studies.faction_space import FactionSpace, all_changes
from aoi_sim.studies.tuning_check import Version
from aoi_sim.studies.tuning_config import TuneConfig
from aoi_sim.studies.tuning_games import Outcome, Setting
from aoi_sim.studies.tuning_state import Generation, TuningError
from aoi_sim.studies.weight_search import FAILED_WORTH, failed_of, fitness_of, games_of, optimiser


class FactionSearch:
    """Searches for each faction of the rules; the weights for all factions stay as they are.

    Args:
        start: where they start.
        rules: whose factions.
        setting: of the tests; the searches themselves play without rivals.
        config: how.

    Raises:
        TuningError: a weight that has no change by faction.
    """

    def __init__(self, start: Version, rules: Ruleset, setting: Setting, config: TuneConfig) -> None:
        self.start, self.setting = start, replace(setting, against=())
        self.changes = all_changes()
        if config.weights:
            for name in config.weights:
                if name not in self.changes.names:
                    choice = ", ".join(self.changes.names)
                    raise TuningError(f"no change by faction of weight {name}, --weights, choose of {choice}")
            self.changes = self.changes.only(config.weights)
        axes = len(self.changes.names)
        self.spaces = {key: FactionSpace(start, key, self.changes, config.n_players) for key in rules.data["factions"]}
        # A faction is met too seldom to learn how its changes go together.
        self._optimisers = {
            key: optimiser(axes, config, [config.seed, number], full=False) for number, key in enumerate(self.spaces)
        }
        self._vectors: dict[str, list[Any]] = {}
        self._population = config.population

    def _version(self, vectors: dict[str, Any]) -> Version:
        moved = {key: self.spaces[key].at(vector) for key, vector in vectors.items()}
        changes = {**self.start.factions, **{key: table for key, table in moved.items() if table}}
        return replace(self.start, factions=changes)

    def ask(self) -> list[Version]:
        """The candidates of the next generation: number j has the j-th changes of every faction."""
        self._vectors = {key: search.ask() for key, search in self._optimisers.items()}
        return [
            self._version({key: vectors[number] for key, vectors in self._vectors.items()})
            for number in range(self._population)
        ]

    def tell(self, outcomes: Sequence[Sequence[Outcome]]) -> Generation:
        """Judge each faction's candidates, and learn; the fitness of a candidate is the mean VP at its tables."""
        by_faction = judged(outcomes)
        self._learn(by_faction)
        return Generation(fitness_of(outcomes), games_of(outcomes, self.setting), failed_of(outcomes), by_faction)

    def replay(self, generation: Generation) -> None:
        """Learn from a generation that was played before."""
        self._vectors = {key: search.ask() for key, search in self._optimisers.items()}
        self._learn(generation.by_faction or {})

    def _learn(self, by_faction: dict[str, list[float]]) -> None:
        """Tell each search; one whose faction was not met learns nothing."""
        for key, worths in by_faction.items():
            self._optimisers[key].tell(self._vectors[key], [-worth for worth in worths])

    def mean(self) -> Version:
        """Where all searches stand."""
        return self._version({key: search.mean for key, search in self._optimisers.items()})

    def width(self) -> float:
        """How wide they look, on average."""
        return sum(float(search.sigma) for search in self._optimisers.values()) / len(self._optimisers)

    def identity(self) -> dict[str, Any]:
        """The changes and their units."""
        return {
            "weights": self.changes.names,
            "by_faction": {"width": self.changes.width, "added": dict(self.changes.added)},
        }

    def told(self) -> dict[str, Any]:
        """What was moved and how it was judged."""
        return {
            "search": "changes by faction, one search each, judged by the faction's VP in self-play less the mean "
            "over candidates on the same set-up",
            "factions": list(self.spaces),
            "moved": self.changes.names,
        }


def judged(outcomes: Sequence[Sequence[Outcome]]) -> dict[str, list[float]]:
    """By faction, what each candidate was worth: VP less the mean over candidates on the same set-up.

    The mean over the set-ups on which the faction sat at a table; factions that sat at none are left out.

    Args:
        outcomes: by candidate and set-up.
    """
    sums: dict[str, list[float]] = {}
    met: dict[str, int] = {}
    for on_set_up in zip(*outcomes, strict=True):
        for key in sorted({key for outcome in on_set_up for key, _ in outcome.seats}):
            vps = {j: vp for j, outcome in enumerate(on_set_up) for seat, vp in outcome.seats if seat == key}
            mean = sum(vps.values()) / len(vps)
            row = sums.setdefault(key, [0.0] * len(on_set_up))
            met[key] = met.get(key, 0) + 1
            for j, outcome in enumerate(on_set_up):
                row[j] += FAILED_WORTH if outcome.error else vps.get(j, mean) - mean
    return {key: [worth / met[key] for worth in row] for key, row in sums.items()}
