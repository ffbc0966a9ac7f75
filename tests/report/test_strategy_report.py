"""The strategy report of a faction follows the data of that faction, and says why it cannot say more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.report.document import Report, Section
from aoi_sim.report.strategy_report import strategy_report
from tests.report.made_run import planted
from tests.report.test_balance_report import check_page, gain

Plant = Callable[..., aoi.Run]
MOLES = pl.col("faction") == "moles"


def section(report: Report, key: str) -> Section:
    (found,) = [one for one in report.sections if one.key == key]
    return found


def test_boards_and_sources_planted_for_a_faction_are_read_in_its_report(plant: Plant) -> None:
    extra = gain(MOLES, 20) + gain(MOLES & (pl.col("board") == "lake"), 60)
    report = strategy_report(plant(extra), "moles")
    check_page(report)
    assert report.takeaways[0].startswith("Moles win ") and "best with lake" in report.takeaways[0]
    assert "get most more from faction" in section(report, "sources").lead[0]
    (sheet,) = section(report, "boards").sheets
    assert sheet.frame["board"][0] == "lake" and "tier" not in [column.name for column in sheet.columns]


def test_what_the_best_games_had_more_of_is_named(tmp_path: Path) -> None:
    run = aoi.simulate(140, 3, "random", focus=["moles"], events="summary", n_jobs=1, out=tmp_path / "focus")
    planted_run = planted(run, tmp_path / "planted", gain(MOLES, 1) * 20 * pl.col("workshops"))
    assert "more workshops in the end" in section(strategy_report(planted_run, "moles"), "best").lead[0]
    assert "more workshops in the end" not in section(strategy_report(run, "moles"), "best").lead[0]


def test_a_timing_that_goes_with_winning_is_named_and_called_observed(plant: Plant, plain_run: aoi.Run) -> None:
    early = plain_run.events().filter(pl.col("event").cast(pl.String) == "school_built")
    early = early.select("game_index", "seat").unique().collect()
    keys = (early["game_index"].cast(pl.Int64) * 10 + early["seat"].cast(pl.Int64)).to_list()
    has = (pl.col("game_index").cast(pl.Int64) * 10 + pl.col("seat").cast(pl.Int64)).is_in(keys)
    timings = section(strategy_report(plant(gain(MOLES & has, 60)), "moles"), "timings")
    assert "first school by round 6 (+" in timings.lead[0]
    assert "need not bring it" in timings.notes[0]


def test_the_games_with_a_first_never_become_fewer_and_the_words_say_what_counts(plain_run: aoi.Run) -> None:
    timings = section(strategy_report(plain_run, "moles"), "timings")
    conditions = next(sheet for sheet in timings.sheets if sheet.key == "conditions")
    table = conditions.frame.with_columns(
        first=pl.col("condition").str.extract(r"first (\w+)"),
        by=pl.col("condition").str.extract(r"round (\d)").cast(pl.Int64),
    ).sort("first", "by")
    assert table["first"].n_unique() >= 2 and len(table) > table["first"].n_unique()
    assert table.select((pl.col("n").diff().over("first") >= 0).all()).item()
    assert table.select((pl.col("n") + pl.col("n_without")).n_unique()).item() == 1
    words = {column.name: column for column in conditions.columns}
    assert words["value"].label == "adjusted difference"
    assert "ever had" in words["condition"].meaning


def test_example_games_tell_the_best_win_a_typical_win_and_a_typical_loss(plain_run: aoi.Run) -> None:
    examples = section(strategy_report(plain_run, "moles"), "examples").texts
    own = plain_run.seats().filter(MOLES).collect()
    assert [heading.split(": ")[0].split(", ")[1] for heading, _ in examples] == [
        "its best win",
        "a typical win",
        "a typical loss",
    ]
    games = [int(heading.split()[1].rstrip(",")) for heading, _ in examples]
    scores = [f"{own.filter(pl.col('game_index') == game)['vp'].item()}.0 VP" for game in games]
    assert all(score in heading for score, (heading, _) in zip(scores, examples, strict=True))
    for _, lines in examples:
        rounds = [line for line in lines if line.startswith("Round")]
        assert len(rounds) == 6 and "pass" in rounds[0] and "convert" not in "".join(lines)


def test_a_faction_without_games_is_one_line_that_names_those_with(plant: Plant, tmp_path: Path) -> None:
    run = plant(keep=~MOLES)
    for word in ("moles", "goblin"):
        done = CliRunner().invoke(app, ["report", str(run.path), "--faction", word])
        assert done.exit_code == 2
        assert f"no game of faction '{word}'" in done.stderr and "choose blessed, felines" in done.stderr
        assert done.stderr.count("\n") == 1


def test_one_game_of_a_faction_gives_a_report_that_claims_nothing(plant: Plant, plain_run: aoi.Run) -> None:
    game = plain_run.seats().filter(MOLES).collect()["game_index"][0]
    report = strategy_report(plant(keep=pl.col("game_index") == game), "moles")
    check_page(report)
    assert "one set-up, so no interval" in report.takeaways[0]
    assert "too few games" in section(report, "best").lead[0]


def test_the_command_writes_a_page_for_the_faction_into_the_run(plant: Plant) -> None:
    run = plant()
    done = CliRunner().invoke(app, ["report", str(run.path), "--faction", "moles"])
    assert (done.exit_code, done.stdout) == (0, f"Report: {run.path / 'report-moles.html'}\n")
    refused = CliRunner().invoke(app, ["report", str(run.path), "--faction", "moles", "--against", str(run.path)])
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1


@pytest.mark.parametrize("events", ["summary"])
def test_without_events_maps_and_examples_are_left_out(tmp_path: Path, events: str) -> None:
    run = aoi.simulate(24, 3, "random", n_jobs=1, out=tmp_path / "run", events=events)
    report = strategy_report(run, "moles")
    check_page(report)
    assert {"map", "examples"}.isdisjoint(one.key for one in report.sections)
