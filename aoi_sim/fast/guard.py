"""Decides at import of the package whether extensions are loaded, passed over or refused."""

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Final, NamedTuple

from aoi_sim.fast.stamp import complaint, has_extensions, modules

VARIABLE: Final = "AOI_SIM_PURE"
COMPILED: Final = "compiled"
PURE: Final = "pure"
REFUSED: Final = "refused"


class StaleBuildError(ImportError):
    """Extensions that do not belong to the sources; the message is one line: what, where, what to do."""


class BuildInfo(NamedTuple):
    """How the package runs.

    Attributes:
        kind: ``compiled``, ``pure`` or ``refused``.
        reason: why, in one line.
    """

    kind: str
    reason: str

    def __str__(self) -> str:
        return self.kind


class SourcesOnly(MetaPathFinder):
    """Finds the package's modules as sources, whatever extensions lie beside them."""

    def __init__(self) -> None:
        self._folders: dict[str, FileFinder] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The source of a module of the package; None leaves it to the other finders."""
        if path is None or not fullname.startswith("aoi_sim."):
            return None
        for folder in path:
            finder = self._folders.get(folder)
            if finder is None:
                finder = self._folders[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
            spec = finder.find_spec(fullname)
            if spec is not None and spec.loader is not None:
                return spec
        return None

    def invalidate_caches(self) -> None:
        """Forget what lay in the folders."""
        self._folders.clear()


class Refusing(MetaPathFinder):
    """Refuses the modules that would be loaded from extensions that do not belong to the sources."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._modules = frozenset(modules())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for all other modules.

        Raises:
            StaleBuildError: the module is one of the compiled ones.
        """
        if fullname in self._modules:
            raise StaleBuildError(self._message)
        return None


def build_info() -> BuildInfo:
    """How the package runs: ``kind`` is ``compiled``, ``pure``, or ``refused`` for extensions older than the sources."""
    return _INFO


def require_build(kind: str) -> None:
    """Check in a worker that it runs as its parent does; it may not if a build came or went in between.

    Raises:
        StaleBuildError: it runs another build.
    """
    if kind != _INFO.kind:
        raise StaleBuildError(f"a worker runs the {_INFO.kind} build, its parent the {kind} one, start again")


def _decide() -> BuildInfo:
    if os.environ.get(VARIABLE, "0") not in ("", "0"):
        sys.meta_path.insert(0, SourcesOnly())
        return BuildInfo(PURE, f"{VARIABLE} is set")
    if not has_extensions():
        return BuildInfo(PURE, "not compiled, make build-fast does it")
    wrong = complaint()
    if not wrong:
        return BuildInfo(COMPILED, f"{len(modules())} modules")
    message = f"compiled build refused, {wrong}, run make build-fast again, or make clean-fast, or set {VARIABLE}=1"
    sys.meta_path.insert(0, Refusing(message))
    return BuildInfo(REFUSED, message)


_INFO: Final = _decide()
