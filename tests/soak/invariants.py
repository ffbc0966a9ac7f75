"""What must hold after every action: nothing negative, everything conserved, the ledger of VP right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aoi_sim.engine import events as e
from aoi_sim.engine.state import P_ACTIONS, P_BUNDLE, P_DRAFT, P_DRAFT_BONUS, RIVAL, State
from aoi_sim.rules import vocabulary as v

_STOCKS = (
    "vp coins tools scholars bowl1 bowl2 bowl3 scholar_supply bridge_supply sailing terraforming keys annexes sent"
).split()
_EARLY = (P_BUNDLE, P_DRAFT, P_DRAFT_BONUS)


class Ledger:
    """What the events say: VP by seat and source, power tokens and annexes that came and went."""

    def __init__(self, state: State) -> None:
        t = state.tables
        self.sources = [component.source for component in t.components]
        self.vp = [[0] * len(e.VP_SOURCES) for _ in state.seats]
        self.tokens = [0] * state.n_players
        self.annexes = [0] * state.n_players

    def absorb(self, rows: Sequence[Sequence[int]]) -> None:
        for _, i, code, cid, _, amount, vp, *_ in rows:
            if code == e.E_VP:
                self.vp[i][self.sources[cid]] += vp
            elif code == e.E_TOKENS:
                self.tokens[i] += amount
            elif code == e.E_SACRIFICED:
                self.tokens[i] -= amount
            elif code == e.E_ANNEXES:
                self.annexes[i] += amount


class Invariants:
    """The checks of one game; they need to know what was there at the start."""

    def __init__(self, state: State) -> None:
        t = state.tables
        draws = state.draws
        self.innovations = sorted(t.by_ref["innovation/" + row["key"]] for row in draws["innovations"])
        palaces = [*draws["palaces"], *(row["palace"] for row in draws.get("deal", ()) if "palace" in row)]
        self.palaces = sorted(t.by_ref["palace/" + key] for key in palaces)
        rows = draws.get("deal") or draws.get("bundles") or ()
        self.boards = draws.get("draft_boards") or [row["board"] for row in rows]
        self.factions = draws.get("draft_factions") or [row["faction"] for row in rows]
        self.n_bonus = state.n_players + int(t.setup["bonus_tiles_extra"])
        self.copies = int(t.setup["competency_copies"])
        self.city_copies = int(t.rules.options["city_tile_copies"])

    def broken(self, state: State, ledger: Ledger | None) -> list[str]:
        """Everything that does not hold. The ledger is left out for states that log nothing (clones)."""
        found = [text for check in _CHECKS for text in check(self, state)]
        if ledger is not None:
            found += _ledger(state, ledger)
        return found


def _stocks(self: Invariants, state: State) -> Iterator[str]:
    """Nothing is negative; every score is the sum of its sources."""
    for i, seat in enumerate(state.seats):
        values = [getattr(seat, name) for name in _STOCKS]
        if min(values) < 0 or min(seat.books) < 0 or min(seat.science) < 0:
            yield f"seat {i} has something negative: {dict(zip(_STOCKS, values, strict=True))} {seat.books} {seat.science}"
        if sum(seat.vp_from) != seat.vp:
            yield f"seat {i} has {seat.vp} VP, sources {seat.vp_from}"
    rest = (*state.competency_left, *state.city_left, *state.book_supply)
    if min(rest) < 0 or min(state.bonus_coins) < -1:
        yield f"something in the supply is negative: {rest} {state.bonus_coins}"


def _scholars_and_bridges(self: Invariants, state: State) -> Iterator[str]:
    t = state.tables
    for i, seat in enumerate(state.seats):
        on_places = state.places.count(i)
        if seat.sent != on_places or seat.scholars + seat.scholar_supply + on_places != t.scholar_pieces:
            yield f"seat {i} scholars: {seat.scholars} held, {seat.scholar_supply} in supply, {on_places} sent"
        bridges = sum(bridge[2] == i for bridge in state.bridges)
        if bridges + seat.bridge_supply != t.bridge_pieces:
            yield f"seat {i} bridges: {bridges} built, {seat.bridge_supply} in supply"
    if len({bridge[:2] for bridge in state.bridges}) != len(state.bridges):
        yield f"two bridges in one place: {state.bridges}"
    if state.places.count(RIVAL) != (4 if state.n_players == 2 else 0):
        yield f"scholars of the rival: {state.places}"


def _map(self: Invariants, state: State) -> Iterator[str]:
    """Buildings: one a hex, on home terrain, kinds as counted, no more pieces than there are."""
    t = state.tables
    occupied = total = 0
    for i, seat in enumerate(state.seats):
        occupied |= seat.own
        total += seat.own.bit_count()
        pieces = 0
        for kind in range(1, 8):
            mask = seat.pieces[kind]
            if pieces & mask or mask.bit_count() > t.pieces[kind]:
                yield f"seat {i} pieces of {v.BUILDING_NAMES[kind]}"
            pieces |= mask
        if pieces & seat.neutral or pieces | seat.neutral != seat.own:
            yield f"seat {i}: own pieces and neutral buildings are not its buildings"
        if sum(seat.buildings) != seat.own.bit_count():
            yield f"seat {i}: {seat.buildings} do not count its buildings"
        if seat.own and seat.own & ~state.terrain_mask[seat.home]:
            yield f"seat {i}: a building off its home terrain"
        if (seat.annexed | seat.city) & ~seat.own or seat.river_cities & ~state.geometry.river:
            yield f"seat {i}: an annex, city or river city where it has no building"
    if occupied != state.occupied or total != occupied.bit_count() or occupied & ~state.geometry.land:
        yield "two buildings on a hex, or one off the land"
    terrain = 0
    for mask in state.terrain_mask:
        if terrain & mask:
            yield "a hex of two terrains"
        terrain |= mask
    if terrain != state.geometry.land:
        yield "a hex without terrain"


def _tiles(self: Invariants, state: State) -> Iterator[str]:
    """Every tile is in one place."""
    t = state.tables
    competencies: list[int] = []
    cities: list[int] = []
    innovations = [cid for cid, _ in state.innovations]
    palaces = list(state.palaces)
    held: list[int] = []
    for i, seat in enumerate(state.seats):
        competencies += seat.competencies
        cities += seat.city_tiles
        innovations += seat.innovations
        if seat.palace >= 0:
            palaces.append(seat.palace)
        if seat.bonus >= 0:
            held.append(seat.bonus)
        if len(set(seat.competencies)) != len(seat.competencies) or len(seat.innovations) > t.innovation_limit:
            yield f"seat {i} competencies {seat.competencies}, innovations {seat.innovations}"
        beyond = sum(level >= t.key_level for level in seat.science)
        if seat.keys + beyond != len(seat.city_tiles):
            yield f"seat {i}: {len(seat.city_tiles)} city tiles, {seat.keys} keys, {beyond} used"
    for k, cid in enumerate(t.kinds[v.K_COMPETENCY]):
        if state.competency_discipline[k] >= 0 and state.competency_left[k] + competencies.count(cid) != self.copies:
            yield f"copies of {t.components[cid].ref}"
    for k, cid in enumerate(t.kinds[v.K_CITY_TILE]):
        if state.city_left[k] + cities.count(cid) != self.city_copies:
            yield f"copies of {t.components[cid].ref}"
    if sorted(innovations) != self.innovations:
        yield f"innovations {innovations}"
    if state.phase not in _EARLY:
        bonus = held + [t.kinds[v.K_BONUS_TILE][k] for k, coins in enumerate(state.bonus_coins) if coins >= 0]
        if len(set(bonus)) != len(bonus) or len(bonus) != self.n_bonus or len(held) != state.n_players:
            yield f"round bonus tiles {bonus}"
    if len(set(palaces)) != len(palaces) or not set(palaces) <= set(self.palaces):
        yield f"palaces {palaces}"
    if state.setup_kind == "standard" and sorted(palaces) != self.palaces:
        yield f"palaces {palaces}"


def _picks(self: Invariants, state: State) -> Iterator[str]:
    """Boards and factions: each is one player's, or open, or out of the game once all are picked."""
    components = state.tables.components
    for word, drawn, open_ in (
        ("board", self.boards, [row[0] for row in state.bundles] or state.draft_boards),
        ("faction", self.factions, [row[1] for row in state.bundles] or state.draft_factions),
    ):
        held = [components[cid].key for cid in (getattr(seat, word) for seat in state.seats) if cid >= 0]
        if len(set(held)) != len(held) or not set(held) <= set(drawn):
            yield f"{word} {held}, drawn {drawn}"
        if state.phase in _EARLY[:2] and sorted(held + [components[cid].key for cid in open_]) != sorted(drawn):
            yield f"{word} {held} held, {open_} open, drawn {drawn}"


