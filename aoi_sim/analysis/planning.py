"""How many games a wanted standard error needs, from the spread of a pilot run or of one stored with the package.

The spread of a faction is the standard deviation of its margin over the blocks in which it plays: a mean over ``k`` such
blocks has a standard error of spread / sqrt(k). A plan that has it in a share of its blocks needs k / share blocks.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil, sqrt
from pathlib import Path
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.margins import margin_by_faction, paired_difference_by_faction

STORED: Final = Path(__file__).with_name("planning.toml")


@dataclass(frozen=True, slots=True)
class Spreads:
    """Spreads of margins in VP, and where they come from.

    Attributes:
        factions: by faction; in a paired run of its difference, the largest over the levels.
        pairing: of a faction on a board, the root of the mean square over the pairings; None where it is not known.
        source: in words.
        paired: whether they are those of paired differences.
    """

    factions: Mapping[str, float]
    pairing: float | None
    source: str
    paired: bool = False


def pilot_spreads(rows: pl.LazyFrame, levels: tuple[str, ...], source: str) -> Spreads:
    """The spreads of a run; of differences if it is paired.

    Args:
        rows: made by ``margin_rows``.
        levels: names of the levels, empty if the run is not paired.
        source: what to call it.
    """
    if levels:
        return Spreads(_spreads(paired_difference_by_faction(rows, levels)), None, source, paired=True)
    cells = margin_by_faction(rows, ["faction", "board"]).filter(pl.col("quantity") == "margin").drop_nulls("se")
    squares = (cells["se"] ** 2 * cells["blocks"]).to_list()
    pairing = sqrt(sum(squares) / len(squares)) if squares else None
    return Spreads(_spreads(margin_by_faction(rows)), pairing, source)


def _spreads(table: pl.DataFrame) -> dict[str, float]:
    margins = table.filter(pl.col("quantity") == "margin").drop_nulls("se")
    found: dict[str, float] = {}
    for faction, se, blocks in margins.select("faction", "se", "blocks").iter_rows():
        found[faction] = max(found.get(faction, 0.0), se * sqrt(blocks))
    return found


def stored_spreads(n_players: int) -> Spreads:
    """The spreads stored with the package for a number of players (``planning.toml``).

    Raises:
        KeyError: none are stored for it.
    """
    entry = _stored()["players"][str(n_players)]
    source = (
        f"{entry['games']} balanced games of {n_players} {entry['heuristic']} players, aoi-sim {entry['version']}, "
        f"edition {entry['edition']}, seed {entry['seed']}"
    )
    return Spreads(entry["factions"], entry["pairing"], source)


@cache
def _stored() -> dict[str, Any]:
    return tomllib.loads(STORED.read_text(encoding="utf-8"))


def standard_error(spread: float, share: float, n_blocks: int) -> float | None:
    """Standard error of a mean over the blocks of a plan, a share of which count; None where hardly one does."""
    return spread / sqrt(share * n_blocks) if share * n_blocks >= 1 else None


def blocks_needed(spread: float, share: float, se: float) -> int:
    """Blocks of a plan until the mean over the share of them that count has the standard error ``se``."""
    return ceil((spread / se) ** 2 / share - 1e-9)
