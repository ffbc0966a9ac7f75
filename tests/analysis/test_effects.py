import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm

from aoi_sim import analysis
from aoi_sim.analysis.effects import adjusted_effects, not_told_from
from aoi_sim.analysis.least_squares import factor_of, fit_within_games
from aoi_sim.analysis.source import AnalysisError
from tests.analysis.made_games import FACTIONS, centred, coverage, made_seats

FACTION_EFFECTS, BOARD_EFFECTS, SEAT_EFFECTS = (
    centred(range(12)),
    centred([0, 2, 1, 5, 3, 3, 9]),
    [1.5, 0.5, -0.5, -1.5],
)


def test_effects_are_recovered_and_each_factor_holds_the_others_equal() -> None:
    rows = made_seats(5000, 1, factions=FACTION_EFFECTS, boards=BOARD_EFFECTS, seats=SEAT_EFFECTS)
    for name, truth in (("faction", FACTION_EFFECTS), ("board", BOARD_EFFECTS), ("seat", SEAT_EFFECTS)):
        table = getattr(analysis, f"vp_effect_by_{name}")(rows)
        assert np.abs(table["value"].to_numpy() - truth).max() < 4 * table["se"].max()
        assert table["value"].sum() == pytest.approx(0, abs=1e-6)
    pairings = analysis.vp_effect_by_pairing(rows)
    assert len(pairings) == 84
    truth = np.add.outer(FACTION_EFFECTS, BOARD_EFFECTS).ravel()
    assert np.abs(pairings["value"].to_numpy() - truth).max() < 4.5 * pairings["se"].max()


def test_figures_are_those_of_statsmodels() -> None:
    rows = made_seats(60, 3, factions=FACTION_EFFECTS, boards=BOARD_EFFECTS)
    fit = fit_within_games(rows, "vp", [factor_of(rows, [name]) for name in ("faction", "board", "seat")])
    frame = rows.to_pandas()
    columns = [
        (frame[n] == v).astype(float).rename(f"{n}{v}")
        for n in ("faction", "board", "seat")
        for v in sorted(frame[n].unique())[1:]
    ]
    design = np.column_stack([c - c.groupby(frame["game_index"]).transform("mean") for c in columns])
    model = sm.OLS(frame["margin"].to_numpy(), design).fit(
        cov_type="cluster", cov_kwds={"groups": frame["block"].to_numpy(), "use_correction": True}
    )
    contrast = np.zeros((11, len(fit.coefficients)))
    contrast[:, 0] = -1
    contrast[np.arange(11), np.arange(1, 12)] = 1
    values, covariance, known = fit.contrast(contrast)
    assert known.all()
    assert values == pytest.approx(model.params[:11])
    assert np.sqrt(np.diag(covariance)) == pytest.approx(model.bse[:11])


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
def test_intervals_cover_the_truth_and_halved_ones_do_not(factor: float, holds: bool) -> None:
    draws = made_seats(80, 11, draws=1000, factions=FACTION_EFFECTS, boards=BOARD_EFFECTS, seats=SEAT_EFFECTS)
    shares = [
        coverage(adjusted_effects(rows, ["faction"]).table(), FACTION_EFFECTS, factor)
        for rows in draws.partition_by("draw", maintain_order=True)
    ]
    assert bool(0.93 <= np.mean(shares) <= 0.97) is holds


def test_without_effects_false_alarms_stay_nominal() -> None:
    draws = made_seats(80, 12, draws=400).partition_by("draw", maintain_order=True)
    tables = [adjusted_effects(rows, ["faction"]).table() for rows in draws]
    alarms = np.mean([table["q"].min() <= 0.05 for table in tables])
    raw = np.mean([table["p"].min() <= 0.05 for table in tables])
    assert alarms <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 400)
    assert raw > 0.2  # what looking at twelve p-values does


def test_parts_of_the_data_are_fitted_apart() -> None:
    rows = pl.concat(
        [
            made_seats(60, 1, factions=FACTION_EFFECTS).with_columns(map=pl.lit("3-5")),
            made_seats(60, 2, factions=-FACTION_EFFECTS).with_columns(
                map=pl.lit("1-2"), game_index=pl.col("game_index") + 500
            ),
        ]
    )
    table = analysis.vp_effect_by_faction(rows, by=["map"])
    assert table.filter(pl.col("map") == "3-5")["value"].to_numpy()[0] < -2
    assert table.filter(pl.col("map") == "1-2")["value"].to_numpy()[0] > 2
    assert table["q"].null_count() == 0 and len(table) == 24


