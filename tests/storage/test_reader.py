import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from aoi_sim.storage.manifest import RunFolderError, checksum_of, read_manifest, schema_versions
from aoi_sim.storage.reader import Run, open_run
from aoi_sim.storage.schemas import SCHEMAS, TABLE_NAMES
from aoi_sim.storage.summary import summary_table
from tests.storage.made import as_users_get_it, made_chunk, made_run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made_run(tmp_path / "run")
    return open_run(tmp_path / "run")


def rows(name: str) -> list[dict[str, Any]]:
    return [row for number in (0, 1) for row in made_chunk(range(3 * number, 3 * number + 3), number)[name].to_pylist()]


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_polars_reads_what_was_written(run: Run, name: str) -> None:
    frame = run.table(name).collect()
    assert frame.columns == [column.name for column in SCHEMAS[name].columns]
    assert frame.to_dicts() == as_users_get_it(name, rows(name))
    assert getattr(run, name)().collect().equals(frame)


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_polars_alone_reads_it(run: Run, name: str) -> None:
    assert pl.read_parquet(run.path / name / "*.parquet").to_dicts() == rows(name)


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_pandas_reads_it(run: Run, name: str) -> None:
    stored, table = rows(name), as_users_get_it(name, rows(name))
    for frame, expected, columns in (
        (run.to_pandas(name), table, SCHEMAS[name].columns),
        (pd.read_parquet(run.path / name), stored, SCHEMAS[name].stored),
    ):
        assert list(frame.columns) == [column.name for column in columns]
        assert frame["game_index"].tolist() == [row["game_index"] for row in expected]
        keys = [column.name for column in columns if column.type == "key" and not column.nullable]
        for key in keys:
            assert frame[key].tolist() == [row[key] for row in expected]


