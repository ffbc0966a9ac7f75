"""Who does best and worst is said by the verdicts beside it, and not at all where the design cannot tell."""

from __future__ import annotations

import re
from collections.abc import Callable

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aoi_sim as aoi
from aoi_sim.report.balance_report import balance_report
from aoi_sim.report.balance_sections import standing_sentences
from aoi_sim.report.sentences import best_and_worst, verdict_sentence
from aoi_sim.report.study import Study
from tests.report.test_balance_report import gain

Plant = Callable[..., aoi.Run]
FACTION, SEAT = pl.col("faction"), pl.col("seat")
VERDICTS = st.sampled_from(["different", "undecided", "equivalent", None])
ROWS = st.lists(st.tuples(st.integers(-300, 300).filter(bool), VERDICTS), min_size=2, max_size=9)


def table_of(rows: list[tuple[int, str | None]]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "board": [f"b{i}" for i in range(len(rows))],
            "effect": [value / 10 for value, _ in rows],
            "effect_low": [value / 10 - 1 for value, _ in rows],
            "effect_high": [value / 10 + 1 for value, _ in rows],
            "verdict": [verdict for _, verdict in rows],
            "games_needed": [None] * len(rows),
        },
        schema_overrides={"verdict": pl.String, "games_needed": pl.Int64},
    )


@given(ROWS)
def test_best_and_worst_are_those_of_the_verdicts_beside_them(rows: list[tuple[int, str | None]]) -> None:
    text, beside = (
        best_and_worst(table_of(rows), "board", "boards"),
        verdict_sentence(table_of(rows), "board", "boards"),
    )
    sure = [(value, f"b{i}") for i, (value, verdict) in enumerate(rows) if verdict == "different"]
    known = [verdict for _, verdict in rows if verdict]
    named = re.findall(r"(b\d) (?:does )?(best|worst)", text)
    if len(known) < 2:
        assert not named
        return
    above, below = [one for one in sure if one[0] > 0], [one for one in sure if one[0] < 0]
    values = {name: value for value, name in sure}
    assert [values[name] for name, word in named if word == "best"] == ([max(above)[0]] if above else [])
    assert [values[name] for name, word in named if word == "worst"] == ([min(below)[0]] if below else [])
    assert text.startswith("Among ") == bool(sure) == (" from their mean beyond doubt" in beside)
    assert ("1 of " in beside and " differ from" in beside) is False


def test_a_group_that_does_not_differ_has_one_sentence(plain_run: aoi.Run) -> None:
    study = Study(plain_run)
    for table, name in ((study.boards, "board"), (study.seats, "seat")):
        sure = (table["verdict"] == "different").sum()
        lines = standing_sentences(study, table, name, f"{name}s")
        assert len(lines) == (2 if sure else 1)
        assert all(("beyond doubt" in text or text.startswith("Among")) == (sure > 0) for text in lines)


@pytest.fixture
def seated(plant: Plant) -> aoi.Run:
    """Moles are strong and always sit in seat 0, which nobody else does."""
    return plant(gain(FACTION == "moles", 60), (FACTION == "moles") == (SEAT == 0), name="seated")


def test_a_seat_that_is_a_faction_is_not_told_from_it(seated: aoi.Run) -> None:
    study = Study(seated)
    assert study.n_blocks >= 10
    assert "faction" in study.mixed("seat") and "seat" in study.mixed("faction")
    report = balance_report(seated)
    said = {section.key: section.lead for section in report.sections}
    every = [*report.takeaways, *(text for lead in said.values() for text in lead)]
    assert said["seats"][0].startswith("Seats cannot be told from faction")
    assert [text for text in report.takeaways if text.startswith("Seats cannot be told from faction")]
    assert [text for text in report.takeaways if re.match("Factions cannot be told from .*seat", text)]
    assert not [text for text in every if re.search(r"seat \d (does best|worst|[+−])", text)]
    assert not [text for text in every if text.startswith(("Moles win", "Factions differ", "Among seats"))]
    (sheet,) = [one for section in report.sections for one in section.sheets if one.key == "seats"]
    assert sheet.frame["effect"].null_count() == sheet.frame["verdict"].null_count() == len(sheet.frame)


def test_a_design_that_mixes_them_tells_them_apart(plain_run: aoi.Run) -> None:
    study = Study(plain_run)
    assert [study.mixed(name) for name in ("faction", "board", "seat", "bonus", "heuristic")] == [[]] * 5
