"""Nothing is called sure on fewer than ten set-ups, however low its q-value, in any sentence or heat map of the reports."""

import re
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.report import strategy_sections
from aoi_sim.report.choice_section import _own_sentence, worth_sentence
from aoi_sim.report.comparison_section import Comparison
from aoi_sim.report.course_section import milestone_sentence, race_sentence
from aoi_sim.report.figures_heat import heat
from aoi_sim.report.pairing_section import interplay_sentence
from aoi_sim.report.rating_section import rating_sentence
from aoi_sim.report.sentences import sure_rows
from aoi_sim.report.study import Study
from aoi_sim.report.tile_section import shift_sentence
from tests.rules_coverage import ROOT

NAMES = {"faction": "moles", "board": "lake", "key": "5", "condition": "first school by round 3", "milestone": "school"}
NAMES |= {"race": "area", "led": True, "quantity": "cities", "when": "final", "factor": "faction", "name": "moles"}
FIGURES = {
    "value": 6.0,
    "se": 0.1,
    "low": 5.8,
    "high": 6.2,
    "p": 0.0001,
    "q": 0.001,
    "best": 3.0,
    "rest": 1.0,
    "size": 2.0,
}
FIGURES |= {f"pooled{end}": value for end, value in (("", 6.0), ("_low", 5.8), ("_high", 6.2))}
FIGURES |= {f"difference{end}": value for end, value in (("", 6.0), ("_low", 5.8), ("_high", 6.2))}
FIGURES |= {f"observed{end}": value for end, value in (("", 6.0), ("_low", 5.8), ("_high", 6.2), ("_q", 0.001))}
FIGURES |= {f"drawn{end}": value for end, value in (("", 6.0), ("_low", 5.8), ("_high", 6.2), ("_q", 0.001))}
COUNTS = {"n": 400, "n_without": 400, "offered": 400}
SHARES = {"pick_share": 0.5, "margin_with": 3.0, "margin_without": -3.0}


def table(blocks: int | None, **more: Any) -> pl.DataFrame:
    return pl.DataFrame([{**NAMES, **FIGURES, **COUNTS, **SHARES, "blocks": blocks, "drawn_blocks": blocks, **more}])


def compared(rows: pl.DataFrame) -> str:
    made = Comparison.__new__(Comparison)
    made.before, made.after, made.factions = "1.0", "1.2", rows
    return made.sentence()


SENTENCES: dict[str, tuple[Callable[[pl.DataFrame], str], str]] = {
    "draw": (lambda rows: shift_sentence(rows, "round tile"), "moles with 5 "),
    "pairings": (interplay_sentence, "moles with lake "),
    "milestones": (milestone_sentence, "first school by round 3 "),
    "races": (race_sentence, "area ("),
    "ratings": (lambda rows: rating_sentence(rows, "faction"), "moles"),
    "choices": (lambda rows: worth_sentence(rows, "palace"), "palace 5 finish"),
    "choices of a faction": (lambda rows: _own_sentence(rows, "palace"), "margin with it less without"),
    "before and after": (compared, "moles "),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_names_what_is_sure_from_ten_set_ups_on(name: str) -> None:
    sentence, words = SENTENCES[name]
    assert words in sentence(table(10))
    for blocks in (2, 5, 9):
        assert words not in sentence(table(blocks))
        assert re.search("beyond doubt", sentence(table(blocks)))
    mixed = pl.concat([table(9, faction="omar", board="forest", key="7", name="omar"), table(10)])
    assert words in sentence(mixed) and not re.search("omar|forest|palace 7", sentence(mixed).split("without: ")[-1])


def test_what_the_draw_shows_has_set_ups_of_its_own() -> None:
    assert "what the draw alone shows" in worth_sentence(table(10), "palace")
    assert "what the draw alone shows" not in worth_sentence(table(10, drawn_blocks=9), "palace")


@pytest.mark.parametrize("blocks", [9, 10])
def test_sections_of_the_strategy_report(plain_run: aoi.Run, monkeypatch: pytest.MonkeyPatch, blocks: int) -> None:
    study = Study(plain_run)
    monkeypatch.setattr(strategy_sections, "_conditions", lambda *_: table(blocks))
    monkeypatch.setattr(strategy_sections, "best_tenth_of_games", lambda *_: table(blocks))
    told = {
        "timings": strategy_sections.timing_section(study, "moles").lead[0],
        "best": strategy_sections.best_section(study, "moles").lead[0],
    }
    assert ("first school by round 3" in told["timings"]) == (blocks == 10) != ("beyond doubt" in told["timings"])
    assert ("more cities in the end" in told["best"]) == (blocks == 10) != ("beyond doubt" in told["best"])


@pytest.mark.parametrize(("blocks", "weight"), [(9, "normal"), (10, "bold")])
@pytest.mark.parametrize("value", ["value", "pooled"])
def test_a_heat_map_marks_the_same(blocks: int, weight: str, value: str) -> None:
    ax = heat(table(blocks), "faction", "key", value=value)
    assert [text.get_fontweight() for text in ax.texts] == [weight]


def test_worth_of_a_tile_tells_the_set_ups_of_both_figures(plain_run: aoi.Run) -> None:
    worth = aoi.analysis.worth_by_tile(plain_run, "palace")
    drawn = aoi.analysis.table_vp_by_tile_available(plain_run, "palace")
    assert (
        worth.join(drawn.rename({"blocks": "right"}), on="key")
        .select(same=pl.col("drawn_blocks") == pl.col("right"))["same"]
        .all()
    )
    assert aoi.analysis.worth_by_tile(plain_run, "city")["drawn_blocks"].null_count() > 0


def test_no_section_decides_by_a_q_value_of_its_own() -> None:
    own = re.compile(r"col\(\"\w*q\"\)\s*<|\[\"\w*q\"\]\s*<")
    found = [path.name for path in (ROOT / "aoi_sim/report").glob("*.py") if own.search(path.read_text())]
    assert found == ["figures_heat.py"], "take sure_rows"


def test_rows_without_a_q_value_or_set_ups_are_not_sure() -> None:
    rows = pl.concat([table(10), table(10, q=None), table(None)], how="vertical_relaxed")
    assert len(sure_rows(rows)) == 1
