"""Older files in today's columns: one step from each version of a table to the next.

Whoever changes a table raises its version in ``schemas`` and adds the step from the version before. A step gets and
gives a lazy frame; what a new column cannot know about old games is null or the value that was the only one then.
"""

from collections.abc import Callable
from typing import Final

import polars as pl

from aoi_sim.storage.packed import unpacked
from aoi_sim.storage.schemas import SCHEMAS

Step = Callable[[pl.LazyFrame], pl.LazyFrame]


def _games_without_levels(games: pl.LazyFrame) -> pl.LazyFrame:
    """Before levels and replicates there was one of each."""
    return games.with_columns(level=pl.lit(None, pl.Categorical), replicate=pl.lit(0, pl.Int16))


def _seats_unrestricted(seats: pl.LazyFrame) -> pl.LazyFrame:
    """Before restricted play nobody was restricted."""
    return seats.with_columns(restriction=pl.lit(None, pl.Categorical), restriction_taken=pl.lit(None, pl.Int16))


def _events_as_they_are(events: pl.LazyFrame) -> pl.LazyFrame:
    """Before files of events were packed they had the columns that ``unpacked`` gives."""
    return events


STEPS: Final[dict[tuple[str, int], Step]] = {
    ("games", 1): _games_without_levels,
    ("seats", 1): _seats_unrestricted,
    ("events", 1): _events_as_they_are,
}
"""For a table and version what makes the next version of it."""


def is_readable(table: str, version: int) -> bool:
    """Whether a table of this version can be read: it is today's, or steps lead there."""
    if table not in SCHEMAS:
        return False
    today = SCHEMAS[table].version
    return version == today or (version < today and all((table, v) in STEPS for v in range(version, today)))


def upgraded(table: str, version: int, frame: pl.LazyFrame) -> pl.LazyFrame:
    """A table of any version as ``open_run`` gives it: today's columns, in their order.

    Args:
        table: its name.
        version: of the file.
        frame: what the file holds.
    """
    today = SCHEMAS[table].version
    if version == today:
        return unpacked(table, frame)
    for old in range(version, today):
        frame = STEPS[table, old](frame)
    return frame.select(column.name for column in SCHEMAS[table].columns)
