"""Who gains from what the set-up draws: factions (or boards) by tile, opponent and map, and factions by board.

All seats of a game share its tiles, so a tile can only shift factions against each other. The shift of a faction by a tile is
estimated by least squares within games on faction + board + seat + faction x (tile in play): with less without it, relative to
the mean faction. The draw decides which tiles are in play, so the shift is caused by the tile. Cells are pooled towards no
shift, the additive model (``pooling``; Gelman, Hill and Yajima, Why we usually don't have to worry about multiple comparisons,
Journal of Research on Educational Effectiveness 5, 2012), and have q-values (Benjamini and Hochberg 1995). Cells without data
have no row; ``cell_grid`` prints them as "-".
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import Data
from aoi_sim.analysis.least_squares import Design, Factor, factor_of
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.pooling import shrunk, with_pooling
from aoi_sim.analysis.source import AnalysisError, Source, known_columns, rows_of, seat_table
from aoi_sim.analysis.uncertainty import LEVEL, t_quantile, with_intervals

_ADJUST: Final = ("faction", "board", "seat")
SHIFT: Final = (
    "least squares within games, with less without, errors clustered by block, pooled towards the additive model"
)


def vp_shift_by_round_tile(
    data: Source, group: str = "faction", rounds: Sequence[int] = (), level: float = LEVEL
) -> pl.DataFrame:
    """VP that each faction gains on the mean faction when a round tile is in play.

    Args:
        data: a run or frames.
        group: ``faction`` or ``board``.
        rounds: only tiles of these rounds, from 1; of all rounds if empty.
        level: of the intervals.

    Returns:
        A row a cell with data: the group, ``key`` (tile), ``n`` (seats with it), ``n_without``, ``blocks`` (the fewer of those
        with and without), ``value``, ``se``, ``low``, ``high``, ``p``, ``q``, ``pooled``, ``pooled_se``, ``pooled_low``,
        ``pooled_high``, ``weight``, ``method``.

    Raises:
        AnalysisError: no tile is in some games and not in others.
    """
    tiles = pl.col("round_tiles")
    if rounds:
        tiles = tiles.list.gather([number - 1 for number in rounds], null_on_oob=True)
    return _shifts(data, tiles, group, "round tile", level)


def vp_shift_by_final_tile(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction under a final round tile, see ``vp_shift_by_round_tile``."""
    return _shifts(data, pl.col("final_tile"), group, "final tile", level)


