"""``aoi-sim info`` and ``export``: what a run says about itself, and its tables for other programs."""

import csv
import errno
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.storage import export
from aoi_sim.storage.reader import Run, open_run
from aoi_sim.storage.schemas import SCHEMAS


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    overlay = {"factions": {"moles": {"start": {"coins": 3}}}}
    folder = tmp_path_factory.mktemp("runs") / "run"
    made: Run = aoi.simulate(12, 2, "random", n_jobs=1, out=folder, overlays=[overlay], seed=77, design="choice")
    return made


def test_info_says_what_was_played(run: Run) -> None:
    done = CliRunner().invoke(app, ["info", str(run.path)])
    assert (done.exit_code, done.stderr) == (0, "")
    text = " ".join(done.stdout.split())
    manifest = run.manifest
    for words in (
        f"run {run.path}, plan {manifest['plan_hash']}",
        "games 12 of 2 players, 0 failed",
        "seed 77",
        "design choice",
        f"player random (built-in, {manifest['heuristics'][0]['sha256'][:16]})",
        f"edition 1.2, hash {manifest['rules']['hash']}",
        "option book_supply = unlimited",
        '{"factions":{"moles":{"start":{"coins":3}}}}',
        f"aoi-sim {aoi.__version__}, {aoi.build_info().kind}",
        f"polars {pl.__version__}",
        "with 1 job",
        "Trust checks: failures ok",
        "mirror match not applicable: ",
    ):
        assert words in text, words


def test_info_counts_rows_and_bytes(run: Run) -> None:
    lines = CliRunner().invoke(app, ["info", str(run.path)]).stdout.splitlines()
    table = {words[0]: words[1:] for words in map(str.split, lines) if words and words[0] in (*SCHEMAS, "all")}
    for name in SCHEMAS:
        n_bytes = sum(path.stat().st_size for path in (run.path / name).iterdir())
        n_rows = len(run.table(name).collect())
        assert table[name] == [str(SCHEMAS[name].version), str(n_rows), str(n_bytes), f"{n_bytes / 12:.0f}"]
    assert int(table["all"][0]) == sum(path.stat().st_size for path in run.path.glob("*/*.parquet"))


def test_info_reads_older_runs() -> None:
    folder = Path(__file__).parents[1] / "storage/old/version-1"
    done = CliRunner().invoke(app, ["info", str(folder)])
    assert done.exit_code == 0
    assert "Trust checks" not in done.stdout


def test_export_writes_every_table_as_csv(run: Run, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["export", str(run.path), "--csv", "--out", str(tmp_path / "csv")])
    assert (done.exit_code, done.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["csv"]
    assert sorted(path.name for path in (tmp_path / "csv").iterdir()) == sorted(f"{name}.csv" for name in SCHEMAS)
    for name in SCHEMAS:
        stored = run.table(name).with_columns(pl.selectors.categorical().cast(pl.String)).collect()
        with (tmp_path / "csv" / f"{name}.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == stored.columns
        assert len(rows) - 1 == len(stored)
        for got, row in zip(rows[1:], stored.iter_rows(), strict=True):
            for word, value in zip(got, row, strict=True):
                expected = ";".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
                assert word == expected


def test_export_goes_beside_the_run_unless_told(run: Run) -> None:
    assert CliRunner().invoke(app, ["export", str(run.path), "--csv"]).exit_code == 0
    assert (run.path.parent / "run-csv/games.csv").is_file()
    again = CliRunner().invoke(app, ["export", str(run.path), "--csv"])
    assert again.exit_code == 2
    assert "not empty" in again.stderr


def test_wrong_exports_are_one_line_and_leave_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for arguments, words in (
        ([str(run.path)], "add --csv"),
        ([str(tmp_path / "none"), "--csv"], "no such run"),
        ([str(run.path), "--csv", "--out", str(tmp_path / "file")], "not a folder"),
        ([str(run.path), "--csv", "--out", str(tmp_path / "file/deeper")], "file/deeper"),
    ):
        done = CliRunner().invoke(app, ["export", *arguments])
        assert done.exit_code == 2
        assert done.stderr.startswith("error: ") and words in done.stderr and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(frame: pl.LazyFrame, path: Path) -> None:
        if path.stem == "rounds":
            raise OSError("No space left on device (os error 28)")  # as polars says it
        path.write_text("x")

    monkeypatch.setattr(pl.LazyFrame, "sink_csv", full)
    with pytest.raises(OSError, match="No space left") as caught:
        export.export_csv(run, tmp_path / "csv")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(tmp_path / "csv/rounds.csv"))
    assert list(tmp_path.iterdir()) == []


def test_csv_of_a_run_without_events_has_no_events(tmp_path: Path) -> None:
    aoi.simulate(2, 2, "random", n_jobs=1, out=tmp_path / "run", events="summary")
    export.export_csv(open_run(tmp_path / "run"), tmp_path / "csv")
    assert not (tmp_path / "csv/events.csv").exists()
