"""What an answer to a pending decision does (docs/notation.md, pending kinds)."""

from collections.abc import Callable
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine import events as e
from aoi_sim.engine.actions import Action
from aoi_sim.engine.board import rebuild, refresh_reach
from aoi_sim.engine.build import (
    build_bridge,
    build_workshop,
    built,
    dig,
    dig_length,
    pay_special,
    put_piece,
    upgrade,
)
from aoi_sim.engine.cities import check_cities, flood_over, found, river_group
from aoi_sim.engine.effects import add_part, fire, one_step, run_op, take_action_gain, take_gain, take_steps
from aoi_sim.engine.resources import gain_books, gain_power, gain_vp, log_event, multiset_counts, pay_books
from aoi_sim.engine.state import F_POOL, F_STEPS, RULE_FREE_WORKSHOP, RULE_SINGLE, Frame, State
from aoi_sim.rules import vocabulary as v


def answer(state: State, action: Action) -> None:
    """Apply an answer that is known to be legal to the top frame."""
    frame = state.stack.pop()
    _APPLY[frame[0]](state, frame, action)


def _spades(state: State, f: Frame, action: Action) -> None:
    i, free, used, first, special, rule, decline, cid = f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]
    kind, h, terrain, mode = action
    if kind == a.DECLINE:
        return
    if mode:
        pay_special(state, i, mode)
        special = 1
    if kind == a.BUILD:
        build_workshop(state, i, h, rule == RULE_FREE_WORKSHOP)
        return
    seat = state.seats[i]
    k = dig_length(state, i, h, terrain)
    if k > free:
        seat.tools -= (k - free) * state.tables.spade_tools[seat.terraforming]
    free = free - k if k < free else 0
    if terrain != seat.home and rule != RULE_SINGLE:
        free = 0
    dig(state, i, h, terrain, k)
    if first < 0:
        first = h
    state.stack.append((f[0], i, free, used + k, first, special, rule, decline, cid))


def _pay(state: State, f: Frame, action: Action) -> None:
    for d, n in enumerate(multiset_counts(action[1])):
        if n:
            pay_books(state, f[1], d, n)


def _books(state: State, f: Frame, action: Action) -> None:
    for d, n in enumerate(multiset_counts(action[1])):
        if n:
            gain_books(state, f[1], d, n)


def _steps(state: State, f: Frame, action: Action) -> None:
    i, n = f[1], f[2]
    if f[3]:
        if n > 1:
            state.stack.append((f[0], i, n - 1, 1, f[4], f[5]))
        take_steps(state, i, action[1], 1)
    else:
        take_steps(state, i, action[1], n)


def _key(state: State, f: Frame, action: Action) -> None:
    i, d, n = f[1], f[2], f[3]
    if action[0] == a.DECLINE:
        log_event(state, i, e.E_STEPS_LOST, state.tables.cid_discipline[d], -1, n, 0)
        if state.stack:
            below = state.stack[-1]
            if below[0] == F_STEPS and below[1] == i and below[3]:
                # SCI-2: the rest of this gain's steps in that discipline is lost.
                state.stack[-1] = below[:5] + (below[5] | 1 << d,)
        return
    state.seats[i].keys -= 1
    log_event(state, i, e.E_KEY_USED, state.tables.cid_discipline[d], -1, 1, 0)
    one_step(state, i, d)
    take_steps(state, i, d, n - 1)


def _bridge(state: State, f: Frame, action: Action) -> None:
    i, n = f[1], f[2]
    if action[0] == a.DECLINE:
        return
    if n > 1:
        state.stack.append((f[0], i, n - 1, 1, f[4]))
    build_bridge(state, i, action[1], action[2])


def place_neutral(state: State, i: int, h: int, kind: int, mode: int) -> None:
    """Place a neutral building: dig all the way with bought spades, then build it (NEUT-1, NEUT-2)."""
    seat = state.seats[i]
    if mode:
        pay_special(state, i, mode)
    k = len(state.tables.dig_paths[seat.home][state.terrain[h]])
    if k:
        seat.tools -= k * state.tables.spade_tools[seat.terraforming]
        dig(state, i, h, seat.home, k)
    put_piece(state, i, h, kind, True)
    built(state, i, h, kind, True)


def _neutral(state: State, f: Frame, action: Action) -> None:
    if action[0] == a.PLACE:
        place_neutral(state, f[1], action[1], action[2], action[3])


def _free_piece(state: State, f: Frame, action: Action) -> None:
    if action[0] == a.PLACE:
        put_piece(state, f[1], action[1], action[2], False)
        built(state, f[1], action[1], action[2], False)


def _exchange(state: State, f: Frame, action: Action) -> None:
    upgrade(state, f[1], action[1], action[2], True)


def _competency(state: State, f: Frame, action: Action) -> None:
    i, cid = f[1], action[1]
    t = state.tables
    seat = state.seats[i]
    c = t.components[cid]
    state.competency_left[c.position] -= 1
    seat.competencies = (*seat.competencies, cid)
    rebuild(state, i)
    log_event(state, i, v.EV_COMPETENCY, cid, -1, 1, 0)
    d = state.competency_discipline[c.position]
    steps, books = t.competency_places[state.competency_place[c.position]]
    fire(state, i, v.EV_COMPETENCY, -1, 1, d)
    if books:
        gain_books(state, i, d, books)
    if steps:
        add_part(state, i, v.OP_STEPS_OF, steps, d, cid)
    take_gain(state, i, c.once, cid, neutral_first=False)
    changed_abilities(state, i, cid)


