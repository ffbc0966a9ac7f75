"""Ablations: what a heuristic loses when one plan or feature of it is switched off.

A group is what is switched off together, a few weights and the values that they have then (``ablation.toml``). Each group
is played on the same set-ups, three games on each: self-play with it off, paired with self-play of the heuristic as it is,
and a mixed table, played again with the seats exchanged. A set-up gives one difference of each kind, so their means
are clustered by set-up.
"""

import json
import tomllib
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.uncertainty import clustered_means
from aoi_sim.players import Heuristic, find_heuristic
from aoi_sim.players.weighted.weights import without
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.interrupts import interrupts_raised
from aoi_sim.sim.plan import Plan, PlanConfig, PlanError
from aoi_sim.sim.progress import Advance
from aoi_sim.sim.run_folder import prepare_folder
from aoi_sim.sim.runner import Interrupted
from aoi_sim.sim.workers import refuse_jobs
from aoi_sim.storage.findings import counted
from aoi_sim.storage.manifest import build_kind, git_revision, software_versions
from aoi_sim.storage.writer import write_atomically
from aoi_sim.studies.tuning_config import setting_of
from aoi_sim.studies.tuning_games import Outcome, Setting, Task, Workers

FILE_NAME: Final = "ablation.parquet"
GAMES_A_SET_UP: Final = 3
"""Of each group: one in self-play, two at a mixed table."""
SCHEMA: Final = {
    "group": pl.String,
    "off": pl.String,
    "vp_lost": pl.Float64,
    "vp_low": pl.Float64,
    "vp_high": pl.Float64,
    "margin_lost": pl.Float64,
    "margin_low": pl.Float64,
    "margin_high": pl.Float64,
    "n": pl.Int64,
}
"""Columns of the table; the intervals are of 95 %, ``n`` counts set-ups."""

_MEASURES: Final = {"vp_lost": "vp", "margin_lost": "margin"}
_AS_IT_IS: Final = "as it is"


@dataclass(frozen=True)
class Group:
    """What is switched off together.

    Attributes:
        key: its name.
        off: what is off then, a sentence.
        sets: weights as they are then.
        unlearned: subjects of its lessons that are off.
    """

    key: str
    off: str
    sets: Mapping[str, Any]
    unlearned: Sequence[str] = ()


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((files("aoi_sim.studies") / "ablation.toml").read_text(encoding="utf-8"))


def never() -> list[str]:
    """Weights that no group switches off: plain prices."""
    return list(_file()["never"])


def groups(keys: Sequence[str] = ()) -> list[Group]:
    """The groups in the order of the file.

    Args:
        keys: of those wanted; none takes all.

    Raises:
        PlanError: there is no such group.
    """
    known = [Group(row["key"], row["off"], row.get("sets", {}), row.get("unlearned", ())) for row in _file()["group"]]
    for key in keys:
        if key not in [group.key for group in known]:
            raise PlanError(f"unknown group {key!r}, --groups, choose of {', '.join(group.key for group in known)}")
    return [group for group in known if group.key in keys or not keys]


def switched_off(heuristic: Heuristic, group: Group) -> Heuristic:
    """The heuristic with a group off, for every faction.

    Raises:
        HeuristicError: it has no weights.
    """
    table = heuristic.table()
    content = {
        **table,
        "lessons": _without(table["lessons"], group.unlearned),
        "weights": {**table["weights"], **group.sets},
        "players": without(table["players"], group.sets),
        "factions": without(table["factions"], group.sets),
    }
    return Heuristic(f"{heuristic.name}-without-{group.key}", "weights", json.dumps(content, sort_keys=True))


def _without(lessons: Mapping[str, Any], subjects: Sequence[str]) -> dict[str, Any]:
    """Lessons without some subjects; none at all if no subject is left."""
    left = {subject: text for subject, text in lessons.get("networks", {}).items() if subject not in subjects}
    return {**lessons, "networks": left} if left else {}


