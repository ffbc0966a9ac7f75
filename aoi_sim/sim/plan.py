"""The plan of a run: which games are played, a pure function of its config and the ruleset.

A plan knows every game by its index without playing any: its block, seeds, players, and what the design deals. Workers
make the games of their chunk themselves; nothing but the config travels. Chunk borders follow from the config alone.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, Final

from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.config import DESIGNS, MAX_GAMES, MAX_SEED, PlanConfig, PlanError, check_config
from aoi_sim.sim.designs import Pair, balance_counts, balanced_part, part_size
from aoi_sim.sim.fixed import dealt, tiles_of
from aoi_sim.sim.focus import focus_part, focus_part_size, presence
from aoi_sim.sim.levels import rulesets_of
from aoi_sim.sim.restricted import in_play, restriction_of

__all__ = ["DESIGNS", "MAX_GAMES", "MAX_SEED", "Deal", "GameSpec", "Plan", "PlanConfig", "PlanError"]

PLAN_VERSIONS: Final = (2, 1)
"""Versions whose runs can be replayed and checked, today's first. Version 1 had smaller chunks in short runs."""

_MOST: Final = 1000
"""Games of a chunk at the most."""
_SHORT: Final = 100
"""Up to here chunks grow as long as there are ``_LEAST_CHUNKS`` of them."""
_LEAST_CHUNKS: Final = 16
_MOST_UNTIL: Final = 200
"""The same in a run that ends when enough is known: looks come after whole chunks."""

Deal = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game of a plan.

    Attributes:
        index: ``game_index``.
        block: games of a block share their set-up.
        setup_seed: seed of ``new_game``.
        player_seeds: one for the player of each seat.
        heuristics: one for each seat.
        deal: what each seat is dealt, None when players pick.
        map: ``auto`` or a map of the rules.
        tiles: tiles in the place of those drawn (``fixed.tiles_of``).
        level: number of the level in a paired run, else 0.
        replicate: number of the replicate, from 0.
        restriction: what the seat ``restricted_seat`` may not, or must, take; empty in a plan without restrictions.
        restricted_seat: who is restricted; -1 for nobody, as in the game that the others of a block are compared with.
    """

    index: int
    block: int
    setup_seed: int
    player_seeds: tuple[int, ...]
    heuristics: tuple[str, ...]
    deal: Deal | None
    map: str = "auto"
    tiles: Mapping[str, Any] = field(default_factory=dict)
    level: int = 0
    replicate: int = 0
    restriction: str = ""
    restricted_seat: int = -1


class Plan:
    """The games of a run.

    Args:
        config: what to play.
        rules: with which rules.
        version: of the rules by which a plan follows from its config; an older one for the runs that it made.

    Raises:
        PlanError: the config cannot be played with these rules.
    """

    def __init__(self, config: PlanConfig, rules: Ruleset, version: int = PLAN_VERSIONS[0]) -> None:
        self.config = config
        self.version = version
        check_config(config, rules)
        self.rulesets = rulesets_of(config, rules)
        self.factions = tuple(rules.data["factions"])
        self.boards = tuple(rules.data["boards"])
        self.bonus_tiles = self._common("bonus_tiles")
        never = set(rules.data["setup"]["never_drafted_palaces"])
        self.palaces = tuple(key for key in self._common("palaces") if key not in never)
        self.line_ups = tuple(
            names * (config.n_players if len(names) == 1 else 1)
            for names in [level.heuristics for level in config.levels] or [config.heuristics]
        )
        self.rows: list[dict[str, Any]] = json.loads(config.fixed) if config.fixed else []
        self.games_a_block = config.games_a_block
        self.n_blocks = config.n_games // self.games_a_block

    @property
    def hash(self) -> str:
        """Identity of the plan: 16 hex digits over config, ruleset and plan version."""
        content = {"plan": self.version, "rules": self.rulesets[0].hash, **self.config.settings()}
        if self.config.levels:
            content["level_rules"] = [rules.hash for rules in self.rulesets]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __len__(self) -> int:
        return self.config.n_games

    def chunks(self) -> list[range]:
        """Game indices of each chunk, in order."""
        most = _MOST_UNTIL if self.config.until else _MOST
        size = chunk_size(self.config.n_games, self.games_a_block, most, self.version)
        n_games = self.config.n_games
        return [range(first, min(first + size, n_games)) for first in range(0, n_games, size)]

    def game(self, index: int) -> GameSpec:
        """One game of the plan."""
        config = self.config
        block, place = divmod(index, self.games_a_block)
        place, restricted = divmod(place, config.n_restricted)
        place, turn = divmod(place, config.n_turns)
        replicate, level = divmod(place, len(self.line_ups))
        row = self._row(block)
        deal = self._deal(block, turn)
        tiles = tiles_of(row)
        if config.restrictions:
            tiles = in_play(config, self.rulesets[0], block, deal)
        return GameSpec(
            index=index,
            block=block,
            setup_seed=seeding.stream(config.seed, block, seeding.SETUP),
            player_seeds=self.player_seeds(block, replicate),
            heuristics=self.line_ups[level],
            deal=deal,
            map=row.get("map", config.map),
            tiles=tiles,
            level=level,
            replicate=replicate,
            restriction=restriction_of(config, block) if config.restrictions else "",
            restricted_seat=restricted - 1,
        )

    def level_name(self, spec: GameSpec) -> str | None:
        """The level of a game by its name; None where there are no levels."""
        return self.config.levels[spec.level].name if self.config.levels else None

    def player_seeds(self, block: int, replicate: int = 0) -> tuple[int, ...]:
        """Seed of each seat's player, the same under every level."""
        root = self.config.seed
        if replicate:
            root = seeding.stream(root, block, seeding.REPLICATE, replicate)
        return tuple(seeding.stream(root, block, seeding.PLAYER, seat) for seat in range(self.config.n_players))

    def games(self, indices: range | None = None) -> Iterator[GameSpec]:
        """Games of the plan, all or those of the given indices."""
        return map(self.game, range(self.config.n_games) if indices is None else indices)

    def _common(self, table: str) -> tuple[str, ...]:
        """What the rules of every level have, in the order of the first."""
        return tuple(key for key in self.rulesets[0].data[table] if all(key in r.data[table] for r in self.rulesets))

    def _row(self, block: int) -> Mapping[str, Any]:
        """Design ``fixed``: what is fixed of a block's set-up; empty in other designs."""
        return self.rows[block % len(self.rows)] if self.rows else {}

    def _deal(self, block: int, turn: int) -> Deal | None:
        """What the design deals to each seat of a block's game number ``turn``."""
        config = self.config
        if config.design == "choice":
            return None
        n = config.n_players
        random = Random(seeding.stream(config.seed, block, seeding.DEAL))
        if config.design == "fixed":
            pools = {"faction": self.factions, "board": self.boards, "bonus": self.bonus_tiles}
            if config.setup == "draft":
                pools["palace"] = self.palaces
            return dealt(self._row(block), pools, n, random)
        bonus = random.sample(self.bonus_tiles, n)
        palaces = random.sample(self.palaces, n) if config.setup == "draft" else None
        if config.design == "random":
            pairs = list(zip(random.sample(self.factions, n), random.sample(self.boards, n), strict=True))
        else:
            pairs = [(self.factions[f], self.boards[b]) for f, b in self._pairs(block)]
        deal = [
            {"board": board, "faction": faction, "bonus": tile}
            for (faction, board), tile in zip(pairs, bonus, strict=True)
        ]
        if palaces is not None:
            for row, palace in zip(deal, palaces, strict=True):
                row["palace"] = palace
        return deal[turn:] + deal[:turn]

    def _pairs(self, block: int) -> list[Pair]:
        """Balanced (faction, board) of each seat in the first game of a block."""
        n = self.config.n_players
        present = self._presence()
        size = focus_part_size(*present, n) if present else part_size(len(self.factions), len(self.boards), n)
        part, place = divmod(block, size)
        n_games = min(size, self.n_blocks - part * size)
        seed = seeding.stream(self.config.seed, part, seeding.DESIGN)
        if present:
            return _focus_part(*present, n, n_games, seed)[place]
        return _part(len(self.factions), len(self.boards), n, n_games, seed)[place]

    def _presence(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]] | None:
        """Design ``focus``: in which share of the games each faction and each board is."""
        config = self.config
        if config.design != "focus":
            return None
        focused = [{i for i, key in enumerate(keys) if key in config.focus} for keys in (self.factions, self.boards)]
        n = config.n_players
        return (
            tuple(presence(len(self.factions), n, focused[0])),
            tuple(presence(len(self.boards), n, focused[1])),
        )

    def balance(self, indices: range | None = None) -> dict[str, list[list[int]]]:
        """The balance table: how often factions meet boards, seats and each other, and boards seats.

        Of a paired run it is that of each level, of replicates that of each. Empty for the design ``choice``, where
        nothing is dealt.
        """
        faction = {key: i for i, key in enumerate(self.factions)}
        board = {key: i for i, key in enumerate(self.boards)}
        deals = [spec.deal for spec in self.games(indices) if spec.level == spec.replicate == 0 > spec.restricted_seat]
        games = [[(faction[row["faction"]], board[row["board"]]) for row in deal] for deal in deals if deal]
        return balance_counts(games, len(faction), len(board)) if games else {}


