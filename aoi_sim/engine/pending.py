"""Answers to a pending decision, by kind of frame (docs/notation.md)."""

from collections.abc import Callable
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.board import refresh_digs, special_modes, special_targets
from aoi_sim.engine.build import bridge_places, has_piece
from aoi_sim.engine.cities import founding_groups, river_options
from aoi_sim.engine.effects import can_step
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.resources import book_multisets
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import (
    P_START_SPADES,
    RULE_FREE_WORKSHOP,
    RULE_SINGLE,
    Frame,
    State,
)
from aoi_sim.rules import vocabulary as v

DECLINE: Final[Action] = (a.DECLINE, 0, 0, 0)
KEY: Final[Action] = (a.KEY, 0, 0, 0)
ACCEPT: Final[Action] = (a.ACCEPT, 0, 0, 0)


def answers(state: State, frame: Frame) -> list[Action]:
    """All answers to a pending frame; empty when its effect is lost."""
    return _ANSWERS[frame[0]](state, frame)


def can_pay_workshop(state: State, i: int, tools: int) -> bool:
    """Whether a workshop can be paid and a piece is free, with so many tools left (TB-6)."""
    t = state.tables
    seat = state.seats[i]
    return tools >= t.workshop_tools and seat.coins >= t.workshop_coins and has_piece(state, i, v.WORKSHOP)


def spade_price(state: State, seat: Seat) -> int:
    """Tools for a bought spade (TB-3)."""
    return state.tables.spade_tools[seat.terraforming]


def mode_tools(seat: Seat, mode: int) -> int:
    """Tools that a tunnel costs; a flight costs none."""
    return seat.tunnel_tools if mode == a.TUNNEL else 0


def special_digs(state: State, i: int, mode: int, free: int, buy: bool, home_only: bool) -> list[Action]:
    """Transforms by tunnel or flight with `free` free spades, missing ones bought (TB-4)."""
    seat = state.seats[i]
    price = spade_price(state, seat)
    tools = seat.tools - mode_tools(seat, mode)
    paths = state.tables.dig_paths[seat.home]
    out: list[Action] = []
    for h in bits(special_targets(state, i, mode)):
        k = 0
        path = paths[state.terrain[h]]
        for terrain in path:
            k += 1
            if k > free:
                if not buy or (k - free) * price > tools:
                    break
                if home_only and terrain != seat.home:
                    continue
            out.append((a.TRANSFORM, h, terrain, mode))
    return out


def special_homes(state: State, i: int, mode: int) -> list[Action]:
    """Builds on home hexes reached by tunnel or flight."""
    home = state.terrain_mask[state.seats[i].home]
    return [(a.BUILD, h, 0, mode) for h in bits(special_targets(state, i, mode) & home)]


def spade_answers(state: State, f: Frame) -> list[Action]:
    """Answers while free spades or the build after digging are pending (TB-4, TB-5, SET-15, END-1)."""
    i, free, used, first, special, rule, decline = f[1], f[2], f[3], f[4], f[5], f[6], f[7]
    seat = state.seats[i]
    digs = seat.digs
    if digs is None:
        digs = refresh_digs(state, seat)
    if rule == RULE_SINGLE:
        return _single_spades(state, seat, digs, free, used)
    out: list[Action] = []
    if free > 0:
        home_only = state.tables.must_reach_home
        price = spade_price(state, seat)
        for k in range(1, 4):
            if k <= free:
                out += digs[k]
            elif used == 0 and (k - free) * price <= seat.tools:
                out += [d for d in digs[k] if d[2] == seat.home or not home_only]
        if not special:
            for mode in special_modes(seat):
                out += special_digs(state, i, mode, free, used == 0, home_only)
    out += _spade_builds(state, i, seat, used, first, special, rule)
    if used or decline:
        out.append(DECLINE)
    return out


def _single_spades(state: State, seat: Seat, digs: list[list[Action]], free: int, used: int) -> list[Action]:
    out: list[Action] = []
    if free > 0:
        out += digs[1]
        if used == 0 and state.phase == P_START_SPADES and state.tables.setup_spades_buy:
            for k in range(free + 1, 4):
                if (k - free) * spade_price(state, seat) <= seat.tools:
                    out += [d for d in digs[k] if d[2] == seat.home]
    out.append(DECLINE)
    return out


def _spade_builds(state: State, i: int, seat: Seat, used: int, first: int, special: int, rule: int) -> list[Action]:
    free_workshop = rule == RULE_FREE_WORKSHOP
    if free_workshop:
        if not has_piece(state, i, v.WORKSHOP):
            return []
    elif not can_pay_workshop(state, i, seat.tools):
        return []
    ready = first >= 0 and state.terrain[first] == seat.home and not state.occupied >> first & 1
    plain: Action = (a.BUILD, first, 0, a.PLAIN)
    if used and not free_workshop:
        return [plain] if ready else []
    out: list[Action] = list(seat.homes)
    if ready and plain not in out:
        out.append(plain)
    if not special:
        for mode in special_modes(seat):
            if free_workshop or can_pay_workshop(state, i, seat.tools - mode_tools(seat, mode)):
                out += special_homes(state, i, mode)
    return out


