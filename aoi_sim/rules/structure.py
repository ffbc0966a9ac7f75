"""Checks rules data against the schema: keys, types, values, and what belongs together in one table."""

import re
from collections.abc import Callable
from typing import Any
from unicodedata import category

from aoi_sim.rules.errors import one_of, rules_error, shown
from aoi_sim.rules.maps import check_map
from aoi_sim.rules.schema import GAIN, MAX_INT, NAME_SETS, REQUIRED, TABLES, TERRAINS, TOP

_KEY = re.compile(r"[a-z0-9][a-z0-9_>-]*")


def check_structure(data: dict[str, Any], source: str) -> None:
    """Raises RulesError if the tables of `data` are not as the schema says."""
    for name, spec in TOP.items():
        if name not in data:
            raise rules_error(source, name, "required table missing", "give the whole table")
        check_value(data[name], spec, source, name)


def check_value(value: Any, spec: str, source: str, path: str) -> None:
    """Checks one value against a type word of the schema."""
    kind, _, rest = spec.partition(":")
    if kind.startswith("list"):
        _check_list(value, kind[4:], rest, source, path)
    elif kind == "map":
        names, _, item = rest.partition(":")
        _check_map(value, NAME_SETS[names], item, source, path)
    elif kind == "rows":
        _check_rows(value, rest, source, path)
    elif kind == "table":
        _check_table(value, rest, source, path)
    elif kind == "int":
        low, _, high = rest.partition(":")
        _check_int(value, int(low or 0), int(high or MAX_INT), source, path)
    elif kind == "amount":
        _check_amount(value, source, path)
    elif kind == "name":
        if not isinstance(value, str) or value not in NAME_SETS[rest]:
            raise rules_error(source, path, f"unknown {rest} {shown(value)}", one_of(NAME_SETS[rest], value))
    elif kind == "bool":
        if not isinstance(value, bool):
            raise rules_error(source, path, f"wrong type {_type(value)}", "allowed: true or false")
    elif kind == "levels":
        _check_levels(value, source, path)
    elif not isinstance(value, str) or not value.strip() or has_control_characters(value):
        raise rules_error(source, path, f"wrong value {shown(value)}", "allowed: a text without control characters")


def has_control_characters(text: str) -> bool:
    """Whether a text has characters that no page, table or terminal can show, such as a NUL or half of a pair."""
    return any(category(sign) in ("Cc", "Cs") for sign in text)


def _type(value: Any) -> str:
    words = {"dict": "table", "list": "list", "str": "text", "int": "number", "bool": "true/false"}
    name = type(value).__name__
    return f"{words.get(name, name)} {shown(value)}"


def _check_int(value: Any, low: int, high: int, source: str, path: str) -> None:
    allowed = f"allowed: a whole number from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise rules_error(source, path, f"wrong type {_type(value)}", allowed)
    if not low <= value <= high:
        raise rules_error(source, path, f"impossible value {shown(value)}", allowed)


def _check_amount(value: Any, source: str, path: str) -> None:
    if isinstance(value, dict):
        _check_table(value, "amount", source, path)
    elif isinstance(value, list):
        if len(value) != 4:
            what = f"a list of {len(value)} numbers"
            raise rules_error(source, path, what, "allowed: four numbers, for 2, 3, 4 and 5 players")
        for i, item in enumerate(value):
            _check_int(item, 0, MAX_INT, source, f"{path}.{i}")
    elif isinstance(value, bool) or not isinstance(value, int):
        allowed = "allowed: a whole number, four of them by players, or { base = n, per_player = n }"
        raise rules_error(source, path, f"wrong type {_type(value)}", allowed)
    else:
        _check_int(value, 0, MAX_INT, source, path)


def _check_list(value: Any, length: str, item: str, source: str, path: str) -> None:
    if not isinstance(value, list):
        raise rules_error(source, path, f"wrong type {_type(value)}", "allowed: a list")
    if length and len(value) != int(length):
        raise rules_error(source, path, f"a list of {len(value)}", f"allowed: a list of {length}")
    for i, entry in enumerate(value):
        check_value(entry, item, source, f"{path}.{i}")


def _check_dict(value: Any, source: str, path: str) -> None:
    if not isinstance(value, dict):
        raise rules_error(source, path, f"wrong type {_type(value)}", "allowed: a table")