def changed_abilities(state: State, i: int, cid: int) -> None:
    """After taking a component: reach and cities where its abilities change them (CITY-4)."""
    c = state.tables.components[cid]
    if c.sailing_bonus:
        refresh_reach(state, i)
    if c.city_power or c.river_city:
        check_cities(state, i, state.seats[i].own)


def _palace(state: State, f: Frame, action: Action) -> None:
    i, cid = f[1], action[1]
    seat = state.seats[i]
    seat.palace = cid
    seat.palace_built = True
    state.palaces = tuple([p for p in state.palaces if p != cid])
    rebuild(state, i)
    log_event(state, i, e.E_TILE, cid, -1, 1, 0)
    take_gain(state, i, state.tables.components[cid].once, cid)
    changed_abilities(state, i, cid)


def _city_tile(state: State, f: Frame, action: Action) -> None:
    i, cid = f[1], action[1]
    seat = state.seats[i]
    c = state.tables.components[cid]
    state.city_left[c.position] -= 1
    seat.keys += 1
    seat.city_tiles = (*seat.city_tiles, cid)
    log_event(state, i, v.EV_CITY_TILE, cid, -1, 1, 0)
    fire(state, i, v.EV_CITY_TILE, -1)
    take_gain(state, i, c.once, cid)


def found_over_river(state: State, i: int, r: int) -> None:
    """Found a city over river hex r and use the hex up (CITY-6)."""
    group = river_group(state, i, r)
    state.seats[i].river_cities |= 1 << r
    found(state, i, group, r)


def _found(state: State, f: Frame, action: Action) -> None:
    if action[0] == a.FOUND:
        i = f[1]
        found_over_river(state, i, action[1])
        check_cities(state, i, state.seats[i].own)


def _city_group(state: State, f: Frame, action: Action) -> None:
    i = f[1]
    found(state, i, flood_over(state, i, 1 << action[1]), action[1])
    check_cities(state, i, state.seats[i].own)


def _offer(state: State, f: Frame, action: Action) -> None:
    i, power, cost, h = f[1], f[2], f[3], f[5]
    if action[0] == a.DECLINE:
        log_event(state, i, e.E_POWER_DECLINED, -1, h, power, 0)
        return
    log_event(state, i, e.E_POWER_TAKEN, -1, h, power, 0)
    gain_vp(state, i, state.tables.cid_power, -cost)
    gain_power(state.seats[i], power)


def _resolve(state: State, f: Frame, action: Action) -> None:
    cid, op = action[1], action[2]
    for k in range(2, len(f), 4):
        if f[k] == op and f[k + 3] == cid:
            state.stack.append(f[:k] + f[k + 4 :])
            resolve_part(state, f[1], op, f[k + 1], f[k + 2], cid)
            return


def resolve_part(state: State, i: int, op: int, a_: int, b: int, cid: int) -> None:
    """Run a part taken from the pool; palace 15's parts are complete before anything else goes on (PAL/15)."""
    if cid >= 0 and state.tables.components[cid].isolated:
        pool: Frame = (F_POOL, i)
        state.stack.append(pool)
    run_op(state, i, op, a_, b, cid, False)


def _effect(state: State, f: Frame, action: Action) -> None:
    run_effect(state, f)


def run_effect(state: State, f: Frame) -> None:
    """Run a step of the flow that waited under other frames."""
    i, op, n, b, cid = f[1], f[2], f[3], f[4], f[6]
    t = state.tables
    if op == v.OP_TAKE_BONUS:
        take_bonus_tile(state, i, n)
    elif op == v.OP_TAKE_INNOVATION:
        seat = state.seats[i]
        c = t.components[n]
        state.innovations = tuple([p for p in state.innovations if p[0] != n])
        seat.innovations = (*seat.innovations, n)
        rebuild(state, i)
        log_event(state, i, v.EV_INNOVATION, n, -1, 1, 0)
        fire(state, i, v.EV_INNOVATION, -1)
        take_gain(state, i, c.once, n)
        changed_abilities(state, i, n)
    elif op == v.OP_BOOK_EFFECT:
        take_action_gain(state, i, t.components[n].action, n)
    else:
        run_op(state, i, op, n, b, cid, False)


def take_bonus_tile(state: State, i: int, cid: int) -> None:
    """PASS-2: take a round bonus tile with its coins, return the old one, take a place in the next round's order."""
    t = state.tables
    seat = state.seats[i]
    old = seat.bonus
    position = t.components[cid].position
    coins = state.bonus_coins[position]
    state.bonus_coins[position] = -1
    if old >= 0:
        state.bonus_coins[t.components[old].position] = 0
    seat.bonus = cid
    seat.coins += coins
    log_event(state, i, e.E_TILE, cid, -1, coins, 0)
    rebuild(state, i)


_APPLY: Final[list[Callable[[State, Frame, Action], None]]] = [
    _spades,
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
    _resolve,
    _effect,
]
