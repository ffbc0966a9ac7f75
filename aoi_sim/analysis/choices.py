"""What players choose: palaces, competencies, innovations, city tiles, bonus tiles, book and power actions, openings.

Three figures stand side by side, as none of them alone says what a tile is worth:

1. how often it is picked where it is open, and how those who held it did against those who could and did not. This is observed:
   whoever takes a tile may have been ahead anyway (confounding by indication, Walker, Epidemiology 7, 1996);
2. what the draw shows: how the scores of tables differ where it was available and where not. The draw is an experiment;
3. restricted play (Jaffe et al., Evaluating competitive game balance with restricted play, AIIDE 2012), which needs games of
   its own.

Errors are clustered by block (Liang and Zeger 1986).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.least_squares import Design, Factor, factor_of
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.source import AnalysisError, Source, kept, known_columns, rows_of, seat_table
from aoi_sim.analysis.uncertainty import LEVEL, clustered_means, wilson, with_intervals

WARNING: Final = (
    "Observed figures mix cause and choice: who takes a tile may have been ahead already. "
    "Trust the draw and restricted play."
)


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that can be chosen.

    Attributes:
        word: its name.
        event: event by which it is taken.
        subject: kind of the event's subject.
        pick: of the table ``offers``; empty if it is not there.
        drawn: column of ``games`` with what is in play; empty if all always is.
    """

    word: str
    event: str
    subject: str
    pick: str = ""
    drawn: str = ""


KINDS: Final[Mapping[str, Kind]] = {
    kind.word: kind
    for kind in (
        Kind("palace", "tile_taken", "palace", "palace", "palaces"),
        Kind("competency", "competency_taken", "competency", "competency", "competencies"),
        Kind("innovation", "innovation_taken", "innovation", "innovation", "innovations"),
        Kind("city", "city_tile_taken", "city", "city"),
        Kind("bonus", "tile_taken", "bonus", "bonus", "bonus_tiles"),
        Kind("book action", "action_taken", "book", "", "book_actions"),
        Kind("power action", "power_action_taken", "power"),
    )
}


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise AnalysisError(f"no kind {name}, choices, choose {', '.join(KINDS)}")
    return KINDS[name]


@kept
def tiles_held(data: Source, kind: str) -> pl.DataFrame:
    """Who held (or used) what, once a seat and key: ``game_index``, ``seat``, ``key``.

    Without events the picks of the table ``offers`` stand in, which lack what was taken for want of another.

    Raises:
        AnalysisError: the kind is unknown, or there are neither events nor picks of it.
    """
    what = _kind(kind)
    if kind == "palace":
        held = data.table("seats").select("game_index", "seat", key=pl.col("palace").cast(pl.String)).drop_nulls("key")
    elif "events" in data.tables:
        subject = pl.col("subject").cast(pl.String)
        held = (
            data.table("events")
            .filter((pl.col("event").cast(pl.String) == what.event) & subject.str.starts_with(what.subject + "/"))
            .select("game_index", "seat", key=subject.str.split("/").list.last())
        )
    elif what.pick and "offers" in data.tables:
        held = (
            data.table("offers")
            .filter(pl.col("pick").cast(pl.String) == what.pick)
            .select("game_index", "seat", key=pl.col("taken").cast(pl.String))
        )
    else:
        raise AnalysisError(f"no {kind}s without events, the run, play it with events=full")
    return held.unique(maintain_order=True).collect()


@kept
def tiles_drawn(data: Source, kind: str) -> pl.DataFrame | None:
    """What was in play: ``game_index``, ``key``; None where everything always is."""
    column = _kind(kind).drawn
    if not column or column not in data.table("games").collect_schema().names():
        return None
    drawn = data.table("games").select("game_index", key=pl.col(column)).explode("key").drop_nulls()
    return drawn.with_columns(pl.col("key").cast(pl.String)).unique(maintain_order=True).collect()


