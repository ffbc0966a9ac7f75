"""The bids of a study of fair starts as a file, and bids for the bundles of a table."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.bids import chances
from aoi_sim.rules.schema import PLAYER_COUNTS
from aoi_sim.studies.study_folder import StudyError

FILE_NAME: Final = "bids.json"
_FORMAT: Final = "aoi-sim bids"


@dataclass(frozen=True)
class Bids:
    """What a study of fair starts says about any table.

    Attributes:
        n_players: of the games behind it.
        map: side of the map.
        edition: of the rules; ``rules`` their hash, ``overlays`` what is laid over.
        heuristic: who played.
        n_games: of the fit.
        start: VP that everybody starts with by the rules.
        scale: of the chances to win (``bids.scale_of``).
        pairs: VP to start with above or below the mean: ``faction``, ``board``, ``value``, ``low``, ``high``.
        bonus: the same by first round bonus tile.
    """

    n_players: int
    map: str
    edition: str
    rules: str
    overlays: tuple[str, ...]
    heuristic: str
    n_games: int
    start: int
    scale: float
    pairs: tuple[dict[str, Any], ...]
    bonus: dict[str, float]

    def text(self) -> str:
        """The file."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, indent=1, ensure_ascii=False) + "\n"

    def handicap(self, faction: str, board: str, bonus: str | None) -> dict[str, float]:
        """Handicap of a bundle: ``value``, ``low``, ``high``.

        Raises:
            StudyError: there is no bid for it.
        """
        for row in self.pairs:
            if row["faction"] == faction and row["board"] == board:
                more = self.bonus.get(bonus, 0.0) if bonus is not None else 0.0
                return {name: row[name] + more for name in ("value", "low", "high")}
        raise StudyError(f"no bid for {faction} on {board}, {FILE_NAME}, make a study with the rules of this table")


def read_bids(folder: Path) -> Bids:
    """The bids of a study's folder.

    Raises:
        StudyError: there are none, or the file is damaged.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        players = sorted(str(inner.parent) for inner in folder.glob(f"*/{FILE_NAME}"))
        if players:
            raise StudyError(f"bids of each player apart, {folder}, give one of {', '.join(players)} (--study)")
        raise StudyError(f"no bids, {path}, give the folder of a finished aoi-sim study fair (--study)")
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored.pop("format") != _FORMAT:
            raise StudyError(f"no bids, {path}, give the folder of a finished aoi-sim study fair (--study)")
        if not _is_sound(stored):
            raise TypeError("other shape")
        stored["overlays"], stored["pairs"] = tuple(stored["overlays"]), tuple(stored["pairs"])
        return Bids(**stored)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as bad:
        if isinstance(bad, StudyError):
            raise
        raise StudyError(f"damaged bids, {path}, run the study's command again") from None


def _is_sound(stored: Mapping[str, Any]) -> bool:
    """Whether every value of the file is of the kind that ``Bids`` says."""
    texts = [stored[name] for name in ("map", "edition", "rules", "heuristic")]
    texts += _list(stored["overlays"])
    wholes = [stored[name] for name in ("n_players", "n_games", "start")]
    numbers = [stored["scale"], *stored["bonus"].values()]
    for row in _list(stored["pairs"]):
        texts += [row["faction"], row["board"]]
        numbers += [row["value"], row["low"], row["high"]]
    return (
        all(isinstance(text, str) for text in texts)
        and all(type(number) is int for number in wholes)
        and all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
        and stored["n_players"] in PLAYER_COUNTS
        and stored["scale"] > 0
    )


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def bids_for(bids: Bids, bundles: Sequence[Mapping[str, str | None]]) -> pl.DataFrame:
    """What each bundle of a table is worth.

    Args:
        bids: of a study.
        bundles: ``faction``, ``board``, ``bonus`` each; as many as seats, or more to choose from.

    Returns:
        A row a bundle, the strongest first: ``faction``, ``board``, ``bonus``, ``start`` (VP with which it would be fair),
        ``low``, ``high``, ``bid`` (VP that it is worth more than the weakest bundle here), ``chance`` to win at this table
        without bids, with more bundles than seats on average over who else is taken.
    """
    found = [bids.handicap(str(row["faction"]), str(row["board"]), row["bonus"]) for row in bundles]
    strength = np.array([-one["value"] for one in found])
    table = pl.DataFrame(
        {
            "faction": [row["faction"] for row in bundles],
            "board": [row["board"] for row in bundles],
            "bonus": pl.Series([row["bonus"] for row in bundles], dtype=pl.String),
            "start": [bids.start + one["value"] for one in found],
            "low": [bids.start + one["low"] for one in found],
            "high": [bids.start + one["high"] for one in found],
            "bid": strength - strength.min(),
            "chance": _chances(strength, bids),
        }
    )
    return table.sort("bid", descending=True, maintain_order=True)


def _chances(strength: Any, bids: Bids) -> list[float]:
    """Chance of each bundle, on average over the others that may be at the table."""
    total = np.zeros(len(strength))
    times = np.zeros(len(strength))
    for chosen in combinations(range(len(strength)), min(bids.n_players, len(strength))):
        there = list(chosen)
        total[there] += chances(strength[there][None, :], bids.scale)[0]
        times[there] += 1
    return [float(value) for value in total / times]
