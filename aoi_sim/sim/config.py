"""The config of a plan: all that decides which games are played, besides the ruleset, as plain data."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from aoi_sim.rules.ruleset import Ruleset

DESIGNS: Final = ("choice", "random", "balanced", "rotation", "focus", "fixed")
MAX_SEED: Final = (1 << 63) - 1
MAX_GAMES: Final = 100_000_000


class PlanError(ValueError):
    """A run that cannot be planned; the message is one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class PlanConfig:
    """All that decides which games a run plays, besides the ruleset.

    Attributes:
        n_games: games of the run.
        n_players: seats of each game, 2 to 5.
        seed: root seed.
        heuristics: one name for all seats, or a name a seat in seat order.
        design: one of ``DESIGNS``.
        setup: ``standard`` or ``draft``.
        map: ``auto`` or a map of the rules.
        focus: design ``focus``: factions and boards that are in every game.
        fixed: design ``fixed``: the rows of a file of set-ups as JSON (``read_fixed``); block after block takes the next.
    """

    n_games: int
    n_players: int = 4
    seed: int = 1
    heuristics: tuple[str, ...] = ("greedy",)
    design: str = "balanced"
    setup: str = "standard"
    map: str = "auto"
    focus: tuple[str, ...] = ()
    fixed: str = ""

    def settings(self) -> dict[str, Any]:
        """The config as plain data for hash and manifest; what only some designs use is left out where unused."""
        values = asdict(self)
        unused = [field.name for field in fields(self) if field.name in _SOMETIMES and _is_default(self, field)]
        return {name: value for name, value in values.items() if name not in unused}


_SOMETIMES: Final = ("focus", "fixed")
"""Fields that are left out of hash and manifest at their default, so that older plans keep their hash."""


def _is_default(config: PlanConfig, field: Any) -> bool:
    return bool(getattr(config, field.name) == field.default)


def config_of(settings: Mapping[str, Any]) -> PlanConfig:
    """The config of ``PlanConfig.settings``, also after a way through JSON.

    Raises:
        KeyError, TypeError: it is damaged.
    """
    names = [field.name for field in fields(PlanConfig)]
    values = {name: _frozen(settings[name]) for name in names if name in settings or name not in _SOMETIMES}
    return PlanConfig(**values)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def check_config(config: PlanConfig, rules: Ruleset) -> None:
    """Refuse a config that cannot be played with these rules.

    Raises:
        PlanError: what, where, what to do.
    """
    n = config.n_players
    check_seats(n, config.setup)
    if not 1 <= config.n_games <= MAX_GAMES:
        raise PlanError(f"{config.n_games} games, --games, choose 1 to {MAX_GAMES}")
    if not 0 <= config.seed <= MAX_SEED:
        raise PlanError(f"seed {config.seed}, --seed, choose 0 to {MAX_SEED}")
    _check_word("design", config.design, DESIGNS)
    fitting = [key for key, row in rules.data["maps"].items() if n in row["players"]]
    _check_word("map", config.map, ["auto", *rules.data["maps"]])
    if config.map not in ["auto", *fitting]:
        raise PlanError(f"map {config.map} with {n} players, --map, choose auto or {' or '.join(fitting)}")
    if len(config.heuristics) not in (1, n):
        given = len(config.heuristics)
        raise PlanError(f"{given} heuristics for {n} players, --heuristics, give one name or {n} names")
    _check_focus(config, rules)
    if (config.design == "fixed") != bool(config.fixed):
        if config.fixed:
            raise PlanError(f"set-ups with design {config.design}, --fixed, leave out --design or choose design fixed")
        raise PlanError("design fixed without set-ups, --fixed, give a file")
    if config.design == "rotation" and config.n_games % n:
        near = max(n, config.n_games // n * n)
        raise PlanError(
            f"{config.n_games} games are not whole blocks of {n} seatings, --games, choose {near} or {near + n}"
        )


def _check_word(what: str, word: str, allowed: Sequence[str], option: str = "") -> None:
    if word not in allowed:
        raise PlanError(f"unknown {what} {word!r}, {option or '--' + what}, choose {', '.join(allowed)}")


def check_seats(n_players: int, setup: str) -> None:
    """Refuse a number of players or a kind of set-up that the rules do not have.

    Raises:
        PlanError: what, where, what to do.
    """
    if not 2 <= n_players <= 5:
        raise PlanError(f"{n_players} players, --players, choose 2 to 5")
    _check_word("set-up", setup, ("standard", "draft"), option="--setup")


def _check_focus(config: PlanConfig, rules: Ruleset) -> None:
    if (config.design == "focus") != bool(config.focus):
        if config.focus:
            raise PlanError(f"focus with design {config.design}, --focus, leave out --design or choose design focus")
        raise PlanError("design focus without a focus, --focus, name factions or boards")
    for what in ("factions", "boards"):
        named = [key for key in config.focus if key in rules.data[what]]
        if len(named) > config.n_players:
            raise PlanError(f"{len(named)} {what} in every game of {config.n_players} players, --focus, name fewer")
    known = [*rules.data["factions"], *rules.data["boards"]]
    for key in config.focus:
        if key not in known:
            raise PlanError(f"no faction or board {key!r}, --focus, {_hint(key, known)}")
        if config.focus.count(key) > 1:
            raise PlanError(f"{key} named twice, --focus, name it once")


def _hint(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {close[0]}?" if close else f"choose {', '.join(known)}"
