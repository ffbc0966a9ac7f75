"""Adjusted effects in VP (or win share): what a faction, board, seat or tile adds when everything else is equal.

Effects come from least squares within games (``least_squares``): relative to the mean of the factor's levels, adjusted for the
others, errors clustered by block (Liang and Zeger, Biometrika 73, 1986; Cameron and Miller, Journal of Human Resources 50,
2015). A fair faction has effect 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.least_squares import Factor, Fit, factor_of, fit_within_games
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.source import AnalysisError, known_columns, rows_of
from aoi_sim.analysis.uncertainty import LEVEL, with_intervals

ADJUST: Final = ("faction", "board", "seat")


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of the levels of one factor with their joint covariance, for ranks, tiers and differences.

    Attributes:
        group: columns that name the levels.
        levels: a tuple a level, as in ``group``.
        values: by level, relative to their mean.
        covariance: levels x levels, None with one block.
        n: seats of each level.
        blocks: blocks of each level.
        games: games of the fit.
        method: in words.
        left_out: factors that the data cannot tell from the group: its effects may be theirs.
    """

    group: tuple[str, ...]
    levels: tuple[tuple[Any, ...], ...]
    values: Any
    covariance: Any
    n: Any
    blocks: Any
    games: int
    method: str
    left_out: tuple[str, ...] = ()

    def table(self, level: float = LEVEL) -> pl.DataFrame:
        """Tidy: the group, ``n``, ``blocks``, ``value``, ``se``, ``low``, ``high``, ``p``, ``q``, ``method``."""
        errors: list[float | None] = [None] * len(self.levels)
        if self.covariance is not None:
            errors = [
                float(np.sqrt(max(v, 0.0))) if b > 1 else None
                for v, b in zip(np.diag(self.covariance), self.blocks, strict=True)
            ]
        columns = {name: [one[i] for one in self.levels] for i, name in enumerate(self.group)}
        table = pl.DataFrame(
            {
                **columns,
                "n": [int(x) for x in self.n],
                "blocks": [int(x) for x in self.blocks],
                "value": [float(x) for x in self.values],
                "se": pl.Series(errors, dtype=pl.Float64),
            }
        )
        return with_tests(with_intervals(table, level)).with_columns(method=pl.lit(self.method))


def adjusted_effects(data: Data, group: Sequence[str], quantity: str = "vp", adjust: Sequence[str] = ADJUST) -> Effects:
    """Effects of a factor, adjusted for others.

    Args:
        data: a run, frames, or rows of ``seat_table``.
        group: columns whose combinations are the levels.
        quantity: ``vp`` or ``win_share``.
        adjust: other factors to hold equal. One that has a single value, or that the data cannot tell from the group, is
            left out, and ``method`` says so.

    Raises:
        AnalysisError: the group has one level only, or never two levels at a table.
    """
    rows = rows_of(data)
    known_columns(rows, [*group, quantity])
    rows = _complete_games(rows, group)
    own = factor_of(rows, group)
    if own.size < 2:
        raise AnalysisError(
            f"all seats have the {' and '.join(group)} {own.levels[0]}, table seats, compare runs that vary it"
        )
    others = _others(rows, group, adjust)
    fit, left_out = _separable(rows, quantity, own, others)
    kept = [factor.name for factor in others if factor.name not in left_out]
    values, covariance, _ = fit.contrast(fit.centring(own.name))
    part = fit.factors[own.name]
    method = f"least squares within games on {' + '.join([own.name, *kept])}, errors clustered by block"
    if left_out:
        method += f" ({', '.join(left_out)} left out: the data cannot tell it from {own.name})"
    return Effects(
        group=tuple(group),
        levels=tuple(one if isinstance(one, tuple) else (one,) for one in own.levels),
        values=values,
        covariance=covariance,
        n=own.columns.sum(axis=0),
        blocks=fit.blocks[part],
        games=rows["game_index"].n_unique(),
        method=method,
        left_out=tuple(left_out),
    )


