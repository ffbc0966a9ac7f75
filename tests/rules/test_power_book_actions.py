"""The twelve power and book actions (PA)."""

from __future__ import annotations

import pytest

from .table import DISCIPLINES, table

SEAT = dict(board="desert", buildings={"E12": "workshop"}, coins=9, tools=9, bowls=[0, 0, 12])
BOOK_ACTIONS = ["power", "science", "coins", "guild", "score-guilds", "three-spades"]


def spent(n):
    return {"bowl3": -n, "bowl1": n}


def reader(text, law, **more):
    top = dict(book_actions=[text, *[key for key in BOOK_ACTIONS if key != text][:2]])
    return table(dict(SEAT, bowls=[12, 0, 0], books=dict(law=law)) | more, **top)


# --- power actions ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("PA/bridge", "BR-1")
def test_bridge():
    t = table(dict(SEAT, buildings={"D5": "workshop"}, bowls=[0, 0, 3])).do("power bridge")
    assert t.asks == "bridge"
    t.do("bridge D5-E4")
    assert t.asks == "" and t.change() == spent(3) | {"bridge_supply": -1} and t.dict["bridges"] == [["D5", "E4", 0]]
    assert "power bridge" not in table(dict(SEAT, buildings={"D5": "workshop"}, bowls=[0, 9, 2])).legal()


@pytest.mark.rule("PA/scholar")
def test_scholar():
    assert table(dict(SEAT, bowls=[0, 0, 3])).do("power scholar").change() == spent(3) | {
        "scholars": 1,
        "scholar_supply": -1,
    }
    assert "power scholar" not in table(dict(SEAT, bowls=[0, 9, 2])).legal()


@pytest.mark.rule("PA/tools")
def test_tools():
    assert table(dict(SEAT, bowls=[0, 0, 4])).do("power tools").change() == spent(4) | {"tools": 2}
    assert "power tools" not in table(dict(SEAT, bowls=[0, 9, 3])).legal()


@pytest.mark.rule("PA/coins")
def test_coins():
    assert table(dict(SEAT, bowls=[0, 0, 4])).do("power coins").change() == spent(4) | {"coins": 7}
    assert "power coins" not in table(dict(SEAT, bowls=[0, 9, 3])).legal()


@pytest.mark.rule("PA/spade", "TB-4")
def test_spade():
    t = table(dict(SEAT, bowls=[0, 0, 4])).do("power spade")
    assert t.asks == "spades" and t.pending["free"] == 1 and t.change() == spent(4)
    t.do("transform F11>plains")
    assert t.change() == spent(4)
    assert "power spade" not in table(dict(SEAT, bowls=[0, 9, 3])).legal()


@pytest.mark.rule("PA/two spades", "TB-4")
def test_two_spades():
    t = table(dict(SEAT, bowls=[0, 0, 6])).do("power two-spades")
    assert t.pending["free"] == 2 and t.change() == spent(6)
    t.do("transform F11>desert", "build F11")
    assert t.change() == spent(6) | {"tools": -1, "coins": -2}
    assert "power two-spades" not in table(dict(SEAT, bowls=[0, 9, 5])).legal()


@pytest.mark.rule("PA-1", "SET-4")
def test_all_six_power_actions_are_open_in_every_game():
    t = table(dict(SEAT, buildings={"D5": "workshop"}))
    assert t.legal("power") == {
        f"power {key}" for key in ("bridge", "scholar", "tools", "coins", "spade", "two-spades")
    }


# --- book actions ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("PA/book power", "POW-1")
def test_book_power():
    assert reader("power", 1).do("book power").change() == {"law-book": -1, "bowl1": -5, "bowl2": 5}
    assert "book power" not in reader("power", 0).legal()


@pytest.mark.rule("PA/book science")
def test_book_science_two_steps_in_one_discipline():
    t = reader("science", 1).do("book science")
    assert t.asks == "steps" and t.legal() == {f"step {discipline}" for discipline in DISCIPLINES}
    t.do("step medicine")
    assert t.change() == {"law-book": -1, "medicine": 2} and t.asks == ""
    assert "book science" not in reader("science", 0).legal()


@pytest.mark.rule("PA/book coins")
def test_book_coins():
    assert reader("coins", 2).do("book coins").change() == {"law-book": -2, "coins": 6}
    assert "book coins" not in reader("coins", 1).legal()


