"""Counts what happens in games, under the names of `effects.expected`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from aoi_sim.engine import actions as a
from aoi_sim.engine import events as e
from aoi_sim.engine.actions import Action
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.resources import flood
from aoi_sim.engine.scoring import area
from aoi_sim.engine.state import (
    F_BRIDGE,
    F_FREE_PIECE,
    F_NEUTRAL,
    F_SPADES,
    FRAME_NAMES,
    P_ACTIONS,
    P_BONUS,
    P_DRAFT_BONUS,
    P_INCOME,
    P_START_CHOICES,
    P_START_COMPETENCY,
    P_START_SPADES,
    PHASE_NAMES,
    RULE_FREE_WORKSHOP,
    State,
    clone,
)
from aoi_sim.rules import vocabulary as v
from tests.soak import effects

# Where frames of spades, bridges, neutral buildings and free pieces keep their source, and which answer uses them.
_SOURCES = {F_SPADES: 8, F_BRIDGE: 4, F_NEUTRAL: 3, F_FREE_PIECE: 3}
_OPS = {F_SPADES: v.OP_SPADES, F_BRIDGE: v.OP_BRIDGES, F_NEUTRAL: v.OP_NEUTRAL, F_FREE_PIECE: v.OP_FREE_PIECE}
_COLUMN = {name: k for k, name in enumerate(e.ROUND_COLUMNS)}


class Census:
    """What happened, by name, in one game or in many."""

    def __init__(self, state: State) -> None:
        self.count: Counter[str] = Counter()
        self.tables = state.tables
        self.gains = effects.gain_effects(state.tables)
        self.refs = [component.ref for component in state.tables.components]
        self.started = state.phase > P_DRAFT_BONUS
        if self.started:
            self._start(state)

    def before(self, state: State, i: int, action: Action) -> None:
        """Count what an action is, before it is applied."""
        count = self.count
        kind, x, _, mode = action
        count[f"action {a.KIND_NAMES[kind]}"] += 1
        if kind == a.CONVERT:
            count[f"convert {self.tables.conversion_keys[x]}"] += 1
        if kind in (a.TRANSFORM, a.BUILD, a.PLACE):
            self._on_map(state, i, kind, x, mode)
        elif kind == a.BRIDGE and not state.stack:
            count[f"{self.refs[state.seats[i].faction]} {effects.OWN_BRIDGE}"] += 1
        elif kind == a.INNOVATE:
            board = state.seats[i].board
            place = len(state.seats[i].innovations)
            if self.tables.board_innovation_books[board][place] != self.tables.innovation_books[place]:
                count[f"{self.refs[board]} {effects.INNOVATION_PRICE}"] += 1
        elif kind == a.ADVANCE and x == a.TERRAFORMING:
            count[f"{self.refs[state.seats[i].board]} {effects.TERRAFORMING_PRICE}"] += 1
        asked = ""
        if state.stack:
            frame = state.stack[-1]
            count[f"asked {FRAME_NAMES[frame[0]]}"] += 1
            asked = ", asked" if state.phase in (P_INCOME, P_BONUS) else ""
            if frame[0] in _SOURCES and kind != a.DECLINE:
                self._use(state, i, frame, kind)
        count[f"phase {PHASE_NAMES[state.phase]}{asked}"] += 1

    def _on_map(self, state: State, i: int, kind: int, hex_: int, mode: int) -> None:
        seat = state.seats[i]
        if mode:
            self.count[f"action {a.KIND_NAMES[kind]} {a.MODE_NAMES[mode]}"] += 1
        elif seat.sailing_bonus and state.phase == P_ACTIONS:
            sail = state.geometry.sail[seat.sailing]
            if not any((sail[h] | state.bridge_sides[h]) >> hex_ & 1 for h in bits(seat.own)):
                self.count[f"{self.refs[seat.bonus]} {effects.FURTHER_REACH}"] += 1

    def _use(self, state: State, i: int, frame: tuple[int, ...], kind: int) -> None:
        """An offered spade, bridge or building is used."""
        source = frame[_SOURCES[frame[0]]]
        seat = state.seats[i]
        if source >= 0:
            self.count[self.gains.get((source, _OPS[frame[0]]), "")] += 1
        elif state.phase == P_START_SPADES:
            annexed = [c for c in seat.competencies if self.gains.get((c, v.OP_SPADES))]
            if self.tables.components[seat.board].start_spades and not annexed:
                self.count[f"{self.refs[seat.board]} {effects.START_SPADE}"] += 1
        if frame[0] == F_SPADES and frame[6] == RULE_FREE_WORKSHOP and kind == a.BUILD:
            self.count[f"{self.refs[source]} {effects.FREE_WORKSHOP}"] += 1

    def after(self, phase: int, state: State, rows: Sequence[Sequence[int]], new_rounds: Sequence[int]) -> None:
        """Count what an action brought about.

        Args:
            phase: phase before the action.
            state: the state after it.
            rows: its events.
            new_rounds: what it added to the log of rounds.
        """
        if not self.started and state.phase > P_DRAFT_BONUS:
            self._start(state)
        income = phase == P_INCOME
        for _, i, code, cid, hex_, amount, *_ in rows:
            self.count[f"event {e.EVENT_NAMES[code]}"] += 1
            if code == e.E_TOOLS and cid < 0:
                income = True
            if code in effects.EVENT_OPS and amount:
                self.count[self.gains.get((cid, effects.EVENT_OPS[code]), "")] += 1
            elif code == e.E_EFFECT and amount not in effects.USED_OPS:
                op = v.OP_VP if amount == v.OP_VP_PER else amount
                self.count[self.gains.get((cid, op), "")] += 1
            if code in effects.TAKEN_EVENTS and cid >= 0:
                self.count[f"{self.refs[cid]} {effects.TAKEN_EVENTS[code]}"] += 1
            self._special(state, phase, i, code, cid, hex_, amount, income)
        width = e.ROUND_WIDTH
        for at in range(0, len(new_rounds), width):
            self._round_end(state, new_rounds[at : at + width])

    def _special(
        self, state: State, phase: int, i: int, code: int, cid: int, hex_: int, amount: int, income: bool
    ) -> None:
        count, seat, t = self.count, state.seats[i], self.tables
        if code in range(v.EV_BUILT + 1, v.EV_SPADE):
            count[f"built {'neutral ' * amount}{v.BUILDING_NAMES[code]}"] += 1
            count[f"built {v.BUILDING_NAMES[code]}"] += amount  # a tower or monument is always neutral
        elif code == v.EV_STEP:
            count[f"{self.refs[cid]} level {amount}"] += 1
            if income and amount == t.income_level:
                count[effects.LEVEL_REACHED] += 1
        elif code == v.EV_TRACK:
            count[f"{self.refs[cid]} level {amount}"] += 1
            if cid == t.cid_sailing and t.board_sailing_rewards[seat.board] != t.sailing_rewards:
                count[f"{self.refs[seat.board]} {effects.SAILING_REWARD}"] += 1
        elif code == v.EV_TUNNEL:
            count[f"{self.refs[cid]} {effects.TUNNEL}"] += 1
        elif code == v.EV_FLIGHT:
            count[f"{self.refs[cid]} {effects.FLIGHT}"] += 1
        elif code == v.EV_POWER_ACTION and seat.power_discount:
            count[f"{self.refs[seat.faction]} {effects.LESS_POWER_PRICE}"] += 1
        elif code == v.EV_COMPETENCY and phase == P_START_COMPETENCY:
            count[f"{self.refs[seat.faction]} {effects.START_COMPETENCY}"] += 1
        elif code == e.E_PLACED:
            count[f"{self.refs[seat.faction]} {effects.START_PIECES}"] += 1
        elif code == e.E_CITY_FOUNDED:
            self._city(state, i, hex_, amount)
        elif code == e.E_VP:
            count[self.refs[cid]] += 1
        elif code in effects.EVENT_OPS and cid in t.cid_discipline:
            count[f"{self.refs[cid]} income of level {t.income_level}"] += 1
        elif code == e.E_COINS and cid < 0 and seat.board in t.board_guild_income:
            count[f"{self.refs[seat.board]} {effects.GUILD_INCOME}"] += 1
        if code == e.E_VP and cid in t.cid_discipline:
            count[f"{self.refs[cid]} income of level {t.income_level}"] += 1

    def _city(self, state: State, i: int, hex_: int, buildings: int) -> None:
        """Why a city could be founded (CITY-1, CITY-6)."""
        t, seat, count = self.tables, state.seats[i], self.count
        start = 1 << hex_
        if state.geometry.river & start:
            start = state.geometry.sides[hex_] & seat.own
            count[f"{self.refs[seat.palace]} {effects.CITY_OVER_RIVER}"] += 1
            group = 0
            for h in bits(start):
                group |= flood(state, seat.own, 1 << h)
        else:
            group = flood(state, seat.own, start)
        if group.bit_count() != buildings:
            return  # it has grown since
        kinds = [state.building[h] for h in bits(group)]
        annexes = (group & seat.annexed).bit_count()
        power = sum(t.building_power[kind] for kind in kinds) + annexes
        if power < t.city_power:
            count[f"{self.refs[seat.palace]} {effects.CITY_LESS_POWER}"] += 1
        sizes = effects.CITY_SIZES
        least = min(t.building_city_size[kind] for kind in kinds)
        if annexes and (len(kinds) < least or power - annexes < seat.city_power):
            count[sizes[2]] += 1
        elif len(kinds) < t.city_size:
            count[sizes[0] if len(kinds) == t.building_city_size[v.UNIVERSITY] else sizes[1]] += 1

    def _round_end(self, state: State, row: Sequence[int]) -> None:
        """END-1 with levels counted higher."""
        if row[_COLUMN["moment"]] == 0 or row[_COLUMN["round"]] == self.tables.n_rounds:
            return
        seat = state.seats[row[_COLUMN["seat"]]]
        tile = self.tables.components[state.round_tiles[row[_COLUMN["round"]] - 1]]
        level = row[_COLUMN["banking"] + tile.bonus_discipline]
        higher = level + seat.science_bonus_levels
        if higher // tile.bonus_every > level // tile.bonus_every:
            self.count[f"{self.refs[seat.faction]} {effects.HIGHER_LEVELS}"] += 1

    def _start(self, state: State) -> None:
        self.started = True
        assert state.phase >= P_START_CHOICES
        for seat in state.seats:
            self.count[f"{self.refs[seat.board]} {effects.START}"] += 1
            self.count[f"{self.refs[seat.faction]} {effects.START}"] += 1
            if seat.bonus >= 0:
                self.count[f"{self.refs[seat.bonus]} taken"] += 1

    def finish(self, state: State) -> None:
        """Count what the final scoring owes to tunnels and flights."""
        for i, seat in enumerate(state.seats):
            if seat.tunnel_tools < 0 and seat.flight_scholars < 0:
                continue
            without = clone(state)
            without.seats[i].tunnel_tools = without.seats[i].flight_scholars = -1
            if area(without, i) < area(state, i):
                cid = seat.flight_cid if seat.flight_scholars >= 0 else seat.tunnel_cid
                self.count[f"{self.refs[cid]} {effects.JOINED_AREA}"] += 1
