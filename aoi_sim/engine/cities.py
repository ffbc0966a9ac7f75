"""Cities: groups, founding, joining, palace 14's city over a river hex (CITY)."""

from aoi_sim.engine import events as e
from aoi_sim.engine.effects import add_part
from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.resources import adjacent, flood, log_event
from aoi_sim.engine.state import F_CITY_GROUP, F_CITY_TILE, F_FOUND, F_POOL, State
from aoi_sim.rules import vocabulary as v


def qualifies(state: State, i: int, group: Mask) -> bool:
    """Whether a group has the size and the power value of a city (CITY-1)."""
    t = state.tables
    seat = state.seats[i]
    annexes = (group & seat.annexed).bit_count()
    power = annexes * t.annex_power
    size = group.bit_count() + annexes * t.annex_size
    least = t.city_size
    building = state.building
    for h in bits(group):
        kind = building[h]
        power += t.building_power[kind]
        if t.building_city_size[kind] < least:
            least = t.building_city_size[kind]
    return size >= least and power >= seat.city_power


def tiles_left(state: State) -> int:
    """City tiles left, less those already promised to founded cities (CITY-2)."""
    n = 0
    for left in state.city_left:
        n += left
    for frame in state.stack:
        if frame[0] == F_CITY_TILE:
            n -= 1
        elif frame[0] == F_POOL:
            for k in range(2, len(frame), 4):
                if frame[k] == v.OP_CITY_TILE:
                    n -= frame[k + 1]
    return n


def found(state: State, i: int, group: Mask, named: int) -> None:
    """Found a city on a group: its tile waits as a part (ORD-1, CITY-2)."""
    state.seats[i].city |= group
    log_event(state, i, e.E_CITY_FOUNDED, -1, named, group.bit_count(), 0)
    add_part(state, i, v.OP_CITY_TILE, 1, 0, -1)


def join(state: State, i: int) -> None:
    """Let every group that touches a city join it (CITY-3)."""
    seat = state.seats[i]
    if seat.city:
        seat.city = flood(state, seat.own, seat.city)


def free_groups(state: State, i: int, start: Mask) -> list[Mask]:
    """The groups outside cities that hold a hex of `start`, in map order."""
    seat = state.seats[i]
    rest = start & seat.own & ~seat.city
    groups: list[Mask] = []
    while rest:
        group = flood(state, seat.own & ~seat.city, rest & -rest)
        groups.append(group)
        rest &= ~group
    return groups


def check_cities(state: State, i: int, where: Mask) -> None:
    """The city check after a build, bridge, annex (at `where`) or ability change (everywhere) (CITY-4)."""
    join(state, i)
    groups = founding_groups(state, i, where)
    if groups:
        left = tiles_left(state)
        if left <= 0:
            log_event(state, i, e.E_CITY_LOST, -1, -1, len(groups), 0)
        elif left < len(groups):
            state.stack.append((F_CITY_GROUP, i))
        else:
            for group in groups:
                found(state, i, group, bits(group)[0])
    if state.seats[i].river_city and river_options(state, i):
        state.stack.append((F_FOUND, i))


def founding_groups(state: State, i: int, where: Mask) -> list[Mask]:
    """The groups at `where` that now found a city (CITY-1)."""
    return [g for g in free_groups(state, i, where) if qualifies(state, i, g)]


def river_group(state: State, i: int, river: int) -> Mask:
    """The buildings that river hex R joins for CITY-6, 0 when R may not be used."""
    seat = state.seats[i]
    if seat.river_cities >> river & 1:
        return 0
    beside = state.geometry.sides[river] & seat.own
    if not beside or beside & seat.city:
        return 0
    return flood_over(state, i, beside)


def flood_over(state: State, i: int, start: Mask) -> Mask:
    """All groups outside cities that hold a hex of `start`, as one mask."""
    seat = state.seats[i]
    return flood(state, seat.own & ~seat.city, start)


def river_options(state: State, i: int) -> list[int]:
    """River hexes over which a city may be founded now (CITY-6)."""
    seat = state.seats[i]
    if tiles_left(state) <= 0:
        return []
    rivers = adjacent(state, seat.own & ~seat.city) & state.geometry.river & ~seat.river_cities
    options: list[int] = []
    for r in bits(rivers):
        group = river_group(state, i, r)
        if group and qualifies(state, i, group):
            options.append(r)
    return options
