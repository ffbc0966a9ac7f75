import errno
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from aoi_sim.storage import writer
from aoi_sim.storage.schemas import SCHEMAS, TABLE_NAMES
from aoi_sim.storage.writer import write_atomically
from tests.storage.made import made_chunk, write_chunk


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_chunk_is_one_file_a_table(tmp_path: Path) -> None:
    tables = made_chunk(range(5), 1)
    parts = write_chunk(tmp_path, 3, tables)
    assert [part.table for part in parts] == list(TABLE_NAMES)
    assert files(tmp_path) == sorted(f"{name}/part-00003.parquet" for name in TABLE_NAMES)
    for part in parts:
        path = tmp_path / part.path
        assert part.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
        assert part.n_bytes == path.stat().st_size
        assert pq.read_table(path).to_pylist() == tables[part.table].to_pylist()
        assert part.n_rows == tables[part.table].num_rows


def test_equal_tables_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first = write_chunk(tmp_path / "a", 0, made_chunk(range(8), 2))
    second = write_chunk(tmp_path / "b", 0, made_chunk(range(8), 2))
    assert first == second


def test_games_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = writer.write_atomically
    monkeypatch.setattr(
        writer, "write_atomically", lambda path, data, lasting: (written.append(path.parent.name), write(path, data))
    )
    write_chunk(tmp_path, 0, made_chunk(range(2), 1))
    assert written == ["seats", "rounds", "offers", "events", "games"]


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "file").write_bytes(b"before")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "file", b"after")
    assert files(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"before"


_WRITE_FOREVER = """
import sys
from pathlib import Path
from tests.storage.made import made_chunk, write_chunk
tables = made_chunk(range(200), 1)
chunk = 0
print("go", flush=True)
while True:
    write_chunk(Path(sys.argv[1]), chunk, tables)
    chunk += 1
"""


@pytest.mark.parametrize("milliseconds", [7, 41, 97, 153])
def test_a_killed_writer_leaves_whole_files(tmp_path: Path, milliseconds: int) -> None:
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _WRITE_FOREVER, str(tmp_path)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    while not list(tmp_path.glob("games/part-*.parquet")):
        time.sleep(0.001)
    time.sleep(milliseconds / 1000)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    expected = made_chunk(range(200), 1)
    whole = list(tmp_path.glob("*/part-*.parquet"))
    assert whole
    for path in whole:
        assert pq.read_table(path).to_pylist() == expected[path.parent.name].to_pylist()
    # A chunk whose games are there is complete.
    for path in tmp_path.glob("games/part-*.parquet"):
        assert all((tmp_path / name / path.name).is_file() for name in TABLE_NAMES)


def test_files_say_what_they_are_and_hold_text_and_whole_numbers(tmp_path: Path) -> None:
    write_chunk(tmp_path, 0, made_chunk(range(3), 1))
    for name in TABLE_NAMES:
        found = pq.read_schema(tmp_path / name / "part-00000.parquet")
        assert found.metadata[b"aoi_sim.table"] == name.encode()
        columns = SCHEMAS[name].stored
        assert {str(found.field(c.name).type) for c in columns if c.type == "key"} <= {"string"}
        numbers = [column for column in columns if column.type.startswith("int") and column.type != "ints"]
        assert [str(found.field(column.name).type) for column in numbers] == [column.type for column in numbers]
