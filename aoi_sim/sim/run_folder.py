"""The folder of a run while it is played: made ready, tidied after a stop, and what it keeps then."""

from pathlib import Path

from aoi_sim.sim.plan import Plan
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.writer import finished_chunks, remove_unfinished


def prepare_folder(folder: Path) -> None:
    """Make the run folder.

    Raises:
        RunFolderError: it is a file, or holds something.
        OSError: it cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"not a folder, {folder} (--out), choose another name")
    if folder.exists() and any(folder.iterdir()):
        raise RunFolderError(f"folder is not empty, {folder} (--out), choose a new one or empty it")
    folder.mkdir(parents=True, exist_ok=True)
    # A file, not a right: what counts is whether the file system lets us write.
    probe = folder / ".writable"
    probe.touch()
    probe.unlink()


def tidy(folder: Path) -> None:
    """After a stop: no temporary file and no empty folder stays."""
    remove_unfinished(folder)
    if not folder.is_dir():
        return
    for path in (*(child for child in folder.iterdir() if child.is_dir()), folder):
        if not any(path.iterdir()):
            path.rmdir()


def kept_text(folder: Path, plan: Plan) -> str:
    """What a run that was interrupted keeps, as an error line."""
    chunks = plan.chunks()
    n_games = sum(len(chunks[chunk]) for chunk in finished_chunks(folder))
    if not n_games:
        return f"interrupted before the first part was written, {folder}, run it again"
    return (
        f"interrupted after {n_games} of {len(plan)} games, {folder} keeps the finished parts, remove it to run again"
    )
