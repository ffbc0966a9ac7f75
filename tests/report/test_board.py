"""The drawings of the table: nothing of the position is missing, and the SVG is well-formed."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from aoi_sim.report.board import draw_svg, draw_text
from aoi_sim.rules import load_ruleset
from tests.report.sample_table import DISCIPLINES, sample_table

TABLES = [(2, "1-3"), (3, "1-3"), (3, "3-5"), (4, "3-5"), (5, "3-5")]
SVG = "{http://www.w3.org/2000/svg}"


def tagged(svg: str, attribute: str) -> dict[str, ET.Element]:
    """The elements that have an attribute, by its value."""
    return {e.get(attribute, ""): e for e in ET.fromstring(svg).iter() if e.get(attribute) is not None}


def texts(svg: str) -> list[str]:
    """All texts that are shown."""
    return ["".join(t for t in e.itertext()) for e in ET.fromstring(svg).iter(f"{SVG}text")]


def building(value: Any) -> dict[str, Any]:
    """A building in its long form."""
    return {"kind": value} if isinstance(value, str) else value


@pytest.mark.parametrize(("n_players", "side"), TABLES)
def test_svg_draws_every_hex_with_its_terrain(n_players: int, side: str) -> None:
    table = sample_table(n_players, side)
    hexes = tagged(draw_svg(table), "data-hex")
    land = {name: e.get("data-terrain") for name, e in hexes.items() if e.get("data-terrain") != "river"}
    assert land == table["terrain"]
    printed = " ".join(load_ruleset().data["maps"][side]["rows"]).split()
    assert len(hexes) - len(land) == printed.count(".")


@pytest.mark.parametrize(("n_players", "side"), TABLES)
def test_svg_draws_every_building_and_bridge(n_players: int, side: str) -> None:
    table = sample_table(n_players, side)
    svg = draw_svg(table)
    drawn = tagged(svg, "data-building")
    expected = {h: (seat, building(b)) for seat, s in enumerate(table["seats"]) for h, b in s["buildings"].items()}
    assert drawn.keys() == expected.keys()
    for h, (seat, b) in expected.items():
        marks = " ".join(m for m in ("neutral", "annex", "city") if b.get(m))
        element = drawn[h]
        assert (element.get("data-seat"), element.get("data-kind"), element.get("data-marks")) == (
            str(seat),
            b["kind"],
            marks,
        )
    built = {f"{a}-{b}" for a, b, _ in table["bridges"]}
    assert tagged(svg, "data-bridge").keys() == built
    printed = {f"{a}-{b}" for a, b in load_ruleset().data["maps"][side]["bridges"]}
    assert tagged(svg, "data-bridge-place").keys() == printed - built
    assert len(tagged(svg, "data-river-city")) == 1


@pytest.mark.parametrize(("n_players", "side"), TABLES)
def test_svg_shows_tiles_actions_and_seats(n_players: int, side: str) -> None:
    table = sample_table(n_players, side)
    svg = draw_svg(table)
    tiles = tagged(svg, "data-tile")
    assert {f"competencies/{c['key']}" for c in table["competencies"]} <= tiles.keys()
    assert {f"innovations/{t['key']}" for t in table["innovations"]} <= tiles.keys()
    used = {key for key, e in tagged(svg, "data-action").items() if e.get("data-used") == "true"}
    assert used == {"power/spade", "power/coins", "book/guild"}
    assert set(tagged(svg, "data-round-tile")) == {*table["round_tiles"], table["final_tile"]}
    assert len(tagged(svg, "data-seat-panel")) == n_players
    shown = texts(svg)
    for s in table["seats"]:
        assert {s["faction"], f"{s['vp']} VP", str(s["coins"]), str(s["tools"])} <= set(shown)
    assert any(line.startswith("to decide: spades: seat 1, free 2") for line in shown)


@pytest.mark.parametrize(("n_players", "side"), TABLES)
def test_svg_is_self_contained_and_stays_within_its_frame(n_players: int, side: str) -> None:
    svg = draw_svg(sample_table(n_players, side))
    root = ET.fromstring(svg)
    assert not re.findall(r'(?:href|src)="', svg)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    for element in root.iter():
        for key, limit in (("x", width), ("y", height), ("cx", width), ("cy", height)):
            assert -1 <= float(element.get(key, "0")) <= limit
    uses = set(re.findall(r"url\(#([^)]+)\)", svg))
    assert uses <= {e.get("id") for e in root.iter()}


def shown_boxes(svg: str) -> list[tuple[float, float, float, float, str]]:
    """Boxes of all texts, from a narrow estimate of their width."""
    boxes = []
    for e in ET.fromstring(svg).iter(f"{SVG}text"):
        size, x, y = float(e.get("font-size", "0")), float(e.get("x", "0")), float(e.get("y", "0"))
        title = e.find(f"{SVG}title")
        text = (e.text or "") if title is None else (title.tail or "")
        wide = len(text) * size * 0.45
        left = x - wide / 2 if e.get("text-anchor") == "middle" else x - wide if e.get("text-anchor") == "end" else x
        boxes.append((left, y - size * 0.7, left + wide, y, text))
    return boxes


def overlapping_texts(svg: str) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes overlap."""
    found = []
    boxes = shown_boxes(svg)
    for k, (x1, y1, x2, y2, text) in enumerate(boxes):
        for p1, q1, p2, q2, other in boxes[k + 1 :]:
            if x1 < p2 and p1 < x2 and y1 < q2 and q1 < y2:
                found.append((text, other))
    return found


