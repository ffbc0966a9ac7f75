"""What every player is: a name and a choice among the legal actions."""

from typing import Protocol

from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import State


class Player(Protocol):
    """A scripted player of one seat.

    A player never changes the state it is shown (it may `clone` it), draws chance only from a `random.Random` of its
    own, and so chooses the same action when it meets the same game with the same seed.

    A player that plans ahead may have a method ``restrict(restriction)``: it is told before its first choice when its seat
    may not, or must, take a component (``players/restriction.py``). Others need none: they are shown no forbidden action.

    Attributes:
        name: the name of its heuristic.
    """

    name: str

    def choose(self, state: State, actions: list[Action]) -> Action:
        """One of the legal actions of the seat to move.

        Args:
            state: the game, not to be changed.
            actions: its legal actions, at least one.
        """
        ...
