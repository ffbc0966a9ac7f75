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
    active: int
    area_tile: int
    bonus_coins: list[int]
    book_actions: tuple[int, ...]
    book_supply: list[int]
    bridge_sides: list[Mask]
    bridges: tuple[tuple[int, int, int], ...]
    building: list[int]
    bundles: tuple[tuple[int, int, int], ...]
    city_left: list[int]
    competency_discipline: list[int]
    competency_left: list[int]
    competency_place: list[int]
    draft_boards: tuple[int, ...]
    draft_factions: tuple[int, ...]
    draws: Mapping[str, Any]
    final_tile: int
    geometry: Geometry
    income_seen: list[int]
    innovations: tuple[tuple[int, int], ...]
    legal: list[Action] | None
    log: list[int] | None
    n_decisions: int
    n_players: int
    next_order: list[int]
    occupied: Mask
    offers: list[tuple[int, int, int, int]]
    order: list[int]
    owner: list[int]
    palaces: tuple[int, ...]
    phase: int
    places: list[int]
    queue: list[int]
    rival: list[int]
    round: int
    round_log: list[int]
    round_tiles: tuple[int, ...]
    round_triggers: list[tuple[Trigger, ...]]
    seats: list[Seat]
    setup_kind: str
    stack: list[Frame]
    stage: int
    tables: Tables
    terrain: list[int]
    terrain_mask: list[Mask]
    turn: int
    used_book: int
    used_power: int

    def __init__(self, tables: Tables, geometry: Geometry, setup_kind: str, other: "State | None" = None) -> None:
        """An empty table, or with `other` an independent copy of it without its log."""
        if other is not None:
            self.tables = other.tables
            self.geometry = other.geometry
            self.n_players = other.n_players
            self.setup_kind = other.setup_kind
            self.phase = other.phase
            self.round = other.round
            self.turn = other.turn
            self.stage = other.stage
            self.active = other.active
            self.order = other.order[:]
            self.next_order = other.next_order[:]
            self.queue = other.queue[:]
            self.round_tiles = other.round_tiles
            self.final_tile = other.final_tile
            self.book_actions = other.book_actions
            self.used_power = other.used_power
            self.used_book = other.used_book
            self.innovations = other.innovations
            self.competency_discipline = other.competency_discipline
            self.competency_place = other.competency_place
            self.competency_left = other.competency_left[:]
            self.palaces = other.palaces
            self.city_left = other.city_left[:]
            self.bonus_coins = other.bonus_coins[:]
            self.bundles = other.bundles
            self.draft_boards = other.draft_boards
            self.draft_factions = other.draft_factions
            self.area_tile = other.area_tile
            self.rival = other.rival
            self.places = other.places[:]
            self.book_supply = other.book_supply[:]
            self.terrain = other.terrain[:]
            self.building = other.building[:]
            self.owner = other.owner[:]
            self.occupied = other.occupied
            self.terrain_mask = other.terrain_mask[:]
            self.bridges = other.bridges
            self.bridge_sides = other.bridge_sides[:]
            self.seats = [Seat(seat) for seat in other.seats]
            self.stack = other.stack[:]
            self.offers = other.offers[:]
            self.round_triggers = other.round_triggers
            self.legal = other.legal
            self.income_seen = other.income_seen[:]
            self.n_decisions = other.n_decisions
            self.draws = other.draws
            self.log = None
            self.round_log = []
            return
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
        self.order = list(range(n))
        self.next_order = []
        self.queue = []
        self.round_tiles = ()
        self.final_tile = -1
        self.book_actions = ()
        self.used_power = 0
        self.used_book = 0
        # Face-up innovations as (component, column); columns: the disciplines, then the double columns.
        self.innovations = ()
        # By position of the competency within its kind; discipline -1: not in this game.
        self.competency_discipline = []
        self.competency_place = []
        self.competency_left = []
        self.palaces = ()
        self.city_left = []
        self.bonus_coins = []  # by position of the bonus tile; -1: not free
        self.bundles = ()
        self.draft_boards = ()
        self.draft_factions = ()
        self.area_tile = 0
        self.rival = []
        self.places = [-1] * (4 * len(tables.scholar_places))
        self.book_supply = [tables.books_per_discipline] * 4 if tables.books_limited else []
        self.terrain = geometry.terrain[:]
        self.building = [0] * geometry.n_hexes
        self.owner = [-1] * geometry.n_hexes
        self.occupied = 0
        self.terrain_mask = [0] * len(tables.terrains)
        for h in geometry.land_list:
            self.terrain_mask[self.terrain[h]] |= 1 << h
        self.bridges = ()
        self.bridge_sides = [0] * geometry.n_hexes
        self.seats = [Seat() for _ in range(n)]
        for seat in self.seats:
            seat.scholar_supply = tables.scholar_pieces
            seat.bridge_supply = tables.bridge_pieces
        self.stack = []
        # Power offers not yet asked: (seat, power, builder, hex).
        self.offers = []
        self.round_triggers = [()] * N_TRIGGER_EVENTS
        self.legal = None
        self.log = None
        self.round_log = []
        self.income_seen = []
        self.n_decisions = -1  # events of the set-up before the first decision carry -1
        # Every draw of the set-up as plain keys (setup.draw_setup), for records.
        self.draws = {}


def clone(state: State, log: bool = False) -> State:
    """An independent copy of a state.

    Args:
        state: the state to copy.
        log: whether the copy carries the events so far and goes on logging; off, it logs nothing.
    """
    new = State(state.tables, state.geometry, state.setup_kind, state)
    if log and state.log is not None:
        new.log = state.log[:]
        new.round_log = state.round_log[:]
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
