import hashlib
import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.analysis.trust import trust_of_files
from aoi_sim.cli.app import app
from aoi_sim.sim import job, match, runner
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.config import config_of
from aoi_sim.sim.verify import verify_run
from aoi_sim.storage.reader import Run, open_run
from tests.storage.damages import DAMAGES, SPADES, edited, manifest, rewritten, row_with, write


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("verify") / "run"
    aoi.simulate(20, 2, "random", n_jobs=1, out=folder)
    return folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "run"))


def words_of(folder: Path, n_replayed: int = -1) -> list[str]:
    return [str(finding) for finding in verify_run(folder, n_replayed).findings]


@pytest.mark.parametrize("name", list(DAMAGES))
def test_every_damage_is_found(run: Path, name: str) -> None:
    damage, words = DAMAGES[name]
    damage(run)
    found = words_of(run)
    assert any(words in line for line in found), found
    for line in found:
        assert "\n" not in line
        assert str(run) in line
        assert line.count(", ") >= 2


def test_there_are_many_damages() -> None:
    assert len(DAMAGES) >= 50


def test_a_sound_run_has_no_findings(run: Path) -> None:
    done = verify_run(run)
    assert done.findings == []
    assert (done.n_games, done.n_files, done.n_replayed, done.n_played_again) == (20, 10, 20, 2)
    assert (done.partial, done.notes) == (False, [])


@pytest.mark.parametrize("options", [{"design": "choice"}, {"setup": "draft"}, {"design": "rotation", "map": "1-3"}])
def test_every_design_and_set_up_is_verified(tmp_path: Path, options: dict[str, str]) -> None:
    aoi.simulate(6, 3, "random", n_jobs=1, out=tmp_path / "run", **options)
    assert words_of(tmp_path / "run") == []


def test_every_level_and_replicate_is_verified(tmp_path: Path) -> None:
    rich = aoi.load_ruleset(overlays=[{"setup": {"coins": 30}, "remove": ["palaces.3"]}])
    levels = {"plain": aoi.load_ruleset(), "rich": rich}
    aoi.simulate(8, 2, "random", rules=levels, replicates=2, n_jobs=1, out=tmp_path / "run")
    done = verify_run(tmp_path / "run", -1)
    assert (done.findings, done.notes, done.n_replayed) == ([], [], 8)
    rewritten("games", row_with(pl.col("game_index") == 5, replicate=1))(tmp_path / "run")
    assert "replicate is not what the plan says (game 5)" in "".join(words_of(tmp_path / "run"))


def test_arenas_and_runs_without_events_are_verified(tmp_path: Path) -> None:
    from aoi_sim.sim.arena import arena

    arena(["random", "explorer"], 4, tmp_path / "arena", rules=aoi.load_ruleset(), n_players=2, n_jobs=1)
    assert words_of(tmp_path / "arena") == []
    aoi.simulate(4, 2, "random", n_jobs=1, out=tmp_path / "summary", events="summary")
    done = verify_run(tmp_path / "summary")
    assert (done.findings, done.n_replayed, done.n_played_again) == ([], 0, 4)
    rewritten("rounds", row_with(pl.col("round") == 3, coins=99))(tmp_path / "summary")
    assert "coins in its row" in "".join(words_of(tmp_path / "summary"))


def test_failed_games_are_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "_MOST_DECISIONS", 110)
    run = aoi.simulate(10, 2, "random", n_jobs=1, out=tmp_path / "run")
    assert 0 < run.n_failed < 10
    done = verify_run(run.path)
    assert done.findings == []
    assert done.n_replayed == 10 - run.n_failed
    edited(lambda content: content["counts"].update(failed=0))(run.path)
    assert "counts.failed is 0" in words_of(run.path)[0]


def test_a_run_of_an_older_plan_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (runner, job):
        monkeypatch.setattr(module, "plan_for", lambda config, rules: plan_for(config, rules, 1))
    made = aoi.simulate(12, 2, "random", n_jobs=1, out=tmp_path / "run")
    monkeypatch.undo()
    assert made.manifest["plan_hash"] != plan_for(config_of(made.manifest["config"]), aoi.load_ruleset()).hash
    done = verify_run(made.path)
    assert (done.findings, done.n_replayed) == ([], 12)


def test_a_sample_of_games_is_spread_over_the_run(run: Path) -> None:
    assert verify_run(run, 0).n_replayed == 0
    assert verify_run(run, 2).n_replayed == 2
    rewritten("events", row_with(SPADES, what="spade_used - 9 0"), chunk=1)(run)
    assert words_of(run, 0) == []
    assert len(words_of(run, -1)) == 1


