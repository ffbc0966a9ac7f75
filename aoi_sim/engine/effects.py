"""Effects: events and what they set off, parts waiting for their order, science steps, tracks (ORD-1, SCI, TR, RS)."""

from aoi_sim.engine import events as e
from aoi_sim.engine.board import refresh_reach
from aoi_sim.engine.resources import count, gain_power, gain_vp, log_event, run_simple
from aoi_sim.engine.state import (
    F_BOOKS,
    F_BRIDGE,
    F_CITY_TILE,
    F_COMPETENCY,
    F_EFFECT,
    F_EXCHANGE,
    F_FREE_PIECE,
    F_KEY,
    F_NEUTRAL,
    F_PALACE,
    F_POOL,
    F_SPADES,
    F_STEPS,
    P_ACTIONS,
    P_BONUS,
    P_INCOME,
    P_START_COMPETENCY,
    RULE_FREE_WORKSHOP,
    RULE_NORMAL,
    RULE_SINGLE,
    S_SECOND,
    Frame,
    State,
)
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Gain, Trigger


def fire(state: State, i: int, event: int, hex_: int, times: int = 1, d: int = -1) -> None:
    """Run the effects of a seat's components, and in phase II of the round's tiles, on an event (ORD-1, RS-2)."""
    triggers = state.seats[i].triggers[event]
    if triggers:
        for t in triggers:
            _run_trigger(state, i, t, hex_, times, d)
    if state.phase == P_ACTIONS:
        round_triggers = state.round_triggers[event]
        if round_triggers:
            for t in round_triggers:
                _run_trigger(state, i, t, hex_, times, d)


def _run_trigger(state: State, i: int, t: Trigger, hex_: int, times: int, d: int) -> None:
    if t.where == v.WHERE_EDGE and not state.geometry.edge >> hex_ & 1:
        return
    if t.where == v.WHERE_RIVER and not state.geometry.riverside >> hex_ & 1:
        return
    run_simple(state, i, t.gain.simple, t.component, times, d)
    for op, a, b, _ in t.gain.parts:
        for _n in range(times):
            add_part(state, i, op, a, b, t.component)


def add_part(state: State, i: int, op: int, a: int, b: int, cid: int) -> None:
    """Put a part into the seat's pool of this action: the topmost one, or a new one under all frames (ORD-1)."""
    stack = state.stack
    for k in range(len(stack) - 1, -1, -1):
        frame = stack[k]
        if frame[0] == F_POOL and frame[1] == i:
            stack[k] = frame + (op, a, b, cid)
            return
    pool: Frame = (F_POOL, i, op, a, b, cid)
    stack.insert(0, pool)


def take_gain(state: State, i: int, gain: Gain, cid: int, times: int = 1, neutral_first: bool = True) -> None:
    """Give a tile's gain: what needs no choice at once, a neutral building next (NEUT-1), the rest into the pool.

    A competency's tower is its own effect and keeps its place among the parts (`neutral_first` off, ORD-1).
    """
    run_simple(state, i, gain.simple, cid, times, -1)
    neutral: tuple[int, int] = (0, 0)
    for op, a, b, _ in gain.parts:
        if op == v.OP_NEUTRAL and neutral_first:
            neutral = (op, a)
        elif op == v.OP_EXCHANGE or op == v.OP_FREE_PIECE or op == v.OP_NEUTRAL:  # a is a building kind, not an amount
            add_part(state, i, op, a, b, cid)
        else:
            add_part(state, i, op, a * times, b, cid)
    if neutral[0]:
        run_op(state, i, neutral[0], neutral[1], 0, cid, False)


def take_action_gain(state: State, i: int, gain: Gain, cid: int) -> None:
    """Give the effect of a power, book or special action: a lone part must be used (ACT-2)."""
    run_simple(state, i, gain.simple, cid, 1, -1)
    if len(gain.parts) == 1:
        op, a, b, _ = gain.parts[0]
        run_op(state, i, op, a, b, cid, not gain.simple)
        return
    for op, a, b, _ in gain.parts:
        add_part(state, i, op, a, b, cid)


