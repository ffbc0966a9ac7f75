"""Balanced designs: which faction plays which board against whom in which seat, as a matter of pure combinatorics.

Factions and boards are numbers here. A *part* is a set of games in which every faction x board and every faction x seat
comes equally often; ``part_size`` games do so exactly, fewer games as near as their number allows (counts differ by at
most one). A run is whole parts and one shorter part, so that the bound holds for the whole run too.

How a part is made: list the faction-board pairs so that all counts are as even as they can be; colour them as edges of a
bipartite graph with one colour a game (König: as many colours as the largest degree suffice; classes are then evened
out), so that factions and boards are distinct within a game; colour the same pairs again with one colour a seat, factions
split into pieces of one seating cycle each. Last, swaps that leave all this as it is even out who meets whom.
"""

from collections.abc import Sequence
from math import gcd
from random import Random

from aoi_sim.sim.colouring import Edge, colour_edges, even_out

Pair = tuple[int, int]


def part_size(n_factions: int, n_boards: int, n_players: int) -> int:
    """Smallest number of games that can be balanced exactly for faction x board, faction x seat and board x seat."""
    pairs = n_factions * n_boards
    size = n_factions * n_boards // gcd(n_factions, n_boards)
    step = pairs // gcd(pairs, n_players)
    return size * step // gcd(size, step)


def balanced_part(n_factions: int, n_boards: int, n_players: int, n_games: int, seed: int) -> list[list[Pair]]:
    """Games of one part: for each game the (faction, board) of every seat.

    Args:
        n_factions: factions to deal, at least ``n_players``.
        n_boards: planning boards to deal, at least ``n_players``.
        n_players: seats of a game.
        n_games: games of the part, at most ``part_size`` for an exact balance over many parts.
        seed: names of factions and boards, games and seats are shuffled with it.
    """
    random = Random(seed ^ 1)
    games = seat_games(matched_games(n_factions, n_boards, n_players, n_games, seed), n_factions, n_players, random)
    spread_boards(games, n_factions, n_boards, random)
    return games


def matched_games(n_factions: int, n_boards: int, n_players: int, n_games: int, seed: int) -> list[list[Pair]]:
    """Games of one part before seats are given: distinct factions and boards in each, all pairs as often as can be."""
    random = Random(seed)
    pairs = even_pairs(n_factions, n_boards, n_players * n_games, random)
    return games_of_pairs(pairs, n_factions, n_boards, n_games, random)


