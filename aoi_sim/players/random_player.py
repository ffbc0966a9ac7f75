"""`random`: uniform over the kinds of action, then over the actions of the kind."""

import random

from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import State
from aoi_sim.players.drawing import random_action


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
        return random_action(self._random, actions)
