"""The data against facts counted and copied by hand: maps by number of hexes, tables by those of docs/rules.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from aoi_sim.rules import describe, load_ruleset

SPECIFICATION = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")

# Letter: number on the 3-5 side, number on the 1-3 side.
HEXES = {
    "D": (11, 9),
    "P": (12, 8),
    "S": (12, 8),
    "L": (12, 8),
    "F": (11, 9),
    "M": (11, 9),
    "W": (12, 8),
    ".": (36, 30),
}


def specified(header: str) -> list[list[str]]:
    """The cells of the table of the specification that begins with `header`."""
    lines = SPECIFICATION.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(header))
    rows: list[list[str]] = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize(("side", "column"), [("3-5", 0), ("1-3", 1)])
def test_hexes_bridges_and_edges_of_both_sides(side, column):
    row = load_ruleset().data["maps"][side]
    cells = [line.split() for line in row["rows"]]
    counted = Counter(letter for line in cells for letter in line)
    expected = {letter: n[column] for letter, n in HEXES.items()}
    assert {letter: n for letter, n in counted.items() if letter != "-"} == expected
    assert {len(line) for line in cells} == {(13, 11)[column]}
    assert len(cells) == 9
    assert len(row["bridges"]) == len({frozenset(ends) for ends in row["bridges"]}) == (31, 17)[column]
    assert len(row["edge"]) == len(set(row["edge"])) == (33, 22)[column]


@pytest.mark.rule("BR-2")
@pytest.mark.parametrize("side", ["3-5", "1-3"])
def test_between_the_ends_of_a_printed_bridge_there_is_water_or_the_border(side):
    row = load_ruleset().data["maps"][side]
    land = {}
    for r, line in enumerate(row["rows"]):
        for column, letter in enumerate(line.split()):
            land[column - r // 2, r] = letter
    at = {f"{'ABCDEFGHI'[r]}{q + r // 2 + 1}": (q, r) for q, r in land}
    sides = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    for first, second in row["bridges"]:
        beside = [{(q + dq, r + dr) for dq, dr in sides} for q, r in (at[first], at[second])]
        between = beside[0] & beside[1]
        assert len(between) == 2, (first, second)
        assert all(land.get(cell, "-") in ".-" for cell in between), (first, second)


@pytest.mark.rule("SET-1")
def test_sides_by_number_of_players():
    maps = load_ruleset().data["maps"]
    assert (maps["3-5"]["players"], maps["1-3"]["players"]) == ((3, 4, 5), (2, 3))


def test_round_tiles_are_those_of_the_specification():
    described = dict(describe(load_ruleset(), "round_tiles"))
    rows = specified("| key | each time")
    assert [row[0] for row in rows] == list(described)
    for key, _, vp, bonus in rows:
        first, *_, last = [part for part in described[key].split("; ") if part != "spade tile"]
        assert first.endswith(f": {vp} VP"), key
        assert last == f"every {bonus}", key


def test_power_and_book_actions_are_those_of_the_specification():
    data = load_ruleset().data
    for table, header in (("power_actions", "| power action"), ("book_actions", "| book action")):
        costs = {row[0].replace(" ", "-"): int(row[1]) for row in specified(header)}
        assert costs == {key: row["cost"] for key, row in data[table].items()}


def test_city_tiles_are_those_of_the_specification():
    rows = specified("| city tile")
    data = load_ruleset().data["city_tiles"]
    assert {row[0]: int(row[1]) for row in rows} == {key: row["once"]["vp"] for key, row in data.items()}


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("factions", "| faction |"),
        ("boards", "| terrain |"),
        ("palaces", "| no | income"),
        ("innovations", "| key | effect"),
        ("competencies", "| no | kind"),
        ("bonus_tiles", "| key | income"),
    ],
)
def test_keys_and_order_are_those_of_the_specification(table, header):
    assert [row[0] for row in specified(header)] == list(load_ruleset().data[table])


def test_incomes_of_palaces_and_round_bonus_tiles_are_those_of_the_specification():
    units = {"power": "power", "coins": "coin", "tools": "tool", "scholars": "scholar", "books": "book of choice"}
    data = load_ruleset().data
    for table, header in (("palaces", "| no | income"), ("bonus_tiles", "| key | income")):
        for key, income, *_ in specified(header):
            wanted = set() if income == "-" else {part.strip() for part in income.split(",")}
            given = set()
            for unit, n in data[table][key].get("income", {}).items():
                plural = "s" if n > 1 and unit != "power" else ""
                given.add(f"{n} {units[unit]}{plural}")
            assert given == wanted, (table, key)
