"""Ratings and sample sizes in the report: what is planted is read in their sentences, with n and interval."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.report import figures
from aoi_sim.report.document import Report, Section
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.rating_section import rating_section, rating_sentence
from aoi_sim.report.sample_size_section import sample_size_section
from aoi_sim.report.study import Study
from tests.report.test_balance_report import gain, sentence

Plant = Callable[..., aoi.Run]
MOLES = pl.col("faction") == "moles"


def test_a_planted_strength_is_rated_and_its_loss_too(plant: Plant) -> None:
    strong = rating_section(Study(plant(gain(MOLES, 40), name="strong")))
    assert re.match(r"Factions: moles \+\d+ \[\d+, \d+\] and ", sentence(strong.lead, "Factions"))
    assert "the first finishes before the second in" in sentence(strong.lead, "Factions")
    weak = rating_section(Study(plant(gain(MOLES, -40), name="weak")))
    assert re.search(r"and moles −\d+ \[−\d+, −\d+\] against their mean", sentence(weak.lead, "Factions"))


def test_equal_factions_boards_and_seats_have_no_ratings_that_differ(plant: Plant) -> None:
    section = rating_section(Study(plant(100 - pl.col("vp"))))
    assert section.lead == [
        "Factions: no rating differs beyond doubt from their mean.",
        "Planning boards: no rating differs beyond doubt from their mean.",
        "Seats: no rating differs beyond doubt from their mean.",
    ]


def test_one_game_has_no_ratings_to_tell_of(plant: Plant) -> None:
    section = rating_section(Study(plant(keep=pl.col("game_index") == 5)))
    assert not section.lead or all(text.endswith("too few set-ups to rate them.") for text in section.lead)


def test_odds_are_those_of_the_ratings() -> None:
    rows = {
        "factor": "seat",
        "name": ["0", "1"],
        "value": [200.0, -200.0],
        "se": [50.0, 50.0],
        "low": [100.0, -300.0],
        "high": [300.0, -100.0],
        "blocks": [50, 50],
    }
    text = rating_sentence(pl.DataFrame(rows), "seat")
    # 400 points are odds of ten to one.
    assert text == (
        "Seats: seat 0 +200 [100, 300] and seat 1 −200 [−300, −100] against their mean, all else equal; the first finishes "
        "before the second in 91 % of the games that both are in."
    )


def test_players_that_always_sit_in_the_same_seats_are_rated_without_them(tmp_path: Path) -> None:
    run = aoi.simulate(96, 2, ["greedy", "random"], seed=4, n_jobs=1, out=tmp_path / "run", events="summary")
    study = Study(run)
    assert study.rows.select("seat", "heuristic").n_unique() == 2
    section = rating_section(study)
    assert "seat cannot be told apart" in study.missing["ratings of faction, board, seat, heuristic"]
    for words, others in (("Players", "seat"), ("Seats", "player")):
        told = f"{words} cannot be told from {others} in these games: it takes a design that mixes them."
        assert sentence(section.lead, words) == told


def section(report: Report, key: str) -> Section:
    (found,) = [one for one in report.sections if one.key == key]
    return found


def test_the_report_has_ratings_and_sample_sizes_with_n_and_interval(plain_report: Report) -> None:
    (ratings,) = section(plain_report, "ratings").sheets
    assert {"n", "blocks", "low", "high"} <= {column.name for column in ratings.columns}
    assert ratings.frame.filter(factor="faction")["n"].sum() == 4 * 168
    quantities, factions = section(plain_report, "sample-size").sheets
    assert quantities.frame["n"].unique().to_list() == [168]
    assert len(factions.frame) == 36


def test_twice_the_spread_takes_four_times_the_games(plant: Plant) -> None:
    def games(run: aoi.Run) -> int:
        text = sample_size_section(Study(run)).lead[0]
        found = re.match(r"The margin of every faction is known to ± 1 VP with ([\d,]+) games", text)
        assert found
        return int(found[1].replace(",", ""))

    once, twice = plant(name="once"), plant(pl.col("vp"), name="twice")
    assert games(twice) / games(once) == pytest.approx(4, rel=0.01)


def test_a_run_that_knows_enough_says_so(plant: Plant) -> None:
    level = 100 - pl.col("vp") + pl.col("seat") % 2
    text = sample_size_section(Study(plant(level))).lead[0]
    assert "± 1 VP with" in text and "games (done)" in text.split(", its share")[0]


def test_a_single_set_up_gives_no_sample_sizes(plant: Plant) -> None:
    study = Study(plant(keep=pl.col("game_index") == 5))
    assert sample_size_section(study).is_empty
    assert "single block" in study.missing["sample size"]


def test_the_figure_of_ratings_shows_one_factor() -> None:
    table = pl.DataFrame(
        {
            "factor": ["faction", "faction", "board"],
            "name": ["moles", "omar", "lake"],
            "value": [120.0, -120.0, 9.0],
            "low": [90.0, -150.0, -3.0],
            "high": [150.0, -90.0, 21.0],
            "n": [40, 41, 90],
        }
    )
    ax = figures.plot_joint_ratings(table, new_axes(6, 3))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["omar  (n 41)", "moles  (n 40)"]
    ax = figures.plot_joint_ratings(table, new_axes(6, 3), "board")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["lake  (n 90)"]
