"""What a tuning remembers between two starts: its identity, every fitness and every test, as readable JSON.

The optimiser itself is not stored: told the same figures in the same order it is where it was.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.writer import write_atomically

FORMAT: Final = "aoi-sim tuning 1"


class TuningError(PlanError):
    """A tuning that cannot start or go on; the message is one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation of the optimiser.

    Attributes:
        fitness: worth of each candidate, mean over the generation's set-ups.
        games: games played for it.
        failed: set-ups on which a candidate raised an error.
        by_faction: in a search by faction, the worth of each candidate of the factions that were met.
    """

    fitness: list[float]
    games: int
    failed: int
    by_faction: dict[str, list[float]] | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A test of the optimiser's mean against the best so far, on set-ups never used before.

    Attributes:
        generation: after how many generations.
        weights: what was tested.
        first_set_up: number of its first held-out set-up.
        set_ups: how many there were.
        games: games played for it.
        gain: paired difference in worth, mean over set-ups.
        se: its standard error.
        low: of the interval.
        high: of the interval.
        level: of the interval; tests share 5 % of error, the k-th has 5 % / (k (k + 1)).
        vp_gain: the part of the gain that is VP in self-play.
        vp: VP in self-play of what was tested.
        accepted: whether it won.
        factions: changes by faction that were tested; None for those of the start.
        players: likewise, by number of players.
    """

    generation: int
    weights: dict[str, Any]
    first_set_up: int
    set_ups: int
    games: int
    gain: float
    se: float
    low: float
    high: float
    level: float
    vp_gain: float
    vp: float
    accepted: bool
    factions: dict[str, dict[str, Any]] | None = None
    players: dict[str, dict[str, Any]] | None = None


@dataclass(slots=True)
class TuningState:
    """All that was played so far.

    Attributes:
        identity: what decides which games are played; a state only serves the same tuning.
        generations: in order.
        checks: in order.
    """

    identity: dict[str, Any]
    generations: list[Generation] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    @property
    def search_games(self) -> int:
        """Games of the generations."""
        return sum(generation.games for generation in self.generations)

    @property
    def games(self) -> int:
        """Games of generations and tests."""
        return self.search_games + sum(check.games for check in self.checks)

    @property
    def accepted(self) -> list[Check]:
        """The tests that were won."""
        return [check for check in self.checks if check.accepted]

    @property
    def best(self) -> Check | None:
        """The test that was won last, None while the start is the best."""
        return self.accepted[-1] if self.accepted else None

    def save(self, path: Path) -> None:
        """Write the state, whole or not at all."""
        content = {"format": FORMAT, **asdict(self)}
        write_atomically(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())


def load_state(path: Path, identity: Mapping[str, Any]) -> TuningState:
    """The state to go on from, an empty one where there is none.

    Raises:
        TuningError: the file is damaged, of another version or of another tuning.
    """
    if not path.exists():
        return TuningState(dict(identity))
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        refuse_format(content["format"], FORMAT, path)
        state = TuningState(
            content["identity"],
            [Generation(**row) for row in content["generations"]],
            [Check(**row) for row in content["checks"]],
        )
    except TuningError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise TuningError(f"damaged state of a tuning, {path}, remove it to start anew") from error
    for key in {**identity, **state.identity}:
        if state.identity.get(key) != identity.get(key):
            raise TuningError(f"state of another tuning ({key} differs), {path}, remove it or choose another --out")
    return state


def refuse_format(stored: Any, known: str, path: Path) -> None:
    """Refuse a file whose format, a name and a version, is not the one that is read here.

    Raises:
        TuningError: another version made it.
        ValueError, TypeError: it is no such file at all.
    """
    if stored == known:
        return
    name, version = known.rsplit(" ", 1)
    other = re.fullmatch(rf"{name} (\d+)", stored)
    if other is None:
        raise ValueError("format")
    what = f"made by another version of aoi-sim (format {other[1]}, not {version})"
    raise TuningError(f"{what}, {path}, go on with that version or leave it and start anew elsewhere")
