"""`explorer`: for tests; prefers what it has done least so far."""

import random

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import State

# Kinds whose first number is a component: each component is counted apart.
_OF_COMPONENT = frozenset(
    (a.INNOVATE, a.POWER, a.BOOK, a.SPECIAL, a.PASS, a.COMPETENCY, a.PALACE, a.CITY, a.BUNDLE, a.DRAFT, a.BONUS)
)
# Kinds told apart by their first number: track, discipline, conversion.
_BY_FIRST = frozenset((a.ADVANCE, a.RETURN, a.CONVERT, a.STEP))
# Kinds that end or decline something, and kinds that give things away; chosen now and then only, so that the game
# gets somewhere first.
_STOPS = frozenset((a.PASS, a.END, a.DECLINE))
_BURNS = frozenset((a.CONVERT, a.SACRIFICE))
_STOP_SHARE = 0.06
_BURN_SHARE = 0.10


class ExplorerPlayer:
    """Prefers the action whose kind, component and ability it has used least in its games so far.

    Kinds, components and modes (tunnel, flight, building kinds) are counted by the player itself; ties are broken by
    its own chance. It passes, ends, declines, converts and sacrifices now and then only, or when there is nothing
    else, since a game of little else would meet few components.
    """

    def __init__(self, seat: int, seed: int) -> None:
        self.name = "explorer"
        self.seat = seat
        self._random = random.Random(seed).random
        self._used: dict[tuple[int, int, int], int] = {}

    def choose(self, state: State, actions: list[Action]) -> Action:
        """The least used action; what stops or burns only with a small chance, or when there is nothing else."""
        if len(actions) == 1:
            return self._take(actions[0])
        pool = self._pool(actions)
        least = -1
        best: list[Action] = []
        used = self._used
        for action in pool:
            n = used.get(_trait(action), 0)
            if least < 0 or n < least:
                least = n
                best = [action]
            elif n == least:
                best.append(action)
        return self._take(best[int(self._random() * len(best))])

    def _pool(self, actions: list[Action]) -> list[Action]:
        """The actions to choose from: seldom what stops or burns, else what does something, else what stops."""
        drawn = self._random()
        stops = [action for action in actions if action[0] in _STOPS]
        burns = [action for action in actions if action[0] in _BURNS]
        if burns and drawn < _BURN_SHARE:
            return burns
        if stops and drawn > 1.0 - _STOP_SHARE:
            return stops
        if len(stops) + len(burns) < len(actions):
            return [action for action in actions if action[0] not in _STOPS and action[0] not in _BURNS]
        return stops or burns

    def _take(self, action: Action) -> Action:
        trait = _trait(action)
        self._used[trait] = self._used.get(trait, 0) + 1
        return action


def _trait(action: Action) -> tuple[int, int, int]:
    """What is counted of an action: its kind with the component, or with what sets its ability apart."""
    kind, first, second, third = action
    if kind in _OF_COMPONENT or kind in _BY_FIRST:
        return kind, first, -1
    if kind == a.RESOLVE:
        return kind, first, second
    if kind == a.SEND:
        return kind, first, second
    if kind in (a.TRANSFORM, a.BUILD):
        return kind, -1, third
    if kind == a.UPGRADE:
        return kind, second, -1
    if kind == a.PLACE:
        return kind, second, third
    if kind in (a.BOOKS, a.PAY):
        return kind, first, -1
    return kind, -1, -1