def test_changed_weights_are_found_though_every_hash_was_repaired(tmp_path: Path) -> None:
    aoi.simulate(2, 2, "cities", n_jobs=1, out=tmp_path / "run")
    assert verify_run(tmp_path / "run").n_played_again == 2
    content = manifest(tmp_path / "run")
    entry = content["heuristics"][0]
    weights = {**json.loads(entry["content"]), "weights": {}}
    entry["content"] = json.dumps(weights)
    entry["sha256"] = hashlib.sha256(entry["content"].encode()).hexdigest()
    write(tmp_path / "run", content)
    found = words_of(tmp_path / "run")
    assert found and all("its players give" in line for line in found)


def test_players_that_have_changed_since_are_said_not_blamed(run: Path) -> None:
    content = manifest(run)
    entry = content["heuristics"][0]
    entry["content"] += "# an older one\n"
    entry["sha256"] = hashlib.sha256(entry["content"].encode()).hexdigest()
    write(run, content)
    done = verify_run(run)
    assert done.findings == []
    assert done.notes == ["no game was played again by its players: the code of random has changed since"]


def test_parts_of_a_run_are_verified_as_what_they_are(run: Path) -> None:
    content = manifest(run)
    chunk = content["chunks"].pop()
    content["counts"]["games"] -= chunk["n_games"]
    for name, file in chunk["files"].items():
        content["counts"]["rows"][name] -= file["rows"]
        (run / file["path"]).unlink()
    trust = trust_of_files(run, content["chunks"], whole=False)
    write(run, {**content, "partial": True, "trust": trust})
    (run / ".lock").write_text("1")
    (run / "failures").mkdir()
    (run / "failures/game-1.txt").write_text("x")
    done = verify_run(run)
    assert done.findings == []
    assert (done.partial, done.n_games) == (True, 10)


def test_older_runs_without_a_checksum_are_verified() -> None:
    run: Run = open_run(Path(__file__).parents[1] / "storage/old/version-1")
    assert "checksum" not in run.manifest
    assert words_of(run.path) == []


def test_many_findings_of_a_kind_are_counted(run: Path) -> None:
    for number in range(40):
        (run / f"note-{number:02}").write_text("x")
    found = words_of(run, 0)
    assert len(found) == 21
    assert found[-1].startswith("20 more of this kind")


def test_the_command_prints_lines_and_gives_the_status(run: Path, tmp_path: Path) -> None:
    sound = CliRunner().invoke(app, ["verify", str(run), "--replay", "3"])
    assert (sound.exit_code, sound.stderr) == (0, "")
    assert sound.stdout.splitlines() == [
        "20 games in 10 files checked, 3 replayed from their decisions, 2 played again by their players",
        "nothing wrong",
    ]
    (run / "notes.txt").write_text("x")
    wrong = CliRunner().invoke(app, ["verify", str(run), "--replay", "0"])
    assert wrong.exit_code == 1
    first = f"file that the manifest does not name, {run / 'notes.txt'}, move it out of the run or delete it"
    assert wrong.stdout.splitlines()[0] == first
    assert wrong.stdout.splitlines()[-1] == "1 found"
    for arguments, words in (
        ([str(tmp_path / "nothing")], "no such run"),
        ([str(tmp_path)], "not a run"),
        ([str(run), "--replay", "-2"], "--replay"),
    ):
        refused = CliRunner().invoke(app, ["verify", *arguments])
        assert refused.exit_code == 2
        assert refused.stderr.startswith("error: ") and words in refused.stderr and refused.stderr.count("\n") == 1


def test_fixed_set_ups_and_focus_are_verified(tmp_path: Path) -> None:
    aoi.simulate(4, 2, "random", n_jobs=1, out=tmp_path / "focus", design="focus", focus=["moles"])
    assert words_of(tmp_path / "focus") == []


def test_every_run_ends_with_its_trust_checks(played: Path) -> None:
    checks = {check["name"]: check["verdict"] for check in manifest(played)["trust"]}
    assert list(checks) == ["failures", "duplicates", "balance", "mirror match", "workers"]
    assert (checks["failures"], checks["duplicates"], checks["balance"]) == ("ok", "ok", "ok")
    assert checks["workers"] == "not applicable"


@pytest.mark.parametrize(("until", "is_found"), [(1.0, False), (0.0, True)])
def test_only_a_run_with_a_goal_may_end_before_its_last_game(run: Path, until: float, is_found: bool) -> None:
    content = manifest(run)
    content["chunks"] = content["chunks"][:1]
    content["counts"]["games"] = 10
    content["config"]["until"] = until
    write(run, content)
    assert any("counts.games and config.n_games" in line for line in words_of(run, 0)) == is_found
