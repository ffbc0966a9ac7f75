"""Restricted play in a run: the plan, the tables, and that a run can be checked afterwards."""

from pathlib import Path

import polars as pl
import pytest

from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanConfig, PlanError, config_of
from aoi_sim.sim.match import spec_draws
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.runner import run_plan
from aoi_sim.sim.verify import verify_run

RULES = load_ruleset()
TEXTS = ("not palace/14", "not power", "competency/3 by 2", "not bonus/river")


def config(n_games: int = 40, **words: object) -> PlanConfig:
    return PlanConfig(**{"n_games": n_games, "heuristics": ("random",), "restrictions": TEXTS, **words})  # type: ignore[arg-type]


def test_a_block_is_played_free_and_with_each_seat_restricted_in_turn() -> None:
    plan = Plan(config(), RULES)
    assert plan.games_a_block == 5
    for block in range(8):
        specs = [plan.game(5 * block + k) for k in range(5)]
        assert [spec.restricted_seat for spec in specs] == [-1, 0, 1, 2, 3]
        assert {spec.restriction for spec in specs} == {TEXTS[block % 4]}
        assert len({(spec.setup_seed, str(spec.deal), str(spec.tiles), spec.player_seeds) for spec in specs}) == 1


@pytest.mark.parametrize(("design", "size"), [("balanced", 5), ("rotation", 20)])
def test_what_a_block_restricts_is_in_play(design: str, size: int) -> None:
    plan = Plan(config(40 * size, design=design), RULES)
    replaced = 0
    for block in range(40):
        draws = [spec_draws(plan.game(size * block + k), RULES, 4, "standard") for k in range(size)]
        kind = block % 4
        for draw in draws:
            if kind == 0:
                assert "14" in draw["palaces"] and "17" in draw["palaces"]
                assert len(set(draw["palaces"])) == len(draw["palaces"])
            elif kind == 2:
                assert "3" in [row["key"] for row in draw["competencies"]]
            elif kind == 3:
                assert "river" in [*draw["bonus_tiles"], *(row["bonus"] for row in draw["deal"])]
                assert len(draw["bonus_tiles"]) == 3
        replaced += bool(plan.game(size * block).tiles)
    assert replaced > 5


def test_a_run_says_who_was_restricted_and_passes_its_checks(tmp_path: Path) -> None:
    run = run_plan(config(), RULES, tmp_path / "run", n_jobs=1, progress=False)
    seats = run.seats().with_columns(pl.col("restriction").cast(pl.String)).collect()
    restricted = seats.filter(pl.col("restriction").is_not_null())
    assert restricted.height == 32
    assert restricted["seat"].to_list() == [0, 1, 2, 3] * 8
    never = restricted.filter(pl.col("restriction") == "not power")
    actions = (
        run.events()
        .filter(pl.col("action").cast(pl.String).str.starts_with("power "))
        .unique(["game_index", "decision"])
    )
    counts = actions.group_by("game_index", "seat").len("taken").collect()
    assert never["restriction_taken"].sum() == 0 == never.join(counts, on=["game_index", "seat"]).height
    others = seats.filter((pl.col("game_index") // 5 % 4 == 1) & pl.col("restriction").is_null())
    joined = others.join(counts, on=["game_index", "seat"], how="left", maintain_order="left")
    assert others["restriction_taken"].to_list() == joined["taken"].fill_null(0).to_list()
    assert others["restriction_taken"].sum() > 0
    assert verify_run(tmp_path / "run", n_replayed=-1).findings == []


def test_the_tables_do_not_depend_on_the_workers(tmp_path: Path) -> None:
    for jobs in (1, 2):
        run_plan(config(20), RULES, tmp_path / str(jobs), n_jobs=jobs, progress=False)
    one, two = (sorted((tmp_path / str(jobs)).glob("*/*.parquet")) for jobs in (1, 2))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_a_config_with_restrictions_survives_the_manifest_and_others_keep_their_hash() -> None:
    assert config_of(config().settings()) == config()
    assert "restrictions" not in config(restrictions=()).settings()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"restrictions": ("not palace/99",)}, "no palace '99' in 'not palace/99', restrictions, "),
        ({"n_games": 42}, "whole blocks of 5 restricted and free"),
        ({"setup": "draft", "restrictions": ("not palace/14",)}, "in a draft"),
        ({"until": 1.0}, "give a number of games"),
    ],
)
def test_a_wrong_plan_is_one_line(words: dict[str, object], says: str) -> None:
    with pytest.raises(PlanError, match=says) as caught:
        Plan(config(**words), RULES)
    assert "\n" not in str(caught.value)
