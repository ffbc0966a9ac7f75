"""How games unfold: economy by round, firsts (school, palace, ...), turn order, power offers, and the margins that go with them.

Means over seats with errors clustered by block (Liang and Zeger 1986; see ``balance``). Who is early may be early because it was
ahead: margins by timing mix cause and consequence, and their ``method`` says "observed".
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import MEAN, SHARE
from aoi_sim.analysis.least_squares import Design, Factor, factor_of
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.source import AnalysisError, Source, kept, known_columns, seat_table
from aoi_sim.analysis.uncertainty import LEVEL, clustered_means, wilson, with_intervals

MILESTONES: Final[Mapping[str, str]] = {
    "school": "schools",
    "palace": "palaces",
    "university": "universities",
    "city": "cities",
    "innovation": "innovations",
}
"""What is first reached, and the column of ``rounds`` that counts it at the end of a round."""
BUILDINGS: Final[Mapping[str, str]] = {
    "workshops": "workshop",
    "guilds": "guild",
    "schools": "school",
    "universities": "university",
    "palaces": "palace",
    "towers": "tower",
    "monuments": "monument",
}
"""Columns of ``rounds`` that count what stands on the map, and the building in the table ``events``."""
ECONOMY: Final = (
    *("start_coins", "start_tools", "start_scholars", "start_books", "start_bowl3"),
    *("income_coins", "income_tools", "income_scholars", "income_power", "income_books", "income_vp"),
    *("vp", "workshops", "guilds", "schools", "universities", "palaces", "cities", "innovations", "competencies"),
    *("sailing", "terraforming"),
)
EVER_BUILT: Final = "counted: what was ever built or had, upgraded since or not; "
EVER_SEEN: Final = "counted: the most that was there at the end of a round so far (no table events); "
OBSERVED: Final = "observed, mixes cause and consequence; "
_LEAST_SQUARES: Final = "least squares within games on faction + board + seat, errors clustered by block"
_KEYS: Final = ["game_index", "seat"]


def _known_in_rounds(data: Source, columns: Sequence[str]) -> None:
    there = data.table("rounds").collect_schema().names()
    if missing := [name for name in columns if name not in there]:
        raise AnalysisError(f"no column {missing[0]}, table rounds, choose {', '.join(sorted(there))}")


def _round_rows(data: Source, columns: Sequence[str], group: Sequence[str]) -> pl.DataFrame:
    """Rows of ``rounds`` with ``columns``, block, margin and the group, in the order of games, seats and rounds."""
    seats = seat_table(data)
    known_columns(seats, group)
    _known_in_rounds(data, columns)
    rounds = data.table("rounds").select(*_KEYS, "round", *columns).collect()
    own = seats.select(*_KEYS, "block", "margin", *(name for name in group if name not in ("seat", "block", "margin")))
    return rounds.join(own, on=_KEYS, maintain_order="left").sort(*_KEYS, "round")


def economy_by_round(
    data: Source, group: Sequence[str] = ("faction",), columns: Sequence[str] = ECONOMY, level: float = LEVEL
) -> pl.DataFrame:
    """Means of resources, income, buildings, tracks and VP by round.

    Args:
        data: a run.
        group: columns of ``seat_table``; none for all seats together.
        columns: of the table ``rounds``.
        level: of the intervals.

    Returns:
        The group, ``round``, ``quantity`` (column), ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    rows = _round_rows(data, columns, group)
    return clustered_means(rows.lazy(), columns, [*group, "round"], level).with_columns(method=pl.lit(MEAN))


@kept
def _built(data: Source) -> pl.DataFrame:
    """Buildings that each seat put on the map, start pieces and neutral ones included: a column a kind, by round from 1 on."""
    event, subject = pl.col("event").cast(pl.String), pl.col("subject").cast(pl.String)
    start = pl.when(event == "start_piece_placed").then(subject.str.strip_prefix("building/"))
    what = start.otherwise(event.str.strip_suffix("_built"))
    builds = (event == "start_piece_placed") | event.str.ends_with("_built")
    return (
        data.table("events")
        .filter(builds)
        .select(*_KEYS, pl.col("round").clip(lower_bound=1), what=what)
        .group_by(*_KEYS, "round", maintain_order=True)
        .agg((pl.col("what") == building).sum().cast(pl.Int64).alias(name) for name, building in BUILDINGS.items())
        .collect()
    )


