"""`explorer`: prefers what it has used least."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.players.explorer import ExplorerPlayer
from tests.players.table import play, players, start


def test_takes_each_component_once_before_any_twice() -> None:
    player = ExplorerPlayer(0, 1)
    state = start(4, 1)
    actions: list[Action] = [(a.COMPETENCY, cid, 0, 0) for cid in range(20, 32)]
    taken = [player.choose(state, actions) for _ in range(24)]
    assert sorted(taken[:12]) == actions
    assert sorted(taken[12:]) == actions


def test_kinds_weigh_alike_however_many_hexes_they_offer() -> None:
    player = ExplorerPlayer(0, 1)
    state = start(4, 1)
    actions: list[Action] = [(a.TRANSFORM, h, 0, 0) for h in range(40)]
    actions += [(a.UPGRADE, 3, kind, 0) for kind in (2, 3)]
    kinds = [player.choose(state, actions)[:1] for _ in range(300)]
    assert kinds.count((a.TRANSFORM,)) == 100


def test_seldom_passes_while_there_is_something_else() -> None:
    player = ExplorerPlayer(0, 1)
    state = start(4, 1)
    actions: list[Action] = [(a.SEND, d, 2, 0) for d in range(4)]
    actions += [(a.PASS, -1, 0, 0), (a.SACRIFICE, 0, 0, 0)]
    closing = sum(1 for _ in range(2000) if player.choose(state, actions)[0] != a.SEND)
    assert 200 < closing < 440


def test_meets_more_kinds_of_action_than_random() -> None:
    """Over the same games it uses at least as many kinds and components."""
    seen: dict[str, set[tuple[int, int]]] = {}
    for name in ("random", "explorer"):
        found = seen.setdefault(name, set())
        for seed in range(6):
            for action in play(start(4, seed), players([name], 4, seed)):
                component = action[1] if action[0] in (a.INNOVATE, a.POWER, a.BOOK, a.PALACE, a.COMPETENCY) else -1
                found.add((action[0], component))
    assert len(seen["explorer"]) >= len(seen["random"])
