"""What rules data may say: the keys of every table and the type of every value.

A type is a word, read by `structure.py`:
`int` 0 to 9999, `int:LOW:HIGH`, `bool`, `text`, `amount` (int, a list for 2 to 5 players, or base and per_player),
`name:SET` one of a set of names, `list:TYPE`, `listN:TYPE` a list of N, `table:NAME` a table of TABLES,
`map:SET:TYPE` a table whose keys are of a set, `rows:NAME` a table of components, `levels` science levels.
"""

from aoi_sim.rules import vocabulary as v

MAX_INT = 9999
PLAYER_COUNTS = (2, 3, 4, 5)
USUAL_START_PIECES = ("workshop", "workshop")
USUAL_START_ROUNDS = (1, 2)
LETTERS = {
    "D": "desert",
    "P": "plains",
    "S": "swamp",
    "L": "lake",
    "F": "forest",
    "M": "mountain",
    "W": "wasteland",
}
RIVER = "."
NO_HEX = "-"

TERRAINS = tuple(LETTERS.values())
DISCIPLINES = ("banking", "law", "engineering", "medicine")

NAME_SETS: dict[str, tuple[str, ...]] = {
    "building": v.BUILDING_NAMES[1:],
    "piece": v.BUILDING_NAMES[v.WORKSHOP : v.TOWER],
    "count": v.COUNT_NAMES[1:],
    "discipline": DISCIPLINES,
    "event": v.TRIGGER_EVENT_NAMES[1:],
    "terrain": TERRAINS,
    "where": v.WHERE_NAMES[1:],
    "takes": ("competency", "palace"),
    "converted": ("scholar", "tool", "coin", *("book-" + name for name in DISCIPLINES)),
}

# The tables of data and of overlays.
TOP: dict[str, str] = {
    "factions": "rows:faction",
    "boards": "rows:board",
    "palaces": "rows:palace",
    "innovations": "rows:innovation",
    "competencies": "rows:competency",
    "round_tiles": "rows:round_tile",
    "final_tiles": "rows:final_tile",
    "bonus_tiles": "rows:bonus_tile",
    "city_tiles": "rows:city_tile",
    "power_actions": "rows:power_action",
    "book_actions": "rows:book_action",
    "conversions": "rows:conversion",
    "buildings": "map:building:table:building",
    "upgrades": "map:piece:table:upgrade",
    "city": "table:city",
    "tracks": "table:tracks",
    "science": "table:science",
    "income": "table:building_income",
    "setup": "table:setup",
    "innovation_display": "table:innovation_display",
    "final": "table:final",
    "maps": "rows:map",
    "terrains": "list:name:terrain",
    "disciplines": "list:name:discipline",
}
OVERLAY_WORDS = ("name", "question", "remove", "options")

# Gains, by occasion.
_IMMEDIATE = {
    "coins": "amount",
    "tools": "amount",
    "scholars": "amount",
    "power": "amount",
    "vp": "amount",
    "tokens": "amount",
    "annexes": "amount",
    "book_of": "map:discipline:int",
    "steps_each": "int",
    "steps_of": "map:discipline:int",
    "sailing": "int",
    "terraforming": "int",
}
_CHOSEN = {"books": "int", "steps": "int", "steps_split": "int"}
_COUNTED = {"steps_split_per": "map:count:int", "vp_per": "map:count:amount", "vp_tiers": "table:vp_tiers"}
_PLACED = {
    "spades": "int",
    "free_workshop": "bool",
    "bridges": "int",
    "neutral": "name:building",
    "competency": "int",
    "city_tile": "int",
    "exchange": "table:exchange",
    "free_piece": "name:piece",
}
_OFF_TURN = {**_IMMEDIATE, **_CHOSEN, **_COUNTED}
GAIN = {**_OFF_TURN, **_PLACED}
_COST = {"coins": "int", "tools": "int", "scholars": "int"}

_NAMED = {"name": "text"}
_LASTING = {
    "income": "table:income",
    "pass": "table:pass",
    "action": "table:action",
    "on": "list:table:on",
}
_ABILITIES = {
    "power_action_discount": "int",
    "city_power": "int:1:99",
    "river_city": "bool",
    "science_bonus_levels": "int",
    "sailing_bonus": "int",
    "tunnel": "table:tunnel",
    "flight": "table:flight",
    "bridge_action": "table:bridge_action",
}
_OWNED = {**_NAMED, **_LASTING, **_ABILITIES}
_TILE = {**_OWNED, "once": "table:once", "isolated_parts": "bool"}
_STARTING = {"start": "table:start", "start_choices": "table:start_choices"}

