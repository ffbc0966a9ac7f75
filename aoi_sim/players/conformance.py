"""The checks that every player must pass: legal, repeatable, without side effects, an answer to every decision, time.

Whole games of 2 to 5 players, standard and draft, in which the player has every seat; each seat has a twin with the same
seed, asked on a copy, that must choose the same. Then games of the explorer, which meets nearly everything: the player is
asked at each decision and must answer, but what the explorer chooses is played. Last the rarest decisions, as positions.
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.decode import from_dict
from aoi_sim.engine.fields import PositionError
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.setup import SetupError, new_game
from aoi_sim.engine.state import FRAME_NAMES, PHASE_NAMES, STAGE_NAMES, State, clone, digest, is_over
from aoi_sim.players.explorer import ExplorerPlayer
from aoi_sim.players.heuristic import Heuristic, HeuristicError, Maker, error_text, maker_of
from aoi_sim.players.protocol import Player
from aoi_sim.rules import Ruleset, load_ruleset

SETUPS: Final = ("standard", "draft")
PLAYERS: Final = (2, 3, 4, 5)
MOST_DECISIONS: Final = 20_000
CHECKS: Final = (
    "has a name",
    "chooses legally",
    "repeatable",
    "no side effects",
    "finishes its games",
    "answers everything",
)

# What a seat may be asked.
KINDS: Final = (
    *(name for name in FRAME_NAMES if name != "effect"),
    *(f"set-up {name}" for name in ("bundle", "draft", "draft_bonus", "placement")),
    *(f"turn {name}" for name in STAGE_NAMES),
)

_RIVER: Final = {"C5": "guild", "D5": "guild", "D3": "guild", "E4": "workshop", "I9": "palace"}
_GROUPS: Final = {
    **dict.fromkeys(("A5", "A6", "B5"), "workshop"),
    **dict.fromkeys(("B6", "H6"), "school"),
    **dict.fromkeys(("H5", "I5", "I6"), "guild"),
    "E9": "palace",
}
# Decisions that hardly a game has: buildings and palace of seat 0, city tiles left, what is pending.
_RARE: Final[tuple[tuple[dict[str, str], str, dict[str, int], dict[str, str]], ...]] = (
    (_RIVER, "14", {}, {"kind": "found"}),
    (_GROUPS, "8", {"power": 1}, {"kind": "city_group"}),
    (_RIVER, "14", {}, {"kind": "neutral", "piece": "tower", "source": "competency/10"}),
    (_RIVER, "14", {}, {"kind": "free_piece", "piece": "guild", "source": "palace/16"}),
)


class ConformanceError(Exception):
    """A player that broke a check: which one, and how."""

    def __init__(self, check: str, what: str) -> None:
        super().__init__(what)
        self.check = check
        self.what = what


@dataclass(slots=True)
class GameRow:
    """A game of the checks: players, set-up, who chose, decisions asked, seconds of the player in all and at most, VP."""

    n_players: int
    setup: str
    played_by: str
    n_decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    vp: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """What the checks found.

    Attributes:
        name: the heuristic.
        failures: by check, what went wrong first.
        games: the games played.
        asked: how often each kind of decision was met.
    """

    name: str
    failures: dict[str, str] = field(default_factory=dict)
    games: list[GameRow] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failures

    def lines(self) -> Iterator[str]:
        """The report as a table, a line each."""
        yield f"{self.name}: {'passes' if self.passed else 'FAILS'}"
        for check in CHECKS:
            yield f"  {check:<22}{self.failures.get(check, 'yes')}"
        met = [kind for kind in KINDS if self.asked[kind]]
        yield f"  decisions met: {len(met)} of {len(KINDS)} kinds" + (
            f", not {', '.join(kind for kind in KINDS if kind not in met)}" if len(met) < len(KINDS) else ""
        )
        yield f"  {'players':<9}{'set-up':<10}{'played by':<12}{'asked':>6}{'ms a decision':>15}{'slowest ms':>12}  VP"
        for row in self.games:
            each = 1000 * row.seconds / max(row.n_decisions, 1)
            yield (
                f"  {row.n_players:<9}{row.setup:<10}{row.played_by:<12}{row.n_decisions:>6}{each:>15.2f}"
                f"{1000 * row.slowest:>12.1f}  {' '.join(map(str, row.vp)) or '-'}"
            )


def check_heuristic(heuristic: Heuristic, seed: int = 1, rules: Ruleset | None = None, games: int = 1) -> Report:
    """Play the games of the checks and report.

    Args:
        heuristic: whom to check.
        seed: seed of the games; others meet other positions.
        rules: with which rules; None takes the default edition.
        games: how many games with each number of players and set-up.

    Raises:
        HeuristicError: no player can be made of it.
        SetupError: no game can have this seed.
    """
    rules = load_ruleset() if rules is None else rules
    report = Report(heuristic.name)
    maker = maker_of(heuristic)
    with _noted(report):
        name = getattr(_made(maker, 0, seed), "name", None)
        if not isinstance(name, str) or not name:
            raise ConformanceError("has a name", f"its name is {name!r}, set self.name to a text")
    for number in range(games):
        for n_players in PLAYERS:
            for setup in SETUPS:
                own = 100 * number + 10 * n_players + SETUPS.index(setup) + 1000 * seed
                for asking in (_own_game, _explorer_game):
                    with _noted(report):
                        asking(report, maker, new_game(rules, n_players, own, setup), setup, own)
    with _noted(report):
        _rare_decisions(report, maker, rules, seed)
    return report


@contextmanager
def _noted(report: Report) -> Iterator[None]:
    """Note what a player breaks and go on; Python's own chance is as before."""
    before = random.getstate()
    try:
        yield
    except (HeuristicError, SetupError):
        raise
    except ConformanceError as bad:
        report.failures.setdefault(bad.check, bad.what)
    except Exception as error:  # of the engine, which plays all games of players that change nothing
        what = f"it changed the state, so that the engine raised {error_text(error)}"
        report.failures.setdefault("no side effects", what)
    finally:
        random.setstate(before)


