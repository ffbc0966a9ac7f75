"""A player for the soak alone: an explorer that goes for what games rarely meet."""

from __future__ import annotations

import random

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import F_FOUND, P_START_COMPETENCY, State
from aoi_sim.players import make_player
from aoi_sim.rules import vocabulary as v

_WANTED_SHARE = 0.9
_INNOVATIONS = ("palace", "monument", "guild", "workshop", "school", "university", "league-of-cities", "census")
_AT_THE_START = ("10",)  # a tower beside others' buildings (SET-14)
_LATER = ("1", "10", "6")


class SeekerPlayer:
    """Takes tunnels and flights, neutral buildings beside others, founding over rivers, and puts the last off at first."""

    def __init__(self, seat: int, seed: int) -> None:
        self.name = "seeker"
        self.seat = seat
        self._random = random.Random(seed).random
        self._explorer = make_player("explorer", seat, seed + 1)

    def choose(self, state: State, actions: list[Action]) -> Action:
        if self._random() < _WANTED_SHARE:
            wanted = [action for action in actions if self._wants(state, action)]
            first = [action for action in wanted if self._wants_first(state, action)]
            wanted = first or wanted
            if wanted:
                return wanted[int(self._random() * len(wanted))]
        return self._explorer.choose(state, self._thrifty(state, actions))

    def _thrifty(self, state: State, actions: list[Action]) -> list[Action]:
        """Scholars are kept for flights."""
        seat = state.seats[self.seat]
        if seat.palace < 0 or state.tables.components[seat.palace].flight_scholars < 0:
            return actions
        return [action for action in actions if action[0] not in (a.SEND, a.RETURN, a.ADVANCE, a.CONVERT)] or actions

    def _wants_first(self, state: State, action: Action) -> bool:
        """A neutral palace while its own is not built: what the next innovation costs hangs on an option (INN-1)."""
        palace = state.seats[self.seat].pieces[v.PALACE]
        return action[0] == a.INNOVATE and state.tables.components[action[1]].key == "palace" and not palace

    def _wants(self, state: State, action: Action) -> bool:
        kind, x, y, mode = action
        components = state.tables.components
        seat = state.seats[self.seat]
        if seat.palace >= 0 and not seat.palace_built and seat.faction >= 0:  # drafted: first of all the palace
            return kind == a.UPGRADE and (y == v.PALACE or (y == v.GUILD and not seat.pieces[v.GUILD]))
        if kind == a.DECLINE:
            return bool(state.stack) and state.stack[-1][0] == F_FOUND
        if kind == a.FOUND:
            return not state.stack and self._random() < 0.3
        if kind in (a.TRANSFORM, a.BUILD):
            return mode == a.TUNNEL or (mode == a.FLIGHT and seat.scholars > 1)
        if kind == a.PLACE:
            beside = state.geometry.land_sides[x] & state.occupied & ~seat.own
            return mode > 0 or (state.round == 0 and beside != 0)
        if kind == a.INNOVATE:
            return components[x].key in _INNOVATIONS
        if kind == a.COMPETENCY:
            return components[x].key in (_AT_THE_START if state.phase == P_START_COMPETENCY else _LATER)
        return False