def _pay(state: State, f: Frame) -> list[Action]:
    return [(a.PAY, code, 0, 0) for code in book_multisets(state.seats[f[1]].books, f[2], False)]


def _books(state: State, f: Frame) -> list[Action]:
    n = f[2]
    limits = [n, n, n, n]
    if state.book_supply:
        limits = state.book_supply
        if f[3]:
            n = min(n, sum([1 for x in limits if x]))
        else:
            n = min(n, sum(limits))
    elif f[3]:
        n = min(n, 4)
    return [(a.BOOKS, code, 0, 0) for code in book_multisets(limits, n, f[3] == 1)] if n else []


def _steps(state: State, f: Frame) -> list[Action]:
    return [(a.STEP, d, 0, 0) for d in range(4) if not f[5] >> d & 1 and can_step(state, f[1], d)]


def _key(state: State, f: Frame) -> list[Action]:
    return [KEY, DECLINE]


def _bridge(state: State, f: Frame) -> list[Action]:
    i = f[1]
    if not state.seats[i].bridge_supply:
        return []
    out: list[Action] = [(a.BRIDGE, p, q, 0) for p, q in bridge_places(state, i, state.geometry.places)]
    if out and f[3]:
        out.append(DECLINE)
    return out


def _neutral(state: State, f: Frame) -> list[Action]:
    i, kind = f[1], f[2]
    t = state.tables
    seat = state.seats[i]
    price = spade_price(state, seat)
    paths = t.dig_paths[seat.home]
    out: list[Action] = []
    for h in bits(seat.reach & ~state.occupied):
        if len(paths[state.terrain[h]]) * price <= seat.tools:
            out.append((a.PLACE, h, kind, a.PLAIN))
    for mode in special_modes(seat):
        if (mode == a.TUNNEL and not t.neutral_tunnel) or (mode == a.FLIGHT and not t.neutral_flight):
            continue
        tools = seat.tools - mode_tools(seat, mode)
        for h in bits(special_targets(state, i, mode)):
            if len(paths[state.terrain[h]]) * price <= tools:
                out.append((a.PLACE, h, kind, mode))
    if out and not t.neutral_must_place:
        out.append(DECLINE)
    return out


def _free_piece(state: State, f: Frame) -> list[Action]:
    i, kind = f[1], f[2]
    if not has_piece(state, i, kind):
        return []
    free = state.terrain_mask[state.seats[i].home] & ~state.occupied
    out: list[Action] = [(a.PLACE, h, kind, a.PLAIN) for h in bits(free)]
    if out:
        out.append(DECLINE)
    return out


def _exchange(state: State, f: Frame) -> list[Action]:
    i, old, new = f[1], f[2], f[3]
    if not has_piece(state, i, new):
        return []
    return [(a.UPGRADE, h, new, 0) for h in bits(state.seats[i].pieces[old])]


def _competency(state: State, f: Frame) -> list[Action]:
    owned = state.seats[f[1]].competencies
    cids = state.tables.kinds[v.K_COMPETENCY]
    out: list[Action] = []
    for k, left in enumerate(state.competency_left):
        if left and state.competency_discipline[k] >= 0 and cids[k] not in owned:
            out.append((a.COMPETENCY, cids[k], 0, 0))
    return out


def _palace(state: State, f: Frame) -> list[Action]:
    own = state.seats[f[1]].palace
    if own >= 0:  # drafted
        return [(a.PALACE, own, 0, 0)]
    return [(a.PALACE, cid, 0, 0) for cid in state.palaces]


def _city_tile(state: State, f: Frame) -> list[Action]:
    cids = state.tables.kinds[v.K_CITY_TILE]
    return [(a.CITY, cids[k], 0, 0) for k, left in enumerate(state.city_left) if left]


def _found(state: State, f: Frame) -> list[Action]:
    out: list[Action] = [(a.FOUND, r, 0, 0) for r in river_options(state, f[1])]
    if out:
        out.append(DECLINE)
    return out


def _city_group(state: State, f: Frame) -> list[Action]:
    i = f[1]
    return [(a.FOUND, bits(g)[0], 0, 0) for g in founding_groups(state, i, state.seats[i].own)]


def _offer(state: State, f: Frame) -> list[Action]:
    return [ACCEPT, DECLINE]


def _pool(state: State, f: Frame) -> list[Action]:
    out: list[Action] = []
    for k in range(2, len(f), 4):
        action: Action = (a.RESOLVE, f[k + 3], f[k], 0)
        if action not in out:
            out.append(action)
    return out


def _effect(state: State, f: Frame) -> list[Action]:
    return []


_ANSWERS: Final[list[Callable[[State, Frame], list[Action]]]] = [
    spade_answers,
    _pay,
    _books,
    _steps,
    _key,
    _bridge,
    _neutral,
    _free_piece,
    _exchange,
    _competency,
    _palace,
    _city_tile,
    _found,
    _city_group,
    _offer,
    _pool,
    _effect,
]
