"""``aoi-sim report``: what a run says, as a page to read."""

from pathlib import Path
from typing import Annotated

import typer

from aoi_sim.cli.errors import InputError


def report(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    kind: Annotated[str, typer.Option("--format", help="html or md (Markdown, without figures).")] = "html",
    out: Annotated[Path | None, typer.Option("--out", help="File to write; else report.html in the run.")] = None,
) -> None:
    """Write the report of a run: takeaways, tables, figures, method, trust checks."""
    from aoi_sim.report.rendering import FORMATS, write_report

    if kind not in FORMATS:
        raise InputError(f"unknown format {kind!r}, --format, choose {' or '.join(FORMATS)}")
    from aoi_sim.report.balance_report import balance_report
    from aoi_sim.storage.reader import open_run

    run = open_run(folder, partial=True)
    made = balance_report(run)
    path = out if out is not None else folder / f"report.{kind}"
    write_report(made, path, kind)
    typer.echo(f"Report: {path}")
