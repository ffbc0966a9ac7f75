"""Legal actions of the seat to move (ACT, CONV, TB, UP, TR, INN, SCH, PA, SP, PASS)."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.board import refresh_digs, special_modes
from aoi_sim.engine.build import bridge_places, can_bridge, has_piece, opponent_beside
from aoi_sim.engine.cities import river_options
from aoi_sim.engine.effects import can_step
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.pending import answers, can_pay_workshop, mode_tools, special_digs, special_homes
from aoi_sim.engine.resources import count
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.setup_actions import setup_actions
from aoi_sim.engine.state import P_ACTIONS, S_AFTER, S_SECOND, State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Gain

SACRIFICE: Final[Action] = (a.SACRIFICE, 0, 0, 0)
END: Final[Action] = (a.END, 0, 0, 0)
RETURNS: Final[list[Action]] = [(a.RETURN, d, 0, 0) for d in range(4)]


def seat_to_move(state: State) -> int:
    """The seat that decides next; -1 when the game is over."""
    if state.stack:
        return state.stack[-1][1]
    if state.phase == P_ACTIONS:
        return state.active
    return state.queue[0] if state.queue else -1


def legal_actions(state: State) -> list[Action]:
    """Every legal action of the seat to move, each once, in a fixed order; empty when the game is over."""
    return compute_legal(state)[:]


def compute_legal(state: State) -> list[Action]:
    """The legal actions, kept in the state until it changes."""
    legal = state.legal
    if legal is None:
        if state.stack:
            legal = answers(state, state.stack[-1])
        elif state.phase == P_ACTIONS:
            legal = turn_actions(state)
        else:
            legal = setup_actions(state)
        state.legal = legal
    return legal


def turn_actions(state: State) -> list[Action]:
    """The actions of a turn by its stage (CONV-2, ACT-1)."""
    i = state.active
    seat = state.seats[i]
    out: list[Action] = []
    stage = state.stage
    if stage != S_AFTER:
        _dig_and_build(state, i, seat, out)
        _upgrades(state, i, seat, out)
        _tracks_and_science(state, seat, out)
        _innovations(state, seat, out)
        _power_and_books(state, i, seat, out)
        _own_tiles(state, i, seat, out)
        _passes(state, out)
    if stage != S_SECOND or state.tables.psychics_convert:
        conversions(state, seat, out)
    if seat.river_city and state.tables.found_in_turn:
        out += [(a.FOUND, r, 0, 0) for r in river_options(state, i)]
    if stage == S_AFTER:
        out.append(END)
    return out


def _dig_and_build(state: State, i: int, seat: Seat, out: list[Action]) -> None:
    digs = seat.digs
    if digs is None:
        digs = refresh_digs(state, seat)
    t = state.tables
    tools = seat.tools
    price = t.spade_tools[seat.terraforming]
    if tools >= price:
        out += digs[1]
        if tools >= 2 * price:
            out += digs[2]
            if tools >= 3 * price:
                out += digs[3]
    special = seat.tunnel_tools >= 0 or seat.flight_scholars >= 0
    modes: list[int] = special_modes(seat) if special else []
    for mode in modes:
        out += special_digs(state, i, mode, 0, True, False)
    if seat.coins >= t.workshop_coins and has_piece(state, i, v.WORKSHOP):
        if tools >= t.workshop_tools:
            out += seat.homes
        for mode in modes:
            if tools - mode_tools(seat, mode) >= t.workshop_tools:
                out += special_homes(state, i, mode)


def _upgrades(state: State, i: int, seat: Seat, out: list[Action]) -> None:
    t = state.tables
    coins, tools = seat.coins, seat.tools
    for kind in range(1, 6):
        pieces = seat.pieces[kind]
        if not pieces:
            continue
        for up in t.upgrades[kind]:
            if tools < up.tools or coins < up.coins_beside or not has_piece(state, i, up.to):
                continue
            for h in bits(pieces):
                if coins >= up.coins or opponent_beside(state, i, h):
                    out.append((a.UPGRADE, h, up.to, 0))


def _tracks_and_science(state: State, seat: Seat, out: list[Action]) -> None:
    t = state.tables
    # A track step may cost no scholar under an overlay.
    if not seat.scholars and t.sailing_cost[0] and t.board_terraforming_cost[seat.board][0]:
        return
    s, w, c = t.sailing_cost
    if seat.sailing < t.sailing_max and seat.scholars >= s and seat.tools >= w and seat.coins >= c:
        out.append((a.ADVANCE, a.SAILING, 0, 0))
    s, w, c = t.board_terraforming_cost[seat.board]
    if seat.terraforming < t.terraforming_max and seat.scholars >= s and seat.tools >= w and seat.coins >= c:
        out.append((a.ADVANCE, a.TERRAFORMING, 0, 0))
    if not seat.scholars:
        return
    places = state.places
    values = t.scholar_places
    n = len(values)
    for d in range(4):
        last = -1
        for k in range(n):
            value = values[k]
            if places[d * n + k] < 0 and value != last:
                out.append((a.SEND, d, value, 0))
                last = value
    out += RETURNS


def innovation_price(state: State, seat: Seat) -> tuple[int, int]:
    """Books and coins that the seat's next innovation costs (INN-1)."""
    t = state.tables
    coins = t.surcharge_coins
    if seat.pieces[v.PALACE] or (t.neutral_palace_waives and seat.buildings[v.PALACE]):
        coins = 0
    books = t.board_innovation_books[seat.board]
    return books[min(len(seat.innovations), len(books) - 1)], coins


