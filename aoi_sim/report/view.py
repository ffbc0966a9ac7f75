"""What the drawings read: a position dict with its rules, and the cells of its map."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aoi_sim.rules import Ruleset, load_ruleset

from .effects import bonus_text, component_text, event_text, gain_text

Position = Mapping[str, Any]
DISCIPLINES: tuple[str, ...] = ("banking", "law", "engineering", "medicine")
BUILDING_ORDER: tuple[str, ...] = ("workshop", "guild", "school", "university", "palace", "tower", "monument")


@dataclass(frozen=True)
class Building:
    """A building on the map: owner, kind and marks."""

    hex: str
    seat: int
    kind: str
    neutral: bool = False
    annex: bool = False
    city: bool = False

    @property
    def text(self) -> str:
        """The building in words: `guild of seat 1, annex, city`."""
        marks = [word for word in ("annex", "city") if getattr(self, word)]
        words = f"{'neutral ' if self.neutral else ''}{self.kind} of seat {self.seat}"
        return ", ".join([words, *marks])


@dataclass(frozen=True)
class Cell:
    """A hex of the map; terrain is `river` or a key of the terrain circle."""

    name: str
    row: int
    column: int
    terrain: str

    @property
    def x(self) -> float:
        """Centre, in hex widths from the left; odd rows are shifted half a hex."""
        return self.column + (0.5 if self.row & 1 else 0.0)

    @property
    def y(self) -> float:
        """Centre, in hex widths from the top."""
        return self.row * math.sqrt(3) / 2


def hex_place(name: str) -> tuple[int, int]:
    """0-based row and column of a hex name."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


@lru_cache(maxsize=8)
def _edition_rules(edition: str) -> Ruleset:
    return load_ruleset(edition=edition)


