"""Intervals of every further estimator hold the truth as often as they say, and halved ones are found out.

What other files test in the same way: means and win shares (``test_balance``), adjusted effects, shifts, pairings, conditions,
differences of runs, tiles, ratings, spreads, quantiles, sums of few means.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from aoi_sim import analysis
from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.bands import figures_in_bands
from aoi_sim.analysis.best_games import best_tenth_of_games
from aoi_sim.analysis.bids import calibration, pairing_handicap
from aoi_sim.analysis.effects import adjusted_effects
from aoi_sim.analysis.handicap import contests_of, fair_handicap, margin_handicap
from aoi_sim.analysis.hexes import build_margin_by_hex, build_share_by_hex, margin_with_less_without
from aoi_sim.analysis.margins import margin_rows, paired_difference_by_faction
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.pooling import with_pooling
from aoi_sim.analysis.ratings import ELO, rating_by_heuristic
from aoi_sim.analysis.restricted import restricted_pairs, worth_by_component, worth_of_taking
from aoi_sim.analysis.source import Frames
from aoi_sim.analysis.standings import ranking, with_verdicts
from aoi_sim.analysis.uncertainty import clustered_means, wilson
from tests.analysis import test_bands, test_best_games, test_handicap, test_hexes, test_margins, test_restricted
from tests.analysis.made_games import centred, coverage, made_seats

EFFECTS = centred(range(12))
Case = Callable[[int], pl.DataFrame]


def figures(table: pl.DataFrame, truth: object) -> pl.DataFrame:
    """The columns that coverage is counted from, with the truth beside them."""
    return table.select("value", "low", "high").with_columns(truth=pl.Series(np.broadcast_to(truth, len(table))))


def mean_vp(draws: int) -> pl.DataFrame:
    rows = made_seats(60, 11, draws=draws, factions=EFFECTS)
    return figures(mean_by(rows, "vp", ["draw", "faction"]), np.tile(100 + EFFECTS, draws))


def mean_rank(draws: int) -> pl.DataFrame:
    truth = mean_by(made_seats(60_000, 12, factions=EFFECTS), "rank", ["faction"])["value"].to_numpy()
    rows = made_seats(60, 13, draws=draws, factions=EFFECTS)
    return figures(mean_by(rows, "rank", ["draw", "faction"]), np.tile(truth, draws))


def adjusted_win_share(draws: int) -> pl.DataFrame:
    truth = analysis.win_share_effect_by_faction(made_seats(60_000, 14, factions=EFFECTS))["value"].to_numpy()
    parts = made_seats(60, 15, draws=draws, factions=EFFECTS).partition_by("draw", maintain_order=True)
    return pl.concat(figures(analysis.win_share_effect_by_faction(part), truth) for part in parts)


def shares_of_correlated_events(draws: int) -> pl.DataFrame:
    """Rare events that come together in a block, as picks of a tile: Wilson's interval at the effective sample size."""
    random = np.random.default_rng(16)
    chance = random.beta(0.8, 4.2, (draws, 80, 1))
    hit = random.random((draws, 80, 6)) < chance
    rows = pl.LazyFrame(
        {
            "draw": np.repeat(np.arange(draws), 480),
            "block": np.tile(np.repeat(np.arange(80), 6), draws),
            "hit": hit.ravel().astype(float),
        }
    )
    return figures(wilson(clustered_means(rows, ["hit"], ["draw"])), 0.16)


def effects_of_each_player(draws: int) -> pl.DataFrame:
    """Two players in one run; the second turns the order of the factions round."""
    rows = made_seats(80, 17, draws=draws, factions=EFFECTS, sd_block=4)
    first = np.random.default_rng(17).random(len(rows)) < 0.5
    own = pl.col("faction").replace_strict(sorted(set(rows["faction"])), EFFECTS.tolist(), return_dtype=pl.Float64)
    rows = rows.with_columns(heuristic=pl.Series(np.where(first, "a", "b")), level=pl.lit(None, pl.String))
    rows = rows.with_columns(vp=pl.col("vp") + pl.when(pl.col("heuristic") == "b").then(-2 * own + 5).otherwise(0.0))
    tables = [analysis.effects_by_condition(part) for part in rows.partition_by("draw", maintain_order=True)]
    return pl.concat(figures(table, np.concatenate([EFFECTS, -EFFECTS])) for table in tables)


