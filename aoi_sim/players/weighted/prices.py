"""What everything is worth to a seat in a given round, in thousandths of a VP."""

from itertools import accumulate
from typing import Final

from aoi_sim.engine.resources import count, tier
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.weights import ROUNDS, Weights
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Component, Gain
from aoi_sim.rules.tables import Tables

# How often a seat meets an event in a round, in per cent, by event code.
OFTEN: Final = (0, 140, 60, 50, 20, 20, 10, 10, 200, 400, 50, 50, 40, 110, 70, 120, 70, 60)

_UNKNOWN: Final = -1_000_000_000

# Kinds of which each tile has a weight of its own.
_OF_ITS_OWN: Final = {
    v.K_COMPETENCY: "competency",
    v.K_BOOK_ACTION: "action",
    v.K_POWER_ACTION: "power",
    v.K_BONUS_TILE: "tile",
}


class Prices:
    """Prices of one round for one faction's weights.

    Attributes:
        coin, tool, scholar, book: price of one. power3, power2, power1: of a token in bowl III, II, I.
        later_*: what one of each a round brings in the rounds to come.
        left: rounds to come after this one.
        power_up_to: power of all steps up to a level of a discipline.
        surcharge: by component, what it counts beside the prices of what it gives.
    """

    def __init__(self, tables: Tables, w: Weights, rnd: int) -> None:
        self.tables = tables
        self.rnd = rnd
        self.left = tables.n_rounds - rnd
        r = rnd if rnd <= ROUNDS else ROUNDS
        self.vp = w.at("vp", r)
        self.coin = w.at("coin", r)
        self.tool = w.at("tool", r)
        self.scholar = w.at("scholar", r)
        self.book = w.at("book", r)
        self.power3 = w.at("power", r)
        self.power2 = self.power3 * w.at("bowl2_pct", r) // 100
        self.power1 = self.power3 * w.at("bowl1_pct", r) // 100
        self.coin_many = w.at("coin_many", r)
        self.coin_for_tool_pct = w.at("coin_for_tool_pct", r)
        self.tool_many = w.at("tool_many", r)
        self.scholar_many = w.at("scholar_many", r)
        self.pair_pct = w.at("pair_pct", r)
        self.pair_width = w.at("pair_width", r)
        self.chain = w.at("chain", r)
        self.chain_pct = w.at("chain_pct", r)
        self.beyond_pct = w.at("beyond_pct", r)
        self.follow_pct = w.at("follow_pct", r)
        self.later_coin = self._later(w, "coin", r)
        self.later_tool = self._later(w, "tool", r)
        self.later_scholar = self._later(w, "scholar", r)
        self.later_book = self._later(w, "book", r)
        self.later_power = self._later(w, "power", r) * 70 // 100
        self.later_vp = self.vp * self.left * w.at("income_pct", r) // 100
        self.level = w.at("level", r)
        self.later_level = self._later(w, "level", r)
        self.place_pct = w.at("place_pct", r)
        self.close_pct = w.at("close_pct", r)
        self.bonus_pct = w.at("bonus_pct", r)
        self.later_bonus_pct = w.at("later_bonus_pct", r)
        self.near = [w.at("near0", r), w.at("near1", r), w.at("near2", r)]
        self.beside = w.at("beside", r)
        self.area = w.at("area", r)
        self.area_place_pct = w.at("area_place_pct", r)
        self.area_close_pct = w.at("area_close_pct", r)
        self.dig_only_pct = w.at("dig_only_pct", r)
        self.city_extra = w.at("city_extra", r)
        self.lack_pct = [100, w.at("lack1_pct", r), w.at("lack2_pct", r), w.at("lack3_pct", r), w.at("lack4_pct", r), 0]
        self.near_city_pct = w.at("near_city_pct", r)
        self.standing = [0] * 8
        self.standing[v.GUILD] = w.at("guild_worth", r)
        self.standing[v.SCHOOL] = w.at("school_worth", r)
        self.standing[v.PALACE] = w.at("palace_worth", r)
        self.standing[v.UNIVERSITY] = w.at("university_worth", r)
        self.action_pct = w.at("action_pct", r)
        self.pass_pct = w.at("pass_pct", r)
        self.growth_pct = w.at("growth_pct", r)
        self.trigger_pct = w.at("trigger_pct", r)
        self.competency_extra = w.at("competency_extra", r)
        self.city_power_ability = w.at("city_power_ability", r)
        self.river_city_ability = w.at("river_city_ability", r)
        self.flight_ability = w.at("flight_ability", r)
        self.tunnel_extra = w.at("tunnel_extra", r)
        self.free_workshop = w.at("free_workshop", r)
        self.sailing_step = w.at("sailing_step", r)
        self.terraforming_step = w.at("terraforming_step", r)
        self.spade = w.at("spade", r)
        self.bridge = w.at("bridge", r)
        self.annex = w.at("annex", r)
        self.token = w.at("token", r)
        self.second_action = w.at("second_action", r)
        self.innovation_extra = w.at("innovation_extra", r)
        self.power_action_extra = w.at("power_action_extra", r)
        self.book_lack_pct = [w.at(f"book_lack{k}_pct", r) for k in range(5)]
        self.start_near = [w.at(f"start_near{k}", r) for k in range(3)]
        self.start_sail_pct = w.at("start_sail_pct", r)
        self.start_beside = w.at("start_beside", r)
        self.start_join = w.at("start_join", r)
        self.start_apart = w.at("start_apart", r)
        self.wait_pct = w.at("wait_pct", r)
        self.least_gain = w.at("least_gain", r)
        self.early_pass_pct = w.at("early_pass_pct", r)
        self.offer_bias = w.at("offer_bias", r)
        self.send_extra = w.at("send_extra", r)
        self.spent_power = self.power3 - self.power1
        self.burnt = 2 * self.power2 - self.power3 + self.token + w.at("burn_cost", r)
        self.workshop_income = [n * self.later_tool for n in tables.workshop_income]
        self.school_income = self.income(tables.school_income)
        self.university_income = self.income(tables.university_income)
        self.discipline_income = [self.income(g) for g in tables.science_income]
        self.power_up_to = list(accumulate(tables.science_power))
        self.surcharge = [_surcharge(w, c, r) for c in tables.components]
        self._guilds: dict[int, list[int]] = {}
        self.lasting = [self._lasting(c) + self.surcharge[k] for k, c in enumerate(tables.components)]
        self._once: list[int] = [self.flat(c.once) if is_fixed(c.once) else _UNKNOWN for c in tables.components]
        self._tiles: list[int] = [
            once + lasting if once != _UNKNOWN and c.passing.empty else _UNKNOWN
            for c, once, lasting in zip(tables.components, self._once, self.lasting, strict=True)
        ]
        self._bonus_tiles: list[int] = [
            self._bonus_tile(c) + extra if c.kind == v.K_BONUS_TILE else _UNKNOWN
            for c, extra in zip(tables.components, self.surcharge, strict=True)
        ]
        self.resources = [resources_of(c.action) for c in tables.components]

    def _later(self, w: Weights, name: str, r: int) -> int:
        total = 0
        for k in range(r + 1, ROUNDS + 1):
            total += w.at(name, k)
        return total * w.at("income_pct", r) // 100

    def held(self, price: int, many: int, stock: int, n: int) -> int:
        """Worth of n out of a stock of more than `many`: what goes beyond counts at a share."""
        cheap = n if stock - n >= many else stock - many
        return ((n - cheap) * 100 + cheap * self.beyond_pct) * price // 100

    def coins(self, stock: int, tools: int, n: int) -> int:
        """Worth of n coins out of a stock, with so many tools to spend them with."""
        many = self.coin_many + self.coin_for_tool_pct * tools // 100
        return n * self.coin if stock <= many else self.held(self.coin, many, stock, n)

    def tools_of(self, stock: int, n: int) -> int:
        """Worth of n tools out of a stock."""
        return n * self.tool if stock <= self.tool_many else self.held(self.tool, self.tool_many, stock, n)

    def scholars(self, stock: int, n: int) -> int:
        """Worth of n scholars out of a stock."""
        return n * self.scholar if stock <= self.scholar_many else self.held(self.scholar, self.scholar_many, stock, n)

    def guilds(self, board: int) -> list[int]:
        """Worth of the income of 0, 1, 2, ... guilds."""
        known = self._guilds.get(board)
        if known is None:
            known = [0]
            for gain in self.tables.board_guild_income.get(board, self.tables.guild_income):
                known.append(known[-1] + self.income(gain))
            self._guilds[board] = known
        return known

    def income(self, gain: Gain) -> int:
        """Worth of having a gain as income in all rounds to come."""
        total = 0
        for op, n, _, _ in gain.simple:
            if op == v.OP_COINS:
                total += n * self.later_coin
            elif op == v.OP_TOOLS:
                total += n * self.later_tool
            elif op == v.OP_SCHOLARS:
                total += n * self.later_scholar
            elif op == v.OP_POWER:
                total += n * self.later_power
            elif op == v.OP_VP:
                total += n * self.later_vp
            elif op == v.OP_BOOK_OF:
                total += n * self.later_book
        for op, n, _, _ in gain.parts:
            if op == v.OP_BOOKS:
                total += n * self.later_book
            elif op in (v.OP_STEPS, v.OP_STEPS_SPLIT, v.OP_STEPS_OF):
                total += n * (self.later_level + 600 * self.left)
            elif op == v.OP_STEPS_EACH:
                total += 4 * n * (self.later_level + 400 * self.left)
        return total

    def op(self, op: int, n: int) -> int:
        """Price of an op of a gain that counts nothing."""
        if op == v.OP_VP:
            return self.vp * n
        if op == v.OP_COINS:
            return self.coin * n
        if op == v.OP_TOOLS:
            return self.tool * n
        if op == v.OP_SCHOLARS:
            return self.scholar * n
        if op == v.OP_POWER:
            return (self.power3 - self.power1) * n // 2
        if op in (v.OP_BOOKS, v.OP_BOOK_OF, v.OP_BOOKS_ITS):
            return self.book * n
        if op in (v.OP_STEPS, v.OP_STEPS_SPLIT, v.OP_STEPS_OF):
            return (self.level + 600) * n
        if op == v.OP_STEPS_EACH:
            return 4 * (self.level + 400) * n
        if op == v.OP_SPADES:
            return self.spade * n
        if op == v.OP_SAILING:
            return self.sailing_step * n
        if op == v.OP_TERRAFORMING:
            return self.terraforming_step * n
        if op == v.OP_BRIDGES:
            return self.bridge * n
        if op == v.OP_ANNEXES:
            return self.annex * n
        if op == v.OP_TOKENS:
            return (self.token + self.power3) * n
        if op == v.OP_SECOND_ACTION:
            return self.second_action
        if op == v.OP_COMPETENCY:
            return (self.competency_extra + 4000) * n
        if op == v.OP_CITY_TILE:
            return (self.city_extra + 6000) * n
        if op == v.OP_PALACE:
            return 6000
        return 3000  # a building: neutral, free piece, exchange

    def flat(self, gain: Gain) -> int:
        """Price of a gain whoever gains it: each op at its price, nothing counted."""
        total = 0
        for op, n, _, _ in gain.simple:
            total += self.op(op, n)
        for op, n, _, _ in gain.parts:
            total += self.op(op, n)
        return total

    def gain(self, state: State, i: int, gain: Gain) -> int:
        """Worth of a gain to a seat now; what it counts is counted, a choice is taken at its price."""
        total = self.simple(state, i, gain) if gain.simple else 0
        if gain.parts:
            for op, n, b, _ in gain.parts:
                if op == v.OP_STEPS_SPLIT_PER:
                    total += n * count(state, i, b) * (self.level + 600)
                else:
                    total += self.op(op, n)
                    if op == v.OP_SPADES and b:
                        total += self.free_workshop
        return total

    def once(self, state: State, i: int, cid: int) -> int:
        """Worth to a seat now of what a component gives once."""
        known = self._once[cid]
        return self.gain(state, i, self.tables.components[cid].once) if known == _UNKNOWN else known

    def tile(self, state: State, i: int, cid: int) -> int:
        """Worth to a seat of taking a component: what it gives once, and owning it from now on."""
        known = self._tiles[cid]
        return self.once(state, i, cid) + self.owning(state, i, cid) if known == _UNKNOWN else known

    def simple(self, state: State, i: int, gain: Gain) -> int:
        """Worth to a seat now of what a gain gives at once."""
        total = 0
        seat = state.seats[i]
        for op, n, b, _ in gain.simple:
            if op == v.OP_VP:
                total += self.vp * n
            elif op == v.OP_VP_PER:
                total += self.vp * n * count(state, i, b)
            elif op == v.OP_VP_TIERS:
                total += self.vp * tier(self.tables.tiers[n], count(state, i, b))
            elif op == v.OP_POWER:
                total += self.power_gain(seat, n)
            elif op == v.OP_SCHOLARS:
                k = min(n, seat.scholar_supply)
                total += self.scholars(seat.scholars + k, k)
            elif op == v.OP_COINS:
                total += self.coins(seat.coins + n, seat.tools, n)
            elif op == v.OP_TOOLS:
                total += self.tools_of(seat.tools + n, n)
            else:
                total += self.op(op, n)
        return total

    def power_gain(self, seat: Seat, n: int) -> int:
        """Worth of gaining n power with the seat's bowls (POW-1)."""
        k = n if n < seat.bowl1 else seat.bowl1
        m = n - k
        most = seat.bowl2 + k
        if m > most:
            m = most
        return k * (self.power2 - self.power1) + m * (self.power3 - self.power2)

    def _lasting(self, c: Component) -> int:
        """What owning a component brings from now on, what it counts left out."""
        total = self.income(c.income)
        if not c.action.empty and c.special >= 0:
            total += self.flat(c.action) * (self.left * 100 + 50) * self.action_pct // 10000
        for t in c.triggers:
            share = OFTEN[t.event] * (45 if t.where else 100) // 100
            total += self.flat(t.gain) * share * (self.left * 100 + 60) * self.trigger_pct // 1000000
        if c.city_power:
            total += self.city_power_ability
        if c.river_city:
            total += self.river_city_ability
        if c.flight_scholars >= 0:
            total += self.flight_ability
        return total

    def owning(self, state: State, i: int, cid: int) -> int:
        """What owning a component is worth to a seat from now on, pass bonuses at what they will count."""
        total = self.lasting[cid]
        c = self.tables.components[cid]
        if c.passing.empty:
            return total
        for op, n, b, _ in c.passing.simple:
            if op == v.OP_VP_PER:
                have = count(state, i, b) * 100 + self.growth_pct * self.left // 2
                total += self.vp * n * have * (self.left + 1) * self.pass_pct // 10000
            else:
                total += self.op(op, n) * (self.left + 1) * self.pass_pct // 100
        for op, n, b, _ in c.passing.parts:
            times = count(state, i, b) if op == v.OP_STEPS_SPLIT_PER else 1
            total += (self.level + 600) * n * times * (self.left + 1) * self.pass_pct // 100
        return total

    def next_round_tile(self, state: State, i: int, cid: int) -> int:
        """What a round bonus tile taken now brings in the next round (these are the next round's prices)."""
        c = self.tables.components[cid]
        total = self._bonus_tiles[cid]
        seat = state.seats[i]
        for op, n, _, _ in c.income.simple:
            if op == v.OP_COINS:
                total += self.coins(seat.coins + n, seat.tools, n)
            elif op == v.OP_TOOLS:
                total += self.tools_of(seat.tools + n, n)
        for op, n, b, _ in c.passing.simple:
            if op == v.OP_VP_PER:
                total += self.vp * n * (count(state, i, b) * 100 + self.growth_pct // 3) // 100
        for op, n, b, _ in c.passing.parts:
            if op == v.OP_STEPS_SPLIT_PER:
                total += (self.level + 600) * n * count(state, i, b)
        return total

    def _bonus_tile(self, c: Component) -> int:
        """What a round bonus tile brings in a round to whoever holds it."""
        total = self.flat(c.action)
        for op, n, _, _ in c.income.simple:
            if op not in (v.OP_COINS, v.OP_TOOLS):
                total += self.op(op, n) * (2 if op == v.OP_POWER else 1)
        for op, n, _, _ in c.income.parts:
            total += self.op(op, n)
        for t in c.triggers:
            each = 0
            for op, n, _, _ in t.gain.simple:
                each += self.op(op, n)
            total += each * OFTEN[t.event] * (60 if t.where else 100) // 10000
        if c.sailing_bonus:
            total += 1500
        return total


def is_fixed(gain: Gain) -> bool:
    """Whether a gain is worth the same whatever a seat holds and has on the map: `Prices.flat` is `Prices.gain`."""
    for op, _, _, _ in gain.simple:
        if op in (v.OP_COINS, v.OP_TOOLS, v.OP_SCHOLARS, v.OP_POWER, v.OP_VP_PER, v.OP_VP_TIERS):
            return False
    return all(op != v.OP_STEPS_SPLIT_PER for op, _, _, _ in gain.parts)


def _surcharge(w: Weights, c: Component, r: int) -> int:
    """What a tile or action counts beside the prices of what it gives; 0 for those that rules files add."""
    kind = _OF_ITS_OWN.get(c.kind)
    if kind is None:
        return 0
    name = f"{kind}_{c.key.replace('-', '_')}"
    return w.at(name, r) if name in w.rows else 0


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
