"""Texts of all legal actions of the seat to move."""

from .board import (
    adjacent,
    bridge_choices,
    buildings,
    foundable_rivers,
    occupied,
    own_pieces,
    palace_active,
    terrain,
)
from .common import (
    any_step_possible,
    book_there,
    builds,
    competencies_to_take,
    free_land,
    guilds_on_map,
    option,
    piece_free,
    spades_answers,
    transforms,
)
from .facts import (
    BOOK_ACTIONS,
    DISCIPLINES,
    INNOVATION_BOOKS,
    INNOVATION_BOOKS_WASTELAND,
    INNOVATION_SURCHARGE,
    POWER_ACTIONS,
    SAILING_COINS,
    SAILING_MAX,
    TERRAFORMING_COINS,
    TERRAFORMING_COINS_PLAINS,
    TERRAFORMING_MAX,
    TERRAFORMING_TOOLS,
    UPGRADES,
)
from .pending import answers


def seat_to_move(d):
    """The last pending frame's seat, else `active` or the first of `queue`; None when nobody is to move."""
    if d["pending"]:
        return d["pending"][-1]["seat"]
    if d["phase"] == "actions":
        return d["active"]
    return d["queue"][0] if d["queue"] else None


def legal_texts(d):
    if d["pending"]:
        return answers(d, d["pending"][-1])
    seat = seat_to_move(d)
    if d["phase"] == "actions":
        return turn_texts(d, seat)
    if seat is not None and d["phase"] in SETUP:
        return SETUP[d["phase"]](d, seat)
    return set()


# --- set-up ----------------------------------------------------------------------------------------------------


def bundle(d, seat):
    """SET-9."""
    return {f"bundle {b['board']}" for b in d["bundles"]}


def draft(d, seat):
    """SET-10: an item of a kind it still lacks."""
    me = d["seats"][seat]
    open_items = {"board": d["draft_boards"], "faction": d["draft_factions"], "palace": d["palaces"]}
    lacking = [kind for kind in ("board", "faction", "palace") if me[kind] is None]
    if option(d, "draft_order") == "board_faction_palace":
        lacking = lacking[:1]
    return {f"draft {kind}/{key}" for kind in lacking for key in open_items[kind]}


def draft_bonus(d, seat):
    return {f"bonus {key}" for key in d["bonus_tiles"]}


def placement(d, seat):
    """SET-13: a free home hex anywhere."""
    me = d["seats"][seat]
    return {
        f"place {name} {piece}"
        for name in free_land(d)
        if terrain(d, name) == me["board"]
        for piece in me["start_pieces"]
    }


def start_competency(d, seat):
    """SET-14."""
    return {f"competency {key}" for key in competencies_to_take(d, seat)}


SETUP = {
    "bundle": bundle,
    "draft": draft,
    "draft_bonus": draft_bonus,
    "placement": placement,
    "start_competency": start_competency,
}


# --- a turn ----------------------------------------------------------------------------------------------------


def turn_texts(d, seat):
    """ACT-1, CONV-2, CITY-6."""
    texts = set()
    stage = d["stage"]
    if stage != "second" or option(d, "psychics_convert_between"):
        texts |= conversions(d, seat)
    if option(d, "palace14_when") == "own_turn":
        texts |= {f"found {river}" for river in foundable_rivers(d, seat)}
    if stage == "after":
        return texts | {"end"}
    return texts | main_actions(d, seat)


def conversions(d, seat):
    """CONV-1, POW-3."""
    me = d["seats"][seat]
    power = me["bowls"][2]
    texts = set()
    if power >= 5:
        if me["scholar_supply"] > 0:
            texts.add("convert 5power>scholar")
        texts |= {f"convert 5power>{x}-book" for x in DISCIPLINES if book_there(d, x)}
    if power >= 3:
        texts.add("convert 3power>tool")
    if power >= 1:
        texts.add("convert 1power>coin")
    if me["scholars"] >= 1:
        texts.add("convert 1scholar>tool")
    if me["tools"] >= 1:
        texts.add("convert 1tool>coin")
    texts |= {f"convert 1{x}-book>coin" for x in DISCIPLINES if me["books"][x] >= 1}
    if me["bowls"][1] >= 2:
        texts.add("sacrifice")
    return texts


def main_actions(d, seat):
    return (
        transforms(d, seat, free=0, used=0, special=True, buy="any")
        | builds(d, seat, special=True)
        | upgrades(d, seat)
        | tracks(d, seat)
        | innovations(d, seat)
        | scholars(d, seat)
        | power_actions(d, seat)
        | book_actions(d, seat)
        | special_actions(d, seat)
        | moles_bridges(d, seat)
        | annexes(d, seat)
        | passing(d, seat)
    )


def upgrades(d, seat):
    """UP-1, UP-2."""
    me = d["seats"][seat]
    others = occupied(d) - set(buildings(d, seat))
    texts = set()
    for (old, new), (tools, coins, coins_beside) in UPGRADES.items():
        if not piece_free(d, seat, new):
            continue
        for name in own_pieces(d, seat, old):
            price = coins_beside if adjacent(d, name) & others else coins
            if me["tools"] >= tools and me["coins"] >= price:
                texts.add(f"upgrade {name} {new}")
    return texts


def tracks(d, seat):
    """TR-1, TR-2."""
    me = d["seats"][seat]
    texts = set()
    if me["scholars"] >= 1 and me["sailing"] < SAILING_MAX and me["coins"] >= SAILING_COINS:
        texts.add("advance sailing")
    coins = TERRAFORMING_COINS_PLAINS if me["board"] == "plains" else TERRAFORMING_COINS
    if (
        me["scholars"] >= 1
        and me["terraforming"] < TERRAFORMING_MAX
        and me["tools"] >= TERRAFORMING_TOOLS
        and me["coins"] >= coins
    ):
        texts.add("advance terraforming")
    return texts


