"""``aoi-sim merge``: parts of one plan as one run."""

from pathlib import Path
from typing import Annotated

import typer

from aoi_sim.cli.trust import trust_lines
from aoi_sim.storage.findings import counted


def merge(
    folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of the parts, in any order.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the whole run, absent or empty before.")],
) -> None:
    """Put the parts of one plan together (see run --part): the tables are those of the run in one go."""
    from aoi_sim.sim.merge import merge_runs

    run = merge_runs(folders, out)
    typer.echo(f"{counted(run.n_games, 'game')} of {counted(len(folders), 'part')}, {run.n_failed} failed")
    for line in trust_lines(run.manifest):
        typer.echo(line)
    typer.echo(f"Data: {run.path} (manifest.json, {', '.join(run.tables)})")
