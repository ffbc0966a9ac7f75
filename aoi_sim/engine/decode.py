"""`from_dict`: a state from its dict, with defaults for what is missing and one line for what is wrong (docs/positions.md)."""

from collections.abc import Mapping
from typing import Any

from aoi_sim.engine.board import rebuild, refresh_reach
from aoi_sim.engine.codec import FRAME_FIELDS
from aoi_sim.engine.decode_seat import decode_seat
from aoi_sim.engine.fields import Fields, PositionError
from aoi_sim.engine.flow import round_triggers
from aoi_sim.engine.setup import columns_of, geometry_for, lay_out_rival, map_for
from aoi_sim.engine.state import (
    F_POOL,
    FRAME_NAMES,
    P_ACTIONS,
    P_INCOME,
    P_OVER,
    PHASE_NAMES,
    RIVAL,
    SPADE_RULE_NAMES,
    STAGE_NAMES,
    State,
)
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import tables_for

TOP_KEYS = (
    "edition options overlays ruleset n_players map setup phase round turn stage active order next_order queue round_tiles "
    "final_tile book_actions used_power_actions used_book_actions innovations competencies palaces city_tiles bonus_tiles "
    "bundles draft_boards draft_factions area_tile rival scholar_places book_supply terrain bridges seats pending offers"
).split()


def from_dict(rules: Ruleset, data: Mapping[str, Any]) -> State:
    """The state that a dict in the form of docs/positions.md describes.

    Args:
        rules: the ruleset; `edition`, `options` and `overlays` of the dict are not looked at here.
        data: the dict; missing keys take their documented defaults.

    Raises:
        PositionError: one line with the key that is wrong and what is allowed.
    """
    top = Fields(data, "", TOP_KEYS)
    seats = top.rows("seats")
    if not seats:
        raise PositionError("seats are missing, in the position, give one table a player ([[seats]])")
    n = top.integer("n_players", len(seats), 2, 5)
    if len(seats) != n:
        raise PositionError(f"{len(seats)} seats for {n} players, in seats, give one table a player")
    if data.get("ruleset") not in (None, rules.hash):
        raise PositionError(
            f"ruleset {data['ruleset']!r} is not {rules.hash}, in ruleset, load the rules it was made with"
        )
    t = tables_for(rules, n)
    map_key = top.text("map", "auto")
    if map_key != "auto" and map_key not in t.data["maps"]:
        raise PositionError(f"unknown map {map_key!r}, in map, use one of {', '.join(t.data['maps'])}")
    if map_key == "auto":
        map_key = map_for(t, "auto")
    kind = top.choice("setup", "standard", ("standard", "draft"))
    state = State(t, geometry_for(t, map_key), kind)
    state.n_decisions = 0
    _decode_phase(state, top)
    _decode_tiles(state, top)
    _decode_terrain(state, top)
    for i, row in enumerate(seats):
        decode_seat(state, i, row)
    _decode_bridges(state, top)
    _decode_table(state, top)
    for i in range(n):
        rebuild(state, i)
        refresh_reach(state, i)
    _decode_turn(state, top)
    _decode_stack(state, top)
    state.round_triggers = round_triggers(state)
    return state


def _decode_phase(state: State, top: Fields) -> None:
    state.phase = PHASE_NAMES.index(top.choice("phase", "actions", PHASE_NAMES))
    started = state.phase >= P_INCOME
    state.round = top.integer("round", 1 if started else 0, 1 if started else 0, state.tables.n_rounds)
    state.turn = top.integer("turn", 0, 0, 10_000)
    stage = top.choice("stage", "before", (*STAGE_NAMES, ""))
    state.stage = STAGE_NAMES.index(stage) if stage else 0


def _cid(state: State, kind: int, key: object, where: str) -> int:
    word = v.KIND_WORDS[kind]
    cid = state.tables.by_ref.get(f"{word}/{key}")
    if cid is None:
        known = ", ".join(state.tables.components[c].key for c in state.tables.kinds[kind])
        raise PositionError(f"unknown {word} {key!r}, in {where}, use one of {known}")
    return cid


def _cids(state: State, top: Fields, key: str, kind: int, default: list[int]) -> tuple[int, ...]:
    if not top.has(key):
        return tuple(default)
    found = tuple([_cid(state, kind, k, key) for k in top.items(key)])
    if len(set(found)) != len(found):
        raise PositionError(f"a tile twice, in {key}, name each once")
    return found


