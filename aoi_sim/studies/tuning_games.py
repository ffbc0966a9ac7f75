"""The games of a tuning or an ablation: one player on one set-up, in self-play and at mixed tables against rivals."""

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from aoi_sim.engine.setup import draw_setup, start_game
from aoi_sim.engine.state import State, scores
from aoi_sim.players import Heuristic, makers_of
from aoi_sim.players.heuristic import error_text
from aoi_sim.players.protocol import Player
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import seat_splits
from aoi_sim.sim.match import Played, play
from aoi_sim.sim.plan import MAX_GAMES, Plan, PlanConfig, PlanError
from aoi_sim.sim.workers import interrupts_held


@dataclass(frozen=True, slots=True)
class Setting:
    """What all games of a tuning or an ablation share.

    Attributes:
        n_players: seats of each game.
        edition: with ``options`` and ``overlays`` the ruleset as data.
        options: every option and its value.
        overlays: texts of the overlays.
        against: the rivals.
        mirrored: whether a mixed table is played a second time with the seats exchanged.
    """

    n_players: int
    edition: str
    options: tuple[tuple[str, Any], ...]
    overlays: tuple[str, ...]
    against: tuple[Heuristic, ...]
    mirrored: bool = False

    @property
    def games_a_set_up(self) -> int:
        """Games that one player plays on a set-up: self-play and one against each rival, or two if mirrored."""
        return 1 + len(self.against) * (2 if self.mirrored else 1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a player did on a set-up.

    Attributes:
        vp: mean VP in self-play.
        margins: mean VP ahead of each rival.
        error: what a game raised; the figures mean nothing then.
        seats: faction and VP of each seat in self-play.
    """

    vp: float
    margins: tuple[float, ...]
    error: str | None = None
    seats: tuple[tuple[str, int], ...] = ()

    @property
    def worth(self) -> float:
        """What is tuned: VP in self-play plus the mean margin."""
        return self.vp + (sum(self.margins) / len(self.margins) if self.margins else 0.0)


Task = tuple[Setting, Heuristic, int, int]
"""Setting, player, root seed of the set-ups, number of the set-up."""
_Task = TypeVar("_Task")
_Done = TypeVar("_Done")


@lru_cache(maxsize=4)
def rules_of(setting: Setting) -> Ruleset:
    """The rules of a setting."""
    return load_ruleset(setting.edition, dict(setting.options), list(setting.overlays))


@lru_cache(maxsize=8)
def plan_of(setting: Setting, root: int) -> Plan:
    """An endless balanced plan: its games are the set-ups."""
    rules = rules_of(setting)
    config = PlanConfig(MAX_GAMES, setting.n_players, root, setup=str(rules.options["setup"]))
    return Plan(config, rules)


def play_set_up(task: Task) -> Outcome:
    """Play a player on a set-up; runs in a worker. Whatever a game raises is kept in the outcome."""
    setting, player, root, block = task
    splits = seat_splits(setting.n_players)
    split = splits[block % len(splits)]
    ways = [split, tuple(1 - theirs for theirs in split)] if setting.mirrored else [split]
    try:
        seats = _seats(setting, [player] * setting.n_players, root, block)
        margins = [
            sum(_margin(setting, player, rival, way, root, block) for way in ways) / len(ways)
            for rival in setting.against
        ]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit of a player too
        return Outcome(0.0, (), error_text(error))
    return Outcome(sum(vp for _, vp in seats) / len(seats), tuple(margins), seats=tuple(seats))


def _margin(
    setting: Setting, player: Heuristic, rival: Heuristic, split: Sequence[int], root: int, block: int
) -> float:
    """Mean VP of a player less that of its rival, who has the seats of the split that are 1."""
    vps = _seats(setting, [rival if theirs else player for theirs in split], root, block)
    own = [vp for (_, vp), theirs in zip(vps, split, strict=True) if not theirs]
    others = [vp for (_, vp), theirs in zip(vps, split, strict=True) if theirs]
    return sum(own) / len(own) - sum(others) / len(others)


def _seats(setting: Setting, seats: Sequence[Heuristic], root: int, block: int) -> list[tuple[str, int]]:
    """Faction and VP of each seat of a game."""
    # A player and a rival may have one name, so makers are looked up by the heuristic itself.
    makers = {heuristic: makers_of([heuristic])[heuristic.name] for heuristic in set(seats)}
    state = played_out(setting, root, block, lambda seat, seed: makers[seats[seat]](seat, seed))
    factions = [state.tables.components[seat.faction].key for seat in state.seats]
    return list(zip(factions, scores(state), strict=True))


def played_out(setting: Setting, root: int, block: int, make: Callable[[int, int], Player]) -> State:
    """The end of the game of a set-up, played by what ``make`` makes of a seat and its seed."""
    rules, spec = rules_of(setting), plan_of(setting, root).game(block)
    played = Played()
    draws = draw_setup(rules, setting.n_players, spec.setup_seed, str(rules.options["setup"]), "auto", spec.deal)
    played.state = start_game(rules, draws)
    play([make(seat, seed) for seat, seed in enumerate(spec.player_seeds)], played)
    return played.state


class Workers:
    """Processes that play.

    Args:
        n_jobs: how many; -1 for as many as there are cores, 1 plays in this process.
    """

    def __init__(self, n_jobs: int) -> None:
        self._n_jobs = n_jobs

    def play(self, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
        """Outcomes of tasks in their order.

        Raises:
            PlanError: a worker died.
        """
        return self.map(play_set_up, tasks)

    def map(self, do: Callable[[_Task], _Done], tasks: Sequence[_Task]) -> Generator[_Done, None, None]:
        """What comes of tasks, in their order.

        Args:
            do: does one.
            tasks: what to do.

        Raises:
            PlanError: a worker died.
        """
        if self._n_jobs == 1:
            yield from map(do, tasks)
            return
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        parallel = Parallel(n_jobs=self._n_jobs, backend="loky", return_as="generator", batch_size=1)
        with interrupts_held():  # for workers, which start here, Ctrl-C is the parent's business
            results = parallel(delayed(do)(task) for task in tasks)
        try:
            yield from results
        except TerminatedWorkerError as error:
            raise PlanError("a worker process died, --jobs, run again (with fewer jobs if memory is short)") from error
        finally:
            with suppress(RuntimeError, ValueError):
                results.close()