TABLES: dict[str, dict[str, str]] = {
    "start": _IMMEDIATE,
    "start_choices": {**_IMMEDIATE, **_CHOSEN},
    "income": _OFF_TURN,
    "pass": _OFF_TURN,
    "once": GAIN,
    "effect": GAIN,
    "action": {**GAIN, "second_action": "bool"},
    "on": {"event": "name:event", "where": "name:where", **GAIN, "books_of_its_discipline": "int"},
    "bonus": {"discipline": "name:discipline", "every": "int:1:99", **_OFF_TURN, "spades": "int"},
    "vp_tiers": {"count": "name:count", "tiers": "list:list2:int"},
    "exchange": {"from": "name:piece", "to": "name:piece"},
    "tunnel": {"tools": "int", "vp": "amount"},
    "flight": {"scholars": "int", "vp": "amount", "hexes": "int:1:2"},
    "bridge_action": {"tools": "int"},
    "amount": {"base": "int", "per_player": "int"},
    "cost": _COST,
    "faction": {
        **_OWNED,
        **_STARTING,
        "start_pieces": "list:name:building",
        "start_rounds": "list:int:1:4",
        "start_competency": "int:0:9",
    },
    "board": {
        **_OWNED,
        **_STARTING,
        "terrain": "name:terrain",
        "start_spades": "int:0:9",
        "bowls": "list3:int",
        "sailing": "int",
        "sailing_rewards": "list:table:income",
        "terraforming_cost": "table:cost",
        "innovation_books": "list:int:1:99",
        "guild_income": "list:table:income",
    },
    "palace": _TILE,
    "innovation": _TILE,
    "competency": _TILE,
    "round_tile": {
        **_NAMED,
        "scores": "text",
        "spade_tile": "bool",
        "on": "list:table:on",
        "bonus": "table:bonus",
    },
    "final_tile": {**_NAMED, "scores": "text", "on": "list:table:on"},
    "bonus_tile": {**_NAMED, **_LASTING, "sailing_bonus": "int"},
    "city_tile": {**_NAMED, "once": "table:once"},
    "power_action": {**_NAMED, "cost": "int", "effect": "table:effect"},
    "book_action": {**_NAMED, "cost": "int:1:99", "effect": "table:effect"},
    "conversion": {
        "key": "text",
        "power": "int:1:99",
        "scholars": "int:1:99",
        "tools": "int:1:99",
        "coins": "int:1:99",
        "book": "name:discipline",
        "to": "name:converted",
    },
    "building": {
        **_NAMED,
        "power": "int:0:99",
        "pieces": "int:0:99",
        "cost": "table:building_cost",
        "city_size": "int:1:99",
    },
    "building_cost": {"coins": "int", "tools": "int"},
    "upgrade": {
        **_NAMED,
        "from": "name:piece",
        "tools": "int",
        "coins": "int",
        "coins_beside_opponent": "int",
        "takes": "name:takes",
    },
    "city": {"size": "int:1:99", "power": "int:1:99", "annex_power": "int", "annex_size": "int"},
    "tracks": {"sailing": "table:sailing", "terraforming": "table:terraforming"},
    "sailing": {"max": "int:0:99", "cost": "table:cost", "rewards": "list:table:income"},
    "terraforming": {"spade_tools": "list:int", "cost": "table:cost", "rewards": "list:table:income"},
    "science": {
        "max": "int:1:99",
        "key_level": "int:1:100",
        "last_place_level": "int:1:100",
        "power": "levels",
        "places": "list:int:1:99",
        "return_steps": "int",
        "income_level": "int:1:100",
        "income": "map:discipline:table:income",
        "competency_places": "list:table:competency_place",
    },
    "competency_place": {"steps": "int", "books": "int"},
    "building_income": {
        "workshop": "list:int",
        "guild": "list:table:income",
        "school": "table:income",
        "university": "table:income",
    },
    "setup": {
        "rounds": "int:1:12",
        "vp": "int",
        "coins": "int",
        "tools": "int",
        "bowls": "list3:int",
        "scholar_pieces": "int:0:99",
        "bridge_pieces": "int:0:99",
        "max_per_discipline": "int:1:99",
        "spade_tile_not_in": "list:int:1:12",
        "book_actions": "int:0:99",
        "competency_copies": "int:1:99",
        "books_per_discipline": "int",
        "always_palaces": "list:text",
        "never_drafted_palaces": "list:text",
        "bundles": "int:5:99",
        "bonus_tiles_extra": "int:1:99",
        "bonus_coin": "int",
        "draft_boards": "int:5:99",
        "draft_factions_extra": "int:0:99",
        "draft_palaces_extra": "int:0:99",
        "rival_start": "int",
        "rival_place_value": "int",
        "area_tiles": "list:int",
    },
    "innovation_display": {
        "plain": "list4:int:0:99",
        "double": "list4:int:0:99",
        "double_columns": "list2:list2:name:discipline",
        "own_books": "int:0:99",
        "books": "list:int:1:99",
        "surcharge_coins": "int",
        "limit": "int:0:99",
    },
    "final": {
        "area": "list:int",
        "science": "list:int",
        "coins_per_vp": "int:1:9999",
        "bowl3_coin": "int",
        "bowl2_tokens_per_coin": "int:1:9999",
    },
    "map": {
        **_NAMED,
        "players": "list:int:2:5",
        "rows": "list:text",
        "bridges": "list:list2:text",
        "edge": "list:text",
    },
}

_ALL_FIELDS = ("city", "tracks", "sailing", "terraforming", "science", "building_income", "setup", "final")
REQUIRED: dict[str, tuple[str, ...]] = {
    "on": ("event",),
    "bonus": ("discipline", "every"),
    "vp_tiers": ("count", "tiers"),
    "exchange": ("from", "to"),
    "round_tile": ("on", "bonus"),
    "final_tile": ("on",),
    "city_tile": ("once",),
    "power_action": ("cost", "effect"),
    "book_action": ("cost", "effect"),
    "conversion": ("key", "to"),
    "building": ("power", "pieces"),
    "upgrade": ("from", "tools", "coins"),
    "competency_place": ("steps", "books"),
    "innovation_display": tuple(TABLES["innovation_display"]),
    "map": ("players", "rows", "bridges", "edge"),
    **{name: tuple(TABLES[name]) for name in _ALL_FIELDS},
}