def games_of_pairs(
    pairs: Sequence[Pair], n_factions: int, n_boards: int, n_games: int, random: Random
) -> list[list[Pair]]:
    """Put pairs together to games of equal size, each with distinct factions and boards.

    Args:
        pairs: no faction and no board is in more than ``n_games`` of them; one in as many is in every game.
        n_factions: number of factions.
        n_boards: number of boards.
        n_games: games to make; divides the number of pairs.
        random: where the order comes from.
    """
    colours = colour_edges(pairs, n_factions, n_boards, n_games, random)
    even_out(pairs, colours, n_games, len(pairs) // n_games)
    games: list[list[Pair]] = [[] for _ in range(n_games)]
    for pair, game in zip(pairs, colours, strict=True):
        games[game].append(pair)
    random.shuffle(games)
    spread_opponents(games, n_factions, random)
    return games


def even_pairs(n_factions: int, n_boards: int, n_pairs: int, random: Random) -> list[Pair]:
    """``n_pairs`` faction-board pairs: factions, boards and pairs each as often as the others, to within one."""
    factions = list(range(n_factions))
    boards = list(range(n_boards))
    random.shuffle(factions)
    random.shuffle(boards)
    cycle = n_factions * n_boards // gcd(n_factions, n_boards)
    pairs = [(factions[i % n_factions], boards[(i + i // cycle) % n_boards]) for i in range(n_pairs)]
    random.shuffle(pairs)
    return pairs


def spread_opponents(games: list[list[Pair]], n_factions: int, random: Random, tries: int = 40) -> None:
    """Exchange pairs between games so that factions meet each other more evenly; every pair stays as often as it was.

    Args:
        games: changed in place.
        n_factions: number of factions.
        random: where the exchanges to try come from.
        tries: exchanges to try a game.
    """
    n_games, size = len(games), len(games[0]) if games else 0
    if n_games < 2 or size < 2 or n_factions <= size:
        return
    meets = [[0] * n_factions for _ in range(n_factions)]
    for game in games:
        for f, _ in game:
            for other, _ in game:
                meets[f][other] += 1
    pick = random.random
    for _ in range(tries * n_games):
        g, h = games[int(pick() * n_games)], games[int(pick() * n_games)]
        i, j = int(pick() * size), int(pick() * size)
        if g is not h:
            _try_exchange(g, i, h, j, meets)


def _try_exchange(g: list[Pair], i: int, h: list[Pair], j: int, meets: list[list[int]]) -> None:
    """Exchange pair ``i`` of a game with pair ``j`` of another if both games stay proper and meetings no less even."""
    (f, board_f), (k, board_k) = g[i], h[j]
    with_f = [pair for pair in g if pair[0] != f]
    with_k = [pair for pair in h if pair[0] != k]
    if f == k or any(q == k or b == board_k for q, b in with_f) or any(q == f or b == board_f for q, b in with_k):
        return
    row_f, row_k = meets[f], meets[k]
    change = 0
    for q, _ in with_f:
        change += row_k[q] - row_f[q]
    for q, _ in with_k:
        change += row_f[q] - row_k[q]
    # Sum of squares changes by twice (change + number of meetings moved), less where both games share a faction.
    shared = sum(q == r for q, _ in with_f for r, _ in with_k)
    if change + len(with_f) + len(with_k) - 2 * shared > 0:
        return
    g[i], h[j] = h[j], g[i]
    for group, lose, gain in ((with_f, f, k), (with_k, k, f)):
        for q, _ in group:
            meets[lose][q] -= 1
            meets[q][lose] -= 1
            meets[gain][q] += 1
            meets[q][gain] += 1


def seat_games(games: Sequence[Sequence[Pair]], n_factions: int, n_players: int, random: Random) -> list[list[Pair]]:
    """Give the pairs of every game its seats so that each faction has every seat equally often, to within one."""
    pieces: dict[tuple[int, int], int] = {}
    met = [0] * n_factions
    edges: list[Edge] = []
    flat: list[Pair] = []
    for number, game in enumerate(games):
        for pair in game:
            piece = (pair[0], met[pair[0]] // n_players)
            met[pair[0]] += 1
            edges.append((number, pieces.setdefault(piece, len(pieces))))
            flat.append(pair)
    seats = colour_edges(edges, len(games), len(pieces), n_players, random)
    seated: list[list[Pair]] = [[(-1, -1)] * n_players for _ in games]
    for (number, _), seat, pair in zip(edges, seats, flat, strict=True):
        seated[number][seat] = pair
    return seated


def spread_boards(games: list[list[Pair]], n_factions: int, n_boards: int, random: Random, tries: int = 10) -> None:
    """Exchange seats within games so that boards sit more evenly; every faction keeps its number of each seat.

    An exchange of two seats in one game is made good by the same exchange in further games, a closed chain of factions.

    Args:
        games: changed in place.
        n_factions: number of factions.
        n_boards: number of boards.
        random: where the exchanges to try come from.
        tries: chains to try a game.
    """
    n_games, n_players = len(games), len(games[0]) if games else 0
    counts = [[0] * n_players for _ in range(n_boards)]
    holders: list[list[set[int]]] = [[set() for _ in range(n_players)] for _ in range(n_factions)]
    for number, game in enumerate(games):
        for seat, (faction, board) in enumerate(game):
            counts[board][seat] += 1
            holders[faction][seat].add(number)
    for _ in range(tries * n_games):
        s, t = random.sample(range(n_players), 2)
        chain = _closed_chain(games, holders, s, t, random)
        moved: dict[int, int] = {}
        for number in chain:
            moved[games[number][s][1]] = moved.get(games[number][s][1], 0) - 1
            moved[games[number][t][1]] = moved.get(games[number][t][1], 0) + 1
        # Half the change of the sum of squares: (c+d)^2 - c^2 at seat s, (c-d)^2 - c^2 at seat t.
        if sum(d * (counts[board][s] - counts[board][t] + d) for board, d in moved.items()) > 0:
            continue
        for board, d in moved.items():
            counts[board][s] += d
            counts[board][t] -= d
        for number in chain:
            game = games[number]
            for seat, other in ((s, t), (t, s)):
                holders[game[seat][0]][seat].discard(number)
                holders[game[seat][0]][other].add(number)
            game[s], game[t] = game[t], game[s]


def _closed_chain(
    games: Sequence[Sequence[Pair]],
    holders: Sequence[Sequence[set[int]]],
    s: int,
    t: int,
    random: Random,
    longest: int = 12,
) -> list[int]:
    """Games in which an exchange of seats ``s`` and ``t`` leaves every faction's seats as they are; none if not found."""
    chain = [random.randrange(len(games))]
    faction, last = games[chain[0]][s][0], games[chain[0]][t][0]
    while faction != last:
        open_games = [number for number in sorted(holders[faction][t]) if number not in chain]
        if not open_games or len(chain) == longest:
            return []
        closing = [number for number in open_games if games[number][s][0] == last]
        chain.append(random.choice(closing or open_games))
        faction = games[chain[-1]][s][0]
    return chain


def balance_counts(games: Sequence[Sequence[Pair]], n_factions: int, n_boards: int) -> dict[str, list[list[int]]]:
    """How often each faction met each board, each seat and each faction, and each board each seat.

    Args:
        games: for each game the (faction, board) of every seat.
        n_factions: rows of the faction tables.
        n_boards: rows of the board table.
    """
    n_players = len(games[0]) if games else 0
    counts = {
        "faction x board": [[0] * n_boards for _ in range(n_factions)],
        "faction x seat": [[0] * n_players for _ in range(n_factions)],
        "faction x faction": [[0] * n_factions for _ in range(n_factions)],
        "board x seat": [[0] * n_players for _ in range(n_boards)],
    }
    for game in games:
        for seat, (faction, board) in enumerate(game):
            counts["faction x board"][faction][board] += 1
            counts["faction x seat"][faction][seat] += 1
            counts["board x seat"][board][seat] += 1
            for other, _ in game:
                counts["faction x faction"][faction][other] += other != faction
    return counts
