"""``aoi-sim replay``: play a recorded game again and check every line of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli.errors import WRONG, InputError, complain

if TYPE_CHECKING:
    from aoi_sim.engine.state import State


def replay(
    source: Annotated[Path, typer.Argument(metavar="RECORD|DIR", help="A game record, or the folder of a run.")],
    game: Annotated[int | None, typer.Option("--game", help="game_index of the game in the run.")] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Write the game's record to this file.")] = None,
) -> None:
    """Play a game again, check every line and the final score, and print the score by source."""
    if source.is_dir():
        if game is None:
            raise InputError(f"no game chosen, {source} is a run, add --game K (game_index)")
        _replay_of_run(source, game, record)
        return
    if game is not None:
        raise InputError(f"--game given, {source} is no folder of a run, leave it out or give the run")
    from aoi_sim.engine.record import Record
    from aoi_sim.engine.record import replay as replay_record

    text = read_text(source)
    state = replay_record(Record.parse(text))
    if record is not None:
        record.write_text(text, encoding="utf-8")
    _print_end(state)


def _replay_of_run(folder: Path, game: int, record: Path | None) -> None:
    from aoi_sim.sim.rerun import rerun_game
    from aoi_sim.storage.reader import open_run

    rerun = rerun_game(open_run(folder), game)
    if record is not None:
        record.write_text(rerun.text, encoding="utf-8")
    if rerun.state is None:
        complain(f"game {game} had failed ({rerun.error}), {folder}, --record FILE gives its record up to the failure")
        raise typer.Exit(WRONG)
    _print_end(rerun.state)
    if rerun.differences:
        complain(
            f"game {game} is not what was stored ({'; '.join(rerun.differences)}), {folder}, do not trust this run"
        )
        raise typer.Exit(WRONG)
    typer.echo("equal to what the run stored")


def _print_end(state: "State") -> None:
    """Print the final score of each seat by source."""
    from aoi_sim.engine.events import VP_SOURCES
    from aoi_sim.engine.state import digest

    components = state.tables.components
    used = [k for k in range(len(VP_SOURCES)) if any(seat.vp_from[k] for seat in state.seats)]
    for i, seat in enumerate(state.seats):
        who = f"{components[seat.faction].key} on {components[seat.board].key}"
        sources = ", ".join(f"{VP_SOURCES[k]} {seat.vp_from[k]}" for k in used if seat.vp_from[k])
        typer.echo(f"seat {i} {who}: {seat.vp} VP ({sources})")
    typer.echo(f"{state.n_decisions} decisions, every line holds, final state {digest(state)}")


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        InputError: it is no text.
        OSError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"no text in UTF-8, {path}, give a game record or a position file") from error
