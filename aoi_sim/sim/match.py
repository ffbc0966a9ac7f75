"""One match: set-up, players, the game. All that can wait is done after it."""

import pickle
from collections.abc import Mapping
from typing import Any, Final

from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.setup import draw_setup, start_game
from aoi_sim.engine.state import State, is_over
from aoi_sim.players.heuristic import Maker
from aoi_sim.players.restriction import RestrictedPlayer, Restriction
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.fixed import lay
from aoi_sim.sim.loop import DECISION_WIDTH, Pick, play_on
from aoi_sim.sim.plan import Deal, GameSpec

_MOST_DECISIONS: Final = 100_000


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
        self.error: BaseException | None = None


def play_spec(spec: GameSpec, rules: Ruleset, makers: Mapping[str, Maker], n_players: int, setup: str) -> Played:
    """Play one game of a plan; an error ends it and is kept in the result.

    Args:
        spec: the game.
        rules: with which rules.
        makers: what makes the players of each heuristic, by name.
        n_players: number of seats.
        setup: ``standard`` or ``draft``.
    """
    played = Played()
    try:
        played.setup = spec_draws(spec, rules, n_players, setup)
        # A copy: what a player may do to the draws of its state must not reach the tables.
        played.state = start_game(rules, pickle.loads(pickle.dumps(played.setup)), log=True)
        names = zip(spec.heuristics, spec.player_seeds, strict=True)
        players = [makers[name](seat, seed) for seat, (name, seed) in enumerate(names)]
        seat = spec.restricted_seat
        if seat >= 0:
            players[seat] = RestrictedPlayer(players[seat], seat, Restriction(spec.restriction, rules, n_players))
        play(players, played)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit of a player too ends its game and nothing else
        played.error = error
    return played


def up_to_damage(played: Played, spec: GameSpec, rules: Ruleset, setup: str) -> Played:
    """A game whose state a player has damaged, as a failed one that goes as far as its decisions hold without damage.

    Args:
        played: what cannot be made into rows; its error says why.
        spec: the game.
        rules: with which rules.
        setup: ``standard`` or ``draft``.
    """
    sound = Played()
    sound.error = played.error
    sound.setup = spec_draws(spec, rules, len(spec.heuristics), setup)
    sound.state = state = start_game(rules, sound.setup, log=True)
    for at in range(0, len(played.decisions), DECISION_WIDTH):
        action = tuple(played.decisions[at + DECISION_WIDTH - 4 : at + DECISION_WIDTH])
        legal = [] if is_over(state) else legal_actions(state)
        if action not in legal:
            break
        chosen = legal[legal.index(action)]  # equal numbers may be of another type
        sound.decisions += (state.round, state.turn, seat_to_move(state), *chosen)
        apply_action(state, chosen)
    return sound


def spec_draws(spec: GameSpec, rules: Ruleset, n_players: int, setup: str) -> dict[str, Any]:
    """Every draw of the set-up of a game of a plan, with its fixed tiles in place."""
    draws = draw_setup(rules, n_players, spec.setup_seed, setup, spec.map, spec.deal)
    lay(draws, spec.tiles)
    return draws


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
    assert played.state is not None
    if not play_on(played.state, players, played.decisions, played.picks, _MOST_DECISIONS):
        raise EndlessGameError(f"no end after {_MOST_DECISIONS} decisions")
