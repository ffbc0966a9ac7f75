"""Errors as the command line shows them: one line on stderr, a status, never a traceback."""

import errno
import os
import re
import select
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

OK: Final = 0
WRONG: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class InputError(ValueError):
    """Wrong input that only the command line can see; the message is one line: what, where, what to do."""


def one_line(text: str) -> str:
    """A message on one line, without the full stop that other programs put at its end."""
    return " ".join(text.split()).rstrip(".")


def complain(message: str) -> None:
    """Print an error line; where nobody can be told, the status says it."""
    with suppress(OSError):
        print(f"error: {one_line(message)}", file=sys.stderr)


def warn(message: str) -> None:
    """Print a warning line; what was asked goes on."""
    with suppress(OSError):
        print(f"warning: {one_line(message)}", file=sys.stderr)


def refuse_nothing(words: Sequence[str]) -> None:
    """Refuse an empty word, as of a variable that is not set: as a path it would be the folder that one is in.

    Raises:
        InputError: there is one.
    """
    for before, word in zip(["", *words], words, strict=False):
        if not word.strip():
            where = before if before.startswith("--") else "aoi-sim"
            raise InputError(f"nothing between the quotes, {where}, give a value or leave it out")
        if word.startswith("--") and word.endswith("="):
            raise InputError(f"nothing after the sign =, {word[:-1]}, give a value or leave it out")


def status_of(error: BaseException) -> int:
    """Print the line of an error and return the exit status that goes with it."""
    if isinstance(error, KeyboardInterrupt):
        complain("interrupted, aoi-sim, run it again")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError) and _reader_left():
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still in buffers goes nowhere, without a word
        return OK
    if isinstance(error, OSError):
        complain(_os_message(error))
        return BAD_INPUT
    if isinstance(error, _known_errors()):
        complain(str(error))
        return BAD_INPUT
    usage = getattr(error, "format_message", None)
    if usage is not None:
        complain(_usage_message(error, one_line(usage())))
        return BAD_INPUT
    from aoi_sim.sim.interrupts import is_interrupt

    if is_interrupt(error):
        return status_of(KeyboardInterrupt())
    complain(
        f"unexpected {type(error).__name__}, {one_line(str(error)) or 'no message'}, please report the command line"
    )
    return WRONG


def writes_to_pipe() -> bool:
    """Whether standard output is a pipe."""
    try:
        return stat.S_ISFIFO(os.fstat(1).st_mode)
    except OSError:  # closed
        return False


def _reader_left() -> bool:
    """Whether standard output is a pipe that nobody reads any more, as after ``| head -1``."""
    poll = select.poll()
    poll.register(1, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def _known_errors() -> tuple[type[Exception], ...]:
    """The errors that say in one line what is wrong with the input."""
    from aoi_sim.analysis.source import AnalysisError
    from aoi_sim.engine import IllegalAction, NotationError, PositionError, RecordError, SetupError
    from aoi_sim.fast import StaleBuildError
    from aoi_sim.players import HeuristicError
    from aoi_sim.rules import RulesError
    from aoi_sim.sim.plan import PlanError
    from aoi_sim.storage.manifest import RunFolderError
    from aoi_sim.studies.study_folder import StudyError

    return (
        InputError,
        AnalysisError,
        RulesError,
        PositionError,
        RecordError,
        NotationError,
        IllegalAction,
        SetupError,
        HeuristicError,
        PlanError,
        RunFolderError,
        StaleBuildError,
        StudyError,
    )


def _usage_message(error: BaseException, message: str) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "aoi-sim"
    option = _option_of(error)
    if option is not None and ("integer" in message or "number" in message):
        kind, example = ("whole number", "10") if "integer" in message else ("number", "0.5")
        return f"no {kind}{_given(error, message)}, {option}, write one as {example} ({command} --help)"
    return f"{message[:1].lower()}{message[1:]}, {command}, see {command} --help"


def _option_of(error: BaseException) -> str | None:
    """The option or argument whose value typer refused."""
    parameter = getattr(error, "param", None)
    names = [*getattr(parameter, "opts", ())]
    return max(names, key=len) if names else None


def _given(error: BaseException, message: str) -> str:
    """The refused value where the error tells it."""
    told = re.search(r"'([^']*)' is not a valid", message)
    if told is not None:
        return f" {told[1]!r}"
    errors = getattr(error.__cause__, "errors", None)
    return f" {errors()[0]['input']!r}" if errors is not None else ""


def _os_message(error: OSError) -> str:
    """What the system refused, where, and what helps."""
    # Libraries raise it with a text alone, and str() of that is "[Errno None] None" once somebody has named the file.
    reason = error.strerror or one_line(" ".join(map(str, error.args))) or "refused"
    # Whoever writes a file says which; what libraries keep for themselves has no name.
    where = "standard output or a temporary file" if error.filename is None else str(error.filename)
    advice = {
        errno.ENOENT: "check the name",
        errno.EACCES: "choose a place you may use",
        errno.EPERM: "choose a place you may use",
        errno.EROFS: "choose a place you may use",
        errno.ENOTDIR: "choose a place in a folder",
        errno.EISDIR: "give a file",
        errno.EBUSY: "name a new folder",
        errno.ENOSPC: "free some space and run again",
        errno.EDQUOT: "free some space and run again",
    }.get(error.errno or 0, "check the place")
    return f"{reason[:1].lower()}{reason[1:]}, {where}, {advice}"
