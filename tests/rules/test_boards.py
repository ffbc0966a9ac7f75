"""The seven planning boards (BOARD)."""

from __future__ import annotations

import pytest

from .scenes import alone, dealt, income, next_round, set_up
from .table import DISCIPLINES

PLAIN = {"vp": 20, "coins": 15, "tools": 3, "scholars": 0, "sailing": 0, "terraforming": 0, "bowls": [5, 7, 0]}


def start(board):
    seat = dealt(board).seat()
    return {key: seat[key] for key in PLAIN}


def science(t):
    return [t.seat()["science"].get(discipline, 0) for discipline in DISCIPLINES]


@pytest.mark.rule("SET-11", *[f"BOARD/{board}" for board in ("desert", "plains", "mountain")])
@pytest.mark.parametrize("board", ["desert", "plains", "mountain"])
def test_boards_without_a_difference_at_the_start(board):
    assert start(board) == PLAIN
    assert science(dealt(board)) == [0, 0, 0, 0]
    assert sum(dealt(board).seat()["books"].values()) == 0


@pytest.mark.rule("BOARD/swamp")
def test_swamp_starts_with_a_scholar_and_more_tokens_in_bowl_2():
    assert start("swamp") == {**PLAIN, "scholars": 1, "bowls": [3, 9, 0]}
    assert dealt("swamp").seat()["scholar_supply"] == 6


@pytest.mark.rule("BOARD/lake")
def test_lake_starts_with_sailing_1_and_gains_nothing_for_it():
    assert start("lake") == {**PLAIN, "sailing": 1}


@pytest.mark.rule("BOARD/lake", "TR-1")
@pytest.mark.parametrize(("level", "vp", "books"), [(1, 3, 0), (2, 0, 2)])
def test_lake_has_its_own_rewards_of_sailing(level, vp, books):
    t = alone({"board": "lake", "sailing": level, "scholars": 1}).do("advance sailing")
    assert t.vp_from("sailing") == vp
    if books:
        assert (t.asks, t.pending["n"]) == ("books", books)
    else:
        assert t.change() == {"coins": -4, "scholars": -1, "scholar_supply": 1, "sailing": 1, "vp": vp}


@pytest.mark.rule("BOARD/lake", "TR-1")
def test_lakes_sailing_ends_at_3_too():
    assert "advance sailing" not in alone({"board": "lake", "sailing": 3, "scholars": 1}).legal()


@pytest.mark.rule("BOARD/forest")
def test_forest_starts_with_a_step_in_each_discipline_and_one_more_token_in_bowl_2():
    assert start("forest") == {**PLAIN, "bowls": [4, 8, 0]}
    assert science(dealt("forest")) == [1, 1, 1, 1]


@pytest.mark.rule("BOARD/forest", "SET-11", "SCI-1", "FAC/navigators")
def test_levels_of_board_and_faction_add_up():
    t = dealt("forest", "navigators")
    assert science(t) == [1, 4, 1, 1]
    assert t.seat()["bowls"] == [3, 9, 0]  # 1 power for level 3 of law


@pytest.mark.rule("BOARD/plains", "TR-2")
def test_plains_pay_1_coin_for_a_terraforming_step():
    t = alone({"board": "plains", "scholars": 1, "coins": 1, "tools": 1, "terraforming": 1}).do("advance terraforming")
    expected = {"coins": -1, "tools": -1, "scholars": -1, "scholar_supply": 1, "terraforming": 1, "vp": 6}
    assert t.change() == expected


@pytest.mark.rule("BOARD/plains", "TR-2")
@pytest.mark.parametrize("lacking", ["coins", "tools", "scholars"])
def test_plains_need_coin_tool_and_scholar(lacking):
    seat = {"board": "plains", "scholars": 1, "coins": 1, "tools": 1, lacking: 0}
    assert "advance terraforming" not in alone(seat).legal()


@pytest.mark.rule("BOARD/plains", "TR-1")
def test_plains_pay_the_usual_price_of_sailing():
    t = alone({"board": "plains", "scholars": 1}).do("advance sailing")
    assert t.change() == {"coins": -4, "scholars": -1, "scholar_supply": 1, "sailing": 1, "vp": 2}


