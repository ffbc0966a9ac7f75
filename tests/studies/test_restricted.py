"""The study of restricted play: a planted tile is found in games that are really played."""

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from aoi_sim.analysis.restricted import restricted_pairs
from aoi_sim.cli.app import app
from aoi_sim.report.strategy_report import strategy_report
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.reader import open_run
from aoi_sim.studies.restricted import TAKING, RestrictedStudy, restrictions_of
from aoi_sim.studies.study import conduct
from aoi_sim.studies.study_folder import read_effects
from tests.studies.whole_report import check_report

RULES = load_ruleset()
EMPTIED = [
    f"city_tiles.{tile}.once.{what}"
    for tile, row in RULES.data["city_tiles"].items()
    for what in row["once"]
    if (tile, what) != ("tools", "vp")
]
PLANTED = load_ruleset(overlays=[{"remove": EMPTIED, "city_tiles": {"tools": {"once": {"vp": 6}}}}])
"""City tiles do nothing but give their key; one of them gives 6 VP besides."""


@pytest.mark.slow
def test_a_tile_worth_6_vp_is_found_and_one_that_nobody_takes_is_not_measured(tmp_path: Path) -> None:
    study = RestrictedStudy(["city/tools", "city/coins"], PLANTED, 96, n_players=3, heuristics="quick")
    done = conduct(study, tmp_path / "study", progress=False)
    table = done.effects
    (six,) = table.filter(component="city/tools", quantity=TAKING).rows(named=True)
    assert six["low"] < 6 < six["high"]
    assert six["high"] - six["low"] < 6
    (nothing,) = table.filter(component="city/coins", quantity="vp").rows(named=True)
    assert (nothing["estimate"], nothing["low"], nothing["high"]) == (None, None, None)  # nobody takes it
    assert nothing["verdict"] == "undecided"
    assert "never taken, not measured" in (tmp_path / "study/report.md").read_text()
    assert "Worth of components to quick" in (tmp_path / "study/report.md").read_text()


def test_the_command_leaves_effects_and_a_report(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    command = ["study", "restricted", "--component", "tracks", "--games", "30", "--heuristics", "greedy"]
    done = CliRunner().invoke(app, [*command, "--players", "2", "--jobs", "1", "--out", str(folder)])
    assert done.exit_code == 0, done.output
    effects = read_effects(folder)
    worth = effects.filter(quantity="vp").filter(~pl.col("component").str.contains(" with "))
    assert worth["component"].to_list() == ["track/sailing", "track/terraforming"]
    assert worth["n"].sum() == 20
    assert (folder / "worth-greedy.png").read_bytes().startswith(b"\x89PNG")
    check_report(folder)


@pytest.mark.parametrize(
    ("components", "n_games", "n_players", "says"),
    [
        (["palaces"], 60, 4, "170 games instead of 60: two set-ups of 5 games for each component (17 components)"),
        (["palace/14"], 5, 4, "10 games instead of 5: two set-ups of 5 games for each component (1 component)"),
        (["palace/14"], 6, 4, None),
        (["palaces"], 165, 4, "170 games instead of 165: two set-ups of 5 games for each component (17 components)"),
        (["palaces"], 166, 4, None),
        (["palaces"], 172, 4, None),
    ],
)
def test_more_games_than_were_asked_for_are_told(
    components: list[str], n_games: int, n_players: int, says: str | None
) -> None:
    study = RestrictedStudy(components, RULES, n_games, n_players=n_players)
    assert study.note == says
    assert study.n_games >= n_games
    assert says is None or says.startswith(f"{study.n_games} games ")


def test_the_command_tells_it_before_it_plays(tmp_path: Path) -> None:
    command = ["study", "restricted", "--component", "tracks", "--games", "5", "--heuristics", "random"]
    done = CliRunner().invoke(app, [*command, "--players", "2", "--jobs", "1", "--out", str(tmp_path / "study")])
    assert done.output.startswith("12 games instead of 5: two set-ups of 3 games for each component (2 components)\n")
    assert done.exit_code == 0


def test_families_components_and_kinds_are_understood() -> None:
    assert len(restrictions_of(["palaces"], 0, RULES)) == 17
    assert len(restrictions_of(["actions"], 0, RULES)) == 12
    assert restrictions_of(["palace", "palace/14", "palace/14"], 3, RULES) == ("palace by 3", "palace/14 by 3")


@pytest.mark.parametrize(
    ("words", "by", "says"),
    [
        (["castles"], 0, "unknown kind 'castles' in 'not castles', --component, choose"),
        (["palace/99"], 0, "--component, did you mean 9"),
        (["palace"], 7, "round 7 in 'palace by 7', --component, choose 1 to 6"),
        ([], 0, "nothing to restrict"),
    ],
)
def test_a_wrong_component_is_one_line(words: list[str], by: int, says: str) -> None:
    with pytest.raises(PlanError, match=says) as caught:
        restrictions_of(words, by, RULES)
    assert "\n" not in str(caught.value)


def test_the_strategy_report_of_a_faction_says_what_components_are_worth_to_it(tmp_path: Path) -> None:
    study = RestrictedStudy(["track", "power"], RULES, 120, n_players=3, heuristics="greedy")
    conduct(study, tmp_path / "study", n_jobs=2, progress=False)
    run = open_run(tmp_path / "study/runs/greedy")
    report = strategy_report(run, "moles")
    (section,) = [one for one in report.sections if one.key == "restricted"]
    frame = section.sheets[0].frame
    pairs = restricted_pairs(run).filter(faction="moles")
    assert set(frame["component"]) == set(pairs["component"]) == {"track", "power"}
    assert frame["n"].sum() == len(pairs)
    assert section.lead[0].startswith("Moles: ")
