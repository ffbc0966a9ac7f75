"""Decisions of the set-up: bundles, draft, starting pieces (SET-9 to SET-13)."""

from aoi_sim.engine import actions as a
from aoi_sim.engine import events as e
from aoi_sim.engine.actions import Action
from aoi_sim.engine.board import rebuild, refresh_reach
from aoi_sim.engine.build import put_piece
from aoi_sim.engine.effects import add_part, take_steps
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.resources import gain_vp, log_event, run_simple
from aoi_sim.engine.state import (
    P_BUNDLE,
    P_DRAFT,
    P_DRAFT_BONUS,
    P_PLACEMENT,
    P_START_CHOICES,
    State,
)
from aoi_sim.rules import vocabulary as v


def setup_actions(state: State) -> list[Action]:
    """Legal actions of the set-up phases that ask a seat directly."""
    if not state.queue:
        return []
    i = state.queue[0]
    if state.phase == P_BUNDLE:
        return [(a.BUNDLE, board, 0, 0) for board, _, _ in state.bundles]
    if state.phase == P_DRAFT:
        return _draft_actions(state, i)
    if state.phase == P_DRAFT_BONUS:
        cids = state.tables.kinds[v.K_BONUS_TILE]
        return [(a.BONUS, cids[k], 0, 0) for k, coins in enumerate(state.bonus_coins) if coins >= 0]
    if state.phase == P_PLACEMENT:
        return _placements(state, i)
    return []


def _draft_actions(state: State, i: int) -> list[Action]:
    seat = state.seats[i]
    fixed = state.tables.rules.options["draft_order"] == "board_faction_palace"
    out: list[Action] = []
    if seat.board < 0:
        out += [(a.DRAFT, cid, 0, 0) for cid in state.draft_boards]
        if fixed:
            return out
    if seat.faction < 0:
        out += [(a.DRAFT, cid, 0, 0) for cid in state.draft_factions]
        if fixed:
            return out
    if seat.palace < 0:
        out += [(a.DRAFT, cid, 0, 0) for cid in state.palaces]
    return out


def _placements(state: State, i: int) -> list[Action]:
    seat = state.seats[i]
    out: list[Action] = []
    kinds: list[int] = []
    for kind in seat.start_pieces:
        if kind not in kinds:
            kinds.append(kind)
    homes = bits(state.terrain_mask[seat.home] & ~state.occupied)
    for kind in kinds:
        out += [(a.PLACE, h, kind, a.PLAIN) for h in homes]
    return out


def apply_setup(state: State, action: Action) -> None:
    """Apply a legal action of a set-up phase."""
    i = state.queue.pop(0)
    seat = state.seats[i]
    kind, x, piece, _ = action
    if kind == a.BUNDLE:
        for bundle in state.bundles:
            if bundle[0] == x:
                seat.board, seat.faction, seat.bonus = bundle
                state.bundles = tuple([b for b in state.bundles if b != bundle])
                break
        log_event(state, i, e.E_TILE, x, -1, 1, 0)
    elif kind == a.DRAFT:
        _take_draft_item(state, i, x)
        log_event(state, i, e.E_TILE, x, -1, 1, 0)
    elif kind == a.BONUS:
        seat.bonus = x
        state.bonus_coins[state.tables.components[x].position] = -1
        log_event(state, i, e.E_TILE, x, -1, 0, 0)
    else:
        pieces = list(seat.start_pieces)
        pieces.remove(piece)
        seat.start_pieces = tuple(pieces)
        put_piece(state, i, x, piece, piece == v.TOWER or piece == v.MONUMENT)
        log_event(state, i, e.E_PLACED, -1, x, piece, 0)


def _take_draft_item(state: State, i: int, cid: int) -> None:
    seat = state.seats[i]
    kind = state.tables.components[cid].kind
    if kind == v.K_BOARD:
        seat.board = cid
        state.draft_boards = tuple([c for c in state.draft_boards if c != cid])
    elif kind == v.K_FACTION:
        seat.faction = cid
        state.draft_factions = tuple([c for c in state.draft_factions if c != cid])
    else:
        seat.palace = cid
        state.palaces = tuple([c for c in state.palaces if c != cid])


def begin_start(state: State) -> None:
    """All picks are made: give every seat what it starts with (SET-11), a draft's free bonus tiles their coins (SET-10)."""
    t = state.tables
    state.bundles = ()
    state.draft_boards = ()
    state.draft_factions = ()
    if state.setup_kind == "draft":
        state.palaces = ()
        for k, coins in enumerate(state.bonus_coins):
            if coins >= 0:
                state.bonus_coins[k] = t.bonus_coin
    for i in range(state.n_players):
        equip(state, i)
        _start_gains(state, i)
    state.phase = P_START_CHOICES
    state.queue = list(state.order)


def equip(state: State, i: int) -> None:
    """The starting supply of a seat whose board and faction are known (SET-11), start gains apart."""
    t = state.tables
    s = t.setup
    seat = state.seats[i]
    seat.home = t.components[seat.board].terrain
    seat.bowl1, seat.bowl2, seat.bowl3 = t.board_bowls[seat.board]
    seat.sailing = t.board_sailing[seat.board]
    seat.scholar_supply = t.scholar_pieces
    seat.bridge_supply = t.bridge_pieces
    seat.coins = int(s["coins"])
    seat.tools = int(s["tools"])
    seat.start_pieces = t.components[seat.faction].start_pieces
    rebuild(state, i)
    refresh_reach(state, i)


def _start_gains(state: State, i: int) -> None:
    t = state.tables
    seat = state.seats[i]
    gain_vp(state, i, t.cid_start, t.amount(t.setup["vp"]))
    for cid in (seat.board, seat.faction):
        gain = t.components[cid].start
        run_simple(state, i, gain.simple, cid, 1, -1)
        for op, n, d, _ in gain.parts:
            if op == v.OP_STEPS_EACH:
                for each in range(4):
                    take_steps(state, i, each, n)
            elif op == v.OP_STEPS_OF:
                take_steps(state, i, d, n)
            else:
                add_part(state, i, op, n, d, cid)


def placement_queue(state: State) -> list[int]:
    """The order of starting pieces (SET-13): forward, backward, then forward for third and later rounds."""
    queue: list[int] = []
    last = 0
    for seat in state.seats:
        for r in state.tables.components[seat.faction].start_rounds:
            last = max(last, r)
    for r in range(1, last + 1):
        order = reversed(state.order) if r == 2 else iter(state.order)
        for i in order:
            for start in state.tables.components[state.seats[i].faction].start_rounds:
                if start == r:
                    queue.append(i)
    return queue
