"""What steps in the four disciplines are worth to a seat, for one decision."""

from typing import Final

from aoi_sim.engine.state import State
from aoi_sim.players.weighted.events import Events
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.race import place_vp
from aoi_sim.rules import vocabulary as v

_UNKNOWN: Final = -1_000_000_000
_MEMORY: Final = 8
"""Numbers of steps whose worth is remembered: 0 to 7."""


class Science:
    """Worth of levels and steps: places at the end, bonuses of round tiles to come, income, power; parts on demand.

    Worths of levels are kept over decisions while no other seat moves in the discipline, see `Events` for the rest.

    Args:
        state: the position.
        i: the seat.
        prices: its prices.
        events: what a step sets off.
    """

    def __init__(self, state: State, i: int, prices: Prices, events: Events) -> None:
        self.state = state
        self.i = i
        self.p = prices
        self.seat = state.seats[i]
        self._events = events
        self._step_event = events.worth(v.EV_STEP, -1)
        t = state.tables
        self._barrier = min(t.key_level, t.last_place_level, t.science_max)
        self._looked_at: list[bool] = [False] * 4
        self._levels: list[list[int]] = [[], [], [], []]
        self._others: list[list[int]] = [[], [], [], []]
        self._bonuses: list[list[tuple[int, int, bool]]] = [[], [], [], []]
        self._steps: list[int] = [_UNKNOWN] * (4 * _MEMORY)

    def renew(self, state: State) -> None:
        """Look at a later position of the same round, with the same components of the seat."""
        self.state = state
        self.seat = state.seats[self.i]
        self._looked_at = [False] * 4
        self._steps = [_UNKNOWN] * (4 * _MEMORY)
        self._step_event = self._events.worth(v.EV_STEP, -1)

    def steps(self, d: int, n: int) -> int:
        """Worth of up to n steps in a discipline, with power on the way and what scores them."""
        if n >= _MEMORY:
            return self._worked_out(d, n)
        where = d * _MEMORY + n
        if self._steps[where] == _UNKNOWN:
            self._steps[where] = self._worked_out(d, n)
        return self._steps[where]

    def best_step(self, n: int) -> int:
        """Worth of n steps in the best discipline."""
        best = 0
        for d in range(4):
            worth = self.steps(d, n)
            if worth > best:
                best = worth
        return best

    def _worked_out(self, d: int, n: int) -> int:
        before = self.seat.science[d]
        level = before + n
        if level >= self._barrier:
            level = self.reached(d, before, n)
        if level == before:
            return 0
        if not self._looked_at[d]:
            self._look_at(d)
        total = self._level(d, level) - self._level(d, before) + (level - before) * self._step_event
        power_up_to = self.p.power_up_to
        power = power_up_to[level] - power_up_to[before]
        if power:
            total += self.p.power_gain(self.seat, power)
        return total

    def reached(self, d: int, level: int, n: int) -> int:
        """The level that n steps reach: some need a key, the last ones are for few (SCI-2, SCI-3)."""
        t = self.state.tables
        keys = self.seat.keys
        for _ in range(n):
            if level == t.science_max:
                break
            if level + 1 == t.key_level:
                if keys <= 0:
                    break
                keys -= 1
            if level + 1 >= t.last_place_level and not can_step_to_last(self.state, self.i, d):
                break
            level += 1
        return level

    def _level(self, d: int, level: int) -> int:
        """Worth of standing on a level of a discipline that was looked at: place at the end, bonuses to come, income."""
        row = self._levels[d]
        worth = row[level]
        if worth == _UNKNOWN:
            worth = self._level_worked_out(d, level)
            row[level] = worth
        return worth

    def _look_at(self, d: int) -> None:
        """Forget the worths of a discipline's levels if the others' levels have changed."""
        self._looked_at[d] = True
        if not self._levels[d]:
            self._bonuses[d] = self._bonuses_to_come(d)
        elif not self._have_others_moved(d):
            return
        state = self.state
        others = [seat.science[d] for k, seat in enumerate(state.seats) if k != self.i]
        if state.rival:
            others.append(state.rival[d])
        self._others[d] = others
        self._levels[d] = [_UNKNOWN] * (state.tables.science_max + 1)

    def _have_others_moved(self, d: int) -> bool:
        known = self._others[d]
        k = 0
        for seat in self.state.seats:
            if seat is not self.seat:
                if seat.science[d] != known[k]:
                    return True
                k += 1
        rival = self.state.rival
        return len(rival) > 0 and rival[d] != known[k]

    def _bonuses_to_come(self, d: int) -> list[tuple[int, int, bool]]:
        """Science bonuses of this round and those to come: levels for each, worth, whether it is this round's."""
        state = self.state
        t = state.tables
        p = self.p
        bonuses: list[tuple[int, int, bool]] = []
        share = p.bonus_pct
        start = state.round if state.round > 0 else 1
        for k in range(start, t.n_rounds):
            c = t.components[state.round_tiles[k - 1]]
            if c.bonus_discipline == d:
                bonuses.append((c.bonus_every, p.flat(c.bonus) * share // 100, k == state.round))
            share = share * p.later_bonus_pct // 100 if k == start else share * 90 // 100
        return bonuses

    def _level_worked_out(self, d: int, level: int) -> int:
        p = self.p
        extra = self.seat.science_bonus_levels
        worth = level * p.level
        if level > 0:
            prizes = self.state.tables.final_science
            worth += p.vp * place_vp(prizes, level, self._others[d], 2, p.close_pct) * p.place_pct // 10000
        for every, each, now in self._bonuses[d]:
            if now:
                worth += (level + extra) // every * each
            else:
                worth += (level + extra) * each // every
        if level >= self.state.tables.income_level:
            worth += p.discipline_income[d]
        return worth


def can_step_to_last(state: State, i: int, d: int) -> bool:
    """Whether the last level of a discipline is still open to a seat (SCI-3)."""
    last = state.tables.last_place_level
    return all(k == i or seat.science[d] < last for k, seat in enumerate(state.seats))
