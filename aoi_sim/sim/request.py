"""What a user asks for, in the words of command line and API, as a config with its rules and heuristics."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.players.registry import Given
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanConfig, PlanError, check_seats, whole
from aoi_sim.sim.fixed import read_fixed
from aoi_sim.sim.levels import crossed
from aoi_sim.sim.noise import refuse_repetition, with_noise
from aoi_sim.sim.until import MAX_GAMES_UNTIL, parse_until
from aoi_sim.storage.findings import counted

Players = Given | Sequence[Given]
"""One heuristic for all seats, or one a seat in seat order."""


@dataclass(frozen=True, slots=True)
class Request:
    """All that a run needs.

    Attributes:
        config: the config of its plan.
        rules: its ruleset, that of the first level if there are levels.
        heuristics: those that the config names, with their content.
    """

    config: PlanConfig
    rules: Ruleset
    heuristics: tuple[Heuristic, ...]


def make_request(
    *,
    rules: Ruleset | Mapping[str, Ruleset],
    n_games: int | None,
    n_players: int,
    seed: int,
    heuristics: Players | Mapping[str, Players],
    design: str | None = None,
    setup: str | None = None,
    map: str = "auto",
    focus: Sequence[str] = (),
    fixed: str | Path | None = None,
    noise: int = 0,
    replicates: int = 1,
    n_blocks: int | None = None,
    max_games: int | None = None,
    until: str | None = None,
) -> Request:
    """The request of a user's words; ``simulate`` says what they mean.

    ``n_blocks`` may stand in the place of ``n_games``.

    Raises:
        HeuristicError: a heuristic is not found or wrong.
        PlanError: the file of set-ups is wrong, nothing says how many games to play, or words do not go together.
    """
    n_players, seed = whole(n_players, "n_players"), whole(seed, "seed")
    noise, replicates = whole(noise, "noise"), whole(replicates, "replicates")
    n_games = None if n_games is None else whole(n_games, "n_games")
    n_blocks = None if n_blocks is None else whole(n_blocks, "n_blocks")
    max_games = None if max_games is None else whole(max_games, "max_games")
    rulesets: dict[str, Ruleset] = {"": rules} if isinstance(rules, Ruleset) else dict(rules)
    players: dict[str, Players] = dict(heuristics) if isinstance(heuristics, Mapping) else {"": heuristics}
    if not rulesets or not players:
        raise PlanError("no levels, rules or heuristics, give at least one")
    found = {name: [with_noise(one, noise) for one in find_heuristics(given)] for name, given in players.items()}
    everybody = find_heuristics([one for several in found.values() for one in several])
    names = {level: tuple(one.name for one in several) for level, several in found.items()}
    if setup is None:
        setup = _setup_option(rulesets)
    check_seats(n_players, setup)
    rows = "" if fixed is None else read_fixed(Path(fixed), list(rulesets.values()), n_players, setup)
    for several in found.values():
        refuse_repetition(replicates, several)
    config = PlanConfig(
        n_games=1,
        n_players=n_players,
        seed=seed,
        heuristics=next(iter(names.values())),
        design=design or ("focus" if focus else "fixed" if rows else "balanced"),
        setup=setup,
        map=map,
        focus=tuple(focus),
        fixed=rows,
        levels=crossed(rulesets, names),
        noise=noise,
        replicates=replicates,
    )
    config = _sized(config, n_games, n_blocks, max_games, until)
    return Request(config, next(iter(rulesets.values())), tuple(everybody))


def _sized(
    config: PlanConfig, n_games: int | None, n_blocks: int | None, max_games: int | None, until: str | None
) -> PlanConfig:
    """The config with its number of games: as asked, or what follows from ``until`` or from the file of set-ups."""
    size = max(1, config.games_a_block)
    if until is not None:
        if n_games is not None:
            raise PlanError("--games beside --until, --games, give --max-games instead")
        most = MAX_GAMES_UNTIL if max_games is None else max_games
        if most < size:
            raise PlanError(f"{counted(most, 'game')}, --max-games, choose {size} and more")
        return replace(config, until=parse_until(until), n_games=most // size * size)
    if max_games is not None:
        raise PlanError("--max-games without --until, --max-games, give --games instead")
    if n_games is not None:
        return replace(config, n_games=n_games)
    if n_blocks is None and not config.fixed:
        raise PlanError("no number of games, --games, say how many to play")
    return replace(config, n_games=(n_blocks or len(json.loads(config.fixed))) * size)


def _setup_option(rulesets: Mapping[str, Ruleset]) -> str:
    """The kind of set-up that the rules' option names."""
    kinds = {str(rules.options["setup"]) for rules in rulesets.values()}
    if len(kinds) > 1:
        raise PlanError(f"levels with set-ups {' and '.join(sorted(kinds))}, --setup, choose one of them for all")
    return kinds.pop()
