"""`to_dict`: a whole state as plain types with documented keys (docs/positions.md)."""

from typing import Any

from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.setup import columns_of
from aoi_sim.engine.state import (
    F_POOL,
    FRAME_NAMES,
    P_ACTIONS,
    PHASE_NAMES,
    RIVAL,
    SPADE_RULE_NAMES,
    STAGE_NAMES,
    Frame,
    State,
)
from aoi_sim.rules import vocabulary as v

# Fields of each frame after kind and seat, with how each is written:
# "int", "bool", "hex", "piece", "discipline", "source", "rule", "seat", "disciplines".
FRAME_FIELDS: dict[str, list[tuple[str, str]]] = {
    "spades": [
        ("free", "int"),
        ("used", "int"),
        ("first", "hex"),
        ("special", "bool"),
        ("rule", "rule"),
        ("may_decline", "bool"),
        ("source", "source"),
    ],
    "pay": [("n", "int"), ("source", "source")],
    "books": [("n", "int"), ("distinct", "bool"), ("source", "source")],
    "steps": [("n", "int"), ("split", "bool"), ("source", "source"), ("barred", "disciplines")],
    "key": [("discipline", "discipline"), ("n", "int"), ("source", "source")],
    "bridge": [("n", "int"), ("may_decline", "bool"), ("source", "source")],
    "neutral": [("piece", "piece"), ("source", "source")],
    "free_piece": [("piece", "piece"), ("source", "source")],
    "exchange": [("from", "piece"), ("to", "piece"), ("source", "source")],
    "competency": [],
    "palace": [],
    "city_tile": [],
    "found": [],
    "city_group": [],
    "offer": [("power", "int"), ("cost", "int"), ("builder", "int"), ("hex", "hex")],
    "effect": [("op", "int"), ("a", "int"), ("b", "int"), ("c", "int"), ("source", "source")],
}


def by_discipline(state: State, values: list[int]) -> dict[str, int]:
    """Values by discipline name."""
    return {name: values[d] for d, name in enumerate(state.tables.disciplines)}


def hexes(state: State, mask: Mask) -> list[str]:
    """Names of the hexes of a mask, in map order."""
    return [state.geometry.names[h] for h in bits(mask)]


def to_dict(state: State) -> dict[str, Any]:
    """The whole state as dicts, lists, str, int, bool and None; keys and meaning in docs/positions.md."""
    t = state.tables
    key = _key_of(state)
    columns = columns_of(t)
    acting = state.phase == P_ACTIONS
    return {
        "edition": t.rules.edition,
        "options": dict(t.rules.options),
        "ruleset": t.rules.hash,
        "n_players": state.n_players,
        "map": state.geometry.key,
        "setup": state.setup_kind,
        "phase": PHASE_NAMES[state.phase],
        "round": state.round,
        "turn": state.turn,
        "stage": STAGE_NAMES[state.stage] if acting else "",
        "active": state.active,
        "order": state.order[:],
        "next_order": state.next_order[:],
        "queue": state.queue[:],
        "round_tiles": [key(c) for c in state.round_tiles],
        "final_tile": key(state.final_tile),
        "book_actions": [key(c) for c in state.book_actions],
        "used_power_actions": [key(c) for k, c in enumerate(t.kinds[v.K_POWER_ACTION]) if state.used_power >> k & 1],
        "used_book_actions": [key(c) for k, c in enumerate(state.book_actions) if state.used_book >> k & 1],
        "innovations": [{"key": key(c), "column": columns[col]} for c, col in state.innovations],
        "competencies": [
            {
                "key": key(t.kinds[v.K_COMPETENCY][k]),
                "discipline": t.disciplines[d],
                "place": state.competency_place[k],
                "left": state.competency_left[k],
            }
            for k, d in enumerate(state.competency_discipline)
            if d >= 0
        ],
        "palaces": [key(c) for c in state.palaces],
        "city_tiles": {key(c): state.city_left[k] for k, c in enumerate(t.kinds[v.K_CITY_TILE])},
        "bonus_tiles": {
            key(c): state.bonus_coins[k] for k, c in enumerate(t.kinds[v.K_BONUS_TILE]) if state.bonus_coins[k] >= 0
        },
        "bundles": [{"board": key(b), "faction": key(f), "bonus": key(x)} for b, f, x in state.bundles],
        "draft_boards": [key(c) for c in state.draft_boards],
        "draft_factions": [key(c) for c in state.draft_factions],
        "area_tile": state.area_tile or None,
        "rival": by_discipline(state, state.rival) if state.rival else None,
        "scholar_places": _places(state),
        "book_supply": by_discipline(state, state.book_supply) if state.book_supply else None,
        "terrain": {state.geometry.names[h]: t.terrains[state.terrain[h]] for h in state.geometry.land_list},
        "bridges": [[state.geometry.names[a], state.geometry.names[b], i] for a, b, i in state.bridges],
        "seats": [seat_dict(state, seat) for seat in state.seats],
        "pending": [frame_dict(state, frame) for frame in state.stack],
        "offers": [
            {"seat": i, "power": power, "builder": builder, "hex": state.geometry.names[h]}
            for i, power, builder, h in state.offers
        ],
    }


