"""Checks the maps of rules data: rows, bridge places and edge hexes (MAP-1, BR-2)."""

from typing import Any

from aoi_sim.rules.errors import one_of, rules_error, shown
from aoi_sim.rules.schema import LETTERS, NO_HEX, RIVER

BRIDGE_DIFFERENCES = ((2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2))
_ROW_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def hexes_of(rows: list[str] | tuple[str, ...]) -> dict[str, tuple[str, int, int]]:
    """The hexes of a map by name ("F5"): letter and axial coordinates q, r."""
    found: dict[str, tuple[str, int, int]] = {}
    for r, row in enumerate(rows):
        for column, letter in enumerate(row.split()):
            if letter != NO_HEX:
                found[f"{_ROW_LETTERS[r]}{column + 1}"] = (letter, column - r // 2, r)
    return found


def check_map(row: dict[str, Any], source: str, path: str) -> None:
    """Raises RulesError if a map cannot be played on."""
    _check_players(row["players"], source, f"{path}.players")
    _check_map_rows(row["rows"], source, f"{path}.rows")
    hexes = hexes_of(row["rows"])
    seen: set[tuple[str, str]] = set()
    for i, (first, second) in enumerate(row["bridges"]):
        where = f"{path}.bridges.{i}"
        _check_land(first, hexes, source, where)
        _check_land(second, hexes, source, where)
        (_, q1, r1), (_, q2, r2) = hexes[first], hexes[second]
        if (q2 - q1, r2 - r1) not in BRIDGE_DIFFERENCES:
            what = f"{first} and {second} do not face each other across one hex side"
            raise rules_error(source, where, what, "allowed: axial differences (2,-1), (1,1), (-1,2) or a negative")
        ends = (min(first, second), max(first, second))
        if ends in seen:
            raise rules_error(source, where, f"bridge {first}-{second} twice", "list each bridge place once")
        seen.add(ends)
    edge = row["edge"]
    for i, name in enumerate(edge):
        _check_land(name, hexes, source, f"{path}.edge.{i}")
        if name in edge[:i]:
            raise rules_error(source, f"{path}.edge.{i}", f"hex {name} twice", "list each edge hex once")


def _check_players(players: list[int], source: str, path: str) -> None:
    if not players or len(set(players)) != len(players):
        what = f"impossible value {shown(players)}"
        raise rules_error(source, path, what, "allowed: numbers of players from 2 to 5, each once")


def _check_map_rows(rows: list[str], source: str, path: str) -> None:
    if not 1 <= len(rows) <= len(_ROW_LETTERS):
        raise rules_error(source, path, f"{len(rows)} rows", f"allowed: 1 to {len(_ROW_LETTERS)}")
    width = len(rows[0].split())
    letters = [*LETTERS, RIVER, NO_HEX]
    for i, row in enumerate(rows):
        cells = row.split()
        for letter in cells:
            if letter not in letters:
                raise rules_error(source, f"{path}.{i}", f"unknown letter {shown(letter)}", one_of(letters))
        if len(cells) != width:
            what = f"{len(cells)} hexes, but {width} in the first row"
            raise rules_error(source, f"{path}.{i}", what, f"give every row the same number, {NO_HEX!r} for no hex")


def _check_land(name: str, hexes: dict[str, tuple[str, int, int]], source: str, path: str) -> None:
    if name not in hexes:
        raise rules_error(source, path, f"no hex {shown(name)}", "allowed: land hexes of the map, as F5")
    if hexes[name][0] == RIVER:
        raise rules_error(source, path, f"hex {name} is a river", "allowed: land hexes of the map")
