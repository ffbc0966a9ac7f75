"""Runs commands in a build of choice."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aoi_sim.fast.guard import COMPILED, PURE, VARIABLE
from aoi_sim.fast.stamp import ROOT, complaint, has_extensions


def available(root: Path = ROOT) -> list[str]:
    """The builds that can run: ``pure``, and ``compiled`` when it is there and belongs to the sources."""
    return [PURE, COMPILED] if has_extensions(root) and not complaint(root) else [PURE]


def environment(kind: str, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment in which a new process runs a build.

    Args:
        kind: ``pure`` or ``compiled``.
        base: the environment to change; this process's if None.

    Raises:
        ValueError: no such build.
    """
    if kind not in (PURE, COMPILED):
        raise ValueError(f"no build {kind!r}, choose {PURE} or {COMPILED}")
    changed = dict(os.environ if base is None else base)
    changed.pop(VARIABLE, None)
    if kind == PURE:
        changed[VARIABLE] = "1"
    return changed


def run_in(kind: str, command: Sequence[str], **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run a command in a build; text in and out.

    Args:
        kind: ``pure`` or ``compiled``.
        command: the command and its arguments.
        options: further arguments of `subprocess.run`.

    Raises:
        ValueError: the build is not there.
    """
    if kind == COMPILED and COMPILED not in available():
        raise ValueError("no compiled build that belongs to the sources, run make build-fast")
    return subprocess.run(list(command), env=environment(kind), text=True, check=False, **options)
