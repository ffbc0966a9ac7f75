"""Changing the map: digging, building, upgrading, bridges, annexes, and the power offers of a build (TB, UP, BR, POW-4)."""

from aoi_sim.engine import events as e
from aoi_sim.engine.actions import FLIGHT, TUNNEL
from aoi_sim.engine.board import extend_reach, touch
from aoi_sim.engine.cities import check_cities
from aoi_sim.engine.effects import add_part, fire
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.resources import gain_vp, log_event
from aoi_sim.engine.state import P_ACTIONS, P_START_COMPETENCY, State
from aoi_sim.rules import vocabulary as v


def put_piece(state: State, i: int, h: int, kind: int, neutral: bool) -> None:
    """Put a building on the map, with no effect but reach."""
    seat = state.seats[i]
    bit = 1 << h
    state.building[h] = kind
    state.owner[h] = i
    state.occupied |= bit
    seat.own |= bit
    seat.buildings[kind] += 1
    if neutral:
        seat.neutral |= bit
    else:
        seat.pieces[kind] |= bit
    touch(state, h)
    extend_reach(state, i, h)


def replace_piece(state: State, i: int, h: int, kind: int) -> None:
    """Replace an own piece by one of another kind (UP-2)."""
    seat = state.seats[i]
    bit = 1 << h
    old = state.building[h]
    seat.buildings[old] -= 1
    seat.pieces[old] ^= bit
    seat.buildings[kind] += 1
    seat.pieces[kind] |= bit
    state.building[h] = kind


def has_piece(state: State, i: int, kind: int) -> bool:
    """Whether a piece of the kind is left on the seat's board (POOL-1)."""
    seat = state.seats[i]
    pieces = state.tables.pieces[kind]
    # Neutral buildings are counted among the buildings, and seldom many: the count of pieces is mostly not asked for.
    return seat.buildings[kind] < pieces or seat.pieces[kind].bit_count() < pieces


def built(state: State, i: int, h: int, kind: int, neutral: bool) -> None:
    """All that a build sets off: VP, offers, its tile, the city check (ORD-1, UP-3, NEUT-2)."""
    log_event(state, i, v.EV_BUILT + kind, -1, h, 1 if neutral else 0, 0)
    fire(state, i, v.EV_BUILT + kind, h)
    queue_offers(state, i, h)
    takes = state.tables.takes[kind]
    if takes and not neutral:
        add_part(state, i, takes, 1, 0, -1)
    check_cities(state, i, 1 << h)


def build_workshop(state: State, i: int, h: int, free: bool) -> None:
    """Build a workshop, paid unless free (TB-5, TB-6)."""
    if not free:
        seat = state.seats[i]
        seat.tools -= state.tables.workshop_tools
        seat.coins -= state.tables.workshop_coins
    put_piece(state, i, h, v.WORKSHOP, False)
    built(state, i, h, v.WORKSHOP, False)


def opponent_beside(state: State, i: int, h: int) -> bool:
    """Whether a building of another player is adjacent (UP-1)."""
    near = (state.geometry.land_sides[h] | state.bridge_sides[h]) & state.occupied
    return near & ~state.seats[i].own != 0


def upgrade(state: State, i: int, h: int, kind: int, free: bool) -> None:
    """Upgrade the piece on h (UP-1, UP-4); also palace 3's school that becomes a guild."""
    seat = state.seats[i]
    if not free:
        for up in state.tables.upgrades[state.building[h]]:
            if up.to == kind:
                seat.tools -= up.tools
                seat.coins -= up.coins_beside if opponent_beside(state, i, h) else up.coins
                break
    replace_piece(state, i, h, kind)
    built(state, i, h, kind, False)


def dig(state: State, i: int, h: int, terrain: int, spades: int) -> None:
    """Transform a hex with so many spades (TB-2, TB-7)."""
    old = state.terrain[h]
    bit = 1 << h
    state.terrain_mask[old] ^= bit
    state.terrain_mask[terrain] |= bit
    state.terrain[h] = terrain
    touch(state, h)
    log_event(state, i, e.E_HEX, -1, h, terrain, 0)
    log_event(state, i, v.EV_SPADE, -1, h, spades, 0)
    fire(state, i, v.EV_SPADE, h, spades)


