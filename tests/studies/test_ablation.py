"""What a group loses is measured against the same games with it on; every weight is in a group or known as a price."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest

from aoi_sim.players import HeuristicError, find_heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.players.weighted.weights import Weights
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.sim.runner import Interrupted
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.studies.ablation import FILE_NAME, SCHEMA, Ablation, Group, groups, losses, never, switched_off
from aoi_sim.studies.tuning_games import Outcome, Setting, Workers, play_set_up
from tests.players.taught import content, toml

RULES = load_ruleset()
PLAYER = """doc = "made for the tests"
[weights]
pair_pct = 0
[players.2]
area = 2000
book = 900
[factions.moles]
area = 3000
coin = 500
pair_pct = 40
"""
RUIN = Group("acting", "Passes at once, in every round.", {"least_gain": 10_000_000})


@pytest.fixture
def player(tmp_path: Path) -> Path:
    path = tmp_path / "planted.toml"
    path.write_text(PLAYER)
    return path


def made(player: Path, **more: Any) -> Ablation:
    settings: dict[str, Any] = {"rules": RULES, "n_games": 9, "n_jobs": 1}
    return Ablation(player, player.parent / "out", **(settings | more))


# The groups.


def test_every_weight_is_in_a_group_or_a_plain_price() -> None:
    switched = {name for group in groups() for name in group.sets}
    assert [name for name in DEFAULTS if name not in switched and name not in never()] == []
    assert sorted((switched | set(never())) - set(DEFAULTS)) == [], "no such weight"
    assert switched & set(never()) == set()


def test_the_groups_are_sound() -> None:
    keys = [group.key for group in groups()]
    assert len(set(keys)) == len(keys) >= 20
    for group in groups():
        assert group.off.endswith(".") and "\n" not in group.off
        assert group.sets or group.unlearned
        Weights(group.sets)


def test_a_group_changes_its_weights_for_every_faction_and_number_of_players(player: Path) -> None:
    off = switched_off(find_heuristic(player), Group("area", "No area.", {"area": 0, "pair_pct": 7}))
    table = off.table()
    assert off.name == "planted-without-area"
    assert table["weights"] == {"pair_pct": 7, "area": 0}
    assert table["factions"] == {"moles": {"coin": 500}}
    assert table["players"] == {"2": {"book": 900}}
    assert table["temperature"] == 0


def test_a_group_switches_off_the_networks_of_its_subjects(tmp_path: Path) -> None:
    """`lessons-of-turns` leaves what was learned of bonus tiles, `lessons` nothing."""
    path = tmp_path / "taught.toml"
    lessons = content(subjects=("turn", "tile", "city"))
    path.write_text(toml(lessons))
    left = {}
    for group in groups(["lessons", "lessons-of-turns", "lessons-of-picks"]):
        table = switched_off(find_heuristic(path), group).table()["lessons"]
        left[group.key] = [*table.get("networks", {})]
        assert not table or table == {**lessons, "networks": {key: lessons["networks"][key] for key in left[group.key]}}
    assert left == {"lessons": [], "lessons-of-turns": ["city", "tile"], "lessons-of-picks": ["turn"]}


def test_without_the_last_subject_there_are_no_lessons(tmp_path: Path) -> None:
    path = tmp_path / "taught.toml"
    path.write_text(toml(content(subjects=["turn"])))
    assert switched_off(find_heuristic(path), Group("x", "Nothing.", {}, ["tile"])).table()["lessons"] != {}
    assert switched_off(find_heuristic(path), Group("x", "No turns.", {}, ["turn"])).table()["lessons"] == {}


def test_only_weights_can_be_switched_off() -> None:
    with pytest.raises(HeuristicError, match="no weights, heuristic greedy"):
        switched_off(find_heuristic("greedy"), groups()[0])


# The games.


def test_planted_effects_are_found(player: Path) -> None:
    player.write_text(PLAYER.replace("pair_pct = 40\n", ""))
    ablation = made(player, n_players=2, groups_off=[*groups(["pairs"]), RUIN])
    told: list[int] = []
    ablation.run(lambda games, text: told.append(games))
    assert sum(told) == ablation.n_games == 3 + 2 * 9
    assert ablation.failed == []
    nothing, ruin = ablation.table.rows(named=True)
    # The player has no pairs to switch off: the same games, so exactly nothing is lost.
    assert nothing["vp_lost"] == nothing["margin_lost"] == 0.0
    # Three set-ups that are all alike have no interval.
    assert [nothing[name] for name in ("vp_low", "vp_high", "margin_low", "margin_high")] == [None] * 4
    assert nothing["n"] == ruin["n"] == 3
    assert ruin["vp_low"] > 10 and ruin["margin_low"] > 10


@pytest.mark.parametrize("n_players", [3, 5])
def test_equal_players_have_no_margin_at_uneven_tables(n_players: int) -> None:
    rival = find_heuristic("random")
    setting = Setting(n_players, RULES.edition, tuple(RULES.options.items()), (), (rival,), mirrored=True)
    assert setting.games_a_set_up == 3
    assert [play_set_up((setting, rival, 5, block)).margins for block in range(4)] == [(0.0,)] * 4


# The figures.


def test_losses_are_paired_and_clustered_by_set_up() -> None:
    on = [Outcome(120.0, ()), Outcome(140.0, ()), Outcome(100.0, ()), Outcome(0.0, (), "IndexError: x")]
    off = [Outcome(119.0, (-2.0,)), Outcome(137.0, (0.0,)), Outcome(98.0, (-4.0,)), Outcome(90.0, (-50.0,))]
    found = losses(on, off)
    # Differences 1, 3, 2: mean 2, deviation 1, error 1 / sqrt(3), t of two degrees of freedom 4.3027.
    assert found["n"] == 3
    assert found["vp_lost"] == pytest.approx(2) and found["margin_lost"] == pytest.approx(2)
    assert found["vp_high"] - 2 == pytest.approx(4.3027 / 3**0.5, abs=1e-4)
    assert found["margin_low"] == pytest.approx(2 - 4.3027 * 2 / 3**0.5, abs=1e-4)
    assert losses(on[3:], off[3:]) == dict.fromkeys(list(SCHEMA)[2:-1]) | {"n": 0}
    assert losses(on[:1], off[:1])["vp_low"] is None


def fake(stop_after: int = -1, failing: str = "") -> Callable[[Workers, Any], Any]:
    """Games that cost nothing: a player without pairs loses 5 VP, and twice that at mixed tables."""

    def play(workers: Workers, tasks: Any) -> Any:
        for number, (setting, player, _, block) in enumerate(tasks):
            if number == stop_after:
                raise KeyboardInterrupt
            lost = 5.0 if player.name.endswith("without-pairs") else 0.0
            error = "IndexError: x" if player.name.endswith(failing or "nobody") and block == 1 else None
            yield Outcome(130.0 + block - lost, (-2 * lost,) * len(setting.against), error)

    return play


def test_the_table_is_written_with_where_it_comes_from(player: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake())
    ablation = made(player, n_games=10, seed=7, groups_off=groups(["area", "pairs"]))
    ablation.run()
    assert ablation.n_set_ups == 4
    path = ablation.folder / FILE_NAME
    table = pl.read_parquet(path)
    assert table.equals(ablation.table)
    assert dict(table.schema) == SCHEMA
    assert table.select("group", "vp_lost", "vp_high", "margin_lost", "n").rows() == [
        ("pairs", 5.0, None, 10.0, 4),
        ("area", 0.0, None, 0.0, 4),
    ]
    origin = json.loads(pq.read_schema(path).metadata[b"aoi_sim.ablation"])
    assert origin["heuristic"]["name"] == "planted"
    assert origin["heuristic"]["sha256"] == find_heuristic(player).sha256
    assert (origin["seed"], origin["set_ups"], origin["players"], origin["rules"]) == (7, 4, 4, RULES.hash)
    assert origin["groups"]["area"] == {"area": 0}
    assert [found.name for found in ablation.folder.iterdir()] == [FILE_NAME]


def test_a_stop_keeps_the_finished_groups(player: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Three set-ups of the player as it is, three of each group.
    monkeypatch.setattr(Workers, "play", fake(stop_after=8))
    stopped = made(player, groups_off=groups(["pairs", "area"]))
    with pytest.raises(Interrupted, match="after 1 of 2 groups"):
        stopped.run()
    assert pl.read_parquet(stopped.folder / FILE_NAME)["group"].to_list() == ["pairs"]
    assert [found.name for found in stopped.folder.iterdir()] == [FILE_NAME]
    with pytest.raises(RunFolderError, match="not empty"):
        made(player).run()


def test_a_stop_before_the_first_group_leaves_nothing(player: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake(stop_after=4))
    stopped = made(player)
    with pytest.raises(Interrupted, match="before the first group"):
        stopped.run()
    assert not stopped.folder.exists()


def test_failed_games_are_left_out_and_told(player: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", fake(failing="without-area"))
    ablation = made(player, groups_off=groups(["area", "pairs"]))
    ablation.run()
    assert ablation.failed == ["area, set-up 1: IndexError: x"]
    assert dict(ablation.table.select("group", "n").rows()) == {"area": 2, "pairs": 3}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_games": 5}, "5 games, --games, an interval needs two set-ups, choose 6 or more"),
        ({"n_games": 0}, "0 games"),
        ({"n_players": 6}, "6 players"),
        ({"seed": -1}, "seed -1"),
        ({"n_jobs": 0}, "0 jobs"),
    ],
)
def test_refuses(player: Path, wrong: dict[str, int], message: str) -> None:
    with pytest.raises(PlanError, match=message) as caught:
        made(player, **wrong)
    assert "\n" not in str(caught.value)


def test_refuses_unknown_groups() -> None:
    with pytest.raises(PlanError, match="unknown group 'magic', --groups, choose of lessons, "):
        groups(["pairs", "magic"])