def _own_game(report: Report, maker: Maker, state: State, setup: str, seed: int) -> None:
    """A whole game of the player against itself, with twins."""
    row = GameRow(state.n_players, setup, report.name)
    report.games.append(row)
    players = [_made(maker, seat, seed + seat) for seat in range(state.n_players)]
    twins = [_made(maker, seat, seed + seat) for seat in range(state.n_players)]
    while not is_over(state):
        if row.n_decisions >= MOST_DECISIONS:
            raise ConformanceError("finishes its games", f"no end after {MOST_DECISIONS} decisions")
        seat = seat_to_move(state)
        actions = legal_actions(state)
        action = _asked(report, row, players[seat], state, actions)
        random.seed(row.n_decisions)  # chance of all, of which a player must not take any
        twin = _chosen(twins[seat], clone(state), actions[:], _where(state))
        if twin != action:
            what = f"{_where(state)} it chose {action}, and another player with the same seed {twin}"
            raise ConformanceError("repeatable", what)
        apply_action(state, action)
    row.vp = [seat.vp for seat in state.seats]


def _explorer_game(report: Report, maker: Maker, state: State, setup: str, seed: int) -> None:
    """A game of the explorer: the player is asked at every decision, and not followed."""
    row = GameRow(state.n_players, setup, "explorer")
    report.games.append(row)
    players = [_made(maker, seat, seed + seat) for seat in range(state.n_players)]
    explorers = [ExplorerPlayer(seat, seed + seat) for seat in range(state.n_players)]
    while not is_over(state):
        seat = seat_to_move(state)
        actions = legal_actions(state)
        _asked(report, row, players[seat], state, actions)
        apply_action(state, explorers[seat].choose(state, actions))


def _rare_decisions(report: Report, maker: Maker, rules: Ruleset, seed: int) -> None:
    """The decisions of ``_RARE``; with rules that do not know their tiles they are left out."""
    for buildings, palace, tiles, pending in _RARE:
        seats: list[dict[str, Any]] = [
            {"faction": "inventors", "board": "forest", "buildings": buildings, "palace": palace, "bonus": "coins"},
            {"faction": "monks", "board": "desert", "bonus": "power"},
            {"faction": "moles", "board": "swamp", "bonus": "river"},
        ]
        position = {
            "n_players": len(seats),
            "seats": seats,
            "round": 3,
            "terrain": dict.fromkeys(buildings, "forest"),
            "pending": [{**pending, "seat": 0}],
        }
        if tiles:
            position["city_tiles"] = {key: tiles.get(key, 0) for key in rules.data["city_tiles"]}
        try:
            state = from_dict(rules, position)
        except PositionError:
            continue
        row = GameRow(len(seats), "-", "position")
        report.games.append(row)
        _asked(report, row, _made(maker, 0, seed), state, legal_actions(state))


def _asked(report: Report, row: GameRow, player: Player, state: State, actions: list[Action]) -> Action:
    """Ask a player; its choice must be legal, and nothing may have changed."""
    kind = kind_of(state)
    if kind:
        report.asked[kind] += 1
    before, where = digest(state), _where(state)
    shown = actions[:]
    started = time.perf_counter()
    action = _chosen(player, state, shown, where)
    seconds = time.perf_counter() - started
    row.n_decisions += 1
    row.seconds += seconds
    row.slowest = max(row.slowest, seconds)
    if action not in actions:
        raise ConformanceError("chooses legally", f"{where} it chose {action!r}, which is not legal")
    if shown != actions:
        raise ConformanceError("no side effects", f"{where} it changed the list of actions")
    if _changed(state, before):
        raise ConformanceError("no side effects", f"{where} it changed the state")
    return action


def _changed(state: State, before: str) -> bool:
    """Whether a state is not what it was; one that is no state any more is not."""
    try:
        return digest(state) != before
    except Exception:
        return True


def _made(maker: Maker, seat: int, seed: int) -> Player:
    try:
        return maker(seat, seed)
    except (KeyboardInterrupt, HeuristicError):
        raise
    except BaseException as error:  # sys.exit too
        raise ConformanceError("answers everything", f"made for seat {seat} it raised {error_text(error)}") from error


def _chosen(player: Player, state: State, actions: list[Action], where: str) -> Action:
    try:
        return player.choose(state, actions)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit too
        raise ConformanceError("answers everything", f"{where} it raised {error_text(error)}") from error


def kind_of(state: State) -> str:
    """The kind of the decision that a state waits for, as in ``KINDS``; empty for others."""
    if state.stack:
        name = FRAME_NAMES[state.stack[-1][0]]
    else:
        name = PHASE_NAMES[state.phase]
        name = f"turn {STAGE_NAMES[state.stage]}" if name == "actions" else f"set-up {name}"
    return name if name in KINDS else ""


def _where(state: State) -> str:
    what = kind_of(state) or PHASE_NAMES[state.phase]
    return f"round {state.round}, decision {state.n_decisions} ({what}, {state.n_players} players):"
