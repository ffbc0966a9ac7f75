"""What a seat reaches and has: reach and dig lists kept up to date, abilities of its components (REACH, MOLE-1, FLY-1)."""

from aoi_sim.engine.actions import BUILD, FLIGHT, PLAIN, TRANSFORM, TUNNEL, Action
from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.resources import adjacent
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import P_ACTIONS, State
from aoi_sim.rules.components import Trigger
from aoi_sim.rules.vocabulary import N_TRIGGER_EVENTS


def sailing_level(state: State, i: int) -> int:
    """Sailing level for reach now (REACH-1, REACH-2)."""
    seat = state.seats[i]
    if seat.sailing_bonus and state.phase == P_ACTIONS and not seat.passed:
        return seat.sailing + seat.sailing_bonus
    return seat.sailing


def refresh_reach(state: State, i: int) -> None:
    """Work out the reach of a seat anew (sailing, bonus tile or phase changed)."""
    seat = state.seats[i]
    sail = state.geometry.sail[sailing_level(state, i)]
    bridge_sides = state.bridge_sides
    reach = 0
    for h in bits(seat.own):
        reach |= sail[h] | bridge_sides[h]
    seat.reach = reach
    seat.digs = None


def extend_reach(state: State, i: int, h: int) -> None:
    """Add what a new building on h brings into reach."""
    seat = state.seats[i]
    seat.reach |= state.geometry.sail[sailing_level(state, i)][h] | state.bridge_sides[h]
    seat.digs = None


def touch(state: State, h: int) -> None:
    """Forget the dig lists of every seat that has the changed hex in reach."""
    bit = 1 << h
    for seat in state.seats:
        if seat.reach & bit:
            seat.digs = None


def refresh_digs(state: State, seat: Seat) -> list[list[Action]]:
    """The plain transforms of a seat by number of spades, and its builds on home hexes (TB-1, TB-2)."""
    home = seat.home
    paths = state.tables.dig_paths[home]
    terrain = state.terrain
    digs: list[list[Action]] = [[], [], [], []]
    homes: list[Action] = []
    for h in bits(seat.reach & ~state.occupied):
        path = paths[terrain[h]]
        if not path:
            homes.append((BUILD, h, 0, PLAIN))
            continue
        k = 1
        for t in path:
            digs[k].append((TRANSFORM, h, t, PLAIN))
            k += 1
    seat.digs = digs
    seat.homes = homes
    return digs


def special_targets(state: State, i: int, mode: int) -> Mask:
    """Free land hexes that a tunnel (MOLE-1) or a flight (FLY-1) reaches; affordability is not looked at."""
    seat = state.seats[i]
    beside = adjacent(state, seat.own)
    skipped = adjacent(state, beside)
    targets = skipped
    if mode == FLIGHT and seat.flight_hexes > 1:
        targets |= adjacent(state, skipped)
    return targets & state.geometry.land & ~state.occupied & ~beside & ~seat.own


def special_modes(seat: Seat) -> list[int]:
    """The modes (TUNNEL, FLIGHT) that a seat has and can pay once now."""
    modes: list[int] = []
    if seat.tunnel_tools >= 0 and seat.tools >= seat.tunnel_tools:
        modes.append(TUNNEL)
    if seat.flight_scholars >= 0 and seat.scholars >= seat.flight_scholars:
        modes.append(FLIGHT)
    return modes


def own_components(seat: Seat) -> list[int]:
    """The components whose effects work for a seat, in a fixed order."""
    cids: list[int] = []
    for cid in (seat.faction, seat.board, seat.bonus):
        if cid >= 0:
            cids.append(cid)
    if seat.palace >= 0 and seat.palace_built:
        cids.append(seat.palace)
    cids.extend(seat.competencies)
    cids.extend(seat.innovations)
    return cids


def rebuild(state: State, i: int) -> None:
    """Derive triggers, special actions and abilities of a seat from its components."""
    seat = state.seats[i]
    components = state.tables.components
    triggers: list[list[Trigger]] = [[] for _ in range(N_TRIGGER_EVENTS)]
    specials: list[int] = []
    seat.power_discount = 0
    seat.city_power = state.tables.city_power
    seat.river_city = False
    seat.science_bonus_levels = 0
    seat.sailing_bonus = 0
    seat.tunnel_tools = -1
    seat.flight_scholars = -1
    seat.bridge_tools = -1
    for cid in own_components(seat):
        c = components[cid]
        for t in c.triggers:
            triggers[t.event].append(t)
        if c.special >= 0:
            specials.append(cid)
        seat.power_discount += c.power_discount
        if c.city_power and c.city_power < seat.city_power:
            seat.city_power = c.city_power
        if c.river_city:
            seat.river_city = True
        seat.science_bonus_levels += c.science_bonus_levels
        seat.sailing_bonus += c.sailing_bonus
        if c.tunnel_tools >= 0:
            seat.tunnel_tools, seat.tunnel_vp, seat.tunnel_cid = c.tunnel_tools, c.tunnel_vp, cid
        if c.flight_scholars >= 0:
            seat.flight_scholars, seat.flight_vp, seat.flight_cid = c.flight_scholars, c.flight_vp, cid
            seat.flight_hexes = c.flight_hexes
        if c.bridge_tools >= 0:
            seat.bridge_tools = c.bridge_tools
    seat.triggers = [tuple(ts) for ts in triggers]
    seat.specials = tuple(specials)
