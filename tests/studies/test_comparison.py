"""A planted change is found, and none where there is none, at the stated rates; the spread and the test of agreement too."""

import numpy as np
import polars as pl
import pytest

from aoi_sim.rules import load_ruleset
from aoi_sim.studies.agreement import homogeneity
from aoi_sim.studies.comparison import Compared, changed_components
from aoi_sim.studies.study_effects import effect_rows
from aoi_sim.studies.study_folder import StudyError
from tests.studies.made_changes import FACTIONS, made_rows

REPEATS = 150
GAIN = 5.0
SHOWN = GAIN * 3 / 4
"""What a table of four sees of a gain: the mean of the table rises by a quarter of it."""


def changes(compared: Compared) -> pl.DataFrame:
    table = compared.differences(["margin"], ["faction"])
    return effect_rows(table, "faction", quantity="margin", players=4, heuristic="made", games=compared.games)


def study(seed: int, n_blocks: int, gain: dict[str, float]) -> pl.DataFrame:
    return changes(Compared(made_rows(seed, n_blocks, gain), paired=True, games=2 * n_blocks))


def test_a_planted_gain_is_found_at_the_stated_rate_and_inside_its_interval() -> None:
    found = covered = 0
    for seed in range(REPEATS):
        row = study(seed, 1200, {"moles": GAIN}).row(by_predicate=pl.col("component") == "moles", named=True)
        found += row["verdict"] == "different"
        covered += row["low"] <= SHOWN <= row["high"]
    # 400 blocks with Moles, se about 0.65 VP: a gain of 3.75 VP at the table is 5.8 standard errors.
    assert found >= 0.98 * REPEATS
    assert 0.90 * REPEATS <= covered <= 0.99 * REPEATS


def test_without_a_change_a_study_names_any_faction_in_no_more_than_five_of_a_hundred() -> None:
    wrong = inside = 0
    for seed in range(REPEATS):
        table = study(1000 + seed, 240, {})
        wrong += bool((table["verdict"] == "different").any())
        inside += int(((table["low"] <= 0) & (table["high"] >= 0)).sum())
    assert wrong <= 0.05 * REPEATS + 3 * np.sqrt(0.05 * 0.95 * REPEATS)
    assert inside / (REPEATS * len(FACTIONS)) == pytest.approx(0.95, abs=0.02)


def test_a_long_study_without_a_change_says_equivalent() -> None:
    assert set(study(7, 6000, {})["verdict"]) == {"equivalent"}


def test_unpaired_sides_have_the_wider_interval_of_independent_runs() -> None:
    rows = made_rows(3, 1200, {"moles": GAIN})
    table = {paired: changes(Compared(rows, paired, 2400)).sort("component") for paired in (True, False)}
    ratio = (table[False]["se"] / table[True]["se"]).mean()
    assert ratio == pytest.approx(np.sqrt(2), abs=0.08)  # half of the variance is common to both sides
    assert table[False]["estimate"].to_list() == pytest.approx(table[True]["estimate"].to_list())


def test_a_faction_that_one_side_lacks_has_no_change() -> None:
    rows = made_rows(3, 300).filter((pl.col("side") == "after") | (pl.col("faction") != "omar"))
    for paired in (True, False):
        assert set(changes(Compared(rows, paired, 600))["component"]) == set(FACTIONS) - {"omar"}


def test_the_change_of_the_spread_is_found_within_its_interval() -> None:
    base = dict(zip(FACTIONS, np.linspace(-6, 6, 12), strict=True))
    gain = {name: -0.5 * value for name, value in base.items()}
    covered = {"before": 0, "after": 0, "change": 0}
    repeats = 60
    # A table of four with three others of the other eleven: margins keep 3/4 of a value, less what the others lack of it.
    kept = 3 / 4 * (1 + 1 / 11)
    true = {"before": kept * np.std(list(base.values()), ddof=1)}
    true["after"] = true["before"] / 2
    true["change"] = true["after"] - true["before"]
    for seed in range(repeats):
        rows = made_rows(seed, 600, gain, base=base)
        for row in Compared(rows, paired=True, games=1200).spreads().iter_rows(named=True):
            covered[row["component"]] += row["low"] <= true[row["component"]] <= row["high"]
    for name, count in covered.items():
        assert 0.87 * repeats <= count, (name, count)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("n_blocks", [3, 4, 5])
def test_a_spread_from_too_few_blocks_has_no_figures_and_no_verdict(n_blocks: int, paired: bool) -> None:
    for seed in range(20):
        spreads = Compared(made_rows(seed, n_blocks, {"moles": 30.0}), paired, 2 * n_blocks).spreads()
        assert spreads.select("value", "se", "low", "high").null_count().row(0) == (3,) * 4
        rows = effect_rows(spreads, "component", quantity="spread", players=4, heuristic="made", games=2 * n_blocks)
        assert set(rows["verdict"]) == {"undecided"}


def test_without_differences_the_corrected_spread_is_near_zero() -> None:
    spreads = [Compared(made_rows(seed, 300), True, 600).spreads()["value"][0] for seed in range(20)]
    raw = [
        made_rows(seed, 300).filter(side="before").group_by("faction").agg(pl.col("margin").mean())["margin"].std()
        for seed in range(20)
    ]
    assert np.mean(spreads) < 0.5 * np.mean(raw)


def test_two_seeds_of_one_truth_agree_and_two_truths_do_not() -> None:
    def joint(seed: int, gain: dict[str, float], n_blocks: int = 400) -> tuple[list[str], np.ndarray, np.ndarray]:
        return Compared(made_rows(seed, n_blocks, gain), True, 2 * n_blocks).joint()

    p = [homogeneity(joint(seed, {"moles": GAIN}), joint(5000 + seed, {"moles": GAIN}))[2] for seed in range(200)]
    rejected = np.mean(np.array(p) < 0.05)
    assert rejected <= 0.07 + 3 * np.sqrt(0.05 * 0.95 / 200)  # 0.05 grows a little with 133 blocks a faction
    assert np.mean(p) == pytest.approx(0.5, abs=0.09)
    statistic, freedom, p_value = homogeneity(joint(1, {"moles": GAIN}, 2000), joint(2, {"omar": GAIN}, 2000))
    assert p_value < 1e-4
    assert freedom in (11, 12)
    assert statistic > freedom
    with pytest.raises(StudyError, match="other factions"):
        homogeneity((["moles"], np.zeros(1), np.eye(1)), (["omar"], np.zeros(1), np.eye(1)))


def test_the_joint_errors_are_those_of_the_single_ones() -> None:
    compared = Compared(made_rows(3, 900, {"moles": GAIN}), True, 1800)
    factions, values, covariance = compared.joint()
    table = compared.differences(["margin"], ["faction"]).sort("faction")
    assert factions == table["faction"].to_list()
    assert values == pytest.approx(table["value"].to_numpy())
    assert np.sqrt(np.diag(covariance)) == pytest.approx(table["se"].to_numpy(), rel=0.01)


def test_changed_components_are_named() -> None:
    new, old = load_ruleset("1.2"), load_ruleset("1.0")
    assert changed_components(old, new) == {"factions": ["illusionists", "moles", "navigators"]}
    other = load_ruleset(overlays=[{"options": {"book_supply": "limited"}, "city": {"power": 6}}])
    assert changed_components(new, other) == {"city": ["power"], "options": ["book_supply"]}
    assert changed_components(new, new) == {}
