"""The two printed map sides and their geometry, written down once more: the tests do not ask the engine for them."""

from __future__ import annotations

from functools import cache

LETTERS = {"D": "desert", "P": "plains", "S": "swamp", "L": "lake", "F": "forest", "M": "mountain", "W": "wasteland"}
CIRCLE = ("desert", "plains", "swamp", "lake", "forest", "mountain", "wasteland")
SIDES = ("3-5", "1-3")
ROWS = {
    "3-5": (
        "F . L S P W M . L S P D .",
        "M . . F L F D . F M L . S",
        "W L S . M P S . . W . . W",
        "D M W . D W . S . . P M F",
        "P F P D . . . F M L W D P",
        "S . . . L M . D P . S L W",
        "L . P S . F P . . . . . .",
        ". D L . W S D W S L F S .",
        "F M W . D M P L F M W D P",
    ),
    "1-3": (
        "- F M D P . L F M W .",
        ". S L S W . S P L . F",
        "- . P M F . . D . . D",
        "- . W D . F . . M P S",
        "- - . . . S P L D W M",
        "- . L P . W M . F L D",
        "- - . S M . . . . . .",
        "- . D F W D F L S F .",
        "- . W P M L S P D W M",
    ),
}
BRIDGES = {
    "3-5": (
        "A3-B1 A3-C3 A9-B7 A12-B13 B4-C3 B11-C13 B11-D11 C5-D3 "
        "C7-D8 C10-D8 C10-D11 C10-E10 D5-E4 D5-F5 D6-E8 D6-F6 "
        "E3-G3 E4-F5 E4-G4 E8-F6 F1-G3 F5-G4 F8-G7 F8-H8 "
        "F9-H9 F11-H11 F12-H12 G1-H2 G1-I1 G4-H5 H3-I5"
    ).split(),
    "1-3": (
        "A7-B5 A10-B11 B9-C11 B9-D9 C5-D6 C8-D6 C8-D9 C8-E8 D3-F3 D4-E6 D4-F4 E6-F4 F6-G5 F6-H6 F7-H7 F9-H9 F10-H10"
    ).split(),
}
EDGE = {
    "3-5": (
        "A1 A3 A4 A5 A6 A7 A9 A10 A11 A12 B1 B13 C1 C13 D1 D13 E1 E13 F1 F13 G1 I1 I2 I3 I5 I6 I7 I8 I9 I10 I11 I12 I13"
    ).split(),
    "1-3": ("A2 A3 A4 A5 A7 A8 A9 A10 B11 C11 D11 E11 F11 I3 I4 I5 I6 I7 I8 I9 I10 I11").split(),
}
SIX_SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
BRIDGE_DIFFERENCES = ((2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2))


@cache
def terrain(side: str) -> dict[str, str]:
    """Every hex of the map, rivers too ("river"), in map order."""
    return {
        f"{chr(65 + row)}{column}": LETTERS.get(letter, "river")
        for row, line in enumerate(ROWS[side])
        for column, letter in enumerate(line.split(), start=1)
        if letter != "-"
    }


def land(side: str) -> list[str]:
    return [name for name, kind in terrain(side).items() if kind != "river"]


def axial(name: str) -> tuple[int, int]:
    """q = column - floor(row / 2), r = row, both counted from 0 (MAP-1)."""
    row = ord(name[0]) - 65
    return int(name[1:]) - 1 - row // 2, row


def at(q: int, r: int) -> str:
    """The name of a place of the grid, on the map or off it."""
    return f"{chr(65 + r)}{q + r // 2 + 1}"


def beside(side: str, name: str) -> list[str]:
    """The hexes of the map that share a side with a hex."""
    q, r = axial(name)
    places = [at(q + dq, r + dr) for dq, dr in SIX_SIDES if 0 <= r + dr < 9]
    return [place for place in places if place in terrain(side)]


def reached(side: str, buildings: list[str], sailing: int, bridges: tuple[tuple[str, str], ...] = ()) -> set[str]:
    """Land hexes in reach of the buildings (REACH-1): beside, bridged to, or over a chain of at most `sailing` rivers."""
    found: set[str] = set()
    kinds = terrain(side)
    for name in buildings:
        found |= {other for other in beside(side, name) if kinds[other] != "river"}
        found |= {b for a, b in bridges if a == name} | {a for a, b in bridges if b == name}
        chain = {other for other in beside(side, name) if kinds[other] == "river"}
        for _ in range(sailing):
            nearby = {other for river in chain for other in beside(side, river)}
            found |= {other for other in nearby if kinds[other] != "river"}
            chain |= {other for other in nearby if kinds[other] == "river"}
    return found - set(buildings)


def steps_home(home: str, here: str) -> list[str]:
    """The terrains on the shorter way round the circle from `here` to `home`, home last (TB-2)."""
    start, goal = CIRCLE.index(here), CIRCLE.index(home)
    up, down = (goal - start) % 7, (start - goal) % 7
    step = 1 if up < down else -1
    return [CIRCLE[(start + step * n) % 7] for n in range(1, min(up, down) + 1)]
