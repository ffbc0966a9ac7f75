"""What events set off for a seat, and what counted things bring at its passes."""

from typing import Final

from aoi_sim.engine.state import P_ACTIONS, State
from aoi_sim.players.weighted.prices import Prices, is_fixed
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
_UNKNOWN: Final = -1_000_000_000


class Events:
    """Worths of events and of counted things, worked out when first asked for and kept over decisions.

    Nearly all of them depend only on the prices, the phase, the round and the seat's components; those that depend on
    what the seat holds are forgotten at each decision (`renew`).

    Args:
        state: the position.
        i: the seat.
        prices: its prices.
    """

    def __init__(self, state: State, i: int, prices: Prices) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self._triggers = self.seat.triggers
        self._round_triggers = state.round_triggers
        self._phase = state.phase
        self._anywhere: list[int] = [_UNKNOWN] * v.N_TRIGGER_EVENTS
        self._at_edge: list[int] = [0] * v.N_TRIGGER_EVENTS
        self._at_river: list[int] = [0] * v.N_TRIGGER_EVENTS
        self._owning: list[int] = [_UNKNOWN] * len(v.COUNT_NAMES)
        self._passing: list[int] = []

    def holds(self, state: State, i: int, prices: Prices) -> bool:
        """Whether prices, phase, round and the seat's components are those of before (the engine makes new triggers)."""
        return (
            prices is self.p
            and state.seats[i].triggers is self._triggers
            and state.round_triggers is self._round_triggers
            and state.phase == self._phase
        )

    def renew(self, state: State) -> None:
        """Look at a later position for which it still holds."""
        self.state = state
        self.seat = state.seats[self.i]
        if self._passing:
            for event in self._passing:
                self._anywhere[event] = _UNKNOWN
            self._passing = []

    def worth(self, event: int, h: int) -> int:
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
        fixed = True
        for t in self._triggers[event]:
            worth[t.where] += self.p.gain(state, self.i, t.gain)
            fixed = fixed and is_fixed(t.gain)
        if state.phase == P_ACTIONS:
            for t in self._round_triggers[event]:
                worth[t.where] += self.p.gain(state, self.i, t.gain)
                fixed = fixed and is_fixed(t.gain)
            if event in _SCARCE:
                worth[v.WHERE_ANY] -= self._waiting(event)
        self._anywhere[event] = worth[v.WHERE_ANY]
        self._at_edge[event] = worth[v.WHERE_EDGE]
        self._at_river[event] = worth[v.WHERE_RIVER]
        if not fixed:
            self._passing.append(event)

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

    def owning(self, what: int) -> int:
        """What one more counted thing brings at the passes to come (pass bonuses that count it)."""
        if self._owning[what] == _UNKNOWN:
            self._owning[what] = self._owning_of(what)
        return self._owning[what]

    def _owning_of(self, what: int) -> int:
        total = 0
        seat = self.seat
        t = self.state.tables
        cids = [*seat.competencies, *seat.innovations]
        if seat.palace >= 0 and seat.palace_built:
            cids.append(seat.palace)
        for cid in cids:
            for op, n, b, _ in t.components[cid].passing.simple:
                if op == v.OP_VP_PER and _counts_as(b, what):
                    total += self.p.vp * n * (self.p.left + 1)
        if seat.bonus >= 0:
            c = t.components[seat.bonus]
            for op, n, b, _ in c.passing.simple:
                if op == v.OP_VP_PER and _counts_as(b, what):
                    total += self.p.vp * n
            for op, n, b, _ in c.passing.parts:
                if op == v.OP_STEPS_SPLIT_PER and _counts_as(b, what):
                    total += n * (self.p.level + 600)
        return total * self.p.pass_pct // 100


def _counts_as(counted: int, what: int) -> bool:
    """Whether a pass bonus that counts `counted` counts a thing of kind `what`."""
    if counted == what:
        return True
    return counted == v.COUNT_PALACE_UNIVERSITY and what in (v.PALACE, v.UNIVERSITY)
