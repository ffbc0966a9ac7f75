"""Plans of a turn: what could be done, conversions included, and what each is worth."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.build import bridge_places, has_piece
from aoi_sim.engine.cities import river_options
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.legal import can_change, column_disciplines, innovation_price, power_price
from aoi_sim.engine.state import State
from aoi_sim.players.restriction import Restriction
from aoi_sim.players.weighted.chains import EVERYTHING, NOTHING, Plan, value_chains, value_of, worth_of
from aoi_sim.players.weighted.gains import Gains
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.purse import Price, Purse, can_pay, conversions_of, pay, purse_of
from aoi_sim.rules import vocabulary as v

_WORTHWHILE: Final = 2500
"""A plan that cannot be paid yet must bring so much to count as what may follow."""
_MOST_LACKING: Final = 3
"""So many books of an innovation's price may come from power."""


class Planner:
    """Lists the plans of a seat; none of it asks whose turn it is.

    Args:
        state: the position.
        i: the seat.
        prices: its prices.
        convert: whether it may convert now.
        restriction: what it may not, or must, do.
        memory: what is known of the seat, renewed for this decision.

    Attributes:
        is_due: whether the restriction asks for one of the plans now, whatever it is worth.
    """

    def __init__(
        self,
        state: State,
        i: int,
        prices: Prices,
        convert: bool = True,
        restriction: Restriction | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self.gains = Gains(state, i, prices, memory)
        self.pos = self.gains.pos
        self.plans: list[Plan] = []
        self.convert = convert
        self.restriction = restriction
        self.is_due = False
        self.purse = purse_of(self.seat)
        self._hoped_purse: Purse | None = None
        self._gaining_actions: list[tuple[Action, Price]] | None = None

    # Paying.

    def price(self, coins: int, tools: int, scholars: int) -> Price:
        """A price with how it is paid now."""
        return self.priced(Price(coins, tools, scholars))

    def priced(self, price: Price) -> Price:
        """Look at how a price is paid now, and if it cannot be whether the gains of other actions could pay it."""
        price.paid = pay(self.p, self.purse, price, self.convert)
        price.in_reach = price.paid is not None or can_pay(self._hoped(), price, self.convert)
        return price

    def _hoped(self) -> Purse:
        """The purse with what all actions that are left would add."""
        hoped = self._hoped_purse
        if hoped is None:
            hoped = purse_of(self.seat)
            for action, _ in self._gaining():
                hoped.gain(self.p.resources[action[1]])
            self._hoped_purse = hoped
        return hoped

    def _add(self, brings: int, action: Action, price: Price, gain: tuple[int, int, int, int] = NOTHING) -> None:
        """Add a plan, if it can be paid or would be worth waiting for."""
        if price.paid is not None or brings > _WORTHWHILE:
            self.plans.append(Plan(brings, action, price, gain))

    # What there is to do.

    def all(self) -> list[Plan]:
        """All plans of a turn but passing that can be paid now, best first, each valued with the best to follow it."""
        plans = self.valued(EVERYTHING)
        plans.sort(key=value_of)
        return plans

    def valued(self, within: int) -> list[Plan]:
        """All plans of a turn but passing that can be paid now, by worth, valued with the best to follow them.

        Args:
            within: those that are worth so much less than the most valued one may have rough values, too low; 0 if only
                that one is asked for.
        """
        self._workshops()
        self._upgrades()
        self._tracks()
        self._scholars()
        self._innovations()
        self._power_and_books()
        self._own_tiles()
        if self.restriction is not None:
            self._restrict(self.restriction)
        plans = [plan for plan in self.plans if plan.price.paid is not None]
        plans.sort(key=worth_of)
        unpaid = [plan for plan in self.plans if plan.price.paid is None]
        value_chains(plans, unpaid, self.p, self.purse, self.convert, within)
        return plans

    def _restrict(self, restriction: Restriction) -> None:
        """Drop the plans that a restriction forbids; keep those alone that serve what must be done and can be paid."""
        state, i = self.state, self.i
        self.plans = [plan for plan in self.plans if not restriction.forbids(state, i, plan.action)]
        if restriction.is_due(state, i):
            paid = [plan for plan in self.plans if plan.price.paid is not None]
            taking = [plan for plan in paid if restriction.takes(plan.action)]
            serving = taking or [plan for plan in paid if restriction.serves(state, i, plan.action)]
            if serving:
                self.plans = serving
                self.is_due = True

    def actions(self, plan: Plan) -> list[Action]:
        """The conversions of a plan and its action."""
        if plan.price.paid is None:
            return []
        steps = conversions_of(self.state.tables, plan.price.paid, plan.price.books)
        return [] if steps is None else [*steps, plan.action]

    def _workshops(self) -> None:
        t = self.state.tables
        spade = t.spade_tools[self.seat.terraforming]
        piece = has_piece(self.state, self.i, v.WORKSHOP)
        dig_only = self.p.dig_only_pct != 0 and not (piece and self.seat.coins >= t.workshop_coins)
        spades = mode = -1
        building: Price | None = None
        digging: Price | None = None
        for site in self.gains.sites():
            if site.spades != spades or site.mode != mode:
                # The sites come sorted, so a price is worked out for many of them at once.
                spades, mode = site.spades, site.mode
                tools, scholars = self.gains.way(mode)
                tools += spades * spade
                building = self.price(t.workshop_coins, tools + t.workshop_tools, scholars) if piece else None
                digging = self.price(0, tools, scholars) if spades and dig_only else None
            if building is not None and building.in_reach:
                action: Action = (a.TRANSFORM, site.h, self.seat.home, mode)
                if not spades:
                    action = (a.BUILD, site.h, 0, mode)
                self._add(self.gains.site_worth(site), action, building)
            if digging is not None and digging.in_reach:
                self._add(self.gains.dig_only(site), (a.TRANSFORM, site.h, self.seat.home, mode), digging)

    def _upgrades(self) -> None:
        t = self.state.tables
        for kind in range(1, 6):
            mask = self.seat.pieces[kind]
            if not mask:
                continue
            hexes = bits(mask)
            for up in t.upgrades[kind]:
                if not has_piece(self.state, self.i, up.to):
                    continue
                alone = self.price(up.coins, up.tools, 0)
                beside = alone if up.coins_beside == up.coins else self.price(up.coins_beside, up.tools, 0)
                if not alone.in_reach and not beside.in_reach:
                    continue
                for h in hexes:
                    price = beside if self.pos.beside(h) else alone
                    if price.in_reach:
                        self._add(self.pos.upgrade(h, up.to), (a.UPGRADE, h, up.to, 0), price)

    def _tracks(self) -> None:
        t = self.state.tables
        seat = self.seat
        if seat.sailing < t.sailing_max:
            s, w, c = t.sailing_cost
            price = self.price(c, w, s)
            if price.in_reach:
                self._add(self.gains.track(True), (a.ADVANCE, a.SAILING, 0, 0), price)
        if seat.terraforming < t.terraforming_max:
            s, w, c = t.board_terraforming_cost[seat.board]
            price = self.price(c, w, s)
            if price.in_reach:
                self._add(self.gains.track(False), (a.ADVANCE, a.TERRAFORMING, 0, 0), price)

    def _scholars(self) -> None:
        price = self.price(0, 0, 1)
        if not price.in_reach:
            return
        state = self.state
        t = state.tables
        sent = self.pos.events.worth(v.EV_SCHOLAR_SENT, -1)
        n = len(t.scholar_places)
        for d in range(4):
            best = 0
            for k in range(n):
                if state.places[d * n + k] < 0 and t.scholar_places[k] > best:
                    best = t.scholar_places[k]
            if best:
                self._add(self.pos.science.steps(d, best) + sent + self.p.send_extra, (a.SEND, d, best, 0), price)
            back = self.p.scholar // 6 if self.seat.scholar_supply <= 1 else 0
            self._add(self.pos.science.steps(d, t.return_steps) + sent + back, (a.RETURN, d, 0, 0), price)

    def _innovations(self) -> None:
        state = self.state
        t = state.tables
        seat = self.seat
        if len(seat.innovations) >= t.innovation_limit:
            return
        n, coins = innovation_price(state, seat)
        held = seat.books
        total = held[0] + held[1] + held[2] + held[3]
        missing = n - total
        if missing > _MOST_LACKING:
            return
        event = self.pos.innovation_event()
        for cid, column in state.innovations:
            columns = column_disciplines(state, column)
            own = 0
            for d in columns:
                if held[d] < t.innovation_own_books:
                    own += t.innovation_own_books - held[d]
            if own > _MOST_LACKING:
                continue
            lacking: list[int] = []
            for d in columns:
                lacking += [d] * max(0, t.innovation_own_books - held[d])
            if missing > own:
                lacking += [columns[0]] * (missing - own)
            price = self.priced(Price(coins, 0, 0, 0, lacking))
            if price.in_reach:
                worth = event + self.gains.gain(t.components[cid].once) + self.p.owning(state, self.i, cid)
                worth -= (n - len(lacking)) * self.p.book + self.pos.books().paid(total)
                self._add(worth, (a.INNOVATE, cid, 0, 0), price)

    def _gaining(self) -> list[tuple[Action, Price]]:
        """Power, book and special actions that are left and would change something, with their prices."""
        found = self._gaining_actions
        if found is not None:
            return found
        found = []
        state = self.state
        seat = self.seat
        t = state.tables
        power = seat.bowl3 + seat.bowl2 // 2
        for k, cid in enumerate(t.kinds[v.K_POWER_ACTION]):
            if not state.used_power >> k & 1:
                cost = power_price(state, seat, cid)
                if cost <= power and can_change(state, self.i, t.components[cid].action):
                    found.append(((a.POWER, cid, 0, 0), Price(0, 0, 0, cost)))
        total = seat.books[0] + seat.books[1] + seat.books[2] + seat.books[3]
        for k, cid in enumerate(state.book_actions):
            c = t.components[cid]
            if not state.used_book >> k & 1 and total + 2 >= c.cost and can_change(state, self.i, c.action):
                found.append(((a.BOOK, cid, 0, 0), Price(0, 0, 0, 0, [0] * max(0, c.cost - total))))
        if self.restriction is not None:
            found = [(x, price) for x, price in found if not self.restriction.forbids(state, self.i, x)]
        for cid in seat.specials:
            c = t.components[cid]
            if not seat.used >> c.special & 1 and can_change(state, self.i, c.action):
                found.append(((a.SPECIAL, cid, 0, 0), Price(0, 0, 0)))
        self._gaining_actions = found
        return found

    def _power_and_books(self) -> None:
        components = self.state.tables.components
        event = self.pos.events.worth(v.EV_POWER_ACTION, -1) + self.p.power_action_extra
        for action, price in self._gaining():
            self.priced(price)
            if not price.in_reach:
                continue
            c = components[action[1]]
            worth = self.gains.gain(c.action)
            if action[0] == a.POWER:
                worth += event + self.p.surcharge[action[1]]
            elif action[0] == a.BOOK:
                paid = c.cost - len(price.books)
                worth += self.p.surcharge[action[1]] - paid * self.p.book - self.pos.books().paid(paid)
            self._add(worth, action, price, self.p.resources[action[1]])

    def _own_tiles(self) -> None:
        state = self.state
        seat = self.seat
        if seat.bridge_tools >= 0 and seat.bridge_supply:
            price = self.price(0, seat.bridge_tools, 0)
            if price.in_reach:
                for x, y in bridge_places(state, self.i, state.geometry.lines):
                    self._add(self.gains.bridge(x, y), (a.BRIDGE, x, y, 0), price)
        if seat.annexes:
            free = self.price(0, 0, 0)
            for h in bits(seat.own & ~seat.annexed):
                t = state.tables
                worth = self.pos.cities().with_more(h, t.annex_power, t.annex_size, state.building[h]) - self.p.annex
                self._add(worth, (a.ANNEX, h, 0, 0), free)
        if seat.river_city and state.tables.found_in_turn:
            free = self.price(0, 0, 0)
            for r in river_options(state, self.i):
                self._add(self.pos.city_gain(), (a.FOUND, r, 0, 0), free)