def test_a_factor_that_cannot_be_told_apart_is_left_out_and_said() -> None:
    rows = made_seats(300, 1, factions=FACTION_EFFECTS)
    same = rows.with_columns(board=pl.concat_str(pl.lit("b"), "faction"))
    table = analysis.vp_effect_by_faction(same)
    assert "board left out: the data cannot tell it from faction" in table["method"][0]
    assert np.corrcoef(table["value"].to_numpy(), FACTION_EFFECTS)[0, 1] > 0.8


def test_a_missing_faction_and_unbalanced_cells_give_right_answers() -> None:
    rows = made_seats(3000, 1, factions=FACTION_EFFECTS, boards=BOARD_EFFECTS)
    # Keep the games of faction11 only where it has the best board: the raw margin is wrong, the effect is not.
    lucky = (pl.col("faction") != "faction11") | (pl.col("board") == "board6")
    rows = rows.filter(lucky.all().over("game_index")).filter(
        (pl.col("faction") != "faction00").all().over("game_index")
    )
    table = analysis.vp_effect_by_faction(rows)
    assert table["faction"].to_list() == list(FACTIONS[1:])
    assert np.abs(table["value"].to_numpy() - centred(range(1, 12))).max() < 4 * table["se"].max()
    raw = analysis.vp_margin_by_faction(rows).row(10, named=True)["value"]
    assert raw - 5 * 12 / 11 * 3 / 4 > 2


def test_one_game_has_values_and_no_errors() -> None:
    table = analysis.vp_effect_by_faction(made_seats(1, 1, games_a_block=1))
    assert len(table) == 4
    assert table["se"].null_count() == table["q"].null_count() == 4
    assert table["value"].is_finite().all()


def test_all_ties_have_no_effect_and_no_error() -> None:
    rows = made_seats(30, 1, sd=0, sd_block=0).with_columns(vp=pl.lit(100.0), margin=pl.lit(0.0))
    table = analysis.vp_effect_by_faction(rows)
    assert table["value"].to_numpy() == pytest.approx(0)
    assert table["p"].to_list() == [1.0] * 12


def test_what_cannot_be_answered_is_one_line() -> None:
    rows = made_seats(20, 1)
    with pytest.raises(AnalysisError, match="all seats have the faction a, table seats"):
        adjusted_effects(rows.with_columns(faction=pl.lit("a")), ["faction"])
    first = rows.filter(pl.col("game_index") < 2).with_columns(faction=pl.format("{}-{}", "game_index", "faction"))
    with pytest.raises(AnalysisError, match="levels of faction that never meet at a table"):
        adjusted_effects(first, ["faction"])


FACTORS = ("faction", "board", "seat", "bonus", "heuristic")


@pytest.mark.parametrize("group", FACTORS)
@pytest.mark.parametrize("other", FACTORS)
def test_a_factor_that_goes_with_another_is_told_by_name_and_others_are_not_blamed(group: str, other: str) -> None:
    rows = made_seats(300, 1, factions=FACTION_EFFECTS)
    random = np.random.default_rng(5)
    rows = rows.with_columns(
        bonus=pl.Series(random.integers(0, 9, len(rows))).cast(pl.String),
        heuristic=pl.Series(random.integers(0, 3, len(rows))).cast(pl.String),
    )
    assert not_told_from(rows, [group], FACTORS) == []
    if group == other:
        return
    # One level of the group comes with one level of the other, which nothing else has.
    level = rows[group].min()
    special = 9 if other == "seat" else "special"
    rows = rows.with_columns(
        pl.when(pl.col(group) == level).then(pl.lit(special)).otherwise(pl.col(other)).alias(other)
    )
    assert not_told_from(rows, [group], FACTORS) == [other]
    found = adjusted_effects(rows, [group], adjust=FACTORS)
    assert found.left_out == (other,)
    assert f"({other} left out: the data cannot tell it from {group})" in found.method
