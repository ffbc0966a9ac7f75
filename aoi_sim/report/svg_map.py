"""The hex map as SVG: terrain, rivers, bridges and buildings."""

import math

from .colours import TERRAIN_FILL, ink_on, seat_fill, terrain_fill
from .svg import INK, PAPER, Canvas, points, text_width
from .view import BUILDING_ORDER, Building, Cell, View

# Outlines of the pieces in a box of -1..1, y downwards.
SHAPES: dict[str, list[tuple[float, float]]] = {
    "workshop": [(-0.7, 0.75), (-0.7, -0.1), (0, -0.8), (0.7, -0.1), (0.7, 0.75)],
    "guild": [(-1, 0.75), (-1, -0.1), (-0.5, -0.7), (0, -0.1), (0.5, -0.7), (1, -0.1), (1, 0.75)],
    "school": [
        (-1, 0.75), (-1, 0), (-0.4, 0), (-0.4, -0.5), (0, -0.95), (0.4, -0.5), (0.4, 0), (1, 0), (1, 0.75),
    ],
    "university": [
        (-1, 0.75), (-1, 0.1), (-0.72, 0.1), (-0.66, -0.25), (-0.48, -0.54), (-0.25, -0.72), (0, -0.78),
        (0.25, -0.72), (0.48, -0.54), (0.66, -0.25), (0.72, 0.1), (1, 0.1), (1, 0.75),
    ],
    "palace": [
        (-1, 0.75), (-1, -0.75), (-0.6, -0.75), (-0.6, -0.35), (-0.2, -0.35), (-0.2, -0.75),
        (0.2, -0.75), (0.2, -0.35), (0.6, -0.35), (0.6, -0.75), (1, -0.75), (1, 0.75),
    ],
    "tower": [
        (-0.5, 0.85), (-0.5, -0.4), (-0.7, -0.4), (-0.7, -0.95), (-0.28, -0.95), (-0.28, -0.7),
        (0.28, -0.7), (0.28, -0.95), (0.7, -0.95), (0.7, -0.4), (0.5, -0.4), (0.5, 0.85),
    ],
    "monument": [
        (-0.85, 0.85), (-0.85, 0.45), (-0.42, 0.45), (-0.26, -0.6), (0, -0.98),
        (0.26, -0.6), (0.42, 0.45), (0.85, 0.45), (0.85, 0.85),
    ],
}  # fmt: skip
ROUND_SHAPE = [(math.cos(i * math.pi / 8), math.sin(i * math.pi / 8)) for i in range(16)]


def draw_shape(canvas: Canvas, x: float, y: float, size: float, kind: str, neutral: bool, fill: str) -> str:
    """The shape of a piece in a colour (neutral: white with a wide rim of that colour); returns the colour of its body."""
    shape = [(x + px * size, y + py * size) for px, py in SHAPES.get(kind, ROUND_SHAPE)]
    outline = points(shape)
    canvas.element("polygon", points=outline, fill="none", stroke=PAPER, stroke_width=6.5, stroke_linejoin="round")
    canvas.element(
        "polygon",
        points=outline,
        fill=fill,
        stroke=INK,
        stroke_width=4 if neutral else 2.6,
        stroke_linejoin="round",
    )
    body = fill
    if neutral:
        canvas.element("polygon", points=outline, fill=PAPER, stroke=fill, stroke_width=1.8, stroke_linejoin="round")
        body = PAPER
    canvas.element("rect", x=x - size * 0.34, y=y - size * 0.12, width=size * 0.68, height=size * 0.84, rx=2, fill=body)
    return body


def draw_annex(canvas: Canvas, x: float, y: float, size: float) -> None:
    """The annex of the piece at x, y."""
    canvas.circle(x + size * 1.02, y - size * 0.72, size * 0.42, fill=PAPER, stroke=INK, stroke_width=1.4)
    canvas.text(x + size * 1.02, y - size * 0.46, "+", size * 0.72, bold=True, anchor="middle")


def draw_piece(canvas: Canvas, x: float, y: float, size: float, building: Building, fill: str) -> None:
    """A building: its shape in the owner's colour, the seat, and its annex."""
    body = draw_shape(canvas, x, y, size, building.kind, building.neutral, fill)
    canvas.text(x, y + size * 0.58, str(building.seat), size * 0.86, bold=True, anchor="middle", fill=ink_on(body))
    if building.annex:
        draw_annex(canvas, x, y, size)


