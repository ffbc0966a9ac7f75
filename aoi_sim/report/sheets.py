"""The tables of the reports: which columns, in which words."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from aoi_sim.report.document import Column, Sheet

LOW: Final = Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "+1")
HIGH: Final = Column("high", "to", "upper end of the 95 % interval", "+1")
Q: Final = Column("q", "q", "share of false alarms if this and all surer ones are believed (Benjamini-Hochberg)", "3")
"""Columns that many tables of VP have."""

_N: Final = Column("n", "n", "seats that the figures rest on: a player in a game each", "count")
_BLOCKS: Final = Column(
    "blocks", "set-ups", "different set-ups among them, the unit of sampling of every interval", "count"
)
_GROUP: Final = (
    Column("vp", "VP", "mean final score", "1"),
    Column("margin", "margin", "mean VP ahead of the mean of the table", "+1"),
    Column("low", "from", "lower end of the margin's 95 % interval, clustered by set-up", "+1"),
    Column("high", "to", "upper end of the margin's 95 % interval", "+1"),
    Column("win_share", "wins", "share of games won, ties split", "share"),
    Column("win_low", "from", "lower end of the 95 % interval of the share of wins", "share"),
    Column("win_high", "to", "upper end of the 95 % interval of the share of wins", "share"),
    Column("effect", "adjusted", "VP that it adds, all else equal, against the mean of all (least squares within games)", "+1"),
    Column("effect_low", "from", "lower end of the adjusted effect's 95 % interval", "+1"),
    Column("effect_high", "to", "upper end of the adjusted effect's 95 % interval", "+1"),
)  # fmt: skip
_ORDER: Final = (
    Column("tier", "tier", "members of a tier are not known to differ from the best of it", "count"),
    Column("rank_low", "rank from", "best rank that is plausible (95 %)", "count"),
    Column("rank_high", "to", "worst rank that is plausible (95 %)", "count"),
    Column("p_best", "best", "probability of being the best of all", "share"),
)
_VERDICT: Final = (
    Column("q", "q", "share of false alarms one accepts by calling this and all surer ones different (Benjamini-Hochberg)", "3"),
    Column("verdict", "verdict", "different from the mean, equivalent to it within 2 VP, or undecided", "text"),
    Column("games_needed", "games needed", "size of a run that would probably decide it", "count"),
)  # fmt: skip


def group_sheet(
    key: str, title: str, table: pl.DataFrame, group: Sequence[str], n_open: int = 30, ordered: bool = True
) -> Sheet:
    """A table of ``Study.group_table`` with all its columns; those of the order only if it is whole and short."""
    names = tuple(Column(name, name.replace("_", " "), f"the {name.replace('_', ' ')}", "text") for name in group)
    order = _ORDER if ordered and len(table) <= n_open else ()
    return Sheet(key, title, (*names, _N, _BLOCKS, *_GROUP, *_VERDICT, *order), table, n_open)


def plain_sheet(key: str, title: str, table: pl.DataFrame, *columns: Column, n_open: int = 30) -> Sheet:
    """A table with given columns."""
    return Sheet(key, title, columns, table, n_open)
