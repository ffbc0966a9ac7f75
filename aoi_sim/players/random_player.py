"""`random`: uniform over the kinds of action, then over the actions of the kind."""

import random

from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import State


class RandomPlayer:
    """Picks a kind of action among those that are legal, then an action of that kind, each with equal chance.

    The many hexes that may be dug thus weigh no more than the one way to buy a track step, and games stay varied.
    """

    def __init__(self, seat: int, seed: int) -> None:
        self.name = "random"
        self.seat = seat
        self._random = random.Random(seed).random

    def choose(self, state: State, actions: list[Action]) -> Action:
        """A random kind, then a random action of it."""
        n = len(actions)
        if n == 1:
            return actions[0]
        kinds = [action[0] for action in actions]
        draw = self._random
        count = kinds.count(kinds[0])
        if count == n:
            return actions[int(draw() * n)]
        found = list(dict.fromkeys(kinds))
        kind = found[int(draw() * len(found))]
        count = kinds.count(kind)
        first = kinds.index(kind)
        if count == 1:
            return actions[first]
        pick = int(draw() * count)
        if kinds[first : first + count].count(kind) == count:  # the usual case: they stand side by side
            return actions[first + pick]
        return [action for action in actions if action[0] == kind][pick]
