import numpy as np
import pandas as pd
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.source import AnalysisError, Frames
from tests.analysis.made_games import coverage

# VP of three seats at the end of rounds 1 to 6, and the final score.
GAMES = [
    (
        [[10, 5, 1], [20, 25, 2], [30, 25, 3], [40, 50, 4], [50, 60, 5], [60, 70, 6]],
        [80, 75, 60],
    ),  # 0 1 0 1 1 1 0: 4 changes
    ([[10, 5, 1], [20, 15, 2], [30, 25, 3], [40, 35, 4], [50, 45, 5], [60, 55, 6]], [80, 75, 60]),  # always 0
    ([[5, 5, 1], [15, 15, 2], [25, 25, 3], [30, 35, 4], [40, 45, 5], [55, 55, 6]], [80, 80, 60]),  # tied, 1, shared
]


def made_games(times: int = 1) -> Frames:
    seats, rounds, games = [], [], []
    for index, (vps, final) in enumerate(GAMES * times):
        games.append((index, index, 3, 100 + index))
        best = final.count(max(final))
        for seat in range(3):
            seats.append((index, seat, "abc"[seat], final[seat], 1 / best if final[seat] == max(final) else 0.0))
            rounds += [(index, seat, number, vp[seat], 9 + seat) for number, vp in enumerate(vps, 1)]
    return Frames(
        {
            "games": pl.DataFrame(games, ["game_index", "block", "n_players", "n_decisions"], orient="row"),
            "seats": pl.DataFrame(seats, ["game_index", "seat", "heuristic", "vp", "win_share"], orient="row"),
            "rounds": pl.DataFrame(rounds, ["game_index", "seat", "round", "vp", "passed_turn"], orient="row"),
        }
    )


def test_lead_changes_are_counted() -> None:
    table = analysis.lead_changes(made_games())
    assert table["value"].item() == pytest.approx(4 / 3)
    assert table["n"].item() == 3
    assert analysis.lead_changes(made_games(20))["se"].item() < table["se"].item()


def test_games_are_decided_when_the_winner_leads_for_good() -> None:
    table = analysis.share_decided_by_round(made_games())
    assert table["value"].to_list() == pytest.approx([1 / 3] * 6)
    assert table["n"].to_list() == [3] * 6


def test_chances_from_behind_are_shares_of_seats() -> None:
    rows = {(r["round"], r["deficit"]): r for r in analysis.win_share_by_deficit(made_games()).iter_rows(named=True)}
    assert rows[1, "0"]["n"] == 4 and rows[1, "0"]["value"] == pytest.approx((1 + 1 + 0.5 + 0.5) / 4)
    assert rows[6, "6-10"]["value"] == 1.0 and rows[6, "31+"]["value"] == 0.0
    assert sum(row["n"] for (number, _), row in rows.items() if number == 3) == 9


def test_headline_figures() -> None:
    table = analysis.game_quality(made_games())
    value = dict(table.select("quantity", "value").iter_rows())
    assert value["winner_margin"] == pytest.approx(10 / 3)
    assert value["winner_minus_last"] == 20.0
    assert value["shared_win"] == pytest.approx(1 / 3)
    assert value["median_decisions"] == 101.0 and value["mean_turns"] == 72.0
    assert not any(table[name].is_nan().any() for name in ("value", "low", "high"))
    assert table["text"].str.contains("_").sum() == 0


def test_the_better_player_is_found_and_how_often_it_wins() -> None:
    table = analysis.share_ahead_by_pair(made_games())
    rows = {(r["better"], r["worse"]): r for r in table.iter_rows(named=True)}
    assert set(rows) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert rows["a", "b"]["value"] == pytest.approx(2.5 / 3) and rows["a", "b"]["margin"] == pytest.approx(10 / 3)
    frames = made_games()
    seats = frames.table("seats").with_columns(heuristic=pl.lit("a"))
    with pytest.raises(AnalysisError, match="one player only, table seats"):
        analysis.share_ahead_by_pair(Frames({"games": frames.table("games"), "seats": seats}))


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (0.5, False)])
@pytest.mark.parametrize("figure", ["median", "p95"])
def test_intervals_of_quantiles_cover_the_truth_and_halved_ones_do_not(figure: str, factor: float, holds: bool) -> None:
    from scipy.stats import norm

    from aoi_sim.analysis.quality import _quantile

    share = {"median": 0.5, "p95": 0.95}[figure]
    random = np.random.default_rng(1)
    tables = []
    for _ in range(1000):
        lengths = np.repeat(random.normal(500, 40, 300), 2)  # a block is one game, replayed
        games = pl.DataFrame({"block": np.repeat(np.arange(300), 2), "decisions": lengths})
        tables.append(_quantile(games, "decisions", share, 0.95))
    truth = float(norm.ppf(share, 500, 40))
    assert bool(0.93 <= coverage(pl.DataFrame(tables), truth, factor) <= 0.97) is holds


def test_what_nobody_uses_is_named(small_run: aoi.Run) -> None:
    table = analysis.use_by_tile(small_run)
    seats, games = small_run.to_pandas("seats"), small_run.to_pandas("games")
    palaces = seats["palace"].dropna().astype(str)
    drawn = pd.Series([str(key) for keys in games["palaces"] for key in keys]).value_counts()
    for row in table.filter(pl.col("kind") == "palace").iter_rows(named=True):
        assert row["seats"] == (palaces == row["key"]).sum()
        assert row["n"] == drawn[row["key"]]
        assert row["never"] == (row["seats"] == 0)
    assert table.filter(pl.col("kind") == "power action")["key"].len() == 6
    assert table.filter(pl.col("kind") == "city")["key"].len() == 7
    assert table.filter(pl.col("kind") == "competency")["n"].to_list() == [24] * 12
    unused = small_run.events().filter(pl.col("event").cast(pl.String) != "power_action_taken")
    without = Frames({name: small_run.table(name) for name in ("games", "seats", "offers")} | {"events": unused})
    assert analysis.use_by_tile(without).filter(pl.col("kind") == "power action")["never"].all()


def test_a_real_run_agrees_with_plain_pandas(small_run: aoi.Run) -> None:
    rounds, seats = small_run.to_pandas("rounds"), small_run.to_pandas("seats")
    final = seats[["game_index", "seat", "vp"]].assign(round=7)
    rows = pd.concat([rounds[["game_index", "seat", "round", "vp"]], final])
    changes = []
    for _, game in rows.groupby("game_index"):
        leader, count = None, 0
        for _, standing in game.groupby("round"):
            best = standing[standing["vp"] == standing["vp"].max()]
            if len(best) == 1:
                count += leader is not None and best["seat"].item() != leader
                leader = best["seat"].item()
        changes.append(count)
    assert analysis.lead_changes(small_run)["value"].item() == pytest.approx(np.mean(changes))
    lengths = analysis.game_length(small_run)
    decisions = small_run.to_pandas("games")["n_decisions"]
    own = lengths.filter((pl.col("quantity") == "decisions") & (pl.col("figure") == "p95"))
    assert own["value"].item() == pytest.approx(decisions.quantile(0.95))


def test_one_game_has_figures_without_intervals() -> None:
    frames = made_games()
    one = Frames({name: frames.table(name).filter(pl.col("game_index") == 1) for name in ("games", "seats", "rounds")})
    table = analysis.game_quality(one)
    assert table["low"].null_count() == len(table)
    assert table["value"].is_finite().all()
