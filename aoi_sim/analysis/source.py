"""What the analysis reads: the tables of a run, or frames in memory with the same columns."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar
from weakref import WeakKeyDictionary

import polars as pl

QUANTITIES: Final = ("vp", "margin", "win_share", "rank")
"""What a seat is measured by; ``margin`` is its VP less the mean VP of its table."""
_WORDS: Final = ("level", "edition", "map")
_GAME_COLUMNS: Final = ("block", "n_players", "setup_seed", *_WORDS)


P = ParamSpec("P")
Result = TypeVar("Result")


class AnalysisError(ValueError):
    """A question that the data cannot answer; the message is one line: what, where, what to do."""


class Source(Protocol):
    """Anything with tables by name: a ``Run``, or ``Frames``."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that are there."""
        ...

    def table(self, name: str) -> pl.LazyFrame:
        """``games``, ``seats``, ``rounds``, ``offers`` or ``events``."""
        ...


class Frames:
    """Tables in memory instead of a run folder: polars frames, lazy or not, by the name of the table."""

    def __init__(self, tables: Mapping[str, pl.LazyFrame | pl.DataFrame]) -> None:
        self._tables = {name: frame.lazy() for name, frame in tables.items()}

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that are there."""
        return tuple(self._tables)

    def table(self, name: str) -> pl.LazyFrame:
        """A table by its name.

        Raises:
            AnalysisError: it is not there.
        """
        if name not in self._tables:
            raise AnalysisError(f"no table {name}, the frames given, choose {', '.join(self._tables)}")
        return self._tables[name]


def kept(function: Callable[Concatenate[Source, P], Result]) -> Callable[Concatenate[Source, P], Result]:
    """Remember what a function found in a source for as long as the source is there: its tables do not change."""
    found: WeakKeyDictionary[Source, dict[Any, Result]] = WeakKeyDictionary()

    @wraps(function)
    def remembering(data: Source, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        own = found.setdefault(data, {})
        key = (tuple(tuple(a) if isinstance(a, list) else a for a in args), tuple(sorted(kwargs.items())))
        if key not in own:
            own[key] = function(data, *args, **kwargs)
        return own[key]

    return remembering


def game_table(data: Source, extra: Sequence[str] = ()) -> pl.DataFrame:
    """Games by ``game_index``: block, players, seed of the set-up, level, edition, map, and ``extra`` columns; words as text.

    Columns that the table lacks are null, ``n_players`` excepted.
    """
    games = data.table("games")
    there = games.collect_schema().names()
    columns: list[pl.Expr] = []
    for name in _GAME_COLUMNS:
        kind = pl.String if name in _WORDS else pl.Int64
        columns.append((pl.col(name) if name in there else pl.lit(None).alias(name)).cast(kind))
    return games.select("game_index", *columns, *extra).sort("game_index").collect()


@kept
def seat_table(data: Source, extra: Sequence[str] = ()) -> pl.DataFrame:
    """Every seat of every finished game with what it achieved.

    Args:
        data: a run or frames.
        extra: further columns of the table ``seats``.

    Returns:
        A row a seat, in the order of games and seats: ``game_index``, ``seat``, ``faction``, ``board``, ``palace``, ``bonus``,
        ``heuristic`` (words as text; null if the table lacks them), ``vp``, ``margin``, ``win_share``, ``rank`` (mean of the
        ranks that tied seats share), the columns of ``game_table`` and ``extra``.

    Raises:
        AnalysisError: there is no finished game, or a block is missing.
    """
    seats = data.table("seats")
    there = seats.collect_schema().names()
    words = [
        (pl.col(name) if name in there else pl.lit(None).alias(name)).cast(pl.String)
        for name in ("faction", "board", "palace", "bonus", "heuristic")
    ]
    known = {"game_index", "seat", "faction", "board", "palace", "bonus", "heuristic", "vp", "win_share"}
    rows = (
        seats.select(
            *("game_index", "seat"),
            *words,
            pl.col("vp").cast(pl.Float64),
            pl.col("win_share").cast(pl.Float64),
            *(name for name in extra if name not in known),
        )
        .sort("game_index", "seat")
        .with_columns(
            margin=pl.col("vp") - pl.col("vp").mean().over("game_index"),
            rank=pl.col("vp").rank("average", descending=True).over("game_index"),
        )
        .collect()
        .join(game_table(data), on="game_index", how="left", maintain_order="left")
    )
    if not len(rows):
        raise AnalysisError("no finished game, the tables given, play more games")
    if rows["block"].null_count():
        raise AnalysisError("seats without a game and block, the tables given, take games and seats of one run")
    return rows.with_columns(n_players=pl.len().over("game_index").cast(pl.Int64))


def rows_of(data: "Source | pl.DataFrame", extra: Sequence[str] = ()) -> pl.DataFrame:
    """``seat_table`` of a run; a frame made by it (perhaps filtered) stays as it is."""
    return data if isinstance(data, pl.DataFrame) else seat_table(data, extra)


def known_columns(rows: pl.DataFrame, names: Sequence[str]) -> None:
    """Check the names of columns to group by.

    Raises:
        AnalysisError: one is not there, or is empty.
    """
    for name in names:
        if name not in rows.columns:
            raise AnalysisError(f"no column {name}, seats and games, choose {', '.join(sorted(rows.columns))}")
        if rows[name].null_count() == len(rows):
            raise AnalysisError(f"nothing in column {name}, seats and games, group by something else")


def empty(columns: Mapping[str, Any]) -> pl.DataFrame:
    """A table without rows."""
    return pl.DataFrame(schema=dict(columns))
