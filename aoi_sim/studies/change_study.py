"""Studies of a change of the rules: every number of players and every player, before and after on the same blocks."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.uncertainty import wilson
from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanError, check_seats
from aoi_sim.sim.request import Request, make_request
from aoi_sim.storage.reader import Run
from aoi_sim.studies.changes import change_lines, cut
from aoi_sim.studies.comparison import AFTER, BEFORE, Compared, changed_components, compared
from aoi_sim.studies.study import Runs, Study, StudyRun
from aoi_sim.studies.study_effects import DELTA_SHARE, SIGN, effect_rows, no_rows, shown_for, widest, with_players
from aoi_sim.studies.study_figures import change_of_margins
from aoi_sim.studies.study_report import Section

DELTA_SPREAD: float = 0.5
"""VP within which a change of the spread does not matter."""
_MOST_CHANGES: Final = 4
"""Changes that are named at the top of a report; below it has them all."""
_OF_MARGIN: Final = {
    "different": "different from the mean of the table",
    "equivalent": "equivalent to the mean of the table (within 2 VP)",
    "undecided": "undecided whether it differs from the mean of the table",
}
"""What the verdict on a margin means."""


@dataclass(frozen=True)
class Setting:
    """How much a study plays, and how.

    Attributes:
        players: numbers of players, each by itself.
        heuristics: who plays all seats, each by itself; names or files.
        games: of each number of players and each player, before and after together; rounded up to whole blocks.
        until: half-width wanted of every change instead, as ``0.5 VP``.
        max_games: with ``until``.
        seed: root seed.
        design: ``balanced``, or ``focus`` on the factions and boards that change.
        map: side of the map.
        setup: standard or draft; None as the rules say.
    """

    players: Sequence[int] = (4,)
    heuristics: Sequence[str | Path] = ("expert",)
    games: int | None = 2000
    until: str | None = None
    max_games: int | None = None
    seed: int = 1
    design: str = "balanced"
    map: str = "auto"
    setup: str | None = None

    def settings(self) -> dict[str, Any]:
        """As plain data, the players by their content."""
        found = players_of(self.heuristics)
        return {
            "players": list(self.players),
            "heuristics": {one.name: one.sha256 for one in found},
            "games": self.games,
            "until": self.until,
            "max_games": self.max_games,
            "seed": self.seed,
            "design": self.design,
            "map": self.map,
            "setup": self.setup,
        }


def players_of(given: Sequence[str | Path]) -> list[Heuristic]:
    """The heuristics of a study.

    Raises:
        HeuristicError: one is not found.
        PlanError: there are none, or two have the same name.
    """
    found = find_heuristics(list(given)) if given else []
    names = [one.name for one in found]
    if not names or len(set(names)) < len(given):
        raise PlanError(f"heuristics {', '.join(map(str, given)) or 'none'}, --heuristics, name each once")
    return found


class ChangeStudy(Study):
    """Rules before and after a change.

    Args:
        before: rules.
        after: rules.
        setting: how much is played, and how.

    Raises:
        PlanError: nothing changes, or the setting cannot be.
    """

    events = False

    def __init__(self, before: Ruleset, after: Ruleset, setting: Setting) -> None:
        self.before = before
        self.after = after
        self.setting = setting
        self.changed = changed_components(before, after)
        if before == after:
            raise PlanError("nothing changes, the rules of the study, give rules that differ")
        if not setting.players or len(set(setting.players)) < len(setting.players):
            raise PlanError(f"players {list(setting.players)}, --players, name each number once")
        for players in setting.players:
            check_seats(players, "standard")
        if setting.design not in ("balanced", "focus"):
            raise PlanError(f"design {setting.design!r}, --design, choose balanced or focus")
        dealt = [{name for what in ("factions", "boards") for name in rules.data[what]} for rules in (before, after)]
        self.alone = {AFTER: sorted(dealt[1] - dealt[0]), BEFORE: sorted(dealt[0] - dealt[1])}
        self.paired = not any(self.alone.values())
        self._players = players_of(setting.heuristics)

    def settings(self) -> dict[str, Any]:
        """Rules by hash, and the setting."""
        return {"rules": [self.before.hash, self.after.hash], **self.setting.settings()}

    def cells(self) -> Iterator[tuple[int, Heuristic]]:
        """Every number of players with everybody who plays."""
        return ((players, one) for players in self.setting.players for one in self._players)

    def next_run(self, done: Runs) -> StudyRun | None:
        """The runs in a fixed order."""
        for players, heuristic in self.cells():
            for name, rules in self._sides(players, heuristic.name).items():
                if name not in done:
                    return StudyRun(name, self._request(players, heuristic, rules), events=self.events)
        return None

    def _sides(self, players: int, heuristic: str) -> dict[str, Ruleset | Mapping[str, Ruleset]]:
        """Names of the runs of a cell, with the rules of each."""
        name = f"players-{players}/{heuristic}"
        if self.paired:
            return {name: {BEFORE: self.before, AFTER: self.after}}
        return {f"{name}/{BEFORE}": self.before, f"{name}/{AFTER}": self.after}

    def _request(self, players: int, heuristic: Heuristic, rules: Ruleset | Mapping[str, Ruleset]) -> Request:
        setting = self.setting
        size = 2 if self.paired else 1
        games = None if setting.games is None else -(-setting.games // 2) * size
        return make_request(
            rules=rules,
            n_games=games,
            n_players=players,
            seed=setting.seed,
            heuristics=[heuristic],
            focus=self._focus() if setting.design == "focus" else (),
            map=setting.map,
            setup=setting.setup,
            until=setting.until,
            max_games=setting.max_games,
        )

    def _focus(self) -> list[str]:
        named = [*self.changed.get("factions", []), *self.changed.get("boards", [])]
        if not self.paired or not named:
            raise PlanError("focus on what changes, --design, no faction or board changes alone, choose balanced")
        return named

    def done_cells(self, runs: Runs) -> Iterator[tuple[int, str, Compared]]:
        """The cells of which all runs are there."""
        for players, heuristic in self.cells():
            names = list(self._sides(players, heuristic.name))
            if all(name in runs for name in names):
                yield players, heuristic.name, compared({name: runs[name] for name in names}, self.extra())

    def extra(self) -> list[pl.Expr]:
        """Further columns of the table ``seats`` that the study looks at."""
        return []

    def effects(self, runs: Runs) -> pl.DataFrame:
        """Changes by faction, levels before and after, spreads, and what the study adds."""
        tables = [
            table
            for players, heuristic, found in self.done_cells(runs)
            for table in [*_common(found, players, heuristic, self.alone), *self.more(found, players, heuristic, runs)]
        ]
        return with_players(pl.concat(tables)) if tables else no_rows()

    @abstractmethod
    def more(self, found: Compared, players: int, heuristic: str, runs: Runs) -> list[pl.DataFrame]:
        """Rows that only this study has."""

    def precision(self, run: Run) -> str:
        """Of the changes of all factions, as the report shows them; in a single run of its margins."""
        if not self.paired:
            return widest(mean_by(run, "margin", ["faction"]))
        table = compared({"": run}).differences(["margin"], ["faction"])
        return widest(table)

    def takeaways(self, effects: pl.DataFrame) -> list[str]:
        """What is changed; for each cell who gains, who loses, the spread, and what is new or removed."""
        found = self.about()
        for players, heuristic in self.cells():
            cell = effects.filter((pl.col("players") == players) & (pl.col("heuristic") == heuristic.name))
            if len(cell):
                found.append(f"{players} players, {heuristic.name}: {_sentence(cell)}")
                found += [f"{players} players, {heuristic.name}: {line}" for line in self.alone_lines(cell, players)]
        if effects["heuristic"].n_unique() > 1:
            margins = effects.filter(quantity="margin")
            found.append(f"The sign of the change depends on who plays: {shown_for(margins, SIGN)}.")
        if not self.paired:
            found.append(
                "Factions or boards differ, so both cannot be dealt the same games: before and after are two runs, compared "
                "as independent ones."
            )
        return found

    def about(self) -> list[str]:
        """What is changed, in a sentence."""
        return [f"Changed: {'; '.join(cut(self.change_lines, _MOST_CHANGES))}."]

    @cached_property
    def change_lines(self) -> list[str]:
        """Every number that changes, with its value before and after; components that are new or removed."""
        return change_lines(self.before, self.after)

    def alone_lines(self, cell: pl.DataFrame, players: int) -> list[str]:
        """A sentence for each faction or board that only one side has.

        Args:
            cell: effects of one number of players and one player.
            players: that number.
        """
        found = []
        for side, names in self.alone.items():
            word, has, wins = ("new", "has", "wins") if side == AFTER else ("removed", "had", "won")
            for name in names:
                rows = {row["quantity"]: row for row in cell.filter(component=name).iter_rows(named=True)}
                if f"margin_{side}" not in rows:
                    found.append(f"{name} ({word}) was dealt in none of these games.")
                    continue
                margin, share = rows[f"margin_{side}"], rows[f"win_share_{side}"]
                found.append(
                    f"{name} ({word}) {has} a margin of {plus_minus(margin)} VP and {wins} {share_cell(share)} of its games, "
                    f"where {1 / players:.3f} is an equal share: {_OF_MARGIN[margin['verdict']]}."
                )
        return found

    def change_section(self, *more: str) -> Section:
        """All changes, a line each."""
        return Section("The change", [*self.change_lines, *more])

    def faction_sections(self, effects: pl.DataFrame, title: str) -> list[Section]:
        """The first sections: takeaways with a row a faction and cell, then a slope chart a cell."""
        found = [Section(title, self.takeaways(effects), _faction_table(effects, self.alone))]
        for players, heuristic in self.cells():
            axes = change_of_margins(effects.filter(players=players, heuristic=heuristic.name))
            if axes is not None:
                name = f"change-{players}-{heuristic.name}.png"
                found.append(Section(f"Before and after: {players} players, {heuristic.name}", [], None, {name: axes}))
        return found


def _common(found: Compared, players: int, heuristic: str, alone: Mapping[str, Sequence[str]]) -> list[pl.DataFrame]:
    """What every change is asked for: margin and win share of factions, and the spread of their margins.

    Boards that only one side has (``alone``, by side) are asked for too.
    """
    words: dict[str, Any] = {"players": players, "heuristic": heuristic, "games": found.games}
    changes = found.differences(["margin", "win_share"], ["faction"])
    means = found.means(["margin", "win_share"], ["faction"])
    tables = []
    for quantity, delta in (("margin", 2.0), ("win_share", DELTA_SHARE)):
        own = changes.filter(pl.col("quantity") == quantity)
        tables.append(effect_rows(own, "faction", quantity=quantity, delta=delta, **words))
    boards = (
        found.means(["margin", "win_share"], ["board"]).rename({"board": "faction"}) if any(alone.values()) else None
    )
    for side in (BEFORE, AFTER):
        rows = means.filter(pl.col("side") == side).with_columns(pl.col("faction").cast(pl.String))
        if boards is not None:
            own = boards.with_columns(pl.col("faction").cast(pl.String))
            own = own.filter(pl.col("side") == side, pl.col("faction").is_in(alone[side]))
            rows = pl.concat([rows, own.select(rows.columns)])
        margins, shares = (rows.filter(pl.col("quantity") == name) for name in ("margin", "win_share"))
        tables.append(effect_rows(margins, "faction", quantity=f"margin_{side}", **words))
        tables.append(effect_rows(wilson(shares), "faction", quantity=f"win_share_{side}", tested=False, **words))
    spreads = found.spreads()
    for side in (BEFORE, AFTER, "change"):
        row = spreads.filter(pl.col("component") == side).with_columns(component=pl.lit("spread"))
        name = "spread" if side == "change" else f"spread_{side}"
        tested = side == "change"
        tables.append(effect_rows(row, "component", quantity=name, delta=DELTA_SPREAD, tested=tested, **words))
    return tables


def _sentence(cell: pl.DataFrame) -> str:
    moved = cell.filter((pl.col("quantity") == "margin") & (pl.col("verdict") == "different")).sort("estimate")
    parts = []
    for word, rows in (
        ("gains", moved.filter(pl.col("estimate") > 0).reverse()),
        ("loses", moved.filter(pl.col("estimate") < 0)),
    ):
        parts += [
            f"{row['component']} {word} {plus_minus(row, absolute=True)} VP" for row in rows.iter_rows(named=True)
        ]
    before, after, change = (
        cell.filter(pl.col("quantity") == name).row(0, named=True)
        for name in (f"spread_{BEFORE}", f"spread_{AFTER}", "spread")
    )
    moves = ", ".join(parts) or "no faction is shown to gain or lose by 2 VP or more than chance"
    if None in (before["estimate"], after["estimate"], change["estimate"]):
        return f"{moves}; too few set-ups to say how far factions differ ({change['verdict']})."
    return (
        f"{moves}; factions differ by "
        f"{before['estimate']:.1f} VP before (standard deviation of their true margins), {after['estimate']:.1f} VP after "
        f"({plus_minus(change)}, {change['verdict']})."
    )


def plus_minus(row: Mapping[str, Any], decimals: int = 1, absolute: bool = False) -> str:
    """An estimate with half of its 95 % interval; ``absolute`` leaves out its sign."""
    if row["estimate"] is None:
        return "-"
    text = f"{abs(row['estimate']):.{decimals}f}" if absolute else f"{row['estimate']:+.{decimals}f}"
    return text if row["high"] is None else f"{text} ± {row['high'] - row['estimate']:.{decimals}f}"


def _faction_table(effects: pl.DataFrame, alone: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """A row a faction and cell: what only one side has (``alone``) first, then the greatest gain."""
    keys = ["players", "heuristic", "component"]
    by_key: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for row in effects.iter_rows(named=True):
        by_key.setdefault(tuple(row[key] for key in keys), {})[row["quantity"]] = row
    lines = []
    for (players, heuristic, component), row in by_key.items():
        if f"margin_{AFTER}" not in row and f"margin_{BEFORE}" not in row:
            continue
        change = row.get("margin")
        side = next((side for side, names in alone.items() if component in names), "")
        judged = row.get(f"margin_{side}") if side else change
        word = {AFTER: "new: ", BEFORE: "removed: "}.get(side, "")
        lines.append(
            {
                "faction": component,
                "players": str(players),
                "who plays": heuristic,
                "margin before": _shown(row.get(f"margin_{BEFORE}")),
                "margin after": _shown(row.get(f"margin_{AFTER}")),
                "change, VP": _shown(change),
                "se": "-" if change is None or change["se"] is None else f"{change['se']:.2f}",
                "win share before": share_cell(row.get(f"win_share_{BEFORE}")),
                "win share after": share_cell(row.get(f"win_share_{AFTER}")),
                "change of win share": _shown(row.get("win_share"), 3),
                "verdict": "-" if judged is None else f"{word}{judged['verdict']}",
                "by player": "-" if judged is None else judged["by_player"],
                "_order": inf if side else 0.0 if change is None else change["estimate"],
            }
        )
    if not lines:
        return pl.DataFrame({"faction": []}, schema={"faction": pl.String})
    table = pl.DataFrame(lines, infer_schema_length=None)
    if effects["heuristic"].n_unique() < 2:
        table = table.drop("by player")
    return table.sort("players", "who plays", "_order", descending=[False, False, True]).drop("_order")


def share_cell(row: Mapping[str, Any] | None) -> str:
    """A share with its interval, which is not even around it: ``0.250 (0.180 to 0.336)``."""
    if row is None:
        return "-"
    text = f"{row['estimate']:.3f}"
    return text if row["high"] is None else f"{text} ({row['low']:.3f} to {row['high']:.3f})"


def _shown(row: Mapping[str, Any] | None, decimals: int = 1) -> str:
    if row is None:
        return "-"
    return plus_minus(row, decimals)
