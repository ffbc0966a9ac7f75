"""Where points come from: VP by source and round, and who leads the races for area and science.

Means over seats with errors clustered by block (Liang and Zeger 1986; see ``balance``); the sum over the sources is the score.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from aoi_sim.analysis.balance import MEAN, Data
from aoi_sim.analysis.source import AnalysisError, Source, known_columns, rows_of, seat_table
from aoi_sim.analysis.uncertainty import LEVEL, clustered_means, wilson

# Kind of the subject of an event `vp_scored`: source. `vp/...` names the source itself, `track/...` the track.
_SOURCE_OF_KIND: Final[Mapping[str, str]] = {
    "round": "round_tile",
    "final": "final_tile",
    "bonus": "bonus_tile",
    "city": "city",
    "competency": "competency",
    "palace": "palace",
    "innovation": "innovation",
    "faction": "faction",
    "board": "board",
    "discipline": "discipline",
    "book": "action",
    "power": "action",
}
DISCIPLINES: Final = ("banking", "law", "engineering", "medicine")


def vp_sources(data: Source) -> list[str]:
    """The columns ``vp_from_*`` of a run.

    Raises:
        AnalysisError: there are none.
    """
    names = [name for name in data.table("seats").collect_schema().names() if name.startswith("vp_from_")]
    if not names:
        raise AnalysisError("no columns vp_from_*, table seats, take the tables of a run")
    return names


def vp_source_by(data: Source, group: Sequence[str], level: float = LEVEL) -> pl.DataFrame:
    """Mean VP of a seat from each source, by any columns of ``seat_table``.

    Returns:
        The group, ``source``, ``n`` (seats), ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    sources = vp_sources(data)
    rows = seat_table(data, sources)
    known_columns(rows, group)
    table = clustered_means(rows.drop_nulls(group).lazy(), sources, group, level)
    return table.rename({"quantity": "source"}).with_columns(
        pl.col("source").str.strip_prefix("vp_from_"), method=pl.lit(MEAN)
    )


def vp_source_by_faction(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean VP of a seat from each source by faction."""
    return vp_source_by(data, ["faction"], level)


def vp_source_by_board(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean VP of a seat from each source by planning board."""
    return vp_source_by(data, ["board"], level)


def vp_source_by_heuristic(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean VP of a seat from each source by who played."""
    return vp_source_by(data, ["heuristic"], level)


def vp_source_by_rank(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Mean VP of a seat from each source by final rank: what winners have more of (no cause is meant)."""
    return vp_source_by(data, ["rank"], level)


def vp_source_by_faction_and_round(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """Mean VP of a seat from each source in each round (0 is set-up; the final scoring is in the last).

    Args:
        data: a run with full events.
        group: column of ``seat_table``.
        level: of the intervals.

    Returns:
        The group, ``round``, ``source``, ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``; what nobody
        scored in a round has no row.
    """
    rows = rows_of(data)
    known_columns(rows, [group])
    scored = _scored(data)
    wide = rows.select("game_index", "seat", "block", group).join(
        scored.with_columns(_cell=pl.format("{}/{}", "round", "source")).pivot(
            on="_cell", index=["game_index", "seat"], values="vp", aggregate_function="sum"
        ),
        on=["game_index", "seat"],
        how="left",
        maintain_order="left",
    )
    cells = [name for name in wide.columns if "/" in name]
    table = clustered_means(wide.with_columns(pl.col(cells).fill_null(0)).lazy(), cells, [group], level)
    parts = pl.col("quantity").str.split("/")
    return (
        table.with_columns(round=parts.list.first().cast(pl.Int64), source=parts.list.last(), method=pl.lit(MEAN))
        .select(group, "round", "source", "n", "blocks", "value", "se", "low", "high", "method")
        .sort(group, "round", "source")
    )


def _scored(data: Source) -> pl.DataFrame:
    """VP by game, seat, round and source."""
    parts = pl.col("subject").cast(pl.String).str.split("/")
    kind, key = parts.list.first(), parts.list.last()
    source = (
        pl.when(kind.is_in(["vp", "track"])).then(key).otherwise(kind.replace_strict(_SOURCE_OF_KIND, default=kind))
    )
    scored = (
        data.table("events")
        .filter(pl.col("vp") != 0)
        .group_by("game_index", "seat", "round", "subject", maintain_order=True)
        .agg(pl.col("vp").cast(pl.Float64).sum())
        .with_columns(source=source)
        .select("game_index", "seat", "round", "source", "vp")
        .sort("round", "source", maintain_order=True)
        .collect()
    )
    if not len(scored):
        raise AnalysisError("no VP scored, table events, play more games")
    return scored


def race_by_faction(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """The races of the final scoring: level reached and share of tables led, ties split, in each discipline and area.

    Args:
        data: a run.
        group: column of ``seat_table``.
        level: of the intervals.

    Returns:
        The group, ``race``, ``quantity`` (``reached`` or ``lead_share``), ``n``, ``blocks``, ``value``, ``se``, ``low``,
        ``high``, ``method``.
    """
    races = (*DISCIPLINES, "area")
    rows = seat_table(data, races)
    known_columns(rows, [group])
    leads = []
    for race in races:
        top = pl.col(race) == pl.col(race).max().over("game_index")
        leads.append((top / top.sum().over("game_index")).alias(f"{race}/lead_share"))
    rows = rows.with_columns(leads).rename({race: f"{race}/reached" for race in races})
    names = [f"{race}/{what}" for race in races for what in ("reached", "lead_share")]
    table = clustered_means(rows.lazy(), names, [group], level)
    shares = pl.col("quantity").str.ends_with("lead_share")
    parts = pl.col("quantity").str.split("/")
    return (
        pl.concat([table.filter(~shares), wilson(table.filter(shares), level)])
        .with_columns(race=parts.list.first(), quantity=parts.list.last(), method=pl.lit(MEAN))
        .select(group, "race", "quantity", "n", "blocks", "value", "se", "low", "high", "method")
        .sort(group, "race", "quantity")
    )


def vp_margin_by_lead(data: Data, level: float = LEVEL) -> pl.DataFrame:
    """Margin of those who led a race of the final scoring at the end, and of the others (no cause is meant).

    Args:
        data: a run, or rows of ``seat_table`` with the disciplines and ``area``.
        level: of the intervals.

    Returns:
        ``race``, ``led``, ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``method``.
    """
    races = (*DISCIPLINES, "area")
    rows = rows_of(data, races)
    parts = []
    for race in races:
        own = rows.with_columns(race=pl.lit(race), led=pl.col(race) == pl.col(race).max().over("game_index"))
        parts.append(clustered_means(own.lazy(), ["margin"], ["race", "led"], level))
    return pl.concat(parts).drop("quantity").with_columns(method=pl.lit(MEAN))
