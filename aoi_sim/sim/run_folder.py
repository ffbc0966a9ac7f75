"""The folder of a run while it is played: made ready, taken up again, tidied after a stop."""

import hashlib
import json
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from aoi_sim.players.heuristic import NO_SOURCE
from aoi_sim.sim import failures
from aoi_sim.sim.lock import refuse_live
from aoi_sim.sim.plan import Plan
from aoi_sim.storage import journal, manifest
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.manifest_checks import sound_manifest
from aoi_sim.storage.schemas import TABLE_NAMES
from aoi_sim.storage.writer import TEMPORARY_SUFFIX

_LEFT_BEHIND: Final = (journal.LOCK, journal.MARKS)
"""What a run that was killed at its very start may leave."""
_OURS: Final = ("part-*.parquet", "game-*.txt", "chunk-*.txt", f"*{TEMPORARY_SUFFIX}")
"""Files in the folders of a run; any other is somebody's and stays."""


def prepare_folder(folder: Path) -> None:
    """Make the run folder.

    Raises:
        RunFolderError: it is a file, or holds something.
        OSError: it cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise RunFolderError(f"not a folder, {folder} (--out), choose another name")
    if folder.exists() and not is_empty(folder):
        raise RunFolderError(f"folder is not empty, {folder} (--out), choose a new one or empty it")
    folder.mkdir(parents=True, exist_ok=True)
    # A file, not a right: what counts is whether the file system lets us write.
    probe = folder / ".writable"
    probe.touch()
    probe.unlink()


def is_empty(folder: Path) -> bool:
    """Whether a folder holds nothing but what a run killed at its start left."""
    names = [path.name for path in folder.iterdir()]
    return all(name in _LEFT_BEHIND or name.endswith(TEMPORARY_SUFFIX) for name in names)


def stored_before(folder: Path, wanted: Mapping[str, Any], resume: bool) -> dict[str, Any] | None:
    """The manifest of a run that lies in the folder already, finished or not; None if there is none.

    Args:
        folder: the run folder.
        wanted: the manifest of the run to play, at its start.
        resume: whether a run in the folder may be opened or continued.

    Raises:
        RunFolderError: there is one but it must not be touched, or is another run.
    """
    if not (folder / manifest.FILE_NAME).is_file():
        return None
    if not resume:
        stored = sound_manifest(folder)
        if not stored.get("partial"):
            raise RunFolderError(f"folder is not empty, {folder} (--out), choose a new one or empty it")
        refuse_live(folder)
        raise RunFolderError(f"unfinished run, {folder} (--out), go on with --resume or choose another folder")
    stored = sound_manifest(folder)
    _refuse_another(folder, stored, wanted)
    return stored


def is_whole(folder: Path, stored: Mapping[str, Any]) -> bool:
    """Whether a run is finished and every file of it is what was written, by its checksum."""
    return not stored.get("partial") and manifest.damaged_file(folder, stored) is None


def reopen(folder: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Make a finished run an unfinished one, whose sound chunks are kept and whose damaged ones are missing.

    Args:
        folder: the run folder, locked.
        stored: the manifest of the finished run.
        wanted: the manifest of the same run at its start.

    Raises:
        RunFolderError: it was played by another build.
    """
    _refuse_another(folder, {**stored, "partial": True}, wanted)
    # In this order: killed in between, it is still the finished run.
    journal.write_entries(folder, [{**entry, "seconds": stored["wall_seconds"]} for entry in stored["chunks"]])
    manifest.write_manifest(folder, wanted)


