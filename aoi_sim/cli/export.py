"""``aoi-sim export``: the tables of a run for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from aoi_sim.cli.errors import InputError


def export(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    csv: Annotated[bool, typer.Option("--csv", help="As CSV files: one a table, lists joined with ';'.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder of the files, absent or empty before; else RUN-csv beside the run."),
    ] = None,
) -> None:
    """Write each table of a run as one file that any program reads."""
    from aoi_sim.storage.export import export_csv
    from aoi_sim.storage.reader import open_run

    if not csv:
        raise InputError(f"no format, aoi-sim export {folder}, add --csv")
    run = open_run(folder, checked=True)
    place = run.path.resolve()
    for path in export_csv(run, out if out is not None else place.with_name(f"{place.name}-csv")):
        typer.echo(f"{path} ({path.stat().st_size} bytes)")
