"""Handicaps: starting VP with which factions, boards or other factors have equal expected win shares.

Players that do not look at VP play the same game whatever they start with. So a handicap is added to recorded final scores and
the table is ranked anew; a few Newton steps find the handicaps with which every level wins as often as there are seats to a
table. The win shares are softened by the noise of a VP (softmax with scale 1 VP) so that they have a derivative; intervals come
from a bootstrap of whole blocks, a Newton step from the solution each (Davidson and MacKinnon, International Economic Review
40, 1999).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.effects import adjusted_effects
from aoi_sim.analysis.source import AnalysisError
from aoi_sim.analysis.uncertainty import LEVEL

SCALE: Final = 1.0
"""Noise of a score in VP (scale of a Gumbel distribution) that softens who wins."""
_WIDE: Final = 4.0
"""The same for the derivatives behind errors, which few close games would leave noisy."""
_MOST_STEPS: Final = 40
_LONGEST: Final = 12.0
_CLOSE: Final = 2e-4
_CLOSE_ERRORS: Final = 0.02
"""A solution: every win share this near to equal, in shares or in about twentieths of its standard error."""
RESAMPLES: Final = 1000
_AT_ONCE: Final = 50


@dataclass(frozen=True)
class Contests:
    """Games as arrays: a row a game, a column a seat.

    Attributes:
        scores: final VP, games x seats.
        codes: by factor, the number of each seat's level.
        levels: by factor, the names of its levels.
        block: number of each game's block, from 0.
    """

    scores: Any
    codes: dict[str, Any]
    levels: dict[str, tuple[str, ...]]
    block: Any

    @property
    def n_seats(self) -> int:
        """Seats of a game."""
        return int(self.scores.shape[1])

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of the factors."""
        return tuple(self.codes)

    def part(self, there: Any) -> "Contests":
        """Some of the games.

        Args:
            there: by game, whether it is wanted.
        """
        _, block = np.unique(self.block[there], return_inverse=True)
        codes = {name: values[there] for name, values in self.codes.items()}
        return Contests(self.scores[there], codes, self.levels, block)

    def offsets(self) -> dict[str, slice]:
        """Places of each factor's levels in a vector of all."""
        places, first = {}, 0
        for name, levels in self.levels.items():
            places[name] = slice(first, first + len(levels))
            first += len(levels)
        return places

    def added(self, handicaps: Any) -> Any:
        """Scores with handicaps: those of all factors' levels in one vector."""
        total = np.array(self.scores, dtype=float)
        for name, part in self.offsets().items():
            total += handicaps[part][self.codes[name]]
        return total


@dataclass(frozen=True)
class Handicap:
    """Starting VP that make the levels of some factors equal.

    Attributes:
        contests: what it was found from.
        values: by level of all factors in one vector, those of a factor with mean 0.
        se: standard errors.
        low: lower ends of the intervals.
        high: upper ends.
        covariance: of the values.
        slope: rise of a seat's win share by VP.
        steps: Newton steps taken.
    """

    contests: Contests
    values: Any
    se: Any
    low: Any
    high: Any
    covariance: Any
    slope: float
    steps: int

    def table(self) -> pl.DataFrame:
        """Tidy: ``factor``, ``level``, ``n`` (seats), ``blocks``, ``value`` (VP), ``se``, ``low``, ``high``."""
        rows = []
        for name, part in self.contests.offsets().items():
            codes = self.contests.codes[name]
            for k, level in enumerate(self.contests.levels[name]):
                there = codes == k
                place = part.start + k
                rows.append(
                    {
                        "factor": name,
                        "level": level,
                        "n": int(there.sum()),
                        "blocks": len(np.unique(self.contests.block[there.any(axis=1)])),
                        "value": float(self.values[place]),
                        "se": float(self.se[place]),
                        "low": float(self.low[place]),
                        "high": float(self.high[place]),
                    }
                )
        return pl.DataFrame(rows)

    def of(self, factor: str) -> dict[str, float]:
        """The handicaps of a factor by level."""
        part = self.contests.offsets()[factor]
        return dict(zip(self.contests.levels[factor], self.values[part].tolist(), strict=True))


