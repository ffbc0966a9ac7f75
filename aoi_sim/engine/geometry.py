"""Geometry of a map side: adjacency, rivers, reach, bridge lines (MAP, ADJ, REACH, BR-2).

Hexes are indexed row by row over the printed grid; sets of hexes are int bit masks.
"""

from typing import Final

Mask = int

_WORD_BITS: Final = 60
_WORD: Final = (1 << _WORD_BITS) - 1
"""Ints of up to 62 bits are machine words in the compiled build; those of a whole map are objects."""


def hex_name(row: int, column: int) -> str:
    """Name of a hex from its 0-based row and column: row letter, 1-based column (MAP-1)."""
    return chr(ord("A") + row) + str(column + 1)


def side_neighbours(row: int, column: int) -> list[tuple[int, int]]:
    """The six neighbours (row, column) in a grid whose odd rows are shifted half a hex to the right."""
    s = row & 1
    return [
        (row - 1, column - 1 + s),
        (row - 1, column + s),
        (row, column - 1),
        (row, column + 1),
        (row + 1, column - 1 + s),
        (row + 1, column + s),
    ]


def axial(row: int, column: int) -> tuple[int, int]:
    """Axial coordinates (q, r) of a hex (MAP-1)."""
    return column - row // 2, row


BRIDGE_DIFFERENCES: list[tuple[int, int]] = [(2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2)]


def bits(mask: Mask) -> list[int]:
    """The hexes of a mask, ascending."""
    found: list[int] = []
    before = -1
    while mask:
        word = mask & _WORD
        while word:
            low = word & -word
            found.append(before + low.bit_length())
            word ^= low
        mask >>= _WORD_BITS
        before += _WORD_BITS
    return found


class Geometry:
    """One map side as int tables, shared by all states played on it.

    Attributes:
        key: map key, "3-5" or "1-3".
        names: hex name by index ("" where there is no hex).
        index: hex index by name.
        terrain: printed terrain by hex (index into the terrain circle), -1 river, -2 no hex.
        land: mask of land hexes; `land_list` the same ascending. `river`: mask of river hexes.
        sides: all hexes (land or river) sharing a side with a hex, as a mask.
        land_sides: the land hexes among them.
        riverside: mask of land hexes beside a river hex. `edge`: mask of edge hexes.
        sail: sail[s][h] mask of land hexes in reach of a building on h at sailing level s (REACH-1), bridges apart.
        places: printed bridge places as (a, b), a < b. `lines`: every bridge line of the map (BR-2).
    """

    def __init__(
        self,
        key: str,
        rows: list[str],
        bridges: list[tuple[str, str]],
        edge: list[str],
        letters: dict[str, int],
        levels: int,
    ) -> None:
        self.key = key
        self.n_rows = len(rows)
        self.n_columns = len(rows[0].split())
        n = self.n_rows * self.n_columns
        self.names: list[str] = [""] * n
        self.index: dict[str, int] = {}
        self.terrain: list[int] = [-2] * n
        self.land: Mask = 0
        self.river: Mask = 0
        for r, line in enumerate(rows):
            for c, letter in enumerate(line.split()):
                if letter == "-":
                    continue
                h = r * self.n_columns + c
                self.names[h] = hex_name(r, c)
                self.index[self.names[h]] = h
                if letter == ".":
                    self.terrain[h] = -1
                    self.river |= 1 << h
                else:
                    self.terrain[h] = letters[letter]
                    self.land |= 1 << h
        self.n_hexes = n
        self.land_list: list[int] = bits(self.land)
        self.sides: list[Mask] = [self._sides(h) for h in range(n)]
        self.land_sides: list[Mask] = [m & self.land for m in self.sides]
        self.riverside: Mask = 0
        for h in self.land_list:
            if self.sides[h] & self.river:
                self.riverside |= 1 << h
        self.edge: Mask = 0
        for name in edge:
            self.edge |= 1 << self.index[name]
        self.places: list[tuple[int, int]] = sorted(
            (min(self.index[a], self.index[b]), max(self.index[a], self.index[b])) for a, b in bridges
        )
        self.lines: list[tuple[int, int]] = self._lines()
        self.sail: list[list[Mask]] = [[self._sail(h, s) for h in range(n)] for s in range(levels + 1)]

    def _sides(self, h: int) -> Mask:
        r, c = divmod(h, self.n_columns)
        mask = 0
        if self.terrain[h] == -2:
            return 0
        for nr, nc in side_neighbours(r, c):
            if 0 <= nr < self.n_rows and 0 <= nc < self.n_columns:
                k = nr * self.n_columns + nc
                if self.terrain[k] != -2:
                    mask |= 1 << k
        return mask

    def _sail(self, h: int, level: int) -> Mask:
        """Land hexes beside h or joined to it by a chain of at most `level` river hexes (REACH-1)."""
        if not self.land >> h & 1:
            return 0
        reached = self.land_sides[h]
        seen = 0
        front = self.sides[h] & self.river
        for _ in range(level):
            seen |= front
            grown = 0
            for r in bits(front):
                reached |= self.land_sides[r]
                grown |= self.sides[r] & self.river
            front = grown & ~seen
        return reached & ~(1 << h)

    def _lines(self) -> list[tuple[int, int]]:
        place: dict[tuple[int, int], int] = {}
        for h in self.land_list:
            r, c = divmod(h, self.n_columns)
            place[axial(r, c)] = h
        lines: list[tuple[int, int]] = []
        for (q, r), h in place.items():
            for dq, dr in BRIDGE_DIFFERENCES:
                other = place.get((q + dq, r + dr), -1)
                if other > h:
                    lines.append((h, other))
        return sorted(lines)

    def spread(self, mask: Mask) -> Mask:
        """All hexes sharing a side with a hex of the mask."""
        out = 0
        sides = self.sides
        for h in bits(mask):
            out |= sides[h]
        return out
