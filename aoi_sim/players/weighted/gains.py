"""What gains are worth to a seat with the best choice of each part: spades, tracks, bridges, buildings, tiles."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.board import refresh_digs, special_targets
from aoi_sim.engine.build import bridge_places, has_piece
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.resources import count
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.position import Position
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Gain

_UNKNOWN: Final = -1_000_000_000


class Site:
    """A hex where a workshop could stand: spades it needs, way there."""

    def __init__(self, h: int, spades: int, mode: int) -> None:
        self.h = h
        self.spades = spades
        self.mode = mode
        self.worth = _UNKNOWN


class Gains:
    """Worth of gains for one decision; none of it asks whose turn it is.

    Attributes:
        pos: the position that it looks at.
        spade_event: what a spade sets off.
    """

    def __init__(self, state: State, i: int, prices: Prices, memory: Memory | None = None) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self.pos = Position(state, i, prices, Memory(state, i, prices) if memory is None else memory)
        self._sites: list[Site] | None = None
        self.spade_event = self.pos.events.worth(v.EV_SPADE, -1)

    def sites(self) -> list[Site]:
        """All hexes where a workshop could stand."""
        sites = self._sites
        if sites is None:
            sites = []
            digs = self.seat.digs
            if digs is None:
                digs = refresh_digs(self.state, self.seat)
            home = self.seat.home
            for action in self.seat.homes:
                sites.append(Site(action[1], 0, a.PLAIN))
            for k in range(1, 4):
                for action in digs[k]:
                    if action[2] == home:
                        sites.append(Site(action[1], k, a.PLAIN))
            self._special_sites(sites)
            self._sites = sites
        return sites

    def _special_sites(self, sites: list[Site]) -> None:
        seat = self.seat
        paths = self.state.tables.dig_paths[seat.home]
        modes: list[int] = []
        if seat.tunnel_tools >= 0:
            modes.append(a.TUNNEL)
        if seat.flight_scholars >= 0:
            modes.append(a.FLIGHT)
        for mode in modes:
            for h in bits(special_targets(self.state, self.i, mode)):
                sites.append(Site(h, len(paths[self.state.terrain[h]]), mode))

    def site_worth(self, site: Site) -> int:
        """What a workshop on a site brings, digging and way there included, without its price."""
        if site.worth == _UNKNOWN:
            site.worth = self.pos.workshop(site.h) + site.spades * self.spade_event + self.special_vp(site.mode)
        return site.worth

    def special_vp(self, mode: int) -> int:
        """Worth of the VP of a tunnel or a flight."""
        if mode == a.TUNNEL:
            return self.p.vp * self.seat.tunnel_vp + self.p.tunnel_extra
        if mode == a.FLIGHT:
            return self.p.vp * self.seat.flight_vp
        return 0

    def way(self, mode: int) -> tuple[int, int]:
        """Tools and scholars that a tunnel or a flight costs."""
        if mode == a.TUNNEL:
            return self.seat.tunnel_tools, 0
        if mode == a.FLIGHT:
            return 0, self.seat.flight_scholars
        return 0, 0

    def dig_only(self, site: Site) -> int:
        """Worth of a dug hex without its workshop: a share of what the workshop would bring later."""
        now = site.spades * self.spade_event
        t = self.state.tables
        later = self.site_worth(site) - now - t.workshop_tools * self.p.tool - t.workshop_coins * self.p.coin
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
            if site.spades > free:
                tools += (site.spades - free) * price
            if tools > seat.tools or scholars > seat.scholars:
                continue
            worth = -tools * self.p.tool - scholars * self.p.scholar
            if can_build and tools + t.workshop_tools <= seat.tools:
                worth += self.site_worth(site) - t.workshop_tools * self.p.tool - t.workshop_coins * self.p.coin
            elif site.spades:
                worth += self.dig_only(site)
            spare = free - site.spades
            if spare > 0:
                worth += spare * self.p.spade // 3
            best = max(best, worth)
        return best

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
        total = self.pos.events.worth(v.EV_TRACK, -1)
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
            total += p.sailing_step + p.near[0] * min((new & self.pos.near[0]).bit_count(), 3)
            total += p.near[1] * min((new & self.pos.near[1]).bit_count(), 3)
        else:
            if seat.terraforming >= t.terraforming_max:
                return 0
            rewards = t.terraforming_rewards
            level = seat.terraforming + 1
            total += p.terraforming_step
        if level < len(rewards):
            total += self.gain(rewards[level])
        return total

    def bridge(self, x: int, y: int) -> int:
        """Worth of a bridge: cities it joins, the hex it opens."""
        seat = self.seat
        worth = self.pos.cities().joined(x, y)
        far = y if seat.own >> x & 1 else x
        bit = 1 << far
        if self.pos.free & bit and not seat.reach & bit:
            for k in range(3):
                if self.pos.near[k] & bit:
                    worth += self.p.near[k]
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
        return self.pos.building(h, kind) + k * self.spade_event - price * self.p.tool

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
            return pos.science.best_step(n)
        if op == v.OP_STEPS_SPLIT:
            return n * pos.science.best_step(1)
        if op == v.OP_STEPS_SPLIT_PER:
            return n * count(self.state, self.i, b) * pos.science.best_step(1)
        if op == v.OP_STEPS_EACH:
            return pos.science.steps(0, n) + pos.science.steps(1, n) + pos.science.steps(2, n) + pos.science.steps(3, n)
        if op == v.OP_STEPS_OF:
            return pos.science.steps(b, n)
        if op == v.OP_BOOKS or op == v.OP_BOOKS_ITS:
            return self.p.op(op, n) + pos.books().gained(n)
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
        total = self.p.simple(self.state, self.i, gain)
        for op, n, b, _ in gain.parts:
            total += self.part(op, n, b)
        return total
