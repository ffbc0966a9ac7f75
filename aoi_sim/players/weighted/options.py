"""The options of a decision that lessons may judge: the plans of a turn with the pass, bonus tiles, picks, steps."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import P_ACTIONS, S_AFTER, State
from aoi_sim.players.weighted.answers import Answers
from aoi_sim.players.weighted.chains import value_of
from aoi_sim.players.weighted.lessons import CITY, COMPETENCY, PALACE, STEP, TURN
from aoi_sim.players.weighted.plans import Planner
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.purse import Price, Purse

NO_SUBJECT: Final = -1
_PASS_WITHIN: Final = 1500
"""The pass is an option of a turn beside the plans only if it is so near to the best of them: it ends the round."""
_MOST_ALIKE: Final = 3
"""So many plans of one kind of action are options of a turn."""


class Option:
    """What could be done: its steps, the conversions first.

    Attributes:
        steps: the actions.
        value: its worth with what may follow. `alone`: without. Thousandths of a VP.
        worth: by the lessons, once it is judged.
        left: what is left in the purse, for a plan of a turn. `price`: what it costs.
    """

    def __init__(
        self, steps: list[Action], value: int, alone: int, left: Purse | None = None, price: Price | None = None
    ) -> None:
        self.steps = steps
        self.value = value
        self.alone = alone
        self.worth = value
        self.left = left
        self.price = price


def subject_of(state: State, actions: list[Action]) -> int:
    """The subject of a decision, ``NO_SUBJECT`` if lessons have nothing to say."""
    if state.phase != P_ACTIONS:
        return NO_SUBJECT
    if not state.stack:
        return NO_SUBJECT if state.stage == S_AFTER else TURN
    kind = actions[0][0]
    if kind != actions[-1][0]:
        return NO_SUBJECT
    if kind == a.COMPETENCY:
        return COMPETENCY
    if kind == a.PALACE:
        return PALACE
    if kind == a.CITY:
        return CITY
    if kind == a.STEP:
        return STEP
    return NO_SUBJECT


def of_turn(
    planner: Planner, actions: list[Action], passing: Action, least: int, within: int, most: int
) -> list[Option]:
    """The plans of a turn that come within so much of the best, and the pass, most valued first.

    Args:
        planner: lists the plans.
        actions: the legal actions.
        passing: the pass, or what is done if there is none.
        least: what a plan must gain to be done rather than to pass: the value of the pass.
        within: thousandths of a VP.
        most: how many plans.
    """
    plans = planner.valued(within)
    plans.sort(key=value_of)
    options: list[Option] = []
    legal = set(actions)
    alike: dict[tuple[int, int], int] = {}
    for plan in plans:
        if options and (plan.value < options[0].value - within or len(options) >= most):
            break
        action = plan.action
        key = (action[0], action[2] if action[0] == a.UPGRADE else 0)
        n = alike.get(key, 0)
        if n >= _MOST_ALIKE:
            continue
        steps = planner.actions(plan)
        if steps and steps[0] in legal:
            alike[key] = n + 1
            paid = plan.price.paid
            left = None if paid is None else paid.left(planner.purse)
            options.append(Option(steps, plan.value, plan.worth, left, plan.price))
    if not options or (not planner.is_due and least >= options[0].value - min(within, _PASS_WITHIN)):
        options.insert(0, Option([passing], least, least))
        options.sort(key=_least_option)
    return options


def of_answers(answers: Answers, actions: list[Action], most: int) -> list[Option]:
    """The answers to a pending decision that are worth most, most valued first."""
    options = [Option([action], worth, worth) for action, worth in [(x, answers.worth(x)) for x in actions]]
    options.sort(key=_least_option)
    return options[:most]


def of_tiles(state: State, i: int, actions: list[Action], prices: Prices) -> list[Option]:
    """The passes by the worth of their bonus tiles in the next round, whose prices are given; most valued first."""
    t = state.tables
    options: list[Option] = []
    for action in actions:
        if action[0] == a.PASS:
            worth = 0
            if action[1] >= 0:
                coins = state.bonus_coins[t.components[action[1]].position]
                worth = max(0, prices.next_round_tile(state, i, action[1]) + coins * prices.coin)
            options.append(Option([action], worth, worth))
    options.sort(key=_least_option)
    return options


def _least_option(option: Option) -> int:
    return -option.value
