"""Writing parts: one Parquet file a table and chunk, whole or not there at all.

A file is written under a temporary name, synced and renamed; the file of ``games`` comes last, so that a chunk is
complete once its ``games`` file is there.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from aoi_sim.storage.schemas import TABLE_NAMES

TEMPORARY_SUFFIX: Final = ".unfinished"
_ZSTD_LEVEL: Final = 6
_ZSTD_ROWS: Final = 50
"""From so many rows zstd is worth what it costs to begin a column (20 microseconds); shorter tables get snappy."""
_DIFFERENCES: Final = ("game_index", "sequence")
"""Rise by little: stored as differences. The bytes of other numbers stand side by side by their weight: most are 0, and zstd
packs the rest better than the odd bits of a dictionary."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a run.

    Attributes:
        table: its table.
        path: relative to the run folder, with ``/``.
        sha256: checksum of its bytes.
        n_bytes: size.
        n_rows: rows.
    """

    table: str
    path: str
    sha256: str
    n_bytes: int
    n_rows: int


def part_path(table: str, chunk: int) -> str:
    """Where the file of a table and chunk lies in the run folder."""
    return f"{table}/part-{chunk:05d}.parquet"


def parquet_bytes(table: Any) -> bytes:
    """An Arrow table as Parquet; equal tables give equal bytes."""
    sink = pa.BufferOutputStream()
    zstd = table.num_rows >= _ZSTD_ROWS
    numbers = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    encodings = {name: "DELTA_BINARY_PACKED" if name in _DIFFERENCES else "BYTE_STREAM_SPLIT" for name in numbers}
    with pq.ParquetWriter(
        sink,
        table.schema,
        use_dictionary=[path for field in table.schema if (path := _words_path(field)) is not None],
        column_encoding=encodings,
        compression="zstd" if zstd else "snappy",
        compression_level=_ZSTD_LEVEL if zstd else None,
        write_statistics=["game_index"],
        store_schema=False,  # Arrow's schema would tell words of few from text, and take 1 kB of each file
    ) as file:
        file.write_table(table, row_group_size=max(1, table.num_rows))
        file.add_key_value_metadata({k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()})
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _words_path(field: Any) -> str | None:
    """Where a file has the words of a column, which get a dictionary; None for a column of numbers."""
    if pa.types.is_list(field.type):
        return f"{field.name}.list.element" if pa.types.is_string(field.type.value_type) else None
    return None if pa.types.is_integer(field.type) or pa.types.is_floating(field.type) else field.name


def write_atomically(path: Path, content: bytes, lasting: bool = True) -> None:
    """Write a file so that it is either whole or as it was before; a pipe or a device gets the content as it is.

    Args:
        path: of the file; what a link leads to is replaced, not the link.
        content: all of it.
        lasting: whether it is so after a loss of power too, not only after the end of the process. Parts of a run are
            many and their checksums are kept, so they need not be.

    Raises:
        OSError: it cannot be written; the error names the file as it was given.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(path.resolve() if path.is_symlink() else path, content, lasting)
    except OSError as error:
        raise named(error, path) from error


def named(error: OSError, path: Path) -> OSError:
    """An error of the system with the place that a user knows; some libraries give its number in their text only."""
    told = re.search(r"os error (\d+)", str(error))
    number = error.errno or (int(told[1]) if told else errno.EIO)
    return OSError(number, os.strerror(number), str(path))


def _replace(path: Path, content: bytes, lasting: bool) -> None:
    # A name of its own: an orphan of a killed session may be writing the same file.
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):  # the error that is being raised says what is wrong with the place
            temporary.unlink(missing_ok=True)
        raise
    if lasting:
        _sync_folder(path.parent)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to write files in that gets its name when all of them are there; what is raised leaves nothing.

    Args:
        path: of the folder, absent or empty; folders above it are made.

    Raises:
        OSError: it cannot be written; the error names the file by its place in ``path``.
    """
    target = path.resolve()
    if target == Path.cwd():
        raise OSError(errno.EBUSY, "the folder you are in cannot be replaced", str(path))
    temporary = target.with_name(target.name + TEMPORARY_SUFFIX)
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir(parents=True)
        yield temporary
        temporary.replace(target)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if isinstance(error, OSError):
            place = Path(str(error.filename))
            inside = place.is_relative_to(temporary)
            raise named(error, path / place.relative_to(temporary) if inside else path) from error
        raise


def _sync_folder(folder: Path) -> None:
    """Make a rename last; some file systems do not offer it, and need it less."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def chunk_files(chunk: int, tables: Mapping[str, Any]) -> list[tuple[Part, bytes]]:
    """The files of a chunk, in the order in which they are written.

    Args:
        chunk: number of the chunk.
        tables: Arrow tables by name.
    """
    files = []
    # `games` is last: its file says that the chunk is complete.
    for name in sorted(tables, key=lambda table: (table == "games", TABLE_NAMES.index(table))):
        content = parquet_bytes(tables[name])
        digest = hashlib.sha256(content).hexdigest()
        files.append((Part(name, part_path(name, chunk), digest, len(content), tables[name].num_rows), content))
    return files


def write_files(folder: Path, files: Sequence[tuple[str, bytes]]) -> None:
    """Write files into a run folder, each whole or not at all.

    Args:
        folder: the run folder; the folders in it are made where missing.
        files: path in the run folder and content of each, in the order of writing.
    """
    for relative, content in files:
        path = folder / relative
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, content, lasting=False)
