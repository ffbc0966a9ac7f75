"""A fair start under several players at once."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.reader import open_run
from aoi_sim.studies.fair import FairStudy
from aoi_sim.studies.fair_group import FairGroup, fair_study
from aoi_sim.studies.fair_report import BY_WIN_SHARE
from aoi_sim.studies.study_effects import UNSURE
from aoi_sim.studies.study_folder import read_effects
from tests.studies.whole_report import check_report

RULES = load_ruleset()
HASTY = "class Player:\n    def choose(self, state, actions):\n        return actions[len(actions) // 2]\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fair")
    (path / "hasty.py").write_text(HASTY)
    command = ["study", "fair", "--games", "100", "--players", "2", "--checks", "1", "--jobs", "1"]
    done = CliRunner().invoke(
        app, [*command, "--heuristics", f"random,{path / 'hasty.py'}", "--out", str(path / "study")]
    )
    assert done.exit_code == 1, done.output
    assert done.stderr.count("\n") == 1
    assert "random: " in done.stderr
    assert "hasty: " in done.stderr
    return path / "study"


def test_each_player_has_its_runs_its_fair_start_and_its_bids(folder: Path) -> None:
    names = ["blind", "check-1", "fit"]
    for player in ("random", "hasty"):
        assert sorted(path.name for path in (folder / "runs" / player).iterdir()) == names
        rules = load_ruleset(overlays=[folder / player / "fair-start.toml"])
        assert open_run(folder / "runs" / player / "check-1").manifest["rules"]["hash"] == rules.hash
        done = CliRunner().invoke(app, ["bid", "7", "--study", str(folder / player)])
        assert done.exit_code == 0, done.output
        assert f"{player} in all seats" in done.output.replace("\n", " ")


def test_players_meet_the_same_set_ups(folder: Path) -> None:
    seeds = [
        open_run(folder / "runs" / player / "fit").games().select("setup_seed").collect()["setup_seed"].to_list()
        for player in ("random", "hasty")
    ]
    assert seeds[0] == seeds[1]


def test_every_effect_says_whether_it_depends_on_the_player(folder: Path) -> None:
    effects = read_effects(folder)
    assert set(effects["heuristic"]) == {"random", "hasty"}
    starts = effects.filter(quantity=BY_WIN_SHARE)
    assert "one player" not in set(starts.filter(component="moles")["by_player"])
    report = (folder / "report.md").read_text()
    for words in ("Fair starting VP by who plays", "Fair starting VP: hasty", "depends on who plays", "VP, random"):
        assert words in report
    assert (folder / "hasty-reliability.png").is_file()
    check_report(folder)
    undecided = len(starts.filter(~pl.col("component").str.contains(" on "), by_player=UNSURE)["component"].unique())
    assert undecided > 0
    assert f"; {undecided} of " in report
    assert "for: nothing" not in report


def test_opposite_fair_starts_are_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    group = FairGroup(RULES, 100, ["random", "greedy"])

    def effects(self: FairStudy, runs: Any) -> pl.DataFrame:
        from aoi_sim.studies.study_effects import effect_rows

        value = 5.0 if self.heuristic.name == "random" else -5.0
        row = {"component": "moles", "value": value, "se": 0.5, "low": value - 1, "high": value + 1}
        table = pl.DataFrame([{**row, "n": 400, "blocks": 100}])
        words: dict[str, Any] = {"players": 4, "heuristic": self.heuristic.name, "games": 100}
        return effect_rows(table, "component", quantity=BY_WIN_SHARE, **words)

    monkeypatch.setattr(FairStudy, "effects", effects)
    found = group.effects({"random/fit": None, "greedy/fit": None})  # type: ignore[dict-item]
    assert set(found["by_player"]) == {"sign depends on the player"}


def test_one_player_is_a_study_of_its_own_and_none_or_one_twice_are_refused() -> None:
    assert isinstance(fair_study(RULES, 100, ["random"]), FairStudy)
    assert isinstance(fair_study(RULES, 100, "random"), FairStudy)
    with pytest.raises(PlanError, match="name one or more"):
        fair_study(RULES, 100, [])
    with pytest.raises(PlanError, match="name each once"):
        fair_study(RULES, 100, ["random", "random"])
