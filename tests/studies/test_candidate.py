import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.rules import load_ruleset
from aoi_sim.sim import seeding
from aoi_sim.studies.candidate import CandidateTest
from aoi_sim.studies.tuning_config import TuneConfig
from aoi_sim.studies.tuning_games import Outcome, Workers
from aoi_sim.studies.tuning_state import TuningError

RULES = load_ruleset()
PARENT = """doc = "a start"
idea = "the parent's"
source = "the tests"
[weights]
coin = [400, 200]
[provenance]
parents = [{ name = "first", sha256 = "ab" }, "typed in"]
"""
CANDIDATE = """doc = "another"
[weights]
coin = [700, 400]
[factions.moles]
tool = [1, 2, 3, 4, 5, 6]
[provenance]
by = "a search by \\"faction\\""
games = 1200
parents = [{ name = "first", sha256 = "ab" }, { name = "second", sha256 = "cd" }]
"odd key" = { a = [1, 2.5] }
"""


def fake_play(workers: Workers, tasks: Any) -> Any:
    """Games that are 3 VP better with the candidate's change for the moles, 2 VP with its coins, plus noise."""
    for setting, player, root, block in tasks:
        table = json.loads(player.content)
        vp = 130 + 3 * ("moles" in table["factions"]) + 2 * (table["weights"]["coin"] == [700, 400])
        noise = (root + block) % 11 + (block % 3 if "moles" in table["factions"] else 0)
        yield Outcome(vp + noise, tuple(1.0 for _ in setting.against))


def made(folder: Path, parent: str = PARENT, candidate: str = CANDIDATE, **more: Any) -> CandidateTest:
    (folder / "parent.toml").write_text(parent)
    (folder / "other.toml").write_text(candidate)
    rest = {"rules": RULES, "config": TuneConfig(held_out=5), "n_jobs": 1, **more}
    return CandidateTest(folder / "parent.toml", folder / "other.toml", ("greedy",), folder / "new.toml", **rest)


def test_a_better_candidate_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    test = made(tmp_path)
    games: list[int] = []
    said: list[str] = []
    check = test.run(50, lambda played, text: games.append(played), said.append)
    assert check.accepted and check.set_ups == 12 and check.games == sum(games) == 48
    assert said[0].startswith("after 48 games: +6.0 VP (") and ", accepted; " in said[0]
    table = find_heuristic(test.out).table()
    assert (table["doc"], table["idea"], table["source"]) == ("a start", "the parent's", "the tests")
    assert table["weights"] == {**DEFAULTS, "coin": [700, 400]}
    assert table["factions"] == {"moles": {"tool": [1, 2, 3, 4, 5, 6]}}
    origin = tomllib.loads(test.out.read_text())["provenance"]
    assert origin["parents"] == [
        {"name": "parent", "sha256": test.source.sha256},
        {"name": "other", "sha256": test.candidate.sha256},
        {"name": "first", "sha256": "ab"},
        {"name": "second", "sha256": "cd"},
    ]
    assert origin["candidate_search"] == {
        "by": 'a search by "faction"',
        "games": 1200,
        "odd key": {"a": [1, 2.5]},
    }
    assert origin["gain"] == 6.0 and 0 < origin["gain_low"] < 6 < origin["gain_high"] and origin["level"] == 0.95
    assert (origin["games"], origin["set_ups"], origin["seed"]) == (48, 12, 1)
    assert origin["held_out_seed"] == seeding.stream(1, 0, seeding.CANDIDATE)
    assert origin["vp_in_self_play"] == pytest.approx(135 + 6, abs=3)


def test_what_is_no_better_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    assert not made(tmp_path, CANDIDATE, PARENT).run(40, say=lambda text: None).accepted
    assert not made(tmp_path, PARENT, PARENT).run(40, say=lambda text: None).accepted
    assert not (tmp_path / "new.toml").exists()


def test_both_meet_the_same_set_ups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: dict[str, list[tuple[int, int]]] = {}

    def watching_play(workers: Workers, tasks: Any) -> Any:
        for _, player, root, block in tasks:
            met.setdefault(player.name, []).append((root, block))
        return fake_play(workers, tasks)

    monkeypatch.setattr(Workers, "play", watching_play)
    made(tmp_path).run(40, say=lambda text: None)
    assert met["candidate"] == met["parent"]
    assert len(set(met["parent"])) == 10


def test_refuses_a_budget_without_a_test(tmp_path: Path) -> None:
    with pytest.raises(TuningError, match="a test on 5 set-ups takes 20"):
        made(tmp_path).run(19)
