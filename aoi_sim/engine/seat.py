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
        "area",
        "area_of",
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
    annexed: Mask
    annexes: int
    area: int
    area_of: tuple[Mask, tuple[tuple[int, int, int], ...], int, int, int, int]
    board: int
    bonus: int
    books: list[int]
    bowl1: int
    bowl2: int
    bowl3: int
    bridge_supply: int
    bridge_tools: int
    buildings: list[int]
    city: Mask
    city_power: int
    city_tiles: tuple[int, ...]
    coins: int
    competencies: tuple[int, ...]
    digs: list[list[Action]] | None
    faction: int
    flight_cid: int
    flight_hexes: int
    flight_scholars: int
    flight_vp: int
    home: int
    homes: list[Action]
    innovations: tuple[int, ...]
    keys: int
    neutral: Mask
    own: Mask
    palace: int
    palace_built: bool
    passed: bool
    passed_turn: int
    pieces: list[Mask]
    power_discount: int
    reach: Mask
    river_cities: Mask
    river_city: bool
    sailing: int
    sailing_bonus: int
    scholar_supply: int
    scholars: int
    science: list[int]
    science_bonus_levels: int
    sent: int
    specials: tuple[int, ...]
    start_pieces: tuple[int, ...]
    start_spades: tuple[int, ...]
    terraforming: int
    tools: int
    triggers: list[tuple[Trigger, ...]]
    tunnel_cid: int
    tunnel_tools: int
    tunnel_vp: int
    used: int
    vp: int
    vp_from: list[int]

    def __init__(self, other: "Seat | None" = None) -> None:
        """An empty seat, or an independent copy of another one; what a copy shares is never changed in place."""
        if other is not None:
            self.faction = other.faction
            self.board = other.board
            self.palace = other.palace
            self.palace_built = other.palace_built
            self.bonus = other.bonus
            self.home = other.home
            self.passed = other.passed
            self.passed_turn = other.passed_turn
            self.vp = other.vp
            self.coins = other.coins
            self.tools = other.tools
            self.scholars = other.scholars
            self.books = other.books[:]
            self.bowl1 = other.bowl1
            self.bowl2 = other.bowl2
            self.bowl3 = other.bowl3
            self.scholar_supply = other.scholar_supply
            self.bridge_supply = other.bridge_supply
            self.science = other.science[:]
            self.sailing = other.sailing
            self.terraforming = other.terraforming
            self.keys = other.keys
            self.annexes = other.annexes
            self.sent = other.sent
            self.own = other.own
            self.neutral = other.neutral
            self.annexed = other.annexed
            self.city = other.city
            self.river_cities = other.river_cities
            self.buildings = other.buildings[:]
            self.pieces = other.pieces[:]
            self.city_tiles = other.city_tiles
            self.competencies = other.competencies
            self.innovations = other.innovations
            self.used = other.used
            self.vp_from = other.vp_from[:]
            self.start_pieces = other.start_pieces
            self.start_spades = other.start_spades
            self.triggers = other.triggers
            self.specials = other.specials
            self.power_discount = other.power_discount
            self.city_power = other.city_power
            self.river_city = other.river_city
            self.science_bonus_levels = other.science_bonus_levels
            self.sailing_bonus = other.sailing_bonus
            self.tunnel_tools = other.tunnel_tools
            self.tunnel_vp = other.tunnel_vp
            self.tunnel_cid = other.tunnel_cid
            self.flight_scholars = other.flight_scholars
            self.flight_vp = other.flight_vp
            self.flight_hexes = other.flight_hexes
            self.flight_cid = other.flight_cid
            self.bridge_tools = other.bridge_tools
            self.reach = other.reach
            self.digs = other.digs
            self.homes = other.homes
            self.area_of = other.area_of
            self.area = other.area
            return
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
        self.books = [0, 0, 0, 0]
        self.bowl1 = 0
        self.bowl2 = 0
        self.bowl3 = 0
        self.scholar_supply = 0
        self.bridge_supply = 0
        self.science = [0, 0, 0, 0]
        self.sailing = 0
        self.terraforming = 0
        self.keys = 0
        self.annexes = 0
        self.sent = 0
        self.own = 0
        self.neutral = 0
        self.annexed = 0
        self.city = 0
        self.river_cities = 0
        # buildings: number on the map by kind, neutral ones included; pieces: masks of own pieces by kind.
        self.buildings = [0] * 8
        self.pieces = [0] * 8
        self.city_tiles = ()
        self.competencies = ()
        self.innovations = ()
        self.used = 0
        self.vp_from = [0] * len(VP_SOURCES)
        self.start_pieces = ()
        self.start_spades = ()
        # Derived from the components (components.rebuild) and from the map.
        self.triggers = [()] * N_TRIGGER_EVENTS
        self.specials = ()
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
        self.reach = 0
        # Plain digs by number of spades 1..3 and builds on home hexes; None when the map in reach has changed.
        self.digs = None
        self.homes = []
        # The area (scoring.area) and all that it depends on.
        self.area_of = (0, (), 0, 0, 0, 0)
        self.area = 0
