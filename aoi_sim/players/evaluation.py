"""The naive worth of a position to a seat: VP now, and what it holds at the prices of `Worth`."""

from typing import Final

from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.resources import flood
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import (
    F_BOOKS,
    F_BRIDGE,
    F_CITY_GROUP,
    F_CITY_TILE,
    F_COMPETENCY,
    F_EFFECT,
    F_EXCHANGE,
    F_FOUND,
    F_FREE_PIECE,
    F_KEY,
    F_NEUTRAL,
    F_PALACE,
    F_PAY,
    F_POOL,
    F_SPADES,
    F_STEPS,
    SP_FIRST,
    SP_FREE,
    SP_USED,
    Frame,
    State,
)
from aoi_sim.players.worth import Worth
from aoi_sim.rules import vocabulary as v

# Of coins, tools and scholars beyond so many, each counts for a share only: they will not all be spent.
_MANY_COINS: Final = 11
_MANY_TOOLS: Final = 3
_MANY_SCHOLARS: Final = 2
_BEYOND_SHARE: Final = 0.42
# A token in bowl II counts for this share of one in bowl III; every token has a worth of its own as well.
_BOWL2_SHARE = 0.5
_TOKEN_SHARE: Final = 0.42
# Worth of a building on the map by kind, income and tiles apart: area, power value, what it can become.
_STANDING = (0.0, 0.4, 1.5, 2.1, 2.5, 2.5, 1.2, 1.5)
# Worth of a group on the way to a city, as a share of a city's, and in the last round.
_NEAR_CITY: Final = 0.56
_NEAR_CITY_LAST: Final = 0.1


def position_worth(state: State, i: int, w: Worth) -> float:
    """VP of a seat and the worth of all it has."""
    seat = state.seats[i]
    total = float(seat.vp) + _resources(seat, w) + _map_worth(state, i, seat, w) + _science(state, i, seat, w)
    total += seat.sailing * w.sailing + seat.terraforming * w.terraforming + seat.keys * 0.6
    total += w.own(state, i, seat.faction)
    if seat.palace >= 0 and seat.palace_built:
        total += w.own(state, i, seat.palace)
    for cid in seat.competencies:
        total += w.own(state, i, cid)
    for cid in seat.innovations:
        total += w.own(state, i, cid)
    for frame in state.stack:
        if frame[1] == i:
            total += _frame(state, seat, frame, w)
    return total


def _resources(seat: Seat, w: Worth) -> float:
    books = seat.books
    power = (seat.bowl3 + _BOWL2_SHARE * seat.bowl2) * w.power
    tokens = (seat.bowl1 + seat.bowl2 + seat.bowl3) * w.token * _TOKEN_SHARE
    return (
        _less_beyond(seat.coins, _MANY_COINS) * w.coin
        + _less_beyond(seat.tools, _MANY_TOOLS) * w.tool
        + _less_beyond(seat.scholars, _MANY_SCHOLARS) * w.scholar
        + (books[0] + books[1] + books[2] + books[3]) * w.book
        + power
        + tokens
    )


def _less_beyond(n: int, many: int) -> float:
    """A number of which what goes beyond `many` counts less."""
    return float(n) if n <= many else many + (n - many) * _BEYOND_SHARE


def _map_worth(state: State, i: int, seat: Seat, w: Worth) -> float:
    """Income of the buildings, area, and how near the groups are to a city."""
    pieces = seat.pieces
    income = w.workshop_income
    total = income[min(pieces[v.WORKSHOP].bit_count(), len(income) - 1)]
    guilds = w.board_guild_income.get(seat.board, w.guild_income)
    total += guilds[min(pieces[v.GUILD].bit_count(), len(guilds) - 1)]
    total += pieces[v.SCHOOL].bit_count() * w.school_income + pieces[v.UNIVERSITY].bit_count() * w.university_income
    for kind in range(1, 8):
        total += seat.buildings[kind] * _STANDING[kind] * w.standing
    rest = seat.own & ~seat.city
    near = 0.0
    while rest:
        group = flood(state, rest, rest & -rest)
        rest &= ~group
        near += city_progress(state, seat, group)
    return total + near * (_NEAR_CITY if w.left else _NEAR_CITY_LAST) * w.city


def city_progress(state: State, seat: Seat, group: Mask) -> float:
    """How near a group of buildings is to a city, 0 to 1."""
    t = state.tables
    annexes = (group & seat.annexed).bit_count()
    power = annexes * t.annex_power
    size = group.bit_count() + annexes * t.annex_size
    building = state.building
    for h in bits(group):
        power += t.building_power[building[h]]
    share = min(power / max(seat.city_power, 1), 1.0) * 0.6 + min(size / max(t.city_size, 1), 1.0) * 0.4
    return share * share


def _science(state: State, i: int, seat: Seat, w: Worth) -> float:
    total = 0.0
    for d in range(4):
        total += level_worth(state, i, d, seat.science[d], w)
    return total


def level_worth(state: State, i: int, d: int, level: int, w: Worth) -> float:
    """Worth of standing on a level of a discipline: places at the end, income, bonuses of the coming rounds."""
    t = state.tables
    first = second = 0
    for k, seat in enumerate(state.seats):
        if k != i:
            other = seat.science[d]
            if other > first:
                first, second = other, first
            elif other > second:
                second = other
    total = level * (0.30 + 0.03 * level)
    if level > first:
        total += 1.5
    elif level > second:
        total += 0.7
    if level >= t.income_level:
        total += w.science_income[d]
    weight = 0.9
    for n in range(max(state.round, 1), min(state.round + 3, t.n_rounds)):
        tile = t.components[state.round_tiles[n - 1]]
        if tile.bonus_discipline == d:
            counted = level + state.seats[i].science_bonus_levels
            total += weight * (counted // tile.bonus_every + 0.3 * counted / tile.bonus_every) * w.gain(tile.bonus)
        weight *= 0.6
    return total


def _frame(state: State, seat: Seat, f: Frame, w: Worth) -> float:
    """Worth of a pending decision of the seat."""
    kind = f[0]
    if kind == F_SPADES:
        return _spades(state, seat, f, w)
    if kind == F_POOL:
        total = 0.0
        for k in range(2, len(f), 4):
            total += w.part(f[k], f[k + 1], f[k + 2])
        return total
    if kind == F_PAY:
        return -f[2] * w.book
    if kind == F_BOOKS:
        return f[2] * w.book
    if kind == F_STEPS:
        return f[2] * w.step
    if kind == F_KEY:
        return f[3] * w.step + 0.5
    if kind == F_BRIDGE:
        return f[2] * w.bridge
    if kind in (F_NEUTRAL, F_FREE_PIECE):
        return w.part(v.OP_NEUTRAL, f[2], 0)
    if kind == F_EXCHANGE:
        return w.part(v.OP_EXCHANGE, f[2], 0)
    if kind == F_COMPETENCY:
        return w.competency
    if kind == F_PALACE:
        return w.palace
    if kind in (F_CITY_TILE, F_FOUND, F_CITY_GROUP):
        return w.city
    if kind == F_EFFECT:
        return w.part(f[2], f[3], f[4])
    return 0.0


def _spades(state: State, seat: Seat, f: Frame, w: Worth) -> float:
    """Free spades left, and the workshop that may follow."""
    total = f[SP_FREE] * w.spade * 0.8
    t = state.tables
    first = f[SP_FIRST]
    if seat.coins >= t.workshop_coins and seat.tools >= t.workshop_tools:
        if first >= 0 and state.terrain[first] == seat.home:
            total += w.building * 0.7
        elif not f[SP_USED]:
            total += w.building * 0.3
    return total
