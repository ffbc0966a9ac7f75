"""One seat of a position (docs/positions.md, "A seat")."""

from collections.abc import Mapping
from typing import Any

from aoi_sim.engine.fields import Fields, PositionError
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.setup_actions import equip
from aoi_sim.engine.state import P_INCOME, P_PLACEMENT, State
from aoi_sim.rules import vocabulary as v

SEAT_KEYS = (
    "faction board palace palace_built bonus passed passed_turn vp coins tools scholars books bowls scholar_supply "
    "bridge_supply science sailing terraforming keys annexes buildings city_tiles competencies innovations used "
    "river_cities vp_from start_pieces start_spades"
).split()


def decode_seat(state: State, i: int, row: Mapping[str, Any]) -> None:
    """Fill seat i from its table; reach and abilities are derived by the caller."""
    f = Fields(row, f"seats[{i}]", SEAT_KEYS)
    t = state.tables
    seat = state.seats[i]
    _components(state, seat, f)
    if seat.board >= 0 and seat.faction >= 0 and state.phase >= P_PLACEMENT - 1:
        equip(state, i)
    s = t.setup
    started = state.phase >= P_INCOME
    seat.passed = f.boolean("passed", False)
    seat.passed_turn = f.integer("passed_turn", -1, -1, 10_000)
    seat.coins = f.integer("coins", seat.coins if seat.coins else int(s["coins"]), 0, 100_000)
    seat.tools = f.integer("tools", int(s["tools"]), 0, 100_000)
    seat.scholars = f.integer("scholars", 0, 0, t.scholar_pieces)
    _disciplines(state, f, "books", seat.books, 100_000)
    _disciplines(state, f, "science", seat.science, t.science_max)
    bowls = f.items("bowls")
    if bowls:
        if len(bowls) != 3:
            raise PositionError(f"{bowls!r}, in {f.path('bowls')}, write [bowl I, bowl II, bowl III]")
        b1, b2, b3 = [f.checked(b, f.path("bowls"), 0, 1_000) for b in bowls]
        seat.bowl1, seat.bowl2, seat.bowl3 = b1, b2, b3
    # Derived from what is sent or built when not given; -1 tells the caller so.
    seat.scholar_supply = f.integer("scholar_supply", -1, 0, t.scholar_pieces)
    seat.bridge_supply = f.integer("bridge_supply", -1, 0, t.bridge_pieces)
    seat.sailing = f.integer("sailing", seat.sailing, 0, t.sailing_max)
    seat.terraforming = f.integer("terraforming", 0, 0, t.terraforming_max)
    seat.keys = f.integer("keys", 0, 0, 100)
    seat.annexes = f.integer("annexes", 0, 0, 100)
    _buildings(state, i, f)
    built = seat.pieces[v.PALACE] != 0 and seat.palace >= 0
    seat.palace_built = f.boolean("palace_built", built)
    _used(state, seat, f)
    _rivers(state, seat, f)
    seat.vp = f.integer("vp", t.amount(s["vp"]), -100_000, 100_000)
    _vp_from(state, seat, f)
    seat.start_pieces = () if started else seat.start_pieces
    if f.has("start_pieces"):
        seat.start_pieces = tuple([_building_kind(p, f.path("start_pieces")) for p in f.items("start_pieces")])
    seat.start_spades = tuple([f.checked(x, f.path("start_spades"), 1, 99) for x in f.items("start_spades")])


def _components(state: State, seat: Seat, f: Fields) -> None:
    seat.faction = _component(state, f, "faction", v.K_FACTION)
    seat.board = _component(state, f, "board", v.K_BOARD)
    seat.palace = _component(state, f, "palace", v.K_PALACE)
    seat.bonus = _component(state, f, "bonus", v.K_BONUS_TILE)
    if state.phase >= P_PLACEMENT - 1 and (seat.faction < 0 or seat.board < 0):
        raise PositionError(f"faction or board is missing, in {f.where}, give both")
    seat.city_tiles = _component_list(state, f, "city_tiles", v.K_CITY_TILE)
    seat.competencies = _component_list(state, f, "competencies", v.K_COMPETENCY)
    seat.innovations = _component_list(state, f, "innovations", v.K_INNOVATION)
    for key, held in (("competencies", seat.competencies), ("innovations", seat.innovations)):
        if len(set(held)) != len(held):
            raise PositionError(f"a tile twice, in {f.path(key)}, name each once")


