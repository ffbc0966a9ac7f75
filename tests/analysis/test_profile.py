from pathlib import Path

import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim.analysis.bands import figures_in_bands
from aoi_sim.analysis.profile import CATEGORIES, ability_by_faction, share_taken, use_by_round, uses, vp_by_source
from aoi_sim.storage.reader import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("profile") / "run"
    made: Run = aoi.simulate(9, 4, ["greedy", "random", "greedy", "random"], out=folder, n_jobs=1, seed=5)
    return made


def test_uses_agree_with_the_other_tables(run: Run) -> None:
    table = use_by_round(run.events(), run.seats())
    assert set(table["category"]) <= set(CATEGORIES)
    assert table["key"].null_count() == 0
    totals = dict(table.group_by("category").agg(pl.col("uses").sum()).iter_rows())
    seats = run.seats().collect()
    assert totals["competency"] == seats["competencies"].sum()
    assert totals["city tile"] == seats["cities"].sum()
    assert totals.get("innovation", 0) == seats["innovations"].sum()
    assert totals["pass"] == 6 * len(seats)
    bridges = table.filter(category="build", key="bridge")["uses"].sum()
    assert bridges == seats["bridges"].sum()
    power = table.filter(category="power offer").group_by("key").agg(pl.col("uses").sum())
    assert power["uses"].sum() == seats["power_offers"].sum()


def test_uses_a_game_are_of_the_players_of_the_group(run: Run) -> None:
    table = use_by_round(run.events(), run.seats(), ["heuristic", "faction"])
    players = run.seats().group_by(pl.col("heuristic", "faction").cast(pl.String)).agg(n=pl.len()).collect()
    joined = table.filter(category="pass").join(players, on=["heuristic", "faction"])
    assert joined.select((pl.col("per_game") - 1).abs().max()).item() == 0
    assert set(joined["round"]) == set(range(1, 7))


def test_power_actions_by_name(run: Run) -> None:
    named = uses(run.events()).filter(pl.col("category") == "power action").collect()
    taken = run.events().filter(pl.col("event").cast(pl.String) == "power_action_taken").collect()
    assert len(named) == len(taken) > 0
    assert set(named["key"]) <= {"bridge", "scholar", "tools", "coins", "spade", "two-spades"}


def test_shares_are_of_the_times_it_was_open(run: Run) -> None:
    table = share_taken(run.offers(), run.seats())
    assert table["share"].is_between(0, 1).all()
    assert table["taken"].sum() == run.offers().select(pl.len()).collect().item()
    power = table.filter(pick="power")
    assert set(power["key"]) == {"accept", "decline"}
    assert (power.group_by("heuristic").agg(pl.col("share").sum())["share"] - 1).abs().max() < 1e-9  # type: ignore[operator]


def test_abilities_by_hand() -> None:
    seats = pl.LazyFrame(
        {
            "game_index": [0, 1, 0],
            "seat": [0, 0, 1],
            "heuristic": ["a"] * 3,
            "faction": ["goblins", "goblins", "blessed"],
        }
    )
    events = pl.LazyFrame(
        {
            "game_index": [0, 0, 0, 0, 1, 0],
            "seat": [0, 0, 0, 0, 0, 1],
            "round": [0, 1, 1, 2, 2, 1],
            "decision": [-1, 5, 5, 9, 4, 6],
            "subject": ["faction/goblins"] * 5 + ["faction/goblins"],
        }
    )
    table = ability_by_faction(events, seats)
    assert table.filter(faction="blessed").row(0)[1:] == (1, 0, 0, 0, 0, 0, 0, 0, 0)
    goblins = table.filter(faction="goblins").row(0, named=True)
    assert (goblins["players"], goblins["uses"], goblins["rounds_used"]) == (2, 1.5, 3 / 12)
    assert [goblins[f"round_{number}"] for number in range(1, 7)] == [0.5, 1, 0, 0, 0, 0]


def test_sources_add_up(run: Run) -> None:
    table = vp_by_source(run.seats(), run.games(), ["faction"])
    whole = table.filter(quantity="vp").sort("faction")["value"].to_list()
    parts = table.filter(pl.col("quantity") != "vp").group_by("faction").agg(pl.col("value").sum()).sort("faction")
    assert parts["value"].to_list() == pytest.approx(whole)


def test_bands_of_a_run(run: Run) -> None:
    table = figures_in_bands(run.seats(), run.games(), "naive")
    means = run.seats().group_by(pl.col("heuristic").cast(pl.String)).agg(pl.col("vp").mean()).collect()
    measured = table.filter(quantity="mean_vp").select("heuristic", "value")
    assert dict(measured.iter_rows()) == pytest.approx(dict(means.iter_rows()))
