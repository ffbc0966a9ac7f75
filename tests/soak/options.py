"""Where an option makes a difference: the same position under another value has other actions, or goes on otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.board import rebuild
from aoi_sim.engine.legal import compute_legal
from aoi_sim.engine.state import (
    F_BOOKS,
    F_CITY_TILE,
    F_FOUND,
    F_NEUTRAL,
    F_OFFER,
    F_POOL,
    F_SPADES,
    P_DRAFT,
    P_OVER,
    P_START_COMPETENCY,
    P_START_SPADES,
    RULE_NORMAL,
    S_SECOND,
    SP_RULE,
    SP_USED,
    Seat,
    State,
    clone,
    key,
)
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import tables_for
from tests.soak.plan import Game, choices

MOST = 3
"""Differences counted for an option in a game."""
COMMON = {"draft_order", "offer_time", "offer_order", "effect_order", "bought_must_reach_home", "burn_in_final_scoring"}
"""Options that make a difference in most games: one of them is looked at in a game, another in the next."""
_BOOKS, _CITIES = 7, 5  # parts of a state's key that hold the supply of books and the city tiles
_SETUP_ONLY = ("extra_palaces",)


def expected() -> list[str]:
    """Names of all options with their values."""
    names = [_name(option, value) for option, values in choices().items() for value in values]
    names += [_name("setup", value) for value in ("standard", "draft")]
    return names + [_name("map_3_players", value) for value in ("3-5", "1-3")]


def _name(option: str, value: Any) -> str:
    return f"option {option} = {str(value).lower() if isinstance(value, bool) else value}"


class OptionWatch:
    """Looks for differences that some of the options make in one game."""

    def __init__(self, game: Game, state: State, count: Counter[str]) -> None:
        self.count = count
        self.values = dict(game.options)
        self.game = game
        common = sorted(COMMON)[game.seed % len(COMMON)]
        names = [name for name in choices() if name not in _SETUP_ONLY and (name not in COMMON or name == common)]
        self.left = dict.fromkeys(names, MOST)
        self.others: dict[str, list[Ruleset]] = {}
        self._begin(game, state)

    def _begin(self, game: Game, state: State) -> None:
        """Options of the set-up show at once."""
        self.count[_name("setup", game.setup)] += 1
        if game.n_players == 3:
            self.count[_name("map_3_players", state.geometry.key)] += 1
        if game.setup == "standard":
            extra = len(state.palaces) - 1 - game.n_players
            assert extra == self.values["extra_palaces"], "SET-7"
            self.count[_name("extra_palaces", extra)] += 1

    def look(self, before: State, action: Action, after: State) -> None:
        """Count the options that made a difference to this decision."""
        for name in [name for name in self.left if _RELEVANT[name](before, action, after)]:
            if any(_differs(name, before, action, after, rules) for rules in self._others(name)):
                self.count[_name(name, self.values[name])] += 1
                self.left[name] -= 1
                if not self.left[name]:
                    del self.left[name]

    def _others(self, name: str) -> list[Ruleset]:
        """The rules with the option's other values."""
        if name not in self.others:
            values = [value for value in choices()[name] if value != self.values[name]]
            changed = [tuple(sorted((self.values | {name: value}).items())) for value in values]
            self.others[name] = [replace(self.game, options=options).rules() for options in changed]
        return self.others[name]


def twin(state: State, rules: Ruleset) -> State:
    """The same position under other rules."""
    new = clone(state)
    new.tables = tables_for(rules, state.n_players)
    new.legal = None
    if new.tables.books_limited and not state.book_supply:
        held = [sum(seat.books[d] for seat in state.seats) for d in range(4)]
        new.book_supply = [max(0, new.tables.books_per_discipline - n) for n in held]
    elif not new.tables.books_limited:
        new.book_supply = []
    copies = int(rules.options["city_tile_copies"]) - int(state.tables.rules.options["city_tile_copies"])
    new.city_left = [max(0, left + copies) for left in state.city_left]
    for i, seat in enumerate(new.seats):
        if seat.faction >= 0:
            rebuild(new, i)
    return new


def _differs(name: str, before: State, action: Action, after: State, rules: Ruleset) -> bool:
    other = twin(before, rules)
    legal = compute_legal(other)
    if sorted(legal) != sorted(compute_legal(clone(before))):
        return True
    if name == "city_tile_copies":
        return False
    apply_action(other, action)
    return _comparable(other) != _comparable(after)


def _comparable(state: State) -> list[object]:
    """The key without the rules and without what differs between the twins from the start."""
    parts = list(key(state))
    del parts[_BOOKS], parts[_CITIES], parts[0]
    return parts


def _top(state: State, kind: int) -> bool:
    return bool(state.stack) and state.stack[-1][0] == kind


def _mover(state: State) -> Seat:
    return state.seats[state.stack[-1][1] if state.stack else state.active]


def _few_books(before: State, action: Action, after: State) -> bool:
    if before.book_supply:
        return min(before.book_supply) <= 2
    most = max(sum(seat.books[d] for seat in before.seats) for d in range(4))
    return most >= before.tables.books_per_discipline - 2


def _offers(after: State) -> int:
    return len(after.offers) + _top(after, F_OFFER)


def _pool_waits(before: State, action: Action, after: State) -> bool:
    return any(frame[0] == F_POOL and len(frame) > 2 for frame in after.stack) or _top(before, F_POOL)


def _first_spade(before: State, action: Action, after: State) -> bool:
    if not _top(before, F_SPADES):
        return False
    frame = before.stack[-1]
    return frame[SP_RULE] == RULE_NORMAL and frame[SP_USED] == 0


def _special_neutral(before: State, action: Action, after: State) -> bool:
    seat = _mover(before)
    return _top(before, F_NEUTRAL) and (seat.tunnel_tools >= 0 or seat.flight_scholars >= 0)


def _neutral_palace(before: State, action: Action, after: State) -> bool:
    seat = _mover(before)
    return not before.stack and seat.buildings[v.PALACE] > 0 and not seat.pieces[v.PALACE]


def _isolated_books(before: State, action: Action, after: State) -> bool:
    return _top(after, F_BOOKS) and after.tables.components[after.stack[-1][4]].isolated


_RELEVANT: dict[str, Callable[[State, Action, State], bool]] = {
    "book_supply": _few_books,
    "city_tile_copies": lambda before, action, after: _top(before, F_CITY_TILE),
    "draft_order": lambda before, action, after: before.phase == P_DRAFT,
    "setup_tower_offers": lambda before, action, after: before.phase == P_START_COMPETENCY,
    "setup_spades_buy": lambda before, action, after: before.phase == P_START_SPADES,
    "offer_time": lambda before, action, after: _offers(after) > 0 and len(after.stack) > 1,
    "offer_order": lambda before, action, after: _offers(after) > 1,
    "effect_order": _pool_waits,
    "bought_must_reach_home": _first_spade,
    "psychics_convert_between": lambda before, action, after: before.stage == S_SECOND and not before.stack,
    "neutral_must_place": lambda before, action, after: _top(before, F_NEUTRAL),
    "palace14_when": lambda before, action, after: (
        _mover(before).river_city and (not before.stack or _top(before, F_FOUND))
    ),
    "neutral_special_reach": _special_neutral,
    "moles_vp_counts": lambda before, action, after: (
        action[0] in (a.TRANSFORM, a.BUILD, a.PLACE) and action[3] == a.TUNNEL
    ),
    "neutral_palace_waives_surcharge": _neutral_palace,
    "palace15_distinct_books": _isolated_books,
    "burn_in_final_scoring": lambda before, action, after: after.phase == P_OVER,
}
