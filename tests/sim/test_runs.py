import errno
import os
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.sim import match, workers
from aoi_sim.sim.job import ChunkDone, Job
from aoi_sim.sim.plan import DESIGNS, PlanConfig
from aoi_sim.sim.rerun import rerun_game
from aoi_sim.sim.runner import Interrupted, run_plan
from aoi_sim.storage import writer
from aoi_sim.storage.reader import Run, open_run
from aoi_sim.storage.schemas import SCHEMAS
from aoi_sim.storage.writer import TEMPORARY_SUFFIX

RULES = aoi.load_ruleset()
THIRTEEN = {
    "factions": {"otters": {"start": {"coins": 2}, "on": [{"event": "workshop_built", "where": "river", "vp": 1}]}},
    "round_tiles": {
        "bridge-law": {
            "on": [{"event": "tower_built", "vp": 3}],
            "bonus": {"discipline": "law", "every": 2, "coins": 1},
        }
    },
}


def run(folder: Path, n_games: int = 12, n_players: int = 4, heuristics: Any = "random", **options: Any) -> Run:
    options.setdefault("n_jobs", 1)
    made: Run = aoi.simulate(n_games, n_players, heuristics, out=folder, **options)
    return made


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    heuristics = ["random", "explorer", "random", "explorer"]
    return run(tmp_path_factory.mktemp("runs") / "run", 24, 4, heuristics, seed=3)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.glob("*/*"))}


def test_vp_is_the_sum_of_its_sources(played: Run) -> None:
    seats = played.seats().collect()
    sources = [name for name in seats.columns if name.startswith("vp_from_")]
    assert sources == [column.name for column in SCHEMAS["seats"].columns if column.name.startswith("vp_from_")]
    assert seats.select(pl.sum_horizontal(sources))["vp_from_start"].to_list() == seats["vp"].to_list()
    assert set(seats["vp_from_start"]) == {20}
    assert (seats["vp_from_power"] <= 0).all()


def test_vp_is_the_sum_of_the_events(played: Run) -> None:
    by_event = played.events().group_by("game_index", "seat").agg(pl.col("vp").sum())
    by_seat = played.seats().select("game_index", "seat", "vp")
    keys = ["game_index", "seat"]
    assert by_event.filter(pl.col("vp") != 0).sort(keys).collect().equals(by_seat.sort(keys).collect())


def test_every_game_has_its_rows(played: Run) -> None:
    games = played.games().collect()
    assert games["game_index"].to_list() == list(range(24))
    assert set(games["status"]) == {"finished"}
    assert games["game_id"].to_list() == [f"{played.manifest['plan_hash']}-{index}" for index in range(24)]
    assert played.seats().select("game_index", "seat").collect().rows() == [(g, s) for g in range(24) for s in range(4)]
    keys = played.rounds().select("game_index", "seat", "round").collect().rows()
    assert sorted(keys) == [(g, s, r) for g in range(24) for s in range(4) for r in range(1, 7)]
    assert played.manifest["counts"]["rows"]["rounds"] == 24 * 24
    for table in ("offers", "events"):
        frame = played.table(table).select("game_index", "sequence").collect()
        counts = Counter(frame["game_index"])
        assert frame.rows() == [(game, number) for game in range(24) for number in range(counts[game])]


def test_ranks_and_win_shares(played: Run) -> None:
    for _, table in played.seats().collect().group_by("game_index"):
        scores = table["vp"].to_list()
        assert table["rank"].to_list() == [1 + sum(other > score for other in scores) for score in scores]
        winners = scores.count(max(scores))
        assert table["win_share"].to_list() == [1 / winners if score == max(scores) else 0.0 for score in scores]
    winners = played.games().select("game_index", "winners").collect()
    best = (
        played.seats().filter(pl.col("rank") == 1).group_by("game_index").agg(pl.col("seat").sort()).sort("game_index")
    )
    assert winners["winners"].to_list() == best.collect()["seat"].to_list()


def test_offers_hold_what_was_taken(played: Run) -> None:
    offers = played.offers().collect()
    assert all(row["taken"] in row["open"] for row in offers.iter_rows(named=True))
    assert all(len(set(row["open"])) == len(row["open"]) > 1 for row in offers.iter_rows(named=True))
    assert {"bonus", "competency", "power", "palace"} <= set(offers["pick"])
    power = offers.filter(pl.col("pick") == "power")
    assert (power["power"] > 0).all()
    assert offers.filter(pl.col("pick") != "power")["power"].null_count() == len(offers) - len(power)
    taken = power.group_by("game_index", "seat", "taken").agg(pl.col("power").sum())
    seats = played.seats().select("game_index", "seat", "power_taken", "power_declined").collect()
    assert taken["power"].sum() == seats["power_taken"].sum() + seats["power_declined"].sum()
    accepted = taken.filter(pl.col("taken") == "accept")["power"].sum()
    assert accepted == seats["power_taken"].sum() > 0


