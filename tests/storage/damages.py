"""Ways to damage a run, each with words of the finding that must name it.

A damage of the tables can be *repaired*: the manifest then has the new checksums, sizes and rows, its own checksum
included, as somebody would leave it who edits data and covers the traces.
"""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from aoi_sim.storage.manifest import checksum_of
from aoi_sim.storage.writer import parquet_bytes, part_path

Damage = Callable[[Path], None]
Change = Callable[[pl.DataFrame], pl.DataFrame]


def manifest(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return read


def write(folder: Path, content: dict[str, Any], repair: bool = True) -> None:
    if repair:
        content["checksum"] = checksum_of(content)
    (folder / "manifest.json").write_text(json.dumps(content))


def edited(change: Callable[[dict[str, Any]], Any], repair: bool = True) -> Damage:
    """The manifest changed, its checksum repaired or not."""

    def damage(folder: Path) -> None:
        content = manifest(folder)
        change(content)
        write(folder, content, repair)

    return damage


def put(table: str, chunk: int, content: bytes, folder: Path, rows: int | None = None) -> None:
    """Replace a file and repair the manifest."""
    (folder / part_path(table, chunk)).write_bytes(content)
    made = manifest(folder)
    file = made["chunks"][chunk]["files"][table]
    file |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    if rows is not None:
        made["counts"]["rows"][table] += rows - file["rows"]
        file["rows"] = rows
    write(folder, made)


def table_of(folder: Path, table: str, chunk: int) -> Any:
    return pq.read_table(folder / part_path(table, chunk))


def rewritten(table: str, change: Change, chunk: int = 0, rows: bool = True) -> Damage:
    """The rows of a file changed, everything repaired."""

    def damage(folder: Path) -> None:
        old = table_of(folder, table, chunk)
        frame = pl.from_arrow(old)
        assert isinstance(frame, pl.DataFrame)
        words = frame.with_columns(pl.selectors.categorical().cast(pl.String))
        changed = change(words)
        assert not changed.equals(words), "the damage changes nothing"
        arrays = [pa.array(changed[name].to_list(), type=old.schema.field(name).type) for name in old.schema.names]
        new = pa.Table.from_arrays(arrays, schema=old.schema)
        put(table, chunk, parquet_bytes(new), folder, len(changed) if rows else None)

    return damage


def row_with(condition: pl.Expr, **values: Any) -> Change:
    """Set values in the first row where a condition holds."""

    def change(frame: pl.DataFrame) -> pl.DataFrame:
        place = frame.select(pl.arg_where(condition)).to_series()[0]
        here = pl.int_range(pl.len()) == place
        new = {
            name: pl.when(here).then(value if isinstance(value, pl.Expr) else pl.lit(value)).otherwise(pl.col(name))
            for name, value in values.items()
        }
        return frame.with_columns(**new)

    return change


def in_file(table: str, change: Callable[[bytes], bytes]) -> Damage:
    """The bytes of a file changed, nothing repaired."""

    def damage(folder: Path) -> None:
        path = folder / part_path(table, 1)
        path.write_bytes(change(path.read_bytes()))

    return damage


def flip(content: bytes) -> bytes:
    place = len(content) // 3
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


def remove(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def add(name: str, content: bytes = b"x") -> Damage:
    def damage(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    return damage


def drop_chunk(folder: Path) -> None:
    """A chunk gone from files and manifest, all sums repaired."""
    content = manifest(folder)
    entry = content["chunks"].pop()
    content["counts"]["games"] -= entry["n_games"]
    for name, file in entry["files"].items():
        content["counts"]["rows"][name] -= file["rows"]
        (folder / file["path"]).unlink()
    write(folder, content)


def lose_chunk(folder: Path) -> None:
    for name in manifest(folder)["schemas"]:
        (folder / part_path(name, 1)).unlink()


def double_chunk(folder: Path) -> None:
    """A chunk stored a second time under a new number."""
    content = manifest(folder)
    entry = json.loads(json.dumps(content["chunks"][0])) | {"chunk": 2}
    for name, file in entry["files"].items():
        shutil.copy(folder / file["path"], folder / part_path(name, 2))
        file["path"] = part_path(name, 2)
        content["counts"]["rows"][name] += file["rows"]
    content["chunks"].append(entry)
    content["counts"]["games"] += entry["n_games"]
    write(folder, content)


def swap_chunks(folder: Path) -> None:
    """The files of two chunks under each other's names, the manifest repaired."""
    content = manifest(folder)
    one, other = content["chunks"]
    for name in content["schemas"]:
        paths = [folder / part_path(name, number) for number in (0, 1)]
        contents = [path.read_bytes() for path in paths]
        for path, new in zip(paths, reversed(contents), strict=True):
            path.write_bytes(new)
        first, second = one["files"][name], other["files"][name]
        first["path"], second["path"] = second["path"], first["path"]
    one["files"], other["files"] = other["files"], one["files"]
    write(folder, content)


def wrong_schema(folder: Path) -> None:
    old = table_of(folder, "seats", 0)
    place = old.schema.get_field_index("vp")
    new = old.set_column(place, "vp", old.column("vp").cast(pa.int64()))
    put("seats", 0, parquet_bytes(new), folder)


def missing_column(folder: Path) -> None:
    put("rounds", 0, parquet_bytes(table_of(folder, "rounds", 0).drop_columns(["coins"])), folder)


def other_plan(folder: Path) -> None:
    old = table_of(folder, "offers", 1)
    metadata = {**old.schema.metadata, b"aoi_sim.plan": b"0123456789abcdef"}
    put("offers", 1, parquet_bytes(old.replace_schema_metadata(metadata)), folder)


SPADES = pl.col("what") == "spade_used - 1 0"
DECISION = pl.col("action").is_not_null().cum_sum().over("game_index").cast(pl.Int32) - 1
DAMAGES: dict[str, tuple[Damage, str]] = {
    # files
    "flipped byte": (in_file("events", flip), "checksum differs"),
    "truncated Parquet": (in_file("rounds", lambda content: content[:-100]), "bytes, not"),
    "empty file": (in_file("seats", lambda content: b""), "empty file"),
    "grown file": (in_file("seats", lambda content: content + b"\0"), "bytes, not"),
    "no Parquet, repaired": (lambda folder: put("seats", 0, b"a,b\n1,2\n", folder), "no Parquet file"),
    "missing file": (remove("offers/part-00001.parquet"), "missing file"),
    "missing chunk": (lose_chunk, "missing file"),
    "chunk dropped, repaired": (drop_chunk, "counts.games and config.n_games"),
    "doubled chunk, repaired": (double_chunk, "chunk 2 holds other games than the plan"),
    "swapped chunks, repaired": (swap_chunks, "rows are not games 0 to 9 in order"),
    "foreign file": (add("notes.txt"), "notes.txt"),
    "foreign file in a table": (add("seats/part-00009.parquet"), "part-00009"),
    "left by a stopped run": (add("seats/part-00009.parquet.unfinished"), "stopped run"),
    "file of another plan, repaired": (other_plan, "file of another run"),
    "wrong type, repaired": (wrong_schema, "columns are not those of schema version"),
    "missing column, repaired": (missing_column, "(coins)"),
    "rows not as counted": (rewritten("events", lambda frame: frame.head(-1), rows=False), "rows, the manifest says"),
    # tables, all checksums repaired
    "edited vp": (rewritten("seats", row_with(pl.col("seat") == 1, vp=pl.col("vp") + 1)), "sum of vp_from_*"),
    "edited vp and source": (
        rewritten(
            "seats",
            row_with(
                pl.col("seat") == 1, vp=pl.col("vp") + 1, vp_from_city=pl.col("vp_from_city") + 1, rank=pl.col("rank")
            ),
        ),
        "vp of the events does not add up",
    ),
    "edited rank": (rewritten("seats", row_with(pl.col("rank") == 2, rank=1)), "rank does not follow"),
    "edited win share": (rewritten("seats", row_with(pl.col("rank") == 2, win_share=0.5)), "win_share does not follow"),
    "edited winner": (rewritten("games", row_with(pl.lit(value=True), winners=[0, 1])), "winners are not"),
    "edited final hash": (
        rewritten("games", row_with(pl.lit(value=True), final_hash="0" * 32)),
        "final_hash in its row",
    ),
    "edited set-up": (rewritten("games", row_with(pl.lit(value=True), final_tile="none")), "final_tile in its row"),
    "edited seed of a game": (rewritten("games", row_with(pl.lit(value=True), setup_seed=5)), "setup_seed is not what"),
    "edited block": (rewritten("games", row_with(pl.lit(value=True), block=7)), "block is not what"),
    "edited status": (rewritten("games", row_with(pl.lit(value=True), status="failed")), "status does not fit"),
    "edited faction": (
        rewritten("seats", row_with(pl.col("seat") == 0, faction=pl.col("faction").shift(-1))),
        "faction is not what the plan says",
    ),
    "edited count": (rewritten("seats", row_with(pl.col("seat") == 0, bridges=9)), "bridges in its row"),
    "edited event": (rewritten("events", row_with(SPADES, what="spade_used - 9 0")), "amount in its row"),
    "edited vp of an event": (
        rewritten("events", row_with(SPADES, what="spade_used - 1 3")),
        "vp of the events does not add up",
    ),
    "what is no word of events": (
        rewritten("events", row_with(SPADES, what="spade")),
        "what is not event, subject, amount and vp",
    ),
    "forgotten decision": (rewritten("events", row_with(DECISION == 30, action=None)), "not all decisions are there"),
    "edited decision": (
        rewritten("events", lambda frame: frame.with_columns(action=pl.col("action").replace("pass river", "end"))),
        "stored decision",
    ),
    "edited round": (rewritten("rounds", row_with(pl.col("round") == 3, coins=99)), "coins in its row"),
    "edited pick": (rewritten("offers", row_with(pl.lit(value=True), taken="nothing")), "taken is not among open"),
    "deleted game": (
        rewritten("games", lambda frame: frame.filter(pl.col("game_index") != 3)),
        "game 3 is missing",
    ),
    "deleted seat": (rewritten("seats", lambda frame: frame[1:]), "not all seats"),
    "deleted round": (rewritten("rounds", lambda frame: frame[:-1]), "not all rounds"),
    "deleted event": (
        rewritten("events", lambda frame: frame.filter(~((pl.col("game_index") == 2) & (pl.col("sequence") == 30)))),
        "sequence does not count",
    ),
    "deleted last decisions": (
        rewritten("events", lambda frame: frame.filter((pl.col("game_index") != 2) | (DECISION < 30))),
        "not all decisions are there",
    ),
    "doubled game": (rewritten("games", lambda frame: pl.concat([frame[:1], frame])), "rows are not games 0 to 9"),
    "rows out of order": (rewritten("seats", lambda frame: frame.reverse()), "not all seats"),
    "events out of order": (rewritten("events", lambda frame: frame.reverse()), "out of order"),
    # manifest
    "manifest edited": (edited(lambda m: m.update(wall_seconds=1.0), repair=False), "manifest was changed"),
    "build edited": (edited(lambda m: m.update(build="compiled?"), repair=False), "manifest was changed"),
    "manifest checksum gone": (edited(lambda m: m.pop("checksum"), repair=False), "manifest was changed"),
    "manifest cut": (
        lambda folder: (folder / "manifest.json").write_text((folder / "manifest.json").read_text()[:-40]) and None,
        "damaged manifest",
    ),
    "manifest gone": (remove("manifest.json"), "no manifest.json"),
    "key gone": (edited(lambda m: m.pop("versions")), "versions should be"),
    "inner key gone": (edited(lambda m: m["config"].pop("n_players")), "config.n_players should be"),
    "inner key of a wrong kind": (edited(lambda m: m["chunks"][1].update(n_games="ten")), "chunks[1].n_games"),
    "changed seed": (edited(lambda m: m.update(seed=99)), "seed and config.seed"),
    "changed seed twice": (
        edited(lambda m: (m.update(seed=99), m["config"].update(seed=99))),
        "the manifest was changed",
    ),
    "changed design": (edited(lambda m: m["config"].update(design="random")), "the manifest was changed"),
    "impossible config": (edited(lambda m: m["config"].update(map="moon")), "config damaged"),
    "changed plan hash": (edited(lambda m: m.update(plan_hash="0" * 16)), "file of another run"),
    "changed edition": (edited(lambda m: m["rules"].update(edition="1.0")), "rules have changed"),
    "changed option": (
        edited(lambda m: m["rules"]["options"].update(setup="draft")),
        "rules have changed",
    ),
    "changed overlay": (
        edited(lambda m: m["rules"]["overlays"].append('{"factions": {"moles": {"start": {"coins": 3}}}}')),
        "rules have changed",
    ),
    "broken overlay": (edited(lambda m: m["rules"]["overlays"].append("{factions")), "rules or config damaged"),
    "changed rules hash": (edited(lambda m: m["rules"].update(hash="0" * 16)), "rules have changed"),
    "changed heuristic": (
        edited(lambda m: m["heuristics"][0].update(content=m["heuristics"][0]["content"].replace("1", "2", 1))),
        "content of heuristic",
    ),
    "changed verdict": (edited(lambda m: m["trust"][0].update(verdict="suspicious")), "trust check failures is ok"),
    "trust checks broken": (edited(lambda m: m.update(trust=[1])), "trust[0] should be"),
    "changed heuristic name": (edited(lambda m: m["heuristics"][0].update(name="other")), "config.heuristics"),
    "changed count of failures": (edited(lambda m: m["counts"].update(failed=3)), "counts.failed"),
    "changed count of rows": (edited(lambda m: m["counts"]["rows"].update(seats=3)), "counts.rows"),
    "changed schema version": (edited(lambda m: m["schemas"].update(seats=99)), "schema version 99"),
    "changed path": (
        edited(lambda m: m["chunks"][0]["files"]["seats"].update(path="seats/../games/part-00000.parquet")),
        "points to",
    ),
    "changed borders": (edited(lambda m: m["chunks"][0].update(n_games=9)), "games of the chunks and counts.games"),
}
