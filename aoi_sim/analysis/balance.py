"""How well factions, boards, pairings, seats and first round bonus tiles do: plain means with errors clustered by block.

All functions take a run (or ``Frames``, or rows of ``seat_table``), optional further columns ``by`` that split it
(``n_players``, ``map``, ``edition``, ``level``, ``heuristic``), and give the same tidy columns: those of the group, ``n``
(seats), ``blocks`` (set-ups, the unit of sampling), ``value``, ``se``, ``low``, ``high``, ``method``. With one block there is no
error: the last three figures are null. Groups that do not occur have no row. ``table.to_pandas()`` leads to pandas.

Errors: Liang and Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73 (1986), clustered by
set-up block; t quantile with blocks - 1 degrees of freedom (Cameron and Miller, A practitioner's guide to cluster-robust
inference, Journal of Human Resources 50, 2015). Win shares: the interval of Wilson (JASA 22, 1927) at the effective sample
size of Korn and Graubard (Survey Methodology 24, 1998), which stays inside 0 and 1.
"""

from collections.abc import Sequence
from typing import Final

import polars as pl

from aoi_sim.analysis.source import Source, known_columns, rows_of
from aoi_sim.analysis.uncertainty import LEVEL, clustered_means, wilson

Data = Source | pl.DataFrame
MEAN: Final = "mean over seats, errors clustered by block"
SHARE: Final = "mean over seats, errors clustered by block, Wilson interval at the effective sample size"


def mean_by(
    data: Data, quantity: str, group: Sequence[str], by: Sequence[str] = (), level: float = LEVEL
) -> pl.DataFrame:
    """Mean of a quantity by the groups of any columns of ``seat_table``.

    Args:
        data: a run, frames, or rows of ``seat_table``.
        quantity: ``vp``, ``margin``, ``win_share``, ``rank``, or any numeric column.
        group: columns of the groups.
        by: columns that split the run first.
        level: of the intervals.

    Raises:
        AnalysisError: a column is unknown or empty.
    """
    rows = rows_of(data)
    keys = [*by, *group]
    known_columns(rows, [*keys, quantity])
    rows = rows.drop_nulls(keys)
    table = clustered_means(rows.lazy(), [quantity], keys, level).drop("quantity")
    if quantity == "win_share":
        return wilson(table, level).with_columns(method=pl.lit(SHARE))
    return table.with_columns(method=pl.lit(MEAN))


def vp_by_faction(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP by faction."""
    return mean_by(data, "vp", ["faction"], by, level)


def vp_by_board(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP by planning board."""
    return mean_by(data, "vp", ["board"], by, level)


def vp_by_pairing(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP by faction and board (84 pairings with all seven boards)."""
    return mean_by(data, "vp", ["faction", "board"], by, level)


def vp_by_seat(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP by seat (turn order of round 1, from 0)."""
    return mean_by(data, "vp", ["seat"], by, level)


def vp_by_bonus_tile(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP by first round bonus tile."""
    return mean_by(data, "vp", ["bonus"], by, level)


def vp_margin_by_faction(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean VP less the table's mean by faction; what lifts everybody's score drops out."""
    return mean_by(data, "margin", ["faction"], by, level)


def vp_margin_by_board(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean VP less the table's mean by planning board."""
    return mean_by(data, "margin", ["board"], by, level)


def vp_margin_by_pairing(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean VP less the table's mean by faction and board."""
    return mean_by(data, "margin", ["faction", "board"], by, level)


def vp_margin_by_seat(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean VP less the table's mean by seat."""
    return mean_by(data, "margin", ["seat"], by, level)


def vp_margin_by_bonus_tile(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean VP less the table's mean by first round bonus tile."""
    return mean_by(data, "margin", ["bonus"], by, level)


def win_share_by_faction(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Share of games won by faction, ties split; 1 / players where all are equal."""
    return mean_by(data, "win_share", ["faction"], by, level)


def win_share_by_board(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Share of games won by planning board, ties split."""
    return mean_by(data, "win_share", ["board"], by, level)


def win_share_by_pairing(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Share of games won by faction and board, ties split."""
    return mean_by(data, "win_share", ["faction", "board"], by, level)


def win_share_by_seat(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Share of games won by seat, ties split."""
    return mean_by(data, "win_share", ["seat"], by, level)


def win_share_by_bonus_tile(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Share of games won by first round bonus tile, ties split."""
    return mean_by(data, "win_share", ["bonus"], by, level)


def rank_by_faction(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean rank by faction; tied seats share the mean of their ranks."""
    return mean_by(data, "rank", ["faction"], by, level)


def rank_by_board(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean rank by planning board."""
    return mean_by(data, "rank", ["board"], by, level)


def rank_by_pairing(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean rank by faction and board."""
    return mean_by(data, "rank", ["faction", "board"], by, level)


def rank_by_seat(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean rank by seat."""
    return mean_by(data, "rank", ["seat"], by, level)


def rank_by_bonus_tile(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean rank by first round bonus tile."""
    return mean_by(data, "rank", ["bonus"], by, level)


def vp_by_player_count(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP of a seat by number of players."""
    return mean_by(data, "vp", ["n_players"], by, level)


def vp_by_map(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP of a seat by side of the map."""
    return mean_by(data, "vp", ["map"], by, level)


def vp_by_edition(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Mean final VP of a seat by edition of the rules."""
    return mean_by(data, "vp", ["edition"], by, level)
