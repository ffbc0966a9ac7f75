"""The tables of a run in another format, all of them or nothing."""

import os
from pathlib import Path
from typing import Final

import polars as pl

from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run
from aoi_sim.storage.writer import named, whole_folder

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
    with whole_folder(out) as folder:
        for name in run.tables:
            path = folder / f"{name}.csv"
            try:
                _flat(run.table(name)).sink_csv(path)
                with path.open("rb") as file:
                    os.fsync(file.fileno())
            except OSError as error:
                raise named(error, path) from error
    return [out / f"{name}.csv" for name in run.tables]


def _flat(frame: pl.LazyFrame) -> pl.LazyFrame:
    """A table without lists."""
    lists = [name for name, kind in frame.collect_schema().items() if kind.base_type() is pl.List]
    return frame.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join(LIST_SEPARATOR) for name in lists)
