"""Figures and counts on the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import aoi_sim
from aoi_sim.cli.app import app
from aoi_sim.cli.tables import interval, print_table
from aoi_sim.storage.findings import counted, unsigned_zeros


@given(st.floats(-1, 1), st.integers(0, 3), st.sampled_from(["", "+"]))
def test_only_figures_that_are_not_zero_have_a_sign(value: float, decimals: int, sign: str) -> None:
    plain = f"{value:{sign}.{decimals}f}"
    shown = unsigned_zeros(f"a {plain}, [{plain}]")
    number = plain.lstrip("+-") if float(plain) == 0 else plain
    assert shown == f"a {number}, [{number}]"


def test_text_that_only_looks_like_a_signed_zero_stays() -> None:
    for text in ("1.2-0", "seed-0", "2026-01-05", "-0.05", "+0.10", "-", "3 - 0.5", "2-0.5"):
        assert unsigned_zeros(text) == text


def test_tables_have_no_minus_zero(capfd: pytest.CaptureFixture[str]) -> None:
    cell = interval({"value": -0.04, "high": 0.06})
    assert cell == "-0.0 ± 0.1"
    print_table("Margins", ["player", "margin", "gain"], [["expert", cell, f"{0.0:+.3f}"]])
    out = capfd.readouterr().out
    assert "0.0 ± 0.1" in out and not re.search(r"[-+−]0\.0+\b", out)


def test_one_is_one() -> None:
    assert [counted(n, "game") for n in (0, 1, 2, 2016)] == ["0 games", "1 game", "2 games", "2,016 games"]


def test_a_run_of_one_game_has_no_plural_of_one(tmp_path: Path) -> None:
    run = ["run", "--games", "1", "--players", "2", "--heuristics", "random", "--seed", "1", "--design", "random"]
    folder = str(tmp_path / "run")
    called = [[*run, "--jobs", "1", "--out", folder], ["info", folder], ["verify", folder], ["profile", folder]]
    called.append(["report", folder])
    for words in called:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        assert not re.search(r"\b1 (games|checks|seats|blocks|set-ups|chunks|files|jobs|parts)\b", done.output), words
    made = aoi_sim.open_run(folder)
    texts = [repr(made), *(check["sentence"] for check in made.manifest["trust"])]
    assert not [text for text in texts if re.search(r"(?<!of )\b1 (games|blocks|chunks)\b|e\+0|\b100 %", text)]
    page = re.sub(r"<[^>]*>", "\n", (tmp_path / "run" / "report.html").read_text())
    assert not re.search(r"(?<![\d.,])1 (games|checks|seats|blocks|set-ups|chunks)\b", page)
