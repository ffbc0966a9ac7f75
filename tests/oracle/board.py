"""Geometry over sets of hex names: adjacency, reach, tunnels, groups, cities, offers.

Functions take the dict of a state (docs/positions.md) and read only `map`, `bridges`, `terrain` and the seats.
"""

from .facts import (
    BRIDGE_LINES,
    CIRCLE,
    CITY_BUILDINGS,
    CITY_BUILDINGS_MONUMENT,
    CITY_BUILDINGS_UNIVERSITY,
    CITY_POWER,
    CITY_POWER_PALACE8,
    LETTERS,
    POWER,
)
from .maps import MAPS


def row_col(name):
    """Row and column from 0: "A1" is (0, 0)."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def axial(name):
    """MAP-1."""
    row, col = row_col(name)
    return col - row // 2, row


def name_of(q, r):
    """Name of the cell of these axial coordinates, None if no grid cell has them."""
    col = q + r // 2
    if not 0 <= r < 26 or col < 0:
        return None
    return chr(ord("A") + r) + str(col + 1)


def in_map_order(hexes):
    return sorted(hexes, key=row_col)


class Printed:
    """One map side: printed terrain of the land hexes, river hexes, neighbours by side, bridge places."""

    def __init__(self, data):
        self.land, self.rivers = {}, set()
        for row, line in enumerate(data["rows"]):
            for col, letter in enumerate(line.split()):
                name = chr(ord("A") + row) + str(col + 1)
                if letter == ".":
                    self.rivers.add(name)
                elif letter != "-":
                    self.land[name] = LETTERS[letter]
        self.hexes = set(self.land) | self.rivers
        self.sides = {}
        for name in self.hexes:
            q, r = axial(name)
            around = [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]
            self.sides[name] = {name_of(*cell) for cell in around} & self.hexes
        self.places = {tuple(in_map_order(text.split("-"))) for text in data["bridges"]}
        self.edge = set(data["edge"])
        self.lines = set()  # BR-2, for the Moles: every line between two land hexes
        for a in self.land:
            for b in self.land:
                (qa, ra), (qb, rb) = axial(a), axial(b)
                if (qb - qa, rb - ra) in BRIDGE_LINES:
                    self.lines.add(tuple(in_map_order([a, b])))


PRINTED = {key: Printed(data) for key, data in MAPS.items()}


def printed(d):
    return PRINTED[d["map"]]


# --- buildings -------------------------------------------------------------------------------------------------


def buildings(d, seat):
    """{hex: {kind, neutral, annex, city}} of one seat."""
    result = {}
    for name, value in d["seats"][seat]["buildings"].items():
        if isinstance(value, str):
            value = {"kind": value}
        result[name] = {
            "kind": value["kind"],
            "neutral": bool(value.get("neutral", False)) or value["kind"] in ("tower", "monument"),
            "annex": bool(value.get("annex", False)),
            "city": bool(value.get("city", False)),
        }
    return result


def occupied(d):
    return {name for seat in range(len(d["seats"])) for name in d["seats"][seat]["buildings"]}


def own_pieces(d, seat, kind):
    """Hexes of the pieces of the seat's own colour of a kind (neutral ones excluded)."""
    return {n for n, b in buildings(d, seat).items() if b["kind"] == kind and not b["neutral"]}


def palace_active(d, seat, number):
    me = d["seats"][seat]
    return bool(me.get("palace_built")) and str(me.get("palace")) == str(number)


# --- terrain ---------------------------------------------------------------------------------------------------


def terrain(d, name):
    return d["terrain"].get(name, printed(d).land[name])


def dig_path(start, home):
    """TB-2: terrains passed from `start` to `home` along the shorter way of the circle, `start` left out."""
    here, goal = CIRCLE.index(start), CIRCLE.index(home)
    ahead = (goal - here) % 7
    step, count = (1, ahead) if ahead <= 3 else (-1, 7 - ahead)
    return [CIRCLE[(here + step * i) % 7] for i in range(1, count + 1)]


# --- adjacency and reach ---------------------------------------------------------------------------------------


def bridge_pairs(d):
    return {tuple(in_map_order(entry[:2])) for entry in d["bridges"]}


def adjacent(d, name):
    """ADJ-1: hexes (land or river) sharing a side with it, or joined to it by a bridge of anyone."""
    result = set(printed(d).sides[name])
    for a, b in bridge_pairs(d):
        if name == a:
            result.add(b)
        if name == b:
            result.add(a)
    return result


def sailing_now(d, seat):
    """REACH-2: the river bonus tile counts in phase II until its holder passes."""
    me = d["seats"][seat]
    level = me["sailing"]
    if d["phase"] == "actions" and me["bonus"] == "river" and not me["passed"]:
        level += 1
    return level


