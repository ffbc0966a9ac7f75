"""What players choose: planted worth of a tile or an opening is read in the sentence, with its warning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.report.choice_section import choice_section, opening_section, own_choice_section
from aoi_sim.report.study import Study
from tests.report.test_balance_report import gain

Plant = Callable[..., aoi.Run]


@pytest.fixture(scope="module")
def common(plain_run: aoi.Run) -> str:
    """The palace that was taken most often."""
    palaces = plain_run.seats().select(pl.col("palace").cast(pl.String)).drop_nulls().collect()["palace"]
    return str(palaces.value_counts(sort=True)["palace"][0])


def test_a_palace_with_planted_worth_is_named_with_a_warning(plant: Plant, common: str) -> None:
    for worth, sign in ((60, "+"), (-60, "−")):
        run = plant(gain(pl.col("palace").cast(pl.String) == common, worth), name=f"worth{worth}")
        section = choice_section(Study(run))
        assert section.lead[0].startswith("Palaces: those with ")
        assert f"palace {common} " in section.lead[0] and f"{sign}" in section.lead[0]
        assert "may have been ahead already" in section.notes[0]
        sheet = section.sheets[0]
        row = sheet.frame.filter(pl.col("key") == common).row(0, named=True)
        assert (row["observed"] > 30) == (worth > 0)
        assert row["does"], "the tile says what it does"


def test_without_a_difference_none_is_claimed(plant: Plant) -> None:
    section = choice_section(Study(plant(100 - pl.col("vp"))))
    assert section.lead and all("no difference" in text for text in section.lead)


def test_choices_of_a_faction_are_its_own(tmp_path: Path) -> None:
    run = aoi.simulate(40, 2, "greedy", focus=["moles"], seed=4, n_jobs=1, out=tmp_path / "focus")
    section = own_choice_section(Study(run), "moles")
    assert [text for text in section.lead if text.startswith("Competencies taken most where open: competency ")]
    for sheet in section.sheets:
        assert (sheet.frame["n"] + sheet.frame["n_without"]).max() <= 40, "moles play each game once"


def test_an_opening_with_planted_worth_is_best(plain_run: aoi.Run, plant: Plant) -> None:
    second = plain_run.rounds().filter((pl.col("round") == 2) & (pl.col("guilds") >= 1)).collect()
    keys = (second["game_index"].cast(pl.Int64) * 10 + second["seat"].cast(pl.Int64)).to_list()
    has = (pl.col("game_index").cast(pl.Int64) * 10 + pl.col("seat").cast(pl.Int64)).is_in(keys)
    text = opening_section(Study(plant(gain(has, 50)))).lead[0]
    assert "best " in text and "guild" in text.split("best ")[1].split("(")[0]
    assert "guild" not in text.split("worst ")[1]
