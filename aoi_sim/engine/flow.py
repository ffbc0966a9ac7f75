"""What happens between decisions: phases, rounds, income, offers, turns (SET, INC, ACT-1, END)."""

from aoi_sim.engine.answer import answer, resolve_part, run_effect
from aoi_sim.engine.board import refresh_reach
from aoi_sim.engine.effects import take_gain
from aoi_sim.engine.income import give_income
from aoi_sim.engine.legal import turn_actions
from aoi_sim.engine.pending import answers
from aoi_sim.engine.rounds import log_round, note_resources
from aoi_sim.engine.scoring import score_end
from aoi_sim.engine.setup_actions import begin_start, placement_queue
from aoi_sim.engine.state import (
    F_COMPETENCY,
    F_EFFECT,
    F_OFFER,
    F_POOL,
    F_SPADES,
    P_ACTIONS,
    P_BONUS,
    P_DRAFT,
    P_DRAFT_BONUS,
    P_INCOME,
    P_OVER,
    P_PLACEMENT,
    P_START_CHOICES,
    P_START_COMPETENCY,
    P_START_SPADES,
    RULE_SINGLE,
    S_AFTER,
    S_BEFORE,
    State,
)
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Trigger


def advance(state: State) -> None:
    """Go on until a seat must decide or the game is over."""
    while True:
        if state.offers and (not state.stack or state.tables.offers_each_build) and _ask_offer(state):
            return
        if state.stack:
            if _settle_frame(state):
                return
            continue
        if state.offers:
            continue
        if state.phase == P_ACTIONS:
            if _settle_turn(state):
                return
        elif state.phase == P_OVER or _settle_phase(state):
            return


def _ask_offer(state: State) -> bool:
    """Ask the next power offer that is still worth something (POW-4)."""
    i, power, builder, h = state.offers.pop(0)
    seat = state.seats[i]
    gain = min(power, 2 * seat.bowl1 + seat.bowl2, seat.vp + 1)
    if gain <= 0:
        return False
    state.stack.append((F_OFFER, i, gain, gain - 1, builder, h))
    state.legal = None
    return True


def _settle_frame(state: State) -> bool:
    """Work on the top frame; True when it needs a decision."""
    frame = state.stack[-1]
    if frame[0] == F_EFFECT:
        state.stack.pop()
        run_effect(state, frame)
        return False
    if frame[0] == F_POOL:
        return _settle_pool(state)
    legal = answers(state, frame)
    if not legal:
        state.stack.pop()
        return False
    if len(legal) == 1:
        answer(state, legal[0])
        return False
    state.legal = legal
    return True


def _settle_pool(state: State) -> bool:
    frame = state.stack[-1]
    n = (len(frame) - 2) // 4
    if n == 0:
        state.stack.pop()
        return False
    if n == 1 or state.tables.fixed_order:
        k = 2 if n == 1 else _first_in_order(frame)
        # The pool stays, even empty, to collect what the part sets off.
        state.stack[-1] = frame[:k] + frame[k + 4 :]
        resolve_part(state, frame[1], frame[k], frame[k + 1], frame[k + 2], frame[k + 3])
        return False
    legal = answers(state, frame)
    if len(legal) == 1:
        answer(state, legal[0])
        return False
    state.legal = legal
    return True


def _first_in_order(frame: tuple[int, ...]) -> int:
    """Index of the part that comes first with option effect_order = fixed: steps, books, tile, then cities."""
    best, best_rank = 2, 9
    for k in range(2, len(frame), 4):
        op = frame[k]
        rank = 2
        if op == v.OP_CITY_TILE:
            rank = 3
        elif op in (v.OP_STEPS, v.OP_STEPS_OF, v.OP_STEPS_EACH, v.OP_STEPS_SPLIT, v.OP_STEPS_SPLIT_PER):
            rank = 0
        elif op == v.OP_BOOKS:
            rank = 1
        if rank < best_rank:
            best, best_rank = k, rank
    return best


def _settle_turn(state: State) -> bool:
    """Between two actions of phase II; True when the active seat must decide."""
    if state.stage != S_AFTER:
        state.legal = None
        return True
    legal = turn_actions(state)
    if len(legal) == 1:
        end_turn(state)
        return state.phase == P_ACTIONS and state.stage == S_BEFORE and not state.stack
    state.legal = legal
    return True


def end_turn(state: State) -> None:
    """The next seat that has not passed acts; when all have passed the round ends (ACT-1)."""
    state.turn += 1
    state.stage = S_BEFORE
    state.legal = None
    n = len(state.order)
    k = state.order.index(state.active)
    for step in range(1, n + 1):
        i = state.order[(k + step) % n]
        if not state.seats[i].passed:
            state.active = i
            return
    _end_round(state)


