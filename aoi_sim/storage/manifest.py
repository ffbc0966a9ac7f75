"""The manifest of a run: what was played, with what, and which files hold it. Partial until the run is finished."""

import hashlib
import json
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from aoi_sim.fast import build_info
from aoi_sim.storage.findings import AGAIN
from aoi_sim.storage.schemas import SCHEMAS
from aoi_sim.storage.writer import Part, write_atomically

FORMAT: Final = "aoi-sim run"
FORMAT_VERSION: Final = 2
_READABLE: Final = (1, 2)  # version 1 had no checksum of its own
FILE_NAME: Final = "manifest.json"
FAILURES: Final = "failures"
"""Folder of the texts of failed games."""
_PACKAGES: Final = ("aoi-sim", "numpy", "pyarrow", "polars", "pandas", "joblib")
_REQUIRED: Final = {
    "config": dict,
    "rules": dict,
    "seed": int,
    "heuristics": list,
    "schemas": dict,
    "plan_hash": str,
    "chunks": list,
    "counts": dict,
}


class RunFolderError(ValueError):
    """A folder that is no readable run; the message is one line: what, where, what to do."""


def schema_versions(tables: Sequence[str]) -> dict[str, int]:
    """Version of each table's schema."""
    return {name: SCHEMAS[name].version for name in tables}


def software_versions() -> dict[str, str]:
    """Python and the packages that played or wrote."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def build_kind() -> str:
    """``compiled`` or ``pure``: how the engine runs."""
    return build_info().kind


def git_revision() -> str | None:
    """Revision of the source the package runs from, with ``+`` where files differ from it; None outside a checkout."""
    here = Path(__file__).resolve().parent
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--abbrev=40", "--dirty=+", "--exclude=*"],
            cwd=here,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
        inside = subprocess.run(
            ["git", "ls-files", "--error-unmatch", Path(__file__).name],
            cwd=here,
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() if inside.returncode == 0 else None


def chunk_entry(
    chunk: int, games: range, parts: Sequence[Part], n_failed: int = 0, texts: Sequence[tuple[str, bytes]] = ()
) -> dict[str, Any]:
    """A chunk as the manifest lists it.

    Args:
        chunk: its number.
        games: numbers of its games.
        parts: files of its tables.
        n_failed: games that failed.
        texts: path in the run folder and content of what was kept of them.
    """
    files = {
        part.table: {"path": part.path, "sha256": part.sha256, "bytes": part.n_bytes, "rows": part.n_rows}
        for part in parts
    }
    games_of = {"first_game": games.start, "n_games": len(games), "n_failed": n_failed}
    entry = {"chunk": chunk, **games_of, "files": files}
    if texts:
        entry["texts"] = [
            {"path": path, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for path, content in texts
        ]
    return entry


def files_of(entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The files of a chunk: of its tables and the texts of its failed games, which older manifests do not list."""
    yield from entry["files"].values()
    yield from entry.get("texts", ())


def counts_of(chunks: Sequence[Mapping[str, Any]], tables: Sequence[str]) -> dict[str, Any]:
    """Games, failures and rows of chunks, as the manifest gives them."""
    return {
        "games": sum(chunk["n_games"] for chunk in chunks),
        "failed": sum(chunk["n_failed"] for chunk in chunks),
        "rows": {name: sum(chunk["files"][name]["rows"] for chunk in chunks) for name in tables},
    }


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a run, with its own checksum."""
    content = {"format": FORMAT, "format_version": FORMAT_VERSION, **manifest}
    content["checksum"] = checksum_of(content)
    text = json.dumps(content, indent=1, ensure_ascii=False)
    write_atomically(folder / FILE_NAME, (text + "\n").encode())


def checksum_of(manifest: Mapping[str, Any]) -> str:
    """SHA-256 over all keys of a manifest but ``checksum``, however its text is laid out."""
    content = {key: value for key, value in manifest.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder.

    Raises:
        RunFolderError: there is none, or it is damaged, foreign or too new.
    """
    path = folder / FILE_NAME
    if not folder.exists():
        raise RunFolderError(f"no such run, {folder}, give the folder of a run (--out of aoi-sim run)")
    if not folder.is_dir():
        raise RunFolderError(f"not a run folder, {folder}, give the folder, not a file in it")
    if not path.is_file():
        unfinished = any(folder.glob("*/part-*.parquet"))
        what = "unfinished run, no manifest.json" if unfinished else "not a run, no manifest.json"
        raise RunFolderError(f"{what}, {folder}, " + ("run it again" if unfinished else "give the folder of a run"))
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise RunFolderError(f"damaged manifest ({error.args[0]}), {path}, restore the file or run again") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise RunFolderError(f"manifest of another program, {path}, give the folder of an aoi-sim run")
    version = manifest.get("format_version")
    if version not in _READABLE:
        raise RunFolderError(f"manifest version {version}, {path}, this aoi-sim reads up to version {FORMAT_VERSION}")
    for key, kind in _REQUIRED.items():
        if not isinstance(manifest.get(key), kind):
            raise RunFolderError(f"damaged manifest, {path}, key {key} is missing or no {kind.__name__}")
    return manifest


def check_files(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Check that every file of the manifest is there in its size, of schemas this version reads.

    Raises:
        RunFolderError: a file is missing or has another size, or a table has another schema version.
    """
    from aoi_sim.storage.upgrades import is_readable

    for name, version in manifest["schemas"].items():
        if not is_readable(name, version):
            known = SCHEMAS[name].version if name in SCHEMAS else None
            raise RunFolderError(
                f"table {name} has schema version {version}, {folder}, this aoi-sim reads version {known}"
            )
    for entry in manifest["chunks"]:
        try:
            files = [(folder / file["path"], file["bytes"]) for file in files_of(entry)]
        except (KeyError, TypeError, AttributeError) as error:
            raise RunFolderError(f"damaged manifest, {folder / FILE_NAME}, its list of chunks is broken") from error
        for path, n_bytes in files:
            if not path.is_file():
                raise RunFolderError(f"missing file, {path}, {AGAIN}")
            if path.stat().st_size != n_bytes:
                size = path.stat().st_size
                raise RunFolderError(f"damaged file ({size} bytes, not {n_bytes}), {path}, {AGAIN}")


def damaged_file(folder: Path, manifest: Mapping[str, Any]) -> RunFolderError | None:
    """The first file of a run that is not what was written, by its checksum, as the error that says so."""
    for entry in manifest["chunks"]:
        for file in files_of(entry):
            path = folder / file["path"]
            if not path.is_file():
                return RunFolderError(f"missing file, {path}, {AGAIN}")
            with path.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            if digest != file["sha256"]:
                return RunFolderError(f"damaged file (its checksum differs), {path}, {AGAIN}")
    return None
