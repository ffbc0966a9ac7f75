"""Who is best, and how sure is it: tiers, intervals of ranks, probability of being best, spread, verdicts.

Twelve equal factions still show a gap of 3.3 standard errors between first and last, so the raw order says little. Ranks by
Goldstein and Spiegelhalter (1996), tiers by Holm (1979), spread by Steiger and Fouladi (1997), verdicts by Schuirmann (1987) and
Benjamini and Hochberg (1995): see ``ranking``, ``spread`` and ``verdicts``.
"""

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.effects import ADJUST, Effects, adjusted_effects
from aoi_sim.analysis.multiplicity import equivalence_p, holm
from aoi_sim.analysis.source import AnalysisError
from aoi_sim.analysis.uncertainty import LEAST_BLOCKS, LEVEL, NO_WIDTH, t_quantile

DELTA: Final = 2.0
"""VP within which an effect does not matter, unless the user says otherwise."""
_DRAWS: Final = 20_000
_POWER: Final = 0.8


def standing_by_faction(data: Data, quantity: str = "vp", level: float = LEVEL) -> pl.DataFrame:
    """Ranks and tiers of factions, see ``ranking``."""
    return ranking(adjusted_effects(data, ["faction"], quantity), level)


def standing_by_board(data: Data, quantity: str = "vp", level: float = LEVEL) -> pl.DataFrame:
    """Ranks and tiers of boards, see ``ranking``."""
    return ranking(adjusted_effects(data, ["board"], quantity), level)


def standing_by_pairing(data: Data, quantity: str = "vp", level: float = LEVEL) -> pl.DataFrame:
    """Ranks and tiers of pairings of faction and board, see ``ranking``."""
    return ranking(adjusted_effects(data, ["faction", "board"], quantity), level)


def ranking(found: Effects, level: float = LEVEL, seed: int = 1) -> pl.DataFrame:
    """Effects in order, with how sure that order is.

    Ranks come from 20,000 draws of the effects from their joint normal distribution (Goldstein and Spiegelhalter, Journal of
    the Royal Statistical Society A 159, 1996). A tier ends where a level differs from the best of the tier (all pairs
    compared, Holm 1979), so members of one tier are not known to differ from its best.

    Returns:
        Columns of ``Effects.table``, best first, and ``rank``, ``rank_low``, ``rank_high``, ``p_best``, ``tier`` (from 1); the
        last four are null with one block.
    """
    table = found.table(level)
    order = np.argsort(-found.values, kind="stable")
    size = len(order)
    columns: dict[str, Any] = {"rank": _ranks(found.values)}
    if found.covariance is None:
        columns |= {name: [None] * size for name in ("rank_low", "rank_high", "p_best", "tier")}
    else:
        draws = _draws(found, seed)
        ranks = 1 + np.argsort(np.argsort(-draws, axis=1), axis=1)
        tail = (1 - level) / 2
        columns["rank_low"] = np.quantile(ranks, tail, axis=0, method="lower")
        columns["rank_high"] = np.quantile(ranks, 1 - tail, axis=0, method="higher")
        columns["p_best"] = (ranks == 1).mean(axis=0)
        columns["tier"] = _tiers(found, order)
    kinds = {"rank": pl.Float64, "rank_low": pl.Int64, "rank_high": pl.Int64, "p_best": pl.Float64, "tier": pl.Int64}
    added = [pl.Series(name, list(columns[name]), dtype=kind, strict=False) for name, kind in kinds.items()]
    ordered: pl.DataFrame = table.with_columns(added)[order.tolist()]
    return ordered


def _ranks(values: Any) -> Any:
    return pl.Series(values).round(9).rank("average", descending=True).to_list()


