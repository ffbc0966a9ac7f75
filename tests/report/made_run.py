"""Small runs with planted effects: real games of random players whose scores are changed afterwards."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import polars as pl

from aoi_sim.storage.manifest import read_manifest, write_manifest
from aoi_sim.storage.reader import Run, open_run

VP = pl.col("vp")


def planted(source: Run, folder: Path, extra: pl.Expr | None = None, keep: pl.Expr | None = None) -> Run:
    """A copy of a run in which seats have ``extra`` VP (as a whole number) from their faction.

    Ranks, winners and shares follow. ``keep`` leaves only the games for which it is true of every seat.
    """
    shutil.copytree(source.path, folder)
    manifest = read_manifest(folder)
    kept = _kept(source, keep)
    for entry in manifest["chunks"]:
        for name, file in entry["files"].items():
            path = folder / file["path"]
            frame = pl.read_parquet(path).filter(pl.col("game_index").is_in(kept))
            if name == "seats" and extra is not None:
                frame = _scored(frame, extra)
            frame.write_parquet(path)
            file["bytes"], file["rows"] = path.stat().st_size, len(frame)
            file["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest["counts"]["games"] = len(kept)
    write_manifest(folder, manifest)
    return open_run(folder)


def _kept(source: Run, keep: pl.Expr | None) -> list[int]:
    seats = source.seats().with_columns(pl.selectors.categorical().cast(pl.String))
    games = seats.group_by("game_index").agg(keep=pl.lit(True) if keep is None else keep.all())
    return games.filter("keep").sort("game_index").collect()["game_index"].to_list()


def _scored(seats: pl.DataFrame, extra: pl.Expr) -> pl.DataFrame:
    words = seats.with_columns(pl.col("faction", "board").cast(pl.String))
    gain = words.select(extra.cast(pl.Int32).alias("gain"))["gain"]
    changed = seats.with_columns(vp=VP + gain, vp_from_faction=pl.col("vp_from_faction") + gain)
    first = VP.max().over("game_index") == VP
    return changed.with_columns(
        rank=VP.rank("min", descending=True).over("game_index").cast(seats.schema["rank"]),
        win_share=pl.when(first).then(1 / first.sum().over("game_index")).otherwise(0.0),
    )


def edited_manifest(folder: Path, **changes: object) -> None:
    """Change keys of a manifest, its own checksum too."""
    manifest = read_manifest(folder)
    write_manifest(folder, json.loads(json.dumps({**manifest, **changes})))
