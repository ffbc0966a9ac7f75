"""Whether a finding holds whoever plays: planted for one player, for all, or for each another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.analysis.comparison import effects_by_condition, robustness
from aoi_sim.report.balance_report import balance_report, takeaways
from aoi_sim.report.robustness_section import robustness_section
from aoi_sim.report.study import Study
from tests.report.made_run import planted
from tests.report.test_balance_report import check_page, gain

FACTION, GREEDY = pl.col("faction"), pl.col("heuristic").cast(pl.String) == "greedy"
LEVEL_GAME = 100 - pl.col("vp") + (pl.col("game_index") * 7 + pl.col("seat") * 3) % 5
"""Everybody about equal, with a little luck."""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> aoi.Run:
    """Two players against each other, 24 pairings of player and faction."""
    folder = tmp_path_factory.mktemp("mixed") / "run"
    return aoi.simulate(240, 2, ["greedy", "random"], seed=6, n_jobs=1, out=folder, events="summary")


@pytest.fixture
def told(mixed: aoi.Run, tmp_path: Path) -> Callable[[pl.Expr], list[str]]:
    def told(extra: pl.Expr) -> list[str]:
        return robustness_section(Study(planted(mixed, tmp_path / "planted", LEVEL_GAME + extra))).lead

    return told


def test_strong_under_one_player_is_too_strong(told: Callable[[pl.Expr], list[str]]) -> None:
    found = told(gain((FACTION == "moles") & GREEDY, 20) - gain((FACTION == "omar") & GREEDY, 20))
    assert found == ["Too strong under at least one of 2 players: moles (greedy)."]


def test_weak_under_one_player_is_no_fault_and_under_all_it_is(told: Callable[[pl.Expr], list[str]]) -> None:
    # As they lose 11, the other eleven stand 1 VP above the mean.
    found = told(gain((FACTION == "moles") & GREEDY, -11) + gain(FACTION == "omar", -11))
    assert found == [
        "No faction is shown to be too strong under any of the 2 players.",
        "Too weak under each of the 2 players: omar.",
    ]


def test_what_one_makes_strong_and_another_weak_is_flagged(told: Callable[[pl.Expr], list[str]]) -> None:
    way = pl.when(GREEDY).then(1).otherwise(-1)
    found = told(way * (gain(FACTION == "moles", 20) - gain(FACTION == "omar", 20)))
    assert found == [
        "Too strong under at least one of 2 players: moles (greedy) and omar (random).",
        "Above the mean under one player and below it under another, beyond doubt: moles and omar.",
    ]


def test_equal_factions_are_called_neither(told: Callable[[pl.Expr], list[str]]) -> None:
    assert told(pl.lit(0)) == ["No faction is shown to be too strong under any of the 2 players."]


def test_the_report_has_it_among_its_takeaways_with_n_and_intervals(mixed: aoi.Run, tmp_path: Path) -> None:
    run = planted(mixed, tmp_path / "run", LEVEL_GAME + gain(FACTION == "omar", 20))
    report = balance_report(run)
    check_page(report)
    assert "Too strong under at least one of 2 players: omar (greedy, random)." in report.takeaways
    (section,) = [one for one in report.sections if one.key == "robustness"]
    verdicts, effects = section.sheets
    assert verdicts.frame.row(0, named=True)["faction"] == "omar"
    assert {"n", "blocks", "low", "high", "q"} <= {column.name for column in effects.columns}
    assert len(effects.frame) == 24


def test_effects_under_each_condition_are_worked_out_once(mixed: aoi.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counting(rows: pl.DataFrame) -> pl.DataFrame:
        calls.append(len(rows))
        return effects_by_condition(rows)

    monkeypatch.setattr("aoi_sim.report.study.effects_by_condition", counting)
    study = Study(mixed)
    section = robustness_section(study)
    takeaways(study)
    assert calls == [480]
    assert (
        section.sheets[0]
        .frame.sort("faction")
        .select("least", "most")
        .equals(robustness(study.every_row).select("least", "most"))
    )


def test_levels_of_a_paired_run_are_compared(tmp_path: Path) -> None:
    levels = {"plain": "random", "bold": "greedy"}
    study = Study(aoi.simulate(96, 2, levels, seed=2, n_jobs=1, out=tmp_path / "paired", events="summary"))
    section = robustness_section(study)
    assert section.sheets[0].title == "Factions under every level"
    assert section.sheets[1].frame["condition"].unique().sort().to_list() == ["bold", "plain"]
    assert " 2 levels" in section.lead[0]


def test_one_player_has_no_such_section(plain_run: aoi.Run) -> None:
    study = Study(plain_run)
    assert robustness_section(study).is_empty
    assert not [text for text in takeaways(study) if "players:" in text or "too strong" in text]
