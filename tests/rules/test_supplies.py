"""What is limited and what is not (POOL, BOOK)."""

from __future__ import annotations

import pytest

from aoi_sim.engine.events import EVENT_NAMES, EVENT_WIDTH

from .printed_maps import terrain
from .table import pass_round, table

DESERTS = [name for name, kind in terrain("3-5").items() if kind == "desert"]
BOOKS = {"banking": 0, "law": 0, "engineering": 0, "medicine": 0}


@pytest.mark.rule("POOL-1", "ACT-2")
def test_there_are_seven_scholars_a_player():
    assert table().seat()["scholar_supply"] == 7
    t = table(dict(scholars=6, bowls=[0, 2, 10]))
    t.do("convert 5power>scholar")
    assert (t.seat()["scholars"], t.seat()["scholar_supply"]) == (7, 0)
    assert t.illegal("convert 5power>scholar") in {"POOL-1", "CONV-1", "INC-5"}


@pytest.mark.rule("POOL-1", "INNO/professor")
def test_a_part_that_finds_nothing_to_take_is_lost_and_the_rest_happens():
    # no scholar left for the professor: 3 VP still come
    t = table(dict(innovations=["professor"], scholars=7)).do("special innovation/professor")
    assert t.change() == {"vp": 3}


@pytest.mark.rule("POOL-1", "INNO/steam-engine")
def test_a_free_step_of_a_full_track_is_lost_and_the_rest_happens():
    seat = dict(books=dict(law=5), coins=5, sailing=3, terraforming=2)
    t = table(seat, innovations=[dict(key="steam-engine", column="law")], round=3).do("innovate steam-engine")
    assert t.change() == {"coins": -5, "law-book": -5, "scholars": 1, "scholar_supply": -1}


@pytest.mark.rule("POOL-1", "BR-1")
def test_there_are_three_bridges_a_player():
    seat = dict(board="desert", buildings={"F5": "workshop"}, bowls=[0, 0, 12])
    assert table(seat).seat()["bridge_supply"] == 3
    two = [["D5", "F5", 0], ["E4", "F5", 0]]
    t = table(seat, bridges=two)
    assert t.seat()["bridge_supply"] == 1
    t.do("power bridge")  # F5-G4, the only place left
    assert t.seat()["bridge_supply"] == 0
    t = table(seat, bridges=[*two, ["F5", "G4", 0]])
    assert t.seat()["bridge_supply"] == 0
    assert t.illegal("power bridge") in {"ACT-2", "POOL-1", "BR-1"}


@pytest.mark.rule("POOL-1", "TB-6", "SET-11")
def test_there_are_nine_workshops():
    hexes = DESERTS[:10]
    nine = table(dict(board="desert", buildings=dict.fromkeys(hexes[:9], "workshop"), tools=9, sailing=3))
    assert not nine.legal("build")
    eight = table(dict(board="desert", buildings=dict.fromkeys(hexes[:8], "workshop"), tools=9, sailing=3))
    assert eight.legal("build")


@pytest.mark.rule("POOL-1", "UP-2", "SET-11")
@pytest.mark.parametrize(
    ("kind", "to", "pieces"),
    [("workshop", "guild", 4), ("guild", "school", 3), ("guild", "palace", 1), ("school", "university", 1)],
)
def test_a_piece_of_the_new_kind_must_be_free(kind, to, pieces):
    def seat(n):
        hexes = dict(zip(DESERTS, [kind] + [to] * n, strict=False))
        return dict(
            board="desert", buildings=hexes, coins=20, tools=20, **({"palace": "17"} if to == "palace" and n else {})
        )

    assert f"upgrade {DESERTS[0]} {to}" in table(seat(pieces - 1)).legal()
    assert table(seat(pieces)).illegal(f"upgrade {DESERTS[0]} {to}") in {"UP-2", "POOL-1", "ACT-2"}