def _refuse_another(folder: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for what in _differences(stored, wanted):
        raise RunFolderError(f"another run lies there ({what}), {folder} (--out), choose another folder")


def _differences(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """What makes two runs different ones, a phrase each."""
    wanted = json.loads(json.dumps(wanted))  # lists for tuples, as they are stored
    for key in {**wanted["config"], **stored["config"]}:
        one, other = stored["config"].get(key), wanted["config"].get(key)
        if one != other:
            yield f"its {key} is {_words(one)}, not {_words(other)}"
    for key in ("edition", "options", "overlays", "hash"):
        if stored["rules"].get(key) != wanted["rules"][key]:
            yield "its overlays are others" if key == "overlays" else f"its rules have another {key}"
    entries = {entry["name"]: entry for entry in stored["heuristics"]}
    for entry in wanted["heuristics"]:
        for key in ("sha256", "program_sha256"):
            if entries.get(entry["name"], {}).get(key) != entry.get(key):
                yield f"its heuristic {entry['name']} has other content"
        if entry["kind"] == "class" and NO_SOURCE in entry["content"]:
            yield f"heuristic {entry['name']} may be another: {NO_SOURCE}"
    for key in ("part", "plan_hash", "schemas"):
        if stored.get(key) != wanted.get(key):
            yield f"its {key} is {_words(stored.get(key))}, not {_words(wanted.get(key))}"
    version = stored["versions"].get("aoi-sim"), wanted["versions"]["aoi-sim"]
    if version[0] != version[1]:
        yield f"it is of aoi-sim {version[0]}, not {version[1]}"
    if stored.get("partial") and stored["build"] != wanted["build"]:
        yield f"its build is {stored['build']}, not {wanted['build']}"


def _words(value: Any) -> str:
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def kept_chunks(folder: Path, plan: Plan, tables: Collection[str], known: Collection[int] = ()) -> list[dict[str, Any]]:
    """The finished chunks of an unfinished run, whose files are there and as they were written, but those known."""
    chunks = plan.chunks()
    kept = {}
    for entry in journal.read_entries(folder):
        try:
            number = entry["chunk"]
            if number in known:
                continue
            games = range(entry["first_game"], entry["first_game"] + entry["n_games"])
            sound = games == chunks[number] and set(entry["files"]) == set(tables) and entry["seconds"] >= 0
            sound = sound and all(_sha256(folder / file["path"]) == file["sha256"] for file in manifest.files_of(entry))
        except (KeyError, TypeError, IndexError, AttributeError):
            continue
        if sound:
            kept[number] = entry
    return [kept[number] for number in sorted(kept)]


def keep_only(folder: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """Delete what belongs to no finished chunk; the whole run if there is none."""
    shutil.rmtree(folder / journal.MARKS, ignore_errors=True)
    kept = {file["path"] for entry in entries for file in manifest.files_of(entry)}
    kept |= {failures.dead_chunk_path(entry["chunk"]) for entry in entries}
    for entry in entries:
        if entry["n_failed"]:  # older entries do not list the texts
            games = range(entry["first_game"], entry["first_game"] + entry["n_games"])
            kept |= {failures.failure_path(index) for index in games}
    ours = [*(folder / name for name in TABLE_NAMES), folder / manifest.FAILURES]
    for home in ours:
        for pattern in _OURS:
            for path in home.glob(pattern):
                if path.relative_to(folder).as_posix() not in kept:
                    path.unlink(missing_ok=True)
    for path in folder.glob(f"*{TEMPORARY_SUFFIX}"):
        path.unlink(missing_ok=True)
    if not entries:
        (folder / journal.FILE_NAME).unlink(missing_ok=True)
        (folder / manifest.FILE_NAME).unlink(missing_ok=True)
    for home in ours:
        if home.is_dir() and not any(home.iterdir()):
            home.rmdir()


def refuse_missing(folder: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """Refuse to go on where files of finished chunks are gone, or have another size than was written.

    Raises:
        RunFolderError: one is; with --resume its chunk is played again.
    """
    for entry in entries:
        for file in manifest.files_of(entry):
            path = folder / file["path"]
            whole = path.is_file()
            if not whole or path.stat().st_size != file["bytes"]:
                raise RunFolderError(
                    f"{'damaged' if whole else 'missing'} file {file['path']}, {folder}, go on with --resume"
                )


def drop_if_empty(folder: Path) -> None:
    """Delete the folder of a run of which nothing was kept."""
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def remove_leftovers(folder: Path) -> None:
    """Delete what only an unfinished run has; a run may have been killed between its last two steps."""
    shutil.rmtree(folder / journal.MARKS, ignore_errors=True)
    (folder / journal.FILE_NAME).unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
