"""What a seat holds, apart from the state: paying with conversions, and gaining, to look an action ahead."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.seat import Seat
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.tables import Tables

_NONE2: Final = (0, 0)
_NONE3: Final = (0, 0, 0)
_NO_BOOKS: Final[list[int]] = []
_IMPOSSIBLE: Final = (-1, 0, 0, 0, 0)
UNPAYABLE: Final = 1_000_000_000
"""Worth of a price that cannot be paid."""


class Purse:
    """Coins, tools, scholars, bowls and books in number."""

    def __init__(self, coins: int, tools: int, scholars: int, supply: int, bowl1: int, bowl2: int, bowl3: int) -> None:
        self.coins = coins
        self.tools = tools
        self.scholars = scholars
        self.supply = supply
        self.bowl1 = bowl1
        self.bowl2 = bowl2
        self.bowl3 = bowl3

    def copy(self) -> "Purse":
        """Another one with the same in it."""
        return Purse(self.coins, self.tools, self.scholars, self.supply, self.bowl1, self.bowl2, self.bowl3)

    def gain(self, gain: tuple[int, int, int, int]) -> None:
        """Add coins, tools, scholars (as far as the supply goes) and power."""
        self.coins += gain[0]
        self.tools += gain[1]
        n = gain[2]
        if n:
            n = min(n, self.supply)
            self.scholars += n
            self.supply -= n
        n = gain[3]
        if n:  # POW-1
            k = min(n, self.bowl1)
            m = min(n - k, self.bowl2 + k)
            self.bowl1 -= k
            self.bowl2 += k - m
            self.bowl3 += m


def purse_of(seat: Seat) -> Purse:
    """What a seat holds now."""
    return Purse(seat.coins, seat.tools, seat.scholars, seat.scholar_supply, seat.bowl1, seat.bowl2, seat.bowl3)


class Price:
    """What an action costs: coins, tools, scholars, power, and books that must come from power first.

    Attributes:
        book_power: power for the books.
        paid: how it is paid now, None when it cannot be. in_reach: whether it can be, now or after other actions.
    """

    def __init__(self, coins: int, tools: int, scholars: int, power: int = 0, books: list[int] = _NO_BOOKS) -> None:
        self.coins = coins
        self.tools = tools
        self.scholars = scholars
        self.power = power
        self.books = books
        self.book_power = 5 * len(books)
        self.paid: Paid | None = None
        self.in_reach = False
        self._asked: Purse | None = None
        self._answer = 0

    def worth_from(self, p: Prices, purse: Purse, convert: bool) -> int:
        """Worth of what paying it takes from a purse, `UNPAYABLE` when it cannot; the last purse's is remembered."""
        if self._asked is not purse:
            self._asked = purse
            self._answer = _paid_worth(p, purse, self, convert)
        return self._answer


class Paid:
    """A price paid: its worth, how much of what came from conversions, and what leaves the purse.

    Attributes:
        power_to: scholars, tools and coins bought with power. others: tools from scholars, coins from tools.
        spent: coins, tools, scholars, power taken from the purse. `rest`: the purse that is left, once it is known.
    """

    def __init__(
        self,
        worth: int,
        burn: int,
        power_to: tuple[int, int, int],
        others: tuple[int, int],
        spent: tuple[int, int, int, int],
    ) -> None:
        self.worth = worth
        self.burn = burn
        self.power_to = power_to
        self.others = others
        self.spent = spent
        self.rest: Purse | None = None

    def left(self, purse: Purse) -> Purse:
        """What is left of the purse."""
        coins, tools, scholars, power = self.spent
        return Purse(
            purse.coins - coins,
            purse.tools - tools,
            purse.scholars - scholars,
            purse.supply + self.others[0] - self.power_to[0],
            purse.bowl1 + power,
            purse.bowl2 - 2 * self.burn,
            purse.bowl3 + self.burn - power,
        )


def pay(p: Prices, purse: Purse, price: Price, convert: bool) -> Paid | None:
    """Pay a price, converting what lacks at the least cost; None when it cannot be paid."""
    if is_held(purse, price):
        worth = cost_of(p, purse, price.coins, price.tools, price.scholars, price.power, 0)
        return Paid(worth, 0, _NONE3, _NONE2, (price.coins, price.tools, price.scholars, price.power))
    return _pay_converted(p, purse, price) if convert else None


def _pay_converted(p: Prices, purse: Purse, price: Price) -> Paid | None:
    converted = _converted(purse, price)
    new_scholars, by_power, coin_power, by_scholar, by_tool = converted
    if new_scholars < 0:
        return None
    coins, tools, scholars, power, burn = _spent(purse, price, converted)
    worth = cost_of(p, purse, coins, tools, scholars, power, burn)
    return Paid(
        worth, burn, (new_scholars, by_power, coin_power), (by_scholar, by_tool), (coins, tools, scholars, power)
    )


