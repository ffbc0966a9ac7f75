"""Rows come in one order every time: polars keeps none in joins and groups unless it is asked to."""

import ast
from collections.abc import Iterator
from pathlib import Path

import polars as pl

import aoi_sim
from aoi_sim.analysis.contests import seat_rows
from tests.analysis.synthetic import made_tables

SOURCES = sorted(Path(aoi_sim.__file__).parent.rglob("*.py"))


def unordered_calls(text: str) -> Iterator[int]:
    """Lines of joins and groups of frames that do not ask for an order."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = {keyword.arg for keyword in node.keywords}
            of_frames = node.func.attr == "group_by" or (node.func.attr == "join" and given & {"on", "left_on"})
            if of_frames and "maintain_order" not in given:
                yield node.lineno


def test_every_join_and_group_asks_for_its_order() -> None:
    found = [f"{path}:{line}" for path in SOURCES for line in unordered_calls(path.read_text(encoding="utf-8"))]
    assert found == []


def test_the_search_sees_what_it_must() -> None:
    assert list(unordered_calls("a.join(b, on='x')\na.group_by('x').agg()\n', '.join(words)\n")) == [1, 2]
    assert list(unordered_calls("a.join(b, on='x', maintain_order='left').group_by('x', maintain_order=True)")) == []


def test_seats_keep_their_order() -> None:
    seats, games = made_tables({"weak": 0.0, "strong": 1.0}, 3000)
    expected = seats.select("game_index", "seat").collect()
    for _ in range(5):
        assert seat_rows(seats, games).select("game_index", "seat").collect().equals(expected)


def test_polars_itself_is_asked_the_right_way() -> None:
    left = pl.LazyFrame({"x": [3, 1, 2, 3]})
    right = pl.LazyFrame({"x": [1, 2, 3], "y": [10, 20, 30]})
    assert left.join(right, on="x", maintain_order="left").collect()["y"].to_list() == [30, 10, 20, 30]
