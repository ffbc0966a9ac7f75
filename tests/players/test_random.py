"""`random`: uniform over the kinds of action, then over the actions of the kind."""

from collections import Counter

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.legal import legal_actions
from aoi_sim.players.random_player import RandomPlayer
from tests.players.table import start

N = 24_000


def draws(actions: list[Action], seed: int = 1) -> Counter[Action]:
    """How often each action is chosen."""
    player = RandomPlayer(0, seed)
    state = start(4, 1)
    return Counter(player.choose(state, actions) for _ in range(N))


def near(count: int, share: float) -> bool:
    """Within five standard deviations of a share of the draws."""
    return abs(count - N * share) < 5 * (N * share * (1 - share)) ** 0.5


def test_kinds_have_equal_chances_and_so_have_the_actions_of_a_kind() -> None:
    actions: list[Action] = [(a.TRANSFORM, h, 0, 0) for h in range(40)]
    actions += [(a.BUILD, h, 0, 0) for h in range(5)]
    actions += [(a.SACRIFICE, 0, 0, 0)]
    counts = draws(actions)
    for action in actions:
        share = {a.TRANSFORM: 1 / 40, a.BUILD: 1 / 5, a.SACRIFICE: 1.0}[action[0]] / 3
        assert near(counts[action], share), action


def test_actions_of_a_kind_need_not_stand_side_by_side() -> None:
    actions: list[Action] = [
        (a.BUILD, 1, 0, 0),
        (a.PASS, 1, 0, 0),
        (a.BUILD, 2, 0, 0),
        (a.PASS, 2, 0, 0),
        (a.END, 0, 0, 0),
    ]
    counts = draws(actions)
    for action in actions:
        assert near(counts[action], 1 / 3 if action[0] == a.END else 1 / 6), action


def test_one_kind_is_uniform_over_its_actions() -> None:
    actions: list[Action] = [(a.STEP, d, 0, 0) for d in range(4)]
    counts = draws(actions, 2)
    assert all(near(counts[action], 1 / 4) for action in actions)


def test_a_single_action_needs_no_chance() -> None:
    state = start(4, 1)
    one, other = RandomPlayer(0, 7), RandomPlayer(0, 7)
    assert one.choose(state, [(a.END, 0, 0, 0)]) == (a.END, 0, 0, 0)
    actions = legal_actions(state)
    assert [one.choose(state, actions) for _ in range(9)] == [other.choose(state, actions) for _ in range(9)]
