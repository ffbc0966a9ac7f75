"""The measure of loads: a small run is watched, and what it says is about that run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import aoi_sim as aoi
from tests.soak.loads import play

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Python on Linux: reads /proc")


def test_a_run_is_watched_from_outside(tmp_path: Path) -> None:
    load = play(60, 2, "random", tmp_path / "run")
    assert aoi.open_run(tmp_path / "run").n_games == 60
    assert len(load.memory) >= 3
    assert 0 < load.in_hand <= 2
    assert 20 < load.worker_mb < 400
    assert 50 < load.parent_mb < 300
    assert load.cpu_seconds > 0.5


def test_a_run_that_fails_is_no_measure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="status 2"):
        play(0, 2, "random", tmp_path / "run")
