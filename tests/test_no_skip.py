"""AOI_SIM_NO_SKIP=1 turns a skipped test into a failed one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules_coverage import ROOT

TESTS = """
import pytest

def test_runs(): pass

@pytest.mark.skip(reason="no time")
def test_without_time(): pass

def test_inside(): pytest.skip("no browser")

@pytest.mark.skipif(True, reason="needs Python 3.99")
def test_other_python(): pass

@pytest.mark.xfail(strict=True)
def test_known(): assert False
"""


@pytest.mark.parametrize("jobs", [[], ["-n", "2"]], ids=["one process", "workers"])
@pytest.mark.parametrize(
    ("no_skip", "expected"),
    [
        ("1", {"failed": 1, "errors": 2, "passed": 1, "skipped": 1, "xfailed": 1}),  # errors: before a test's own code
        ("", {"passed": 1, "skipped": 4, "xfailed": 1}),
    ],
)
def test_skips_fail_when_forbidden(tmp_path: Path, no_skip: str, expected: dict[str, int], jobs: list[str]) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_module.py").write_text("import pytest\npytest.importorskip('there_is_no_such_module')\n")
    environment = {**os.environ, "AOI_SIM_NO_SKIP": no_skip, "PYTHONPATH": str(ROOT)}
    options = ["-q", "-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), *jobs]
    command = [sys.executable, "-m", "pytest", *options, "--continue-on-collection-errors", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    counted = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", done.stdout.splitlines()[-1])}
    counted.pop("warning", counted.pop("warnings", 0))
    assert counted == expected, done.stdout
    assert done.returncode == (1 if no_skip else 0)
    for reason in ("no time", "no browser", "there_is_no_such_module"):
        assert (f"AOI_SIM_NO_SKIP allows no skips: {reason}" in done.stdout.replace("could not import '", "")) == bool(
            no_skip
        )