def contests_of(rows: pl.DataFrame, factors: Sequence[str]) -> Contests:
    """Games of ``seat_table`` as arrays.

    Args:
        rows: seats in the order of games; all games with as many seats.
        factors: columns to make equal.

    Raises:
        AnalysisError: games with different numbers of players, or a seat without a level.
    """
    sizes = rows["n_players"].unique().to_list()
    if len(sizes) != 1:
        raise AnalysisError(f"games of {sorted(sizes)} players, table seats, take runs with one number of players")
    shape = (len(rows) // sizes[0], sizes[0])
    codes, levels = {}, {}
    for name in factors:
        if rows[name].null_count():
            raise AnalysisError(f"seats without {name}, table seats, leave it out")
        names = rows[name].unique().sort().to_list()
        levels[name] = tuple(str(one) for one in names)
        numbers = rows[name].replace_strict(names, range(len(names)), return_dtype=pl.Int64)
        codes[name] = numbers.to_numpy().reshape(shape)
    _, block = np.unique(rows["block"].to_numpy().reshape(shape)[:, 0], return_inverse=True)
    return Contests(rows["vp"].to_numpy().astype(float).reshape(shape), codes, levels, block)


def joined(parts: Sequence[Contests]) -> Contests:
    """Contests of several runs with the same factors and levels; their blocks are different ones."""
    first = parts[0]
    if any(part.levels != first.levels for part in parts):
        raise AnalysisError("runs with different factions or boards, the runs given, play all with the same rules")
    starts = np.cumsum([0, *(int(part.block.max()) + 1 for part in parts[:-1])])
    return Contests(
        scores=np.concatenate([part.scores for part in parts]),
        codes={name: np.concatenate([part.codes[name] for part in parts]) for name in first.codes},
        levels=first.levels,
        block=np.concatenate([part.block + start for part, start in zip(parts, starts, strict=True)]),
    )


def soft_win_shares(scores: Any, scale: float = SCALE) -> Any:
    """Chance of each seat to win, were every score off by noise of a scale; games x seats."""
    weights = np.exp((scores - scores.max(axis=1, keepdims=True)) / scale)
    return weights / weights.sum(axis=1, keepdims=True)


def win_shares_of(scores: Any) -> Any:
    """Share of the win of each seat, ties split; games x seats."""
    best = scores == scores.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def fair_handicap(contests: Contests, level: float = LEVEL, seed: int = 1, resamples: int = RESAMPLES) -> Handicap:
    """The handicaps with which every level of every factor has the expected win share 1 / seats.

    Args:
        contests: games without handicap; every faction must meet others.
        level: of the intervals.
        seed: of the bootstrap.
        resamples: of the bootstrap.

    Raises:
        AnalysisError: no handicap makes them equal, as where a level wins or loses all its games.
    """
    size = sum(map(len, contests.levels.values()))
    counts = _sums(contests, np.ones_like(contests.scores))
    values = np.zeros(size)
    steps = 0
    while True:
        scores = contests.added(values)
        excess = soft_win_shares(scores) - 1 / contests.n_seats
        gap = _sums(contests, excess)
        if (np.abs(gap) <= np.maximum(_CLOSE * counts, _CLOSE_ERRORS * np.sqrt(counts))).all():
            break
        if steps == _MOST_STEPS:
            raise AnalysisError(f"no handicap makes win shares equal, {len(contests.scores)} games, play more games")
        slopes = _derivative(contests, scores, SCALE) + 0.1 * _derivative(contests, scores, _WIDE)
        move = -np.linalg.pinv(slopes, rcond=1e-8) @ gap
        values = _stepped(contests, values, move * min(1.0, _LONGEST / max(np.abs(move).max(), 1e-12)), gap)
        steps += 1
    inverse = np.linalg.pinv(_derivative(contests, scores, _WIDE), rcond=1e-8)
    wide = soft_win_shares(scores, _WIDE)
    draws = _bootstrap(contests, excess, inverse, seed, resamples)
    tail = (1 - level) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    slope = float((wide * (1 - wide)).mean() / _WIDE)
    covariance = np.cov(draws.T)
    return Handicap(contests, values, draws.std(axis=0, ddof=1), values + low, values + high, covariance, slope, steps)


def margin_handicap(rows: pl.DataFrame, factors: Sequence[str], level: float = LEVEL) -> pl.DataFrame:
    """Handicaps that make expected margins equal: less the adjusted effects on VP, with the columns of ``Handicap.table``."""
    tables = []
    for name in factors:
        found = adjusted_effects(rows, [name], "vp", [*factors, "seat"]).table(level)
        tables.append(
            found.select(
                pl.lit(name).alias("factor"),
                pl.col(name).cast(pl.String).alias("level"),
                "n",
                "blocks",
                -pl.col("value"),
                "se",
                low=-pl.col("high"),
                high=-pl.col("low"),
            )
        )
    return pl.concat(tables)


def _stepped(contests: Contests, values: Any, move: Any, gap: Any) -> Any:
    """Values after a Newton step, halved until it helps: what is looked for is the minimum of a convex function."""
    before = _potential(contests, values)
    while True:
        after = _centred(contests, values + move)
        if _potential(contests, after) <= before + 1e-4 * float(move @ gap) or np.abs(move).max() < 1e-3:
            return after
        move = move / 2


def _potential(contests: Contests, values: Any) -> float:
    """A convex function of the handicaps whose derivative is the excess of win shares."""
    scores = contests.added(values)
    most = scores.max(axis=1)
    soft = most + SCALE * np.log(np.exp((scores - most[:, None]) / SCALE).sum(axis=1))
    return float((soft - scores.mean(axis=1)).sum())


def _centred(contests: Contests, values: Any) -> Any:
    """Values with mean 0 within each factor."""
    out = values.copy()
    for part in contests.offsets().values():
        out[part] -= out[part].mean()
    return out


def _sums(contests: Contests, values: Any) -> Any:
    """Sum of a value over the seats of each level, of all factors in one vector."""
    return np.concatenate(
        [
            np.bincount(contests.codes[name].ravel(), weights=values.ravel(), minlength=len(levels))
            for name, levels in contests.levels.items()
        ]
    )


def _derivative(contests: Contests, scores: Any, scale: float) -> Any:
    """How the sums of softened win shares of all levels change with the handicaps of all levels."""
    places = contests.offsets()
    size = sum(map(len, contests.levels.values()))
    shares = soft_win_shares(scores, scale)
    out = np.zeros(size * size)
    for i in range(contests.n_seats):
        for j in range(contests.n_seats):
            pull = shares[:, i] * ((i == j) - shares[:, j]) / scale
            for one, first in places.items():
                for other, second in places.items():
                    cell = (contests.codes[one][:, i] + first.start) * size + contests.codes[other][:, j] + second.start
                    out += np.bincount(cell, weights=pull, minlength=size * size)
    return out.reshape(size, size)


def _bootstrap(contests: Contests, excess: Any, inverse: Any, seed: int, resamples: int) -> Any:
    """How far the solution moves in each resample of whole blocks: resamples x levels."""
    n_blocks = int(contests.block.max()) + 1
    size = len(inverse)
    table = np.zeros(n_blocks * size)
    for name, part in contests.offsets().items():
        cell = contests.block[:, None] * size + contests.codes[name] + part.start
        table += np.bincount(cell.ravel(), weights=excess.ravel(), minlength=n_blocks * size)
    by_block = table.reshape(n_blocks, size)
    random = np.random.default_rng(seed)
    even = np.full(n_blocks, 1 / n_blocks)
    moves = []
    for _ in range(-(-resamples // _AT_ONCE)):
        weights = random.multinomial(n_blocks, even, size=_AT_ONCE) - 1.0
        moves.append(_centred_rows(contests, -(weights @ by_block) @ inverse.T))
    return np.concatenate(moves)


def _centred_rows(contests: Contests, rows: Any) -> Any:
    for part in contests.offsets().values():
        rows[:, part] -= rows[:, part].mean(axis=1, keepdims=True)
    return rows