def _draws(found: Effects, seed: int) -> Any:
    """Draws of the effects; a hair of noise splits levels that are exactly equal at random."""
    random = np.random.default_rng(seed)
    values, vectors = np.linalg.eigh(found.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    noise = random.standard_normal((_DRAWS, len(found.values)))
    return found.values + noise @ root.T + 1e-9 * random.standard_normal((_DRAWS, len(found.values)))


def _tiers(found: Effects, order: Any, alpha: float = 0.05) -> list[int]:
    """Tier of each level."""
    from scipy.special import stdtr

    size = len(order)
    first, second = np.triu_indices(size, 1)
    variance = np.diag(found.covariance)
    error = np.sqrt(np.maximum(variance[first] + variance[second] - 2 * found.covariance[first, second], 0))
    gap = np.abs(found.values[first] - found.values[second])
    freedom = np.maximum(np.minimum(found.blocks[first], found.blocks[second]) - 1, 1)
    certain = (gap > 1e-9) & (freedom + 1 >= LEAST_BLOCKS)
    ratio = np.divide(gap, error, out=np.where(certain, np.inf, 0.0), where=error > NO_WIDTH)
    adjusted = holm(2 * stdtr(freedom, -ratio))
    differs = np.zeros((size, size), dtype=bool)
    differs[first, second] = differs[second, first] = adjusted <= alpha
    tiers = [0] * size
    number, best = 1, order[0]
    for level in order:
        if differs[best, level]:
            number, best = number + 1, level
        tiers[level] = number
    return tiers


def spread_by_faction(data: Data, quantity: str = "vp", level: float = LEVEL) -> pl.DataFrame:
    """How far factions really differ, see ``spread``."""
    return spread(adjusted_effects(data, ["faction"], quantity), level)


def spread_by_board(data: Data, quantity: str = "vp", level: float = LEVEL) -> pl.DataFrame:
    """How far boards really differ, see ``spread``."""
    return spread(adjusted_effects(data, ["board"], quantity), level)


def spread_by_pairing(data: Data, quantity: str = "vp", level: float = LEVEL) -> pl.DataFrame:
    """How far pairings of faction and board really differ, see ``spread``."""
    return spread(adjusted_effects(data, ["faction", "board"], quantity), level)


def spread(found: Effects, level: float = LEVEL) -> pl.DataFrame:
    """Standard deviation of the true effects: the raw variance of the estimates less that of their errors.

    ``value`` is the root of max(0, var(estimates) - mean error variance); the error variance is that of effects that sum to
    zero (trace of their covariance over levels - 1), which makes the variance unbiased. The interval inverts the noncentral
    chi-square distribution of the sum of squares (Steiger and Fouladi, in What if there were no significance tests?, 1997).

    Returns:
        One row: ``levels``, ``n`` (seats), ``blocks``, ``raw_sd``, ``range`` (raw best less worst), ``value``, ``se``, ``low``,
        ``high``, ``p`` (of no differences), ``method``. Null where one block, or a few that are all alike, give no errors.
    """
    size = len(found.values)
    raw = float(found.values.var(ddof=1))
    row: dict[str, Any] = {
        "levels": size,
        "n": int(found.n.sum()),
        "blocks": int(found.blocks.max()),
        "raw_sd": sqrt(raw),
        "range": float(found.values.max() - found.values.min()),
    }
    names = ("value", "se", "low", "high", "p")
    row |= dict.fromkeys(names)
    if found.covariance is not None:
        noise = float(np.trace(found.covariance)) / (size - 1)
        if noise > 1e-18 or row["blocks"] >= LEAST_BLOCKS:
            row |= dict(zip(names, _spread_figures(raw, noise, size - 1, row["blocks"], level), strict=True))
    row["method"] = "variance of the effects less that of their errors; noncentral chi-square interval"
    return pl.DataFrame([row], schema_overrides=dict.fromkeys(names, pl.Float64))


def _spread_figures(raw: float, noise: float, freedom: int, n_blocks: int, level: float) -> tuple[float, ...]:
    """Corrected sd, its standard error, interval and p-value."""
    from scipy.optimize import brentq
    from scipy.special import chdtrc, chndtr

    if noise <= 1e-18:
        return sqrt(raw), 0.0, sqrt(raw), sqrt(raw), 0.0 if raw > 1e-18 else 1.0
    statistic = freedom * raw / noise

    def bound(share: float) -> float:
        """The noncentrality under which the statistic stands at this share of its distribution."""
        if chndtr(statistic, freedom, 0.0) < share:
            return 0.0
        top = 2 * statistic + 50.0
        return float(brentq(lambda shift: chndtr(statistic, freedom, shift) - share, 0.0, top))

    tail = (1 - level) / 2
    low, high = (sqrt(bound(share) * noise / freedom) for share in (1 - tail, tail))
    value = sqrt(max(0.0, raw - noise))
    # Of the variance by its normal theory, of the sd by the delta method; at zero the interval's half-width stands in.
    most = high / t_quantile(n_blocks, level)
    error = sqrt(2 * noise * (noise + 2 * value**2) / freedom) / (2 * value) if value > 0 else most
    return value, min(error, most if high > 0 else error), low, high, float(chdtrc(freedom, statistic))


def verdict_by_faction(data: Data, delta: float = DELTA, alpha: float = 0.05) -> pl.DataFrame:
    """Is each faction different from the mean faction, see ``verdicts``."""
    return verdicts(adjusted_effects(data, ["faction"]), delta, alpha)


def verdict_by_board(data: Data, delta: float = DELTA, alpha: float = 0.05) -> pl.DataFrame:
    """Is each board different from the mean board, see ``verdicts``."""
    return verdicts(adjusted_effects(data, ["board"]), delta, alpha)


def verdict_by_seat(data: Data, delta: float = DELTA, alpha: float = 0.05) -> pl.DataFrame:
    """Is each seat different from the mean seat, see ``verdicts``."""
    return verdicts(adjusted_effects(data, ["seat"], adjust=ADJUST), delta, alpha)


def verdict_by_pairing(data: Data, delta: float = DELTA, alpha: float = 0.05) -> pl.DataFrame:
    """Is each pairing of faction and board different from the mean pairing, see ``verdicts``."""
    return verdicts(adjusted_effects(data, ["faction", "board"]), delta, alpha)


def verdicts(found: Effects, delta: float = DELTA, alpha: float = 0.05) -> pl.DataFrame:
    """One of three verdicts on each effect.

    ``equivalent``: two one-sided tests put it within ``delta`` VP of zero (Schuirmann 1987), from ten blocks on.
    ``different``: it is not zero at false discovery rate ``alpha`` (Benjamini and Hochberg 1995), from ten blocks on, too.
    ``undecided``: neither;
    ``games_needed`` is the size of a run in which, if the estimate is true, one of the two comes out with a chance of 80 %.

    Args:
        found: from ``adjusted_effects``.
        delta: what does not matter, in units of the effects.
        alpha: level of the tests.

    Returns:
        Columns of ``Effects.table``, and ``p_equivalent``, ``verdict``, ``games_needed`` (null unless undecided).
    """
    return with_verdicts(found.table(), found.games, delta, alpha)


def with_verdicts(table: pl.DataFrame, games: int, delta: float = DELTA, alpha: float = 0.05) -> pl.DataFrame:
    """Add ``p_equivalent``, ``verdict`` and ``games_needed`` to ``value``, ``se``, ``blocks``, ``q``, see ``verdicts``.

    Args:
        table: a row an effect.
        games: size of the run, in which ``games_needed`` is counted.
        delta: what does not matter, in units of the effects.
        alpha: level of the tests.

    Raises:
        AnalysisError: ``delta`` is not positive.
    """
    if delta <= 0:
        raise AnalysisError(f"delta {delta:g}, verdict, choose a positive number of VP")
    rows = table.select("value", "se", "blocks", "q").iter_rows()
    out: list[tuple[float | None, str, int | None]] = []
    for value, se, blocks, q in rows:
        p = equivalence_p(value, se, blocks, delta)
        if p is not None and p <= alpha:
            out.append((p, "equivalent", None))
        elif q is not None and q <= alpha and blocks >= LEAST_BLOCKS:
            out.append((p, "different", None))
        else:
            out.append((p, "undecided", None if se is None else _games_needed(value, se, games, delta, alpha)))
    kinds: Sequence[tuple[str, Any]] = [
        ("p_equivalent", pl.Float64),
        ("verdict", pl.String),
        ("games_needed", pl.Int64),
    ]
    return table.with_columns(
        pl.Series(name, [row[i] for row in out], dtype=kind) for i, (name, kind) in enumerate(kinds)
    )


def _games_needed(value: float, se: float, games: int, delta: float, alpha: float) -> int | None:
    """Games for a power of 80 % to decide either way."""
    from scipy.special import ndtri

    power = ndtri(_POWER)
    gap = abs(value)
    ways = []
    if gap > 0:
        ways.append(((ndtri(1 - alpha / 2) + power) * se / gap) ** 2)
    if gap < delta:
        ways.append(((ndtri(1 - alpha) + power) * se / (delta - gap)) ** 2)
    return max(ceil(games * min(ways)), games + 1) if ways else None
