import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.rules import load_ruleset
from aoi_sim.studies.tuned_file import tuning_provenance
from aoi_sim.studies.tuning import Tuning
from aoi_sim.studies.tuning_check import Version, compared, level_of
from aoi_sim.studies.tuning_config import TuneConfig
from aoi_sim.studies.tuning_games import Outcome, Setting, Workers, play_set_up
from aoi_sim.studies.tuning_state import Check, TuningError
from tests.studies.stopping import stopping

RULES = load_ruleset()
PARENT = """doc = "a start"
idea = "one\\ntwo"
source = "the tests"
date = "2026-11-30"
[weights]
coin = [400, 200]
[factions.moles]
coin = 300
"""
SMALL = TuneConfig(population=6, set_ups=3, held_out=8, weights=("coin", "tool"))


def fake_play(workers: Workers, tasks: Any) -> Any:
    """Games whose worth is known: best where coin is [700, 400] and tool as it is, plus noise of the set-up."""
    for setting, player, root, block in tasks:
        weights = json.loads(player.content)["weights"]
        distance = sum((a - b) ** 2 for a, b in zip(weights["coin"], (700, 400), strict=True)) / 10_000
        yield Outcome(130 - distance + (root + block) % 11, tuple(float(block % 3) for _ in setting.against))


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    path = tmp_path / "start.toml"
    path.write_text(PARENT)
    return path


def made(parent: Path, out: str = "better.toml", config: TuneConfig = SMALL, against: tuple[str, ...] = ()) -> Tuning:
    return Tuning(parent, against, parent.parent / out, rules=RULES, config=config, n_jobs=1)


def quiet(tuning: Tuning, budget: int) -> bool:
    return tuning.run(budget, say=lambda text: None)


