"""One player's part of the state."""

from aoi_sim.engine.actions import Action
from aoi_sim.engine.geometry import Mask
from aoi_sim.rules.components import Trigger
from aoi_sim.rules.vocabulary import N_TRIGGER_EVENTS, VP_SOURCES


class Seat:
    """One player. Components are ids (cid), -1 for none; sets of hexes are masks."""

    __slots__ = (
        "annexed",
        "annexes",
        "board",
        "bonus",
        "books",
        "bowl1",
        "bowl2",
        "bowl3",
        "bridge_supply",
        "bridge_tools",
        "buildings",
        "city",
        "city_power",
        "city_tiles",
        "coins",
        "competencies",
        "digs",
        "faction",
        "flight_cid",
        "flight_hexes",
        "flight_scholars",
        "flight_vp",
        "home",
        "homes",
        "innovations",
        "keys",
        "neutral",
        "own",
        "palace",
        "palace_built",
        "passed",
        "passed_turn",
        "pieces",
        "power_discount",
        "reach",
        "river_cities",
        "river_city",
        "sailing",
        "sailing_bonus",
        "scholar_supply",
        "scholars",
        "science",
        "science_bonus_levels",
        "sent",
        "specials",
        "start_pieces",
        "start_spades",
        "terraforming",
        "tools",
        "triggers",
        "tunnel_cid",
        "tunnel_tools",
        "tunnel_vp",
        "used",
        "vp",
        "vp_from",
    )

    def __init__(self) -> None:
        self.faction = -1
        self.board = -1
        self.palace = -1
        self.palace_built = False
        self.bonus = -1
        self.home = -1
        self.passed = False
        self.passed_turn = -1
        self.vp = 0
        self.coins = 0
        self.tools = 0
        self.scholars = 0
        self.books: list[int] = [0, 0, 0, 0]
        self.bowl1 = 0
        self.bowl2 = 0
        self.bowl3 = 0
        self.scholar_supply = 0
        self.bridge_supply = 0
        self.science: list[int] = [0, 0, 0, 0]
        self.sailing = 0
        self.terraforming = 0
        self.keys = 0
        self.annexes = 0
        self.sent = 0
        self.own: Mask = 0
        self.neutral: Mask = 0
        self.annexed: Mask = 0
        self.city: Mask = 0
        self.river_cities: Mask = 0
        # buildings: number on the map by kind, neutral ones included; pieces: masks of own pieces by kind.
        self.buildings: list[int] = [0] * 8
        self.pieces: list[Mask] = [0] * 8
        self.city_tiles: tuple[int, ...] = ()
        self.competencies: tuple[int, ...] = ()
        self.innovations: tuple[int, ...] = ()
        self.used = 0
        self.vp_from: list[int] = [0] * len(VP_SOURCES)
        self.start_pieces: tuple[int, ...] = ()
        self.start_spades: tuple[int, ...] = ()
        # Derived from the components (components.rebuild) and from the map.
        self.triggers: list[tuple[Trigger, ...]] = [()] * N_TRIGGER_EVENTS
        self.specials: tuple[int, ...] = ()
        self.power_discount = 0
        self.city_power = 0
        self.river_city = False
        self.science_bonus_levels = 0
        self.sailing_bonus = 0
        self.tunnel_tools = -1
        self.tunnel_vp = 0
        self.tunnel_cid = -1
        self.flight_scholars = -1
        self.flight_vp = 0
        self.flight_hexes = 0
        self.flight_cid = -1
        self.bridge_tools = -1
        self.reach: Mask = 0
        # Plain digs by number of spades 1..3 and builds on home hexes; None when the map in reach has changed.
        self.digs: list[list[Action]] | None = None
        self.homes: list[Action] = []

    def copy(self) -> "Seat":
        """An independent copy; what is shared is never changed in place."""
        new = Seat.__new__(Seat)
        new.faction = self.faction
        new.board = self.board
        new.palace = self.palace
        new.palace_built = self.palace_built
        new.bonus = self.bonus
        new.home = self.home
        new.passed = self.passed
        new.passed_turn = self.passed_turn
        new.vp = self.vp
        new.coins = self.coins
        new.tools = self.tools
        new.scholars = self.scholars
        new.books = self.books[:]
        new.bowl1 = self.bowl1
        new.bowl2 = self.bowl2
        new.bowl3 = self.bowl3
        new.scholar_supply = self.scholar_supply
        new.bridge_supply = self.bridge_supply
        new.science = self.science[:]
        new.sailing = self.sailing
        new.terraforming = self.terraforming
        new.keys = self.keys
        new.annexes = self.annexes
        new.sent = self.sent
        new.own = self.own
        new.neutral = self.neutral
        new.annexed = self.annexed
        new.city = self.city
        new.river_cities = self.river_cities
        new.buildings = self.buildings[:]
        new.pieces = self.pieces[:]
        new.city_tiles = self.city_tiles
        new.competencies = self.competencies
        new.innovations = self.innovations
        new.used = self.used
        new.vp_from = self.vp_from[:]
        new.start_pieces = self.start_pieces
        new.start_spades = self.start_spades
        new.triggers = self.triggers
        new.specials = self.specials
        new.power_discount = self.power_discount
        new.city_power = self.city_power
        new.river_city = self.river_city
        new.science_bonus_levels = self.science_bonus_levels
        new.sailing_bonus = self.sailing_bonus
        new.tunnel_tools = self.tunnel_tools
        new.tunnel_vp = self.tunnel_vp
        new.tunnel_cid = self.tunnel_cid
        new.flight_scholars = self.flight_scholars
        new.flight_vp = self.flight_vp
        new.flight_hexes = self.flight_hexes
        new.flight_cid = self.flight_cid
        new.bridge_tools = self.bridge_tools
        new.reach = self.reach
        new.digs = self.digs
        new.homes = self.homes
        return new
