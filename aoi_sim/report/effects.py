"""Short English texts of the effects in the rules data, for drawings and listings.

The texts are made from the data, so that overlays and editions describe themselves.
"""

from collections.abc import Mapping
from typing import Any

Gain = Mapping[str, Any]

COUNT_WORDS: dict[str, str] = {
    "palace_university": "palace and university",
    "city_tile": "city tile",
    "building_kind": "kind of building",
    "lowest_discipline": "level of the lowest discipline",
    "two_highest_disciplines": "level of the two highest disciplines",
    "scholar_sent": "scholar sent",
}
EVENT_WORDS: dict[str, str] = {
    "spade_used": "spade used",
    "science_step": "science step",
    "city_tile_taken": "city tile taken",
    "track_step": "sailing or terraforming step",
    "innovation_taken": "innovation taken",
    "scholar_sent": "scholar sent",
    "competency_taken": "competency taken",
    "power_action_taken": "power action taken",
    "tunnel_dug": "tunnel",
    "flight_made": "flight",
}
WHERE_WORDS: dict[str, str] = {"edge": " on an edge hex", "river": " beside a river"}
UNITS: dict[str, tuple[str, str]] = {
    "coins": ("coin", "coins"),
    "tools": ("tool", "tools"),
    "scholars": ("scholar", "scholars"),
    "power": ("power", "power"),
    "vp": ("VP", "VP"),
    "tokens": ("new token in bowl III", "new tokens in bowl III"),
    "annexes": ("annex", "annexes"),
    "books": ("book", "books"),
    "books_of_its_discipline": ("book of its discipline", "books of its discipline"),
    "steps": ("step in one discipline", "steps in one discipline"),
    "steps_split": ("step", "steps in any split"),
    "steps_each": ("step in each discipline", "steps in each discipline"),
    "sailing": ("sailing step", "sailing steps"),
    "terraforming": ("terraforming step", "terraforming steps"),
    "spades": ("spade", "spades"),
    "bridges": ("bridge", "bridges"),
    "competency": ("competency", "competencies"),
    "city_tile": ("city tile", "city tiles"),
}
PARTS: tuple[tuple[str, str], ...] = (
    ("start", "start: "),
    ("start_choices", "start: "),
    ("income", "income: "),
    ("once", "once: "),
    ("action", "action: "),
    ("pass", "pass: "),
    ("effect", ""),
)


def amount_at(amount: Any, n_players: int) -> int:
    """The value of an amount of the data: an int, a list for 2 to 5 players, or base and per_player."""
    if isinstance(amount, Mapping):
        return int(amount.get("base", 0)) + int(amount.get("per_player", 0)) * n_players
    if isinstance(amount, (list, tuple)):
        return int(amount[min(max(n_players - 2, 0), len(amount) - 1)])
    return int(amount)


def count_word(key: str) -> str:
    """What is counted, in the singular."""
    return COUNT_WORDS.get(key, key.replace("_", " "))


def counted(number: int, key: str) -> str:
    """A number with its unit: `1 coin`, `3 coins`."""
    one, many = UNITS[key]
    return f"{number} {one if number == 1 else many}"


def event_text(entry: Mapping[str, Any]) -> str:
    """The event of an `on` entry: `workshop built beside a river`."""
    event = str(entry.get("event", ""))
    words = EVENT_WORDS.get(event, event.replace("_", " "))
    return words + WHERE_WORDS.get(str(entry.get("where", "")), "")


def _table_parts(key: str, value: Any, n_players: int) -> list[str]:
    """The texts of a gain whose value is a table."""
    if key == "vp_per":
        return [f"{amount_at(v, n_players)} VP per {count_word(k)}" for k, v in value.items()]
    if key == "book_of":
        return [f"{amount_at(v, n_players)} {k} book{'' if v == 1 else 's'}" for k, v in value.items()]
    if key == "steps_of":
        return [f"{amount_at(v, n_players)} {k}" for k, v in value.items()]
    if key == "steps_split_per":
        return [f"{amount_at(v, n_players)} step per {count_word(k)}" for k, v in value.items()]
    if key == "vp_tiers":
        tiers = ", ".join(f"{least}+ {vp}" for least, vp in value["tiers"])
        return [f"VP by {count_word(str(value['count']))}: {tiers}"]
    if key == "exchange":
        return [f"{value['from']} becomes {value['to']}"]
    return [f"{key.replace('_', ' ')} " + " ".join(f"{k} {v}" for k, v in value.items())]


def _gain_parts(key: str, value: Any, n_players: int) -> list[str]:
    """The texts of one entry of a gain table."""
    if key in ("distinct_books", "event", "where"):
        return []
    if key in UNITS and (not isinstance(value, Mapping) or "base" in value or "per_player" in value):
        return [counted(amount_at(value, n_players), key)]
    if isinstance(value, Mapping):
        return _table_parts(key, value, n_players)
    if key == "neutral":
        return [f"neutral {value}"]
    if key == "free_piece":
        return [f"free {value} on any home hex"]
    if key == "free_workshop":
        return ["free workshop"] if value else []
    if key == "second_action":
        return ["another action"] if value else []
    return [f"{key.replace('_', ' ')} {value}"]


def gain_text(gain: Gain, n_players: int = 4) -> str:
    """A gain table in words: `2 coins, 1 step in each discipline`."""
    parts: list[str] = []
    for key, value in gain.items():
        parts.extend(_gain_parts(key, value, n_players))
    return ", ".join(parts)


def _special_reach(key: str, value: Mapping[str, Any], n_players: int) -> str:
    """Tunnel, flight and bridge action: price and VP."""
    price = ", ".join(counted(amount_at(value[k], n_players), k) for k in ("tools", "scholars") if k in value)
    vp = f": {amount_at(value['vp'], n_players)} VP" if "vp" in value else ""
    return f"{key.replace('_action', '')} for {price}{vp}"


def _ability_text(component: Mapping[str, Any], n_players: int) -> list[str]:
    """The abilities of a component that are no gains."""
    reach = [key for key in ("tunnel", "flight", "bridge_action") if key in component]
    found = [_special_reach(key, component[key], n_players) for key in reach]
    if "power_action_discount" in component:
        found.append(f"power actions cost {component['power_action_discount']} less")
    if "city_power" in component:
        found.append(f"cities from power value {component['city_power']}")
    if component.get("river_city"):
        found.append("city over a river hex")
    if "science_bonus_levels" in component:
        found.append(f"science bonus counts {component['science_bonus_levels']} levels more")
    if "sailing_bonus" in component:
        found.append(f"sailing +{component['sailing_bonus']} while held")
    if "start_spades" in component:
        found.append(counted(component["start_spades"], "spades") + " in set-up")
    if "start_competency" in component:
        found.append("a competency in set-up")
    return found


def component_text(component: Mapping[str, Any], n_players: int = 4) -> str:
    """All effects of a component in one line."""
    gains = [(prefix, component[key]) for key, prefix in PARTS if isinstance(component.get(key), Mapping)]
    found = [prefix + gain_text(gain, n_players) for prefix, gain in gains if gain]
    found.extend(f"{event_text(entry)}: {gain_text(entry, n_players)}" for entry in component.get("on", ()))
    found.extend(_ability_text(component, n_players))
    return "; ".join(found)


def bonus_text(bonus: Mapping[str, Any], n_players: int = 4) -> str:
    """The science bonus of a round tile: `every 3 law: 1 scholar`."""
    gain = {k: v for k, v in bonus.items() if k not in ("discipline", "every")}
    return f"every {bonus.get('every', 1)} {bonus.get('discipline', '')}: {gain_text(gain, n_players)}"