GUILDS = ("B5", "B6", "C6", "A6")


def power(n):
    return {"bowl1": -n, "bowl2": n} if n else {}


@pytest.mark.rule("BOARD/mountain", "INC-1", "INC-2")
@pytest.mark.parametrize(
    ("guilds", "coins", "tokens"), [(0, 2, 0), (1, 2 + 3, 1), (2, 2 + 5, 2), (3, 2 + 7, 4), (4, 2 + 9, 6)]
)
def test_mountain_has_2_coins_and_its_first_guild_3(guilds, coins, tokens):
    buildings = dict.fromkeys(GUILDS[:guilds], "guild")
    assert income({"board": "mountain", "buildings": buildings}) == {"coins": coins, **power(tokens)}


@pytest.mark.rule("INC-2", "BOARD/forest")
@pytest.mark.parametrize(("guilds", "coins", "tokens"), [(0, 0, 0), (1, 2, 1), (2, 4, 2), (3, 6, 4), (4, 8, 6)])
def test_other_boards_have_no_coins_and_the_usual_guilds(guilds, coins, tokens):
    expected = {**({"coins": coins} if coins else {}), **power(tokens)}
    assert income({"board": "forest", "buildings": dict.fromkeys(GUILDS[:guilds], "guild")}) == expected


@pytest.mark.rule("BOARD/mountain", "INC-1")
def test_mountains_workshops_give_the_usual_tools():
    seat = {"board": "mountain", "buildings": dict.fromkeys(("B5", "B6"), "workshop")}
    assert income(seat) == {"coins": 2, "tools": 2}


@pytest.mark.rule("BOARD/wasteland", "SET-12")
def test_wasteland_starts_with_4_tools_and_a_book_of_choice():
    t = dealt("wasteland")
    assert start("wasteland") == {**PLAIN, "tools": 4}
    assert (t.phase, t.asks, t.pending["n"]) == ("start_choices", "books", 1)
    t.do("books engineering")
    assert t.seat()["books"]["engineering"] == 1


@pytest.mark.rule("BOARD/wasteland", "INN-1")
@pytest.mark.parametrize(("board", "prices"), [("wasteland", (5, 5, 7)), ("forest", (5, 6, 7))])
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_wasteland_pays_no_extra_book_for_its_second_innovation(board, prices, taken):
    have = ["trade-routes", "professor"][:taken]
    top = {"innovations": [{"key": "sewage-system", "column": "banking"}], "round": 3}
    price = prices[taken]
    seat = {"board": board, "innovations": have, "books": {"banking": price - 1}}
    assert "innovate sewage-system" not in alone(seat, **top).legal()
    t = alone({**seat, "books": {"banking": price}}, **top).do("innovate sewage-system")
    assert t.change() == {"banking-book": -price, "coins": -5}


PLACES = ("place A12 workshop", "place E12 workshop")


@pytest.mark.rule("BOARD/desert", "SET-15")
def test_desert_has_a_set_up_spade():
    t = set_up(dealt("desert"), *PLACES, "competency 7", until="start_spades")
    assert (t.mover, t.asks, t.pending["free"], t.pending["rule"]) == (0, "spades", 1, "single")
    assert {"transform A11>desert", "transform B11>swamp", "decline"} <= t.legal()
    assert t.legal("build") == set()
    t.do("transform A11>desert")
    assert t.dict["terrain"]["A11"] == "desert"
    assert t.phase == "actions"


@pytest.mark.rule("BOARD/desert", "SET-15", "FAC/goblins", "TB-7")
def test_goblins_on_desert_get_coins_for_the_set_up_spade():
    t = set_up(dealt("desert", "goblins"), *PLACES, until="start_spades")
    t.mark().do("transform A11>desert")
    assert t.change()["coins"] == 2 + 6  # the spade, then round 1's income of the round bonus tile


@pytest.mark.rule("BOARD/desert", "END-1")
def test_desert_has_no_spade_at_the_end_of_a_round():
    t = next_round({"board": "desert", "buildings": {"A12": "workshop"}})
    assert t.asks == ""
