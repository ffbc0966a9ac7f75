"""The replay page: one HTML file that steps through a recorded game, with nothing loaded from outside."""

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from aoi_sim.engine.record import Record

from .colours import DISCIPLINE_FILL, DISCIPLINE_TINT, TERRAIN_FILL, ink_on, pattern_definitions
from .effects import component_text
from .replay_steps import Json, steps_of
from .svg import FONT, Canvas, number
from .svg_map import SHAPES, MapDrawing, draw_annex, draw_city_ring, draw_shape, hexagon, map_extent
from .svg_shared import level_note
from .view import BUILDING_ORDER, DISCIPLINES, View

MAP_WIDTH = 860.0
SCRIPTS = ("steps.js", "map.js", "seats.js", "tiles.js", "moves.js")
# Where VP come from, in groups that a bar can tell apart: name, colour (safe for the colour-blind), sources.
SOURCE_GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("start", "#BBBBBB", ("start",)),
    ("round and final tiles", "#0072B2", ("round_tile", "final_tile")),
    ("bonus tiles", "#56B4E9", ("bonus_tile",)),
    ("cities", "#D55E00", ("city",)),
    ("competencies, palace, innovations", "#E69F00", ("competency", "palace", "innovation")),
    ("faction and board", "#CC79A7", ("faction", "board")),
    ("tracks, actions", "#F0E442", ("sailing", "terraforming", "discipline", "action")),
    ("area, science, resources at the end", "#009E73", ("area", "science", "resources")),
    ("paid for power", "#000000", ("power",)),
)
TILE_TABLES = ("bonus_tiles", "book_actions", "city_tiles", "competencies", "innovations", "palaces", "power_actions")


def replay_page(record: Record, stop: int | None = None) -> str:
    """The replay page of a game as HTML.

    Args:
        record: a game record; every line of it is checked.
        stop: number of the line before which to stop; None demands a whole game.

    Raises:
        RecordError: with the line where the record and the rules part.
    """
    first, steps = steps_of(record, stop)
    view = View({**first["table"], "seats": list(first["table"]["seats"].values())}, record.rules())
    drawing, canvas = _map(view)
    names = record.header.get("heuristics", "").split()
    title = (
        f"Age of Innovation: {view.n_players} players, map {record.header['map']}, edition {record.header['edition']}"
    )
    data = {
        "first": first,
        "steps": steps,
        "heuristics": names,
        "looks": _looks(view, drawing),
        "rules": _rules(view),
        "rounds": _round_tiles(view),
        "tiles": _tile_texts(view),
    }
    return _template("replay.html").substitute(
        title=escape(title),
        style=_source("replay.css"),
        map="\n".join(canvas.parts),
        legend=_legend(),
        data=json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
        script="\n".join(_source(name) for name in SCRIPTS),
    )


def _source(name: str) -> str:
    return files("aoi_sim.report").joinpath("page", name).read_text(encoding="utf-8")


def _template(name: str) -> Template:
    return Template(_source(name))


def _map(view: View) -> tuple[MapDrawing, Canvas]:
    """The map of the first position, with the pieces defined but not placed; the script places them."""
    canvas = Canvas()
    _, across, down = map_extent(view)
    tall = MAP_WIDTH * down / across
    drawing = MapDrawing(canvas, view, 0.0, 0.0, MAP_WIDTH, tall)
    size = f'viewBox="-2 -2 {number(MAP_WIDTH + 4)} {number(tall + 4)}" font-family="{FONT}"'
    canvas.raw(f'<svg id="map" xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="map-title now">')
    canvas.raw('<title id="map-title">Map</title>')
    pattern_definitions(canvas)
    _piece_definitions(canvas, drawing.radius)
    drawing.draw()
    canvas.raw('<g id="pieces"></g></svg>')
    return drawing, canvas


def _piece_definitions(canvas: Canvas, radius: float) -> None:
    """Every piece and mark around the point 0, 0, in the colour of the text where it is used."""
    canvas.raw("<defs>")
    size = radius * 0.42
    for kind in SHAPES:
        for neutral in (False, True):
            canvas.open(id=f"piece-{kind}{'-neutral' if neutral else ''}")
            draw_shape(canvas, 0.0, 0.0, size, kind, neutral, "currentColor")
            canvas.close()
    canvas.open(id="mark-annex")
    draw_annex(canvas, 0.0, 0.0, size)
    canvas.close()
    canvas.open(id="mark-city")
    draw_city_ring(canvas, hexagon(0.0, 0.0, radius * 0.92))
    canvas.close()
    canvas.raw("</defs>")


def _legend() -> str:
    """Terrains, pieces and marks as the items of a list."""
    items = [
        f'<li><b class="swatch" style="background:{fill};color:{ink_on(fill)}">{terrain[0].upper()}</b>{terrain}</li>'
        for terrain, fill in TERRAIN_FILL.items()
    ]
    pieces = [(kind, f"piece-{kind}") for kind in BUILDING_ORDER]
    pieces += [("neutral", "piece-tower-neutral"), ("in a city", "mark-city"), ("with annex", "mark-annex")]
    for words, name in pieces:
        box = "-2 -28 34 34" if name == "mark-annex" else "-40 -40 80 80" if name == "mark-city" else "-20 -20 40 40"
        picture = f'<svg viewBox="{box}" aria-hidden="true"><use href="#{name}"/></svg>'
        items.append(f"<li>{picture}{words}</li>")
    return "\n".join(items)


def _looks(view: View, drawing: MapDrawing) -> Json:
    """Colours, and where the hexes lie."""
    terrains = {t: {"fill": fill, "ink": ink_on(fill)} for t, fill in TERRAIN_FILL.items()}
    disciplines = {
        d: {"fill": DISCIPLINE_FILL[d], "ink": ink_on(DISCIPLINE_FILL[d]), "tint": DISCIPLINE_TINT[d]}
        for d in DISCIPLINES
    }
    places = {name: [round(x, 1), round(y, 1)] for name, (x, y) in drawing.place.items()}
    groups = [{"name": name, "fill": fill, "sources": sources} for name, fill, sources in SOURCE_GROUPS]
    return {
        "terrains": terrains,
        "disciplines": disciplines,
        "places": places,
        "radius": round(drawing.radius, 1),
        "groups": groups,
    }


def _rules(view: View) -> Json:
    science: Mapping[str, Any] = view.data["science"]
    return {
        "levels": [level_note(science, level) for level in range(int(science["max"]) + 1)],
        "costs": {
            f"{kind}/{key}": action["cost"]
            for kind in ("power_actions", "book_actions")
            for key, action in view.data[kind].items()
        },
    }


def _round_tiles(view: View) -> list[list[str]]:
    """Heading, key and what it scores of each round tile and of the final tile."""
    keys = [str(k) for k in view.d["round_tiles"]]
    cards = [[f"Round {i + 1}", key, *view.round_lines(key)] for i, key in enumerate(keys)]
    cards[-1][-1] = ""  # the final tile instead of a bonus
    final = str(view.d["final_tile"])
    return [*cards, ["Final tile", final, view.round_lines(final, "final_tiles")[0], ""]]


def _tile_texts(view: View) -> Json:
    return {
        f"{table}/{key}": component_text(tile, view.n_players)
        for table in TILE_TABLES
        for key, tile in view.data[table].items()
    }
