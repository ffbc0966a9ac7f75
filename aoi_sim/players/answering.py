"""What an answer to a pending decision, or a choice of the set-up, is worth to a naive player."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.resources import flood, multiset_counts
from aoi_sim.engine.state import (
    F_OFFER,
    F_SPADES,
    F_STEPS,
    P_PLACEMENT,
    RULE_FREE_WORKSHOP,
    RULE_SINGLE,
    SP_FIRST,
    SP_FREE,
    SP_RULE,
    SP_USED,
    Frame,
    State,
)
from aoi_sim.players.evaluation import level_worth
from aoi_sim.players.sites import dig_worth, event_worth, site_worth, start_worth, workshop_price, workshop_worth
from aoi_sim.players.worth import Worth
from aoi_sim.rules import vocabulary as v

# Parts in the order in which they are best resolved: keys and buildings first, steps last.
_FIRST = (v.OP_CITY_TILE, v.OP_PALACE, v.OP_COMPETENCY, v.OP_NEUTRAL, v.OP_BRIDGES, v.OP_SPADES, v.OP_BOOKS)


def answer_worth(state: State, i: int, f: Frame, action: Action, w: Worth) -> float:
    """Worth of an answer; only the order among the answers to one decision means anything."""
    kind = action[0]
    if kind == a.TRANSFORM or kind == a.BUILD or f[0] == F_SPADES:
        return _spade_answer(state, i, f, action, w)
    if kind == a.DECLINE:
        return 0.0
    if kind == a.BOOKS or kind == a.PAY:
        return _books(state, i, action[1], kind == a.BOOKS)
    if kind == a.STEP:
        return _step(state, i, f, action[1], w)
    if kind == a.ACCEPT:
        return _offer(f, w)
    if kind == a.PLACE:
        return _place(state, i, action, w)
    if kind == a.COMPETENCY:
        return _competency(state, i, action[1], w)
    if kind == a.UPGRADE:
        return 1.0 + event_worth(state, i, v.EV_BUILT + action[2], action[1], w) + _open_site(state, i, action[1])
    if kind == a.BRIDGE:
        return _bridge(state, i, action[1], action[2])
    if kind == a.RESOLVE:
        return float(len(_FIRST) - _FIRST.index(action[2])) if action[2] in _FIRST else 0.0
    if kind == a.FOUND:
        return 1.0
    if kind == a.KEY:
        return 1.0
    return _tile(state, i, action, w)


def _open_site(state: State, i: int, h: int) -> float:
    """Site of a building that is not yet in a city."""
    return 0.0 if state.seats[i].city >> h & 1 else site_worth(state, i, h)


def _spade_answer(state: State, i: int, f: Frame, action: Action, w: Worth) -> float:
    """Dig with free spades as long as that gains, then build."""
    kind, h, terrain, mode = action
    if kind == a.DECLINE or f[0] != F_SPADES:
        return 0.0
    rule = f[SP_RULE]
    if kind == a.BUILD:
        price = 0.0 if rule == RULE_FREE_WORKSHOP else workshop_price(state, w)
        return workshop_worth(state, i, h, w) - price
    used = f[SP_USED]
    if rule == RULE_SINGLE:
        steps = len(state.tables.dig_paths[state.seats[i].home][state.terrain[h]])
        near = site_worth(state, i, h) + (1.0 if w.left else 0.1)
        return near / steps + event_worth(state, i, v.EV_SPADE, -1, w)
    worth = dig_worth(state, i, h, terrain, mode, f[SP_FREE], not used, w)
    # A hex after the first is dug before the workshop on the first is built, and takes nothing from it.
    first = f[SP_FIRST]
    return worth + (20.0 if used and first >= 0 and worth > 0 else 0.0)


def _books(state: State, i: int, code: int, taken: bool) -> float:
    """Books are best held in pairs for the columns of the innovations on display."""
    seat = state.seats[i]
    counts = multiset_counts(code)
    own = state.tables.innovation_own_books
    wanted = [0.0, 0.0, 0.0, 0.0]
    for _, column in state.innovations:
        if column < 4:
            wanted[column] += 0.1
    total = 0.0
    for d in range(4):
        held = seat.books[d] + (counts[d] if taken else -counts[d])
        total += wanted[d] * min(held, own) + 0.02 * min(held, own)
    return total


def _step(state: State, i: int, f: Frame, d: int, w: Worth) -> float:
    """Worth of the levels that a step, or all steps of the gain, reach."""
    seat = state.seats[i]
    t = state.tables
    n = 1 if f[0] != F_STEPS or f[3] else f[2]
    level = seat.science[d]
    top = min(level + n, t.science_max)
    if level < t.key_level <= top and not seat.keys:
        top = t.key_level - 1
    worth = level_worth(state, i, d, top, w) - level_worth(state, i, d, level, w)
    for reached in range(level + 1, top + 1):
        worth += t.science_power[reached] * w.power
    return worth


def _offer(f: Frame, w: Worth) -> float:
    """Power from neighbours: small offers for sure, larger ones when power still buys something."""
    if f[0] != F_OFFER:
        return 0.0
    power, cost = f[2], f[3]
    if cost <= 1 and w.left:
        return 1.0
    return power * w.power - cost + 0.001


def _place(state: State, i: int, action: Action, w: Worth) -> float:
    """A building placed in set-up or by a tile."""
    h, kind, mode = action[1], action[2], action[3]
    if state.phase == P_PLACEMENT:
        return start_worth(state, i, h)
    home = state.seats[i].home
    worth = site_worth(state, i, h) + event_worth(state, i, v.EV_BUILT + kind, h, w)
    if state.terrain[h] != home or mode:
        worth += dig_worth(state, i, h, home, mode, 0, False, w)
    return worth + w.part(v.OP_NEUTRAL, kind, 0)


def _competency(state: State, i: int, cid: int, w: Worth) -> float:
    """The tile itself, and the steps and books of its place (COMP-2)."""
    t = state.tables
    c = t.components[cid]
    d = state.competency_discipline[c.position]
    steps, books = t.competency_places[state.competency_place[c.position]]
    level = state.seats[i].science[d]
    top = min(level + steps, t.science_max)
    worth = level_worth(state, i, d, top, w) - level_worth(state, i, d, level, w) + books * w.book * 0.9
    return worth + w.gain_now(state, i, c.once) + w.own(state, i, cid)


def _bridge(state: State, i: int, p: int, q: int) -> float:
    """Bridges that join own buildings of different groups are best, then those to free hexes."""
    seat = state.seats[i]
    both = (1 << p) | (1 << q)
    if seat.own & both == both:
        start = 1 << p
        joined = flood(state, seat.own, start) >> q & 1
        return 0.2 if joined else 3.0 + _open_site(state, i, p) + _open_site(state, i, q)
    far = q if seat.own >> p & 1 else p
    return 0.8 if not state.occupied >> far & 1 else 0.5


def _tile(state: State, i: int, action: Action, w: Worth) -> float:
    """A tile, board or faction: palaces, city tiles, bundles, draft items, round bonus tiles."""
    kind, cid = action[0], action[1]
    if kind == a.BUNDLE:
        for bundle in state.bundles:
            if bundle[0] == cid:
                return (
                    _component(state, i, bundle[0], w)
                    + _component(state, i, bundle[1], w)
                    + _bonus(state, i, bundle[2], w)
                )
    if kind == a.BONUS:
        return _bonus(state, i, cid, w)
    return _component(state, i, cid, w)


def _bonus(state: State, i: int, cid: int, w: Worth) -> float:
    coins = state.bonus_coins[state.tables.components[cid].position]
    return w.one_round(state, i, cid) + (coins * w.coin if coins > 0 else 0.0)


def _component(state: State, i: int, cid: int, w: Worth) -> float:
    c = state.tables.components[cid]
    return (
        w.gain_now(state, i, c.once)
        + w.gain(c.start)
        + w.gain(c.choices)
        + w.own(state, i, cid)
        + 2.0 * c.start_competency
    )