def test_the_last_bonus_tile_offered_is_a_free_one(played: Run) -> None:
    bonus = played.offers().filter(pl.col("pick") == "bonus").collect()
    assert set(bonus["open"].list.len()) == {3}
    in_play = dict(played.games().select("game_index", "bonus_tiles").collect().iter_rows())
    assert all(set(row["open"]) < set(in_play[row["game_index"]]) for row in bonus.iter_rows(named=True))
    assert {len(tiles) for tiles in in_play.values()} == {7}


def test_rounds_follow_each_other(played: Run) -> None:
    rounds = played.rounds().sort("game_index", "seat", "round").collect()
    assert (rounds["next_place"].sort() == rounds["place"].sort()).all()
    for _, table in rounds.group_by("game_index", "seat", maintain_order=True):
        assert table["next_place"].to_list()[:-1] == table["place"].to_list()[1:]
        assert table["vp"].to_list()[-1] >= 0
    first = rounds.filter(pl.col("round") == 1)
    assert (first["place"] == first["seat"]).all()
    assert (rounds["income_tools"] >= 0).all()
    # The final scoring is not in the last round's VP.
    final = ["vp_from_area", "vp_from_science", "vp_from_resources"]
    seats = played.seats().with_columns(before=pl.col("vp") - pl.sum_horizontal(final)).collect()
    assert rounds.filter(pl.col("round") == 6)["vp"].to_list() == seats["before"].to_list()


def test_final_counts_match_the_last_round(played: Run) -> None:
    last = played.rounds().filter(pl.col("round") == 6).sort("game_index", "seat").collect()
    seats = played.seats().collect()
    for name in (
        "workshops",
        "guilds",
        "cities",
        "innovations",
        "competencies",
        "banking",
        "sailing",
        "bridges",
        "keys",
    ):
        assert seats[name].to_list() == last[name].to_list()
    assert (seats["area"] > 0).all()


def test_events_hold_every_decision(played: Run) -> None:
    decisions = (
        played.events().filter(pl.col("decision") >= 0).group_by("game_index").agg(pl.col("decision").n_unique())
    )
    counted = decisions.sort("game_index").collect()["decision"].to_list()
    assert counted == played.games().collect()["n_decisions"].to_list()
    order = played.events().select("game_index", "decision").collect()
    assert order.equals(order.sort("game_index", "decision"))
    assert played.events().filter(pl.col("action").is_null() & (pl.col("decision") >= 0)).collect().is_empty()


def test_events_speak_the_words_of_the_rules(played: Run) -> None:
    events = played.events().collect()
    assert {"workshop_built", "vp_scored", "hex_transformed", "passed", "decided"} <= set(events["event"])
    dug = events.filter(pl.col("event") == "hex_transformed")
    assert {subject.split("/")[1] for subject in dug["subject"].cast(pl.String)} <= set(RULES.data["terrains"])
    bridges = events.filter(pl.col("event") == "bridge_built")["hex"].cast(pl.String).to_list()
    assert all(len(hexes.split("-")) == 2 for hexes in bridges)
    names = set(events.filter(pl.col("event") == "workshop_built")["hex"].cast(pl.String))
    assert all(name[0] in "ABCDEFGHI" and name[1:].isdecimal() for name in names)


def test_values_are_the_keys_of_the_specification(played: Run) -> None:
    seats = played.seats().collect()
    assert set(seats["faction"]) == set(RULES.data["factions"])
    assert set(seats["board"]) == set(RULES.data["boards"])
    assert set(seats["palace"].drop_nulls()) <= set(RULES.data["palaces"])
    assert set(seats["assigned"]) == {"balanced"}
    assert set(seats["heuristic"]) == {"random", "explorer"}
    games = played.games().collect()
    assert set(games["map"]) == {"3-5"}
    for column, table in (("round_tiles", "round_tiles"), ("palaces", "palaces"), ("innovations", "innovations")):
        assert set(games[column].explode()) <= set(RULES.data[table])


def test_two_jobs_write_the_same_files(tmp_path: Path) -> None:
    one = run(tmp_path / "one", 30, n_jobs=1)
    two = run(tmp_path / "two", 30, n_jobs=2)
    assert len(files(one.path)) == 15
    assert files(one.path) == files(two.path)
    assert one.manifest["chunks"] == two.manifest["chunks"]


