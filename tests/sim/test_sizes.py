"""What a game takes on disk."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import aoi_sim as aoi
from aoi_sim.storage.schemas import TABLE_NAMES
from aoi_sim.storage.writer import parquet_bytes


def test_a_game_with_all_events_takes_less_than_four_kilobytes(tmp_path: Path) -> None:
    n_games = 60
    run = aoi.simulate(n_games, 4, "random", n_jobs=1, out=tmp_path / "run")
    sizes = {}
    for name in TABLE_NAMES:
        parts = [pq.read_table(path) for path in sorted((run.path / name).glob("*.parquet"))]
        # One file of all games, as a large run has them; with a chunk of ten games footers weigh more.
        table = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
        sizes[name] = len(parquet_bytes(table)) / n_games
        small = sum(path.stat().st_size for path in (run.path / name).glob("*.parquet")) / n_games
        assert sizes[name] < small < 2100, name
    assert sum(sizes.values()) < 4000
    assert sizes["events"] < 1600
