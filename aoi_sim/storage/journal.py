"""The journal of a run that is being played: a line a finished chunk, as the manifest will list it.

It goes when the manifest is whole. A line that a stop tore is no line: its chunk is played again.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from aoi_sim.storage.manifest import RunFolderError, counts_of
from aoi_sim.storage.writer import named, write_atomically

FILE_NAME: Final = "chunks.jsonl"
LOCK: Final = ".lock"
"""File that the session which plays a run holds locked."""
MARKS: Final = ".playing"
"""Folder with an empty file for each chunk that a worker has in hand, so that its death is laid to it."""


def add_entry(folder: Path, entry: Mapping[str, Any]) -> None:
    """Write down that a chunk is finished; several processes may do so at once."""
    handle = os.open(folder / FILE_NAME, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, b"\n" + _line(entry).encode())  # a line of its own, also after one that a full disk tore
    except OSError as error:
        raise named(error, folder / FILE_NAME) from error
    finally:
        os.close(handle)


def read_entries(folder: Path) -> list[dict[str, Any]]:
    """The finished chunks, in the order in which they were finished."""
    path = folder / FILE_NAME
    if not path.is_file():
        return []
    entries = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(entry, dict):
            entries.append(entry)
    return entries


def write_entries(folder: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """Write the journal anew."""
    write_atomically(folder / FILE_NAME, "".join(map(_line, entries)).encode())


def with_journal(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of an unfinished run with the chunks that it has so far, in their order."""
    if not (folder / FILE_NAME).is_file():
        return dict(manifest)
    try:
        chunks = {entry["chunk"]: entry for entry in read_entries(folder)}
        entries = [chunks[number] for number in sorted(chunks)]
        return {**manifest, "chunks": entries, "counts": counts_of(entries, list(manifest["schemas"]))}
    except (KeyError, TypeError) as error:
        raise RunFolderError(f"damaged journal, {folder / FILE_NAME}, go on with --resume") from error


def _line(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, separators=(",", ":")) + "\n"
