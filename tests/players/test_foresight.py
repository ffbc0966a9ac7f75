"""Foresight: what it says that an option adds is what is added when it is done.

Options are done on a copy of the game, and nothing that they leave to be chosen is answered, but for the workshop on a hex
that was dug for it. Books and steps that are to be chosen count in all disciplines together; what hangs on another choice
(a key, how to pay, in which order) is not compared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.board import sailing_level
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.notation import format_action
from aoi_sim.engine.state import F_SPADES, FRAME_NAMES, SP_USED, State, clone, is_over
from aoi_sim.players import find_heuristic
from aoi_sim.players.sites import free_by_spades
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.cities import Cities
from aoi_sim.players.weighted.features import ADDED, ADDED_AT, BEFORE, N_FEATURES, SEAT, seat_features
from aoi_sim.players.weighted.lessons import CITY, COMPETENCY, PALACE, TURN
from aoi_sim.players.weighted.options import NO_SUBJECT, Option, subject_of
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.components import Op
from tests.players.positions import spot
from tests.players.table import start

EVERYTHING = 30_000
MANY = 60
GAMES = [(2, 3), (2, 15), (3, 3), (3, 10), (4, 4), (4, 5), (5, 8), (5, 9)]
"""Players and seeds; every kind of action is an option in them, and moles, who tunnel and build bridges, play."""
SITES = {"sites_0", "sites_1", "sites_2", "sites_3"}
GROUPS = {"lack_1", "lack_2", "near_cities", "groups"}
CHOICES = {
    "books": v.OP_BOOKS,
    "steps": v.OP_STEPS,
    "spades": v.OP_SPADES,
    "bridge": v.OP_BRIDGES,
    "neutral": v.OP_NEUTRAL,
    "free_piece": v.OP_FREE_PIECE,
    "exchange": v.OP_EXCHANGE,
    "competency": v.OP_COMPETENCY,
    "palace": v.OP_PALACE,
    "city_tile": v.OP_CITY_TILE,
}
"""Pending frames by what they ask for. Other frames ask for something that the rest hangs on."""
KINDS = {
    *(a.TRANSFORM, a.BUILD, a.UPGRADE, a.ADVANCE, a.INNOVATE, a.SEND, a.RETURN, a.POWER, a.BOOK, a.SPECIAL),
    *(a.BRIDGE, a.ANNEX, a.PASS, a.STEP, a.COMPETENCY, a.PALACE, a.CITY),
}
RARE = {
    "a bridge brings hexes into reach": SITES,
    "a bonus tile sails farther": SITES,
    "a tunnel only digs": {"vp"},
    "a tile gives steps on tracks": {"vp", "books", *SITES},
    "cities need less power": GROUPS,
}
"""What few options do: features of which they add to some."""
SPLIT = (v.OP_STEPS_SPLIT, v.OP_STEPS_SPLIT_PER)
TRACKS = (v.OP_SAILING, v.OP_TERRAFORMING)
FIXED = (*TRACKS, v.OP_STEPS_OF, v.OP_STEPS_EACH)
"""Parts that leave nothing to choose but their order."""


@dataclass(frozen=True)
class Told:
    """An option: what was told, and what was added with what is still to be chosen; what few options do, if it does that."""

    action: Action
    text: str
    told: dict[str, int]
    added: dict[str, int]
    rare: str

    @property
    def wrong(self) -> str:
        """What was told, if it is not what was added."""
        wrong = [
            f"{name} {told}, added {self.added[name]}" for name, told in self.told.items() if told != self.added[name]
        ]
        return f"{self.text}: told {'; '.join(wrong)}" if wrong else ""


def parts_of(state: State, action: Action) -> list[Op]:
    """What a tile or an action gives that may have to be chosen."""
    kind, cid, _, _ = action
    if kind in (a.POWER, a.BOOK, a.SPECIAL):
        return list(state.tables.components[cid].action.parts)
    if kind in (a.INNOVATE, a.COMPETENCY, a.PALACE, a.CITY):
        return list(state.tables.components[cid].once.parts)
    return []


def pending(state: State, i: int) -> list[tuple[int, int]] | None:
    """What is left for a seat to choose, and how much of it; None if more hangs on it than itself."""
    found: list[tuple[int, int]] = []
    for frame in state.stack:
        name = FRAME_NAMES[frame[0]]
        if frame[1] != i:
            continue
        if name == "resolve":
            found += [(frame[k], frame[k + 1]) for k in range(2, len(frame), 4)]
        elif name in CHOICES:
            found.append((CHOICES[name], frame[2] if name in ("books", "steps") else 1))
        else:
            return None
    found = [(v.OP_STEPS if op in SPLIT else op, n) for op, n in found]
    return found if all(op in CHOICES.values() for op, _ in found) else None


def of_seat(state: State, i: int, player: WeightedPlayer) -> dict[str, int]:
    x = [0] * N_FEATURES
    seat_features(
        state,
        i,
        Cities(state, i, player.prices(state, i, state.round), 0),
        free_by_spades(state, i),
        [0] * 5,
        x,
        BEFORE,
    )
    return dict(zip(SEAT, x[BEFORE:], strict=False))


def done(state: State, option: Option) -> State:
    """A copy of the game in which an option is done, with the workshop that a plan digs for and the parts that are fixed."""
    after = clone(state)
    for step in option.steps:
        apply_action(after, step)
    kind, h, _, _ = option.steps[-1]
    if kind == a.TRANSFORM and option.price is not None and option.price.coins:
        apply_action(after, next(x for x in legal_actions(after) if x[0] == a.BUILD and x[1] == h))
    while fixed := [x for x in legal_actions(after) if x[0] == a.RESOLVE and x[2] in FIXED]:
        apply_action(after, fixed[0])
    return after


def added(state: State, i: int, option: Option, player: WeightedPlayer) -> dict[str, int] | None:
    """What an option really adds, with what is still to be chosen; None if that cannot be compared."""
    after = done(state, option)
    asked, left = pending(state, i), pending(after, i)
    if asked is None or left is None or len(asked) > 1:
        return None
    parts = [op for op, _, _, _ in parts_of(state, option.steps[-1])]
    chosen = [op for op in parts if op in CHOICES.values() or op in SPLIT]
    if v.OP_SPADES in parts and any(frame[0] == F_SPADES and frame[SP_USED] for frame in after.stack):
        return None  # there was only one hex to dig
    if len(chosen) > sum(op != v.OP_CITY_TILE or op in parts for op, _ in left):
        return None  # there was only one way to choose
    before, now = of_seat(state, i, player), of_seat(after, i, player)
    found = {name: now[name] - before[name] for name in ADDED if name != "founded"}
    found["books"] += sum(n for op, n in left if op == v.OP_BOOKS)
    steps = sum(n for op, n in left if op == v.OP_STEPS)
    if option.steps[-1][0] != a.STEP:
        found["levels"] += steps
    elif asked and state.stack[-1][3] and steps < asked[0][1] - 1:
        return None  # the rest could only go one way
    promised = [op for op, _ in left].count(v.OP_CITY_TILE) - parts.count(v.OP_CITY_TILE)
    found["founded"] = promised if option.steps[-1][0] != a.CITY else 0
    return found


def rare(state: State, i: int, option: Option) -> str:
    """What an option does that few do, a key of `RARE`; empty if there is nothing."""
    kind, what, _, mode = option.steps[-1]
    seat = state.seats[i]
    if kind == a.BRIDGE:
        return "a bridge brings hexes into reach"
    if kind == a.TRANSFORM and mode and option.price is not None and not option.price.coins:
        return "a tunnel only digs"
    if kind in (a.BUILD, a.TRANSFORM):
        sail = state.geometry.sail
        farther = sail[sailing_level(state, i)][what] & ~sail[seat.sailing][what]
        if farther & ~seat.reach & ~state.occupied:
            return "a bonus tile sails farther"
    if any(op in TRACKS for op, _, _, _ in parts_of(state, option.steps[-1])):
        return "a tile gives steps on tracks"
    if kind in (a.PALACE, a.INNOVATE) and state.tables.components[what].city_power:
        return "cities need less power"
    return ""


def expert() -> WeightedPlayer:
    table = find_heuristic("expert").table()
    return WeightedPlayer("expert", table["weights"], table["factions"], "expert", table["lessons"])


def told_of(state: State, player: WeightedPlayer, subject: int) -> list[Told]:
    """The options of a decision that can be compared."""
    i = seat_to_move(state)
    options = player.options(state, legal_actions(state), EVERYTHING, MANY)
    judge = player.judge(state, i, subject)
    found: list[Told] = []
    for option in options:
        x = judge.features(option, options[0])
        told = dict(zip(ADDED, x[ADDED_AT:], strict=True))
        last = option.steps[-1]
        true = dict.fromkeys(ADDED, 0) if last[0] == a.PASS else added(state, i, option, player)
        if true is not None:
            found.append(
                Told(last, f"decision {state.n_decisions}, {option.steps}", told, true, rare(state, i, option))
            )
    return found


@cache
def all_told(seats: int, seed: int) -> list[Told]:
    """The options of all decisions of a game of `expert` that can be compared."""
    players = [expert() for _ in range(seats)]
    state = start(seats, seed)
    found: list[Told] = []
    while not is_over(state):
        actions = legal_actions(state)
        player = players[seat_to_move(state)]
        subject = subject_of(state, actions) if len(actions) > 1 else NO_SUBJECT
        if subject != NO_SUBJECT and not (subject == TURN and player.is_under_way(actions)):
            found += told_of(state, player, subject)
        apply_action(state, player.choose(state, actions))
    return found


@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_what_an_option_adds_is_told_before_it_is_done(seats: int, seed: int) -> None:
    assert [one.wrong for one in all_told(seats, seed) if one.wrong] == []


def test_options_of_all_kinds_were_compared_and_every_feature_told() -> None:
    """Also those that do what few do, with a feature of it told."""
    options = [one for game in GAMES for one in all_told(*game)]
    kinds = Counter(one.action[0] for one in options)
    assert {kind for kind, n in kinds.items() if n >= 10} == KINDS
    told = Counter(name for one in options for name, n in one.told.items() if n)
    assert [name for name in ADDED if told[name] < 50] == []
    causes = Counter(one.rare for one in options if one.rare and any(one.told[name] for name in RARE[one.rare]))
    assert [cause for cause in RARE if causes[cause] < 5] == []


FLIERS = {"buildings": {"B6": "palace"}, "palace": "9", "tools": 9, "scholars": 2}
MOLES = {"faction": "moles", "buildings": {"B6": "workshop"}, "tools": 9}


@pytest.mark.parametrize(("seat", "mode"), [(FLIERS, a.FLIGHT), (MOLES, a.TUNNEL)])
@pytest.mark.parametrize("coins", [9, 0])
def test_what_a_flight_or_a_tunnel_adds_is_told(seat: dict[str, Any], mode: int, coins: int) -> None:
    """VP, and a scholar that comes back, to a home hex and to one that is dug for first; without coins also if it is only dug."""
    state = spot({**seat, "coins": coins}, homes="A6 D6 A5", round=5).state
    found = [one for one in told_of(state, expert(), TURN) if one.action[3] == mode]
    assert {one.action[0] for one in found} == {a.BUILD, a.TRANSFORM}
    assert any(one.rare == "a tunnel only digs" for one in found) == (coins == 0)
    assert [one.wrong for one in found if one.wrong] == []
    assert min(one.told["vp"] for one in found) >= 4
    assert {one.told["scholar_supply"] for one in found} == {1 if mode == a.FLIGHT else 0}


RICH = {"coins": 40, "tools": 20}
PAIR = {"B6": "guild", "A9": "workshop"}
FOUR = {"B6": "guild", "B5": "workshop", "C6": "workshop", "A6": "workshop", "I9": "school"}
THREE = {"B5": "guild", "B6": "guild", "C6": "guild", "A9": "workshop"}
RIVER = {"C5": "guild", "D5": "guild", "D3": "guild", "E4": "workshop", "I9": "palace", "A9": "workshop"}
INVENTOR = {"coins": 9, "tools": 4, "scholars": 1, "books": {"banking": 5}, "buildings": PAIR, "bonus": "river"}
ENGINE = {"innovations": [{"key": "steam-engine", "column": "banking"}]}
TILES = {"palaces": ["8", "14"]}
OTHERWISE = {
    "overlays": [
        {
            "city_tiles": {
                "coins": {"once": {"terraforming": 1}},
                "tools": {"once": {"sailing": 3, "scholars": 1}},
            },
            "competencies": {"2": {"city_power": 6}, "3": {"once": {"sailing": 1, "terraforming": 3}}},
            "power_actions": {
                "coins": {"effect": {"sailing": 1}},
                "tools": {"effect": {"terraforming": 1, "tools": 2}},
            },
        }
    ],
}
"""Rules in which city tiles, competencies and power actions do what only palaces and an innovation do."""


EVENTS = {
    "overlays": [
        {
            "factions": {
                "inventors": {
                    "on": [
                        {"event": "track_step", "sailing": 1},
                        {"event": "workshop_built", "sailing": 1},
                        {"event": "spade_used", "terraforming": 1},
                    ]
                }
            }
        }
    ]
}
"""Rules in which events give steps on tracks, and these set off more."""


Wanted = dict[str, dict[str, int]]
SCENES: list[tuple[int, dict[str, Any], dict[str, Any], str, Wanted]] = [
    (
        PALACE,
        {**RICH, "buildings": PAIR, "sailing": 1},
        TILES,
        "upgrade B6 palace",
        {"palace 14": {"vp": 10, "sites_1": 3}},
    ),
    (
        PALACE,
        {**RICH, "buildings": PAIR, "sailing": 2},
        TILES,
        "upgrade B6 palace",
        {"palace 14": {"vp": 7, "sites_1": 1}},
    ),
    (
        PALACE,
        {**RICH, "buildings": PAIR, "sailing": 3},
        TILES,
        "upgrade B6 palace",
        {"palace 14": {"vp": 0, "sites_1": 0}},
    ),
    (PALACE, {**RICH, "buildings": FOUR}, TILES, "upgrade B6 palace", {"palace 8": {"founded": 1, "groups": -1}}),
    (TURN, {**INVENTOR, "terraforming": 1}, ENGINE, "", {"innovate steam-engine": {"vp": 14}}),
    (TURN, {**INVENTOR, "terraforming": 2}, ENGINE, "", {"innovate steam-engine": {"vp": 5}}),
    (CITY, {**RICH, "buildings": THREE}, OTHERWISE, "build A6", {"city coins": {"vp": 9}, "city tools": {"vp": 19}}),
    (COMPETENCY, {**RICH, "buildings": FOUR}, OTHERWISE, "upgrade B6 school", {"competency 3": {"vp": 17}}),
    (COMPETENCY, {**RICH, "buildings": FOUR}, OTHERWISE, "upgrade B6 school", {"competency 2": {"lack_1": -1}}),
    (TURN, {"buildings": PAIR, "bowls": [0, 0, 12]}, OTHERWISE, "", {"power coins": {"vp": 5}}),
    (TURN, {"buildings": PAIR, "bowls": [0, 0, 12]}, OTHERWISE, "", {"power tools": {"vp": 3}}),
    (TURN, {**RICH, "buildings": PAIR, "scholars": 1}, EVENTS, "", {"advance terraforming": {"vp": 18, "sites_1": 3}}),
    (TURN, {"buildings": RIVER, "palace": "14"}, {}, "", {"found D4": {"founded": 1, "groups": -2}}),
    (TURN, {**RICH, "buildings": PAIR, "scholars": 1}, EVENTS, "", {"build A6": {"vp": 15, "sites_1": 3}}),
    (TURN, {"tools": 4, "buildings": PAIR}, EVENTS, "", {"transform A7>forest": {"vp": 18, "sites_0": 2}}),
]
"""Subject, seat, table, what is done first, what is to be told."""


@pytest.mark.parametrize(("subject", "seat", "top", "first", "wanted"), SCENES)
def test_what_tiles_add_that_seldom_come_is_told(
    subject: int, seat: dict[str, Any], top: dict[str, Any], first: str, wanted: Wanted
) -> None:
    """Tracks as far as they go, with the river tile's reach and the round tile's VP for each step; cities of less power."""
    t = spot({"bonus": "river", **seat}, homes="A6", round=3, **top).do(*[first] if first else [])
    told = {format_action(t.state, one.action): one for one in told_of(t.state, expert(), subject)}
    assert [one.wrong for one in told.values() if one.wrong] == []
    assert {text: {name: told[text].told[name] for name in row} for text, row in wanted.items()} == wanted
