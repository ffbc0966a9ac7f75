"""Files that a command writes where the user says."""

from pathlib import Path

from aoi_sim.cli.errors import InputError


def refuse_file(path: Path | None, option: str) -> None:
    """Refuse a name under which no file can be written, before any work is done for it.

    Args:
        path: what the user gave; None if nothing.
        option: with which option.

    Raises:
        InputError: it is a folder, in none, or a file of a run.
    """
    from aoi_sim.storage.journal import FILE_NAME as JOURNAL
    from aoi_sim.storage.manifest import FILE_NAME as MANIFEST

    if path is None:
        return
    if path.is_dir():
        raise InputError(f"a folder, {path} ({option}), give the name of a file")
    if path.is_file() and (path.suffix == ".parquet" or path.name in (MANIFEST, JOURNAL)):
        raise InputError(f"a file of a run, {path} ({option}), choose another name")
    if not path.parent.is_dir():
        raise InputError(f"no such folder for the file, {path} ({option}), make it or check the name")
