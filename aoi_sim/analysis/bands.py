"""Measured figures of a run beside the bands in which they are plausible (``bands.toml``)."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import inf
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.uncertainty import block_weights, bootstrap_error, with_intervals

BUILDINGS: Final = ("workshops", "guilds", "schools", "universities", "palaces", "towers", "monuments")
LEVELS: Final = ("strong", "naive")
TABLES: Final = "(all tables)"
"""Stands as the heuristic where a figure is about whole tables."""

SEATS: Final = 4
"""The bands are for tables of so many."""
RANGES: Final = {2: 1.128, 3: 1.693, 4: 2.059, 5: 2.326}
"""Mean range of so many independent normal values, in standard deviations (Tippett 1925)."""

Sums = Mapping[str, Any]
"""Sums by block, a row a block; by block and faction, blocks x factions."""


@dataclass(frozen=True, slots=True)
class Band:
    """What is plausible for a quantity.

    Attributes:
        quantity: its name.
        text: what it is.
        per: ``heuristic`` or ``table``.
        level: of the players it is for, empty for any.
        plausible: lowest and highest plausible value.
        again: below or above these one looks again.
        decimals: to print.
        range: whether the quantity is the range of the seats of a table, which grows with their number.
    """

    quantity: str
    text: str
    per: str
    level: str
    plausible: tuple[float, float]
    again: tuple[float, float]
    decimals: int
    range: bool = False

    def of_players(self, n_players: int) -> "Band":
        """The band at tables of so many: that of a range as much wider or narrower as the mean range of as many seats.

        Two seats are nearer to each other than the first and the last of four who play alike.
        """
        if not self.range or n_players not in RANGES:
            return self
        share = RANGES[n_players] / RANGES[SEATS]
        low, high, least, most = (round(end * share, self.decimals) for end in (*self.plausible, *self.again))
        return replace(self, plausible=(low, high), again=(least, most))

    def mark(self, low: float, high: float) -> str:
        """Where an interval lies: ``ok`` within the plausible, ``outside`` it, beyond where one looks again, or ``unclear``."""
        if high < self.again[0] or low > self.again[1]:
            return "look again"
        if high < self.plausible[0] or low > self.plausible[1]:
            return "outside"
        return "ok" if self.plausible[0] <= low and high <= self.plausible[1] else "unclear"


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((files("aoi_sim.analysis") / "bands.toml").read_text(encoding="utf-8"))


def band_source() -> str:
    """Where the bands come from."""
    return " ".join(str(_file()["source"]).split())


def bands(level: str = "strong", n_players: int = SEATS) -> list[Band]:
    """The bands for players of a level (``LEVELS``) at tables of so many (``Band.of_players``)."""
    known = [
        Band(
            quantity=row["quantity"],
            text=row["text"],
            per=row["per"],
            level=row.get("level", ""),
            plausible=tuple(row["plausible"]),
            again=tuple(row.get("again", (-inf, inf))),
            decimals=row.get("decimals", 1),
            range=row.get("range", False),
        )
        for row in _file()["band"]
        if row.get("level", level) == level
    ]
    return [band.of_players(n_players) for band in known]


def figures_in_bands(seats: pl.LazyFrame, games: pl.LazyFrame, level: str = "strong") -> pl.DataFrame:
    """Each quantity as measured, with the interval of a bootstrap of whole blocks, beside its band.

    Args:
        seats: table of a run.
        games: table of a run.
        level: of the players: ``strong`` or ``naive``.

    The bands are those for the number of seats that the tables have.

    Returns:
        ``heuristic``, ``quantity``, ``text``, ``n`` (seats or games), ``blocks``, ``value``, ``se``, ``low``, ``high``,
        ``plausible_low``, ``plausible_high``, ``again_low``, ``again_high``, ``decimals``, ``mark`` (``Band.mark`` of the
        interval, of the value where there is none). A value that needs more than the run has is null, and its mark ``-``.
    """
    rows = _seat_rows(seats, games)
    groups = {name: frame for (name,), frame in rows.group_by("heuristic", maintain_order=True)}
    out: list[dict[str, Any]] = []
    known = bands(level, int(rows.select(pl.col("seat").max()).item()) + 1 if len(rows) else SEATS)
    for name in sorted(groups):
        out += _measured(name, _seat_sums(groups[name]), len(groups[name]), _SEAT_FIGURES, known)
    tables = _table_rows(rows)
    out += _measured(TABLES, _table_sums(tables), len(tables), _TABLE_FIGURES, known)
    frame = pl.DataFrame(out, schema_overrides={"value": pl.Float64, "se": pl.Float64}, infer_schema_length=None)
    frame = with_intervals(frame)
    by_quantity = {band.quantity: band for band in known}
    marks = [_mark(by_quantity[row["quantity"]], row) for row in frame.iter_rows(named=True)]
    return frame.with_columns(mark=pl.Series(marks, dtype=pl.String))


def _mark(band: Band, row: Mapping[str, Any]) -> str:
    if row["value"] is None:
        return "-"
    return band.mark(row["value"], row["value"]) if row["low"] is None else band.mark(row["low"], row["high"])


def _measured(
    name: str, sums: Sums, n: int, figures: Mapping[str, Callable[[Sums, Any], Any]], known: Sequence[Band]
) -> list[dict[str, Any]]:
    n_blocks = len(next(iter(sums.values())))
    once = np.ones((1, n_blocks))
    again = block_weights(n_blocks) if n_blocks > 1 else None
    rows = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for band in known:
            if band.quantity not in figures:
                continue
            figure = figures[band.quantity]
            value = float(figure(sums, once)[0])
            defined = bool(np.isfinite(value))
            rows.append(
                {
                    "heuristic": name,
                    "quantity": band.quantity,
                    "text": band.text,
                    "n": n,
                    "blocks": n_blocks,
                    "value": value if defined else None,
                    "se": bootstrap_error(figure(sums, again)) if defined and again is not None else None,
                    "plausible_low": float(band.plausible[0]),
                    "plausible_high": float(band.plausible[1]),
                    "again_low": float(band.again[0]),
                    "again_high": float(band.again[1]),
                    "decimals": band.decimals,
                }
            )
    return rows


# Sums by block.


def _seat_rows(seats: pl.LazyFrame, games: pl.LazyFrame) -> pl.DataFrame:
    counts = ("cities", "innovations", "competencies")
    return (
        seats.join(games.select("game_index", "block"), on="game_index", maintain_order="left")
        .select(
            "game_index",
            "block",
            pl.col("seat").cast(pl.Float64),
            pl.col("heuristic", "faction").cast(pl.String),
            pl.col("vp").cast(pl.Float64),
            *counts,
            "win_share",
            margin=pl.col("vp") - pl.col("vp").mean().over("game_index"),
            buildings=pl.sum_horizontal(BUILDINGS),
            power_paid=-pl.col("vp_from_power"),
        )
        .sort("game_index", "seat")
        .collect()
    )


def _table_rows(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.group_by("game_index", maintain_order=True).agg(
        pl.col("block").first(),
        winner_minus_last=pl.col("vp").max() - pl.col("vp").min(),
        shared_wins=(pl.col("win_share").max() < 1).cast(pl.Float64),
    )


def _block_sums(rows: pl.DataFrame, names: list[str]) -> dict[str, Any]:
    sums = (
        rows.group_by("block", maintain_order=True)
        .agg(pl.len().cast(pl.Float64).alias("n"), pl.col(names).sum())
        .sort("block")
    )
    return {name: sums[name].to_numpy().astype(float) for name in ("n", *names)}


def _table_sums(tables: pl.DataFrame) -> Sums:
    return _block_sums(tables, ["winner_minus_last", "shared_wins"])


def _seat_sums(rows: pl.DataFrame) -> Sums:
    rows = rows.with_columns(
        vp2=pl.col("vp") ** 2,
        margin2=pl.col("margin") ** 2,
        seat2=pl.col("seat") ** 2,
        seat_margin=pl.col("seat") * pl.col("margin"),
    )
    names = ["vp", "vp2", "margin", "margin2", "seat", "seat2", "seat_margin"]
    names += ["cities", "innovations", "competencies", "buildings", "power_paid"]
    sums = _block_sums(rows, names)
    blocks = {block: i for i, block in enumerate(rows["block"].unique().sort().to_list())}
    factions = {faction: i for i, faction in enumerate(sorted(rows["faction"].unique().to_list()))}
    for name in ("faction_n", "faction_vp", "faction_margin"):
        sums[name] = np.zeros((len(blocks), len(factions)))
    by_faction = rows.group_by("block", "faction", maintain_order=True).agg(
        pl.len().alias("n"), pl.col("vp").sum(), pl.col("margin").sum()
    )
    for block, faction, n, vp, margin in by_faction.iter_rows():
        place = blocks[block], factions[faction]
        sums["faction_n"][place] = n
        sums["faction_vp"][place] = vp
        sums["faction_margin"][place] = margin
    return sums


# Figures: sums by block and weights of the blocks (a row a resample) to a value a resample.


def _mean(name: str) -> Callable[[Sums, Any], Any]:
    return lambda sums, weights: (weights @ sums[name]) / (weights @ sums["n"])


def _sd_vp(sums: Sums, weights: Any) -> Any:
    n = weights @ sums["n"]
    mean = (weights @ sums["vp"]) / n
    return np.sqrt(np.maximum((weights @ sums["vp2"]) / n - mean**2, 0) * n / (n - 1))


def _faction_spread(sums: Sums, weights: Any) -> Any:
    n = weights @ sums["faction_n"]
    means = np.where(n > 0, (weights @ sums["faction_vp"]) / n, np.nan)
    several = (n > 0).sum(axis=1) > 1
    most = np.where(n > 0, means, -inf).max(axis=1)
    least = np.where(n > 0, means, inf).min(axis=1)
    return np.where(several, most - least, np.nan)


def _faction_share(sums: Sums, weights: Any) -> Any:
    """Share of the variance between factions, less what chance alone would give (epsilon squared)."""
    n, total, squares = weights @ sums["n"], weights @ sums["margin"], weights @ sums["margin2"]
    by_n = weights @ sums["faction_n"]
    parts = np.where(by_n > 0, (weights @ sums["faction_margin"]) ** 2 / np.maximum(by_n, 1), 0).sum(axis=1)
    groups = (by_n > 0).sum(axis=1)
    between, whole = parts - total**2 / n, squares - total**2 / n
    within = np.where(n > groups, (whole - between) / (n - groups), np.nan)
    return np.where(groups > 1, (between - (groups - 1) * within) / whole, np.nan)


def _seat_effect(sums: Sums, weights: Any) -> Any:
    """Slope of the margin on the seat."""
    n, seat, margin = weights @ sums["n"], weights @ sums["seat"], weights @ sums["margin"]
    spread = weights @ sums["seat2"] - seat**2 / n
    return np.where(spread > 0, (weights @ sums["seat_margin"] - seat * margin / n) / spread, np.nan)


_SEAT_FIGURES: Final[dict[str, Callable[[Sums, Any], Any]]] = {
    "mean_vp": _mean("vp"),
    "sd_vp": _sd_vp,
    "faction_spread": _faction_spread,
    "faction_share": _faction_share,
    "seat_effect": _seat_effect,
    "cities": _mean("cities"),
    "innovations": _mean("innovations"),
    "competencies": _mean("competencies"),
    "buildings": _mean("buildings"),
    "power_paid": _mean("power_paid"),
}
_TABLE_FIGURES: Final[dict[str, Callable[[Sums, Any], Any]]] = {
    "winner_minus_last": _mean("winner_minus_last"),
    "shared_wins": _mean("shared_wins"),
}
