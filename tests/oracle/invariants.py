"""What must hold in every state in which somebody is to move (and after the game)."""

from .board import (
    big_enough,
    bridge_pairs,
    buildings,
    foundable_groups,
    groups,
    in_map_order,
    palace_active,
    printed,
    terrain,
)
from .common import option
from .facts import (
    BOOK_ACTIONS,
    BOOKS_LIMITED,
    BRIDGES,
    CITY_TILES,
    COMPETENCIES,
    COMPETENCY_COPIES,
    DISCIPLINES,
    INNOVATIONS,
    INNOVATIONS_OUT,
    KEY_LEVEL,
    MAX_LEVEL,
    NEUTRAL_BY_INNOVATION,
    PIECES,
    POWER_ACTIONS,
    SAILING_MAX,
    SCHOLAR_PLACES,
    SCHOLARS,
    TERRAFORMING_MAX,
    TOKENS,
    VP_SOURCES,
)

EARLY = ("bundle", "draft", "draft_bonus")  # phases before everybody has all tiles


def violations(d):
    """Texts of everything that is wrong, empty if nothing is."""
    bad = []
    for check in (
        negatives,
        tokens,
        vp,
        scholars,
        bridges,
        pieces,
        neutral_pieces,
        hexes,
        city_tiles,
        competencies,
        innovations,
        bonus_tiles,
        palaces,
        books,
        science,
        tracks,
        cities,
        markers,
        order,
        offer_frames,
    ):
        bad += [f"{check.__name__}: {text}" for text in check(d)]
    return bad


def each(d):
    return enumerate(d["seats"])


def negatives(d):
    for s, me in each(d):
        for key in "vp coins tools scholars scholar_supply bridge_supply sailing terraforming keys annexes".split():
            if me[key] < 0:
                yield f"seat {s} {key} {me[key]}"
        for x in DISCIPLINES:
            if me["books"][x] < 0 or me["science"][x] < 0:
                yield f"seat {s} {x} book or level below 0"
    for key, left in list(d["city_tiles"].items()) + list(d["bonus_tiles"].items()):
        if left < 0:
            yield f"tile {key} {left}"


def tokens(d):
    """POW-1..3: 12 tokens, two more with the innovation "palace", fewer by sacrifices."""
    for s, me in each(d):
        most = TOKENS + (2 if "palace" in me["innovations"] else 0)
        if len(me["bowls"]) != 3 or min(me["bowls"]) < 0 or sum(me["bowls"]) > most:
            yield f"seat {s} bowls {me['bowls']}"


def vp(d):
    for s, me in each(d):
        if sum(me["vp_from"].values()) != me["vp"]:
            yield f"seat {s} vp {me['vp']} from {me['vp_from']}"
        for key, value in me["vp_from"].items():
            if key not in VP_SOURCES or (value < 0 and key not in ("power", "start")):
                yield f"seat {s} source {key} {value}"


def scholars(d):
    """POOL-1, INC-5, SCH-1."""
    sent = [0] * len(d["seats"])
    rival = 0
    for x in DISCIPLINES:
        places = d["scholar_places"][x]
        if sorted((p["value"] for p in places), reverse=True) != SCHOLAR_PLACES:
            yield f"places of {x} {places}"
        for p in places:
            if p.get("seat") == "rival":
                rival += p["value"] == 2
            elif p.get("seat") is not None:
                sent[p["seat"]] += 1
    if rival != (4 if len(d["seats"]) == 2 else 0) and d.get("rival"):
        yield f"{rival} scholars of the rival on 2-places"
    for s, me in each(d):
        if me["scholars"] + me["scholar_supply"] + sent[s] != SCHOLARS:
            yield f"seat {s} scholars {me['scholars']} + {me['scholar_supply']} + {sent[s]}"


