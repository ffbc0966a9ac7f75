"""Why an action is illegal: the rule that forbids it, found only when it is needed."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action, IllegalAction
from aoi_sim.engine.board import special_targets
from aoi_sim.engine.build import has_piece, opponent_beside
from aoi_sim.engine.legal import can_change, innovation_price, power_price, seat_to_move
from aoi_sim.engine.notation import format_action, parse_action
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import FRAME_NAMES, P_ACTIONS, P_OVER, PHASE_NAMES, S_AFTER, S_SECOND, State
from aoi_sim.rules import vocabulary as v

_FRAME_RULES = {
    "spades": "TB-4",
    "pay": "INN-1",
    "books": "BOOK-1",
    "steps": "SCI-1",
    "key": "SCI-2",
    "bridge": "BR-1",
    "neutral": "NEUT-1",
    "free_piece": "PAL/16",
    "exchange": "UP-4",
    "competency": "COMP-1",
    "palace": "UP-3",
    "city_tile": "CITY-2",
    "found": "CITY-6",
    "city_group": "CITY-4",
    "offer": "POW-4",
    "resolve": "ORD-1",
    "effect": "ORD-1",
}
_PHASE_RULES = {
    "bundle": "SET-9",
    "draft": "SET-10",
    "draft_bonus": "SET-10",
    "start_choices": "SET-12",
    "placement": "SET-13",
    "start_competency": "SET-14",
    "start_spades": "SET-15",
    "income": "INC-6",
    "bonus": "END-1",
    "over": "FIN-5",
}

_TURN_KINDS = range(a.TRANSFORM, a.END + 1)


def illegal(state: State, action: Action) -> IllegalAction:
    """The error for an action that is not among the legal ones, whatever was given as action."""
    try:
        text = format_action(state, action)
        known = parse_action(state, text) == action
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        known = False
    if not known:
        return IllegalAction(repr(action), "ACT-1", "is no action of the notation")
    rule, reason = why(state, action)
    return IllegalAction(text, rule, reason)


def why(state: State, action: Action) -> tuple[str, str]:
    """Rule id and reason in a few words."""
    kind = action[0]
    if state.phase == P_OVER:
        return "FIN-5", "the game is over"
    if state.stack:
        name = FRAME_NAMES[state.stack[-1][0]]
        if kind in (a.CONVERT, a.SACRIFICE):
            return "CONV-2", f"seat {seat_to_move(state)} must first answer the pending {name}"
        if name == "spades" and kind == a.BUILD:
            return "TB-5", "the workshop of these spades does not go there, or cannot be paid (TB-6)"
        if name == "spades" and kind == a.TRANSFORM:
            rule, reason = _why_dig(state, state.seats[seat_to_move(state)], action)
            return ("TB-4", "the free spades do not reach so far") if rule == "TB-3" else (rule, reason)
        return _FRAME_RULES[name], f"is no answer to the pending {name}"
    if state.phase != P_ACTIONS:
        name = PHASE_NAMES[state.phase]
        return _PHASE_RULES[name], f"is not possible in phase {name}"
    if kind not in _TURN_KINDS:
        return "ACT-1", "answers no pending decision"
    seat = state.seats[state.active]
    if kind in (a.CONVERT, a.SACRIFICE):
        return _why_convert(state, kind, action)
    if kind == a.FOUND:
        return "CITY-6", "no city can be founded there now"
    if state.stage == S_AFTER:
        return "ACT-1", "one action a turn: convert, sacrifice or end"
    if kind == a.END:
        return "ACT-1", "act or pass first"
    return _REASONS[kind](state, seat, action)


def _why_convert(state: State, kind: int, action: Action) -> tuple[str, str]:
    if state.stage == S_SECOND and not state.tables.psychics_convert:
        return "CONV-2", "no conversion between the two actions (option psychics_convert_between)"
    if kind == a.SACRIFICE:
        return "POW-3", "needs two tokens in bowl II"
    return "CONV-1", "its price or what it gives is not there"


def _why_dig(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    kind, h, terrain, mode = action
    if not state.geometry.land >> h & 1:
        return "MAP-1", "is no land hex"
    if state.occupied >> h & 1:
        return "TB-1", "a building stands there"
    if mode:
        rule = "MOLE-1" if mode == a.TUNNEL else "FLY-1"
        able = seat.tunnel_tools if mode == a.TUNNEL else seat.flight_scholars
        if able < 0 or not special_targets(state, seat_to_move(state), mode) >> h & 1:
            return rule, "cannot be reached that way"
    elif not seat.reach >> h & 1:
        return "REACH-1", "is out of reach"
    if kind == a.BUILD:
        if state.terrain[h] != seat.home:
            return "TB-1", "is not home terrain"
        if not has_piece(state, seat_to_move(state), v.WORKSHOP):
            return "TB-6", "no workshop is left"
        return "TB-6", "the workshop cannot be paid"
    if state.terrain[h] == seat.home:
        return "TB-1", "is home terrain already"
    if terrain not in state.tables.dig_paths[seat.home][state.terrain[h]]:
        return "TB-2", "is not on the shorter way home"
    return "TB-3", "the spades cannot be paid"


def _why_upgrade(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    _, h, kind, _ = action
    if not seat.own >> h & 1 or seat.neutral >> h & 1:
        return "UP-2", "no piece of the seat's colour stands there"
    ups = [up for up in state.tables.upgrades[state.building[h]] if up.to == kind]
    if not ups:
        return "UP-1", "there is no such upgrade"
    if not has_piece(state, state.active, kind):
        return "UP-2", "no piece of that kind is left"
    coins = ups[0].coins_beside if opponent_beside(state, state.active, h) else ups[0].coins
    return "UP-1", f"costs {ups[0].tools} tools and {coins} coins"


def _why_advance(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    rule = "TR-1" if action[1] == a.SAILING else "TR-2"
    done = (
        seat.sailing >= state.tables.sailing_max
        if action[1] == a.SAILING
        else seat.terraforming >= state.tables.terraforming_max
    )
    return rule, "the track is at its end" if done else "the step cannot be paid"


def _why_innovate(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    books, coins = innovation_price(state, seat)
    if action[1] not in [cid for cid, _ in state.innovations]:
        return "INN-1", "is not face up"
    if len(seat.innovations) >= state.tables.innovation_limit:
        return "INN-1", "no more innovations for this seat"
    return "INN-1", f"costs {books} books with its column's and {coins} coins"


def _why_send(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    rule = "SCH-1" if action[0] == a.SEND else "SCH-2"
    return rule, "no free place of that value" if seat.scholars else "needs a scholar"


def _why_power(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    c = state.tables.components[action[1]]
    if action[0] == a.POWER:
        if state.used_power >> c.position & 1:
            return "PA-1", "is taken this round"
        if seat.bowl3 < power_price(state, seat, c.cid):
            return "POW-2", f"costs {power_price(state, seat, c.cid)} power"
        return "ACT-2", "would change nothing"
    if c.cid not in state.book_actions:
        return "SET-4", "is not in this game"
    if state.used_book >> state.book_actions.index(c.cid) & 1:
        return "PA-1", "is taken this round"
    if sum(seat.books) < c.cost:
        return "ACT-2", f"costs {c.cost} books"
    return "ACT-2", "would change nothing"


def _why_special(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    c = state.tables.components[action[1]]
    if c.cid in seat.specials and not seat.used >> c.special & 1 and not can_change(state, state.active, c.action):
        return "ACT-2", "would change nothing"
    return "SP-1", "is no unused special action of the seat"


def _why_bridge(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    if seat.bridge_tools < 0:
        return "BR-1", "needs an action that gives a bridge"
    if not seat.bridge_supply:
        return "BR-1", "no bridge is left"
    return "BR-2", "no bridge of the seat fits there, or it cannot be paid"


def _why_annex(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    return "COMP/6", "needs an annex and an own building without one"


def _why_pass(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    return "PASS-2", "take a free round bonus tile (none in the last round)"


_REASONS = {
    a.TRANSFORM: _why_dig,
    a.BUILD: _why_dig,
    a.UPGRADE: _why_upgrade,
    a.ADVANCE: _why_advance,
    a.INNOVATE: _why_innovate,
    a.SEND: _why_send,
    a.RETURN: _why_send,
    a.POWER: _why_power,
    a.BOOK: _why_power,
    a.SPECIAL: _why_special,
    a.BRIDGE: _why_bridge,
    a.ANNEX: _why_annex,
    a.PASS: _why_pass,
}
