"""What players do differently in their best games: the tenth with the highest margin beside all others."""

from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.source import AnalysisError, Source, seat_table
from aoi_sim.analysis.uncertainty import with_intervals

FINAL: Final = (
    *("workshops", "guilds", "schools", "universities", "palaces", "towers", "monuments", "annexes", "cities"),
    *("innovations", "competencies", "bridges", "scholars_sent", "banking", "law", "engineering", "medicine"),
    *("sailing", "terraforming", "area", "power_taken", "power_declined"),
)
EARLY: Final = (
    *("workshops", "guilds", "schools", "universities", "palaces", "cities", "innovations", "competencies"),
    *("sailing", "terraforming", "scholars_sent"),
)
EARLY_ROUND: Final = 3
SHARE: Final = 0.1
_LEAST: Final = 50


def best_tenth_of_games(data: Source, faction: str | None = None) -> pl.DataFrame:
    """What a faction (or everybody) has in the best tenth of its games, less what it has in the others.

    Best is by margin, so what lifts everybody's score is no part of it. It describes; it does not say what brings the margin.
    Errors are those of two samples of one spread, since a tenth is often too few games to have a spread of its own, times the
    design effect (Kish, Survey Sampling, 1965): by how much games of one block vary together in the score (Liang and Zeger
    1986). Where the two differ much the intervals are on the safe side.

    Args:
        data: a run or frames with ``seats`` and ``rounds``.
        faction: whose games; None for all.

    Returns:
        ``when`` (``final``, or ``round 3`` at that round's end), ``quantity``, ``n`` (games), ``blocks``,
        ``best``, ``rest`` (means), ``value`` (their difference), ``se``, ``low``, ``high``, ``p``, ``q``, ``size`` (in standard
        deviations), ``method``, largest first; quantities that never vary are left out.

    Raises:
        AnalysisError: fewer than 50 games.
    """
    there = data.table("seats").collect_schema().names()
    rows = seat_table(data, [name for name in FINAL if name in there])
    rows = rows if faction is None else rows.filter(pl.col("faction") == faction)
    if len(rows) < _LEAST:
        raise AnalysisError(f"{len(rows)} games of {faction or 'all'}, best tenth, play at least {_LEAST}")
    early = (
        data.table("rounds")
        .filter(pl.col("round") == EARLY_ROUND)
        .select("game_index", "seat", *(pl.col(name).alias(f"early_{name}") for name in EARLY))
        .collect()
    )
    rows = rows.join(early, on=["game_index", "seat"], how="left", maintain_order="left")
    ranks = rows["margin"].rank("ordinal", descending=True).to_numpy()
    best = ranks <= max(1, round(SHARE * len(rows)))
    block = np.unique(rows["block"].to_numpy(), return_inverse=True)[1]
    found = [
        _difference("final" if not name.startswith("early_") else f"round {EARLY_ROUND}", name, rows[name], best, block)
        for name in (*FINAL, *(f"early_{name}" for name in EARLY))
        if name in rows.columns
    ]
    table = pl.DataFrame([row for row in found if row is not None], schema=_SCHEMA)
    method = "observed; two samples of one spread times the design effect of blocks"
    return (
        with_tests(with_intervals(table))
        .with_columns(method=pl.lit(method))
        .sort(pl.col("size").abs(), "quantity", "when", descending=[True, False, False])
    )


_SCHEMA: Final = {
    "when": pl.String,
    "quantity": pl.String,
    "n": pl.Int64,
    "blocks": pl.Int64,
    "best": pl.Float64,
    "rest": pl.Float64,
    "value": pl.Float64,
    "se": pl.Float64,
    "size": pl.Float64,
}


def _difference(when: str, name: str, column: pl.Series, best: Any, block: Any) -> dict[str, Any] | None:
    values = column.cast(pl.Float64).to_numpy()
    spread = float(np.nanstd(values))
    if not spread > 0 or np.isnan(values).any():
        return None
    high, low = values[best].mean(), values[~best].mean()
    around = values - values.mean()
    score = np.where(best, around / best.sum(), -around / (~best).sum())
    design_effect = (np.bincount(block, weights=score) ** 2).sum() / (score**2).sum()
    variance = values.var(ddof=1) * (1 / best.sum() + 1 / (~best).sum()) * design_effect
    n_blocks = len(np.unique(block))
    error = float(np.sqrt(variance)) if n_blocks > 1 else None
    return {
        "when": when,
        "quantity": name.removeprefix("early_"),
        "n": len(values),
        "blocks": n_blocks,
        "best": float(high),
        "rest": float(low),
        "value": float(high - low),
        "se": error,
        "size": float((high - low) / spread),
    }
