"""A report as one HTML page that loads nothing from outside, or as Markdown."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from aoi_sim.report.document import Picture, Report, Sheet
from aoi_sim.storage.writer import write_atomically

FORMATS: Final = ("html", "md")


def render(report: Report, kind: str = "html") -> str:
    """The report as text.

    Args:
        report: what to show.
        kind: ``html`` or ``md``. Markdown has every sentence and table, of figures links to those that lie beside it.
    """
    environment = Environment(
        loader=PackageLoader("aoi_sim.report"),
        autoescape=kind == "html",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["svg"] = lambda picture: Markup(picture.svg)
    environment.filters["sort_value"] = sort_value
    environment.filters["markdown_row"] = markdown_row
    environment.filters["markdown_image"] = markdown_image
    environment.filters["markdown_rows"] = markdown_rows
    return environment.get_template(f"report.{kind}").render(report=report, source=_source(environment))


def _source(environment: Environment) -> Any:
    """Reads a style or script file to stand in the page as it is."""
    loader = environment.loader
    assert loader is not None
    return lambda name: Markup(loader.get_source(environment, name)[0])


def sort_value(value: Any) -> str:
    """What a cell is sorted by; empty cells come last."""
    if value is None or value != value:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def markdown_row(cells: Sequence[str]) -> str:
    """Cells as a row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def markdown_image(picture: Picture) -> str:
    """A link that shows the file of a figure."""
    words = picture.caption.replace("[", "\\[").replace("]", "\\]")
    return f"![{words}]({quote(picture.file)})"


def markdown_rows(sheet: Sheet) -> list[str]:
    """A table as lines of Markdown: its head, the line below it and its rows."""
    head = markdown_row([column.label for column in sheet.columns])
    line = "|" + "|".join("---" if column.is_text else "---:" for column in sheet.columns) + "|"
    return [head, line, *(markdown_row([shown for shown, _ in row]) for row in sheet.rows())]


def write_report(report: Report, path: Path, kind: str = "html") -> None:
    """Render a report into a file that is never half-written.

    Args:
        report: what to show.
        path: file to write; one that is there is replaced.
        kind: ``html`` or ``md``.

    Raises:
        OSError: the file cannot be written.
    """
    write_atomically(path, render(report, kind).encode())
