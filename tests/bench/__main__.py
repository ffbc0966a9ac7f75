"""`python -m tests.bench [--blocks N] [--players NAME]... [--build pure|compiled|both]`: games a unit of work, on one core.

Each build is measured in a process of its own (`tests/bench/measure.py` says how): the sources with AOI_SIM_PURE=1, and
the compiled build beside them; where that is missing or out of date, a temporary copy is compiled first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from aoi_sim.fast import COMPILED, PURE
from aoi_sim.fast.build import BuildError
from aoi_sim.fast.stamp import ROOT
from tests.bench.builds import compiled_package, measure_in

BLOCKS = 20
PLAYERS = ("random", "greedy", "quick", "expert")
BUILDS = {PURE: (PURE,), COMPILED: (COMPILED,), "both": (PURE, COMPILED)}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--blocks", type=int, default=BLOCKS, help=f"blocks of each job (default {BLOCKS})")
    parser.add_argument(
        "--players", action="append", metavar="NAME", help=f"heuristics that are timed (default {', '.join(PLAYERS)})"
    )
    parser.add_argument("--build", choices=BUILDS, default="both", help="build that is measured (default both)")
    chosen = parser.parse_args(arguments)
    if chosen.blocks < 1:
        parser.error("--blocks must be at least 1")
    names = chosen.players or PLAYERS
    passed_on = ["--blocks", str(chosen.blocks), *(word for name in names for word in ("--players", name))]
    try:
        return _measure(BUILDS[chosen.build], passed_on)
    except KeyboardInterrupt:
        print("error: interrupted, bench, run it again", file=sys.stderr)
        return 130


def _measure(kinds: Sequence[str], arguments: Sequence[str]) -> int:
    """Measure builds one after the other; what cannot be compiled is said first and does not stop the sources."""
    status = 0
    with ExitStack() as stack:
        folders = {}
        for kind in kinds:
            try:
                folders[kind] = ROOT if kind == PURE else stack.enter_context(compiled_package(_say))
            except BuildError as error:
                print(f"{error.log}\nerror: {error}" if error.log else f"error: {error}", file=sys.stderr, flush=True)
                status = 1 if error.log else 2
        for number, (kind, folder) in enumerate(folders.items()):
            if number:
                _say("")
            status = measure_in(kind, folder, arguments) or status
    return status


def _say(text: str) -> None:
    """Print at once, before a child prints."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
