"""A seat's position seen for one decision: events, good hexes, science, the best tiles on offer."""

from typing import Final

from aoi_sim.engine.build import has_piece, opponent_beside
from aoi_sim.engine.cities import tiles_left
from aoi_sim.engine.geometry import Mask
from aoi_sim.engine.scoring import area
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import P_ACTIONS, State
from aoi_sim.players.weighted.books import Books
from aoi_sim.players.weighted.cities import Cities
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.race import place_vp
from aoi_sim.players.weighted.science import Science
from aoi_sim.rules import vocabulary as v

# Events that a seat can only cause a few times; waiting for a better round has a price.
_SCARCE: Final = (
    v.EV_BUILT + v.GUILD,
    v.EV_BUILT + v.SCHOOL,
    v.EV_BUILT + v.UNIVERSITY,
    v.EV_BUILT + v.PALACE,
    v.EV_CITY_TILE,
    v.EV_INNOVATION,
    v.EV_TRACK,
)
_MANY_SITES: Final = 4
_KINDS: Final = 8
_UNKNOWN: Final = -1_000_000_000


class Position:
    """What the weighted player knows of its seat; built once a decision, parts on demand."""

    def __init__(self, state: State, i: int, prices: Prices) -> None:
        self.state = state
        self.i = i
        self.p = prices
        seat = state.seats[i]
        self.seat: Seat = seat
        free = state.geometry.land & ~state.occupied
        near: list[Mask] = [0, 0, 0, 0]
        paths = state.tables.dig_paths[seat.home]
        for terrain in range(len(paths)):
            k = len(paths[terrain])
            if k < 4:
                near[k] |= state.terrain_mask[terrain] & free
        self.near = near
        self.free = free
        self._cities: Cities | None = None
        self._books: Books | None = None
        self._science: Science | None = None
        self._city_gain = -1
        self._area_step = -1
        self._anywhere: list[int] = [_UNKNOWN] * v.N_TRIGGER_EVENTS
        self._at_edge: list[int] = [0] * v.N_TRIGGER_EVENTS
        self._at_river: list[int] = [0] * v.N_TRIGGER_EVENTS
        self._competency = -1
        self._palace = -1
        self._workshop = _UNKNOWN
        self._upgrade: list[int] = [_UNKNOWN] * (_KINDS * _KINDS)
        self._follow: list[int] = []
        self.guild_income = prices.guilds(seat.board)

    # Events.

    def event(self, event: int, h: int) -> int:
        """Worth of what an event at a hex (-1: nowhere) sets off for the seat, less what waiting would give."""
        total = self._anywhere[event]
        if total == _UNKNOWN:
            self._look_at(event)
            total = self._anywhere[event]
        if h >= 0:
            if self._at_edge[event] and self.state.geometry.edge >> h & 1:
                total += self._at_edge[event]
            if self._at_river[event] and self.state.geometry.riverside >> h & 1:
                total += self._at_river[event]
        return total

    def _look_at(self, event: int) -> None:
        """Work out what an event sets off anywhere, at the edge and at a river."""
        state = self.state
        worth = [0, 0, 0]
        for t in self.seat.triggers[event]:
            worth[t.where] += self.p.gain(state, self.i, t.gain)
        if state.phase == P_ACTIONS:
            for t in state.round_triggers[event]:
                worth[t.where] += self.p.gain(state, self.i, t.gain)
            if event in _SCARCE:
                worth[v.WHERE_ANY] -= self._waiting(event)
        self._anywhere[event] = worth[v.WHERE_ANY]
        self._at_edge[event] = worth[v.WHERE_EDGE]
        self._at_river[event] = worth[v.WHERE_RIVER]

    def _waiting(self, event: int) -> int:
        """What the best coming round tile would give for the event, at the share for waiting."""
        best = 0
        state = self.state
        t = state.tables
        share = 100
        for k in range(state.round, min(state.round + 2, t.n_rounds)):
            cids = [state.round_tiles[k]]
            if k == t.n_rounds - 1:
                cids.append(state.final_tile)
            worth = 0
            for cid in cids:
                for trigger in t.components[cid].triggers:
                    if trigger.event == event and trigger.where == v.WHERE_ANY:
                        for op, n, _, _ in trigger.gain.simple:
                            if op == v.OP_VP:
                                worth += self.p.vp * n
            worth = worth * share // 100
            if worth > best:
                best = worth
            share = 60
        return best * self.p.wait_pct // 100

    # Cities.

    def cities(self) -> Cities:
        """The seat's groups outside cities."""
        cities = self._cities
        if cities is None:
            cities = Cities(self.state, self.i, self.p, self.city_gain())
            self._cities = cities
        return cities

    def city_gain(self) -> int:
        """Worth of founding a city now: the best tile left, its key, what it sets off."""
        if self._city_gain < 0:
            total = 0
            state = self.state
            if tiles_left(state) > 0:
                for k, cid in enumerate(state.tables.kinds[v.K_CITY_TILE]):
                    if state.city_left[k]:
                        total = max(total, self.p.gain(state, self.i, state.tables.components[cid].once))
                total += self.p.city_extra + self.event(v.EV_CITY_TILE, -1)
                total += self.owning_count(v.COUNT_CITY_TILE)
            self._city_gain = max(total, 0)
        return self._city_gain

    def owning_count(self, what: int) -> int:
        """What one more counted thing brings at the passes to come (pass bonuses that count it)."""
        total = 0
        seat = self.seat
        t = self.state.tables
        cids = [*seat.competencies, *seat.innovations]
        if seat.palace >= 0 and seat.palace_built:
            cids.append(seat.palace)
        for cid in cids:
            for op, n, b, _ in t.components[cid].passing.simple:
                if op == v.OP_VP_PER and counts_as(b, what):
                    total += self.p.vp * n * (self.p.left + 1)
        if seat.bonus >= 0:
            c = t.components[seat.bonus]
            for op, n, b, _ in c.passing.simple:
                if op == v.OP_VP_PER and counts_as(b, what):
                    total += self.p.vp * n
            for op, n, b, _ in c.passing.parts:
                if op == v.OP_STEPS_SPLIT_PER and counts_as(b, what):
                    total += n * (self.p.level + 600)
        return total * self.p.pass_pct // 100

    # Hexes.

    def site(self, h: int) -> int:
        """How much a building on h opens: cheap hexes newly in reach, neighbours."""
        state = self.state
        seat = self.seat
        p = self.p
        total = 0
        if p.left:
            new = state.geometry.sail[seat.sailing][h] & ~seat.reach & self.free
            if new:
                total += p.near0 * min((new & self.near[0]).bit_count(), _MANY_SITES)
                total += p.near1 * min((new & self.near[1]).bit_count(), _MANY_SITES)
                total += p.near2 * min((new & self.near[2]).bit_count(), _MANY_SITES)
        if opponent_beside(state, self.i, h):
            total += p.beside
        return total

    def workshop(self, h: int) -> int:
        """Worth of a workshop on h, its price left out."""
        if self._workshop == _UNKNOWN:
            self._workshop = self._income_of(v.WORKSHOP, 1) + self.owning_count(v.WORKSHOP)
        return self._workshop + self.building(h, v.WORKSHOP)

    def building(self, h: int, kind: int) -> int:
        """Worth of a building on free hex h apart from income and tiles."""
        found = self.cities().with_building(h, kind)
        return self.event(v.EV_BUILT + kind, h) + found + self.site(h) + self.area_step()

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
        if self._upgrade[where] == _UNKNOWN:
            self._upgrade[where] = self._upgrade_anywhere(old, kind)
        power = self.state.tables.building_power
        total = self._upgrade[where] + self.event(v.EV_BUILT + kind, h)
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
        total += self.owning_count(kind) - self.owning_count(old)
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
            worth += self.event(v.EV_BUILT + up.to, h)
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
        total = self.p.gain(state, self.i, c.once) + self.p.owning(state, self.i, cid)
        if books:
            total += books * self.p.book + self.books().gained(books)
        return total + self.steps(d, steps) + self.event(v.EV_COMPETENCY, -1)

    def best_competency(self) -> int:
        """Worth of the best competency that the seat can take."""
        if self._competency < 0:
            best = 0
            state = self.state
            owned = self.seat.competencies
            for k, cid in enumerate(state.tables.kinds[v.K_COMPETENCY]):
                if state.competency_left[k] and state.competency_discipline[k] >= 0 and cid not in owned:
                    best = max(best, self.competency(cid))
            self._competency = best + (self.p.competency_extra if best else 0)
        return self._competency

    def palace(self, cid: int) -> int:
        """Worth of taking a palace tile."""
        c = self.state.tables.components[cid]
        return self.p.gain(self.state, self.i, c.once) + self.p.owning(self.state, self.i, cid)

    def best_palace(self) -> int:
        """Worth of the best palace tile on offer (the drafted one in a draft)."""
        if self._palace < 0:
            best = 0
            cids = [self.seat.palace] if self.seat.palace >= 0 else self.state.palaces
            for cid in cids:
                best = max(best, self.palace(cid))
            self._palace = best
        return self._palace

    def steps(self, d: int, n: int) -> int:
        """Worth of up to n steps in a discipline, with power on the way and what scores them."""
        science = self._science
        if science is None:
            science = Science(self.state, self.i, self.p, self.event(v.EV_STEP, -1))
            self._science = science
        return science.steps(d, n)

    def best_step(self, n: int) -> int:
        """Worth of n steps in the best discipline."""
        return max(self.steps(0, n), self.steps(1, n), self.steps(2, n), self.steps(3, n), 0)

    def books(self) -> Books:
        """What books are worth on the way to an innovation."""
        books = self._books
        if books is None:
            books = Books(self.state, self.i, self.p, self.innovation_event())
            self._books = books
        return books

    def innovation_event(self) -> int:
        """What taking any innovation sets off and counts for."""
        return self.event(v.EV_INNOVATION, -1) + self.owning_count(v.COUNT_INNOVATION) + self.p.innovation_extra


def counts_as(counted: int, what: int) -> bool:
    """Whether a pass bonus that counts `counted` counts a thing of kind `what`."""
    if counted == what:
        return True
    return counted == v.COUNT_PALACE_UNIVERSITY and what in (v.PALACE, v.UNIVERSITY)
