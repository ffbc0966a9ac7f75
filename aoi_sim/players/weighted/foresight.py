"""What an option will add to a seat, as far as it can be told without doing it: its action's own gains and their events.

What it leads to that must be chosen first (the tile of a school, where free spades dig) is left out.
"""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.board import sailing_level
from aoi_sim.engine.cities import river_group
from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.legal import innovation_price
from aoi_sim.engine.resources import count, tier
from aoi_sim.engine.state import F_STEPS, P_ACTIONS, State
from aoi_sim.players.sites import fires
from aoi_sim.players.weighted.features import ADDED, GROUPS_AT, count_group, no_groups
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.options import Option
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.purse import Purse, purse_of
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Gain

_VP: Final = 0
_BOOKS: Final = 8
_LEVEL: Final = 10
_LEVELS: Final = 14
_LACK: Final = 15
_SITES: Final = 19
_FOUNDED: Final = 23
_FURTHEST: Final = 9
_NOTHING: Final = [0] * len(ADDED)


class Foresight:
    """Looks at the options of one decision.

    Args:
        state: the position; not changed.
        i: the seat.
        prices: its prices.
        memory: what is known of the seat, renewed for this decision.
        x: features, those of the seat filled in.
        at: the place of the first.
    """

    def __init__(self, state: State, i: int, prices: Prices, memory: Memory, x: list[int], at: int) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self.memory = memory
        self.cities = memory.groups(state)
        self.x = x
        self.at = at
        self._held: Purse = purse_of(self.seat)
        self._purse: Purse = self._held
        self._sailing = 0
        self._terraforming = 0
        self._reach: Mask = 0

    def look(self, option: Option) -> None:
        """Fill in what an option adds."""
        x, at = self.x, self.at
        x[at : at + len(ADDED)] = _NOTHING
        kind = option.steps[-1][0]
        if kind == a.PASS or kind == a.BONUS:
            return
        before = self._held
        purse = before.copy() if option.left is None else option.left.copy()
        self._purse = purse
        self._sailing = self.seat.sailing
        self._terraforming = self.seat.terraforming
        self._reach = self.seat.reach
        price = option.price
        if price is not None:
            x[at + _BOOKS] = len(price.books)
        if kind == a.TRANSFORM and price is not None and not price.coins:
            self._dig(option.steps[-1])
        else:
            self._act(option.steps[-1])
        x[at + 1] = purse.coins - before.coins
        x[at + 2] = purse.tools - before.tools
        x[at + 3] = purse.scholars - before.scholars
        x[at + 4] = purse.bowl1 - before.bowl1
        x[at + 5] = purse.bowl2 - before.bowl2
        x[at + 6] = purse.bowl3 - before.bowl3
        x[at + 7] = purse.bowl3 + purse.bowl2 // 2 - before.bowl3 - before.bowl2 // 2
        x[at + 9] = purse.supply - before.supply

    def _act(self, action: Action) -> None:
        """Add what an action brings at once."""
        kind, what, how, mode = action
        components = self.state.tables.components
        if kind == a.TRANSFORM or kind == a.BUILD or kind == a.PLACE:
            self._build(what, kind, mode)
        elif kind == a.UPGRADE:
            self._fire(v.EV_BUILT + how, what, 1)
            power = self.state.tables.building_power
            self._more(what, power[how] - power[self.state.building[what]], 0, how)
        elif kind == a.ADVANCE:
            self._advance(what == a.SAILING)
        elif kind == a.SEND:
            self._fire(v.EV_SCHOLAR_SENT, -1, 1)
            self._step(what, how)
        elif kind == a.RETURN:
            self._purse.supply += 1
            self._fire(v.EV_SCHOLAR_SENT, -1, 1)
            self._step(what, self.state.tables.return_steps)
        elif kind == a.STEP:
            frame = self.state.stack[-1]
            self._step(what, 1 if frame[0] != F_STEPS or frame[3] else frame[2])
        elif kind == a.INNOVATE:
            self.x[self.at + _BOOKS] -= innovation_price(self.state, self.seat)[0]
            self._fire(v.EV_INNOVATION, -1, 1)
            self._tile(what)
        elif kind == a.POWER or kind == a.BOOK or kind == a.SPECIAL:
            if kind == a.POWER:
                self._fire(v.EV_POWER_ACTION, -1, 1)
            elif kind == a.BOOK:
                self.x[self.at + _BOOKS] -= components[what].cost
            self._take(components[what].action, 1)
        elif kind == a.COMPETENCY:
            self._competency(what)
        elif kind == a.PALACE:
            self._tile(what)
        elif kind == a.CITY:
            self._fire(v.EV_CITY_TILE, -1, 1)
            self._take(components[what].once, 1)
        elif kind == a.ANNEX:
            t = self.state.tables
            self._more(what, t.annex_power, t.annex_size, self.state.building[what])
        elif kind == a.BRIDGE:
            self._bridge(what, how)
        elif kind == a.FOUND:
            self._regroup(0, river_group(self.state, self.i, what), 0, 0, _FURTHEST)

    def _build(self, h: int, kind: int, mode: int) -> None:
        """A workshop, dug for first or not."""
        state = self.state
        seat = self.seat
        x, at = self.x, self.at
        if mode:
            self._special(mode)
        if kind == a.TRANSFORM:
            self._fire(v.EV_SPADE, h, len(state.tables.dig_paths[seat.home][state.terrain[h]]))
        self._fire(v.EV_BUILT + v.WORKSHOP, h, 1)
        bit = 1 << h
        if self._reach & bit:
            near = self.memory.near(state)
            for k in range(4):
                if near[k] & bit:
                    x[at + _SITES + k] -= 1
        self._bring_into_reach(state.geometry.sail[self._sails()][h])
        t = state.tables
        self._regroup(bit, 0, t.building_power[v.WORKSHOP], 1, t.building_city_size[v.WORKSHOP])

    def _dig(self, action: Action) -> None:
        """A hex dug for a later workshop: a site only if it is in reach, which those of a tunnel or a flight need not be."""
        _, h, _, mode = action
        if mode:
            self._special(mode)
        self._fire(v.EV_SPADE, h, len(self.state.tables.dig_paths[self.seat.home][self.state.terrain[h]]))
        if self._reach >> h & 1:
            near = self.memory.near(self.state)
            for k in range(1, 4):
                if near[k] >> h & 1:
                    self.x[self.at + _SITES] += 1
                    self.x[self.at + _SITES + k] -= 1

    def _special(self, mode: int) -> None:
        """A tunnel or a flight with its VP (MOLE-1, FLY-1)."""
        seat = self.seat
        if mode == a.TUNNEL:
            self.x[self.at + _VP] += seat.tunnel_vp
            self._fire(v.EV_TUNNEL, -1, 1)
        else:
            self.x[self.at + _VP] += seat.flight_vp
            self._purse.supply += seat.flight_scholars
            self._fire(v.EV_FLIGHT, -1, 1)

    def _bring_into_reach(self, hexes: Mask) -> None:
        """Hexes come into reach, unless they were before; the free ones are sites."""
        new = hexes & ~self._reach
        if new:
            self._reach |= new
            near = self.memory.near(self.state)
            for k in range(4):
                if new & near[k]:
                    self.x[self.at + _SITES + k] += (new & near[k]).bit_count()

    def _advance(self, sailing: bool) -> None:
        """A step of a track that is paid for: its scholar is back in the supply before it gives any (TR-3)."""
        t = self.state.tables
        self._purse.supply += t.sailing_cost[0] if sailing else t.board_terraforming_cost[self.seat.board][0]
        self._track(sailing, 1)

    def _track(self, sailing: bool, n: int) -> None:
        """Up to n steps of a track with their rewards, as far as it goes (TR-1..3)."""
        t = self.state.tables
        before = self._sailing if sailing else self._terraforming
        n = min(n, (t.sailing_max if sailing else t.terraforming_max) - before)
        if n <= 0:
            return
        if sailing:
            self._sailing += n
            rewards = t.board_sailing_rewards[self.seat.board]
            sail = self.state.geometry.sail[self._sails()]
            reach: Mask = 0
            for h in bits(self.seat.own):
                reach |= sail[h]
            self._bring_into_reach(reach)
        else:
            self._terraforming += n
            rewards = t.terraforming_rewards
        self._fire(v.EV_TRACK, -1, n)
        for level in range(before + 1, min(before + n + 1, len(rewards))):
            self._take(rewards[level], 1)

    def _sails(self) -> int:
        """Sailing level for reach, with the steps of the option."""
        return sailing_level(self.state, self.i) + self._sailing - self.seat.sailing

    def _tile(self, cid: int) -> None:
        """A palace, innovation or competency: what it gives once, and cities that need less power with it (CITY-4)."""
        c = self.state.tables.components[cid]
        self._take(c.once, 1)
        if c.city_power and c.city_power < self.seat.city_power:
            self._lower(c.city_power)

    def _competency(self, cid: int) -> None:
        """A competency with its place (COMP-2)."""
        state = self.state
        c = state.tables.components[cid]
        steps, books = state.tables.competency_places[state.competency_place[c.position]]
        self.x[self.at + _BOOKS] += books
        self._fire(v.EV_COMPETENCY, -1, 1)
        if steps:
            self._step(state.competency_discipline[c.position], steps)
        self._tile(cid)

    def _step(self, d: int, n: int) -> None:
        """Up to n steps in a discipline, with their power and what they set off."""
        level = self.seat.science[d] + self.x[self.at + _LEVEL + d]
        to = self.memory.science.reached(d, level, n)
        if to > level:
            self.x[self.at + _LEVEL + d] += to - level
            self.x[self.at + _LEVELS] += to - level
            up_to = self.p.power_up_to
            power = up_to[to] - up_to[level]
            if power:
                self._purse.gain((0, 0, 0, power))
            self._fire(v.EV_STEP, -1, to - level)

    def _fire(self, event: int, h: int, times: int) -> None:
        """What an event at a hex (-1: nowhere) sets off (ORD-1, RS-2)."""
        for t in self.seat.triggers[event]:
            if fires(self.state, t.where, h):
                self._take(t.gain, times)
        if self.state.phase == P_ACTIONS:
            for t in self.state.round_triggers[event]:
                if fires(self.state, t.where, h):
                    self._take(t.gain, times)

    def _take(self, gain: Gain, times: int) -> None:
        """A gain, as far as it needs no choice; books and steps to be chosen count in all disciplines together."""
        x, at = self.x, self.at
        state = self.state
        for op, n, b, _ in gain.simple:
            n *= times
            if op == v.OP_VP:
                x[at + _VP] += n
            elif op == v.OP_VP_PER:
                x[at + _VP] += n * count(state, self.i, b)
            elif op == v.OP_VP_TIERS:
                x[at + _VP] += times * tier(state.tables.tiers[n // times], count(state, self.i, b))
            elif op == v.OP_COINS:
                self._purse.coins += n
            elif op == v.OP_TOOLS:
                self._purse.tools += n
            elif op == v.OP_SCHOLARS:
                self._purse.gain((0, 0, n, 0))
            elif op == v.OP_POWER:
                self._purse.gain((0, 0, 0, n))
            elif op == v.OP_TOKENS:
                self._purse.bowl3 += n
            elif op == v.OP_BOOK_OF or op == v.OP_BOOKS_ITS:
                x[at + _BOOKS] += n
        for op, n, b, _ in gain.parts:
            if op == v.OP_BOOKS or op == v.OP_BOOKS_ITS:
                x[at + _BOOKS] += n * times
            elif op == v.OP_STEPS_OF:
                self._step(b, n * times)
            elif op == v.OP_STEPS_EACH:
                for d in range(4):
                    self._step(d, n * times)
            elif op == v.OP_STEPS or op == v.OP_STEPS_SPLIT:
                x[at + _LEVELS] += n * times
            elif op == v.OP_STEPS_SPLIT_PER:
                x[at + _LEVELS] += n * times * count(state, self.i, b)
            elif op == v.OP_SAILING or op == v.OP_TERRAFORMING:
                self._track(op == v.OP_SAILING, n * times)

    # Groups on the way to a city.

    def _more(self, h: int, power: int, size: int, kind: int) -> None:
        """More power or size on an own building (upgrade, annex)."""
        if not self.seat.city >> h & 1:
            self._regroup(0, 1 << h, power, size, self.state.tables.building_city_size[kind])

    def _bridge(self, x: int, y: int) -> None:
        """A bridge from an own building: one group of two if it leads to another one, else the far end comes into reach."""
        ends = 1 << x | 1 << y
        if self.seat.own & ends == ends:
            self._regroup(0, ends, 0, 0, _FURTHEST)
        else:
            self._bring_into_reach(ends & ~self.seat.own)

    def _lower(self, city_power: int) -> None:
        """Cities need less power: as if every group had so much more; those that lack nothing found cities."""
        after = no_groups()
        more = self.seat.city_power - city_power
        for group in self.cities.groups:
            self._count_or_found(after, group.power + more, group.size, group.least)
        self._change_groups(after)

    def _regroup(self, beside: Mask, on: Mask, power: int, size: int, least: int) -> None:
        """Groups beside a new building, or that hold certain hexes, become one with so much more power and size."""
        after = no_groups()
        for group in self.cities.groups:
            if group.halo & beside or group.mask & on:
                power += group.power
                size += group.size
                if group.least < least:
                    least = group.least
            else:
                count_group(after, self.cities.lack(group.power, group.size, group.least))
        if not self.cities.city_beside & beside and not self.seat.city & on:
            self._count_or_found(after, power, size, least)
        self._change_groups(after)

    def _count_or_found(self, after: list[int], power: int, size: int, least: int) -> None:
        """Count a group with so much power and size, or a city if it lacks nothing."""
        lack = self.cities.lack(power, size, least)
        if lack:
            count_group(after, lack)
        else:
            self.x[self.at + _FOUNDED] += 1

    def _change_groups(self, after: list[int]) -> None:
        """Fill in how the counts of groups change."""
        for k in range(len(after)):
            self.x[self.at + _LACK + k] = after[k] - self.x[GROUPS_AT + k]
