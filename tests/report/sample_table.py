"""A hand-made table in the dict form of a state, with something of everything on it."""

from typing import Any

from aoi_sim.rules import load_ruleset

DISCIPLINES = ("banking", "law", "engineering", "medicine")
KINDS = ("workshop", "guild", "school", "university", "palace", "tower", "monument")
BOARDS = ("lake", "forest", "desert", "mountain", "wasteland")
FACTIONS = ("moles", "illusionists", "navigators", "philosophers", "omar")
BONUSES = ("river", "guild", "school", "coins", "spade")


def printed_terrain(side: str) -> dict[str, str]:
    """Terrain of every land hex of a map side."""
    data = load_ruleset().data
    letters = {t[0].upper(): t for t in data["terrains"]}
    rows = enumerate(data["maps"][side]["rows"])
    cells = [(f"{'ABCDEFGHI'[r]}{c + 1}", x) for r, line in rows for c, x in enumerate(line.split())]
    return {name: letters[x] for name, x in cells if x in letters}


def _buildings(seat: int, terrain: dict[str, str]) -> dict[str, Any]:
    """Nine buildings on home hexes: every kind once, and all marks; dug hexes are turned home."""
    own = [h for h, t in terrain.items() if t == BOARDS[seat]][:9]
    found: dict[str, Any] = {own[0]: "workshop"}
    for j, h in enumerate(own[1:], start=1):
        kind = KINDS[j % 7]
        found[h] = {"kind": kind, "neutral": j >= 5, "annex": j in (1, 3), "city": j in (1, 2, 3, 4)}
    return found


def _seat(seat: int, terrain: dict[str, str], river: list[str]) -> dict[str, Any]:
    return {
        "faction": FACTIONS[seat],
        "board": BOARDS[seat],
        "palace": str(13 + seat),
        "palace_built": seat != 2,
        "bonus": BONUSES[seat],
        "passed": seat == 1,
        "vp": 20 + 13 * seat,
        "coins": 31 + seat,
        "tools": 41 + seat,
        "scholars": seat,
        "books": dict(zip(DISCIPLINES, (seat, 0, 2, 5), strict=True)),
        "bowls": [5 - seat, 6, seat],
        "scholar_supply": 4,
        "bridge_supply": 2,
        "science": dict(zip(DISCIPLINES, (seat * 3, 5, 12 if seat == 1 else 2, 7 + seat), strict=True)),
        "sailing": 1,
        "terraforming": seat % 3,
        "keys": seat % 2,
        "annexes": seat % 2,
        "buildings": _buildings(seat, terrain),
        "city_tiles": ["tools", "science"][:seat],
        "competencies": ["1", "7", "11"][: seat + 1],
        "innovations": ["steel", "deus-ex-machina"][:seat],
        "used": ["palace/2", "bonus/science"][:seat],
        "river_cities": river if seat == 1 else [],
        "declined_found": False,
        "vp_from": {"start": 20, "round_tile": 6 * seat, "city": 5 * seat, "power": -seat, "competency": 3 * seat},
        "start_pieces": [],
    }


def sample_table(n_players: int = 4, side: str = "3-5") -> dict[str, Any]:
    """A table in round 3 with two pending decisions and an offer."""
    terrain = printed_terrain(side)
    places = load_ruleset().data["maps"][side]["bridges"]
    seats = [_seat(seat, terrain, ["B3"] if side == "3-5" else ["C6"]) for seat in range(n_players)]
    innovations = [("steel", "banking"), ("census", "law"), ("library", "engineering"), ("science", "medicine")]
    two = n_players == 2
    if n_players in (2, 4):
        innovations += [("steam-engine", "banking+law"), ("deus-ex-machina", "engineering+medicine")]
    return {
        "edition": "1.2",
        "options": {"book_supply": "limited"},
        "ruleset": "0123456789abcdef",
        "n_players": n_players,
        "map": side,
        "setup": "standard",
        "phase": "actions",
        "round": 3,
        "stage": "before",
        "active": 1,
        "order": list(range(n_players)),
        "next_order": [1],
        "queue": [],
        "round_tiles": [
            "workshop-law",
            "guild-medicine",
            "palace-university-banking",
            "spade-engineering",
            "science-medicine",
            "track-engineering",
        ],
        "final_tile": "edge-workshop",
        "book_actions": ["coins", "guild", "three-spades"],
        "used_power_actions": ["spade", "coins"],
        "used_book_actions": ["guild"],
        "innovations": [{"key": key, "column": column} for key, column in innovations],
        "competencies": [
            {"key": str(k + 1), "discipline": DISCIPLINES[k % 4], "place": k // 4, "left": 4 - k % 5} for k in range(12)
        ],
        "palaces": ["1", "4", "9", "12", "17"],
        "city_tiles": {"tools": 3, "spades": 2, "books": 3, "coins": 0, "science": 1, "power": 3, "scholar": 2},
        "bonus_tiles": {"palace-university": 1, "science": 0, "power": 3},
        "bundles": [],
        "draft_boards": [],
        "draft_factions": [],
        "area_tile": 13 if two else None,
        "rival": {"banking": 4, "law": 5, "engineering": 6, "medicine": 2} if two else None,
        "scholar_places": {
            d: [
                {"value": 3, "seat": 0 if d == "law" else None},
                {"value": 2, "seat": "rival" if two else None},
                {"value": 2, "seat": n_players - 1},
                {"value": 2, "seat": None},
            ]
            for d in DISCIPLINES
        },
        "book_supply": dict(zip(DISCIPLINES, (9, 10, 11, 12), strict=True)),
        "terrain": terrain,
        "bridges": [[*places[0], 0], [*places[5], 1]],
        "seats": seats,
        "pending": [
            {"kind": "effect", "seat": 1, "op": "steps", "a": 2, "b": 0, "c": 0, "source": "competency/7"},
            {
                "kind": "spades",
                "seat": 1,
                "free": 2,
                "used": 1,
                "first": "F5",
                "special": False,
                "rule": "normal",
                "may_decline": True,
                "source": "palace/2",
            },
        ],
        "offers": [{"seat": 0, "power": 3, "builder": 1, "hex": "F5"}],
    }
