"""Is it a good game: lead changes, come-backs, when it is decided, length, what is never used, whether the better player wins.

Shares and means have errors clustered by block (Liang and Zeger 1986; shares with Wilson's interval, see ``balance``). What makes
a game good is discussed by Browne and Maire, Evolutionary game design, IEEE Transactions on Computational Intelligence and AI in
Games 2 (2010), from whom drama (come-backs) and lead changes are taken.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import MEAN, SHARE, mean_by
from aoi_sim.analysis.choices import KINDS, tiles_drawn, tiles_held
from aoi_sim.analysis.source import AnalysisError, Source, seat_table
from aoi_sim.analysis.uncertainty import LEVEL, clustered_means, t_quantile, wilson

DEFICITS: Final = (0, 5, 10, 20, 30)
"""Upper ends of the classes of deficit in VP; what is more is in the last."""
_KEYS: Final = ["game_index", "seat"]
_FIGURES: Final = ("value", "se", "low", "high")


def standing_rows(data: Source) -> pl.DataFrame:
    """Every seat at the end of every round, and of the final scoring as round 7.

    Returns:
        ``game_index``, ``seat``, ``block``, ``round``, ``vp``, ``deficit`` (to the best of the table), ``leads`` (alone),
        ``win_share``.
    """
    seats = seat_table(data)
    at_end = (
        data.table("rounds").select(*_KEYS, pl.col("round").cast(pl.Int64), pl.col("vp").cast(pl.Float64)).collect()
    )
    final = seats.select(*_KEYS, round=pl.lit(7, dtype=pl.Int64), vp="vp")
    best = pl.col("vp").max().over("game_index", "round")
    return (
        pl.concat([at_end, final])
        .join(seats.select(*_KEYS, "block", "win_share"), on=_KEYS, maintain_order="left")
        .sort("game_index", "round", "seat")
        .with_columns(deficit=best - pl.col("vp"))
        .with_columns(
            leads=(pl.col("deficit") == 0) & ((pl.col("deficit") == 0).sum().over("game_index", "round") == 1)
        )
        .select(*_KEYS, "block", "round", "vp", "deficit", "leads", "win_share")
    )


def lead_changes(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """How often the lead passes from one seat to another between the ends of rounds and the final scoring.

    A shared lead changes nothing. Returns one row: ``n`` (games), ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    leaders = standing_rows(data).filter("leads")
    changes = leaders.group_by("game_index", maintain_order=True).agg(
        changes=(pl.col("seat") != pl.col("seat").shift(1)).fill_null(False).sum().cast(pl.Float64)
    )
    games = seat_table(data).group_by("game_index", maintain_order=True).agg(pl.col("block").first())
    games = games.join(changes, on="game_index", how="left", maintain_order="left").with_columns(
        pl.col("changes").fill_null(0)
    )
    table = clustered_means(games.lazy(), ["changes"], [], level).drop("quantity")
    return table.with_columns(method=pl.lit("mean over games, errors clustered by block"))


def win_share_by_deficit(data: Source, deficits: Sequence[int] = DEFICITS, level: float = LEVEL) -> pl.DataFrame:
    """The chance to win from behind, by round and deficit at its end.

    Args:
        data: a run.
        deficits: upper ends of the classes, 0 first: 0 is to lead, alone or with others.
        level: of the intervals.

    Returns:
        ``round`` (1 to 6), ``deficit`` (``0``, ``1-5``, ..., ``31+``), ``n`` (seats), ``blocks``, ``value``, ``se``, ``low``,
        ``high``, ``method``.
    """
    rows = standing_rows(data).filter(pl.col("round") <= 6)
    names = ["0", *(f"{a + 1}-{b}" for a, b in pairwise(deficits)), f"{deficits[-1] + 1}+"]
    number = sum((pl.col("deficit") > limit).cast(pl.Int64) for limit in deficits)
    rows = rows.with_columns(_class=number)
    table = wilson(clustered_means(rows.lazy(), ["win_share"], ["round", "_class"], level), level).drop("quantity")
    label = pl.col("_class").replace_strict(list(range(len(names))), names, return_dtype=pl.String)
    return table.select("round", label.alias("deficit"), *table.columns[2:]).with_columns(method=pl.lit(SHARE))


