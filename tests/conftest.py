"""Settings of all tests.

With AOI_SIM_NO_SKIP=1 a skipped test fails: a machine on which checks must run cannot pass by leaving them out. Only
tests that need another Python than is present may skip, with a reason that starts with "needs Python".
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import hypothesis
import pytest

os.environ.setdefault("MPLBACKEND", "Agg")  # no window
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait for each other are slow beside other tests
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")

ALLOWED_REASON = "needs Python "
NO_SKIP = os.environ.get("AOI_SIM_NO_SKIP") == "1"


def _forbid_skip(report: Any) -> None:
    if not (NO_SKIP and report.skipped) or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if not reason.startswith(ALLOWED_REASON):
        report.outcome = "failed"
        report.longrepr = f"skipped, but AOI_SIM_NO_SKIP allows no skips: {reason}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    _forbid_skip(report)
    return report
