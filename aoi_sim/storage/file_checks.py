"""Checks of the files of a run: all there and no other, unchanged, of the right table, plan and schema."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from aoi_sim.storage.arrow import arrow_schema, file_metadata
from aoi_sim.storage.findings import AGAIN, RESTORE, Finding
from aoi_sim.storage.journal import FILE_NAME as JOURNAL
from aoi_sim.storage.journal import LOCK
from aoi_sim.storage.manifest import FAILURES, FILE_NAME, files_of
from aoi_sim.storage.schemas import SCHEMAS
from aoi_sim.storage.writer import TEMPORARY_SUFFIX

REPORT: Final = re.compile(r"report(-[a-z0-9_-]+)?\.(html|md)")
"""Where ``aoi-sim report`` writes."""


def foreign_findings(folder: Path, manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """Files that no run leaves and the manifest does not name."""
    known = {FILE_NAME, LOCK}
    if manifest.get("partial"):
        known.add(JOURNAL)
    known |= {file["path"] for entry in manifest["chunks"] for file in files_of(entry)}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or name in known or name.startswith(f"{FAILURES}/") or REPORT.fullmatch(name):
            continue
        if name.endswith(TEMPORARY_SUFFIX):
            yield Finding("file that a stopped run left", str(path), "delete it")
        else:
            yield Finding("file that the manifest does not name", str(path), "move it out of the run or delete it")


def chunk_findings(folder: Path, manifest: Mapping[str, Any], entry: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with the files of a chunk."""
    found = [one for name, file in entry["files"].items() for one in _file_findings(folder, manifest, name, file)]
    for file in entry.get("texts", ()):
        path = folder / file["path"]
        found += _byte_findings(path, _content(path), file)
    return found


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _byte_findings(path: Path, content: bytes | None, file: Mapping[str, Any]) -> Iterator[Finding]:
    if content is None:
        yield Finding("missing file", str(path), AGAIN)
    elif len(content) != file["bytes"]:
        size = "empty file" if not content else f"{len(content)} bytes"
        yield Finding(f"{size}, not {file['bytes']} bytes", str(path), AGAIN)
    elif hashlib.sha256(content).hexdigest() != file["sha256"]:
        yield Finding("content changed since it was written (its checksum differs)", str(path), AGAIN)


def _file_findings(folder: Path, manifest: Mapping[str, Any], name: str, file: Mapping[str, Any]) -> Iterator[Finding]:
    path = folder / file["path"]
    content = _content(path)
    yield from _byte_findings(path, content, file)
    if content is None:
        return
    try:
        parquet = pq.ParquetFile(pa.BufferReader(content))
        found = parquet.schema_arrow
        n_rows = parquet.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        yield Finding(f"no Parquet file ({str(error).splitlines()[0]})", str(path), AGAIN)
        return
    if n_rows != file["rows"]:
        yield Finding(f"{n_rows} rows, the manifest says {file['rows']}", str(path), RESTORE)
    yield from _schema_findings(path, manifest, name, found)


def _schema_findings(path: Path, manifest: Mapping[str, Any], name: str, found: Any) -> Iterator[Finding]:
    version = manifest["schemas"][name]
    rules = manifest["rules"]
    expected = file_metadata(name, f"{rules['edition']} {rules['hash']}", manifest["plan_hash"])
    expected["aoi_sim.schema_version"] = str(version)
    stored = {key.decode(): value.decode(errors="replace") for key, value in (found.metadata or {}).items()}
    for key, word in expected.items():
        if stored.get(key) != word:
            yield Finding(f"file of another run: {key} is {stored.get(key)}, not {word}", str(path), RESTORE)
    if version != SCHEMAS[name].version:
        return
    found, schema = _as_text(found), _as_text(arrow_schema(name))
    if found.equals(schema):
        return
    names, wanted = found.names, schema.names
    wrong = [word for word in wanted if word not in names or not found.field(word).equals(schema.field(word))]
    more = [word for word in names if word not in wanted]
    columns = ", ".join((wrong + more)[:5]) or "their order"
    yield Finding(f"columns are not those of schema version {version} ({columns})", str(path), RESTORE)


def _as_text(schema: Any) -> Any:
    """A schema without metadata whose words of few are text: files may say either."""
    fields = [f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in schema]
    return pa.schema(fields)
