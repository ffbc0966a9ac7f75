"""Fair starts under several players: a study of each, on the same set-ups, and where the fair start depends on who plays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from aoi_sim.players.registry import Given
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.reader import Run
from aoi_sim.studies.change_study import players_of
from aoi_sim.studies.fair import FairStudy
from aoi_sim.studies.fair_report import BY_WIN_SHARE
from aoi_sim.studies.study import Runs, Study, StudyRun
from aoi_sim.studies.study_effects import SIGN, SIZE, shown_for, with_players
from aoi_sim.studies.study_report import Section, figures_table

_FOR_ALL: Final = "Fair starting VP by who plays"


class FairGroup(Study):
    """Fair starting VP under each of several players. Runs, overlay, guide and bids of each lie in a folder of its name.

    Args:
        rules: with which rules.
        n_games: games of each fit, and of each check.
        heuristics: who plays all seats, each by itself; two or more.
        options: those of ``FairStudy``.

    Raises:
        PlanError, HeuristicError: wrong input.
    """

    kind = "fair"
    title = FairStudy.title

    def __init__(self, rules: Ruleset, n_games: int, heuristics: Sequence[str], **options: Any) -> None:
        found = players_of(heuristics)
        self.studies: dict[str, FairStudy] = {
            one.name: FairStudy(rules, n_games, heuristic=one, **options) for one in found
        }

    def settings(self) -> dict[str, Any]:
        """All that decides its figures."""
        each = [study.settings() for study in self.studies.values()]
        players = {name: digest for one in each for name, digest in one["heuristic"].items()}
        return {**each[0], "heuristic": players}

    def next_run(self, done: Runs) -> StudyRun | None:
        """What the first of the studies wants that is not finished."""
        for name, study in self.studies.items():
            wanted = study.next_run(_of(name, done))
            if wanted is not None:
                return replace(wanted, name=f"{name}/{wanted.name}")
        return None

    def _with_runs(self, runs: Runs) -> Iterator[tuple[str, FairStudy, Runs]]:
        for name, study in self.studies.items():
            own = _of(name, runs)
            if "fit" in own:
                yield name, study, own

    def precision(self, run: Run) -> str:
        """The standard error of the factions' win shares."""
        return next(iter(self.studies.values())).precision(run)

    def effects(self, runs: Runs) -> pl.DataFrame:
        """The figures of every player, and whether they depend on the player."""
        return with_players(pl.concat([study.effects(own) for _, study, own in self._with_runs(runs)]))

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """All players beside each other, then the sections of each."""
        first, others = [], []
        for name, study, own in self._with_runs(runs):
            for number, section in enumerate(study.sections(own, effects.filter(heuristic=name))):
                if not number:
                    first.append(f"{name}: {section.text[0]}")
                others.append(_named(section, name))
        return [Section(_FOR_ALL, [*first, _dependence(effects)], _beside(effects)), *others]

    def shortfall(self, runs: Runs, effects: pl.DataFrame) -> str | None:
        """The lines that say for which players a fair start was not reached, as one."""
        found = [(name, study.shortfall(own, effects)) for name, study, own in self._with_runs(runs)]
        return "; ".join(f"{name}: {line}" for name, line in found if line is not None) or None


def fair_study(
    rules: Ruleset, n_games: int, heuristics: Sequence[str] | Given = "expert", **options: Any
) -> FairStudy | FairGroup:
    """The study of fair starts under one player or several.

    Raises:
        PlanError, HeuristicError: wrong input.
    """
    if not isinstance(heuristics, Sequence) or isinstance(heuristics, str):
        return FairStudy(rules, n_games, heuristic=heuristics, **options)
    if len(heuristics) > 1:
        return FairGroup(rules, n_games, heuristics, **options)
    if not heuristics:
        raise PlanError("heuristics none, --heuristics, name one or more")
    return FairStudy(rules, n_games, heuristic=heuristics[0], **options)


def _of(name: str, runs: Mapping[str, Run]) -> dict[str, Run]:
    """The runs of a player, without its name."""
    return {key.removeprefix(f"{name}/"): run for key, run in runs.items() if key.startswith(f"{name}/")}


def _named(section: Section, name: str) -> Section:
    return Section(
        f"{section.title}: {name}",
        section.text,
        section.table,
        {f"{name}-{file}": axes for file, axes in section.figures.items()},
        {f"{name}/{file}": content for file, content in section.files.items()},
    )


def _starts(effects: pl.DataFrame) -> pl.DataFrame:
    """Fair starting VP of single factions, boards and tiles."""
    return effects.filter(pl.col("quantity") == BY_WIN_SHARE, ~pl.col("component").str.contains(" on "))


def _dependence(effects: pl.DataFrame) -> str:
    signs, sizes = (shown_for(_starts(effects), word) for word in (SIGN, SIZE))
    return (
        f"Whether to start with more or with less depends on who plays: {signs}. How much more or less does: {sizes}."
    )


def _beside(effects: pl.DataFrame) -> pl.DataFrame:
    starts = _starts(effects)
    names = starts["heuristic"].unique(maintain_order=True).to_list()
    table = starts.select("component", "by_player").unique("component", keep="first", maintain_order=True)
    columns = {"component": "faction, board or tile"}
    for name in names:
        half = (pl.col("high") - pl.col("low")) / 2
        own = starts.filter(heuristic=name).select("component", pl.col("estimate").alias(name), half.alias(f"{name} ±"))
        table = table.join(own, on="component", how="left", maintain_order="left")
        columns |= {name: f"VP, {name}", f"{name} ±": f"±, {name}"}
    return figures_table(table, {**columns, "by_player": "by player"}, decimals=1)
