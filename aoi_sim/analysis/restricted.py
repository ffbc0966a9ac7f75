"""What a component is worth to those who may take it, by restricted play.

The idea is that of Jaffe and others, Evaluating competitive game balance with restricted play, AIIDE 2012. A run with
restrictions plays every block free and then with one seat after the other restricted. The paired difference of a seat's
result is what being free is worth to it (of a component that must be taken by a round: what being made to is worth). Most
seats would not have taken the component, so the same sum is also given by the taking that was gained or lost (the estimate
of Wald, Annals of Mathematical Statistics 11, 1940). Errors are clustered by block.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.source import AnalysisError, Source, seat_table
from aoi_sim.analysis.uncertainty import LEVEL, clustered_means, with_intervals

MEASURES: Final = ("vp", "margin", "win_share")
LEAST_TAKEN: Final = 5
"""Fewer takings gained or lost in a group say nothing about the worth of one."""


def restricted_pairs(data: Source) -> pl.DataFrame:
    """Each restricted seat beside the same seat in the game in which nobody was restricted.

    Args:
        data: a run with restrictions.

    Returns:
        A row a restricted seat: ``component`` (``palace/14``, with its round where it must be taken), ``block``, ``faction``,
        ``board``, ``seat``, ``heuristic``, ``vp``, ``margin``, ``win_share`` (what the component is worth to this seat),
        ``taken`` (takings free), ``taken_restricted``, ``change`` (takings that the component's being free, or its being
        asked for, adds).

    Raises:
        AnalysisError: nobody was restricted.
    """
    rows = seat_table(data, ["restriction", "restriction_taken"]).with_columns(pl.col("restriction").cast(pl.String))
    restricted = rows.filter(pl.col("restriction").is_not_null())
    if restricted.is_empty():
        raise AnalysisError("nobody was restricted, table seats, play a run with restrictions")
    # The games of a block's restricted seats follow the game in which nobody is.
    restricted = restricted.with_columns(free_game=pl.col("game_index") - pl.col("seat") - 1)
    free = rows.filter(pl.col("restriction").is_null()).select(
        pl.col("game_index").alias("free_game"), "seat", *MEASURES, "restriction_taken"
    )
    pairs = restricted.join(free, on=["free_game", "seat"], suffix="_free", how="inner", maintain_order="left")
    sign = pl.when(pl.col("restriction").str.starts_with("not ")).then(1).otherwise(-1)
    return pairs.select(
        "block",
        "seat",
        "faction",
        "board",
        "heuristic",
        *(((pl.col(f"{name}_free") - pl.col(name)) * sign).alias(name) for name in MEASURES),
        component=pl.col("restriction").str.strip_prefix("not "),
        taken=pl.col("restriction_taken_free").cast(pl.Float64),
        taken_restricted=pl.col("restriction_taken").cast(pl.Float64),
        change=((pl.col("restriction_taken_free") - pl.col("restriction_taken")) * sign).cast(pl.Float64),
    )


def worth_by_component(pairs: pl.DataFrame, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """What being free to take a component is worth to a seat, whether or not it takes it.

    Args:
        pairs: from ``restricted_pairs``.
        by: further columns of the groups, such as ``faction``.
        level: of the intervals.

    Returns:
        A row a component (and ``by``) and quantity: ``n`` (restricted seats), ``blocks``, ``value``, ``se``, ``low``, ``high``;
        the last four are null where nobody took it, free or restricted: that was not measured.
    """
    keys = ["component", *by]
    taken = pairs.group_by(keys, maintain_order=True).agg(_taken=(pl.col("taken") + pl.col("taken_restricted")).sum())
    means = clustered_means(pairs.lazy(), MEASURES, keys, level).join(taken, on=keys, maintain_order="left")
    figures = ("value", "se", "low", "high")
    return means.with_columns(pl.when(pl.col("_taken") > 0).then(pl.col(figures)).name.keep()).drop("_taken")


def worth_of_taking(
    pairs: pl.DataFrame, by: Sequence[str] = (), measure: str = "vp", level: float = LEVEL
) -> pl.DataFrame:
    """What taking a component once is worth to those who would: the sum of the differences by the takings they gained or lost.

    Args:
        pairs: from ``restricted_pairs``.
        by: further columns of the groups, such as ``faction``.
        measure: ``vp``, ``margin`` or ``win_share``.
        level: of the intervals.

    Returns:
        A row a component (and ``by``): ``n`` (takings gained or lost), ``blocks`` in which there were any, ``value``, ``se``,
        ``low``, ``high``; null below five takings.
    """
    keys = ["component", *by]
    sums = pairs.group_by(*keys, "block", maintain_order=True).agg(pl.col(measure).sum(), pl.col("change").sum())
    rows: list[dict[str, Any]] = []
    for key, part in sums.partition_by(keys, as_dict=True, maintain_order=True).items():
        gains, changes = part[measure].to_numpy(), part["change"].to_numpy()
        total, blocks = float(changes.sum()), int((changes != 0).sum())
        row: dict[str, Any] = {**dict(zip(keys, key, strict=True)), "n": round(abs(total)), "blocks": blocks}
        row |= {"value": None, "se": None}
        if abs(total) >= LEAST_TAKEN:
            value = float(gains.sum()) / total
            count = len(changes)
            residuals = gains - value * changes
            row["value"] = value
            if blocks > 1:
                row["se"] = float(np.sqrt(count / (count - 1) * (residuals**2).sum())) / abs(total)
        rows.append(row)
    kinds = {"value": pl.Float64, "se": pl.Float64}
    return with_intervals(pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None).sort(keys), level)


def observed_by_component(data: Source, level: float = LEVEL) -> pl.DataFrame:
    """Margin of those who took a component less that of those who did not, in the games in which nobody was restricted.

    It mixes cause and consequence: who is ahead takes more. It is here to be seen beside what restricted play says.

    Returns:
        A row a component: ``n`` (seats), ``blocks``, ``pick_rate`` (share of the seats that took it), ``value``, ``se``,
        ``low``, ``high``; the last four null where all or none took it.
    """
    columns = ["block", "seat", "margin", "restriction_taken", "game_index", "restriction"]
    rows = seat_table(data, ["restriction", "restriction_taken"]).select(columns)
    rows = rows.with_columns(pl.col("restriction").cast(pl.String))
    component = pl.col("restriction").drop_nulls().first().str.strip_prefix("not ").over("block").alias("component")
    is_free = pl.col("restriction").is_null().all().over("game_index")
    free = rows.with_columns(component, is_free.alias("is_free")).filter("is_free")
    free = free.with_columns(taken=pl.col("restriction_taken") > 0)
    found: list[dict[str, Any]] = []
    for (name,), part in sorted(
        free.partition_by("component", as_dict=True, maintain_order=True).items(), key=lambda item: str(item[0][0])
    ):
        taken = part["taken"].to_numpy()
        margin = part["margin"].to_numpy()
        row: dict[str, Any] = {"component": name, "n": len(part), "blocks": part["block"].n_unique()}
        row |= {"pick_rate": float(taken.mean()), "value": None, "se": None}
        if 0 < taken.sum() < len(taken):
            with_it, without = float(margin[taken].mean()), float(margin[~taken].mean())
            pull = np.where(taken, (margin - with_it) / taken.sum(), -(margin - without) / (~taken).sum())
            _, code = np.unique(part["block"].to_numpy(), return_inverse=True)
            by_block = np.bincount(code, weights=pull)
            row["value"] = with_it - without
            if len(by_block) > 1:
                row["se"] = float(np.sqrt(len(by_block) / (len(by_block) - 1) * (by_block**2).sum()))
        found.append(row)
    kinds = {"value": pl.Float64, "se": pl.Float64}
    return with_intervals(pl.DataFrame(found, schema_overrides=kinds, infer_schema_length=None), level)
