"""Ratings beside those of choix, another implementation of the same model."""

import choix
import numpy as np
import polars as pl
import pytest

from aoi_sim import analysis
from aoi_sim.analysis.plackett_luce import PRIOR_PRECISION
from aoi_sim.analysis.ratings import ELO, rating_by_heuristic
from tests.analysis.made_games import centred, seat_frame

NAMES = ("a", "b", "c", "d", "e", "f")
STRENGTHS = centred([-0.9, -0.2, 0.0, 0.3, 0.4, 0.9])


def made_rows(n_games: int, seed: int, rounded: bool = False) -> pl.DataFrame:
    """Games of four of six players, whose orders are Plackett-Luce; rounded scores are often tied."""
    random = np.random.default_rng(seed)
    player = np.argsort(random.random((1, n_games, 6)), axis=2)[:, :, :4]
    vp = 100 + 20 * (STRENGTHS[player] + random.gumbel(size=player.shape))
    vp = np.round(vp / 15) * 15 if rounded else vp
    rows = seat_frame(vp, player, np.broadcast_to(np.arange(4), player.shape), np.arange(n_games))
    return rows.with_columns(heuristic=pl.Series([NAMES[k] for k in player.ravel()]))


def orders(rows: pl.DataFrame, item: str) -> list[tuple[int, ...]]:
    """Items of each game by falling score, as choix takes them; of untied games."""
    numbers = {name: k for k, name in enumerate(rows[item].unique().sort().to_list())}
    ranked = rows.sort("game_index", "vp", descending=[False, True])
    return [
        tuple(numbers[name] for name in names)
        for names in ranked.group_by("game_index", maintain_order=True).agg(item)[item].to_list()
    ]


def by_choix(rankings: list[tuple[int, ...]], size: int) -> np.ndarray:
    """Strengths on the scale of Elo, of mean 0; its ``alpha`` is half of a prior's precision."""
    found = choix.opt_rankings(size, rankings, alpha=PRIOR_PRECISION / 2, tol=1e-7)
    return (found - found.mean()) * ELO


def values(table: pl.DataFrame, name: str) -> np.ndarray:
    return table.sort(name)["value"].to_numpy()


def test_players_are_rated_alike() -> None:
    rows = made_rows(250, 1)
    theirs = by_choix(orders(rows, "heuristic"), 6)
    assert values(rating_by_heuristic(rows.lazy()), "heuristic") == pytest.approx(theirs, abs=0.01)
    assert values(analysis.joint_ratings(rows, ["heuristic"]), "name") == pytest.approx(theirs, abs=0.01)
    assert np.abs(theirs - STRENGTHS * ELO).max() < 40
    assert np.ptp(theirs) > 250, "the players differ"


def test_tied_seats_count_as_both_orders_in_equal_parts() -> None:
    rows = made_rows(150, 2, rounded=True)
    ways: list[tuple[int, ...]] = []
    kept = []
    for key, game in rows.group_by("game_index", maintain_order=True):
        if game["vp"].n_unique() >= 3:  # at most one tie of two: every game has two orders, tied or not
            kept.append(key[0])
            shuffled = (game.with_columns(order=pl.Series(o)).sort("order") for o in (range(4), range(3, -1, -1)))
            for one in shuffled:
                ranked = one.sort("vp", descending=True, maintain_order=True)
                ways.append(tuple(NAMES.index(name) for name in ranked["heuristic"].to_list()))
    rows = rows.filter(pl.col("game_index").is_in(kept))
    tied = sum(first != second for first, second in zip(ways[::2], ways[1::2], strict=True))
    assert tied > 40
    # Each game is there twice, so a prior of twice the weight.
    found = choix.opt_rankings(6, ways, alpha=PRIOR_PRECISION, tol=1e-7)
    theirs = (found - found.mean()) * ELO
    assert values(analysis.joint_ratings(rows, ["heuristic"]), "name") == pytest.approx(theirs, abs=0.01)
    untied = by_choix(ways[::2], 6)
    assert np.abs(untied - theirs).max() > 1, "ties matter here"


def test_pairings_without_structure_are_rated_alike() -> None:
    rows = made_rows(400, 3).filter(pl.col("faction").is_in(["faction00", "faction01", "faction02", "faction03"]))
    rows = rows.filter(pl.len().over("game_index") > 1)  # tables of two, three and four seats
    assert rows.group_by("game_index").len()["len"].n_unique() == 3
    rows = rows.with_columns(pairing=pl.format("{} {}", "faction", "board")).with_columns(
        n_players=pl.len().over("game_index")
    )
    size = rows["pairing"].n_unique()
    assert size == 16
    theirs = by_choix(orders(rows, "pairing"), size)
    assert values(analysis.joint_ratings(rows, ["pairing"]), "name") == pytest.approx(theirs, abs=0.05)


def test_the_additive_fit_is_the_best_of_all_additive_ones_by_the_likelihood_of_choix() -> None:
    rows = made_rows(300, 4).with_columns(
        vp=pl.col("vp") + pl.col("seat").replace_strict({0: 15.0, 1: 5.0, 2: -5.0, 3: -15.0})
    )
    rows = rows.with_columns(pairing=pl.format("{} {}", "heuristic", "seat"))
    table = analysis.joint_ratings(rows, ["heuristic", "seat"])
    found = {(factor, name): value / ELO for factor, name, value in table.select("factor", "name", "value").iter_rows()}
    rankings = orders(rows, "pairing")
    items = [name.split() for name in rows["pairing"].unique().sort().to_list()]

    def likelihood(moved: tuple[str, str] | None = None, by: float = 0.0) -> float:
        parts = found if moved is None else found | {moved: found[moved] + by}
        strengths = np.array([parts["heuristic", player] + parts["seat", seat] for player, seat in items])
        return float(choix.log_likelihood_rankings(rankings, strengths))

    best = likelihood()
    assert found["seat", "0"] - found["seat", "3"] == pytest.approx(1.5, abs=0.35)
    for key in found:
        assert best > likelihood(key, 0.05) and best > likelihood(key, -0.05), key
    # Strengths of 24 pairings fit a little better than 9 of players and seats, as chance makes them.
    free = choix.opt_rankings(len(items), rankings, alpha=PRIOR_PRECISION / 2, tol=1e-7)
    gain = 2 * (choix.log_likelihood_rankings(rankings, free) - best)
    assert 2 < gain < 40  # chi-square with 15 degrees of freedom
