"""The arena: balanced match-ups between heuristics on common set-ups, as a plan that the runner plays like any other.

A block is one set-up with one deal of factions and boards to seats; all its games are played on it, so that whoever sits
in a seat plays the same faction from the same position. With k names at n seats:

- two names share the table as evenly as it goes (two and two at four), and every split of the seats is played;
- up to n names: all sit at every table, the places left over go to each choice of names in turn;
- more than n names: tables of n different names, as few a block as let every name play equally often, chosen so that
  every pair meets as often as the others.

With three names and more every table is played in n cyclic seatings of an order drawn for it: within a block each name
plays every seat equally often.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, gcd
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.plan import MAX_GAMES, PLAN_VERSIONS, GameSpec, Plan, PlanConfig, PlanError
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.players.registry import Given
    from aoi_sim.storage.reader import Run

ARENA: Final = "arena"
"""Design word of the plans of this module."""

_PART: Final = 24
"""Blocks whose line-ups are balanced together."""
_TRIES: Final = 8

LineUp = tuple[int, ...]
"""Who sits where: the number of a name for each seat."""


def block_size(n_names: int, n_players: int) -> int:
    """Games of a block."""
    if n_names == 2:
        return len(seat_splits(n_players))
    return tables_a_block(n_names, n_players) * n_players


def tables_a_block(n_names: int, n_players: int) -> int:
    """Tables of a block for three names and more, before they are played in all their seatings."""
    if n_names > n_players:
        return n_names // gcd(n_names, n_players)
    return comb(n_names, n_players % n_names)


@lru_cache
def seat_splits(n_players: int) -> tuple[LineUp, ...]:
    """Every way in which two names share the seats as evenly as it goes, each name in both parts."""
    sizes = {n_players // 2, n_players - n_players // 2}
    splits = [
        tuple(int(seat not in own) for seat in range(n_players))
        for size in sorted(sizes)
        for own in combinations(range(n_players), size)
    ]
    return tuple(splits)


@lru_cache(maxsize=8)
def part_line_ups(n_names: int, n_players: int, seed: int, part: int) -> tuple[tuple[LineUp, ...], ...]:
    """Line-ups of each block of a part, in the order they are played."""
    if n_names == 2:
        return (seat_splits(n_players),) * _PART
    random = Random(seeding.stream(seed, part, seeding.LINE_UP))
    meets = [[0] * n_names for _ in range(n_names)]
    blocks = []
    for _ in range(_PART):
        if n_names > n_players:
            tables = _even_tables(n_names, n_players, meets, random)
        else:
            whole = list(range(n_names)) * (n_players // n_names)
            tables = [whole + list(extra) for extra in combinations(range(n_names), n_players % n_names)]
        line_ups: list[LineUp] = []
        for table in tables:
            random.shuffle(table)
            line_ups += (tuple(table[turn:] + table[:turn]) for turn in range(n_players))
        blocks.append(tuple(line_ups))
    return tuple(blocks)


def _even_tables(n_names: int, n_players: int, meets: list[list[int]], random: Random) -> list[list[int]]:
    """Tables of different names for a block, every name equally often; of some draws the one that evens ``meets``."""
    best: list[list[int]] = []
    best_meets = meets
    least = -1
    for _ in range(_TRIES):
        after = [list(row) for row in meets]
        tables = _draw_tables(n_players, tables_a_block(n_names, n_players), after, random)
        unevenness = sum(count * count for row in after for count in row)
        if least < 0 or unevenness < least:
            best, best_meets, least = tables, after, unevenness
    meets[:] = best_meets
    return best


def _draw_tables(n_players: int, n_tables: int, meets: list[list[int]], random: Random) -> list[list[int]]:
    """Tables at random: who has played least comes first, then who has met the others of the table least."""
    names = range(len(meets))
    played = [0] * len(meets)
    tables = []
    for _ in range(n_tables):
        table: list[int] = []
        while len(table) < n_players:
            free = [name for name in names if name not in table]
            keys = {name: (played[name], sum(meets[name][other] for other in table), random.random()) for name in free}
            table.append(min(free, key=keys.__getitem__))
        for name in table:
            played[name] += 1
        for one, other in permutations(table, 2):
            meets[one][other] += 1
        tables.append(table)
    return tables


class ArenaPlan(Plan):
    """The plan of an arena; ``config.heuristics`` are the names, at least two different ones.

    Args:
        config: what to play, with design ``arena``.
        rules: with which rules.
        version: as in ``Plan``.

    Raises:
        PlanError: the config cannot be played with these rules.
    """

    def __init__(self, config: PlanConfig, rules: Ruleset, version: int = PLAN_VERSIONS[0]) -> None:
        super().__init__(replace(config, design="balanced", heuristics=config.heuristics[:1]), rules, version)
        self.config = config
        self.heuristics = config.heuristics
        _check_names(config.heuristics)
        self.games_a_block = block_size(len(config.heuristics), config.n_players)
        # As if endless: a set-up depends on seed and block alone, not on how many games or names there are.
        self.n_blocks = MAX_GAMES
        if config.n_games % self.games_a_block:
            near = whole_games(config.n_games, len(config.heuristics), config.n_players)
            raise PlanError(
                f"{counted(config.n_games, 'game')} cannot be whole blocks of {self.games_a_block}, --games, choose {near}"
            )

    def game(self, index: int) -> GameSpec:
        """One game of the plan."""
        config = self.config
        block, place = divmod(index, self.games_a_block)
        part, number = divmod(block, _PART)
        line_up = part_line_ups(len(self.heuristics), config.n_players, config.seed, part)[number][place]
        return GameSpec(
            index=index,
            block=block,
            setup_seed=seeding.stream(config.seed, block, seeding.SETUP),
            player_seeds=self.player_seeds(block),
            heuristics=tuple(self.heuristics[name] for name in line_up),
            deal=self._deal(block, 0),
            map=config.map,
        )

    def meetings(self) -> dict[tuple[str, str], int]:
        """How many games each pair of names plays at one table."""
        names = self.heuristics
        counts = dict.fromkeys(combinations(names, 2), 0)
        order = {name: number for number, name in enumerate(names)}
        for spec in self.games():
            for pair in combinations(sorted(set(spec.heuristics), key=order.__getitem__), 2):
                counts[pair] += 1
        return counts


def _check_names(names: Sequence[str]) -> None:
    if len(names) < 2:
        raise PlanError(f"{len(names)} heuristic, --heuristics, an arena needs two or more names")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PlanError(f"{twice[0]} given twice, --heuristics, name each heuristic once")


def whole_games(n_games: int, n_names: int, n_players: int) -> int:
    """The number of games rounded up to whole blocks."""
    if not 1 <= n_games <= MAX_GAMES or not 2 <= n_players <= 5 or n_names < 2:
        return n_games  # the plan says what is wrong
    size = block_size(n_names, n_players)
    return min(-(-n_games // size), MAX_GAMES // size) * size


def plan_for(config: PlanConfig, rules: Ruleset, version: int = PLAN_VERSIONS[0]) -> Plan:
    """The plan of a config, of whichever design."""
    return (ArenaPlan if config.design == ARENA else Plan)(config, rules, version)


def arena(
    heuristics: Sequence["Given"],
    n_games: int,
    folder: str | Path,
    *,
    rules: Ruleset,
    n_players: int = 4,
    seed: int = 1,
    n_jobs: int = -1,
    events: bool = True,
    progress: bool | None = None,
    resume: bool = False,
) -> "Run":
    """Play an arena into a folder, as a run of design ``arena``.

    Args:
        heuristics: names, files or classes of the players; at least two.
        n_games: games; rounded up to whole blocks.
        folder: folder of the run, absent or empty before.
        rules: with which rules.
        n_players: players of each game, 2 to 5.
        seed: root seed of the set-ups.
        n_jobs: processes; -1 for as many as there are cores.
        events: whether to write the table of events.
        progress: whether to show a progress bar; None shows it on a terminal and in a notebook.
        resume: whether to go on with an unfinished arena of the folder, and to open a finished one.

    Raises:
        PlanError, HeuristicError, RunFolderError: wrong input.
    """
    from aoi_sim.players import find_heuristics
    from aoi_sim.sim.runner import run_plan

    found = find_heuristics(heuristics)
    names = tuple(heuristic.name for heuristic in found)
    _check_names(names)
    config = PlanConfig(
        n_games=whole_games(n_games, len(names), n_players),
        n_players=n_players,
        seed=seed,
        heuristics=names,
        design=ARENA,
        setup=str(rules.options["setup"]),
    )
    return run_plan(
        config,
        rules,
        Path(folder),
        heuristics=found,
        n_jobs=n_jobs,
        events=events,
        progress=progress,
        resume=resume,
    )
