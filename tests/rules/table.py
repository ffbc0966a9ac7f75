"""A table to try rules on: positions from dicts, moves as text, changes as plain numbers.

    t = table(dict(board="desert", buildings={"C4": "workshop"}, coins=10, tools=3), round=2)
    t.do("build D5")                    # applies texts in order, each must be legal
    assert t.change(0) == {"coins": -2, "tools": -1}

The first seats are given, the rest of the table (`players`, 3: so the 3-5 side) is filled up with seats that have no
buildings and whose faction, board and round bonus tile do nothing by themselves. Round 2 scores innovations only.
A hex with a building is home terrain of its owner unless `terrain` says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import aoi_sim as aoi

QUIET_FACTIONS = ("inventors", "monks", "lizards", "felines", "blessed", "moles")
QUIET_BOARDS = ("desert", "swamp", "forest", "lake", "plains", "mountain", "wasteland")
QUIET_BONUS_TILES = ("coins", "power", "science", "guild", "palace-university", "school", "bridge", "spade")
FREE_BONUS_TILES = (
    "river",
    "scholar",
    "palace-university",
    "school",
    "guild",
    "science",
    "spade",
    "bridge",
    "power",
    "coins",
)
ROUND_TILES = [
    "city-engineering",
    "innovation-law",
    "track-engineering",
    "school-banking",
    "palace-university-medicine",
    "guild-law",
]
DISCIPLINES = ("banking", "law", "engineering", "medicine")
# competencies 1-3 in the column of banking (3 steps; 2 steps + 1 book; 1 step + 2 books), 4-6 law, 7-9, 10-12
COMPETENCIES = [{"key": str(n + 1), "discipline": DISCIPLINES[n // 3], "place": n % 3, "left": 4} for n in range(12)]
COUNTERS = (
    "vp",
    "coins",
    "tools",
    "scholars",
    "sailing",
    "terraforming",
    "keys",
    "annexes",
    "scholar_supply",
    "bridge_supply",
)


def rounds(tiles: Mapping[int, str]) -> list[str]:
    """Six round tiles: the given ones in their rounds, quiet ones elsewhere (`rounds({2: "spade-engineering"})`)."""
    rest = [tile for tile in (*ROUND_TILES, "workshop-law", "guild-medicine") if tile not in tiles.values()]
    in_place = {n: tile for n, tile in enumerate(ROUND_TILES, start=1) if n not in tiles and tile in rest}
    spare = [tile for tile in rest if tile not in in_place.values()]
    return [tiles.get(n) or in_place.get(n) or spare.pop(0) for n in range(1, 7)]


@cache
def _ruleset(edition: str, options: tuple[tuple[str, Any], ...]) -> Any:
    return aoi.load_ruleset(edition=edition, options=dict(options))


def ruleset(edition: str = "1.2", overlays: Sequence[Any] = (), **options: Any) -> Any:
    """The ruleset of an edition with options (`ruleset("1.0", book_supply="limited")`)."""
    if overlays:
        return aoi.load_ruleset(edition=edition, options=options, overlays=list(overlays))
    return _ruleset(edition, tuple(sorted(options.items())))


class Table:
    """A game state with terse access for tests."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.mark()

    # --- moves ---------------------------------------------------------------------------------------------------
    def legal(self, prefix: str = "") -> set[str]:
        """The texts of all legal actions (that begin with `prefix`); none occurs twice."""
        texts = [aoi.format_action(self.state, action) for action in aoi.legal_actions(self.state)]
        assert len(texts) == len(set(texts)), f"listed twice: {sorted(text for text in texts if texts.count(text) > 1)}"
        return {text for text in texts if text.startswith(prefix)}

    def do(self, *texts: str) -> Table:
        """Apply moves in order; each must be among the legal ones."""
        for text in texts:
            legal = self.legal()
            assert text in legal, (
                f"{text!r} is not legal; seat {self.mover}, {self.pending or self.stage}: {sorted(legal)}"
            )
            aoi.apply_action(self.state, aoi.parse_action(self.state, text))
            for seat in self.dict["seats"]:
                assert sum(seat["vp_from"].values()) == seat["vp"], (text, seat["vp"], seat["vp_from"])
        return self

    def end(self) -> Table:
        """Finish the turn of the seat to move if it is asked to."""
        return self.do("end") if "end" in self.legal() else self

    def illegal(self, text: str) -> str:
        """The id of the rule that forbids the move; the refused move changes nothing."""
        assert text not in self.legal(), f"{text!r} is listed as legal"
        before = self.dict
        try:
            aoi.apply_action(self.state, aoi.parse_action(self.state, text))
        except aoi.IllegalAction as refusal:
            assert self.dict == before, f"refused {text!r} changed the state"
            return str(refusal.rule)
        raise AssertionError(f"{text!r} is not listed but can be applied")

    # --- what is on the table ------------------------------------------------------------------------------------
    @property
    def dict(self) -> dict[str, Any]:
        return dict(aoi.to_dict(self.state))

    @property
    def mover(self) -> int:
        return int(aoi.seat_to_move(self.state))

    @property
    def stage(self) -> str:
        return str(self.dict["stage"])

    @property
    def phase(self) -> str:
        return str(self.dict["phase"])

    @property
    def pending(self) -> Any:
        """The pending decision to answer now, or None."""
        frames = self.dict["pending"]
        return frames[-1] if frames else None

    @property
    def asks(self) -> str:
        """The kind of the pending decision ("" if none)."""
        return str(self.pending["kind"]) if self.pending else ""

    def seat(self, seat: int = 0) -> dict[str, Any]:
        return dict(self.dict["seats"][seat])

    def vp(self, seat: int = 0) -> int:
        return int(self.seat(seat)["vp"])

    def vp_from(self, source: str, seat: int = 0) -> int:
        return int(self.seat(seat)["vp_from"].get(source, 0))

    def kind_at(self, hex_name: str, seat: int = 0) -> str | None:
        """The kind of a seat's building on a hex, or None."""
        building = self.seat(seat)["buildings"].get(hex_name)
        return building["kind"] if isinstance(building, Mapping) else building

    # --- changes -------------------------------------------------------------------------------------------------
    def mark(self) -> Table:
        """Remember the stocks: `change` counts from here."""
        self._marked = [_stock(seat) for seat in self.dict["seats"]]
        return self

    def change(self, seat: int = 0) -> dict[str, int]:
        """Everything of a seat that changed since the last `mark`: {"coins": -2, "law": 1, "law-book": 1, "bowl3": 2}."""
        now = _stock(self.dict["seats"][seat])
        then = self._marked[seat]
        return {key: now[key] - then[key] for key in now if now[key] != then[key]}


