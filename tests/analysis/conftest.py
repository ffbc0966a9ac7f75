"""A small run that the tests of the analysis share."""

import pytest

import aoi_sim as aoi


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> aoi.Run:
    """24 games of four players with every table."""
    folder = tmp_path_factory.mktemp("analysis") / "run"
    return aoi.simulate(24, 4, ["cities", "greedy", "cities", "random"], seed=3, n_jobs=1, out=folder)
