"""Reading a run: its tables as lazy polars frames, its manifest, its summary."""

import html
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from aoi_sim.storage.findings import counted
from aoi_sim.storage.journal import with_journal
from aoi_sim.storage.manifest import RunFolderError, check_files, damaged_file
from aoi_sim.storage.manifest_checks import sound_manifest
from aoi_sim.storage.schemas import SCHEMAS
from aoi_sim.storage.summary import summary_table
from aoi_sim.storage.upgrades import upgraded

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """A run, finished or ``partial``.

    ``run.games()``, ``run.seats()``, ``run.rounds()``, ``run.offers()`` and ``run.events()`` are polars LazyFrames;
    ``run.to_pandas("seats")`` is the way to pandas. docs/data.md describes the columns.

    Attributes:
        path: the run folder.
        manifest: what was played, with what, and which files hold it.
    """

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = manifest

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that the run has."""
        return tuple(self.manifest["schemas"])

    def table(self, name: str) -> pl.LazyFrame:
        """A table by its name.

        Raises:
            RunFolderError: the run does not have it.
        """
        if name not in self.tables:
            hint = " (played with events=summary)" if name in SCHEMAS else ""
            raise RunFolderError(f"no table {name}{hint}, {self.path}, choose {', '.join(self.tables)}")
        files = [self.path / entry["files"][name]["path"] for entry in self.manifest["chunks"]]
        return self._today(name, files)

    def _today(self, name: str, files: list[Path]) -> pl.LazyFrame:
        """A table of files in today's columns, words of few as such."""
        frame = upgraded(name, self.manifest["schemas"][name], pl.scan_parquet(files))
        kinds = frame.collect_schema()
        keys = [c.name for c in SCHEMAS[name].columns if c.type == "key" and kinds[c.name] == pl.String]
        return frame.with_columns(pl.col(keys).cast(pl.Categorical)) if keys else frame

    def chunk_tables(self, entry: Mapping[str, Any], *names: str) -> dict[str, pl.DataFrame]:
        """Tables of one chunk of the manifest: those named, or all."""
        return {
            name: self._today(name, [self.path / file["path"]]).collect()
            for name, file in entry["files"].items()
            if not names or name in names
        }

    def games(self) -> pl.LazyFrame:
        """A row a game."""
        return self.table("games")

    def seats(self) -> pl.LazyFrame:
        """A row a player of a finished game."""
        return self.table("seats")

    def rounds(self) -> pl.LazyFrame:
        """A row a player and round."""
        return self.table("rounds")

    def offers(self) -> pl.LazyFrame:
        """A row a pick."""
        return self.table("offers")

    def events(self) -> pl.LazyFrame:
        """A row an event."""
        return self.table("events")

    def to_pandas(self, name: str) -> "pd.DataFrame":
        """A table as a pandas DataFrame.

        Args:
            name: ``games``, ``seats``, ``rounds``, ``offers`` or ``events``.
        """
        return self.table(name).collect().to_pandas()

    @property
    def n_games(self) -> int:
        """Games played, failed ones included."""
        return int(self.manifest["counts"]["games"])

    @property
    def n_failed(self) -> int:
        """Games that raised an error."""
        return int(self.manifest["counts"]["failed"])

    @property
    def partial(self) -> bool:
        """Whether the run was stopped before its last game."""
        return bool(self.manifest.get("partial"))

    def summary(self) -> pl.DataFrame:
        """Mean VP by faction (and level) with its 95 % interval, clustered by block; most VP first."""
        return summary_table(self.seats(), self.games())

    def __repr__(self) -> str:
        partial = f" of {self.manifest['config']['n_games']:,}, partial" if self.partial else ""
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        return f"Run({str(self.path)!r}, {counted(self.n_games, 'game')}{partial}{failed}, {', '.join(self.tables)})"

    def _repr_html_(self) -> str:
        """Summary table for notebooks."""
        config = self.manifest["config"]
        head = (
            f"{'partial: ' if self.partial else ''}{counted(self.n_games, 'game')} of {config['n_players']} players, "
            f"{self.n_failed} failed; "
            f"design {config['design']}, heuristics {', '.join(config['heuristics'])}, "
            f"edition {self.manifest['rules']['edition']}, seed {self.manifest['seed']}; {self.path}"
        )
        rows = []
        for row in self.summary().iter_rows(named=True):
            interval = "-" if row["half_width"] is None else f"± {row['half_width']:.1f}"
            name = " ".join(row[key] for key in ("level", "faction") if key in row)
            rows.append(
                f"<tr><th>{html.escape(name)}</th><td>{row['n']}</td><td>{row['vp']:.1f}</td>"
                f"<td>{interval}</td><td>{row['win_share']:.3f}</td></tr>"
            )
        return (
            f"<p>{html.escape(head)}</p><table><thead><tr><th>faction</th><th>n</th><th>mean VP</th>"
            f"<th>95 % interval</th><th>win share</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )


def open_run(path: str | Path, partial: bool = False, checked: bool = False) -> Run:
    """Open a run.

    Args:
        path: the run folder.
        partial: whether an unfinished run may be opened too, with the games that it has.
        checked: whether to compare every file with its checksum, not its size only (0.1 s for 10,000 games).

    Raises:
        RunFolderError: no run is there, it is unfinished, its manifest was changed, or files of it are missing or damaged.
    """
    folder = Path(path)
    manifest = sound_manifest(folder)
    if manifest.get("partial"):
        manifest = with_journal(folder, manifest)
        if not partial:
            n_games = manifest["counts"]["games"]
            raise RunFolderError(f"unfinished run ({n_games} games so far), {folder}, finish it with --resume")
    check_files(folder, manifest)
    if checked and (damage := damaged_file(folder, manifest)) is not None:
        raise damage
    return Run(folder, manifest)
