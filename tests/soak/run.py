"""Plays the soak's games in parallel and adds up what they brought."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.soak.plan import COUNTS, draw_game
from tests.soak.referee import BrokenRule, Referee, Shares

CHUNK = 25
_CHUNKS_A_PROCESS = 4  # compiled rules are kept as long as a process lives


@dataclass
class Outcome:
    """What some games brought."""

    games: int = 0
    count: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.games += other.games
        self.count.update(other.count)
        self.checks.update(other.checks)
        self.failures += other.failures


def play_games(n_players: int, indices: Sequence[int], seed: int, shares: Shares | None = None) -> Outcome:
    """Play games of one player count; a broken rule ends its game and is kept."""
    outcome = Outcome()
    for index in indices:
        outcome.games += 1
        try:
            referee = Referee(draw_game(n_players, index, seed), shares or Shares())
            referee.play()
        except BrokenRule as broken:
            outcome.failures.append(str(broken))
            continue
        outcome.count.update(referee.census.count)
        outcome.checks.update(referee.checks)
    return outcome


def play_all(games: int, seed: int, jobs: int) -> Iterator[Outcome]:
    """Play `games` games of each player count in parallel; outcomes as they come."""
    chunks = [(n, range(at, min(at + CHUNK, games))) for at in range(0, games, CHUNK) for n in COUNTS]
    if jobs == 1:
        yield from (play_games(n, indices, seed) for n, indices in chunks)
        return
    # Not ProcessPoolExecutor: with max_tasks_per_child it may wait for ever once its first processes have ended.
    ignore = (signal.signal, (signal.SIGINT, signal.SIG_IGN))  # Ctrl-C is for the parent
    with multiprocessing.get_context("spawn").Pool(jobs, *ignore, maxtasksperchild=_CHUNKS_A_PROCESS) as pool:
        yield from pool.imap_unordered(_play_chunk, [(n, indices, seed) for n, indices in chunks])


def _play_chunk(chunk: tuple[int, Sequence[int], int]) -> Outcome:
    return play_games(*chunk)
