"""The whole table as plain text."""

from collections.abc import Mapping
from typing import Any

from .svg_seats import seat_facts
from .svg_shared import setup_lines
from .view import DISCIPLINES, Cell, View

CELL = 8
MARKS = {"workshop": "w", "guild": "g", "school": "s", "university": "u", "palace": "p", "tower": "t", "monument": "m"}


def table_text(view: View) -> str:
    """All facts of the position, section by section."""
    title, frame = view.headline()
    sections = [[title, frame, *_options(view)]]
    if view.pending_lines():
        sections.append(_section("Pending (first line first)", view.pending_lines()))
    sections.append(_section("Map", [*map_lines(view), *_map_key(view)]))
    sections.append(_section("Buildings and bridges", _pieces(view)))
    sections.append(_section("Rounds", _rounds(view)))
    sections.append(_section("Science", _science(view)))
    sections.append(_section("Actions", _actions(view)))
    sections.append(_section("Tiles on offer", _offers(view)))
    sections.extend(_seat(view, seat) for seat in range(len(view.seats)))
    return "\n\n".join("\n".join(line.rstrip() for line in lines) for lines in sections) + "\n"


def _section(heading: str, lines: list[str]) -> list[str]:
    return [heading, *("  " + line for line in lines)]


def _options(view: View) -> list[str]:
    options: Mapping[str, Any] = view.d.get("options", {})
    if not options:
        return []
    defaults = {k: v.get("default") for k, v in view.data.get("options", {}).items() if isinstance(v, Mapping)}
    changed = [f"{k} = {v}" for k, v in options.items() if k not in defaults or defaults[k] != v]
    return ["options: " + (", ".join(changed) if changed else "all default")]


def _cell_lines(view: View, cell: Cell) -> tuple[str, str]:
    """Name with terrain letter, and the building below."""
    if cell.terrain == "river":
        seat = view.river_cities().get(cell.name)
        return f"{cell.name:<3} ~", "" if seat is None else f"{seat}city"
    building = view.buildings.get(cell.name)
    below = ""
    if building:
        letter = MARKS.get(building.kind, "?")
        below = f"{building.seat}{letter.upper() if building.neutral else letter}"
        below += ("+" if building.annex else "") + ("*" if building.city else "")
    return f"{cell.name:<3} {cell.terrain[:1].upper()}", f"[{below}]" if below else ""


