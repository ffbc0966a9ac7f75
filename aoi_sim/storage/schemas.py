"""The tables of a run: every column with its type and meaning, and the version of each table.

Types: ``int8`` to ``int64`` and ``float64``; ``key``, one of few words; ``text``; ``keys`` and
``ints``, lists. A ``?`` marks a column that may be null. docs/data.md describes the same columns.
"""

from dataclasses import dataclass
from typing import Final

from aoi_sim.engine.events import VP_SOURCES


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: snake_case.
        kind: ``int8 int16 int32 int64 float64 key text keys ints``, with ``?`` where null is possible.
        meaning: what stands in it.
    """

    name: str
    kind: str
    meaning: str

    @property
    def type(self) -> str:
        """The kind without its mark."""
        return self.kind.rstrip("?")

    @property
    def nullable(self) -> bool:
        """Whether null is possible."""
        return self.kind.endswith("?")


@dataclass(frozen=True, slots=True)
class Schema:
    """A table.

    Attributes:
        name: folder of its files.
        version: raised whenever a column changes.
        row: what a row is.
        columns: in their order, as ``open_run`` gives them.
        packed: columns of a file where those are others (``aoi_sim.storage.packed``).
    """

    name: str
    version: int
    row: str
    columns: tuple[Column, ...]
    packed: tuple[Column, ...] = ()

    @property
    def stored(self) -> tuple[Column, ...]:
        """The columns of a file."""
        return self.packed or self.columns


def _columns(*rows: str) -> tuple[Column, ...]:
    """Columns from lines ``name kind meaning``."""
    return tuple(Column(*row.split(" ", 2)) for row in rows)


_DISCIPLINES: Final = ("banking", "law", "engineering", "medicine")
_LEVELS: Final = tuple(f"{name} int32 level in {name}" for name in _DISCIPLINES)
_BUILDINGS: Final = tuple(
    f"{name} int32 {name} on the map, neutral ones included"
    for name in ("workshops", "guilds", "schools", "universities", "palaces", "towers", "monuments")
)
_HOLDINGS: Final = (
    "annexes int32 annexes on the map",
    "cities int32 city tiles held",
    "innovations int32 innovations held",
    "competencies int32 competencies held",
    "bridges int32 bridges built",
    "scholars_sent int32 scholars left on disciplines (SCH-1)",
)
_TRACKS: Final = (
    "sailing int32 sailing level",
    "terraforming int32 steps taken on the terraforming track",
    "keys int32 keys not yet used",
)
_RESOURCES: Final = (
    "coins int32 coins",
    "tools int32 tools",
    "scholars int32 scholars on hand",
    "books int32 books of all disciplines",
    "bowl1 int32 power tokens in bowl I",
    "bowl2 int32 power tokens in bowl II",
    "bowl3 int32 power tokens in bowl III",
)


def _prefixed(prefix: str, rows: tuple[str, ...], moment: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{row}, {moment}" for row in rows)


GAMES: Final = Schema(
    "games",
    2,
    "a game",
    _columns(
        "game_index int32 number of the game in the plan, from 0",
        "game_id text plan hash and game_index, unique over all runs",
        "block int32 games of a block share their set-up; the unit of sampling",
        "level key? level of a paired run, whose blocks are played under every level",
        "replicate int16 number of the replicate, from 0: the same game with other seeds of the players",
        "n_players int8 seats of the game",
        "edition key edition of the rules",
        "map key? side of the map",
        "setup key standard or draft",
        "design key design that assigned factions and boards",
        "setup_seed int64 seed of the set-up's draws",
        "player_seeds ints seed of each seat's player",
        "status key finished or failed",
        "error text? what a failed game raised",
        "record text? record of a failed game up to the failure",
        "n_decisions int32 decisions made",
        "winners ints seats with the highest score, none if failed",
        "final_hash text? hash of the final state; equal games have equal hashes",
        "round_tiles keys round tiles of rounds 1 to 6",
        "final_tile key? final round tile",
        "book_actions keys book actions of the game",
        "innovations keys face-up innovations, column by column",
        "innovation_columns keys the column of each of them",
        "competencies keys competencies by place: each discipline's three places in turn",
        "palaces keys palace tiles in play",
        "bonus_tiles keys round bonus tiles in play",
        "bundles keys bundles on offer, as board+faction+bonus tile",
        "draft_boards keys boards in the draft",
        "draft_factions keys factions in the draft",
        "area_tile int8? two players: number of the rival's area tile",
    ),
)

SEATS: Final = Schema(
    "seats",
    2,
    "a player of a finished game",
    _columns(
        "game_index int32 number of the game in the plan",
        "seat int8 0 to n-1 in the turn order of round 1",
        "faction key faction",
        "board key planning board",
        "palace key? palace tile of the own palace (or drafted)",
        "bonus key? first round bonus tile",
        "heuristic key who played",
        "assigned key choice if players picked, fixed if a deal was given, else the design that dealt",
        "vp int32 final score",
        "rank int8 1 for the most VP; tied players share the better rank",
        "win_share float64 1 for the winner; tied winners share it",
        *(f"vp_from_{name} int32 VP from {name.replace('_', ' ')}" for name in VP_SOURCES),
        *_BUILDINGS,
        *_HOLDINGS,
        *_LEVELS,
        *_TRACKS,
        "area int32 buildings in the largest group of the final scoring",
        "power_offers int32 power offers asked",
        "power_taken int32 power offered and taken",
        "power_declined int32 power offered and declined",
        "restriction key? what this seat alone may not, or must, take (docs/studies.md)",
        "restriction_taken int16? how often it took what its block restricts, restricted or not; `by 4` counts up to round 4",
    ),
)

ROUNDS: Final = Schema(
    "rounds",
    1,
    "a player and round of a finished game",
    _columns(
        "game_index int32 number of the game in the plan",
        "seat int8 0 to n-1 in the turn order of round 1",
        "round int8 1 to 6",
        "place int8 place in this round's turn order, from 0",
        "next_place int8 place in passing, from 0: the next round's turn order",
        "passed_turn int32 turns of all players in the round before this one passed",
        "start_vp int32 VP after income",
        *_prefixed("start_", _RESOURCES, "after income"),
        "income_coins int32 coins of the income phase",
        "income_tools int32 tools of the income phase",
        "income_scholars int32 scholars of the income phase",
        "income_power int32 power of the income phase",
        "income_books int32 books of the income phase",
        "income_vp int32 VP of the income phase",
        "vp int32 VP when the action phase ends (the final scoring is not in it)",
        *_RESOURCES,
        *_LEVELS,
        *_TRACKS,
        *_BUILDINGS,
        *_HOLDINGS,
    ),
)

OFFERS: Final = Schema(
    "offers",
    1,
    "a pick of a finished game",
    _columns(
        "game_index int32 number of the game in the plan",
        "sequence int32 picks of the game in order, from 0",
        "decision int32 number of the decision in the game, from 0",
        "round int8 1 to 6, 0 during set-up",
        "turn int32 turns taken this round, from 0",
        "seat int8 who picked",
        "pick key bundle, draft, bonus, palace, competency, innovation, city or power",
        "open keys what was open to this player",
        "taken key what was taken",
        "power int32? power that neighbours offered (pick power only)",
    ),
)

_EVENT_PLACE: Final = (
    "game_index int32 number of the game in the plan",
    "sequence int32 events of the game in order, from 0",
)
_EVENT_TIME: Final = (
    "round int8 1 to 6, 0 during set-up",
    "turn int32 turns taken this round, from 0",
    "seat int8 whose event; -1 for nobody's",
)
EVENTS: Final = Schema(
    "events",
    2,
    "an event of a finished game",
    _columns(
        *_EVENT_PLACE,
        "decision int32 number of the decision that caused it, from 0; -1 before the first",
        *_EVENT_TIME,
        "action key? the decision as in docs/notation.md",
        "event key what happened",
        "subject key? the component it is about, as kind/key",
        "hex key? where",
        "amount int32 how much",
        "vp int32 VP that it scored",
    ),
    packed=_columns(
        *_EVENT_PLACE,
        *_EVENT_TIME,
        "action key? the decision, in the first row of each decision only",
        "what key event, subject (`-` for none), amount and vp, with spaces between",
        "hex key? where",
    ),
)

NO_SUBJECT: Final = "-"
"""Stands in ``what`` of packed events where there is no subject."""

SCHEMAS: Final = {schema.name: schema for schema in (GAMES, SEATS, ROUNDS, OFFERS, EVENTS)}
TABLE_NAMES: Final = tuple(SCHEMAS)
