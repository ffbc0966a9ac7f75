"""The tuner: CMA-ES over the weights of a scripted player, by self-play and play against rivals.

Each generation plays all its candidates on the same new set-ups. From time to time, and at the end, the mean of the
search distribution is played against the best weights so far on held-out set-ups: it replaces them only if the interval
of the paired difference lies above 0. Nothing else is ever accepted.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from aoi_sim.analysis.uncertainty import t_quantile
from aoi_sim.players import Heuristic, find_heuristic, find_heuristics
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.plan import MAX_SEED
from aoi_sim.studies.tuned_file import write_tuned
from aoi_sim.studies.tuning_games import Outcome, Setting, Task, Workers
from aoi_sim.studies.tuning_state import Check, Generation, TuningError, load_state
from aoi_sim.studies.weight_space import WeightSpace

_FAILED_WORTH: Final = -500.0
_FULL_UP_TO: Final = 30
"""Axes up to which the search learns how weights go together; with more, games do not suffice for that."""
_ALPHA: Final = 0.05
_CHECK_SHARE: Final = 4
"""Search games for each game of the tests."""

Advance = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class TuneConfig:
    """How to tune.

    Attributes:
        n_players: players of each game.
        seed: root seed of set-ups and search.
        population: candidates of a generation.
        set_ups: set-ups of a generation.
        held_out: least number of set-ups of a test.
        step: first width of the search.
        weights: names of the weights to move; none moves all.
    """

    n_players: int = 4
    seed: int = 1
    population: int = 16
    set_ups: int = 4
    held_out: int = 48
    step: float = 0.3
    weights: tuple[str, ...] = ()


class Tuning:
    """A tuning that can stop after any generation and go on later.

    Args:
        source: the TOML heuristic to start from.
        against: rivals; none tunes self-play only.
        out: file of the tuned heuristic; the state lies beside it (``OUT.state``) until it is removed.
        rules: with which rules.
        config: how.
        n_jobs: processes; -1 for as many as there are cores.

    Raises:
        HeuristicError, TuningError: wrong input.
    """

    def __init__(
        self,
        source: str | Path,
        against: Sequence[str | Path],
        out: Path,
        *,
        rules: Ruleset,
        config: TuneConfig,
        n_jobs: int = -1,
    ) -> None:
        self.source = find_heuristic(source)
        self.table = self.source.table()
        self.out = out
        self.rules = rules
        self.config = config
        self.workers = Workers(n_jobs)
        _refuse(config, out, n_jobs)
        rivals = tuple(find_heuristics(list(against))) if against else ()
        self.setting = Setting(config.n_players, rules.edition, tuple(rules.options.items()), rules.overlays, rivals)
        self.training_seed = seeding.stream(config.seed, 0, seeding.TRAINING)
        self.held_out_seed = seeding.stream(config.seed, 0, seeding.HELD_OUT)
        self.space = WeightSpace(self.table["weights"], config.weights or None)
        if not len(self.space):
            raise TuningError("no weight to move, --weights, name weights of the defaults")
        self.state_path = out.with_name(out.name + ".state")
        self.state = load_state(self.state_path, self._identity())
        self._search = self._replayed_search()

    def _identity(self) -> dict[str, Any]:
        import cma

        config = self.config
        defaults = hashlib.sha256(json.dumps(DEFAULTS, sort_keys=True).encode()).hexdigest()
        return {
            "source": [self.source.name, self.source.sha256],
            "against": [[rival.name, rival.sha256] for rival in self.setting.against],
            "rules": self.rules.hash,
            "players": config.n_players,
            "seed": config.seed,
            "population": config.population,
            "set_ups": config.set_ups,
            "held_out": config.held_out,
            "step": config.step,
            "weights": self.space.names,
            "defaults": defaults,
            "cma": str(cma.__version__),
        }

    def _replayed_search(self) -> Any:
        """The optimiser, told all that was played before."""
        import cma

        random = np.random.default_rng(self.config.seed)
        options = {
            "popsize": self.config.population,
            "randn": lambda *shape: random.standard_normal(shape),
            "seed": np.nan,
            "verbose": -9,
            "CMA_diagonal": len(self.space) > _FULL_UP_TO,
        }
        search = cma.CMAEvolutionStrategy([0.0] * len(self.space), self.config.step, options)
        for generation in self.state.generations:
            search.tell(search.ask(), [-worth for worth in generation.fitness])
        return search

    # playing

    def run(self, budget: int, advance: Advance = lambda games, text: None, say: Callable[[str], None] = print) -> bool:
        """Tune until the budget of games is used; whether anything was accepted.

        Args:
            budget: games of this tuning in all, earlier starts included.
            advance: is told games as they are played, with a line on how it stands.
            say: is told the outcome of each test.

        Raises:
            TuningError: the budget is too small.
        """
        state, setting = self.state, self.setting
        cost = self.config.population * self.config.set_ups * setting.games_a_set_up
        least = cost + self._check_games(cost)
        if budget < least:
            raise TuningError(f"{budget} games, --budget, one generation and its test take {least}")
        advance(state.games, self._standing())
        while state.games + cost + self._check_games(self._unchecked() + cost) <= budget:
            self._generation(advance)
            if self._unchecked() >= max(_CHECK_SHARE * self._check_games(0), state.search_games / 2):
                self._check(advance, say)
        if self._unchecked() and state.games + self._check_games(self._unchecked()) <= budget:
            self._check(advance, say)
        return bool(state.accepted)

    def _unchecked(self) -> int:
        """Search games since the last test."""
        last = self.state.checks[-1].generation if self.state.checks else 0
        return sum(generation.games for generation in self.state.generations[last:])

    def _check_set_ups(self, unchecked: int) -> int:
        """Set-ups of a test after so many search games."""
        return max(self.config.held_out, unchecked // _CHECK_SHARE // (2 * self.setting.games_a_set_up))

    def _check_games(self, unchecked: int) -> int:
        return 2 * self._check_set_ups(unchecked) * self.setting.games_a_set_up

    def _player(self, weights: dict[str, Any], name: str) -> Heuristic:
        content = {"weights": weights, "factions": self.table["factions"], "temperature": self.table["temperature"]}
        return Heuristic(name, "weights", json.dumps(content, sort_keys=True))

    def _play(self, tasks: list[Task], advance: Advance) -> list[Outcome]:
        outcomes = []
        with closing(self.workers.play(tasks)) as results:
            for outcome in results:
                outcomes.append(outcome)
                advance(self.setting.games_a_set_up, self._standing())
        return outcomes

    def _generation(self, advance: Advance) -> None:
        config = self.config
        first = len(self.state.generations) * config.set_ups
        vectors = self._search.ask()
        players = [self._player(self.space.at(vector), "candidate") for vector in vectors]
        tasks = [
            (self.setting, player, self.training_seed, first + k) for player in players for k in range(config.set_ups)
        ]
        outcomes = self._play(tasks, advance)
        worths = [_FAILED_WORTH if outcome.error else outcome.worth for outcome in outcomes]
        n = config.set_ups
        fitness = [sum(worths[k * n : k * n + n]) / n for k in range(len(players))]
        failed = sum(outcome.error is not None for outcome in outcomes)
        self._search.tell(vectors, [-worth for worth in fitness])
        self.state.generations.append(Generation(fitness, len(tasks) * self.setting.games_a_set_up, failed))
        self.state.save(self.state_path)

    def _check(self, advance: Advance, say: Callable[[str], None]) -> None:
        state = self.state
        weights = self.space.at(self._search.mean)
        first = sum(check.set_ups for check in state.checks)
        set_ups = self._check_set_ups(self._unchecked())
        new = self._player(weights, "tuned")
        old = self._player(state.best or self.space.weights, "before")
        tasks = [(self.setting, player, self.held_out_seed, first + k) for player in (new, old) for k in range(set_ups)]
        outcomes = self._play(tasks, advance)
        games = len(tasks) * self.setting.games_a_set_up
        check = compared(
            outcomes[:set_ups], outcomes[set_ups:], len(state.checks) + 1, len(state.generations), weights, first, games
        )
        state.checks.append(check)
        if check.accepted:
            write_tuned(self)
        state.save(self.state_path)
        say(
            f"after {state.games} games: {check.gain:+.1f} VP ({check.low:+.1f} to {check.high:+.1f}) on {set_ups} "
            f"held-out set-ups, {'accepted' if check.accepted else 'not accepted'}; {check.vp:.1f} VP in self-play"
        )

    def _standing(self) -> str:
        generations = self.state.generations
        if not generations:
            return "generation 1"
        fitness = generations[-1].fitness
        return (
            f"generation {len(generations) + 1}, last best {max(fitness):.1f} mean {sum(fitness) / len(fitness):.1f}, "
            f"width {self._search.sigma:.3f}"
        )


def compared(
    new: Sequence[Outcome],
    old: Sequence[Outcome],
    number: int,
    generation: int,
    weights: dict[str, Any],
    first_set_up: int,
    games: int,
) -> Check:
    """The test of new weights against old ones on the same set-ups; any failed game loses it.

    Args:
        new: outcomes of the new ones, a set-up each.
        old: outcomes of the old ones on the same set-ups.
        number: of the test, from 1.
        generation: after which it came.
        weights: the new ones.
        first_set_up: number of the first of the set-ups.
        games: games played for it.
    """
    n = len(new)
    differences = [a.worth - b.worth for a, b in zip(new, old, strict=True)]
    gain = sum(differences) / n
    se = float(np.std(differences, ddof=1)) / n**0.5
    level = 1 - _ALPHA / (number * (number + 1))
    width = t_quantile(n, level) * se
    sound = all(outcome.error is None for outcome in new)
    return Check(
        generation=generation,
        weights=weights,
        first_set_up=first_set_up,
        set_ups=n,
        games=games,
        gain=gain,
        se=se,
        low=gain - width,
        high=gain + width,
        level=level,
        vp_gain=sum(a.vp - b.vp for a, b in zip(new, old, strict=True)) / n,
        vp=sum(a.vp for a in new) / n,
        accepted=sound and gain - width > 0,
    )


def _refuse(config: TuneConfig, out: Path, n_jobs: int) -> None:
    """Refuse what cannot be played."""
    if not 2 <= config.n_players <= 5:
        raise TuningError(f"{config.n_players} players, --players, choose 2 to 5")
    if not 0 <= config.seed <= MAX_SEED:
        raise TuningError(f"seed {config.seed}, --seed, choose 0 to {MAX_SEED}")
    if n_jobs != -1 and n_jobs < 1:
        raise TuningError(f"{n_jobs} jobs, --jobs, choose -1 (as many as there are cores) or 1 and more")
    if config.population < 4 or config.set_ups < 1 or config.held_out < 2:
        raise TuningError("too few to compare, tune, take a population of 4, 1 set-up and 2 held-out ones or more")
    unknown = [name for name in config.weights if name not in DEFAULTS]
    if unknown:
        raise TuningError(f"unknown weight {unknown[0]}, --weights, choose of {', '.join(DEFAULTS)}")
    if out.suffix != ".toml":
        raise TuningError(f"no .toml file, {out} (--out), name the tuned heuristic NAME.toml")
    if not out.parent.is_dir():
        raise TuningError(f"no such folder, {out.parent} (--out), make it first")
