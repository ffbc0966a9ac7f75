"""What things are worth to a naive player, in VP: resources, gains and components by the rounds still to come."""

from typing import Final

from aoi_sim.engine.resources import count, tier
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Component, Gain
from aoi_sim.rules.tables import Tables

# Worth in VP with all rounds to come, and in the last round.
_COIN = (0.44, 0.20)
_TOOL = (0.80, 0.65)
_SCHOLAR = (1.60, 0.75)
_BOOK = (1.45, 0.80)
_POWER = (0.32, 0.14)
_STEP = (0.80, 0.47)
_SPADE = (1.60, 1.00)
_SAILING = (3.50, 0.70)
_TERRAFORMING = (4.90, 0.40)
_BRIDGE = (1.70, 1.00)
_BUILDING = (5.40, 0.50)
_COMPETENCY = (9.60, 3.60)
_PALACE = (10.80, 2.20)
_CITY = (8.50, 4.20)
_ANNEX = (0.90, 0.40)
_STANDING = (1.20, 0.80)
_TOKEN = (0.36, 0.15)
_ABILITY = (4.00, 0.30)
# How often a player meets an event in a round, by event.
_OFTEN = (0.0, 1.3, 0.5, 0.4, 0.15, 0.2, 0.1, 0.1, 1.5, 3.0, 0.35, 0.5, 0.35, 0.8, 0.6, 0.8, 0.6, 0.4)
# What a count comes to in the end, where it is 0 now.
_LASTING_SHARE: Final = 0.75