def not_told_from(rows: pl.DataFrame, group: Sequence[str], others: Sequence[str]) -> list[str]:
    """Which of other factors the design cannot tell from a factor: with one of them in the regression it has no effects.

    Args:
        rows: of ``seat_table``.
        group: columns whose combinations are the levels of the factor.
        others: columns; those of the group, with a single value or with nulls are not looked at.

    Returns:
        Names out of ``others``, in their order; none if levels of the factor never meet at a table.
    """
    rows = _complete_games(rows, group)
    if not len(rows):
        return []
    own, rest = factor_of(rows, group), _others(rows, group, others)
    if not _known(fit_within_games(rows, "vp", [own]), own):
        return []
    return [other.name for other in rest if not _known(fit_within_games(rows, "vp", [own, other]), own)]


def _others(rows: pl.DataFrame, group: Sequence[str], names: Sequence[str]) -> list[Factor]:
    """Factors to hold equal: columns beside the group that vary and are known."""
    return [
        factor_of(rows, [name])
        for name in names
        if name not in group and name in rows.columns and rows[name].null_count() == 0 and rows[name].n_unique() > 1
    ]


def _known(fit: Fit, own: Factor) -> bool:
    """Whether the data determine all effects of a factor."""
    return bool(fit.contrast(fit.centring(own.name))[2].all())


def _complete_games(rows: pl.DataFrame, group: Sequence[str]) -> pl.DataFrame:
    """Games in which every seat has a value of the group."""
    missing = pl.any_horizontal(pl.col(name).is_null() for name in group).any().over("game_index")
    return rows.filter(~missing)


def _separable(rows: pl.DataFrame, quantity: str, own: Factor, others: Sequence[Factor]) -> tuple[Fit, list[str]]:
    """The fit with as many of the other factors as leave the effects of the own one determined."""
    fit = fit_within_games(rows, quantity, [own, *others])
    if _known(fit, own):
        return fit, []
    if not _known(fit_within_games(rows, quantity, [own]), own):
        raise AnalysisError(
            f"levels of {own.name} that never meet at a table, table seats, play more games or a design that mixes them"
        )
    # First those that alone are the matter, so that the others are not blamed for them.
    left_out = [one.name for one in others if not _known(fit_within_games(rows, quantity, [own, one]), own)]
    kept = [one for one in others if one.name not in left_out]
    while not _known(fit := fit_within_games(rows, quantity, [own, *kept]), own):
        left_out.append(kept.pop().name)
    return fit, left_out


def vp_effect_by_faction(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each faction in VP (board and seat held equal), relative to the mean faction."""
    return _split(data, ["faction"], by, level)


def vp_effect_by_board(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each planning board in VP (faction and seat held equal), relative to the mean board."""
    return _split(data, ["board"], by, level)


def vp_effect_by_pairing(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each pairing of faction and board in VP (seat held equal), relative to the mean pairing."""
    return _split(data, ["faction", "board"], by, level)


def vp_effect_by_seat(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each seat in VP (faction and board held equal), relative to the mean seat."""
    return _split(data, ["seat"], by, level)


def vp_effect_by_bonus_tile(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each first round bonus tile in VP (faction, board and seat held equal)."""
    return _split(data, ["bonus"], by, level)


def win_share_effect_by_faction(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each faction on its share of games won (board and seat held equal)."""
    return _split(data, ["faction"], by, level, "win_share")


def win_share_effect_by_board(data: Data, by: Sequence[str] = (), level: float = LEVEL) -> pl.DataFrame:
    """Adjusted effect of each planning board on its share of games won (faction and seat held equal)."""
    return _split(data, ["board"], by, level, "win_share")


def _split(data: Data, group: Sequence[str], by: Sequence[str], level: float, quantity: str = "vp") -> pl.DataFrame:
    """``adjusted_effects(...).table()`` of each part of the data; q-values are over the whole table."""
    rows = rows_of(data)
    if not by:
        return adjusted_effects(rows, group, quantity).table(level)
    known_columns(rows, by)
    tables = []
    for key, part in sorted(
        rows.partition_by(by, as_dict=True, maintain_order=True).items(), key=lambda kv: str(kv[0])
    ):
        table = adjusted_effects(part, group, quantity).table(level)
        names = [pl.lit(value).alias(name) for name, value in zip(by, key, strict=True)]
        tables.append(table.select(*names, pl.all()))
    return with_tests(pl.concat(tables).drop("p", "q", "method")).with_columns(
        method=pl.concat([table["method"] for table in tables])
    )