def hexagon(x: float, y: float, radius: float) -> str:
    """Corners of a hex."""
    turns = [math.pi / 6 + i * math.pi / 3 for i in range(6)]
    return points([(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns])


def draw_city_ring(canvas: Canvas, outline: str) -> None:
    """The ring around a hex of a city."""
    for colour, thick in ((INK, 5.5), ("#FFFFFF", 2.6)):
        canvas.element("polygon", points=outline, fill="none", stroke=colour, stroke_width=thick)


def map_extent(view: View) -> tuple[float, float, float]:
    """The left end of the map, how far it goes across and how far down, in hex widths."""
    x0 = min((c.x for c in view.cells), default=0.0) - 0.5
    x1 = max((c.x for c in view.cells), default=1.0) + 0.5
    y1 = max((c.y for c in view.cells), default=1.0)
    return x0, x1 - x0, y1 + 2 / math.sqrt(3)


class MapDrawing:
    """Draws the map of a view into a box of the canvas."""

    def __init__(self, canvas: Canvas, view: View, left: float, top: float, width: float, height: float) -> None:
        self.canvas = canvas
        self.view = view
        x0, across, down = map_extent(view)
        self.wide = min(width / across, height / down)
        self.radius = self.wide / math.sqrt(3)
        self.left = left + (width - self.wide * across) / 2 - x0 * self.wide
        self.top = top + (height - self.wide * down) / 2 + self.radius
        self.place = {c.name: self.centre(c) for c in view.cells}

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Centre of a cell on the canvas."""
        return self.left + cell.x * self.wide, self.top + cell.y * self.wide

    def hexagon(self, name: str, share: float = 1.0) -> str:
        """Corners of a hex, shrunk by `share`."""
        return hexagon(*self.place[name], self.radius * share)

    def draw(self) -> None:
        """Draw everything: cells below, bridges, then buildings."""
        for cell in self.view.cells:
            self._cell(cell)
        for a, b in self.view.printed_bridges():
            self._printed(a, b)
        for name, seat in self.view.river_cities().items():
            if name in self.place:
                self._river_city(name, seat)
        for building in self.view.buildings.values():
            if building.hex in self.place:
                self._building(building)
        for a, b, seat in self.view.built_bridges():
            self._bridge(a, b, seat)

    def _cell(self, cell: Cell) -> None:
        fill = terrain_fill(cell.terrain)
        river = cell.terrain == "river"
        building = self.view.buildings.get(cell.name)
        title = f"{cell.name} {cell.terrain}" + (f": {building.text}" if building else "")
        self.canvas.open(title, data_hex=cell.name, data_terrain=cell.terrain)
        outline = self.hexagon(cell.name, 0.985)
        rim = "#FFFFFF" if river else "#5D5B55"
        self.canvas.element("polygon", points=outline, fill=fill, stroke=rim, stroke_width=1)
        if cell.terrain in TERRAIN_FILL:
            self.canvas.element("polygon", points=outline, fill=f"url(#aoi-{cell.terrain})")
        x, y = self.place[cell.name]
        if river:
            self.canvas.text(x, y + 3, cell.name, 9, anchor="middle", fill="#6C8FA8")
        else:
            ink = ink_on(fill)
            self.canvas.text(x, y + self.radius * 0.68, cell.name, self.radius * 0.26, anchor="middle", fill=ink)
            self.canvas.text(
                x,
                y - self.radius * 0.54,
                cell.terrain[:1].upper(),
                self.radius * 0.27,
                anchor="middle",
                bold=True,
                fill=ink,
            )
        self.canvas.close()

    def _span(self, a: str, b: str, share: float) -> tuple[float, float, float, float]:
        """The middle part of the line between two hexes."""
        (ax, ay), (bx, by) = self.place[a], self.place[b]
        s, t = (1 - share) / 2, (1 + share) / 2
        return ax + (bx - ax) * s, ay + (by - ay) * s, ax + (bx - ax) * t, ay + (by - ay) * t

    def _printed(self, a: str, b: str) -> None:
        if a not in self.place or b not in self.place:
            return
        self.canvas.open(f"bridge place {a}-{b}", data_bridge_place=f"{a}-{b}")
        span = self._span(a, b, 0.33)
        self.canvas.line(*span, stroke="#FFFFFF", stroke_width=7, stroke_linecap="round")
        self.canvas.line(*span, stroke="#7A6A58", stroke_width=3, stroke_dasharray="3 4")
        self.canvas.close()

    def _bridge(self, a: str, b: str, seat: int) -> None:
        if a not in self.place or b not in self.place:
            return
        fill = seat_fill(self.view.seat_terrain(seat))
        self.canvas.open(f"bridge {a}-{b} of seat {seat}", data_bridge=f"{a}-{b}", data_seat=seat)
        x1, y1, x2, y2 = self._span(a, b, 0.42)
        for colour, thick in ((PAPER, 14), (INK, 11), (fill, 6.5)):
            self.canvas.line(x1, y1, x2, y2, stroke=colour, stroke_width=thick, stroke_linecap="round")
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        self._chip(x, y, seat, fill)
        self.canvas.close()

    def _chip(self, x: float, y: float, seat: int, fill: str) -> None:
        size = self.radius * 0.31
        self.canvas.circle(x, y, self.radius * 0.24, fill=fill, stroke=INK, stroke_width=1.6)
        self.canvas.text(x, y + size * 0.36, str(seat), size, bold=True, anchor="middle", fill=ink_on(fill))

    def _city_ring(self, name: str) -> None:
        draw_city_ring(self.canvas, self.hexagon(name, 0.92))

    def _river_city(self, name: str, seat: int) -> None:
        x, y = self.place[name]
        fill = seat_fill(self.view.seat_terrain(seat))
        self.canvas.open(f"city over river {name} of seat {seat}", data_river_city=name, data_seat=seat)
        self._city_ring(name)
        self._chip(x, y - self.radius * 0.35, seat, fill)
        self.canvas.close()

    def _building(self, building: Building) -> None:
        x, y = self.place[building.hex]
        marks = " ".join(m for m in ("neutral", "annex", "city") if getattr(building, m))
        self.canvas.open(
            f"{building.hex}: {building.text}",
            data_building=building.hex,
            data_kind=building.kind,
            data_seat=building.seat,
            data_marks=marks,
        )
        if building.city:
            self._city_ring(building.hex)
        fill = seat_fill(self.view.seat_terrain(building.seat))
        draw_piece(self.canvas, x, y - self.radius * 0.02, self.radius * 0.42, building, fill)
        self.canvas.close()


def draw_legend(canvas: Canvas, view: View, x: float, y: float, width: float) -> None:
    """Terrains, piece shapes and marks, in two rows."""
    terrains = [str(t) for t in view.data.get("terrains", ())]
    step = width / max(len(terrains) + 1, 1)
    for i, terrain in enumerate([*terrains, "river"]):
        left = x + i * step
        canvas.rect(left, y, 16, 16, fill=terrain_fill(terrain), stroke="#5D5B55", rx=3)
        if terrain in TERRAIN_FILL:
            canvas.rect(left, y, 16, 16, fill=f"url(#aoi-{terrain})", rx=3)
        initial = "" if terrain == "river" else f"{terrain[:1].upper()} "
        canvas.text(left + 21, y + 12, initial + terrain, 11, width=step - 24)
    marks = [*BUILDING_ORDER, "neutral", "annex", "city", "bridge place"]
    lengths = [24 + text_width(mark, 10.5) for mark in marks]
    space = (width - sum(lengths)) / (len(marks) - 1)
    for mark, length in zip(marks, lengths, strict=True):
        _legend_mark(canvas, mark, x, y + 40)
        x += length + space


def _legend_mark(canvas: Canvas, mark: str, x: float, y: float) -> None:
    if mark == "bridge place":
        canvas.line(x, y, x + 16, y, stroke="#7A6A58", stroke_width=3, stroke_dasharray="3 4")
    elif mark == "city":
        canvas.circle(x + 8, y, 8, fill="none", stroke=INK, stroke_width=4.5)
        canvas.circle(x + 8, y, 8, fill="none", stroke=PAPER, stroke_width=2)
    elif mark == "annex":
        canvas.circle(x + 8, y, 6, fill=PAPER, stroke=INK, stroke_width=1.4)
        canvas.text(x + 8, y + 4, "+", 11, bold=True, anchor="middle")
    else:
        shape = points([(x + 8 + px * 9, y + py * 9) for px, py in SHAPES.get(mark, ROUND_SHAPE)])
        neutral = mark == "neutral"
        fill, rim = (PAPER, 3.0) if neutral else ("#B9BEC6", 1.6)
        canvas.element("polygon", points=shape, fill=fill, stroke=INK, stroke_width=rim)
    canvas.text(x + 22, y + 4, mark, 10.5)
