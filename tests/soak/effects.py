"""Everything that must be seen to happen: the effects of all components, action kinds, decisions, events."""

from __future__ import annotations

from functools import lru_cache

from aoi_sim.engine import actions as a
from aoi_sim.engine import events as e
from aoi_sim.engine.state import FRAME_NAMES, PHASE_NAMES
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Component, Gain
from aoi_sim.rules.tables import Tables

OP_NAMES = {
    v.OP_COINS: "coins",
    v.OP_TOOLS: "tools",
    v.OP_SCHOLARS: "scholars",
    v.OP_POWER: "power",
    v.OP_VP: "VP",
    v.OP_TOKENS: "tokens",
    v.OP_ANNEXES: "annexes",
    v.OP_BOOKS_ITS: "book of the discipline",
    v.OP_BOOKS: "books",
    v.OP_STEPS: "steps",
    v.OP_STEPS_SPLIT: "steps in any split",
    v.OP_STEPS_SPLIT_PER: "steps for each",
    v.OP_STEPS_EACH: "steps in each discipline",
    v.OP_SAILING: "sailing",
    v.OP_TERRAFORMING: "terraforming",
    v.OP_SPADES: "spades",
    v.OP_BRIDGES: "bridges",
    v.OP_NEUTRAL: "neutral building",
    v.OP_COMPETENCY: "competency",
    v.OP_CITY_TILE: "city tile",
    v.OP_EXCHANGE: "exchange",
    v.OP_FREE_PIECE: "free piece",
    v.OP_SECOND_ACTION: "second action",
}
EVENT_OPS = {
    e.E_COINS: v.OP_COINS,
    e.E_TOOLS: v.OP_TOOLS,
    e.E_SCHOLARS: v.OP_SCHOLARS,
    e.E_POWER: v.OP_POWER,
    e.E_VP: v.OP_VP,
    e.E_TOKENS: v.OP_TOKENS,
    e.E_ANNEXES: v.OP_ANNEXES,
}
# These are counted when they are used, not when they are offered.
USED_OPS = (v.OP_SPADES, v.OP_BRIDGES, v.OP_NEUTRAL, v.OP_FREE_PIECE)
# Two groups that become cities at once with one city tile left: rule tests and oracle have it, no game meets it.
UNREACHED_FRAMES = ("city_group", "effect")
TAKEN_EVENTS = {
    v.EV_CITY_TILE: "taken",
    v.EV_INNOVATION: "taken",
    v.EV_COMPETENCY: "taken",
    v.EV_POWER_ACTION: "taken",
    e.E_ACTION: "action taken",
    e.E_TILE: "taken",
}
LEVEL_REACHED = "income of a level reached during income"
LEVELS_WITH_POWER = (3, 5, 7, 12)

CITY_OVER_RIVER = "city over a river hex"
CITY_LESS_POWER = "city of less power"
LESS_POWER_PRICE = "power action for less"
HIGHER_LEVELS = "science bonus of higher levels"
FURTHER_REACH = "reach over one more river hex"
TUNNEL = "tunnel"
FLIGHT = "flight"
JOINED_AREA = "final area joined"
OWN_BRIDGE = "bridge of its own"
START_COMPETENCY = "competency at the start"
START_PIECES = "start pieces of its own"
START_SPADE = "spade at the start"
START = "start"
TERRAFORMING_PRICE = "terraforming step for its price"
INNOVATION_PRICE = "innovation for its price"
GUILD_INCOME = "guild income of its own"
SAILING_REWARD = "sailing reward of its own"
FREE_WORKSHOP = "free workshop"
CITY_SIZES = ("city of 3 buildings with a university", "city of 2 buildings with a monument", "city thanks to an annex")


def gains_of(c: Component) -> list[tuple[str, Gain]]:
    """The gains of a component by occasion, those at the start of the game left out."""
    rows = [
        ("choice at the start", c.choices),
        ("once", c.once),
        ("income", c.income),
        ("pass", c.passing),
        ("action", c.action),
        ("science bonus", c.bonus),
    ]
    rows += [(f"on {v.TRIGGER_EVENT_NAMES[trigger.event]}", trigger.gain) for trigger in c.triggers]
    return [(occasion, gain) for occasion, gain in rows if not gain.empty]