def dig_length(state: State, i: int, h: int, terrain: int) -> int:
    """Spades from a hex's terrain to another one on the way to the seat's home."""
    path = state.tables.dig_paths[state.seats[i].home][state.terrain[h]]
    return path.index(terrain) + 1


def pay_special(state: State, i: int, mode: int) -> None:
    """Pay a tunnel or a flight and score it (MOLE-1, FLY-1)."""
    seat = state.seats[i]
    if mode == TUNNEL:
        seat.tools -= seat.tunnel_tools
        log_event(state, i, v.EV_TUNNEL, seat.tunnel_cid, -1, 1, 0)
        gain_vp(state, i, seat.tunnel_cid, seat.tunnel_vp)
        fire(state, i, v.EV_TUNNEL, -1)
    elif mode == FLIGHT:
        seat.scholars -= seat.flight_scholars
        seat.scholar_supply += seat.flight_scholars
        log_event(state, i, v.EV_FLIGHT, seat.flight_cid, -1, 1, 0)
        gain_vp(state, i, seat.flight_cid, seat.flight_vp)
        fire(state, i, v.EV_FLIGHT, -1)


def bridge_places(state: State, i: int, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines without a bridge that have a building of the seat at an end (BR-1)."""
    owner = state.owner
    sides = state.bridge_sides
    return [(a, b) for a, b in lines if (owner[a] == i or owner[b] == i) and not sides[a] >> b & 1]


def can_bridge(state: State, i: int, lines: list[tuple[int, int]]) -> bool:
    """Whether there is any of these places (BR-1)."""
    owner = state.owner
    sides = state.bridge_sides
    return any((owner[a] == i or owner[b] == i) and not sides[a] >> b & 1 for a, b in lines)


def build_bridge(state: State, i: int, a: int, b: int) -> None:
    """Build a bridge: adjacency and reach of both ends' owners change (ADJ-1, REACH-1, CITY-4)."""
    state.bridges = (*state.bridges, (a, b, i))
    state.bridge_sides[a] |= 1 << b
    state.bridge_sides[b] |= 1 << a
    seat = state.seats[i]
    seat.bridge_supply -= 1
    for s in state.seats:
        if s.own >> a & 1:
            s.reach |= 1 << b
            s.digs = None
        if s.own >> b & 1:
            s.reach |= 1 << a
            s.digs = None
    log_event(state, i, e.E_BRIDGE, -1, a, b, 0)
    check_cities(state, i, (1 << a | 1 << b) & seat.own)


def place_annex(state: State, i: int, h: int) -> None:
    """Put an annex on an own building (COMP/6)."""
    seat = state.seats[i]
    seat.annexes -= 1
    seat.annexed |= 1 << h
    log_event(state, i, e.E_ANNEX, -1, h, 1, 0)
    check_cities(state, i, 1 << h)


def queue_offers(state: State, i: int, h: int) -> None:
    """Sum up the power that a build offers its neighbours, on the map as it stands (POW-4, POW-5)."""
    near = (state.geometry.land_sides[h] | state.bridge_sides[h]) & state.occupied & ~state.seats[i].own
    if not near:
        return
    if state.phase != P_ACTIONS and not (state.phase == P_START_COMPETENCY and state.tables.setup_tower_offers):
        return
    t = state.tables
    power = [0] * state.n_players
    for k in bits(near):
        o = state.owner[k]
        power[o] += t.building_power[state.building[k]]
        if state.seats[o].annexed >> k & 1:
            power[o] += t.annex_power
    for o in offer_order(state, i):
        if power[o]:
            state.offers.append((o, power[o], i, h))


def offer_order(state: State, i: int) -> list[int]:
    """The other seats in the order in which they are asked (POW-5, option offer_order)."""
    if state.tables.offers_by_seat:
        return [o for o in range(state.n_players) if o != i]
    k = state.order.index(i)
    return state.order[k + 1 :] + state.order[:k]
