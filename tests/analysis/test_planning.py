from math import sqrt

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.margins import margin_by_faction, margin_rows
from aoi_sim.analysis.planning import blocks_needed, pilot_spreads, standard_error, stored_spreads
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanConfig
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.presence import shares_of
from tests.analysis.test_margins import made

RULES = load_ruleset()


def played(n_games: int, seed: int, design: str = "balanced", focus: tuple[str, ...] = ()) -> pl.LazyFrame:
    """Margins of made-up games of a plan: independent play with a standard deviation of 17 VP."""
    random = np.random.default_rng(seed)
    rows = []
    for spec in Plan(PlanConfig(n_games, design=design, focus=focus, seed=seed), RULES).games():
        vps = random.normal(100, 17, 4)
        rows += [
            (spec.index, spec.block, None, row["faction"], row["board"], vp, vp - vps.mean(), 0.0)
            for row, vp in zip(spec.deal or [], vps, strict=True)
        ]
    names = ["game_index", "block", "level", "faction", "board", "vp", "margin", "win_share"]
    return pl.LazyFrame(
        rows, schema=dict(zip(names, [int, int, str, str, str, float, float, float], strict=True)), orient="row"
    )


def errors(rows: pl.LazyFrame) -> dict[str, float]:
    table = margin_by_faction(rows).filter(pl.col("quantity") == "margin")
    return dict(table.select("faction", "se").iter_rows())


@pytest.mark.parametrize("focus", [(), ("moles", "lake")])
def test_a_plan_from_a_pilot_reaches_the_standard_error_it_promises(focus: tuple[str, ...]) -> None:
    design = "focus" if focus else "balanced"
    spreads = pilot_spreads(played(600, 1), (), "pilot")
    truth = 17 * sqrt(3 / 4)
    assert np.mean(list(spreads.factions.values())) == pytest.approx(truth, rel=0.05)
    assert spreads.pairing == pytest.approx(truth, rel=0.05)
    shares = shares_of(Plan(PlanConfig(84, design=design, focus=focus), RULES)).factions
    needed = blocks_needed(truth, shares["moles"], 0.8)
    assert errors(played(needed, 2, design, focus))["moles"] == pytest.approx(0.8, rel=0.1)


def test_more_games_than_needed_are_not_asked_for() -> None:
    for se in (0.5, 1.0, 2.0):
        needed = blocks_needed(16.0, 1 / 3, se)
        at, before = standard_error(16.0, 1 / 3, needed), standard_error(16.0, 1 / 3, needed - 1)
        assert at is not None and before is not None
        assert at <= se < before


def test_a_paired_pilot_gives_the_spread_of_differences() -> None:
    rows = margin_rows(*made(1000))
    paired = pilot_spreads(rows, ("first", "second"), "pilot")
    assert paired.paired
    apart = pilot_spreads(rows.filter(pl.col("level") == "first"), (), "pilot")
    assert paired.factions["f3"] < apart.factions["f3"]
    assert paired.factions["f3"] == pytest.approx(sqrt(2) * 6 * sqrt(3 / 4), rel=0.1)


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_spreads_are_stored_for_every_number_of_players_with_their_source(n_players: int) -> None:
    stored = stored_spreads(n_players)
    assert set(stored.factions) == set(RULES.data["factions"])
    assert all(5 < spread < 30 for spread in stored.factions.values())
    assert stored.pairing is not None and 5 < stored.pairing < 30
    for word in (f"{n_players} expert players", "edition 1.2", "seed", "aoi-sim 0."):
        assert word in stored.source


def share_counted(plan: Plan) -> dict[str, float]:
    deals = [spec.deal or [] for spec in plan.games()]
    factions = [row["faction"] for deal in deals for row in deal]
    return {key: factions.count(key) / len(deals) for key in plan.factions}


@pytest.mark.parametrize(
    "config", [{}, {"design": "focus", "focus": ("moles", "omar", "lake")}, {"design": "rotation"}]
)
@pytest.mark.parametrize("n_players", [3, 5])
def test_shares_are_those_of_the_games(config: dict[str, object], n_players: int) -> None:
    plan = Plan(PlanConfig(420 * n_players, n_players, **config), RULES)  # type: ignore[arg-type]
    shares = shares_of(plan)
    assert shares.factions == pytest.approx(share_counted(plan), abs=0.01)
    assert sum(shares.factions.values()) == pytest.approx(n_players)
    assert sum(shares.pairings.values()) == pytest.approx(n_players)


def test_shares_of_fixed_set_ups_are_counted() -> None:
    fixed = '[{"factions":["moles","omar","",""]},{"factions":["moles","","",""]}]'
    shares = shares_of(Plan(PlanConfig(2000, design="fixed", fixed=fixed), RULES)).factions
    assert shares["moles"] == 1.0
    assert shares["omar"] == pytest.approx(0.5 + 0.5 * 3 / 11, abs=0.05)