@kept
def ever_by_round(data: Source, columns: Sequence[str]) -> pl.DataFrame:
    """How much of something each seat ever had by the end of each round: counts that never fall.

    A school that was upgraded counts as a school still, and so does every building that was built, with the table ``events``
    even where it stood within a round only; without that table only what stood at the end of a round is seen. Of other
    columns it is the most that was there at the end of a round so far.

    Args:
        data: a run or frames with ``rounds``; ``events`` if it is there.
        columns: of the table ``rounds``.

    Returns:
        ``game_index``, ``seat``, ``round`` and the columns, sorted.
    """
    keys = [*_KEYS, "round"]
    rounds = data.table("rounds").select(*keys, *columns).sort(keys).collect()
    seen = rounds.with_columns(pl.col(columns).cum_max().over(_KEYS))
    own = [name for name in columns if name in BUILDINGS]
    if not own or "events" not in data.tables:
        return seen
    built = _built(data).select(*(pl.col(key).cast(rounds.schema[key]) for key in keys), *own)
    total = rounds.select(keys).join(built, on=keys, how="left", maintain_order="left")
    total = total.with_columns(pl.col(own).fill_null(0).cum_sum().over(_KEYS))
    return seen.with_columns(pl.max_horizontal(pl.col(name).cast(pl.Int64), total[name]).alias(name) for name in own)


def _counted(data: Source, columns: Sequence[str]) -> str:
    """What ``ever_by_round`` counts in this source, in words."""
    whole = "events" in data.tables or not any(name in BUILDINGS for name in columns)
    return EVER_BUILT if whole else EVER_SEEN


@kept
def milestone_rounds(data: Source) -> pl.DataFrame:
    """The round in which each seat first had a school, palace, university, city and innovation; null if never.

    What counts is what was ever built, see ``ever_by_round``.

    Returns:
        ``game_index``, ``seat``, ``first_school``, ``first_palace``, ``first_university``, ``first_city``, ``first_innovation``.
    """
    first = [
        pl.col("round").filter(pl.col(column) > 0).min().cast(pl.Int64).alias(f"first_{name}")
        for name, column in MILESTONES.items()
    ]
    ever = ever_by_round(data, tuple(MILESTONES.values()))
    return ever.group_by(_KEYS, maintain_order=True).agg(first).sort(_KEYS)


