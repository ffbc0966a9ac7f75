"""`greedy`: a sane naive player."""

import statistics

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.state import F_OFFER, F_SPADES, P_ACTIONS, RULE_SINGLE, SP_RULE, State, clone, scores
from tests.players.table import play, players, start

GAMES = 12


def test_beats_random_by_far() -> None:
    margins = []
    for seed in range(GAMES):
        state = start(4, seed)
        seat = seed % 4
        names = ["random"] * 4
        names[seat] = "greedy"
        play(state, players(names, 4, seed))
        found = scores(state)
        margins.append(found[seat] - max(v for i, v in enumerate(found) if i != seat))
    assert statistics.mean(margins) > 20
    assert sum(m > 0 for m in margins) >= GAMES - 1


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_scores_like_a_player_who_knows_the_rules(n_players: int) -> None:
    found: list[int] = []
    for seed in range(4):
        state = start(n_players, seed)
        play(state, players(["greedy"], n_players, seed))
        found += scores(state)
    assert statistics.mean(found) > 95


def test_spends_what_it_has_and_converts_only_now_and_then() -> None:
    kinds: dict[int, int] = {}
    left = []
    for seed in range(GAMES):
        state = start(4, seed)
        for action in play(state, players(["greedy"], 4, seed)):
            kinds[action[0]] = kinds.get(action[0], 0) + 1
        left += [s.tools + s.scholars + sum(s.books) for s in state.seats]
    assert statistics.mean(left) < 8
    turns = sum(kinds.get(k, 0) for k in (a.BUILD, a.UPGRADE, a.ADVANCE, a.INNOVATE, a.SEND, a.RETURN, a.POWER, a.BOOK))
    assert kinds.get(a.CONVERT, 0) + kinds.get(a.SACRIFICE, 0) < turns
    assert kinds[a.BUILD] > 3 * 4 * GAMES
    assert kinds[a.UPGRADE] > 3 * 4 * GAMES


def test_takes_free_power_and_uses_set_up_spades() -> None:
    """An offer of 1 power costs nothing; a spade at set-up or in phase III is not thrown away."""
    seen = {"free": 0, "spade": 0}

    def watch(state: State, actions: list[Action], action: Action) -> None:
        if not state.stack:
            return
        frame = state.stack[-1]
        if frame[0] == F_OFFER and frame[3] == 0 and state.round < 6:
            seen["free"] += 1
            assert action[0] == a.ACCEPT
        if frame[0] == F_SPADES and frame[SP_RULE] == RULE_SINGLE and any(x[0] == a.TRANSFORM for x in actions):
            seen["spade"] += 1
            assert action[0] == a.TRANSFORM

    for seed in range(GAMES):
        play(start(4, seed), players(["greedy"], 4, seed), watch)
    assert seen["free"] > 50
    assert seen["spade"] > 5


def test_does_not_pass_while_something_scores_at_once() -> None:
    """In the last round nothing that gives 3 VP or more at once is left undone."""
    seen = {"passes": 0}

    def watch(state: State, actions: list[Action], action: Action) -> None:
        if state.phase != P_ACTIONS or action[0] != a.PASS or state.round < 6:
            return
        seen["passes"] += 1
        i = state.active
        for other in actions:
            if other[0] not in (a.PASS, a.CONVERT, a.SACRIFICE):
                after = clone(state)
                apply_action(after, other)
                assert after.seats[i].vp - state.seats[i].vp < 3, other

    for seed in range(GAMES):
        play(start(4, seed), players(["greedy"], 4, seed), watch)
    assert seen["passes"] == 4 * GAMES