def _decode_tiles(state: State, top: Fields) -> None:
    t = state.tables
    kinds = t.kinds
    state.round_tiles = _cids(state, top, "round_tiles", v.K_ROUND_TILE, kinds[v.K_ROUND_TILE][: t.n_rounds])
    if len(state.round_tiles) != t.n_rounds:
        raise PositionError(f"{len(state.round_tiles)} round tiles, in round_tiles, name {t.n_rounds}")
    state.final_tile = kinds[v.K_FINAL_TILE][0]
    if top.has("final_tile"):
        state.final_tile = _cid(state, v.K_FINAL_TILE, top.data["final_tile"], "final_tile")
    state.book_actions = _cids(
        state, top, "book_actions", v.K_BOOK_ACTION, kinds[v.K_BOOK_ACTION][: int(t.setup["book_actions"])]
    )
    for cid in _cids(state, top, "used_power_actions", v.K_POWER_ACTION, []):
        state.used_power |= 1 << t.components[cid].position
    for cid in _cids(state, top, "used_book_actions", v.K_BOOK_ACTION, []):
        if cid not in state.book_actions:
            raise PositionError(
                f"{t.components[cid].key} is not in the game, in used_book_actions, use one of book_actions"
            )
        state.used_book |= 1 << state.book_actions.index(cid)
    _decode_displays(state, top)
    state.draft_boards = _cids(state, top, "draft_boards", v.K_BOARD, [])
    state.draft_factions = _cids(state, top, "draft_factions", v.K_FACTION, [])
    bundles: list[tuple[int, int, int]] = []
    for row in top.rows("bundles"):
        f = Fields(row, "bundles", ("board", "faction", "bonus"))
        bundles.append(
            (
                _cid(state, v.K_BOARD, f.required("board"), "bundles.board"),
                _cid(state, v.K_FACTION, f.required("faction"), "bundles.faction"),
                _cid(state, v.K_BONUS_TILE, f.required("bonus"), "bundles.bonus"),
            )
        )
    state.bundles = tuple(bundles)


def _decode_displays(state: State, top: Fields) -> None:
    t = state.tables
    columns = columns_of(t)
    if top.has("innovations"):
        placed: list[tuple[int, int]] = []
        for row in top.rows("innovations"):
            f = Fields(row, "innovations", ("key", "column"))
            column = f.choice("column", columns[0], tuple(columns))
            placed.append((_cid(state, v.K_INNOVATION, f.required("key"), "innovations.key"), columns.index(column)))
        state.innovations = tuple(placed)
    else:
        d = t.data["innovation_display"]
        places: list[int] = []
        for k in range(len(columns)):
            places += [k] * int((d["plain"] if k < 4 else d["double"])[t.n_players - 2])
        state.innovations = tuple(zip(t.kinds[v.K_INNOVATION], places, strict=False))
    cids = t.kinds[v.K_COMPETENCY]
    copies = int(t.setup["competency_copies"])
    state.competency_discipline = [-1] * len(cids)
    state.competency_place = [0] * len(cids)
    state.competency_left = [0] * len(cids)
    rows = top.rows("competencies")
    if not top.has("competencies"):
        spots = [(d, p) for d in t.disciplines for p in range(len(t.competency_places))]
        rows = [
            {"key": t.components[cid].key, "discipline": d, "place": p}
            for cid, (d, p) in zip(cids, spots, strict=False)
        ]
    for row in rows:
        f = Fields(row, "competencies", ("key", "discipline", "place", "left"))
        k = t.components[_cid(state, v.K_COMPETENCY, f.required("key"), "competencies.key")].position
        state.competency_discipline[k] = t.disciplines.index(f.choice("discipline", t.disciplines[0], t.disciplines))
        state.competency_place[k] = f.integer("place", 0, 0, len(t.competency_places) - 1)
        state.competency_left[k] = f.integer("left", copies, 0, copies)


def _decode_terrain(state: State, top: Fields) -> None:
    t = state.tables
    for name, terrain in top.table("terrain").items():
        h = hex_index(state, name, "terrain")
        if terrain not in t.terrains:
            raise PositionError(f"unknown terrain {terrain!r}, in terrain.{name}, use one of {', '.join(t.terrains)}")
        state.terrain_mask[state.terrain[h]] ^= 1 << h
        state.terrain[h] = t.terrains.index(terrain)
        state.terrain_mask[state.terrain[h]] |= 1 << h


def hex_index(state: State, name: object, where: str, river: bool = False) -> int:
    """Index of a land (or river) hex by name."""
    h = state.geometry.index.get(str(name), -1)
    if h < 0 or not (state.geometry.river if river else state.geometry.land) >> h & 1:
        raise PositionError(
            f"no {'river' if river else 'land'} hex {name!r}, in {where}, use a hex of map {state.geometry.key}"
        )
    return h


