"""Parts of one plan, played apart, put together to the run that they would have been in one go."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from aoi_sim.analysis.trust import trust_of_files
from aoi_sim.storage.manifest import FAILURES, RunFolderError, files_of, write_manifest
from aoi_sim.storage.reader import Run, open_run
from aoi_sim.storage.writer import whole_folder, write_atomically

_SAME: Final = ("plan_hash", "config", "rules", "seed", "schemas")
"""Keys in which all parts must agree."""
_OF_PARTS: Final = ("part", "partial", "trust", "checksum", "format", "format_version")
"""Keys that a merged manifest makes anew or does not have."""


def merge_runs(folders: Sequence[Path], out: Path) -> Run:
    """Put disjoint parts of one plan together.

    The tables are those of the run in one go, byte for byte; the manifest differs in what tells how it was played.

    Args:
        folders: run folders, in any order; together they hold every chunk of the plan once.
        out: folder of the whole run, absent or empty; it appears when it is whole.

    Raises:
        RunFolderError: a folder is no run, parts do not belong together, overlap, leave gaps or are damaged.
        OSError: the folder cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunFolderError(f"not an empty folder, {out} (--out), choose a new one")
    runs = [open_run(folder) for folder in folders]
    _check_same(runs)
    entries = _ordered_entries(runs)
    with whole_folder(out) as folder:
        for run, entry in entries:
            _copy_chunk(run, entry, folder)
        for run in runs:
            _copy_unlisted(run, folder)
        write_manifest(folder, _merged_manifest(runs, [entry for _, entry in entries], folder))
    return open_run(out)


def _check_same(runs: Sequence[Run]) -> None:
    first = runs[0]
    for run in runs[1:]:
        for what, one, other in _compared(first.manifest, run.manifest):
            if one != other:
                raise RunFolderError(f"{what} is not that of {first.path}, {run.path}, merge parts of one plan only")


def _compared(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key in _SAME:
        yield key, one[key], other[key]
    yield "content of a heuristic", _players(one), _players(other)
    yield "version of aoi-sim", one["versions"].get("aoi-sim"), other["versions"].get("aoi-sim")


def _players(manifest: Mapping[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(entry["name"], entry["sha256"], entry.get("program_sha256")) for entry in manifest["heuristics"]]


def _ordered_entries(runs: Sequence[Run]) -> list[tuple[Run, Mapping[str, Any]]]:
    """Every chunk with its run, in the order of the plan: each once, no game missing."""
    entries = [(run, entry) for run in runs for entry in run.manifest["chunks"]]
    entries.sort(key=lambda pair: (pair[1]["first_game"], pair[1]["chunk"]))
    n_games, before = 0, runs[0]
    for run, entry in entries:
        if entry["first_game"] < n_games:
            raise RunFolderError(f"chunk {entry['chunk']} is in {before.path} too, {run.path}, give each part once")
        if entry["first_game"] > n_games:
            _refuse_gap(n_games, entry["first_game"], runs)
        n_games, before = entry["first_game"] + entry["n_games"], run
    if n_games < runs[0].manifest["config"]["n_games"]:
        _refuse_gap(n_games, runs[0].manifest["config"]["n_games"], runs)
    return entries


def _refuse_gap(first: int, end: int, runs: Sequence[Run]) -> None:
    where = ", ".join(str(run.path) for run in runs[:3])
    raise RunFolderError(f"games {first} to {end - 1} are missing, {where}, add the part that has them")


def _copy_chunk(run: Run, entry: Mapping[str, Any], folder: Path) -> None:
    for file in files_of(entry):
        content = (run.path / file["path"]).read_bytes()
        if hashlib.sha256(content).hexdigest() != file["sha256"]:
            raise RunFolderError(
                f"damaged file (its checksum differs), {run.path / file['path']}, play that part again"
            )
        (folder / file["path"]).parent.mkdir(exist_ok=True)
        write_atomically(folder / file["path"], content, lasting=False)


def _copy_unlisted(run: Run, folder: Path) -> None:
    """Copy the texts of failed games that older manifests do not list."""
    for path in sorted((run.path / FAILURES).glob("*")):
        copy = folder / FAILURES / path.name
        if not copy.exists():
            copy.parent.mkdir(exist_ok=True)
            write_atomically(copy, path.read_bytes(), lasting=False)


def _merged_manifest(runs: Sequence[Run], entries: Sequence[Mapping[str, Any]], folder: Path) -> dict[str, Any]:
    """The manifest of the whole run: sums of the parts, the rest as the first part has it."""
    first = runs[0].manifest
    manifest = {key: value for key, value in first.items() if key not in _OF_PARTS}
    counts = [run.manifest["counts"] for run in runs]
    return manifest | {
        "chunks": list(entries),
        "counts": {
            "games": sum(count["games"] for count in counts),
            "failed": sum(count["failed"] for count in counts),
            "rows": {name: sum(count["rows"][name] for count in counts) for name in first["schemas"]},
        },
        "wall_seconds": round(sum(run.manifest["wall_seconds"] for run in runs), 3),
        "trust": trust_of_files(folder, entries, whole=True),
    }