@pytest.mark.rule("POOL-1", "COMP-1")
def test_a_competency_without_a_copy_left_cannot_be_taken():
    display = [dict(key=str(n + 1), discipline="law", place=0, left=0 if n < 11 else 1) for n in range(12)]
    for n, entry in enumerate(display):
        entry.update(discipline=list(BOOKS)[n // 3], place=n % 3)
    seat = dict(board="desert", buildings={"E12": "guild"}, coins=20, tools=20)
    t = table(seat, competencies=display).do("upgrade E12 school")
    if t.asks == "competency":
        assert t.legal() == {"competency 12"}
        t.do("competency 12")
    assert t.seat()["competencies"] == ["12"]
    display[11]["left"] = 0
    t = table(seat, competencies=display).do("upgrade E12 school")
    assert t.seat()["competencies"] == [] and t.change() == {"coins": -5, "tools": -3}


@pytest.mark.rule("POOL-1", "CITY-2")
def test_without_a_city_tile_left_no_city_is_founded():
    none = dict.fromkeys(["tools", "spades", "books", "coins", "science", "power", "scholar"], 0)
    seat = dict(
        board="desert",
        buildings={"E12": "workshop", "E13": "school", "F12": "guild", "F13": "workshop"},
        coins=9,
        tools=3,
    )
    assert table(seat).do("upgrade E12 guild").asks == "city_tile"
    last = table(seat, city_tiles=none | {"coins": 1}).do("upgrade E12 guild")
    assert last.seat()["city_tiles"] == ["coins"] and last.seat()["keys"] == 1 and last.dict["city_tiles"]["coins"] == 0
    t = table(seat, city_tiles=none).do("upgrade E12 guild")
    assert t.asks == "" and t.seat()["keys"] == 0 and t.seat()["city_tiles"] == []


@pytest.mark.rule("POOL-1")
def test_coins_tools_and_power_tokens_are_unlimited():
    assert pass_round(dict(board="desert", coins=500, tools=300)).change() == {"tools": 1}
    seat = dict(books=dict(law=5), coins=5, board="desert", buildings={"E12": "workshop"}, bowls=[0, 0, 60])
    t = table(seat, innovations=[dict(key="palace", column="law")], terrain={"E13": "desert"}, round=3)
    assert t.do("innovate palace", "place E13 palace").seat()["bowls"] == [0, 0, 62]


# --- books -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("BOOK-1", "OPT/book_supply")
def test_by_default_there_are_books_without_end():
    t = table(dict(books=dict(law=12), bowls=[0, 0, 10]), dict(books=dict(law=12)))
    assert t.dict["book_supply"] is None
    assert t.do("convert 5power>law-book").seat()["books"]["law"] == 13


@pytest.mark.rule("BOOK-1", "OPT/book_supply")
def test_limited_books_are_twelve_of_each():
    limited = {"book_supply": "limited"}
    assert table(options=limited).dict["book_supply"] == dict.fromkeys(BOOKS, 12)
    t = table(dict(bowls=[0, 0, 12], books=dict(banking=1)), options=limited, book_supply=dict(BOOKS, law=1))
    assert t.legal("convert 5power") == {"convert 5power>scholar", "convert 5power>law-book"}
    t.do("convert 5power>law-book")
    assert t.dict["book_supply"]["law"] == 0
    assert t.illegal("convert 5power>law-book") in {"BOOK-1", "CONV-1"}
    # a paid book returns to the supply at once
    t.do("convert 1banking-book>coin")
    assert t.dict["book_supply"]["banking"] == 1
    assert "convert 5power>banking-book" in t.legal()


@pytest.mark.rule("BOOK-1", "OPT/book_supply", "COMP/3")
def test_a_discipline_that_has_run_out_cannot_be_chosen():
    supply = dict(BOOKS, law=3, medicine=1)
    t = pass_round(dict(board="desert", competencies=["3"]), options={"book_supply": "limited"}, book_supply=supply)
    assert t.legal() == {"books law", "books medicine"}


@pytest.mark.rule("BOOK-1", "OPT/book_supply", "COMP-2")
def test_a_gain_fixed_to_a_discipline_gives_what_is_left():
    # competency 9 stands on 1 step + 2 books of engineering
    seat = dict(board="desert", buildings={"E12": "guild"}, coins=5, tools=3)
    for left, gained in ((0, 0), (1, 1), (2, 2), (3, 2)):
        supply = dict(BOOKS, engineering=left)
        t = table(seat, options={"book_supply": "limited"}, book_supply=supply).do("upgrade E12 school", "competency 9")
        assert t.seat()["books"]["engineering"] == gained
        assert t.seat()["science"]["engineering"] == 1
        assert t.dict["book_supply"]["engineering"] == left - gained


@pytest.mark.rule("BOOK-1", "OPT/book_supply", "PAL/10")
def test_choices_of_several_books_stay_within_the_supply():
    seat = dict(board="desert", buildings={"E12": "guild"}, coins=6, tools=4)
    t = table(seat, palaces=["10"], options={"book_supply": "limited"}, book_supply=dict(BOOKS, law=1, medicine=4))
    t.do("upgrade E12 palace")
    if t.asks == "palace":
        t.do("palace 10")
    assert t.legal() == {"books law medicine", "books medicine medicine"}


@pytest.mark.rule("BOOK-1", "OPT/book_supply")
@pytest.mark.parametrize(("held", "logged"), [(11, []), (12, [13])])
def test_a_discipline_that_passes_twelve_books_is_logged(held, logged):
    t = table(dict(board="wasteland", books={"law": held}, bowls=[0, 0, 5]))
    t.state.log = []
    t.do("convert 5power>law-book")
    code = EVENT_NAMES.index("books_over_supply")
    amounts = [t.state.log[k + 5] for k in range(0, len(t.state.log), EVENT_WIDTH) if t.state.log[k + 2] == code]
    assert amounts == logged
