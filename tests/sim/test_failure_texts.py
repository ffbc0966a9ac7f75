"""Texts of failed games are files of a run like its tables: their checksums are kept, damage is told and mended."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim import match
from aoi_sim.sim.merge import merge_runs
from aoi_sim.sim.verify import verify_run
from aoi_sim.storage.manifest import checksum_of
from tests.sim.stopping import assert_same
from tests.storage.damages import edited

AGAIN = "restore it from a copy or run the same command again with --resume"
LINE = "run --games 20 --players 2 --heuristics random --seed 3 --jobs 1 --out RUN"


def flip(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a changed sign": (flip, "damaged file (its checksum differs)"),
    "a cut end": (lambda path: path.write_bytes(path.read_bytes()[:-5]), "damaged file ("),
    "nothing in it": (lambda path: path.write_bytes(b""), "damaged file (0 bytes, not "),
    "no file": (Path.unlink, "missing file"),
}


@pytest.fixture(autouse=True)
def long_games_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "_MOST_DECISIONS", 110)


def called(line: str, run: Path) -> tuple[int, str]:
    places = {"RUN": str(run), "OUT": str(run.parent / "out")}
    done = CliRunner().invoke(app, [places.get(word, word) for word in line.split()])
    return done.exit_code, done.stderr


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "_MOST_DECISIONS", 110)
        folder = tmp_path_factory.mktemp("texts") / "run"
        assert called(LINE, folder)[0] == 1
    return folder


@pytest.fixture
def run(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "run"))


def texts(run: Path) -> list[Path]:
    return sorted((run / "failures").iterdir())


def test_the_manifest_lists_every_text_once(run: Path) -> None:
    chunks = json.loads((run / "manifest.json").read_text())["chunks"]
    listed = [file["path"] for entry in chunks for file in entry.get("texts", ())]
    assert listed == [path.relative_to(run).as_posix() for path in texts(run)]
    assert [len(entry.get("texts", ())) for entry in chunks] == [entry["n_failed"] for entry in chunks]
    assert 0 < len(listed) < 20
    done = verify_run(run)
    assert done.findings == [] and done.n_files == 5 * len(chunks) + len(listed)


def test_a_run_without_failures_lists_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    made = aoi.simulate(4, 2, "random", n_jobs=1, out=tmp_path / "run")
    assert [entry.keys() & {"texts"} for entry in made.manifest["chunks"]] == [set()]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_one_line_that_names_the_text(run: Path, damage: str) -> None:
    change, words = DAMAGES[damage]
    path = texts(run)[1]
    change(path)
    for line in ("report RUN --out OUT", "profile RUN", "export RUN --csv --out OUT", "replay RUN --game 0"):
        status, error = called(line, run)
        assert status == 2
        assert error.startswith(f"error: {words}") and error.endswith(f", {path}, {AGAIN}\n")
        assert error.count("\n") == 1
    (finding,) = verify_run(run).findings
    assert (finding.where, finding.advice) == (str(path), AGAIN)
    assert called("verify RUN", run)[0] == 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_same_command_with_resume_mends_it(run: Path, sound: Path, damage: str) -> None:
    DAMAGES[damage][0](texts(run)[0])
    assert called(f"{LINE} --resume", run)[0] == 1  # its games fail again
    assert_same(run, sound)


def test_a_merge_takes_texts_along_and_refuses_damaged_ones(tmp_path: Path, sound: Path) -> None:
    for part in "12":
        assert called(f"{LINE} --part {part}/2", tmp_path / part)[0] == 1
    whole = merge_runs([tmp_path / "1", tmp_path / "2"], tmp_path / "whole").path
    assert [path.name for path in texts(whole)] == [path.name for path in texts(sound)]
    assert verify_run(whole).findings == []
    path = texts(tmp_path / "1")[0]
    flip(path)
    with pytest.raises(aoi.RunFolderError) as refused:
        merge_runs([tmp_path / "1", tmp_path / "2"], tmp_path / "other")
    assert str(refused.value) == f"damaged file (its checksum differs), {path}, play that part again"
    assert not (tmp_path / "other").exists()


def test_older_runs_whose_manifest_lists_none_are_read_verified_and_merged(tmp_path: Path, run: Path) -> None:
    manifest = json.loads((run / "manifest.json").read_text())
    for entry in manifest["chunks"]:
        entry.pop("texts", None)
    manifest["checksum"] = checksum_of(manifest)
    (run / "manifest.json").write_text(json.dumps(manifest))
    flip(texts(run)[0])
    assert verify_run(run).findings == []
    assert called("profile RUN", run)[0] == 0
    whole = merge_runs([run], tmp_path / "whole").path
    assert [path.read_bytes() for path in texts(whole)] == [path.read_bytes() for path in texts(run)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("a text", "chunks[0].texts should be a list"),
        ([1], "chunks[0].texts[0] should be a table"),
        ([{"path": "failures/x", "sha256": "x", "bytes": "9"}], "chunks[0].texts[0].bytes should be a whole number"),
        ([{"path": "failures/../x", "sha256": "x", "bytes": 9}], "chunk 0 points to failures/../x, not into failures"),
        ([{"path": "/x", "sha256": "x", "bytes": 9}], "chunk 0 points to /x, not into failures"),
    ],
)
def test_a_manifest_with_another_list_of_texts_is_told(run: Path, value: object, words: str) -> None:
    edited(lambda manifest: manifest["chunks"][0].update(texts=value))(run)
    assert words in str(verify_run(run).findings[0])
