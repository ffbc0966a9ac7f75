"""Which games are played: players, edition, options, map, set-up and deal, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import aoi_sim as aoi
from aoi_sim.engine.setup import draw_setup, start_game
from aoi_sim.engine.state import State
from aoi_sim.rules.ruleset import Ruleset
from tests.soak.seeker import SeekerPlayer

COUNTS = (2, 3, 4, 5)
PROFILES = 60
"""Sets of option values that games draw from; every fourth is the default."""

# Values that a game may draw besides the default, where there are more than two.
_NUMBERS = {"extra_palaces": (0, 3), "city_tile_copies": (1, 2)}
_BY_GAME = ("setup", "map_3_players")  # each game draws set-up and map itself
FACTIONS = "blessed felines goblins illusionists inventors lizards moles monks navigators omar philosophers psychics"
BOARDS = "desert plains swamp lake forest mountain wasteland"
DISCIPLINES = "banking law engineering medicine"
RICH = {"coins": 60, "tools": 30, "scholars": 3}
SCENES = ("rivers", "flights", "towers", "cities")
SCENE_EVERY = 4
# Dealt more often: what they do needs other things to happen as well.
RARE_FACTIONS = ("inventors", "monks", "moles", "lizards", "felines")
RARE_PALACES = ("14", "14", "15", "8", "9")
BONUS_TILES = "river palace-university science scholar spade school guild bridge power coins"


@dataclass(frozen=True)
class Game:
    """A game of the soak: everything that decides how it goes."""

    n_players: int
    index: int
    edition: str
    options: tuple[tuple[str, Any], ...]
    setup: str
    map: str
    deal: tuple[tuple[tuple[str, str], ...], ...] | None
    heuristics: tuple[str, ...]
    seed: int
    scene: str = ""

    @property
    def name(self) -> str:
        """What finds the game again: `python -m tests.soak --game NAME`."""
        return f"{self.n_players}:{self.index}"

    def rules(self) -> Ruleset:
        return load(self.edition, self.options, bool(self.scene))

    def start(self) -> State:
        """The state at the first decision, logging."""
        deal = None if self.deal is None else [dict(row) for row in self.deal]
        rules = self.rules()
        return start_game(rules, draw_setup(rules, self.n_players, self.seed, self.setup, self.map, deal), log=True)

    def players(self) -> list[Any]:
        made = []
        for seat, name in enumerate(self.heuristics):
            maker = SeekerPlayer if name == "seeker" else partial(aoi.make_player, name)
            made.append(maker(seat, self.seed * 10 + seat))
        return made

    def __str__(self) -> str:
        changed = {key: value for key, value in self.options if value != defaults()[key]}
        dealt = "players pick" if self.deal is None else "dealt " + " ".join(row[1][1] for row in self.deal)
        return (
            f"game {self.name}, edition {self.edition}, options {changed}, {self.setup} set-up, map {self.map}, {dealt}, "
            f"{','.join(self.heuristics)}, seed {self.seed} {self.scene}"
        )


@lru_cache(maxsize=256)
def load(edition: str, options: tuple[tuple[str, Any], ...], rich: bool) -> Ruleset:
    return aoi.load_ruleset(edition=edition, options=dict(options), overlays=[rich_start()] if rich else [])


def rich_start() -> dict[str, Any]:
    """An overlay: everybody starts with plenty, so that players meet innovations, cities and high levels."""
    plenty = {**RICH, "book_of": dict.fromkeys(DISCIPLINES.split(), 3), "steps_each": 5}
    return {"factions": {key: {"start": plenty} for key in FACTIONS.split()}}


@lru_cache(maxsize=1)
def defaults() -> dict[str, Any]:
    return dict(aoi.load_ruleset().options)


@lru_cache(maxsize=1)
def choices() -> dict[str, tuple[Any, ...]]:
    """Every option that a profile draws, with its values."""
    found: dict[str, tuple[Any, ...]] = {}
    for name, row in aoi.load_ruleset().data["options"].items():
        if name not in _BY_GAME:
            others = _NUMBERS.get(name) or [value for value in row["allowed"] if value != row["default"]]
            found[name] = (row["default"], *others)
    return found


@lru_cache(maxsize=8)
def profiles(seed: int) -> list[tuple[tuple[str, Any], ...]]:
    """The sets of option values of a run."""
    rng = random.Random(seed)
    drawn: list[tuple[tuple[str, Any], ...]] = []
    for number in range(PROFILES):
        values = dict(defaults())
        if number % 4:
            for name, allowed in choices().items():
                if rng.random() < 0.5:
                    values[name] = allowed[1 + int(rng.random() * (len(allowed) - 1))]
        drawn.append(tuple(sorted(values.items())))
    return drawn


def draw_game(n_players: int, index: int, seed: int) -> Game:
    """Game number `index` of a player count: every third by explorers, the others by random and greedy players.

    Every fourth game is a scene: a rich start, and what it takes for something rare to happen.
    """
    rng = random.Random(seed * 1_000_003 + n_players * 100_019 + index)
    edition = rng.choice(("1.0", "1.2"))
    setup = rng.choice(("standard", "draft"))
    values = dict(profiles(seed)[int(rng.random() * PROFILES)]) | {"setup": setup}
    if n_players == 3:  # the option says the side, the set-up takes it from there
        values["map_3_players"] = rng.choice(("3-5", "1-3"))
    heuristics = ("explorer",) * n_players
    if index % 3:
        heuristics = tuple(rng.choice(("random", "greedy")) for _ in range(n_players))
    deal = None if rng.random() < 0.4 else _deal(rng, n_players)
    options = tuple(sorted(values.items()))
    game = Game(n_players, index, edition, options, setup, "auto", deal, heuristics, rng.randrange(1 << 30))
    if index % SCENE_EVERY == 1:
        return _staged(game, SCENES[index // SCENE_EVERY % len(SCENES)], rng)
    if deal is not None and rng.random() < 0.5:
        palaces = (rng.choice(RARE_PALACES),) if setup == "draft" else ()
        game = favour(game, palaces, (rng.choice(RARE_FACTIONS),))
    return game


def _staged(game: Game, scene: str, rng: random.Random) -> Game:
    """The game as a scene: `rivers`, `flights` and `towers` have a seeker in seat 0, `cities` greedy players only."""
    seeking = replace(game, scene=scene, heuristics=("seeker", *game.heuristics[1:]))
    if scene == "rivers":
        return favour(seeking, ("14",), palace14_when=rng.choice(choices()["palace14_when"]))
    if scene == "flights":
        return favour(seeking, ("9",), neutral_special_reach=rng.choice(choices()["neutral_special_reach"]))
    if scene == "towers":
        waives = rng.choice(choices()["neutral_palace_waives_surcharge"])
        factions = (rng.choice(("inventors", "inventors", "monks", "moles")),)
        return favour(seeking, (), factions, neutral_palace_waives_surcharge=waives)
    return favour(replace(game, scene=scene, heuristics=("greedy",) * game.n_players), city_tile_copies=1)


def _deal(rng: random.Random, n_players: int) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Boards, factions and bonus tiles of the seats; palaces are drawn with the set-up."""
    columns = (("board", BOARDS), ("faction", FACTIONS), ("bonus", BONUS_TILES))
    picks = [[(column, key) for key in rng.sample(keys.split(), n_players)] for column, keys in columns]
    return tuple(zip(*picks, strict=True))


def plan(games: int, seed: int) -> Iterator[Game]:
    """`games` games for each number of players."""
    for n_players in COUNTS:
        for index in range(games):
            yield draw_game(n_players, index, seed)


def favour(game: Game, palaces: tuple[str, ...] = (), factions: tuple[str, ...] = (), **options: Any) -> Game:
    """The game with these palaces (dealt in a draft), factions and options; what is not named stays."""
    rows = [dict(row) for row in game.deal or ()]
    setup = game.setup
    if palaces or factions:
        rng = random.Random(game.seed)
        rows = rows or [dict(row) for row in _deal(rng, game.n_players)]
        held = [row["faction"] for row in rows if row["faction"] not in factions]
        for row, faction in zip(rows, factions, strict=False):
            row["faction"] = faction
        for row in rows[len(factions) :]:
            row["faction"] = held.pop(0)
    if palaces:
        setup = "draft"
        for row, palace in zip(rows, palaces, strict=False):
            row["palace"] = palace
    deal = tuple(tuple(row.items()) for row in rows) or None
    values = dict(game.options) | options | {"setup": setup}
    return replace(game, setup=setup, deal=deal, options=tuple(sorted(values.items())))
