"""The test of a given candidate against its parent: no search, one paired comparison on set-ups of its own."""

from collections.abc import Callable, Sequence
from pathlib import Path

from aoi_sim.players import find_heuristic
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.progress import Advance
from aoi_sim.storage.findings import counted
from aoi_sim.studies.tuned_file import candidate_provenance, write_tuned
from aoi_sim.studies.tuning_check import ALPHA, Version, compared, played, told
from aoi_sim.studies.tuning_config import TuneConfig, refuse, setting_of
from aoi_sim.studies.tuning_games import Task, Workers
from aoi_sim.studies.tuning_state import Check, TuningError


class CandidateTest:
    """A test that writes the candidate as the parent's successor if it wins.

    Args:
        source: the TOML heuristic to test against, the parent.
        candidate: the TOML heuristic whose weights and changes by faction are tested.
        against: rivals; none tests in self-play only.
        out: file to write.
        rules: with which rules.
        config: players, seed and least number of set-ups; what only a search needs is left aside.
        n_jobs: processes; -1 for as many as there are cores.

    Raises:
        HeuristicError, TuningError: wrong input.
    """

    def __init__(
        self,
        source: str | Path,
        candidate: str | Path,
        against: Sequence[str | Path],
        out: Path,
        *,
        rules: Ruleset,
        config: TuneConfig,
        n_jobs: int = -1,
    ) -> None:
        self.source, self.candidate = find_heuristic(source), find_heuristic(candidate)
        self.table, self.version = self.source.table(), Version.of(self.candidate.table())
        refuse(config, out, n_jobs)
        self.out, self.rules, self.config = out, rules, config
        self.workers = Workers(n_jobs)
        self.setting = setting_of(rules, config.n_players, against)
        self.held_out_seed = seeding.stream(config.seed, 0, seeding.CANDIDATE)

    def run(
        self, budget: int, advance: Advance = lambda games, text: None, say: Callable[[str], None] = print
    ) -> Check:
        """Play the test; the file is written if it is won.

        Args:
            budget: games, rounded down to whole set-ups.
            advance: is told games as they are played.
            say: is told the outcome.

        Raises:
            TuningError: the budget is too small.
        """
        games_each = 2 * self.setting.games_a_set_up
        set_ups = budget // games_each
        if set_ups < self.config.held_out:
            least = games_each * self.config.held_out
            raise TuningError(
                f"{counted(budget, 'game')}, --budget, a test on {counted(self.config.held_out, 'set-up')} takes {least}"
            )
        temperature = self.table["temperature"]
        pair = (self.version.player("candidate", temperature), Version.of(self.table).player("parent", temperature))
        tasks: list[Task] = [
            (self.setting, player, self.held_out_seed, number) for number in range(set_ups) for player in pair
        ]
        outcomes = played(self.workers, tasks, advance, f"{self.candidate.name} against {self.source.name}")
        check = compared(
            outcomes[::2], outcomes[1::2], level=1 - ALPHA, version=self.version, games=set_ups * games_each
        )
        if check.accepted:
            write_tuned(self.out, self.table, self.version, candidate_provenance(self, check))
        say(told(check, check.games))
        return check