class _KeyOf:
    """Key of a component by its cid, None for -1."""

    def __init__(self, state: State) -> None:
        self.components = state.tables.components

    def __call__(self, cid: int) -> str | None:
        return self.components[cid].key if cid >= 0 else None


def _key_of(state: State) -> _KeyOf:
    return _KeyOf(state)


def _places(state: State) -> dict[str, list[dict[str, Any]]]:
    values = state.tables.scholar_places
    n = len(values)
    out: dict[str, list[dict[str, Any]]] = {}
    for d, name in enumerate(state.tables.disciplines):
        rows: list[dict[str, Any]] = []
        for k in range(n):
            owner = state.places[d * n + k]
            rows.append({"value": values[k], "seat": "rival" if owner == RIVAL else owner if owner >= 0 else None})
        out[name] = rows
    return out


def seat_dict(state: State, seat: Seat) -> dict[str, Any]:
    """One seat of `to_dict`."""
    t = state.tables
    key = _key_of(state)
    names = state.geometry.names
    return {
        "faction": key(seat.faction),
        "board": key(seat.board),
        "palace": key(seat.palace),
        "palace_built": seat.palace_built,
        "bonus": key(seat.bonus),
        "passed": seat.passed,
        "passed_turn": seat.passed_turn,
        "vp": seat.vp,
        "coins": seat.coins,
        "tools": seat.tools,
        "scholars": seat.scholars,
        "books": by_discipline(state, seat.books),
        "bowls": [seat.bowl1, seat.bowl2, seat.bowl3],
        "scholar_supply": seat.scholar_supply,
        "bridge_supply": seat.bridge_supply,
        "science": by_discipline(state, seat.science),
        "sailing": seat.sailing,
        "terraforming": seat.terraforming,
        "keys": seat.keys,
        "annexes": seat.annexes,
        "buildings": {
            names[h]: {
                "kind": v.BUILDING_NAMES[state.building[h]],
                "neutral": bool(seat.neutral >> h & 1),
                "annex": bool(seat.annexed >> h & 1),
                "city": bool(seat.city >> h & 1),
            }
            for h in bits(seat.own)
        },
        "city_tiles": [key(c) for c in seat.city_tiles],
        "competencies": [key(c) for c in seat.competencies],
        "innovations": [key(c) for c in seat.innovations],
        "used": [t.components[c].ref for c in t.special_cids if seat.used >> t.components[c].special & 1],
        "river_cities": hexes(state, seat.river_cities),
        "vp_from": {name: seat.vp_from[k] for k, name in enumerate(v.VP_SOURCES) if seat.vp_from[k]},
        "start_pieces": [v.BUILDING_NAMES[p] for p in seat.start_pieces],
        "start_spades": list(seat.start_spades),
    }


def frame_dict(state: State, frame: Frame) -> dict[str, Any]:
    """One pending frame of `to_dict`."""
    name = FRAME_NAMES[frame[0]]
    out: dict[str, Any] = {"kind": name, "seat": frame[1]}
    if frame[0] == F_POOL:
        parts: list[dict[str, Any]] = []
        for k in range(2, len(frame), 4):
            op, a, b, cid = frame[k], frame[k + 1], frame[k + 2], frame[k + 3]
            parts.append({"source": _source(state, cid), "word": v.OP_WORDS[op], "op": op, "a": a, "b": b})
        out["parts"] = parts
        return out
    for (field, form), value in zip(FRAME_FIELDS[name], frame[2:], strict=True):
        out[field] = _written(state, form, value)
    return out


def _source(state: State, cid: int) -> str:
    return state.tables.components[cid].ref if cid >= 0 else ""


def _written(state: State, form: str, value: int) -> Any:
    if form == "bool":
        return bool(value)
    if form == "hex":
        return state.geometry.names[value] if value >= 0 else None
    if form == "piece":
        return v.BUILDING_NAMES[value]
    if form == "discipline":
        return state.tables.disciplines[value]
    if form == "disciplines":
        return [name for d, name in enumerate(state.tables.disciplines) if value >> d & 1]
    if form == "source":
        return _source(state, value)
    if form == "rule":
        return SPADE_RULE_NAMES[value]
    return value
