"""What the actions of a turn do (ACT, CONV, TB, UP, TR, INN, SCH, PA, SP, PASS)."""

from collections.abc import Callable
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine import events as e
from aoi_sim.engine.actions import Action
from aoi_sim.engine.answer import found_over_river
from aoi_sim.engine.board import own_components, refresh_reach
from aoi_sim.engine.build import build_bridge, build_workshop, dig, dig_length, pay_special, place_annex, upgrade
from aoi_sim.engine.effects import fire, take_action_gain, take_steps, track_step
from aoi_sim.engine.legal import column_disciplines, innovation_price, power_price
from aoi_sim.engine.resources import count as count_things
from aoi_sim.engine.resources import gain_books, gain_scholars, log_event, pay_books, run_simple, spend_power
from aoi_sim.engine.state import F_EFFECT, F_PAY, F_POOL, F_SPADES, RULE_NORMAL, S_AFTER, Frame, State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Op


def act(state: State, action: Action) -> None:
    """Apply an action of the active seat that is known to be legal (END excepted, which belongs to the flow)."""
    kind = action[0]
    if kind != a.CONVERT and kind != a.SACRIFICE and kind != a.FOUND:
        state.stage = S_AFTER
    _ACT[kind](state, state.active, action)


def _transform(state: State, i: int, action: Action) -> None:
    _, h, terrain, mode = action
    seat = state.seats[i]
    k = dig_length(state, i, h, terrain)
    seat.tools -= k * state.tables.spade_tools[seat.terraforming]
    if mode:
        pay_special(state, i, mode)
    dig(state, i, h, terrain, k)
    state.stack.append((F_SPADES, i, 0, k, h, 1 if mode else 0, RULE_NORMAL, 1, -1))


def _build(state: State, i: int, action: Action) -> None:
    if action[3]:
        pay_special(state, i, action[3])
    build_workshop(state, i, action[1], False)


def _upgrade(state: State, i: int, action: Action) -> None:
    upgrade(state, i, action[1], action[2], False)


def _advance(state: State, i: int, action: Action) -> None:
    t = state.tables
    seat = state.seats[i]
    sailing = action[1] == a.SAILING
    scholars, tools, coins = t.sailing_cost if sailing else t.board_terraforming_cost[seat.board]
    seat.scholars -= scholars
    seat.scholar_supply += scholars
    seat.tools -= tools
    seat.coins -= coins
    track_step(state, i, sailing)


def _innovate(state: State, i: int, action: Action) -> None:
    cid = action[1]
    seat = state.seats[i]
    books, coins = innovation_price(state, seat)
    seat.coins -= coins
    column = 0
    for c, col in state.innovations:
        if c == cid:
            column = col
    for d in column_disciplines(state, column):
        pay_books(state, i, d, state.tables.innovation_own_books)
        books -= state.tables.innovation_own_books
    state.stack.append((F_EFFECT, i, v.OP_TAKE_INNOVATION, cid, 0, 0, -1))
    if books > 0:
        state.stack.append((F_PAY, i, books, cid))


def _send(state: State, i: int, action: Action) -> None:
    _, d, value, _ = action
    seat = state.seats[i]
    values = state.tables.scholar_places
    n = len(values)
    for k in range(n):
        if values[k] == value and state.places[d * n + k] < 0:
            state.places[d * n + k] = i
            break
    seat.scholars -= 1
    seat.sent += 1
    log_event(state, i, v.EV_SCHOLAR_SENT, state.tables.cid_discipline[d], -1, value, 0)
    fire(state, i, v.EV_SCHOLAR_SENT, -1)
    take_steps(state, i, d, value)


def _return(state: State, i: int, action: Action) -> None:
    d = action[1]
    seat = state.seats[i]
    seat.scholars -= 1
    seat.scholar_supply += 1
    log_event(state, i, v.EV_SCHOLAR_SENT, state.tables.cid_discipline[d], -1, 0, 0)
    fire(state, i, v.EV_SCHOLAR_SENT, -1)
    take_steps(state, i, d, state.tables.return_steps)


def _power(state: State, i: int, action: Action) -> None:
    cid = action[1]
    c = state.tables.components[cid]
    seat = state.seats[i]
    spend_power(seat, power_price(state, seat, cid))
    state.used_power |= 1 << c.position
    log_event(state, i, v.EV_POWER_ACTION, cid, -1, 1, 0)
    fire(state, i, v.EV_POWER_ACTION, -1)
    take_action_gain(state, i, c.action, cid)


