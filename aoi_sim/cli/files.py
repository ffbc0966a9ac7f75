"""Files that a command writes where the user says."""

import errno
import os
from pathlib import Path

from aoi_sim.storage.writer import write_atomically


def write_text(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all; a pipe or a device gets it as it is.

    Raises:
        OSError: it cannot be written; the error names the file.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    try:
        write_atomically(path.resolve(), text.encode())  # a link stays one
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
