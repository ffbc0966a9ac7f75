"""Which sources go into a build: the compiled ones and those that they import names from.

Compiled code holds constants and types of modules that are not compiled themselves, so these count too.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from aoi_sim.fast.stamp import modules, source_path


def sources(root: Path) -> list[str]:
    """Every source of the package that a build depends on, seen from the folder of the package."""
    found: set[str] = set()
    waiting = [source_path(module) for module in modules()]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting += _imported(root, source)
    return sorted(found)


def _imported(root: Path, source: str) -> Iterator[str]:
    """The sources of the package that a source imports from."""
    for node in ast.walk(ast.parse((root / source).read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            targets = [name if (root / source_path(name)).is_file() else node.module for name in names]
        elif isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            continue
        for target in targets:
            if target.partition(".")[0] == "aoi_sim":
                plain = source_path(target)
                yield plain if (root / plain).is_file() else source_path(f"{target}.__init__")
