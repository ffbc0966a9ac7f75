"""Trials on disk: a folder of parts, a few games each, and a file that says of which games they are.

A part is an npz file. For each subject that was tried it holds ``SUBJECT_done`` and ``SUBJECT_tried``, the features of what the
player would have done and of what it did (int16, shape trials by features), and ``SUBJECT_end``, how the game ended
(int32, shape trials by ``END``); and ``failed``, a text for each game that failed.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aoi_sim.players.trying import Trial
from aoi_sim.players.weighted.features import N_FEATURES
from aoi_sim.players.weighted.lessons import SUBJECTS
from aoi_sim.storage.writer import write_atomically
from aoi_sim.studies.tuning_state import TuningError, refuse_format

FORMAT: Final = "aoi-sim trials 2"
PART_GAMES: Final = 20
"""Games of a part; so many are lost at the most, for each worker, when a command is stopped."""
END: Final = ("set_up", "players", "vp", "others")
"""Number of the set-up, number of players, VP of the seat, VP of all others together."""
_FEW: Final = (-32_768, 32_767)


@dataclass(frozen=True, slots=True)
class Trials:
    """Trials of a subject.

    Attributes:
        done: features of what the player would have done, one row a trial.
        tried: of what it did.
        end: how the game ended, columns as in ``END``.
        share: how much each trial counts.
    """

    done: NDArray[np.int16]
    tried: NDArray[np.int16]
    end: NDArray[np.int32]
    share: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.end)

    def column(self, name: str) -> NDArray[np.int32]:
        """A column of ``end``."""
        return self.end[:, END.index(name)]


def part_bytes(trials: Sequence[tuple[Trial, Sequence[int]]], failed: Sequence[str]) -> bytes:
    """A part: trials, each with the end of its game, and what failed."""
    arrays: dict[str, Any] = {"failed": np.array(failed, dtype=np.str_)}
    for number, subject in enumerate(SUBJECTS):
        rows = [(trial, end) for trial, end in trials if trial[0] == number]
        if rows:
            arrays[f"{subject}_done"] = _features([trial[1] for trial, _ in rows])
            arrays[f"{subject}_tried"] = _features([trial[2] for trial, _ in rows])
            arrays[f"{subject}_end"] = np.array([end for _, end in rows], dtype=np.int32)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _features(rows: Sequence[Sequence[int]]) -> NDArray[np.int16]:
    return np.array(rows, dtype=np.int64).clip(*_FEW).astype(np.int16)


class TrialsFolder:
    """A folder of trials.

    Args:
        path: the folder; it need not be there yet.
        identity: what decides which games are played.
        games: how many.
        share: how much its trials count.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], games: int, share: float = 1.0) -> None:
        self.path, self.identity, self.games, self.share = path, identity, games, share

    @classmethod
    def opened(cls, path: Path, share: float) -> "TrialsFolder":
        """A folder whose games were all played.

        Raises:
            TuningError: it is none, or not whole.
        """
        content = _state(path)
        if content is None:
            raise TuningError(f"no trials, {path} (--with), name the folder OUT.trials of an earlier `aoi-sim learn`")
        folder = cls(path, content["identity"], content["games"], share)
        if folder.missing():
            raise TuningError(f"not all games were played, {path} (--with), let its own command go on first")
        return folder

    def begin(self) -> None:
        """Make the folder, or go on with it.

        Raises:
            TuningError: there are the trials of something else.
        """
        content = _state(self.path)
        if content is None:
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise TuningError(f"no trials, {self.path}, remove it or choose another --out")
        else:
            before = content["identity"]
            for key in {**self.identity, **before}:
                if before.get(key) != self.identity.get(key):
                    raise TuningError(
                        f"other trials ({key} differs), {self.path}, remove the folder or choose another --out"
                    )
        self.path.mkdir(exist_ok=True)
        state = {"format": FORMAT, "games": self.games, "identity": self.identity}
        write_atomically(_state_path(self.path), (json.dumps(state, indent=1, ensure_ascii=False) + "\n").encode())

    def parts(self) -> list[range]:
        """The games of each part."""
        return [range(k, min(k + PART_GAMES, self.games)) for k in range(0, self.games, PART_GAMES)]

    def missing(self) -> list[range]:
        """The games of the parts that are not there."""
        return [games for games in self.parts() if not self._path(games).is_file()]

    def write(self, games: range, content: bytes) -> None:
        """Write a part, whole or not at all."""
        write_atomically(self._path(games), content, lasting=False)

    def _path(self, games: range) -> Path:
        return self.path / f"games-{games.start:07d}-{games.stop - 1:07d}.npz"

    def failed(self) -> list[str]:
        """What each failed game said."""
        return [str(text) for part in self._read(["failed"]) for text in part["failed"]]

    def trials(self, number: int) -> Trials:
        """The trials of a subject.

        Raises:
            TuningError: a part is damaged.
        """
        names = [f"{SUBJECTS[number]}_{what}" for what in ("done", "tried", "end")]
        parts = [tuple(part[name] for name in names) for part in self._read(names) if part]
        empty = np.empty((0, N_FEATURES), np.int16)
        done = np.concatenate([empty, *[part[0] for part in parts]])
        tried = np.concatenate([empty, *[part[1] for part in parts]])
        end = np.concatenate([np.empty((0, len(END)), np.int32), *[part[2] for part in parts]])
        return Trials(done, tried, end, np.full(len(end), self.share))

    def _read(self, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The arrays of those names in each part, nothing where it has them not."""
        for games in self.parts():
            path = self._path(games)
            try:
                with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                    yield {name: arrays[name] for name in names if name in arrays}
            except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
                raise TuningError(f"a damaged part, {path}, remove it and run the same command again") from error


def joined(trials: Sequence[Trials]) -> Trials:
    """Trials of several folders as one."""
    return Trials(
        np.concatenate([one.done for one in trials]),
        np.concatenate([one.tried for one in trials]),
        np.concatenate([one.end for one in trials]),
        np.concatenate([one.share for one in trials]),
    )


def _state_path(path: Path) -> Path:
    return path / "trials.json"


def _state(path: Path) -> dict[str, Any] | None:
    """What the file of a folder says, None without a file.

    Raises:
        TuningError: it is damaged, or of another version.
    """
    file = _state_path(path)
    if not file.exists():
        return None
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        refuse_format(content["format"], FORMAT, file)
        if not isinstance(content["games"], int):
            raise ValueError("games")
        dict(content["identity"])
    except TuningError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise TuningError(f"damaged, {file}, remove the folder to start anew") from error
    return content
