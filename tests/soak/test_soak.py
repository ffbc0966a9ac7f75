"""The fixed part of the soak (`python -m tests.soak` plays all of it), and that its checks notice what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.engine import draw_setup
from aoi_sim.engine import events as e
from aoi_sim.engine.state import State
from tests.soak.__main__ import FIXED_GAMES, FIXED_SEED, expected_names, main, report, too_rare
from tests.soak.draws import wrong_draws
from tests.soak.plan import COUNTS, draw_game
from tests.soak.referee import BrokenRule, Referee, Shares
from tests.soak.run import play_games

BLOCK = 8
LEAST_MET = 0.6
"""Share of what the whole soak must meet that a block meets."""
FAST = Shares(0, 0, 0, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("start", range(0, FIXED_GAMES, BLOCK))
@pytest.mark.parametrize("n_players", COUNTS)
def test_games_of_all_kinds_keep_every_rule(n_players: int, start: int) -> None:
    outcome = play_games(n_players, range(start, start + BLOCK), FIXED_SEED)
    assert not outcome.failures, "\n".join(outcome.failures)
    assert outcome.games == outcome.checks["record replayed"] == BLOCK
    met = [name for name in expected_names() if outcome.count[name]]
    assert len(met) >= LEAST_MET * len(expected_names())


def test_players_are_a_third_explorers_and_else_random_and_greedy() -> None:
    games = [draw_game(n, index, FIXED_SEED) for n in COUNTS for index in range(240)]
    explorers = [game for game in games if "explorer" in game.heuristics]
    assert 0.25 <= len(explorers) / len(games) <= 0.36
    others = {name for game in games if game not in explorers for name in game.heuristics}
    assert others == {"random", "greedy", "seeker"}


def test_nothing_is_counted_under_a_name_that_is_not_expected() -> None:
    """A slip in a name would leave the expected one at zero for ever; here the names that fire most are all met."""
    referee = Referee(draw_game(4, 9, FIXED_SEED), FAST)
    referee.play()
    names = set(expected_names())
    assert len(names) == len(expected_names()) > 450
    kinds = {name for name in referee.census.count if name.startswith(("action ", "asked ", "convert ", "option "))}
    assert kinds <= names


def test_the_report_fails_below_the_bar_at_full_size_only(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = play_games(2, [], FIXED_SEED)
    outcome.count = Counter(dict.fromkeys(expected_names(), 50))
    assert report(outcome, True, 1.0) == 0
    outcome.count["palace/14 city over a river hex"] = 49
    assert too_rare(outcome.count) == ["palace/14 city over a river hex"]
    assert report(outcome, True, 1.0) == 1
    assert "TOO RARE palace/14 city over a river hex: 49 times" in capsys.readouterr().out
    assert report(outcome, False, 1.0) == 0
    outcome.failures.append("game 2:0: something")
    assert report(outcome, False, 1.0) == 1
    capsys.readouterr()


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--jobs", "0"], ["--game", "seven"], ["--game", "4"]])
def test_wrong_arguments_end_with_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    capsys.readouterr()


# --- what is wrong is noticed ----------------------------------------------------------------------------------------


def _seat(state: State) -> Any:
    return state.seats[1]


def _book_event(state: State) -> None:
    """VP without an event."""
    _seat(state).vp += 2
    _seat(state).vp_from[e.VP_SOURCES.index("round_tile")] += 2


def _event_too_many(state: State) -> None:
    """VP with an event, but for nothing that happened."""
    _book_event(state)
    round_tile = state.round_tiles[0]
    assert state.log is not None
    state.log.extend((state.n_decisions, 1, e.E_VP, round_tile, -1, 1, 2, state.round))


def _two_on_a_hex(state: State) -> None:
    state.seats[0].own |= _seat(state).own & -_seat(state).own


WRONG: dict[str, Callable[[State], None]] = {
    "score is not the sum of its sources": lambda state: setattr(_seat(state), "vp", _seat(state).vp + 1),
    "VP without an event": _book_event,
    "VP for nothing": _event_too_many,
    "negative coins": lambda state: setattr(_seat(state), "coins", -1),
    "a token too many": lambda state: setattr(_seat(state), "bowl3", _seat(state).bowl3 + 1),
    "a scholar lost": lambda state: setattr(_seat(state), "scholar_supply", _seat(state).scholar_supply - 1),
    "a bridge lost": lambda state: setattr(_seat(state), "bridge_supply", _seat(state).bridge_supply - 1),
    "a key too many": lambda state: setattr(_seat(state), "keys", _seat(state).keys + 1),
    "two buildings on a hex": _two_on_a_hex,
    "a city tile lost": lambda state: state.city_left.__setitem__(0, state.city_left[0] - 1),
    "a competency copied": lambda state: state.competency_left.__setitem__(0, state.competency_left[0] + 1),
    "a bonus tile lost": lambda state: setattr(state, "bonus_coins", [-1] * len(state.bonus_coins)),
    "an innovation lost": lambda state: setattr(state, "innovations", state.innovations[1:]),
    "a level too many": lambda state: _seat(state).science.__setitem__(0, 13),
    "an annex from nowhere": lambda state: setattr(_seat(state), "annexes", _seat(state).annexes + 1),
    "a hex without terrain": lambda state: setattr(state, "terrain_mask", [0] * len(state.terrain_mask)),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its 60th decision a game is spoilt; the referee stops there."""
    referee = Referee(draw_game(3, 0, FIXED_SEED), FAST)
    apply_action = aoi.apply_action

    def spoiling(state: State, action: Any) -> None:
        apply_action(state, action)
        if state is referee.state and state.n_decisions == 60:
            WRONG[what](state)

    monkeypatch.setattr(aoi, "apply_action", spoiling)
    with pytest.raises(BrokenRule, match=r"game 3:0.*decision 60"):
        referee.play()


