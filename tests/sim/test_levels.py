from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.players import find_heuristic, find_heuristics
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanConfig, PlanError, config_of
from aoi_sim.sim.levels import crossed, named_rulesets
from aoi_sim.sim.noise import has_chance, with_noise
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.request import make_request
from aoi_sim.sim.rerun import rerun_game
from aoi_sim.storage.reader import Run

RULES = load_ruleset()
RICH = load_ruleset(overlays=[{"setup": {"coins": 30}}])
TILES = load_ruleset(overlays=[{"remove": ["palaces.3"]}])
BOTH = {"plain": RULES, "rich": RICH}


def request(n_games: int = 40, **words: Any) -> Any:
    words = {"rules": BOTH, "n_players": 4, "seed": 1, "heuristics": "random"} | words
    return make_request(n_games=n_games, **words)


def plan(n_games: int = 40, **words: Any) -> Plan:
    asked = request(n_games, **words)
    return Plan(asked.config, asked.rules)


def files(run: Run) -> dict[str, bytes]:
    return {path.relative_to(run.path).as_posix(): path.read_bytes() for path in sorted(run.path.glob("*/*.parquet"))}


@pytest.mark.parametrize("design", ["balanced", "rotation", "random", "choice"])
def test_every_level_meets_the_same_blocks(design: str) -> None:
    paired = plan(80, design=design, heuristics={"a": "random", "b": "explorer"})
    levels: dict[int, list[Any]] = {}
    for spec in paired.games():
        levels.setdefault(spec.level, []).append((spec.block, spec.setup_seed, spec.deal, spec.player_seeds))
    assert sorted(levels) == [0, 1, 2, 3]
    assert levels[0] == levels[1] == levels[2] == levels[3]
    names = {spec.level: (paired.level_name(spec), spec.heuristics[0]) for spec in paired.games()}
    assert names == {
        0: ("plain / a", "random"),
        1: ("plain / b", "explorer"),
        2: ("rich / a", "random"),
        3: ("rich / b", "explorer"),
    }
    alone = plan(20, design=design, rules=RULES)
    assert [(spec.block, spec.setup_seed, spec.deal, spec.player_seeds) for spec in alone.games()] == levels[0]


