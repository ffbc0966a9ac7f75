"""Sailing and terraforming (TR)."""

from __future__ import annotations

import pytest

from .table import rounds, table

SEAT = dict(board="desert", coins=20, tools=20, scholars=2)
SAILING = {"coins": -4, "scholars": -1, "scholar_supply": 1, "sailing": 1}
TERRAFORMING = {"coins": -5, "tools": -1, "scholars": -1, "scholar_supply": 1, "terraforming": 1}


@pytest.mark.rule("TR-1", "TR-3")
def test_the_first_sailing_step_gives_two_vp():
    t = table(dict(SEAT, sailing=0)).do("advance sailing")
    assert t.change() == SAILING | {"vp": 2} and t.vp_from("sailing") == 2


@pytest.mark.rule("TR-1")
def test_the_second_sailing_step_gives_two_books_of_choice():
    t = table(dict(SEAT, sailing=1)).do("advance sailing")
    assert t.asks == "books" and len(t.legal()) == 10 and "books law law" in t.legal()
    t.do("books banking medicine")
    assert t.change() == SAILING | {"banking-book": 1, "medicine-book": 1}


@pytest.mark.rule("TR-1")
def test_the_third_sailing_step_gives_four_vp_and_is_the_last():
    t = table(dict(SEAT, sailing=2)).do("advance sailing")
    assert t.change() == SAILING | {"vp": 4} and t.seat()["sailing"] == 3
    assert table(dict(SEAT, sailing=3)).illegal("advance sailing") in {"TR-1", "ACT-2"}


@pytest.mark.rule("TR-1", "BOARD/lake")
def test_the_lake_boards_own_sailing_rewards():
    lake = dict(SEAT, board="lake")
    assert table(lake).seat()["sailing"] == 1
    assert table(lake).do("advance sailing").change() == SAILING | {"vp": 3}
    t = table(dict(lake, sailing=2)).do("advance sailing", "books law law")
    assert t.change() == SAILING | {"law-book": 2}
    assert table(dict(lake, sailing=3)).illegal("advance sailing") in {"TR-1", "ACT-2"}


@pytest.mark.rule("TR-2", "TR-3")
def test_the_first_terraforming_step_gives_two_books_of_choice():
    t = table(SEAT).do("advance terraforming")
    assert t.asks == "books" and len(t.legal()) == 10
    t.do("books engineering medicine")
    assert t.change() == TERRAFORMING | {"engineering-book": 1, "medicine-book": 1}


@pytest.mark.rule("TR-2")
def test_the_second_terraforming_step_gives_six_vp_and_is_the_last():
    # the rulebook's example: 5 coins, 1 tool and 1 scholar for the step from 2 tools to 1, and 6 VP
    t = table(dict(SEAT, terraforming=1)).do("advance terraforming")
    assert t.change() == TERRAFORMING | {"vp": 6} and t.vp_from("terraforming") == 6
    assert table(dict(SEAT, terraforming=2)).illegal("advance terraforming") in {"TR-2", "ACT-2"}


@pytest.mark.rule("TR-2", "BOARD/plains")
def test_the_plains_board_pays_one_coin_for_terraforming():
    plains = dict(SEAT, board="plains", terraforming=1)
    assert table(plains).do("advance terraforming").change() == TERRAFORMING | {"coins": -1, "vp": 6}
    assert "advance terraforming" in table(dict(plains, coins=1, tools=1, scholars=1)).legal()
    assert "advance terraforming" not in table(dict(plains, coins=0)).legal()
    assert table(dict(plains, sailing=2)).do("advance sailing").change()["coins"] == -4


@pytest.mark.rule("TR-1", "TR-2", "ACT-2")
@pytest.mark.parametrize(
    ("track", "cost"), [("sailing", dict(coins=4, scholars=1)), ("terraforming", dict(coins=5, tools=1, scholars=1))]
)
def test_the_exact_price_is_enough_and_one_less_is_not(track, cost):
    poor = dict(board="desert", coins=0, tools=0, scholars=0)
    assert f"advance {track}" in table({**poor, **cost}).legal()
    for key in cost:
        assert f"advance {track}" not in table({**poor, **cost, key: cost[key] - 1}).legal()


@pytest.mark.rule("TR-3", "INNO/steam-engine")
def test_free_steps_give_the_same_rewards_and_score_the_same():
    tiles = rounds({2: "track-engineering"})
    seat = dict(board="desert", coins=5, books=dict(law=5), sailing=0, terraforming=1)
    t = table(seat, round_tiles=tiles, innovations=[dict(key="steam-engine", column="law")]).do("innovate steam-engine")
    while t.asks == "resolve":
        t.do(sorted(t.legal())[0])
    # 2 VP for sailing 1, 6 VP for the last terraforming step, twice 3 VP for the round tile; the scholar of the tile
    gained = {"coins": -5, "law-book": -5, "scholars": 1, "scholar_supply": -1, "sailing": 1, "terraforming": 1}
    assert t.change() == gained | {"vp": 2 + 6 + 2 * 3}
    assert t.vp_from("round_tile") == 6


@pytest.mark.rule("TR-3", "RS/track-engineering")
@pytest.mark.parametrize("track", ["sailing", "terraforming"])
def test_a_bought_step_scores_the_round_tile(track):
    t = table(dict(SEAT, sailing=2, terraforming=1), round=3).do(f"advance {track}")
    assert t.vp_from("round_tile") == 3


@pytest.mark.rule("TR-3", "PAL/14")
@pytest.mark.parametrize(("sailing", "reached", "vp"), [(0, 2, 2), (1, 3, 4), (2, 3, 4), (3, 3, 0)])
def test_free_steps_beyond_the_end_are_lost(sailing, reached, vp):
    seat = dict(SEAT, buildings={"E12": "guild"}, sailing=sailing)
    t = table(seat, palaces=["14"]).do("upgrade E12 palace")
    while t.asks in ("palace", "resolve", "books"):
        t.do(sorted(t.legal())[0])
    assert t.seat()["sailing"] == reached and t.vp_from("sailing") == vp
    assert sum(t.seat()["books"].values()) == (2 if sailing < 2 else 0)


@pytest.mark.rule("TR-1", "REACH-1")
def test_the_step_counts_for_reach_at_once():
    seat = dict(board="mountain", buildings={"A7": "workshop"}, coins=9, tools=9, scholars=1, sailing=0)
    t = table(seat, dict(passed=True), dict(passed=True), next_order=[1, 2])
    assert "transform A9>forest" not in t.legal()
    t.do("advance sailing").end()
    assert "transform A9>forest" in t.legal()


@pytest.mark.rule("TR-2", "TB-3")
def test_the_step_counts_for_the_price_of_spades_at_once():
    seat = dict(board="desert", buildings={"E12": "workshop"}, coins=5, tools=5, scholars=1, terraforming=1)
    t = table(seat, dict(passed=True), dict(passed=True), next_order=[1, 2]).do("advance terraforming").end().mark()
    assert t.do("transform F12>desert").change() == {"tools": -3}
