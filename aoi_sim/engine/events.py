"""Events: what happened, as fixed-width rows of ints. Every change of VP is an event with its source."""

from typing import Final

from aoi_sim.rules.vocabulary import TRIGGER_EVENT_NAMES, VP_SOURCES

__all__ = ["EVENT_COLUMNS", "EVENT_NAMES", "EVENT_WIDTH", "ROUND_COLUMNS", "ROUND_WIDTH", "VP_SOURCES"]

EVENT_COLUMNS: Final = ("decision", "seat", "event", "component", "hex", "amount", "vp", "round")
EVENT_WIDTH: Final = 8

# 1 to 17 are the events that effects listen to (aoi_sim.rules.vocabulary).
E_COINS: Final = 18
E_TOOLS: Final = 19
E_SCHOLARS: Final = 20
E_POWER: Final = 21
E_VP: Final = 22
E_TOKENS: Final = 23
E_ANNEXES: Final = 24
E_BOOKS: Final = 25
E_STEPS_LOST: Final = 26
E_KEY_USED: Final = 27
E_CITY_FOUNDED: Final = 28
E_BRIDGE: Final = 29
E_ANNEX: Final = 30
E_POWER_TAKEN: Final = 31
E_POWER_DECLINED: Final = 32
E_PASSED: Final = 33
E_TILE: Final = 34
E_ACTION: Final = 35
E_CONVERTED: Final = 36
E_SACRIFICED: Final = 37
E_PLACED: Final = 38
E_HEX: Final = 39
E_BOOKS_OVER: Final = 40
E_CITY_LOST: Final = 41
E_EFFECT: Final = 42

EVENT_NAMES: Final = (
    *TRIGGER_EVENT_NAMES,
    "coins_gained",
    "tools_gained",
    "scholars_gained",
    "power_gained",
    "vp_scored",
    "tokens_gained",
    "annexes_gained",
    "books_gained",
    "steps_lost",
    "key_used",
    "city_founded",
    "bridge_built",
    "annex_built",
    "power_taken",
    "power_declined",
    "passed",
    "tile_taken",
    "action_taken",
    "converted",
    "tokens_sacrificed",
    "start_piece_placed",
    "hex_transformed",
    "books_over_supply",
    "city_tiles_exhausted",
    "effect_resolved",
)

# One row a seat at the start of phase II (moment 0, after income) and at its end (moment 1).
ROUND_COLUMNS: Final = (
    "moment",
    "round",
    "seat",
    "place",
    "passed_turn",
    "vp",
    "coins",
    "tools",
    "scholars",
    "books",
    "bowl1",
    "bowl2",
    "bowl3",
    "banking",
    "law",
    "engineering",
    "medicine",
    "sailing",
    "terraforming",
    "keys",
    "workshops",
    "guilds",
    "schools",
    "universities",
    "palaces",
    "towers",
    "monuments",
    "annexes",
    "cities",
    "innovations",
    "competencies",
    "bridges",
    "scholars_sent",
    "income_coins",
    "income_tools",
    "income_scholars",
    "income_power",
    "income_books",
    "income_vp",
)
ROUND_WIDTH: Final = 39
