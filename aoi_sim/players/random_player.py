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
        last = dict(zip(kinds, range(n), strict=False))  # the kinds in order of appearance, each with its last place
        draw = self._random
        if len(last) == 1:
            return actions[int(draw() * n)]
        kind = list(last)[int(draw() * len(last))]
        count = kinds.count(kind)
        end = last[kind] + 1
        pick = int(draw() * count)
        if kinds.index(kind) == end - count:  # the usual case: the kind's actions stand side by side
            return actions[end - count + pick]
        return [action for action in actions if action[0] == kind][pick]
