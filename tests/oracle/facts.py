"""Component numbers of the game, typed in from the specification (docs/rules.md), for the oracle alone."""

DISCIPLINES = ["banking", "law", "engineering", "medicine"]
CIRCLE = ["desert", "plains", "swamp", "lake", "forest", "mountain", "wasteland"]  # clockwise ("Words")

LETTERS = {
    "D": "desert",
    "P": "plains",
    "S": "swamp",
    "L": "lake",
    "F": "forest",
    "M": "mountain",
    "W": "wasteland",
}

# "Words": power values; tower and monument are always neutral
POWER = {
    "workshop": 1,
    "guild": 2,
    "school": 2,
    "university": 3,
    "palace": 3,
    "tower": 2,
    "monument": 4,
}

# SET-11: pieces of a player's colour
PIECES = {"workshop": 9, "guild": 4, "school": 3, "palace": 1, "university": 1}
SCHOLARS = 7
BRIDGES = 3
TOKENS = 12  # 5 + 7, 3 + 9 (swamp), 4 + 8 (forest)
COMPETENCY_COPIES = 4
BOOKS_LIMITED = 12
MAX_LEVEL = 12
KEY_LEVEL = 7  # SCI-2: the step from here needs a key
SCHOLAR_PLACES = [3, 2, 2, 2]  # SCH-1

# UP-1: (from, to): tools, coins, coins beside another player's building
UPGRADES = {
    ("workshop", "guild"): (2, 6, 3),
    ("guild", "palace"): (4, 6, 6),
    ("guild", "school"): (3, 5, 5),
    ("school", "university"): (5, 8, 8),
}
WORKSHOP_TOOLS, WORKSHOP_COINS = 1, 2  # TB-6

# TR-1, TR-2 (a scholar each)
SAILING_MAX, SAILING_COINS = 3, 4
TERRAFORMING_MAX, TERRAFORMING_TOOLS, TERRAFORMING_COINS, TERRAFORMING_COINS_PLAINS = 2, 1, 5, 1

# INN-1
INNOVATION_BOOKS = [5, 6, 7]
INNOVATION_BOOKS_WASTELAND = [5, 5, 7]
INNOVATION_SURCHARGE = 5
INNOVATIONS_OUT = {2: 6, 3: 8, 4: 10, 5: 12}  # SET-5

# PA
POWER_ACTIONS = {"bridge": 3, "scholar": 3, "tools": 4, "coins": 4, "spade": 4, "two-spades": 6}
BOOK_ACTIONS = {
    "power": 1,
    "science": 1,
    "coins": 2,
    "guild": 2,
    "score-guilds": 2,
    "three-spades": 3,
}

CITY_TILES = ["tools", "spades", "books", "coins", "science", "power", "scholar"]
CITY_BUILDINGS, CITY_BUILDINGS_UNIVERSITY, CITY_BUILDINGS_MONUMENT = 4, 3, 2  # CITY-1
CITY_POWER, CITY_POWER_PALACE8 = 7, 6

COMPETENCIES = [str(n) for n in range(1, 13)]
PALACES = [str(n) for n in range(1, 18)]
INNOVATIONS = [
    "deus-ex-machina",
    "trade-routes",
    "professor",
    "architecture",
    "census",
    "library",
    "telecommunication",
    "science",
    "sewage-system",
    "league-of-cities",
    "steam-engine",
    "steel",
    "workshop",
    "guild",
    "school",
    "university",
    "palace",
    "monument",
]
NEUTRAL_BY_INNOVATION = ["workshop", "guild", "school", "university", "palace", "monument"]
BONUS_TILES = [
    "river",
    "palace-university",
    "science",
    "scholar",
    "spade",
    "school",
    "guild",
    "bridge",
    "power",
    "coins",
]
FACTIONS = [
    "blessed",
    "felines",
    "goblins",
    "illusionists",
    "inventors",
    "lizards",
    "moles",
    "monks",
    "navigators",
    "omar",
    "philosophers",
    "psychics",
]

# FIN-1, FIN-2
AREA_VP = [18, 12, 6]
SCIENCE_VP = [8, 4, 2]
COINS_PER_VP = 5

# BR-2: axial differences of a bridge line
BRIDGE_LINES = {(2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2)}

VP_SOURCES = (
    "start round_tile final_tile bonus_tile city competency palace innovation faction board sailing "
    "terraforming discipline action power area science resources"
).split()

OPTION_DEFAULTS = {
    "map_3_players": "3-5",
    "extra_palaces": 1,
    "city_tile_copies": 3,
    "setup": "standard",
    "draft_order": "free",
    "setup_tower_offers": True,
    "setup_spades_buy": False,
    "book_supply": "unlimited",
    "offer_time": "end",
    "offer_order": "turn",
    "psychics_convert_between": True,
    "effect_order": "choice",
    "neutral_must_place": False,
    "bought_must_reach_home": True,
    "neutral_palace_waives_surcharge": False,
    "palace14_when": "own_turn",
    "neutral_special_reach": "both",
    "moles_vp_counts": "players",
    "palace15_distinct_books": False,
    "burn_in_final_scoring": True,
}
