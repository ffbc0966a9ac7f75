"""``aoi-sim verify``: is a run what it says it is."""

from pathlib import Path
from typing import Annotated

import typer

from aoi_sim.cli.errors import WRONG, InputError
from aoi_sim.storage.findings import counted


def verify(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    replay: Annotated[
        int, typer.Option("--replay", help="Games to play again from their decisions, spread over the run; -1 for all.")
    ] = 50,
) -> None:
    """Check a run: files, checksums, tables, sums, its plan, and a sample of its games played again."""
    from aoi_sim.sim.verify import verify_run

    if replay < -1:
        raise InputError(f"{counted(replay, 'game')}, --replay, choose -1 (all) or 0 and more")
    done = verify_run(folder, replay)
    for finding in done.findings:
        typer.echo(" ".join(str(finding).split()))
    if done.unfinished:
        typer.echo(f"unfinished: {done.n_games} of {counted(done.n_planned, 'game')}, go on with --resume")
    part = " (a part of its plan)" if done.partial and not done.unfinished else ""
    typer.echo(
        f"{counted(done.n_games, 'game')}{part} in {counted(done.n_files, 'file')} checked, "
        f"{done.n_replayed} replayed from their decisions, {done.n_played_again} played again by their players"
    )
    for note in done.notes:
        typer.echo(note)
    n_found = len(done.findings)
    typer.echo(f"{n_found} found" if n_found else "nothing wrong")
    if n_found:
        raise typer.Exit(WRONG)
