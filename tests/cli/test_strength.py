"""The commands arena, tune and profile."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner, Result

import aoi_sim as aoi
from aoi_sim.cli.app import app
from tests.cli.interrupting import interrupted

TUNE = "--players 2 --population 4 --setups 1 --held-out 2 --jobs 1 --weights coin,tool"


def call(line: str) -> Result:
    return CliRunner().invoke(app, line.split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("strength") / "run"
    done = call(f"arena --heuristics random,explorer --games 7 --players 3 --seed 4 --jobs 1 --out {path}")
    assert done.exit_code == 0, done.output
    (path.parent / "arena.txt").write_text(done.stdout)
    return path


def test_arena_prints_its_tables_and_keeps_the_run(folder: Path) -> None:
    text = (folder.parent / "arena.txt").read_text()
    assert text.startswith("12 games of 3 players on 2 set-ups, 0 failed")
    for words in ("rating", "mean VP", "margin", "win share", "VP by source", "competency", "a tie is half"):
        assert words in text
    rows = [line.split() for line in text.splitlines()]
    first = next(row for row in rows if row[:1] == ["explorer"])
    assert first[1] == "12"
    run = aoi.open_run(folder)
    assert run.manifest["config"]["design"] == "arena"
    assert dict(run.seats().collect()["heuristic"].value_counts().iter_rows()) == {"random": 18, "explorer": 18}


def test_profile_prints_its_tables(folder: Path, tmp_path: Path) -> None:
    done = call(f"profile {folder} --level naive --csv {tmp_path / 'csv'}")
    assert done.exit_code == 0, done.output
    for words in ("mean VP, naive scripted players", "VP by source", "own abilities", "random: uses", "144,752"):
        assert words in done.stdout
    assert "these games have 3 players" in done.stdout
    names = {path.stem for path in (tmp_path / "csv").glob("*.csv")}
    assert {"bands", "vp_by_source", "ability_by_faction", "use_by_round", "share_taken"} <= names
    assert len(pl.read_csv(tmp_path / "csv" / "bands.csv")) > 12


def test_profile_of_one_faction(folder: Path) -> None:
    faction = str(aoi.open_run(folder).seats().collect()["faction"][0])
    done = call(f"profile {folder} --faction {faction} --by faction")
    assert done.exit_code == 0, done.output
    assert f"{faction}: uses" in done.stdout
    assert "plausible" not in done.stdout


def test_tune_plays_tests_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "better.toml"
    first = call(f"tune expert {TUNE} --budget 8 --out {out}")
    assert first.exit_code in (0, 1), first.output
    state = json.loads(Path(f"{out}.state").read_text())
    assert len(state["generations"]) == len(state["checks"]) == 1
    assert all(generation["failed"] == 0 for generation in state["generations"])
    again = call(f"tune expert {TUNE} --budget 16 --out {out}")
    assert "going on after 1 generation (8 games)" in again.stdout
    assert len(json.loads(Path(f"{out}.state").read_text())["generations"]) == 2
    assert out.exists() == (again.exit_code == 0)
    if again.exit_code:
        assert again.stderr.startswith("error: no change won on held-out set-ups")


def test_tune_by_faction_plays_tests_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "better.toml"
    first = call(f"tune expert --by-faction {TUNE} --budget 8 --out {out}")
    assert first.exit_code in (0, 1), first.output
    generation = json.loads(Path(f"{out}.state").read_text())["generations"][0]
    assert generation["failed"] == 0
    assert [len(worths) for worths in generation["by_faction"].values()] == [4, 4]
    again = call(f"tune expert --by-faction {TUNE} --budget 16 --out {out}")
    assert "going on after 1 generation (8 games)" in again.stdout
    common = call(f"tune expert {TUNE} --budget 16 --out {out}")
    assert common.exit_code == 2
    assert "state of another tuning" in common.stderr and common.stderr.count("\n") == 1


def test_tune_tests_a_candidate(tmp_path: Path) -> None:
    (tmp_path / "poor.toml").write_text('base = "expert"\n[weights]\nvp = 1\n')
    test = f"--players 2 --held-out 4 --jobs 1 --budget 24 --out {tmp_path}/new.toml"
    won = call(f"tune {tmp_path}/poor.toml --candidate expert {test}")
    assert won.exit_code == 0, won.output
    assert "on 12 held-out set-ups, accepted" in won.stdout
    assert f"{tmp_path}/new.toml: expert accepted, 24 games" in won.stdout
    (tmp_path / "new.toml").unlink()
    lost = call(f"tune expert --candidate {tmp_path}/poor.toml {test}")
    assert lost.exit_code == 1
    assert "not accepted" in lost.stdout
    assert lost.stderr.startswith("error: poor is not shown to be better than expert") and lost.stderr.count("\n") == 1
    assert not list(tmp_path.glob("new.toml*"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("arena --heuristics random --games 6 --out new", ["two or more"]),
        ("arena --heuristics random,random --games 6 --out new", ["random given twice"]),
        ("arena --heuristics random,nobody --games 6 --out new", ["nobody"]),
        ("arena --heuristics random,greedy --games 0 --out new", ["0 games"]),
        ("arena --heuristics random,greedy --games 6 --players 7 --out new", ["7 players"]),
        ("arena --heuristics random,greedy --games 6 --jobs 0 --out new", ["0 jobs"]),
        ("arena --heuristics random,greedy --games 6 --events some --out new", ["--events"]),
        ("tune greedy --budget 100 --out new.toml", ["no weights", "greedy"]),
        ("tune nobody --budget 100 --out new.toml", ["nobody"]),
        ("tune expert --budget 10 --out new.toml", ["one generation and its test take"]),
        ("tune expert --budget 100 --against nobody --out new.toml", ["nobody"]),
        ("tune expert --budget 100 --weights coins --out new.toml", ["unknown weight coins"]),
        ("tune expert --budget 100 --out new.txt", [".toml"]),
        ("tune expert --budget 100 --jobs 0 --out new.toml", ["0 jobs"]),
        ("tune expert --candidate greedy --budget 400 --out new.toml", ["no weights", "greedy"]),
        ("tune expert --candidate nobody --budget 400 --out new.toml", ["nobody"]),
        ("tune expert --candidate cities --budget 95 --out new.toml", ["48 set-ups takes 96"]),
        ("tune expert --candidate cities --weights coin --budget 400 --out new.toml", ["--weights with --candidate"]),
        ("tune expert --candidate cities --by-faction --budget 400 --out new.toml", ["--by-faction with --candidate"]),
        ("tune expert --by-faction --weights vp --budget 400 --out new.toml", ["no change by faction of weight vp"]),
        ("tune expert --by-faction --weights coins --budget 400 --out new.toml", ["unknown weight coins"]),
        ("tune expert --by-faction --budget 287 --out new.toml", ["one generation and its test take 288"]),
        ("tune expert --candidate cities --setups 4 --budget 400 --out new.toml", ["--setups with --candidate"]),
        ("profile nowhere", ["no such run"]),
        ("profile nowhere --by seat", ["--by"]),
        ("profile nowhere --level good", ["--level"]),
    ],
)
def test_wrong_input_is_one_line(line: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(line)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr
    assert not (tmp_path / "new").exists()


def test_unknown_faction_of_a_run(folder: Path) -> None:
    done = call(f"profile {folder} --faction otters")
    assert done.exit_code == 2
    assert "no faction 'otters' in the run" in done.stderr


def test_profile_needs_events(tmp_path: Path) -> None:
    aoi.simulate(2, 2, "random", out=tmp_path / "run", n_jobs=1, events="summary")
    done = call(f"profile {tmp_path / 'run'}")
    assert done.exit_code == 2
    assert "no table events" in done.stderr


@pytest.mark.slow
def test_ctrl_c_keeps_the_state(tmp_path: Path) -> None:
    out = tmp_path / "better.toml"
    line = f"tune expert --players 2 --population 4 --setups 2 --held-out 2 --jobs 2 --budget 5000 --out {out}"
    state = Path(f"{out}.state")
    status, error = interrupted(line, state)
    assert status == 130
    assert error.startswith("error: interrupted after ") and error.count("\n") == 1
    assert len(json.loads(state.read_text())["generations"]) >= 1
    assert not list(tmp_path.glob("*.unfinished"))
