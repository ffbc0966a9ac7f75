"""The loop of a match: ask the seat to move, note what it chose, apply it. Standard library only, so that it compiles."""

from typing import Any, Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.state import P_OVER, Frame, State

DECISION_WIDTH: Final = 7
"""Ints of a decision: round, turn, seat and the action's four."""

Pick = tuple[int, list[Action], Frame]
"""A decision that may be a pick: its number, what was legal, the pending frame asked about (empty if none)."""

_PICK_KINDS: Final = (
    a.INNOVATE,
    a.PASS,
    a.COMPETENCY,
    a.PALACE,
    a.CITY,
    a.BUNDLE,
    a.DRAFT,
    a.BONUS,
    a.ACCEPT,
    a.DECLINE,
)
_IS_PICK: Final[list[bool]] = [kind in _PICK_KINDS for kind in range(a.N_KINDS)]


def play_on(state: State, players: list[Any], decisions: list[int], picks: list[Pick], most: int) -> bool:
    """Play until the game is over; both lists are up to date whatever is raised.

    Args:
        state: the game, changed in place.
        players: one for each seat.
        decisions: ``DECISION_WIDTH`` ints are added for each decision.
        picks: decisions that may be picks are added.
        most: after so many decisions it is given up.

    Returns:
        Whether the game is over.
    """
    choosers = [player.choose for player in players]
    is_pick = _IS_PICK
    for number in range(most):
        if state.phase == P_OVER:
            return True
        seat = seat_to_move(state)
        actions = legal_actions(state)
        action: Action = choosers[seat](state, actions)
        if is_pick[action[0]]:
            frame: Frame = state.stack[-1] if state.stack else ()
            picks.append((number, actions, frame))
        round_, turn = state.round, state.turn
        apply_action(state, action)
        decisions.extend((round_, turn, seat, action[0], action[1], action[2], action[3]))
    return state.phase == P_OVER