def _spent(purse: Purse, price: Price, converted: tuple[int, int, int, int, int]) -> tuple[int, int, int, int, int]:
    """Coins, tools, scholars and power that leave a purse, and tokens burnt, given what is converted."""
    new_scholars, by_power, coin_power, by_scholar, by_tool = converted
    need = price.book_power + 5 * new_scholars + 3 * by_power + coin_power
    bowl3 = purse.bowl3 - price.power
    burn = need - bowl3 if need > bowl3 else 0
    coins = price.coins - coin_power - by_tool
    tools = price.tools + by_tool - by_power - by_scholar
    return coins, tools, price.scholars + by_scholar - new_scholars, price.power + need, burn


def is_held(purse: Purse, price: Price) -> bool:
    """Whether a purse holds a price without conversions."""
    return (
        price.coins <= purse.coins
        and price.tools <= purse.tools
        and price.scholars <= purse.scholars
        and price.power <= purse.bowl3
        and not price.book_power
    )


def can_pay(purse: Purse, price: Price, convert: bool) -> bool:
    """Whether a purse can pay a price."""
    return is_held(purse, price) or (convert and _converted(purse, price)[0] >= 0)


def _paid_worth(p: Prices, purse: Purse, price: Price, convert: bool) -> int:
    if is_held(purse, price):
        return cost_of(p, purse, price.coins, price.tools, price.scholars, price.power, 0)
    if not convert:
        return UNPAYABLE
    converted = _converted(purse, price)
    if converted[0] < 0:
        return UNPAYABLE
    coins, tools, scholars, power, burn = _spent(purse, price, converted)
    return cost_of(p, purse, coins, tools, scholars, power, burn)


def _converted(purse: Purse, price: Price) -> tuple[int, int, int, int, int]:
    """Scholars, tools and coins to buy with power, tools from scholars, coins from tools; -1 first: impossible."""
    tools = price.tools
    scholars = price.scholars
    lack_scholars = scholars - purse.scholars if scholars > purse.scholars else 0
    if lack_scholars > purse.supply:
        return _IMPOSSIBLE
    lack_tools = tools - purse.tools if tools > purse.tools else 0
    lack_coins = price.coins - purse.coins if price.coins > purse.coins else 0
    left = purse.bowl3 - price.power + purse.bowl2 // 2 - price.book_power - 5 * lack_scholars
    if left < 0:
        return _IMPOSSIBLE
    by_power = left // 3
    if by_power > lack_tools:
        by_power = lack_tools
    by_scholar = lack_tools - by_power
    if by_scholar and by_scholar > purse.scholars - scholars:
        return _IMPOSSIBLE
    left -= 3 * by_power
    coin_power = lack_coins if lack_coins < left else left
    by_tool = lack_coins - coin_power
    if by_tool and by_tool > purse.tools - tools:
        return _IMPOSSIBLE
    return lack_scholars, by_power, coin_power, by_scholar, by_tool


def cost_of(p: Prices, purse: Purse, coins: int, tools: int, scholars: int, power: int, burn: int) -> int:
    """Worth of what leaves a purse."""
    worth = 0
    if coins:
        worth += p.coins(purse.coins, purse.tools, coins)
    if tools:
        worth += p.tools_of(purse.tools, tools)
    if scholars:
        worth += p.scholars(purse.scholars, scholars)
    if power:
        worth += power * p.spent_power
    if burn:
        worth += burn * p.burnt
    return worth


def cost(p: Prices, purse: Purse, price: Price) -> int:
    """Worth of a price as if the purse held all of it."""
    return cost_of(p, purse, price.coins, price.tools, price.scholars, price.power + price.book_power, 0)


def conversions_of(t: Tables, paid: Paid, books: list[int]) -> list[Action] | None:
    """The sacrifices and conversions of a payment, in order; None when the rules lack one of them."""
    if not books and not paid.burn and paid.power_to == _NONE3 and paid.others == _NONE2:
        return []
    steps: list[Action] = [(a.SACRIFICE, 0, 0, 0)] * paid.burn
    wanted = [
        (v.R_POWER, v.R_SCHOLAR, paid.power_to[0]),
        (v.R_POWER, v.R_TOOL, paid.power_to[1]),
        (v.R_SCHOLAR, v.R_TOOL, paid.others[0]),
        (v.R_POWER, v.R_COIN, paid.power_to[2]),
        (v.R_TOOL, v.R_COIN, paid.others[1]),
    ]
    wanted += [(v.R_POWER, v.R_BOOK + d, 1) for d in books]
    for price, gain, n in wanted:
        if n:
            index = conversion_index(t.conversions, price, gain)
            if index < 0:
                return None
            steps += [(a.CONVERT, index, 0, 0)] * n
    return steps


def conversion_index(conversions: list[tuple[int, int, int]], price: int, gain: int) -> int:
    """Index of the conversion from one resource to another, -1 when there is none."""
    for k, row in enumerate(conversions):
        if row[0] == price and row[2] == gain:
            return k
    return -1
