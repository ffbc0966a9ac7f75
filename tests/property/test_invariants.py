"""What always holds, whatever the numbers: power, places, multisets, digging, geometry."""

from hypothesis import given
from hypothesis import strategies as st

import aoi_sim as aoi
from aoi_sim.engine.geometry import bits
from aoi_sim.engine.resources import book_multisets, gain_power, multiset_counts, spend_power, tier
from aoi_sim.engine.scoring import ranked_vp, win_shares
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.setup import geometry_for
from aoi_sim.rules.tables import dig_paths, tables_for

RULES = aoi.load_ruleset()
TABLES = tables_for(RULES, 4)
few = st.integers(0, 20)


def bowls(one: int, two: int, three: int) -> Seat:
    seat = Seat()
    seat.bowl1, seat.bowl2, seat.bowl3 = one, two, three
    return seat


@given(few, few, few, st.integers(0, 60))
def test_gained_power_moves_one_token_a_step_and_loses_the_rest(one: int, two: int, three: int, n: int) -> None:
    """POW-1, worked out token by token."""
    seat = bowls(one, two, three)
    steps = gain_power(seat, n)
    for _ in range(n):
        if one:
            one, two = one - 1, two + 1
        elif two:
            two, three = two - 1, three + 1
    assert (seat.bowl1, seat.bowl2, seat.bowl3) == (one, two, three)
    assert steps <= n


@given(few, few, few, few)
def test_power_gained_in_two_parts_is_power_gained_at_once(one: int, two: int, n: int, m: int) -> None:
    at_once, in_parts = bowls(one, two, 0), bowls(one, two, 0)
    gain_power(at_once, n + m)
    gain_power(in_parts, n)
    gain_power(in_parts, m)
    assert (at_once.bowl1, at_once.bowl2, at_once.bowl3) == (in_parts.bowl1, in_parts.bowl2, in_parts.bowl3)


@given(few, few, few, few)
def test_spent_power_returns_to_the_first_bowl(one: int, two: int, three: int, n: int) -> None:
    """POW-2."""
    seat = bowls(one, two, three + n)
    spend_power(seat, n)
    assert (seat.bowl1, seat.bowl2, seat.bowl3) == (one + n, two, three)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=6), st.sampled_from([(18, 12, 6), (8, 4, 2)]))
def test_ties_share_the_places_they_fill(values: list[int], prizes: tuple[int, ...]) -> None:
    """FIN-3: nobody with less gets more, equals get equal, never more than the prizes, level 0 nothing."""
    vp = ranked_vp(values, prizes, 1)
    assert sum(vp) <= sum(prizes)
    for a, x in enumerate(values):
        assert vp[a] >= 0
        if x == 0:
            assert vp[a] == 0
        for b, y in enumerate(values):
            if x == y:
                assert vp[a] == vp[b]
            elif x > y > 0:
                assert vp[a] >= vp[b]
    if len(set(values)) == len(values) and 0 not in values:
        assert sorted(vp, reverse=True)[: len(prizes)] == list(prizes)[: len(values)]


@given(st.lists(st.integers(0, 200), min_size=2, max_size=5))
def test_win_shares_sum_to_one(scores: list[int]) -> None:
    """FIN-5."""
    shares = win_shares(scores)
    assert abs(sum(shares) - 1) < 1e-9
    assert {k for k, x in enumerate(shares) if x} == {k for k, x in enumerate(scores) if x == max(scores)}


@given(st.lists(st.integers(0, 6), min_size=4, max_size=4), st.integers(1, 7), st.booleans())
def test_book_multisets_are_all_and_each_once(limits: list[int], n: int, distinct: bool) -> None:
    codes = book_multisets(limits, n, distinct)
    expected = {
        (a, b, c, d)
        for a in range(limits[0] + 1)
        for b in range(limits[1] + 1)
        for c in range(limits[2] + 1)
        for d in range(limits[3] + 1)
        if a + b + c + d == n and (not distinct or max(a, b, c, d) <= 1)
    }
    assert len(codes) == len(set(codes))
    assert {multiset_counts(code) for code in codes} == expected


@given(st.integers(0, 6), st.integers(0, 6))
def test_digging_takes_the_shorter_way_round(home: int, terrain: int) -> None:
    """TB-2: at most three steps, each to a neighbour on the circle, ending at home."""
    path = dig_paths(7)[home][terrain]
    assert len(path) == min((home - terrain) % 7, (terrain - home) % 7)
    at = terrain
    for step in path:
        assert (step - at) % 7 in (1, 6)
        at = step
    assert at == home


@given(st.sampled_from(["3-5", "1-3"]), st.data())
def test_adjacency_and_reach_go_both_ways(key: str, data: st.DataObject) -> None:
    """ADJ-1, REACH-1: symmetric; a higher sailing level reaches no less."""
    geometry = geometry_for(TABLES, key)
    h = data.draw(st.sampled_from(geometry.land_list))
    level = data.draw(st.integers(0, len(geometry.sail) - 2))
    for k in bits(geometry.sides[h]):
        assert geometry.sides[k] >> h & 1
    for k in bits(geometry.sail[level][h]):
        assert geometry.sail[level][k] >> h & 1
    assert geometry.sail[level][h] & ~geometry.sail[level + 1][h] == 0
    assert geometry.sail[0][h] == geometry.land_sides[h]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 20)), min_size=1, max_size=4), st.integers(0, 15))
def test_the_highest_tier_reached_counts(rows: list[tuple[int, int]], n: int) -> None:
    tiers = tuple(sorted(rows))
    reached = [vp for least, vp in tiers if n >= least]
    assert tier(tiers, n) == (reached[-1] if reached else 0)
