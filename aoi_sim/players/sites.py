"""How good a hex is for a building: neighbours, effects that fire there, room to grow."""

from aoi_sim.engine.actions import PLAIN
from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.state import P_ACTIONS, State
from aoi_sim.players.worth import Worth
from aoi_sim.rules import vocabulary as v


def event_worth(state: State, i: int, event: int, h: int, w: Worth) -> float:
    """What a seat gains when an event happens at a hex (-1: nowhere)."""
    total = 0.0
    for t in state.seats[i].triggers[event]:
        if fires(state, t.where, h):
            total += w.gain_now(state, i, t.gain)
    if state.phase == P_ACTIONS:
        for t in state.round_triggers[event]:
            if fires(state, t.where, h):
                total += w.gain_now(state, i, t.gain)
    return total


def fires(state: State, where: int, h: int) -> bool:
    """Whether an effect that asks for a place fires on an event at a hex."""
    if where == v.WHERE_EDGE:
        return bool(state.geometry.edge >> h & 1)
    if where == v.WHERE_RIVER:
        return bool(state.geometry.riverside >> h & 1)
    return True


def free_by_spades(state: State, i: int) -> list[Mask]:
    """Land hexes without a building by the spades that a seat needs to make them its home: 0, 1, 2, 3 and more."""
    free = state.geometry.land & ~state.occupied
    masks: list[Mask] = [0, 0, 0, 0]
    paths = state.tables.dig_paths[state.seats[i].home]
    for terrain, hexes in enumerate(state.terrain_mask):
        masks[min(len(paths[terrain]), 3)] |= hexes
    return [hexes & free for hexes in masks]


def site_worth(state: State, i: int, h: int) -> float:
    """How well a hex lies for a seat: own and other buildings beside it, and hexes that are cheap to dig."""
    seat = state.seats[i]
    beside = state.geometry.land_sides[h] | state.bridge_sides[h]
    own = beside & seat.own
    total = 0.0
    if own & ~seat.city:
        total += 0.9 + 0.3 * (own & ~seat.city).bit_count()
    if own & seat.city:
        total -= 0.3
    if beside & state.occupied & ~seat.own:
        total += 0.5
    paths = state.tables.dig_paths[seat.home]
    terrain = state.terrain
    for k in bits(beside & ~state.occupied):
        n = len(paths[terrain[k]])
        if n < 2:
            total += 0.25 - 0.1 * n
    return total


def start_worth(state: State, i: int, h: int) -> float:
    """How well a hex lies for a starting building: what it reaches cheaply, and company."""
    seat = state.seats[i]
    geometry = state.geometry
    total = site_worth(state, i, h)
    paths = state.tables.dig_paths[seat.home]
    reach = geometry.sail[min(seat.sailing, len(geometry.sail) - 1)][h] & ~state.occupied
    for k in bits(reach):
        n = len(paths[state.terrain[k]])
        total += 0.8 if n == 0 else 0.45 if n == 1 else 0.15 if n == 2 else 0.0
    if geometry.land_sides[h] & state.occupied & ~seat.own:
        total += 0.6
    return total


def workshop_worth(state: State, i: int, h: int, w: Worth) -> float:
    """What a workshop on a hex brings, its price left out."""
    seat = state.seats[i]
    n = seat.pieces[v.WORKSHOP].bit_count()
    income = w.workshop_income
    top = len(income) - 1
    more = income[min(n + 1, top)] - income[min(n, top)]
    return more + 0.7 + event_worth(state, i, v.EV_BUILT + v.WORKSHOP, h, w) + site_worth(state, i, h)


def workshop_price(state: State, w: Worth) -> float:
    """Worth of what a workshop costs."""
    t = state.tables
    return t.workshop_tools * w.tool + t.workshop_coins * w.coin


def dig_worth(state: State, i: int, h: int, terrain: int, mode: int, free: int, build: bool, w: Worth) -> float:
    """What a transform brings: the spades' effects, the hex, the workshop that may follow, less the price.

    Args:
        state: the game.
        i: the seat.
        h: the hex.
        terrain: what it becomes.
        mode: plain, tunnel or flight.
        free: free spades at hand.
        build: whether a workshop of this action may stand on it.
        w: the prices.
    """
    seat = state.seats[i]
    t = state.tables
    path = t.dig_paths[seat.home][state.terrain[h]]
    n = 0
    for step in path:
        n += 1
        if step == terrain:
            break
    bought = n - free if n > free else 0
    tools = bought * t.spade_tools[seat.terraforming]
    total = n * event_worth(state, i, v.EV_SPADE, -1, w) - tools * w.tool
    if mode != PLAIN:
        tunnel = mode == 1
        total += seat.tunnel_vp if tunnel else seat.flight_vp
        total -= seat.tunnel_tools * w.tool if tunnel else seat.flight_scholars * w.scholar
        tools += seat.tunnel_tools if tunnel else 0
    if terrain != seat.home:
        return total + 0.1 * n + 0.05 * site_worth(state, i, h)
    if build and seat.coins >= t.workshop_coins and seat.tools - tools >= t.workshop_tools:
        return total + workshop_worth(state, i, h, w) - workshop_price(state, w)
    return total + (0.5 + 0.5 * site_worth(state, i, h) if w.left else 0.0)
