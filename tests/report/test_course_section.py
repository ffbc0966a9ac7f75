"""How games go: what goes with winning is read off the data, with n and intervals."""

from __future__ import annotations

import re
from collections.abc import Callable

import polars as pl

import aoi_sim as aoi
from aoi_sim.analysis.tempo import milestone_rounds
from aoi_sim.report.course_section import course_section, power_sentence
from aoi_sim.report.document import Report
from aoi_sim.report.study import Study

Plant = Callable[..., aoi.Run]
LEVEL_GAME = 100 - pl.col("vp") + (pl.col("game_index") * 7 + pl.col("seat") * 3) % 5
"""Everybody about equal, with a little luck."""


def told(run: aoi.Run) -> list[str]:
    return course_section(Study(run)).lead


def test_what_an_early_first_goes_with_is_read_off_the_data(plain_run: aoi.Run, plant: Plant) -> None:
    first = milestone_rounds(plain_run).select(pl.col("first_school") <= 3).to_series().fill_null(False)
    assert 0.05 < first.mean() < 0.95
    seats = milestone_rounds(plain_run).filter(first).select(pl.format("{} {}", "game_index", "seat")).to_series()
    early = pl.format("{} {}", "game_index", "seat").is_in(seats.implode())
    gains = told(plant(LEVEL_GAME + pl.when(early).then(12).otherwise(0), name="gains"))[0]
    assert re.search(r"first school by round 3 \(\+1[12]\.\d VP \[1[12]\.\d, 1[12]\.\d\]\)", gains), gains
    loses = told(plant(LEVEL_GAME - pl.when(early).then(12).otherwise(0), name="loses"))[0]
    assert re.search(r"first school by round 3 \(−1[12]\.\d VP \[−1[12]\.\d, −1[12]\.\d\]\)", loses), loses


def test_where_nothing_goes_with_winning_nothing_is_said_to(plant: Plant) -> None:
    lines = told(plant(100 - pl.col("vp")))
    assert lines[0] == "No first school, palace, university, city or innovation goes beyond doubt with more or less VP."
    assert lines[1] == "To lead area or a discipline at the end goes with no better margin beyond doubt."


def test_leaders_of_a_race_are_named_where_they_stand_ahead(plant: Plant) -> None:
    leads = pl.col("area") == pl.col("area").max().over("game_index")
    text = told(plant(LEVEL_GAME + pl.when(leads).then(30).otherwise(0)))[1]
    assert re.match(r"Those who lead a race at the end stand ahead of their table: area \(\+1\d", text), text


def test_power_that_costs_vp_is_counted() -> None:
    rows = {"power": [1, 2, 4], "vp_cost": [0, 1, 3], "n": [900, 140, 40]}
    shares = {"value": [0.9, 0.5, 0.1], "low": [0.88, 0.35, 0.02], "high": [0.92, 0.65, 0.4]}
    table = pl.DataFrame({**rows, **shares})
    assert power_sentence(table) == (
        "Power that costs 1 VP is taken in 50 % [35, 65] of 140 offers, at 3 VP in 10 % [2, 40] of 40."
    )
    seldom = table.with_columns(n=pl.lit(20))
    assert power_sentence(seldom) == "Power at a price was offered too seldom to tell how often it is taken."


def test_one_game_claims_nothing(plant: Plant) -> None:
    lines = told(plant(keep=pl.col("game_index") == 5))
    assert not [text for text in lines if "Goes with" in text or "stand ahead" in text]


def test_its_tables_have_n_and_intervals(plain_report: Report) -> None:
    (section,) = [one for one in plain_report.sections if one.key == "course"]
    assert [sheet.key for sheet in section.sheets] == ["milestones", "races", "passing", "power-offers"]
    for sheet in section.sheets:
        assert {"n", "low", "high"} <= {column.name for column in sheet.columns}, sheet.key
    passing = section.sheets[2].frame
    assert passing["n"].sum() == 168 * 4 * passing["round"].n_unique()
