"""VP recounted from what happened: builds, steps, tiles, passes. The numbers are those of docs/rules.md, typed in again.

The engine logs its VP as events of their own; those are not read here. `Recount` follows every seat's buildings, levels
and tiles through the other events and scores them by source. Area, science and resources are the oracle's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from aoi_sim.engine import events as e
from aoi_sim.engine.state import F_PAY, P_DRAFT_BONUS, State
from aoi_sim.rules import vocabulary as v
from tests.oracle.board import PRINTED

DISCIPLINES = ("banking", "law", "engineering", "medicine")
RECOUNTED = tuple(name for name in e.VP_SOURCES if name not in ("area", "science", "resources"))
BUILT = {f"{kind}_built": kind for kind in v.BUILDING_NAMES[1:]}

# RS: what scores a round tile, and how much; final tiles (SET-3).
ROUND_TILES = {
    "workshop-law": (("workshop_built",), 2),
    "workshop-banking": (("workshop_built",), 2),
    "guild-law": (("guild_built",), 3),
    "guild-medicine": (("guild_built",), 3),
    "school-banking": (("school_built",), 4),
    "palace-university-medicine": (("palace_built", "university_built"), 5),
    "palace-university-banking": (("palace_built", "university_built"), 5),
    "spade-engineering": (("spade_used",), 2),
    "science-medicine": (("science_step",), 1),
    "city-engineering": (("city_tile_taken",), 5),
    "track-engineering": (("track_step",), 3),
    "innovation-law": (("innovation_taken",), 5),
}
FINAL_TILES = {
    "workshop": ("workshop", 2),
    "guild": ("guild", 3),
    "school": ("school", 4),
    "edge-workshop": ("workshop", 3),
}
CITY_TILES = {"tools": 4, "spades": 5, "books": 5, "coins": 6, "science": 7, "power": 8, "scholar": 8}
SAILING = {1: 2, 3: 4}
SAILING_LAKE = {2: 3}
TERRAFORMING = {2: 6}


@dataclass
class Player:
    """What a seat has done so far."""

    faction: str = ""
    board: str = ""
    bonus: str = ""
    palace: str = ""
    competencies: set[str] = field(default_factory=set)
    innovations: set[str] = field(default_factory=set)
    levels: Counter[str] = field(default_factory=Counter)
    buildings: dict[str, str] = field(default_factory=dict)
    city_tiles: int = 0
    bridges: int = 0
    passing: bool = False
    vp: Counter[str] = field(default_factory=Counter)

    def count(self, *kinds: str) -> int:
        return sum(kind in kinds for kind in self.buildings.values())


class Recount:
    """VP of every seat by source, kept up to date event by event."""

    def __init__(self, state: State) -> None:
        t = state.tables
        self.names = state.geometry.names
        self.refs = [component.ref for component in t.components]
        self.keys = [component.key for component in t.components]
        self.printed = PRINTED[state.geometry.key]
        self.edition = t.rules.edition
        self.n = state.n_players
        self.others = t.rules.options["moles_vp_counts"] == "others"
        self.tiles = [self.keys[cid] for cid in state.round_tiles]
        self.final_tile = self.keys[state.final_tile]
        self.players = [Player() for _ in range(self.n)]
        self.bridges: list[tuple[str, str]] = []
        self.phase = "bundle"
        self.round = 0
        self.wrong_rounds: list[str] = []

    def absorb(self, phase: str, round_: int, rows: Sequence[Sequence[int]], seats: Sequence[Any]) -> None:
        """Score the events of one decision.

        Args:
            phase: phase of the state before the decision.
            round_: its round.
            rows: the events.
            seats: the state's seats before the decision, for board, faction and bonus tile.
        """
        self.phase, self.round = phase, round_
        for player, seat in zip(self.players, seats, strict=True):
            self._note(player, seat)
        for _, i, code, cid, hex_, amount, _, logged in rows:
            name = e.EVENT_NAMES[code]
            subject = self.refs[cid] if cid >= 0 else ""
            self._score(self.players[i], name, subject, hex_, amount)
            if logged != self.round:
                self.wrong_rounds.append(f"{name} of seat {i} in round {self.round} is logged in round {logged}")

    def _note(self, player: Player, seat: Any) -> None:
        if seat.board >= 0 and not player.board:
            player.board = self.keys[seat.board]
        if seat.faction >= 0 and not player.faction:
            player.faction = self.keys[seat.faction]
        if seat.bonus >= 0:
            player.bonus = self.keys[seat.bonus]

    def _score(self, p: Player, name: str, subject: str, hex_: int, amount: int) -> None:
        kind, _, key = subject.partition("/")
        if name == "tools_gained" and not subject:  # the workshops' income comes first of all (INC-1)
            if self.phase != "income":
                self.phase, self.round = "income", self.round + 1
            self._income(p)
        elif name in BUILT:
            self._built(p, name, self.names[hex_])
        elif name == "start_piece_placed":
            p.buildings[self.names[hex_]] = v.BUILDING_NAMES[amount]
        elif name == "bridge_built":
            p.bridges += 1
            self.bridges.append((self.names[hex_], self.names[amount]))
        elif name == "science_step":
            self._step(p, key, amount)
        elif name == "track_step":
            self._track(p, key, amount)
        elif name in _TAKEN:
            _TAKEN[name](self, p, kind, key)
        elif name == "tile_taken" and kind == "palace" and self.phase != "draft":
            p.palace = key
            p.vp["palace"] += 10 * (key == "17")
        elif name == "action_taken":
            self._action(p, subject)
        elif name == "power_taken":
            p.vp["power"] -= amount - 1
        elif name == "passed":
            self._passed(p)
        elif name == "effect_resolved" and subject == "competency/12" and amount == v.OP_VP_PER:
            # It waited for the steps gained by passing (PASS-1).
            p.vp["competency"] += min(p.levels[x] for x in DISCIPLINES)
        if name == "spade_used":
            self._tile(p, name, amount)
        elif name in ("science_step", "track_step", "city_tile_taken", "innovation_taken"):
            self._tile(p, name, 1)

    def _tile(self, p: Player, name: str, times: int) -> None:
        """RS-2."""
        events, vp = ROUND_TILES[self.tiles[self.round - 1]] if self.round else ((), 0)
        if self.phase == "actions" and name in events:
            p.vp["round_tile"] += vp * times

    def _built(self, p: Player, name: str, place: str) -> None:
        kind = BUILT[name]
        p.buildings[place] = kind
        self._tile(p, name, 1)
        scored, vp = FINAL_TILES[self.final_tile]
        edge = place in self.printed.edge
        if self.phase == "actions" and self.round == 6 and kind == scored and (edge or "edge" not in self.final_tile):
            p.vp["final_tile"] += vp
        riverside = bool(self.printed.sides[place] & self.printed.rivers)
        if kind == "workshop":
            p.vp["bonus_tile"] += 2 * (p.bonus == "river" and riverside)
            p.vp["faction"] += 2 * (p.faction == "navigators" and riverside)
            p.vp["palace"] += 2 * (p.palace == "12")
            p.vp["competency"] += 3 * ("11" in p.competencies and edge)
        elif kind == "guild":
            p.vp["bonus_tile"] += 3 * (p.bonus == "guild")
            p.vp["palace"] += 3 * (p.palace == "13")

    def _step(self, p: Player, discipline: str, level: int) -> None:
        p.levels[discipline] = level
        if self.phase == "income" and discipline == "medicine" and level == 9:  # INC-6
            p.vp["discipline"] += 3

    def _track(self, p: Player, track: str, level: int) -> None:
        if track == "terraforming":
            p.vp["terraforming"] += TERRAFORMING.get(level, 0)
        else:
            p.vp["sailing"] += (SAILING_LAKE if p.board == "lake" else SAILING).get(level, 0)

    def _income(self, p: Player) -> None:
        p.vp["competency"] += 3 * ("2" in p.competencies)
        p.vp["innovation"] += 2 * ("university" in p.innovations)
        p.vp["discipline"] += 3 * (p.levels["medicine"] >= 9)

    def _city(self, p: Player, kind: str, key: str) -> None:
        p.city_tiles += 1
        p.vp["city"] += CITY_TILES[key]

    def _competency(self, p: Player, kind: str, key: str) -> None:
        p.competencies.add(key)
        p.vp["competency"] += 5 * (key == "4")

    def _sent(self, p: Player, kind: str, key: str) -> None:
        p.vp["competency"] += 2 * ("9" in p.competencies)
        p.vp["bonus_tile"] += 2 * (p.bonus == "scholar")

    def _power(self, p: Player, kind: str, key: str) -> None:
        if p.faction == "illusionists":
            p.vp["faction"] += (3 + (self.n == 5)) if self.edition == "1.0" else 1 + (self.n >= 4)

    def _tunnel(self, p: Player, kind: str, key: str) -> None:
        players = self.n - 1 if self.others and self.edition != "1.0" else self.n
        p.vp["faction"] += 4 if self.edition == "1.0" else 2 + players

    def _flight(self, p: Player, kind: str, key: str) -> None:
        p.vp["palace"] += 5

    def _innovation(self, p: Player, kind: str, key: str) -> None:
        p.innovations.add(key)
        n = len(p.buildings)
        first, second = sorted((p.levels[x] for x in DISCIPLINES), reverse=True)[:2]
        once = {
            "architecture": 10,
            "census": 18 * (n >= 11) or 12 * (n >= 9) or 8 * (n >= 7),
            "library": first + second,
            "telecommunication": {0: 0, 1: 0, 2: 0, 3: 0, 4: 8, 5: 12}.get(self._settlements(p), 18),
            "science": 5 * p.count("school"),
            "sewage-system": 2 * p.count("workshop"),
            "league-of-cities": 5 * p.city_tiles,
            "steel": (0, 8, 12, 18)[p.bridges],
            "monument": 7,
        }
        p.vp["innovation"] += once.get(key, 0)

    def _settlements(self, p: Player) -> int:
        left, found = set(p.buildings), 0
        while left:
            found += 1
            wave = {left.pop()}
            while wave:
                beside = {name for place in wave for name in self.printed.sides[place]}
                beside |= {b if a in wave else a for a, b in self.bridges if a in wave or b in wave}
                wave = beside & left
                left -= wave
        return found

    def _action(self, p: Player, subject: str) -> None:
        p.vp["action"] += 2 * p.count("guild") * (subject == "book/score-guilds")
        p.vp["palace"] += 3 * (subject == "palace/3")
        p.vp["innovation"] += 3 * (subject == "innovation/professor")

    def _passed(self, p: Player) -> None:
        schools = p.count("school")
        p.vp["innovation"] += 2 * p.count("guild") * ("trade-routes" in p.innovations)
        p.vp["palace"] += 3 * schools * (p.palace == "7")
        p.vp["competency"] += 2 * p.city_tiles * ("8" in p.competencies)
        p.vp["bonus_tile"] += 4 * p.count("palace", "university") * (p.bonus == "palace-university")
        if "12" in p.competencies and not (p.bonus == "school" and schools):
            p.vp["competency"] += min(p.levels[x] for x in DISCIPLINES)

    def differences(self, state: State) -> list[str]:
        """Where the engine's VP by source are not what was recounted."""
        found = self.wrong_rounds[:]
        if state.stack and state.stack[-1][0] == F_PAY:
            return found  # a book action is logged before its price is paid
        for i, (player, seat) in enumerate(zip(self.players, state.seats, strict=True)):
            player.vp["start"] = 20 * (state.phase > P_DRAFT_BONUS)
            for source in RECOUNTED:
                vp = seat.vp_from[e.VP_SOURCES.index(source)]
                if vp != player.vp[source]:
                    found.append(f"seat {i} has {vp} VP from {source}, recounted {player.vp[source]}")
        return found


_TAKEN: dict[str, Callable[[Recount, Player, str, str], None]] = {
    "city_tile_taken": Recount._city,
    "competency_taken": Recount._competency,
    "scholar_sent": Recount._sent,
    "power_action_taken": Recount._power,
    "tunnel_dug": Recount._tunnel,
    "flight_made": Recount._flight,
    "innovation_taken": Recount._innovation,
}