def share_decided_by_round(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Share of games whose winner alone leads at the end of a round and at every later one: decided by then.

    Returns:
        ``round`` (1 to 6), ``n`` (games), ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``. "Decided before
        round 6" is round 5.
    """
    rows = standing_rows(data).with_columns(wins=pl.col("win_share") == 1.0)
    held = (
        rows.filter("wins")
        .sort("game_index", "round", descending=[False, True])
        .with_columns(held=pl.col("leads").cast(pl.Int64).cum_prod().over("game_index"))
    )
    games = rows.select("game_index", "block", "round").unique(maintain_order=True).filter(pl.col("round") <= 6)
    games = games.join(
        held.select("game_index", "round", "held"), on=["game_index", "round"], how="left", maintain_order="left"
    )
    games = games.with_columns(pl.col("held").fill_null(0))  # shared wins are never decided
    table = wilson(clustered_means(games.lazy(), ["held"], ["round"], level), level).drop("quantity")
    return table.with_columns(method=pl.lit(SHARE.replace("seats", "games")))


def use_by_tile(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """How often each tile and action is held or used; what never is stands out.

    Tiles are those in play by the tables ``games`` and ``offers``, power actions those of the rules, so that what nobody
    ever took is there too. Book and power actions need full events; without them they are left out.

    Returns:
        ``kind``, ``key``, ``n`` (games with it in play), ``blocks``, ``seats`` (that held or used it), ``value`` (share of these
        games in which somebody did), ``se``, ``low``, ``high``, ``never`` (nobody ever did), ``method``.
    """
    games = seat_table(data).select("game_index", "block").unique(maintain_order=True)
    parts = []
    for kind, what in KINDS.items():
        if not what.pick and "events" not in data.tables:
            continue
        held, drawn = tiles_held(data, kind), tiles_drawn(data, kind)
        if drawn is None:
            keys = sorted(_always_there(data, kind) | set(held["key"]))
            cases = games.join(pl.DataFrame({"key": keys}, schema={"key": pl.String}), how="cross")
        else:
            cases = drawn.join(games, on="game_index", how="inner", maintain_order="left")
        seats = held.group_by("game_index", "key", maintain_order=True).agg(seats=pl.len().cast(pl.Int64))
        cases = cases.join(seats, on=["game_index", "key"], how="left", maintain_order="left")
        cases = cases.with_columns(pl.col("seats").fill_null(0)).with_columns(used=pl.col("seats") > 0)
        shares = wilson(clustered_means(cases.lazy(), ["used"], ["key"], level), level)
        counts = cases.group_by("key", maintain_order=True).agg(pl.col("seats").sum())
        table = shares.join(counts, on="key", maintain_order="left")
        parts.append(table.select(pl.lit(kind).alias("kind"), "key", "n", "blocks", "seats", *_FIGURES))
    return pl.concat(parts).with_columns(never=pl.col("seats") == 0, method=pl.lit(SHARE.replace("seats", "games")))


def _always_there(data: Source, kind: str) -> set[str]:
    """Keys of a kind that is in play in every game."""
    from aoi_sim.rules import load_ruleset

    if kind == "power action":
        return {str(key) for key in load_ruleset().data["power_actions"]}
    offers = data.table("offers").filter(pl.col("pick").cast(pl.String) == KINDS[kind].pick)
    return set(offers.select(pl.col("open").explode().cast(pl.String).unique()).collect()["open"].drop_nulls())


def game_length(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Decisions and turns of a game: mean, median and 95th percentile.

    Intervals of quantiles are Woodruff's (JASA 47, 1952): the interval of the share below, turned back into lengths.

    Returns:
        ``quantity`` (``decisions``, ``turns``), ``figure`` (``mean``, ``median``, ``p95``), ``n`` (games), ``blocks``, ``value``,
        ``se`` (of quantiles from the width of the interval), ``low``, ``high``, ``method``.
    """
    games = seat_table(data).group_by("game_index", maintain_order=True).agg(pl.col("block").first())
    decisions = data.table("games").select("game_index", decisions=pl.col("n_decisions").cast(pl.Float64)).collect()
    games = games.join(decisions, on="game_index", maintain_order="left")
    if "rounds" in data.tables:
        turns = (
            data.table("rounds")
            .group_by("game_index", "round", maintain_order=True)
            .agg(turns=pl.col("passed_turn").max() + 1)
            .group_by("game_index", maintain_order=True)
            .agg(pl.col("turns").sum().cast(pl.Float64))
            .collect()
        )
        games = games.join(turns, on="game_index", maintain_order="left")
    rows: list[dict[str, Any]] = []
    for quantity in ("decisions", "turns"):
        if quantity not in games.columns:
            continue
        mean = clustered_means(games.lazy(), [quantity], [], level).row(0, named=True)
        head = {"quantity": quantity, "n": mean["n"], "blocks": mean["blocks"]}
        rows.append(head | {"figure": "mean"} | {name: mean[name] for name in ("value", "se", "low", "high")})
        for figure, share in (("median", 0.5), ("p95", 0.95)):
            rows.append(head | {"figure": figure} | _quantile(games, quantity, share, level))
    kinds = {"quantity": pl.String, "figure": pl.String, "n": pl.Int64, "blocks": pl.Int64}
    kinds |= dict.fromkeys(("value", "se", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema=kinds).with_columns(
        method=pl.lit("over games, clustered by block; quantiles by Woodruff")
    )


def _quantile(games: pl.DataFrame, quantity: str, share: float, level: float) -> dict[str, float | None]:
    """A quantile and its interval."""
    values = games[quantity].to_numpy()
    value = float(np.quantile(values, share))
    below = games.with_columns(below=pl.col(quantity) <= value)
    row = clustered_means(below.lazy(), ["below"], [], level).row(0, named=True)
    if row["se"] is None:
        return {"value": value, "se": None, "low": None, "high": None}
    t = t_quantile(int(row["blocks"]), level)
    half = max(float(row["se"]), 1e-12) * t
    low, high = (float(np.quantile(values, min(max(share + sign * half, 0.0), 1.0))) for sign in (-1, 1))
    return {"value": value, "se": (high - low) / (2 * t), "low": low, "high": high}


def share_ahead_by_pair(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """How often the better player beats the worse: share of common tables at which a seat of it is ahead, ties half.

    Returns:
        ``better``, ``worse`` (by mean difference in VP), ``n`` (pairs of seats), ``blocks``, ``margin`` (mean difference in VP),
        ``value``, ``se``, ``low``, ``high``, ``method``.

    Raises:
        AnalysisError: one player plays all seats.
    """
    from aoi_sim.analysis.contests import pair_rows

    rows = seat_table(data)
    if rows["heuristic"].drop_nulls().n_unique() < 2:
        raise AnalysisError("one player only, table seats, play several heuristics at a table")
    table = clustered_means(pair_rows(rows.lazy()), ["margin", "ahead"], ["heuristic", "rival"], level)
    margins = table.filter(pl.col("quantity") == "margin").select("heuristic", "rival", margin="value")
    ahead = wilson(table.filter(pl.col("quantity") == "ahead").drop("quantity"), level)
    first = (pl.col("margin") > 0) | ((pl.col("margin") == 0) & (pl.col("heuristic") < pl.col("rival")))
    return (
        ahead.join(margins, on=["heuristic", "rival"], maintain_order="left")
        .filter(first)
        .rename({"heuristic": "better", "rival": "worse"})
        .select("better", "worse", "n", "blocks", "margin", "value", "se", "low", "high")
        .with_columns(
            method=pl.lit("pairs of seats at common tables, ties half, errors clustered by block, Wilson interval")
        )
    )


def game_quality(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """The headline figures of a game: closeness, drama, lead changes, length.

    Returns:
        ``quantity``, ``text``, ``n`` (games), ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    rows = seat_table(data)
    ordered = rows.sort("game_index", "vp", descending=[False, True], maintain_order=True)
    games = ordered.group_by("game_index", maintain_order=True).agg(
        pl.col("block").first(),
        winner_margin=pl.col("vp").first() - pl.col("vp").get(1),
        winner_minus_last=pl.col("vp").first() - pl.col("vp").last(),
        shared_win=pl.col("win_share").max() < 1,
    )
    figures = ("quantity", "n", "blocks", "value", "se", "low", "high", "method")
    means = [
        mean_by(games, name, []).select(pl.lit(name).alias("quantity"), *figures[1:])
        for name in ("winner_margin", "winner_minus_last")
    ]
    shared = wilson(clustered_means(games.lazy(), ["shared_win"], [], level), level).with_columns(method=pl.lit(SHARE))
    parts = [*means, shared.select(figures)]
    if "rounds" in data.tables:
        parts.append(lead_changes(data, level).select(pl.lit("lead_changes").alias("quantity"), *figures[1:]))
        decided = share_decided_by_round(data, level).filter(pl.col("round").is_in([3, 5]))
        parts.append(decided.select(pl.format("decided_by_round_{}", "round").alias("quantity"), *figures[1:]))
    lengths = game_length(data, level).with_columns(quantity=pl.concat_str("figure", "quantity", separator="_"))
    parts.append(lengths.select(figures))
    words = {
        "winner_margin": "VP between the first and the second",
        "winner_minus_last": "VP between the first and the last",
        "shared_win": "share of games with several winners",
        "lead_changes": "lead changes between ends of rounds and the final scoring",
        "decided_by_round_3": "share of games whose winner leads from the end of round 3 on",
        "decided_by_round_5": "share of games whose winner leads from the end of round 5 on",
    }
    text = pl.col("quantity").replace(words).str.replace_all("_", " ")
    return (
        pl.concat(parts)
        .select("quantity", text.alias("text"), *figures[1:])
        .with_columns(
            method=pl.when(pl.col("method") == MEAN)
            .then(pl.lit("mean over games, errors clustered by block"))
            .otherwise("method")
        )
    )