def bridges(d):
    """BR-1, BR-2."""
    p = printed(d)
    if len(bridge_pairs(d)) != len(d["bridges"]):
        yield "two bridges on one place"
    for a, b, seat in d["bridges"]:
        pair = tuple(in_map_order([a, b]))
        lines = p.places | p.lines if d["seats"][seat]["faction"] == "moles" else p.places
        if pair not in lines:
            yield f"bridge {a}-{b} of seat {seat} is no place"
        if not set(pair) & set(d["seats"][seat]["buildings"]):
            yield f"bridge {a}-{b} has no building of seat {seat}"
    for s, me in each(d):
        own = sum(1 for bridge in d["bridges"] if bridge[2] == s)
        if own + me["bridge_supply"] != BRIDGES:
            yield f"seat {s} bridges {own} + {me['bridge_supply']}"


def pieces(d):
    for s, _ in each(d):
        kinds = [b["kind"] for b in buildings(d, s).values() if not b["neutral"]]
        for kind in set(kinds):
            if kinds.count(kind) > PIECES.get(kind, 0):
                yield f"seat {s} has {kinds.count(kind)} of {kind}"


def neutral_pieces(d):
    """At most one neutral building for each tile that brings one; annexes of competency 6."""
    for s, me in each(d):
        have = buildings(d, s).values()
        owned = [str(x) for x in me["competencies"]]
        neutral = [b["kind"] for b in have if b["neutral"]]
        for kind in set(neutral):
            if kind == "tower":
                most = ("10" in owned) + (me["faction"] == "omar")
            else:
                most = int(kind in NEUTRAL_BY_INNOVATION and kind in me["innovations"])
            if neutral.count(kind) > most:
                yield f"seat {s} has {neutral.count(kind)} neutral {kind}"
        annexed = sum(b["annex"] for b in have)
        if annexed + me["annexes"] != (2 if "6" in owned else 0):
            yield f"seat {s} annexes {annexed} placed, {me['annexes']} held"


def hexes(d):
    """One building a hex, on land, on the owner's home terrain; terrain table complete."""
    p = printed(d)
    if set(d["terrain"]) != set(p.land):
        yield "terrain table is not that of the land hexes"
    seen = {}
    for s, me in each(d):
        for name in me["buildings"]:
            if name not in p.land:
                yield f"seat {s} building on {name}, no land"
                continue
            if name in seen:
                yield f"{name} holds buildings of seats {seen[name]} and {s}"
            seen[name] = s
            if terrain(d, name) != me["board"]:
                yield f"seat {s} ({me['board']}) building on {name} ({terrain(d, name)})"


def city_tiles(d):
    """SET-8."""
    copies = option(d, "city_tile_copies")
    for key in CITY_TILES:
        taken = sum(me["city_tiles"].count(key) for me in d["seats"])
        if d["city_tiles"].get(key, 0) + taken != copies:
            yield f"{key}: {d['city_tiles'].get(key, 0)} left, {taken} taken"
    for s, me in each(d):
        if me["keys"] > len(me["city_tiles"]):
            yield f"seat {s} has {me['keys']} keys, {len(me['city_tiles'])} city tiles"


def competencies(d):
    """SET-6, COMP-1."""
    if sorted(str(c["key"]) for c in d["competencies"]) != sorted(COMPETENCIES):
        yield "not the 12 kinds"
    for c in d["competencies"]:
        taken = sum([str(x) for x in me["competencies"]].count(str(c["key"])) for me in d["seats"])
        if c["left"] < 0 or c["left"] + taken != COMPETENCY_COPIES:
            yield f"competency {c['key']}: {c['left']} left, {taken} taken"
    for s, me in each(d):
        if len({str(x) for x in me["competencies"]}) != len(me["competencies"]):
            yield f"seat {s} owns a kind twice: {me['competencies']}"
    places = {(c["discipline"], c["place"]) for c in d["competencies"]}
    if len(places) != 12:
        yield "two kinds share a place"


