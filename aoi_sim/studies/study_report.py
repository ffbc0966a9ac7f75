"""The report of a study: sections of text, tables and figures, as Markdown and as one HTML page."""

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

import polars as pl

_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#20262d}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;border-bottom:1px solid #d8dde2;"
    "text-align:right}td:first-child,th:first-child{text-align:left}img{max-width:100%}"
)


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes:
        title: of the section.
        text: paragraphs.
        table: shown as it is: words and figures as text.
        figures: by file name, a PNG each.
    """

    title: str
    text: Sequence[str] = ()
    table: pl.DataFrame | None = None
    figures: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes:
        title: of the report.
        sections: its parts in order.
    """

    title: str
    sections: Sequence[Section]

    def markdown(self) -> str:
        """The report as Markdown; figures are files beside it."""
        lines = [f"# {self.title}", ""]
        for section in self.sections:
            lines += [f"## {section.title}", ""]
            for text in section.text:
                lines += [text, ""]
            if section.table is not None:
                lines += [*_markdown_table(section.table), ""]
            for name in section.figures:
                lines += [f"![{section.title}]({name})", ""]
        return "\n".join(lines)

    def html(self) -> str:
        """The report as one HTML page that needs no other file."""
        body = [f"<h1>{html.escape(self.title)}</h1>"]
        for section in self.sections:
            body.append(f"<h2>{html.escape(section.title)}</h2>")
            body += [f"<p>{html.escape(text)}</p>" for text in section.text]
            if section.table is not None:
                body.append(_html_table(section.table))
            for content in section.figures.values():
                data = base64.b64encode(content).decode()
                body.append(f'<img alt="{html.escape(section.title)}" src="data:image/png;base64,{data}">')
        head = f'<meta charset="utf-8"><title>{html.escape(self.title)}</title><style>{_STYLE}</style>'
        return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'

    def files(self) -> dict[str, bytes]:
        """The report's files by name."""
        figures = {name: content for section in self.sections for name, content in section.figures.items()}
        return {**figures, "report.md": self.markdown().encode(), "report.html": self.html().encode()}


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


def png_of(ax: Any) -> bytes:
    """The figure of matplotlib axes as PNG."""
    stream = BytesIO()
    ax.figure.savefig(stream, format="png", dpi=130, metadata={"Software": None})
    return stream.getvalue()


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)


def _markdown_table(table: pl.DataFrame) -> list[str]:
    def line(cells: Sequence[Any]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    rule = ["---", *["---:"] * (table.width - 1)]
    return [line(table.columns), line(rule), *map(line, table.iter_rows())]


def _html_table(table: pl.DataFrame) -> str:
    def row(cells: Sequence[Any], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in table.iter_rows())
    return f"<table><thead>{row(table.columns, 'th')}</thead><tbody>{body}</tbody></table>"
