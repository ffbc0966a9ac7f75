"""The balance report says what the data say, changes when they change, and copes with runs that hold little."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.report.balance_report import balance_report, takeaways
from aoi_sim.report.context import players
from aoi_sim.report.document import Report
from aoi_sim.report.rendering import render
from aoi_sim.report.study import Study
from aoi_sim.report.tile_section import shift_sentence
from tests.report.made_run import edited_manifest

Plant = Callable[..., aoi.Run]
FACTION, BOARD = pl.col("faction"), pl.col("board")
VOID = {"meta", "link", "br", "img", "input", "hr"}


def gain(condition: pl.Expr, vp: int) -> pl.Expr:
    return pl.when(condition).then(vp).otherwise(0)


def told(run: aoi.Run) -> list[str]:
    """The takeaways of a run, without the figures of the report."""
    return list(takeaways(Study(run)))


def sentence(texts: list[str], start: str) -> str:
    """The one sentence that starts so."""
    (found,) = [text for text in texts if text.startswith(start)]
    return found


class Page(HTMLParser):
    """Checks that tags are closed in order; collects ids and what is loaded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._note(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            if name in ("src", "srcset", "action", "data") or (
                name.endswith("href") and not str(value).startswith("#")
            ):
                self.loads.append(str(value))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_planted_faction_is_named_with_its_share_of_wins_and_its_sign(plant: Plant, plain_report: Report) -> None:
    strong = plant(gain(FACTION == "moles", 40), name="strong")
    share = strong.to_pandas("seats").groupby("faction", observed=True)["win_share"].mean()["moles"]
    text = sentence(told(strong), "Moles win")
    assert text.startswith(f"Moles win {100 * share:.0f} % [")
    assert f"{round(100 * (share - 0.25))} points above their share" in text

    weak = told(plant(gain(FACTION == "moles", -40), name="weak"))
    assert "points below their share" in sentence(weak, "Moles win")
    assert weak[0].startswith("Factions differ")
    assert plain_report.takeaways[0] != weak[0]


def test_the_best_and_worst_board_of_a_faction_are_read_off_the_data(plant: Plant) -> None:
    moles = FACTION == "moles"
    extra = gain(moles, 30) + gain(moles & (BOARD == "lake"), 60) + gain(moles & (BOARD == "desert"), -70)
    text = sentence(told(plant(extra)), "Moles win")
    assert re.search(r"best with lake \(\+\d+\.\d\), worst with desert \(−\d+\.\d\)\.$", text)


def test_boards_and_seats_are_called_different_only_where_they_are(plant: Plant) -> None:
    level = 100 - pl.col("vp") + pl.col("seat") % 2  # everybody equal but for the odd seats' point
    report = told(plant(level, name="level"))
    assert sentence(report, "All 7 planning boards are within 2 VP of their mean.")
    assert sentence(report, "All 4 seats are within 2 VP of their mean.")
    lake = told(plant(gain(BOARD == "lake", 30) - gain(BOARD == "swamp", 30), name="lake"))
    assert re.match(r"Among planning boards lake does best .* and swamp worst", sentence(lake, "Among planning boards"))


def test_who_gains_by_a_drawn_tile_is_read_off_the_data(plain_run: aoi.Run, plant: Plant) -> None:
    games = plain_run.games().select("game_index", tile=pl.col("final_tile").cast(pl.String)).collect()
    tile = games["tile"].mode().sort()[0]
    there = pl.col("game_index").is_in(games.filter(tile=tile)["game_index"].implode())
    level = 100 - pl.col("vp") + (pl.col("game_index") * 7 + pl.col("seat") * 3) % 5
    found = told(plant(level + gain((FACTION == "moles") & there, 30), name="gains"))
    assert re.match(
        rf"By final tile, most is gained or lost by moles with {tile} \(\+\d+\.\d VP \[\d",
        sentence(found, "By final tile"),
    )
    found = told(plant(level + gain((FACTION == "moles") & there, -30), name="loses"))
    assert re.match(
        rf"By final tile, most is gained or lost by moles with {tile} \(−\d+\.\d VP \[−\d",
        sentence(found, "By final tile"),
    )
    assert not [text for text in told(plant(level, name="level")) if text.startswith("By ")]


def test_a_shift_is_believed_only_where_the_best_guess_is_sure_too() -> None:
    row: dict[str, Any] = {"faction": "moles", "key": "guild", "q": 0.04, "blocks": 10}
    row |= {"pooled": -0.3, "pooled_low": -5.2, "pooled_high": 4.7}
    sure = {**row, "faction": "omar", "pooled": -3.0, "pooled_low": -5.2, "pooled_high": -0.8}
    assert shift_sentence(pl.DataFrame([row]), "round tile").startswith("No faction gains or loses beyond doubt")
    text = "By round tile, most is gained or lost by omar with guild (−3.0 VP [−5.2, −0.8]); 2 cells looked at."
    assert shift_sentence(pl.DataFrame([row, sure]), "round tile") == text


def test_players_are_described_and_their_scores_named(tmp_path: Path) -> None:
    run = aoi.simulate(12, 2, ["greedy", "random"], seed=4, n_jobs=1, out=tmp_path / "run", events="summary")
    lines = players(Study(run))
    assert sentence(lines, "greedy is a scripted player: Takes what gains most at once")
    assert sentence(lines, "random is a scripted player: Picks a kind of action")
    mean = run.to_pandas("seats").groupby("heuristic", observed=True)["vp"].mean()
    assert f"greedy {mean['greedy']:.1f} VP [" in sentence(lines, "Mean scores at tables with each other: greedy")


def test_games_that_all_end_in_ties_show_no_differences(plant: Plant) -> None:
    report = balance_report(plant(100 - pl.col("vp")))
    assert report.takeaways[0].startswith("The differences between factions are no larger than chance makes them")
    check_page(report)


def check_page(report: Report) -> str:
    """The page is whole, loads nothing and has no holes."""
    text = render(report)
    page = Page(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert [place for place in page.loads if not place.startswith("data:")] == []
    words = re.sub(r"<script>.*?</script>|<style>.*?</style>|<[^>]*>", " ", text, flags=re.DOTALL)
    assert not re.search(r"\b(nan|NaN|None(?! of)|null|inf)\b", words)
    return text


def test_the_page_loads_nothing_and_has_its_parts_in_order(plain_run: aoi.Run, plain_report: Report) -> None:
    text = check_page(plain_report)
    heads = re.findall(r"<h2>(.*?)</h2>", text)
    assert heads[:3] == ["Takeaways", "Who played, and how strong", "What this cannot say"]
    assert heads[-3:] == ["Method", "Trust checks", "Provenance"]
    assert text.count("<figure") >= 8 and text.count("<svg") == text.count("<figure")
    assert "@import" not in text and "url(http" not in text
    assert plain_run.manifest["plan_hash"] in text


def test_every_table_says_on_how_much_it_rests_or_is_about_something_else(plain_report: Report) -> None:
    sheets = {sheet.key: sheet for section in plain_report.sections for sheet in section.sheets}
    for key in ("factions", "boards", "pairings", "seats", "bonus"):
        names = [column.name for column in sheets[key].columns]
        assert {"n", "blocks", "low", "high", "verdict"} <= set(names), key
        assert sheets[key].frame["n"].sum() == 4 * 168
    for sheet in sheets.values():
        assert all(column.meaning for column in sheet.columns), sheet.key


def test_sources_add_up_to_the_score(plain_report: Report) -> None:
    (sheet,) = [s for section in plain_report.sections for s in section.sheets if s.key == "sources"]
    sources = [name for name in sheet.frame.columns if name.startswith("vp_from_")]
    assert sheet.frame.select(sources).to_numpy().sum(axis=1) == pytest.approx(sheet.frame["vp"].to_numpy())
    assert sheet.frame["vp"].is_sorted(descending=True)


def test_the_report_is_the_same_each_time(plain_run: aoi.Run, plain_report: Report) -> None:
    assert render(plain_report) == render(balance_report(plain_run))


def test_markdown_has_the_same_takeaways_and_tables(plain_report: Report) -> None:
    report, text = plain_report, render(plain_report, "md")
    for takeaway in report.takeaways:
        assert f"- {takeaway}" in text
    assert text.count("|---") >= sum(len(section.sheets) for section in report.sections)
    assert "<" not in re.sub(r"\b\w+<\w+", "", text)


def test_one_game_gives_a_report_that_claims_nothing(plant: Plant) -> None:
    report = balance_report(plant(keep=pl.col("game_index") == 5))
    check_page(report)
    assert report.subtitle.startswith("1 game of 4 players on 1 set-up")
    assert not [text for text in report.takeaways if " win " in text]
    assert report.takeaways[0] == "There are too few set-ups to say how far factions differ."


def test_a_faction_that_never_played_has_no_row(plant: Plant) -> None:
    report = balance_report(plant(keep=FACTION != "moles"))
    check_page(report)
    (sheet,) = [s for section in report.sections for s in section.sheets if s.key == "factions"]
    assert "moles" not in sheet.frame["faction"].to_list() and len(sheet.frame) == 11


def test_runs_of_two_players_of_choice_without_events_and_with_levels_have_reports(tmp_path: Path) -> None:
    levels = {"plain": "random", "again": "random"}
    paired = aoi.simulate(24, 2, levels, seed=2, n_jobs=1, out=tmp_path / "paired", events="summary")
    report = balance_report(paired)
    check_page(report)
    assert "12 games of 2 players" in report.subtitle and "level plain of 2" in report.subtitle
    assert [text for text in report.limits if "--events summary" in text]
    chosen = balance_report(aoi.simulate(6, 3, "random", design="choice", n_jobs=1, out=tmp_path / "choice"))
    check_page(chosen)
    assert [text for text in chosen.limits if text.startswith("Players picked faction and board themselves")]


def test_players_that_differ_in_strength_have_a_ladder(tmp_path: Path) -> None:
    run = aoi.simulate(48, 2, ["greedy", "random"], seed=4, n_jobs=1, out=tmp_path / "run", events="summary")
    report = balance_report(run)
    check_page(report)
    (ladder,) = [one for one in report.sections if one.key == "ladder"]
    # Each of them has a seat of its own.
    assert ladder.lead[0].startswith("Players cannot be told from seat")
    quality = next(one for one in report.sections if one.key == "quality")
    gaps = run.seats().group_by("game_index").agg(pl.col("vp").max() - pl.col("vp").min()).collect()["vp"]
    assert quality.lead[0].startswith(f"The winner is {gaps.mean():.1f} VP")


def test_a_suspicious_trust_check_is_among_the_takeaways(plant: Plant) -> None:
    run = plant()
    check = {"name": "mirror match", "verdict": "suspicious", "figures": {}, "sentence": "seat 2 wins too often"}
    edited_manifest(run.path, trust=[check])
    assert told(aoi.open_run(run.path))[-1] == (
        "Careful: 1 trust check found something suspicious (mirror match: seat 2 wins too often)."
    )


def test_a_run_without_a_finished_game_is_one_line(plant: Plant) -> None:
    run = plant()
    counts = {**run.manifest["counts"], "failed": run.n_games}
    edited_manifest(run.path, counts=counts)
    with pytest.raises(aoi.RunFolderError, match="no finished game"):
        balance_report(aoi.open_run(run.path))