def ahead_by_pair(draws: int) -> pl.DataFrame:
    """Seats of the better player are 6 VP ahead of the worse, with noise of sd 15 at each seat."""
    rows = made_seats(60, 18, draws=draws, sd_block=0, n_seats=4)
    better = pl.col("seat") % 2 == 0
    rows = rows.with_columns(
        heuristic=pl.when(better).then(pl.lit("a")).otherwise(pl.lit("b")), vp=pl.col("vp") + 6.0 * better
    )
    found = []
    for part in rows.partition_by("draw", maintain_order=True):
        games = part.select("game_index", "block").unique(maintain_order=True).with_columns(n_players=pl.lit(4))
        table = analysis.share_ahead_by_pair(Frames({"seats": part, "games": games}))
        found.append(table if table["better"].item() == "a" else _turned(table))
    return figures(pl.concat(found), 0.6114)  # of a normal with mean 6 and sd 15 times the root of 2


def _turned(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(value=1 - pl.col("value"), low=1 - pl.col("high"), high=1 - pl.col("low"))


def paired_levels(draws: int) -> pl.DataFrame:
    tables = [
        paired_difference_by_faction(margin_rows(*test_margins.made(30, seed=seed)), ["first", "second"])
        for seed in range(draws)
    ]
    vp = [table.filter(quantity="vp") for table in tables]
    return pl.concat(figures(table, np.array([6.0, 0, 0, 0, 0, 0])) for table in vp)


def worth_of_a_component(draws: int) -> pl.DataFrame:
    parts = [restricted_pairs(test_restricted.made(6, n_blocks=40, seed=seed)) for seed in range(draws)]
    return pl.concat(figures(worth_of_taking(pairs), 6.0) for pairs in parts)


def worth_of_being_free(draws: int) -> pl.DataFrame:
    """Takings are 0.4 of the seats on average, at 6 VP each."""
    parts = [restricted_pairs(test_restricted.made(6, n_blocks=40, seed=seed)) for seed in range(draws)]
    return pl.concat(figures(worth_by_component(pairs).filter(quantity="vp"), 6 * _TAKEN) for pairs in parts)


@cache
def _taken() -> float:
    random = np.random.default_rng(19)
    strength = random.normal(0, 10, (10**6, 1)) + random.normal(0, 6, (10**6, 1))
    return float(np.clip(0.4 + 0.02 * strength, 0, 1).mean())


_TAKEN = _taken()


def margins_on_a_hex(draws: int) -> pl.DataFrame:
    tables = [build_margin_by_hex(*test_hexes.made(60, seed, 5.0)).sort("hex") for seed in range(draws)]
    return pl.concat(figures(table, np.array([5.0, 0, 0])) for table in tables)


def shares_of_a_hex(draws: int) -> pl.DataFrame:
    """A block builds on it in 0.4 of the cases, each seat of it does otherwise in 0.2: somebody of two does in 0.6."""
    tables = [build_share_by_hex(*test_hexes.made(60, seed, 0.0)) for seed in range(draws)]
    return pl.concat(figures(table, 0.4 * (1 - 0.2**2) + 0.6 * (1 - 0.8**2)) for table in tables)


def margins_where_in_play(draws: int) -> pl.DataFrame:
    """A thing that is in play in half of the blocks, held there by chance, worth 5 VP."""
    random = np.random.default_rng(20)
    found = []
    for _ in range(draws):
        block = np.repeat(np.arange(80), 4)
        play, held = np.repeat(random.random(80) < 0.5, 4), random.random(320) < 0.4
        lift = np.where(play, 3.0, 0.0) + random.normal(0, 6, 80)[block]
        seats = {"game_index": np.arange(320) // 2, "seat": np.arange(320) % 2, "block": block}
        rows = pl.DataFrame({**seats, "margin": lift + 5.0 * (held & play) + random.normal(0, 10, 320)})
        there = rows.filter(pl.Series(held & play)).select("game_index", "seat", key=pl.lit("x"))
        places = rows.filter(pl.Series(play)).select("game_index", key=pl.lit("x")).unique(maintain_order=True)
        found.append(margin_with_less_without(there, rows, "key", 10, places))
    return figures(pl.concat(found), 5.0)


def best_tenth_without_a_difference(draws: int) -> pl.DataFrame:
    return _guilds(draws)


def best_tenth_of_games_that_vary_together(draws: int) -> pl.DataFrame:
    """Each game twice, as of players without noise: no more is known than from half of them."""
    return _guilds(draws, copies=2)


def _guilds(draws: int, rare_share: float = 0.0, copies: int = 1) -> pl.DataFrame:
    tables = []
    for seed in range(draws):
        made = test_best_games.made(150, seed, 0.0)
        frames = {name: made.table(name).collect() for name in made.tables}
        if rare_share:
            rare = np.random.default_rng(seed).random(300) < rare_share
            frames["seats"] = frames["seats"].with_columns(guilds=pl.Series(rare.astype(int)))
        if copies > 1:
            index = pl.col("game_index")
            again = [frame.with_columns(game_index=index + 150) for frame in frames.values()]
            frames = {name: pl.concat([frames[name], one]) for name, one in zip(frames, again, strict=True)}
            frames["games"] = frames["games"].with_columns(block=index % 150)
        tables.append(best_tenth_of_games(Frames(frames), "moles").filter(quantity="guilds", when="final"))
    return figures(pl.concat(tables), 0.0)


def ratings_of_players(draws: int) -> pl.DataFrame:
    """Two seats of three players, two games a block."""
    random = np.random.default_rng(21)
    strength = np.array([-0.4, 0.0, 0.4])
    found = []
    for _ in range(draws):
        player = np.argsort(random.random((80, 3)), axis=1)[:, :2]
        vp = strength[player] + random.gumbel(size=player.shape)
        rows = pl.LazyFrame(
            {
                "game_index": np.repeat(np.arange(80), 2),
                "block": np.repeat(np.arange(40), 4),
                "heuristic": np.array(["a", "b", "c"])[player.ravel()],
                "vp": vp.ravel(),
            }
        )
        found.append(figures(rating_by_heuristic(rows).sort("heuristic"), strength * ELO))
    return pl.concat(found)


def pooled_cells(draws: int) -> pl.DataFrame:
    """Forty cells whose true values have a sd of 3, known to errors of 1 to 6."""
    random = np.random.default_rng(22)
    found = []
    for _ in range(draws):
        errors, true = random.uniform(1, 6, 40), random.normal(0, 3, 40)
        table = pl.DataFrame({"value": true + random.normal(0, errors), "se": errors, "blocks": [400] * 40})
        pooled = with_pooling(table).select(value="pooled", low="pooled_low", high="pooled_high")
        found.append(figures(pooled, true))
    return pl.concat(found)


def slope_of_forecasts(draws: int) -> pl.DataFrame:
    """Winners are drawn with the odds of the forecast, so that its slope is 1."""
    random = np.random.default_rng(23)
    found = []
    for _ in range(draws):
        strength = random.normal(0, 0.8, (150, 4))
        vp = strength + random.gumbel(size=strength.shape)
        rows = test_handicap.made(150, 1).with_columns(vp=pl.Series(vp.ravel()))
        found.append(calibration(strength, 1.0, contests_of(rows, ["faction"])))
    return figures(pl.DataFrame(found), 1.0)


HANDICAPS = np.concatenate([-test_handicap.FACTIONS, -test_handicap.BOARDS])


def handicaps_from_margin(draws: int) -> pl.DataFrame:
    tables = [margin_handicap(test_handicap.made(150, seed), ["faction", "board"]) for seed in range(draws)]
    return pl.concat(figures(table, HANDICAPS) for table in tables)


ANALYTIC: dict[str, Case] = {
    case.__name__: case
    for case in (
        mean_vp,
        mean_rank,
        adjusted_win_share,
        shares_of_correlated_events,
        effects_of_each_player,
        ahead_by_pair,
        paired_levels,
        worth_of_a_component,
        worth_of_being_free,
        margins_on_a_hex,
        shares_of_a_hex,
        margins_where_in_play,
        best_tenth_without_a_difference,
        best_tenth_of_games_that_vary_together,
        ratings_of_players,
        pooled_cells,
        slope_of_forecasts,
        handicaps_from_margin,
    )
}


def handicaps_from_wins(draws: int) -> pl.DataFrame:
    found = []
    for seed in range(draws):
        fit = fair_handicap(contests_of(test_handicap.made(400, seed), ["faction", "board"]), seed=seed)
        found.append(figures(pl.DataFrame({"value": fit.values, "low": fit.low, "high": fit.high}), HANDICAPS))
    return pl.concat(found)


def handicaps_of_pairings(draws: int) -> pl.DataFrame:
    """Pairings add nothing of their own but a sd of 4."""
    random = np.random.default_rng(24)
    found = []
    for seed in range(draws):
        rest = random.normal(0, 4, (12, 7))
        rest -= rest.mean(axis=0, keepdims=True) + rest.mean(axis=1, keepdims=True) - rest.mean()
        rows = test_handicap.made(1500, seed)
        codes = [rows[name].str.slice(1).cast(pl.Int64).to_numpy() for name in ("faction", "board")]
        rows = rows.with_columns(vp=pl.Series(rows["vp"].to_numpy() + rest[codes[0], codes[1]]))
        pairs = pairing_handicap(fair_handicap(contests_of(rows, ["faction", "board"]), resamples=100, seed=seed))
        truth = -np.add.outer(test_handicap.FACTIONS, test_handicap.BOARDS) - rest
        found.append(figures(pairs.sort("faction", "board"), truth.ravel()))
    return pl.concat(found)


def figures_of_a_profile(draws: int) -> pl.DataFrame:
    found = []
    truth = {"mean_vp": 173.0, "seat_effect": -1.0}
    for seed in range(draws):
        table = figures_in_bands(*test_bands.made_run(60, seed)).filter(heuristic="a")
        for name, true in truth.items():
            found.append(figures(table.filter(quantity=name), true))
    return pl.concat(found)


BOOTSTRAPPED: dict[str, Case] = {
    case.__name__: case for case in (handicaps_from_wins, handicaps_of_pairings, figures_of_a_profile)
}


@cache
def found(name: str) -> pl.DataFrame:
    return ANALYTIC[name](1000) if name in ANALYTIC else BOOTSTRAPPED[name](300)


HALVED = pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)], ids=["whole", "halved"])


