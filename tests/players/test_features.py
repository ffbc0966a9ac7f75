"""Features: round tiles that are due, sums, income, groups that are kept, and the numbers that tell options apart."""

from __future__ import annotations

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.legal import seat_to_move
from aoi_sim.engine.state import State
from aoi_sim.players import find_heuristic
from aoi_sim.players.sites import free_by_spades
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.cities import Cities
from aoi_sim.players.weighted.features import (
    BEFORE,
    N_FEATURES,
    NAMES,
    option_features,
    round_income,
    rounds_until_due,
    seat_features,
    table_features,
)
from aoi_sim.players.weighted.memory import Memory, remembered
from aoi_sim.players.weighted.prices import Prices
from tests.players.positions import spot
from tests.players.table import play, players, start

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
    table_features(state, 0, [-1] * len(state.tables.components), rounds_until_due(state), x)
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


def prices_of(state: State, i: int) -> Prices:
    table = find_heuristic("quick").table()
    return WeightedPlayer("quick", table["weights"], table["factions"]).prices(state, i, max(state.round, 1))


def features(state: State, i: int, groups: Cities) -> list[int]:
    """Those of a seat."""
    x = [0] * N_FEATURES
    seat_features(state, i, groups, free_by_spades(state, i), round_income(state, i), x, BEFORE)
    return x


def of_acting(state: State, *names: str) -> list[int]:
    """Some features of seat 0."""
    return named(features(state, 0, Cities(state, 0, prices_of(state, 0), 0)), *names)


def named(x: list[int], *names: str) -> list[int]:
    return [x[NAMES.index(name)] for name in names]


def test_books_levels_and_power_of_a_seat() -> None:
    state = spot({"books": {"law": 2, "medicine": 1}, "science": {"law": 3, "banking": 4}, "bowls": [3, 5, 4]}).state
    assert of_acting(state, "books", "levels", "power") == [3, 7, 4 + 2]


def test_a_level_that_pays_adds_to_the_income() -> None:
    """A level of banking brings coins (SCI); the level below nothing."""
    names = ("coin_income", "tool_income", "scholar_income", "power_income", "book_income")
    level = spot({}).state.tables.income_level
    none, below, paying = (of_acting(spot({"science": {"banking": n}}).state, *names) for n in (0, level - 1, level))
    assert below == none
    assert paying[0] > none[0] and paying[1:] == none[1:]


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_groups_that_are_kept_give_the_features_of_new_ones(seats: int, seed: int) -> None:
    """Of each seat, from decision to decision of a game; they are kept most of the time, and change now and then."""
    state = start(seats, seed)
    prices = [prices_of(state, i) for i in range(seats)]
    memories = [Memory(state, i, prices[i]) for i in range(seats)]
    last: list[Cities | None] = [None] * seats
    counts = {"kept": 0, "new": 0}

    def look(state: State, actions: list[Action], action: Action) -> None:
        i = seat_to_move(state)
        groups = memories[i].cities(state, 0)
        assert features(state, i, groups) == features(state, i, Cities(state, i, prices[i], 0))
        counts["kept" if groups is last[i] else "new"] += 1
        last[i] = groups

    play(state, players(["quick"], seats, seed), look)
    assert counts["kept"] > counts["new"] > 15 * seats


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_income_and_tiles_that_are_due_are_remembered_rightly(seats: int, seed: int) -> None:
    """Of each seat, at each of its decisions of the rounds; mostly what was worked out before."""
    state = start(seats, seed)
    memories: list[Memory | None] = [None] * seats
    last: list[list[int]] = [[]] * seats
    counts = {"kept": 0, "new": 0}

    def look(state: State, actions: list[Action], action: Action) -> None:
        i = seat_to_move(state)
        memory = remembered(memories[i], state, i, prices_of(state, i))
        memories[i] = memory
        income = memory.income(state, memory.cities(state, 0))
        assert income == round_income(state, i)
        assert memory.due(state) == rounds_until_due(state)
        counts["kept" if income is last[i] else "new"] += 1
        last[i] = income

    play(state, players(["quick"], seats, seed), look)
    assert min(counts.values()) > 15 * seats


# What tells options apart: the deed is the action with its component or discipline, the manner that with its value or coins.


def option(state: State, action: Action, codes: list[int] | None = None) -> list[int]:
    """Action, deed and manner of an option."""
    x = [-1] * N_FEATURES
    known = [*range(len(state.tables.components))] if codes is None else codes
    option_features(state, 0, known, action, 0, 0, 0, x)
    return named(x, "action", "deed", "manner")


def test_no_two_kinds_of_action_have_a_deed_in_common() -> None:
    state = spot({}).state
    kinds = (a.POWER, a.BOOK, a.SPECIAL, a.INNOVATE, a.COMPETENCY, a.PALACE, a.CITY)
    components = range(len(state.tables.components))
    of_components = {option(state, (kind, cid, 0, 0))[1] for kind in kinds for cid in components}
    of_disciplines = {option(state, (kind, d, 0, 0))[1] for kind in (a.SEND, a.RETURN, a.STEP) for d in range(4)}
    assert len(of_components) == len(kinds) * len(components)
    assert len(of_disciplines) == 12 and not of_components & of_disciplines


def test_the_manner_says_how_much() -> None:
    """Places of the scholars, of a discipline, and coins on bonus tiles."""
    t = spot({"coins": 1})
    sent = [option(t.state, (a.SEND, 1, value, 0)) for value in (1, 2, 3)]
    assert len({x[2] for x in sent}) == 3 and len({x[1] for x in sent}) == 1
    tile = next(c for c, component in enumerate(t.state.tables.components) if component.ref == "bonus/river")
    rich = spot({"coins": 1})
    rich.state.bonus_coins[rich.state.tables.components[tile].position] += 2
    poor, better = (option(state, (a.PASS, tile, 0, 0)) for state in (t.state, rich.state))
    assert poor[:2] == better[:2] and better[2] == poor[2] + 2


def test_components_that_were_never_met_are_one_deed_of_their_action() -> None:
    state = spot({}).state
    codes = [-1] * len(state.tables.components)
    codes[7] = 0
    deeds = {kind: [option(state, (kind, cid, 0, 0), codes)[1] for cid in (7, 8, 9)] for kind in (a.POWER, a.BOOK)}
    for met, *never in deeds.values():
        assert len(set(never)) == 1 and met not in never
    assert len({deed for row in deeds.values() for deed in row}) == 4