class Worth:
    """Worth of everything with `left` more rounds to come.

    Attributes:
        coin, tool, scholar, book, power, step, spade, ...: VP for one of each.
        lasting: by component, what owning it brings from now on, pass bonuses that count something left out.
        passing: by component, its pass bonuses that count something, as (VP, what).
    """

    def __init__(self, tables: Tables, left: int) -> None:
        self.tables = tables
        self.left = left
        share = min(left / max(tables.n_rounds - 1, 1), 1.0)
        self.coin = _at(_COIN, share)
        self.tool = _at(_TOOL, share)
        self.scholar = _at(_SCHOLAR, share)
        self.book = _at(_BOOK, share)
        self.power = _at(_POWER, share)
        self.step = _at(_STEP, share)
        self.spade = _at(_SPADE, share)
        self.sailing = _at(_SAILING, share)
        self.terraforming = _at(_TERRAFORMING, share)
        self.bridge = _at(_BRIDGE, share)
        self.building = _at(_BUILDING, share)
        self.competency = _at(_COMPETENCY, share)
        self.palace = _at(_PALACE, share)
        self.city = _at(_CITY, share)
        self.annex = _at(_ANNEX, share)
        self.token = _at(_TOKEN, share)
        self.ability = _at(_ABILITY, share)
        self.standing = _at(_STANDING, share)
        self.rounds = left * _LASTING_SHARE
        self._op = self._op_worths()
        self.workshop_income = self._workshops()
        self.guild_income = self._guilds([self.gain(g) for g in tables.guild_income])
        self.board_guild_income = {
            cid: self._guilds([self.gain(g) for g in gains]) for cid, gains in tables.board_guild_income.items()
        }
        self.school_income = self.gain(tables.school_income) * self.rounds
        self.university_income = self.gain(tables.university_income) * self.rounds
        self.science_income = [self.gain(g) * self.rounds for g in tables.science_income]
        self.lasting = [self._lasting(c) for c in tables.components]
        self.passing = [
            [(n, what) for op, n, what, _ in c.passing.simple if op == v.OP_VP_PER] for c in tables.components
        ]

    def _op_worths(self) -> list[float]:
        op = [0.0] * v.N_OPS
        op[v.OP_COINS] = self.coin
        op[v.OP_TOOLS] = self.tool
        op[v.OP_SCHOLARS] = self.scholar
        op[v.OP_POWER] = self.power
        op[v.OP_VP] = 1.0
        op[v.OP_TOKENS] = self.token
        op[v.OP_ANNEXES] = self.annex
        op[v.OP_BOOK_OF] = self.book * 0.9
        op[v.OP_BOOKS_ITS] = self.book * 0.9
        op[v.OP_BOOKS] = self.book
        op[v.OP_STEPS] = self.step
        op[v.OP_STEPS_SPLIT] = self.step
        op[v.OP_STEPS_EACH] = self.step * 4
        op[v.OP_STEPS_OF] = self.step * 0.9
        op[v.OP_SAILING] = self.sailing
        op[v.OP_TERRAFORMING] = self.terraforming
        op[v.OP_SPADES] = self.spade
        op[v.OP_BRIDGES] = self.bridge
        op[v.OP_COMPETENCY] = self.competency
        op[v.OP_CITY_TILE] = self.city
        op[v.OP_SECOND_ACTION] = 1.0
        op[v.OP_PALACE] = self.palace
        op[v.OP_FOUND] = self.city
        return op

    def _workshops(self) -> list[float]:
        return [n * self.tool * self.rounds for n in self.tables.workshop_income]

    def _guilds(self, each: list[float]) -> list[float]:
        """Worth of the income of 0, 1, 2, ... guilds."""
        total = 0.0
        found = [0.0]
        for worth in each:
            total += worth * self.rounds
            found.append(total)
        return found

    def part(self, op: int, n: int, b: int) -> float:
        """Worth of one op of a gain; what counts something is taken at a usual count."""
        if op == v.OP_NEUTRAL or op == v.OP_FREE_PIECE:
            return self.building * (1.4 if n == v.PALACE or n == v.MONUMENT or n == v.UNIVERSITY else 1.0)
        if op == v.OP_EXCHANGE:
            return self.building * 0.8
        if op == v.OP_VP_PER:
            return n * 2.0
        if op == v.OP_STEPS_SPLIT_PER:
            return n * 2.0 * self.step
        if op == v.OP_VP_TIERS:
            return 5.0
        return self._op[op] * n

    def gain(self, gain: Gain) -> float:
        """Worth of a gain."""
        worth = 0.0
        for op, n, b, _ in gain.simple:
            worth += self.part(op, n, b)
        for op, n, b, _ in gain.parts:
            worth += self.part(op, n, b)
        return worth

    def gain_now(self, state: State, i: int, gain: Gain) -> float:
        """Worth of a gain to a seat now, with what it counts counted."""
        worth = 0.0
        for op, n, b, _ in gain.simple:
            if op == v.OP_VP_PER:
                worth += n * count(state, i, b)
            elif op == v.OP_VP_TIERS:
                worth += tier(self.tables.tiers[n], count(state, i, b))
            else:
                worth += self.part(op, n, b)
        for op, n, b, _ in gain.parts:
            if op == v.OP_STEPS_SPLIT_PER:
                worth += n * count(state, i, b) * self.step
            else:
                worth += self.part(op, n, b)
        return worth

    def _lasting(self, c: Component) -> float:
        """What owning a component brings from now on: income, actions, events, abilities."""
        if c.kind in (v.K_ROUND_TILE, v.K_FINAL_TILE, v.K_POWER_ACTION, v.K_BOOK_ACTION):
            return 0.0
        worth = self.gain(c.income) * self.rounds + self.gain(c.action) * (self.rounds + 0.4)
        for op, n, b, _ in c.passing.simple:
            if op != v.OP_VP_PER:
                worth += self.part(op, n, b) * (self.rounds + 0.8)
        for op, n, b, _ in c.passing.parts:
            worth += self.part(op, n, b) * (self.rounds + 0.8)
        for t in c.triggers:
            worth += _OFTEN[t.event] * (0.6 if t.where else 1.0) * self.gain(t.gain) * (self.rounds + 0.5)
        n_abilities = 0
        for has in (c.power_discount, c.city_power, c.river_city, c.science_bonus_levels, c.sailing_bonus):
            if has:
                n_abilities += 1
        for price in (c.tunnel_tools, c.flight_scholars, c.bridge_tools):
            if price >= 0:
                n_abilities += 1
        return worth + self.ability * n_abilities

    def own(self, state: State, i: int, cid: int) -> float:
        """What owning a component is worth to a seat, with the pass bonuses that count something."""
        worth = self.lasting[cid]
        for n, what in self.passing[cid]:
            worth += n * count(state, i, what) * (self.rounds + 0.8)
        return worth

    def one_round(self, state: State, i: int, cid: int) -> float:
        """What a round bonus tile is worth for one round, its income included."""
        c = self.tables.components[cid]
        worth = self.gain(c.income) + self.gain(c.action) * 0.9
        for op, n, b, _ in c.passing.simple:
            if op == v.OP_VP_PER:
                worth += n * (count(state, i, b) + 0.4)
            else:
                worth += self.part(op, n, b)
        for op, n, b, _ in c.passing.parts:
            if op == v.OP_STEPS_SPLIT_PER:
                worth += n * (count(state, i, b) + 0.4) * self.step
            else:
                worth += self.part(op, n, b)
        for t in c.triggers:
            worth += _OFTEN[t.event] * (0.6 if t.where else 1.0) * self.gain(t.gain)
        return worth + (0.8 if c.sailing_bonus else 0.0)


def _at(pair: tuple[float, float], share: float) -> float:
    return pair[1] + (pair[0] - pair[1]) * share