def reach_from(d, hexes, sailing):
    """REACH-1: land hexes in reach of buildings standing on `hexes`."""
    p = printed(d)
    result = set()
    for name in hexes:
        result |= adjacent(d, name)
        wave, seen = {name}, set()
        for _ in range(sailing):  # a chain of at most `sailing` river hexes
            wave = {r for h in wave for r in p.sides[h] if r in p.rivers} - seen
            seen |= wave
        for river in seen:
            result |= p.sides[river]
    return result & set(p.land)


def reach(d, seat):
    return reach_from(d, buildings(d, seat), sailing_now(d, seat))


def skip_targets(d, hexes, most):
    """MOLE-1 (most 1), FLY-1 (most 2): land hexes to which 1..most skipped hexes of any kind lead from `hexes`,
    each hex of the way adjacent (ADJ-1) to the next."""
    wave = set(hexes)
    found = set()
    for count in range(most + 1):
        wave = {n for h in wave for n in adjacent(d, h)}  # count 0: neighbours
        if count:
            found |= wave
    return found & set(printed(d).land)


def special_targets(d, seat, most):
    """Targets of a tunnel or flight: as above, but not adjacent to an own building, free of buildings."""
    own = set(buildings(d, seat))
    beside = {n for h in own for n in adjacent(d, h)}
    return skip_targets(d, own, most) - beside - own


# --- groups and cities -----------------------------------------------------------------------------------------


def groups(d, seat, joined=None):
    """Connected groups (sets of hexes) of a seat's buildings; `joined(a, b)` defaults to ADJ-1."""
    left = set(buildings(d, seat))
    if joined is None:
        near = {h: adjacent(d, h) for h in left}

        def joined(a, b):
            return b in near[a]

    result = []
    while left:
        group = {left.pop()}
        grown = True
        while grown:
            new = {h for h in left if any(joined(g, h) for g in group)}
            grown = bool(new)
            group |= new
            left -= new
        result.append(group)
    return result


def big_enough(d, seat, group):
    """CITY-1 for a set of own buildings."""
    have = buildings(d, seat)
    count = sum(2 if have[h]["annex"] else 1 for h in group)
    power = sum(POWER[have[h]["kind"]] + (1 if have[h]["annex"] else 0) for h in group)
    kinds = {have[h]["kind"] for h in group}
    need = CITY_BUILDINGS
    if "university" in kinds:
        need = CITY_BUILDINGS_UNIVERSITY
    if "monument" in kinds:
        need = CITY_BUILDINGS_MONUMENT
    need_power = CITY_POWER_PALACE8 if palace_active(d, seat, 8) else CITY_POWER
    return count >= need and power >= need_power


def foundable_groups(d, seat):
    """CITY-1, CITY-3: groups without any city building that are big enough."""
    have = buildings(d, seat)
    return [g for g in groups(d, seat) if not any(have[h]["city"] for h in g) and big_enough(d, seat, g)]


def city_tiles_free(d):
    """City tiles left that are not already due to a city whose tile waits (ORD-1)."""
    due = 0
    for frame in d["pending"]:
        if frame["kind"] == "city_tile":
            due += 1
        if frame["kind"] == "resolve":
            due += sum(1 for part in frame["parts"] if part["word"] == "city")
    return sum(d["city_tiles"].values()) - due


def foundable_rivers(d, seat):
    """CITY-6: river hexes over which the holder of palace 14 may found a city."""
    if not palace_active(d, seat, 14) or city_tiles_free(d) <= 0:
        return set()
    p, have, result = printed(d), buildings(d, seat), set()
    for river in p.rivers - set(d["seats"][seat]["river_cities"]):
        beside = p.sides[river] & set(have)
        if not beside or any(have[h]["city"] for h in beside):
            continue
        union = set()
        for group in groups(d, seat):
            if group & beside:
                union |= group
        if any(have[h]["city"] for h in union):
            continue  # CITY-3: a group that touches a city founds none
        if big_enough(d, seat, union):
            result.add(river)
    return result


# --- power offers ----------------------------------------------------------------------------------------------


def offer_sums(d, builder, name):
    """POW-4: {seat: power values beside the hex built on} of the other seats, zero left out."""
    result = {}
    for seat in range(len(d["seats"])):
        if seat == builder:
            continue
        have = buildings(d, seat)
        total = sum(POWER[have[h]["kind"]] + (1 if have[h]["annex"] else 0) for h in adjacent(d, name) if h in have)
        if total:
            result[seat] = total
    return result


def offer_terms(bowls, vp, offer):
    """POW-4: (gain, cost), or None when nothing can be gained."""
    gain = min(offer, 2 * bowls[0] + bowls[1], vp + 1)
    return (gain, gain - 1) if gain > 0 else None


# --- bridges ---------------------------------------------------------------------------------------------------


def bridge_choices(d, seat, any_line=False):
    """BR-1 over printed places; over every line with `any_line` (Moles' own action, BR-2)."""
    if d["seats"][seat]["bridge_supply"] <= 0:
        return set()
    p = printed(d)
    lines = (p.lines | p.places) if any_line else p.places
    own = set(buildings(d, seat))
    return {pair for pair in lines - bridge_pairs(d) if own & set(pair)}