def _check_map(value: Any, names: tuple[str, ...], item: str, source: str, path: str) -> None:
    _check_dict(value, source, path)
    for key, entry in value.items():
        if key not in names:
            raise rules_error(source, f"{path}.{key}", "unknown key", one_of(names, key))
        check_value(entry, item, source, f"{path}.{key}")


def _check_rows(value: Any, name: str, source: str, path: str) -> None:
    _check_dict(value, source, path)
    for key, row in value.items():
        if not _KEY.fullmatch(key):
            allowed = "allowed: small letters, digits, '-' and '_', a letter or digit first"
            raise rules_error(source, f"{path}.{key}", f"impossible key {shown(key)}", allowed)
        _check_table(row, name, source, f"{path}.{key}")


def _check_table(value: Any, name: str, source: str, path: str) -> None:
    _check_dict(value, source, path)
    fields = TABLES[name]
    for key, entry in value.items():
        if key not in fields:
            raise rules_error(source, f"{path}.{key}", "unknown key", one_of(fields, key))
        check_value(entry, fields[key], source, f"{path}.{key}")
    for key in REQUIRED.get(name, ()):
        if key not in value:
            raise rules_error(source, f"{path}.{key}", "required key missing", f"a {name} needs it")
    if "free_workshop" in value and not value.get("spades"):
        raise rules_error(source, f"{path}.free_workshop", "without spades", "give spades in the same table")
    rule = _TOGETHER.get(name)
    if rule is not None:
        rule(value, source, path)


def _check_levels(value: Any, source: str, path: str) -> None:
    _check_dict(value, source, path)
    for key, power in value.items():
        if not key.isdecimal() or int(key) < 1:
            raise rules_error(source, f"{path}.{key}", "no science level", "allowed: levels from 1")
        _check_int(power, 0, MAX_INT, source, f"{path}.{key}")


def _check_on(row: dict[str, Any], source: str, path: str) -> None:
    event = row["event"]
    if not any(key in GAIN or key == "books_of_its_discipline" for key in row):
        raise rules_error(source, path, "gives nothing", one_of(GAIN))
    if "where" in row and not event.endswith("_built"):
        raise rules_error(source, f"{path}.where", f"with event {event!r}", "allowed with events of building only")
    if "books_of_its_discipline" in row and event != "competency_taken":
        where = f"{path}.books_of_its_discipline"
        raise rules_error(source, where, f"with event {event!r}", "allowed with event competency_taken only")


def _check_conversion(row: dict[str, Any], source: str, path: str) -> None:
    prices = [key for key in ("power", "scholars", "tools", "coins", "book") if key in row]
    if len(prices) != 1:
        what = f"{len(prices)} prices"
        raise rules_error(source, path, what, "allowed: exactly one of power, scholars, tools, coins, book")


def _check_faction(row: dict[str, Any], source: str, path: str) -> None:
    pieces, rounds = row.get("start_pieces"), row.get("start_rounds")
    if (pieces is None) != (rounds is None) or len(pieces or []) != len(rounds or []):
        raise rules_error(source, f"{path}.start_rounds", "not one round for each of start_pieces", "give both")
    if pieces is not None and not pieces:
        raise rules_error(source, f"{path}.start_pieces", "no piece", "allowed: one building or more")


def _check_board(row: dict[str, Any], source: str, path: str) -> None:
    if "terrain" not in row and path.rpartition(".")[2] not in TERRAINS:
        raise rules_error(source, f"{path}.terrain", "required key missing", one_of(TERRAINS))


def _check_tiers(row: dict[str, Any], source: str, path: str) -> None:
    starts = [tier[0] for tier in row["tiers"]]
    if not starts or starts != sorted(set(starts)):
        raise rules_error(source, f"{path}.tiers", f"tiers at {starts}", "allowed: rising numbers, one at least")


def _check_exchange(row: dict[str, Any], source: str, path: str) -> None:
    if row["from"] == row["to"]:
        raise rules_error(source, f"{path}.to", f"{row['to']!r} for itself", "name another building")


_TOGETHER: dict[str, Callable[[dict[str, Any], str, str], None]] = {
    "on": _check_on,
    "conversion": _check_conversion,
    "faction": _check_faction,
    "board": _check_board,
    "vp_tiers": _check_tiers,
    "exchange": _check_exchange,
    "map": check_map,
}
