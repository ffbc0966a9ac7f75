"""Restricted play on made games of known truth."""

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.restricted import (
    observed_by_component,
    restricted_pairs,
    worth_by_component,
    worth_of_taking,
)
from aoi_sim.analysis.source import AnalysisError, Frames
from aoi_sim.studies.study_effects import effect_rows

N = 4


def made(
    worth: float, rate: float = 0.4, n_blocks: int = 100, noise: float = 5.0, seed: int = 1, text: str = "not palace/14"
) -> Frames:
    """A run of blocks of five games; who is strong takes the component more often, which adds ``worth`` VP."""
    random = np.random.default_rng(seed)
    rows, games = [], []
    for block in range(n_blocks):
        strength = random.normal(0, 10, N) + random.normal(0, 6)
        takes = random.random(N) < rate + 0.02 * strength
        for place in range(N + 1):
            game = block * (N + 1) + place
            games.append({"game_index": game, "block": block})
            for seat in range(N):
                taken = bool(takes[seat]) and place != seat + 1
                # What follows from a change is chance: the game goes another way for everybody.
                changed = place > 0 and takes[place - 1]
                vp = 100 + strength[seat] + worth * taken + (random.normal(0, noise) if changed else 0)
                rows.append(
                    {
                        "game_index": game,
                        "seat": seat,
                        "faction": ("moles", "monks", "omar", "blessed")[seat],
                        "board": "lake",
                        "vp": vp,
                        "restriction": text if place == seat + 1 else None,
                        "restriction_taken": int(taken),
                    }
                )
    seats = pl.DataFrame(rows, schema_overrides={"restriction": pl.String})
    best = pl.col("vp") == pl.col("vp").max().over("game_index")
    seats = seats.with_columns(win_share=best / best.sum().over("game_index"))
    return Frames({"seats": seats, "games": pl.DataFrame(games).with_columns(n_players=pl.lit(N))})


@pytest.mark.parametrize("worth", [6.0, 0.0, -3.0])
def test_a_planted_worth_lies_in_its_interval_and_what_is_observed_does_not_show_it(worth: float) -> None:
    data = made(worth)
    taking = worth_of_taking(restricted_pairs(data)).row(0, named=True)
    assert taking["low"] < worth < taking["high"]
    assert taking["se"] < 0.6
    observed = observed_by_component(data).row(0, named=True)
    assert observed["low"] > worth + 2, "the strong take it: the observed difference is no worth"
    assert 0.3 < observed["pick_rate"] < 0.5


def test_the_worth_of_the_freedom_is_the_worth_of_a_taking_by_how_often_it_is_taken() -> None:
    pairs = restricted_pairs(made(6, noise=0.0))
    worth = worth_by_component(pairs).filter(quantity="vp").row(0, named=True)
    assert worth["value"] == pytest.approx(6 * pairs["taken"].mean())
    assert worth["n"] == 400
    assert worth_of_taking(pairs)["value"].to_list() == [pytest.approx(6)]
    by_faction = worth_of_taking(pairs, ["faction"])
    assert by_faction["faction"].to_list() == ["blessed", "moles", "monks", "omar"]
    assert by_faction["value"].to_list() == [pytest.approx(6)] * 4


def test_what_must_be_taken_counts_the_other_way() -> None:
    """A component that is taken where it must be and not where it need not, and costs 4 VP."""
    free = made(0, noise=0.0, rate=-5)
    seats = (
        free.table("seats")
        .collect()
        .with_columns(
            pl.when(pl.col("restriction").is_not_null()).then(1).otherwise(0).alias("restriction_taken"),
            pl.when(pl.col("restriction").is_not_null()).then(pl.lit("palace/14 by 3")).alias("restriction"),
            pl.col("vp") - 4 * pl.col("restriction").is_not_null(),
        )
    )
    data = Frames({"seats": seats, "games": free.table("games")})
    taking = worth_of_taking(restricted_pairs(data)).row(0, named=True)
    assert taking["component"] == "palace/14 by 3"
    assert taking["value"] == pytest.approx(-4)


def test_too_few_takings_say_nothing() -> None:
    row = worth_of_taking(restricted_pairs(made(6, rate=-5, n_blocks=5))).row(0, named=True)
    assert (row["n"], row["value"], row["se"]) == (0, None, None)


def test_a_run_without_restrictions_is_refused() -> None:
    free = made(1)
    seats = free.table("seats").with_columns(restriction=pl.lit(None, pl.String))
    with pytest.raises(AnalysisError, match="nobody was restricted"):
        restricted_pairs(Frames({"seats": seats, "games": free.table("games")}))


def test_what_nobody_took_is_not_measured() -> None:
    pairs = pl.DataFrame(
        {
            "component": ["palace/1"] * 40 + ["palace/2"] * 40,
            "block": [*range(40)] * 2,
            "vp": [0.0] * 40 + [float(i % 3) for i in range(40)],
            "margin": [0.0] * 80,
            "win_share": [0.0] * 80,
            "taken": [0.0] * 40 + [1.0] * 40,
            "taken_restricted": [0.0] * 80,
        }
    )
    table = worth_by_component(pairs).filter(quantity="vp").sort("component")
    assert table.select("value", "se", "low", "high").null_count().row(0) == (1,) * 4
    rows = effect_rows(table, "component", quantity="vp", players=4, heuristic="made", games=200)
    assert rows["verdict"].to_list() == ["undecided", "equivalent"]
