"""Checks of what stands in the tables of a chunk: every row there, in order, and the tables true to each other.

They need no rules: sums, counts and ranks that hold for every game. Whether a game was played by the rules is found by
playing it again (``aoi_sim.sim.verify``).
"""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from aoi_sim.storage.findings import RESTORE, Finding
from aoi_sim.storage.manifest_checks import names_of

Tables = Mapping[str, pl.DataFrame]
Wrong = tuple[str, str, pl.DataFrame]
"""What is wrong, in which table, and the rows it is wrong in."""


def content_findings(manifest: Mapping[str, Any], entry: Mapping[str, Any], tables: Tables) -> Iterator[Finding]:
    """What is wrong in the tables of a chunk.

    Args:
        manifest: of the run.
        entry: the chunk as the manifest lists it.
        tables: the chunk's tables, of the present schema versions.
    """
    first, n_games = entry["first_game"], entry["n_games"]
    index = pl.Series("game_index", range(first, first + n_games), dtype=pl.Int32)
    paths = {name: file["path"] for name, file in entry["files"].items()}
    games = tables["games"]
    if not games["game_index"].equals(index):
        what = f"rows are not games {first} to {first + n_games - 1} in order{_missing(index, games['game_index'])}"
        yield Finding(what, paths["games"], RESTORE)
        return
    for what, name, rows in _wrong_rows(manifest, tables):
        if len(rows):
            indices = rows["game_index"].unique(maintain_order=True)
            more = f" and {len(indices) - 1} more" if len(indices) > 1 else ""
            yield Finding(f"{what} (game {indices[0]}{more})", paths[name], RESTORE)


def _missing(expected: pl.Series, found: pl.Series) -> str:
    missing = expected.filter(~expected.is_in(found.implode()))
    return f" (game {missing[0]} is missing)" if len(missing) else ""


def _wrong_rows(manifest: Mapping[str, Any], tables: Tables) -> Iterator[Wrong]:
    yield from _wrong_games(manifest, tables)
    yield from _wrong_seats(manifest, tables)
    yield from _wrong_rounds(tables)
    yield from _wrong_offers(tables)
    if "events" in tables:
        yield from _wrong_events(tables)


def _wrong_games(manifest: Mapping[str, Any], tables: Tables) -> Iterator[Wrong]:
    games, config = tables["games"], manifest["config"]
    game_id = pl.concat_str(pl.lit(f"{manifest['plan_hash']}-"), pl.col("game_index").cast(pl.String))
    yield "game_id is not plan hash and game_index", "games", games.filter(pl.col("game_id") != game_id)
    wrong = pl.col("n_players") != config["n_players"]
    for name in ("design", "setup"):
        wrong |= pl.col(name).cast(pl.String) != config[name]
    yield "n_players, design or setup is not that of config", "games", games.filter(wrong)
    finished = pl.col("status").cast(pl.String) == "finished"
    ended = pl.col("final_hash").is_not_null() & pl.col("error").is_null() & (pl.col("winners").list.len() > 0)
    yield "status does not fit error, winners and final_hash", "games", games.filter(finished != ended)


def _wrong_seats(manifest: Mapping[str, Any], tables: Tables) -> Iterator[Wrong]:
    seats, n_players = tables["seats"], manifest["config"]["n_players"]
    expected = _finished(tables).join(pl.DataFrame({"seat": pl.Series(range(n_players), dtype=pl.Int8)}), how="cross")
    yield "rows are not all seats of every finished game in order", "seats", _unlike(expected, seats)
    sources = pl.sum_horizontal(name for name in seats.columns if name.startswith("vp_from_"))
    yield "vp is not the sum of vp_from_*", "seats", seats.filter(pl.col("vp") != sources)
    best = pl.col("vp").max().over("game_index")
    winners = (pl.col("vp") == best).sum().over("game_index")
    rank = pl.col("vp").rank("min", descending=True).over("game_index")
    share = pl.when(pl.col("vp") == best).then(1 / winners).otherwise(0.0)
    yield "rank does not follow from vp", "seats", seats.filter(pl.col("rank") != rank)
    yield "win_share does not follow from vp", "seats", seats.filter((pl.col("win_share") - share).abs() > 1e-12)
    strange = ~pl.col("heuristic").cast(pl.String).is_in(names_of(manifest["config"]))
    yield "heuristic is not one of config", "seats", seats.filter(strange)
    won = seats.filter(pl.col("vp") == best).group_by("game_index", maintain_order=True).agg(won=pl.col("seat"))
    games = tables["games"].join(won, on="game_index", maintain_order="left")
    winners_cast = pl.col("winners").cast(pl.List(pl.Int64)) != pl.col("won").cast(pl.List(pl.Int64))
    yield "winners are not the seats with the most vp", "games", games.filter(winners_cast)


