"""Weights by number of players: they hold in games of so many, for factions without their own, and nowhere else."""

import json
from pathlib import Path

import pytest

from aoi_sim.engine.state import digest
from aoi_sim.players import Heuristic, find_heuristic
from aoi_sim.players.explain import explain
from aoi_sim.players.heuristic import weighted_player
from aoi_sim.players.weighted.weights import Weights
from aoi_sim.rules import load_ruleset
from aoi_sim.studies.tuning_config import setting_of
from aoi_sim.studies.tuning_games import played_out
from tests.players.positions import spot
from tests.rules.scenes import TRIANGLE

RULES = load_ruleset()


@pytest.fixture
def changed(tmp_path: Path) -> Heuristic:
    """`quick`, for which at two players power is not worth its price."""
    path = tmp_path / "changed.toml"
    path.write_text('base = "quick"\n[players.2]\noffer_bias = -20000\n')
    return find_heuristic(path)


def end(heuristic: Heuristic, n_players: int) -> int:
    """The digest of the end of a game."""
    table = heuristic.table()
    setting = setting_of(RULES, n_players, [])
    return digest(played_out(setting, 5, 0, lambda seat, seed: weighted_player(heuristic, table)))


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_they_hold_in_games_of_so_many_and_nowhere_else(changed: Heuristic, n_players: int) -> None:
    same = end(changed, n_players) == end(find_heuristic("quick"), n_players)
    assert same == (n_players != 2)


def test_a_faction_with_its_own_weight_keeps_it() -> None:
    factions, players = {"moles": {"coin": 3}}, {"2": {"coin": 2, "tool": 2}}
    rows = {
        (faction, n): [
            Weights({"coin": 1, "tool": 1}, faction, factions, n, players).at(x, 1) for x in ("coin", "tool")
        ]
        for faction in ("moles", "omar")
        for n in ("2", "4")
    }
    assert rows == {("moles", "2"): [3, 2], ("moles", "4"): [3, 1], ("omar", "2"): [2, 2], ("omar", "4"): [1, 1]}


def test_a_run_from_before_there_were_such_weights_still_plays() -> None:
    quick = find_heuristic("quick")
    table = dict(quick.table())
    assert table.pop("players") == {}
    old = Heuristic("quick", "weights", json.dumps(table))
    assert end(old, 2) == end(quick, 2)


def test_explain_tells_what_an_option_owes_to_them(tmp_path: Path) -> None:
    path = tmp_path / "dear.toml"
    path.write_text('base = "quick"\n[weights]\ncity_extra = 0\n[players.4]\ncity_extra = 9000\n')
    state = spot({"buildings": TRIANGLE | {"I9": "workshop"}, "coins": 2, "tools": 1}, homes="A6 I8", round=2).state
    assert len(state.seats) == 4
    owed = dict(explain(find_heuristic(path), state)[0].owes)
    assert owed["city_extra"] > 3000


def test_expert_pays_more_for_power_at_two_players() -> None:
    """Measured in docs/players.md: one neighbour offers less than three."""
    table = find_heuristic("expert").table()
    two, four = (
        Weights(table["weights"], players=n, by_players=table["players"]).rows["offer_bias"] for n in ("2", "4")
    )
    assert [a - b for a, b in zip(two, four, strict=True)] == [2500, 2500, 1100, 1100, 0, 0]
