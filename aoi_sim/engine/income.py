"""Income (INC): all visible income at once, then its choices in turn order."""

from aoi_sim.engine import events as e
from aoi_sim.engine.board import own_components
from aoi_sim.engine.effects import take_gain
from aoi_sim.engine.resources import log_event, run_simple
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Gain


def income_of(state: State, i: int) -> list[tuple[Gain, int]]:
    """All gains of a seat's income with their components (INC-1 to INC-4), workshops apart."""
    t = state.tables
    seat = state.seats[i]
    gains: list[tuple[Gain, int]] = []
    guilds = t.board_guild_income.get(seat.board, t.guild_income)
    for k in range(min(seat.pieces[v.GUILD].bit_count(), len(guilds))):
        gains.append((guilds[k], -1))
    for _ in range(seat.pieces[v.SCHOOL].bit_count()):
        gains.append((t.school_income, -1))
    for _ in range(seat.pieces[v.UNIVERSITY].bit_count()):
        gains.append((t.university_income, -1))
    for cid in own_components(seat):
        gain = t.components[cid].income
        if not gain.empty:
            gains.append((gain, cid))
    for d in range(4):
        if seat.science[d] >= t.income_level:
            gains.append((t.science_income[d], t.cid_discipline[d]))
    return gains


def workshop_tools(state: State, i: int) -> int:
    """Tools of the workshops on the map (INC-1)."""
    row = state.tables.workshop_income
    return row[min(state.seats[i].pieces[v.WORKSHOP].bit_count(), len(row) - 1)]


def give_income(state: State) -> None:
    """Give every seat its income; parts with a choice go into the seats' pools in turn order (INC-6)."""
    gains = [income_of(state, i) for i in range(state.n_players)]
    for i in state.order:
        tools = workshop_tools(state, i)
        state.seats[i].tools += tools
        log_event(state, i, e.E_TOOLS, -1, -1, tools, 0)
        for gain, cid in gains[i]:
            if gain.parts:
                take_gain(state, i, gain, cid)
            else:
                run_simple(state, i, gain.simple, cid, 1, -1)
