"""Final scoring (FIN, SET-17)."""

from aoi_sim.engine.geometry import Mask, bits
from aoi_sim.engine.resources import adjacent, gain_vp
from aoi_sim.engine.state import State


def area(state: State, i: int) -> int:
    """Number of buildings of the seat's largest group joined by reach, tunnels and flights (FIN-1)."""
    seat = state.seats[i]
    skips = seat.flight_hexes if seat.flight_scholars >= 0 else -1
    depends_on = (seat.own, state.bridges, seat.sailing, seat.tunnel_tools, seat.flight_scholars, skips)
    if seat.area_of != depends_on:
        # Players ask for the same areas at every decision.
        seat.area = _area(state, i)
        seat.area_of = depends_on
    return seat.area


def _area(state: State, i: int) -> int:
    seat = state.seats[i]
    sail = state.geometry.sail[seat.sailing]
    rest = seat.own
    best = 0
    while rest:
        group = 0
        front = rest & -rest
        while front:
            group |= front
            linked = 0
            for h in bits(front):
                linked |= sail[h] | state.bridge_sides[h]
            front = (linked | _skipped(state, i, front)) & seat.own & ~group
        best = max(best, group.bit_count())
        rest &= ~group
        if rest.bit_count() <= best:
            break
    return best


def _skipped(state: State, i: int, mask: Mask) -> Mask:
    """Hexes with exactly one (MOLE-1) or up to two (FLY-1) hexes between them and a hex of the mask."""
    seat = state.seats[i]
    if seat.tunnel_tools < 0 and seat.flight_scholars < 0:
        return 0
    out = adjacent(state, adjacent(state, mask))
    if seat.flight_scholars >= 0 and seat.flight_hexes > 1:
        out |= adjacent(state, out)
    return out


def ranked_vp(values: list[int], prizes: tuple[int, ...], lowest: int) -> list[int]:
    """VP for places by value, ties sharing the places they fill, each rounded down (FIN-3).

    Args:
        values: what is ranked, one a player (and the rival).
        prizes: VP of the first, second, ... place.
        lowest: values below this are never ranked.
    """
    out = [0] * len(values)
    place = 0
    for value in sorted(set(values), reverse=True):
        if value < lowest or place >= len(prizes):
            break
        tied = [k for k, x in enumerate(values) if x == value]
        total = 0
        for k in range(place, min(place + len(tied), len(prizes))):
            total += prizes[k]
        for k in tied:
            out[k] = total // len(tied)
        place += len(tied)
    return out


def resource_coins(state: State, i: int) -> int:
    """Coins that a seat's leftovers make (FIN-4)."""
    t = state.tables
    seat = state.seats[i]
    books = seat.books
    coins = seat.coins + seat.tools + seat.scholars + books[0] + books[1] + books[2] + books[3]
    coins += seat.bowl3 * t.bowl3_coin
    if t.burn_at_end:
        coins += seat.bowl2 // t.bowl2_per_coin
    return coins


def score_end(state: State) -> None:
    """Add the VP of area, science and resources (FIN-1 to FIN-4)."""
    t = state.tables
    n = state.n_players
    areas = [area(state, i) for i in range(n)]
    if state.rival:
        areas.append(state.area_tile)
    for i, vp in enumerate(ranked_vp(areas, t.final_area, 1)[:n]):
        gain_vp(state, i, t.cid_area, vp)
    for d in range(4):
        levels = [seat.science[d] for seat in state.seats]
        if state.rival:
            levels.append(state.rival[d])
        for i, vp in enumerate(ranked_vp(levels, t.final_science, 1)[:n]):
            gain_vp(state, i, t.cid_science, vp)
    for i in range(n):
        gain_vp(state, i, t.cid_resources, resource_coins(state, i) // t.coins_per_vp)


def win_shares(scores: list[int]) -> list[float]:
    """Share of the win of each seat; a tie is shared (FIN-5)."""
    best = max(scores)
    n = scores.count(best)
    return [1 / n if s == best else 0.0 for s in scores]
