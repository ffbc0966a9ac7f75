"""The lock of a run folder: one session at a time plays into it.

The system gives the lock back when a process ends, however it ends, so a lock file that was left behind locks nothing.
"""

import fcntl
import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from aoi_sim.storage.journal import LOCK
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.writer import named


@contextmanager
def locked(folder: Path) -> Iterator[str]:
    """Hold the lock of a folder.

    Gives a token, new each time, that the lock file holds: who reads it there sees this very folder.

    Raises:
        RunFolderError: a run is being played there.
        OSError: the folder cannot be written.
    """
    path, token = folder / LOCK, uuid4().hex
    handle = _locked_file(path)
    try:
        _write(handle, path, {"process": os.getpid(), "machine": platform.node(), "token": token})
        yield token
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def _write(handle: int, path: Path, content: Mapping[str, object]) -> None:
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(content).encode(), 0)
    except OSError as error:
        raise named(error, path) from error


def refuse_live(folder: Path) -> None:
    """Refuse a folder that another session plays into; changes nothing there.

    Raises:
        RunFolderError: a run is being played there.
    """
    path = folder / LOCK
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return  # no lock, or none that we could take: what the caller has to say holds
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _held(path) from None
    finally:
        os.close(handle)


def _held(path: Path) -> RunFolderError:
    holder = _content(path)
    who = f"process {holder.get('process')} on {holder.get('machine')}" if holder else "another process"
    return RunFolderError(f"a run is being played there by {who}, {path.parent}, wait for it or stop it")


def holds_token(folder: Path, token: str) -> bool:
    """Whether this process sees the folder that was locked with a token."""
    return _content(folder / LOCK).get("token") == token


def _locked_file(path: Path) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it before may have deleted the file between the two calls.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return handle
        except BlockingIOError:
            os.close(handle)
            raise _held(path) from None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _content(path: Path) -> dict[str, object]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
