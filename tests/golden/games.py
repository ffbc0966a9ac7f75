"""Which golden games there are, how they are played, and what they must cover."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aoi_sim as aoi
from aoi_sim.engine.actions import KIND_NAMES, Action
from aoi_sim.engine.record import Recorder
from aoi_sim.engine.setup import draw_setup, start_game
from aoi_sim.players import make_player
from aoi_sim.rules.vocabulary import KIND_WORDS

FOLDER = Path(__file__).parent / "records"
PLAYER_COUNTS = (2, 3, 4, 5)
EVERY_KIND = set(KIND_NAMES)
# Component kinds that take part by being held, dealt or used.
COMPONENT_KINDS = (
    "faction",
    "board",
    "palace",
    "innovation",
    "competency",
    "round",
    "final",
    "bonus",
    "city",
    "power",
    "book",
)
PLAYERS = ("explorer", "greedy", "random")


def candidate(n_players: int, number: int) -> tuple[Any, dict[str, Any], list[str]]:
    """Rules, draws and players of the candidate of a number: editions, set-ups and players take turns."""
    options: dict[str, Any] = {"city_tile_copies": 1} if number % 11 == 10 else {}
    rules = aoi.load_ruleset(edition=("1.2", "1.0")[number % 2], options=options)
    draws = draw_setup(rules, n_players, 1000 * n_players + number, setup=("standard", "draft")[number // 2 % 2])
    names = [PLAYERS[(number + seat // 2) % 3] if number % 4 else "explorer" for seat in range(n_players)]
    return rules, draws, names


def play(rules: Any, draws: dict[str, Any], names: list[str]) -> tuple[str, set[str]]:
    """Play a game; its record and what it uses."""
    state = start_game(rules, draws)
    players = [make_player(name, seat, 7919 + seat) for seat, name in enumerate(names)]
    decisions: list[tuple[int, int, int, Action]] = []
    used: set[str] = set()
    components = state.tables.components
    while not aoi.is_over(state):
        seat = aoi.seat_to_move(state)
        action = players[seat].choose(state, aoi.legal_actions(state))
        decisions.append((state.round, state.turn, seat, action))
        used.add(KIND_NAMES[action[0]])
        if KIND_NAMES[action[0]] in ("power", "book", "special", "pass") and action[1] >= 0:
            used.add(components[action[1]].ref)
        aoi.apply_action(state, action)
    used |= held(state)
    return Recorder(state, names).text(decisions), used


def held(state: Any) -> set[str]:
    """References of the components that took part."""
    components = state.tables.components
    cids = [*state.round_tiles, state.final_tile]
    for seat in state.seats:
        cids += [seat.faction, seat.board, *seat.competencies, *seat.innovations, *seat.city_tiles]
        if seat.palace_built:
            cids.append(seat.palace)
    return {components[cid].ref for cid in cids}


def everything(rules: Any) -> set[str]:
    """All that the golden games of one player count should use together."""
    refs = {f"{word}/{key}" for word in COMPONENT_KINDS for key in rules.data[_TABLES[word]]}
    return EVERY_KIND | refs


_TABLES = dict(
    zip(
        KIND_WORDS[:11],
        (
            "factions",
            "boards",
            "palaces",
            "innovations",
            "competencies",
            "round_tiles",
            "final_tiles",
            "bonus_tiles",
            "city_tiles",
            "power_actions",
            "book_actions",
        ),
        strict=True,
    )
)


def candidates(n_players: int, most: int) -> Iterator[tuple[int, str, set[str]]]:
    """Candidate games in order: number, record, what it uses."""
    for number in range(most):
        yield (number, *play(*candidate(n_players, number)))


def missing(used: Counter[str], rules: Any) -> set[str]:
    """What the chosen games of a player count do not use yet."""
    return {what for what in everything(rules) if not used[what]}
