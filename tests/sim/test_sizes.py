"""What a game takes on disk."""

from pathlib import Path

import pytest

from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanConfig
from aoi_sim.sim.runner import run_plan


@pytest.mark.parametrize(("player", "most", "most_events"), [("random", 2100, 1250), ("expert", 4000, 2800)])
def test_a_game_of_a_run_of_two_thousand_takes_less_than_four_kilobytes(
    tmp_path: Path, player: str, most: int, most_events: int
) -> None:
    config = PlanConfig(2000, 4, heuristics=(player,))
    run = run_plan(config, load_ruleset(), tmp_path / "run", n_jobs=1, part=(1, 20))
    assert len(run.manifest["chunks"]) == 1
    sizes = {
        folder.name: sum(path.stat().st_size for path in folder.iterdir()) / run.n_games
        for folder in run.path.iterdir()
        if folder.is_dir()
    }
    assert sum(sizes.values()) < most
    assert sizes["events"] < most_events
