"""The shared parts of the table as SVG: rounds, science, actions and the tiles on offer."""

from collections.abc import Mapping, Sequence
from typing import Any

from .colours import DISCIPLINE_FILL, DISCIPLINE_TINT, ink_on, seat_fill
from .svg import GROUND, INK, LINE, PAPER, SOFT, Canvas, line_height, text_width, wrap
from .view import DISCIPLINES, View

USED_FILL = "#DCDDE0"
NOW_FILL = "#FFF3C4"
NOW_LINE = "#B98900"
ROW = 20.0
Box = tuple[float, float, float, float]  # left, top, width, height


def draw_chip(canvas: Canvas, view: View, x: float, y: float, seat: int | str, radius: float = 8.5) -> None:
    """The round marker of a seat, or of the rival."""
    number = isinstance(seat, int)
    fill = seat_fill(view.seat_terrain(int(seat))) if number else PAPER
    canvas.circle(x, y, radius, fill=fill, stroke=INK, stroke_width=1.4)
    canvas.text(
        x, y + radius * 0.42, str(seat) if number else "R", radius * 1.2, bold=True, anchor="middle", fill=ink_on(fill)
    )


def draw_rounds(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """The round tiles in a row and the final tile; returns the height."""
    tiles = list(view.d.get("round_tiles", []))
    gap = 8.0
    step = (width + gap) / (len(tiles) + 1)
    over = view.d.get("phase") == "over"
    now = len(tiles) + 1 if over else int(view.d.get("round", 0))
    height = 90.0
    for i, key in enumerate(tiles):
        past, current = i + 1 < now, i + 1 == now
        fill = USED_FILL if past else NOW_FILL if current else PAPER
        mark = " · done" if past else " · now" if current else ""
        last = i + 1 == len(tiles)
        scored, bonus = view.round_lines(key)
        if last:
            bonus = "final tile instead of a bonus"
        box = (x + i * step, y, step - gap, height)
        _round_card(canvas, box, f"Round {i + 1}{mark}", str(key), [scored, bonus], fill, current)
    final = str(view.d.get("final_tile", ""))
    box = (x + len(tiles) * step, y, step - gap, height)
    scored, _ = view.round_lines(final, "final_tiles")
    _round_card(
        canvas, box, "Final tile (last round)", final, [scored], USED_FILL if over else PAPER, now == len(tiles)
    )
    return height


def _round_card(canvas: Canvas, box: Box, heading: str, key: str, lines: list[str], fill: str, now: bool) -> None:
    x, y, w, h = box
    canvas.open(f"{heading}: {key}", data_round_tile=key)
    canvas.rect(x, y, w, h, rx=6, fill=fill, stroke=NOW_LINE if now else LINE, stroke_width=2.5 if now else 1)
    canvas.text(x + 9, y + 15, heading, 9.5, width=w - 18, fill=SOFT)
    canvas.text(x + 9, y + 30, key, 10.8, bold=True, width=w - 14)
    base = y + 45
    for text in lines:
        base = canvas.paragraph(x + 9, base, text, 9.5, w - 18, most=2 if len(lines) > 1 else 3)
    canvas.close()


def draw_science(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """Science tracks, markers and scholar places; returns the height."""
    science: dict[str, Any] = dict(view.data.get("science", {}))
    top_level = int(science.get("max", 12))
    label = 84.0
    column = (width - 24 - label) / len(DISCIPLINES)
    tall = 52 + (top_level + 1) * ROW + 46
    canvas.panel(x, y, width, tall, "Science")
    base = y + 52.0
    for i, discipline in enumerate(DISCIPLINES):
        left = x + 12 + label + i * column
        _discipline_head(canvas, discipline, left, y + 28, column)
        canvas.rect(left + 3, base, column - 6, (top_level + 1) * ROW, fill=DISCIPLINE_TINT[discipline])
    for level in range(top_level + 1):
        _science_level(canvas, view, science, level, x + 12, base + (top_level - level) * ROW, label, column)
    places = base + (top_level + 1) * ROW + 8
    canvas.text(x + 12, places + 18, "scholars", 10, fill=SOFT)
    for i, discipline in enumerate(DISCIPLINES):
        _scholar_places(canvas, view, discipline, x + 12 + label + i * column, places, column)
    return tall


def _discipline_head(canvas: Canvas, discipline: str, x: float, y: float, column: float) -> None:
    fill = DISCIPLINE_FILL[discipline]
    canvas.rect(x + 3, y, column - 6, 20, fill=fill)
    canvas.text(x + column / 2, y + 14, discipline, 11.5, bold=True, anchor="middle", fill=ink_on(fill))


def level_note(science: Mapping[str, Any], level: int) -> str:
    """What a science level brings or asks: `3 power, key`."""
    power = science.get("power", {})
    notes = [f"{power[str(level)]} power"] if str(level) in power else []
    if level == science.get("key_level"):
        notes.append("key")
    if level == science.get("income_level"):
        notes.append("income")
    return ", ".join(notes)


def _science_level(
    canvas: Canvas, view: View, science: dict[str, Any], level: int, x: float, y: float, label: float, column: float
) -> None:
    canvas.text(x + 14, y + 14, str(level), 10.5, bold=True, anchor="end" if level > 9 else "middle")
    canvas.text(x + 24, y + 14, level_note(science, level), 9.5, fill=SOFT, width=label - 26)
    canvas.line(x, y + ROW, x + label + column * len(DISCIPLINES), y + ROW, stroke=LINE, stroke_width=0.7)
    for i, discipline in enumerate(DISCIPLINES):
        markers: list[int | str] = [
            s for s, seat in enumerate(view.seats) if seat.get("science", {}).get(discipline, 0) == level
        ]
        rival = view.d.get("rival")
        if rival and rival.get(discipline) == level:
            markers.append("rival")
        step = min(19.0, (column - 6) / max(len(markers), 1))
        for k, marker in enumerate(markers):
            draw_chip(canvas, view, x + label + i * column + 13 + k * step, y + ROW / 2, marker)


def _scholar_places(canvas: Canvas, view: View, discipline: str, x: float, y: float, column: float) -> None:
    places = view.d.get("scholar_places", {}).get(discipline, [])
    step = (column - 4) / max(len(places), 1)
    for k, place in enumerate(places):
        left = x + 2 + k * step
        seat = place.get("seat")
        canvas.open(f"{discipline} place {place['value']}: {'free' if seat is None else seat}")
        canvas.rect(left + 1, y, step - 2, 28, rx=3, fill=PAPER, stroke=DISCIPLINE_FILL[discipline], stroke_width=1.4)
        if seat is None:
            canvas.text(left + step / 2, y + 19, str(place["value"]), 12, anchor="middle", fill=SOFT)
        else:
            draw_chip(canvas, view, left + step / 2, y + 14, seat)
        canvas.close()


def draw_actions(canvas: Canvas, view: View, x: float, y: float, width: float, least: float = 0) -> float:
    """Power and book actions with their marks; returns the height."""
    power = [str(k) for k in view.data.get("power_actions", {})]
    book = [str(k) for k in view.d.get("book_actions", [])]
    rows = -(-len(power) // 3)
    book_rows = -(-len(book) // 3)
    tall = max(28 + rows * 46 + 22 + book_rows * 46 + 4, least)
    canvas.panel(x, y, width, tall, "Power actions")
    _action_cards(canvas, view, "power", power, view.d.get("used_power_actions", []), x + 12, y + 28, width - 24)
    top = y + 28 + rows * 46
    canvas.text(x + 12, top + 14, "Book actions", 12.5, bold=True)
    _action_cards(canvas, view, "book", book, view.d.get("used_book_actions", []), x + 12, top + 22, width - 24)
    return tall


def _action_cards(
    canvas: Canvas, view: View, kind: str, keys: list[str], used: Sequence[str], x: float, y: float, width: float
) -> None:
    step = width / 3
    for i, key in enumerate(keys):
        left, top = x + i % 3 * step, y + i // 3 * 46
        gone = key in used
        cost = view.component(f"{kind}_actions", key).get("cost", "?")
        canvas.open(
            f"{kind} action {key}{', used' if gone else ''}", data_action=f"{kind}/{key}", data_used=str(gone).lower()
        )
        canvas.rect(left + 2, top, step - 4, 40, rx=5, fill=USED_FILL if gone else GROUND, stroke=LINE)
        canvas.circle(left + 19, top + 20, 12, fill="#7B5EA7" if kind == "power" else "#7A5A34")
        canvas.text(left + 19, top + 24.5, str(cost), 13, bold=True, anchor="middle", fill=PAPER)
        canvas.text(left + 37, top + 16, key, 11.5, bold=True, width=step - 44, fill=SOFT if gone else INK)
        if gone:
            canvas.text(left + 37, top + 31, "used", 10, fill=SOFT)
            for turn in (-1, 1):
                canvas.line(
                    left + 9, top + 20 - 12 * turn, left + 29, top + 20 + 12 * turn, stroke=INK, stroke_width=2.4
                )
        else:
            canvas.text(left + 37, top + 31, view.effect(f"{kind}_actions", key), 9.2, width=step - 41, fill=SOFT)
        canvas.close()


def draw_display(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """Competencies and innovations in the columns of their disciplines; returns the height."""
    label = 112.0
    column = (width - 24 - label) / len(DISCIPLINES)
    competencies = list(view.d.get("competencies", []))
    innovations = list(view.d.get("innovations", []))
    plain = [[t for t in innovations if t["column"] == d] for d in DISCIPLINES]
    doubles = [t for t in innovations if t["column"] not in DISCIPLINES]
    n_places = max((int(c["place"]) + 1 for c in competencies), default=0)
    n_double = max((sum(1 for t in doubles if t["column"] == c["column"]) for c in doubles), default=0)
    n_rows = n_places + max((len(c) for c in plain), default=0) + n_double
    tall = 56 + n_rows * 44 + 6
    canvas.panel(x, y, width, tall, "Competencies and innovations")
    for i, discipline in enumerate(DISCIPLINES):
        left = x + 12 + label + i * column
        _discipline_head(canvas, discipline, left, y + 28, column)
    top = y + 54
    for place in range(n_places):
        canvas.text(x + 12, top + place * 44 + 17, view.competency_place(place), 10, fill=SOFT, width=label - 8)
    for c in competencies:
        i = DISCIPLINES.index(c["discipline"])
        box = (x + 15 + label + i * column, top + int(c["place"]) * 44, column - 6, 40.0)
        tint = DISCIPLINE_TINT[c["discipline"]]
        _tile(canvas, view, "competencies", str(c["key"]), box, f"×{c['left']}", tint, c["left"] == 0)
    top += n_places * 44
    canvas.text(x + 12, top + 17, "innovations", 10, fill=SOFT)
    for i, tiles in enumerate(plain):
        for k, t in enumerate(tiles):
            box = (x + 15 + label + i * column, top + k * 44, column - 6, 40.0)
            _tile(canvas, view, "innovations", str(t["key"]), box)
    top += max((len(c) for c in plain), default=0) * 44
    for k, t in enumerate(doubles):
        first = str(t["column"]).split("+")[0]
        at = DISCIPLINES.index(first) if first in DISCIPLINES else k % 2 * 2
        row = sum(1 for other in doubles[:k] if other["column"] == t["column"])
        box = (x + 15 + label + at * column, top + row * 44, column * 2 - 6, 40.0)
        _tile(canvas, view, "innovations", str(t["key"]), box, str(t["column"]))
    return tall


def _tile(
    canvas: Canvas, view: View, table: str, key: str, box: Box, note: str = "", fill: str = GROUND, gone: bool = False
) -> None:
    """A tile on offer: key, a note at the right, and its effects in two lines."""
    x, y, w, h = box
    canvas.open(f"{table} {key}: {view.effect(table, key)}", data_tile=f"{table}/{key}")
    canvas.rect(x, y, w, h, rx=5, fill=USED_FILL if gone else fill, stroke=LINE)
    room = w - 16 - 8.5 * len(note)
    canvas.text(x + 8, y + 13, key, 10.5, bold=True, width=room)
    if note:
        canvas.text(x + w - 8, y + 13, note, 10.5, anchor="end", bold=True)
    canvas.paragraph(x + 8, y + 24.5, view.effect(table, key), 9, w - 16, most=2)
    canvas.close()


def draw_lists(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """Palaces, city tiles, round bonus tiles and what set-up still offers; returns the height."""
    d = view.d
    panels: list[tuple[str, list[tuple[str, str]]]] = [
        ("Palaces on offer", [(str(k), view.effect("palaces", str(k))) for k in d.get("palaces", [])]),
        ("City tiles left", [(f"{k} ×{n}", view.effect("city_tiles", k)) for k, n in d.get("city_tiles", {}).items()]),
        (
            "Round bonus tiles (coins)",
            [(f"{k} ({n})", view.effect("bonus_tiles", k)) for k, n in d.get("bonus_tiles", {}).items()],
        ),
    ]
    setup = setup_lines(view)
    if setup:
        panels.append(("Set-up offers", setup))
    if d.get("book_supply"):
        panels.append(("Books in the box", [(str(k), str(n)) for k, n in d["book_supply"].items()]))
    gap = 12.0
    step = (width + gap) / len(panels)
    tall = max(_entries_height(entries, step - gap) for _, entries in panels)
    for i, (heading, entries) in enumerate(panels):
        _entries(canvas, x + i * step, y, step - gap, tall, heading, entries)
    return tall


def setup_lines(view: View) -> list[tuple[str, str]]:
    """What the set-up still offers: bundles, or boards and factions of the draft."""
    d = view.d
    found = [(str(b["board"]), f"{b['faction']}, {b['bonus']}") for b in d.get("bundles", [])]
    draft = [key for key in ("draft_boards", "draft_factions") if d.get(key)]
    found.extend((key.replace("draft_", ""), ", ".join(str(k) for k in d[key])) for key in draft)
    return found


def _label_width(entries: list[tuple[str, str]]) -> float:
    return min(max((text_width(key, 10.5, bold=True) for key, _ in entries), default=0.0) + 14, 170.0)


def _entries_height(entries: list[tuple[str, str]], width: float) -> float:
    room = width - 24 - _label_width(entries)
    lines = sum(max(len(wrap(text, 10, room)), 1) for _, text in entries)
    return 34 + lines * line_height(10) + len(entries) * 5 + 4


def _entries(
    canvas: Canvas, x: float, y: float, width: float, tall: float, heading: str, entries: list[tuple[str, str]]
) -> None:
    canvas.panel(x, y, width, tall, heading)
    base = y + 38
    label = _label_width(entries)
    for key, text in entries:
        canvas.text(x + 12, base, key, 10.5, bold=True, width=label)
        base = max(canvas.paragraph(x + 12 + label, base, text, 10, width - 24 - label), base + line_height(10)) + 5
