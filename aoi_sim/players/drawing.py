"""Drawing an action by chance: first its kind, then one of the kind."""

from collections.abc import Callable

from aoi_sim.engine.actions import Action


def random_action(draw: Callable[[], float], actions: list[Action]) -> Action:
    """A random kind of those there are, then a random action of it; what is alone costs no draw.

    Args:
        draw: gives numbers from 0 to below 1, each as likely.
        actions: at least one.
    """
    n = len(actions)
    if n == 1:
        return actions[0]
    seen = 0
    starts: list[int] = []
    last = -1
    for at in range(n):
        kind = actions[at][0]
        if kind != last:
            if seen >> kind & 1:
                return random_action(draw, _side_by_side(actions))
            seen |= 1 << kind
            starts.append(at)
            last = kind
    if len(starts) == 1:
        return actions[int(draw() * n)]
    chosen = int(draw() * len(starts))
    start = starts[chosen]
    stop = starts[chosen + 1] if chosen + 1 < len(starts) else n
    return actions[start] if stop == start + 1 else actions[start + int(draw() * (stop - start))]


def _side_by_side(actions: list[Action]) -> list[Action]:
    """The actions of each kind together, as the engine lists them."""
    return [
        action for kind in dict.fromkeys([other[0] for other in actions]) for action in actions if action[0] == kind
    ]
