"""Example games of a faction, told round by round from the stored decisions."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from aoi_sim.report.sentences import vp
from aoi_sim.report.study import Study

_SMALL = ("accept", "convert", "decline", "end", "sacrifice")
_KINDS = ("its best win", "a typical win", "a typical loss")


def example_games(study: Study, faction: str) -> Iterator[tuple[str, list[str]]]:
    """Up to three games: heading, and a line a round with the decisions of the seat.

    Args:
        study: a run with the table ``events``.
        faction: whose games.
    """
    for kind, row in _chosen(study.rows.filter(pl.col("faction") == faction)):
        game, seat = int(row["game_index"]), int(row["seat"])
        heading = (
            f"Game {game}, {kind}: {vp(row['vp'], sign=False)} with {row['board']} in seat {seat}, "
            f"{vp(row['margin'])} against the table"
        )
        command = f"aoi-sim replay {study.run.path} --game {game} --html game-{game}.html"
        yield heading, [*_told(study, game, seat), f"To step through it: {command}"]


def _chosen(rows: pl.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """The games with their kind; each game once."""
    rows = rows.sort(["margin", "game_index"], descending=[True, False])
    wins, losses = rows.filter(pl.col("win_share") > 0), rows.filter(pl.col("win_share") == 0)
    picks = [wins.head(1), wins.slice(len(wins) // 2, 1), losses.slice(len(losses) // 2, 1)]
    seen = set()
    for kind, pick in zip(_KINDS, picks, strict=True):
        if len(pick) and pick["game_index"].item() not in seen:
            seen.add(pick["game_index"].item())
            yield kind, pick.row(0, named=True)


def _told(study: Study, game: int, seat: int) -> Iterator[str]:
    """A line a round with its VP: decisions of the seat, without conversions, ends of turns and answers to power offers."""
    events = (
        study.source.table("events")
        .filter((pl.col("game_index") == game) & (pl.col("seat") == seat) & (pl.col("decision") >= 0))
        .select("decision", "round", pl.col("action").cast(pl.String))
        .drop_nulls("action")
        .unique("decision", keep="first", maintain_order=True)
        .sort("decision")
        .collect()
    )
    scores = dict(
        study.source.table("rounds")
        .filter((pl.col("game_index") == game) & (pl.col("seat") == seat))
        .select("round", "vp")
        .collect()
        .iter_rows()
    )
    for number, part in events.group_by("round", maintain_order=True):
        done = [
            action
            for action in part["action"].to_list()
            if not action.startswith(("convert", "accept", "decline", "burn"))
        ]
        name = "Set-up" if number[0] == 0 else f"Round {number[0]}"
        end = f" ({scores[number[0]]} VP)" if number[0] in scores else ""
        yield f"{name}{end}: {'; '.join(done) or 'nothing'}"
