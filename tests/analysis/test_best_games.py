"""The best tenth of games beside the rest: differences that were put there are found, others are not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.best_games import EARLY, best_tenth_of_games
from aoi_sim.analysis.source import AnalysisError, Frames


def made(n_games: int, seed: int, worth: float) -> Frames:
    """Two-seat games in which a school is worth VP and a guild is not; a block has two games."""
    random = np.random.default_rng(seed)
    n = 2 * n_games
    schools, guilds = random.integers(0, 4, n), random.integers(0, 4, n)
    seats = pl.DataFrame(
        {
            "game_index": np.repeat(np.arange(n_games), 2),
            "seat": np.tile([0, 1], n_games),
            "faction": np.tile(["moles", "omar"], n_games),
            "board": "lake",
            "vp": 100 + worth * schools + random.normal(0, 10, n),
            "win_share": 0.5,
            "schools": schools,
            "guilds": guilds,
            "palaces": 1,
        }
    )
    rounds = seats.select("game_index", "seat", round=pl.lit(3), **{name: pl.lit(0) for name in EARLY}).with_columns(
        schools=pl.Series(schools)
    )
    games = pl.DataFrame({"game_index": range(n_games)}).with_columns(block=pl.col("game_index") // 2)
    return Frames({"seats": seats, "rounds": rounds, "games": games})


def row(table: pl.DataFrame, quantity: str, when: str = "final") -> dict[str, float]:
    return table.filter((pl.col("quantity") == quantity) & (pl.col("when") == when)).row(0, named=True)


def test_what_brings_points_stands_first_and_means_are_those_of_the_games() -> None:
    data = made(400, 1, 8.0)
    table = best_tenth_of_games(data, "moles")
    assert table["quantity"][0] == "schools"
    schools = row(table, "schools")
    seats = data.table("seats").with_columns(margin=pl.col("vp") - pl.col("vp").mean().over("game_index"))
    own = seats.filter(pl.col("faction") == "moles").sort("margin", descending=True).collect()
    assert schools["best"] == pytest.approx(own["schools"][:40].mean())
    assert schools["rest"] == pytest.approx(own["schools"][40:].mean())
    assert (
        schools["low"] > 0.3
        and schools["q"] < 0.05
        and schools["value"] == pytest.approx(schools["best"] - schools["rest"])
    )
    assert row(table, "schools", "round 3")["value"] == pytest.approx(schools["value"])
    assert "palaces" not in table["quantity"].to_list(), "what never varies is no difference"


def test_few_games_are_refused_in_a_line() -> None:
    with pytest.raises(AnalysisError, match="12 games of moles, best tenth, play at least 50"):
        best_tenth_of_games(made(12, 1, 0.0), "moles")
