"""Rules with other starting VP: handicaps of factions and boards as an overlay."""

import json
from collections.abc import Mapping
from typing import Any, Final

from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import tables_for

LEAST: Final = 10
"""VP that every seat has at the start: whoever has few cannot pay for power (POW-4) and would play another game."""


def whole(handicaps: Mapping[str, float]) -> dict[str, int]:
    """Handicaps in whole VP."""
    return {key: round(value) for key, value in handicaps.items()}


def fair_overlay(
    rules: Ruleset, n_players: int, factions: Mapping[str, int], boards: Mapping[str, int]
) -> dict[str, Any]:
    """An overlay that changes the starting VP of factions and boards.

    The rules know no negative VP, so the common start is lowered (not below what leaves everybody 10) and the others get more.

    Args:
        rules: what it is laid over.
        n_players: of the games.
        factions: VP more or less, by faction; those left out have 0.
        boards: the same by board.
    """
    by_table = {
        "factions": {key: factions.get(key, 0) for key in rules.data["factions"]},
        "boards": {key: boards.get(key, 0) for key in rules.data["boards"]},
    }
    least = {table: min(values.values()) for table, values in by_table.items()}
    start = max(int(rules.data["setup"]["vp"]) + sum(least.values()), LEAST)
    overlay: dict[str, Any] = {
        "name": "fair start",
        "question": "Do all factions and boards win equally often with these starting VP?",
        "setup": {"vp": start},
    }
    for table, values in by_table.items():
        rows = {}
        for key, value in values.items():
            more = value - least[table]
            if more:
                rows[key] = {"start": {"vp": _own_vp(rules, n_players, table, key) + more}}
        if rows:
            overlay[table] = rows
    return overlay


def with_overlay(rules: Ruleset, overlay: Mapping[str, Any]) -> Ruleset:
    """The rules with one overlay more."""
    return load_ruleset(rules.edition, dict(rules.options), [*rules.overlays, overlay])


def start_vp(rules: Ruleset, n_players: int, faction: str, board: str) -> int:
    """VP that a faction on a board starts with."""
    own = _own_vp(rules, n_players, "factions", faction) + _own_vp(rules, n_players, "boards", board)
    return tables_for(rules, n_players).amount(rules.data["setup"]["vp"]) + own


def _own_vp(rules: Ruleset, n_players: int, table: str, key: str) -> int:
    """VP at the start that a faction or board has of its own."""
    return tables_for(rules, n_players).amount(rules.data[table][key].get("start", {}).get("vp", 0))


def overlay_text(overlay: Mapping[str, Any], words: str) -> str:
    """An overlay as a rules file.

    Args:
        overlay: made by ``fair_overlay``.
        words: a comment of one line.
    """
    lines = [f"# {words}", f"name = {json.dumps(overlay['name'])}", f"question = {json.dumps(overlay['question'])}", ""]
    lines += ["[setup]", f"vp = {overlay['setup']['vp']}"]
    for table in ("factions", "boards"):
        for key, row in overlay.get(table, {}).items():
            lines += ["", f"[{table}.{key}.start]", f"vp = {row['start']['vp']}"]
    return "\n".join(lines) + "\n"
