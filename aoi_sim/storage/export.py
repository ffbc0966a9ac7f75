"""The tables of a run in another format, all of them or nothing."""

import errno
import os
import re
import shutil
from pathlib import Path
from typing import Final

import polars as pl

from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run
from aoi_sim.storage.writer import TEMPORARY_SUFFIX

LIST_SEPARATOR: Final = ";"


def export_csv(run: Run, out: Path) -> list[Path]:
    """Write each table of a run as a CSV file.

    The words of a list are joined with ``;``, null is an empty field. The folder appears when all its files are whole.

    Args:
        run: the run.
        out: folder of the files, absent or empty.

    Raises:
        RunFolderError: it is a file, or holds something.
        OSError: it cannot be written.
    """
    if out.exists() and not out.is_dir():
        raise RunFolderError(f"not a folder, {out} (--out), choose another name")
    if out.exists() and any(out.iterdir()):
        raise RunFolderError(f"folder is not empty, {out} (--out), choose a new one or empty it")
    temporary = out.with_name(out.name + TEMPORARY_SUFFIX)
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir(parents=True)
        for name in run.tables:
            path = temporary / f"{name}.csv"
            _flat(run.table(name)).sink_csv(path)
            with path.open("rb") as file:
                os.fsync(file.fileno())
        temporary.replace(out)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if isinstance(error, OSError):
            raise _placed(error, out) from error
        raise
    return [out / f"{name}.csv" for name in run.tables]


def _flat(frame: pl.LazyFrame) -> pl.LazyFrame:
    """A table without lists."""
    lists = [name for name, kind in frame.collect_schema().items() if kind.base_type() is pl.List]
    return frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(LIST_SEPARATOR) for name in lists)


def _placed(error: OSError, out: Path) -> OSError:
    """The error with its number and place; polars gives the number as text only."""
    told = re.search(r"os error (\d+)", str(error))
    number = error.errno or (int(told[1]) if told else errno.EIO)
    return OSError(number, os.strerror(number), str(out))
