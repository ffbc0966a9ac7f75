"""Restricted play: a seat that may not take a component, or must take it by a round if it can.

The text of a restriction: ``not palace/14`` (may never take this tile), ``not palace`` (none of the kind), ``palace/14 by 4``
or ``innovation by 3`` (must have taken it by the end of the round). Kinds and keys are those of docs/rules.md.
"""

import difflib
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine import events as e
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import State
from aoi_sim.players.protocol import Player
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import Tables, tables_for

# The kinds that can be restricted, with their table in the data and the actions that take one.
_KINDS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "palace": ("palaces", (a.PALACE, a.DRAFT)),
    "competency": ("competencies", (a.COMPETENCY,)),
    "innovation": ("innovations", (a.INNOVATE,)),
    "city": ("city_tiles", (a.CITY,)),
    "bonus": ("bonus_tiles", (a.PASS, a.BONUS)),
    "power": ("power_actions", (a.POWER,)),
    "book": ("book_actions", (a.BOOK,)),
    "track": ("", (a.ADVANCE,)),
}
# A city is founded by the building that completes it and a pass takes a bonus tile: nobody can do without any of these.
_ONE_BY_ONE: Final = ("city", "bonus")
_LEADS: Final[dict[int, int]] = {v.K_PALACE: v.OP_PALACE, v.K_COMPETENCY: v.OP_COMPETENCY}

# Events of taking a tile.
_TAKEN: Final[dict[int, int]] = {
    v.K_PALACE: e.E_TILE,
    v.K_COMPETENCY: v.EV_COMPETENCY,
    v.K_INNOVATION: v.EV_INNOVATION,
    v.K_CITY_TILE: v.EV_CITY_TILE,
}


class RestrictionError(ValueError):
    """A restriction that cannot be.

    Attributes:
        what: is wrong.
        advice: what to do.
    """

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what}, {advice}")
        self.what = what
        self.advice = advice


def kinds() -> tuple[str, ...]:
    """The kinds of components that can be restricted."""
    return tuple(_KINDS)


def keys_of(kind: str, rules: Ruleset) -> list[str]:
    """The components of a kind that can be restricted, by key."""
    table = _KINDS[kind][0]
    return list(rules.data[table]) if table else list(a.TRACK_NAMES)


def parsed(text: str, rules: Ruleset) -> tuple[str, str, int]:
    """Kind, key (empty for all of the kind) and round (0: never) of a restriction.

    Raises:
        RestrictionError: there is no such component, or it cannot be restricted.
    """
    words = text.split()
    by = 0
    if len(words) == 2 and words[0] == "not":
        ref = words[1]
    elif len(words) == 3 and words[1] == "by" and words[2].isascii() and words[2].isdigit():
        ref, by = words[0], int(words[2])
        last = int(rules.data["setup"]["rounds"])
        if not 1 <= by <= last:
            raise RestrictionError(f"round {by} in {text!r}", f"choose 1 to {last}")
    else:
        raise RestrictionError(f"{text!r} is no restriction", "write `not palace/14` or `palace/14 by 4`")
    kind, slash, key = ref.partition("/")
    if kind not in _KINDS:
        raise RestrictionError(f"unknown kind {kind!r} in {text!r}", f"choose {', '.join(_KINDS)}")
    if not slash and kind in _ONE_BY_ONE:
        raise RestrictionError(f"nobody can do without any {kind} tile in {text!r}", f"name one, as {kind}/KEY")
    known = keys_of(kind, rules)
    if slash and key not in known:
        close = difflib.get_close_matches(key, known, n=1)
        advice = f"did you mean {close[0]}?" if close else f"choose {', '.join(known)}"
        raise RestrictionError(f"no {kind} {key!r} in {text!r}", advice)
    return kind, key, by


