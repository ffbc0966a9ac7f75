"""The smallest whole change of a number of the rules that brings a faction or board to a wanted margin.

The search plays candidate after candidate on the same set-ups (common random numbers), doubles the step until the target is
reached, and halves back to the first that reaches it. The answer, the step before it and no change at all are then played on
fresh set-ups, where two one-sided tests say whether the target is reached.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.balance import mean_by
from aoi_sim.players import Heuristic
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanError
from aoi_sim.sim.request import make_request
from aoi_sim.storage.reader import Run
from aoi_sim.studies.change_study import Setting, players_of, plus_minus
from aoi_sim.studies.numbers import allowed, changed_number, number_at
from aoi_sim.studies.study import Runs, Study, StudyRun
from aoi_sim.studies.study_effects import effect_rows, no_rows, widest, with_players
from aoi_sim.studies.study_folder import StudyError
from aoi_sim.studies.study_report import Section
from aoi_sim.studies.target_search import Found, Goal, Margin, judged, searched

MAX_STEPS: Final = 64
"""Largest change that is tried."""
_MANY_TIMES: Final = 25
"""Times the games from which on something else is advised too."""
_FRESH: Final = 1_000_003
"""Added to the seed for the set-ups of the check."""
_CHECK_GAMES: Final = 2
"""Games of a run of the check, in those of the search."""


class Target(Study):
    """The smallest change of a number that reaches a target.

    Args:
        rules: to start from.
        goal: what is to be reached.
        setting: one number of players; ``games`` are those of each candidate, the check plays twice as many.

    Raises:
        StudyError, PlanError: the goal cannot be.
    """

    kind = "target"
    title = "The smallest change that reaches a target"

    def __init__(self, rules: Ruleset, goal: Goal, setting: Setting) -> None:
        self.rules = rules
        self.goal = goal
        self.setting = setting
        self.value = number_at(rules, goal.number)
        if len(setting.players) != 1:
            raise PlanError("several numbers of players, --players, give one with --target")
        if setting.until is not None or setting.games is None:
            raise PlanError("--until with --target, --until, give --games, those of each candidate")
        if not 0 < goal.within <= 1000:
            raise StudyError(f"within {goal.within:g} VP, --within, give VP above 0, at most 1000")
        tables = [what for what in ("factions", "boards") if goal.component in rules.data[what]]
        if not tables:
            known = ", ".join([*rules.data["factions"], *rules.data["boards"]])
            raise StudyError(f"no faction or board {goal.component!r}, --target, choose {known}")
        self.group = tables[0].removesuffix("s")
        self._players = players_of(setting.heuristics)
        self.possible = _possible(rules, goal.number, self.value)

    def settings(self) -> dict[str, Any]:
        """Rules by hash, goal and setting."""
        goal = [self.goal.component, self.goal.margin, self.goal.within, self.goal.number]
        return {"rules": self.rules.hash, "goal": goal, **self.setting.settings()}

    def next_run(self, done: Runs) -> StudyRun | None:
        """Candidates until the search is over, then the check."""
        for heuristic in self._players:
            state = self.state(done, heuristic)
            if state.ask is not None:
                return self._run(heuristic, "search", state.ask)
            for change in self._checked(state):
                run = self._run(heuristic, "check", change)
                if run.name not in done:
                    return run
        return None

    def state(self, runs: Runs, heuristic: Heuristic) -> Found:
        """How far the search with a player is."""
        margins = {
            change: Margin(row["value"], row["se"], row["blocks"])
            for (who, part, change), row in self._margins(runs).items()
            if who == heuristic.name and part == "search"
        }
        return searched(margins, self.goal, self.possible)

    def _checked(self, state: Found) -> list[int]:
        """Changes that are played on fresh set-ups: none at all, the step before the answer, and the answer."""
        if state.answer is None:
            return []
        before = state.answer - (state.answer > 0) + (state.answer < 0)
        return sorted({0, before, state.answer}, key=abs)

    def _run(self, heuristic: Heuristic, part: str, change: int) -> StudyRun:
        fresh = part == "check"
        games = self.setting.games or 0
        request = make_request(
            rules=changed_number(self.rules, self.goal.number, self.value + change) if change else self.rules,
            n_games=games * _CHECK_GAMES if fresh else games,
            n_players=self.setting.players[0],
            seed=self.setting.seed + (_FRESH if fresh else 0),
            heuristics=[heuristic],
            focus=[self.goal.component],
            map=self.setting.map,
            setup=self.setting.setup,
        )
        return StudyRun(f"{heuristic.name}/{part}{change:+d}", request)

    def _margins(self, runs: Runs) -> dict[tuple[str, str, int], dict[str, Any]]:
        """The component's margin by player, part (search or check) and change."""
        found = {}
        for name, run in runs.items():
            who, _, last = name.rpartition("/")
            part = "search" if last.startswith("search") else "check"
            table = mean_by(run, "margin", [self.group])
            rows = table.filter(pl.col(self.group) == self.goal.component).rows(named=True)
            if rows:
                found[who, part, int(last.removeprefix(part))] = rows[0]
        return found

    def effects(self, runs: Runs) -> pl.DataFrame:
        """How far off the target each change is, in the search and on fresh set-ups."""
        found = self._margins(runs)
        tables = []
        for heuristic in self._players:
            for part in ("search", "check"):
                rows = [
                    {**row, "component": f"{self.goal.number}={self.value + change}", "_change": change}
                    for (who, which, change), row in found.items()
                    if which == part and who == heuristic.name
                ]
                if not rows:
                    continue
                table = pl.DataFrame(rows).sort(pl.col("_change").abs(), "_change")
                off = table.with_columns(pl.col("value", "low", "high") - self.goal.margin)
                games = (self.setting.games or 0) * (_CHECK_GAMES if part == "check" else 1)
                known = effect_rows(
                    off,
                    "component",
                    quantity=f"off_target_{part}",
                    players=self.setting.players[0],
                    heuristic=heuristic.name,
                    games=games,
                    delta=self.goal.within,
                )
                tables.append(judged(known, self.goal.within, games))
        return with_players(pl.concat(tables)) if tables else no_rows()

    def precision(self, run: Run) -> str:
        """Of the component's margin."""
        return widest(mean_by(run, "margin", [self.group]).filter(pl.col(self.group) == self.goal.component))

    def shortfall(self, runs: Runs, effects: pl.DataFrame) -> str | None:
        """Players for whom there is no answer, or whose answer the check does not confirm."""
        for heuristic in self._players:
            state = self.state(runs, heuristic)
            if state.answer is None:
                return f"{_none(state)} with {heuristic.name}: {state.why}, {self._advice(state)}"
            row = self._answer_row(effects, heuristic, state.answer)
            if row["verdict"] != "equivalent":
                needed = row["games_needed"]
                more = "more games" if needed is None else f"about {_rounded_up(needed / _CHECK_GAMES):,}"
                return (
                    f"{row['component']} is not shown to reach the target with {heuristic.name} on fresh set-ups "
                    f"({plus_minus(row)} VP off), --games, give {more}"
                )
        return None

    def _advice(self, state: Found) -> str:
        """What to do where there is no answer: more games where they are lacking, else another number."""
        if state.times is None:
            return "--games, give more games" if state.few else "--number, try another number"
        text = f"--games, give about {_rounded_up((self.setting.games or 0) * state.times):,}"
        if state.times <= _MANY_TIMES:
            return text
        return f"{text}, or {'a wider --within' if state.near is None else 'another --number'}"

    def _answer_row(self, effects: pl.DataFrame, heuristic: Heuristic, answer: int) -> dict[str, Any]:
        name = f"{self.goal.number}={self.value + answer}"
        return effects.filter(quantity="off_target_check", heuristic=heuristic.name, component=name).row(0, named=True)

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """The answer, and every change that was played."""
        goal = self.goal
        wanted = f"{goal.component} within {goal.within:g} VP of {goal.margin:+g} VP"
        verdict = (
            f"The verdict is on the distance from the target: equivalent is shown to be within {goal.within:g} VP, different is "
            "shown to be farther off, undecided is neither."
        )
        return [Section(f"{goal.number} for {wanted}", [*self._sentences(runs, effects), verdict], _table(effects))]

    def _sentences(self, runs: Runs, effects: pl.DataFrame) -> Iterator[str]:
        for heuristic in self._players:
            state = self.state(runs, heuristic)
            if state.ask is not None:
                yield f"{heuristic.name}: the search is not finished."
            elif state.answer is None:
                yield f"{heuristic.name}: {_none(state)}: {state.why} ({self._advice(state)})."
            elif effects.filter(quantity="off_target_check", heuristic=heuristic.name).is_empty():
                yield f"{heuristic.name}: {self.value + state.answer} reaches the target in the search; not checked yet."
            else:
                yield from self._answers(effects, heuristic, state.answer)

    def _answers(self, effects: pl.DataFrame, heuristic: Heuristic, answer: int) -> Iterator[str]:
        checked = effects.filter(
            quantity="off_target_check",
            heuristic=heuristic.name,
            component=f"{self.goal.number}={self.value + answer}",
        )
        if checked.is_empty():
            yield f"{heuristic.name}: {self.value + answer} reaches the target in the search; the check is not finished."
            return
        row = checked.row(0, named=True)
        sure = {"equivalent": "reached", "different": "missed"}.get(row["verdict"], "not certain")
        text = "no change is needed" if answer == 0 else f"{self.value} becomes {self.value + answer} ({answer:+d})"
        yield f"{heuristic.name}: {text}; on fresh set-ups {plus_minus(row)} VP off the target: {sure}."


