"""What the weighted player remembers from decision to decision never changes what anything is worth to it."""

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.setup import new_game
from aoi_sim.engine.state import P_ACTIONS, P_OVER, S_AFTER, State
from aoi_sim.players import find_heuristics
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.answers import Answers
from aoi_sim.players.weighted.memory import Memory, remembered
from aoi_sim.players.weighted.plans import Planner
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.rules import load_ruleset


def worths(
    state: State, i: int, actions: list[Action], prices: Prices, memory: Memory | None
) -> list[tuple[Action, int]]:
    """What each answer, or each plan of a turn, is worth."""
    if state.stack:
        answers = Answers(state, i, state.stack[-1], prices, memory)
        return [(action, answers.worth(action)) for action in actions]
    convert = any(action[0] in (a.CONVERT, a.SACRIFICE) for action in actions)
    return [(plan.action, plan.value) for plan in Planner(state, i, prices, convert, memory=memory).all()]


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_worths_with_memory_are_those_without(seats: int, seed: int) -> None:
    heuristic = find_heuristics(["expert"])[0]
    table = heuristic.table()
    state = new_game(load_ruleset(), seats, seed)
    players = [WeightedPlayer("expert", table["weights"], table["factions"]) for _ in range(seats)]
    memories: list[Memory | None] = [None] * seats
    compared = kept = 0
    while state.phase != P_OVER:
        i = seat_to_move(state)
        actions = legal_actions(state)
        if state.stack or (state.phase == P_ACTIONS and state.stage != S_AFTER):
            prices = players[i].prices(state, i, state.round)
            memory = remembered(memories[i], state, i, prices)
            kept += memory is memories[i]
            memories[i] = memory
            assert worths(state, i, actions, prices, memory) == worths(state, i, actions, prices, None)
            compared += 1
        apply_action(state, players[i].choose(state, actions))
    assert compared > kept > 20 * seats
