"""Parts of one plan, played apart, are the run in one go when they are merged."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim.merge import merge_runs
from aoi_sim.sim.parts import chunks_of_part, parse_part
from aoi_sim.sim.plan import Plan, PlanConfig
from aoi_sim.sim.rerun import rerun_game
from aoi_sim.sim.runner import run_plan
from aoi_sim.sim.verify import verify_run
from aoi_sim.storage.manifest import write_manifest
from aoi_sim.storage.reader import open_run

RULES = aoi.load_ruleset()
CONFIG = PlanConfig(50, 2, heuristics=("random",))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole run and its three parts."""
    home = tmp_path_factory.mktemp("merge")
    run_plan(CONFIG, RULES, home / "whole", n_jobs=1)
    for number in (1, 2, 3):
        run_plan(CONFIG, RULES, home / f"part{number}", n_jobs=1, part=(number, 3))
    return home


@pytest.fixture
def home(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "home"))


def parts(home: Path, *numbers: int) -> list[Path]:
    return [home / f"part{number}" for number in numbers]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.glob("*/*") if path.is_file()}


def told(folder: Path) -> dict[str, Any]:
    """A manifest without what tells how the run was played."""
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return {key: value for key, value in manifest.items() if key not in ("wall_seconds", "checksum")}


def test_merged_parts_are_the_run_in_one_go(home: Path) -> None:
    merged = merge_runs(parts(home, 3, 1, 2), home / "merged")
    assert contents(home / "merged") == contents(home / "whole")
    assert told(home / "merged") == told(home / "whole")
    assert merged.manifest["wall_seconds"] >= 0
    assert verify_run(home / "merged").findings == []
    assert not list(home.glob("*.unfinished"))


def test_parts_are_whole_runs_for_reading_and_verifying(home: Path) -> None:
    run = open_run(home / "part2")
    assert run.manifest["part"] == [2, 3]
    indices = run.games().collect()["game_index"].to_list()
    assert indices == list(range(10, 30))
    done = verify_run(run.path)
    assert (done.findings, done.partial, done.n_replayed) == ([], True, 20)
    assert rerun_game(run, 25).differences == []
    with pytest.raises(aoi.RunFolderError, match=r"no game 5, .*, choose 10 to 29"):
        rerun_game(run, 5)
    info = CliRunner().invoke(app, ["info", str(run.path)]).stdout
    assert "20 (part 2/3 of a plan of 50) of 2 players" in info


def test_parts_cover_the_chunks_once() -> None:
    plan = Plan(PlanConfig(500, 2), RULES)
    n_chunks = len(plan.chunks())
    for n_parts in (1, 2, 3, 7, n_chunks):
        chosen = [chunk for k in range(n_parts) for chunk in chunks_of_part(plan, (k + 1, n_parts))]
        assert chosen == list(range(n_chunks))
        assert all(len(chunks_of_part(plan, (k + 1, n_parts))) > 0 for k in range(n_parts))
    assert chunks_of_part(plan, None) == range(n_chunks)


@pytest.mark.parametrize("part", [(0, 3), (4, 3), (1, 6), (1, 0)])
def test_parts_that_a_plan_does_not_have_are_refused(tmp_path: Path, part: tuple[int, int]) -> None:
    with pytest.raises(aoi.PlanError, match="--part, choose 1 to"):
        run_plan(CONFIG, RULES, tmp_path / "run", n_jobs=1, part=part)
    assert not (tmp_path / "run").exists()


def test_a_run_with_a_goal_has_no_parts(tmp_path: Path) -> None:
    with pytest.raises(aoi.PlanError, match="--part, leave out --until"):
        run_plan(replace(CONFIG, until=1.0), RULES, tmp_path / "run", n_jobs=1, part=(1, 2))


def test_words_of_parts() -> None:
    assert parse_part("2/3") == (2, 3)
    assert parse_part(None) is None
    for text in ("2", "2/", "a/b", "-1/2", "1/2/3", ""):
        with pytest.raises(aoi.PlanError, match="--part, give K/N"):
            parse_part(text)


def refused(home: Path, folders: list[Path], words: str) -> None:
    with pytest.raises(aoi.RunFolderError) as caught:
        merge_runs(folders, home / "merged")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (home / "merged").exists() and not list(home.glob("*.unfinished"))


def test_gaps_and_overlaps_are_refused(home: Path) -> None:
    refused(home, parts(home, 1, 3), "games 10 to 29 are missing")
    refused(home, parts(home, 2, 3), "games 0 to 9 are missing")
    refused(home, parts(home, 1, 2), "games 30 to 49 are missing")
    refused(home, parts(home, 1, 2, 2, 3), "is in")
    refused(home, [home / "whole", home / "part1"], "is in")
    refused(home, [home / "part1", home / "none"], "no such run")


def test_parts_of_other_plans_and_players_are_refused(home: Path) -> None:
    other = PlanConfig(50, 2, seed=2, heuristics=("random",))
    run_plan(other, RULES, home / "other", n_jobs=1, part=(2, 3))
    refused(home, [home / "part1", home / "other", home / "part3"], "plan_hash is not that of")
    run_plan(CONFIG, RULES, home / "summary", n_jobs=1, part=(2, 3), events=False)
    refused(home, [home / "part1", home / "summary", home / "part3"], "config is not that of")
    manifest = dict(open_run(home / "part2").manifest)
    manifest["heuristics"] = [{**manifest["heuristics"][0], "sha256": "0" * 64}]
    write_manifest(home / "part2", manifest)
    refused(home, parts(home, 1, 2, 3), "content of a heuristic is not that of")


def test_damaged_parts_are_refused(home: Path) -> None:
    path = home / "part2/seats/part-00001.parquet"
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    refused(home, parts(home, 1, 2, 3), "its checksum differs")


def test_merging_needs_an_empty_place(home: Path) -> None:
    with pytest.raises(aoi.RunFolderError, match="not an empty folder"):
        merge_runs(parts(home, 1, 2, 3), home / "whole")
    with pytest.raises(OSError, match="Not a directory"):
        merge_runs(parts(home, 1, 2, 3), home / "part1/manifest.json/deeper")


def test_failures_go_along(home: Path) -> None:
    (home / "part2/failures").mkdir()
    (home / "part2/failures/game-12.txt").write_text("why")
    merge_runs(parts(home, 1, 2, 3), home / "merged")
    assert (home / "merged/failures/game-12.txt").read_text() == "why"


def test_the_commands(tmp_path: Path) -> None:
    def command(*words: str) -> Any:
        return CliRunner().invoke(app, list(words))

    shared = ["--games", "20", "--players", "2", "--heuristics", "random", "--jobs", "1"]
    for number in (1, 2):
        done = command("run", *shared, "--part", f"{number}/2", "--out", str(tmp_path / str(number)))
        assert done.exit_code == 0 and done.stdout.startswith("10 games")
    merged = command("merge", str(tmp_path / "1"), str(tmp_path / "2"), "--out", str(tmp_path / "all"))
    assert (merged.exit_code, merged.stderr) == (0, "")
    assert merged.stdout.splitlines()[0] == "20 games of 2 parts, 0 failed"
    wrong = command("merge", str(tmp_path / "1"), "--out", str(tmp_path / "some"))
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)
    assert "games 10 to 19 are missing" in wrong.stderr
    refused = command("run", *shared, "--part", "3/2", "--out", str(tmp_path / "x"))
    assert refused.exit_code == 2 and "--part" in refused.stderr
