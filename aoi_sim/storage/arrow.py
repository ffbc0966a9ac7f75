"""Columns of plain numbers and words as Arrow tables, in the types of the schemas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from aoi_sim.storage.schemas import SCHEMAS, Column


@dataclass(frozen=True, slots=True)
class Coded:
    """A key column as positions in a list of words; -1 is null."""

    codes: Any
    words: Sequence[str]


def arrow_type(column: Column) -> Any:
    """The Arrow type of a column."""
    simple = {
        "key": pa.dictionary(pa.int32(), pa.string()),
        "text": pa.string(),
        "keys": pa.list_(pa.string()),
        "ints": pa.list_(pa.int64()),
    }
    return simple.get(column.type) or pa.type_for_alias(column.type)


def arrow_schema(name: str, metadata: Mapping[str, str] | None = None) -> Any:
    """The Arrow schema of a table's files, with their metadata."""
    return _plain_schema(name).with_metadata(dict(metadata) if metadata is not None else None)


@cache
def _plain_schema(name: str) -> Any:
    """A table's schema without metadata, made once a process."""
    return pa.schema([pa.field(c.name, arrow_type(c), nullable=c.nullable) for c in SCHEMAS[name].stored])


def file_metadata(name: str, rules: str, plan: str) -> dict[str, str]:
    """What every file of a table says about itself."""
    return {
        "aoi_sim.table": name,
        "aoi_sim.schema_version": str(SCHEMAS[name].version),
        "aoi_sim.rules": rules,
        "aoi_sim.plan": plan,
    }


def build_table(name: str, columns: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> Any:
    """An Arrow table, as its files hold it, from its columns.

    Args:
        name: a table of the schemas.
        columns: for each column of the files a numpy array, a list, or ``Coded`` for keys.
        metadata: goes into the file.

    Raises:
        KeyError: a column is missing.
        pyarrow.ArrowInvalid: a value does not fit its column.
    """
    schema = arrow_schema(name, metadata)
    arrays = [_array(field.type, columns[field.name]) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(kind: Any, values: Any) -> Any:
    """Values as an array of an Arrow type."""
    if isinstance(values, Coded):
        return _dictionary(np.asarray(values.codes, dtype=np.int32), values.words)
    if pa.types.is_dictionary(kind):
        words = list({value: None for value in values if value is not None})
        position = {word: i for i, word in enumerate(words)}
        return _dictionary(np.array([position.get(value, -1) for value in values], dtype=np.int32), words)
    if isinstance(values, np.ma.MaskedArray):
        return pa.array(values.data, mask=np.ma.getmaskarray(values)).cast(kind)
    if isinstance(values, np.ndarray):
        return pa.array(values).cast(kind)
    if isinstance(values, pa.Array):
        return values
    return pa.array(values, type=kind)


def _dictionary(codes: Any, words: Sequence[str]) -> Any:
    """Dictionary column of the words that occur, each once: equal content is equal bytes.

    Frequent words come first. Their numbers have few bits, which leaves more to find for what packs them (a sorted
    dictionary makes actions a tenth larger).
    """
    counts = np.bincount(codes + 1, minlength=1)[1:]
    used = np.flatnonzero(counts)
    found = [words[code] for code in used.tolist()]
    total: dict[str, int] = {}
    for word, count in zip(found, counts[used].tolist(), strict=True):
        total[word] = total.get(word, 0) + count
    order = sorted(total, key=lambda word: (-total[word], word))
    position = {word: i for i, word in enumerate(order)}
    new = np.full(len(words) + 1, -1, dtype=np.int32)  # the last place serves the code -1
    new[used] = [position[word] for word in found]
    codes = new[codes]
    indices = pa.array(codes, mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(order, type=pa.string()))
