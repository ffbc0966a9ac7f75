"""The design ``focus``: named factions and boards are in every game, all others as evenly as their places allow.

A focused faction plays ``n_games`` games where the balanced design gives it ``n_games * n_players / n_factions``: three
times as many with 12 factions at four seats, hence about a third of the games for the same standard error.

Every pair of faction and board has a share of the games, the product of the shares of its two sides; counts are these
shares rounded without bias (``rounded_counts``), and become games and seats as in ``designs``.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import lcm
from random import Random

from aoi_sim.sim.designs import Pair, games_of_pairs, seat_games, spread_boards


def presence(n_components: int, n_players: int, focus: Collection[int]) -> list[Fraction]:
    """In which share of the games each faction (or board) is."""
    rest = n_components - len(focus)
    share = Fraction(n_players - len(focus), rest) if rest else Fraction(0)
    return [Fraction(1) if number in focus else share for number in range(n_components)]


def pair_shares(factions: Sequence[Fraction], boards: Sequence[Fraction], n_players: int) -> list[list[Fraction]]:
    """In which share of the games each faction plays each board."""
    return [[faction * board / n_players for board in boards] for faction in factions]


def focus_part_size(factions: Sequence[Fraction], boards: Sequence[Fraction], n_players: int) -> int:
    """Smallest number of games balanced exactly for faction x board, faction x seat and board x seat."""
    shares = [share for row in pair_shares(factions, boards, n_players) for share in row]
    shares += [share / n_players for share in (*factions, *boards)]
    return lcm(*(share.denominator for share in shares))


def focus_part(
    factions: Sequence[Fraction], boards: Sequence[Fraction], n_players: int, n_games: int, seed: int
) -> list[list[Pair]]:
    """Games of one part: for each game the (faction, board) of every seat.

    Args:
        factions: in which share of the games each faction is (``presence``).
        boards: the same for the boards.
        n_players: seats of a game.
        n_games: games of the part, at most ``focus_part_size`` for an exact balance over many parts.
        seed: of everything that is shuffled.
    """
    random = Random(seed)
    wanted = [[share * n_games for share in row] for row in pair_shares(factions, boards, n_players)]
    counts = rounded_counts(wanted, random)
    pairs = [(f, b) for f, row in enumerate(counts) for b, count in enumerate(row) for _ in range(count)]
    random.shuffle(pairs)
    games = games_of_pairs(pairs, len(factions), len(boards), n_games, random)
    seated = seat_games(games, len(factions), n_players, random)
    spread_boards(seated, len(factions), len(boards), random)
    return seated


def rounded_counts(wanted: Sequence[Sequence[Fraction]], random: Random) -> list[list[int]]:
    """Whole numbers for a table whose sum is whole: every cell, row sum and column sum is rounded up or down.

    Fractions are moved around cycles of cells until none is left; the direction is drawn so that the expectation of a
    cell is what is wanted (dependent rounding, Gandhi, Khuller, Parthasarathy and Srinivasan 2006).
    """
    n_columns = len(wanted[0])
    # What each sum lacks to the next whole number becomes a cell of its own, so that all sums are whole.
    table = [[*row, -sum(row, Fraction()) % 1] for row in wanted]
    table.append([*(-sum(column, Fraction()) % 1 for column in zip(*wanted, strict=True)), Fraction()])
    while cycle := _fractional_cycle(table):
        up = min(-table[r][c] % 1 if k % 2 == 0 else table[r][c] % 1 for k, (r, c) in enumerate(cycle))
        down = min(table[r][c] % 1 if k % 2 == 0 else -table[r][c] % 1 for k, (r, c) in enumerate(cycle))
        upwards = down / (up + down)
        step = up if random.randrange(upwards.denominator) < upwards.numerator else -down
        for k, (r, c) in enumerate(cycle):
            table[r][c] += step if k % 2 == 0 else -step
    return [[int(cell) for cell in row[:n_columns]] for row in table[:-1]]


def _fractional_cycle(table: Sequence[Sequence[Fraction]]) -> list[tuple[int, int]]:
    """Cells, none of them whole, each in turn in the row or the column of the one before; empty if all are whole."""
    start = next(((r, c) for r, row in enumerate(table) for c, cell in enumerate(row) if cell % 1), None)
    if start is None:
        return []
    path: list[tuple[int, int]] = [start]
    left: dict[tuple[int, int], int] = {}  # line (0, row) or (1, column): how many cells the path had when it took it
    kind = 0
    while (line := (kind, path[-1][kind])) not in left:
        left[line] = len(path)
        cells = [(line[1], k) for k in range(len(table[0]))] if kind == 0 else [(k, line[1]) for k in range(len(table))]
        path.append(next(cell for cell in cells if cell != path[-1] and table[cell[0]][cell[1]] % 1))
        kind = 1 - kind
    return path[left[line] :]
