"""What a user asks for, in the words of command line and API, as a config with its rules and heuristics."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.players.registry import Given
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanConfig, PlanError, check_seats
from aoi_sim.sim.fixed import read_fixed


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
    n_games: int | None,
    n_players: int,
    seed: int,
    heuristics: Given | Sequence[Given],
    design: str | None = None,
    setup: str | None = None,
    map: str = "auto",
    focus: Sequence[str] = (),
    fixed: str | Path | None = None,
) -> Request:
    """The request of a user's words; ``simulate`` says what they mean.

    Raises:
        HeuristicError: a heuristic is not found or wrong.
        PlanError: the file of set-ups is wrong, or nothing says how many games to play.
    """
    found = find_heuristics(heuristics)
    setup = str(rules.options["setup"]) if setup is None else setup
    check_seats(n_players, setup)
    rows = "" if fixed is None else read_fixed(Path(fixed), [rules], n_players, setup)
    if n_games is None:
        if not rows:
            raise PlanError("no number of games, --games, say how many to play")
        n_games = len(json.loads(rows))
    config = PlanConfig(
        n_games=n_games,
        n_players=n_players,
        seed=seed,
        heuristics=tuple(heuristic.name for heuristic in found),
        design=design or ("focus" if focus else "fixed" if rows else "balanced"),
        setup=setup,
        map=map,
        focus=tuple(focus),
        fixed=rows,
    )
    return Request(config, rules, tuple(found))