def _books_and_levels(self: Invariants, state: State) -> Iterator[str]:
    t = state.tables
    for d in range(4):
        if state.book_supply:
            total = state.book_supply[d] + sum(seat.books[d] for seat in state.seats)
            if total != t.books_per_discipline:
                yield f"{total} books of {t.disciplines[d]}"
        levels = [seat.science[d] for seat in state.seats]
        if max(levels) > t.science_max or sum(level >= t.last_place_level for level in levels) > 1:
            yield f"levels of {t.disciplines[d]}: {levels}"
    for i, seat in enumerate(state.seats):
        if seat.sailing > t.sailing_max or seat.terraforming > t.terraforming_max:
            yield f"seat {i} sailing {seat.sailing}, terraforming {seat.terraforming}"


def _order(self: Invariants, state: State) -> Iterator[str]:
    if sorted(state.order) != list(range(state.n_players)) or len(set(state.next_order)) != len(state.next_order):
        yield f"turn order {state.order}, next {state.next_order}"
    if state.phase == P_ACTIONS:
        passed = [i for i, seat in enumerate(state.seats) if seat.passed]
        if sorted(state.next_order) != passed:
            yield f"passed {passed}, next order {state.next_order}"


_CHECKS = (_stocks, _scholars_and_bridges, _map, _tiles, _picks, _books_and_levels, _order)


def _ledger(state: State, ledger: Ledger) -> list[str]:
    """Score = ledger of events; power tokens and annexes as they came and went."""
    found = []
    early = state.phase in _EARLY
    for i, seat in enumerate(state.seats):
        if seat.vp_from != ledger.vp[i]:
            found.append(f"seat {i} VP {seat.vp_from}, in the events {ledger.vp[i]}")
        start = 0 if early else sum(state.tables.board_bowls[seat.board])
        if seat.bowl1 + seat.bowl2 + seat.bowl3 != start + ledger.tokens[i]:
            found.append(f"seat {i} power tokens {seat.bowl1}, {seat.bowl2}, {seat.bowl3}")
        if seat.annexes + seat.annexed.bit_count() != ledger.annexes[i]:
            found.append(f"seat {i} annexes: {seat.annexes} held, {seat.annexed.bit_count()} placed")
    return found
