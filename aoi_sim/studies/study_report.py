"""The report of a study: sections of text, tables and figures, rendered like every report, as Markdown and as one HTML page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.document import Column, Picture, Report, Sheet, tidy
from aoi_sim.report.document import Section as Part
from aoi_sim.report.rendering import render

_LIMITS: Final = (
    "Scripted players play all seats: what is strong here is strong for them (docs/players.md says how they play).",
    "Intervals are of 95 %, clustered by set-up block; each holds for its own row.",
    "A verdict is different (false discovery rate 5 % over the rows of its kind), equivalent (two one-sided tests put it near "
    "zero: 2 VP, 3 points of win share, if nothing else is said), or undecided.",
)
_NUMBER: Final = re.compile(r"[+\u2212-]?\d[\d,]*\.?\d*")
_MEANINGS: Final = {
    "margin before": "VP less the mean VP of the table, before the change",
    "margin after": "VP less the mean VP of the table, after the change",
    "change, VP": "after less before, in VP, with half of its 95 % interval",
    "se": "standard error in VP",
    "win share before": "share of games won before the change, ties split",
    "win share after": "share of games won after the change, ties split",
    "change of win share": "after less before",
    "verdict": "on the change: different, equivalent or undecided; of what is new or removed on its margin; estimate where zero "
    "is no question",
    "by player": "whether the conclusion depends on who plays",
    "VP per step": "change of the margin by one more: half of the difference of one more and one less",
    "one more": "margin with one more less margin as it is",
    "one less": "margin with one less less margin as it is",
    "off target, VP": "margin less the wanted margin",
    "trust checks": "checks of the run's own tables (docs/data.md)",
}


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes:
        title: of the section.
        text: paragraphs.
        table: shown as it is: words and figures as text.
        figures: axes of figures by the name of their PNG file.
        files: further files beside the report, by name.
    """

    title: str
    text: Sequence[str] = ()
    table: pl.DataFrame | None = None
    figures: Mapping[str, Axes] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


class _Shown(Sheet):
    """A table of texts; those that begin with a number are sorted by it."""

    def rows(self) -> list[list[tuple[str, Any]]]:
        """Each row as pairs of text and value to sort by."""
        names = [column.name for column in self.columns]
        return [[(tidy_cell(cell), _sort_by(cell)) for cell in row] for row in self.frame.select(names).iter_rows()]


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes:
        title: of the report.
        sections: its parts in order; the text of the first are the takeaways.
        players: who played, in sentences.
        facts: where it comes from, name and value.
    """

    title: str
    sections: Sequence[Section]
    players: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    def report(self) -> Report:
        """As the document that is rendered."""
        first, *others = self.sections
        parts = [_part(0, Section(first.title, (), first.table, first.figures, first.files))]
        parts += [_part(number, section) for number, section in enumerate(others, 1)]
        return Report(
            title=self.title,
            subtitle=first.title,
            takeaways=list(first.text),
            players=list(self.players),
            limits=list(_LIMITS),
            sections=[part for part in parts if not part.is_empty],
            facts=self.facts,
        )

    def files(self) -> dict[str, bytes]:
        """The report's files by name: HTML, Markdown and the figures as PNG."""
        figures = {name: png_of(ax) for section in self.sections for name, ax in section.figures.items()}
        others = {name: content for section in self.sections for name, content in section.files.items()}
        report = self.report()
        return {
            **figures,
            **others,
            "report.md": render(report, "md").encode(),
            "report.html": render(report, "html").encode(),
        }


def _part(number: int, section: Section) -> Part:
    beside = [f"Beside this page: {', '.join(section.files)}."] if section.files else []
    part = Part(f"part-{number}", section.title, lead=[*section.text, *beside])
    if section.table is not None and section.table.width:
        columns = tuple(
            Column(
                name, name, _MEANINGS.get(name, name), "text" if place == 0 or _is_words(section.table[name]) else "1"
            )
            for place, name in enumerate(section.table.columns)
        )
        part.sheets.append(_Shown(f"table-{number}", section.title, columns, section.table))
    for name, ax in section.figures.items():
        part.pictures.append(Picture(name.removesuffix(".png"), section.title, ax, name))
    return part


def figures_table(table: pl.DataFrame, columns: dict[str, str], decimals: int = 2) -> pl.DataFrame:
    """Columns of a table as text for a report, in order and with new names.

    Args:
        table: words, whole numbers and figures; null becomes ``-``.
        columns: column to its heading.
        decimals: of the figures.
    """
    return pl.DataFrame(
        {head: [_cell(value, decimals) for value in table[name].to_list()] for name, head in columns.items()},
        schema=dict.fromkeys(columns.values(), pl.String),
    )


def png_of(ax: Axes) -> bytes:
    """The figure of matplotlib axes as PNG."""
    stream = BytesIO()
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.savefig(stream, format="png", dpi=130, metadata={"Software": None})
    return stream.getvalue()


def tidy_cell(cell: str) -> str:
    """A cell with true minus signs before its numbers."""
    found = _NUMBER.match(cell)
    return cell if found is None else tidy(found[0]) + cell[found.end() :]


def _is_words(cells: pl.Series) -> bool:
    return not any(_NUMBER.match(cell) for cell in cells.to_list())


def _sort_by(cell: str) -> Any:
    found = _NUMBER.match(cell)
    return cell if found is None else float(found[0].replace("\u2212", "-").replace(",", ""))


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