def innovations(d, seat):
    """INN-1, INN-2."""
    me = d["seats"][seat]
    owned = len(me["innovations"])
    if owned >= 3:
        return set()
    row = INNOVATION_BOOKS_WASTELAND if me["board"] == "wasteland" else INNOVATION_BOOKS
    palace = bool(own_pieces(d, seat, "palace"))
    if option(d, "neutral_palace_waives_surcharge"):
        palace = any(b["kind"] == "palace" for b in buildings(d, seat).values())
    coins = 0 if palace else INNOVATION_SURCHARGE
    texts = set()
    for tile in d["innovations"]:
        fixed = all(me["books"][x] >= 2 for x in tile["column"].split("+"))
        if fixed and sum(me["books"].values()) >= row[owned] and me["coins"] >= coins:
            texts.add(f"innovate {tile['key']}")
    return texts


def scholars(d, seat):
    """SCH-1, SCH-2; legal even if the steps are lost (ACT-2)."""
    if d["seats"][seat]["scholars"] < 1:
        return set()
    texts = {f"return {x}" for x in DISCIPLINES}
    for discipline, places in d["scholar_places"].items():
        texts |= {f"send {discipline} {p['value']}" for p in places if p.get("seat") is None}
    return texts


def spade_action_possible(d, seat, free):
    """ACT-2: a spade used or a workshop built."""
    return bool(spades_answers(d, seat, free, 0, None, False, "normal"))


def free_guild_possible(d, seat, old):
    """ACT-2: an own piece of the kind and a free guild."""
    return bool(own_pieces(d, seat, old)) and piece_free(d, seat, "guild")


def power_moves(d, seat):
    """POW-1: gained power would move at least one token."""
    bowls = d["seats"][seat]["bowls"]
    return bowls[0] + bowls[1] > 0


def power_actions(d, seat):
    """PA-1, ACT-2."""
    me = d["seats"][seat]
    useful = {
        "bridge": bool(bridge_choices(d, seat)),
        "scholar": me["scholar_supply"] > 0,
        "tools": True,
        "coins": True,
        "spade": spade_action_possible(d, seat, 1),
        "two-spades": spade_action_possible(d, seat, 2),
    }
    texts = set()
    for key, cost in POWER_ACTIONS.items():
        if me["faction"] == "illusionists":
            cost -= 1
        if key not in d["used_power_actions"] and me["bowls"][2] >= cost and useful[key]:
            texts.add(f"power {key}")
    return texts


def book_actions(d, seat):
    """PA-1, ACT-2."""
    me = d["seats"][seat]
    useful = {
        "power": power_moves(d, seat),
        "science": any_step_possible(d, seat),
        "coins": True,
        "guild": free_guild_possible(d, seat, "workshop"),
        "score-guilds": bool(guilds_on_map(d, seat)),
        "three-spades": spade_action_possible(d, seat, 3),
    }
    texts = set()
    for key in d["book_actions"]:
        free = key not in d["used_book_actions"]
        if free and sum(me["books"].values()) >= BOOK_ACTIONS[key] and useful[key]:
            texts.add(f"book {key}")
    return texts


def special_actions(d, seat):
    """SP-1, ACT-2: own tiles, faction and round bonus tile."""
    me = d["seats"][seat]
    competencies = {str(x) for x in me["competencies"]}
    bridge = bool(bridge_choices(d, seat))
    a_book = any(book_there(d, x) for x in DISCIPLINES)
    offers = {
        "palace/1": palace_active(d, seat, 1),
        "palace/2": palace_active(d, seat, 2) and spade_action_possible(d, seat, 2),
        "palace/3": palace_active(d, seat, 3) and free_guild_possible(d, seat, "school"),
        "palace/4": palace_active(d, seat, 4) and free_guild_possible(d, seat, "workshop"),
        "palace/6": palace_active(d, seat, 6) and any_step_possible(d, seat),
        "palace/13": palace_active(d, seat, 13),
        "competency/7": "7" in competencies and power_moves(d, seat),
        "faction/philosophers": me["faction"] == "philosophers" and a_book,
        "faction/psychics": me["faction"] == "psychics",
        "innovation/deus-ex-machina": "deus-ex-machina" in me["innovations"] and spade_action_possible(d, seat, 1),
        "innovation/professor": "professor" in me["innovations"],
        "bonus/science": me["bonus"] == "science" and any_step_possible(d, seat),
        "bonus/spade": me["bonus"] == "spade" and spade_action_possible(d, seat, 1),
        "bonus/bridge": me["bonus"] == "bridge" and bridge,
    }
    return {f"special {key}" for key, legal in offers.items() if legal and key not in me["used"]}


def moles_bridges(d, seat):
    """FAC/moles, BR-2."""
    me = d["seats"][seat]
    if me["faction"] != "moles" or me["tools"] < 1:
        return set()
    return {f"bridge {a}-{b}" for a, b in bridge_choices(d, seat, any_line=True)}


def annexes(d, seat):
    """COMP/6."""
    if d["seats"][seat]["annexes"] < 1:
        return set()
    return {f"annex {name}" for name, b in buildings(d, seat).items() if not b["annex"]}


def passing(d, seat):
    """PASS-2."""
    if d["round"] >= 6:
        return {"pass"}
    return {f"pass {key}" for key in d["bonus_tiles"]}