def _wrong_rounds(tables: Tables) -> Iterator[Wrong]:
    rounds, seats = tables["rounds"], tables["seats"]
    n_rounds = pl.DataFrame({"round": rounds["round"].unique().sort()})
    by_seat = seats.select("game_index", "seat")
    expected = _finished(tables).join(n_rounds, how="cross").join(by_seat, on="game_index", maintain_order="left")
    yield "rows are not all rounds and seats of every finished game in order", "rounds", _unlike(expected, rounds)
    for name in ("place", "next_place"):
        order = pl.col(name).sort().over("game_index", "round", mapping_strategy="explode")
        places = rounds.select("game_index", "seat", order)
        yield f"{name} is no order of the seats", "rounds", places.filter(pl.col(name) != pl.col("seat"))
    final = pl.col("vp") - pl.sum_horizontal(f"vp_from_{name}" for name in ("area", "science", "resources"))
    last = rounds.filter(pl.col("round") == pl.col("round").max()).select("game_index", "seat", round_vp="vp")
    joined = seats.join(last, on=["game_index", "seat"], maintain_order="left")
    yield (
        "vp of the last round and the final scoring are not vp of seats",
        "rounds",
        joined.filter(pl.col("round_vp") != final),
    )


def _wrong_offers(tables: Tables) -> Iterator[Wrong]:
    offers, seats = tables["offers"], tables["seats"]
    yield "games are out of order or not finished", "offers", _strangers(offers, tables)
    yield "sequence does not count from 0", "offers", _unnumbered(offers)
    taken = pl.col("taken").cast(pl.String)
    open_ = pl.col("open").cast(pl.List(pl.String))
    yield "taken is not among open", "offers", offers.filter(~open_.list.contains(taken))
    is_power = pl.col("pick").cast(pl.String) == "power"
    counts = (
        offers.filter(is_power)
        .group_by("game_index", "seat", maintain_order=True)
        .agg(
            asked=pl.len(),
            accepted=pl.col("power").filter(taken == "accept").sum(),
            declined=pl.col("power").filter(taken == "decline").sum(),
        )
    )
    joined = seats.join(counts, on=["game_index", "seat"], how="left", maintain_order="left")
    wrong = pl.lit(value=False)
    for name, count in (("power_offers", "asked"), ("power_taken", "accepted"), ("power_declined", "declined")):
        wrong |= pl.col(name) != pl.col(count).fill_null(0)
    yield "power_offers, power_taken or power_declined of seats is not what was picked", "offers", joined.filter(wrong)


def _wrong_events(tables: Tables) -> Iterator[Wrong]:
    events, seats = tables["events"], tables["seats"]
    yield "games are out of order or not finished", "events", _strangers(events, tables)
    yield "sequence does not count from 0", "events", _unnumbered(events)
    wordless = pl.any_horizontal(pl.col("event", "amount", "vp").is_null())
    yield "what is not event, subject, amount and vp", "events", events.filter(wordless)
    decisions = (
        events.filter(pl.col("decision") >= 0)
        .group_by("game_index", maintain_order=True)
        .agg(
            found=pl.col("decision").n_unique(),
            last=pl.col("decision").max(),
            back=(pl.col("decision").diff() < 0).any(),
            words=pl.struct("decision", "action").n_unique(),
        )
    )
    games = _finished(tables, "n_decisions").join(decisions, on="game_index", how="left", maintain_order="left")
    n = pl.col("n_decisions")
    complete = (pl.col("found") == n) & (pl.col("words") == n) & (pl.col("last") == n - 1) & ~pl.col("back")
    yield "not all decisions are there, once and in order", "events", games.filter(~complete.fill_null(value=False))
    vp = events.group_by("game_index", "seat", maintain_order=True).agg(sum_vp=pl.col("vp").sum())
    joined = seats.join(vp, on=["game_index", "seat"], how="left", maintain_order="left")
    yield (
        "vp of the events does not add up to vp of seats",
        "events",
        joined.filter(pl.col("vp") != pl.col("sum_vp").fill_null(0)),
    )


def _finished(tables: Tables, *columns: str) -> pl.DataFrame:
    finished = pl.col("status").cast(pl.String) == "finished"
    return tables["games"].filter(finished).select("game_index", *columns)


def _unlike(expected: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """The first row in which a table has other keys than it should; no row if it has them all in order."""
    keys = found.select(expected.columns)
    if keys.equals(expected):
        return keys.clear()
    n = min(len(keys), len(expected))
    differs = pl.any_horizontal(
        [pl.Series(keys[name].head(n).to_physical() != expected[name].head(n)) for name in keys.columns]
    )
    place = keys.head(n).select(pl.arg_where(differs)).to_series()
    if len(place):
        return expected[int(place[0]) : int(place[0]) + 1]
    return (keys if len(keys) > n else expected)[n : n + 1]


def _strangers(rows: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    known = _finished(tables)["game_index"].implode()
    back = pl.col("game_index").diff() < 0
    return rows.filter(back.fill_null(value=False) | ~pl.col("game_index").is_in(known))


def _unnumbered(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("sequence") != pl.int_range(pl.len()).over("game_index"))
