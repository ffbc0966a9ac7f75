"""Drawings of the whole table from the dict form of a state: `draw_svg` and `draw_text`."""

from aoi_sim.rules import Ruleset

from .colours import pattern_definitions
from .svg import FONT, GROUND, INK, PAPER, SOFT, Canvas, number
from .svg_map import MapDrawing, draw_legend
from .svg_seats import draw_seats
from .svg_shared import draw_actions, draw_display, draw_lists, draw_rounds, draw_science
from .text_board import table_text
from .view import Position, View

WIDTH = 1480.0
MARGIN = 20.0
GAP = 12.0
SIDE = 540.0


def draw_text(d: Position, rules: Ruleset | None = None) -> str:
    """The whole table as plain text.

    Args:
        d: the dict form of a state, as `to_dict` gives it.
        rules: the ruleset of the state; when absent, that of its edition without overlays.
    """
    return table_text(View(d, rules))


def draw_svg(d: Position, rules: Ruleset | None = None) -> str:
    """The whole table as one self-contained SVG picture.

    Args:
        d: the dict form of a state, as `to_dict` gives it.
        rules: the ruleset of the state; when absent, that of its edition without overlays.
    """
    view = View(d, rules)
    canvas = Canvas()
    height = _draw_table(canvas, view)
    wide, tall = number(WIDTH), number(height)
    size = f'width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" style="max-width:100%;height:auto"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
    return "\n".join([head, *_background(height), *canvas.parts, "</svg>"]) + "\n"


def _background(height: float) -> list[str]:
    ground = Canvas()
    pattern_definitions(ground)
    ground.rect(0, 0, WIDTH, height, rx=0, fill=GROUND)
    return ground.parts


def _draw_table(canvas: Canvas, view: View) -> float:
    """Draw all parts from top to bottom; returns the height of the picture."""
    inner = WIDTH - 2 * MARGIN
    y = _header(canvas, view, MARGIN, 14.0, inner) + GAP
    y += draw_rounds(canvas, view, MARGIN, y, inner) + GAP
    y += _map_and_tracks(canvas, view, MARGIN, y, inner) + GAP
    y += draw_seats(canvas, view, MARGIN, y, inner) + GAP
    y += draw_display(canvas, view, MARGIN, y, inner) + GAP
    y += draw_lists(canvas, view, MARGIN, y, inner)
    return y + MARGIN


def _header(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """Headline, the frame of the game, and pending decisions; returns its lower end."""
    title, frame = view.headline()
    canvas.text(x, y + 22, title, 20, bold=True, width=width)
    canvas.text(x, y + 42, frame, 11.5, fill=SOFT, width=width)
    lines = view.pending_lines()
    if not lines:
        return y + 48
    top = y + 52
    tall = 12 + 17.0 * len(lines)
    canvas.rect(x, top, width, tall, rx=6, fill="#FFF3C4", stroke="#B98900", stroke_width=1.4)
    for i, line in enumerate(lines):
        head = "to decide: " if i == 0 and view.d.get("pending") else "then: "
        canvas.text(x + 12, top + 18 + 17 * i, head + line, 11.5, bold=i == 0, width=width - 24, fill=INK)
    return top + tall


def _map_and_tracks(canvas: Canvas, view: View, x: float, y: float, width: float) -> float:
    """The map with its legend at the left; science and actions at the right."""
    right = x + width - SIDE
    science = draw_science(canvas, view, right, y, SIDE)
    actions = draw_actions(canvas, view, right, y + science + GAP, SIDE)
    tall = science + GAP + actions
    wide = width - SIDE - GAP
    canvas.rect(x, y, wide, tall, rx=8, fill=PAPER, stroke="#C9CED6", stroke_width=1)
    MapDrawing(canvas, view, x + 12, y + 12, wide - 24, tall - 100).draw()
    draw_legend(canvas, view, x + 16, y + tall - 72, wide - 32)
    return tall
