"""`apply_action`: one legality test, one way into the state."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.answer import answer
from aoi_sim.engine.flow import advance, end_turn
from aoi_sim.engine.legal import compute_legal
from aoi_sim.engine.reasons import illegal
from aoi_sim.engine.setup_actions import apply_setup
from aoi_sim.engine.state import P_ACTIONS, State
from aoi_sim.engine.turn import act


def apply_action(state: State, action: Action) -> None:
    """Apply an action of the seat to move and go on to the next decision.

    Args:
        state: changed in place.
        action: one of `legal_actions(state)`.

    Raises:
        IllegalAction: with the rule that forbids it; the state is as it was.
    """
    if action not in compute_legal(state):
        raise illegal(state, action)
    state.legal = None
    if state.stack:
        answer(state, action)
    elif state.phase == P_ACTIONS:
        if action[0] == a.END:
            end_turn(state)
        else:
            act(state, action)
    else:
        apply_setup(state, action)
    advance(state)
    state.n_decisions += 1
