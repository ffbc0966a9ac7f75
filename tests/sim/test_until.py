import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.analysis.margins import margin_rows
from aoi_sim.analysis.sequence import LEAST_BLOCKS, design_size, margin_sequence
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanConfig, PlanError
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.rerun import rerun_game
from aoi_sim.sim.runner import run_plan
from aoi_sim.sim.until import Until, looks, parse_until
from aoi_sim.sim.verify import verify_run
from aoi_sim.storage.manifest import write_manifest

RULES = load_ruleset()


def made_chunk(folder: Path, plan: Plan, chunk: int, sd: float = 17.0) -> dict[str, Any]:
    """Files of a made-up chunk of a plan, as far as looks read them, and its entry."""
    random = np.random.default_rng(chunk)
    games, seats = [], []
    for spec in plan.games(plan.chunks()[chunk]):
        games.append({"game_index": spec.index, "block": spec.block, "level": plan.level_name(spec)})
        for seat, row in enumerate(spec.deal or []):
            vp = round(100 + random.normal(0, sd))
            seats.append({"game_index": spec.index, "seat": seat, "vp": vp, "win_share": 0.25, **row})
    entry: dict[str, Any] = {"chunk": chunk, "n_games": len(games), "files": {}}
    for name, rows in (("games", games), ("seats", seats)):
        path = folder / f"{name}-{chunk}.parquet"
        pl.DataFrame(rows, schema_overrides={"level": pl.String}).write_parquet(path)
        entry["files"][name] = {"path": path.name}
    return entry


def ends_after(until: Until, entries: Sequence[dict[str, Any]]) -> int:
    """How many chunks are told until the run may end; all if it may not."""
    for number, entry in enumerate(entries, 1):
        if until.enough(entry):
            return number
    return len(entries)


def made(tmp_path: Path, until: float, n_games: int = 4000, n: int | None = None, **config: Any) -> tuple[Until, int]:
    plan = Plan(PlanConfig(n_games, until=until, **config), RULES)
    entries = [made_chunk(tmp_path, plan, chunk) for chunk in range(len(plan.chunks()) if n is None else n)]
    looker = Until(plan, tmp_path)
    return looker, ends_after(looker, entries)


def test_looks_come_at_fixed_chunks_and_last_at_the_end() -> None:
    assert looks(1) == [1]
    assert looks(20) == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20]
    assert len(looks(1000)) < 35
    for n_chunks in range(1, 60):
        assert looks(n_chunks)[-1] == n_chunks
        assert looks(n_chunks) == sorted(set(looks(n_chunks)))


def test_a_run_ends_when_every_margin_is_known(tmp_path: Path) -> None:
    looker, chunks = made(tmp_path, 3.0)
    report = looker.report()
    assert report["reached"]
    assert report["half_width"] <= 3.0
    assert 1 < chunks < 50
    *before, last = report["looks"]
    assert all(look["half_width"] is None or look["half_width"] > 3.0 for look in before)
    assert (last["chunks"], last["half_width"]) == (chunks, report["half_width"])
    assert last["games"] == chunks * 100
    assert [look["chunks"] for look in report["looks"]] == [look for look in looks(40) if look <= chunks]
    assert "every margin is known to" in report["why"]


def test_a_run_that_does_not_get_there_says_so(tmp_path: Path) -> None:
    looker, chunks = made(tmp_path, 0.5, n_games=400)
    report = looker.report()
    assert not report["reached"]
    assert chunks == len(Plan(PlanConfig(400, until=0.5), RULES).chunks())
    assert report["looks"][-1]["games"] == 400
    assert "after all 400 games" in report["why"]
    assert re.search(
        r": 12 of 12 margins are not known to ± 0\.5 VP, the widest is \w+ \(known to ± [\d.]+ VP\)", report["why"]
    )


def test_too_few_blocks_are_never_enough(tmp_path: Path) -> None:
    looker, _ = made(tmp_path, 100.0, n_games=LEAST_BLOCKS * 3 - 30)
    assert not looker.report()["reached"]
    assert looker.report()["half_width"] is None
    looker, _ = made(tmp_path, 100.0, n_games=LEAST_BLOCKS * 3 + 30)
    assert looker.report()["reached"]


