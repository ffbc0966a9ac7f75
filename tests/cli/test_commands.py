import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest
from typer.testing import CliRunner, Result

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim import match, workers
from aoi_sim.sim.rerun import rerun_game
from aoi_sim.storage import journal
from aoi_sim.storage.manifest import write_manifest

ROOT = Path(aoi.__file__).parents[1]


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run played by the command."""
    path = tmp_path_factory.mktemp("cli") / "run"
    done = call("run", "--games", "12", "--players", "3", "--heuristics", "random", "--jobs", "1", "--out", str(path))
    assert done.exit_code == 0, done.output
    return path


@pytest.fixture(scope="module")
def game(folder: Path) -> Path:
    """A record written by the command."""
    path = folder.parent / "game.txt"
    assert call("replay", str(folder), "--game", "5", "--record", str(path)).exit_code == 0
    return path


def test_run_prints_a_summary(tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = (
        "run --games 8 --players 2 --seed 9 --heuristics random,explorer --jobs 1 --setup draft --design rotation"
    )
    more = "--map 1-3 --edition 1.0 --events summary"
    done = call(*arguments.split(), *more.split(), "--out", str(out))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("8 games in ")
    assert lines[0].endswith("0 failed")
    assert lines[2].split() == ["faction", "n", "mean", "VP", "95", "%", "win", "share"]
    assert lines[-1] == f"Data: {out} (manifest.json, games, seats, rounds, offers)"
    manifest = aoi.open_run(out).manifest
    assert manifest["config"] == {
        "n_games": 8,
        "n_players": 2,
        "seed": 9,
        "heuristics": ["random", "explorer"],
        "design": "rotation",
        "setup": "draft",
        "map": "1-3",
        "events": "summary",
    }
    assert manifest["rules"]["edition"] == "1.0"


def test_rules_files_apply(tmp_path: Path) -> None:
    (tmp_path / "otters.toml").write_text("[factions.otters]\nstart = { coins = 1 }\n")
    (tmp_path / "rich.toml").write_text("[setup]\ncoins = 30\n")
    rules = ["--rules", str(tmp_path / "otters.toml"), "--rules", str(tmp_path / "rich.toml")]
    done = call("run", "--games", "26", "--heuristics", "random", "--jobs", "1", *rules, "--out", str(tmp_path / "run"))
    assert done.exit_code == 0, done.output
    run = aoi.open_run(tmp_path / "run")
    assert len(run.manifest["rules"]["overlays"]) == 2
    assert run.seats().filter(pl.col("faction") == "otters").collect().height == 8
    assert rerun_game(run, 0).differences == []


def test_a_paired_run_prints_its_levels_and_their_differences(tmp_path: Path) -> None:
    (tmp_path / "rich.toml").write_text("[setup]\ncoins = 30\n")
    line = "run --games 24 --players 2 --heuristics random --rules 1.0 --paired --jobs 1 --rules"
    done = call(*line.split(), str(tmp_path / "rich.toml"), "--out", str(tmp_path / "run"))
    assert done.exit_code == 0, done.output
    titles = ["Level 1.0", "Level rich", "rich less 1.0, on the same set-ups"]
    lines = done.stdout.splitlines()
    assert [line for line in lines if line in titles] == titles
    assert lines[lines.index(titles[2]) + 1].split() == "faction set-ups VP margin win share games saved".split()
    run = aoi.open_run(tmp_path / "run")
    assert set(run.games().collect()["level"]) == {"1.0", "rich"}
    assert set(run.games().collect()["edition"]) == {"1.0", "1.2"}
    assert run.summary().columns[:2] == ["level", "faction"]
    assert "<th>rich " in run._repr_html_()


def test_a_run_until_enough_is_known_says_why_it_ended(tmp_path: Path) -> None:
    line = "run --players 2 --heuristics random --max-games 400 --jobs 2 --events summary --until"
    done = call(*line.split(), "9 VP", "--out", str(tmp_path / "run"))
    assert done.exit_code == 0, done.output
    assert "Ended after " in done.stdout
    assert " looks\n" in done.stdout


def test_players_may_be_levels_with_noise_and_replicates(tmp_path: Path) -> None:
    line = "run --games 8 --players 2 --heuristics expert --heuristics expert,power --paired --noise 900 --replicates 2"
    done = call(*line.split(), "--jobs", "1", "--out", str(tmp_path / "run"))
    assert done.exit_code == 0, done.output
    assert "expert,power less expert, on the same set-ups" in done.stdout
    games = aoi.open_run(tmp_path / "run").games().collect()
    assert games["replicate"].to_list() == [0, 0, 1, 1] * 2
    assert len(set(games["final_hash"])) == 8


def test_a_failed_game_makes_the_status_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "_MOST_DECISIONS", 20)
    out = tmp_path / "run"
    done = call("run", "--games", "2", "--heuristics", "random", "--jobs", "1", "--out", str(out))
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: 2 games failed, ")
    assert "2 failed" in done.stdout
    record = tmp_path / "game.txt"
    page = tmp_path / "game.html"
    done = call("replay", str(out), "--game", "1", "--record", str(record), "--html", str(page))
    assert done.exit_code == 1
    assert "EndlessGameError" in done.stderr
    assert "<!doctype html>" in page.read_text()
    shown = call("show", str(record))
    assert shown.exit_code == 0
    assert "Map" in shown.stdout


def test_an_unexpected_error_is_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(workers, "play_chunk", fail)
    done = call("run", "--games", "2", "--heuristics", "random", "--jobs", "1", "--out", str(tmp_path / "run"))
    assert done.exit_code == 1
    assert done.stderr == "error: unexpected KeyError, 'surprise', please report the command line\n"
    assert not (tmp_path / "run").exists()


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    out = tmp_path / "run"
    done = call("run", "--games", "2", "--heuristics", "random", "--jobs", "1", "--out", str(out))
    assert done.exit_code == 2
    assert done.stderr == f"error: no space left on device, {out}/manifest.json, free some space and run again\n"


def test_ctrl_c_is_status_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "play_chunk", interrupt)
    done = call("run", "--games", "2", "--heuristics", "random", "--jobs", "1", "--out", str(tmp_path / "run"))
    assert done.exit_code == 130
    assert done.stderr.startswith("error: interrupted before the first part was written, ")
    assert done.stderr.count("\n") == 1


def interrupts_held_back(parent: int) -> list[bool]:
    """Whether each worker of a run never sees Ctrl-C (Linux; none elsewhere)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            status = dict(line.split(":\t", 1) for line in path.read_text().splitlines())
            is_worker = "popen_loky_posix" in (path.parent / "cmdline").read_text()
        except (OSError, ValueError):
            continue  # it has ended
        if is_worker and int(status["PPid"]) == parent:
            found.append(bool(int(status["SigBlk"], 16) & 1 << signal.SIGINT - 1))
    return found


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_on_a_real_run(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "aoi_sim", "run", "--games", "3000", "--heuristics", "random", "--jobs", jobs]
    process = subprocess.Popen(
        [*command, "--out", str(out)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not journal.read_entries(out) and time.monotonic() < deadline:  # a chunk is kept once it is in the journal
        time.sleep(0.02)
    held_back = interrupts_held_back(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers too
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert all(held_back)
    assert stdout == ""
    assert stderr.startswith("error: interrupted after ")
    assert stderr.count("\n") == 1
    names = [path.name for path in out.glob("*/*")]
    assert names
    assert all(name.endswith(".parquet") for name in names)
    for path in out.glob("*/*.parquet"):
        assert pl.read_parquet(path).height > 0


def test_replay_of_a_run_and_of_its_record(folder: Path, game: Path) -> None:
    done = call("replay", str(folder), "--game", "5")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:3]] == [["seat", "0"], ["seat", "1"], ["seat", "2"]]
    assert "start 20" in lines[0]
    assert lines[-1] == "equal to what the run stored"
    again = call("replay", str(game))
    assert again.exit_code == 0
    assert again.stdout.splitlines() == lines[:-1]
    vps = aoi.open_run(folder).seats().filter(pl.col("game_index") == 5).collect()["vp"].to_list()
    assert [int(line.split(":")[1].split()[0]) for line in lines[:3]] == vps


def test_replay_copies_a_record(game: Path, tmp_path: Path) -> None:
    assert call("replay", str(game), "--record", str(tmp_path / "copy.txt")).exit_code == 0
    assert (tmp_path / "copy.txt").read_text() == game.read_text()


def test_replay_writes_a_page_of_a_record_and_of_a_game_of_a_run(folder: Path, game: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    done = call("replay", str(game), "--html", str(one))
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == f"page: {one}"
    assert call("replay", str(folder), "--game", "5", "--html", str(other)).exit_code == 0
    assert one.read_text().startswith("<!doctype html>")
    assert one.read_text() == other.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.html", "other.html"]


def test_replay_writes_to_a_pipe_too(folder: Path, game: Path) -> None:
    command = [sys.executable, "-m", "aoi_sim", "replay", str(folder), "--game", "5", "--record", "/dev/stdout"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(game.read_text())


def test_a_run_that_was_changed_makes_the_status_one(tmp_path: Path) -> None:
    run = aoi.simulate(2, 2, "random", n_jobs=1, out=tmp_path / "run")
    path = run.path / "seats/part-00000.parquet"
    manifest = json.loads((run.path / "manifest.json").read_text())
    pl.read_parquet(path).with_columns(pl.col("vp") + 1).write_parquet(path)
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    manifest["chunks"][0]["files"]["seats"] |= {"bytes": len(content), "sha256": digest}
    write_manifest(run.path, manifest)
    done = call("replay", str(run.path), "--game", "1")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: game 1 is not what was stored (scores ")


def test_show_draws_positions_and_records(game: Path, tmp_path: Path) -> None:
    end = call("show", str(game))
    middle = call("show", f"{game}:60")
    assert end.exit_code == middle.exit_code == 0
    assert end.stdout != middle.stdout
    assert "Map" in middle.stdout
    state = aoi.new_game(aoi.load_ruleset(), n_players=4, seed=1, deal=[{}] * 4)
    (tmp_path / "position.toml").write_text(aoi.dump_position(state))
    shown = call("show", str(tmp_path / "position.toml"))
    assert shown.exit_code == 0
    assert all(faction in shown.stdout for faction in [seat["faction"] for seat in aoi.to_dict(state)["seats"]])


def test_show_stops_before_the_decision_on_the_line(game: Path) -> None:
    from aoi_sim.cli.show import state_of

    record = aoi.Record.parse(game.read_text())
    number, round_, turn, seat, _ = record.decisions[37]
    state = state_of(f"{game}:{number}")
    assert (state.n_decisions, state.round, state.turn, aoi.seat_to_move(state)) == (37, round_, turn, seat)
    assert state_of(f"{game}:1").n_decisions == 0


def test_show_writes_a_picture(game: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.svg"
    done = call("show", f"{game}:60", "--svg", str(path))
    assert done.exit_code == 0
    assert done.stdout == f"picture: {path}\n"
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_rules_list_the_components(tmp_path: Path) -> None:
    overview = call("rules")
    assert overview.exit_code == 0
    assert "palaces (17): 1, 2, 3" in overview.stdout
    factions = call("rules", "factions").stdout.splitlines()
    assert [line.split(":")[0] for line in factions] == list(aoi.load_ruleset().data["factions"])
    palaces = call("rules", "palaces").stdout
    assert "7: income: 4 power; pass: 3 VP per school" in palaces
    assert (
        "illusionists: start: 2 medicine; power action taken: 3 VP"
        in call("rules", "factions", "--edition", "1.0").stdout
    )
    assert "power action taken: 1 VP" in call("rules", "factions", "--players", "2").stdout
    assert "book_supply = unlimited (BOOK-1; unlimited or limited)" in call("rules", "options").stdout
    assert "setup.coins = 15" in call("rules", "setup").stdout
    (tmp_path / "my.toml").write_text("[setup]\ncoins = 30\n")
    assert "setup.coins = 30" in call("rules", "setup", "--rules", str(tmp_path / "my.toml")).stdout


@pytest.mark.parametrize("table", list(aoi.load_ruleset().data))
def test_rules_know_every_table(table: str) -> None:
    done = call("rules", table)
    assert done.exit_code == 0
    assert done.stdout
    assert "{" not in done.stdout


def test_version_and_help() -> None:
    assert call("--version").stdout == f"aoi-sim {aoi.__version__} ({aoi.build_info().kind})\n"
    for command in ("run", "replay", "show", "rules"):
        done = call(command, "--help")
        assert done.exit_code == 0
        assert "Usage" in done.stdout


def test_the_light_commands_load_nothing_heavy() -> None:
    code = (
        "import sys\nfrom aoi_sim.cli import main\ntry:\n    main(['rules', 'setup'])\nexcept SystemExit as e:\n"
        "    print(e.code, sorted({'polars', 'pandas', 'pyarrow', 'joblib', 'numpy', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
