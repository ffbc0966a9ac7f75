"""Gaining and paying: coins, tools, scholars, books, power, VP, and what a gain may count (POW-1..3, BOOK-1, INC-5)."""

from typing import Final

from aoi_sim.engine import events as e
from aoi_sim.engine.geometry import Geometry, Mask, bits
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Op

# Numbers of groups by all that they depend on: players ask for the same ones several times a decision.
_SETTLEMENTS: Final[dict[tuple[Geometry, Mask, tuple[tuple[int, int, int], ...]], int]] = {}
_MANY_SETTLEMENTS: Final = 1024


def log_event(state: State, i: int, event: int, cid: int, hex_: int, amount: int, vp: int) -> None:
    """Append an event when the state keeps a log."""
    log = state.log
    if log is not None:
        log.extend((state.n_decisions, i, event, cid, hex_, amount, vp, state.round))


def gain_vp(state: State, i: int, cid: int, vp: int) -> None:
    """Add VP (negative: a cost) with the component as source."""
    if vp:
        seat = state.seats[i]
        seat.vp += vp
        seat.vp_from[state.tables.components[cid].source] += vp
        log = state.log
        if log is not None:
            log.extend((state.n_decisions, i, e.E_VP, cid, -1, 1, vp, state.round))


def gain_power(seat: Seat, n: int) -> int:
    """Gain n power (POW-1); returns how many steps were really made."""
    k = n if n < seat.bowl1 else seat.bowl1
    seat.bowl1 -= k
    seat.bowl2 += k
    rest = n - k
    m = rest if rest < seat.bowl2 else seat.bowl2
    seat.bowl2 -= m
    seat.bowl3 += m
    return k + m


def spend_power(seat: Seat, n: int) -> None:
    """Spend n power (POW-2)."""
    seat.bowl3 -= n
    seat.bowl1 += n


def gain_scholars(seat: Seat, n: int) -> int:
    """Gain up to n scholars from the supply (INC-5); returns how many."""
    k = n if n < seat.scholar_supply else seat.scholar_supply
    seat.scholar_supply -= k
    seat.scholars += k
    return k


def gain_books(state: State, i: int, d: int, n: int) -> None:
    """Gain n books of discipline d (BOOK-1)."""
    if state.book_supply:
        if n > state.book_supply[d]:
            n = state.book_supply[d]
        state.book_supply[d] -= n
    if n <= 0:
        return
    books = state.seats[i].books
    books[d] += n
    if state.log is not None:
        log_event(state, i, e.E_BOOKS, state.tables.cid_discipline[d], -1, n, 0)
        if not state.book_supply:
            total = 0
            for seat in state.seats:
                total += seat.books[d]
            if total > state.tables.books_per_discipline:
                log_event(state, i, e.E_BOOKS_OVER, state.tables.cid_discipline[d], -1, total, 0)


def pay_books(state: State, i: int, d: int, n: int) -> None:
    """Pay n books of discipline d; they return to the supply at once (BOOK-1)."""
    state.seats[i].books[d] -= n
    if state.book_supply:
        state.book_supply[d] += n


def multiset_counts(code: int) -> tuple[int, int, int, int]:
    """Books by discipline of a multiset code (four bits a discipline)."""
    return code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12 & 15


def book_multisets(limits: list[int], n: int, distinct: bool) -> list[int]:
    """Codes of all multisets of n books with at most limits[d] of discipline d, disciplines in order."""
    cap = [min(x, n, 1 if distinct else n) for x in limits]
    codes: list[int] = []
    for a in range(cap[0], -1, -1):
        for b in range(min(cap[1], n - a), -1, -1):
            for c in range(min(cap[2], n - a - b), -1, -1):
                d = n - a - b - c
                if d <= cap[3]:
                    codes.append(a | b << 4 | c << 8 | d << 12)
    return codes


def flood(state: State, within: Mask, start: Mask) -> Mask:
    """The hexes of `within` connected to `start` by adjacency (ADJ-1), start included."""
    sides = state.geometry.land_sides
    bridge_sides = state.bridge_sides
    found = start & within
    front = found
    while front:
        grown = 0
        for h in bits(front):
            grown |= sides[h] | bridge_sides[h]
        front = grown & within & ~found
        found |= front
    return found


