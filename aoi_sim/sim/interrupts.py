"""Ctrl-C that is not lost: a library that calls back into Python may swallow the interrupt and raise something else instead."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

_pressed: Final[list[bool]] = [False]


def note_interrupts() -> None:
    """From now on note that Ctrl-C was pressed, whatever becomes of the exception; for the command line, once a process."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _unraisable


def is_interrupt(error: BaseException) -> bool:
    """Whether an exception is Ctrl-C, or what a library made of it; what the system says (`OSError`) is not."""
    made_of_it = _pressed[0] and isinstance(error, Exception) and not isinstance(error, OSError)
    return isinstance(error, KeyboardInterrupt) or made_of_it


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Ctrl-C within is raised as `KeyboardInterrupt`, also where a library made something else of it."""
    try:
        yield
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise


def _interrupt(number: int, frame: FrameType | None) -> None:
    _pressed[0] = True
    signal.default_int_handler(number, frame)


def _unraisable(unraisable: Any) -> None:
    """Say nothing of an interrupt that could not be passed on: it is noted."""
    if not (_pressed[0] and issubclass(unraisable.exc_type, KeyboardInterrupt)):
        sys.__unraisablehook__(unraisable)