def test_summary_leaves_out_events_and_nothing_else(tmp_path: Path) -> None:
    full = files(run(tmp_path / "full").path)
    summary = run(tmp_path / "summary", events="summary")
    assert {name: data for name, data in full.items() if not name.startswith("events/")} == files(summary.path)
    assert summary.tables == ("games", "seats", "rounds", "offers")
    assert summary.manifest["config"]["events"] == "summary"


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("setup", ["standard", "draft"])
@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_all_designs_play(tmp_path: Path, design: str, setup: str, n_players: int) -> None:
    (tmp_path / "set-ups.toml").write_text("[[setup]]\n")
    focus = ["moles", "lake"] if design == "focus" else []
    fixed = tmp_path / "set-ups.toml" if design == "fixed" else None
    given = {"design": design, "setup": setup, "focus": focus, "fixed": fixed}
    made = run(tmp_path / "run", 2 * n_players, n_players, "explorer", **given)
    assert made.n_failed == 0
    games, seats = made.games().collect(), made.seats().collect()
    assert set(seats["assigned"]) == {design}
    assert seats["bonus"].null_count() == 0
    assert {len(tiles) for tiles in games["bonus_tiles"]} == {n_players + 3}
    assert {len(palaces) for palaces in games["palaces"]} <= {n_players, n_players + 1, n_players + 2}
    assert (games["bundles"].list.len() == (7 if design == "choice" and setup == "standard" else 0)).all()
    picks = set(made.offers().collect()["pick"])
    assert ("bundle" in picks) == (design == "choice" and setup == "standard")
    assert ("draft" in picks) == (design == "choice" and setup == "draft")
    for index in (0, n_players):
        assert rerun_game(made, index).differences == []


@pytest.mark.parametrize("n_players", [2, 4])
def test_a_rotation_block_has_one_set_up(tmp_path: Path, n_players: int) -> None:
    made = run(tmp_path / "run", 3 * n_players, n_players, design="rotation")
    fixed = [
        *("round_tiles", "final_tile", "book_actions", "innovations", "innovation_columns", "competencies", "palaces"),
        *("bonus_tiles", "area_tile", "setup_seed"),
    ]
    games = made.games().collect()
    assert games["block"].to_list() == [block for block in range(3) for _ in range(n_players)]
    for _, block in games.group_by("block"):
        assert len({str(row) for row in block.select(fixed).rows()}) == 1
    together = made.seats().join(made.games().select("game_index", "block"), on="game_index")
    pairs = together.select("block", "faction", "board", "bonus", "seat").collect()
    assert pairs.unique(["block", "faction", "board", "bonus"]).height == 3 * n_players
    assert pairs.unique(["block", "faction", "seat"]).height == 3 * n_players**2


def test_an_added_faction_and_round_tile_play(tmp_path: Path) -> None:
    made = run(tmp_path / "run", 40, 4, overlays=[THIRTEEN], n_jobs=2)
    assert made.n_failed == 0
    assert "otters" in set(made.seats().collect()["faction"])
    assert "bridge-law" in set(made.games().collect()["round_tiles"].explode())
    assert rerun_game(made, 39).differences == []


def test_the_manifest_tells_the_whole_story(played: Run) -> None:
    manifest = played.manifest
    assert manifest["config"]["heuristics"] == ["random", "explorer", "random", "explorer"]
    assert manifest["seed"] == 3
    assert manifest["rules"]["hash"] == RULES.hash
    assert manifest["rules"]["options"] == dict(RULES.options)
    assert [entry["name"] for entry in manifest["heuristics"]] == ["explorer", "random"]
    assert all(len(entry["sha256"]) == 64 and "class" in entry["content"] for entry in manifest["heuristics"])
    assert {"python", "pyarrow", "polars", "joblib"} <= set(manifest["versions"])
    assert manifest["build"] in ("pure", "compiled")
    assert manifest["counts"]["games"] == 24
    assert manifest["wall_seconds"] > 0


class BrokenError(RuntimeError):
    pass


def break_game(monkeypatch: pytest.MonkeyPatch, wrong: int, after: int = 30) -> None:
    """Make the run's game number ``wrong`` fail after some decisions."""
    play, game = match.play, -1

    def play_or_fail(players: list[Any], played: match.Played) -> None:
        nonlocal game
        game += 1
        if game == wrong:
            choose, left = players[0].choose, after

            def fail(state: Any, actions: Any) -> Any:
                nonlocal left
                left -= 1
                if left < 0:
                    raise BrokenError("no idea,\nsorry")
                return choose(state, actions)

            players[0].choose = fail
        play(players, played)

    monkeypatch.setattr(match, "play", play_or_fail)


