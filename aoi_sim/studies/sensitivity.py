"""The study of single numbers: each number of each faction (or board) one step up and one step down.

Every component has a paired run of its own in which it sits in all games (design ``focus``): the rules as they are, and each
of its numbers changed by one, all on the same blocks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.margins import margin_rows
from aoi_sim.analysis.uncertainty import clustered_means
from aoi_sim.players import Heuristic
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanError
from aoi_sim.sim.request import make_request
from aoi_sim.storage.findings import counted
from aoi_sim.storage.reader import Run
from aoi_sim.studies.change_study import Setting, players_of, plus_minus
from aoi_sim.studies.numbers import allowed, number_at, numbers_of
from aoi_sim.studies.study import Runs, Study, StudyRun
from aoi_sim.studies.study_effects import effect_rows, no_rows, widest, with_players
from aoi_sim.studies.study_folder import StudyError
from aoi_sim.studies.study_report import Section

SE_WANTED: Final = 1.0
"""Standard error in VP that the effect of a step should have."""
_AS_IT_IS: Final = "as it is"
_STEPS: Final = {"step_up": 1, "step_down": -1}


@dataclass(frozen=True)
class Step:
    """A number changed by one.

    Attributes:
        path: of the number.
        change: 1 or -1.
        rules: with it.
    """

    path: str
    change: int
    rules: Ruleset

    @property
    def level(self) -> str:
        """Name of the level in the run."""
        return f"{self.path}{self.change:+d}"


class Sensitivity(Study):
    """What one more or one less of each number does.

    Args:
        rules: as they are.
        table: ``factions`` or ``boards``.
        setting: ``games`` are those of all runs with one player; one number of players.
        names: components; none takes all of the table.

    Raises:
        StudyError, PlanError: it cannot be.
    """

    kind = "sensitivity"
    title = "What one step of each number does"

    def __init__(self, rules: Ruleset, table: str, setting: Setting, names: Sequence[str] = ()) -> None:
        if table not in ("factions", "boards"):
            raise StudyError(f"no component {table!r}, --component, choose factions or boards")
        if len(setting.players) != 1:
            raise PlanError("several numbers of players, --players, give one")
        for name in names:
            if name not in rules.data[table]:
                raise StudyError(f"none of the {table} is {name!r}, --only, choose {', '.join(rules.data[table])}")
        self.rules = rules
        self.table = table
        self.group = table.removesuffix("s")
        self.setting = setting
        self.names = [name for name in rules.data[table] if name in names or not names]
        self._players = players_of(setting.heuristics)
        self.steps = {name: list(self._steps(name)) for name in self.names}
        self.left_out = [path for name in self.names for path in self._numbers(name) if not self._of(name, path)]
        levels = sum(1 + len(steps) for steps in self.steps.values() if steps)
        if not levels:
            raise StudyError(f"no number to change, --component {table}, choose others")
        self.blocks = ceil((setting.games or 0) / levels)

    def _numbers(self, name: str) -> Iterator[str]:
        return numbers_of(self.rules, f"{self.table}.{name}", self.setting.players[0])

    def _steps(self, name: str) -> Iterator[Step]:
        for path in self._numbers(name):
            for change in _STEPS.values():
                value = number_at(self.rules, path) + change
                rules = allowed(self.rules, path, value) if value >= 0 else None
                if rules is not None:
                    yield Step(path, change, rules)

    def _of(self, name: str, path: str) -> dict[int, Step]:
        """The steps of a number by their change."""
        return {step.change: step for step in self.steps[name] if step.path == path}

    def settings(self) -> dict[str, Any]:
        """Rules by hash, what is changed, and the setting."""
        return {"rules": self.rules.hash, "components": self.names, **self.setting.settings()}

    def next_run(self, done: Runs) -> StudyRun | None:
        """A paired run a component and player."""
        for heuristic in self._players:
            for name in self.names:
                if self.steps[name] and f"{heuristic.name}/{name}" not in done:
                    return self._run(heuristic, name)
        return None

    def _run(self, heuristic: Heuristic, name: str) -> StudyRun:
        request = make_request(
            rules={_AS_IT_IS: self.rules, **{step.level: step.rules for step in self.steps[name]}},
            n_games=None,
            n_blocks=self.blocks,
            n_players=self.setting.players[0],
            seed=self.setting.seed,
            heuristics=[heuristic],
            focus=[name],
            map=self.setting.map,
            setup=self.setting.setup,
        )
        return StudyRun(f"{heuristic.name}/{name}", request)

    def effects(self, runs: Runs) -> pl.DataFrame:
        """Of each number: a step up, a step down (both against the rules as they are), and the mean effect per step up."""
        tables = []
        for full, run in runs.items():
            who, _, name = full.rpartition("/")
            table = self._differences(run, name)
            for quantity in (*_STEPS, "per_step"):
                rows = table.filter(pl.col("quantity") == quantity)
                if len(rows):
                    words: dict[str, Any] = {"players": self.setting.players[0], "heuristic": who, "games": run.n_games}
                    tables.append(effect_rows(rows, "component", quantity=quantity, **words))
        return with_players(pl.concat(tables)) if tables else no_rows()

    def _differences(self, run: Run, name: str) -> pl.DataFrame:
        """Paired differences of the component's margin: ``component`` (path), ``quantity`` and the usual columns."""
        rows = margin_rows(run.seats(), run.games()).filter(pl.col(self.group) == name)
        wide = rows.select("level", "block", "margin").collect().pivot("level", index="block", values="margin")
        found = []
        for path in dict.fromkeys(step.path for step in self.steps[name]):
            sides = {change: pl.col(step.level) for change, step in self._of(name, path).items()}
            base = pl.col(_AS_IT_IS)
            values = {quantity: sides[change] - base for quantity, change in _STEPS.items() if change in sides}
            up, down = sides.get(1, base), sides.get(-1, base)
            values["per_step"] = (up - down) / len(sides)
            there = {quantity: value for quantity, value in values.items() if value.meta.root_names()}
            table = wide.lazy().select("block", *(value.alias(quantity) for quantity, value in there.items()))
            found.append(clustered_means(table, list(there)).with_columns(component=pl.lit(path)))
        return pl.concat(found)

    def precision(self, run: Run) -> str:
        """Of the effects per step."""
        name = run.manifest["config"]["focus"][0]
        return widest(self._differences(run, name).filter(pl.col("quantity") == "per_step"))

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """The effect per step of each number, the greatest first, and a tornado chart for each player."""
        steps = effects.filter(quantity="per_step").sort(pl.col("estimate").abs(), descending=True)
        text = [
            f"Margin of the {self.group} that has the number, at {self.setting.players[0]} players; it sits in every game, "
            f"{counted(self.blocks, 'set-up')} under each change. Wanted is a standard error of {SE_WANTED:g} VP."
        ]
        errors = [se for se in steps["se"].to_list() if se is not None]
        if errors:
            needed = ceil(self.blocks * (max(errors) / SE_WANTED) ** 2)
            text.append(
                f"Standard errors are {min(errors):.2f} to {max(errors):.2f} VP"
                + (
                    f"; {SE_WANTED:g} VP for all needs about {counted(needed, 'set-up')}."
                    if max(errors) > SE_WANTED
                    else "."
                )
            )
        if self.left_out:
            text.append(f"Neither step is allowed by the rules: {', '.join(self.left_out)}.")
        sections = [Section("VP for one more of a number", text, self._table(steps, effects))]
        return [*sections, *(self._chart(effects, heuristic.name) for heuristic in self._players)]

    def _table(self, steps: pl.DataFrame, effects: pl.DataFrame) -> pl.DataFrame:
        sides = {
            (row["component"], row["heuristic"], row["quantity"]): plus_minus(row)
            for row in effects.iter_rows(named=True)
        }
        rows = [
            {
                "number": row["component"],
                "is": str(number_at(self.rules, row["component"])),
                "who plays": row["heuristic"],
                "VP per step": plus_minus(row),
                "se": "-" if row["se"] is None else f"{row['se']:.2f}",
                "one more": sides.get((row["component"], row["heuristic"], "step_up"), "-"),
                "one less": sides.get((row["component"], row["heuristic"], "step_down"), "-"),
                "verdict": row["verdict"],
                "by player": row["by_player"],
            }
            for row in steps.iter_rows(named=True)
        ]
        return pl.DataFrame(rows) if rows else pl.DataFrame(schema={"number": pl.String})

    def _chart(self, effects: pl.DataFrame, heuristic: str) -> Section:
        from aoi_sim.report.figures_style import new_axes
        from aoi_sim.report.figures_tornado import plot_tornado

        table = effects.filter(heuristic=heuristic)
        ax = plot_tornado(table, new_axes(8, 1.2 + 0.34 * max(3, table["component"].n_unique())))
        return Section(f"Tornado chart, {heuristic}", [], None, {f"tornado-{heuristic}.png": ax})
