"""What a player keeps of its seat from one decision of a game to the next."""

from aoi_sim.engine.geometry import Mask
from aoi_sim.engine.state import State
from aoi_sim.players.sites import free_by_spades
from aoi_sim.players.weighted.cities import Cities
from aoi_sim.players.weighted.events import Events
from aoi_sim.players.weighted.features import round_income, rounds_until_due
from aoi_sim.players.weighted.lessons import SUBJECTS
from aoi_sim.players.weighted.networks import Seen
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.science import Science


class Memory:
    """Worths that seldom change between the decisions of a seat; they are looked at anew when asked for."""

    def __init__(self, state: State, i: int, prices: Prices, seen: list[Seen] | None = None) -> None:
        self.i = i
        self.p = prices
        self.events: Events = Events(state, i, prices)
        self.science: Science = Science(state, i, prices, self.events)
        self.seen: list[Seen] = [Seen() for _ in SUBJECTS] if seen is None else seen
        self._near: list[Mask] = []
        self._cities: Cities | None = None
        self._due: list[int] = []
        self._income: list[int] = []
        self._income_of: Cities | None = None
        self._paying = 0

    def cities(self, state: State, city_gain: int) -> Cities:
        """The seat's groups outside cities, given what founding a city is worth now."""
        known = self._cities
        if known is None or not known.holds(state):
            known = Cities(state, self.i, self.p, city_gain)
            self._cities = known
        else:
            known.renew(state, city_gain)
        return known

    def groups(self, state: State) -> Cities:
        """The seat's groups outside cities, whatever founding a city is worth."""
        known = self._cities
        return known if known is not None and known.state is state and known.holds(state) else self.cities(state, 0)

    def near(self, state: State) -> list[Mask]:
        """What ``free_by_spades`` says; what is remembered belongs to one decision."""
        if not self._near:
            self._near = free_by_spades(state, self.i)
        return self._near

    def renew(self, state: State) -> None:
        """Look at the seat's next decision, forgetting what may have changed."""
        self.events.renew(state)
        self.science.renew(state)
        self._near = []

    def due(self, state: State) -> list[int]:
        """What ``rounds_until_due`` says; what is remembered belongs to one round."""
        if not self._due:
            self._due = rounds_until_due(state)
        return self._due

    def income(self, state: State, cities: Cities) -> list[int]:
        """What ``round_income`` says, given the seat's groups: new pieces make new ones, new components a new memory."""
        paying = 0
        level = state.tables.income_level
        for d in range(4):
            if state.seats[self.i].science[d] >= level:
                paying |= 1 << d
        if self._income_of is not cities or paying != self._paying:
            self._income = round_income(state, self.i)
            self._income_of = cities
            self._paying = paying
        return self._income


def remembered(memory: Memory | None, state: State, i: int, prices: Prices) -> Memory:
    """The memory for a decision: the one of before without what may have changed, or a new one."""
    if memory is None or not memory.events.holds(state, i, prices):
        return Memory(state, i, prices, None if memory is None else memory.seen)
    memory.renew(state)
    return memory
