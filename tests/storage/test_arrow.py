import numpy as np
import pyarrow as pa
import pytest

from aoi_sim.storage.arrow import Coded, arrow_schema, build_table, file_metadata
from aoi_sim.storage.schemas import SCHEMAS, TABLE_NAMES
from tests.storage.made import made_columns


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_columns_come_back_as_they_went_in(name: str) -> None:
    columns = made_columns(name, 40)
    table = build_table(name, columns)
    assert table.schema == arrow_schema(name)
    table.validate(full=True)
    assert table.to_pydict() == columns


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_empty_tables_have_their_columns(name: str) -> None:
    table = build_table(name, made_columns(name, 0))
    assert table.num_rows == 0
    assert table.schema == arrow_schema(name)


def test_codes_become_words_with_the_frequent_first() -> None:
    columns = made_columns("offers", 7)
    words = ["swamp", "lake", "never", "lake", "plains"]
    columns["taken"] = Coded(np.array([4, 1, 3, 1, 0, 4, 0]), words)  # type: ignore[assignment]
    taken = build_table("offers", columns).column("taken").combine_chunks()
    assert taken.to_pylist() == ["plains", "lake", "lake", "lake", "swamp", "plains", "swamp"]
    assert taken.dictionary.to_pylist() == ["lake", "plains", "swamp"]


def test_minus_one_and_masks_are_null() -> None:
    columns = made_columns("events", 3)
    columns["hex"] = Coded(np.array([-1, 0, -1]), ["A3"])  # type: ignore[assignment]
    offers = made_columns("offers", 3)
    offers["power"] = np.ma.masked_less(np.array([4, -1, 2]), 0)
    assert build_table("events", columns).column("hex").to_pylist() == [None, "A3", None]
    assert build_table("offers", offers).column("power").to_pylist() == [4, None, 2]


def test_numpy_and_lists_make_the_same_table() -> None:
    columns = made_columns("seats", 20)
    arrays = {
        name: np.array(values) if SCHEMAS["seats"].columns[k].type.startswith(("int", "float")) else values
        for k, (name, values) in enumerate(columns.items())
    }
    assert build_table("seats", arrays).equals(build_table("seats", columns))


def test_what_does_not_fit_is_refused() -> None:
    columns = made_columns("rounds", 2)
    with pytest.raises(pa.ArrowInvalid):
        build_table("rounds", {**columns, "seat": np.array([1, 300])})
    del columns["vp"]
    with pytest.raises(KeyError):
        build_table("rounds", columns)


def test_files_say_what_they_are() -> None:
    table = build_table("seats", made_columns("seats", 1), file_metadata("seats", "1.2 feed", "beef"))
    assert table.schema.metadata == {
        b"aoi_sim.table": b"seats",
        b"aoi_sim.schema_version": b"2",
        b"aoi_sim.rules": b"1.2 feed",
        b"aoi_sim.plan": b"beef",
    }


def test_schemas_are_well_formed() -> None:
    assert TABLE_NAMES == ("games", "seats", "rounds", "offers", "events")
    for schema in SCHEMAS.values():
        names = [column.name for column in schema.columns]
        assert len(set(names)) == len(names)
        assert names[0] == "game_index"
        assert all(column.meaning and name.islower() for name, column in zip(names, schema.columns, strict=True))
