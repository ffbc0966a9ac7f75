"""The command line ``aoi-sim``."""

import io
import sys
from collections.abc import Sequence

from aoi_sim.fast import REFUSED, build_info


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the command ``aoi-sim``; exits with the status."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal that cannot show a sign is no reason to fail
        if build_info().kind == REFUSED:
            print(f"error: {build_info().reason}", file=sys.stderr)
            sys.exit(2)
        from aoi_sim.sim.interrupts import interrupts_raised, note_interrupts

        note_interrupts()
        with interrupts_raised():
            from aoi_sim.cli.app import app

        app(arguments, prog_name="aoi-sim")
    except KeyboardInterrupt:
        print("error: interrupted, aoi-sim, run it again", file=sys.stderr)
        sys.exit(130)
