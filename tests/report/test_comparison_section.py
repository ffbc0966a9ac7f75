"""Before and after: changes are named where they are sure, and common set-ups are used."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.report.balance_report import balance_report
from aoi_sim.report.comparison_section import comparisons
from aoi_sim.report.study import Study
from tests.report.test_balance_report import check_page, gain

Plant = Callable[..., aoi.Run]
MOLES = pl.col("faction") == "moles"


def test_a_planted_change_is_named_with_its_size_and_pairing_makes_it_exact(plant: Plant, plain_run: aoi.Run) -> None:
    changed = plant(gain(MOLES, 12), name="changed")
    (found,) = comparisons(Study(changed), plain_run)
    # A mole gains 12 and its table's mean 3; every margin moves by exactly that on every common set-up.
    assert "From plain to changed the margin changes beyond doubt" in found.sentence()
    assert "moles +9.0 VP [9.0, 9.0]" in found.sentence()
    assert found.factions["blocks_both"].to_list() == found.factions["blocks"].to_list()
    report = balance_report(changed, plain_run)
    check_page(report)
    assert report.takeaways[0] == found.sentence()
    assert report.sections[0].key == "against"
    (back,) = comparisons(Study(plain_run), changed)
    assert "moles −9.0 VP" in back.sentence()


def test_the_same_run_twice_has_no_change(plain_run: aoi.Run) -> None:
    (found,) = comparisons(Study(plain_run), plain_run)
    assert "no faction's margin changes beyond doubt" in found.sentence()


def test_runs_without_a_common_set_up_are_compared_as_independent_ones(plain_run: aoi.Run, tmp_path: Path) -> None:
    other = aoi.simulate(60, 4, "random", seed=99, n_jobs=1, out=tmp_path / "other")
    (found,) = comparisons(Study(plain_run), other)
    assert found.pairing_sentence().startswith("They have no set-up in common")
    assert found.factions["saved"].null_count() == len(found.factions)


def test_levels_of_a_paired_run_are_compared_with_the_first(tmp_path: Path) -> None:
    levels = {"plain": "random", "bold": "greedy"}
    run = aoi.simulate(24, 2, levels, seed=2, n_jobs=1, out=tmp_path / "paired")
    report = balance_report(run)
    assert report.sections[0].title == "level plain and level bold"
    assert re.match(r"Mean score: .* before, .* after \(\+\d", report.sections[0].lead[1]), report.sections[0].lead


def test_a_comparison_leaves_the_report_of_the_run_as_it_is_and_the_run_sound(tmp_path: Path) -> None:
    for name, seed in (("run", 1), ("before", 2)):
        aoi.simulate(24, 2, "random", seed=seed, n_jobs=1, out=tmp_path / name)
    (tmp_path / "run" / "report.md").write_text("the report of the run")
    command = ["report", str(tmp_path / "run"), "--against", str(tmp_path / "before"), "--format", "md"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"Report: {tmp_path / 'run' / 'report-against.md'}\n"
    assert "before" in (tmp_path / "run" / "report-against.md").read_text()
    assert (tmp_path / "run" / "report.md").read_text() == "the report of the run"
    verified = CliRunner().invoke(app, ["verify", str(tmp_path / "run")])
    assert verified.exit_code == 0, verified.output


@pytest.mark.parametrize("name", ["run", "run/../run", "link"])
def test_a_run_against_itself_is_refused(tmp_path: Path, name: str) -> None:
    aoi.simulate(4, 2, "random", n_jobs=1, out=tmp_path / "run")
    (tmp_path / "link").symlink_to(tmp_path / "run")
    done = CliRunner().invoke(app, ["report", str(tmp_path / "run"), "--against", str(tmp_path / name)])
    assert done.exit_code == 2
    assert done.stderr == f"error: a run against itself, --against {tmp_path / name}, give an earlier run\n"
    assert not list((tmp_path / "run").glob("report*"))


@pytest.mark.parametrize(("n_players", "words"), [(2, "games of 2 players"), (0, "no such run")])
def test_runs_that_cannot_be_compared_are_one_line(
    plain_run: aoi.Run, tmp_path: Path, n_players: int, words: str
) -> None:
    if n_players:
        aoi.simulate(4, n_players, "random", n_jobs=1, out=tmp_path / "other")
    command = ["report", str(plain_run.path), "--against", str(tmp_path / "other"), "--out", str(tmp_path / "x.html")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ") and words in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "x.html").exists()