def adjacent(state: State, mask: Mask) -> Mask:
    """All hexes, land or river, adjacent (ADJ-1) to a hex of the mask."""
    sides = state.geometry.sides
    bridge_sides = state.bridge_sides
    out = 0
    for h in bits(mask):
        out |= sides[h] | bridge_sides[h]
    return out


def settlements(state: State, i: int) -> int:
    """Number of groups of adjacent buildings of a seat (INNO/telecommunication)."""
    rest = state.seats[i].own
    key = (state.geometry, rest, state.bridges)
    n = _SETTLEMENTS.get(key, -1)
    if n < 0:
        n = 0
        while rest:
            rest &= ~flood(state, rest, rest & -rest)
            n += 1
        if len(_SETTLEMENTS) >= _MANY_SETTLEMENTS:
            _SETTLEMENTS.clear()
        _SETTLEMENTS[key] = n
    return n


def count(state: State, i: int, what: int) -> int:
    """How many of COUNT_* a seat has; building kinds count neutral buildings too."""
    seat = state.seats[i]
    if what < 8:
        return seat.buildings[what]
    if what == v.COUNT_PALACE_UNIVERSITY:
        return seat.buildings[v.PALACE] + seat.buildings[v.UNIVERSITY]
    if what == v.COUNT_CITY_TILE:
        return len(seat.city_tiles)
    if what == v.COUNT_INNOVATION:
        return len(seat.innovations)
    if what == v.COUNT_COMPETENCY:
        return len(seat.competencies)
    if what == v.COUNT_BUILDING:
        return seat.own.bit_count()
    if what == v.COUNT_SETTLEMENT:
        return settlements(state, i)
    if what == v.COUNT_BRIDGE:
        return state.tables.bridge_pieces - seat.bridge_supply
    if what == v.COUNT_BUILDING_KIND:
        n = 0
        for kind in range(1, 8):
            if seat.buildings[kind]:
                n += 1
        return n
    if what == v.COUNT_LOWEST_DISCIPLINE:
        return min(seat.science)
    if what == v.COUNT_TWO_HIGHEST:
        top = sorted(seat.science)
        return top[-1] + top[-2]
    return seat.sent


def tier(tiers: tuple[tuple[int, int], ...], n: int) -> int:
    """VP of the highest tier that n reaches."""
    vp = 0
    for least, value in tiers:
        if n >= least:
            vp = value
    return vp


def run_simple(state: State, i: int, ops: tuple[Op, ...], cid: int, times: int, d: int) -> None:
    """Run gains that need no choice, `times` over; d is the discipline of the event, for books of its discipline."""
    seat = state.seats[i]
    for op, a, b, _ in ops:
        n = a * times
        if op == v.OP_VP:
            gain_vp(state, i, cid, n)
            continue
        if op == v.OP_VP_PER:
            gain_vp(state, i, cid, n * count(state, i, b))
            continue
        if op == v.OP_VP_TIERS:
            gain_vp(state, i, cid, times * tier(state.tables.tiers[a], count(state, i, b)))
            continue
        if op == v.OP_BOOK_OF:
            gain_books(state, i, b, n)
            continue
        if op == v.OP_BOOKS_ITS:
            log_event(state, i, e.E_EFFECT, cid, -1, op, 0)
            gain_books(state, i, d, n)
            continue
        event = e.E_COINS
        if op == v.OP_COINS:
            seat.coins += n
        elif op == v.OP_TOOLS:
            seat.tools += n
            event = e.E_TOOLS
        elif op == v.OP_POWER:
            n = gain_power(seat, n)
            event = e.E_POWER
        elif op == v.OP_SCHOLARS:
            n = gain_scholars(seat, n)
            event = e.E_SCHOLARS
        elif op == v.OP_TOKENS:
            seat.bowl3 += n
            event = e.E_TOKENS
        elif op == v.OP_ANNEXES:
            seat.annexes += n
            event = e.E_ANNEXES
        log_event(state, i, event, cid, -1, n, 0)
