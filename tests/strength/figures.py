"""The figure that each style of the library is to top, a row a seat."""

from __future__ import annotations

import polars as pl

from aoi_sim.storage.reader import Run

STYLES = {
    "expansion": "workshops_built",
    "schools": "schools_built",
    "innovator": "innovations",
    "cities": "cities",
    "palace": "palace_round",
    "power": "power_actions",
    "cautious": "power_declined",
}
"""Its own figure by style."""

FIGURES = {
    "workshops_built": 1,
    "schools_built": 1,
    "innovations": 1,
    "cities": 1,
    "palace_round": -1,
    "power_actions": 1,
    "power_declined": 1,
}
"""1 where more is the style, -1 where less is."""

NEVER = 7
"""Round of a palace that is never built: the one after the last."""


def style_rows(run: Run) -> pl.DataFrame:
    """All figures of a run: block, game_index, seat and the figures, a row a seat."""
    events = run.events().with_columns(pl.col("event").cast(pl.String))
    keys = ["game_index", "seat"]
    built = (
        events.filter(pl.col("event").is_in(["workshop_built", "school_built", "palace_built", "power_action_taken"]))
        .group_by(keys)
        .agg(
            (pl.col("event") == "workshop_built").sum().alias("workshops_built"),
            (pl.col("event") == "school_built").sum().alias("schools_built"),
            (pl.col("event") == "power_action_taken").sum().alias("power_actions"),
            pl.col("round").filter(pl.col("event") == "palace_built").min().alias("palace_round"),
        )
    )
    counted = ["workshops_built", "schools_built", "power_actions"]
    return (
        run.seats()
        .select(*keys, "innovations", "cities", "power_declined")
        .join(run.games().select("game_index", "block"), on="game_index")
        .join(built, on=keys, how="left")
        .with_columns(pl.col(*counted).fill_null(0), pl.col("palace_round").cast(pl.Int32).fill_null(NEVER))
        .collect()
    )
