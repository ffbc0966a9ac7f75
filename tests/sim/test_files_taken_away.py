"""Files of finished chunks that somebody deletes or cuts while the run plays: one line says which, and resume mends it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from aoi_sim.cli.errors import status_of
from aoi_sim.sim import workers
from aoi_sim.sim.job import ChunkDone, Job
from tests.sim.stopping import assert_same

COMMAND = "run --players 2 --heuristics random --seed 5 --jobs 1 --out"
TABLES = ["games", "seats", "rounds", "offers", "events"]


def call(out: Path, *options: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*COMMAND.split(), str(out), *options])
    return result.exit_code, result.stderr


def before_chunk(patch: pytest.MonkeyPatch, number: int, deed: Callable[[], object]) -> None:
    """Do something before a chunk is played."""
    play_chunk = workers.play_chunk

    def played(job: Job, chunk: int) -> ChunkDone:
        if chunk == number:
            deed()
        return play_chunk(job, chunk)

    patch.setattr(workers, "play_chunk", played)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unbroken") / "run"
    assert call(out, "--games", "30") == (0, "")
    return out


@pytest.mark.parametrize("deed", ["missing", "damaged"])
@pytest.mark.parametrize("table", TABLES)
def test_a_file_that_is_taken_away_is_named_and_played_again(
    tmp_path: Path, unbroken: Path, table: str, deed: str
) -> None:
    out = tmp_path / "run"
    path = out / table / "part-00000.parquet"
    with pytest.MonkeyPatch.context() as patch:
        before_chunk(patch, 1, path.unlink if deed == "missing" else lambda: path.write_bytes(b"PAR1"))
        told = call(out, "--games", "30")
    assert told == (2, f"error: {deed} file {table}/part-00000.parquet, {out}, go on with --resume\n")
    assert call(out, "--games", "30", "--resume") == (0, "")
    assert_same(out, unbroken)


def test_what_reads_finished_chunks_meanwhile_names_the_file_too(tmp_path: Path) -> None:
    """A run that ends when enough is known reads its seats after each chunk."""
    out = tmp_path / "run"
    path = out / "seats/part-00000.parquet"
    with pytest.MonkeyPatch.context() as patch:
        before_chunk(patch, 1, path.unlink)
        told = call(out, "--until", "9 VP", "--max-games", "60")
    assert told == (2, f"error: missing file seats/part-00000.parquet, {out}, go on with --resume\n")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError("No such file: x.parquet"), "no such file: x.parquet, FILE, check the place"),
        (OSError("two\nlines"), "two lines, FILE, check the place"),
        (OSError(), "refused, FILE, check the place"),
        (PermissionError(13, "Permission denied"), "permission denied, FILE, choose a place you may use"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_an_error_of_the_system_without_a_number_says_what_it_can(
    capsys: pytest.CaptureFixture[str], error: OSError, line: str, named: bool
) -> None:
    error.filename = "a/file" if named else None
    where = "a/file" if named else "standard output or a temporary file"
    assert status_of(error) == 2
    assert capsys.readouterr().err == f"error: {line.replace('FILE', where)}\n"
