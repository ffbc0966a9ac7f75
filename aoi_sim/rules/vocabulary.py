"""The words of the rules data as small ints: the engine works on these, never on strings."""

from typing import Final

# Building kinds; 0 is an empty hex.
EMPTY: Final = 0
WORKSHOP: Final = 1
GUILD: Final = 2
SCHOOL: Final = 3
UNIVERSITY: Final = 4
PALACE: Final = 5
TOWER: Final = 6
MONUMENT: Final = 7
BUILDING_NAMES: Final = ("", "workshop", "guild", "school", "university", "palace", "tower", "monument")

# Component kinds, and their word in references such as "palace/14".
K_FACTION: Final = 0
K_BOARD: Final = 1
K_PALACE: Final = 2
K_INNOVATION: Final = 3
K_COMPETENCY: Final = 4
K_ROUND_TILE: Final = 5
K_FINAL_TILE: Final = 6
K_BONUS_TILE: Final = 7
K_CITY_TILE: Final = 8
K_POWER_ACTION: Final = 9
K_BOOK_ACTION: Final = 10
K_TRACK: Final = 11
K_DISCIPLINE: Final = 12
K_VP: Final = 13
K_UPGRADE: Final = 14
KIND_TABLES: Final = (
    "factions",
    "boards",
    "palaces",
    "innovations",
    "competencies",
    "round_tiles",
    "final_tiles",
    "bonus_tiles",
    "city_tiles",
    "power_actions",
    "book_actions",
)
KIND_WORDS: Final = (
    "faction",
    "board",
    "palace",
    "innovation",
    "competency",
    "round",
    "final",
    "bonus",
    "city",
    "power",
    "book",
    "track",
    "discipline",
    "vp",
    "upgrade",
)

# Where VP come from; every VP event has one of these sources.
VP_SOURCES: Final = (
    "start",
    "round_tile",
    "final_tile",
    "bonus_tile",
    "city",
    "competency",
    "palace",
    "innovation",
    "faction",
    "board",
    "sailing",
    "terraforming",
    "discipline",
    "action",
    "power",
    "area",
    "science",
    "resources",
)
KIND_SOURCES: Final = (
    "faction",
    "board",
    "palace",
    "innovation",
    "competency",
    "round_tile",
    "final_tile",
    "bonus_tile",
    "city",
    "action",
    "action",
)
VP_ONLY: Final = ("start", "power", "area", "science", "resources")

# Operations of a gain. The first group needs no choice and its order never matters (docs/notation.md).
OP_COINS: Final = 1
OP_TOOLS: Final = 2
OP_SCHOLARS: Final = 3
OP_POWER: Final = 4
OP_VP: Final = 5
OP_TOKENS: Final = 6
OP_ANNEXES: Final = 7
OP_BOOK_OF: Final = 8
OP_VP_PER: Final = 9
OP_VP_TIERS: Final = 10
OP_BOOKS_ITS: Final = 11
LAST_SIMPLE_OP: Final = 11
OP_BOOKS: Final = 12
OP_STEPS: Final = 13
OP_STEPS_SPLIT: Final = 14
OP_STEPS_SPLIT_PER: Final = 15
OP_STEPS_EACH: Final = 16
OP_STEPS_OF: Final = 17
OP_SAILING: Final = 18
OP_TERRAFORMING: Final = 19
OP_SPADES: Final = 20
OP_BRIDGES: Final = 21
OP_NEUTRAL: Final = 22
OP_COMPETENCY: Final = 23
OP_CITY_TILE: Final = 24
OP_EXCHANGE: Final = 25
OP_FREE_PIECE: Final = 26
OP_SECOND_ACTION: Final = 27
OP_PALACE: Final = 28
OP_FOUND: Final = 29
# Steps of the flow that wait under the frames of an action.
OP_TAKE_BONUS: Final = 30
OP_TAKE_INNOVATION: Final = 31
OP_BOOK_EFFECT: Final = 32
N_OPS: Final = 33
# Words of `resolve` by op ("" where the op never waits in a pool).
OP_WORDS: Final = (
    ("",) * 9
    + ("vp", "vp", "")
    + ("books", "steps", "steps", "steps", "steps", "steps", "sailing", "terraforming", "spades", "bridges")
    + ("neutral", "competency", "city", "exchange", "free-piece", "action", "palace", "found")
    + ("bonus", "innovation", "book")
)

# Events that effects listen to (and that are logged under the same code).
EV_BUILT: Final = 0  # + building kind, 1..7
EV_SPADE: Final = 8
EV_STEP: Final = 9
EV_CITY_TILE: Final = 10
EV_TRACK: Final = 11
EV_INNOVATION: Final = 12
EV_SCHOLAR_SENT: Final = 13
EV_COMPETENCY: Final = 14
EV_POWER_ACTION: Final = 15
EV_TUNNEL: Final = 16
EV_FLIGHT: Final = 17
N_TRIGGER_EVENTS: Final = 18
TRIGGER_EVENT_NAMES: Final = (
    "",
    "workshop_built",
    "guild_built",
    "school_built",
    "university_built",
    "palace_built",
    "tower_built",
    "monument_built",
    "spade_used",
    "science_step",
    "city_tile_taken",
    "track_step",
    "innovation_taken",
    "scholar_sent",
    "competency_taken",
    "power_action_taken",
    "tunnel_dug",
    "flight_made",
)

# Where a build must stand for an effect to fire.
WHERE_ANY: Final = 0
WHERE_EDGE: Final = 1
WHERE_RIVER: Final = 2
WHERE_NAMES: Final = ("", "edge", "river")

# What a gain may count. 1..7 are the building kinds.
COUNT_PALACE_UNIVERSITY: Final = 8
COUNT_CITY_TILE: Final = 9
COUNT_INNOVATION: Final = 10
COUNT_COMPETENCY: Final = 11
COUNT_BUILDING: Final = 12
COUNT_SETTLEMENT: Final = 13
COUNT_BRIDGE: Final = 14
COUNT_BUILDING_KIND: Final = 15
COUNT_LOWEST_DISCIPLINE: Final = 16
COUNT_TWO_HIGHEST: Final = 17
COUNT_SCHOLAR_SENT: Final = 18
COUNT_NAMES: Final = (
    *BUILDING_NAMES,
    "palace_university",
    "city_tile",
    "innovation",
    "competency",
    "building",
    "settlement",
    "bridge",
    "building_kind",
    "lowest_discipline",
    "two_highest_disciplines",
    "scholar_sent",
)

# Prices and gains of conversions: 0..3 as below, 4 + d is a book of discipline d.
R_COIN: Final = 0
R_TOOL: Final = 1
R_SCHOLAR: Final = 2
R_POWER: Final = 3
R_BOOK: Final = 4
