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
    Errors are those of a score test (as if both parts had one mean; clustered by block, Liang and Zeger 1986), since a tenth is
    often too few games to have a spread of its own; t quantile with the blocks of the tenth.

    Args:
        data: a run or frames with ``seats`` and ``rounds``.
        faction: whose games; None for all.

    Returns:
        ``when`` (``final``, or ``round 3`` at that round's end), ``quantity``, ``n`` (games), ``blocks`` (of the tenth),
        ``best``, ``rest`` (means), ``value`` (their difference), ``se``, ``low``, ``high``, ``p``, ``q``, ``size`` (in standard
        deviations), largest first; quantities that never vary are left out.

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
    return with_tests(with_intervals(table)).sort(
        pl.col("size").abs(), "quantity", "when", descending=[True, False, False]
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
    sums = np.bincount(block, weights=np.where(best, around / best.sum(), -around / (~best).sum()))
    n_blocks = len(sums)
    error = float(np.sqrt(n_blocks / (n_blocks - 1) * (sums**2).sum())) if n_blocks > 1 else None
    return {
        "when": when,
        "quantity": name.removeprefix("early_"),
        "n": len(values),
        "blocks": len(np.unique(block[best])),
        "best": float(high),
        "rest": float(low),
        "value": float(high - low),
        "se": error,
        "size": float((high - low) / spread),
    }
