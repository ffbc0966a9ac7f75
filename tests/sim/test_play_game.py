import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.engine.setup import SetupError
from aoi_sim.storage.schemas import SCHEMAS

RULES = aoi.load_ruleset()


def test_a_game_has_record_tables_and_scores() -> None:
    result = aoi.play_game(RULES, heuristics=["random", "explorer", "random"], seed=7)
    assert result.scores == aoi.scores(result.state) == result.seats["vp"].to_list()
    assert result.seats["heuristic"].to_list() == ["random", "explorer", "random"]
    for name, frame in (
        ("seats", result.seats),
        ("rounds", result.rounds),
        ("offers", result.offers),
        ("games", result.game),
    ):
        assert frame.columns == [column.name for column in SCHEMAS[name].columns]
    assert result.events["vp"].sum() == sum(result.scores)
    assert aoi.digest(aoi.replay(result.record)) == aoi.digest(result.state)
    assert repr(result).startswith("GameResult(")


def test_equal_seeds_give_equal_records() -> None:
    records = [aoi.play_game(RULES, "random", seed=seed).record.text for seed in (5, 5, 6)]
    assert records[0] == records[1] != records[2]


@pytest.mark.parametrize(
    ("names", "n_players", "expected"), [("random", None, 4), ("random", 2, 2), (["random"] * 5, None, 5)]
)
def test_names_say_how_many_play(names: str | list[str], n_players: int | None, expected: int) -> None:
    assert aoi.play_game(RULES, names, n_players).state.n_players == expected


def test_a_deal_is_kept() -> None:
    deal = [{"board": "lake", "faction": "moles", "bonus": "river"}, {"board": "swamp", "faction": "monks"}]
    result = aoi.play_game(RULES, "random", seed=1, deal=deal)
    seats = result.seats
    assert seats["faction"].to_list() == ["moles", "monks"]
    assert seats["board"].to_list() == ["lake", "swamp"]
    assert seats["bonus"].to_list()[0] == "river"
    assert seats["assigned"].to_list() == ["fixed", "fixed"]


def test_picks_are_in_the_offers() -> None:
    draft = aoi.play_game(RULES, "random", 3, seed=2, setup="draft").offers
    picked = draft.filter(pl.col("pick") == "draft")
    assert len(picked) == 9
    assert {word.split("/")[0] for word in picked["taken"].cast(pl.String)} == {"board", "faction", "palace"}
    assert draft.filter((pl.col("pick") == "bonus") & (pl.col("round") == 0)).height == 3


def test_wrong_words_raise() -> None:
    with pytest.raises(aoi.UnknownHeuristic):
        aoi.play_game(RULES, "best")
    with pytest.raises(aoi.PlanError, match="2 heuristics for 4 players"):
        aoi.play_game(RULES, ["random", "random"], 4)
    with pytest.raises(aoi.PlanError, match="--map"):
        aoi.play_game(RULES, "random", map="9-9")
    with pytest.raises(aoi.PlanError, match="seed"):
        aoi.play_game(RULES, "random", seed=-1)
    with pytest.raises(SetupError):
        aoi.play_game(RULES, "random", 2, deal=[{"board": "sea"}, {}])


def test_a_run_without_folder_lives_until_python_ends() -> None:
    code = (
        "import aoi_sim as aoi; frame = aoi.simulate(2, 2, 'random', n_jobs=1).seats(); "
        "run = aoi.simulate(2, 2, 'random', n_jobs=1); print(frame.collect().height, run.path)"
    )
    root = Path(aoi.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    height, path = done.stdout.split()
    assert height == "4"
    assert not Path(path).exists()


def test_import_is_light() -> None:
    code = (
        "import sys; import aoi_sim; dir(aoi_sim); aoi_sim.load_ruleset; aoi_sim.new_game; "
        "heavy = {'polars', 'pandas', 'pyarrow', 'joblib', 'numpy', 'typer', 'rich', 'importlib.metadata'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(aoi.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_are_there() -> None:
    for name in aoi.__all__:
        assert getattr(aoi, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'price'"):
        _ = aoi.price


def test_income_carries_the_round_that_begins() -> None:
    events = aoi.play_game(aoi.load_ruleset(), heuristics="random", n_players=3, seed=5).events
    workshops = events.filter((pl.col("event") == "tools_gained") & pl.col("subject").is_null())
    per_round = workshops.group_by("round").agg(pl.col("seat").n_unique(), pl.col("turn").max()).sort("round")
    assert per_round["round"].to_list() == [1, 2, 3, 4, 5, 6]
    assert per_round["seat"].to_list() == [3] * 6
    assert per_round["turn"].to_list() == [0] * 6


NO_WHOLE_NUMBERS: list[Any] = [2.5, 20.0, "20", True, np.float64(4), [4]]


@pytest.mark.parametrize("value", [*NO_WHOLE_NUMBERS, None])
@pytest.mark.parametrize("name", ["n_games", "n_players", "seed", "noise", "replicates", "n_jobs", "max_games"])
def test_simulate_refuses_what_is_no_whole_number(name: str, value: Any) -> None:
    if value is None and name in ("n_games", "max_games"):
        return  # has a meaning
    until = {"until": "1 VP"} if name == "max_games" else {}
    with pytest.raises(aoi.PlanError) as refused:
        aoi.simulate(**{"heuristics": "random", **until, name: value})
    assert str(refused.value) == f"{value!r} is no whole number, {name}, give an int"


@pytest.mark.parametrize("value", NO_WHOLE_NUMBERS)
@pytest.mark.parametrize("name", ["n_players", "seed"])
def test_a_single_game_refuses_what_is_no_whole_number(name: str, value: Any) -> None:
    told = f"^{re.escape(repr(value))} is no whole number, {name}, give an int$"
    with pytest.raises(SetupError, match=told):
        aoi.new_game(RULES, **{name: value})
    with pytest.raises(aoi.PlanError, match=told):
        aoi.play_game(RULES, "random", **{name: value})


@pytest.mark.parametrize("seed", [-1, 1 << 63])
def test_a_seed_out_of_range_is_refused_everywhere(seed: int) -> None:
    with pytest.raises(SetupError, match=f"^seed {seed}, in seed, use 0 to {(1 << 63) - 1}$"):
        aoi.new_game(RULES, seed=seed)
    with pytest.raises(aoi.PlanError, match=f"^seed {seed}, --seed, choose 0 to"):
        aoi.simulate(2, 2, "random", seed=seed)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    made = aoi.simulate(np.int64(2), np.int32(2), "random", n_jobs=np.int64(1), seed=np.int64(3))
    assert made.games().collect().equals(aoi.simulate(2, 2, "random", n_jobs=1, seed=3).games().collect())
    assert aoi.digest(aoi.new_game(RULES, np.int64(2), np.int64(3))) == aoi.digest(aoi.new_game(RULES, 2, 3))