@pytest.mark.rule("PA/book guild", "UP-4")
def test_book_guild_upgrades_a_workshop_free_of_charge():
    t = reader("guild", 2, coins=0, tools=0, buildings={"E12": "workshop", "A12": "workshop", "B7": "guild"}).do(
        "book guild"
    )
    assert t.asks == "exchange" and t.legal() == {"upgrade E12 guild", "upgrade A12 guild"}
    t.do("upgrade A12 guild")
    assert t.change() == {"law-book": -2} and t.kind_at("A12") == "guild" and t.kind_at("E12") == "workshop"
    assert "book guild" not in reader("guild", 1).legal()


@pytest.mark.rule("PA/book score guilds")
@pytest.mark.parametrize("guilds", [1, 2, 4])
def test_book_score_guilds_two_vp_a_guild_on_the_map(guilds):
    buildings = dict.fromkeys(["E12", "A12", "B7", "D1"][:guilds], "guild") | {"D5": "school", "E4": "workshop"}
    t = reader("score-guilds", 2, buildings=buildings).do("book score-guilds")
    assert t.change() == {"law-book": -2, "vp": 2 * guilds} and t.vp_from("action") == 2 * guilds
    assert "book score-guilds" not in reader("score-guilds", 1, buildings=buildings).legal()


@pytest.mark.rule("PA/book score guilds", "NEUT-3")
def test_book_score_guilds_counts_a_neutral_guild():
    t = reader("score-guilds", 2, buildings={"E12": {"kind": "guild", "neutral": True}, "A12": "guild"})
    assert t.do("book score-guilds").change()["vp"] == 4


@pytest.mark.rule("PA/book three spades", "TB-4")
def test_book_three_spades():
    t = reader("three-spades", 3).do("book three-spades")
    assert t.pending["free"] == 3
    t.do("transform F12>desert", "build F12")
    assert t.change() == {"law-book": -3, "tools": -1, "coins": -2}
    assert "book three-spades" not in reader("three-spades", 2).legal()


@pytest.mark.rule("PA-1", "PA/book coins")
def test_book_actions_take_books_of_any_discipline():
    t = reader("coins", 0, books=dict(banking=2, medicine=1)).do("book coins")
    assert t.asks == "pay" and t.legal() == {"pay banking banking", "pay banking medicine"}
    t.do("pay banking medicine")
    assert t.change() == {"banking-book": -1, "medicine-book": -1, "coins": 6}


@pytest.mark.rule("PA-1", "PA/book coins")
@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_books_of_every_discipline_pay(discipline):
    assert reader("coins", 0, books={discipline: 2}).do("book coins").change() == {f"{discipline}-book": -2, "coins": 6}
    assert "book coins" not in reader("coins", 0, books={discipline: 1}).legal()


@pytest.mark.rule("PA-1", "SET-4")
def test_only_the_games_three_book_actions():
    t = reader("coins", 5)
    assert t.legal("book") == {"book coins", "book power", "book science"}
    assert t.illegal("book guild") in {"PA-1", "SET-4"}


# --- once a round by one player in all -------------------------------------------------------------------------------
@pytest.mark.rule("PA-1")
def test_each_action_is_taken_once_a_round_by_one_player_in_all():
    seat = dict(bowls=[0, 0, 12], books=dict(law=9))
    t = table(seat, seat, book_actions=["coins", "power", "science"])
    t.do("power tools", "end")
    assert t.mover == 1 and t.illegal("power tools") == "PA-1"
    assert t.dict["used_power_actions"] == ["tools"]
    t.do("book coins", "end")
    t.do(sorted(t.legal("pass"))[0]).end()
    assert t.mover == 0
    assert t.illegal("power tools") == "PA-1" and t.illegal("book coins") == "PA-1"
    assert t.dict["used_book_actions"] == ["coins"]
    assert {"power coins", "book power"} <= t.legal()


@pytest.mark.rule("PA-1", "END-2")
def test_in_the_next_round_all_are_open_again():
    rest = dict(passed=True, bowls=[0, 0, 12], books=dict(law=5))
    top = dict(
        book_actions=["coins", "power", "science"], used_power_actions=["tools", "coins"], used_book_actions=["coins"]
    )
    t = table(dict(), rest, rest, next_order=[1, 2], **top).do("pass river").end()
    while t.phase != "actions":
        t.do(sorted(t.legal())[0])
    assert t.mover == 1 and t.dict["used_power_actions"] == [] and t.dict["used_book_actions"] == []
    assert {"power tools", "power coins", "book coins"} <= t.legal()
