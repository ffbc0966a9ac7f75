"""Runs of older versions load as today's."""

from pathlib import Path

import polars as pl
import pytest

from aoi_sim.storage.reader import open_run
from aoi_sim.storage.schemas import SCHEMAS, TABLE_NAMES
from aoi_sim.storage.upgrades import STEPS, is_readable, upgraded

OLD = sorted((Path(__file__).parent / "old").iterdir())


def kind_of(column_type: str) -> pl.DataType | type[pl.DataType]:
    named = {
        "key": pl.Categorical,
        "text": pl.String,
        "keys": pl.List(pl.String),
        "ints": pl.List(pl.Int64),
        "float64": pl.Float64,
    }
    return named.get(column_type) or getattr(pl, column_type.capitalize())


@pytest.mark.parametrize("folder", OLD, ids=[folder.name for folder in OLD])
@pytest.mark.parametrize("name", TABLE_NAMES)
def test_older_tables_have_todays_columns_and_types(folder: Path, name: str) -> None:
    frame = open_run(folder).table(name).collect()
    assert len(frame) > 0
    assert frame.columns == [column.name for column in SCHEMAS[name].columns]
    for column in SCHEMAS[name].columns:
        assert frame.schema[column.name] == kind_of(column.type), column.name
        assert column.nullable or frame[column.name].null_count() == 0, column.name


def test_events_of_older_files_are_as_they_were_stored() -> None:
    words = pl.selectors.categorical().cast(pl.String)
    stored = pl.read_parquet(OLD[0] / "events/*.parquet").with_columns(words)
    assert open_run(OLD[0]).events().collect().with_columns(words).equals(stored)


def test_an_older_run_has_its_summary() -> None:
    summary = open_run(OLD[0]).summary()
    assert summary["n"].sum() == 4
    # By hand from the stored table of seats.
    seats = pl.read_parquet(OLD[0] / "seats/*.parquet")
    assert (summary["n"] * summary["vp"]).sum() == pytest.approx(seats["vp"].sum())


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_steps_lead_from_every_version_to_todays(name: str) -> None:
    today = SCHEMAS[name].version
    assert all(is_readable(name, version) for version in range(1, today + 1))
    assert not is_readable(name, today + 1)
    assert {version for table, version in STEPS if table == name} == set(range(1, today))


def test_a_step_too_few_is_not_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(STEPS, ("games", 1))
    assert not is_readable("games", 1)
    assert not is_readable("prices", 1)


def test_steps_are_taken_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def step(version: int) -> None:
        def made(frame: pl.LazyFrame) -> pl.LazyFrame:
            taken.append(version)
            return frame

        monkeypatch.setitem(STEPS, ("games", version), made)

    for version in range(-1, SCHEMAS["games"].version):
        step(version)
    columns = {column.name: [] for column in SCHEMAS["games"].columns}
    upgraded("games", -1, pl.LazyFrame({**columns, "dropped": []}))
    assert taken == list(range(-1, SCHEMAS["games"].version))