class View:
    """A position as the drawings see it.

    Args:
        position: the dict form of a state (`to_dict`).
        rules: its ruleset; when absent, the one of its edition (which knows no overlays).
    """

    def __init__(self, position: Position, rules: Ruleset | None = None) -> None:
        self.d = position
        self.rules = rules if rules is not None else _edition_rules(str(position.get("edition", "1.2")))
        self.data: Mapping[str, Any] = self.rules.data
        self.seats: list[Mapping[str, Any]] = list(position.get("seats", []))
        self.n_players = int(position.get("n_players", len(self.seats)))
        self.map: Mapping[str, Any] = self.data["maps"].get(position.get("map", ""), {})
        self.cells = list(self._cells())
        self.buildings = {b.hex: b for b in self._buildings()}

    def _cells(self) -> Iterator[Cell]:
        terrain: Mapping[str, str] = self.d.get("terrain", {})
        letters = {str(t)[0].upper(): str(t) for t in self.data.get("terrains", ())}
        for row, line in enumerate(self.map.get("rows", ())):
            for column, letter in enumerate(line.split()):
                name = f"{chr(ord('A') + row)}{column + 1}"
                if letter == ".":
                    yield Cell(name, row, column, "river")
                elif letter != "-":
                    yield Cell(name, row, column, terrain.get(name, letters.get(letter, letter)))
        if not self.map:
            for name, kind in terrain.items():
                yield Cell(name, *hex_place(name), kind)

    def _buildings(self) -> Iterator[Building]:
        for seat, s in enumerate(self.seats):
            for name, b in s.get("buildings", {}).items():
                if isinstance(b, str):
                    yield Building(name, seat, b)
                else:
                    marks = {k: bool(b.get(k, False)) for k in ("neutral", "annex", "city")}
                    yield Building(name, seat, str(b["kind"]), **marks)

    def printed_bridges(self) -> list[tuple[str, str]]:
        """Printed bridge places without a bridge."""
        built = {frozenset(b[:2]) for b in self.d.get("bridges", ())}
        places = [(str(a), str(b)) for a, b in self.map.get("bridges", ())]
        return [p for p in places if frozenset(p) not in built]

    def built_bridges(self) -> list[tuple[str, str, int]]:
        """Bridges: two hexes and the seat that built it."""
        return [(str(a), str(b), int(seat)) for a, b, seat in self.d.get("bridges", ())]

    def river_cities(self) -> dict[str, int]:
        """River hexes used up by a city of palace 14 (CITY-6), with the seat."""
        return {str(r): seat for seat, s in enumerate(self.seats) for r in s.get("river_cities", ())}

    def component(self, table: str, key: str) -> Mapping[str, Any]:
        """An entry of a table of the rules data, empty when unknown."""
        found: Mapping[str, Any] = self.data.get(table, {}).get(key, {})
        return found

    def effect(self, table: str, key: str) -> str:
        """The effects of a component in words."""
        return component_text(self.component(table, key), self.n_players)

    def round_lines(self, key: str, table: str = "round_tiles") -> tuple[str, str]:
        """What a round or final tile scores, and its science bonus."""
        tile = self.component(table, key)
        entries = list(tile.get("on", ()))
        events = " or ".join(event_text(e) for e in entries)
        if len(entries) > 1:
            events = events.replace(" built", "") + (" built" if " built" in events else "")
        scored = f"{events}: {gain_text(entries[0], self.n_players)}" if entries else ""
        bonus = tile.get("bonus")
        return scored, bonus_text(bonus, self.n_players) if bonus else ""

    def seat_to_move(self) -> int | None:
        """The seat that must answer, None when the game is over."""
        if self.d.get("phase") == "over":
            return None
        if self.d.get("pending"):
            return int(self.d["pending"][-1]["seat"])
        if self.d.get("offers"):
            return int(self.d["offers"][0]["seat"])
        queue = self.d.get("queue") or []
        if self.d.get("phase") not in ("actions", None) and queue:
            return int(queue[0])
        active = self.d.get("active")
        return int(active) if isinstance(active, int) and active >= 0 else None

    def seat_name(self, seat: int) -> str:
        """`seat 1 (moles, lake)`."""
        s = self.seats[seat]
        known = [str(s[k]) for k in ("faction", "board") if s.get(k)]
        return f"seat {seat}" + (f" ({', '.join(known)})" if known else "")

    def seat_terrain(self, seat: int) -> str:
        """Home terrain of a seat, "" before it has a board."""
        board = self.seats[seat].get("board")
        return str(self.component("boards", board).get("terrain", board)) if board else ""

    def competency_place(self, place: int) -> str:
        """What a place of a discipline's column brings: `2 steps, 1 book` (COMP-2)."""
        places = self.data.get("science", {}).get("competency_places", ())
        if place >= len(places):
            return f"place {place}"
        gain = {"steps_split": places[place].get("steps", 0), "books": places[place].get("books", 0)}
        text = gain_text({k: v for k, v in gain.items() if v}, self.n_players)
        return text.replace(" in any split", "")

    def headline(self) -> tuple[str, str]:
        """Round, phase and who is to move; then the frame of the game."""
        d = self.d
        phase = str(d.get("phase", "actions")).replace("_", " ")
        stage = f" ({d['stage']})" if d.get("stage") else ""
        n_round = int(d.get("round", 1))
        rounds = int(self.data.get("setup", {}).get("rounds", 6))
        first = f"Round {n_round} of {rounds}" if n_round else "Set-up"
        mover = self.seat_to_move()
        move = f" · {self.seat_name(mover)} to move" if mover is not None and mover < len(self.seats) else ""
        title = f"{first} · {phase}{stage}{move}"
        parts = [f"edition {d.get('edition', '1.2')}", f"map {d.get('map', '')}", f"{self.n_players} players"]
        parts.append(f"set-up {d.get('setup', 'standard')}")
        parts.append("turn order " + _seats(d.get("order", [])))
        if d.get("next_order"):
            parts.append("passed, next order " + _seats(d["next_order"]))
        if d.get("queue"):
            parts.append("queue " + _seats(d["queue"]))
        if d.get("area_tile") is not None:
            parts.append(f"area tile {d['area_tile']}")
        return title, " · ".join(parts)

    def pending_lines(self) -> list[str]:
        """One line for each pending frame (the one to answer first) and each waiting offer."""
        lines = [_frame_text(f) for f in reversed(self.d.get("pending", []))]
        lines.extend("offer waiting: " + _fields(o) for o in self.d.get("offers", []))
        return lines


def _seats(order: Any) -> str:
    return " ".join(str(s) for s in order)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(str(v) for v in value.values() if v not in ("", None))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _fields(frame: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} {_value(v)}" for k, v in frame.items() if k != "kind" and v not in ("", None))


def _frame_text(frame: Mapping[str, Any]) -> str:
    return f"{str(frame.get('kind', '')).replace('_', ' ')}: {_fields(frame)}"