class Restriction:
    """A restriction with a ruleset's components.

    Args:
        text: what is restricted.
        rules: of the game.
        n_players: of the game.

    Attributes:
        by: round by which it must be taken; 0 where it may not be.
        is_done: whether the seat is known to have taken what it must.

    Raises:
        RestrictionError: there is no such component, or it cannot be restricted.
    """

    def __init__(self, text: str, rules: Ruleset, n_players: int) -> None:
        kind, key, by = parsed(text, rules)
        tables = tables_for(rules, n_players)
        self.text = text
        self.by = by
        self.is_done = False
        self.kind = v.KIND_WORDS.index(kind)
        self.key = key
        self._kinds: tuple[int, ...] = _KINDS[kind][1]
        self._values: list[int] = _values(tables, self.kind, key)

    def takes(self, action: Action) -> bool:
        """Whether an action takes what the restriction is about."""
        return action[0] in self._kinds and action[1] in self._values

    def leads(self, state: State, i: int, action: Action) -> int:
        """What an upgrade leads to: 0 to nothing of this kind, 1 to a choice with other tiles, 2 to restricted ones only."""
        if action[0] != a.UPGRADE or self.kind not in _LEADS:
            return 0
        wanted = _LEADS[self.kind]
        building = state.building[action[1]]
        if not any(up.to == action[2] and up.takes == wanted for up in state.tables.upgrades[building]):
            return 0
        tiles = _open_tiles(state, i, self.kind)
        own = [cid for cid in tiles if cid in self._values]
        if not own:
            return 0
        return 2 if len(own) == len(tiles) else 1

    def forbids(self, state: State, i: int, action: Action) -> bool:
        """Whether a seat may not do this now: it would take what it may not, or lead to nothing else."""
        return not self.by and (self.takes(action) or self.leads(state, i, action) == 2)

    def is_due(self, state: State, i: int) -> bool:
        """Whether this is the round in which the seat must take it, and it has not."""
        return self.by > 0 and state.round == self.by and not self.is_done and not self._holds(state, i)

    def serves(self, state: State, i: int, action: Action) -> bool:
        """Whether an action takes what must be taken, or leads to the choice of it."""
        return self.takes(action) or self.leads(state, i, action) > 0

    def allowed(self, state: State, i: int, actions: list[Action]) -> list[Action]:
        """Those of the legal actions that the restriction leaves; all of them where it would leave none."""
        if not self.by:
            kept = [action for action in actions if not self.forbids(state, i, action)]
        elif self.is_due(state, i):
            kept = [action for action in actions if self.takes(action)]
            if not kept:
                kept = [action for action in actions if self.serves(state, i, action)]
        else:
            return actions
        return kept or actions

    def _holds(self, state: State, i: int) -> bool:
        """Whether a seat holds such a tile; what leaves no tile is remembered by ``RestrictedPlayer``."""
        seat = state.seats[i]
        if self.kind == v.K_PALACE:
            return seat.palace_built and seat.palace in self._values
        held: tuple[int, ...] | list[int] = ()
        if self.kind == v.K_COMPETENCY:
            held = seat.competencies
        elif self.kind == v.K_INNOVATION:
            held = seat.innovations
        elif self.kind == v.K_CITY_TILE:
            held = seat.city_tiles
        return any(cid in self._values for cid in held)

    def times_taken(self, state: State, i: int, decisions: list[int], width: int) -> int:
        """How often a seat took it in a game; of one with a round up to the end of that round.

        Args:
            state: the end of the game, with its log: what the rules decided alone is in no decision.
            i: the seat.
            decisions: flat ints, the last four of each ``width`` the action, before it round, turn and seat.
            width: ints of a decision.
        """
        count = 0
        if self.kind in _TAKEN:
            event = _TAKEN[self.kind]
            first = 1 if self.kind == v.K_PALACE else 0  # a palace of the draft is not built yet
            log = state.log or []
            for k in range(0, len(log), e.EVENT_WIDTH):
                if log[k + 1] == i and log[k + 2] == event and log[k + 3] in self._values:
                    count += log[k + 7] >= first and self._counts(log[k + 7])
            return count
        for k in range(0, len(decisions), width):
            if decisions[k + 2] == i and self._counts(decisions[k]):
                action = (decisions[k + 3], decisions[k + 4], decisions[k + 5], decisions[k + 6])
                count += self.takes(action)
        return count

    def _counts(self, rnd: int) -> bool:
        return not self.by or rnd <= self.by


class RestrictedPlayer:
    """A player that is shown only what a restriction leaves.

    A player with a method ``restrict(restriction)`` is told of it, so that it plans nothing that it may not do.

    Args:
        player: who chooses.
        seat: its seat.
        restriction: what it may not, or must, take.
    """

    def __init__(self, player: Player, seat: int, restriction: Restriction) -> None:
        self.name: str = getattr(player, "name", "")
        self._choose = player.choose
        self._seat = seat
        self._restriction = restriction
        restrict = getattr(player, "restrict", None)
        if restrict is not None:
            restrict(restriction)

    def choose(self, state: State, actions: list[Action]) -> Action:
        """What the player chooses of the actions that are left to it."""
        r = self._restriction
        allowed = r.allowed(state, self._seat, actions)
        action: Action = self._choose(state, allowed)
        if action not in allowed:
            raise ValueError(f"{self.name} chose {action}, which its restriction ({r.text}) does not leave it")
        if r.takes(action):
            r.is_done = True
        return action


def _values(tables: Tables, kind: int, key: str) -> list[int]:
    """What stands in an action for the components that a restriction is about."""
    if kind == v.K_TRACK:
        return [a.TRACK_NAMES.index(key)] if key else list(range(len(a.TRACK_NAMES)))
    return [cid for cid in tables.kinds[kind] if key in ("", tables.components[cid].key)]


def _open_tiles(state: State, i: int, kind: int) -> list[int]:
    """The tiles that a seat could choose of when a building lets it take one."""
    seat = state.seats[i]
    if kind == v.K_PALACE:
        return [seat.palace] if seat.palace >= 0 else list(state.palaces)
    cids = state.tables.kinds[kind]
    return [
        cids[k]
        for k, left in enumerate(state.competency_left)
        if left and state.competency_discipline[k] >= 0 and cids[k] not in seat.competencies
    ]
