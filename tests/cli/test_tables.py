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
from tests.rules_coverage import ROOT


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


@pytest.mark.parametrize(
    "line",
    [
        "plan --games 1 --noise 1",
        "plan --games 1 --design choice --rules RULES",
        "plan --until 1VP --max-games 10",
        "plan --games 1 --players 1",
        "plan --games 1 --paired --rules 1.0 --rules 1.2",
        "plan --until 1VP --max-games 1 --paired --rules 1.0 --rules 1.2",
        "ablate random.toml --games 6 --players 2 --groups waiting --jobs 1 --out OUT",
        "ablate random.toml --games 1 --out OUT",
        "ablate random.toml --games 6 --players 1 --out OUT",
        "arena --games 1 --heuristics random,greedy --out OUT",
        "run --games 1 --part 1/2 --out OUT",
    ],
)
def test_what_a_command_plans_or_refuses_has_no_plural_of_one(tmp_path: Path, line: str) -> None:
    (tmp_path / "random.toml").write_text("[weights]\nwait_pct = 0\n")
    rules = str(ROOT / "examples/overlays/richer-start.toml")
    places = {"RULES": rules, "OUT": str(tmp_path / "out"), "random.toml": str(tmp_path / "random.toml")}
    done = CliRunner().invoke(app, [places.get(word, word).replace("1VP", "1 VP") for word in line.split()])
    assert not re.search(r"(?<!to )(?<![\d.,])1 [a-z-]+s\b", done.output), done.output


def test_no_line_of_a_command_or_study_has_a_plural_that_does_not_look_at_its_number() -> None:
    files = [*(ROOT / "aoi_sim/studies").glob("*.py"), *(ROOT / "aoi_sim/cli").glob("*.py")]
    words = "games|checks|set-ups|generations|Newton steps|factions not|pairings not|groups|overlays|decisions"
    plural = re.compile(rf"\}}\s(?:fresh )?({words}|thousandths)\b(?!/s)")
    assert len(files) > 60
    assert [(path.name, found[0]) for path in files for found in plural.finditer(path.read_text())] == []
