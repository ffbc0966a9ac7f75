"""Plans of a turn: what could be done, conversions included, and what each is worth."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.board import refresh_digs, special_targets
from aoi_sim.engine.build import bridge_places, has_piece, opponent_beside
from aoi_sim.engine.cities import river_options
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.legal import can_change, column_disciplines, innovation_price, power_price
from aoi_sim.engine.resources import count
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.position import Position
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.purse import Paid, Price, Purse, conversions_of, pay, purse_of
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Gain

NONE = -1_000_000_000
_ON_HEX = (a.TRANSFORM, a.BUILD, a.UPGRADE, a.ANNEX)


class Plan:
    """An action with what it brings, its price, and once paid the conversions it needs.

    Attributes:
        brings: worth of the action, its price left out. `worth`: price taken off.
        paid: how it is paid now; None when it cannot be.
        gain: what it adds to the purse: coins, tools, scholars, power.
        value: worth with the best plan that may follow.
    """

    def __init__(self, brings: int, action: Action, price: Price, paid: Paid | None) -> None:
        self.brings = brings
        self.action = action
        self.price = price
        self.paid = paid
        self.worth = brings - paid.worth if paid is not None else NONE
        self.gain: tuple[int, int, int, int] = (0, 0, 0, 0)
        self.value = self.worth


class Site:
    """A hex where a workshop could stand: spades it needs, way there, worth without its price."""

    def __init__(self, h: int, spades: int, mode: int, worth: int) -> None:
        self.h = h
        self.spades = spades
        self.mode = mode
        self.worth = worth


class Planner:
    """Lists the plans of a seat; none of it asks whose turn it is."""

    def __init__(self, state: State, i: int, prices: Prices, convert: bool = True) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self.pos = Position(state, i, prices)
        self.plans: list[Plan] = []
        self.convert = convert
        self.purse = purse_of(self.seat)
        self._sites: list[Site] | None = None
        self._spade_event = self.pos.event(v.EV_SPADE, -1)

    # Paying.

    def add(
        self, brings: int, action: Action, coins: int, tools: int, scholars: int, power: int, books: list[int]
    ) -> Plan:
        """Add a plan: what the action brings and its price; `books`: by discipline, those that power must buy first."""
        price = Price(coins, tools, scholars, power, books)
        plan = Plan(brings, action, price, pay(self.p, self.purse, price, self.convert))
        self.plans.append(plan)
        return plan

    # What there is to do.

    def all(self) -> list[Plan]:
        """All plans of a turn but passing that can be paid now, best first, each valued with the best to follow it."""
        self._workshops()
        self._upgrades()
        self._tracks()
        self._scholars()
        self._innovations()
        self._power_and_books()
        self._own_tiles()
        plans = [plan for plan in self.plans if plan.paid is not None]
        plans.sort(key=_worth_of)
        self._pairs(plans)
        plans.sort(key=_value_of)
        return plans

    def _pairs(self, plans: list[Plan]) -> None:
        """Value each of the best plans together with the best ones that what is left can pay, one after the other."""
        width = self.p.pair_width
        if not self.p.pair_pct or width < 2:
            return
        unpaid = [plan for plan in self.plans if plan.paid is None and plan.brings > 2500]
        unpaid.sort(key=_brings_of)
        more = plans[:width] + unpaid[: width // 2]
        for k, first in enumerate(plans):
            paid = first.paid
            if paid is None or (k >= width and first.gain == (0, 0, 0, 0)):
                continue
            purse = paid.left(self.purse)
            purse.gain(first.gain)
            first.value = first.worth + self._followed(first, more, purse)

    def _followed(self, first: Plan, plans: list[Plan], purse: Purse) -> int:
        """Worth of the plans that may follow one, best first, as far as a purse pays them, each at a smaller share."""
        done = [first]
        total = 0
        share = self.p.pair_pct
        for _ in range(self.p.chain):
            best: Plan | None = None
            most = 0
            paid: Paid | None = None
            for plan in plans:
                if plan.brings <= most or not _open(done, plan):
                    continue
                after = pay(self.p, purse, plan.price, self.convert)
                if after is not None and plan.brings - after.worth > most:
                    most = plan.brings - after.worth
                    best, paid = plan, after
            if best is None or paid is None:
                break
            total += most * share // 100
            share = share * self.p.chain_pct // 100
            done.append(best)
            purse = paid.left(purse)
            purse.gain(best.gain)
        return total

    def actions(self, plan: Plan) -> list[Action]:
        """The conversions of a plan and its action."""
        if plan.paid is None:
            return []
        steps = conversions_of(self.state.tables, plan.paid, plan.price.books)
        return [] if steps is None else [*steps, plan.action]

    def sites(self) -> list[Site]:
        """All hexes where a workshop could stand, with what it would bring."""
        sites = self._sites
        if sites is None:
            sites = []
            digs = self.seat.digs
            if digs is None:
                digs = refresh_digs(self.state, self.seat)
            home = self.seat.home
            for action in self.seat.homes:
                sites.append(Site(action[1], 0, a.PLAIN, self.pos.workshop(action[1])))
            for k in range(1, 4):
                for action in digs[k]:
                    if action[2] == home:
                        worth = self.pos.workshop(action[1]) + k * self._spade_event
                        sites.append(Site(action[1], k, a.PLAIN, worth))
            self._special_sites(sites)
            self._sites = sites
        return sites

    def _special_sites(self, sites: list[Site]) -> None:
        seat = self.seat
        paths = self.state.tables.dig_paths[seat.home]
        modes: list[tuple[int, int]] = []
        if seat.tunnel_tools >= 0:
            modes.append((a.TUNNEL, self.p.vp * seat.tunnel_vp))
        if seat.flight_scholars >= 0:
            modes.append((a.FLIGHT, self.p.vp * seat.flight_vp))
        for mode, extra in modes:
            for h in bits(special_targets(self.state, self.i, mode)):
                k = len(paths[self.state.terrain[h]])
                sites.append(Site(h, k, mode, self.pos.workshop(h) + k * self._spade_event + extra))

    def way(self, mode: int) -> tuple[int, int]:
        """Tools and scholars that a tunnel or a flight costs."""
        if mode == a.TUNNEL:
            return self.seat.tunnel_tools, 0
        if mode == a.FLIGHT:
            return 0, self.seat.flight_scholars
        return 0, 0

    def _workshops(self) -> None:
        t = self.state.tables
        price = t.spade_tools[self.seat.terraforming]
        piece = has_piece(self.state, self.i, v.WORKSHOP)
        for site in self.sites():
            tools, scholars = self.way(site.mode)
            digging = site.spades * price + tools
            if piece:
                action: Action = (a.TRANSFORM, site.h, self.seat.home, site.mode)
                if not site.spades:
                    action = (a.BUILD, site.h, 0, site.mode)
                self.add(site.worth, action, t.workshop_coins, digging + t.workshop_tools, scholars, 0, [])
            if site.spades and self.p.dig_only_pct and (self.seat.coins < t.workshop_coins or not piece):
                worth = self.dig_only(site)
                self.add(worth, (a.TRANSFORM, site.h, self.seat.home, site.mode), 0, digging, scholars, 0, [])

    def dig_only(self, site: Site) -> int:
        """Worth of a dug hex without its workshop: a share of what the workshop would bring later."""
        now = site.spades * self._spade_event
        t = self.state.tables
        later = site.worth - now - t.workshop_tools * self.p.tool - t.workshop_coins * self.p.coin
        return now + max(0, later) * self.p.dig_only_pct // 100

    def best_spades(self, free: int) -> int:
        """Worth of a transform and build with so many free spades, missing ones bought, prices taken off."""
        best = 0
        t = self.state.tables
        seat = self.seat
        price = t.spade_tools[seat.terraforming]
        piece = has_piece(self.state, self.i, v.WORKSHOP)
        can_build = piece and seat.coins >= t.workshop_coins
        for site in self.sites():
            tools, scholars = self.way(site.mode)
            tools += max(0, site.spades - free) * price
            if tools > seat.tools or scholars > seat.scholars:
                continue
            worth = -tools * self.p.tool - scholars * self.p.scholar
            if can_build and tools + t.workshop_tools <= seat.tools:
                worth += site.worth - t.workshop_tools * self.p.tool - t.workshop_coins * self.p.coin
            elif site.spades:
                worth += self.dig_only(site)
            spare = free - site.spades
            if spare > 0:
                worth += spare * self.p.spade // 3
            best = max(best, worth)
        return best

    def _upgrades(self) -> None:
        t = self.state.tables
        for kind in range(1, 6):
            for up in t.upgrades[kind]:
                if not has_piece(self.state, self.i, up.to):
                    continue
                for h in bits(self.seat.pieces[kind]):
                    coins = up.coins_beside if opponent_beside(self.state, self.i, h) else up.coins
                    self.add(self.pos.upgrade(h, up.to), (a.UPGRADE, h, up.to, 0), coins, up.tools, 0, 0, [])

    def best_exchange(self, old: int, new: int) -> int:
        """Worth of the best free upgrade."""
        best = 0
        if has_piece(self.state, self.i, new):
            for h in bits(self.seat.pieces[old]):
                best = max(best, self.pos.upgrade(h, new))
        return best

    def track(self, sailing: bool) -> int:
        """Worth of a step of a track, its price left out."""
        t = self.state.tables
        seat = self.seat
        p = self.p
        total = self.pos.event(v.EV_TRACK, -1)
        if sailing:
            if seat.sailing >= t.sailing_max:
                return 0
            rewards = t.board_sailing_rewards[seat.board]
            level = seat.sailing + 1
            reach = 0
            sail = self.state.geometry.sail[level]
            for h in bits(seat.own):
                reach |= sail[h]
            new = reach & ~seat.reach & self.pos.free
            total += p.sailing_step + p.near0 * min((new & self.pos.near[0]).bit_count(), 3)
            total += p.near1 * min((new & self.pos.near[1]).bit_count(), 3)
        else:
            if seat.terraforming >= t.terraforming_max:
                return 0
            rewards = t.terraforming_rewards
            level = seat.terraforming + 1
            total += p.terraforming_step
        if level < len(rewards):
            total += self.gain(rewards[level])
        return total

    def _tracks(self) -> None:
        t = self.state.tables
        seat = self.seat
        if seat.sailing < t.sailing_max:
            s, w, c = t.sailing_cost
            self.add(self.track(True), (a.ADVANCE, a.SAILING, 0, 0), c, w, s, 0, [])
        if seat.terraforming < t.terraforming_max:
            s, w, c = t.board_terraforming_cost[seat.board]
            self.add(self.track(False), (a.ADVANCE, a.TERRAFORMING, 0, 0), c, w, s, 0, [])

    def _scholars(self) -> None:
        state = self.state
        t = state.tables
        sent = self.pos.event(v.EV_SCHOLAR_SENT, -1)
        n = len(t.scholar_places)
        for d in range(4):
            best = 0
            for k in range(n):
                if state.places[d * n + k] < 0 and t.scholar_places[k] > best:
                    best = t.scholar_places[k]
            if best:
                self.add(self.pos.steps(d, best) + sent, (a.SEND, d, best, 0), 0, 0, 1, 0, [])
            back = self.p.scholar // 6 if self.seat.scholar_supply <= 1 else 0
            self.add(self.pos.steps(d, t.return_steps) + sent + back, (a.RETURN, d, 0, 0), 0, 0, 1, 0, [])

    def _innovations(self) -> None:
        state = self.state
        t = state.tables
        seat = self.seat
        if len(seat.innovations) >= t.innovation_limit:
            return
        n, coins = innovation_price(state, seat)
        held = seat.books
        total = held[0] + held[1] + held[2] + held[3]
        if total + 3 < n:
            return
        event = self.pos.innovation_event()
        for cid, column in state.innovations:
            lacking: list[int] = []
            columns = column_disciplines(state, column)
            for d in columns:
                lacking += [d] * max(0, t.innovation_own_books - held[d])
            more = n - total - len(lacking)
            if more > 0:
                lacking += [columns[0]] * more
            if len(lacking) > 3:
                continue
            worth = event + self.gain(t.components[cid].once) + self.p.owning(state, self.i, cid)
            worth -= (n - len(lacking)) * self.p.book + self.pos.books_paid(total)
            self.add(worth, (a.INNOVATE, cid, 0, 0), coins, 0, 0, 0, lacking)

    def _power_and_books(self) -> None:
        state = self.state
        t = state.tables
        event = self.pos.event(v.EV_POWER_ACTION, -1)
        for k, cid in enumerate(t.kinds[v.K_POWER_ACTION]):
            c = t.components[cid]
            if not state.used_power >> k & 1 and can_change(state, self.i, c.action):
                power = power_price(state, self.seat, cid)
                plan = self.add(self.gain(c.action) + event, (a.POWER, cid, 0, 0), 0, 0, 0, power, [])
                plan.gain = resources_of(c.action)
        held = self.seat.books
        total = held[0] + held[1] + held[2] + held[3]
        for k, cid in enumerate(state.book_actions):
            c = t.components[cid]
            if state.used_book >> k & 1 or total + 2 < c.cost or not can_change(state, self.i, c.action):
                continue
            lacking = [0] * max(0, c.cost - total)
            paid = c.cost - len(lacking)
            worth = self.gain(c.action) - paid * self.p.book - self.pos.books_paid(paid)
            plan = self.add(worth, (a.BOOK, cid, 0, 0), 0, 0, 0, 0, lacking)
            plan.gain = resources_of(c.action)

    def _own_tiles(self) -> None:
        state = self.state
        seat = self.seat
        components = state.tables.components
        for cid in seat.specials:
            c = components[cid]
            if not seat.used >> c.special & 1 and can_change(state, self.i, c.action):
                plan = self.add(self.gain(c.action), (a.SPECIAL, cid, 0, 0), 0, 0, 0, 0, [])
                plan.gain = resources_of(c.action)
        if seat.bridge_tools >= 0 and seat.bridge_supply:
            for x, y in bridge_places(state, self.i, state.geometry.lines):
                self.add(self.bridge(x, y), (a.BRIDGE, x, y, 0), 0, seat.bridge_tools, 0, 0, [])
        if seat.annexes:
            for h in bits(seat.own & ~seat.annexed):
                t = state.tables
                worth = self.pos.city_changed(h, t.annex_power, t.annex_size, state.building[h]) - self.p.annex
                self.add(worth, (a.ANNEX, h, 0, 0), 0, 0, 0, 0, [])
        if seat.river_city and state.tables.found_in_turn:
            for r in river_options(state, self.i):
                self.add(self.pos.city_gain(), (a.FOUND, r, 0, 0), 0, 0, 0, 0, [])

    def bridge(self, x: int, y: int) -> int:
        """Worth of a bridge: cities it joins, the hex it opens."""
        seat = self.seat
        worth = self.pos.city_joined(x, y)
        far = y if seat.own >> x & 1 else x
        bit = 1 << far
        if self.pos.free & bit and not seat.reach & bit:
            for k in range(3):
                if self.pos.near[k] & bit:
                    worth += (self.p.near0, self.p.near1, self.p.near2)[k]
        return worth + self.p.bridge // 4

    def best_bridge(self) -> int:
        """Worth of the best bridge on a printed place."""
        best = 0
        if self.seat.bridge_supply:
            for x, y in bridge_places(self.state, self.i, self.state.geometry.places):
                best = max(best, self.bridge(x, y))
        return best

    def neutral(self, h: int, kind: int) -> int:
        """Worth of a neutral building on hex h, digging paid."""
        k = len(self.state.tables.dig_paths[self.seat.home][self.state.terrain[h]])
        price = k * self.state.tables.spade_tools[self.seat.terraforming]
        return self.pos.building(h, kind) + k * self._spade_event - price * self.p.tool

    def best_neutral(self, kind: int) -> int:
        """Worth of a neutral building on the best hex."""
        best = 0
        t = self.state.tables
        price = t.spade_tools[self.seat.terraforming]
        for h in bits(self.seat.reach & self.pos.free):
            if len(t.dig_paths[self.seat.home][self.state.terrain[h]]) * price <= self.seat.tools:
                best = max(best, self.neutral(h, kind))
        return best

    def best_free_piece(self, kind: int) -> int:
        """Worth of a free piece on the best home hex (PAL/16)."""
        best = 0
        for h in bits(self.pos.near[0]):
            best = max(best, self.pos.building(h, kind))
        return best + self.p.standing[kind]

    def part(self, op: int, n: int, b: int) -> int:
        """Worth of a part of a gain with the best choice."""
        pos = self.pos
        if op == v.OP_STEPS:
            return pos.best_step(n)
        if op == v.OP_STEPS_SPLIT:
            return n * pos.best_step(1)
        if op == v.OP_STEPS_SPLIT_PER:
            return n * count(self.state, self.i, b) * pos.best_step(1)
        if op == v.OP_STEPS_EACH:
            return pos.steps(0, n) + pos.steps(1, n) + pos.steps(2, n) + pos.steps(3, n)
        if op == v.OP_STEPS_OF:
            return pos.steps(b, n)
        if op == v.OP_BOOKS or op == v.OP_BOOKS_ITS:
            return self.p.op(op, n) + pos.books_gained(n)
        if op == v.OP_SPADES:
            return self.best_spades(n)
        if op == v.OP_BRIDGES:
            return n * self.best_bridge()
        if op == v.OP_NEUTRAL:
            return self.best_neutral(n)
        if op == v.OP_FREE_PIECE:
            return self.best_free_piece(n)
        if op == v.OP_EXCHANGE:
            return self.best_exchange(n, b)
        if op == v.OP_COMPETENCY:
            return pos.best_competency()
        if op == v.OP_PALACE:
            return pos.best_palace()
        if op == v.OP_CITY_TILE or op == v.OP_FOUND:
            return pos.city_gain()
        if op == v.OP_SAILING:
            return n * self.track(True)
        if op == v.OP_TERRAFORMING:
            return n * self.track(False)
        return self.p.op(op, n)

    def gain(self, gain: Gain) -> int:
        """Worth of a gain now, each part with its best choice."""
        total = self.p.gain(self.state, self.i, Gain(gain.simple, ()))
        for op, n, b, _ in gain.parts:
            total += self.part(op, n, b)
        return total


def resources_of(gain: Gain) -> tuple[int, int, int, int]:
    """Coins, tools, scholars and power of a gain."""
    coins = tools = scholars = power = 0
    for op, n, _, _ in gain.simple:
        if op == v.OP_COINS:
            coins += n
        elif op == v.OP_TOOLS:
            tools += n
        elif op == v.OP_SCHOLARS:
            scholars += n
        elif op == v.OP_POWER:
            power += n
    return coins, tools, scholars, power


def _open(done: list[Plan], plan: Plan) -> bool:
    """Whether a plan can still be done after others."""
    return not any(other is plan or excludes(other.action, plan.action) for other in done)


def excludes(first: Action, second: Action) -> bool:
    """Whether doing the first action leaves nothing of the second: the same hex, tile, track or discipline."""
    if first[0] in _ON_HEX and second[0] in _ON_HEX:
        return first[1] == second[1]
    if first[0] != second[0]:
        return False
    if first[0] in (a.SEND, a.RETURN, a.ADVANCE, a.INNOVATE):
        return first[0] == a.INNOVATE or first[1] == second[1]
    return first == second


def _worth_of(plan: Plan) -> int:
    return -plan.worth


def _value_of(plan: Plan) -> int:
    return -plan.value


def _brings_of(plan: Plan) -> int:
    return -plan.brings