def timing_by_faction(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """How many get there, and in which round: first school, palace, university, city and innovation.

    Returns:
        The group, ``milestone``, ``quantity`` (``share_reached``; ``round``, the mean over those who got there), ``n``,
        ``blocks``, ``value``, ``se``, ``low``, ``high``, ``median`` (of the round; null for the share), ``method``.
    """
    seats = seat_table(data)
    known_columns(seats, [group])
    names = [f"first_{name}" for name in MILESTONES]
    rows = seats.join(milestone_rounds(data), on=_KEYS, maintain_order="left")
    reached = rows.with_columns(pl.col(names).is_not_null())
    shares = wilson(clustered_means(reached.lazy(), names, [group], level), level)
    rounds = clustered_means(rows.lazy(), names, [group], level)
    medians = (
        rows.group_by(group, maintain_order=True)
        .agg(pl.col(names).median())
        .unpivot(index=group, variable_name="quantity", value_name="median")
    )
    rounds = rounds.join(medians, on=[group, "quantity"], how="left", maintain_order="left")
    counted = _counted(data, tuple(MILESTONES.values()))
    nothing = pl.lit(None, dtype=pl.Float64)
    parts = [
        shares.with_columns(median=nothing, what=pl.lit("share_reached"), method=pl.lit(counted + SHARE)),
        rounds.with_columns(what=pl.lit("round"), method=pl.lit(counted + MEAN)),
    ]
    columns = [group, "milestone", "quantity", "n", "blocks", "value", "se", "low", "high", "median", "method"]
    return pl.concat(
        [
            part.rename({"quantity": "milestone", "what": "quantity"})
            .with_columns(pl.col("milestone").str.strip_prefix("first_"))
            .select(columns)
            for part in parts
        ]
    ).sort(group, "milestone", "quantity")


def vp_margin_by_timing(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean margin by the round of the first school, palace, university, city and innovation ever built or had (observed).

    Returns:
        ``milestone``, ``round`` (null: never), ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    rows = seat_table(data).join(milestone_rounds(data), on=_KEYS, maintain_order="left")
    parts = []
    for name in MILESTONES:
        own = rows.with_columns(milestone=pl.lit(name), round=pl.col(f"first_{name}"))
        parts.append(clustered_means(own.lazy(), ["margin"], ["milestone", "round"], level))
    method = OBSERVED + _counted(data, tuple(MILESTONES.values())) + MEAN
    return pl.concat(parts).drop("quantity").with_columns(method=pl.lit(method))


def vp_margin_by_condition(
    data: Source, column: str, by_round: int, at_least: int = 1, group: str = "", level: float = LEVEL
) -> pl.DataFrame:
    """Difference in VP between seats that ever had something by the end of a round and those that had not (observed).

    For example ``vp_margin_by_condition(run, "schools", 2)``: a school that is a university by then counts, so ``n`` never
    falls from round to round (``ever_by_round``). The difference is adjusted for faction, board and seat by least
    squares within games (``least_squares``).

    Args:
        data: a run.
        column: of the table ``rounds``.
        by_round: round at whose end it counts.
        at_least: how much of it, ever built or had at once.
        group: ``faction`` or ``board`` for a difference by each of them; empty for one of all.
        level: of the intervals.

    Returns:
        A row a level of the group that has seats on both sides: the group, ``condition`` (in words), ``n`` (seats with),
        ``n_without``, ``share``, ``blocks`` (the fewer of both sides), ``margin_with``, ``margin_without`` (means), ``value``
        (adjusted difference), ``se``, ``low``, ``high``, ``p``, ``q``, ``method``.

    Raises:
        AnalysisError: the column is unknown, or all seats are on one side.
    """
    seats = seat_table(data)
    _known_in_rounds(data, [column])
    reached = ever_by_round(data, (column,)).filter(pl.col("round") == by_round)
    reached = reached.select(*_KEYS, met=pl.col(column) >= at_least)
    words = f"{at_least} or more {column} by round {by_round}"
    rows = seats.join(reached, on=_KEYS, how="left", maintain_order="left").with_columns(pl.col("met").fill_null(False))
    table = _condition(rows, words, group, level)
    return table.with_columns(method=pl.lit(OBSERVED + _counted(data, [column]) + _LEAST_SQUARES))


def _design(rows: pl.DataFrame) -> Design:
    """The regression on faction, board and seat, those that vary."""
    names = [n for n in ("faction", "board", "seat") if rows[n].null_count() == 0 and rows[n].n_unique() > 1]
    return Design(rows, "vp", [factor_of(rows, [name]) for name in names])


def _condition(rows: pl.DataFrame, words: str, group: str, level: float, design: Design | None = None) -> pl.DataFrame:
    if group:
        known_columns(rows, [group])
    own = factor_of(rows, [group]) if group else Factor("all", ("all",), np.ones((len(rows), 1)))
    design = design or _design(rows)
    met, margin = rows["met"].to_numpy(), rows["margin"].to_numpy()
    sides = [own.columns * side[:, None] for side in (met, ~met)]
    counts = [side.sum(axis=0) for side in sides]
    both = np.flatnonzero((counts[0] > 0) & (counts[1] > 0))
    if not len(both):
        side = "no" if not met.any() else "every"
        raise AnalysisError(f"{side} seat has {words}, table rounds, ask for another round or number")
    fit = design.fit_with(Factor("condition", tuple(own.levels[i] for i in both), sides[0][:, both]))
    values, covariance, known = fit.contrast(np.eye(len(both)))
    blocks = np.minimum(*((design.blocks.sums(side[:, both]) > 0).sum(axis=0) for side in sides))
    found: list[dict[str, Any]] = []
    for place, i in enumerate(both):
        if known[place]:
            spread = (
                None if covariance is None or blocks[place] < 2 else float(np.sqrt(max(covariance[place, place], 0)))
            )
            found.append(
                ({group: str(own.levels[i])} if group else {})
                | {
                    "condition": words,
                    "n": int(counts[0][i]),
                    "n_without": int(counts[1][i]),
                    "share": float(counts[0][i] / (counts[0][i] + counts[1][i])),
                    "blocks": int(blocks[place]),
                    "margin_with": float(margin @ sides[0][:, i] / counts[0][i]),
                    "margin_without": float(margin @ sides[1][:, i] / counts[1][i]),
                    "value": float(values[place]),
                    "se": spread,
                }
            )
    if not found:
        raise AnalysisError(f"seats with and without {words} never meet at a table, table rounds, play more games")
    table = pl.DataFrame(found, schema_overrides={"se": pl.Float64})
    return with_tests(with_intervals(table, level)).with_columns(method=pl.lit(OBSERVED + _LEAST_SQUARES))


def vp_margin_by_milestone(
    data: Source, rounds: Sequence[int] = (1, 2, 3, 4, 5, 6), least_share: float = 0.03, level: float = LEVEL
) -> pl.DataFrame:
    """``vp_margin_by_condition`` for every milestone and round that at least a share of seats meets, and misses.

    Returns:
        Columns of ``vp_margin_by_condition`` with ``milestone`` and ``round``; q-values are over the whole table. What the data
        cannot tell from faction, board and seat is left out.

    Raises:
        AnalysisError: no milestone splits the seats.
    """
    seats = seat_table(data).join(milestone_rounds(data), on=_KEYS, maintain_order="left")
    parts, design = [], _design(seats)
    for name in MILESTONES:
        for number in rounds:
            rows = seats.with_columns(met=(pl.col(f"first_{name}") <= number).fill_null(False))
            share = rows["met"].mean()
            if isinstance(share, float) and least_share <= share <= 1 - least_share:
                try:
                    part = _condition(rows, f"first {name} by round {number}", "", level, design)
                except AnalysisError:  # only who starts with it has it: the data cannot tell it from the faction
                    continue
                parts.append(part.select(pl.lit(name).alias("milestone"), pl.lit(number).alias("round"), pl.all()))
    if not parts:
        raise AnalysisError("no milestone splits the seats, table rounds, play more games")
    method = OBSERVED + _counted(data, tuple(MILESTONES.values())) + _LEAST_SQUARES
    return with_tests(pl.concat(parts).drop("p", "q", "method")).with_columns(method=pl.lit(method))


def vp_margin_by_pass_order(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean margin by round and place in passing, 0 the first to pass (observed).

    Returns:
        ``round``, ``next_place``, ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    return _margin_by_place(data, "next_place", level)


def vp_margin_by_turn_order(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean margin by round and place in that round's turn order, 0 the first (observed from round 2 on).

    Returns:
        ``round``, ``place``, ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    return _margin_by_place(data, "place", level)


def _margin_by_place(data: Source, column: str, level: float) -> pl.DataFrame:
    rows = _round_rows(data, [column], [])
    table = clustered_means(rows.lazy(), ["margin"], ["round", column], level)
    return table.drop("quantity").with_columns(method=pl.lit(OBSERVED + MEAN))


def share_accepted_by_power_offer(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """How often power from neighbours is taken, by its amount (it costs the amount less 1 VP).

    Returns:
        ``power``, ``vp_cost``, ``n`` (offers), ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.

    Raises:
        AnalysisError: there was no offer.
    """
    offers = (
        data.table("offers")
        .filter(pl.col("pick").cast(pl.String) == "power")
        .select("game_index", "power", accepted=(pl.col("taken").cast(pl.String) == "accept").cast(pl.Float64))
        .join(data.table("games").select("game_index", "block"), on="game_index", maintain_order="left")
        .collect()
    )
    if not len(offers):
        raise AnalysisError("no power was offered, table offers, play more games")
    table = wilson(clustered_means(offers.lazy(), ["accepted"], ["power"], level), level).drop("quantity")
    return table.select("power", (pl.col("power") - 1).alias("vp_cost"), *table.columns[1:]).with_columns(
        method=pl.lit(SHARE)
    )