def vp_shift_by_palace(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction when a palace is available, see ``vp_shift_by_round_tile``."""
    return _shifts(data, pl.col("palaces"), group, "palace", level)


def vp_shift_by_innovation(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction when an innovation is available, see ``vp_shift_by_round_tile``."""
    return _shifts(data, pl.col("innovations"), group, "innovation", level)


def vp_shift_by_book_action(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction when a book action is available, see ``vp_shift_by_round_tile``."""
    return _shifts(data, pl.col("book_actions"), group, "book action", level)


def vp_shift_by_bonus_tile(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction when a bonus tile is in play, see ``vp_shift_by_round_tile``."""
    return _shifts(data, pl.col("bonus_tiles"), group, "bonus tile", level)


def vp_shift_by_map(data: Source, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction on a side of the map, see ``vp_shift_by_round_tile``."""
    return _shifts(data, pl.col("map"), group, "map", level)


def vp_shift_by_opponent(data: Data, group: str = "faction", level: float = LEVEL) -> pl.DataFrame:
    """VP that each faction gains on the mean faction when an opponent is present, over the opponent's own strength.

    The opponent's effect is in the model, so a strong opponent shifts nobody by being strong; every opponent counts the same,
    however often it is met. See ``vp_shift_by_round_tile`` for the columns; ``key`` is the opponent.
    """
    rows = rows_of(data)
    known_columns(rows, [group])
    members = rows.select("game_index", key=pl.col(group)).unique(maintain_order=True)
    return shifts(rows, members, group, "opponent", level)


def _shifts(data: Source, tiles: pl.Expr, group: str, word: str, level: float) -> pl.DataFrame:
    members = data.table("games").select("game_index", key=tiles).collect()
    if isinstance(members.schema["key"], pl.List):
        members = members.explode("key")
    members = members.with_columns(pl.col("key").cast(pl.String)).drop_nulls().unique(maintain_order=True)
    return shifts(seat_table(data), members, group, word, level)


def shifts(
    rows: pl.DataFrame, members: pl.DataFrame, group: str = "faction", word: str = "tile", level: float = LEVEL
) -> pl.DataFrame:
    """Shifts of the levels of a group by anything that is in some games and not in others.

    Args:
        rows: of ``seat_table``.
        members: ``game_index`` and ``key`` of what is in the game.
        group: column of ``rows``.
        word: what the keys are, for messages.
        level: of the intervals.

    Raises:
        AnalysisError: no key is in some games and not in others.
    """
    known_columns(rows, [group])
    own = factor_of(rows, [group])
    base = [own]
    base += [
        factor_of(rows, [name])
        for name in _ADJUST
        if name != group and rows[name].null_count() == 0 and rows[name].n_unique() > 1
    ]
    design = Design(rows, "vp", base)
    games = rows["game_index"].to_numpy()
    found: list[dict[str, Any]] = []
    for (key,), part in sorted(members.partition_by("key", as_dict=True, maintain_order=True).items()):
        present = np.isin(games, part["game_index"].to_numpy())
        counted = np.ones(len(rows), dtype=bool)
        if word == "opponent":  # the opponent itself has no cell
            counted = (rows[group] != key).to_numpy()
        found += _cells(design, own, key, present, counted)
    if not found:
        keys = ", ".join(str(key) for key in sorted(members["key"].unique().to_list()))
        raise AnalysisError(
            f"no {word} that is in some games only ({keys or 'none'}), table games, take a run that varies it"
        )
    kinds = {group: pl.String, "key": pl.String, "n": pl.Int64, "n_without": pl.Int64, "blocks": pl.Int64}
    kinds |= {"value": pl.Float64, "se": pl.Float64}
    table = pl.DataFrame(found, schema=kinds, orient="row")
    return with_pooling(table, level).with_columns(method=pl.lit(SHIFT))


def _cells(design: Design, own: Factor, key: str, present: Any, counted: Any) -> list[dict[str, Any]]:
    """Shifts by one key of the levels that are counted both with and without it."""
    sides = [own.columns * (side & counted)[:, None] for side in (present, ~present)]
    n_with, n_without = (side.sum(axis=0) for side in sides)
    both = np.flatnonzero((n_with > 0) & (n_without > 0))
    if len(both) < 2:
        return []
    blocks = np.minimum(*((design.blocks.sums(side[:, both]) > 0).sum(axis=0) for side in sides))
    fit = design.fit_with(Factor("interplay", tuple(own.levels[i] for i in both), sides[0][:, both]))
    values, covariance, known = fit.contrast(fit.centring("interplay"))
    return [
        {
            own.name: str(own.levels[i]),
            "key": key,
            "n": int(n_with[i]),
            "n_without": int(n_without[i]),
            "blocks": int(blocks[place]),
            "value": float(values[place]),
            "se": None
            if covariance is None or blocks[place] < 2
            else float(np.sqrt(max(covariance[place, place], 0.0))),
        }
        for place, i in enumerate(both)
        if known[place]
    ]


def vp_interplay_by_pairing(data: Data, level: float = LEVEL) -> pl.DataFrame:
    """Pairings of faction and board: as observed, as the sum of both effects, and pooled between the two.

    Returns:
        A row a pairing that was played: ``faction``, ``board``, ``n``, ``blocks``, ``value`` (effect against the mean
        pairing, seat held equal), ``se``, ``low``, ``high``; ``additive`` (faction + board); ``difference`` (observed less
        additive), ``difference_se``, ``difference_low``, ``difference_high``, ``p`` and ``q`` of no difference; ``pooled``,
        ``pooled_se``, ``pooled_low``, ``pooled_high``, ``weight``; ``method``. Null where the error is unknown.

    Raises:
        AnalysisError: pairings cannot be compared.
    """
    from aoi_sim.analysis.effects import adjusted_effects

    found = adjusted_effects(data, ["faction", "board"])
    additive = _additive_projection(found.levels)
    apart = np.eye(len(found.values)) - additive
    difference = apart @ found.values
    table = found.table(level).drop("p", "q", "method")
    errors: list[float | None] = [None] * len(found.values)
    pooled = np.full((5, len(found.values)), np.nan)
    if found.covariance is not None:
        deviation = np.sqrt(np.maximum(np.diag(apart @ found.covariance @ apart.T), 0))
        sound = (found.blocks > 1) & (deviation > 1e-9)  # a pairing that fills its row and column has no difference
        errors = [float(e) if good else None for e, good in zip(deviation, sound, strict=True)]
        moved, error, weight = shrunk(difference[sound], deviation[sound])
        total = (additive @ found.values)[sound] + moved
        spread = np.sqrt(error**2 + np.maximum(np.diag(additive @ found.covariance @ additive.T), 0)[sound])
        half = spread * np.array([t_quantile(int(count), level) for count in found.blocks[sound]])
        pooled[:, sound] = total, spread, total - half, total + half, weight
    names = ("pooled", "pooled_se", "pooled_low", "pooled_high", "weight")
    apart_table = pl.DataFrame(
        {"value": difference, "se": pl.Series(errors, dtype=pl.Float64), "blocks": table["blocks"]}
    )
    tests = with_tests(with_intervals(apart_table, level))
    return table.with_columns(
        pl.Series("additive", additive @ found.values),
        pl.Series("difference", difference),
        *(tests[name].alias(f"difference_{name}") for name in ("se", "low", "high")),
        tests["p"],
        tests["q"],
        *(pl.Series(name, values).fill_nan(None) for name, values in zip(names, pooled, strict=True)),
        method=pl.lit(f"{found.method}, pooled towards faction + board"),
    )


def _additive_projection(levels: Sequence[tuple[Any, ...]]) -> Any:
    """The projection of cells (all alike) on the sums of a row and a column effect."""
    rows, columns = (sorted({cell[i] for cell in levels}) for i in (0, 1))
    design = np.zeros((len(levels), len(rows) + len(columns)))
    for i, (row, column) in enumerate(levels):
        design[i, rows.index(row)] = design[i, len(rows) + columns.index(column)] = 1
    return design @ np.linalg.pinv(design)


def cell_grid(
    table: pl.DataFrame, rows: str, columns: str = "key", value: str = "pooled", mark: float = 0.05
) -> pl.DataFrame:
    """Cells as text in a grid to print: ``+1.2 (96)``, with ``*`` where q is at most ``mark``; ``-`` without data.

    Args:
        table: with ``rows``, ``columns``, ``value``, ``n`` and ``q``.
        rows: column of the table that names the grid's rows.
        columns: column of the table that names the grid's columns.
        value: what to show.
        mark: largest q that gets a mark.
    """
    star = pl.when(pl.col("q") <= mark).then(pl.lit("*")).otherwise(pl.lit(""))
    number = pl.col(value).map_elements(lambda x: f"{x:+.1f}", return_dtype=pl.String)
    text = pl.concat_str(number, star, pl.lit(" ("), pl.col("n").cast(pl.String), pl.lit(")"))
    return (
        table.select(rows, columns, _text=text)
        .pivot(on=columns, index=rows, values="_text", maintain_order=True)
        .fill_null("-")
    )
