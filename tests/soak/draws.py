"""What chance may draw in a set-up (SET-1 to SET-10, SET-17); the numbers are those of docs/rules.md, typed in again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

INNOVATIONS = {2: 6, 3: 8, 4: 10, 5: 12}
PLAIN_COLUMN = {2: 1, 3: 2, 4: 2, 5: 3}
DOUBLE_COLUMN = {2: 1, 3: 0, 4: 1, 5: 0}
PLAIN = ("banking", "law", "engineering", "medicine")
DOUBLE = ("banking+law", "engineering+medicine")


def wrong_draws(draws: Mapping[str, Any], options: Mapping[str, Any]) -> list[str]:
    """What the rules do not allow in a set-up."""
    checks = (_map, _round_tiles, _display, _palaces, _picks)
    return [f"{check.__name__[1:]}: {text}" for check in checks for text in check(draws, options)]


def _map(draws: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[str]:
    """SET-1, SET-17."""
    n = draws["n_players"]
    side = {2: "1-3", 3: options["map_3_players"]}.get(n, "3-5")
    if draws["map"] != side:
        yield f"{draws['map']} for {n} players"
    if (draws["area_tile"] in (12, 13, 14, 15)) != (n == 2):
        yield f"area tile {draws['area_tile']} for {n} players"


def _round_tiles(draws: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[str]:
    """SET-2 to SET-4."""
    tiles = draws["round_tiles"]
    if len(tiles) != 6 or len(set(tiles)) != 6:
        yield f"{tiles}"
    if "spade-engineering" in tiles[4:]:
        yield f"the spade tile in round 5 or 6: {tiles}"
    icons = Counter(key.rsplit("-", 1)[1] for key in tiles[:5])
    if max(icons.values()) > 2:
        yield f"a discipline three times in rounds 1 to 5: {tiles}"
    if draws["final_tile"].removeprefix("edge-") == tiles[5].rsplit("-", 1)[0]:
        yield f"final tile {draws['final_tile']} with {tiles[5]}"
    if len(set(draws["book_actions"])) != 3:
        yield f"book actions {draws['book_actions']}"


def _display(draws: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[str]:
    """SET-5, SET-6, INN-2."""
    n = draws["n_players"]
    rows = draws["innovations"]
    columns = Counter(row["column"] for row in rows)
    wanted = Counter({**dict.fromkeys(PLAIN, PLAIN_COLUMN[n]), **dict.fromkeys(DOUBLE, DOUBLE_COLUMN[n])})
    if len({row["key"] for row in rows}) != INNOVATIONS[n] or +columns != +wanted:
        yield f"innovations {rows}"
    places = {(row["discipline"], row["place"]) for row in draws["competencies"]}
    kinds = {row["key"] for row in draws["competencies"]}
    if places != {(d, p) for d in PLAIN for p in range(3)} or kinds != {str(k) for k in range(1, 13)}:
        yield f"competencies {draws['competencies']}"


def _palaces(draws: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[str]:
    """SET-7, SET-10."""
    n, palaces = draws["n_players"], draws["palaces"]
    dealt = [row["palace"] for row in draws.get("deal", ()) if "palace" in row]
    if draws["setup"] == "standard":
        if len(set(palaces)) != 1 + n + options["extra_palaces"] or "17" not in palaces or dealt:
            yield f"{palaces}"
    elif "17" in [*palaces, *dealt] or len({*palaces, *dealt}) != (n if "deal" in draws else n + 1):
        yield f"{palaces} {dealt}"


def _picks(draws: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[str]:
    """SET-9, SET-10: bundles, what is drafted, what is dealt; players + 3 round bonus tiles remain."""
    n = draws["n_players"]
    rows = draws.get("deal") or draws.get("bundles") or []
    for word in ("board", "faction", "bonus"):
        if len({row[word] for row in rows}) != len(rows):
            yield f"a {word} twice: {rows}"
    if len(rows) != (n if "deal" in draws else 7 if draws["setup"] == "standard" else 0):
        yield f"{len(rows)} bundles or seats: {rows}"
    free = draws["bonus_tiles"]
    if len(set(free)) != (3 if rows else n + 3) or set(free) & {row["bonus"] for row in rows}:
        yield f"round bonus tiles {free}"
    if draws["setup"] == "draft" and "deal" not in draws:
        boards, factions = draws["draft_boards"], draws["draft_factions"]
        if len(set(boards)) != 6 or len(set(factions)) != n + 1:
            yield f"draft of {boards}, {factions}"
