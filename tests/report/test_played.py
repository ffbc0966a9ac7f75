"""Drawings of positions from games: all that is on the table is drawn, at every stage of a game."""

import xml.etree.ElementTree as ET

import pytest

from aoi_sim.engine.codec import to_dict
from aoi_sim.engine.setup import new_game
from aoi_sim.engine.state import State, is_over
from aoi_sim.report.board import draw_svg, draw_text
from aoi_sim.rules import load_ruleset
from tests.players.table import Action, play, players
from tests.report.test_board import overlapping_texts, tagged

EVERY = 37
GAMES = [
    (2, "standard", ["greedy"], {}),
    (3, "draft", ["explorer"], {"map_3_players": "1-3"}),
    (4, "standard", ["greedy", "explorer"], {"book_supply": "limited", "extra_palaces": 15}),
    (5, "draft", ["greedy", "random"], {}),
]


@pytest.mark.parametrize(("n_players", "setup", "names", "options"), GAMES)
def test_positions_of_a_game_are_drawn_whole(
    n_players: int, setup: str, names: list[str], options: dict[str, str | int | bool]
) -> None:
    rules = load_ruleset(options=options)
    state = new_game(rules, n_players, 5, setup)
    seen = {"positions": 0, "decisions": 0}

    def watch(now: State, actions: list[Action], action: Action) -> None:
        seen["decisions"] += 1
        if seen["decisions"] % EVERY == 1:
            seen["positions"] += 1
            check(now)

    def check(now: State) -> None:
        table = to_dict(now)
        svg, text = draw_svg(table, rules), draw_text(table, rules)
        ET.fromstring(svg)
        built = {h for s in table["seats"] for h in s["buildings"]}
        assert tagged(svg, "data-building").keys() == built
        assert len(tagged(svg, "data-bridge")) == len(table["bridges"])
        assert not overlapping_texts(svg)
        for seat in table["seats"]:
            assert f"{seat['vp']} VP" in text
        for frame in table["pending"]:
            assert f"{frame['kind'].replace('_', ' ')}: seat {frame['seat']}" in text

    play(state, players(names, n_players, 5), watch)
    assert is_over(state)
    check(state)
    assert seen["positions"] > 3
