"""Plans of a turn and the chains that they begin: what may follow with what is left."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.purse import Price, Purse, cost, pay

NONE: Final = -1_000_000_000
NOTHING: Final = (0, 0, 0, 0)
EVERYTHING: Final = 1_000_000_000
"""Within so much every plan is valued."""


class Plan:
    """An action with what it brings, its price, and once paid the conversions it needs.

    Attributes:
        brings: worth of the action, its price left out. `worth`: price taken off.
        price: what it costs, with how it is paid now.
        gain: what it adds to the purse: coins, tools, scholars, power.
        value: worth with the best plan that may follow.
        key: what only one plan of a chain can have (`key_of`). `bit`: a bit for each key; both for those that may follow.
    """

    def __init__(self, brings: int, action: Action, price: Price, gain: tuple[int, int, int, int]) -> None:
        self.brings = brings
        self.action = action
        self.price = price
        self.worth = brings - price.paid.worth if price.paid is not None else NONE
        self.gain = gain
        self.value = self.worth
        self.key = 0
        self.bit = 0


def key_of(action: Action) -> int:
    """What an action takes from others: actions with the same key exclude each other."""
    kind, x, y, _ = action
    if kind in (a.TRANSFORM, a.BUILD, a.UPGRADE, a.ANNEX):
        kind, y = a.BUILD, 0
    elif kind == a.INNOVATE:
        x = y = 0
    elif kind in (a.SEND, a.RETURN, a.ADVANCE):
        y = 0
    return (kind + 1 << 12 | x) << 12 | y


def value_chains(plans: list[Plan], unpaid: list[Plan], p: Prices, purse: Purse, convert: bool, within: int) -> None:
    """Value the best plans, each with the best ones that what is left can pay, one after the other.

    Args:
        plans: those that can be paid now, best first.
        unpaid: others that are worth waiting for.
        p: the prices.
        purse: what the seat holds.
        convert: whether the seat may convert now.
        within: plans that cannot come so close to the most valued one keep their worth as value.
    """
    width = p.pair_width
    if not p.pair_pct or width < 2:
        return
    later = sorted(unpaid, key=brings_of)[: width // 2]
    for plan in later:
        plan.worth = plan.brings - cost(p, purse, plan.price)
    more = plans[:width] + later
    more.sort(key=worth_of)
    for k, plan in enumerate(more):
        plan.key = key_of(plan.action)
        plan.bit = _bit_of(plan.key, more) or 1 << k
    hoped = _hoped(0, more, p)
    most = NONE
    for k, first in enumerate(plans):
        paid = first.price.paid
        if paid is None or (k >= width and first.gain == NOTHING):
            continue
        if first.worth + hoped <= most - within:
            break
        bit = first.bit if k < width else _bit_of(key_of(first.action), more)
        if first.worth + _hoped(bit, more, p) <= most - within:
            continue
        if first.gain != NOTHING:
            left = paid.left(purse)
            left.gain(first.gain)
        else:
            # The same purse for all with this price, so that what follows is priced once.
            left = paid.rest or paid.left(purse)
            paid.rest = left
        first.value = first.worth + _followed(bit, more, p, left, convert)
        if first.value > most:
            most = first.value


def _bit_of(key: int, more: list[Plan]) -> int:
    """The bit of a key, 0 if no plan has it yet."""
    for plan in more:
        if plan.key == key:
            return plan.bit
    return 0


def _hoped(taken: int, more: list[Plan], p: Prices) -> int:
    """What may follow at most when keys are taken: the best others, as if all could be paid."""
    total = 0
    share = p.pair_pct
    left = p.chain
    for plan in more:
        if not left or plan.worth <= 0:
            break
        if not plan.bit & taken:
            total += plan.worth * share // 100
            share = share * p.chain_pct // 100
            left -= 1
    return total


def _followed(taken: int, more: list[Plan], p: Prices, purse: Purse, convert: bool) -> int:
    """Worth of the plans that may follow, best first, as far as a purse pays them, each at a smaller share."""
    total = 0
    share = p.pair_pct
    for step in range(p.chain):
        best: Plan | None = None
        most = 0
        for plan in more:
            if plan.worth <= most:
                break
            if plan.bit & taken:
                continue
            worth = plan.brings - plan.price.worth_from(p, purse, convert)
            if worth > most:
                most = worth
                best = plan
        if best is None:
            break
        total += most * share // 100
        paid = pay(p, purse, best.price, convert) if step + 1 < p.chain else None
        if paid is None:
            break
        share = share * p.chain_pct // 100
        purse = paid.left(purse)
        if best.gain != NOTHING:
            purse.gain(best.gain)
        taken |= best.bit
    return total


def brings_of(plan: Plan) -> int:
    """Sort key: what brings most first."""
    return -plan.brings


def worth_of(plan: Plan) -> int:
    """Sort key: the worthiest first."""
    return -plan.worth


def most_valued(plans: list[Plan]) -> Plan:
    """The most valued plan, the first of equal ones."""
    best = plans[0]
    for plan in plans:
        if plan.value > best.value:
            best = plan
    return best


def value_of(plan: Plan) -> int:
    """Sort key: the most valued first."""
    return -plan.value
