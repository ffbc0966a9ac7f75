"""The config of a plan: all that decides which games are played, besides the ruleset, as plain data."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from aoi_sim.engine.setup import MAX_SEED as MAX_SEED
from aoi_sim.engine.setup import whole_number
from aoi_sim.players.restriction import RestrictionError, parsed
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.storage.findings import counted

DESIGNS: Final = ("choice", "random", "balanced", "rotation", "focus", "fixed")
MAX_GAMES: Final = 100_000_000
MAX_REPLICATES: Final = 10_000
MIN_UNTIL: Final = 0.05
MAX_UNTIL: Final = 100.0


class PlanError(ValueError):
    """A run that cannot be planned; the message is one line: what, where, what to do."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a paired run.

    Attributes:
        name: as tables call it.
        heuristics: one name for all seats, or a name a seat in seat order.
        edition: with ``options`` and ``overlays`` the ruleset as data.
        options: every option and its value.
        overlays: texts of the overlays.
    """

    name: str
    heuristics: tuple[str, ...]
    edition: str
    options: tuple[tuple[str, Any], ...]
    overlays: tuple[str, ...]


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
        levels: rules and players under each of which every block is played; none if the run is not paired.
        noise: temperature of the players' noise in thousandths of a VP, 0 for none.
        replicates: how often each game of a block is played, each time with other seeds of the players.
        until: half-width in VP at which the run ends, 0 plays all games.
        restrictions: texts of restrictions (``players.restriction``). A block takes one of them in turn; it is played without
            it, then with one seat after the other under it, the component being in play.
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
    levels: tuple[Level, ...] = ()
    noise: int = 0
    replicates: int = 1
    until: float = 0.0
    restrictions: tuple[str, ...] = ()

    @property
    def n_turns(self) -> int:
        """Seatings of a block."""
        return self.n_players if self.design == "rotation" else 1

    @property
    def games_a_block(self) -> int:
        """Games of a block: seatings x levels x replicates x restricted seats."""
        return self.n_turns * max(1, len(self.levels)) * self.replicates * self.n_restricted

    @property
    def n_restricted(self) -> int:
        """Games for each other game of a block: itself, and one for each seat that is restricted in turn."""
        return 1 + self.n_players if self.restrictions else 1

    @property
    def names(self) -> tuple[str, ...]:
        """Every heuristic that plays, in alphabetical order."""
        return tuple(sorted({*self.heuristics, *(name for level in self.levels for name in level.heuristics)}))

    def settings(self) -> dict[str, Any]:
        """The config as plain data for hash and manifest; what only some designs use is left out where unused."""
        values = asdict(self)
        unused = [field.name for field in fields(self) if field.name in _SOMETIMES and _is_default(self, field)]
        return {name: value for name, value in values.items() if name not in unused}


_SOMETIMES: Final = ("focus", "fixed", "levels", "noise", "replicates", "until", "restrictions")
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
    if "levels" in values:
        values["levels"] = tuple(
            Level(**{key: _frozen(value) for key, value in row.items()}) for row in values["levels"]
        )
    return PlanConfig(**values)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def whole(value: Any, what: str) -> int:
    """``whole_number`` of an option of a plan.

    Raises:
        PlanError: it is none.
    """
    return whole_number(value, what, PlanError)


def check_config(config: PlanConfig, rules: Ruleset) -> None:
    """Refuse a config that cannot be played with these rules.

    Raises:
        PlanError: what, where, what to do.
    """
    for what in ("n_games", "n_players", "seed", "noise", "replicates"):
        whole(getattr(config, what), what)
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
    for heuristics in (config.heuristics, *(level.heuristics for level in config.levels)):
        if len(heuristics) not in (1, n):
            raise PlanError(f"{len(heuristics)} heuristics for {n} players, --heuristics, give one name or {n} names")
    _check_focus(config, rules)
    _check_restrictions(config, rules)
    if (config.design == "fixed") != bool(config.fixed):
        if config.fixed:
            raise PlanError(f"set-ups with design {config.design}, --fixed, leave out --design or choose design fixed")
        raise PlanError("design fixed without set-ups, --fixed, give a file")
    _check_block(config)


def _check_block(config: PlanConfig) -> None:
    """Refuse replicates that cannot be and games that are not whole blocks."""
    if not 1 <= config.replicates <= MAX_REPLICATES:
        raise PlanError(f"{config.replicates} replicates, --replicates, choose 1 to {MAX_REPLICATES}")
    if config.until and not MIN_UNTIL <= config.until <= MAX_UNTIL:
        raise PlanError(f"half-width {config.until:g}, --until, choose {MIN_UNTIL:g} to {MAX_UNTIL:g} VP")
    size = config.games_a_block
    if config.n_games % size:
        parts = {
            "restricted and free": config.n_restricted,
            "seatings": config.n_turns,
            "levels": len(config.levels),
            "replicates": config.replicates,
        }
        block = " x ".join(f"{count} {what}" for what, count in parts.items() if count > 1)
        near = max(size, config.n_games // size * size)
        raise PlanError(
            f"{counted(config.n_games, 'game')} cannot be whole blocks of {block}, --games, choose {near} or {near + size}"
        )


def _check_restrictions(config: PlanConfig, rules: Ruleset) -> None:
    for text in config.restrictions:
        try:
            kind, key, _ = parsed(text, rules)
        except RestrictionError as bad:
            raise PlanError(f"{bad.what}, restrictions, {bad.advice}") from None
        if kind == "bonus" and config.design == "choice":
            raise PlanError(f"{text!r} with design choice, restrictions, deal the round bonus tiles")
        if kind == "palace" and key and config.setup == "draft":
            raise PlanError(f"{text!r} in a draft, restrictions, palaces are dealt there: choose --setup standard")
    if config.restrictions and config.design == "fixed":
        raise PlanError("restrictions with design fixed, restrictions, choose another design: set-ups are made to fit")
    if config.restrictions and config.until:
        raise PlanError("restrictions with --until, restrictions, give a number of games")


def _check_word(what: str, word: str, allowed: Sequence[str], option: str = "") -> None:
    if word not in allowed:
        raise PlanError(f"unknown {what} {word!r}, {option or '--' + what}, choose {', '.join(allowed)}")


def check_seats(n_players: int, setup: str) -> None:
    """Refuse a number of players or a kind of set-up that the rules do not have.

    Raises:
        PlanError: what, where, what to do.
    """
    if not 2 <= n_players <= 5:
        raise PlanError(f"{counted(n_players, 'player')}, --players, choose 2 to 5")
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
