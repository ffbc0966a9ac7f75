"""Ctrl-C that a library swallows: it raises something else, or nothing, and prints what it could not pass on."""

import subprocess
import sys

import pytest

from aoi_sim.sim.interrupts import interrupts_raised

SWALLOWED = """
import os, signal, sys
from aoi_sim.sim import interrupts
from aoi_sim.cli.errors import status_of
from aoi_sim.sim.interrupts import is_interrupt
{before}

class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(100):
            pass

assert not is_interrupt(TypeError("x"))
swallows = Swallows()
del swallows
sys.exit(status_of({error}))
"""


def ended(error: str, before: str = "interrupts.note_interrupts()") -> tuple[int, str]:
    """Status and stderr of a program in which Ctrl-C falls where Python cannot pass it on, and which then fails."""
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED.format(error=error, before=before)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_what_a_library_makes_of_an_interrupt_is_one_line_and_status_130() -> None:
    assert ended("TypeError('no data type')") == (130, "error: interrupted, aoi-sim, run it again\n")


def test_without_the_note_it_was_an_unexpected_error_with_a_traceback() -> None:
    """What the note is for; should this fail, it is no longer needed."""
    status, error = ended("TypeError('no data type')", "")
    assert status == 1
    assert "Traceback" in error and "unexpected TypeError" in error


@pytest.mark.parametrize(
    ("error", "line"), [("OSError(28, 'full', 'x')", "full"), ("KeyboardInterrupt()", "interrupted")]
)
def test_what_the_system_says_and_a_plain_interrupt_stay_what_they_are(error: str, line: str) -> None:
    status, text = ended(error)
    assert status == (130 if "Keyboard" in error else 2)
    assert line in text and text.count("\n") == 1


@pytest.mark.parametrize("pressed", [False, True])
@pytest.mark.parametrize(
    ("raised", "swallowed"),
    [
        (TypeError("no data type"), True),
        (RuntimeError("x"), True),
        (OSError(28, "full"), False),
        (KeyboardInterrupt("kept"), False),
        (SystemExit(3), False),
    ],
)
def test_within_the_block_only_what_was_swallowed_becomes_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, raised: BaseException, swallowed: bool, pressed: bool
) -> None:
    monkeypatch.setattr("aoi_sim.sim.interrupts._pressed", [pressed])
    becomes = KeyboardInterrupt if swallowed and pressed else type(raised)
    with pytest.raises(becomes) as caught, interrupts_raised():
        raise raised
    assert raised is (caught.value.__cause__ if swallowed and pressed else caught.value)
