"""Cities in the making: the groups of a seat's buildings, and what a change is worth for them."""

from typing import Final

from aoi_sim.engine.geometry import Mask
from aoi_sim.engine.resources import adjacent, flood
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.prices import Prices

_MOST_LACKING: Final = 4


class Group:
    """A group of own buildings outside cities: its hexes, those beside it, power value, size, size needed, worth."""

    def __init__(self, mask: Mask, halo: Mask, power: int, size: int, least: int) -> None:
        self.mask = mask
        self.halo = halo
        self.power = power
        self.size = size
        self.least = least
        self.worth = 0


class Cities:
    """The groups of a seat, kept from decision to decision while the seat's buildings stay as they are.

    Args:
        state: the position.
        i: the seat.
        prices: its prices.
        city_gain: worth of founding a city now.
    """

    def __init__(self, state: State, i: int, prices: Prices, city_gain: int) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self._own: Mask = self.seat.own
        self._city: Mask = self.seat.city
        self._annexed: Mask = self.seat.annexed
        self._pieces: list[Mask] = self.seat.pieces[:]
        self._bridges = state.bridges
        self.city_beside: Mask = adjacent(state, self.seat.city) if self.seat.city else 0
        self.groups: list[Group] = []
        self._halos: Mask = 0
        rest = self.seat.own & ~self.seat.city
        while rest:
            mask = flood(state, rest, rest & -rest)
            rest &= ~mask
            group = self._group(mask)
            self.groups.append(group)
            self._halos |= group.halo
        self._free_halos: Mask = 0
        self._shares: list[int] = []
        self.renew(state, city_gain)

    def holds(self, state: State) -> bool:
        """Whether the seat's buildings, cities and annexes and the bridges are those of before."""
        seat = state.seats[self.i]
        return (
            seat.own == self._own
            and state.bridges is self._bridges
            and seat.city == self._city
            and seat.annexed == self._annexed
            and seat.pieces == self._pieces
        )

    def renew(self, state: State, city_gain: int) -> None:
        """Look at a later position for which it still holds."""
        self.state = state
        self.seat = state.seats[self.i]
        self._free_halos = self._halos & ~state.occupied
        self._shares = [city_gain * pct // 100 for pct in self.p.lack_pct]
        for group in self.groups:
            group.worth = self.phi(group.power, group.size, group.least)

    def lack(self, power: int, size: int, least: int) -> int:
        """What a group with so much power value and size lacks to be a city, of power or of size."""
        lack = self.seat.city_power - power
        if least - size > lack:
            lack = least - size
        return lack if lack > 0 else 0

    def phi(self, power: int, size: int, least: int) -> int:
        """Worth of a group with so much power value and size: a city, or a share of one by what it lacks."""
        lack = self.lack(power, size, least)
        if lack == 0:
            return self._shares[0]
        if lack > _MOST_LACKING:
            return 0
        return self._shares[lack]

    def _group(self, mask: Mask) -> Group:
        state = self.state
        t = state.tables
        annexes = (mask & self.seat.annexed).bit_count()
        power = annexes * t.annex_power
        size = mask.bit_count() + annexes * t.annex_size
        least = t.city_size
        rest = mask
        while rest:
            low = rest & -rest
            kind = state.building[low.bit_length() - 1]
            rest ^= low
            power += t.building_power[kind]
            if t.building_city_size[kind] < least:
                least = t.building_city_size[kind]
        return Group(mask, adjacent(state, mask), power, size, least)

    def with_building(self, h: int, kind: int) -> int:
        """What a building of a kind on free hex h changes."""
        bit = 1 << h
        t = self.state.tables
        power = t.building_power[kind]
        size = 1
        least = t.building_city_size[kind]
        if not self._halos & bit:
            if self.city_beside & bit:
                return 0
            return self.phi(power, size, least) + self._near_groups(h)
        total = 0
        for g in self.groups:
            if g.halo & bit:
                power += g.power
                size += g.size
                if g.least < least:
                    least = g.least
                total -= g.worth
        if self.city_beside & bit:
            return total
        return total + self.phi(power, size, least)

    def _near_groups(self, h: int) -> int:
        """A lone new building counts for a group one free hex away, at a share."""
        beside = self.state.geometry.land_sides[h] & self._free_halos
        if not beside:
            return 0
        best = 0
        for g in self.groups:
            if g.halo & beside:
                worth = self.phi(g.power + 2, g.size + 2, g.least) - g.worth
                if worth > best:
                    best = worth
        return best * self.p.near_city_pct // 100

    def with_more(self, h: int, power: int, size: int, kind: int) -> int:
        """What more power or size on own building h changes for its group (upgrade, annex)."""
        bit = 1 << h
        if self.seat.city & bit:
            return 0
        for g in self.groups:
            if g.mask & bit:
                least = min(g.least, self.state.tables.building_city_size[kind])
                return self.phi(g.power + power, g.size + size, least) - g.worth
        return 0

    def joined(self, a: int, b: int) -> int:
        """What a bridge between hexes a and b changes."""
        own = self.seat.own
        if not (own >> a & 1 and own >> b & 1):
            return 0
        first = second = None
        for g in self.groups:
            if g.mask >> a & 1:
                first = g
            if g.mask >> b & 1:
                second = g
        if first is second:
            return 0
        if first is None or second is None:
            return -(first.worth if first is not None else 0) - (second.worth if second is not None else 0)
        least = min(first.least, second.least)
        return self.phi(first.power + second.power, first.size + second.size, least) - first.worth - second.worth
