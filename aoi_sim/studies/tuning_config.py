"""How to tune: what the caller chooses, and what all games of a tuning share."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aoi_sim.players import find_heuristics
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.plan import MAX_SEED
from aoi_sim.sim.workers import refuse_jobs
from aoi_sim.storage.findings import counted
from aoi_sim.studies.tuning_games import Setting
from aoi_sim.studies.tuning_state import TuningError

SET_UPS: Final = {False: 4, True: 12}
"""Set-ups of a generation where none are given, without and with a search by faction."""
STEP: Final = {False: 0.3, True: 0.5}
"""First width where none is given, likewise."""
_POPULATION: Final = (4, 1000)
_SET_UPS: Final = (1, 100_000)
_HELD_OUT: Final = (2, 100_000)
_STEP: Final = (0.001, 10.0)


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
        by_faction: search changes for each faction instead of weights for all.
    """

    n_players: int = 4
    seed: int = 1
    population: int = 16
    set_ups: int = SET_UPS[False]
    held_out: int = 48
    step: float = STEP[False]
    weights: tuple[str, ...] = ()
    by_faction: bool = False


def setting_of(rules: Ruleset, n_players: int, against: Sequence[str | Path]) -> Setting:
    """What all games share.

    Args:
        rules: with which rules.
        n_players: players of each game.
        against: rivals; none is self-play only.

    Raises:
        HeuristicError: no such rival.
    """
    rivals = tuple(find_heuristics(list(against))) if against else ()
    return Setting(n_players, rules.edition, tuple(rules.options.items()), rules.overlays, rivals)


def refuse(config: TuneConfig, out: Path, n_jobs: int) -> None:
    """Refuse what cannot be played."""
    if not 2 <= config.n_players <= 5:
        raise TuningError(f"{counted(config.n_players, 'player')}, --players, choose 2 to 5")
    refuse_seed(config.seed)
    refuse_jobs(n_jobs, TuningError)
    for value, option, (low, high) in (
        (config.population, "--population", _POPULATION),
        (config.set_ups, "--setups", _SET_UPS),
        (config.held_out, "--held-out", _HELD_OUT),
        (config.step, "--step", _STEP),
    ):
        if not low <= value <= high:
            raise TuningError(f"{value} is out of bounds, {option}, choose {low} to {high}")
    unknown = [name for name in config.weights if name not in DEFAULTS]
    if unknown:
        raise TuningError(f"unknown weight {unknown[0]}, --weights, choose of {', '.join(DEFAULTS)}")
    refuse_out(out)


def refuse_seed(seed: int) -> None:
    """Refuse what is no seed."""
    if not 0 <= seed <= MAX_SEED:
        raise TuningError(f"seed {seed}, --seed, choose 0 to {MAX_SEED}")


def refuse_out(out: Path) -> None:
    """Refuse a place where no heuristic can be written."""
    if out.suffix != ".toml":
        raise TuningError(f"no .toml file, {out} (--out), name the new heuristic NAME.toml")
    if out.is_dir():
        raise TuningError(f"a folder, {out} (--out), give the name of a file")
    if not out.parent.is_dir():
        raise TuningError(f"no such folder, {out.parent} (--out), make it first")
