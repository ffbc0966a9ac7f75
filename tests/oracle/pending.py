"""Answers to the pending frames (docs/notation.md, "Answers to pending decisions")."""

from .board import (
    bridge_choices,
    dig_path,
    foundable_groups,
    foundable_rivers,
    in_map_order,
    own_pieces,
    terrain,
)
from .common import (
    books_in_box,
    competencies_to_take,
    free_land,
    multisets,
    option,
    piece_free,
    spade_price,
    spades_answers,
    step_possible,
    ways,
)
from .facts import DISCIPLINES


def answers(d, frame):
    return KINDS[frame["kind"]](d, frame["seat"], frame)


def spades(d, seat, frame):
    """ORD-2, ACT-2: may be declined unless it is the first use of an action's spades."""
    texts = spades_answers(d, seat, frame["free"], frame["used"], frame.get("first"), frame["special"], frame["rule"])
    if frame["rule"] == "single" or frame["may_decline"] or frame["used"] > 0:
        texts.add("decline")
    return texts


def pay(d, seat, frame):
    """INN-1, PA: every multiset of n books that the seat has."""
    return {"pay " + " ".join(c) for c in multisets(frame["n"], d["seats"][seat]["books"])}


def books(d, seat, frame):
    """BOOK-1: with limited books only what the supply has; what it lacks is lost."""
    limit = {x: books_in_box(d, x) for x in DISCIPLINES}
    if frame.get("distinct"):
        limit = {x: 1 if limit[x] is None else min(1, limit[x]) for x in DISCIPLINES}
    n = frame["n"]
    if None not in limit.values():
        n = min(n, sum(limit.values()))
    return {"books " + " ".join(c) for c in multisets(n, limit)} if n else set()


def steps(d, seat, frame):
    """SCI-2: a discipline whose key was declined is lost for the rest of the gain."""
    return {f"step {x}" for x in DISCIPLINES if x not in frame.get("barred", []) and step_possible(d, seat, x)}


def key(d, seat, frame):
    """SCI-2."""
    return {"key", "decline"} if d["seats"][seat]["keys"] > 0 else {"decline"}


def bridge(d, seat, frame):
    """BR-1: a printed place."""
    choices = {f"bridge {a}-{b}" for a, b in bridge_choices(d, seat)}
    return choices | {"decline"} if frame.get("may_decline", True) else choices


def neutral(d, seat, frame):
    """NEUT-1: a free hex in reach, dug all the way with bought spades."""
    me = d["seats"][seat]
    texts = set()
    for suffix, hexes, way_tools, way_scholars in ways(d, seat, neutral=True):
        for name in hexes & free_land(d):
            tools = len(dig_path(terrain(d, name), me["board"])) * spade_price(d, seat) + way_tools
            if tools <= me["tools"] and way_scholars <= me["scholars"]:
                texts.add(f"place {name} {frame['piece']}{suffix}")
    if not option(d, "neutral_must_place"):
        texts.add("decline")
    return texts


def free_piece(d, seat, frame):
    """PAL/16: any free home hex, reach not needed."""
    home = d["seats"][seat]["board"]
    texts = {"decline"}
    if piece_free(d, seat, frame["piece"]):
        texts |= {f"place {n} {frame['piece']}" for n in free_land(d) if terrain(d, n) == home}
    return texts


def exchange(d, seat, frame):
    """Free upgrades, PAL/3, PAL/4: own pieces only (NEUT-3)."""
    if not piece_free(d, seat, frame["to"]):
        return set()
    return {f"upgrade {n} {frame['to']}" for n in own_pieces(d, seat, frame["from"])}


def competency(d, seat, frame):
    return {f"competency {key}" for key in competencies_to_take(d, seat)}


def palace(d, seat, frame):
    """UP-3."""
    if d["setup"] == "draft":
        return {f"palace {d['seats'][seat]['palace']}"}
    return {f"palace {key}" for key in d["palaces"]}


def city_tile(d, seat, frame):
    """CITY-2."""
    return {f"city {key}" for key, left in d["city_tiles"].items() if left > 0}


def found(d, seat, frame):
    """CITY-6 at a check."""
    return {f"found {river}" for river in foundable_rivers(d, seat)} | {"decline"}


def city_group(d, seat, frame):
    """More groups than city tiles: each named by its first hex in map order."""
    return {f"found {in_map_order(group)[0]}" for group in foundable_groups(d, seat)}


def offer(d, seat, frame):
    return {"accept", "decline"}


def resolve(d, seat, frame):
    """ORD-1: which part is next; parts brought by an upgrade or a founded city carry no component of their own."""
    texts = set()
    for part in frame["parts"]:
        source = part.get("source") or ""
        if "/" not in source or source.split("/")[0] in ("power", "book"):
            texts.add(f"resolve {part['word']}")
        else:
            texts.add(f"resolve {source} {part['word']}")
    return texts


KINDS = {
    "spades": spades,
    "pay": pay,
    "books": books,
    "steps": steps,
    "key": key,
    "bridge": bridge,
    "neutral": neutral,
    "free_piece": free_piece,
    "exchange": exchange,
    "competency": competency,
    "palace": palace,
    "city_tile": city_tile,
    "found": found,
    "city_group": city_group,
    "offer": offer,
    "resolve": resolve,
}
