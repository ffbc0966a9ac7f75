"""Engine and oracle agree on positions of whole games: legal actions, invariants, final scores."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import aoi_sim as aoi
from tests.oracle import final_scores, legal_texts, seat_to_move, violations
from tests.oracle.pending import KINDS
from tests.rules.scenes import alone
from tests.soak.plan import Game, choices, draw_game, favour

SEED = 20
BLOCKS = 3
GAMES = 36  # of each player count and block, a third by explorers
POSITIONS = 450  # at least, in each block: 12 blocks make 5,400
QUOTA = 40  # positions of a kind that are all looked at; later ones at random
LATER = 0.04
RARE = ("city_group", "found", "free_piece")  # too rare in a single block
LEAST = 3
STAGES = ("actions/before", "actions/second", "actions/after", "placement/")


def kind_of(position: dict[str, Any]) -> str:
    """What is asked: the kind of the pending frame, else phase and stage."""
    return position["pending"][-1]["kind"] if position["pending"] else f"{position['phase']}/{position['stage']}"


class Comparison:
    """Looks at positions of games; which ones depends on how many of their kind there were."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.met: Counter[str] = Counter()
        self.compared: Counter[str] = Counter()

    def look(self, state: aoi.State, where: str) -> None:
        """Compare one position."""
        position = aoi.to_dict(state)
        kind = kind_of(position)
        self.met[kind] += 1
        if self.met[kind] > QUOTA and self.rng.random() >= LATER:
            return
        self.compared[kind] += 1
        agree(state, position, where)

    def play(self, game: Game) -> None:
        """Compare positions of a game and its final scores."""
        state, players = game.start(), game.players()
        while not aoi.is_over(state):
            self.look(state, f"{game}, decision {state.n_decisions}")
            action = players[aoi.seat_to_move(state)].choose(state, aoi.legal_actions(state))
            aoi.apply_action(state, action)
        scores_agree(state, str(game))


def agree(state: aoi.State, position: dict[str, Any], where: str) -> None:
    """Legal actions, the seat to move and the invariants of one position."""
    engine = [aoi.format_action(state, action) for action in aoi.legal_actions(state)]
    assert len(engine) == len(set(engine)), f"an action listed twice, {where}"
    oracle = legal_texts(position)
    only_engine, only_oracle = sorted(set(engine) - oracle), sorted(oracle - set(engine))
    assert not only_engine and not only_oracle, f"engine only {only_engine}, oracle only {only_oracle}, {where}"
    assert seat_to_move(position) == aoi.seat_to_move(state), where
    assert violations(position) == [], where


def scores_agree(state: aoi.State, where: str) -> None:
    """The final scoring, and that the VP by source make the score."""
    position = aoi.to_dict(state)
    assert violations(position) == [], where
    for seat, expected in zip(position["seats"], final_scores(position), strict=True):
        assert {source: seat["vp_from"].get(source, 0) for source in expected} == expected, where
        assert sum(seat["vp_from"].values()) == seat["vp"], where


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_engine_and_oracle_agree(n_players: int, block: int) -> None:
    comparison = Comparison(1000 * n_players + block)
    for index in range(block * GAMES, (block + 1) * GAMES):
        comparison.play(draw_game(n_players, index, SEED))
    seen = comparison.compared
    assert sum(seen.values()) >= POSITIONS
    missing = [kind for kind in (*KINDS, *STAGES) if kind not in RARE and seen[kind] < LEAST]
    assert not missing, f"too few positions of {missing}: {seen}"


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_these_games_have_every_option_edition_and_map(n_players: int) -> None:
    games = [draw_game(n_players, index, SEED) for index in range(BLOCKS * GAMES)]
    drawn = {option for game in games for option in game.options}
    assert {(name, value) for name, values in choices().items() for value in values} <= drawn
    facts = {fact for game in games for fact in (game.edition, game.setup, game.deal is None, *game.heuristics)}
    assert facts >= {"1.0", "1.2", "standard", "draft", True, False, "explorer", "greedy", "random"}
    sides = {2: {"1-3"}, 3: {"1-3", "3-5"}}.get(n_players, {"3-5"})
    assert {game.start().geometry.key for game in games} == sides


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_they_agree_in_games_with_palaces_14_and_16(n_players: int) -> None:
    comparison = Comparison(n_players)
    for index in range(40):
        game = favour(draw_game(n_players, index, SEED), palaces=("14", "16"), palace14_when="check")
        comparison.play(replace(game, heuristics=("greedy",) * n_players))
    assert comparison.compared["found"] >= LEAST
    assert comparison.compared["free_piece"] >= LEAST


@pytest.mark.parametrize("left", [0, 1, 2])
def test_they_agree_when_two_groups_become_cities_and_tiles_run_out(left: int) -> None:
    """CITY-2, CITY-4: what no game played at random reaches."""
    workshops = dict.fromkeys(("A5", "A6", "H5", "H6"), "workshop")
    buildings = {**workshops, "B5": "guild", "B6": "school", "I5": "guild", "I6": "school", "E9": "guild"}
    tiles = dict.fromkeys("spades books coins science scholar".split(), 0) | {"power": left > 0, "tools": left > 1}
    tiles = {key: int(count) for key, count in tiles.items()}
    t = alone({"buildings": buildings}, city_tiles=tiles).do("upgrade E9 palace", "palace 8")
    assert t.asks == ("", "city_group", "city_tile")[left]
    assert t.legal() == legal_texts(t.dict)
