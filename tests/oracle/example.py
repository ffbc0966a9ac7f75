"""A small state in the form of docs/positions.md for hand-worked examples."""

from .board import PRINTED
from .facts import (
    BOOK_ACTIONS,
    CITY_TILES,
    COMPETENCIES,
    DISCIPLINES,
    INNOVATIONS,
    INNOVATIONS_OUT,
    OPTION_DEFAULTS,
    PALACES,
    SCHOLAR_PLACES,
)

FREE_BONUS = ["power", "coins", "school"]
HELD_BONUS = ["guild", "palace-university", "scholar", "bridge", "science"]


def seat(board, faction, bonus, **changes):
    """A player with nothing but 20 VP and 12 tokens."""
    me = {
        "faction": faction,
        "board": board,
        "palace": None,
        "palace_built": False,
        "bonus": bonus,
        "passed": False,
        "vp": 20,
        "coins": 0,
        "tools": 0,
        "scholars": 0,
        "books": dict.fromkeys(DISCIPLINES, 0),
        "bowls": [12, 0, 0],
        "scholar_supply": 7,
        "bridge_supply": 3,
        "science": dict.fromkeys(DISCIPLINES, 0),
        "sailing": 1 if board == "lake" else 0,
        "terraforming": 0,
        "keys": 0,
        "annexes": 0,
        "buildings": {},
        "city_tiles": [],
        "competencies": [],
        "innovations": [],
        "used": [],
        "river_cities": [],
        "declined_found": False,
        "vp_from": {"start": 20},
        "start_pieces": [],
    }
    return me | changes


def state(*seats, **changes):
    """Phase II of round 1 on the 3-5 side, seat 0 to move, all actions free."""
    n = len(seats)
    tiles = INNOVATIONS[: INNOVATIONS_OUT[n]]
    columns = DISCIPLINES + ["banking+law", "engineering+medicine"]
    held = [me["palace"] for me in seats]
    places = {x: [{"value": v, "seat": None} for v in SCHOLAR_PLACES] for x in DISCIPLINES}
    d = {
        "edition": "1.2",
        "options": dict(OPTION_DEFAULTS),
        "n_players": n,
        "map": "3-5",
        "setup": "standard",
        "phase": "actions",
        "round": 1,
        "stage": "before",
        "active": 0,
        "order": list(range(n)),
        "next_order": [],
        "queue": [],
        "round_tiles": [],
        "final_tile": "school",
        "book_actions": list(BOOK_ACTIONS)[:3],
        "used_power_actions": [],
        "used_book_actions": [],
        "innovations": [{"key": key, "column": columns[i % 6]} for i, key in enumerate(tiles)],
        "competencies": [
            {"key": key, "discipline": DISCIPLINES[i // 3], "place": i % 3, "left": 4}
            for i, key in enumerate(COMPETENCIES)
        ],
        "palaces": [key for key in PALACES if key not in held],
        "city_tiles": dict.fromkeys(CITY_TILES, 3),
        "bonus_tiles": dict.fromkeys(FREE_BONUS, 0),
        "bundles": [],
        "draft_boards": [],
        "draft_factions": [],
        "area_tile": None,
        "rival": None,
        "scholar_places": places,
        "book_supply": None,
        "terrain": dict(PRINTED["3-5"].land),
        "bridges": [],
        "seats": list(seats),
        "pending": [],
        "offers": [],
    }
    return d | changes


def two(mine, other=None, **changes):
    """Two seats: `mine` changes seat 0 (desert, blessed), `other` seat 1 (wasteland, omar)."""
    d = state(
        seat("desert", "blessed", HELD_BONUS[0]) | mine,
        seat("wasteland", "omar", HELD_BONUS[1]) | (other or {}),
        **changes,
    )
    # terrain under every building is its owner's home terrain
    for me in d["seats"]:
        for name in me["buildings"]:
            if name in d["terrain"]:
                d["terrain"][name] = me["board"]
    return d