def _decode_bridges(state: State, top: Fields) -> None:
    for row in top.items("bridges"):
        if (
            not isinstance(row, (list, tuple))
            or len(row) != 3
            or not isinstance(row[2], int)
            or not 0 <= row[2] < state.n_players
        ):
            raise PositionError(f"bridge {row!r}, in bridges, write [hex, hex, seat]")
        a = hex_index(state, row[0], "bridges")
        b = hex_index(state, row[1], "bridges")
        a, b = min(a, b), max(a, b)
        if (a, b) not in state.geometry.lines:
            raise PositionError(
                f"no bridge line {row[0]}-{row[1]}, in bridges, use two hexes that face each other (BR-2)"
            )
        if state.bridge_sides[a] >> b & 1:
            raise PositionError(f"bridge {row[0]}-{row[1]} twice, in bridges, name it once")
        state.bridges = (*state.bridges, (a, b, row[2]))
        state.bridge_sides[a] |= 1 << b
        state.bridge_sides[b] |= 1 << a
    for i, seat in enumerate(state.seats):
        built = [bridge for bridge in state.bridges if bridge[2] == i]
        if seat.bridge_supply < 0:
            seat.bridge_supply = state.tables.bridge_pieces - len(built)
        if seat.bridge_supply < 0 or seat.bridge_supply + len(built) > state.tables.bridge_pieces:
            raise PositionError(
                f"{len(built)} bridges built and {seat.bridge_supply} in supply, in seats[{i}].bridge_supply, "
                f"have at most {state.tables.bridge_pieces} in all"
            )


def _decode_table(state: State, top: Fields) -> None:
    """What depends on the seats: palaces, city tiles, bonus tiles, scholar places, books, rival."""
    t = state.tables
    held = [seat.palace for seat in state.seats]
    state.palaces = _cids(state, top, "palaces", v.K_PALACE, [c for c in t.kinds[v.K_PALACE] if c not in held])
    copies = int(t.rules.options["city_tile_copies"])
    state.city_left = [copies] * len(t.kinds[v.K_CITY_TILE])
    for seat in state.seats:
        for cid in seat.city_tiles:
            state.city_left[t.components[cid].position] = max(0, state.city_left[t.components[cid].position] - 1)
    for key, left in top.table("city_tiles").items():
        k = t.components[_cid(state, v.K_CITY_TILE, key, "city_tiles")].position
        state.city_left[k] = top.checked(left, f"city_tiles.{key}", 0, 1_000)
    _decode_bonus_tiles(state, top)
    _decode_places(state, top)
    if state.book_supply:
        for d, name in enumerate(t.disciplines):
            given = top.table("book_supply").get(name)
            if given is None:
                state.book_supply[d] -= sum([seat.books[d] for seat in state.seats])
                if state.book_supply[d] < 0:
                    raise PositionError(
                        f"more than {t.books_per_discipline} books of {name}, in seats, books are limited (BOOK-1)"
                    )
            else:
                state.book_supply[d] = top.checked(given, f"book_supply.{name}", 0, t.books_per_discipline)


def _decode_bonus_tiles(state: State, top: Fields) -> None:
    t = state.tables
    cids = t.kinds[v.K_BONUS_TILE]
    state.bonus_coins = [-1] * len(cids)
    held = [seat.bonus for seat in state.seats]
    free = [cid for cid in cids if cid not in held]
    choosing = state.phase < P_INCOME
    for seat in state.seats:
        if seat.bonus < 0 and free and not choosing:
            seat.bonus = free.pop(0)
    if top.has("bonus_tiles"):
        for key, coins in top.table("bonus_tiles").items():
            cid = _cid(state, v.K_BONUS_TILE, key, "bonus_tiles")
            if cid in held:
                raise PositionError(f"{key} is held by a seat, in bonus_tiles, name free tiles only")
            state.bonus_coins[t.components[cid].position] = top.checked(coins, f"bonus_tiles.{key}", 0, 1_000)
    else:
        for cid in free[: int(t.setup["bonus_tiles_extra"])]:
            state.bonus_coins[t.components[cid].position] = 0


