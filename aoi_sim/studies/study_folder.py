"""The folder of a what-if study: its config, its runs, its effects and its report.

```
DIR/study.json        which study with which config, whether it is finished, how well each run knows its figures
DIR/runs/NAME/        a run folder each (docs/data.md)
DIR/effects.parquet   the figures, a row an effect
DIR/report.md, report.html, and the figures of the report
```
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from aoi_sim.storage.manifest import git_revision, software_versions
from aoi_sim.storage.writer import write_atomically
from aoi_sim.studies.study_report import Page

FORMAT: Final = "aoi-sim study"
FORMAT_VERSION: Final = 1
CONFIG: Final = "study.json"
EFFECTS: Final = "effects.parquet"
RUNS: Final = "runs"


class StudyError(ValueError):
    """A study that cannot be made; the message is one line: what, where, what to do."""


class StudyFolder:
    """A study's folder, made ready or taken up again.

    Args:
        path: of the folder; absent, empty, or with the same study.
        kind: which study it is.
        settings: all that decides its figures, as plain data.

    Raises:
        StudyError: the folder holds something else.
        OSError: it cannot be used.
    """

    def __init__(self, path: Path, kind: str, settings: Mapping[str, Any]) -> None:
        self.path = path
        self.content: dict[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "study": kind,
            "settings": json.loads(json.dumps(settings)),
            "finished": False,
            "precision": {},
            "versions": software_versions(),
            "git_revision": git_revision(),
        }
        if path.exists() and not path.is_dir():
            raise StudyError(f"not a folder, {path} (--out), choose another name")
        if (path / CONFIG).is_file():
            self._same(_read(path / CONFIG))
        elif path.is_dir() and any(path.iterdir()):
            raise StudyError(f"folder is not empty, {path} (--out), choose a new one or empty it")
        path.mkdir(parents=True, exist_ok=True)
        self._write()

    def _same(self, stored: Mapping[str, Any]) -> None:
        """Refuse to go on with another study."""
        if stored["study"] != self.content["study"]:
            what = f"it is a study of {stored['study']}, not of {self.content['study']}"
            raise StudyError(f"another study lies there ({what}), {self.path} (--out), choose another folder")
        old, new = stored["settings"], self.content["settings"]
        for key in {**new, **old}:
            if old.get(key) != new.get(key):
                what = f"its {key} is {words_of(old.get(key))}, not {words_of(new.get(key))}"
                raise StudyError(f"another study lies there ({what}), {self.path} (--out), choose another folder")
        self.content["precision"] = stored["precision"]

    def run(self, name: str) -> Path:
        """The folder of a run of the study."""
        return self.path / RUNS / name

    def note(self, run: str, precision: str) -> None:
        """Write down how well a run knows its figures."""
        self.content["precision"][run] = precision
        self._write()

    def write(self, effects: pl.DataFrame, page: Page, finished: bool) -> None:
        """Write effects and report; each file is whole or as it was before."""
        write_atomically(self.path / EFFECTS, _parquet(effects, self.content))
        for name, content in page.files().items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path / name, content)
        self.content["finished"] = finished
        self._write()

    def _write(self) -> None:
        text = json.dumps(self.content, indent=1, ensure_ascii=False) + "\n"
        write_atomically(self.path / CONFIG, text.encode())


def read_effects(path: str | Path) -> pl.DataFrame:
    """The effects of a study; ``.to_pandas()`` leads to pandas.

    Args:
        path: the study's folder.

    Raises:
        StudyError: there are none.
    """
    file = Path(path) / EFFECTS
    if not file.is_file():
        raise StudyError(f"no effects, {file}, give the folder of a study")
    try:
        return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise StudyError(f"damaged effects, {file}, run the study's command again") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        sound = stored["format"] == FORMAT and {"study", "settings", "precision"} <= set(stored)
    except (ValueError, KeyError, TypeError):
        sound = False
    if not sound:
        raise StudyError(f"damaged or no study, {path}, choose another folder")
    return stored  # type: ignore[no-any-return]


def words_of(value: Any) -> str:
    """A setting as text."""
    if isinstance(value, list):
        return ",".join(map(words_of, value)) or "none"
    if isinstance(value, dict):
        return " ".join(f"{key}={words_of(item)}" for key, item in value.items()) or "none"
    return "none" if value is None or value == "" else str(value)


def _parquet(table: pl.DataFrame, content: Mapping[str, Any]) -> bytes:
    """The table as Parquet, with where it comes from as JSON in the metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    sink = pa.BufferOutputStream()
    pq.write_table(table.to_arrow().replace_schema_metadata({"aoi_sim.study": text}), sink, compression="zstd")
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]
