"""What the files of ``events`` hold, and the columns that users get from it.

Three quarters of a run are events. Their files say each thing once: the text of a decision in its first row, whose number
follows from the rows before, and event, subject, amount and VP as one word, of which there are a few hundred.
"""

from typing import Any, Final

import polars as pl

from aoi_sim.storage.schemas import NO_SUBJECT, SCHEMAS

_WORDS: Final = pl.Struct({"event": pl.Categorical, "subject": pl.Categorical, "amount": pl.Int32, "vp": pl.Int32})


def unpacked(table: str, frame: pl.LazyFrame) -> pl.LazyFrame:
    """A table as users get it, from what its files of today's version hold.

    Args:
        table: its name.
        frame: rows of whole games in the order of the files.
    """
    if not SCHEMAS[table].packed:
        return frame
    begun = pl.col("action").is_not_null().cum_sum().over("game_index")
    apart = frame.with_columns(_what=pl.col("what").map_batches(_split, return_dtype=_WORDS, is_elementwise=True))
    return apart.with_columns(
        begun.cast(pl.Int32).sub(1).alias("decision"),
        # What set-up causes has no action, and none before it in its game.
        pl.col("action").forward_fill().over("game_index"),
        *(pl.col("_what").struct.field(field.name) for field in _WORDS.fields),
    ).select(column.name for column in SCHEMAS[table].columns)


def _split(what: pl.Series) -> pl.Series:
    """Event, subject, amount and VP of words; each different word is taken apart once. What is none of them is null."""
    words = what.unique()
    parts = words.cast(pl.String).str.split(" ")
    event, subject, amount, vp = (parts.list.get(k, null_on_oob=True) for k in range(4))
    apart = pl.DataFrame(
        {
            "what": words,
            "event": event.cast(pl.Categorical),
            "subject": subject.set(subject == NO_SUBJECT, None).cast(pl.Categorical),
            "amount": amount.cast(pl.Int32, strict=False),
            "vp": vp.cast(pl.Int32, strict=False),
        }
    )
    joined = what.to_frame("what").join(apart, on="what", how="left", maintain_order="left")
    return joined.drop("what").to_struct(what.name)


def frame_of(table: str, made: Any) -> pl.DataFrame:
    """An Arrow table that was made for a file as users get it."""
    frame = pl.from_arrow(made)
    assert isinstance(frame, pl.DataFrame)
    return unpacked(table, frame.lazy()).collect()