def _none(state: Found) -> str:
    return "no change is shown to reach the target" if state.near is not None else "no change reaches the target"


def _rounded_up(games: float) -> int:
    """To two digits, as the number of games is a guess."""
    unit = int(10 ** max(0, floor(log10(games)) - 1))
    return ceil(games / unit) * unit


def _possible(rules: Ruleset, path: str, value: int) -> list[int]:
    """Changes that the rules allow, in one piece around none."""
    found = []
    for way in (1, -1):
        for step in range(1, MAX_STEPS + 1):
            if value + way * step < 0 or allowed(rules, path, value + way * step) is None:
                break
            found.append(way * step)
    if not found:
        text = "neither one more nor one less is possible"
        raise StudyError(f"{text}, --number {path}, choose another number")
    return found


def _table(effects: pl.DataFrame) -> pl.DataFrame:
    rows = [
        {
            "number": row["component"],
            "who plays": row["heuristic"],
            "set-ups": "fresh" if row["quantity"] == "off_target_check" else "of the search",
            "off target, VP": plus_minus(row),
            "games with it": str(row["n"]),
            "verdict": row["verdict"],
        }
        for row in effects.iter_rows(named=True)
    ]
    return pl.DataFrame(rows) if rows else pl.DataFrame(schema={"number": pl.String})
