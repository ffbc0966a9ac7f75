"""What a user asks for, in the words of command line and API, as a config with its rules and heuristics."""

from collections.abc import Sequence
from dataclasses import dataclass

from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.players.registry import Given
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanConfig


@dataclass(frozen=True, slots=True)
class Request:
    """All that a run needs.

    Attributes:
        config: the config of its plan.
        rules: its ruleset.
        heuristics: those that the config names, with their content.
    """

    config: PlanConfig
    rules: Ruleset
    heuristics: tuple[Heuristic, ...]


def make_request(
    *,
    rules: Ruleset,
    n_games: int,
    n_players: int,
    seed: int,
    heuristics: Given | Sequence[Given],
    design: str | None = None,
    setup: str | None = None,
    map: str = "auto",
    focus: Sequence[str] = (),
) -> Request:
    """The request of a user's words; ``simulate`` says what they mean.

    Raises:
        HeuristicError: a heuristic is not found or wrong.
    """
    found = find_heuristics(heuristics)
    config = PlanConfig(
        n_games=n_games,
        n_players=n_players,
        seed=seed,
        heuristics=tuple(heuristic.name for heuristic in found),
        design=design or ("focus" if focus else "balanced"),
        setup=str(rules.options["setup"]) if setup is None else setup,
        map=map,
        focus=tuple(focus),
    )
    return Request(config, rules, tuple(found))
