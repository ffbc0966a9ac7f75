"""The seats as SVG: one panel a seat with resources, bowls, tracks and tiles."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .colours import DISCIPLINE_FILL, ink_on, seat_fill
from .svg import INK, LINE, PAPER, SOFT, Canvas, line_height, wrap
from .view import BUILDING_ORDER, DISCIPLINES, View

SIZE = 10.0
LABEL = 74.0
PLURALS = {"university": "universities"}


def building_counts(view: View, seat: int) -> str:
    """`3 workshops, 1 guild, 1 neutral tower`."""
    found = Counter((b.kind, b.neutral) for b in view.buildings.values() if b.seat == seat)
    order = [*BUILDING_ORDER, *sorted({k for k, _ in found} - set(BUILDING_ORDER))]
    shown = []
    for neutral in (False, True):
        for kind in order:
            n = found[kind, neutral]
            if n:
                words = kind if n == 1 else PLURALS.get(kind, kind + "s")
                shown.append(f"{n} {'neutral ' if neutral else ''}{words}")
    return ", ".join(shown) or "none"


def track_text(view: View, s: Mapping[str, Any]) -> str:
    """Sailing level and price of a spade."""
    spade_tools = view.data.get("tracks", {}).get("terraforming", {}).get("spade_tools", ())
    step = int(s.get("terraforming", 0))
    tools = spade_tools[step] if step < len(spade_tools) else 0
    price = f", {tools} tool{'' if tools == 1 else 's'} a spade" if tools else ""
    return f"sailing {s.get('sailing', 0)}, terraforming {step}{price}"


def seat_facts(view: View, seat: int) -> list[tuple[str, str]]:
    """Everything of a seat that is not drawn as a counter: label and text."""
    s = view.seats[seat]
    facts = [
        ("tracks", track_text(view, s)),
        ("supply", f"scholars {s.get('scholar_supply', 0)}, bridges {s.get('bridge_supply', 0)}"),
        ("buildings", building_counts(view, seat)),
    ]
    if s.get("annexes"):
        facts.append(("annexes", f"{s['annexes']} not placed"))
    if s.get("start_pieces"):
        facts.append(("to place", ", ".join(str(p) for p in s["start_pieces"])))
    if s.get("faction"):
        facts.append(("faction", view.effect("factions", str(s["faction"]))))
    if s.get("palace"):
        state = "" if s.get("palace_built") else " (not built)"
        facts.append(("palace", f"{s['palace']}{state}: {view.effect('palaces', str(s['palace']))}"))
    if s.get("bonus"):
        facts.append(("bonus", f"{s['bonus']}: {view.effect('bonus_tiles', str(s['bonus']))}"))
    if s.get("city_tiles"):
        facts.append(("city tiles", ", ".join(str(k) for k in s["city_tiles"])))
    facts.extend(("competency", f"{k}: {view.effect('competencies', str(k))}") for k in s.get("competencies", []))
    facts.extend(("innovation", f"{k}: {view.effect('innovations', str(k))}") for k in s.get("innovations", []))
    if s.get("used"):
        facts.append(("used", ", ".join(str(u) for u in s["used"])))
    if s.get("river_cities"):
        facts.append(("river city", ", ".join(str(r) for r in s["river_cities"])))
    sources = [f"{k.replace('_', ' ')} {v}" for k, v in s.get("vp_from", {}).items() if v]
    if sources:
        facts.append(("VP from", ", ".join(sources)))
    return facts


def _facts_height(facts: list[tuple[str, str]], width: float) -> float:
    lines = sum(max(len(wrap(text, SIZE, width - 24 - LABEL)), 1) for _, text in facts)
    return lines * line_height(SIZE) + len(facts) * 2.5


def draw_seats(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """All seats side by side; returns the height."""
    n = max(len(view.seats), 1)
    gap = 12.0
    step = (width + gap) / n
    facts = [seat_facts(view, seat) for seat in range(len(view.seats))]
    tall = 144 + max((_facts_height(f, step - gap) for f in facts), default=0.0)
    for seat, own in enumerate(facts):
        _seat_panel(canvas, view, seat, own, x + seat * step, y, step - gap, tall)
    return tall


def _seat_panel(
    canvas: Canvas, view: View, seat: int, facts: list[tuple[str, str]], x: float, y: float, width: float, tall: float
) -> None:
    s = view.seats[seat]
    fill = seat_fill(view.seat_terrain(seat))
    ink = ink_on(fill)
    to_move = view.seat_to_move() == seat
    canvas.open(data_seat_panel=seat)
    rim, thick = (INK, 2.6) if to_move else (LINE, 1.0)
    canvas.rect(x, y, width, tall, rx=8, fill=PAPER, stroke=rim, stroke_width=thick)
    canvas.rect(x + 4, y + 4, width - 8, 36, rx=6, fill=fill)
    canvas.circle(x + 23, y + 22, 12, fill=PAPER, stroke=INK, stroke_width=1.4)
    canvas.text(x + 23, y + 27, str(seat), 14, bold=True, anchor="middle")
    canvas.text(x + 42, y + 20, str(s.get("faction") or "no faction yet"), 13, bold=True, width=width - 130, fill=ink)
    marks = " · passed" if s.get("passed") else " · to move" if to_move else ""
    canvas.text(x + 42, y + 34, str(s.get("board") or "no board yet") + marks, 10.5, width=width - 130, fill=ink)
    canvas.text(x + width - 14, y + 28, f"{s.get('vp', 0)} VP", 16, bold=True, anchor="end", fill=ink)
    _counters(canvas, s, x + 12, y + 48, width - 24)
    _books_and_bowls(canvas, s, x + 12, y + 90, width - 24)
    base = y + 150
    for label, text in facts:
        canvas.text(x + 12, base, label, SIZE, fill=SOFT, width=LABEL - 6)
        after = canvas.paragraph(x + 12 + LABEL, base, text, SIZE, width - 24 - LABEL)
        base = max(after, base + line_height(SIZE)) + 2.5
    canvas.close()


def _counters(canvas: Canvas, s: Mapping[str, Any], x: float, y: float, width: float) -> None:
    """Coins, tools, scholars and keys."""
    step = width / 4
    for i, key in enumerate(("coins", "tools", "scholars", "keys")):
        left = x + i * step
        canvas.rect(left + 1, y, step - 4, 36, rx=5, fill="#F1F0EB", stroke=LINE)
        canvas.text(left + step / 2 - 1, y + 17, str(s.get(key, 0)), 15, bold=True, anchor="middle")
        canvas.text(left + step / 2 - 1, y + 30, key, 9.5, anchor="middle", fill=SOFT, width=step - 6)


def _books_and_bowls(canvas: Canvas, s: Mapping[str, Any], x: float, y: float, width: float) -> None:
    """Books by discipline as spines, power tokens as three bowls."""
    step = width / 8.4
    for i, discipline in enumerate(DISCIPLINES):
        n = s.get("books", {}).get(discipline, 0)
        fill = DISCIPLINE_FILL[discipline]
        left = x + i * step
        canvas.open(f"{n} {discipline} books")
        canvas.rect(left + 1, y, step - 4, 30, rx=3, fill=fill if n else PAPER, stroke=fill, stroke_width=1.6)
        ink = ink_on(fill) if n else SOFT
        canvas.text(left + step / 2 - 1, y + 20, str(n), 13, bold=True, anchor="middle", fill=ink)
        canvas.text(left + step / 2 - 1, y + 42, discipline[:3], 9, anchor="middle", fill=SOFT)
        canvas.close()
    left = x + 4.4 * step
    wide = (width - 4.4 * step) / 3
    for i, n in enumerate(s.get("bowls", [0, 0, 0])):
        middle = left + (i + 0.5) * wide
        canvas.open(f"bowl {'I' * (i + 1)}: {n}")
        canvas.circle(middle, y + 16, 15.5, fill="#E9E2F3" if i < 2 else "#CDBBE6", stroke="#7B5EA7", stroke_width=1.8)
        canvas.text(middle, y + 21, str(n), 13, bold=True, anchor="middle")
        canvas.text(middle, y + 42, "bowl " + "I" * (i + 1), 9, anchor="middle", fill=SOFT, width=wide)
        canvas.close()
