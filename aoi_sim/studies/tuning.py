"""The tuner: CMA-ES over the weights of a scripted player, by self-play and play against rivals; for all or by faction.

Each generation plays all its candidates on the same new set-ups. From time to time, and at the end, the mean of the
search distribution is played against the best weights so far on held-out set-ups: it replaces them only if the interval
of the paired difference lies above 0. Nothing else is ever accepted.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.progress import Advance
from aoi_sim.storage.findings import counted
from aoi_sim.studies.faction_search import FactionSearch
from aoi_sim.studies.tuned_file import tuning_provenance, write_tuned
from aoi_sim.studies.tuning_check import Version, compared, level_of, played, told
from aoi_sim.studies.tuning_config import TuneConfig, refuse, setting_of
from aoi_sim.studies.tuning_games import Workers
from aoi_sim.studies.tuning_state import TuningError, load_state
from aoi_sim.studies.weight_search import Search, WeightSearch

_CHECK_SHARE: Final = 4
"""Search games for each game of the tests."""


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
        refuse(config, out, n_jobs)
        self.setting = setting_of(rules, config.n_players, against)
        self.training_seed = seeding.stream(config.seed, 0, seeding.TRAINING)
        self.held_out_seed = seeding.stream(config.seed, 0, seeding.HELD_OUT)
        self.start = Version.of(self.table)
        self.search: Search = (
            FactionSearch(self.start, rules, self.setting, config)
            if config.by_faction
            else WeightSearch(self.start, self.setting, config)
        )
        self.state_path = out.with_name(out.name + ".state")
        self.state = load_state(self.state_path, self._identity())
        for generation in self.state.generations:
            self.search.replay(generation)

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
            **self.search.identity(),
            "defaults": defaults,
            "cma": str(cma.__version__),
        }

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
        state = self.state
        cost = self.config.population * self.config.set_ups * self.search.setting.games_a_set_up
        least = cost + self._check_games(cost)
        if budget < least:
            raise TuningError(f"{counted(budget, 'game')}, --budget, one generation and its test take {least}")
        advance(state.games, self._standing())
        while True:
            if self._check_is_due(budget):
                self._check(advance, say)
            if state.games + cost + self._check_games(self._unchecked() + cost) > budget:
                break
            self._generation(advance)
        if self._unchecked() and state.games + self._check_games(self._unchecked()) <= budget:
            self._check(advance, say)
        return bool(state.accepted)

    def _check_is_due(self, budget: int) -> bool:
        unchecked = self._unchecked()
        enough = unchecked >= max(_CHECK_SHARE * self._check_games(0), self.state.search_games / 2)
        return enough and self.state.games + self._check_games(unchecked) <= budget

    def _unchecked(self) -> int:
        """Search games since the last test."""
        last = self.state.checks[-1].generation if self.state.checks else 0
        return sum(generation.games for generation in self.state.generations[last:])

    def _check_set_ups(self, unchecked: int) -> int:
        """Set-ups of a test after so many search games."""
        return max(self.config.held_out, unchecked // _CHECK_SHARE // (2 * self.setting.games_a_set_up))

    def _check_games(self, unchecked: int) -> int:
        return 2 * self._check_set_ups(unchecked) * self.setting.games_a_set_up

    def _generation(self, advance: Advance) -> None:
        n = self.config.set_ups
        first = len(self.state.generations) * n
        temperature = self.table["temperature"]
        players = [version.player("candidate", temperature) for version in self.search.ask()]
        tasks = [(self.search.setting, player, self.training_seed, first + k) for player in players for k in range(n)]
        outcomes = played(self.workers, tasks, advance, self._standing())
        generation = self.search.tell([outcomes[k * n : k * n + n] for k in range(len(players))])
        self.state.generations.append(generation)
        self.state.save(self.state_path)

    def _best(self) -> Version:
        """What was accepted last, or the start."""
        best = self.state.best
        if best is None:
            return self.start
        factions = self.start.factions if best.factions is None else best.factions
        players = self.start.players if best.players is None else best.players
        return replace(self.start, weights=best.weights, factions=factions, players=players)

    def _check(self, advance: Advance, say: Callable[[str], None]) -> None:
        state, temperature = self.state, self.table["temperature"]
        version = self.search.mean()
        best = self._best()
        first = sum(check.set_ups for check in state.checks)
        set_ups = self._check_set_ups(self._unchecked())
        pair = (version.player("tuned", temperature), best.player("before", temperature))
        tasks = [(self.setting, player, self.held_out_seed, first + k) for player in pair for k in range(set_ups)]
        outcomes = played(self.workers, tasks, advance, self._standing())
        check = compared(
            outcomes[:set_ups],
            outcomes[set_ups:],
            level=level_of(len(state.checks) + 1),
            version=version,
            first_set_up=first,
            games=len(tasks) * self.setting.games_a_set_up,
            generation=len(state.generations),
        )
        state.checks.append(check)
        if check.accepted:
            write_tuned(self.out, self.table, version, tuning_provenance(self))
        state.save(self.state_path)
        say(told(check, state.games))

    def _standing(self) -> str:
        generations = self.state.generations
        if not generations:
            return "generation 1"
        fitness = generations[-1].fitness
        return (
            f"generation {len(generations) + 1}, last best {max(fitness):.1f} mean {sum(fitness) / len(fitness):.1f}, "
            f"width {self.search.width():.3f}"
        )