@pytest.mark.parametrize(("n_players", "side"), TABLES)
def test_no_two_texts_overlap(n_players: int, side: str) -> None:
    assert not overlapping_texts(draw_svg(sample_table(n_players, side)))


def test_text_that_needs_escaping_is_escaped() -> None:
    table = sample_table()
    table["seats"][0]["faction"] = 'R&D <"guild">'
    assert 'R&D <"guild">' in texts(draw_svg(table))


@pytest.mark.parametrize(("n_players", "side"), TABLES)
def test_text_lists_every_fact(n_players: int, side: str) -> None:
    table = sample_table(n_players, side)
    text = draw_text(table)
    expected = [*table["round_tiles"], table["final_tile"], *table["city_tiles"], *table["bonus_tiles"]]
    expected += [f"palace {k}: " for k in table["palaces"]]
    expected += [f"competency {c['key']} ({c['discipline']}" for c in table["competencies"]]
    expected += [f"innovation {t['key']} ({t['column']})" for t in table["innovations"]]
    expected += [f"{a}-{b}: bridge of seat {seat}" for a, b, seat in table["bridges"]]
    expected += ["power spade: 4 power: 1 spade (used)", "power tools: 4 power: 2 tools", "book guild: 2 books"]
    expected += ["bonus power (3 coins)", "city tile coins (0 left)", "edition 1.2", f"map {side}", "Round 3 of 6"]
    expected += ["book_supply = limited", "books in the box: banking 9, law 10, engineering 11, medicine 12"]
    expected += ["passed, next order 1", "river city of seat 1", "offer waiting: seat 0, power 3, builder 1, hex F5"]
    if n_players == 2:
        expected += ["area tile 13", "rival"]
    missing = [e for e in expected if e not in text]
    assert not missing
    for h in table["terrain"]:
        assert re.search(rf"\b{h}\b", text)


def test_text_shows_every_part_of_a_seat() -> None:
    table = sample_table(4)
    seats = draw_text(table).split("\nSeat ")[1:]
    assert len(seats) == 4
    for seat, (s, text) in enumerate(zip(table["seats"], seats, strict=True)):
        assert text.startswith(f"{seat} ({s['faction']}, {s['board']}): {s['vp']} VP")
        assert ("passed" in text.splitlines()[0]) == s["passed"]
        goods = f"coins {s['coins']}, tools {s['tools']}, scholars {s['scholars']}, keys {s['keys']}"
        assert goods in text
        assert "books: " + ", ".join(f"{d} {s['books'][d]}" for d in DISCIPLINES) in text
        assert "bowls I II III: " + " ".join(str(n) for n in s["bowls"]) in text
        assert f"sailing {s['sailing']}, terraforming {s['terraforming']}" in text
        for label, key in (("competency", "competencies"), ("innovation", "innovations")):
            assert all(f"{label}: {k}: " in text for k in s[key])
        assert f"palace: {s['palace']}{'' if s['palace_built'] else ' (not built)'}: " in text
        assert f"bonus: {s['bonus']}: " in text
    assert "VP from: start 20, round tile 6, city 5, power -1, competency 3" in seats[1]


def test_text_lists_buildings_with_their_marks() -> None:
    table = sample_table(4)
    text = draw_text(table)
    for seat, s in enumerate(table["seats"]):
        for h, value in s["buildings"].items():
            b = building(value)
            marks = "".join(f", {m}" for m in ("annex", "city") if b.get(m))
            neutral = "neutral " if b.get("neutral") else ""
            assert f"{h}: {neutral}{b['kind']} of seat {seat}{marks}\n" in text


def test_setup_is_drawn_before_anybody_has_a_board() -> None:
    table = sample_table(4)
    for s in table["seats"]:
        s.update(faction=None, board=None, palace=None, bonus=None, buildings={})
    table.update(phase="bundle", round=0, stage="", queue=[3, 2, 1, 0], pending=[], offers=[], bridges=[])
    table["bundles"] = [{"board": "lake", "faction": "moles", "bonus": "river"}]
    svg, text = draw_svg(table), draw_text(table)
    assert "no faction yet" in texts(svg)
    assert "set-up lake: moles, river" in text
    assert "Set-up · bundle · seat 3 to move" in text
    table.update(bundles=[], draft_boards=["lake", "swamp"], draft_factions=["omar"], phase="draft")
    assert "set-up boards: lake, swamp" in draw_text(table)


def test_a_finished_game_has_nobody_to_move() -> None:
    table = sample_table(4)
    table.update(phase="over", round=6, stage="", pending=[], offers=[])
    text = draw_text(table)
    assert text.startswith("Round 6 of 6 · over\n")
    assert "to move" not in text
    assert "to move" not in draw_svg(table)


def test_a_terrain_and_a_building_of_an_overlay_are_drawn() -> None:
    table = sample_table(4)
    table["terrain"]["A5"] = "glacier"
    table["seats"][0]["buildings"]["A5"] = "harbour"
    svg = draw_svg(table)
    assert tagged(svg, "data-hex")["A5"].get("data-terrain") == "glacier"
    assert tagged(svg, "data-building")["A5"].get("data-kind") == "harbour"
    assert "A5: harbour of seat 0" in draw_text(table)


def test_the_map_falls_back_to_the_terrain_when_the_rules_do_not_know_it() -> None:
    table = sample_table(4)
    table["map"] = "islands"
    assert set(tagged(draw_svg(table), "data-hex")) == set(table["terrain"])