def test_with_a_focus_only_its_factions_count(tmp_path: Path) -> None:
    _, balanced = made(tmp_path, 3.0)
    looker, focused = made(tmp_path, 3.0, design="focus", focus=("moles", "omar"))
    assert focused < balanced / 2
    assert {look["widest"] for look in looker.report()["looks"]} <= {"moles", "omar"}


def test_half_widths_are_read_from_words() -> None:
    assert [parse_until(text) for text in ("1 VP", " 0.5vp", "2.VP", ".75 vp ")] == [1.0, 0.5, 2.0, 0.75]
    for text in ("", "1", "VP", "0 VP", "-1 VP", "1 %", "1e3 VP", "1000 VP", "nan VP", "1 VP VP"):
        with pytest.raises(PlanError, match=r'no half-width .*, --until, write "1 VP"'):
            parse_until(text)


def test_chunks_of_such_a_run_are_small_and_the_hash_knows_it() -> None:
    plain, until = Plan(PlanConfig(100_000), RULES), Plan(PlanConfig(100_000, until=1.0), RULES)
    assert {len(chunk) for chunk in until.chunks()} == {200}
    assert plain.hash != until.hash
    assert [until.game(index) for index in range(50)] == [plain.game(index) for index in range(50)]


def played(folder: Path, n_jobs: int) -> aoi.Run:
    run: aoi.Run = aoi.simulate(
        n_players=2, heuristics="random", until="7 VP", max_games=2000, n_jobs=n_jobs, out=folder, events="summary"
    )
    return run


def files(run: aoi.Run) -> dict[str, bytes]:
    return {path.relative_to(run.path).as_posix(): path.read_bytes() for path in sorted(run.path.glob("*/*.parquet"))}


def test_a_run_ends_at_the_same_game_with_any_number_of_workers(tmp_path: Path) -> None:
    one, two = played(tmp_path / "one", 1), played(tmp_path / "two", 2)
    assert one.manifest["until"] == two.manifest["until"]
    assert files(one) == files(two)
    report = one.manifest["until"]
    assert report["reached"]
    assert one.n_games == report["looks"][-1]["games"] < 2000
    assert one.games().collect()["game_index"].to_list() == list(range(one.n_games))
    table = margin_sequence(margin_rows(one.seats(), one.games()), design_size(7.0))
    assert table["half_width"].max() == pytest.approx(report["half_width"], abs=1e-5)
    assert rerun_game(one, one.n_games - 1).differences == []
    assert verify_run(one.path).findings == []
    manifest = json.loads((one.path / "manifest.json").read_text())
    manifest["until"]["looks"][0]["half_width"] = 1.0
    write_manifest(one.path, {key: value for key, value in manifest.items() if key != "checksum"})
    assert "looks of --until" in "".join(str(finding) for finding in verify_run(one.path).findings)


def test_a_paired_run_may_end_by_itself(tmp_path: Path) -> None:
    run = aoi.simulate(
        n_players=2,
        heuristics={"a": "random", "b": "explorer"},
        until="40 VP",
        max_games=1501,
        n_jobs=2,
        out=tmp_path / "run",
        events="summary",
    )
    assert run.manifest["config"]["n_games"] == 1500
    assert run.manifest["until"]["looks"][-1]["widest"].startswith("b ")
    assert verify_run(run.path).findings == []


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    for words, text in (
        ({"n_games": 10, "until": "1 VP"}, "--games beside --until"),
        ({"n_games": 10, "max_games": 20}, "--max-games without --until"),
        ({"until": "1 VP", "max_games": 0}, "0 games, --max-games"),
        ({"until": "1 VP", "max_games": 3, "design": "rotation"}, "choose 4 and more"),
    ):
        with pytest.raises(PlanError, match=text):
            aoi.simulate(heuristics="random", out=tmp_path / "run", **words)
    with pytest.raises(PlanError, match="--part"):
        run_plan(PlanConfig(4000, until=1.0), RULES, tmp_path / "run", part=(1, 2))
    assert not (tmp_path / "run").exists()
