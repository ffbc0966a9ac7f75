"""Seeded noise: a weighted player that now and then takes a plan which it holds a little worse.

The chance of a plan halves with every `temperature` thousandths of a VP that it is worth less than the best: a softmax in
base 2, in whole numbers only, so that every machine and every build draws the same plan from the same seed.
"""

import random
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import P_ACTIONS, S_AFTER, State
from aoi_sim.players.restriction import Restriction
from aoi_sim.players.weighted.chains import EVERYTHING
from aoi_sim.players.weighted.lessons import TURN
from aoi_sim.players.weighted.player import WeightedPlayer

# 2**30 * 2**(-k/16), rounded: the halves and what lies between them.
_SIXTEENTHS: Final = (
    1073741824,
    1028218693,
    984625594,
    942880699,
    902905651,
    864625413,
    827968132,
    792865000,
    759250125,
    727060411,
    696235434,
    666717336,
    638450708,
    611382493,
    585461881,
    560640218,
)
_MOST_PLANS: Final = 12


class NoisyPlayer:
    """A weighted player with chance in its turns; set-up and pending decisions stay as they were.

    Args:
        player: whose plans are drawn from.
        temperature: thousandths of a VP by which a plan that is half as likely is worse; above 0.
        seed: seed of the chance.
    """

    def __init__(self, player: WeightedPlayer, temperature: int, seed: int) -> None:
        self.name = player.name
        self._player = player
        self._temperature = temperature
        self._random = random.Random(seed)
        self._steps: list[Action] = []

    def restrict(self, restriction: Restriction) -> None:
        """Tell the weighted player, whose plans are drawn from."""
        self._player.restrict(restriction)

    def choose(self, state: State, actions: list[Action]) -> Action:
        """In a turn a plan drawn from the best ones (or the pass), else what the weighted player chooses."""
        if len(actions) == 1:
            return actions[0]
        if state.stack or state.phase != P_ACTIONS or state.stage == S_AFTER:
            return self._player.choose(state, actions)
        if self._steps and self._steps[0] in actions:
            return self._steps.pop(0)
        self._steps = []
        return self._turn(state, actions)

    def _turn(self, state: State, actions: list[Action]) -> Action:
        player = self._player
        options = player.options(state, actions, EVERYTHING, _MOST_PLANS)
        if player.learned(state, state.active, TURN) and len(options) > 1:
            player.judge(state, state.active, TURN).ask(options)
        option = options[draw(self._random, [option.worth for option in options], self._temperature)]
        if option.steps[0][0] == a.PASS:
            return player.passing(state, state.active, actions)
        self._steps = option.steps[1:]
        return option.steps[0]


def chances(worths: list[int], temperature: int) -> list[int]:
    """Shares of chance for worths in thousandths of a VP; a share halves with every ``temperature``."""
    best = max(worths)
    shares = []
    for worth in worths:
        halves, rest = divmod(best - worth, temperature)
        shares.append(_SIXTEENTHS[rest * 16 // temperature] >> halves if halves < 31 else 0)
    return shares


def draw(chance: random.Random, worths: list[int], temperature: int) -> int:
    """Index of a worth drawn by ``chances``."""
    shares = chances(worths, temperature)
    left = chance.randrange(sum(shares))
    for k, share in enumerate(shares):
        left -= share
        if left < 0:
            return k
    return len(shares) - 1
