"""The compiled build: the same sources as extension modules beside them (docs/performance.md).

`make build-fast` compiles the modules of `modules.txt`. When the package is imported, `guard` decides once how it runs:
``compiled``, ``pure``, or ``refused`` when extensions are there that do not belong to the sources.
"""

from aoi_sim.fast.guard import COMPILED, PURE, REFUSED, BuildInfo, StaleBuildError, build_info, require_build

__all__ = ["COMPILED", "PURE", "REFUSED", "BuildInfo", "StaleBuildError", "build_info", "require_build"]
