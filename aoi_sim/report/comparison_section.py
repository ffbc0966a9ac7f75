"""Before and after: two runs, or two levels of a paired run, side by side."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from aoi_sim.analysis.comparison import difference_by
from aoi_sim.analysis.source import AnalysisError, seat_table
from aoi_sim.report import figures
from aoi_sim.report.document import Column, Picture, Section
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import bracket, listed, percent, sure_rows, vp
from aoi_sim.report.sheets import Q, plain_sheet
from aoi_sim.report.study import Study
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run

COLUMNS = (
    Column("n_first", "n before", "seats before", "count"),
    Column("n_second", "n after", "seats after", "count"),
    Column("blocks_both", "common set-ups", "set-ups that both were played on: what they do to both cancels", "count"),
    Column("first", "before", "margin before: VP ahead of the table's mean", "+1"),
    Column("second", "after", "margin after", "+1"),
    Column("value", "change", "after less before", "+1"),
    Column("low", "from", "lower end of the change's 95 % interval, clustered by set-up", "+1"),
    Column("high", "to", "upper end of the change's 95 % interval", "+1"),
    Q,
    Column("saved", "saved", "share of the games that common set-ups save against independent runs", "share"),
)


def _change(row: dict[str, Any]) -> str:
    return f"{vp(row['value'])}{bracket(row['low'], row['high'])}"


class Comparison:
    """Two sets of seats: what changes for factions and boards.

    Args:
        key: short name of its section.
        before: name of what stands before.
        after: name of what stands after.
        first: rows of ``seat_table`` before.
        second: rows of ``seat_table`` after.
    """

    def __init__(self, key: str, before: str, after: str, first: pl.DataFrame, second: pl.DataFrame) -> None:
        self.key, self.before, self.after = key, before, after
        self.factions = difference_by(first, second, "margin", ["faction"])
        self.boards = self._boards(first, second)
        self.scores = difference_by(first, second, "vp", [])

    @staticmethod
    def _boards(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame | None:
        try:
            return difference_by(first, second, "margin", ["board"])
        except AnalysisError:
            return None

    def sentence(self) -> str:
        """What changes beyond doubt."""
        known = self.factions.drop_nulls("q")
        if known.is_empty():
            return f"From {self.before} to {self.after}: too few set-ups to say what changes."
        sure = sure_rows(known).sort(pl.col("value").abs(), descending=True)
        frame = f"From {self.before} to {self.after}"
        if sure.is_empty():
            widest = max(row["high"] - row["low"] for row in known.iter_rows(named=True)) / 2
            known_to = f"each change is known to ± {vp(widest, sign=False)} or better"
            return f"{frame} no faction's margin changes beyond doubt ({known_to})."
        named = [f"{row['faction']} {_change(row)}" for row in sure.iter_rows(named=True)]
        return f"{frame} the margin changes beyond doubt for {len(sure)} of {len(known)} factions: {listed(named)}."

    def pairing_sentence(self) -> str:
        """Whether set-ups were common, and what that saved."""
        row = self.factions.select(pl.col("saved").mean(), both=pl.col("blocks_both").sum()).row(0, named=True)
        if not row["both"]:
            return "They have no set-up in common, so they are compared as independent runs; the same seed would make it sharper."
        saved = (
            f" and saves {percent(row['saved'])} of the games"
            if row["saved"] is not None and row["saved"] > 0.005
            else ""
        )
        return f"They share set-ups, so that luck of the draw cancels{saved}."

    def section(self) -> Section:
        """The part of the report."""
        change = self.scores.row(0, named=True)
        means = f"{vp(change['first'], sign=False)} before, {vp(change['second'], sign=False)} after"
        section = Section(
            self.key,
            f"{self.before} and {self.after}",
            [self.sentence(), f"Mean score: {means} ({_change(change)}).", self.pairing_sentence()],
        )
        section.pictures.append(
            Picture(
                f"{self.key}-slopes",
                f"Margin of each faction before ({self.before}) and after ({self.after}); colour where it surely changes.",
                figures.plot_vp_margin_difference_by_faction(self.factions, new_axes(8, 6)),
            )
        )
        word = Column("faction", "faction", "the faction", "text")
        table = self.factions.sort(pl.col("value").abs(), descending=True)
        section.sheets.append(plain_sheet(f"{self.key}-factions", "Change by faction", table, word, *COLUMNS))
        if self.boards is not None:
            word = Column("board", "board", "the planning board", "text")
            table = self.boards.sort(pl.col("value").abs(), descending=True)
            section.sheets.append(plain_sheet(f"{self.key}-boards", "Change by planning board", table, word, *COLUMNS))
        return section


def comparisons(study: Study, against: Run | None) -> Iterator[Comparison]:
    """The comparisons that a report has: with an earlier run, and of the levels of a paired run.

    Raises:
        RunFolderError: the runs cannot be compared.
    """
    if against is not None:
        earlier = Study(against)
        if earlier.n_players != study.n_players:
            raise RunFolderError(
                f"games of {earlier.n_players} players, {against.path}, compare with games of {study.n_players}"
            )
        try:
            yield Comparison("against", against.path.name, study.run.path.name, earlier.rows, study.rows)
        except AnalysisError as error:
            raise RunFolderError(str(error)) from error
    if study.levels:
        rows = seat_table(study.run)
        first = rows.filter(pl.col("level") == study.levels[0])
        for number, level in enumerate(study.levels[1:], start=1):
            second = rows.filter(pl.col("level") == level)
            try:
                yield Comparison(f"level-{number}", f"level {study.levels[0]}", f"level {level}", first, second)
            except AnalysisError as error:
                study.missing[f"level {level}"] = str(error)
