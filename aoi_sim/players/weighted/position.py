"""A seat's position seen for one decision: events, good hexes, science, the best tiles on offer."""

from typing import Final

from aoi_sim.engine.build import has_piece
from aoi_sim.engine.cities import tiles_left
from aoi_sim.engine.geometry import Mask
from aoi_sim.engine.scoring import area
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.books import Books
from aoi_sim.players.weighted.cities import Cities
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.race import place_vp
from aoi_sim.rules import vocabulary as v

_MANY_SITES: Final = 4
_KINDS: Final = 8
_UNKNOWN: Final = -1_000_000_000


class Position:
    """What the weighted player knows of its seat; built once a decision, parts on demand or from what it remembers.

    Attributes:
        free: land hexes without a building. `near`: those by spades needed, 0 to 3 and more. `fresh`: those out of reach.
        others: hexes with a building of another seat.
        events, science: worths that are kept from decision to decision.
    """

    def __init__(self, state: State, i: int, prices: Prices, memory: Memory) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.events = memory.events
        self.science = memory.science
        self._memory = memory
        seat = state.seats[i]
        self.seat: Seat = seat
        free = state.geometry.land & ~state.occupied
        self.near: list[Mask] = memory.near(state)
        self.free = free
        self.fresh: Mask = free & ~seat.reach
        self.others: Mask = state.occupied & ~seat.own
        self._cities: Cities | None = None
        self._books: Books | None = None
        self._city_gain = -1
        self._area_step = -1
        self._competency = -1
        self._palace = -1
        self._workshop = _UNKNOWN
        self._upgrade: list[int] = []
        self._follow: list[int] = []
        self.guild_income = prices.guilds(seat.board)

    # Cities.

    def cities(self) -> Cities:
        """The seat's groups outside cities."""
        cities = self._cities
        if cities is None:
            cities = self._memory.cities(self.state, self.city_gain())
            self._cities = cities
        return cities

    def city_gain(self) -> int:
        """Worth of founding a city now: the best tile left, its key, what it sets off."""
        if self._city_gain < 0:
            total = 0
            state = self.state
            if tiles_left(state) > 0:
                for k, cid in enumerate(state.tables.kinds[v.K_CITY_TILE]):
                    worth = self.p.once(state, self.i, cid) if state.city_left[k] else 0
                    if worth > total:
                        total = worth
                total += self.p.city_extra + self.events.worth(v.EV_CITY_TILE, -1)
                total += self.events.owning(v.COUNT_CITY_TILE)
            self._city_gain = max(total, 0)
        return self._city_gain

    # Hexes.

    def site(self, h: int) -> int:
        """How much a building on h opens: cheap hexes newly in reach, neighbours."""
        p = self.p
        total = 0
        if p.left:
            new = self.state.geometry.sail[self.seat.sailing][h] & self.fresh
            if new:
                for k in range(3):
                    cheap = new & self.near[k]
                    if cheap:
                        total += p.near[k] * min(cheap.bit_count(), _MANY_SITES)
        if self.beside(h):
            total += p.beside
        return total

    def beside(self, h: int) -> bool:
        """Whether a building of another player is adjacent to h."""
        if self.state.geometry.land_sides[h] & self.others:
            return True
        bridged = self.state.bridge_sides[h]
        return bridged != 0 and bridged & self.others != 0

    def workshop(self, h: int) -> int:
        """Worth of a workshop on h, its price left out."""
        if self._workshop == _UNKNOWN:
            self._workshop = self._income_of(v.WORKSHOP, 1) + self.events.owning(v.WORKSHOP)
        return self._workshop + self.building(h, v.WORKSHOP)

    def building(self, h: int, kind: int) -> int:
        """Worth of a building on free hex h apart from income and tiles."""
        found = self.cities().with_building(h, kind)
        step = self._area_step if self._area_step >= 0 else self.area_step()
        return self.events.worth(v.EV_BUILT + kind, h) + found + self.site(h) + step

    def area_step(self) -> int:
        """Worth of one more building in the largest group for the final scoring (FIN-1)."""
        if self._area_step < 0:
            worth = self.p.area
            share = self.p.area_place_pct
            if share:
                state = self.state
                prizes = state.tables.final_area
                others = [area(state, k) for k in range(state.n_players) if k != self.i]
                if state.rival and state.round == state.tables.n_rounds:
                    others.append(state.area_tile)
                mine = area(state, self.i)
                close = self.p.area_close_pct
                more = place_vp(prizes, mine + 1, others, 3, close) - place_vp(prizes, mine, others, 3, close)
                worth += self.p.vp * more * share // 10000
            self._area_step = max(worth, 0)
        return self._area_step

    def upgrade(self, h: int, kind: int) -> int:
        """Worth of replacing the piece on h by one of a kind, its price left out."""
        old = self.state.building[h]
        where = old * _KINDS + kind
        if not self._upgrade:
            self._upgrade = [_UNKNOWN] * (_KINDS * _KINDS)
        if self._upgrade[where] == _UNKNOWN:
            self._upgrade[where] = self._upgrade_anywhere(old, kind)
        power = self.state.tables.building_power
        total = self._upgrade[where] + self.events.worth(v.EV_BUILT + kind, h)
        total += self.cities().with_more(h, power[kind] - power[old], 0, kind)
        if kind == v.GUILD:
            total += self.follow(h)
        elif old == v.GUILD:
            total -= self.follow(h)
        return total

    def _upgrade_anywhere(self, old: int, kind: int) -> int:
        """What an upgrade brings on whatever hex: income, tiles, what the building is worth by itself."""
        p = self.p
        total = p.standing[kind] - p.standing[old]
        total += self._income_of(old, -1) + self._income_of(kind, 1)
        total += self.events.owning(kind) - self.events.owning(old)
        takes = self.state.tables.takes[kind]
        if takes == v.OP_COMPETENCY:
            total += self.best_competency()
        elif takes == v.OP_PALACE:
            total += self.best_palace()
        return total

    def follow(self, h: int) -> int:
        """What a guild on h is worth for the upgrade that may follow it, at a share."""
        if not self._follow:
            self._follow_anywhere()
        best = 0
        for k, up in enumerate(self.state.tables.upgrades[v.GUILD]):
            worth = self._follow[k]
            if worth == _UNKNOWN:
                continue
            worth += self.events.worth(v.EV_BUILT + up.to, h)
            if up.to == v.PALACE:
                worth += self.cities().with_more(h, 1, 0, up.to)
            if worth > best:
                best = worth
        return best * self.p.follow_pct // 100

    def _follow_anywhere(self) -> None:
        """For each upgrade of a guild, what it brings on whatever hex, its price taken off."""
        p = self.p
        for up in self.state.tables.upgrades[v.GUILD]:
            if not has_piece(self.state, self.i, up.to):
                self._follow.append(_UNKNOWN)
                continue
            worth = p.standing[up.to] - up.tools * p.tool - up.coins * p.coin
            if up.to == v.PALACE:
                worth += self.best_palace()
            else:
                worth += self.best_competency() + p.school_income
            self._follow.append(worth)

    def _income_of(self, kind: int, change: int) -> int:
        """Change of income when the seat gets (1) or gives up (-1) a piece of a kind."""
        n = self.seat.pieces[kind].bit_count()
        p = self.p
        if kind == v.WORKSHOP:
            row = p.workshop_income
        elif kind == v.GUILD:
            row = self.guild_income
        elif kind == v.SCHOOL:
            return change * p.school_income
        elif kind == v.UNIVERSITY:
            return change * p.university_income
        else:
            return 0
        top = len(row) - 1
        return row[min(n + change, top)] - row[min(n, top)]

    # Tiles.

    def competency(self, cid: int) -> int:
        """Worth of taking a competency with its place (COMP-2)."""
        state = self.state
        t = state.tables
        c = t.components[cid]
        d = state.competency_discipline[c.position]
        steps, books = t.competency_places[state.competency_place[c.position]]
        total = self.p.tile(state, self.i, cid)
        if books:
            total += books * self.p.book + self.books().gained(books)
        return total + self.science.steps(d, steps) + self.events.worth(v.EV_COMPETENCY, -1)

    def best_competency(self) -> int:
        """Worth of the best competency that the seat can take."""
        if self._competency < 0:
            best = 0
            state = self.state
            owned = self.seat.competencies
            for k, cid in enumerate(state.tables.kinds[v.K_COMPETENCY]):
                if state.competency_left[k] and state.competency_discipline[k] >= 0 and cid not in owned:
                    worth = self.competency(cid)
                    if worth > best:
                        best = worth
            self._competency = best + (self.p.competency_extra if best else 0)
        return self._competency

    def palace(self, cid: int) -> int:
        """Worth of taking a palace tile."""
        total = self.p.tile(self.state, self.i, cid)
        for op, n, _, _ in self.state.tables.components[cid].once.parts:
            if op == v.OP_CITY_TILE:
                total += self.city_gain() - self.p.op(op, n)
            elif op == v.OP_COMPETENCY:
                total += self.best_competency() - self.p.op(op, n)
        return total

    def best_palace(self) -> int:
        """Worth of the best palace tile on offer (the drafted one in a draft)."""
        if self._palace < 0:
            best = 0
            cids = [self.seat.palace] if self.seat.palace >= 0 else self.state.palaces
            for cid in cids:
                best = max(best, self.palace(cid))
            self._palace = best
        return self._palace

    def books(self) -> Books:
        """What books are worth on the way to an innovation."""
        books = self._books
        if books is None:
            books = Books(self.state, self.i, self.p, self.innovation_event())
            self._books = books
        return books

    def innovation_event(self) -> int:
        """What taking any innovation sets off and counts for."""
        return self.events.worth(v.EV_INNOVATION, -1) + self.events.owning(v.COUNT_INNOVATION) + self.p.innovation_extra
