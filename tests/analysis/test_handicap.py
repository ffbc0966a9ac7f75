"""Handicaps on made games whose fair starting VP are known."""

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis.handicap import (
    Contests,
    contests_of,
    fair_handicap,
    joined,
    margin_handicap,
    soft_win_shares,
    win_shares_of,
)
from aoi_sim.analysis.source import AnalysisError

FACTIONS = np.array([-9.0, -6, -4, -2, -1, 0, 0, 1, 2, 4, 6, 9])
BOARDS = np.array([-3.0, -2, -1, 0, 1, 2, 3])


def made(n_games: int, seed: int = 1, n: int = 4, sd: float = 17.0, factions: np.ndarray = FACTIONS) -> pl.DataFrame:
    """Games in which a faction and a board add known VP, as rows of ``seat_table``."""
    random = np.random.default_rng(seed)
    faction = random.permuted(np.tile(np.arange(12), (n_games, 1)), axis=1)[:, :n]
    board = random.permuted(np.tile(np.arange(7), (n_games, 1)), axis=1)[:, :n]
    table = random.normal(0, 10, (n_games, 1))
    vp = np.round(130 + table + factions[faction] + BOARDS[board] + random.normal(0, sd, (n_games, n)))
    return pl.DataFrame(
        {
            "game_index": np.repeat(np.arange(n_games), n),
            "block": np.repeat(np.arange(n_games), n),
            "seat": np.tile(np.arange(n), n_games),
            "faction": [f"f{k:02}" for k in faction.ravel()],
            "board": [f"b{k}" for k in board.ravel()],
            "vp": vp.ravel(),
            "n_players": np.full(n_games * n, n),
        }
    )


def test_known_handicaps_lie_in_their_intervals() -> None:
    found = fair_handicap(contests_of(made(6000), ["faction", "board"]))
    truth = np.concatenate([-FACTIONS, -BOARDS])
    assert np.abs(found.values - truth).max() < 3.5 * found.se.max()
    assert 0.5 < found.se[:12].mean() < 1.2
    inside = (found.low < truth) & (truth < found.high)
    assert inside.sum() >= 16
    assert found.steps <= 10


def test_with_the_handicaps_everybody_wins_equally_often_on_fresh_games() -> None:
    found = fair_handicap(contests_of(made(12_000), ["faction"]))
    fresh = contests_of(made(12_000, seed=2), ["faction"])
    before = win_shares_of(fresh.scores)
    after = win_shares_of(fresh.added(found.values))
    shares = [[float(x[fresh.codes["faction"] == k].mean()) for k in range(12)] for x in (before, after)]
    assert max(shares[0]) - min(shares[0]) > 0.2
    assert max(abs(share - 0.25) for share in shares[1]) < 0.03


def test_intervals_cover_as_often_as_they_say_and_errors_are_right() -> None:
    truth = np.concatenate([-FACTIONS, -BOARDS])
    found = [fair_handicap(contests_of(made(500, seed), ["faction", "board"]), seed=seed) for seed in range(60)]
    covered = np.mean([(one.low < truth) & (truth < one.high) for one in found])
    assert 0.92 < covered < 0.975
    spread = np.std([one.values for one in found], axis=0).mean()
    assert np.mean([one.se for one in found]) == pytest.approx(spread, rel=0.12)


def test_handicaps_from_margin_are_those_of_the_truth_too() -> None:
    table = margin_handicap(made(3000), ["faction", "board"])
    truth = np.concatenate([-FACTIONS, -BOARDS])
    error = (table["value"].to_numpy() - truth) / table["se"].to_numpy()
    assert np.abs(error).max() < 3.5
    assert table.filter(factor="faction")["se"].mean() < 0.8, "the margin says more than who won"


def test_soft_win_shares_are_the_true_ones_but_for_close_games() -> None:
    scores = contests_of(made(4000), ["faction"]).scores
    soft, hard = soft_win_shares(scores), win_shares_of(scores)
    assert soft.sum(axis=1) == pytest.approx(1)
    assert np.abs((soft - hard).mean(axis=0)).max() < 0.01
    assert win_shares_of(np.array([[3.0, 3, 1, 0]])).tolist() == [[0.5, 0.5, 0, 0]]


def test_two_players_and_joined_runs() -> None:
    parts = [contests_of(made(400, seed, n=2), ["faction"]) for seed in (1, 2)]
    both = joined(parts)
    assert both.block.max() == 799
    assert fair_handicap(both).se.mean() < fair_handicap(parts[0]).se.mean()


def test_a_faction_that_always_wins_has_no_handicap_by_re_ranking_or_a_great_one() -> None:
    strong = FACTIONS + np.eye(12)[0] * 60
    found = fair_handicap(contests_of(made(3000, factions=strong), ["faction"]))
    assert found.values[0] < -40


def test_what_has_no_answer_is_one_line() -> None:
    rows = made(40)
    mixed = rows.with_columns(n_players=pl.when(pl.col("game_index") < 5).then(3).otherwise(4))
    with pytest.raises(AnalysisError, match="one number of players"):
        contests_of(mixed, ["faction"])
    with pytest.raises(AnalysisError, match="same rules"):
        joined([contests_of(rows, ["faction"]), Contests(np.zeros((1, 4)), {}, {"faction": ("a",)}, np.zeros(1))])
