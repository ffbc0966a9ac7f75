"""Plain texts of the rules data, made from the data, so that overlays and editions describe themselves."""

from collections.abc import Mapping
from typing import Any

from aoi_sim.rules.errors import one_of, rules_error
from aoi_sim.rules.maps import hexes_of
from aoi_sim.rules.options import allowed_values
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.schema import RIVER, TOP, USUAL_START_PIECES

Row = Mapping[str, Any]

# Key of a gain: text for one, text for several ("#" is the number).
_GAINS: dict[str, tuple[str, str]] = {
    "coins": ("# coin", "# coins"),
    "tools": ("# tool", "# tools"),
    "scholars": ("# scholar", "# scholars"),
    "power": ("# power", "# power"),
    "vp": ("# VP", "# VP"),
    "tokens": ("# new token into bowl III", "# new tokens into bowl III"),
    "annexes": ("# annex", "# annexes"),
    "books": ("# book of choice", "# books of choice"),
    "books_of_its_discipline": ("# book of its discipline", "# books of its discipline"),
    "steps": ("# step in a discipline", "# steps in one discipline"),
    "steps_split": ("# step in a discipline", "# steps in any split"),
    "steps_each": ("# step in each discipline", "# steps in each discipline"),
    "sailing": ("# free sailing step", "# free sailing steps"),
    "terraforming": ("# free terraforming step", "# free terraforming steps"),
    "spades": ("transform and build with # free spade", "transform and build with # free spades"),
    "bridges": ("build a bridge", "build # bridges"),
    "competency": ("a competency", "# competencies"),
    "city_tile": ("a city tile", "# city tiles"),
}
_COUNTS = {
    "palace_university": "palace and university",
    "city_tile": "city tile",
    "building_kind": "kind of building on the map",
    "lowest_discipline": "level of the lowest discipline",
    "two_highest_disciplines": "level of the two highest disciplines",
    "scholar_sent": "scholar sent",
}
_EVENTS = {
    "science_step": "science step taken",
    "track_step": "sailing or terraforming step taken",
    "tunnel_dug": "tunnel",
    "flight_made": "flight",
}
_PLACES = {"": "", "edge": " on an edge hex", "river": " beside a river hex"}
_OCCASIONS = (
    ("start", "start: "),
    ("start_choices", "before placing: "),
    ("income", "income "),
    ("once", "once: "),
    ("action", "special action: "),
    ("pass", "pass: "),
)
_FLAGS = {
    "river_city": "a city may be founded over a river hex",
    "isolated_parts": "its parts in any order, each complete before the next",
    "spade_tile": "spade tile",
}


def kind_names() -> list[str]:
    """What `describe` can list."""
    return [*TOP, "options"]


def describe(ruleset: Ruleset, kind: str) -> list[tuple[str, str]]:
    """A table of the rules as (key, one line of text) in the order of the data.

    Raises:
        RulesError: no such kind.
    """
    name = kind.replace("-", "_")
    if name not in kind_names():
        raise rules_error("rules", "", f"no table {kind!r}", one_of(kind_names(), name))
    table = ruleset.data[name]
    if name == "options":
        return [(key, _option_text(ruleset.options[key], row)) for key, row in table.items()]
    if name == "conversions":
        return [(row["key"], _conversion_text(row)) for row in table]
    if isinstance(table, tuple):
        return [(str(i + 1), str(item)) for i, item in enumerate(table)]
    if name == "maps":
        return [(key, _map_text(row)) for key, row in table.items()]
    if name == "upgrades":
        return [(key, _upgrade_text(row)) for key, row in table.items()]
    if TOP[name].startswith("rows:"):
        return [(key, component_text(row, name)) for key, row in table.items()]
    return [(key, value_text(value)) for key, value in table.items()]


def component_text(row: Row, table: str = "") -> str:
    """All effects of a component in one line."""
    parts: list[str] = []
    if table in ("power_actions", "book_actions"):
        price = f"{row['cost']} power" if table == "power_actions" else _plural(row["cost"], "book")
        parts.append(f"{price}: {gain_text(row['effect'])}")
    for key, head in _OCCASIONS:
        if row.get(key):
            parts.append(head + gain_text(row[key]))
    parts += [_event_text(entry) for entry in row.get("on", ())]
    parts += _ability_texts(row) + _setup_texts(row)
    if "bonus" in row:
        bonus = row["bonus"]
        spades = [_plural(bonus["spades"], "spade")] if bonus.get("spades") else []
        others = {key: value for key, value in bonus.items() if key != "spades"}
        texts = spades if spades and len(others) == 2 else [gain_text(others), *spades]
        parts.append(f"every {bonus['every']} {bonus['discipline']}: {', '.join(texts)}")
    parts += [text for key, text in _FLAGS.items() if row.get(key)]
    return "; ".join(parts) if parts else "-"


def amount_text(value: Any) -> str:
    """An amount: "3", "1/1/2/2" for 2 to 5 players, or "2 + 1 per player"."""
    if isinstance(value, Mapping):
        return f"{value.get('base', 0)} + {value.get('per_player', 0)} per player"
    if isinstance(value, tuple):
        return "/".join(str(item) for item in value)
    return str(value)


