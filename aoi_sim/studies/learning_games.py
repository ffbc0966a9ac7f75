"""The games that lessons are learned from: in self-play, each seat now and then tries another option than its best."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aoi_sim.engine.state import scores
from aoi_sim.players import Heuristic
from aoi_sim.players.heuristic import error_text, weighted_player
from aoi_sim.players.trying import Trial, TryingPlayer
from aoi_sim.studies.trials import part_bytes
from aoi_sim.studies.tuning_games import Setting, played_out


@dataclass(frozen=True, slots=True)
class TrialGames:
    """What all games of trials share.

    Attributes:
        settings: of the games in turn.
        player: who plays.
        root: root seed of the set-ups.
        turns: of so many turns in a thousand one is tried.
        answers: of so many answers and bonus tiles.
    """

    settings: tuple[Setting, ...]
    player: Heuristic
    root: int
    turns: int
    answers: int


def set_up_of(settings: tuple[Setting, ...], number: int) -> tuple[Setting, int]:
    """The setting of a game and the number of its set-up among those of the same number of players."""
    round_, place = divmod(number, len(settings))
    players = [setting.n_players for setting in settings]
    n = players[place]
    return settings[place], round_ * players.count(n) + players[:place].count(n)


def play_part(task: tuple[TrialGames, range]) -> bytes:
    """Play some games; runs in a worker. A part of trials, with what any failed game raised."""
    shared, numbers = task
    trials: list[tuple[Trial, tuple[int, ...]]] = []
    failed: list[str] = []
    for number in numbers:
        try:
            trials += _play(shared, number)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            failed.append(f"game {number}: {error_text(error)}")
    return part_bytes(trials, failed)


def _play(shared: TrialGames, number: int) -> list[tuple[Trial, tuple[int, ...]]]:
    """The trials of a game, each with how it ended."""
    setting, set_up = set_up_of(shared.settings, number)
    table = _table(shared.player)
    players: list[TryingPlayer] = []

    def make(seat: int, seed: int) -> TryingPlayer:
        player = weighted_player(shared.player, table)
        players.append(TryingPlayer(player, seed, shared.turns, shared.answers))
        return players[-1]

    vps = scores(played_out(setting, shared.root, set_up, make))
    return [
        (trial, (set_up, setting.n_players, vp, sum(vps) - vp))
        for player, vp in zip(players, vps, strict=True)
        for trial in player.trials
    ]


@lru_cache(maxsize=2)
def _table(heuristic: Heuristic) -> Any:
    return heuristic.table()