def _decode_places(state: State, top: Fields) -> None:
    t = state.tables
    values = t.scholar_places
    if state.n_players == 2:
        lay_out_rival(state, top.integer("area_tile", int(t.setup["area_tiles"][0]), 1, 99))
        rival = top.table("rival")
        for d, name in enumerate(t.disciplines):
            if name in rival:
                state.rival[d] = top.checked(rival[name], f"rival.{name}", 0, 99)
    places = top.table("scholar_places")
    for name, rows in places.items():
        if name not in t.disciplines:
            raise PositionError(
                f"unknown discipline {name!r}, in scholar_places, use one of {', '.join(t.disciplines)}"
            )
        d = t.disciplines.index(name)
        if not isinstance(rows, (list, tuple)) or len(rows) != len(values):
            raise PositionError(
                f"scholar_places.{name} is no list of {len(values)} places, in scholar_places, write one table a place"
            )
        for k, row in enumerate(rows):
            owner = row.get("seat") if isinstance(row, Mapping) else row
            if owner is None:
                state.places[d * len(values) + k] = -1
            elif owner == "rival":
                state.places[d * len(values) + k] = RIVAL
            else:
                state.places[d * len(values) + k] = top.checked(owner, f"scholar_places.{name}", 0, state.n_players - 1)
    for i, seat in enumerate(state.seats):
        seat.sent = state.places.count(i)
        if seat.scholar_supply < 0:
            seat.scholar_supply = t.scholar_pieces - seat.scholars - seat.sent
        if seat.scholar_supply < 0 or seat.scholar_supply + seat.scholars + seat.sent > t.scholar_pieces:
            raise PositionError(
                f"{seat.scholars} scholars on hand, {seat.sent} sent and {seat.scholar_supply} in supply, in seats[{i}], "
                f"have at most {t.scholar_pieces} in all"
            )


def _decode_turn(state: State, top: Fields) -> None:
    n = state.n_players
    state.order = top.seat_list("order", list(range(n)), n)
    if sorted(state.order) != list(range(n)):
        raise PositionError(f"order {state.order}, in order, name every seat once")
    state.next_order = top.seat_list("next_order", [i for i in state.order if state.seats[i].passed], n)
    state.queue = top.seat_list("queue", [], n)
    waiting = [i for i in state.order if not state.seats[i].passed]
    state.active = top.integer("active", waiting[0] if waiting else state.order[0], 0, n - 1)
    if state.phase == P_OVER:
        state.legal = []


def _decode_stack(state: State, top: Fields) -> None:
    for row in top.rows("pending"):
        state.stack.append(_frame(state, row))
    for row in top.rows("offers"):
        f = Fields(row, "offers", ("seat", "power", "builder", "hex"))
        state.offers.append(
            (
                f.integer("seat", 0, 0, state.n_players - 1),
                f.integer("power", 1, 1, 1_000),
                f.integer("builder", 0, 0, state.n_players - 1),
                hex_index(state, f.required("hex"), "offers.hex"),
            )
        )
    if state.phase == P_ACTIONS and not state.stack and state.seats[state.active].passed and state.stage == 0:
        raise PositionError(f"seat {state.active} has passed, in active, name a seat that has not")


def _frame(state: State, row: Mapping[str, Any]) -> tuple[int, ...]:
    name = row.get("kind")
    if name not in FRAME_NAMES:
        raise PositionError(f"unknown kind {name!r}, in pending.kind, use one of {', '.join(FRAME_NAMES)}")
    fields = FRAME_FIELDS.get(name, [("parts", "")])
    f = Fields(row, f"pending.{name}", ("kind", "seat", *(field for field, _ in fields)))
    out: list[int] = [FRAME_NAMES.index(name), f.integer("seat", state.active, 0, state.n_players - 1)]
    if out[0] == F_POOL:
        for part in f.rows("parts"):
            p = Fields(part, "pending.parts", ("source", "word", "op", "a", "b"))
            word = p.text("word", "")
            op = p.integer("op", v.OP_WORDS.index(word) if word in v.OP_WORDS and word else 0, 1, v.N_OPS - 1)
            out += [op, p.integer("a", 1, 0, 99), p.integer("b", 0, 0, 99), _read(state, p, "source", "source")]
        return tuple(out)
    for field, form in fields:
        out.append(_read(state, f, field, form))
    return tuple(out)


def _read(state: State, f: Fields, field: str, form: str) -> int:
    t = state.tables
    where = f"{f.where}.{field}"
    value = f.data.get(field)
    if form == "bool":
        return 1 if f.boolean(field, False) else 0
    if form == "hex":
        return -1 if value is None else hex_index(state, value, where)
    if form == "piece":
        return v.BUILDING_NAMES.index(f.choice(field, "", v.BUILDING_NAMES[1:]))
    if form == "discipline":
        return t.disciplines.index(f.choice(field, "", t.disciplines))
    if form == "disciplines":
        mask = 0
        for name in f.items(field):
            if name not in t.disciplines:
                raise PositionError(f"unknown discipline {name!r}, in {where}, use {', '.join(t.disciplines)}")
            mask |= 1 << t.disciplines.index(str(name))
        return mask
    if form == "source":
        if not value:
            return -1
        if value not in t.by_ref:
            raise PositionError(f"unknown component {value!r}, in {where}, write kind/key as in docs/notation.md")
        return t.by_ref[str(value)]
    if form == "rule":
        return SPADE_RULE_NAMES.index(f.choice(field, SPADE_RULE_NAMES[0], SPADE_RULE_NAMES))
    return f.integer(field, 0, -1, 10_000)
