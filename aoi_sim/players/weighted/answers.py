"""Answers of the weighted player to pending decisions and to the choices of the set-up."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.build import has_piece
from aoi_sim.engine.resources import multiset_counts
from aoi_sim.engine.state import (
    F_OFFER,
    F_SPADES,
    F_STEPS,
    P_PLACEMENT,
    RULE_FREE_WORKSHOP,
    RULE_SINGLE,
    SP_FIRST,
    SP_FREE,
    SP_RULE,
    SP_USED,
    Frame,
    State,
)
from aoi_sim.players.weighted.gains import Gains
from aoi_sim.players.weighted.memory import Memory
from aoi_sim.players.weighted.position import Position
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.rules import vocabulary as v

# Parts in the order in which they are best resolved: keys and buildings first, steps last.
_FIRST: Final = (v.OP_CITY_TILE, v.OP_PALACE, v.OP_COMPETENCY, v.OP_NEUTRAL, v.OP_BRIDGES, v.OP_SPADES, v.OP_BOOKS)


class Answers:
    """Worth of each answer to one decision; only their order means anything."""

    def __init__(self, state: State, i: int, frame: Frame, prices: Prices, memory: Memory | None = None) -> None:
        self.state = state
        self.i = i
        self.f = frame
        self.p = prices
        self.seat = state.seats[i]
        self._memory = Memory(state, i, prices) if memory is None else memory
        self._gains: Gains | None = None
        self._wanted: list[int] = [-1, -1, -1, -1]

    @property
    def gains(self) -> Gains:
        """Worth of gains, made when first asked for: many answers need none."""
        gains = self._gains
        if gains is None:
            gains = Gains(self.state, self.i, self.p, self._memory)
            self._gains = gains
        return gains

    @property
    def pos(self) -> Position:
        """The position."""
        return self.gains.pos

    def worth(self, action: Action) -> int:
        """Worth of an answer."""
        kind, x, y, mode = action
        if self.f[0] == F_SPADES:
            return self._spades(action)
        if kind == a.DECLINE:
            return 0
        if kind == a.BOOKS or kind == a.PAY:
            return self._books(x, kind == a.BOOKS)
        if kind == a.STEP:
            n = 1 if self.f[0] != F_STEPS or self.f[3] else self.f[2]
            return self._memory.science.steps(x, n)
        if kind == a.ACCEPT:
            return self._offer()
        if kind == a.PLACE:
            return self._place(x, y, mode)
        if kind == a.COMPETENCY:
            return self.pos.competency(x)
        if kind == a.PALACE:
            return self.pos.palace(x)
        if kind == a.CITY:
            return self.gains.gain(self.state.tables.components[x].once)
        if kind == a.UPGRADE:
            return self.pos.upgrade(x, y)
        if kind == a.BRIDGE:
            return self.gains.bridge(x, y) + 1
        if kind == a.RESOLVE:
            return len(_FIRST) - _FIRST.index(y) if y in _FIRST else 0
        if kind == a.FOUND:
            return self.pos.city_gain() + 1
        if kind == a.KEY:
            return self._key()
        return 0

    def _key(self) -> int:
        return self._memory.science.steps(self.f[2], self.f[3]) + 1

    def _offer(self) -> int:
        """Power from neighbours: what the power is worth less its VP."""
        if self.f[0] != F_OFFER:
            return 0
        return self.p.power_gain(self.seat, self.f[2]) - self.p.vp * self.f[3] + self.p.offer_bias + 1

    def _books(self, code: int, taken: bool) -> int:
        """Books are best held where the columns of wanted innovations ask for them."""
        counts = multiset_counts(code)
        own = self.state.tables.innovation_own_books
        total = 0
        for d in range(4):
            held = self.seat.books[d]
            change = min(held + (counts[d] if taken else -counts[d]), own) - min(held, own)
            if change:
                total += (2 * self._book_wanted(d) + 5) * change
        return total

    def _book_wanted(self, d: int) -> int:
        """How much a book of a discipline is wanted, worked out once a decision."""
        wanted = self._wanted[d]
        if wanted < 0:
            wanted = 0
            for cid, column in self.state.innovations:
                if column == d:
                    once = self.gains.gain(self.state.tables.components[cid].once)
                    wanted = max(wanted, max(0, self.p.lasting[cid] + once) // 100 + 20)
            self._wanted[d] = wanted
        return wanted

    def _spades(self, action: Action) -> int:
        """Dig with free spades where that gains most, further hexes before the workshop on the first one."""
        kind, h, terrain, mode = action
        f = self.f
        if kind == a.DECLINE:
            return 0
        t = self.state.tables
        p = self.p
        rule = f[SP_RULE]
        if rule == RULE_SINGLE:
            return self._single(h)
        price = 0 if rule == RULE_FREE_WORKSHOP else t.workshop_tools * p.tool + t.workshop_coins * p.coin
        tools, scholars = self.gains.way(mode)
        if kind == a.BUILD:
            worth = self.pos.workshop(h) - price - tools * p.tool - scholars * p.scholar
            return worth + self.gains.special_vp(mode)
        spades = t.dig_paths[self.seat.home][self.state.terrain[h]].index(terrain) + 1
        free = f[SP_FREE]
        bought = max(0, spades - free) * t.spade_tools[self.seat.terraforming]
        worth = spades * self.pos.events.worth(v.EV_SPADE, -1) - (tools + bought) * p.tool - scholars * p.scholar
        worth += self.gains.special_vp(mode)
        if terrain != self.seat.home:
            return worth + spades * p.spade // 6
        built = self.pos.workshop(h)
        later = max(0, built - t.workshop_tools * p.tool - t.workshop_coins * p.coin)
        if f[SP_USED]:
            # A further hex cannot get this action's workshop, and takes nothing from it.
            return worth + later * p.dig_only_pct // 100 + (100_000 if f[SP_FIRST] >= 0 and worth >= 0 else 0)
        spare = max(0, free - spades) * p.spade // 3
        if self._can_build(tools + bought, rule):
            return worth + built - price + spare
        return worth + later * p.dig_only_pct // 100 + spare

    def _can_build(self, tools: int, rule: int) -> bool:
        t = self.state.tables
        if not has_piece(self.state, self.i, v.WORKSHOP):
            return False
        if rule == RULE_FREE_WORKSHOP:
            return True
        return self.seat.coins >= t.workshop_coins and self.seat.tools - tools >= t.workshop_tools

    def _single(self, h: int) -> int:
        """A single spade: the hex that is nearest to a good workshop."""
        k = len(self.state.tables.dig_paths[self.seat.home][self.state.terrain[h]])
        return (max(0, self.pos.workshop(h)) + 1500) // k + self.pos.events.worth(v.EV_SPADE, -1)

    def _place(self, h: int, kind: int, mode: int) -> int:
        if self.state.phase == P_PLACEMENT:
            return self._start(h, kind)
        free_piece = self.pos.near[0] >> h & 1 and not self.seat.reach >> h & 1
        worth = self.pos.building(h, kind) if free_piece else self.gains.neutral(h, kind)
        if mode:
            tools, scholars = self.gains.way(mode)
            worth += self.gains.special_vp(mode)
            worth -= tools * self.p.tool + scholars * self.p.scholar
        return worth + 1

    def _start(self, h: int, kind: int) -> int:
        """Worth of a starting hex: cheap hexes around it, company, and a second piece within a city's distance."""
        geometry = self.state.geometry
        pos = self.pos
        p = self.p
        near = geometry.land_sides[h] & pos.free
        reach = geometry.sail[min(self.seat.sailing + 1, len(geometry.sail) - 1)][h] & pos.free & ~near
        total = 0
        for k in range(3):
            hexes = 100 * (near & pos.near[k]).bit_count() + p.start_sail_pct * (reach & pos.near[k]).bit_count()
            total += p.start_near[k] * hexes // 100
        if geometry.land_sides[h] & self.state.occupied & ~self.seat.own:
            total += p.start_beside
        own = self.seat.own
        if own:
            if own & geometry.land_sides[h]:
                total += p.start_join
            elif own & geometry.spread(near):
                total += p.start_apart
        return total


def best_answer(answers: Answers, actions: list[Action]) -> Action:
    """The answer of most worth, the first of equal ones."""
    best = actions[0]
    most = -1_000_000_000
    for action in actions:
        worth = answers.worth(action)
        if worth > most:
            most = worth
            best = action
    return best


def setup_worth(state: State, i: int, cid: int, prices: Prices) -> int:
    """Worth of a board, faction, palace or round bonus tile in the picks of the set-up."""
    c = state.tables.components[cid]
    if c.kind == v.K_BONUS_TILE:
        coins = state.bonus_coins[c.position]
        return prices.next_round_tile(state, i, cid) + max(0, coins) * prices.coin
    total = prices.lasting[cid]
    for gain in (c.start, c.choices, c.once):
        total += prices.gain(state, i, gain)
    return total + 4000 * c.start_competency + 1500 * c.start_spades
