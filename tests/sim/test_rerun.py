import json
from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.sim.rerun import plan_of, rerun_game
from aoi_sim.storage.reader import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made: Run = aoi.simulate(4, 3, "explorer", n_jobs=1, out=tmp_path / "run", design="choice")
    return made


def test_events_and_players_give_the_same_record(run: Run, tmp_path: Path) -> None:
    summary = aoi.simulate(4, 3, "explorer", n_jobs=1, out=tmp_path / "summary", design="choice", events="summary")
    for index in range(4):
        from_events = rerun_game(run, index)
        assert from_events.differences == []
        assert from_events.text == rerun_game(summary, index).text
        assert "heuristics explorer explorer explorer" in from_events.text


def test_the_plan_comes_back(run: Run) -> None:
    plan, rules = plan_of(run)
    assert plan.hash == run.manifest["plan_hash"]
    assert rules == aoi.load_ruleset()


def test_changed_scores_are_noticed(run: Run) -> None:
    path = run.path / "seats/part-00000.parquet"
    seats = pl.read_parquet(path)
    seats.with_columns(pl.col("vp") + 1).write_parquet(path)
    differences = rerun_game(run, 0).differences
    assert len(differences) == 1
    assert differences[0].startswith("scores [")


def test_changed_decisions_are_noticed(run: Run) -> None:
    path = run.path / "events/part-00000.parquet"
    events = pl.read_parquet(path)
    decision = pl.col("action").is_not_null().cum_sum().over("game_index").cast(pl.Int32) - 1
    begins = pl.col("action").is_not_null()
    wrong = pl.when(begins & (decision == 20)).then(pl.lit("build A1")).otherwise(pl.col("action"))
    events.with_columns(action=wrong).write_parquet(path)
    with pytest.raises(aoi.RunFolderError, match="stored decision 'build A1' does not fit"):
        rerun_game(run, 1)
    events.filter(decision < 40).write_parquet(path)
    with pytest.raises(aoi.RunFolderError, match="does not end after 40 decisions"):
        rerun_game(run, 1)


def test_games_that_are_not_there(run: Run) -> None:
    for index in (-1, 4):
        with pytest.raises(aoi.RunFolderError, match="choose 0 to 3"):
            rerun_game(run, index)


def test_other_rules_and_changed_configs_are_refused(run: Run) -> None:
    manifest = json.loads(json.dumps(dict(run.manifest)))
    manifest["rules"]["hash"] = "0" * 16
    with pytest.raises(aoi.RunFolderError, match="rules have changed"):
        plan_of(Run(run.path, manifest))
    manifest = json.loads(json.dumps(dict(run.manifest)))
    manifest["config"]["seed"] = 99
    with pytest.raises(aoi.RunFolderError, match="the manifest was changed"):
        plan_of(Run(run.path, manifest))
