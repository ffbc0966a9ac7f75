"""What a report is made of: sections with sentences, tables and pictures, before it becomes HTML or Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_svg import svg_text

EMPTY: Final = "-"
_NARROW: Final = 8.0
"""Inches of a figure that may shrink to the width of a phone, unless it is cells with numbers in them."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: in the frame.
        label: as shown.
        meaning: what it is, with unit; shown when the pointer rests on the label.
        style: ``text``, ``count``, ``share`` (shown in percent), or the number of decimals as ``0``, ``1``, ``2``, with ``+``
            before it for a sign.
    """

    name: str
    label: str
    meaning: str
    style: str = "text"

    @property
    def is_text(self) -> bool:
        """Whether it holds words."""
        return self.style == "text"

    def shown(self, value: Any) -> str:
        """A value as text; ``-`` where there is none."""
        if value is None or (isinstance(value, float) and value != value):
            return EMPTY
        if self.style == "text":
            return str(value).replace("_", " ")
        if self.style == "count":
            return f"{value:,.0f}"
        if self.style == "share":
            return f"{100 * value:.0f} %"
        sign, decimals = ("+", self.style[1:]) if self.style.startswith("+") else ("", self.style)
        return tidy(f"{value:{sign}.{decimals}f}")


def tidy(number: str) -> str:
    """A number without a sign where it is rounded to zero, and with a true minus sign."""
    if number.lstrip("+-").strip("0.") == "":
        number = number.lstrip("+-")
    return number.replace("-", "\u2212")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of a report.

    Attributes:
        key: short name, unique in the report.
        title: what it shows.
        columns: in their order.
        frame: the rows, in the order they are shown first.
        n_open: rows that are shown at once; all others fold out.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    frame: pl.DataFrame
    n_open: int = 30

    def rows(self) -> list[list[tuple[str, Any]]]:
        """Each row as pairs of text and value to sort by."""
        names = [column.name for column in self.columns]
        return [
            [(column.shown(value), value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.frame.select(names).iter_rows()
        ]


@dataclass(frozen=True)
class Picture:
    """A figure with the words that belong to it; ``file`` is the PNG beside the report, if there is one."""

    key: str
    caption: str
    ax: Axes
    file: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether its words cannot be read when it is as narrow as a phone."""
        figure = self.ax.get_figure()
        return bool(self.ax.images) or (figure is not None and bool(figure.get_figwidth() > _NARROW))  # type: ignore[union-attr]

    @cached_property
    def svg(self) -> str:
        """The figure as an SVG element; made once, since a figure drawn twice is laid out anew."""
        return svg_text(self.ax, self.key, self.caption)


@dataclass(slots=True)
class Section:
    """A part of a report under a heading of its own."""

    key: str
    title: str
    lead: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    texts: list[tuple[str, Sequence[str]]] = field(default_factory=list)
    """Longer texts that fold out: a heading and its lines."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.lead or self.pictures or self.sheets or self.notes or self.texts)


@dataclass(slots=True)
class Report:
    """A whole report.

    Attributes:
        title: heading of the page.
        subtitle: what was played, in a line.
        takeaways: the first thing to read: plain sentences with numbers.
        players: who played and how strong they are.
        limits: what the report cannot say.
        sections: the rest, in order.
        facts: provenance, name and value.
    """

    title: str
    subtitle: str
    takeaways: list[str]
    players: list[str]
    limits: list[str]
    sections: list[Section]
    facts: Mapping[str, str]
