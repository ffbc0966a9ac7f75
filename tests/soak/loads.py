"""`python -m tests.soak.loads [--games N] [--big N]`: what a run takes, seen from outside (Linux).

Plays N games (default: about a minute's of this build) with two jobs and with one and prints how much of the time the workers
had a chunk in hand and how the CPU times compare; then `--big` games (100,000) with two jobs and prints the most memory that
parent and workers took. Exit status: 0 all is within the bounds, 1 something is not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aoi_sim.fast import build_info
from aoi_sim.storage.journal import MARKS

LEAST_BUSY = 0.95
MOST_CPU = 1.05
MOST_PARENT_MB = 300
MOST_WORKER_MB = 400
GAMES = {"compiled": 84_000, "pure": 28_000}
"""Games of `random` in about a minute with two jobs; in shorter runs the start of the workers weighs too much."""
_TICKS = os.sysconf("SC_CLK_TCK")
_STEP = 0.02


@dataclass
class Load:
    """What a run took.

    Attributes:
        seconds: wall time.
        in_hand: mean number of chunks in hand from the first on.
        cpu: CPU seconds of a process, by its id.
        memory: most resident memory of a process in MB, by its id.
        parent: id of the parent.
    """

    seconds: float = 0.0
    in_hand: float = 0.0
    cpu: dict[int, float] = field(default_factory=dict)
    memory: dict[int, float] = field(default_factory=dict)
    parent: int = 0

    @property
    def cpu_seconds(self) -> float:
        return sum(self.cpu.values())

    @property
    def parent_mb(self) -> float:
        return self.memory[self.parent]

    @property
    def worker_mb(self) -> float:
        return max((mb for pid, mb in self.memory.items() if pid != self.parent), default=0.0)


def play(games: int, jobs: int, heuristic: str, folder: Path) -> Load:
    """Play a run in a process and watch it."""
    line = f"run --games {games} --players 4 --heuristics {heuristic} --jobs {jobs} --out {folder}"
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "aoi_sim", *line.split()], stdout=subprocess.DEVNULL)
    load = Load(parent=process.pid)
    n_marks: list[int] = []
    steps = 0
    while process.poll() is None:
        n = len(list((folder / MARKS).glob("*")))
        if n or n_marks:
            n_marks.append(n)
        if steps % 10 == 0:
            watch(load)
        steps += 1
        time.sleep(_STEP)
    if process.returncode:
        raise RuntimeError(f"a run ended with status {process.returncode}")
    load.seconds = time.monotonic() - started
    while n_marks and not n_marks[-1]:
        n_marks.pop()  # after the last chunk the parent reads what there is
    load.in_hand = sum(n_marks) / len(n_marks) if n_marks else 0.0
    return load


def watch(load: Load) -> None:
    """Note CPU time and memory of a run's processes."""
    pids = [load.parent, *children(load.parent)]
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        load.cpu[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
        for text in status.splitlines():
            if text.startswith("VmHWM:"):
                load.memory[pid] = int(text.split()[1]) / 1024


def children(parent: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except OSError:
            continue
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.loads", description=(__doc__ or "").split("\n\n")[1])
    games = GAMES[build_info().kind]
    parser.add_argument("--games", type=int, default=games, help=f"of the runs that are compared (default {games:,})")
    parser.add_argument("--big", type=int, default=100_000, help="of the run whose memory is taken (0: none)")
    parser.add_argument("--heuristic", default="random")
    chosen = parser.parse_args(arguments)
    wrong = []

    def tell(what: str, value: float, bound: float, least: bool = False) -> None:
        sound = value >= bound if least else value <= bound
        print(
            f"{what}: {value:.3g} ({'at least' if least else 'at most'} {bound:g}){'' if sound else '  NOT KEPT'}",
            flush=True,
        )
        if not sound:
            wrong.append(what)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        two = play(chosen.games, 2, chosen.heuristic, folder / "two")
        one = play(chosen.games, 1, chosen.heuristic, folder / "one")
        for jobs, load in (("two jobs", two), ("one job", one)):
            print(f"{chosen.games} games with {jobs}: {load.seconds:.1f} s, {load.cpu_seconds:.1f} s of CPU time")
        tell("share of the time that workers have a chunk in hand", two.in_hand / 2, LEAST_BUSY, least=True)
        tell("CPU time of two jobs by that of one", two.cpu_seconds / one.cpu_seconds, MOST_CPU)
        loads = [two]
        if chosen.big:
            loads.append(play(chosen.big, 2, chosen.heuristic, folder / "big"))
            print(f"{chosen.big} games: {loads[-1].seconds:.0f} s with two jobs")
        tell("MB of the parent", max(load.parent_mb for load in loads), MOST_PARENT_MB)
        tell("MB of a worker", max(load.worker_mb for load in loads), MOST_WORKER_MB)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
