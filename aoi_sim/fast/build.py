"""Compiles the modules of `modules.txt` with mypyc and puts the extensions beside their sources."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Final

from aoi_sim.fast.guard import VARIABLE
from aoi_sim.fast.sources import sources
from aoi_sim.fast.stamp import (
    GROUP,
    LIBRARY,
    ROOT,
    SUFFIX,
    extension_path,
    modules,
    source_path,
    stamp_path,
    write_stamp,
)

# Warnings are the business of mypyc, not of whoever builds with another compiler; nobody debugs the C code. Nothing outside
# calls its functions by their names: once the C compiler knows that, it calls them directly and puts small ones in line.
_SETUP: Final = """\
import os
from mypyc.build import mypycify
from setuptools import setup

extensions = mypycify({sources!r}, opt_level="3", debug_level="0", group_name={group!r})
for extension in extensions:
    extension.extra_compile_args = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
    if os.name != "nt":
        extension.extra_compile_args += ["-fvisibility=hidden", "-fno-semantic-interposition"]
setup(name="aoi-sim-fast", ext_modules=extensions)
"""
_LINES_OF_LOG: Final = 20
TRACES: Final = ("*.so", "*.so.new", "built.*.txt")
"""Files of a build, as patterns."""


class BuildError(RuntimeError):
    """A build that is not possible; the message is one line, `log` the end of what the compiler said."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


def build(root: Path = ROOT) -> int:
    """Compile; what was there is replaced only when all of it worked.

    Args:
        root: the folder that holds the package.

    Returns:
        Number of modules compiled.

    Raises:
        BuildError: no C compiler, no mypyc, or they fail.
    """
    _require_tools()
    with tempfile.TemporaryDirectory(prefix="aoi-sim-fast-") as name:
        stage = Path(name)
        shutil.copytree(root / "aoi_sim", stage / "aoi_sim", ignore=shutil.ignore_patterns(*TRACES, "__pycache__"))
        script = _SETUP.format(sources=[source_path(module) for module in modules()], group=GROUP)
        (stage / "setup.py").write_text(script, encoding="utf-8")
        jobs = f"-j{os.cpu_count() or 1}"
        _run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", jobs], stage, "compiling failed")
        write_stamp(stage, sources(stage))
        check = f"import {', '.join(modules())}; import aoi_sim; assert aoi_sim.build_info().kind == 'compiled'"
        _run([sys.executable, "-c", check], stage, "the compiled modules do not load")
        _place(stage, root)
    return len(modules())


def clean(root: Path = ROOT) -> int:
    """Remove this Python's extensions and their stamp; returns how many files went."""
    found = [stamp_path(root), *(root / "aoi_sim").rglob(f"*{SUFFIX}")]
    there = [path for path in found if path.exists()]
    for path in there:
        path.unlink()
    return len(there)


def _require_tools() -> None:
    if not has_compiler():
        raise BuildError(
            f"no C compiler, {_compiler()} does not run, install one (Debian and Ubuntu: apt install build-essential; "
            "macOS: xcode-select --install) or name it: CC=/path/to/cc make build-fast"
        )
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        raise BuildError(
            f"no headers of this Python, {sysconfig.get_path('include')}, install them "
            "(Debian and Ubuntu: apt install python3-dev)"
        )
    for package in ("mypyc", "setuptools"):
        if importlib.util.find_spec(package) is None:
            raise BuildError(f"no {package}, {sys.executable}, install it: pip install 'aoi-sim[fast]'")


def has_compiler() -> bool:
    """Whether there is a C compiler that runs."""
    try:
        done = subprocess.run([_compiler(), "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _compiler() -> str:
    """The command that setuptools will call, without its arguments."""
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]


def _run(command: list[str], folder: Path, failed: str) -> None:
    """Run a step of the build with the copy first on its path."""
    environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        log = "\n".join(done.stdout.splitlines()[-_LINES_OF_LOG:])
        raise BuildError(f"{failed}, status {done.returncode}, see the lines above; the sources run as before", log)


def _place(stage: Path, root: Path) -> None:
    """Replace the extensions beside the sources; the stamp goes first and comes last."""
    clean(root)
    for module in [*modules(), LIBRARY]:
        target = root / extension_path(module)
        arriving = target.with_name(target.name + ".new")
        shutil.copy2(stage / extension_path(module), arriving)
        arriving.replace(target)
    shutil.copy2(stamp_path(stage), stamp_path(root))
