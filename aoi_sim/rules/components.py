"""Components of the game compiled to ints: gains, triggers, abilities."""

from collections.abc import Mapping
from typing import Any

from aoi_sim.rules import vocabulary as v

Op = tuple[int, int, int, int]


class Gain:
    """What a component gives: `simple` ops happen at once, `parts` need a choice or an order (ORD-1)."""

    def __init__(self, simple: tuple[Op, ...], parts: tuple[Op, ...]) -> None:
        self.simple = simple
        self.parts = parts
        self.empty = not simple and not parts


EMPTY_GAIN = Gain((), ())


class Trigger:
    """An effect on an event: where the build must stand (WHERE_*) and what is gained."""

    def __init__(self, event: int, where: int, gain: Gain, component: int) -> None:
        self.event = event
        self.where = where
        self.gain = gain
        self.component = component


class Component:
    """One tile, board, faction or action in ints.

    Attributes:
        cid: id over all components; `kind`: K_*; `position`: its place within the kind; `ref`: "palace/14".
        start, choices, once, income, passing, action, effect: gains by occasion. `triggers`: effects on events.
        special: index of its special action or -1. `source`: index of its VP source.
    """

    def __init__(self, cid: int, kind: int, position: int, key: str, source: int) -> None:
        self.cid = cid
        self.kind = kind
        self.position = position
        self.key = key
        self.ref = v.KIND_WORDS[kind] + "/" + key
        self.source = source
        self.name = key
        self.start = EMPTY_GAIN
        self.choices = EMPTY_GAIN
        self.once = EMPTY_GAIN
        self.income = EMPTY_GAIN
        self.passing = EMPTY_GAIN
        self.action = EMPTY_GAIN
        self.triggers: tuple[Trigger, ...] = ()
        self.special = -1
        self.cost = 0
        # Abilities; 0 or -1 where absent.
        self.power_discount = 0
        self.city_power = 0
        self.river_city = False
        self.science_bonus_levels = 0
        self.sailing_bonus = 0
        self.tunnel_tools = -1
        self.tunnel_vp = 0
        self.flight_scholars = -1
        self.flight_vp = 0
        self.flight_hexes = 0
        self.bridge_tools = -1
        self.isolated = False
        # Factions.
        self.start_pieces: tuple[int, ...] = ()
        self.start_rounds: tuple[int, ...] = ()
        self.start_competency = 0
        # Boards.
        self.terrain = -1
        self.start_spades = 0
        # Round tiles: discipline, levels per bonus, the bonus; what SET-3 compares.
        self.bonus_discipline = -1
        self.bonus_every = 1
        self.bonus = EMPTY_GAIN
        self.scores = ""
        self.spade_tile = False


class Upgrade:
    """UP-1: what an upgrade costs and brings."""

    def __init__(self, to: int, row: Mapping[str, Any]) -> None:
        self.to = to
        self.source_kind = v.BUILDING_NAMES.index(row["from"])
        self.tools = int(row.get("tools", 0))
        self.coins = int(row.get("coins", 0))
        self.coins_beside = int(row.get("coins_beside_opponent", self.coins))
        takes = row.get("takes", "")
        self.takes = {"": 0, "competency": v.OP_COMPETENCY, "palace": v.OP_PALACE}[takes]
