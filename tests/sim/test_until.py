from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.sequence import LEAST_BLOCKS
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanConfig, PlanError
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.until import Until, looks, parse_until

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
    assert "all 400 games are played" in report["why"]
    assert "not to ± 0.5 VP" in report["why"]


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
