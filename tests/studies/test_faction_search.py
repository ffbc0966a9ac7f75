import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.players.weighted.weights import Weights, spread
from aoi_sim.rules import load_ruleset
from aoi_sim.studies.faction_search import judged
from aoi_sim.studies.faction_space import FactionSpace, all_changes, shortest
from aoi_sim.studies.tuning import Tuning
from aoi_sim.studies.tuning_check import Version
from aoi_sim.studies.tuning_config import TuneConfig
from aoi_sim.studies.tuning_games import Outcome, Workers
from aoi_sim.studies.tuning_state import TuningError
from tests.studies.stopping import stopping

RULES = load_ruleset()
FACTIONS = list(RULES.data["factions"])
PARENT = """doc = "a start"
[weights]
coin = [400, 200]
[factions.moles]
coin = 300
token = 7
"""
SMALL = TuneConfig(population=8, set_ups=6, held_out=12, step=0.5, weights=("coin", "city_extra"), by_faction=True)


def fake_play(workers: Workers, tasks: Any) -> Any:
    """Games in which the moles gain with dearer coins, up to twice 300, and nobody else gains with anything."""
    for setting, player, root, block in tasks:
        table = json.loads(player.content)
        seats = []
        for k in range(4):
            key = FACTIONS[(block * 4 + k) % len(FACTIONS)]
            change = table["factions"].get(key, {})
            vp = 130 + (root + block + k) % 11
            if key == "moles":
                vp += (min(spread(change["coin"], "coin")[0], 600) - 300) // 5
            seats.append((key, vp))
        yield Outcome(sum(vp for _, vp in seats) / 4, tuple(0.0 for _ in setting.against), seats=tuple(seats))


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    path = tmp_path / "start.toml"
    path.write_text(PARENT)
    return path


def made(parent: Path, out: str = "better.toml", config: TuneConfig = SMALL, **more: Any) -> Tuning:
    rest = {"rules": RULES, "config": config, "n_jobs": 1, **more}
    return Tuning(parent, ("greedy",), parent.parent / out, **rest)


def quiet(tuning: Tuning, budget: int) -> bool:
    return tuning.run(budget, say=lambda text: None)


def test_the_changes_are_weights() -> None:
    names = all_changes().names
    assert set(names) <= set(DEFAULTS)
    assert len(set(names)) == len(names) == 26
    assert all(unit > 0 for unit in all_changes().added.values())
    assert not [name for name in all_changes().added if name.endswith("_pct")]


def test_the_origin_is_the_faction_as_it_is() -> None:
    start = Version({**DEFAULTS, "coin": [400, 200]}, {"moles": {"coin": 300, "token": 7}})
    zero = [0.0] * 26
    assert FactionSpace(start, "moles", all_changes(), 4).at(zero) == {"coin": 300, "token": 7}
    assert FactionSpace(start, "omar", all_changes(), 4).at(zero) == {}


def test_changes_are_absolute_and_start_from_those_of_the_parent() -> None:
    start = Version({**DEFAULTS, "coin": [400, 200], "city_extra": [1000, -500]}, {"moles": {"coin": 300, "token": 7}})
    changes = all_changes().only(["coin", "city_extra"])
    assert changes.names == ["coin", "city_extra"]
    moles, omar = FactionSpace(start, "moles", changes, 4), FactionSpace(start, "omar", changes, 4)
    assert moles.at([1.0, 0.0]) == {"coin": 385, "token": 7}
    assert moles.at([0.0, -0.1]) == {"coin": 300, "token": 7, "city_extra": [850, -650]}
    assert omar.at([-1.0, 0.0]) == {"coin": [312, 156]}
    Weights(start.weights, "omar", {"omar": FactionSpace(start, "omar", all_changes(), 4).at([-30.0] * 26)})


def test_changes_start_from_the_weights_of_so_many_players() -> None:
    start = Version({**DEFAULTS, "coin": 400}, {"moles": {"coin": 300}}, players={"2": {"coin": 500}})
    changes = all_changes().only(["coin"])
    moved = {
        (key, n): FactionSpace(start, key, changes, n).at([1.0])["coin"] for key in ("moles", "omar") for n in (2, 4)
    }
    assert moved["moles", 2] == moved["moles", 4] < moved["omar", 4] < moved["omar", 2]


def test_the_shortest_form() -> None:
    assert shortest([5] * 6) == 5
    assert shortest([400, 360, 320, 280, 240, 200]) == [400, 200]
    assert shortest([400, 360, 320, 280, 241, 200]) == [400, 360, 320, 280, 241, 200]