def _settle_phase(state: State) -> bool:
    """Move on in set-up, income and phase III; True when a seat must decide."""
    phase = state.phase
    if phase <= P_DRAFT_BONUS:
        if state.queue:
            return True
        _next_choice_phase(state)
    elif phase == P_START_CHOICES:
        if state.queue:
            _start_choices(state, state.queue.pop(0))
        else:
            state.phase = P_PLACEMENT
            state.queue = placement_queue(state)
    elif phase == P_PLACEMENT:
        if state.queue:
            return True
        state.phase = P_START_COMPETENCY
        state.queue = [i for i in state.order if _faction_competencies(state, i)]
    elif phase == P_START_COMPETENCY:
        if state.queue:
            i = state.queue.pop(0)
            state.stack = [(F_COMPETENCY, i)] * _faction_competencies(state, i)
        else:
            state.phase = P_START_SPADES
            state.queue = state.order[:]
    elif phase == P_START_SPADES:
        if state.queue:
            _start_spades(state, state.queue.pop(0))
        else:
            begin_round(state)
    elif phase == P_INCOME:
        _begin_actions(state)
        return True
    elif phase == P_BONUS:
        _clean_up(state)
        begin_round(state)
    return False


def _next_choice_phase(state: State) -> None:
    if state.phase == P_DRAFT:
        state.phase = P_DRAFT_BONUS
        state.queue = list(range(state.n_players - 1, -1, -1))
    else:
        begin_start(state)


def _faction_competencies(state: State, i: int) -> int:
    return state.tables.components[state.seats[i].faction].start_competency


def _start_choices(state: State, i: int) -> None:
    """SET-12: choices of faction and board before placing."""
    seat = state.seats[i]
    for cid in (seat.faction, seat.board):
        take_gain(state, i, state.tables.components[cid].choices, cid)


def _start_spades(state: State, i: int) -> None:
    """SET-15: the set-up spades of a seat, each effect its own."""
    seat = state.seats[i]
    spades = list(seat.start_spades)
    board = state.tables.components[seat.board].start_spades
    if board:
        spades.insert(0, board)
    seat.start_spades = ()
    for n in reversed(spades):
        state.stack.append((F_SPADES, i, n, 0, -1, 0, RULE_SINGLE, 1, -1))


def begin_round(state: State) -> None:
    """Start a round: turn order, its tiles, income (INC)."""
    t = state.tables
    if state.round:
        state.order = state.next_order
    state.next_order = []
    state.queue = []
    state.round += 1
    state.turn = 0
    state.phase = P_INCOME
    state.stage = S_BEFORE
    for seat in state.seats:
        seat.passed = False
        seat.passed_turn = -1
    state.round_triggers = round_triggers(state)
    note_resources(state)
    give_income(state)
    state.active = state.order[0]
    assert state.round <= t.n_rounds


def round_triggers(state: State) -> list[tuple[Trigger, ...]]:
    """What scores in this round: its tile, in the last round the final tile too (RS-1)."""
    t = state.tables
    rows: list[list[Trigger]] = [[] for _ in range(v.N_TRIGGER_EVENTS)]
    cids = [state.round_tiles[state.round - 1]] if state.round else []
    if state.round == t.n_rounds:
        cids.append(state.final_tile)
    for cid in cids:
        for trigger in t.components[cid].triggers:
            rows[trigger.event].append(trigger)
    return [tuple(row) for row in rows]


def _begin_actions(state: State) -> None:
    state.phase = P_ACTIONS
    state.active = state.order[0]
    state.legal = None
    for i, seat in enumerate(state.seats):
        if seat.sailing_bonus:
            refresh_reach(state, i)
    log_round(state, 0)


def _end_round(state: State) -> None:
    """All have passed: phase III, or after the last round the final scoring (END, FIN)."""
    t = state.tables
    state.phase = P_BONUS
    for i, seat in enumerate(state.seats):
        if seat.sailing_bonus:
            refresh_reach(state, i)
    if state.round < t.n_rounds:
        log_round(state, 1)
        _science_bonus(state)
        return
    score_end(state)
    state.phase = P_OVER
    state.legal = []
    log_round(state, 1)


def _science_bonus(state: State) -> None:
    """END-1: the round tile's bonus, in next round's turn order."""
    t = state.tables
    cid = state.round_tiles[state.round - 1]
    c = t.components[cid]
    if c.bonus_discipline < 0:
        return
    for i in state.next_order:
        seat = state.seats[i]
        times = (seat.science[c.bonus_discipline] + seat.science_bonus_levels) // c.bonus_every
        if times:
            take_gain(state, i, c.bonus, cid, times)


def _clean_up(state: State) -> None:
    """END-2 and END-3: markers off, a coin on each free round bonus tile."""
    state.used_power = 0
    state.used_book = 0
    for seat in state.seats:
        seat.used = 0
    for k, coins in enumerate(state.bonus_coins):
        if coins >= 0:
            state.bonus_coins[k] = coins + state.tables.bonus_coin