def pick_share_by_tile(data: Source, kind: str, group: str = "", level: float = LEVEL) -> pl.DataFrame:
    """How often a thing is taken where it is open.

    For tiles a case is a pick among at least two (table ``offers``). Actions leave no offers: a case is a seat of a game that has
    the action, and it counts as taken if the seat used it at least once.

    Args:
        data: a run.
        kind: of ``KINDS``.
        group: column of ``seat_table`` to split by.
        level: of the intervals.

    Returns:
        The group, ``key``, ``n`` (cases, offered), ``picked``, ``blocks``, ``value`` (share), ``se``, ``low``, ``high``,
        ``method``.

    Raises:
        AnalysisError: there is no case.
    """
    what = _kind(kind)
    rows = seat_table(data)
    by = [group] if group else []
    known_columns(rows, by)
    own = rows.select("game_index", "seat", "block", *(name for name in by if name not in ("seat", "block")))
    if what.pick:
        cases = (
            data.table("offers")
            .filter(pl.col("pick").cast(pl.String) == what.pick)
            .select("game_index", "seat", "taken", key=pl.col("open"))
            .explode("key")
            .select("game_index", "seat", pl.col("key").cast(pl.String), picked=pl.col("key") == pl.col("taken"))
            .join(own.lazy(), on=["game_index", "seat"], maintain_order="left")
        )
    else:
        cases = _seats_by_key(data, kind, own).lazy().rename({"held": "picked"})
    table = wilson(clustered_means(cases, ["picked"], [*by, "key"], level), level).drop("quantity")
    if not len(table):
        raise AnalysisError(f"no {kind} was ever open, the run, play more games")
    words = "share of picks among two or more" if what.pick else "share of seats that used it, of games that have it"
    return table.select(
        *by,
        "key",
        "n",
        (pl.col("value") * pl.col("n")).round().cast(pl.Int64).alias("picked"),
        *("blocks", "value", "se", "low", "high"),
        pl.lit(f"{words}, errors clustered by block, Wilson interval").alias("method"),
    )


