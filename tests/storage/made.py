"""Small made-up tables and runs, to test storage without playing."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from aoi_sim.storage.arrow import build_table, file_metadata
from aoi_sim.storage.manifest import chunk_entry, counts_of, schema_versions, write_manifest
from aoi_sim.storage.schemas import SCHEMAS, TABLE_NAMES, Column
from aoi_sim.storage.writer import Part, chunk_files, write_files

WORDS = ("lake", "moles", "felines", "steel", "3-5")
N_SEATS = 4


def value(column: Column, random: Random) -> Any:
    if column.nullable and random.random() < 0.2:
        return None
    if column.name == "what":
        return f"{random.choice(WORDS)} {random.choice(('-', 'terrain/lake'))} {random.randrange(9)} {random.randrange(-3, 4)}"
    return {
        "key": random.choice(WORDS),
        "text": f"text {random.randrange(5)}",
        "keys": random.sample(WORDS, random.randrange(4)),
        "ints": [random.randrange(2**62) for _ in range(random.randrange(3))],
        "float64": random.random(),
    }.get(column.type, random.randrange(100))


def made_columns(name: str, n_rows: int, seed: int = 1) -> dict[str, list[Any]]:
    random = Random(seed)
    return {column.name: [value(column, random) for _ in range(n_rows)] for column in SCHEMAS[name].stored}


def as_users_get_it(name: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of files as rows of the table: word by word, the slow way."""
    if name != "events":
        return list(rows)
    made = []
    decisions: Counter[int] = Counter()
    actions: dict[int, str] = {}
    for row in rows:
        game = row["game_index"]
        if row["action"] is not None:
            decisions[game] += 1
            actions[game] = row["action"]
        event, subject, amount, vp = row["what"].split()
        unpacked = {
            **row,
            "decision": decisions[game] - 1,
            "action": actions.get(game),
            "event": event,
            "subject": None if subject == "-" else subject,
            "amount": int(amount),
            "vp": int(vp),
        }
        made.append({column.name: unpacked[column.name] for column in SCHEMAS[name].columns})
    return made


def made_chunk(games: range, seed: int) -> dict[str, Any]:
    """Tables of a chunk; seats and games fit together."""
    sizes = {"games": len(games), "seats": N_SEATS * len(games), "rounds": 9, "offers": 7, "events": 30}
    tables = {}
    for name in TABLE_NAMES:
        columns = made_columns(name, sizes[name], seed)
        if name == "games":
            columns["game_index"] = list(games)
            columns["block"] = [game // 2 for game in games]
            columns["level"] = [None] * len(games)
            columns["status"] = ["finished"] * len(games)
        if name == "events":
            columns["game_index"] = sorted(Random(seed).choice(games) for _ in range(30))
            columns["sequence"] = [
                columns["game_index"][:k].count(game) for k, game in enumerate(columns["game_index"])
            ]
        if name == "seats":
            columns["game_index"] = [game for game in games for _ in range(N_SEATS)]
            columns["seat"] = list(range(N_SEATS)) * len(games)
        tables[name] = build_table(name, columns, file_metadata(name, "1.2 feed", "beef"))
    return tables


def write_chunk(folder: Path, chunk: int, tables: dict[str, Any]) -> list[Part]:
    """Write the tables of a chunk as a worker does; its parts in the order of the tables."""
    files = chunk_files(chunk, tables)
    write_files(folder, [(part.path, content) for part, content in files])
    return sorted((part for part, _ in files), key=lambda part: TABLE_NAMES.index(part.table))


def made_run(folder: Path, n_games: int = 6, chunk: int = 3) -> dict[str, list[Part]]:
    """A finished run in the folder."""
    folder.mkdir(exist_ok=True)
    entries, parts = [], []
    for number, first in enumerate(range(0, n_games, chunk)):
        games = range(first, min(first + chunk, n_games))
        written = write_chunk(folder, number, made_chunk(games, number))
        entries.append(chunk_entry(number, games, written))
        parts += written
    manifest = {
        "config": {
            "n_games": n_games,
            "n_players": N_SEATS,
            "seed": 7,
            "design": "balanced",
            "heuristics": ["random"],
            "events": "full",
        },
        "rules": {"edition": "1.2", "hash": "feed", "options": {}, "overlays": []},
        "seed": 7,
        "heuristics": [],
        "versions": {},
        "build": "pure",
        "schemas": schema_versions(TABLE_NAMES),
        "plan_hash": "beef",
        "chunks": entries,
        "counts": counts_of(entries, TABLE_NAMES),
        "jobs": 1,
        "wall_seconds": 1.0,
    }
    write_manifest(folder, manifest)
    return {name: [part for part in parts if part.table == name] for name in TABLE_NAMES}
