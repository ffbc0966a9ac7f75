"""One match: the loop that asks players and applies what they choose. All that can wait is done after the game."""

from collections.abc import Mapping
from typing import Any, Final

from aoi_sim.engine import actions as a
from aoi_sim.engine import apply_action, legal_actions, seat_to_move
from aoi_sim.engine.actions import Action
from aoi_sim.engine.setup import draw_setup, start_game
from aoi_sim.engine.state import P_OVER, Frame, State
from aoi_sim.players.heuristic import Maker
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.plan import Deal, GameSpec

DECISION_WIDTH: Final = 7
"""Ints of a decision: round, turn, seat and the action's four."""

_PICK_KINDS: Final = (
    a.INNOVATE,
    a.PASS,
    a.COMPETENCY,
    a.PALACE,
    a.CITY,
    a.BUNDLE,
    a.DRAFT,
    a.BONUS,
    a.ACCEPT,
    a.DECLINE,
)
_IS_PICK: Final = [kind in _PICK_KINDS for kind in range(a.N_KINDS)]
_MOST_DECISIONS: Final = 100_000

Pick = tuple[int, list[Action], Frame]
"""A decision that may be a pick: its number, what was legal, the pending frame asked about (empty if none)."""


class EndlessGameError(RuntimeError):
    """A game that does not end."""


class Played:
    """What one game left in memory.

    Attributes:
        setup: every draw of the set-up (``draw_setup``), None if it failed.
        state: the state at the end (of the game, or at the failure), None if set-up failed.
        decisions: flat ints, ``DECISION_WIDTH`` a decision.
        picks: decisions that may be picks.
        error: the exception that ended the game, None if it was finished.
    """

    __slots__ = ("decisions", "error", "picks", "setup", "state")

    def __init__(self) -> None:
        self.setup: dict[str, Any] | None = None
        self.state: State | None = None
        self.decisions: list[int] = []
        self.picks: list[Pick] = []
        self.error: Exception | None = None


def play_spec(
    spec: GameSpec, rules: Ruleset, makers: Mapping[str, Maker], n_players: int, setup: str, map: str
) -> Played:
    """Play one game of a plan; an error ends it and is kept in the result.

    Args:
        spec: the game.
        rules: with which rules.
        makers: what makes the players of each heuristic, by name.
        n_players: number of seats.
        setup: ``standard`` or ``draft``.
        map: ``auto`` or a map of the rules.
    """
    played = Played()
    try:
        set_up(played, rules, n_players, spec.setup_seed, setup, map, spec.deal)
        names = zip(spec.heuristics, spec.player_seeds, strict=True)
        play([makers[name](seat, seed) for seat, (name, seed) in enumerate(names)], played)
    except Exception as error:
        played.error = error
    return played


def set_up(
    played: Played, rules: Ruleset, n_players: int, seed: int, setup: str | None, map: str, deal: Deal | None
) -> None:
    """Set a game up, with its log on."""
    played.setup = draw_setup(rules, n_players, seed, setup, map, deal)
    played.state = start_game(rules, played.setup, log=True)


def play(players: list[Any], played: Played) -> None:
    """Play a game that is set up to its end; ``played`` is always up to date, whatever is raised.

    Args:
        players: one for each seat.
        played: holds the state; decisions and picks are added to it.
    """
    state = played.state
    assert state is not None
    note = played.decisions.extend
    picks = played.picks
    choose = [player.choose for player in players]
    is_pick = _IS_PICK
    for number in range(_MOST_DECISIONS):
        if state.phase == P_OVER:
            return
        seat = seat_to_move(state)
        actions = legal_actions(state)
        action = choose[seat](state, actions)
        if is_pick[action[0]]:
            picks.append((number, actions, state.stack[-1] if state.stack else ()))
        turn = (state.round, state.turn, seat)
        apply_action(state, action)
        note(turn)
        note(action)
    raise EndlessGameError(f"no end after {_MOST_DECISIONS} decisions")
