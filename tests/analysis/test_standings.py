import numpy as np
import pytest

from aoi_sim import analysis
from aoi_sim.analysis.effects import adjusted_effects
from aoi_sim.analysis.multiplicity import equivalence_p, holm, q_values, two_sided_p
from aoi_sim.analysis.source import AnalysisError
from aoi_sim.analysis.standings import ranking, spread, verdicts
from tests.analysis.made_games import centred, made_seats

THREE_TIERS = centred([20, 20, 20, 20, 0, 0, 0, 0, -20, -20, -20, -20])


def test_q_values_and_holm_are_those_of_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(1).random(40) ** 3
    assert q_values(p.tolist()) == pytest.approx(multipletests(p, method="fdr_bh")[1])
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert q_values([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]
    assert q_values([]) == []


def test_equivalence_is_that_of_statsmodels() -> None:
    from statsmodels.stats.weightstats import DescrStatsW

    x = np.random.default_rng(2).normal(0.3, 2, 50)
    expected = DescrStatsW(x).ttost_mean(-1, 1)[0]
    assert equivalence_p(float(x.mean()), float(x.std(ddof=1) / np.sqrt(50)), 50, 1.0) == pytest.approx(expected)
    assert two_sided_p(0.0, 0.0, 10) == 1.0
    assert two_sided_p(5.0, 0.0, 9) is None
    assert equivalence_p(3.0, None, 1, 2.0) is None


def test_tiers_and_ranks_show_what_was_planted() -> None:
    table = analysis.standing_by_faction(made_seats(600, 1, factions=THREE_TIERS))
    assert table["tier"].to_list() == [1] * 4 + [2] * 4 + [3] * 4
    assert set(table["faction"][:4]) == {f"faction{i:02}" for i in range(4)}
    assert table["rank"].to_list() == [float(i) for i in range(1, 13)]
    assert table["rank_high"][:4].max() == 4 and table["rank_low"][4:8].min() == 5 and table["rank_low"][8:].min() == 9
    assert table["rank_low"][:4].min() == 1 and (table["rank_high"] - table["rank_low"]).min() >= 1
    assert table["p_best"].sum() == pytest.approx(1) and table["p_best"][4:].sum() == 0


def test_equal_factions_make_one_tier() -> None:
    draws = made_seats(80, 3, draws=150).partition_by("draw", maintain_order=True)
    split = np.mean([ranking(adjusted_effects(rows, ["faction"]))["tier"].max() > 1 for rows in draws])
    assert split <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.parametrize(("size", "factor", "holds"), [(0.6, 1.0, True), (0.6, 0.5, False), (0.0, 1.0, True)])
def test_the_spread_is_recovered_and_its_interval_covers(size: float, factor: float, holds: bool) -> None:
    effects = centred(range(12)) * size
    draws = made_seats(60, 4, draws=1000, factions=effects).partition_by("draw", maintain_order=True)
    tables = [spread(adjusted_effects(rows, ["faction"])).row(0, named=True) for rows in draws]
    truth = float(effects.std(ddof=1))
    low, high, value = (np.array([row[name] for row in tables]) for name in ("low", "high", "value"))
    inside = (value - factor * (value - low) <= truth) & (truth <= value + factor * (high - value))
    if size:
        assert bool(0.93 <= inside.mean() <= 0.97) is holds
        assert value.mean() == pytest.approx(truth, abs=0.25)
        assert np.mean([row["raw_sd"] for row in tables]) > truth + 0.15
    else:
        assert inside.mean() >= 0.95  # the lower bound is 0 in most draws
        assert np.mean([row["p"] <= 0.05 for row in tables]) == pytest.approx(0.05, abs=0.03)


def test_verdicts_say_what_was_planted() -> None:
    effects = centred([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, -12])
    large = analysis.verdict_by_faction(made_seats(2500, 5, factions=effects), delta=2)
    assert large["verdict"].to_list() == ["equivalent"] * 10 + ["different"] * 2
    assert large["games_needed"].null_count() == 12
    small = analysis.verdict_by_faction(made_seats(40, 5, factions=effects), delta=2)
    undecided = small.filter(small["verdict"] == "undecided")
    assert len(undecided) >= 5
    assert undecided["games_needed"].min() > 80


def test_the_games_needed_decide_it_in_four_of_five_runs() -> None:
    from aoi_sim.analysis.standings import _games_needed

    needed = _games_needed(4.0, 2.0, 100, 2.0, 0.05)
    assert needed is not None
    se = 2.0 * np.sqrt(100 / needed)
    values = np.random.default_rng(1).normal(4.0, se, 20_000)
    assert np.mean(np.abs(values) > 1.96 * se) == pytest.approx(0.8, abs=0.01)
    assert _games_needed(0.0, 2.0, 100, 2.0, 0.05) > 100


def test_an_effect_that_is_sure_but_small_is_equivalent() -> None:
    found = adjusted_effects(made_seats(6000, 6, games_a_block=3, factions=centred([0] * 11 + [1.2])), ["faction"])
    row = verdicts(found, delta=2).row(11, named=True)
    assert row["q"] < 0.05 and row["verdict"] == "equivalent"
    with pytest.raises(AnalysisError, match="delta 0, verdict, choose a positive number"):
        verdicts(found, delta=0)


def test_one_game_leaves_everything_open() -> None:
    rows = made_seats(1, 1, games_a_block=1)
    assert analysis.verdict_by_faction(rows)["verdict"].to_list() == ["undecided"] * 4
    assert analysis.standing_by_faction(rows)["tier"].null_count() == 4
    assert analysis.spread_by_faction(rows)["value"].null_count() == 1


def test_all_ties_are_equal() -> None:
    rows = made_seats(30, 1, sd=0, sd_block=0)
    rows = rows.with_columns(vp=rows["vp"] * 0, margin=rows["margin"] * 0)
    assert analysis.verdict_by_faction(rows)["verdict"].to_list() == ["equivalent"] * 12
    table = analysis.standing_by_faction(rows)
    assert table["tier"].to_list() == [1] * 12 and table["p_best"].max() < 0.15
    assert analysis.spread_by_faction(rows)["value"].item() == pytest.approx(0, abs=1e-9)
