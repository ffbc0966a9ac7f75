"""What is compiled, and the stamp of a build: the hash of every source it was made from."""

import hashlib
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The folder that holds the package."""

SUFFIX: Final = EXTENSION_SUFFIXES[0]
"""How this Python's extensions end, e.g. ``.cpython-311-x86_64-linux-gnu.so``."""

STAMP: Final = f"built{SUFFIX.rpartition('.')[0]}.txt"
"""Name of the stamp; each Python has its own, as each has its own extensions."""

GROUP: Final = "aoi_sim.fast.group"
LIBRARY: Final = f"{GROUP}__mypyc"
"""The module that holds the machine code; the extensions beside the sources only point to it."""


def modules() -> list[str]:
    """The modules that are compiled, from `modules.txt`."""
    text = Path(__file__).with_name("modules.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def source_path(module: str) -> str:
    """The source of a module, seen from the folder of the package."""
    return module.replace(".", "/") + ".py"


def extension_path(module: str) -> str:
    """The extension of a module, seen from the folder of the package."""
    return module.replace(".", "/") + SUFFIX


def stamp_path(root: Path = ROOT) -> Path:
    """The stamp of this Python's build."""
    return root / "aoi_sim" / "fast" / STAMP


def source_hash(path: Path) -> str:
    """Hash of a source; empty if there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def write_stamp(root: Path, sources: list[str]) -> None:
    """Write down what a build was made from.

    Args:
        root: the folder that holds the package.
        sources: every source whose content went into the build, seen from there.
    """
    lines = [f"{source_hash(root / source)} {source}" for source in sources]
    stamp_path(root).write_text("\n".join(lines) + "\n", encoding="utf-8")


def complaint(root: Path = ROOT) -> str:
    """What is wrong with the extensions that are there; empty if they belong to the sources."""
    missing = [module for module in [*modules(), LIBRARY] if not (root / extension_path(module)).is_file()]
    if missing:
        return f"{extension_path(missing[0])} is missing"
    try:
        lines = stamp_path(root).read_text(encoding="utf-8").splitlines()
    except OSError:
        return "nothing says which sources it was built from"
    built = {source: digest for digest, _, source in (line.partition(" ") for line in lines)}
    for source in map(source_path, modules()):
        if source not in built:
            return f"{source} was not in it"
    for source, digest in built.items():
        if source_hash(root / source) != digest:
            return f"{source} has changed since it was built"
    return ""


def has_extensions(root: Path = ROOT) -> bool:
    """Whether this Python would load any extension."""
    return any((root / extension_path(module)).exists() for module in modules())