def _lookup(state: State, key: object, kind: int, where: str) -> int:
    word = v.KIND_WORDS[kind]
    cid = state.tables.by_ref.get(f"{word}/{key}")
    if cid is None:
        known = ", ".join(state.tables.components[c].key for c in state.tables.kinds[kind])
        raise PositionError(f"unknown {word} {key!r}, in {where}, use one of {known}")
    return cid


def _component(state: State, f: Fields, key: str, kind: int) -> int:
    return _lookup(state, f.data[key], kind, f.path(key)) if f.has(key) else -1


def _component_list(state: State, f: Fields, key: str, kind: int) -> tuple[int, ...]:
    return tuple([_lookup(state, k, kind, f.path(key)) for k in f.items(key)])


def _disciplines(state: State, f: Fields, key: str, values: list[int], most: int) -> None:
    names = state.tables.disciplines
    for name, value in f.table(key).items():
        if name not in names:
            raise PositionError(f"unknown discipline {name!r}, in {f.path(key)}, use one of {', '.join(names)}")
        values[names.index(name)] = f.checked(value, f"{f.path(key)}.{name}", 0, most)


def _building_kind(name: object, where: str) -> int:
    if name not in v.BUILDING_NAMES[1:]:
        raise PositionError(f"unknown building {name!r}, in {where}, use one of {', '.join(v.BUILDING_NAMES[1:])}")
    return v.BUILDING_NAMES.index(str(name))


def _buildings(state: State, i: int, f: Fields) -> None:
    t = state.tables
    seat = state.seats[i]
    for name, row in f.table("buildings").items():
        where = f"{f.path('buildings')}.{name}"
        h = state.geometry.index.get(name, -1)
        if h < 0 or not state.geometry.land >> h & 1:
            raise PositionError(
                f"no land hex {name!r}, in {f.path('buildings')}, use a hex of map {state.geometry.key}"
            )
        if state.occupied >> h & 1:
            raise PositionError(f"{name} has a building already, in {where}, name each hex once")
        b = Fields({"kind": row} if isinstance(row, str) else row, where, ("kind", "neutral", "annex", "city"))
        kind = _building_kind(b.required("kind"), where)
        bit = 1 << h
        state.building[h] = kind
        state.owner[h] = i
        state.occupied |= bit
        seat.own |= bit
        seat.buildings[kind] += 1
        if b.boolean("neutral", kind in (v.TOWER, v.MONUMENT)):
            seat.neutral |= bit
        else:
            seat.pieces[kind] |= bit
            if seat.pieces[kind].bit_count() > t.pieces[kind]:
                raise PositionError(
                    f"more than {t.pieces[kind]} {v.BUILDING_NAMES[kind]} pieces, in {f.path('buildings')}, mark neutral ones"
                )
        if b.boolean("annex", False):
            seat.annexed |= bit
        if b.boolean("city", False):
            seat.city |= bit
        # A building stands on home terrain unless the position says otherwise.
        if seat.home >= 0 and state.terrain[h] != seat.home:
            state.terrain_mask[state.terrain[h]] ^= bit
            state.terrain[h] = seat.home
            state.terrain_mask[seat.home] |= bit


def _used(state: State, seat: Seat, f: Fields) -> None:
    t = state.tables
    for ref in f.items("used"):
        cid = t.by_ref.get(str(ref), -1)
        if cid < 0 or t.components[cid].special < 0:
            known = ", ".join(t.components[c].ref for c in t.special_cids)
            raise PositionError(f"no special action {ref!r}, in {f.path('used')}, use one of {known}")
        seat.used |= 1 << t.components[cid].special


def _rivers(state: State, seat: Seat, f: Fields) -> None:
    for name in f.items("river_cities"):
        h = state.geometry.index.get(str(name), -1)
        if h < 0 or not state.geometry.river >> h & 1:
            raise PositionError(f"no river hex {name!r}, in {f.path('river_cities')}, use a river hex of the map")
        seat.river_cities |= 1 << h


def _vp_from(state: State, seat: Seat, f: Fields) -> None:
    if not f.has("vp_from"):
        seat.vp_from[0] = seat.vp
        return
    total = 0
    for name, value in f.table("vp_from").items():
        if name not in v.VP_SOURCES:
            raise PositionError(
                f"unknown source {name!r}, in {f.path('vp_from')}, use one of {', '.join(v.VP_SOURCES)}"
            )
        amount = f.checked(value, f"{f.path('vp_from')}.{name}", -100_000, 100_000)
        seat.vp_from[v.VP_SOURCES.index(name)] = amount
        total += amount
    if total != seat.vp:
        raise PositionError(f"vp is {seat.vp} but its sources sum to {total}, in {f.path('vp_from')}, make them agree")