def test_candidates_are_judged_on_the_same_set_up() -> None:
    easy, hard = (("moles", 150), ("omar", 140)), (("moles", 100), ("monks", 90))
    better = (("moles", 110), ("monks", 84))
    worths = judged([[Outcome(0, (), seats=easy), Outcome(0, (), seats=hard)]] * 2)
    assert worths == {"moles": [0, 0], "monks": [0, 0], "omar": [0, 0]}
    worths = judged(
        [
            [Outcome(0, (), seats=easy), Outcome(0, (), seats=hard)],
            [Outcome(0, (), seats=easy), Outcome(0, (), seats=better)],
        ]
    )
    assert worths == {"moles": [-2.5, 2.5], "monks": [3, -3], "omar": [0, 0]}
    failed = judged([[Outcome(0, (), seats=easy)], [Outcome(0, (), "IndexError: x")]])
    assert failed == {"moles": [0, -500], "omar": [0, -500]}


def test_the_faction_that_gains_is_found(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    tuning = made(parent)
    assert quiet(tuning, 3000)
    # Searches play without rivals, tests with them.
    assert all(generation.games == 8 * 6 for generation in tuning.state.generations)
    assert all(check.games == 4 * check.set_ups for check in tuning.state.checks)
    better = find_heuristic(tuning.out).table()
    assert spread(better["factions"]["moles"]["coin"], "coin")[0] > 450
    assert better["factions"]["moles"]["token"] == 7
    assert better["weights"] == {**DEFAULTS, "coin": [400, 200]}
    assert {name for table in better["factions"].values() for name in table} == {"coin", "city_extra", "token"}
    origin = tomllib.loads(tuning.out.read_text())["provenance"]
    assert origin["search"].startswith("changes by faction") and origin["factions"] == FACTIONS
    assert origin["moved"] == ["coin", "city_extra"]
    assert origin["parents"] == [{"name": "start", "sha256": find_heuristic(parent).sha256}]


@pytest.mark.parametrize("at", [100, 200])
def test_a_stop_changes_nothing(parent: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    # A generation of two set-ups meets eight of twelve factions.
    config = TuneConfig(population=6, set_ups=2, held_out=12, step=0.5, weights=("coin", "tool"), by_faction=True)
    whole = made(parent, config=config)
    quiet(whole, 1200)
    assert any(len(generation.by_faction or ()) < len(FACTIONS) for generation in whole.state.generations)
    monkeypatch.setattr(Workers, "play", stopping(fake_play, at))
    with pytest.raises(KeyboardInterrupt):
        quiet(made(parent, "stopped.toml", config), 1200)
    monkeypatch.setattr(Workers, "play", fake_play)
    stopped = made(parent, "stopped.toml", config)
    assert 0 < len(stopped.state.generations) < len(whole.state.generations)
    quiet(stopped, 1200)
    assert stopped.state == whole.state
    assert stopped.out.read_text() == whole.out.read_text()


def test_the_number_of_jobs_changes_nothing(parent: Path) -> None:
    config = TuneConfig(n_players=2, population=4, set_ups=2, held_out=2, weights=("coin", "tool"), by_faction=True)
    runs = [made(parent, f"jobs{jobs}.toml", config, n_jobs=jobs) for jobs in (1, 2)]
    for tuning in runs:
        quiet(tuning, 24)
    assert runs[0].state == runs[1].state
    assert len(runs[0].state.generations) == 2
    generation = runs[0].state.generations[0]
    assert generation.failed == 0
    assert generation.by_faction and set(generation.by_faction) <= set(FACTIONS)
    assert any(worth for worths in generation.by_faction.values() for worth in worths)
    assert all(sum(worths) == pytest.approx(0) for worths in generation.by_faction.values())


def test_the_two_searches_do_not_share_a_state(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    quiet(made(parent), 200)
    common = TuneConfig(population=8, set_ups=6, held_out=12, step=0.5, weights=("coin", "city_extra"))
    with pytest.raises(TuningError, match=r"state of another tuning \(by_faction differs\)"):
        made(parent, config=common)


def test_refuses_weights_without_a_change_by_faction(parent: Path) -> None:
    with pytest.raises(TuningError, match="no change by faction of weight vp, --weights, choose of coin"):
        made(parent, config=TuneConfig(weights=("coin", "vp"), by_faction=True))