def _stock(seat: Mapping[str, Any]) -> dict[str, int]:
    stock = {key: int(seat[key]) for key in COUNTERS}
    for discipline in DISCIPLINES:
        stock[discipline] = int(seat["science"].get(discipline, 0))
        stock[f"{discipline}-book"] = int(seat["books"].get(discipline, 0))
    for number, tokens in enumerate(seat["bowls"], start=1):
        stock[f"bowl{number}"] = int(tokens)
    return stock


def position(
    *seats: Mapping[str, Any],
    players: int = 0,
    edition: str = "1.2",
    options: Mapping[str, Any] | None = None,
    **top: Any,
) -> dict[str, Any]:
    """The position file, as a dict, of `table(...)`."""
    n_players = max(players or 3, len(seats))
    filled: list[dict[str, Any]] = [dict(seat) for seat in seats]
    filled += [{} for _ in range(n_players - len(filled))]
    for key, quiet in (("faction", QUIET_FACTIONS), ("board", QUIET_BOARDS), ("bonus", QUIET_BONUS_TILES)):
        taken = {seat[key] for seat in filled if key in seat} | (
            set(top.get("bonus_tiles", ())) if key == "bonus" else set()
        )
        free = [value for value in quiet if value not in taken]
        for seat in filled:
            if key not in seat:
                seat[key] = free.pop(0)
    held = {seat["bonus"] for seat in filled}
    terrain = {name: seat["board"] for seat in filled for name in seat.get("buildings", {})}
    top["terrain"] = {**terrain, **top.get("terrain", {})}
    top.setdefault("round", 2)
    top.setdefault("round_tiles", ROUND_TILES)
    top.setdefault("competencies", COMPETENCIES)
    top.setdefault("final_tile", "edge-workshop")
    top.setdefault("bonus_tiles", dict.fromkeys([key for key in FREE_BONUS_TILES if key not in held][:3], 0))
    return {"n_players": n_players, "edition": edition, "options": dict(options or {}), "seats": filled, **top}


def table(
    *seats: Mapping[str, Any],
    players: int = 0,
    edition: str = "1.2",
    options: Mapping[str, Any] | None = None,
    overlays: Sequence[Any] = (),
    **top: Any,
) -> Table:
    """A position: seats as in docs/positions.md, then its top-level keys (`round=5, terrain={"F5": "desert"}`)."""
    rules = ruleset(edition, overlays, **dict(options or {}))
    return Table(aoi.from_dict(rules, position(*seats, players=players, edition=edition, options=options, **top)))


def game(
    players: int = 4,
    seed: int = 7,
    setup: str = "standard",
    map: str = "auto",
    deal: Sequence[Mapping[str, str]] | None = None,
    edition: str = "1.2",
    overlays: Sequence[Any] = (),
    **options: Any,
) -> Table:
    """A new game at its first set-up decision."""
    rules = ruleset(edition, overlays, **options)
    return Table(aoi.new_game(rules, n_players=players, seed=seed, setup=setup, map=map, deal=deal))


def neutral(kind: str, **more: Any) -> dict[str, Any]:
    """A neutral building for `buildings`."""
    return {"kind": kind, "neutral": True, **more}


def annexed(kind: str, **more: Any) -> dict[str, Any]:
    """A building with an annex for `buildings`."""
    return {"kind": kind, "annex": True, **more}


def in_city(kind: str, **more: Any) -> dict[str, Any]:
    """A building that belongs to a city for `buildings`."""
    return {"kind": kind, "city": True, **more}


def pass_round(*seats: Mapping[str, Any], bonus: str = "river", players: int = 0, **top: Any) -> Table:
    """Round 1's end and round 2's income: all others have passed, seat 0 passes for the tile `bonus` and gets its income.

    `change(0)` then is pass bonus + science bonus (round tile "school-banking" unless given) + coins on the tile + income.
    """
    n_players = max(players or 3, len(seats))
    spec = [dict(seat) for seat in seats] + [{} for _ in range(n_players - len(seats))]
    for seat in spec[1:]:
        seat["passed"] = True
    top.setdefault("round", 1)
    top.setdefault("round_tiles", rounds({1: "school-banking"}))
    t = table(*spec, players=n_players, next_order=list(range(1, n_players)), **top)
    return t.do(f"pass {bonus}").end()