def _seats_by_key(data: Source, kind: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of seats for each key in play in their game, with ``held``."""
    held = tiles_held(data, kind)
    drawn = tiles_drawn(data, kind)
    if drawn is None:
        drawn = (
            rows.select("game_index")
            .unique(maintain_order=True)
            .join(held.select("key").unique(maintain_order=True), how="cross")
        )
    cases = drawn.join(rows, on="game_index", maintain_order="left")
    marked = held.with_columns(held=pl.lit(True))
    return cases.join(marked, on=["game_index", "seat", "key"], how="left", maintain_order="left").with_columns(
        pl.col("held").fill_null(False)
    )


def vp_margin_by_tile_held(data: Source, kind: str, level: float = LEVEL) -> pl.DataFrame:
    """How seats that held (or used) a thing did against those of the same games that did not: observed, not what it is worth.

    Args:
        data: a run.
        kind: of ``KINDS``.
        level: of the intervals.

    Returns:
        ``key``, ``n`` (seats with it), ``n_without`` (seats without it where it was in play), ``blocks`` (the fewer of both
        sides), ``win_share``, ``win_share_without``, ``margin``, ``margin_without``, ``value`` (difference in VP by least
        squares within games on faction + board + seat), ``se``, ``low``, ``high``, ``p``, ``q``, ``method``. Keys that all or
        none held have no row.

    Raises:
        AnalysisError: no key is held by some seats only.
    """
    rows = seat_table(data)
    cases = _seats_by_key(data, kind, rows.select("game_index", "seat", "block", "margin", "win_share"))
    means = cases.group_by("key", maintain_order=True).agg(
        n=pl.col("held").sum().cast(pl.Int64),
        n_without=(~pl.col("held")).sum().cast(pl.Int64),
        blocks=pl.min_horizontal(
            pl.col("block").filter("held").n_unique(), pl.col("block").filter(~pl.col("held")).n_unique()
        ).cast(pl.Int64),
        win_share=pl.col("win_share").filter("held").mean(),
        win_share_without=pl.col("win_share").filter(~pl.col("held")).mean(),
        margin=pl.col("margin").filter("held").mean(),
        margin_without=pl.col("margin").filter(~pl.col("held")).mean(),
    )
    means = means.filter((pl.col("n") > 0) & (pl.col("n_without") > 0)).sort("key")
    figures = _differences(rows, cases, means["key"].to_list())
    table = means.join(figures, on="key", maintain_order="left").with_columns(
        se=pl.when(pl.col("blocks") > 1).then(pl.col("se"))
    )
    if not len(table):
        raise AnalysisError(f"no {kind} that some seats held and others did not, the run, play more games")
    method = "observed, mixes cause and choice; least squares within games on faction + board + seat, errors clustered by block"
    return with_tests(with_intervals(table, level)).with_columns(method=pl.lit(method))


def _differences(rows: pl.DataFrame, cases: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Adjusted difference in VP of those who held each key; keys that the data cannot answer are left out."""
    base = [
        factor_of(rows, [name])
        for name in ("faction", "board", "seat")
        if rows[name].null_count() == 0 and rows[name].n_unique() > 1
    ]
    design = Design(rows, "vp", base)
    places = rows.select("game_index", "seat").with_row_index("_row")
    held = cases.filter("held").join(places, on=["game_index", "seat"], maintain_order="left")
    by_key = {key[0]: part["_row"].to_numpy() for key, part in held.group_by(["key"], maintain_order=True)}
    found: list[tuple[str, float, float | None]] = []
    for key in keys:
        column = np.zeros((len(rows), 1))
        column[by_key[key]] = 1
        fit = design.fit_with(Factor("held", ("held",), column))
        values, covariance, known = fit.contrast(np.eye(1))
        if known[0]:
            error = None if covariance is None else float(np.sqrt(max(covariance[0, 0], 0.0)))
            found.append((key, float(values[0]), error))
    return pl.DataFrame(found, {"key": pl.String, "value": pl.Float64, "se": pl.Float64}, orient="row")


def table_vp_by_tile_available(data: Source, kind: str, level: float = LEVEL) -> pl.DataFrame:
    """How the mean VP of tables differs where the draw put a thing in play: an experiment, as chance decides.

    Margins cannot tell, for they are zero on average at every table; who gains from the tile is in ``vp_shift_by_palace`` and
    its like.

    Args:
        data: a run.
        kind: of ``KINDS``.
        level: of the intervals.

    Returns:
        ``key``, ``n`` (games with), ``n_without``, ``blocks``, ``vp_with``, ``vp_without`` (means of tables), ``value`` (their
        difference), ``se``, ``low``, ``high``, ``p``, ``q``, ``method``.

    Raises:
        AnalysisError: everything of the kind is always in play.
    """
    from aoi_sim.analysis.comparison import difference_by

    drawn = tiles_drawn(data, kind)
    tables = (
        seat_table(data)
        .group_by("game_index", maintain_order=True)
        .agg(pl.col("block").first(), pl.col("vp").mean())
        .with_columns(everywhere=pl.lit(1))
    )
    parts = []
    if drawn is not None:
        for (key,), games in sorted(drawn.partition_by("key", as_dict=True, maintain_order=True).items()):
            present = tables["game_index"].is_in(games["game_index"].implode())
            if 0 < present.sum() < len(tables):
                row = difference_by(tables.filter(~present), tables.filter(present), "vp", ["everywhere"], level)
                parts.append(row.select(pl.lit(key).alias("key"), pl.exclude("everywhere")))
    if not parts:
        raise AnalysisError(f"no {kind} that is in some games only, table games, see pick_share_by_tile")
    table = pl.concat(parts).select(
        "key",
        pl.col("n_second").alias("n"),
        pl.col("n_first").alias("n_without"),
        "blocks",
        pl.col("second").alias("vp_with"),
        pl.col("first").alias("vp_without"),
        *("value", "se", "low", "high"),
    )
    method = "drawn at random; difference of means of tables, errors clustered by block"
    return with_tests(table).with_columns(method=pl.lit(method))


def worth_by_tile(data: Source, kind: str, level: float = LEVEL) -> pl.DataFrame:
    """Picks, observed difference and experiment of the draw side by side.

    Returns:
        A row a key: ``key``, ``offered``, ``picked``, ``pick_share``, ``held`` (seats), ``blocks``, ``win_share`` and
        ``win_share_without``, ``observed``, ``observed_se``, ``observed_low``, ``observed_high``, ``observed_q``; ``drawn``,
        ``drawn_se``, ``drawn_low``, ``drawn_high``, ``drawn_q``, ``drawn_blocks`` (null where it is always in play,
        as the observed ones where all or none held it); ``method``. See
        ``selection_warning`` for the sentence that belongs under it.
    """
    picks = pick_share_by_tile(data, kind, "", level).select("key", "n", "picked", "value")
    picks = picks.rename({"n": "offered", "value": "pick_share"})
    figures = ("value", "se", "low", "high", "q")
    observed = vp_margin_by_tile_held(data, kind, level).select(
        "key",
        pl.col("n").alias("held"),
        *("blocks", "win_share", "win_share_without"),
        *(pl.col(name).alias("observed" if name == "value" else f"observed_{name}") for name in figures),
    )
    table = picks.join(observed, on="key", how="left", maintain_order="left").with_columns(pl.col("held").fill_null(0))
    names = {name: "drawn" if name == "value" else f"drawn_{name}" for name in figures}
    try:
        drawn = table_vp_by_tile_available(data, kind, level)
        drawn = drawn.select("key", *figures, drawn_blocks="blocks").rename(names)
    except AnalysisError:  # nothing of this kind is drawn
        kinds = {"key": pl.String, **dict.fromkeys(names.values(), pl.Float64), "drawn_blocks": pl.Int64}
        drawn = pl.DataFrame(schema=kinds)
    table = table.join(drawn, on="key", how="left", maintain_order="left")
    return table.with_columns(
        method=pl.lit("observed difference at the table; drawn difference of tables; both by block")
    )


def selection_warning(table: pl.DataFrame, kind: str = "tile") -> str:
    """The sentence that belongs under a table of ``worth_by_tile``, with the surest observed difference as its example."""
    known = table.filter(pl.col("observed_se") > 0)
    if not len(known):
        return WARNING
    row: dict[str, Any] = known.sort((pl.col("observed") / pl.col("observed_se")).abs(), descending=True).row(
        0, named=True
    )
    text = (
        f"{WARNING} For example, seats with {kind} {row['key']} finish {row['observed']:+.1f} VP against those without it at "
        f"their table"
    )
    if row["drawn"] is not None:
        text += f", while tables that have it in play score {row['drawn']:+.1f} VP a seat"
    return text + "."


def opening_rows(data: Source, by_round: int = 2, least_n: int = 30) -> pl.DataFrame:
    """Rows of ``seat_table`` with their ``opening``: the buildings on the map after the first rounds.

    Args:
        data: a run.
        by_round: last round of the opening.
        least_n: openings of fewer seats are ``other``.
    """
    kinds = ("workshops", "guilds", "schools", "universities", "palaces")
    single = dict(zip(kinds, ("workshop", "guild", "school", "university", "palace"), strict=True))
    parts = [
        pl.when(pl.col(name) > 1)
        .then(pl.format(f"{{}} {name}", name))
        .when(pl.col(name) == 1)
        .then(pl.lit(f"1 {single[name]}"))
        for name in kinds
    ]
    words = pl.concat_str(parts, separator=", ", ignore_nulls=True)
    opened = (
        data.table("rounds")
        .filter(pl.col("round") == by_round)
        .select("game_index", "seat", opening=pl.when(words == "").then(pl.lit("nothing")).otherwise(words))
        .collect()
    )
    rows = seat_table(data).join(opened, on=["game_index", "seat"], maintain_order="left")
    few = pl.len().over("opening") < least_n
    return rows.with_columns(opening=pl.when(few).then(pl.lit("other")).otherwise(pl.col("opening")))


def vp_margin_by_opening(data: Data, by: str = "", level: float = LEVEL) -> pl.DataFrame:
    """Share, wins and margin of each opening (observed: strong positions open differently).

    Args:
        data: a run, or rows of ``opening_rows``.
        by: column of ``seat_table`` to split by, as ``faction``.
        level: of the intervals.

    Returns:
        ``by``, ``opening``, ``n``, ``blocks``, ``share`` (of the seats of ``by``), ``win_share``, ``value`` (mean margin),
        ``se``, ``low``, ``high``, ``method``; most common first.
    """
    rows = data if isinstance(data, pl.DataFrame) else opening_rows(data)
    keys = [by] if by else []
    known_columns(rows_of(rows), [*keys, "opening"])
    table = clustered_means(rows.lazy(), ["margin"], [*keys, "opening"], level).drop("quantity")
    wins = rows.group_by(*keys, "opening", maintain_order=True).agg(pl.col("win_share").mean())
    total = pl.col("n").sum().over(keys) if keys else pl.col("n").sum()
    return (
        table.join(wins, on=[*keys, "opening"], maintain_order="left")
        .with_columns(
            share=pl.col("n") / total, method=pl.lit("observed, mixes cause and choice; errors clustered by block")
        )
        .sort(*keys, "n", descending=[*(False for _ in keys), True], maintain_order=True)
        .select(*keys, "opening", "n", "blocks", "share", "win_share", "value", "se", "low", "high", "method")
    )
