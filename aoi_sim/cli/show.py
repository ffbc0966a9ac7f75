"""``aoi-sim show``: the whole table as text or as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli.errors import InputError
from aoi_sim.cli.replay import read_text

if TYPE_CHECKING:
    from aoi_sim.engine.state import State


def show(
    source: Annotated[
        str,
        typer.Argument(metavar="POSITION|RECORD[:LINE]", help="A position file, or a game record and a line of it."),
    ],
    svg: Annotated[Path | None, typer.Option("--svg", help="Write a picture (SVG) to this file instead.")] = None,
) -> None:
    """Draw the whole table: a position, the end of a recorded game, or the table that the decision on a line met."""
    from aoi_sim.cli.files import refuse_file
    from aoi_sim.engine import to_dict
    from aoi_sim.report.board import draw_svg, draw_text
    from aoi_sim.storage.writer import write_atomically

    refuse_file(svg, "--svg")
    state = state_of(source)
    if svg is None:
        typer.echo(draw_text(to_dict(state), state.tables.rules))
        return
    write_atomically(svg, draw_svg(to_dict(state), state.tables.rules).encode())
    typer.echo(f"picture: {svg}")


def state_of(source: str) -> "State":
    """The state that a position file, or a record and line, describe.

    Raises:
        InputError: neither of them, or a record with something wrong.
        PositionError, RulesError: with what is wrong in the file.
    """
    from aoi_sim.engine.record import FIRST_LINE, RecordError
    from aoi_sim.positions import load_position

    path, line = _path_and_line(source)
    if path.is_dir():
        raise InputError(f"a folder, {path}, give a file (aoi-sim replay DIR --game K --record FILE makes one)")
    text = read_text(path)
    if not text.strip():
        raise InputError(f"an empty file, {path}, give a position file or a game record")
    if text.startswith(FIRST_LINE):
        try:
            return _state_at(text, line, path)
        except RecordError as error:
            raise InputError(error.in_file(str(path))) from error
    if line is not None:
        raise InputError(f"a line ({line}) of a file that is no game record, {path}, leave out :{line}")
    return load_position(path)


def _path_and_line(source: str) -> tuple[Path, int | None]:
    """Split RECORD:LINE; a file whose name has a colon is still found by its whole name."""
    name, colon, line = source.rpartition(":")
    if not colon or Path(source).exists():
        return Path(source), None
    if not line.isdecimal():
        raise InputError(f"{line!r} is no line number, {source}, write RECORD:LINE with a number from 1")
    return Path(name), int(line)


def _state_at(text: str, line: int | None, path: Path) -> "State":
    from aoi_sim.engine.record import Record, replay

    record = Record.parse(text)
    n_lines = len(text.splitlines())
    if line is not None and not 1 <= line <= n_lines:
        raise InputError(f"no line {line}, {path}, choose 1 to {n_lines}")
    whole = any(word == "final" for _, _, word, _ in record.checks)
    if line is None and not whole:
        line = n_lines + 1  # a record cut short, as of a failed game, shows where it stops
    return replay(record, stop=line)