def map_lines(view: View) -> list[str]:
    """The hexes in rows of two lines, odd rows shifted by half a hex."""
    rows: dict[int, dict[int, Cell]] = {}
    for cell in view.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    lines: list[str] = []
    for row, cells in sorted(rows.items()):
        upper = lower = " " * (CELL // 2 if row & 1 else 0)
        for column in range(max(cells) + 1):
            above, below = _cell_lines(view, cells[column]) if column in cells else ("", "")
            upper += f"{above:<{CELL}}"
            lower += f"{below:<{CELL}}"
        lines.extend([upper, lower])
    return lines


def _map_key(view: View) -> list[str]:
    terrains = ", ".join(f"{str(t)[:1].upper()} {t}" for t in view.data.get("terrains", ()))
    pieces = ", ".join(f"{letter} {kind}" for kind, letter in MARKS.items())
    return [f"{terrains}, ~ river", f"[1g] guild of seat 1: {pieces}; capital: neutral; + annex; * in a city"]


def _pieces(view: View) -> list[str]:
    lines = [f"{b.hex}: {b.text}" for b in view.buildings.values()] or ["no buildings"]
    lines.extend(f"{a}-{b}: bridge of seat {seat}" for a, b, seat in view.built_bridges())
    lines.extend(f"{r}: river city of seat {seat}" for r, seat in view.river_cities().items())
    lines.append("free bridge places: " + (", ".join(f"{a}-{b}" for a, b in view.printed_bridges()) or "none"))
    return lines


def _rounds(view: View) -> list[str]:
    now = int(view.d.get("round", 0))
    lines = []
    for i, key in enumerate(view.d.get("round_tiles", []), start=1):
        mark = ">" if i == now else " "
        lines.append(f"{mark}{i} {key}: " + "; ".join(t for t in view.round_lines(key) if t))
    final = str(view.d.get("final_tile", ""))
    return [*lines, f" final {final}: {view.round_lines(final, 'final_tiles')[0]}"]


def _science(view: View) -> list[str]:
    heads = [f"seat {seat}" for seat in range(len(view.seats))]
    rival = view.d.get("rival")
    lines = [f"{'':<12}" + "".join(f"{h:>8}" for h in [*heads, *(["rival"] if rival else [])]) + "   scholar places"]
    for discipline in DISCIPLINES:
        levels = [s.get("science", {}).get(discipline, 0) for s in view.seats]
        if rival:
            levels.append(rival.get(discipline, 0))
        places = view.d.get("scholar_places", {}).get(discipline, [])
        shown = ", ".join(f"{p['value']} {_holder(p.get('seat'))}" for p in places)
        lines.append(f"{discipline:<12}" + "".join(f"{v:>8}" for v in levels) + f"   {shown}")
    return lines


def _holder(seat: int | str | None) -> str:
    return "free" if seat is None else f"seat {seat}" if isinstance(seat, int) else str(seat)


def _actions(view: View) -> list[str]:
    lines = []
    for kind, keys in (("power", view.data.get("power_actions", {})), ("book", view.d.get("book_actions", []))):
        used = view.d.get(f"used_{kind}_actions", [])
        for key in keys:
            cost = view.component(f"{kind}_actions", key).get("cost", "?")
            unit = "power" if kind == "power" else "book" if cost == 1 else "books"
            mark = " (used)" if key in used else ""
            lines.append(f"{kind} {key}: {cost} {unit}: {view.effect(f'{kind}_actions', key)}{mark}")
    return lines


def _offers(view: View) -> list[str]:
    d = view.d
    lines = []
    for c in d.get("competencies", []):
        place = f"{c['discipline']}, {view.competency_place(int(c['place']))}, {c['left']} left"
        lines.append(f"competency {c['key']} ({place}): {view.effect('competencies', str(c['key']))}")
    innovations = [(str(t["key"]), str(t["column"])) for t in d.get("innovations", [])]
    lines.extend(f"innovation {key} ({column}): {view.effect('innovations', key)}" for key, column in innovations)
    lines.extend(f"palace {k}: {view.effect('palaces', str(k))}" for k in d.get("palaces", []))
    city_tiles = [(str(k), int(n)) for k, n in d.get("city_tiles", {}).items()]
    lines.extend(f"city tile {k} ({n} left): {view.effect('city_tiles', k)}" for k, n in city_tiles)
    for k, n in d.get("bonus_tiles", {}).items():
        lines.append(f"bonus {k} ({n} coin{'' if n == 1 else 's'}): {view.effect('bonus_tiles', k)}")
    lines.extend(f"set-up {k}: {text}" for k, text in setup_lines(view))
    if d.get("book_supply"):
        lines.append("books in the box: " + ", ".join(f"{k} {n}" for k, n in d["book_supply"].items()))
    return lines


def _seat(view: View, seat: int) -> list[str]:
    s = view.seats[seat]
    marks = ", passed" if s.get("passed") else ""
    if view.seat_to_move() == seat:
        marks += ", to move"
    name = view.seat_name(seat)
    head = f"{name[0].upper()}{name[1:]}: {s.get('vp', 0)} VP{marks}"
    goods = ", ".join(f"{key} {s.get(key, 0)}" for key in ("coins", "tools", "scholars", "keys", "annexes"))
    books = ", ".join(f"{d} {s.get('books', {}).get(d, 0)}" for d in DISCIPLINES)
    bowls = " ".join(str(n) for n in s.get("bowls", []))
    lines = [goods, f"books: {books}", f"bowls I II III: {bowls}"]
    lines.extend(f"{label}: {text}" for label, text in seat_facts(view, seat))
    return _section(head, lines)