WRONG_DRAWS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another map": lambda draws: draws.update(map="1-3"),
    "spade tile in round 6": lambda draws: draws["round_tiles"].__setitem__(5, "spade-engineering"),
    "a round tile twice": lambda draws: draws["round_tiles"].__setitem__(0, draws["round_tiles"][1]),
    "law three times": lambda draws: draws["round_tiles"].__setitem__(
        slice(0, 3), ["workshop-law", "guild-law", "innovation-law"]
    ),
    "final tile like the last one": lambda draws: draws.update(final_tile=draws["round_tiles"][5].rsplit("-", 1)[0]),
    "an innovation in another column": lambda draws: draws["innovations"][0].update(column="banking+law"),
    "an innovation less": lambda draws: draws["innovations"].pop(),
    "a palace more": lambda draws: draws["palaces"].append("99"),
    "a bundle less": lambda draws: draws["bundles"].pop(),
    "a bonus tile of a bundle": lambda draws: draws["bonus_tiles"].__setitem__(0, draws["bundles"][0]["bonus"]),
    "an area tile": lambda draws: draws.update(area_tile=12),
}


@pytest.mark.parametrize("what", WRONG_DRAWS)
def test_wrong_draws_are_noticed(what: str) -> None:
    rules = aoi.load_ruleset()
    for seed in range(50):
        draws = draw_setup(rules, 3, seed)
        assert wrong_draws(draws, rules.options) == []
        if draws["round_tiles"][5].startswith(("workshop", "guild", "school")):
            break
    WRONG_DRAWS[what](draws)
    assert wrong_draws(draws, rules.options)


def test_a_changed_clone_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that shares a list with its clone."""
    from tests.soak import referee as module

    clone = module.clone

    def sharing(state: State) -> State:
        new = clone(state)
        new.order = state.order
        new.seats[0].books = state.seats[0].books
        return new

    monkeypatch.setattr(module, "clone", sharing)
    with pytest.raises(BrokenRule, match="clone"):
        Referee(draw_game(3, 0, FIXED_SEED), FAST).play()