def innovations(d):
    """SET-5, INN-1, INN-3."""
    keys = [tile["key"] for tile in d["innovations"]]
    for s, me in each(d):
        keys += me["innovations"]
        if len(me["innovations"]) > 3:
            yield f"seat {s} has {len(me['innovations'])}"
    if len(set(keys)) != len(keys) or not set(keys) <= set(INNOVATIONS):
        yield f"tiles {sorted(keys)}"
    if len(keys) != INNOVATIONS_OUT[len(d["seats"])]:
        yield f"{len(keys)} tiles in play"


def bonus_tiles(d):
    """SET-9: players + 3 in play, none twice."""
    held = [me["bonus"] for me in d["seats"] if me["bonus"] is not None]
    keys = held + list(d["bonus_tiles"])
    if len(set(keys)) != len(keys):
        yield f"a tile twice: {keys}"
    if d["phase"] != "bundle" and d["phase"] != "draft" and len(keys) != len(d["seats"]) + 3:
        yield f"{len(keys)} in play"
    if d["phase"] not in EARLY and len(held) != len(d["seats"]):
        yield "a seat without a tile"


def palaces(d):
    """UP-3: a tile belongs to one player; it is known and works once the palace stands."""
    keys = [str(me["palace"]) for me in d["seats"] if me["palace"] is not None] + [str(x) for x in d["palaces"]]
    if len(set(keys)) != len(keys):
        yield f"a tile twice: {keys}"
    choosing = set()
    for frame in d["pending"]:
        words = [part["word"] for part in frame.get("parts", [])]
        if frame["kind"] in ("palace", "effect") or "palace" in words:
            choosing.add(frame["seat"])
    for s, me in each(d):
        stands = any(b["kind"] == "palace" and not b["neutral"] for b in buildings(d, s).values())
        if me["palace_built"] and not (stands and me["palace"] is not None):
            yield f"seat {s} palace tile works without a palace"
        if stands and not me["palace_built"] and s not in choosing:
            yield f"seat {s} palace without a working tile"


def books(d):
    """BOOK-1."""
    if option(d, "book_supply") == "limited":
        for x in DISCIPLINES:
            total = d["book_supply"][x] + sum(me["books"][x] for me in d["seats"])
            if total != BOOKS_LIMITED or d["book_supply"][x] < 0:
                yield f"{x}: {total} in all, {d['book_supply'][x]} in the box"


def science(d):
    """SCI-1..3: every level beyond 7 has cost a key."""
    for x in DISCIPLINES:
        levels = [me["science"][x] for me in d["seats"]]
        if max(levels) > MAX_LEVEL or levels.count(MAX_LEVEL) > 1:
            yield f"{x} levels {levels}"
    for s, me in each(d):
        beyond = sum(1 for x in DISCIPLINES if me["science"][x] > KEY_LEVEL)
        if beyond + me["keys"] != len(me["city_tiles"]):
            yield f"seat {s}: {beyond} levels beyond 7, {me['keys']} keys, {len(me['city_tiles'])} city tiles"


def tracks(d):
    for s, me in each(d):
        if me["sailing"] > SAILING_MAX or me["terraforming"] > TERRAFORMING_MAX:
            yield f"seat {s} sailing {me['sailing']}, terraforming {me['terraforming']}"
        if me["board"] == "lake" and me["sailing"] < 1 and d["phase"] not in EARLY:
            yield f"seat {s} lake without sailing"


def city_clusters(d, seat):
    """City buildings of a seat as founded: whole groups, joined over the river hexes used up for CITY-6."""
    have = buildings(d, seat)
    clusters = [g for g in groups(d, seat) if all(have[h]["city"] for h in g)]
    for river in d["seats"][seat]["river_cities"]:
        beside = [g for g in clusters if g & printed(d).sides[river]]
        clusters = [g for g in clusters if g not in beside]
        if beside:
            clusters.append(set().union(*beside))
    return clusters