def test_duckdb_reads_it(run: Run) -> None:
    found = duckdb.sql(
        f"select g.block, count(*), sum(s.vp) from '{run.path}/seats/*.parquet' s "
        f"join '{run.path}/games/*.parquet' g using (game_index) group by g.block order by g.block"
    ).fetchall()
    seats = rows("seats")
    assert found == [
        (block, 8, sum(row["vp"] for row in seats if row["game_index"] // 2 == block)) for block in range(3)
    ]
    for name in TABLE_NAMES:
        counted = duckdb.sql(f"select count(*) from '{run.path}/{name}/*.parquet'").fetchall()
        assert counted == [(len(rows(name)),)]


def test_the_sql_of_the_docs_gives_the_events_of_the_files(run: Run) -> None:
    docs = (Path(__file__).parents[2] / "docs/data.md").read_text(encoding="utf-8")
    query = docs.split("```sql\n")[1].split("```")[0].replace("DIR", str(run.path))
    found = duckdb.sql(f"SELECT * FROM ({query}) ORDER BY game_index, sequence")
    assert found.columns == [column.name for column in SCHEMAS["events"].columns]
    assert found.fetchall() == [tuple(row.values()) for row in as_users_get_it("events", rows("events"))]


def test_a_game_read_alone_has_the_decisions_that_it_has_among_others(run: Run) -> None:
    events = run.events().collect()
    for game in events["game_index"].unique():
        alone = run.events().filter(pl.col("game_index") == game).collect()
        assert alone.equals(events.filter(pl.col("game_index") == game))
    some = run.events().filter(pl.col("round") > 50).select("decision", "vp").collect()
    assert some.equals(events.filter(pl.col("round") > 50).select("decision", "vp"))


def test_key_columns_compare_with_words_and_join_across_files(run: Run) -> None:
    seats = run.seats().filter(pl.col("faction") == "moles").collect()
    assert len(seats) == sum(row["faction"] == "moles" for row in rows("seats")) > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        joined = run.seats().join(run.offers(), left_on="faction", right_on="taken").collect()
    assert len(joined) > 0


def test_the_run_shows_itself(run: Run) -> None:
    assert repr(run) == f"Run({str(run.path)!r}, 6 games, games, seats, rounds, offers, events)"
    shown = run._repr_html_()
    assert "6 games of 4 players" in shown
    assert shown.count("<tr>") == 1 + run.seats().select(pl.col("faction").n_unique()).collect().item()


def test_missing_table_says_so(run: Run) -> None:
    with pytest.raises(RunFolderError, match="no table prices"):
        run.table("prices")
    schemas = {name: version for name, version in run.manifest["schemas"].items() if name != "events"}
    without = Run(run.path, {**run.manifest, "schemas": schemas})
    with pytest.raises(RunFolderError, match=r"no table events \(played with events=summary\)"):
        without.events()


def damage_nothing_there(folder: Path) -> None:
    shutil.rmtree(folder)


def damage_file_instead(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("hello")


def damage_empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def damage_unfinished(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def damage_no_json(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text()[:-50])


def damage_no_text(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\xfe\x00")


def damage_foreign(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"format": "web app"}')


def damage_list(folder: Path) -> None:
    (folder / "manifest.json").write_text("[1, 2]")


def change(folder: Path, **values: Any) -> None:
    path = folder / "manifest.json"
    changed = {**json.loads(path.read_text()), **values}
    path.write_text(json.dumps({**changed, "checksum": checksum_of(changed)}))


def damage_newer(folder: Path) -> None:
    change(folder, format_version=99)


def damage_key(folder: Path) -> None:
    change(folder, counts=None)


def damage_chunks(folder: Path) -> None:
    change(folder, chunks=[{"chunk": 0}])


def damage_schema(folder: Path) -> None:
    change(folder, schemas={**schema_versions(TABLE_NAMES), "seats": 99})


def damage_table(folder: Path) -> None:
    change(folder, schemas={"games": 1, "prices": 1})


def damage_missing_part(folder: Path) -> None:
    (folder / "seats/part-00001.parquet").unlink()


def damage_truncated(folder: Path) -> None:
    path = folder / "events/part-00000.parquet"
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (damage_nothing_there, "no such run"),
        (damage_file_instead, "not a run folder"),
        (damage_empty, "not a run, no manifest.json"),
        (damage_unfinished, "unfinished run"),
        (damage_no_json, "damaged manifest"),
        (damage_no_text, "damaged manifest"),
        (damage_foreign, "another program"),
        (damage_list, "another program"),
        (damage_newer, "manifest version 99"),
        (damage_key, "key counts"),
        (damage_chunks, "manifest damaged: chunks[0]"),
        (damage_schema, "table seats has schema version 99"),
        (damage_table, "a file for each table of schemas"),
        (damage_missing_part, "missing file"),
        (damage_truncated, "damaged file"),
    ],
)
def test_damaged_folders_are_refused_in_one_line(tmp_path: Path, damage: Any, words: str) -> None:
    made_run(tmp_path / "run")
    damage(tmp_path / "run")
    with pytest.raises(RunFolderError) as caught:
        open_run(tmp_path / "run")
    assert words in str(caught.value)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_manifest_reads_back(tmp_path: Path) -> None:
    parts = made_run(tmp_path / "run")
    manifest = read_manifest(tmp_path / "run")
    assert manifest["format"] == "aoi-sim run"
    files = manifest["chunks"][1]["files"]
    assert files["seats"]["sha256"] == parts["seats"][1].sha256
    assert files["seats"]["rows"] == parts["seats"][1].n_rows
    assert manifest["chunks"][1]["first_game"] == 3


def test_the_summary_of_a_paired_run_keeps_its_levels_apart() -> None:
    vps = {"plain": [100, 110], "rich": [120, 140]}
    index = [(level, block) for level in vps for block in (0, 1)]
    games = pl.LazyFrame({"game_index": range(4), "block": [b for _, b in index], "level": [name for name, _ in index]})
    seats = pl.LazyFrame(
        {"game_index": range(4), "faction": ["moles"] * 4, "vp": [vps[n][b] for n, b in index], "win_share": [0.5] * 4}
    )
    table = summary_table(seats, games)
    assert table.select("level", "faction", "n", "vp").rows() == [
        ("plain", "moles", 2, 105.0),
        ("rich", "moles", 2, 130.0),
    ]


def test_older_games_get_no_level_and_the_first_replicate() -> None:
    run = open_run(Path(__file__).parent / "old/version-1")
    assert run.manifest["schemas"]["games"] == 1
    games = run.games().collect()
    assert games["level"].null_count() == len(games) > 0
    assert set(games["replicate"]) == {0}
    assert run.games().collect_schema().names() == [column.name for column in SCHEMAS["games"].columns]


def test_files_carry_schema_version_rules_and_plan(run: Run) -> None:
    for name in TABLE_NAMES:
        metadata = pq.read_schema(run.path / name / "part-00000.parquet").metadata
        assert metadata[b"aoi_sim.schema_version"] == str(SCHEMAS[name].version).encode()
        assert metadata[b"aoi_sim.plan"] == b"beef"


def test_summary_is_the_clustered_interval_worked_out_by_hand() -> None:
    # Moles in blocks 0, 0, 1, 2 with VP 80, 90, 100, 110: mean 95, residuals by block -20, 5, 15.
    # Variance 3/2 * (400 + 25 + 225) / 16 = 60.94, t(2, 97.5 %) = 4.3027: half width 33.59.
    seats = pl.LazyFrame(
        {
            "game_index": [0, 1, 2, 3, 3],
            "faction": ["moles", "moles", "moles", "moles", "monks"],
            "vp": [80, 90, 100, 110, 50],
            "win_share": [0.0, 1.0, 1.0, 1.0, 0.0],
        }
    )
    games = pl.LazyFrame({"game_index": [0, 1, 2, 3], "block": [0, 0, 1, 2], "level": [None] * 4})
    moles, monks = summary_table(seats, games).to_dicts()
    assert moles["faction"] == "moles"
    assert (moles["n"], moles["blocks"], moles["vp"], moles["win_share"]) == (4, 3, 95.0, 0.75)
    assert moles["half_width"] == pytest.approx(33.588, abs=0.001)
    assert (monks["n"], monks["half_width"]) == (1, None)
