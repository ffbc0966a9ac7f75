"""Runs that the tests of the reports share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.report.balance_report import balance_report
from aoi_sim.report.document import Report
from tests.report.made_run import planted


@pytest.fixture(scope="session")
def plain_run(tmp_path_factory: pytest.TempPathFactory) -> aoi.Run:
    """168 balanced games of random players at four seats."""
    return aoi.simulate(168, 4, "random", seed=3, n_jobs=1, out=tmp_path_factory.mktemp("report") / "plain")


@pytest.fixture(scope="session")
def plain_report(plain_run: aoi.Run) -> Report:
    """Its balance report."""
    return balance_report(plain_run)


@pytest.fixture
def plant(plain_run: aoi.Run, tmp_path: Path) -> Callable[..., aoi.Run]:
    """Makes a copy of the plain run with an effect planted."""

    def made(extra: pl.Expr | None = None, keep: pl.Expr | None = None, name: str = "planted") -> aoi.Run:
        return planted(plain_run, tmp_path / name, extra, keep)

    return made
