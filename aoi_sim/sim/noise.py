"""Seeded noise for the players of a run (``--noise``), and which players repeat themselves without it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from aoi_sim.players import Heuristic, HeuristicError
from aoi_sim.sim.config import PlanError

_WITHOUT_CHANCE: Final = ("greedy",)
MAX_NOISE: Final = 1_000_000


def with_noise(heuristic: Heuristic, temperature: int) -> Heuristic:
    """A weighted heuristic whose turns are drawn with a temperature (``players.noisy``); itself at 0.

    Args:
        heuristic: of kind ``weights``.
        temperature: thousandths of a VP by which a plan that is half as likely is worse.

    Raises:
        PlanError: no such temperature.
        HeuristicError: a heuristic without weights.
    """
    if not 0 <= temperature <= MAX_NOISE:
        raise PlanError(f"noise {temperature}, --noise, choose 0 to {MAX_NOISE} (thousandths of a VP)")
    if not temperature:
        return heuristic
    if heuristic.kind != "weights":
        raise HeuristicError(
            f"no weights to lay noise over, heuristic {heuristic.name}, leave out --noise or the heuristic"
        )
    return replace(heuristic, content=json.dumps({**heuristic.table(), "temperature": temperature}))


def has_chance(heuristic: Heuristic) -> bool:
    """Whether a player may play the same set-up differently with another seed; of code nobody knows, so it may."""
    if heuristic.kind == "weights":
        return bool(heuristic.table()["temperature"])
    return heuristic.kind != "built-in" or heuristic.name not in _WITHOUT_CHANCE


def refuse_repetition(replicates: int, heuristics: Sequence[Heuristic]) -> None:
    """Refuse replicates that would be the same game again.

    Raises:
        PlanError: nobody at the table has chance.
    """
    if replicates > 1 and not any(map(has_chance, heuristics)):
        raise PlanError(
            f"{replicates} replicates would be the same game, --replicates, add --noise (a temperature) or choose 1"
        )
