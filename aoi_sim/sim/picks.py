"""What was picked in a game and from what, read off its decisions. Standard library only, so that it compiles."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.state import F_OFFER
from aoi_sim.sim.loop import DECISION_WIDTH, Pick

PICK_NAMES: Final = ("bundle", "draft", "bonus", "palace", "competency", "innovation", "city", "power")
PICK_COLUMNS: Final = ("game_index", "sequence", "decision", "round", "turn", "seat", "pick", "taken", "power")
_POWER: Final = 7
_PICK_OF: Final = {
    a.BUNDLE: 0,
    a.DRAFT: 1,
    a.BONUS: 2,
    a.PASS: 2,
    a.PALACE: 3,
    a.COMPETENCY: 4,
    a.INNOVATE: 5,
    a.CITY: 6,
}
_POWER_OFFERED: Final = 2  # place in an offer's frame


class GamePicks:
    """The picks of one game.

    Attributes:
        rows: flat ints, a row of PICK_COLUMNS a pick; ``pick`` and ``taken`` are codes, ``power`` is -1 where none is offered.
        opened: codes of what was open, pick after pick.
        n_opened: how many were open, for each pick.
        bonus: the bundle or round bonus tile that each seat picked at set-up, -1 for none.
        offers: power offers of each seat: how many, power taken, power declined.
    """

    def __init__(self, n_players: int) -> None:
        self.rows: list[int] = []
        self.opened: list[int] = []
        self.n_opened: list[int] = []
        self.bonus: list[int] = [-1] * n_players
        self.offers: list[list[int]] = [[0, 0, 0] for _ in range(n_players)]


def read_picks(index: int, picks: list[Pick], decisions: list[int], n_players: int, n_components: int) -> GamePicks:
    """Read the picks of a finished game.

    Codes of what is open and taken: a component's id, in a draft that plus ``n_components``; then accept and decline.

    Args:
        index: number of the game.
        picks: decisions that may be picks.
        decisions: all decisions, flat.
        n_players: seats.
        n_components: components of the rules.
    """
    found = GamePicks(n_players)
    accept, decline = 2 * n_components, 2 * n_components + 1
    sequence = 0
    for number, actions, frame in picks:
        at = DECISION_WIDTH * number
        seat, kind, chosen = decisions[at + 2], decisions[at + 3], decisions[at + 4]
        power = -1
        if kind == a.ACCEPT or kind == a.DECLINE:
            if not frame or frame[0] != F_OFFER:
                continue
            power = frame[_POWER_OFFERED]
            offers = found.offers[seat]
            offers[0] += 1
            offers[1 if kind == a.ACCEPT else 2] += power
            pick, taken = _POWER, accept if kind == a.ACCEPT else decline
            found.opened.extend((accept, decline))
            found.n_opened.append(2)
        elif chosen < 0:
            continue
        else:
            if kind == a.BUNDLE or kind == a.BONUS:
                found.bonus[seat] = chosen
            shift = n_components if kind == a.DRAFT else 0
            pick, taken = _PICK_OF[kind], chosen + shift
            opened = [action[1] + shift for action in actions if action[0] == kind]
            found.opened += opened
            found.n_opened.append(len(opened))
        found.rows.extend((index, sequence, number, decisions[at], decisions[at + 1], seat, pick, taken, power))
        sequence += 1
    return found