class Ablation:
    """A heuristic and the groups to switch off.

    Args:
        source: name or file of a TOML heuristic.
        folder: for the table, absent or empty before.
        rules: with which rules.
        n_games: games of each group; rounded up to whole set-ups.
        n_players: players of each game, 2 to 5.
        seed: root seed of the set-ups.
        n_jobs: processes; -1 for as many as there are cores.
        groups_off: what to switch off, one at a time; None takes all of the file.

    Attributes:
        table: a row a finished group, as in the file.
        failed: what games raised, a line each with its group and set-up.
        vp: outcomes of the heuristic as it is, a set-up each.

    Raises:
        HeuristicError, PlanError: wrong input.
    """

    def __init__(
        self,
        source: str | Path,
        folder: Path,
        *,
        rules: Ruleset,
        n_games: int,
        n_players: int = 4,
        seed: int = 1,
        n_jobs: int = -1,
        groups_off: Sequence[Group] | None = None,
    ) -> None:
        self.source = find_heuristic(source)
        self.groups = groups() if groups_off is None else list(groups_off)
        self._off = [switched_off(self.source, group) for group in self.groups]
        _refuse(n_games, n_players, seed, n_jobs, rules)
        self.folder = folder
        self.rules = rules
        self.n_set_ups = -(-n_games // GAMES_A_SET_UP)
        self.n_players = n_players
        self.seed = seed
        self._workers = Workers(n_jobs)
        self.table = pl.DataFrame(schema=SCHEMA)
        self.failed: list[str] = []
        self.vp: list[Outcome] = []

    @property
    def n_games(self) -> int:
        """Games in all: of the groups, and of the heuristic as it is."""
        return self.n_set_ups * (1 + GAMES_A_SET_UP * len(self.groups))

    def run(self, advance: Advance = lambda games, text: None) -> None:
        """Play group by group; each finished one is in the file at once.

        Args:
            advance: is told games as they are played, and of which group.

        Raises:
            RunFolderError, OSError: the folder cannot be used.
            PlanError: a worker died.
            Interrupted: Ctrl-C; finished groups are kept.
        """
        prepare_folder(self.folder)
        try:
            with interrupts_raised():
                self._play(advance)
        except KeyboardInterrupt as error:
            raise Interrupted(self._kept_text()) from error
        finally:
            if not any(self.folder.iterdir()):
                self.folder.rmdir()

    def _play(self, advance: Advance) -> None:
        alone = setting_of(self.rules, self.n_players, ())
        mixed = replace(alone, against=(self.source,), mirrored=True)
        set_ups = range(self.n_set_ups)
        tasks: list[Task] = [(alone, self.source, self.seed, k) for k in set_ups]
        tasks += [(mixed, off, self.seed, k) for off in self._off for k in set_ups]
        with closing(self._workers.play(tasks)) as results:
            self.vp = self._outcomes(results, alone, _AS_IT_IS, advance)
            for group in self.groups:
                self._finish(group, self._outcomes(results, mixed, group.key, advance))

    def _outcomes(
        self, results: Generator[Outcome, None, None], setting: Setting, what: str, advance: Advance
    ) -> list[Outcome]:
        """The next outcomes, one of each set-up."""
        advance(0, what)
        found = []
        for set_up in range(self.n_set_ups):
            outcome = next(results)
            if outcome.error is not None:
                self.failed.append(f"{what}, set-up {set_up}: {outcome.error}")
            found.append(outcome)
            advance(setting.games_a_set_up, what)
        return found

    def _finish(self, group: Group, off: Sequence[Outcome]) -> None:
        """Add a group to the table and write it, whole or not at all."""
        row = {"group": group.key, "off": group.off, **losses(self.vp, off)}
        self.table = pl.concat([self.table, pl.DataFrame([row], schema=SCHEMA)])
        write_atomically(self.folder / FILE_NAME, _parquet(self.table, self._provenance()))

    def _provenance(self) -> dict[str, Any]:
        return {
            "heuristic": {"name": self.source.name, "sha256": self.source.sha256, "content": self.source.table()},
            "groups": {group.key: dict(group.sets) for group in self.groups},
            "players": self.n_players,
            "seed": self.seed,
            "set_ups": self.n_set_ups,
            "edition": self.rules.edition,
            "rules": self.rules.hash,
            "overlays": list(self.rules.overlays),
            "build": build_kind(),
            "git_revision": git_revision(),
            "versions": software_versions(),
        }

    def _kept_text(self) -> str:
        if not len(self.table):
            return f"interrupted before the first group was finished, {self.folder}, run it again"
        return (
            f"interrupted after {len(self.table)} of {counted(len(self.groups), 'group')}, {self.folder / FILE_NAME} keeps them, "
            "remove it to run again"
        )


def losses(on: Sequence[Outcome], off: Sequence[Outcome]) -> dict[str, Any]:
    """VP and margin lost, with 95 % intervals clustered by set-up; set-ups with a failed game are left out.

    Args:
        on: self-play of the heuristic as it is, a set-up each.
        off: with a group off on the same set-ups; ``margins`` holds the one against the heuristic as it is.
    """
    rows = [
        {"block": block, "vp_lost": a.vp - b.vp, "margin_lost": 0.0 - b.margins[0]}
        for block, (a, b) in enumerate(zip(on, off, strict=True))
        if a.error is None and b.error is None
    ]
    found: dict[str, Any] = {"n": len(rows)}
    if rows:
        for row in clustered_means(pl.DataFrame(rows).lazy(), list(_MEASURES)).iter_rows(named=True):
            short = _MEASURES[row["quantity"]]
            found |= {row["quantity"]: row["value"], f"{short}_low": row["low"], f"{short}_high": row["high"]}
    return {name: found.get(name) for name in SCHEMA if name not in ("group", "off")}


def _parquet(table: pl.DataFrame, provenance: Mapping[str, Any]) -> bytes:
    """The table as Parquet, with where it comes from as JSON in the metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = json.dumps(provenance, sort_keys=True, ensure_ascii=False)
    arrow = table.to_arrow().replace_schema_metadata({"aoi_sim.ablation": text})
    sink = pa.BufferOutputStream()
    pq.write_table(arrow, sink, compression="zstd")
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _refuse(n_games: int, n_players: int, seed: int, n_jobs: int, rules: Ruleset) -> None:
    """Refuse what cannot be played."""
    Plan(PlanConfig(n_games, n_players, seed), rules)
    least = 2 * GAMES_A_SET_UP
    if n_games < least:
        raise PlanError(f"{counted(n_games, 'game')}, --games, an interval needs two set-ups, choose {least} or more")
    refuse_jobs(n_jobs)