def run_op(state: State, i: int, op: int, a: int, b: int, cid: int, required: bool) -> None:
    """Run one part: at once, or as a pending frame on the stack. `required`: it may not be declined."""
    stack = state.stack
    if cid >= 0:
        log_event(state, i, e.E_EFFECT, cid, -1, op, 0)
    if op == v.OP_BOOKS:
        distinct = 1 if state.tables.distinct_books and state.tables.components[cid].isolated else 0
        stack.append((F_BOOKS, i, a, distinct, cid))
    elif op == v.OP_STEPS:
        stack.append((F_STEPS, i, a, 0, cid, 0))
    elif op == v.OP_STEPS_SPLIT:
        stack.append((F_STEPS, i, a, 1, cid, 0))
    elif op == v.OP_STEPS_SPLIT_PER:
        n = a * count(state, i, b)
        if n:
            stack.append((F_STEPS, i, n, 1, cid, 0))
    elif op == v.OP_STEPS_EACH:
        for d in range(3, -1, -1):
            stack.append((F_EFFECT, i, v.OP_STEPS_OF, a, d, 0, -1))
    elif op == v.OP_STEPS_OF:
        take_steps(state, i, b, a)
    elif op == v.OP_SAILING or op == v.OP_TERRAFORMING:
        for _ in range(a):
            track_step(state, i, op == v.OP_SAILING)
    elif op == v.OP_SPADES:
        _push_spades(state, i, a, b, cid, required)
    elif op == v.OP_BRIDGES:
        stack.append((F_BRIDGE, i, a, 0 if required else 1, cid))
    elif op == v.OP_NEUTRAL:
        stack.append((F_NEUTRAL, i, a, cid))
    elif op == v.OP_FREE_PIECE:
        stack.append((F_FREE_PIECE, i, a, cid))
    elif op == v.OP_EXCHANGE:
        stack.append((F_EXCHANGE, i, a, b, cid))
    elif op == v.OP_COMPETENCY:
        for _ in range(a):
            stack.append((F_COMPETENCY, i))
    elif op == v.OP_PALACE:
        stack.append((F_PALACE, i))
    elif op == v.OP_CITY_TILE:
        for _ in range(a):
            stack.append((F_CITY_TILE, i))
    elif op == v.OP_SECOND_ACTION:
        state.stage = S_SECOND
    elif op == v.OP_VP_PER:
        gain_vp(state, i, cid, a * count(state, i, b))


def _push_spades(state: State, i: int, n: int, free_workshop: int, cid: int, required: bool) -> None:
    if state.phase == P_START_COMPETENCY:
        # SET-15: set-up spades wait for their own phase.
        seat = state.seats[i]
        seat.start_spades = (*seat.start_spades, n)
        return
    rule = RULE_SINGLE if state.phase == P_BONUS else RULE_FREE_WORKSHOP if free_workshop else RULE_NORMAL
    state.stack.append((F_SPADES, i, n, 0, -1, 0, rule, 0 if required else 1, cid))


def can_step(state: State, i: int, d: int) -> bool:
    """Whether a seat could take one step in a discipline now, a key included (SCI-2, SCI-3)."""
    t = state.tables
    seat = state.seats[i]
    level = seat.science[d] + 1
    if level > t.science_max:
        return False
    if level == t.key_level and not seat.keys:
        return False
    if level >= t.last_place_level:
        for other in state.seats:
            if other.science[d] >= t.last_place_level and other is not seat:
                return False
    return True


def take_steps(state: State, i: int, d: int, n: int) -> None:
    """Advance up to n steps in a discipline one by one; asks for the key (SCI-1..4)."""
    t = state.tables
    seat = state.seats[i]
    while n > 0:
        if not can_step(state, i, d):
            log_event(state, i, e.E_STEPS_LOST, t.cid_discipline[d], -1, n, 0)
            return
        if seat.science[d] + 1 == t.key_level:
            state.stack.append((F_KEY, i, d, n, -1))
            return
        one_step(state, i, d)
        n -= 1


def one_step(state: State, i: int, d: int) -> None:
    """Take one step that is known to be possible, with its power (SCI-1) and what scores it (SCI-4, INC-6)."""
    t = state.tables
    seat = state.seats[i]
    level = seat.science[d] + 1
    seat.science[d] = level
    log_event(state, i, v.EV_STEP, t.cid_discipline[d], -1, level, 0)
    power = t.science_power[level]
    if power:
        gain_power(seat, power)
    if level == t.income_level and state.phase == P_INCOME:
        take_gain(state, i, t.science_income[d], t.cid_discipline[d])
    fire(state, i, v.EV_STEP, -1)


def track_step(state: State, i: int, sailing: bool) -> None:
    """One step of the sailing or terraforming track, if there is one left, with its reward (TR-1..3)."""
    t = state.tables
    seat = state.seats[i]
    if sailing:
        if seat.sailing >= t.sailing_max:
            return
        seat.sailing += 1
        rewards = t.board_sailing_rewards[seat.board]
        cid, level = t.cid_sailing, seat.sailing
        refresh_reach(state, i)
    else:
        if seat.terraforming >= t.terraforming_max:
            return
        seat.terraforming += 1
        rewards = t.terraforming_rewards
        cid, level = t.cid_terraforming, seat.terraforming
    log_event(state, i, v.EV_TRACK, cid, -1, level, 0)
    fire(state, i, v.EV_TRACK, -1)
    if level < len(rewards):
        take_gain(state, i, rewards[level], cid)
