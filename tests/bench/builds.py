"""Runs the measurements in a build: the sources as they are, or a compiled build that belongs to them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from aoi_sim.fast import COMPILED
from aoi_sim.fast.build import build, has_compiler
from aoi_sim.fast.running import available, environment
from aoi_sim.fast.stamp import ROOT
from tests.fast.copies import copy_package

MEASURE = "tests.bench.measure"


@contextmanager
def compiled_package(say: Callable[[str], None]) -> Iterator[Path]:
    """The folder of a compiled package: this one if its build is there and current, else a temporary copy, compiled.

    Args:
        say: is told that a copy is compiled.

    Raises:
        BuildError: it cannot be compiled here.
    """
    if COMPILED in available():
        yield ROOT
        return
    with tempfile.TemporaryDirectory(prefix="aoi-sim-bench-") as name:
        if has_compiler():
            say("no current compiled build beside the sources: compiling a temporary copy, about a minute")
        folder = copy_package(Path(name))
        build(folder)
        yield folder


def measure_in(kind: str, folder: Path, arguments: Sequence[str]) -> int:
    """Measure in a process of its own, which prints; returns its exit status.

    Args:
        kind: ``pure`` or ``compiled``.
        folder: whose package is measured.
        arguments: of the command `tests.bench.measure`.
    """
    path = os.pathsep.join(dict.fromkeys([str(folder), str(ROOT)]))
    command = [sys.executable, "-m", MEASURE, "--build", kind, *arguments]
    return subprocess.run(command, cwd=folder, env={**environment(kind), "PYTHONPATH": path}, check=False).returncode