def column_disciplines(state: State, column: int) -> list[int]:
    """The disciplines whose books a column asks for (INN-2)."""
    return state.tables.innovation_columns[column]


def _innovations(state: State, seat: Seat, out: list[Action]) -> None:
    t = state.tables
    if len(seat.innovations) >= t.innovation_limit:
        return
    books, coins = innovation_price(state, seat)
    held = seat.books
    if held[0] + held[1] + held[2] + held[3] < books or seat.coins < coins:
        return
    own = t.innovation_own_books
    for cid, column in state.innovations:
        if column < 4:
            if held[column] >= own:
                out.append((a.INNOVATE, cid, 0, 0))
        else:
            enough = True
            for d in column_disciplines(state, column):
                if held[d] < own:
                    enough = False
            if enough:
                out.append((a.INNOVATE, cid, 0, 0))


def power_price(state: State, seat: Seat, cid: int) -> int:
    """Power that a power action costs a seat (PA, FAC/illusionists)."""
    price = state.tables.components[cid].cost - seat.power_discount
    return price if price > 0 else 0


def _power_and_books(state: State, i: int, seat: Seat, out: list[Action]) -> None:
    t = state.tables
    components = t.components
    held = seat.bowl3 + seat.power_discount
    if held > 0:
        used = state.used_power
        for k, cid in enumerate(t.kinds[v.K_POWER_ACTION]):
            c = components[cid]
            if not used >> k & 1 and held >= c.cost and can_change(state, i, c.action):
                out.append((a.POWER, cid, 0, 0))
    books = seat.books
    total = books[0] + books[1] + books[2] + books[3]
    if total:
        used = state.used_book
        for k, cid in enumerate(state.book_actions):
            c = components[cid]
            if not used >> k & 1 and total >= c.cost and can_change(state, i, c.action):
                out.append((a.BOOK, cid, 0, 0))


def _own_tiles(state: State, i: int, seat: Seat, out: list[Action]) -> None:
    components = state.tables.components
    for cid in seat.specials:
        c = components[cid]
        if not seat.used >> c.special & 1 and can_change(state, i, c.action):
            out.append((a.SPECIAL, cid, 0, 0))
    if seat.bridge_tools >= 0 and seat.bridge_supply and seat.tools >= seat.bridge_tools:
        out += [(a.BRIDGE, p, q, 0) for p, q in bridge_places(state, i, state.geometry.lines)]
    if seat.annexes:
        out += [(a.ANNEX, h, 0, 0) for h in bits(seat.own & ~seat.annexed)]


