"""A seat's position seen for one decision: cities in the making, good hexes, science, the best tiles on offer."""

from aoi_sim.engine.build import has_piece, opponent_beside
from aoi_sim.engine.cities import tiles_left
from aoi_sim.engine.geometry import Mask
from aoi_sim.engine.legal import column_disciplines, innovation_price
from aoi_sim.engine.resources import adjacent, flood
from aoi_sim.engine.scoring import area
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import P_ACTIONS, State
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.race import place_vp
from aoi_sim.players.weighted.science import Science
from aoi_sim.rules import vocabulary as v

# Events that a seat can only cause a few times; waiting for a better round has a price.
_SCARCE = (
    v.EV_BUILT + v.GUILD,
    v.EV_BUILT + v.SCHOOL,
    v.EV_BUILT + v.UNIVERSITY,
    v.EV_BUILT + v.PALACE,
    v.EV_CITY_TILE,
    v.EV_INNOVATION,
    v.EV_TRACK,
)
_MANY_SITES = 4
_MANY_BOOKS = 8


class Group:
    """A group of own buildings outside cities: its hexes, those beside it, power value, size, size needed, worth."""

    def __init__(self, mask: Mask, halo: Mask, power: int, size: int, least: int, worth: int) -> None:
        self.mask = mask
        self.halo = halo
        self.power = power
        self.size = size
        self.least = least
        self.worth = worth


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
        self._groups: list[Group] | None = None
        self.city_beside: Mask = adjacent(state, seat.city) if seat.city else 0
        self._city_gain = -1
        self._area_step = -1
        self._science: Science | None = None
        self._events: list[int] = [-1] * v.N_TRIGGER_EVENTS
        self._competency = -1
        self._palace = -1
        self._follow: dict[int, int] = {}
        self._targets: list[tuple[int, int, int]] | None = None
        self._books_worth: list[int] = [-1] * (2 * _MANY_BOOKS)
        self.guild_income = prices.guilds(seat.board)

    # Events.

    def event(self, event: int, h: int) -> int:
        """Worth of what an event at a hex sets off for the seat, less what waiting would give."""
        total = 0
        triggers = self.seat.triggers[event]
        if triggers:
            for t in triggers:
                if self._fires(t.where, h):
                    total += self.p.gain(self.state, self.i, t.gain)
        if self.state.phase == P_ACTIONS:
            for t in self.state.round_triggers[event]:
                if self._fires(t.where, h):
                    total += self.p.gain(self.state, self.i, t.gain)
            if event in _SCARCE:
                total -= self._waiting(event)
        return total

    def _fires(self, where: int, h: int) -> bool:
        if where == v.WHERE_ANY:
            return True
        if h < 0:
            return False
        if where == v.WHERE_EDGE:
            return self.state.geometry.edge >> h & 1 == 1
        return self.state.geometry.riverside >> h & 1 == 1

    def _waiting(self, event: int) -> int:
        """What the best coming round tile would give for the event, at the share for waiting."""
        known = self._events[event]
        if known >= 0:
            return known
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
        best = best * self.p.wait_pct // 100
        self._events[event] = best
        return best

    # Cities.

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

    def phi(self, power: int, size: int, least: int) -> int:
        """Worth of a group with so much power value and size: a city, or a share of one by what it lacks."""
        lack = self.seat.city_power - power
        if least - size > lack:
            lack = least - size
        if lack <= 0:
            return self.city_gain()
        if lack > 4:
            return 0
        return self.city_gain() * self.p.lack_pct[lack] // 100

    def groups(self) -> list[Group]:
        """The seat's groups outside cities."""
        groups = self._groups
        if groups is None:
            groups = []
            state = self.state
            rest = self.seat.own & ~self.seat.city
            while rest:
                mask = flood(state, rest, rest & -rest)
                rest &= ~mask
                groups.append(self._group(mask))
            self._groups = groups
        return groups

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
        return Group(mask, adjacent(state, mask), power, size, least, self.phi(power, size, least))

    def city_with(self, h: int, kind: int) -> int:
        """What a building of a kind on free hex h changes for the seat's cities."""
        bit = 1 << h
        total = 0
        t = self.state.tables
        power = t.building_power[kind]
        size = 1
        least = t.building_city_size[kind]
        joined = False
        for g in self.groups():
            if g.halo & bit:
                power += g.power
                size += g.size
                if g.least < least:
                    least = g.least
                total -= g.worth
                joined = True
        if self.city_beside & bit:
            return total
        if not joined:
            near = self._near_groups(h)
            return self.phi(power, size, least) + near
        return total + self.phi(power, size, least)

    def _near_groups(self, h: int) -> int:
        """A lone new building counts for a group one free hex away, at a share."""
        beside = self.state.geometry.land_sides[h] & self.free
        best = 0
        for g in self.groups():
            if g.halo & beside:
                worth = self.phi(g.power + 2, g.size + 2, g.least) - g.worth
                if worth > best:
                    best = worth
        return best * self.p.near_city_pct // 100

    def city_changed(self, h: int, power: int, size: int, kind: int) -> int:
        """What more power or size on own building h changes for its group (upgrade, annex)."""
        bit = 1 << h
        if self.seat.city & bit:
            return 0
        for g in self.groups():
            if g.mask & bit:
                least = min(g.least, self.state.tables.building_city_size[kind])
                return self.phi(g.power + power, g.size + size, least) - g.worth
        return 0

    def city_joined(self, a: int, b: int) -> int:
        """What a bridge between hexes a and b changes for the seat's cities."""
        own = self.seat.own
        if not (own >> a & 1 and own >> b & 1):
            return 0
        first = second = None
        for g in self.groups():
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
        n = self.seat.pieces[v.WORKSHOP].bit_count()
        income = self.p.workshop_income
        top = len(income) - 1
        return (
            income[min(n + 1, top)] - income[min(n, top)] + self.building(h, v.WORKSHOP) + self.owning_count(v.WORKSHOP)
        )

    def building(self, h: int, kind: int) -> int:
        """Worth of a building on free hex h apart from income and tiles."""
        return self.event(v.EV_BUILT + kind, h) + self.city_with(h, kind) + self.site(h) + self.area_step()

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
        p = self.p
        old = self.state.building[h]
        power = self.state.tables.building_power
        total = self.event(v.EV_BUILT + kind, h) + p.standing[kind] - p.standing[old]
        total += self.city_changed(h, power[kind] - power[old], 0, kind)
        total += self._income_of(old, -1) + self._income_of(kind, 1)
        total += self.owning_count(kind) - self.owning_count(old)
        if kind == v.GUILD:
            total += self.follow(h)
        elif old == v.GUILD:
            total -= self.follow(h)
        takes = self.state.tables.takes[kind]
        if takes == v.OP_COMPETENCY:
            total += self.best_competency()
        elif takes == v.OP_PALACE:
            total += self.best_palace()
        return total

    def follow(self, h: int) -> int:
        """What a guild on h is worth for the upgrade that may follow it, at a share."""
        known = self._follow.get(h, -1)
        if known >= 0:
            return known
        p = self.p
        t = self.state.tables
        best = 0
        for up in t.upgrades[v.GUILD]:
            if not has_piece(self.state, self.i, up.to):
                continue
            worth = self.event(v.EV_BUILT + up.to, h) + p.standing[up.to]
            if up.to == v.PALACE:
                worth += self.best_palace() + self.city_changed(h, 1, 0, up.to)
            else:
                worth += self.best_competency() + p.school_income
            worth -= up.tools * p.tool + up.coins * p.coin
            if worth > best:
                best = worth
        best = best * p.follow_pct // 100
        self._follow[h] = best
        return best

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
        total += books * self.p.book + self.books_gained(books)
        total += self.steps(d, steps) + self.event(v.EV_COMPETENCY, -1)
        return total

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

    # Science.

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

    # Books.

    def targets(self) -> list[tuple[int, int, int]]:
        """Innovations worth saving for: worth without its books, books it lacks, books it does not need."""
        targets = self._targets
        if targets is None:
            targets = []
            state = self.state
            t = state.tables
            held = self.seat.books
            total = held[0] + held[1] + held[2] + held[3]
            if len(self.seat.innovations) < t.innovation_limit:
                n, coins = innovation_price(state, self.seat)
                event = self.innovation_event() - coins * self.p.coin
                for cid, column in state.innovations:
                    worth = event + self.p.gain(state, self.i, t.components[cid].once)
                    worth += self.p.owning(state, self.i, cid)
                    if worth > 0:
                        own = 0
                        for d in column_disciplines(state, column):
                            own += max(0, t.innovation_own_books - held[d])
                        lack = max(own, n - total)
                        targets.append((worth, lack, max(0, total + lack - n)))
            self._targets = targets
        return targets

    def innovation_event(self) -> int:
        """What taking any innovation sets off and counts for."""
        return self.event(v.EV_INNOVATION, -1) + self.owning_count(v.COUNT_INNOVATION) + self.p.innovation_extra

    def _saved(self, change: int) -> int:
        """Worth of the books on the way to the best innovation, with so many more (above 0) or fewer."""
        where = _MANY_BOOKS + change
        if not 0 <= where < len(self._books_worth):
            return self._worked_out(change)
        if self._books_worth[where] < 0:
            self._books_worth[where] = self._worked_out(change)
        return self._books_worth[where]

    def _worked_out(self, change: int) -> int:
        best = 0
        share = self.p.book_lack_pct
        for worth, lack, spare in self.targets():
            # Gained books fill what lacks, paid ones come first from what is not needed.
            k = max(0, lack - change) if change > 0 else lack + max(0, -change - spare)
            if k < len(share) and worth * share[k] > best:
                best = worth * share[k]
        return best // 100

    def books_gained(self, n: int) -> int:
        """What n more books bring towards an innovation."""
        return self._saved(n) - self._saved(0)

    def books_paid(self, n: int) -> int:
        """What paying n books takes from the way to an innovation."""
        return self._saved(0) - self._saved(-n)


def counts_as(counted: int, what: int) -> bool:
    """Whether a pass bonus that counts `counted` counts a thing of kind `what`."""
    if counted == what:
        return True
    return counted == v.COUNT_PALACE_UNIVERSITY and what in (v.PALACE, v.UNIVERSITY)
