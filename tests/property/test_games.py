"""Whole games of every kind: clones, notation, dicts, overlays, options."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aoi_sim as aoi
from aoi_sim.engine.state import key
from aoi_sim.rules import option_definitions

GAMES = 200
NEW_FACTION = {
    "factions": {
        "weavers": {
            "start": {"steps_of": {"law": 1}, "tools": 1},
            "income": {"coins": 1},
            "on": [{"event": "guild_built", "vp": 1}],
            "action": {"power": 3},
        }
    },
    "round_tiles": {
        "bridge-law": {
            "on": [{"event": "scholar_sent", "vp": 2}],
            "bonus": {"discipline": "law", "every": 2, "coins": 1},
        }
    },
}


def random_game(
    rules: aoi.Ruleset, n_players: int, seed: int, setup: str, deal: list[dict[str, str]] | None = None
) -> aoi.State:
    """A game of random players to its end."""
    state = aoi.new_game(rules, n_players, seed, setup, deal=deal)
    players = [aoi.make_player("random", seat, seed + seat) for seat in range(n_players)]
    while not aoi.is_over(state):
        aoi.apply_action(state, players[aoi.seat_to_move(state)].choose(state, aoi.legal_actions(state)))
    return state


@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(0, 10**6), st.sampled_from(["standard", "draft"]), st.integers(0, 400))
def test_a_position_of_any_game_is_whole(n_players: int, seed: int, setup: str, n_decisions: int) -> None:
    """Any state: its dict gives it back, its actions have texts of their own, a clone lives its own life."""
    rules = aoi.load_ruleset()
    state = aoi.new_game(rules, n_players, seed, setup)
    rng = random.Random(seed)
    for _ in range(n_decisions):
        if aoi.is_over(state):
            break
        actions = aoi.legal_actions(state)
        aoi.apply_action(state, actions[int(rng.random() * len(actions))])
    again = aoi.from_dict(rules, aoi.to_dict(state))
    assert key(again) == key(state)
    assert aoi.legal_actions(again) == aoi.legal_actions(state)
    texts = [aoi.format_action(state, action) for action in aoi.legal_actions(state)]
    assert len(set(texts)) == len(texts)
    assert [aoi.parse_action(state, text) for text in texts] == aoi.legal_actions(state)
    before = aoi.digest(state)
    for action in aoi.legal_actions(state):
        copy = aoi.clone(state)
        aoi.apply_action(copy, action)
    assert aoi.digest(state) == before


def test_a_thirteenth_faction_and_round_tile_play_two_hundred_games() -> None:
    rules = aoi.load_ruleset(overlays=[NEW_FACTION])
    boards = list(rules.data["boards"])
    scored = dealt = 0
    for seed in range(GAMES):
        n_players = 2 + seed % 4
        others = [f for f in list(rules.data["factions"])[seed % 9 :] if f != "weavers"][: n_players - 1]
        factions = ["weavers", *others]
        deal = [{"board": boards[(seed + k) % 7], "faction": f} for k, f in enumerate(factions)]
        state = random_game(rules, n_players, seed, "standard", deal)
        tiles = [state.tables.components[cid].key for cid in state.round_tiles]
        dealt += "bridge-law" in tiles
        scored += state.seats[0].vp_from[8] > 0
    assert dealt > 50
    assert scored > 10


def test_five_players_with_every_option_flipped_play_two_hundred_games() -> None:
    flipped: dict[str, object] = {}
    for name, definition in option_definitions().items():
        default = definition["default"]
        if isinstance(default, bool):
            flipped[name] = not default
        elif isinstance(default, int):
            flipped[name] = default - 1
        else:
            flipped[name] = next(value for value in definition["allowed"] if value != default)
    rules = aoi.load_ruleset(options=flipped)
    assert all(rules.options[name] != aoi.load_ruleset().options[name] for name in rules.options)
    for seed in range(GAMES):
        state = random_game(rules, 5, seed, ("standard", "draft")[seed % 2])
        assert all(sum(seat.vp_from) == seat.vp for seat in state.seats)


@pytest.mark.parametrize("name", ["random", "explorer"])
def test_a_seed_plays_the_same_game_again(name: str) -> None:
    results = [aoi.play_game(aoi.load_ruleset(), heuristics=name, n_players=4, seed=11).record.text for _ in range(2)]
    assert results[0] == results[1]


@settings(max_examples=200)
@given(
    st.tuples(st.integers(-2, 40), st.integers(-3, 200), st.integers(-3, 200), st.integers(-2, 4)),
    st.integers(0, 10**4),
    st.integers(0, 120),
)
def test_whatever_is_no_legal_action_is_refused_and_changes_nothing(
    action: tuple[int, int, int, int], seed: int, n_decisions: int
) -> None:
    state = aoi.new_game(aoi.load_ruleset(), 2 + seed % 4, seed)
    rng = random.Random(seed)
    for _ in range(n_decisions):
        if aoi.is_over(state):
            break
        actions = aoi.legal_actions(state)
        aoi.apply_action(state, actions[int(rng.random() * len(actions))])
    if action in aoi.legal_actions(state):
        return
    before = aoi.digest(state)
    with pytest.raises(aoi.IllegalAction) as refused:
        aoi.apply_action(state, action)
    assert refused.value.rule
    assert "\n" not in str(refused.value)
    assert aoi.digest(state) == before
