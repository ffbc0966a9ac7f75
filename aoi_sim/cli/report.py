"""``aoi-sim report``: what a run says, as a page to read."""

import os
from pathlib import Path
from typing import Annotated

import typer

from aoi_sim.cli.errors import InputError
from aoi_sim.cli.files import refuse_file


def report(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    against: Annotated[
        Path | None, typer.Option("--against", metavar="RUN2", help="An earlier run to compare with: before and after.")
    ] = None,
    faction: Annotated[
        str | None, typer.Option("--faction", metavar="F", help="The strategy report of this faction instead.")
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="html, or md: Markdown without figures.")] = "html",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="File to write; else report[-against|-F].html in RUN.",
        ),
    ] = None,
) -> None:
    """Write the report of a run: takeaways in plain sentences, figures, tables, method, trust checks."""
    # Before numpy is loaded: on matrices this small threads wait for each other (eight times longer on a busy machine).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from aoi_sim.report.balance_report import balance_report
    from aoi_sim.report.rendering import FORMATS, write_report
    from aoi_sim.report.strategy_report import strategy_report
    from aoi_sim.storage.reader import open_run

    if kind not in FORMATS:
        raise InputError(f"unknown format {kind!r}, --format, choose {' or '.join(FORMATS)}")
    if faction is not None and against is not None:
        raise InputError("--faction and --against given, aoi-sim report, make two reports")
    if against is not None and against.resolve() == folder.resolve():
        raise InputError(f"a run against itself, --against {against}, give an earlier run")
    refuse_file(out, "--out")
    run = open_run(folder, partial=True, checked=True)
    earlier = None if against is None else open_run(against, partial=True, checked=True)
    if faction is not None:
        made = strategy_report(run, faction)
    else:
        made = balance_report(run, earlier)
    about = faction if against is None else "against"
    name = f"report.{kind}" if about is None else f"report-{about}.{kind}"
    path = folder / name if out is None else out
    write_report(made, path, kind)
    typer.echo(f"Report: {path}")
