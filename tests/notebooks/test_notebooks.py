"""Notebooks run from top to bottom on small runs, are thin, and end with a conclusion that follows the data."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import polars as pl
import pytest

import aoi_sim as aoi
from tests.notebooks.running import NOTEBOOKS, conclusion, executed
from tests.report.made_run import planted
from tests.rules_coverage import ROOT

SIZES = {"03": ("168", "random"), "06": ("24", "greedy"), "07": ("16", "greedy"), "08": ("12", "greedy")}
"""Games and player where 24 games of greedy players are too few or too slow."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AOI_SIM_GAMES", "24")
    monkeypatch.setenv("AOI_SIM_PLAYER", "greedy")
    monkeypatch.setenv("AOI_SIM_PLAYERS", "greedy,random,explorer")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the notebooks share their runs."""
    return tmp_path_factory.mktemp("notebooks")


def test_there_is_a_notebook_for_each_subject() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, 10)]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_ends_with_a_conclusion(path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, player = SIZES.get(path.name[:2], ("24", "greedy"))
    monkeypatch.setenv("AOI_SIM_GAMES", games)
    monkeypatch.setenv("AOI_SIM_PLAYER", player)
    found = executed(path, place / f"{player}-{games}")
    text = conclusion(found)
    assert re.search(r"\d|beyond doubt|too few", text), text
    assert not re.search(r"\b(nan|None(?! of)|null)\b", text)
    complaints = [
        output.text for cell in found.cells for output in cell.get("outputs", ()) if output.get("name") == "stderr"
    ]
    assert [text for text in complaints if "Warning" in text or "Error" in text] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_thin_and_stored_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].source.startswith("# ")
    assert notebook.cells[-2].source.startswith("## Conclusion")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None
            assert len(cell.source.splitlines()) <= 16


def test_the_first_plot_takes_five_lines() -> None:
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    lines = [line for line in notebook.cells[2].source.splitlines() if line.strip()]
    assert len(lines) == 5 and lines[0].startswith("import") and lines[-1].startswith("plot_")


@pytest.mark.slow
def test_a_conclusion_changes_with_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # 16 set-ups a faction: fewer than ten are not judged.
    monkeypatch.setenv("AOI_SIM_GAMES", "48")
    monkeypatch.setenv("AOI_SIM_PLAYER", "random")
    path = next(path for path in NOTEBOOKS if path.name.startswith("02"))
    run = aoi.simulate(48, 4, "random", seed=1, n_jobs=1, out=tmp_path / "before" / "results" / "study")
    before = conclusion(executed(path, tmp_path / "before"))
    (tmp_path / "after" / "results").mkdir(parents=True)
    moles = pl.when(pl.col("faction") == "moles").then(90).otherwise(0)
    planted(run, tmp_path / "after" / "results" / "study", moles)
    after = conclusion(executed(path, tmp_path / "after"))
    told = [next(line for line in text.splitlines() if line.startswith("Moles win")) for text in (before, after)]
    assert told[0] != told[1]
    assert "Moles win 100 %" in told[1] and "points above their share" in told[1]
