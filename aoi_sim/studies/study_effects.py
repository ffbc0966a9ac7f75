"""The figures of a study as one table: estimates with intervals clustered by block, verdicts, players beside each other.

Every row is an effect of a component on a quantity. Tables of estimates (``value``, ``se``, ``blocks``, ``n``) come from
``aoi_sim.analysis``; here they become rows with verdicts.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.standings import DELTA, with_verdicts
from aoi_sim.analysis.uncertainty import t_half_width

SCHEMA: Final[dict[str, Any]] = {
    "component": pl.String,
    "estimate": pl.Float64,
    "se": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "verdict": pl.String,
    "quantity": pl.String,
    "players": pl.Int64,
    "heuristic": pl.String,
    "blocks": pl.Int64,
    "p": pl.Float64,
    "q": pl.Float64,
    "games_needed": pl.Int64,
    "by_player": pl.String,
}
"""Columns of ``effects.parquet``; docs/studies.md describes them."""

DELTA_SHARE: Final = 0.03
"""Win share within which an effect does not matter: about 2 VP at four players (1 VP is about 1.4 points)."""

ONE: Final = "one player"
AGREE: Final = "players agree"
SIZE: Final = "size depends on the player"
SIGN: Final = "sign depends on the player"
UNSURE: Final = "undecided"


def effect_rows(
    table: pl.DataFrame,
    component: str,
    *,
    quantity: str,
    players: int,
    heuristic: str,
    games: int,
    delta: float = DELTA,
    tested: bool = True,
) -> pl.DataFrame:
    """Estimates as rows of the table of effects.

    The q-values are those of this family of rows (Benjamini and Hochberg).

    Args:
        table: ``value``, ``se``, ``low``, ``high``, ``n``, ``blocks`` and the column of the components.
        component: that column.
        quantity: what is estimated.
        players: number of players.
        heuristic: who plays.
        games: of the run, in which ``games_needed`` is counted.
        delta: what does not matter, in units of the quantity.
        tested: whether zero is a question; if not, there is no verdict (``estimate``).
    """
    if tested:
        table = with_verdicts(with_tests(table), games, delta)
    else:
        nothing = {name: pl.lit(None, pl.Float64) for name in ("p", "q")}
        table = table.with_columns(verdict=pl.lit("estimate"), games_needed=pl.lit(None, pl.Int64), **nothing)
    rows = table.rename({"value": "estimate"}).with_columns(
        component=pl.col(component).cast(pl.String),
        quantity=pl.lit(quantity),
        players=pl.lit(players, pl.Int64),
        heuristic=pl.lit(heuristic),
        by_player=pl.lit(ONE),
    )
    return rows.select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())


def no_rows() -> pl.DataFrame:
    """The table of effects without rows."""
    return pl.DataFrame(schema=SCHEMA)


def with_players(effects: pl.DataFrame) -> pl.DataFrame:
    """Say in ``by_player`` whether the conclusion on each effect depends on who plays.

    ``sign depends on the player``: an effect is different from zero for two of them, with other signs. ``size depends on the
    player``: they differ by Cochran's Q at 5 %, Holm-adjusted over the effects (the runs of the players are taken as
    independent). ``undecided``: neither, and for no player decided. Else ``players agree``. With one player: ``one player``.
    """
    from scipy.special import chdtrc

    from aoi_sim.analysis.multiplicity import holm

    if effects["heuristic"].n_unique() < 2:
        return effects
    keys = ["component", "quantity", "players"]
    found: dict[tuple[Any, ...], str] = {}
    tested: dict[tuple[Any, ...], float] = {}
    for key, part in effects.partition_by(keys, as_dict=True, maintain_order=True).items():
        rows = [row for row in part.iter_rows(named=True) if row["se"] is not None]
        if part["heuristic"].n_unique() < 2:
            found[key] = ONE
            continue
        signs = {row["estimate"] > 0 for row in rows if row["q"] is not None and row["q"] <= 0.05}
        decided = any(row["verdict"] in ("different", "equivalent") for row in rows)
        found[key] = SIGN if len(signs) == 2 else AGREE if decided else UNSURE
        statistic, freedom = heterogeneity({row["heuristic"]: (row["estimate"], row["se"]) for row in rows})
        if freedom > 0 and len(signs) < 2:
            tested[key] = float(chdtrc(freedom, statistic))
    for key, p in zip(tested, holm(list(tested.values())), strict=True):
        if p <= 0.05:
            found[key] = SIZE
    words = pl.Series("by_player", [found[tuple(row)] for row in effects.select(keys).iter_rows()], pl.String)
    return effects.with_columns(words)


def shown_for(effects: pl.DataFrame, word: str) -> str:
    """For which effects something depends on who plays: ``shown for moles at 4; 3 of 12 undecided``.

    Args:
        effects: rows of ``with_players`` of one quantity.
        word: of ``by_player``, as ``SIGN``.
    """
    each = effects.unique(["component", "players"], keep="first", maintain_order=True)
    several = each["players"].n_unique() > 1
    rows = each.filter(by_player=word).select("component", "players").iter_rows()
    names = ", ".join(f"{name} at {players}" if several else name for name, players in rows)
    return f"shown for {names or 'none'}; {len(each.filter(by_player=UNSURE))} of {len(each)} undecided"


def heterogeneity(estimates: Mapping[str, tuple[float, float]]) -> tuple[float, int]:
    """Cochran's Q of independent estimates of one effect (value, standard error) and its degrees of freedom.

    Cochran, The combination of estimates from different experiments, Biometrics 10 (1954). Estimates without any spread
    have no weight and are left out.
    """
    sound = [(value, 1 / se**2) for value, se in estimates.values() if se > 1e-12]
    if len(sound) < 2:
        return 0.0, 0
    mean = sum(value * weight for value, weight in sound) / sum(weight for _, weight in sound)
    return sum(weight * (value - mean) ** 2 for value, weight in sound), len(sound) - 1


def widest(table: pl.DataFrame) -> str:
    """How well a table of estimates is known: ``standard error up to 0.62 VP, ± 1.23 VP``, by Student's t as in tables."""
    known = table.drop_nulls("se")
    if known.is_empty() or len(known) < len(table):
        return "too few games for a standard error"
    widths = [t_half_width(se, blocks) for se, blocks in known.select("se", "blocks").iter_rows()]
    half = max(width for width in widths if width is not None)
    return f"standard error up to {max(known['se'].to_list()):.2f} VP, ± {half:.2f} VP"


def difference_row(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """An estimate less another of an independent run: ``value``, ``se``, ``low``, ``high``, ``n``, ``blocks``."""
    value = after["value"] - before["value"]
    errors = (before["se"], after["se"])
    se = None if None in errors else sqrt(before["se"] ** 2 + after["se"] ** 2)
    blocks = min(before["blocks"], after["blocks"])
    half = t_half_width(se, blocks)
    return {
        "value": value,
        "se": se,
        "low": None if half is None else value - half,
        "high": None if half is None else value + half,
        "n": before["n"] + after["n"],
        "blocks": blocks,
    }
