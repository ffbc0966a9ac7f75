"""Learning: a player's games with other options tried in them, what they teach, and the test of the player that was taught.

The trials lie beside the file of the heuristic (``OUT.trials``). The file is written only if the player wins against the one
before it, its parent, on set-ups that no trial saw.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from aoi_sim.players import find_heuristic
from aoi_sim.players.trying import MOST, WITHIN
from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import SUBJECTS, nothing_learned
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import tables_for
from aoi_sim.sim import seeding
from aoi_sim.sim.progress import Advance
from aoi_sim.sim.workers import refuse_jobs
from aoi_sim.storage.findings import counted
from aoi_sim.studies.learning_fit import FitConfig, fitted, lightgbm
from aoi_sim.studies.learning_games import TrialGames, play_part, set_up_of
from aoi_sim.studies.network_fit import Parts, content_of, parts_of
from aoi_sim.studies.trials import Trials, TrialsFolder, joined
from aoi_sim.studies.tuned_file import lessons_provenance, write_tuned
from aoi_sim.studies.tuning_check import ALPHA, Version, compared, played, told
from aoi_sim.studies.tuning_config import refuse_out, refuse_seed, setting_of
from aoi_sim.studies.tuning_games import Task, Workers
from aoi_sim.studies.tuning_state import Check, TuningError

_BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "games": (1, 10_000_000),
    "held_out": (2, 100_000),
    "turns": (0, 1000),
    "answers": (0, 1000),
    "within": (0, 1_000_000),
    "most": (2, 1000),
}
_FIT_BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "units": (2, 1000),
    "epochs": (1, 1000),
    "trees": (1, 10_000),
    "leaves": (2, 100),
    "rate": (0.001, 1.0),
    "least": (1, 1_000_000),
    "others": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class LearnConfig:
    """How to learn.

    Attributes:
        games: games with trials.
        players: numbers of players, of the games in turn.
        seed: root seed of everything.
        held_out: set-ups of the test.
        turns: of so many turns in a thousand one is tried.
        answers: of so many answers and bonus tiles.
        within: options that are worth so much less than the best will not be looked at, in thousandths of a VP.
        most: so many options will be looked at.
        fit: how the networks are fitted.
    """

    games: int
    players: tuple[int, ...] = (4,)
    seed: int = 1
    held_out: int = 200
    turns: int = 80
    answers: int = 120
    within: int = 4500
    most: int = 6
    fit: FitConfig = field(default_factory=FitConfig)


@dataclass(frozen=True, slots=True)
class Learned:
    """What a learning came to.

    Attributes:
        trials: how many there were, by subject.
        networks: by subject.
        failed: what each failed game of the trials said.
        check: the test, None if nothing was learned.
    """

    trials: dict[str, int]
    networks: dict[str, Parts]
    failed: list[str]
    check: Check | None = None


class Learning:
    """A learning that goes on where it was stopped.

    Args:
        source: the TOML heuristic to teach, the parent; if it has lessons they decide what it does, and new ones go on from them.
        out: file of the taught heuristic; the trials lie beside it (``OUT.trials``) until they are removed.
        rules: with which rules.
        config: how.
        earlier: folders of trials of earlier rounds, each with how much its trials count.
        against: rivals of the test; none: the parent.
        n_jobs: processes; -1 for as many as there are cores.

    Raises:
        HeuristicError, TuningError: wrong input.
    """

    def __init__(
        self,
        source: str | Path,
        out: Path,
        *,
        rules: Ruleset,
        config: LearnConfig,
        earlier: Sequence[tuple[Path, float]] = (),
        against: Sequence[str | Path] = (),
        n_jobs: int = -1,
    ) -> None:
        _refuse(config, out, n_jobs)
        lightgbm()
        self.source = find_heuristic(source)
        self.table = self.source.table()
        self.out, self.rules, self.config = out, rules, config
        self.workers = Workers(n_jobs)
        self.trials_seed = seeding.stream(config.seed, 0, seeding.TRIALS)
        # With more games it is another player that is tested, on set-ups of its own.
        self.held_out_seed = seeding.stream(config.seed, config.games, seeding.LEARNED)
        if self.table["provenance"].get("held_out_seed") == self.held_out_seed:
            raise TuningError(
                f"{self.source.name} was tested on the set-ups of seed {config.seed}, --seed, take another"
            )
        self.settings = tuple(setting_of(rules, n, against or [source]) for n in config.players)
        self.folder = TrialsFolder(out.with_name(out.name + ".trials"), self._identity(), config.games)
        self.earlier = [self._earlier(path, share) for path, share in earlier]

    def _identity(self) -> dict[str, Any]:
        lessons = self.table["lessons"] or nothing_learned(tables_for(self.rules, self.config.players[0]))
        return {
            "parent": {"name": self.source.name, "sha256": self.source.sha256},
            "rules": self.rules.hash,
            "players": list(self.config.players),
            "seed": self.config.seed,
            "turns": self.config.turns,
            "answers": self.config.answers,
            "options": [WITHIN, MOST],
            "features": list(NAMES),
            "components": lessons["components"],
        }

    def _earlier(self, path: Path, share: float) -> TrialsFolder:
        folder = TrialsFolder.opened(path, share)
        if path.resolve() == self.folder.path.resolve():
            raise TuningError(f"the trials of --out itself, {path} (--with), leave it out")
        for key in ("features", "components"):
            if folder.identity.get(key) != self.folder.identity[key]:
                raise TuningError(f"trials with other {key}, {path} (--with), leave it out")
        return folder

    @property
    def test_games(self) -> int:
        """Games of the test."""
        return sum(2 * set_up_of(self.settings, k)[0].games_a_set_up for k in range(self.config.held_out))

    def run(
        self, advance: Advance = lambda games, text: None, say: Callable[[str], None] = lambda text: None
    ) -> Learned:
        """Play, fit, test; the file is written if the test is won.

        Args:
            advance: is told games as they are played.
            say: is told what was learned and how the test went.

        Raises:
            TuningError: there is nothing to learn from, or a part of the trials is damaged.
            OSError: something cannot be written.
        """
        self.play(advance)
        learned = self.fit(say)
        if not learned.networks:
            return learned
        self._keep(learned)
        lessons = content_of(
            learned.networks,
            self.folder.identity["components"],
            within=self.config.within,
            most=self.config.most,
        )
        version = replace(Version.of(self.table), lessons=lessons)
        check = self._check(version, advance)
        learned = replace(learned, check=check)
        if check.accepted:
            write_tuned(self.out, self.table, version, lessons_provenance(self, learned, check))
        say(told(check, check.games))
        return learned

    def play(self, advance: Advance = lambda games, text: None) -> None:
        """Play the games with trials that were not played yet."""
        self.folder.begin()
        config, missing = self.config, self.folder.missing()
        settings = tuple(replace(setting, against=()) for setting in self.settings)
        shared = TrialGames(settings, self.source, self.trials_seed, config.turns, config.answers)
        advance(config.games - sum(map(len, missing)), "trials")
        with closing(self.workers.map(play_part, [(shared, games) for games in missing])) as parts:
            for games, part in zip(missing, parts, strict=True):
                self.folder.write(games, part)
                advance(len(games), "trials")

    def fit(self, say: Callable[[str], None] = lambda text: None) -> Learned:
        """What the trials teach.

        Raises:
            TuningError: all games failed, or a part is damaged.
        """
        failed = self.folder.failed()
        if len(failed) == self.config.games:
            raise TuningError(
                f"all {counted(len(failed), 'game')} failed ({failed[0]}), {self.folder.path}, mend the player"
            )
        learned = Learned({}, {}, failed)
        for number, subject in enumerate(SUBJECTS):
            trials = self.trials(number)
            learned.trials[subject] = len(trials)
            network = fitted(trials, self.config.fit, parts_of(self.table["lessons"], subject))
            if network is not None:
                learned.networks[subject] = network
            units = 0 if network is None else len(network.begin)
            say(f"{subject}: {counted(len(trials), 'trial')}, {counted(units, 'unit')}")
        return learned

    def _keep(self, learned: Learned) -> None:
        """Add what the parent knows of the subjects that the trials teach nothing of."""
        for subject in SUBJECTS:
            known = parts_of(self.table["lessons"], subject)
            if known is not None and subject not in learned.networks:
                learned.networks[subject] = known

    def trials(self, number: int) -> Trials:
        """The trials of a subject, those of earlier rounds too."""
        return joined([folder.trials(number) for folder in [self.folder, *self.earlier]])

    def _check(self, version: Version, advance: Advance) -> Check:
        """The taught player against its parent on held-out set-ups, in self-play and at mixed tables."""
        temperature = self.table["temperature"]
        pair = (version.player("taught", temperature), Version.of(self.table).player("parent", temperature))
        set_ups = [set_up_of(self.settings, k) for k in range(self.config.held_out)]
        tasks: list[Task] = [
            (setting, player, self.held_out_seed, number) for setting, number in set_ups for player in pair
        ]
        outcomes = played(self.workers, tasks, advance, f"taught against {self.source.name}")
        return compared(outcomes[::2], outcomes[1::2], level=1 - ALPHA, version=version, games=self.test_games)


def _refuse(config: LearnConfig, out: Path, n_jobs: int) -> None:
    """Refuse what cannot be played or fitted."""
    if not config.players or not all(2 <= n <= 5 for n in config.players):
        raise TuningError(
            f"{', '.join(map(str, config.players)) or 'no'} players, --players, choose of 2 to 5: 4,3,..."
        )
    refuse_seed(config.seed)
    refuse_jobs(n_jobs, TuningError)
    for values, bounds in ((config, _BOUNDS), (config.fit, _FIT_BOUNDS)):
        for name, (low, high) in bounds.items():
            value = getattr(values, name)
            if not low <= value <= high:
                option = "--" + name.replace("_", "-")
                raise TuningError(f"{value} is out of bounds, {option}, choose {low} to {high}")
    refuse_out(out)
