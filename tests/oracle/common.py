"""Questions about a state that both the turn's actions and the pending decisions ask."""

from itertools import combinations_with_replacement

from .board import (
    buildings,
    dig_path,
    occupied,
    own_pieces,
    palace_active,
    printed,
    reach,
    special_targets,
    terrain,
)
from .facts import (
    DISCIPLINES,
    KEY_LEVEL,
    MAX_LEVEL,
    OPTION_DEFAULTS,
    PIECES,
    WORKSHOP_COINS,
    WORKSHOP_TOOLS,
)


def option(d, name):
    """Value of an option; "on" and "off" count as booleans."""
    value = d.get("options", {}).get(name, OPTION_DEFAULTS[name])
    return {"on": True, "off": False}.get(value, value) if isinstance(value, str) else value


def piece_free(d, seat, kind):
    """UP-2, TB-6: a piece of the seat's colour is left."""
    return len(own_pieces(d, seat, kind)) < PIECES[kind]


# --- books -----------------------------------------------------------------------------------------------------


def books_in_box(d, discipline):
    """BOOK-1: books left to take; None when unlimited."""
    if option(d, "book_supply") != "limited":
        return None
    return d["book_supply"][discipline]


def book_there(d, discipline):
    return books_in_box(d, discipline) != 0


def multisets(n, limit):
    """Every multiset of n disciplines, at most limit[x] of x (None: no limit), as lists in table order."""
    result = []
    for chosen in combinations_with_replacement(DISCIPLINES, n):
        if all(limit[x] is None or chosen.count(x) <= limit[x] for x in DISCIPLINES):
            result.append(list(chosen))
    return result


# --- science ---------------------------------------------------------------------------------------------------


def step_possible(d, seat, discipline):
    """SCI-1..3: at least one step can really be taken."""
    me = d["seats"][seat]
    level = me["science"][discipline]
    if level >= MAX_LEVEL:
        return False
    if level == KEY_LEVEL:
        return me["keys"] > 0
    if level == MAX_LEVEL - 1:
        return all(other["science"][discipline] < MAX_LEVEL for other in d["seats"])
    return True


def any_step_possible(d, seat):
    return any(step_possible(d, seat, x) for x in DISCIPLINES)


# --- competencies ----------------------------------------------------------------------------------------------


def competencies_to_take(d, seat):
    """COMP-1."""
    owned = {str(x) for x in d["seats"][seat]["competencies"]}
    return {str(c["key"]) for c in d["competencies"] if c["left"] > 0 and str(c["key"]) not in owned}


# --- digging and building --------------------------------------------------------------------------------------


def spade_price(d, seat):
    """TB-3: tools a bought spade."""
    return 3 - d["seats"][seat]["terraforming"]


def ways(d, seat, special=True, neutral=False):
    """Ways to get at a hex: (suffix of the text, hexes, tools, scholars). Plain reach (REACH-1), a tunnel
    (MOLE-1: 1 tool) and a flight (FLY-1: 1 scholar), the last two only in phase II; for neutral buildings
    as option neutral_special_reach says (NEUT-1)."""
    me = d["seats"][seat]
    result = [("", reach(d, seat), 0, 0)]
    if not special or d["phase"] != "actions":
        return result
    allowed = option(d, "neutral_special_reach") if neutral else "both"
    if me["faction"] == "moles" and allowed in ("both", "tunnel"):
        result.append((" tunnel", special_targets(d, seat, 1), 1, 0))
    if palace_active(d, seat, 9) and allowed == "both":
        result.append((" flight", special_targets(d, seat, 2), 0, 1))
    return result


def free_land(d):
    return set(printed(d).land) - occupied(d)


def transforms(d, seat, free, used, special, buy):
    """All `transform` texts (TB-1..4). `free`: free spades; `used`: spades used in this action before; `special`:
    a tunnel or flight may still be used; `buy`: "any" (bought spades to any length), "home" (only as far as
    home), "none"."""
    me = d["seats"][seat]
    texts = set()
    for suffix, hexes, way_tools, way_scholars in ways(d, seat, special):
        for name in hexes & free_land(d):
            path = dig_path(terrain(d, name), me["board"])
            for length in range(1, len(path) + 1):
                bought = max(0, length - free)
                if bought:
                    if buy == "none" or used:
                        continue  # nothing is bought for further hexes
                    if buy == "home" and length < len(path):
                        continue
                tools = bought * spade_price(d, seat) + way_tools
                if tools <= me["tools"] and way_scholars <= me["scholars"]:
                    texts.add(f"transform {name}>{path[length - 1]}{suffix}")
    return texts


def builds(d, seat, special, free_of_cost=False):
    """`build` texts on any home hex in reach (TB-1, TB-5, TB-6)."""
    me = d["seats"][seat]
    texts = set()
    if not piece_free(d, seat, "workshop"):
        return texts
    tools, coins = (0, 0) if free_of_cost else (WORKSHOP_TOOLS, WORKSHOP_COINS)
    for suffix, hexes, way_tools, way_scholars in ways(d, seat, special):
        if tools + way_tools > me["tools"] or coins > me["coins"] or way_scholars > me["scholars"]:
            continue
        for name in hexes & free_land(d):
            if terrain(d, name) == me["board"]:
                texts.add(f"build {name}{suffix}")
    return texts


def build_on_first(d, seat, first, free_of_cost=False):
    """TB-5: the workshop on the first transformed hex, if that became home; its way has been paid."""
    me = d["seats"][seat]
    if first is None or terrain(d, first) != me["board"] or first in occupied(d):
        return set()
    if not piece_free(d, seat, "workshop"):
        return set()
    if not free_of_cost and (me["tools"] < WORKSHOP_TOOLS or me["coins"] < WORKSHOP_COINS):
        return set()
    return {f"build {first}"}


def spades_answers(d, seat, free, used, first, special_used, rule):
    """Answers of a `spades` frame, `decline` left out (docs/notation.md, "Pending spades")."""
    me = d["seats"][seat]
    if rule == "single":  # SET-15, END-1
        texts = set()
        for name in reach(d, seat) & free_land(d):
            path = dig_path(terrain(d, name), me["board"])
            if path and free > 0:
                texts.add(f"transform {name}>{path[0]}")
            buying = d["phase"] == "start_spades" and option(d, "setup_spades_buy") and used == 0
            missing = len(path) - free
            if buying and missing > 0 and missing * spade_price(d, seat) <= me["tools"]:
                texts.add(f"transform {name}>{path[-1]}")
        return texts
    texts = set()
    special = not special_used
    left_short = first is not None and terrain(d, first) != me["board"]  # TB-4: that ends the digging
    if free > 0 and not left_short:
        buy = "home" if option(d, "bought_must_reach_home") else "any"
        texts |= transforms(d, seat, free, used, special, buy)
    costless = rule == "free_workshop"
    if used == 0 or costless:
        texts |= builds(d, seat, special, costless)
    if used > 0:
        own_way = build_on_first(d, seat, first, costless)
        if own_way:  # reached already: not a second time by tunnel or flight
            texts -= {f"build {first} tunnel", f"build {first} flight"}
        texts |= own_way
    return texts


def upgrade_hexes(d, seat, kind):
    """UP-2: own pieces of a kind that may be replaced (neutral buildings never)."""
    return own_pieces(d, seat, kind)


def guilds_on_map(d, seat):
    """The player's own guilds, neutral ones included."""
    return {n for n, b in buildings(d, seat).items() if b["kind"] == "guild"}