@lru_cache(maxsize=4)
def _part(n_factions: int, n_boards: int, n_players: int, n_games: int, seed: int) -> list[list[Pair]]:
    """``balanced_part``, kept while its games are asked for one by one."""
    return balanced_part(n_factions, n_boards, n_players, n_games, seed)


@lru_cache(maxsize=4)
def _focus_part(
    factions: tuple[Fraction, ...], boards: tuple[Fraction, ...], n_players: int, n_games: int, seed: int
) -> list[list[Pair]]:
    """``focus_part``, kept while its games are asked for one by one."""
    return focus_part(factions, boards, n_players, n_games, seed)


def chunk_size(n_games: int, games_a_block: int = 1, most: int = _MOST, version: int = PLAN_VERSIONS[0]) -> int:
    """Games of a chunk, a round number of whole blocks, 10 to ``most``.

    About 50 chunks keep many workers busy to the end. In short runs 16 to 40 do: a file costs up to 4 kB whatever is in it.
    """
    least_chunks = _LEAST_CHUNKS if version > 1 else math.inf
    size = 10
    while size < most:
        larger = size * 5 // 2 if str(size)[0] == "2" else size * 2
        if n_games <= size * 64 and not (larger <= _SHORT and larger * least_chunks <= n_games):
            break
        size = larger
    return -(-size // games_a_block) * games_a_block


def balance_lines(counts: Mapping[str, Sequence[Sequence[int]]]) -> list[str]:
    """One line for each table of ``Plan.balance``: least and most often."""
    lines = []
    for name, rows in counts.items():
        same = name.split(" x ")[0] == name.split(" x ")[1]
        cells = [cell for i, row in enumerate(rows) for j, cell in enumerate(row) if not (same and i == j)]
        lines.append(f"{name}: {min(cells)} to {max(cells)} times")
    return lines