def gain_effects(t: Tables) -> dict[tuple[int, int], str]:
    """Name of the effect by component and operation."""
    found: dict[tuple[int, int], str] = {}
    for c in t.components:
        for occasion, gain in gains_of(c):
            for row in (*gain.simple, *gain.parts):
                op = v.OP_VP if row[0] in (v.OP_VP_PER, v.OP_VP_TIERS) else row[0]
                name = f"{c.ref} {occasion}: {OP_NAMES[op]}"
                if (c.cid, op) in found and found[c.cid, op] != name:
                    name = f"{found[c.cid, op]}, {occasion}"
                found[c.cid, op] = name
    return found


def abilities(t: Tables, c: Component) -> list[str]:
    """What a component does besides gains."""
    word = v.KIND_TABLES[c.kind] if c.kind < len(v.KIND_TABLES) else ""
    found = {
        LESS_POWER_PRICE: c.power_discount,
        CITY_LESS_POWER: c.city_power,
        CITY_OVER_RIVER: c.river_city,
        HIGHER_LEVELS: c.science_bonus_levels,
        FURTHER_REACH: c.sailing_bonus,
        TUNNEL: c.tunnel_tools >= 0,
        FLIGHT: c.flight_scholars >= 0,
        JOINED_AREA: c.tunnel_tools >= 0 or c.flight_scholars >= 0,
        OWN_BRIDGE: c.bridge_tools >= 0,
        START_COMPETENCY: c.start_competency,
        START_PIECES: word == "factions" and c.start_rounds != (1, 2),
        START: word == "boards" or not c.start.empty,
    }
    if word == "boards":
        found |= {
            START_SPADE: c.start_spades,
            TERRAFORMING_PRICE: t.data["boards"][c.key].get("terraforming_cost"),
            INNOVATION_PRICE: t.board_innovation_books[c.cid] != t.innovation_books,
            GUILD_INCOME: c.cid in t.board_guild_income,
            SAILING_REWARD: t.board_sailing_rewards[c.cid] != t.sailing_rewards,
        }
    if any(row[0] == v.OP_SPADES and row[2] for _, gain in gains_of(c) for row in gain.parts):
        found[FREE_WORKSHOP] = True
    return [name for name, present in found.items() if present]


@lru_cache(maxsize=4)
def expected(t: Tables) -> list[str]:
    """Names of everything that the soak must meet, options apart, in the order of the data."""
    gains = gain_effects(t)
    names: list[str] = []
    for c in t.components:
        if c.kind in (v.K_CITY_TILE, v.K_INNOVATION, v.K_COMPETENCY, v.K_POWER_ACTION, v.K_PALACE, v.K_BONUS_TILE):
            names.append(f"{c.ref} taken")
        if c.special >= 0 or c.kind == v.K_BOOK_ACTION:
            names.append(f"{c.ref} action taken")
        names += dict.fromkeys(name for (cid, _), name in gains.items() if cid == c.cid)
        names += [f"{c.ref} {name}" for name in abilities(t, c)]
    for name, top in (("sailing", t.sailing_max), ("terraforming", t.terraforming_max)):
        names += [f"track/{name} level {level}" for level in range(1, top + 1)]
    names += [f"discipline/{d} level {level}" for d in t.disciplines for level in LEVELS_WITH_POWER]
    names += [f"discipline/{d} income of level {t.income_level}" for d in t.disciplines]
    names.append(LEVEL_REACHED)
    names += [f"vp/{name}" for name in ("power", "area", "science", "resources")]
    names += CITY_SIZES
    names += [f"built {kind}" for kind in v.BUILDING_NAMES[1:]]
    names += [f"built neutral {kind}" for kind in v.BUILDING_NAMES[1:]]
    names += [f"convert {key}" for key in t.conversion_keys]
    names += [f"action {kind}" for kind in a.KIND_NAMES]
    names += [f"action {kind} {mode}" for kind in ("transform", "build", "place") for mode in a.MODE_NAMES[1:]]
    names += [f"asked {kind}" for kind in FRAME_NAMES if kind not in UNREACHED_FRAMES]
    names += [f"phase {name}" for name in PHASE_NAMES if name not in ("income", "bonus", "over")]
    names += [f"phase {name}, asked" for name in ("income", "bonus")]
    names += [f"event {name}" for name in e.EVENT_NAMES[1:]]
    return list(dict.fromkeys(names))
