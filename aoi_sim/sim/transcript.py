"""The record of a played game, made from its decisions when somebody asks for it."""

from collections.abc import Sequence

from aoi_sim.engine.record import Recorder
from aoi_sim.sim.loop import DECISION_WIDTH
from aoi_sim.sim.match import Played


def record_text(heuristics: Sequence[str], played: Played) -> str:
    """The record of a game; of a failed one up to the failure, empty when it could not be set up.

    Args:
        heuristics: who played, in seat order.
        played: the game.
    """
    if played.state is None:
        return ""
    flat = played.decisions
    rows = []
    for at in range(0, len(flat), DECISION_WIDTH):
        round_, turn, seat, kind, a, b, c = flat[at : at + DECISION_WIDTH]
        rows.append((round_, turn, seat, (kind, a, b, c)))
    return Recorder(played.state, heuristics).text(rows)