def test_a_game_that_raises_is_kept_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_game(monkeypatch, wrong=3)
    made = run(tmp_path / "run")
    assert (made.n_games, made.n_failed) == (12, 1)
    games = made.games().collect()
    failed = games.row(3, named=True)
    assert games["status"].to_list() == ["failed" if index == 3 else "finished" for index in range(12)]
    assert failed["error"] == "BrokenError: no idea, sorry"
    assert failed["setup_seed"] > 0
    assert failed["winners"] == []
    assert failed["final_hash"] is None
    record = aoi.Record.parse(failed["record"])
    assert len(record.decisions) == failed["n_decisions"] >= 30
    assert 3 not in set(made.seats().collect()["game_index"])
    rerun = rerun_game(made, 3)
    assert (rerun.state, rerun.error) == (None, "BrokenError: no idea, sorry")
    assert "1 failed" in repr(made)
    assert [path.name for path in (made.path / "failures").iterdir()] == ["game-000003.txt"]
    text = (made.path / "failures/game-000003.txt").read_text()
    assert text.startswith(f"game 3 of plan {made.manifest['plan_hash']}, block 3, root seed 1\n")
    assert f"\nsetup_seed {failed['setup_seed']}\n" in text
    assert f"\nplayer_seeds {' '.join(map(str, failed['player_seeds']))}\n" in text
    assert "\nTraceback (most recent call last):\n" in text
    assert "BrokenError: no idea,\nsorry\n" in text
    assert text.endswith(failed["record"])


def test_a_game_that_cannot_be_set_up_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise BrokenError("no table")

    monkeypatch.setattr(match, "draw_setup", fail)
    made = run(tmp_path / "run", 2)
    assert made.n_failed == 2
    assert made.games().collect()["record"].to_list() == ["", ""]
    assert made.seats().collect().is_empty()
    assert made.summary().is_empty()


def test_an_endless_game_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "_MOST_DECISIONS", 20)
    made = run(tmp_path / "run", 2)
    assert set(made.games().collect()["error"]) == {"EndlessGameError: no end after 20 decisions"}


def test_ctrl_c_keeps_finished_chunks_and_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_chunk = workers.play_chunk

    def interrupted(job: Job, chunk: int) -> ChunkDone:
        if chunk == 2:
            (tmp_path / "run/seats" / f"part-00002.parquet{TEMPORARY_SUFFIX}").write_bytes(b"half")
            raise KeyboardInterrupt
        return play_chunk(job, chunk)

    monkeypatch.setattr(workers, "play_chunk", interrupted)
    with pytest.raises(Interrupted, match="interrupted after 20 of 30 games"):
        run(tmp_path / "run", 30)
    assert sorted(files(tmp_path / "run")) == sorted(
        f"{name}/part-0000{number}.parquet" for name in SCHEMAS for number in (0, 1)
    )
    assert {path.name for path in (tmp_path / "run").iterdir()} == {*SCHEMAS, "manifest.json", "chunks.jsonl"}
    with pytest.raises(aoi.RunFolderError, match="unfinished run"):
        open_run(tmp_path / "run")


def test_ctrl_c_before_the_first_chunk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(job: Job, chunk: int) -> ChunkDone:
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "play_chunk", interrupted)
    with pytest.raises(Interrupted, match="before the first part"):
        run(tmp_path / "run", 30)
    assert not (tmp_path / "run").exists()


def test_a_full_disk_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes, lasting: bool = True) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writer, "write_atomically", full)
    with pytest.raises(OSError, match="No space left") as caught:
        run(tmp_path / "run")
    assert caught.value.filename == str(tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_the_folder_must_be_absent_or_empty(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty", 2).n_games == 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("x")
    with pytest.raises(aoi.RunFolderError, match="not empty"):
        run(tmp_path / "mine", 2)
    (tmp_path / "file").write_text("x")
    with pytest.raises(aoi.RunFolderError, match="not a folder"):
        run(tmp_path / "file", 2)
    with pytest.raises(OSError, match="Not a directory"):
        run(tmp_path / "file/deeper", 2)


def test_wrong_plans_leave_no_folder(tmp_path: Path) -> None:
    with pytest.raises(aoi.PlanError):
        run_plan(PlanConfig(10, 9), RULES, tmp_path / "run")
    with pytest.raises(aoi.PlanError, match="0 jobs"):
        run_plan(PlanConfig(10), RULES, tmp_path / "run", n_jobs=0)
    with pytest.raises(aoi.UnknownHeuristic):
        run(tmp_path / "run", heuristics="best")
    with pytest.raises(aoi.PlanError, match="events"):
        run(tmp_path / "run", events="some")
    assert not (tmp_path / "run").exists()
