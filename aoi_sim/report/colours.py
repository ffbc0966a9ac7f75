"""Colours of terrains, seats and disciplines: as in the game, told apart by lightness, letter and pattern too."""

from .svg import GROUND, INK, Canvas

TERRAIN_FILL: dict[str, str] = {
    "desert": "#F3D468",
    "plains": "#9A6A3F",
    "swamp": "#4B4D55",
    "lake": "#5BA4DB",
    "forest": "#3F8F57",
    "mountain": "#C3C8CE",
    "wasteland": "#DB5F4F",
}
RIVER_FILL = "#DCEDF8"
OTHER_FILL = "#D9C7E8"
# One stroke pattern a terrain, drawn over its colour: path in a tile of 12 by 12.
TERRAIN_PATTERN: dict[str, str] = {
    "desert": "M2 3h.1M8 9h.1M10 2h.1M4 8h.1",
    "plains": "M0 6H12",
    "swamp": "M1 4h4M7 10h4",
    "lake": "M0 4q3 -3 6 0t6 0",
    "forest": "M2 6l2 -4l2 4M8 12l2 -4l2 4",
    "mountain": "M0 12L12 0",
    "wasteland": "M2 2l4 4M6 2l-4 4",
}
DISCIPLINE_FILL: dict[str, str] = {
    "banking": "#E0B400",
    "law": "#5A5F69",
    "engineering": "#B55A1C",
    "medicine": "#1C7C8C",
}
DISCIPLINE_TINT: dict[str, str] = {
    "banking": "#FBF3D3",
    "law": "#E9EAED",
    "engineering": "#F6E4D8",
    "medicine": "#DBEEF0",
}


def terrain_fill(terrain: str) -> str:
    """Colour of a terrain; one unknown to the game gets a colour of its own."""
    return RIVER_FILL if terrain == "river" else TERRAIN_FILL.get(terrain, OTHER_FILL)


def seat_fill(terrain: str) -> str:
    """Colour of a seat's pieces: its home terrain, or the ground before it has a board."""
    return TERRAIN_FILL.get(terrain, OTHER_FILL) if terrain else GROUND


def _lightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def ink_on(colour: str) -> str:
    """Black or white, whichever is legible on the colour."""
    return INK if _lightness(colour) > 120 else "#FFFFFF"


def pattern_definitions(canvas: Canvas) -> None:
    """The patterns of the terrains, to be used as `url(#aoi-<terrain>)`."""
    canvas.raw("<defs>")
    for terrain, path in TERRAIN_PATTERN.items():
        ink = "#000000" if _lightness(TERRAIN_FILL[terrain]) > 95 else "#FFFFFF"
        canvas.raw(
            f'<pattern id="aoi-{terrain}" width="12" height="12" patternUnits="userSpaceOnUse">'
            f'<path d="{path}" fill="none" stroke="{ink}" stroke-opacity="0.20" stroke-width="1.3" '
            'stroke-linecap="round"/></pattern>'
        )
    canvas.raw("</defs>")