def cities(d):
    """CITY-1..6."""
    for s, me in each(d):
        have = buildings(d, s)
        for g in groups(d, s):
            if len({have[h]["city"] for h in g}) > 1:
                yield f"seat {s} group {in_map_order(g)} is partly in a city"
        clusters = city_clusters(d, s)
        for g in clusters:
            if not big_enough(d, s, g):
                yield f"seat {s} city {in_map_order(g)} is too small"
        waiting = 0
        for frame in d["pending"]:
            if frame["seat"] == s:
                waiting += frame["kind"] in ("city_tile", "effect")
                waiting += sum(1 for part in frame.get("parts", []) if part["word"] == "city")
        founded = len(me["city_tiles"]) + waiting
        if palace_active(d, s, 11) and not waiting and me["city_tiles"] and sum(d["city_tiles"].values()):
            founded -= 1  # CITY-5: a tile without a city
        if len(clusters) > founded:
            yield f"seat {s}: {len(clusters)} cities, {founded} city tiles"
        without = 1 if palace_active(d, s, 11) else 0  # its tile stays when the others' tiles have run out since
        if not waiting and len(me["city_tiles"]) > without and not clusters:
            yield f"seat {s}: {len(me['city_tiles'])} city tiles, no city"
        if len(me["river_cities"]) != len(set(me["river_cities"])):
            yield f"seat {s}: a river hex twice"
        if not set(me["river_cities"]) <= printed(d).rivers:
            yield f"seat {s}: {me['river_cities']} are no river hexes"
        if me["river_cities"] and not palace_active(d, s, 14):
            yield f"seat {s}: cities over rivers without palace 14"
        if not d["pending"] and sum(d["city_tiles"].values()) and d["phase"] == "actions":
            for g in foundable_groups(d, s):
                yield f"seat {s} group {in_map_order(g)} should be a city"


def markers(d):
    """PA-1, SP-1."""
    for key, legal in (("used_power_actions", POWER_ACTIONS), ("used_book_actions", d["book_actions"])):
        if len(set(d[key])) != len(d[key]) or not set(d[key]) <= set(legal):
            yield f"{key} {d[key]}"
    if len(set(d["book_actions"])) != 3 or not set(d["book_actions"]) <= set(BOOK_ACTIONS):
        yield f"book actions {d['book_actions']}"
    for s, me in each(d):
        owned = {f"competency/{x}" for x in me["competencies"]} | {f"innovation/{x}" for x in me["innovations"]}
        owned |= {f"faction/{me['faction']}", f"palace/{me['palace']}"}
        for used in me["used"]:
            # a round bonus tile may have been exchanged by passing
            if used not in owned and not used.startswith("bonus/"):
                yield f"seat {s} used {used}, not its own"
        if len(set(me["used"])) != len(me["used"]):
            yield f"seat {s} used {me['used']}"


def order(d):
    """PASS-2."""
    seats = list(range(len(d["seats"])))
    if sorted(d["order"]) != seats:
        yield f"order {d['order']}"
    if len(set(d["next_order"])) != len(d["next_order"]) or not set(d["next_order"]) <= set(seats):
        yield f"next order {d['next_order']}"
    if d["phase"] != "actions" or d["pending"]:
        return
    if d["round"] < 6 and sorted(d["next_order"]) != [s for s, me in each(d) if me["passed"]]:
        yield f"next order {d['next_order']} is not the seats that have passed"
    if d["seats"][d["active"]]["passed"] and d["stage"] != "after":
        yield f"seat {d['active']} is to act but has passed"


def offer_frames(d):
    """POW-4."""
    for frame in d["pending"]:
        if frame["kind"] == "offer":
            me = d["seats"][frame["seat"]]
            most = min(2 * me["bowls"][0] + me["bowls"][1], me["vp"] + 1)
            if not 1 <= frame["power"] <= most or frame["cost"] != frame["power"] - 1:
                yield f"offer {frame}"
