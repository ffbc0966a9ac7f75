"""The test of a changed player against the one before it: on the same set-ups, held out from every search."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from aoi_sim.analysis.uncertainty import t_quantile
from aoi_sim.players import Heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.sim.progress import Advance
from aoi_sim.storage.findings import counted
from aoi_sim.studies.tuning_games import Outcome, Task, Workers
from aoi_sim.studies.tuning_state import Check, TuningError

ALPHA: Final = 0.05
"""Error that all tests of a tuning share."""
_LEAST_PAIRS: Final = 2


@dataclass(frozen=True, slots=True)
class Version:
    """What a player of weights does.

    Attributes:
        weights: every weight.
        factions: by faction, weights that differ.
        lessons: content of its lessons, none if empty.
        players: by number of players, weights that differ.
    """

    weights: Mapping[str, Any]
    factions: Mapping[str, Mapping[str, Any]]
    lessons: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Version":
        """That of the content of a TOML heuristic."""
        weights = {**DEFAULTS, **table["weights"]}
        return cls(weights, table["factions"], table["lessons"], table["players"])

    def of_players(self, n_players: int) -> dict[str, Any]:
        """The weights that hold in games of so many, for factions without their own."""
        return {**self.weights, **self.players.get(str(n_players), {})}

    def moved(self, n_players: int, weights: Mapping[str, Any]) -> "Version":
        """With other weights in games of so many: one that differs there already is changed there, else for all."""
        own = self.players.get(str(n_players), {})
        if not own:
            return replace(self, weights=dict(weights))
        here = {name: weights[name] for name in own}
        for_all = {name: self.weights[name] if name in own else value for name, value in weights.items()}
        return replace(self, weights=for_all, players={**self.players, str(n_players): here})

    def player(self, name: str, temperature: int) -> Heuristic:
        """A player of it."""
        content = {
            "weights": self.weights,
            "players": self.players,
            "factions": self.factions,
            "lessons": self.lessons,
            "temperature": temperature,
        }
        return Heuristic(name, "weights", json.dumps(content, sort_keys=True))


def level_of(number: int) -> float:
    """The level of the interval of a tuning's k-th test: they share 5 % of error, this one has 5 % / (k (k + 1))."""
    return 1 - ALPHA / (number * (number + 1))


def played(workers: Workers, tasks: Sequence[Task], advance: Advance, standing: str) -> list[Outcome]:
    """Outcomes of tasks in their order; ``advance`` is told of the games of each, with how it stands."""
    outcomes: list[Outcome] = []
    with closing(workers.play(tasks)) as results:
        for outcome in results:
            advance(tasks[len(outcomes)][0].games_a_set_up, standing)
            outcomes.append(outcome)
    return outcomes


def compared(
    new: Sequence[Outcome],
    old: Sequence[Outcome],
    *,
    level: float,
    version: Version,
    first_set_up: int = 0,
    games: int = 0,
    generation: int = 0,
) -> Check:
    """The test of a new version against the old one on the same set-ups; any failed game of the new one loses it.

    Set-ups on which only the old one fails are left out.

    Args:
        new: outcomes of the new one, a set-up each.
        old: outcomes of the old one on the same set-ups.
        level: of the interval.
        version: the new one.
        first_set_up: number of the first of the set-ups.
        games: games played for it.
        generation: after which it came.

    Raises:
        TuningError: the old one fails throughout.
    """
    pairs = [(a, b) for a, b in zip(new, old, strict=True) if b.error is None]
    n = len(pairs)
    if n < _LEAST_PAIRS:
        raise TuningError(f"the player to beat fails ({old[0].error}), tests, report it")
    differences = [a.worth - b.worth for a, b in pairs]
    gain = sum(differences) / n
    se = float(np.std(differences, ddof=1)) / n**0.5
    width = t_quantile(n, level) * se
    sound = all(outcome.error is None for outcome in new)
    return Check(
        generation=generation,
        weights=dict(version.weights),
        first_set_up=first_set_up,
        set_ups=len(new),
        games=games,
        gain=gain,
        se=se,
        low=gain - width,
        high=gain + width,
        level=level,
        vp_gain=sum(a.vp - b.vp for a, b in pairs) / n,
        vp=sum(a.vp for a, _ in pairs) / n,
        accepted=sound and gain - width > 0,
        factions={key: dict(table) for key, table in version.factions.items()},
        players={key: dict(table) for key, table in version.players.items()},
    )


def told(check: Check, games: int) -> str:
    """A test as it is printed, after so many games."""
    return (
        f"after {counted(games, 'game')}: {check.gain:+.1f} VP ({check.low:+.1f} to {check.high:+.1f}) on "
        f"{counted(check.set_ups, 'held-out set-up')}, {'accepted' if check.accepted else 'not accepted'}; "
        f"{check.vp:.1f} VP in self-play"
    )
