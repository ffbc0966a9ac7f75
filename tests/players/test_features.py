"""Features: round tiles that are due, sums, and a cache of what a try leaves as it was that changes no feature."""

from __future__ import annotations

import random

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions
from aoi_sim.engine.state import State, clone, is_over
from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.features import BEFORE, N_FEATURES, N_SEAT, NAMES, seat_features, table_features
from aoi_sim.players.weighted.prices import Prices
from tests.players.positions import spot
from tests.players.table import start

TILES = [
    "workshop-law",
    "school-banking",
    "palace-university-medicine",
    "spade-engineering",
    "city-engineering",
    "workshop-banking",
]
EVENTS = ("workshop", "guild", "school", "palace", "spade", "step", "city", "track", "innovation")


def due(rnd: int) -> dict[str, int]:
    state = spot({}, round=rnd, round_tiles=TILES).state
    x = [-1] * N_FEATURES
    table_features(state, 0, [-1] * len(state.tables.components), x)
    return {event: x[NAMES.index(f"due_{event}")] for event in EVENTS}


@pytest.mark.parametrize(
    ("rnd", "expected"),
    [
        (1, {"workshop": 0, "school": 1, "palace": 2, "spade": 3, "city": 4}),
        (2, {"workshop": 4, "school": 0, "palace": 1, "spade": 2, "city": 3}),
        (4, {"workshop": 2, "school": 6, "palace": 6, "spade": 0, "city": 1}),
        (6, {"workshop": 0, "school": 6, "palace": 6, "spade": 6, "city": 6}),
    ],
)
def test_rounds_until_a_round_tile_pays(rnd: int, expected: dict[str, int]) -> None:
    """Of two tiles for the same the next counts; six rounds, as many as there are, say that none will pay again."""
    never = {"guild": 6, "step": 6, "track": 6, "innovation": 6}
    assert due(rnd) == {**expected, **never}


def test_books_levels_and_power_of_a_seat() -> None:
    state = spot({"books": {"law": 2, "medicine": 1}, "science": {"law": 3, "banking": 4}, "bowls": [3, 5, 4]}).state
    x = features(state, 0, prices_of(state, 0))
    assert [x[NAMES.index(name)] for name in ("books", "levels", "power")] == [3, 7, 4 + 2]


# The cache: with an earlier position what has not changed since is copied, and comes to the same as without.


def prices_of(state: State, i: int) -> Prices:
    table = find_heuristic("quick").table()
    return WeightedPlayer("quick", table["weights"], table["factions"]).prices(state, i, max(state.round, 1))


def features(state: State, i: int, prices: Prices) -> list[int]:
    x = [0] * N_FEATURES
    seat_features(state, i, prices, x, BEFORE)
    return x


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_features_beside_an_earlier_position_are_those_without(seats: int, seed: int) -> None:
    """Of each seat some random actions later, its own and those of others, in random games."""
    chance = random.Random(seed)
    state = start(seats, seed)
    prices = [prices_of(state, i) for i in range(seats)]
    sites, income = slice(BEFORE + 30, BEFORE + 34), slice(BEFORE + 38, BEFORE + 43)
    changed = {"sites": 0, "income": 0, "neither": 0}
    for earlier, later in stretches(state, chance):
        for i in range(seats):
            before = features(earlier, i, prices[i])
            x = list(before)
            seat_features(later, i, prices[i], x, BEFORE + N_SEAT, earlier=earlier)
            fresh = features(later, i, prices[i])
            assert x[BEFORE + N_SEAT : BEFORE + 2 * N_SEAT] == fresh[BEFORE : BEFORE + N_SEAT]
            changed["sites"] += before[sites] != fresh[sites]
            changed["income"] += before[income] != fresh[income]
            changed["neither"] += before[sites] == fresh[sites] and before[income] == fresh[income]
    assert min(changed.values()) > 10


def test_a_level_that_pays_is_noticed() -> None:
    """Nothing but the level changes; below it a step changes no income."""
    earlier = spot({}).state
    level = earlier.tables.income_level
    prices = prices_of(earlier, 0)
    incomes = []
    for reached in (level - 1, level):
        later = clone(earlier)
        later.seats[0].science[1] = reached
        x = features(earlier, 0, prices)
        seat_features(later, 0, prices, x, BEFORE + N_SEAT, earlier=earlier)
        assert x[BEFORE + N_SEAT : BEFORE + 2 * N_SEAT] == features(later, 0, prices)[BEFORE : BEFORE + N_SEAT]
        incomes.append(x[BEFORE + N_SEAT + 38 : BEFORE + N_SEAT + 43])
    assert incomes[0] != incomes[1]


def stretches(state: State, chance: random.Random) -> list[tuple[State, State]]:
    """Pairs of positions of a random game, one to six decisions between them."""
    pairs = []
    earlier, left = clone(state), 1
    while not is_over(state):
        actions = legal_actions(state)
        rather = [action for action in actions if action[0] != a.PASS] or actions
        apply_action(state, chance.choice(rather))
        left -= 1
        if not left:
            pairs.append((earlier, clone(state)))
            earlier, left = clone(state), chance.randint(1, 6)
    return pairs
