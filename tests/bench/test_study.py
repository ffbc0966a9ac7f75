import re
from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.analysis.margins import margin_rows
from tests.bench import study


def test_the_study_prints_time_and_the_error_of_every_pairing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert study.main(["--games", "12", "--jobs", "2", "--out", str(tmp_path / "run")]) == 0
    text = capsys.readouterr().out
    run = aoi.open_run(tmp_path / "run")
    kind = run.manifest["build"]
    assert re.match(rf"12 games of 4 expert players, {kind} build, 2 jobs: \d+ s, \d+\.\d games/s, 0 failed\n", text)
    rows = margin_rows(run.seats(), run.games()).collect()
    cells = rows.group_by("faction", "board", maintain_order=True).agg(pl.col("margin").mean())
    shown = {line.split()[0]: re.split(r"\s{2,}", line.strip())[1:] for line in text.splitlines()[5:17]}
    boards = text.splitlines()[3].split()[1:8]
    assert len(shown) == 12
    for faction, board, margin in cells.iter_rows():
        assert shown[faction][boards.index(board)].split()[0] == f"{margin:.1f}"
    assert len(cells) == sum(cell != "-" for row in shown.values() for cell in row[:7])


def test_eight_thousand_games_are_the_default() -> None:
    assert study.GAMES == 8400
    makefile = (Path(aoi.__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^GAMES\s*\?= 8400$", makefile, re.MULTILINE)
    assert "tests.bench.study --games $(GAMES)" in makefile


def test_wrong_input_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert study.main(["--games", "0"]) == 2
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("x")
    assert study.main(["--games", "4", "--out", str(tmp_path / "full")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("error: 0 games")
    assert "not empty" in lines[1]
