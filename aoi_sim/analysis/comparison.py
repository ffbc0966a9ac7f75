"""Two runs side by side, paired where their blocks match, and whether findings hold under every player and level.

Blocks match where they share the seed of their set-up. The difference of two means then has the variance of the sum over
blocks of both runs' influences (Liang and Zeger 1986), in which what a block does to both runs cancels: common random
numbers (Glasserman and Yao, Management Science 38, 1992). Runs without common blocks are compared as independent ones.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.effects import adjusted_effects
from aoi_sim.analysis.least_squares import factor_of, fit_within_games
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.source import AnalysisError, known_columns, rows_of
from aoi_sim.analysis.standings import DELTA
from aoi_sim.analysis.uncertainty import LEAST_BLOCKS, LEVEL, with_intervals

_HEADS: Final = ("n_first", "n_second", "blocks", "blocks_both", "first", "second", "value")


def difference_by(first: Data, second: Data, quantity: str, group: Sequence[str], level: float = LEVEL) -> pl.DataFrame:
    """How a mean changes from one run to another, by any columns of ``seat_table``.

    Args:
        first: a run, frames, or rows of ``seat_table``.
        second: what it is compared with; of a paired run take the rows of two levels.
        quantity: ``vp``, ``margin``, ``win_share``, ``rank``, or any numeric column.
        group: columns of the groups; none for one difference over all seats.
        level: of the intervals.

    Returns:
        A row a group in both: the group, ``n_first``, ``n_second`` (seats), ``blocks``, ``blocks_both`` (in both runs),
        ``first``, ``second`` (means), ``value`` (second less first), ``se``, ``low``, ``high``, ``p``, ``q``, ``saved`` (share of
        the variance, and so of the games, that matching saves against independent runs; null without common blocks),
        ``method``.

    Raises:
        AnalysisError: no group is in both runs.
    """
    keys = list(group)
    sides = [_influences(rows_of(data), quantity, keys, side) for side, data in (("1st", first), ("2nd", second))]
    on = [*keys, "_block"]
    both = sides[0].join(sides[1], on=on, how="full", suffix="_second", coalesce=True, maintain_order="left_right")
    own, other = pl.col("influence").fill_null(0.0), pl.col("influence_second").fill_null(0.0)
    grouped = both.group_by(keys or pl.lit(0).alias("_all"), maintain_order=True).agg(
        n_first=pl.col("n").sum().cast(pl.Int64),
        n_second=pl.col("n_second").sum().cast(pl.Int64),
        blocks=pl.len().cast(pl.Int64),
        blocks_both=(pl.col("n").is_not_null() & pl.col("n_second").is_not_null()).sum().cast(pl.Int64),
        _blocks_first=pl.col("n").count(),
        _blocks_second=pl.col("n_second").count(),
        first=pl.col("mean").drop_nulls().first(),
        second=pl.col("mean_second").drop_nulls().first(),
        _variance=((other - own) ** 2).sum(),
        _apart=(own**2).sum() + (other**2).sum(),
    )
    table = grouped.drop_nulls(["first", "second"]).sort(keys or "n_first")
    if not len(table):
        raise AnalysisError(
            f"no {' and '.join(keys) or 'seat'} in both runs, the runs given, compare runs that share some"
        )
    blocks = pl.col("blocks")
    several = (pl.col("_blocks_first") > 1) & (pl.col("_blocks_second") > 1)
    matched = (pl.col("blocks_both") > 0) & (pl.col("_apart") > 0) & several
    method = (
        pl.when(pl.col("blocks_both") == blocks)
        .then(pl.lit("paired differences, errors clustered by block"))
        .when(pl.col("blocks_both") > 0)
        .then(pl.lit("difference of means, paired where blocks match, errors clustered by block"))
        .otherwise(pl.lit("difference of independent means, errors clustered by block"))
    )
    table = table.with_columns(
        value=pl.col("second") - pl.col("first"),
        se=pl.when(several).then((blocks / (blocks - 1) * pl.col("_variance")).sqrt()),
        saved=pl.when(matched).then(1 - pl.col("_variance") / pl.col("_apart")),
        method=method,
    )
    return with_tests(with_intervals(table, level)).select(
        *keys, *_HEADS, "se", "low", "high", "p", "q", "saved", "method"
    )


def _influences(rows: pl.DataFrame, quantity: str, keys: list[str], side: str) -> pl.DataFrame:
    """Seats, mean and influence on the mean of each group and block; without seeds no block matches."""
    known_columns(rows, [*keys, quantity])
    seeded = "setup_seed" in rows.columns and rows["setup_seed"].null_count() == 0
    name = pl.format("seed {}", "setup_seed") if seeded else pl.format(f"block {{}} of the {side}", "block")
    sums = (
        rows.drop_nulls([*keys, quantity])
        .with_columns(_block=name)
        .group_by(*keys, "_block", maintain_order=True)
        .agg(n=pl.len().cast(pl.Int64), total=pl.col(quantity).cast(pl.Float64).sum())
    )
    size, mean = pl.col("n").sum(), pl.col("total").sum() / pl.col("n").sum()
    if keys:
        size, mean = size.over(keys), mean.over(keys)
    return sums.with_columns(mean=mean, size=size).select(
        *keys, "_block", "n", "mean", influence=(pl.col("total") - pl.col("n") * pl.col("mean")) / pl.col("size")
    )


def vp_difference_by_faction(first: Data, second: Data, level: float = LEVEL) -> pl.DataFrame:
    """How the mean VP of each faction changes from one run to another, see ``difference_by``."""
    return difference_by(first, second, "vp", ["faction"], level)


def vp_margin_difference_by_faction(first: Data, second: Data, level: float = LEVEL) -> pl.DataFrame:
    """How the margin of each faction changes from one run to another, see ``difference_by``."""
    return difference_by(first, second, "margin", ["faction"], level)


def win_share_difference_by_faction(first: Data, second: Data, level: float = LEVEL) -> pl.DataFrame:
    """How the share of games won by each faction changes from one run to another, see ``difference_by``."""
    return difference_by(first, second, "win_share", ["faction"], level)


def vp_margin_difference_by_board(first: Data, second: Data, level: float = LEVEL) -> pl.DataFrame:
    """How the margin of each planning board changes from one run to another, see ``difference_by``."""
    return difference_by(first, second, "margin", ["board"], level)


def vp_margin_difference_by_pairing(first: Data, second: Data, level: float = LEVEL) -> pl.DataFrame:
    """How the margin of each pairing of faction and board changes, see ``difference_by``."""
    return difference_by(first, second, "margin", ["faction", "board"], level)


def effects_by_condition(
    conditions: Mapping[str, Data] | Data, group: str = "faction", level: float = LEVEL
) -> pl.DataFrame:
    """Adjusted effects in VP under each of several conditions.

    Args:
        conditions: runs by name; or one run that is paired (a condition a level) or mixes players (a condition a heuristic).
        group: ``faction`` or ``board``.
        level: of the intervals.

    Returns:
        ``condition``, the group, ``n``, ``blocks``, ``value`` (relative to the mean of the group under the condition), ``se``,
        ``low``, ``high``, ``p``, ``q`` (over the whole table), ``method``.

    Raises:
        AnalysisError: there is one condition only.
    """
    if isinstance(conditions, Mapping):
        parts = {name: rows_of(data) for name, data in conditions.items()}
    else:
        rows = rows_of(conditions)
        if rows["level"].drop_nulls().n_unique() < 2:
            return _effects_by_player(rows, group, level)
        parts = {
            str(key[0]): part for key, part in rows.partition_by("level", as_dict=True, maintain_order=True).items()
        }
    if len(parts) < 2:
        raise AnalysisError("one condition only, the runs given, give runs of several players, levels or editions")
    tables = [
        adjusted_effects(part, [group]).table(level).select(pl.lit(name).alias("condition"), pl.all())
        for name, part in parts.items()
    ]
    table = pl.concat(tables)
    return with_tests(table.drop("p", "q", "method")).with_columns(table["method"])


def _effects_by_player(rows: pl.DataFrame, group: str, level: float) -> pl.DataFrame:
    """Effects under each heuristic of a run that mixes them, from one regression."""
    if rows["heuristic"].null_count() or rows["heuristic"].n_unique() < 2:
        raise AnalysisError(
            "one player and one level only, table seats, give runs of several players, levels or editions"
        )
    own = factor_of(rows, ["heuristic", group])
    others = [
        factor_of(rows, [name]) for name in ("board", "faction", "seat") if name != group and rows[name].n_unique() > 1
    ]
    fit = fit_within_games(rows, "vp", [own, *others])
    found: list[dict[str, Any]] = []
    for player in sorted(rows["heuristic"].unique().to_list()):
        places = [i for i, (name, _) in enumerate(own.levels) if name == player]
        matrix = np.zeros((len(places), len(fit.coefficients)))
        matrix[:, places] = np.eye(len(places)) - 1 / len(places)
        values, covariance, known = fit.contrast(matrix)
        if not known.all():
            raise AnalysisError(f"{group}s of {player} cannot be told apart, table seats, play more games")
        for row, i in enumerate(places):
            error = None
            if covariance is not None and fit.blocks[i] > 1:
                error = float(np.sqrt(max(covariance[row, row], 0.0)))
            names = {"condition": player, group: own.levels[i][1], "n": int(own.columns[:, i].sum())}
            found.append(names | {"blocks": int(fit.blocks[i]), "value": float(values[row]), "se": error})
    table = pl.DataFrame(found, schema_overrides={"se": pl.Float64})
    method = f"least squares within games on heuristic x {group} + {' + '.join(one.name for one in others)}, clustered by block"
    return with_tests(with_intervals(table, level)).with_columns(method=pl.lit(method))


_ESTIMATE: Final = ("condition", "value", "se", "blocks")


def _with_known(table: pl.DataFrame, alpha: float) -> pl.DataFrame:
    """Add ``known``: whether an effect differs from zero in its condition and in the whole table, on ten blocks or more."""
    rows = table.with_row_index("_row").drop("p").rename({"q": "q_all"})
    apart = [with_tests(part) for part in rows.partition_by("condition", maintain_order=True)]
    known = (pl.col("q") <= alpha) & (pl.col("q_all") <= alpha) & (pl.col("blocks") >= LEAST_BLOCKS)
    return pl.concat(apart).sort("_row").with_columns(known=known.fill_null(False))


def robustness(
    conditions: Mapping[str, Data] | Data, group: str = "faction", delta: float = DELTA, alpha: float = 0.05
) -> pl.DataFrame:
    """Whether a faction (or board) is too strong or too weak whoever plays.

    Too strong: under any condition its effect is surely above ``delta`` (Bonferroni over the conditions, as one is enough). Too
    weak: under every condition it is surely below ``-delta`` (an intersection-union test, Berger, Technometrics 24, 1982, needs
    no correction). Under a condition nothing is sure unless it differs from zero at false discovery rate ``alpha`` (Benjamini
    and Hochberg 1995), among the group's own effects there and in all of ``effects_by_condition``, on ten blocks or more: so
    the verdicts under a condition say the same. The asymmetry is a publisher's rule: what some players can break is broken,
    what some can use is usable.

    Args:
        conditions: as for ``effects_by_condition``.
        group: ``faction`` or ``board``.
        delta: VP that do not matter.
        alpha: level of the tests.

    Returns:
        The group, ``conditions``, ``blocks`` (of the smallest), ``least``, ``most`` (effects), ``strong_in``, ``weak_in`` (names,
        with ``, ``), ``sign_changes`` (surely above 0 under one, surely below under another), ``verdict`` (``too strong``, ``too
        weak``, ``neither shown``), ``method``.
    """
    return robustness_of(effects_by_condition(conditions, group), group, delta, alpha)


def robustness_of(
    effects: pl.DataFrame, group: str = "faction", delta: float = DELTA, alpha: float = 0.05
) -> pl.DataFrame:
    """The table of ``robustness`` from the effects that are known already.

    Args:
        effects: from ``effects_by_condition``.
        group: ``faction`` or ``board``.
        delta: VP that do not matter.
        alpha: level of the tests.
    """
    from scipy.special import stdtr

    table = _with_known(effects, alpha)
    counts = dict(table.group_by(group, maintain_order=True).agg(pl.len()).iter_rows())
    rows: list[dict[str, Any]] = []
    for name in sorted(counts):
        own = table.filter(pl.col(group) == name)
        strong, weak, up, down = [], [], False, False
        for condition, value, se, blocks in own.filter("known").select(*_ESTIMATE).iter_rows():
            freedom, scale = blocks - 1, max(se, 1e-12)
            above, below = (float(stdtr(freedom, -(sign * value - delta) / scale)) for sign in (1, -1))
            strong += [condition] if above <= alpha / len(own) else []
            weak += [condition] if below <= alpha else []
            up, down = up or value > 0, down or value < 0
        verdict = "too strong" if strong else "too weak" if len(weak) == len(own) else "neither shown"
        rows.append(
            {
                group: name,
                "conditions": len(own),
                "blocks": int(own["blocks"].min()),  # type: ignore[arg-type]
                "least": own["value"].min(),
                "most": own["value"].max(),
                "strong_in": ", ".join(strong),
                "weak_in": ", ".join(weak),
                "sign_changes": up and down,
                "verdict": verdict,
            }
        )
    method = f"effects beyond {delta:g} VP: in any condition (Bonferroni) or in all (intersection-union)"
    return pl.DataFrame(rows).with_columns(method=pl.lit(method))