def test_the_games_of_a_level_are_those_of_a_run_with_its_rules_alone(tmp_path: Path) -> None:
    paired = aoi.simulate(24, 4, "random", rules=BOTH, n_jobs=1, out=tmp_path / "paired")
    for name, rules in BOTH.items():
        alone = aoi.simulate(12, 4, "random", rules=rules, n_jobs=1, out=tmp_path / name)
        own = paired.games().filter(pl.col("level").cast(pl.String) == name).collect()
        assert own["final_hash"].to_list() == alone.games().collect()["final_hash"].to_list()
    games = paired.games().collect()
    assert games["game_index"].to_list() == list(range(24))
    assert games["level"].to_list() == ["plain", "rich"] * 12
    assert games["block"].to_list() == [index // 2 for index in range(24)]
    assert set(games["replicate"]) == {0}
    for index in (0, 1, 23):
        assert rerun_game(paired, index).differences == []


def test_levels_whose_rules_number_components_differently_share_a_table(tmp_path: Path) -> None:
    run = aoi.simulate(12, 4, "random", rules={"all": RULES, "no palace": TILES}, n_jobs=1, out=tmp_path / "run")
    games, seats = run.games().collect(), run.seats().collect()
    for row in games.iter_rows(named=True):
        if row["level"] == "no palace":
            assert "3" not in row["palaces"]
        held = seats.filter(pl.col("game_index") == row["game_index"])["bonus"].cast(pl.String).to_list()
        assert set(held) <= set(row["bonus_tiles"])
    for name in run.tables:
        frame = run.table(name).collect()
        assert frame["game_index"].is_sorted()
    sources = [name for name in seats.columns if name.startswith("vp_from_")]
    assert seats.select(pl.sum_horizontal(sources)).to_series().to_list() == seats["vp"].to_list()
    assert rerun_game(run, 1).differences == rerun_game(run, 2).differences == []


def test_a_sound_paired_run_is_trusted(tmp_path: Path) -> None:
    for design in ("balanced", "rotation"):
        run = aoi.simulate(64, 2, "random", design, rules=BOTH, replicates=2, n_jobs=1, out=tmp_path / design)
        assert {check["verdict"] for check in run.manifest["trust"]} <= {"ok", "not applicable"}
        assert next(check for check in run.manifest["trust"] if check["name"] == "balance")["verdict"] == "ok"


def test_a_paired_run_is_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    one = aoi.simulate(24, 3, "random", rules=BOTH, n_jobs=1, out=tmp_path / "one")
    two = aoi.simulate(24, 3, "random", rules=BOTH, n_jobs=2, out=tmp_path / "two")
    assert files(one) == files(two)


def test_the_config_survives_its_way_through_json(tmp_path: Path) -> None:
    run = aoi.simulate(8, 4, {"a": "random", "b": "explorer"}, rules=BOTH, n_jobs=1, out=tmp_path / "run")
    again = Plan(config_of(run.manifest["config"]), RULES)
    assert again.hash == run.manifest["plan_hash"]
    assert {entry["name"] for entry in run.manifest["heuristics"]} == {"random", "explorer"}


def test_the_hash_knows_levels_noise_and_replicates() -> None:
    others = [plan(rules=RULES), plan(rules={"plain": RULES, "tiles": TILES}), plan(heuristics="explorer")]
    noisy = [plan(heuristics="expert", noise=n, replicates=r) for n, r in ((100, 1), (200, 1), (100, 2))]
    assert len({made.hash for made in [plan(), *others, *noisy]}) == 7


def test_a_plain_config_keeps_its_hash_when_fields_are_added() -> None:
    assert set(PlanConfig(10).settings()) == {"n_games", "n_players", "seed", "heuristics", "design", "setup", "map"}


def test_replicates_play_the_same_set_up_with_other_noise(tmp_path: Path) -> None:
    run = aoi.simulate(6, 4, "expert", noise=2000, replicates=3, n_jobs=2, out=tmp_path / "run", events="summary")
    games, seats = run.games().collect(), run.seats().collect()
    assert games["block"].to_list() == [0, 0, 0, 1, 1, 1]
    assert games["replicate"].to_list() == [0, 1, 2, 0, 1, 2]
    assert games["round_tiles"].to_list()[0] == games["round_tiles"].to_list()[2]
    assert len(set(games["final_hash"])) == 6
    assert len(set(chain.from_iterable(games["player_seeds"]))) == 24
    factions = seats.group_by("game_index", maintain_order=True).agg("faction", "board")
    assert factions["faction"].to_list()[0] == factions["faction"].to_list()[2]
    assert rerun_game(run, 5).differences == []


def test_noise_is_laid_over_weights_and_nothing_else_changes() -> None:
    expert = find_heuristic("expert")
    noisy = with_noise(expert, 500)
    assert noisy.table() == {**expert.table(), "temperature": 500}
    assert noisy.name == "expert"
    assert with_noise(expert, 0) is expert
    chance = {name: has_chance(find_heuristic(name)) for name in ("expert", "greedy", "random", "explorer")}
    assert chance == {"expert": False, "greedy": False, "random": True, "explorer": True}
    assert has_chance(noisy)


def test_players_without_chance_do_repeat_themselves(tmp_path: Path) -> None:
    """What the refusal of replicates rests on."""
    for name in ("expert", "greedy"):
        hashes = set()
        for seed in (1, 2):
            asked = make_request(rules=RULES, n_games=1, n_players=2, seed=1, heuristics=name)
            spec = Plan(asked.config, RULES).game(0)
            players = [aoi.make_player(name, seat, seed * 1000 + seat) for seat in range(2)]
            state = aoi.new_game(RULES, 2, spec.setup_seed, deal=spec.deal)
            while not aoi.is_over(state):
                aoi.apply_action(state, players[aoi.seat_to_move(state)].choose(state, aoi.legal_actions(state)))
            hashes.add(aoi.digest(state))
        assert len(hashes) == 1


def test_named_rulesets_are_files_or_editions(tmp_path: Path) -> None:
    (tmp_path / "rich.toml").write_text("[setup]\ncoins = 30\n")
    rich = str(tmp_path / "rich.toml")
    assert {name: rules.edition for name, rules in named_rulesets("1.2", ["1.0", "1.2"]).items()} == {
        "1.0": "1.0",
        "1.2": "1.2",
    }
    one = named_rulesets("1.2", [rich])
    assert list(one) == ["1.2", "rich"]
    assert one["rich"] == RICH
    with pytest.raises(PlanError, match="two levels with the name rich"):
        named_rulesets("1.2", [rich, rich])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"n_games": 41}, ["41 games", "2 levels", "40 or 42"]),
        ({"n_games": 9, "design": "rotation"}, ["4 seatings x 2 levels", "8 or 16"]),
        ({"replicates": 3, "n_games": 5}, ["2 levels x 3 replicates", "6 or 12"]),
        ({"replicates": 0}, ["0 replicates", "--replicates"]),
        ({"replicates": 2, "heuristics": "greedy"}, ["the same game", "--replicates", "--noise"]),
        ({"replicates": 2, "heuristics": {"a": "random", "b": "expert"}}, ["the same game"]),
        ({"noise": -1, "heuristics": "expert"}, ["noise -1", "--noise", "0 to"]),
        ({"noise": 100, "heuristics": "greedy"}, ["greedy", "--noise"]),
        ({"heuristics": {"a": "random", "b": ["random", "random"]}}, ["2 heuristics for 4 players"]),
        (
            {"rules": {"a": RULES, "b": load_ruleset(overlays=[{"remove": ["factions.moles"]}])}},
            ["moles", "levels a and b"],
        ),
        ({"rules": {"a": RULES, "b": load_ruleset(options={"setup": "draft"})}}, ["draft and standard", "--setup"]),
        ({"rules": {}}, ["no levels"]),
    ],
)
def test_wrong_levels_say_what_where_and_what_to_do(words: dict[str, Any], text: list[str]) -> None:
    with pytest.raises(ValueError, match=", ") as caught:
        plan(**words)
    assert [word for word in text if word not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


def test_one_ruleset_and_one_player_are_no_levels() -> None:
    assert crossed({"": RULES}, {"": ("random",)}) == ()
    assert request(rules={"only": RULES}).config.levels == ()
    assert request().heuristics == tuple(find_heuristics("random"))