def _passes(state: State, out: list[Action]) -> None:
    if state.round >= state.tables.n_rounds:
        out.append((a.PASS, -1, 0, 0))
        return
    for k, cid in enumerate(state.tables.kinds[v.K_BONUS_TILE]):
        if state.bonus_coins[k] >= 0:
            out.append((a.PASS, cid, 0, 0))


def conversions(state: State, seat: Seat, out: list[Action]) -> None:
    """Conversions and the sacrifice that the seat can pay (CONV-1, POW-3)."""
    for price, least, rows in state.tables.conversion_runs:
        if price == v.R_POWER:
            held = seat.bowl3
        elif price == v.R_TOOL:
            held = seat.tools
        elif price == v.R_SCHOLAR:
            held = seat.scholars
        elif price == v.R_COIN:
            held = seat.coins
        else:
            held = seat.books[price - v.R_BOOK]
        if held < least:
            continue
        for k, n, gain in rows:
            if (
                held >= n
                and (gain != v.R_SCHOLAR or seat.scholar_supply)
                and (gain < v.R_BOOK or not state.book_supply or state.book_supply[gain - v.R_BOOK])
            ):
                out.append((a.CONVERT, k, 0, 0))
    if seat.bowl2 >= 2:
        out.append(SACRIFICE)


def can_change(state: State, i: int, gain: Gain) -> bool:
    """Whether an effect would change something (ACT-2); an upgrade that is part of it must be possible."""
    for op, n, b, _ in gain.parts:
        if op == v.OP_EXCHANGE:
            return _part_changes(state, i, op, n, b)
    for op, n, b, _ in gain.simple:
        if _simple_changes(state, i, op, n, b):
            return True
    return any(_part_changes(state, i, op, n, b) for op, n, b, _ in gain.parts)


def _simple_changes(state: State, i: int, op: int, n: int, b: int) -> bool:
    seat = state.seats[i]
    if op == v.OP_POWER:
        return n > 0 and seat.bowl1 + seat.bowl2 > 0
    if op == v.OP_SCHOLARS:
        return n > 0 and seat.scholar_supply > 0
    if op == v.OP_VP_PER:
        return n * count(state, i, b) > 0
    if op == v.OP_BOOK_OF:
        return not state.book_supply or state.book_supply[b] > 0
    return True


def _part_changes(state: State, i: int, op: int, n: int, b: int) -> bool:
    seat = state.seats[i]
    if op == v.OP_SPADES:
        return can_use_spades(state, i, n, b)
    if op == v.OP_BOOKS:
        return not state.book_supply or sum(state.book_supply) > 0
    if op == v.OP_STEPS_OF:
        return can_step(state, i, b)
    if op in (v.OP_STEPS, v.OP_STEPS_SPLIT, v.OP_STEPS_EACH):
        return any(can_step(state, i, d) for d in range(4))
    if op == v.OP_BRIDGES:
        return seat.bridge_supply > 0 and can_bridge(state, i, state.geometry.places)
    if op == v.OP_EXCHANGE:
        return seat.pieces[n] != 0 and has_piece(state, i, b)
    if op == v.OP_SAILING:
        return seat.sailing < state.tables.sailing_max
    if op == v.OP_TERRAFORMING:
        return seat.terraforming < state.tables.terraforming_max
    if op == v.OP_FREE_PIECE:
        return has_piece(state, i, n) and state.terrain_mask[seat.home] & ~state.occupied != 0
    return True


def can_use_spades(state: State, i: int, free: int, free_workshop: int) -> bool:
    """Whether a spade action could use a spade or build a workshop (ACT-2)."""
    seat = state.seats[i]
    digs = seat.digs
    if digs is None:
        digs = refresh_digs(state, seat)
    if digs[1]:
        return True
    if seat.homes:
        if free_workshop:
            if has_piece(state, i, v.WORKSHOP):
                return True
        elif can_pay_workshop(state, i, seat.tools):
            return True
    for mode in special_modes(seat):
        if special_digs(state, i, mode, free, True, state.tables.must_reach_home):
            return True
        if special_homes(state, i, mode) and can_pay_workshop(state, i, seat.tools - mode_tools(seat, mode)):
            return True
    return False


__all__ = ["compute_legal", "legal_actions", "seat_to_move", "turn_actions"]
