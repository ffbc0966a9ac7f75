"""``aoi-sim replay``: play a recorded game again and check every line of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli.errors import WRONG, InputError, complain
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.engine.state import State


def replay(
    source: Annotated[Path, typer.Argument(metavar="RECORD|DIR", help="A game record, or the folder of a run.")],
    game: Annotated[int | None, typer.Option("--game", help="game_index of the game in the run.")] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Write the game's record to this file.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page that steps through the game.")] = None,
) -> None:
    """Play a game again, check every line and the final score, and print the score by source."""
    from aoi_sim.cli.files import refuse_file

    refuse_file(record, "--record")
    refuse_file(html, "--html")
    outputs = [path for path in (record, html) if path is not None]
    _refuse_same_file(source, outputs)
    if source.is_dir():
        if game is None:
            raise InputError(f"no game chosen, {source} is a run, add --game K (game_index)")
        _replay_of_run(source, game, record, html)
        return
    if game is not None:
        raise InputError(f"--game given, {source} is no folder of a run, leave it out or give the run")
    from aoi_sim.engine.record import Record, RecordError
    from aoi_sim.engine.record import replay as replay_record

    text = read_text(source)
    try:
        state = replay_record(Record.parse(text))
    except RecordError as error:
        raise InputError(error.in_file(str(source))) from error
    _write(text, record, html)
    _print_end(state)


def _refuse_same_file(source: Path, outputs: list[Path]) -> None:
    """Refuse to write two things into one file, or a page over the record."""
    places = [path.resolve() for path in (source, *outputs)]
    for k, path in enumerate(outputs, start=1):
        if places[k] in places[:k]:
            raise InputError(f"one file for two things, {path}, give each a name of its own")


def _write(text: str, record: Path | None, html: Path | None, whole: bool = True) -> None:
    """Write the record and the page that are wanted, each whole or not at all."""
    from aoi_sim.storage.writer import write_atomically

    page = None
    if html is not None:
        from aoi_sim.engine.record import Record
        from aoi_sim.report.replay_page import replay_page

        page = replay_page(Record.parse(text), None if whole else len(text.splitlines()) + 1)
    if record is not None:
        write_atomically(record, text.encode())
    if html is not None and page is not None:
        write_atomically(html, page.encode())
        typer.echo(f"page: {html}")


def _replay_of_run(folder: Path, game: int, record: Path | None, html: Path | None) -> None:
    from aoi_sim.sim.rerun import rerun_game
    from aoi_sim.storage.reader import open_run

    rerun = rerun_game(open_run(folder, checked=True), game)
    if rerun.text:  # a game whose set-up failed has no record
        _write(rerun.text, record, html, whole=rerun.state is not None)
    if rerun.state is None:
        advice = "--record FILE and --html FILE show it up to the failure"
        complain(f"game {game} had failed ({rerun.error}), {folder}, {advice}")
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
    typer.echo(f"{counted(state.n_decisions, 'decision')}, every line holds, final state {digest(state)}")


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