@HALVED
@pytest.mark.parametrize("name", ANALYTIC)
def test_intervals_cover_the_truth(name: str, factor: float, holds: bool) -> None:
    covered = coverage(found(name), found(name)["truth"].to_numpy(), factor)
    assert bool(0.93 <= covered <= 0.97) is holds, covered


@pytest.mark.slow
@HALVED
@pytest.mark.parametrize("name", BOOTSTRAPPED)
def test_bootstrapped_intervals_cover_the_truth(name: str, factor: float, holds: bool) -> None:
    covered = coverage(found(name), found(name)["truth"].to_numpy(), factor)
    assert bool(0.91 <= covered <= 0.985) is holds, covered


@HALVED
def test_what_is_rare_is_no_false_alarm_in_the_best_tenth(factor: float, holds: bool) -> None:
    """A tenth of 15 games, in which what is in one of ten games of all is often in none: a coarse count, so not exact."""
    covered = coverage(_guilds(1000, rare_share=0.1), 0.0, factor)
    assert bool(0.93 <= covered <= 0.985) is holds, covered


@HALVED
def test_ranks_lie_in_their_intervals(factor: float, holds: bool) -> None:
    effects = centred(range(12)) * 0.8
    inside = []
    for part in made_seats(60, 25, draws=300, factions=effects).partition_by("draw", maintain_order=True):
        estimate = adjusted_effects(part, ["faction"])
        table = ranking(replace(estimate, covariance=estimate.covariance * factor**2)).sort("faction")
        true = np.arange(12, 0, -1)
        inside.append((table["rank_low"].to_numpy() <= true) & (true <= table["rank_high"].to_numpy()))
    assert bool(np.mean(inside) >= 0.94) is holds, np.mean(inside)


@HALVED
@pytest.mark.parametrize(("true", "verdict"), [(2.0, "equivalent"), (-2.0, "equivalent"), (0.0, "different")])
def test_verdicts_are_wrong_in_at_most_one_of_twenty_cases(
    true: float, verdict: str, factor: float, holds: bool
) -> None:
    """An effect of just ``delta`` is not equivalent, one of nothing not different."""
    random = np.random.default_rng(26)
    blocks = random.normal(true, 3.0, (4000, 25))
    error = factor * blocks.std(axis=1, ddof=1) / 5
    table = pl.DataFrame({"value": blocks.mean(axis=1), "se": error, "blocks": [25] * 4000})
    alone = with_tests(table).with_columns(q="p")  # one question at a time
    delta = 0.01 if verdict == "different" else 2.0
    wrong = with_verdicts(alone, 100, delta)["verdict"] == verdict
    assert bool(wrong.mean() <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 4000)) is holds, wrong.mean()
