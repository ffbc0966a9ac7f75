"""One step of a number, up and down, is measured on the same set-ups with its faction in every game."""

from pathlib import Path

import matplotlib.pyplot as plt
import polars as pl
import pytest

from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.figures_tornado import plot_tornado
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.studies.change_study import Setting
from aoi_sim.studies.sensitivity import Sensitivity
from aoi_sim.studies.study import conduct
from aoi_sim.studies.study_folder import StudyError
from tests.studies.whole_report import check_report

RULES = load_ruleset(overlays=[{"factions": {"moles": {"start": {"vp": 1}}}}])
QUICK = Setting(players=(2,), heuristics=("random",), games=200, design="focus")
GIFT = "factions.moles.start.vp"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, pl.DataFrame]:
    folder = tmp_path_factory.mktemp("sensitivity") / "study"
    study = Sensitivity(RULES, "factions", QUICK, ["moles", "omar"])
    return folder, conduct(study, folder, n_jobs=1, progress=False).effects


def test_a_vp_at_the_start_is_worth_half_a_vp_of_margin_at_two_players(played: tuple[Path, pl.DataFrame]) -> None:
    rows = {row["quantity"]: row for row in played[1].filter(component=GIFT).iter_rows(named=True)}
    assert {name: row["estimate"] for name, row in rows.items()} == {
        "step_up": pytest.approx(0.5),
        "step_down": pytest.approx(-0.5),
        "per_step": pytest.approx(0.5),
    }
    assert all(row["se"] == pytest.approx(0) for row in rows.values())


def test_every_number_has_a_step_and_every_set_up_counts(played: tuple[Path, pl.DataFrame]) -> None:
    study = Sensitivity(RULES, "factions", QUICK, ["moles", "omar"])
    steps = played[1].filter(quantity="per_step")
    paths = {step.path for steps in study.steps.values() for step in steps}
    assert set(steps["component"]) == paths
    assert {"factions.moles.tunnel.vp.base", "factions.omar.income.coins"} <= paths
    assert set(steps["blocks"]) == {study.blocks}
    assert steps["se"].null_count() == 0


def test_the_report_has_a_table_and_a_tornado_chart(played: tuple[Path, pl.DataFrame]) -> None:
    folder, _ = played
    assert (folder / "tornado-random.png").read_bytes().startswith(b"\x89PNG")
    text = (folder / "report.md").read_text()
    assert "Tornado chart, random" in (folder / "report.html").read_text()
    assert f"| {GIFT} | 1 | random | +0.5 ± 0.0 |" in text
    assert "Wanted is a standard error of 1 VP" in text
    check_report(folder)


def test_by_default_all_numbers_of_all_factions_are_changed() -> None:
    study = Sensitivity(load_ruleset(), "factions", Setting(games=62, design="focus"))
    assert list(study.steps) == list(load_ruleset().data["factions"])
    assert all(study.steps.values())
    assert study.blocks == 1
    boards = Sensitivity(load_ruleset(), "boards", Setting(games=62, design="focus"))
    assert {"boards.desert.start_spades+1", "boards.lake.sailing-1"} <= {
        step.level for steps in boards.steps.values() for step in steps
    }


def test_wrong_wishes_are_one_line() -> None:
    with pytest.raises(StudyError, match="no component 'palaces', --component, choose factions or boards"):
        Sensitivity(RULES, "palaces", QUICK)
    with pytest.raises(StudyError, match=r"none of the factions is 'mole', --only, choose .*moles"):
        Sensitivity(RULES, "factions", QUICK, ["mole"])
    with pytest.raises(PlanError, match="several numbers of players"):
        Sensitivity(RULES, "factions", Setting(players=(2, 3)))


def test_a_tornado_chart_has_the_most_telling_number_on_top() -> None:
    table = pl.DataFrame(
        {
            "component": ["a", "a", "b", "b", "c"],
            "quantity": ["step_up", "step_down", "step_up", "step_down", "per_step"],
            "estimate": [1.0, -0.5, -3.0, 2.0, 9.0],
            "low": [0.5, None, -4.0, 1.0, 8.0],
            "high": [1.5, None, -2.0, 3.0, 10.0],
        }
    )
    ax = plot_tornado(table, new_axes(6, 3))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert sorted(bar.get_width() for bar in ax.patches) == [-3.0, -0.5, 1.0, 2.0]
    assert plot_tornado(table.clear()).texts[0].get_text() == "no data"
    plt.close("all")
