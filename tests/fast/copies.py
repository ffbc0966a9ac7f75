"""Copies of the package, so that no test compiles or breaks the one that others use."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from aoi_sim.fast.build import TRACES
from aoi_sim.fast.running import environment
from aoi_sim.fast.sources import sources
from aoi_sim.fast.stamp import LIBRARY, extension_path, modules, write_stamp

ROOT = Path(__file__).resolve().parents[2]


def copy_package(folder: Path) -> Path:
    """The sources of the package and the heuristics in another folder."""
    ignored = shutil.ignore_patterns(*TRACES, "__pycache__")
    for name in ("aoi_sim", "heuristics"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


def pretend_build(folder: Path) -> None:
    """A build that looks whole and belongs to the sources; its extensions cannot be loaded."""
    for module in [*modules(), LIBRARY]:
        (folder / extension_path(module)).write_text("no machine code")
    write_stamp(folder, sources(folder))


def traces(folder: Path) -> list[Path]:
    """The files that a build left."""
    return [path for pattern in TRACES for path in (folder / "aoi_sim").rglob(pattern)]


def command(folder: Path, kind: str = "compiled", **variables: str) -> dict[str, str]:
    """The environment of a process that takes the package from a copy."""
    return {**environment(kind), "PYTHONPATH": str(folder), **variables}


def python(folder: Path, *arguments: str, kind: str = "compiled", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package of a copy; `kind` is the build asked for."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=command(folder, kind, **variables),
        capture_output=True,
        text=True,
        check=False,
    )


def change(source: Path) -> None:
    """Change a source without changing what it does, its size aside."""
    stamp = source.stat()
    source.write_text(source.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    os.utime(source, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