def test_a_better_player_is_found_and_written(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    tuning = made(parent, against=("greedy",))
    told: list[int] = []
    said: list[str] = []
    assert tuning.run(1800, lambda games, text: told.append(games), said.append)
    assert sum(told) == tuning.state.games <= 1800
    assert len(said) == len(tuning.state.checks)
    better = find_heuristic(tuning.out).table()
    coin = better["weights"]["coin"]
    assert abs(coin[0] - 700) < 60 and abs(coin[1] - 400) < 60
    assert better["factions"] == {"moles": {"coin": 300}}
    assert better["idea"] == "one\ntwo"
    origin = tomllib.loads(tuning.out.read_text())["provenance"]
    assert origin["parents"] == [{"name": "start", "sha256": find_heuristic(parent).sha256}]
    assert [rival["name"] for rival in origin["against"]] == ["greedy"]
    assert origin["seed"] == 1 and origin["games"] > 100
    assert 0 < origin["gain_low"] <= origin["gain"] <= origin["gain_high"]
    assert origin["gain"] == pytest.approx(13, abs=1)
    # Tuning the tuned one keeps its descent.
    again = made(tuning.out, "again.toml")
    quiet(again, 400)
    parents = tuning_provenance(again)["parents"]
    assert [row["name"] for row in parents] == ["better", "start"]


def test_a_weight_of_so_many_players_is_moved_where_it_holds(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tuned at tables of two, coin changes for two; tool, which has no weight of its own there, for all."""
    parent.write_text(PARENT.replace("[factions", "[players.2]\ncoin = [500, 300]\n[factions"))

    def two(workers: Workers, tasks: Any) -> Any:
        for _, player, root, block in tasks:
            table = json.loads(player.content)
            coin, tool = table["players"]["2"]["coin"], table["weights"]["tool"]
            off = (coin[0] - 800) ** 2 + (coin[1] - 400) ** 2 + (tool[0] - 4000) ** 2 / 50
            yield Outcome(130 - off / 10_000 + (root + block) % 11, ())

    monkeypatch.setattr(Workers, "play", two)
    config = TuneConfig(n_players=2, population=6, set_ups=3, held_out=8, weights=("coin", "tool"))
    tuning = made(parent, config=config)
    assert quiet(tuning, 1800)
    better = find_heuristic(tuning.out).table()
    assert better["weights"]["coin"] == [400, 200] and better["factions"] == {"moles": {"coin": 300}}
    assert list(better["players"]) == ["2"] and list(better["players"]["2"]) == ["coin"]
    assert abs(better["players"]["2"]["coin"][0] - 800) < 100
    assert better["weights"]["tool"] != DEFAULTS["tool"]
    # The state holds them too: what was accepted is where the next test starts from.
    again = made(parent, config=config)
    best = again.state.best
    assert best is not None and best.players == better["players"]


@pytest.mark.parametrize("at", [80, 100])
def test_a_stop_changes_nothing(parent: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    whole = made(parent)
    quiet(whole, 600)
    monkeypatch.setattr(Workers, "play", stopping(fake_play, at))
    with pytest.raises(KeyboardInterrupt):
        quiet(made(parent, "stopped.toml"), 600)
    monkeypatch.setattr(Workers, "play", fake_play)
    stopped = made(parent, "stopped.toml")
    assert 0 < len(stopped.state.generations) < len(whole.state.generations)
    quiet(stopped, 600)
    assert stopped.state == whole.state
    assert stopped.out.read_text() == whole.out.read_text()
    assert not list(parent.parent.glob("*.unfinished"))


def test_held_out_set_ups_are_never_used_twice(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[tuple[int, int]] = set()

    def watching_play(workers: Workers, tasks: Any) -> Any:
        own = {(task[2], task[3]) for task in tasks}
        assert not own & seen
        seen.update(own)
        return fake_play(workers, tasks)

    monkeypatch.setattr(Workers, "play", watching_play)
    quiet(made(parent), 800)
    assert len({root for root, _ in seen}) == 2


def test_nothing_is_accepted_where_nothing_is_better(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def indifferent(workers: Workers, tasks: Any) -> Any:
        for number, (_, player, _, block) in enumerate(tasks):
            yield Outcome(100 + (number * 7919 + block * 31 + len(player.content)) % 17, ())

    monkeypatch.setattr(Workers, "play", indifferent)
    tuning = made(parent)
    assert not quiet(tuning, 800)
    assert not tuning.out.exists()
    assert tuning.state.checks


def test_the_test_is_paired_and_strict() -> None:
    def tested(new: list[Outcome], old: list[Outcome]) -> Check:
        return compared(new, old, level=level_of(1), version=Version({}, {}))

    old = [Outcome(100.0 + k, ()) for k in range(10)]
    new = [Outcome(101.0 + k + k % 2, ()) for k in range(10)]
    check = tested(new, old)
    assert check.accepted
    assert check.gain == pytest.approx(1.5)
    assert check.level == 0.975
    assert not tested(old, new).accepted
    wide = [Outcome(100.0 + k + (30 if k % 2 else -27), ()) for k in range(10)]
    assert not tested(wide, old).accepted
    failed = [*new[:-1], Outcome(500.0, (), "IndexError: x")]
    assert not tested(failed, old).accepted
    # Where the old one fails, nothing is compared.
    assert tested(new, [Outcome(0.0, (), "IndexError: x"), *old[1:]]).gain == pytest.approx(14 / 9)
    with pytest.raises(TuningError, match="player to beat fails"):
        tested(new, [Outcome(0.0, (), "IndexError: x")] * 10)


def test_games_are_really_played() -> None:
    greedy = find_heuristic("greedy")
    setting = Setting(2, RULES.edition, tuple(RULES.options.items()), (), (find_heuristic("random"),))
    outcome = play_set_up((setting, greedy, 5, 3))
    assert outcome == play_set_up((setting, greedy, 5, 3))
    assert outcome.error is None
    assert outcome.vp > 60 and outcome.margins[0] > 0
    assert outcome.worth == outcome.vp + outcome.margins[0]


@pytest.mark.parametrize(
    ("config", "out", "message"),
    [
        (TuneConfig(n_players=6), "a.toml", "6 players"),
        (TuneConfig(weights=("coins",)), "a.toml", "unknown weight coins"),
        (TuneConfig(population=2), "a.toml", "--population, choose 4"),
        (SMALL, "a.txt", "name the new heuristic"),
        (SMALL, "no/a.toml", "no such folder"),
    ],
)
def test_refuses(parent: Path, config: TuneConfig, out: str, message: str) -> None:
    with pytest.raises(TuningError, match=message) as caught:
        made(parent, out, config)
    assert "\n" not in str(caught.value)


def test_refuses_a_state_of_another_tuning(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    quiet(made(parent), 100)
    with pytest.raises(TuningError, match="state of another tuning"):
        made(parent, config=TuneConfig(seed=2, population=6, set_ups=3, held_out=8, weights=("coin", "tool")))
    (parent.parent / "better.toml.state").write_text("{")
    with pytest.raises(TuningError, match="damaged state"):
        made(parent)


def test_refuses_a_budget_without_a_test(parent: Path) -> None:
    with pytest.raises(TuningError, match="one generation and its test take 34"):
        quiet(made(parent), 30)