def gain_text(row: Row) -> str:
    """What a gain gives, in the order of the data."""
    parts: list[str] = []
    for key, value in row.items():
        if key in _GAINS:
            parts.append(_GAINS[key][0 if value == 1 else 1].replace("#", amount_text(value)))
        elif key == "free_workshop":
            parts[-1:] = [" and ".join([*parts[-1:], "a free workshop"])] if value else parts[-1:]
        elif key == "second_action" and value:
            parts.append("then another action")
        elif key == "neutral":
            parts.append(f"a neutral {value}")
        elif key == "free_piece":
            parts.append(f"a free {value} on any free home hex")
        elif key == "exchange":
            parts.append(f"a {value['from']} becomes a {value['to']}, free")
        elif key == "book_of":
            parts += [f"{n} {name} book{'' if n == 1 else 's'}" for name, n in value.items()]
        elif key == "steps_of":
            parts += [f"{n} {name}" for name, n in value.items()]
        elif key == "steps_split_per":
            parts += [f"{_plural(n, 'step')} in any split per {_count(name)}" for name, n in value.items()]
        elif key == "vp_per":
            parts += [f"{amount_text(n)} VP per {_count(name)}" for name, n in value.items()]
        elif key == "vp_tiers":
            tiers = ", ".join(f"{start}+: {vp}" for start, vp in value["tiers"])
            parts.append(f"VP by the count of {_count(value['count'])} ({tiers})")
    return ", ".join(parts) if parts else "nothing"


def value_text(value: Any) -> str:
    """Any value of the data in one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_text(item)}" for key, item in value.items()) or "-"
    if isinstance(value, tuple):
        nested = any(isinstance(item, (Mapping, tuple)) for item in value)
        return (" | " if nested else " ").join(value_text(item) for item in value) or "-"
    return str(value)


def _plural(n: Any, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _count(name: str) -> str:
    return _COUNTS.get(name, name)


def _event_text(entry: Row) -> str:
    event = entry["event"]
    text = _EVENTS.get(event, event.replace("_", " "))
    return f"each {text}{_PLACES[entry.get('where', '')]}: {gain_text(entry)}"


def _ability_texts(row: Row) -> list[str]:
    parts: list[str] = []
    if row.get("power_action_discount"):
        parts.append(f"power actions cost {row['power_action_discount']} less")
    if "city_power" in row:
        parts.append(f"a city needs power value {row['city_power']}")
    if row.get("science_bonus_levels"):
        parts.append(f"science bonuses count {row['science_bonus_levels']} levels more")
    if row.get("sailing_bonus"):
        parts.append(f"sailing +{row['sailing_bonus']} while held")
    if "tunnel" in row:
        parts.append(f"tunnel ({gain_text({'tools': row['tunnel'].get('tools', 0)})}): {_vp(row['tunnel'])}")
    if "flight" in row:
        price = gain_text({"scholars": row["flight"].get("scholars", 0)})
        hexes = row["flight"].get("hexes", 2)
        parts.append(f"flight over {'1 hex' if hexes == 1 else f'1 to {hexes} hexes'} ({price}): {_vp(row['flight'])}")
    if "bridge_action" in row:
        parts.append(f"action: {gain_text({'tools': row['bridge_action'].get('tools', 0)})} to build a bridge anywhere")
    return parts


def _vp(row: Row) -> str:
    return amount_text(row.get("vp", 0)) + " VP"


def _setup_texts(row: Row) -> list[str]:
    parts: list[str] = []
    if "terrain" in row:
        parts.append(f"home {row['terrain']}")
    if tuple(row.get("start_pieces", USUAL_START_PIECES)) != USUAL_START_PIECES:
        parts.append("places " + ", ".join(row["start_pieces"]))
    if row.get("start_competency"):
        parts.append("in set-up: " + gain_text({"competency": row["start_competency"]}))
    if row.get("start_spades"):
        parts.append("in set-up: " + _plural(row["start_spades"], "spade"))
    if "bowls" in row:
        parts.append("bowls " + "/".join(str(n) for n in row["bowls"]))
    if row.get("sailing"):
        parts.append(f"starts with sailing {row['sailing']}")
    if "sailing_rewards" in row:
        rewards = [f"{i}: {gain_text(gain)}" for i, gain in enumerate(row["sailing_rewards"]) if gain]
        parts.append("sailing " + ", ".join(rewards))
    if "terraforming_cost" in row:
        parts.append("a terraforming step costs " + gain_text(row["terraforming_cost"]))
    if "innovation_books" in row:
        parts.append("innovations cost " + ", ".join(str(n) for n in row["innovation_books"]) + " books")
    if "guild_income" in row:
        parts.append("guild income " + " | ".join(gain_text(gain) for gain in row["guild_income"]))
    return parts


def _conversion_text(row: Row) -> str:
    price = f"1 {row['book']} book" if "book" in row else gain_text(row)
    word, _, discipline = row["to"].partition("-")
    return f"{price}: 1 {discipline + ' ' if discipline else ''}{word}"


def _upgrade_text(row: Row) -> str:
    text = f"from {row['from']}: {gain_text(row)}"
    if "coins_beside_opponent" in row:
        text += f" ({row['coins_beside_opponent']} coins beside an opponent)"
    return text + (f"; takes a {row['takes']}" if "takes" in row else "")


def _map_text(row: Row) -> str:
    letters = [letter for letter, _, _ in hexes_of(row["rows"]).values()]
    rivers = letters.count(RIVER)
    players = ", ".join(str(n) for n in row["players"])
    sizes = f"{len(letters) - rivers} land hexes, {rivers} river hexes, {len(row['bridges'])} bridge places"
    return f"{players} players; {sizes}, {len(row['edge'])} edge hexes"


def _option_text(value: Any, row: Row) -> str:
    shown = str(value).lower() if isinstance(value, bool) else value
    rule = f" ({row['rule']})" if "rule" in row else ""
    return f"{shown}; {allowed_values(row)}{rule}"