def _book(state: State, i: int, action: Action) -> None:
    cid = action[1]
    state.used_book |= 1 << state.book_actions.index(cid)
    log_event(state, i, e.E_ACTION, cid, -1, 1, 0)
    state.stack.append((F_EFFECT, i, v.OP_BOOK_EFFECT, cid, 0, 0, -1))
    cost = state.tables.components[cid].cost
    if cost > 0:
        state.stack.append((F_PAY, i, cost, cid))


def _special(state: State, i: int, action: Action) -> None:
    cid = action[1]
    c = state.tables.components[cid]
    state.seats[i].used |= 1 << c.special
    log_event(state, i, e.E_ACTION, cid, -1, 1, 0)
    take_action_gain(state, i, c.action, cid)


def _bridge(state: State, i: int, action: Action) -> None:
    seat = state.seats[i]
    seat.tools -= seat.bridge_tools
    log_event(state, i, e.E_ACTION, seat.faction, -1, 1, 0)
    build_bridge(state, i, action[1], action[2])


def _annex(state: State, i: int, action: Action) -> None:
    place_annex(state, i, action[1])


def _found(state: State, i: int, action: Action) -> None:
    found_over_river(state, i, action[1])


def _pass(state: State, i: int, action: Action) -> None:
    seat = state.seats[i]
    seat.passed = True
    seat.passed_turn = state.turn
    if seat.sailing_bonus:
        refresh_reach(state, i)
    log_event(state, i, e.E_PASSED, action[1], -1, len(state.next_order), 0)
    state.next_order.append(i)
    if action[1] >= 0:
        state.stack.append((F_EFFECT, i, v.OP_TAKE_BONUS, action[1], 0, 0, -1))
    parts: list[int] = []
    waiting: list[tuple[int, Op]] = []
    for cid in own_components(seat):
        gain = state.tables.components[cid].passing
        for op, n, b, _ in gain.parts:
            if op != v.OP_STEPS_SPLIT_PER or count_things(state, i, b):
                parts += [op, n, b, cid]
        for row in gain.simple:
            waiting.append((cid, row))
    for cid, row in waiting:
        # PASS-1: only VP counted on science levels can depend on the order of steps gained by passing.
        if parts and row[0] == v.OP_VP_PER and row[2] in (v.COUNT_LOWEST_DISCIPLINE, v.COUNT_TWO_HIGHEST):
            parts += [row[0], row[1], row[2], cid]
        else:
            run_simple(state, i, (row,), cid, 1, -1)
    if parts:
        pool: Frame = (F_POOL, i, *parts)
        state.stack.append(pool)


def _convert(state: State, i: int, action: Action) -> None:
    t = state.tables
    seat = state.seats[i]
    price, n, gain = t.conversions[action[1]]
    if price == v.R_POWER:
        spend_power(seat, n)
    elif price == v.R_TOOL:
        seat.tools -= n
    elif price == v.R_SCHOLAR:
        seat.scholars -= n
        seat.scholar_supply += n
    elif price == v.R_COIN:
        seat.coins -= n
    else:
        pay_books(state, i, price - v.R_BOOK, n)
    if gain == v.R_COIN:
        seat.coins += 1
    elif gain == v.R_TOOL:
        seat.tools += 1
    elif gain == v.R_SCHOLAR:
        gain_scholars(seat, 1)
    else:
        gain_books(state, i, gain - v.R_BOOK, 1)
    log_event(state, i, e.E_CONVERTED, -1, -1, action[1], 0)


def _sacrifice(state: State, i: int, action: Action) -> None:
    seat = state.seats[i]
    seat.bowl2 -= 2
    seat.bowl3 += 1
    log_event(state, i, e.E_SACRIFICED, -1, -1, 1, 0)


_ACT: Final[list[Callable[[State, int, Action], None]]] = [
    _transform,
    _build,
    _upgrade,
    _advance,
    _innovate,
    _send,
    _return,
    _power,
    _book,
    _special,
    _bridge,
    _annex,
    _found,
    _pass,
    _convert,
    _sacrifice,
]
