"""How many games a wanted interval needs, from the variances of a run at hand (stored spreads and plans: ``planning``).

Standard errors fall with the root of the number of blocks (Cochran, Sampling Techniques, 3rd ed. 1977, ch. 4), whatever the
correlation within a block, as long as blocks are made as in the run.
"""

from collections.abc import Sequence
from math import ceil
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.balance import Data, mean_by
from aoi_sim.analysis.effects import adjusted_effects
from aoi_sim.analysis.source import AnalysisError, rows_of
from aoi_sim.analysis.uncertainty import LEVEL, t_quantile

VP_WIDTHS: Final = (2.0, 1.0, 0.5)
SHARE_WIDTHS: Final = (0.03, 0.02, 0.01)


def games_needed_by_faction(
    data: Data,
    half_widths: Sequence[float] = VP_WIDTHS,
    quantity: str = "vp",
    group: str = "faction",
    level: float = LEVEL,
) -> pl.DataFrame:
    """Games until the adjusted effect of each faction is known to a half-width.

    Args:
        data: a run of the design that is to be played; the pilot.
        half_widths: wanted, in VP (or in shares for ``win_share``).
        quantity: ``vp`` or ``win_share``.
        group: ``faction`` or ``board``.
        level: of the intervals.

    Returns:
        A row a level and half-width: the group, ``half_width``, ``n`` (games of the pilot), ``blocks``, ``se`` (of the pilot),
        ``games`` (needed in all), ``more`` (beyond the pilot, 0 if it has enough), ``method``.

    Raises:
        AnalysisError: a half-width is not positive, or the run has one block only.
    """
    found = adjusted_effects(data, [group], quantity)
    table = found.table(level).select(group, "blocks", "se").with_columns(n=pl.lit(found.games, dtype=pl.Int64))
    return _needed(table, [group], half_widths, level, f"from the errors of the run, {found.method}")


def games_needed_by_quantity(data: Data, half_widths: Sequence[float] = (), level: float = LEVEL) -> pl.DataFrame:
    """Games until the margin and the win share of the least known faction reach a half-width: plan on margins, they need fewer.

    Args:
        data: the pilot.
        half_widths: wanted, in VP; a win share is asked for at 1.5 % a VP. As in ``VP_WIDTHS`` and ``SHARE_WIDTHS`` if empty.
        level: of the intervals.

    Returns:
        ``quantity`` (``margin``, ``win_share``), ``half_width``, ``n``, ``blocks``, ``se``, ``games``, ``more``, ``method``.
    """
    rows = rows_of(data)
    n_games = rows["game_index"].n_unique()
    widths = {"margin": tuple(half_widths) or VP_WIDTHS, "win_share": [w * 0.015 for w in half_widths] or SHARE_WIDTHS}
    parts = []
    for quantity, wanted in widths.items():
        table = mean_by(rows, quantity, ["faction"], (), level).drop_nulls("se").sort("se", descending=True).head(1)
        table = table.select(pl.lit(quantity).alias("quantity"), "blocks", "se", n=pl.lit(n_games, dtype=pl.Int64))
        parts.append(
            _needed(table, ["quantity"], wanted, level, "from the largest error of a faction's mean in the run")
        )
    return pl.concat(parts)


def _needed(
    table: pl.DataFrame, keys: list[str], half_widths: Sequence[float], level: float, method: str
) -> pl.DataFrame:
    if not half_widths or min(half_widths) <= 0:
        raise AnalysisError(f"half-widths {list(half_widths)}, sample size, choose positive numbers")
    known = table.drop_nulls("se")
    if not len(known):
        raise AnalysisError("no errors from a single block, the run, play more blocks first")
    rows: list[dict[str, Any]] = []
    for row in known.iter_rows(named=True):
        for wanted in half_widths:
            games = _games(row["se"], row["blocks"], row["n"], wanted, level)
            rows.append(
                {name: row[name] for name in keys}
                | {"half_width": float(wanted), "n": row["n"], "blocks": row["blocks"], "se": row["se"], "games": games}
            )
    result = pl.DataFrame(rows).with_columns(more=(pl.col("games") - pl.col("n")).clip(0), method=pl.lit(method))
    return result.sort(*keys, "half_width", descending=[*(False for _ in keys), True])


def _games(se: float, blocks: int, games: int, wanted: float, level: float) -> int:
    """Games at which the t interval has the half-width; the quantile falls as blocks grow, so it is solved by iteration."""
    factor = 1.0
    for _ in range(50):
        following = (se * t_quantile(max(2, round(blocks * factor)), level) / wanted) ** 2
        if abs(following - factor) < 1e-9 * max(factor, 1.0):
            break
        factor = following
    return max(2, ceil(games * factor - 1e-9))
