"""A stop in the middle of a tuning."""

from collections.abc import Callable
from typing import Any

from aoi_sim.studies.tuning_games import Workers

Play = Callable[[Workers, Any], Any]


def stopping(play: Play, at: int) -> Play:
    """A way to play that stops, as Ctrl-C does, instead of giving outcome number `at`, counted over all calls."""
    left = at

    def stopping_play(workers: Workers, tasks: Any) -> Any:
        nonlocal left
        for outcome in play(workers, tasks):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            yield outcome

    return stopping_play
