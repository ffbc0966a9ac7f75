"""A change against what it changes, on the same blocks where both can play them, else from two runs.

Before and after are the two levels of a paired run. Rules whose factions or boards differ cannot be dealt the same: then
before and after are two runs, and their figures are compared as independent ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.margins import margin_rows
from aoi_sim.analysis.source import AnalysisError
from aoi_sim.analysis.uncertainty import LEAST_BLOCKS, block_weights, bootstrap_error, clustered_means, with_intervals
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.storage.reader import Run
from aoi_sim.studies.study_effects import difference_row

BEFORE: Final = "before"
AFTER: Final = "after"
_SIDES: Final = (BEFORE, AFTER)


@dataclass(frozen=True)
class Compared:
    """The seats of both sides.

    Attributes:
        rows: a row a seat: ``side`` (``before`` or ``after``), ``block``, ``faction``, and what it is measured by.
        paired: whether blocks of the same number are the same set-up with the same deal.
        games: of both sides.
    """

    rows: pl.DataFrame
    paired: bool
    games: int

    def means(self, values: Sequence[str], by: Sequence[str] = ()) -> pl.DataFrame:
        """Means of each side: ``side``, ``by`` and the columns of ``clustered_means``."""
        return clustered_means(self.rows.lazy(), values, ["side", *by])

    def differences(self, values: Sequence[str], by: Sequence[str] = ()) -> pl.DataFrame:
        """After less before: ``by`` and the columns of ``clustered_means``; groups that both sides have."""
        if not self.paired:
            return self._independent(values, by)
        cells = self.rows.group_by("side", "block", *by, maintain_order=True).agg(pl.col(*values).mean())
        first, second = (cells.filter(side=side).drop("side") for side in _SIDES)
        pairs = second.join(first, on=["block", *by], suffix="_before", maintain_order="left", nulls_equal=True)
        if not len(pairs):
            raise AnalysisError("no block with both sides, the runs of the study, play more games")
        changes = [(pl.col(name) - pl.col(f"{name}_before")).alias(name) for name in values]
        return clustered_means(pairs.lazy().select("block", *by, *changes), values, by)

    def _independent(self, values: Sequence[str], by: Sequence[str]) -> pl.DataFrame:
        means = self.means(values, by)
        keys = [*by, "quantity"]
        before = {tuple(row[key] for key in keys): row for row in means.filter(side=BEFORE).iter_rows(named=True)}
        found = []
        for row in means.filter(side=AFTER).iter_rows(named=True):
            key = tuple(row[name] for name in keys)
            if key in before:
                found.append(dict(zip(keys, key, strict=True)) | difference_row(before[key], row))
        return pl.DataFrame(found, schema_overrides={"se": pl.Float64, "low": pl.Float64, "high": pl.Float64})

    def joint(self, value: str = "margin") -> tuple[list[str], Any, Any]:
        """The paired differences by faction together: factions, values, and their covariance, clustered by block."""
        cells = self.rows.group_by("side", "block", "faction", maintain_order=True).agg(pl.col(value).mean())
        first, second = (cells.filter(side=side) for side in _SIDES)
        pairs = second.join(first, on=["block", "faction"], suffix="_before", maintain_order="left")
        factions = sorted(set(pairs["faction"].to_list()))
        column = pairs["faction"].replace_strict(factions, range(len(factions)), return_dtype=pl.Int64).to_numpy()
        known, block = np.unique(pairs["block"].to_numpy(), return_inverse=True)
        change = (pairs[value] - pairs[f"{value}_before"]).to_numpy()
        counts = np.bincount(column, minlength=len(factions))
        means = np.bincount(column, weights=change, minlength=len(factions)) / counts
        influence = np.zeros((len(known), len(factions)))
        influence[block, column] = (change - means[column]) / counts[column]
        return factions, means, influence.T @ influence * len(known) / (len(known) - 1)

    def spreads(self) -> pl.DataFrame:
        """How far the factions' margins differ before and after, and the change.

        The spread is the standard deviation of the true mean margins: root of max(0, variance of the means less that of their
        errors). Errors are those of a bootstrap of whole blocks, of both sides together where they are paired.

        Returns:
            ``component`` (``before``, ``after``, ``change``), ``value``, ``se``, ``low``, ``high``, ``n``, ``blocks``; figures
            are null where the blocks are fewer than ten, or half of the resamples lack a faction.
        """
        sides = [_margins(self.rows.filter(side=side)) for side in _SIDES]
        blocks = [np.unique(block) for block, _, _ in sides]
        if self.paired:
            blocks = [np.union1d(*blocks)] * 2
        figures = []
        for number, ((block, faction, margin), known) in enumerate(zip(sides, blocks, strict=True)):
            weights = block_weights(len(known), seed=1 if self.paired else 1 + number)
            figures.append(_spread(np.searchsorted(known, block), faction, margin, weights))
        (before, b_draws), (after, a_draws) = figures
        values = {BEFORE: (before, b_draws), AFTER: (after, a_draws), "change": (after - before, a_draws - b_draws)}
        n = [len(margin) for _, _, margin in sides]
        n_blocks = min(len(one) for one in blocks)
        rows = []
        for name, (value, draws) in values.items():
            se = bootstrap_error(draws) if n_blocks >= LEAST_BLOCKS else None
            rows.append(
                {
                    "component": name,
                    "value": None if se is None else value,
                    "se": se,
                    "n": {BEFORE: n[0], AFTER: n[1]}.get(name, sum(n)),
                    "blocks": n_blocks,
                }
            )
        kinds = {"value": pl.Float64, "se": pl.Float64}
        table = with_intervals(pl.DataFrame(rows, schema_overrides=kinds))
        not_below = pl.when(pl.col("component") == "change").then(pl.col("low")).otherwise(pl.col("low").clip(0.0))
        return table.with_columns(low=not_below)


def compared(runs: Mapping[str, Run], extra: Sequence[pl.Expr] = ()) -> Compared:
    """The two sides of one paired run, or of two runs.

    Args:
        runs: one paired run with two levels, or the run before and the one after.
        extra: further columns from the table ``seats``.

    Raises:
        AnalysisError: there are no finished games.
    """
    parts = []
    for number, run in enumerate(runs.values()):
        rows = margin_rows(run.seats(), run.games())
        if extra:
            added = run.seats().select("game_index", "seat", *extra)
            rows = rows.join(added, on=["game_index", "seat"], maintain_order="left")
        names = [row["name"] for row in run.manifest["config"].get("levels", [])]
        side = (
            pl.col("level").replace_strict(names, _SIDES, return_dtype=pl.String) if names else pl.lit(_SIDES[number])
        )
        parts.append(rows.with_columns(side=side).drop("level").collect())
    both = pl.concat(parts)
    if both["side"].n_unique() < 2:
        raise AnalysisError("one side only, the runs of the study, play more games")
    return Compared(both, len(runs) == 1, sum(run.n_games for run in runs.values()))


def _margins(rows: pl.DataFrame) -> tuple[Any, Any, Any]:
    """Block, number of the faction and margin of each seat."""
    factions = sorted(set(rows["faction"].to_list()))
    codes = rows["faction"].replace_strict(factions, range(len(factions)), return_dtype=pl.Int64)
    return rows["block"].to_numpy(), codes.to_numpy(), rows["margin"].to_numpy()


def _spread(block: Any, faction: Any, margin: Any, weights: Any) -> tuple[float, Any]:
    """Corrected spread of the factions' mean margins, and that of each resample (resamples x blocks of weights)."""
    n_blocks, size = weights.shape[1], int(faction.max()) + 1
    if size < 2:
        return 0.0, np.full(len(weights), np.nan)
    cell = block * size + faction
    sums = np.bincount(cell, weights=margin, minlength=n_blocks * size).reshape(n_blocks, size)
    counts = np.bincount(cell, minlength=n_blocks * size).reshape(n_blocks, size).astype(float)
    means = sums.sum(axis=0) / counts.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        draws = (weights @ sums) / (weights @ counts)
    whole = np.isfinite(draws).all(axis=1)  # resamples in which no faction is missing
    if whole.sum() <= len(weights) // 2:
        return 0.0, np.full(len(weights), np.nan)
    draws[~whole] = np.nan
    centred = draws[whole] - draws[whole].mean(axis=1, keepdims=True)
    noise = float(centred.var(axis=0, ddof=1).sum()) / (size - 1)
    # A resample has the noise of the sample and once more its own.
    resampled = np.sqrt(np.maximum(draws.var(axis=1, ddof=1) - 2 * noise, 0))
    return sqrt(max(0.0, float(means.var(ddof=1)) - noise)), resampled


def changed_components(before: Ruleset, after: Ruleset) -> dict[str, list[str]]:
    """By table the components that differ between two rulesets (changed, added or removed); options by their name."""
    found: dict[str, list[str]] = {}
    for table in before.data:
        if table == "options":
            continue
        old, new = before.data[table], after.data[table]
        if old == new:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found[table] = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        else:
            found[table] = []
    options = [name for name, value in before.options.items() if after.options[name] != value]
    return found | ({"options": options} if options else {})
