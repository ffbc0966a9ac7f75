from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aoi_sim.sim.colouring import colour_edges, even_out
from aoi_sim.sim.designs import Pair, balance_counts, balanced_part, even_pairs, matched_games, part_size


def spread(rows: list[list[int]]) -> int:
    cells = list(chain.from_iterable(rows))
    return max(cells) - min(cells)


def opponents_spread(rows: list[list[int]]) -> int:
    cells = [cell for i, row in enumerate(rows) for j, cell in enumerate(row) if i != j]
    return max(cells) - min(cells)


def assert_proper(games: list[list[Pair]], n_players: int) -> None:
    for game in games:
        assert len(game) == n_players
        assert len({faction for faction, _ in game}) == n_players
        assert len({board for _, board in game}) == n_players


sizes = st.tuples(st.integers(2, 5), st.integers(0, 9), st.integers(0, 6)).map(
    lambda t: (t[0] + t[1], t[0] + t[2], t[0])
)


@settings(max_examples=60, deadline=None)
@given(sizes, st.integers(1, 140), st.integers(0, 2**63 - 1))
def test_counts_differ_by_at_most_one(size: tuple[int, int, int], n_games: int, seed: int) -> None:
    n_factions, n_boards, n_players = size
    games = balanced_part(n_factions, n_boards, n_players, n_games, seed)
    assert len(games) == n_games
    assert_proper(games, n_players)
    counts = balance_counts(games, n_factions, n_boards)
    assert spread(counts["faction x board"]) <= 1
    assert spread(counts["faction x seat"]) <= 1
    totals = [sum(row) for row in counts["faction x seat"]]
    assert max(totals) - min(totals) <= 1


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
@pytest.mark.parametrize(("n_factions", "n_boards"), [(12, 7), (13, 7), (12, 8), (14, 9), (7, 7)])
def test_a_whole_part_is_exact(n_players: int, n_factions: int, n_boards: int) -> None:
    size = part_size(n_factions, n_boards, n_players)
    counts = balance_counts(balanced_part(n_factions, n_boards, n_players, size, 3), n_factions, n_boards)
    assert spread(counts["faction x board"]) == 0
    assert spread(counts["faction x seat"]) == 0


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_opponents_and_board_seats_are_nearly_even(n_players: int) -> None:
    for seed in range(5):
        counts = balance_counts(balanced_part(12, 7, n_players, 84, seed), 12, 7)
        assert opponents_spread(counts["faction x faction"]) <= 4
        assert spread(counts["board x seat"]) <= 3


def test_part_size_of_the_printed_game() -> None:
    assert [part_size(12, 7, n) for n in (2, 3, 4, 5)] == [84, 84, 84, 84]
    assert part_size(13, 7, 4) == 91


def test_equal_seeds_give_equal_parts_and_others_do_not() -> None:
    assert balanced_part(12, 7, 4, 84, 5) == balanced_part(12, 7, 4, 84, 5)
    assert balanced_part(12, 7, 4, 84, 5) != balanced_part(12, 7, 4, 84, 6)


def test_every_pair_comes_before_one_comes_twice() -> None:
    for n_pairs in (1, 40, 84):
        pairs = even_pairs(12, 7, n_pairs, Random(n_pairs))
        assert len(set(pairs)) == n_pairs


def test_matched_games_keep_every_pair() -> None:
    games = matched_games(12, 7, 4, 21, 11)
    assert sorted(chain.from_iterable(games)) == [(f, b) for f in range(12) for b in range(7)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=60), st.integers(0, 99))
def test_colouring_is_proper_and_evens_out(edges: list[tuple[int, int]], seed: int) -> None:
    degree = max(
        max(sum(e[0] == v for e in edges) for v in range(6)), max(sum(e[1] == v for e in edges) for v in range(5))
    )
    # Classes can be evened out when their number times a size is the number of edges.
    n_colours = next(n for n in range(degree, len(edges) + 1) if len(edges) % n == 0)
    colours = colour_edges(edges, 6, 5, n_colours, Random(seed))
    even_out(edges, colours, n_colours, len(edges) // n_colours)
    for side in (0, 1):
        seen = [(edge[side], colour) for edge, colour in zip(edges, colours, strict=True)]
        assert len(set(seen)) == len(seen)
    assert {colours.count(colour) for colour in range(n_colours)} == {len(edges) // n_colours}
