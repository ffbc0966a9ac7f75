"""Checks of a manifest by itself: its shape, its checksum, its sums."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from aoi_sim.storage.findings import Finding
from aoi_sim.storage.manifest import FAILURES, FILE_NAME, RunFolderError, checksum_of, read_manifest
from aoi_sim.storage.schemas import SCHEMAS
from aoi_sim.storage.writer import part_path

_NUMBER: Final = (int, float)
_SHAPE: Final[dict[str, Any]] = {
    "config": {"n_games": int, "n_players": int, "seed": int, "heuristics": list, "design": str, "events": str},
    "rules": {"edition": str, "hash": str, "options": dict, "overlays": list},
    "seed": int,
    "heuristics": [{"name": str, "kind": str, "content": str, "sha256": str}],
    "versions": dict,
    "build": str,
    "schemas": dict,
    "plan_hash": str,
    "chunks": [{"chunk": int, "first_game": int, "n_games": int, "files": dict}],
    "counts": {"games": int, "failed": int, "rows": dict},
    "jobs": int,
    "wall_seconds": _NUMBER,
}
_LATER: Final[dict[str, Any]] = {"trust": [{"name": str, "verdict": str, "figures": dict, "sentence": str}]}
"""Keys that older manifests lack."""
_TEXT_SHAPE: Final = {"path": str, "sha256": str, "bytes": int}
_FILE_SHAPE: Final = {**_TEXT_SHAPE, "rows": int}
_REPAIR: Final = "restore manifest.json from a copy"
_CHANGED: Final = "manifest was changed since it was written (its checksum differs)"


def sound_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder, as it was written and with all keys that the commands read.

    Raises:
        RunFolderError: it cannot be read, was changed since it was written, or has another shape.
    """
    manifest = read_manifest(folder)
    for finding in shape_findings(folder, manifest):
        raise RunFolderError(str(finding))
    if was_changed(manifest):
        where = folder / FILE_NAME
        raise RunFolderError(f"{_CHANGED}, {where}, {_REPAIR} (aoi-sim verify looks for more)")
    return manifest


def was_changed(manifest: Mapping[str, Any]) -> bool:
    """Whether a manifest has another checksum than its content; version 1 had none."""
    return manifest["format_version"] >= 2 and manifest.get("checksum") != checksum_of(manifest)


def shape_findings(folder: Path, manifest: Mapping[str, Any]) -> list[Finding]:
    """Keys that are missing or of a wrong kind; without any the other checks can read the manifest."""
    later = {key: shape for key, shape in _LATER.items() if key in manifest}
    found = list(_misfits(manifest, {**_SHAPE, **later}, ""))
    found += [
        wrong for name in manifest["schemas"] for wrong in _misfits(manifest["schemas"][name], int, f"schemas.{name}")
    ]
    if not found:
        for number, entry in enumerate(manifest["chunks"]):
            files = entry["files"]
            if sorted(files) != sorted(manifest["schemas"]):
                found.append((f"chunks[{number}].files", "a file for each table of schemas"))
            for name, file in files.items():
                found += _misfits(file, _FILE_SHAPE, f"chunks[{number}].files.{name}")
            found += _misfits(entry.get("texts", []), [_TEXT_SHAPE], f"chunks[{number}].texts")
        found += [(f"schemas.{name}", "a table of this aoi-sim") for name in manifest["schemas"] if name not in SCHEMAS]
    where = folder / FILE_NAME
    return [Finding(f"manifest damaged: {key} should be {kind}", str(where), _REPAIR) for key, kind in found]


def _misfits(value: Any, shape: Any, key: str) -> Iterator[tuple[str, str]]:
    """Keys of a value that do not have the shape, and what they should be."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield key, "a table"
            return
        for name, kind in shape.items():
            yield from _misfits(value.get(name), kind, f"{key}.{name}".lstrip("."))
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield key, "a list"
            return
        for number, item in enumerate(value):
            yield from _misfits(item, shape[0], f"{key}[{number}]")
    elif not isinstance(value, shape) or isinstance(value, bool):
        yield (
            key,
            "a number" if shape is _NUMBER else {int: "a whole number", str: "a text"}.get(shape, "a table or list"),
        )


def manifest_findings(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """What a well-shaped manifest says against itself."""
    where = str(folder / FILE_NAME)
    if was_changed(manifest):
        yield Finding(_CHANGED, where, _REPAIR)
    for key, one, other in _sums(manifest):
        if one != other:
            yield Finding(f"manifest contradicts itself: {key} ({one} and {other})", where, _REPAIR)
    numbers = [entry["chunk"] for entry in manifest["chunks"]]
    if numbers != sorted(set(numbers)):
        yield Finding("chunks are doubled or out of order", f"{where}: chunks", _REPAIR)
    for entry in manifest["chunks"]:
        for name, file in entry["files"].items():
            if file["path"] != part_path(name, entry["chunk"]):
                what = f"chunk {entry['chunk']} points to {file['path']}, not {part_path(name, entry['chunk'])}"
                yield Finding(what, f"{where}: chunks", _REPAIR)
        for file in entry.get("texts", ()):
            if Path(file["path"]).parent != Path(FAILURES):
                what = f"chunk {entry['chunk']} points to {file['path']}, not into {FAILURES}"
                yield Finding(what, f"{where}: chunks", _REPAIR)


def _sums(manifest: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Figures that must be equal: what they are, and both."""
    chunks, counts, config = manifest["chunks"], manifest["counts"], manifest["config"]
    yield "games of the chunks and counts.games", sum(entry["n_games"] for entry in chunks), counts["games"]
    if not is_part(manifest) and not ends_early(manifest):
        yield "counts.games and config.n_games", counts["games"], config["n_games"]
    yield "seed and config.seed", manifest["seed"], config["seed"]
    for name in manifest["schemas"]:
        rows = sum(entry["files"][name]["rows"] for entry in chunks)
        yield f"rows of {name} in chunks and counts.rows", rows, counts["rows"].get(name)
    yield "config.events and the tables", config["events"] == "full", "events" in manifest["schemas"]
    names = sorted({entry["name"] for entry in manifest["heuristics"]})
    yield "names of heuristics and config.heuristics", names, names_of(config)


def names_of(config: Mapping[str, Any]) -> list[str]:
    """Every heuristic that a config names, in alphabetical order."""
    levels = [name for level in config.get("levels", ()) for name in level["heuristics"]]
    return sorted({*config["heuristics"], *levels})


def is_part(manifest: Mapping[str, Any]) -> bool:
    """Whether a run holds some chunks of its plan only: it was stopped, or is a part that ``--part`` played."""
    return bool(manifest.get("partial")) or "part" in manifest


def ends_early(manifest: Mapping[str, Any]) -> bool:
    """Whether a run may be whole with the first chunks of its plan only (``--until``)."""
    return bool(manifest["config"].get("until"))
