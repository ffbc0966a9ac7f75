"""The rules of one game as int tables: a `Ruleset` compiled for a number of players."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import EMPTY_GAIN, Component, Gain, Op, Trigger, Upgrade
from aoi_sim.rules.ruleset import Ruleset

_SIMPLE_KEYS = {
    "coins": v.OP_COINS,
    "tools": v.OP_TOOLS,
    "scholars": v.OP_SCHOLARS,
    "power": v.OP_POWER,
    "vp": v.OP_VP,
    "tokens": v.OP_TOKENS,
    "annexes": v.OP_ANNEXES,
    "books_of_its_discipline": v.OP_BOOKS_ITS,
}
_PART_KEYS = {
    "steps": v.OP_STEPS,
    "steps_split": v.OP_STEPS_SPLIT,
    "steps_each": v.OP_STEPS_EACH,
    "sailing": v.OP_SAILING,
    "terraforming": v.OP_TERRAFORMING,
    "bridges": v.OP_BRIDGES,
    "competency": v.OP_COMPETENCY,
    "city_tile": v.OP_CITY_TILE,
}


def dig_paths(n: int) -> list[list[tuple[int, ...]]]:
    """dig_paths[home][terrain]: the terrains after 1, 2, ... spades on the shorter way home (TB-2)."""
    paths: list[list[tuple[int, ...]]] = []
    for home in range(n):
        row: list[tuple[int, ...]] = []
        for terrain in range(n):
            up = (home - terrain) % n
            down = (terrain - home) % n
            if up <= down:
                row.append(tuple((terrain + k) % n for k in range(1, up + 1)))
            else:
                row.append(tuple((terrain - k) % n for k in range(1, down + 1)))
        paths.append(row)
    return paths


class Tables:
    """Everything the engine needs to know of a ruleset for n players, as ints."""

    def __init__(self, rules: Ruleset, n_players: int) -> None:
        self.rules = rules
        self.n_players = n_players
        data = rules.data
        self.data = data
        self.terrains: tuple[str, ...] = tuple(data["terrains"])
        self.disciplines: tuple[str, ...] = tuple(data["disciplines"])
        self.dig_paths = dig_paths(len(self.terrains))
        self.others = 1 if rules.options["moles_vp_counts"] == "others" else 0
        self.tiers: list[tuple[tuple[int, int], ...]] = []
        self.components: list[Component] = []
        self.by_ref: dict[str, int] = {}
        self.kinds: list[list[int]] = [[] for _ in v.KIND_WORDS]
        self.n_specials = 0
        self.special_cids: list[int] = []
        self._options()
        self._numbers()
        for kind, table in enumerate(v.KIND_TABLES):
            for key, row in data[table].items():
                self._component(kind, key, row)
        self._pseudo_components()
        self._buildings()
        self._tracks()
        self._conversions()

    def _options(self) -> None:
        o = self.rules.options
        self.books_limited = o["book_supply"] == "limited"
        self.setup_tower_offers = bool(o["setup_tower_offers"])
        self.setup_spades_buy = bool(o["setup_spades_buy"])
        self.offers_each_build = o["offer_time"] == "each_build"
        self.offers_by_seat = o["offer_order"] == "seat"
        self.fixed_order = o["effect_order"] == "fixed"
        self.must_reach_home = bool(o["bought_must_reach_home"])
        self.psychics_convert = bool(o["psychics_convert_between"])
        self.neutral_must_place = bool(o["neutral_must_place"])
        self.found_in_turn = o["palace14_when"] == "own_turn"
        self.neutral_tunnel = o["neutral_special_reach"] in ("both", "tunnel")
        self.neutral_flight = o["neutral_special_reach"] == "both"
        self.neutral_palace_waives = bool(o["neutral_palace_waives_surcharge"])
        self.distinct_books = bool(o["palace15_distinct_books"])
        self.burn_at_end = bool(o["burn_in_final_scoring"])

    def _numbers(self) -> None:
        data = self.data
        s = data["setup"]
        self.setup: Mapping[str, Any] = s
        self.n_rounds = int(s["rounds"])
        self.scholar_pieces = int(s["scholar_pieces"])
        self.bridge_pieces = int(s["bridge_pieces"])
        self.bonus_coin = int(s["bonus_coin"])
        self.books_per_discipline = int(s["books_per_discipline"])
        c = data["city"]
        self.city_size = int(c["size"])
        self.city_power = int(c["power"])
        self.annex_power = int(c["annex_power"])
        self.annex_size = int(c["annex_size"])
        d = data["innovation_display"]
        self.innovation_limit = int(d["limit"])
        self.innovation_books = tuple(int(x) for x in d["books"])
        self.innovation_own_books = int(d["own_books"])
        self.innovation_columns: list[list[int]] = [[k] for k in range(len(self.disciplines))]
        for names in d["double_columns"]:
            self.innovation_columns.append([self.disciplines.index(name) for name in names])
        self.surcharge_coins = int(d["surcharge_coins"])
        sc = data["science"]
        self.science_max = int(sc["max"])
        self.key_level = int(sc["key_level"])
        self.last_place_level = int(sc["last_place_level"])
        self.science_power = [0] * (self.science_max + 1)
        for level, power in sc["power"].items():
            if int(level) <= self.science_max:
                self.science_power[int(level)] = int(power)
        self.scholar_places = tuple(int(x) for x in sc["places"])
        self.return_steps = int(sc["return_steps"])
        self.income_level = int(sc["income_level"])
        self.science_income = [self._gain(sc["income"].get(name, {})) for name in self.disciplines]
        self.competency_places = tuple((int(p["steps"]), int(p["books"])) for p in sc["competency_places"])
        f = data["final"]
        self.final_area = tuple(int(x) for x in f["area"])
        self.final_science = tuple(int(x) for x in f["science"])
        self.coins_per_vp = int(f["coins_per_vp"])
        self.bowl3_coin = int(f["bowl3_coin"])
        self.bowl2_per_coin = int(f["bowl2_tokens_per_coin"])

    def amount(self, value: Any, others: bool = False) -> int:
        """An AMOUNT of the data for this number of players: int, list by players, or base + per_player * n."""
        if isinstance(value, Mapping):
            n = self.n_players - (self.others if others else 0)
            return int(value.get("base", 0)) + int(value.get("per_player", 0)) * n
        if isinstance(value, (list, tuple)):
            return int(value[self.n_players - 2])
        return int(value)

    def _gain(self, row: Mapping[str, Any]) -> Gain:
        simple: list[Op] = []
        parts: list[Op] = []
        for key, op in _SIMPLE_KEYS.items():
            if key in row:
                simple.append((op, self.amount(row[key]), 0, 0))
        for name, n in row.get("book_of", {}).items():
            simple.append((v.OP_BOOK_OF, int(n), self.disciplines.index(name), 0))
        for name, vp in row.get("vp_per", {}).items():
            simple.append((v.OP_VP_PER, self.amount(vp), v.COUNT_NAMES.index(name), 0))
        if "vp_tiers" in row:
            tiers = row["vp_tiers"]
            self.tiers.append(tuple((int(t[0]), int(t[1])) for t in tiers["tiers"]))
            simple.append((v.OP_VP_TIERS, len(self.tiers) - 1, v.COUNT_NAMES.index(tiers["count"]), 0))
        if "neutral" in row:
            parts.append((v.OP_NEUTRAL, v.BUILDING_NAMES.index(row["neutral"]), 0, 0))
        if "books" in row:
            parts.append((v.OP_BOOKS, int(row["books"]), 0, 0))
        for key, op in _PART_KEYS.items():
            if key in row:
                parts.append((op, int(row[key]), 0, 0))
        for name, n in row.get("steps_of", {}).items():
            parts.append((v.OP_STEPS_OF, int(n), self.disciplines.index(name), 0))
        for name, n in row.get("steps_split_per", {}).items():
            parts.append((v.OP_STEPS_SPLIT_PER, int(n), v.COUNT_NAMES.index(name), 0))
        if "spades" in row:
            parts.append((v.OP_SPADES, int(row["spades"]), 1 if row.get("free_workshop") else 0, 0))
        if "exchange" in row:
            names = v.BUILDING_NAMES
            parts.append((v.OP_EXCHANGE, names.index(row["exchange"]["from"]), names.index(row["exchange"]["to"]), 0))
        if "free_piece" in row:
            parts.append((v.OP_FREE_PIECE, v.BUILDING_NAMES.index(row["free_piece"]), 0, 0))
        if row.get("second_action"):
            parts.append((v.OP_SECOND_ACTION, 1, 0, 0))
        # An amount of 0 gives nothing and asks nothing; VP_TIERS and EXCHANGE carry an index or a kind instead.
        simple = [op for op in simple if op[1] or op[0] == v.OP_VP_TIERS]
        parts = [op for op in parts if op[1]]
        return Gain(tuple(simple), tuple(parts)) if simple or parts else EMPTY_GAIN

    def _new(self, kind: int, key: str, source: str) -> Component:
        c = Component(len(self.components), kind, len(self.kinds[kind]), key, v.VP_SOURCES.index(source))
        self.components.append(c)
        self.kinds[kind].append(c.cid)
        self.by_ref[c.ref] = c.cid
        return c

    def _component(self, kind: int, key: str, row: Mapping[str, Any]) -> None:
        c = self._new(kind, key, v.KIND_SOURCES[kind])
        c.name = str(row.get("name", key))
        c.start = self._gain(row.get("start", {}))
        c.choices = self._gain(row.get("start_choices", {}))
        c.once = self._gain(row.get("once", {}))
        c.income = self._gain(row.get("income", {}))
        c.passing = self._gain(row.get("pass", {}))
        c.action = self._gain(row.get("effect" if kind in (v.K_POWER_ACTION, v.K_BOOK_ACTION) else "action", {}))
        c.cost = int(row.get("cost", 0))
        if not c.action.empty and kind not in (v.K_POWER_ACTION, v.K_BOOK_ACTION):
            c.special = self.n_specials
            self.special_cids.append(c.cid)
            self.n_specials += 1
        c.triggers = tuple(self._trigger(c.cid, r) for r in row.get("on", ()))
        self._abilities(c, row)
        if kind == v.K_FACTION:
            c.start_pieces = tuple(v.BUILDING_NAMES.index(p) for p in row.get("start_pieces", ("workshop", "workshop")))
            c.start_rounds = tuple(int(r) for r in row.get("start_rounds", (1, 2)))
            c.start_competency = int(row.get("start_competency", 0))
        if kind == v.K_BOARD:
            self._board(c, row)
        if kind in (v.K_ROUND_TILE, v.K_FINAL_TILE):
            c.scores = str(row.get("scores", ""))
            c.spade_tile = bool(row.get("spade_tile", False))
            bonus = dict(row.get("bonus", {}))
            if bonus:
                c.bonus_discipline = self.disciplines.index(bonus.pop("discipline"))
                c.bonus_every = int(bonus.pop("every"))
                c.bonus = self._gain(bonus)

    def _trigger(self, cid: int, row: Mapping[str, Any]) -> Trigger:
        event = v.TRIGGER_EVENT_NAMES.index(row["event"])
        where = v.WHERE_NAMES.index(row.get("where", ""))
        return Trigger(event, where, self._gain(row), cid)

    def _abilities(self, c: Component, row: Mapping[str, Any]) -> None:
        c.power_discount = int(row.get("power_action_discount", 0))
        c.city_power = int(row.get("city_power", 0))
        c.river_city = bool(row.get("river_city", False))
        c.science_bonus_levels = int(row.get("science_bonus_levels", 0))
        c.sailing_bonus = int(row.get("sailing_bonus", 0))
        c.isolated = bool(row.get("isolated_parts", False))
        if "tunnel" in row:
            c.tunnel_tools = int(row["tunnel"].get("tools", 0))
            c.tunnel_vp = self.amount(row["tunnel"].get("vp", 0), others=True)
        if "flight" in row:
            c.flight_scholars = int(row["flight"].get("scholars", 0))
            c.flight_vp = self.amount(row["flight"].get("vp", 0))
            c.flight_hexes = int(row["flight"].get("hexes", 2))
        if "bridge_action" in row:
            c.bridge_tools = int(row["bridge_action"].get("tools", 0))

    def _board(self, c: Component, row: Mapping[str, Any]) -> None:
        c.terrain = self.terrains.index(row.get("terrain", c.key))
        c.start_spades = int(row.get("start_spades", 0))

    def _pseudo_components(self) -> None:
        for track in ("sailing", "terraforming"):
            self._new(v.K_TRACK, track, track)
        for name in self.disciplines:
            self._new(v.K_DISCIPLINE, name, "discipline")
        for name in v.VP_ONLY:
            self._new(v.K_VP, name, name)
        for name in self.data["upgrades"]:
            self._new(v.K_UPGRADE, name, "action")
        self.cid_sailing, self.cid_terraforming = self.kinds[v.K_TRACK]
        self.cid_discipline = self.kinds[v.K_DISCIPLINE]
        self.cid_start, self.cid_power, self.cid_area, self.cid_science, self.cid_resources = self.kinds[v.K_VP]

    def _buildings(self) -> None:
        b = self.data["buildings"]
        self.building_power = [0] + [int(b[name]["power"]) for name in v.BUILDING_NAMES[1:]]
        self.pieces = [0] + [int(b[name].get("pieces", 0)) for name in v.BUILDING_NAMES[1:]]
        self.building_city_size = [0] + [int(b[name].get("city_size", self.city_size)) for name in v.BUILDING_NAMES[1:]]
        cost = b["workshop"]["cost"]
        self.workshop_tools = int(cost.get("tools", 0))
        self.workshop_coins = int(cost.get("coins", 0))
        self.upgrades: list[list[Upgrade]] = [[] for _ in v.BUILDING_NAMES]
        for name, row in self.data["upgrades"].items():
            up = Upgrade(v.BUILDING_NAMES.index(name), row)
            self.upgrades[up.source_kind].append(up)
        self.takes = [0] * len(v.BUILDING_NAMES)
        for ups in self.upgrades:
            for up in ups:
                self.takes[up.to] = up.takes
        income = self.data["income"]
        self.workshop_income = [int(x) for x in income["workshop"]]
        self.guild_income = [self._gain(row) for row in income["guild"]]
        self.school_income = self._gain(income["school"])
        self.university_income = self._gain(income["university"])
        self.board_guild_income: dict[int, list[Gain]] = {}
        for cid in self.kinds[v.K_BOARD]:
            row = self.data["boards"][self.components[cid].key]
            if "guild_income" in row:
                self.board_guild_income[cid] = [self._gain(r) for r in row["guild_income"]]

    def _tracks(self) -> None:
        t = self.data["tracks"]
        self.sailing_max = int(t["sailing"]["max"])
        self.sailing_cost = self._cost(t["sailing"]["cost"])
        self.sailing_rewards = [self._gain(r) for r in t["sailing"]["rewards"]]
        self.spade_tools = [int(x) for x in t["terraforming"]["spade_tools"]]
        self.terraforming_max = len(self.spade_tools) - 1
        self.terraforming_rewards = [self._gain(r) for r in t["terraforming"]["rewards"]]
        terraforming_cost = self._cost(t["terraforming"]["cost"])
        self.board_terraforming_cost: dict[int, tuple[int, int, int]] = {}
        self.board_sailing_rewards: dict[int, list[Gain]] = {}
        self.board_innovation_books: dict[int, tuple[int, ...]] = {}
        self.board_bowls: dict[int, tuple[int, int, int]] = {}
        self.board_sailing: dict[int, int] = {}
        b = self.setup["bowls"]
        for cid in self.kinds[v.K_BOARD]:
            row = self.data["boards"][self.components[cid].key]
            cost = row.get("terraforming_cost")
            self.board_terraforming_cost[cid] = self._cost(cost) if cost else terraforming_cost
            rewards = row.get("sailing_rewards")
            self.board_sailing_rewards[cid] = [self._gain(r) for r in rewards] if rewards else self.sailing_rewards
            books = row.get("innovation_books")
            self.board_innovation_books[cid] = tuple(int(x) for x in books) if books else self.innovation_books
            w = row.get("bowls", b)
            self.board_bowls[cid] = (int(w[0]), int(w[1]), int(w[2]) if len(w) > 2 else 0)
            self.board_sailing[cid] = int(row.get("sailing", 0))

    @staticmethod
    def _cost(row: Mapping[str, Any]) -> tuple[int, int, int]:
        """(scholars, tools, coins)."""
        return int(row.get("scholars", 0)), int(row.get("tools", 0)), int(row.get("coins", 0))

    def _conversions(self) -> None:
        """Conversions as (price resource, price, gained resource); R_BOOK + d is a book of discipline d."""
        self.conversion_keys: list[str] = []
        self.conversions: list[tuple[int, int, int]] = []
        prices = {"coins": v.R_COIN, "tools": v.R_TOOL, "scholars": v.R_SCHOLAR, "power": v.R_POWER}
        gains = {"coin": v.R_COIN, "tool": v.R_TOOL, "scholar": v.R_SCHOLAR}
        for d, name in enumerate(self.disciplines):
            gains["book-" + name] = v.R_BOOK + d
        for row in self.data["conversions"]:
            price, n = -1, 1
            for word, code in prices.items():
                if word in row:
                    price, n = code, int(row[word])
            if "book" in row:
                price = v.R_BOOK + self.disciplines.index(row["book"])
            self.conversion_keys.append(str(row["key"]))
            self.conversions.append((price, n, gains[row["to"]]))
        # Conversions with the same price resource that stand side by side: it, their least price, (index, price, gain).
        self.conversion_runs: list[tuple[int, int, list[tuple[int, int, int]]]] = []
        for price, rows in groupby(enumerate(self.conversions), key=lambda row: row[1][0]):
            run = [(k, n, gain) for k, (_, n, gain) in rows]
            self.conversion_runs.append((price, min(n for _, n, _ in run), run))


_CACHE: dict[tuple[str, int], Tables] = {}


def tables_for(rules: Ruleset, n_players: int) -> Tables:
    """The tables of a ruleset for n players, compiled once a process."""
    found = _CACHE.get((rules.hash, n_players))
    if found is None:
        found = Tables(rules, n_players)
        _CACHE[(rules.hash, n_players)] = found
    return found
