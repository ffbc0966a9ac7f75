"""The state of a game: plain ints, lists of ints and tuples, copied by hand."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from aoi_sim.engine.actions import Action
from aoi_sim.engine.geometry import Geometry, Mask
from aoi_sim.engine.seat import Seat
from aoi_sim.rules.components import Trigger
from aoi_sim.rules.tables import Tables
from aoi_sim.rules.vocabulary import N_TRIGGER_EVENTS

# Phases.
P_BUNDLE: Final = 0
P_DRAFT: Final = 1
P_DRAFT_BONUS: Final = 2
P_START_CHOICES: Final = 3
P_PLACEMENT: Final = 4
P_START_COMPETENCY: Final = 5
P_START_SPADES: Final = 6
P_INCOME: Final = 7
P_ACTIONS: Final = 8
P_BONUS: Final = 9
P_OVER: Final = 10
PHASE_NAMES: Final = (
    "bundle",
    "draft",
    "draft_bonus",
    "start_choices",
    "placement",
    "start_competency",
    "start_spades",
    "income",
    "actions",
    "bonus",
    "over",
)

# Stages of a turn.
S_BEFORE: Final = 0
S_SECOND: Final = 1
S_AFTER: Final = 2
STAGE_NAMES: Final = ("before", "second", "after")

# Pending frames: (kind, seat, fields...); the fields in order are FRAME_FIELDS.
F_SPADES: Final = 0
F_PAY: Final = 1
F_BOOKS: Final = 2
F_STEPS: Final = 3
F_KEY: Final = 4
F_BRIDGE: Final = 5
F_NEUTRAL: Final = 6
F_FREE_PIECE: Final = 7
F_EXCHANGE: Final = 8
F_COMPETENCY: Final = 9
F_PALACE: Final = 10
F_CITY_TILE: Final = 11
F_FOUND: Final = 12
F_CITY_GROUP: Final = 13
F_OFFER: Final = 14
F_POOL: Final = 15  # then op, a, b, component for each part
F_EFFECT: Final = 16
FRAME_NAMES: Final = (
    "spades",
    "pay",
    "books",
    "steps",
    "key",
    "bridge",
    "neutral",
    "free_piece",
    "exchange",
    "competency",
    "palace",
    "city_tile",
    "found",
    "city_group",
    "offer",
    "resolve",
    "effect",
)
# Fields of a `spades` frame after kind and seat.
SP_FREE: Final = 2
SP_USED: Final = 3
SP_FIRST: Final = 4
SP_SPECIAL: Final = 5
SP_RULE: Final = 6
SP_DECLINE: Final = 7
SP_SOURCE: Final = 8
RULE_NORMAL: Final = 0
RULE_FREE_WORKSHOP: Final = 1
RULE_SINGLE: Final = 2
SPADE_RULE_NAMES: Final = ("normal", "free_workshop", "single")

RIVAL: Final = 9  # owner of the rival's scholar places

Frame = tuple[int, ...]


class State:
    """A whole game between two decisions."""

    __slots__ = (
        "active",
        "area_tile",
        "bonus_coins",
        "book_actions",
        "book_supply",
        "bridge_sides",
        "bridges",
        "building",
        "bundles",
        "city_left",
        "competency_discipline",
        "competency_left",
        "competency_place",
        "draft_boards",
        "draft_factions",
        "draws",
        "final_tile",
        "geometry",
        "income_seen",
        "innovations",
        "legal",
        "log",
        "n_decisions",
        "n_players",
        "next_order",
        "occupied",
        "offers",
        "order",
        "owner",
        "palaces",
        "phase",
        "places",
        "queue",
        "rival",
        "round",
        "round_log",
        "round_tiles",
        "round_triggers",
        "seats",
        "setup_kind",
        "stack",
        "stage",
        "tables",
        "terrain",
        "terrain_mask",
        "turn",
        "used_book",
        "used_power",
    )

    def __init__(self, tables: Tables, geometry: Geometry, setup_kind: str) -> None:
        n = tables.n_players
        self.tables = tables
        self.geometry = geometry
        self.n_players = n
        self.setup_kind = setup_kind
        self.phase = P_BUNDLE
        self.round = 0
        self.turn = 0
        self.stage = S_BEFORE
        self.active = 0
        self.order: list[int] = list(range(n))
        self.next_order: list[int] = []
        self.queue: list[int] = []
        self.round_tiles: tuple[int, ...] = ()
        self.final_tile = -1
        self.book_actions: tuple[int, ...] = ()
        self.used_power = 0
        self.used_book = 0
        # Face-up innovations as (component, column); columns: the disciplines, then the double columns.
        self.innovations: tuple[tuple[int, int], ...] = ()
        # By position of the competency within its kind; discipline -1: not in this game.
        self.competency_discipline: list[int] = []
        self.competency_place: list[int] = []
        self.competency_left: list[int] = []
        self.palaces: tuple[int, ...] = ()
        self.city_left: list[int] = []
        self.bonus_coins: list[int] = []  # by position of the bonus tile; -1: not free
        self.bundles: tuple[tuple[int, int, int], ...] = ()
        self.draft_boards: tuple[int, ...] = ()
        self.draft_factions: tuple[int, ...] = ()
        self.area_tile = 0
        self.rival: list[int] = []
        self.places: list[int] = [-1] * (4 * len(tables.scholar_places))
        self.book_supply: list[int] = [tables.books_per_discipline] * 4 if tables.books_limited else []
        self.terrain: list[int] = geometry.terrain[:]
        self.building: list[int] = [0] * geometry.n_hexes
        self.owner: list[int] = [-1] * geometry.n_hexes
        self.occupied: Mask = 0
        self.terrain_mask: list[Mask] = [0] * len(tables.terrains)
        for h in geometry.land_list:
            self.terrain_mask[self.terrain[h]] |= 1 << h
        self.bridges: tuple[tuple[int, int, int], ...] = ()
        self.bridge_sides: list[Mask] = [0] * geometry.n_hexes
        self.seats: list[Seat] = [Seat() for _ in range(n)]
        for seat in self.seats:
            seat.scholar_supply = tables.scholar_pieces
            seat.bridge_supply = tables.bridge_pieces
        self.stack: list[Frame] = []
        # Power offers not yet asked: (seat, power, builder, hex).
        self.offers: list[tuple[int, int, int, int]] = []
        self.round_triggers: list[tuple[Trigger, ...]] = [()] * N_TRIGGER_EVENTS
        self.legal: list[Action] | None = None
        self.log: list[int] | None = None
        self.round_log: list[int] = []
        self.income_seen: list[int] = []
        self.n_decisions = -1  # events of the set-up before the first decision carry -1
        # Every draw of the set-up as plain keys (setup.draw_setup), for records.
        self.draws: Mapping[str, Any] = {}


def clone(state: State, log: bool = False) -> State:
    """An independent copy of a state.

    Args:
        state: the state to copy.
        log: whether the copy carries the events so far and goes on logging; off, it logs nothing.
    """
    new = State.__new__(State)
    new.tables = state.tables
    new.geometry = state.geometry
    new.n_players = state.n_players
    new.setup_kind = state.setup_kind
    new.phase = state.phase
    new.round = state.round
    new.turn = state.turn
    new.stage = state.stage
    new.active = state.active
    new.order = state.order[:]
    new.next_order = state.next_order[:]
    new.queue = state.queue[:]
    new.round_tiles = state.round_tiles
    new.final_tile = state.final_tile
    new.book_actions = state.book_actions
    new.used_power = state.used_power
    new.used_book = state.used_book
    new.innovations = state.innovations
    new.competency_discipline = state.competency_discipline
    new.competency_place = state.competency_place
    new.competency_left = state.competency_left[:]
    new.palaces = state.palaces
    new.city_left = state.city_left[:]
    new.bonus_coins = state.bonus_coins[:]
    new.bundles = state.bundles
    new.draft_boards = state.draft_boards
    new.draft_factions = state.draft_factions
    new.area_tile = state.area_tile
    new.rival = state.rival
    new.places = state.places[:]
    new.book_supply = state.book_supply[:]
    new.terrain = state.terrain[:]
    new.building = state.building[:]
    new.owner = state.owner[:]
    new.occupied = state.occupied
    new.terrain_mask = state.terrain_mask[:]
    new.bridges = state.bridges
    new.bridge_sides = state.bridge_sides[:]
    new.seats = [seat.copy() for seat in state.seats]
    new.stack = state.stack[:]
    new.offers = state.offers[:]
    new.round_triggers = state.round_triggers
    new.legal = state.legal
    keep = log and state.log is not None
    new.log = state.log[:] if keep and state.log is not None else None
    new.round_log = state.round_log[:] if keep else []
    new.income_seen = state.income_seen[:]
    new.n_decisions = state.n_decisions
    new.draws = state.draws
    return new


def is_over(state: State) -> bool:
    """Whether the game has ended and the final scoring is done."""
    return state.phase == P_OVER


def scores(state: State) -> list[int]:
    """VP of each seat, in seat order."""
    return [seat.vp for seat in state.seats]


def key(state: State) -> tuple[object, ...]:
    """All that makes two states the same, as one tuple (derived parts, caches and the log left out)."""
    seats = tuple(
        (
            (s.faction, s.board, s.palace, s.palace_built, s.bonus, s.passed, s.vp, s.coins, s.tools, s.scholars),
            tuple(s.books),
            (s.bowl1, s.bowl2, s.bowl3, s.scholar_supply, s.bridge_supply),
            tuple(s.science),
            (s.sailing, s.terraforming, s.keys, s.annexes, s.sent, s.own, s.neutral, s.annexed, s.city, s.river_cities),
            (s.city_tiles, s.competencies, s.innovations, s.used, s.start_pieces, s.start_spades),
            tuple(s.vp_from),
        )
        for s in state.seats
    )
    return (
        (state.tables.rules.hash, state.n_players, state.geometry.key, state.setup_kind),
        (state.phase, state.round, state.turn, state.stage, state.active),
        (tuple(state.order), tuple(state.next_order), tuple(state.queue)),
        (state.round_tiles, state.final_tile, state.book_actions, state.used_power, state.used_book),
        (
            state.innovations,
            tuple(state.competency_discipline),
            tuple(state.competency_place),
            tuple(state.competency_left),
        ),
        (state.palaces, tuple(state.city_left), tuple(state.bonus_coins), state.bundles),
        (state.draft_boards, state.draft_factions, state.area_tile, tuple(state.rival)),
        (tuple(state.places), tuple(state.book_supply)),
        (tuple(state.terrain), tuple(state.building), tuple(state.owner), state.bridges),
        seats,
        tuple(state.stack),
        tuple(state.offers),
    )


def digest(state: State) -> str:
    """Hash of a state, equal on every machine and Python (32 hex digits)."""
    return hashlib.sha256(repr(key(state)).encode()).hexdigest()[:32]
