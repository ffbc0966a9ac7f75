"""Checks that the tables of a ruleset fit together, so that every game can be set up and played."""

from collections import Counter
from typing import Any

from aoi_sim.rules.errors import RulesError, one_of, rules_error
from aoi_sim.rules.maps import hexes_of
from aoi_sim.rules.overlay import Provenance
from aoi_sim.rules.schema import DISCIPLINES, LETTERS, NAME_SETS, PLAYER_COUNTS, TERRAINS, USUAL_START_PIECES

_MOST_PLAYERS = max(PLAYER_COUNTS)


def check_coherence(data: dict[str, Any], options: dict[str, Any], provenance: Provenance) -> None:
    """Raises RulesError if the tables do not fit together."""
    _Check(data, options, provenance).run()


class _Check:
    def __init__(self, data: dict[str, Any], options: dict[str, Any], provenance: Provenance) -> None:
        self.data = data
        self.options = options
        self.provenance = provenance

    def run(self) -> None:
        self.fixed_names()
        self.palaces()
        self.enough_for_setup()
        self.round_tiles()
        self.innovations()
        self.pieces()
        self.tracks()
        self.science()
        self.maps()
        self.conversions()

    def error(self, what: str, allowed: str, *paths: str) -> RulesError:
        """An error at that one of `paths` that was changed last."""
        source, path = self.provenance.of(*paths)
        return rules_error(source, path, what, allowed)

    def fixed_names(self) -> None:
        if sorted(self.data["terrains"]) != sorted(TERRAINS):
            raise self.error("not the seven terrains", f"allowed: {', '.join(TERRAINS)} in any order", "terrains")
        if tuple(self.data["disciplines"]) != DISCIPLINES:
            raise self.error("not the four disciplines", f"allowed: {', '.join(DISCIPLINES)}", "disciplines")
        for name in NAME_SETS["building"]:
            if name not in self.data["buildings"]:
                raise self.error("required building missing", "every kind needs its row", f"buildings.{name}")
        if "cost" not in self.data["buildings"]["workshop"]:
            raise self.error("required key missing", "give the cost of a workshop", "buildings.workshop.cost")
        for name in DISCIPLINES:
            if name not in self.data["science"]["income"]:
                raise self.error("required key missing", "give {} for no income", f"science.income.{name}")

    def palaces(self) -> None:
        palaces = self.data["palaces"]
        for word in ("always_palaces", "never_drafted_palaces"):
            for key in self.data["setup"][word]:
                if key not in palaces:
                    what = f"there is no palace {key!r}"
                    raise self.error(what, one_of(palaces, key), f"setup.{word}", f"palaces.{key}")

    def at_least(self, table: str, need: int, why: str, *paths: str, less: int = 0) -> None:
        there = len(self.data[table]) - less
        if there < need:
            allowed = f"needed: at least {need}, {why}"
            raise self.error(f"only {there} {table}", allowed, table, *paths)

    def enough_for_setup(self) -> None:
        """SET-4 to SET-10, SET-17."""
        s = self.data["setup"]
        most = _MOST_PLAYERS
        bundles, extra = s["bundles"], s["bonus_tiles_extra"]
        self.at_least("boards", bundles, "one for each of setup.bundles", "setup.bundles")
        self.at_least("boards", s["draft_boards"], "for setup.draft_boards", "setup.draft_boards")
        self.at_least("factions", bundles, "one for each of setup.bundles", "setup.bundles")
        need = most + s["draft_factions_extra"]
        self.at_least("factions", need, "players and setup.draft_factions_extra", "setup.draft_factions_extra")
        need = bundles + extra
        self.at_least(
            "bonus_tiles", need, "setup.bundles and setup.bonus_tiles_extra", "setup.bundles", "setup.bonus_tiles_extra"
        )
        always, never = len(set(s["always_palaces"])), len(set(s["never_drafted_palaces"]))
        self.at_least("palaces", most + 1, "besides setup.always_palaces", "setup.always_palaces", less=always)
        need = most + s["draft_palaces_extra"]
        why = "for the draft, besides setup.never_drafted_palaces"
        self.at_least("palaces", need, why, "setup.draft_palaces_extra", "setup.never_drafted_palaces", less=never)
        self.at_least("book_actions", s["book_actions"], "for setup.book_actions", "setup.book_actions")
        self.at_least("city_tiles", 1, "for founding cities")
        places = len(DISCIPLINES) * len(self.data["science"]["competency_places"])
        self.at_least("competencies", places, "one for each place", "science.competency_places")
        if not s["area_tiles"]:
            raise self.error("no area tile", "allowed: one number or more", "setup.area_tiles")

    def round_tiles(self) -> None:
        """SET-2, SET-3."""
        s = self.data["setup"]
        tiles = self.data["round_tiles"]
        rounds = s["rounds"]
        self.at_least("round_tiles", rounds, "one for each of setup.rounds", "setup.rounds")
        barred = [r for r in range(1, rounds + 1) if r in s["spade_tile_not_in"]]
        ordinary = [row for row in tiles.values() if not row.get("spade_tile")]
        if len(ordinary) < len(barred):
            what = f"only {len(ordinary)} round tiles are no spade tile"
            allowed = f"needed: {len(barred)}, for rounds {barred}"
            raise self.error(what, allowed, "round_tiles", "setup.spade_tile_not_in")
        by_discipline = Counter(row["bonus"]["discipline"] for row in tiles.values())
        usable = sum(min(n, s["max_per_discipline"]) for n in by_discipline.values())
        if usable < rounds - 1:
            what = f"only {usable} of the round tiles can lie in rounds 1 to {rounds - 1}"
            allowed = "needed: more disciplines, or a higher setup.max_per_discipline"
            raise self.error(what, allowed, "round_tiles", "setup.max_per_discipline")
        finals = {row.get("scores", key) for key, row in self.data["final_tiles"].items()}
        for key, row in tiles.items():
            if not finals - {row.get("scores", key)}:
                what = f"no final tile goes with round tile {key!r}"
                allowed = "needed: a final tile that scores something else"
                raise self.error(what, allowed, "final_tiles", f"round_tiles.{key}")

    def innovations(self) -> None:
        """INN-1, INN-2, SET-5."""
        d = self.data["innovation_display"]
        columns = len(DISCIPLINES)
        need = max(columns * p + len(d["double_columns"]) * q for p, q in zip(d["plain"], d["double"], strict=True))
        self.at_least("innovations", need, "for innovation_display", "innovation_display")
        own = d["own_books"] * (2 if any(d["double"]) else 1)
        lists = [("innovation_display.books", d["books"])]
        for key, row in self.data["boards"].items():
            if "innovation_books" in row:
                lists.append((f"boards.{key}.innovation_books", row["innovation_books"]))
        for path, books in lists:
            if len(books) != d["limit"]:
                allowed = f"needed: {d['limit']}, one for each innovation up to innovation_display.limit"
                raise self.error(f"{len(books)} prices", allowed, path, "innovation_display.limit")
            if books and min(books) < own:
                what = f"a price of {min(books)} books"
                allowed = f"needed: at least {own}, what a column asks for"
                raise self.error(what, allowed, path, "innovation_display.own_books")

    def pieces(self) -> None:
        """INC-1, INC-2, SET-13: income spaces and starting pieces fit the number of pieces."""
        buildings = self.data["buildings"]
        workshops, guilds = buildings["workshop"]["pieces"], buildings["guild"]["pieces"]
        if len(self.data["income"]["workshop"]) != workshops + 1:
            allowed = f"needed: {workshops + 1}, for 0 to {workshops} workshops"
            what = f"{len(self.data['income']['workshop'])} numbers"
            raise self.error(what, allowed, "income.workshop", "buildings.workshop.pieces")
        lists = [("income.guild", self.data["income"]["guild"])]
        for key, row in self.data["boards"].items():
            if "guild_income" in row:
                lists.append((f"boards.{key}.guild_income", row["guild_income"]))
        for path, rows in lists:
            if len(rows) != guilds:
                allowed = f"needed: {guilds}, one for each guild piece"
                raise self.error(f"{len(rows)} incomes", allowed, path, "buildings.guild.pieces")
        for name in ("tower", "monument"):
            if buildings[name]["pieces"]:
                raise self.error("a neutral building", "allowed: 0", f"buildings.{name}.pieces")
        for key, row in self.data["factions"].items():
            for piece, n in Counter(row.get("start_pieces", [])).items():
                there = buildings[piece]["pieces"]
                if n > there and piece in NAME_SETS["piece"]:
                    what = f"{n} of {piece}"
                    allowed = f"allowed: {there}, the pieces of a player"
                    raise self.error(what, allowed, f"factions.{key}.start_pieces", f"buildings.{piece}.pieces")
        costs = [row["cost"] for row in self.data["power_actions"].values()]
        for key, row in self.data["factions"].items():
            if costs and row.get("power_action_discount", 0) > min(costs):
                what = f"{row['power_action_discount']} off, more than a power action costs"
                allowed = f"allowed: 0 to {min(costs)}"
                raise self.error(what, allowed, f"factions.{key}.power_action_discount", "power_actions")

    def tracks(self) -> None:
        """TR-1, TR-2: one reward for each level, 0 included."""
        t = self.data["tracks"]
        levels = t["sailing"]["max"] + 1
        lists = [("tracks.sailing.rewards", t["sailing"]["rewards"])]
        for key, row in self.data["boards"].items():
            if "sailing_rewards" in row:
                lists.append((f"boards.{key}.sailing_rewards", row["sailing_rewards"]))
            if row.get("sailing", 0) >= levels:
                what = f"level {row['sailing']}"
                allowed = f"allowed: 0 to {levels - 1}"
                raise self.error(what, allowed, f"boards.{key}.sailing", "tracks.sailing.max")
        for path, rewards in lists:
            if len(rewards) != levels:
                allowed = f"needed: {levels}, one for each level from 0"
                raise self.error(f"{len(rewards)} rewards", allowed, path, "tracks.sailing.max")
        levels = len(t["terraforming"]["spade_tools"])
        if not levels or len(t["terraforming"]["rewards"]) != levels:
            what = f"{len(t['terraforming']['rewards'])} rewards and {levels} prices of a spade"
            allowed = "needed: as many rewards as prices, one at least"
            raise self.error(what, allowed, "tracks.terraforming.rewards", "tracks.terraforming.spade_tools")

    def science(self) -> None:
        """SCI-1 to SCI-3; a level of max + 1 means never."""
        sc = self.data["science"]
        top = sc["max"]
        for word in ("key_level", "last_place_level", "income_level"):
            if sc[word] > top + 1:
                allowed = f"allowed: 1 to {top}, or {top + 1} for never"
                raise self.error(f"level {sc[word]}", allowed, f"science.{word}", "science.max")
        for level in sc["power"]:
            if int(level) > top:
                allowed = f"allowed: levels 1 to {top}"
                raise self.error("no such level", allowed, f"science.power.{level}", "science.max")

    def maps(self) -> None:
        """SET-1, SET-13."""
        maps = self.data["maps"]
        for n in PLAYER_COUNTS:
            if not any(n in row["players"] for row in maps.values()):
                raise self.error(f"no map for {n} players", "needed: one for each of 2 to 5 players", "maps")
        chosen = self.options["map_3_players"]
        if chosen not in maps or 3 not in maps[chosen]["players"]:
            what = f"option map_3_players is {chosen!r}, no map for 3 players"
            raise self.error(what, one_of([key for key, row in maps.items() if 3 in row["players"]]), f"maps.{chosen}")
        pieces = max(len(row.get("start_pieces", USUAL_START_PIECES)) for row in self.data["factions"].values())
        for key, row in maps.items():
            letters = Counter(letter for letter, _, _ in hexes_of(row["rows"]).values())
            for letter, terrain in LETTERS.items():
                if letters[letter] < pieces:
                    what = f"only {letters[letter]} hexes of {terrain}"
                    allowed = f"needed: at least {pieces}, a faction's starting buildings"
                    raise self.error(what, allowed, f"maps.{key}.rows", "factions")

    def conversions(self) -> None:
        """CONV-1: no way round that costs nothing, or a turn would never end."""
        gives: dict[str, set[str]] = {}
        words = {"scholars": "scholar", "tools": "tool", "coins": "coin"}
        for row in self.data["conversions"].values():
            price = "book-" + row["book"] if "book" in row else ""
            for word, resource in words.items():
                if row.get(word) == 1:
                    price = resource
            if price:
                gives.setdefault(price, set()).add(row["to"])
        for start in gives:
            reached: set[str] = set()
            ahead = [start]
            while ahead:
                for gained in gives.get(ahead.pop(), ()):
                    if gained not in reached:
                        reached.add(gained)
                        ahead.append(gained)
            if start in reached:
                what = f"conversions lead from {start} back to {start} for nothing"
                raise self.error(what, "remove one of them", "conversions")
