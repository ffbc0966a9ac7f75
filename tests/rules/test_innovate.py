"""Taking an innovation: columns, prices, the display (INN)."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from .table import DISCIPLINES, game, neutral, table

# an effect without choices; round 3 scores tracks only
QUIET = "library"
COLUMNS = {
    "banking": dict(banking=2),
    "law": dict(law=2),
    "engineering": dict(engineering=2),
    "medicine": dict(medicine=2),
    "banking+law": dict(banking=2, law=2),
    "engineering+medicine": dict(engineering=2, medicine=2),
}
OWNED = ["census", "sewage-system", "science"]  # once-effects, spent


def display(column, key=QUIET):
    return dict(innovations=[dict(key=key, column=column)], round=3)


def books(**counts):
    return {discipline: counts.get(discipline, 0) for discipline in DISCIPLINES}


def pays(t):
    """The payments on offer as multisets of disciplines."""
    return {tuple(text.split()[1:]) for text in t.legal("pay")}


# --- INN-2: what each column asks for --------------------------------------------------------------------------------
@pytest.mark.rule("INN-2", "INN-1")
@pytest.mark.parametrize("column", COLUMNS)
def test_the_books_of_each_column(column):
    fixed = COLUMNS[column]
    free = 5 - sum(fixed.values())
    other = next(discipline for discipline in DISCIPLINES if discipline not in fixed)
    t = table(dict(books=books(**fixed, **{other: free}), coins=5), **display(column)).do(f"innovate {QUIET}")
    assert t.asks == ""  # nothing to choose
    assert t.seat()["books"] == books() and t.seat()["innovations"] == [QUIET]
    assert t.change()["coins"] == -5
    # one book of the column too few, replaced by another
    for discipline in fixed:
        short = books(**{**fixed, discipline: 1, other: free + 1})
        assert table(dict(books=short), **display(column)).illegal(f"innovate {QUIET}") in {"INN-1", "INN-2", "ACT-2"}
    # one book too few in all
    short = books(**fixed, **{other: free - 1})
    assert table(dict(books=short), **display(column)).illegal(f"innovate {QUIET}") in {"INN-1", "INN-2", "ACT-2"}


@pytest.mark.rule("INN-2")
@pytest.mark.parametrize("column", COLUMNS)
def test_the_other_books_are_of_any_discipline_of_choice(column):
    fixed = COLUMNS[column]
    free = 5 - sum(fixed.values())
    have = books(**{discipline: fixed.get(discipline, 0) + 3 for discipline in DISCIPLINES})
    t = table(dict(books=have), **display(column)).do(f"innovate {QUIET}")
    assert t.asks == "pay" and t.pending["n"] == free
    assert pays(t) == set(combinations_with_replacement(DISCIPLINES, free))
    t.do("pay " + " ".join(["medicine"] * free))
    spent = {discipline: have[discipline] - t.seat()["books"][discipline] for discipline in DISCIPLINES}
    assert spent == books(**{**fixed, "medicine": fixed.get("medicine", 0) + free})


@pytest.mark.rule("INN-2")
def test_the_rulebooks_examples():
    # 2 banking + 3 of any and 5 coins without a palace
    t = table(dict(books=books(banking=3, law=2), coins=5), **display("banking")).do(f"innovate {QUIET}")
    assert t.change() == {"banking-book": -3, "law-book": -2, "coins": -5}
    # 2 banking + 2 law + 1 of any
    t = table(dict(books=books(banking=2, law=2, medicine=1), coins=5), **display("banking+law")).do(
        f"innovate {QUIET}"
    )
    assert t.change() == {"banking-book": -2, "law-book": -2, "medicine-book": -1, "coins": -5}


@pytest.mark.rule("INN-2", "SET-5")
@pytest.mark.parametrize(("players", "plain", "double"), [(2, 1, 1), (3, 2, 0), (4, 2, 1), (5, 3, 0)])
def test_places_of_the_columns_by_number_of_players(players, plain, double):
    for seed in range(3):
        places = [entry["column"] for entry in game(players=players, seed=seed).dict["innovations"]]
        assert [places.count(column) for column in COLUMNS] == [plain] * 4 + [double] * 2
        assert len(places) == {2: 6, 3: 8, 4: 10, 5: 12}[players]


# --- INN-1: the second and third, the surcharge ----------------------------------------------------------------------
@pytest.mark.rule("INN-1")
@pytest.mark.parametrize(("owned", "price"), [(0, 5), (1, 6), (2, 7)])
def test_five_six_and_seven_books(owned, price):
    seat = dict(coins=5, innovations=OWNED[:owned])
    t = table(dict(seat, books=books(law=price)), **display("law")).do(f"innovate {QUIET}")
    assert t.change() == {"law-book": -price, "coins": -5}
    assert table(dict(seat, books=books(law=price - 1)), **display("law")).illegal(f"innovate {QUIET}")
    # the additional books are of any discipline
    t = table(dict(seat, books=books(law=2, medicine=price - 2)), **display("law")).do(f"innovate {QUIET}")
    assert t.change() == {"law-book": -2, "medicine-book": 2 - price, "coins": -5}


@pytest.mark.rule("INN-1", "BOARD/wasteland")
@pytest.mark.parametrize(("owned", "price"), [(0, 5), (1, 5), (2, 7)])
def test_the_wasteland_board_pays_five_five_and_seven(owned, price):
    seat = dict(board="wasteland", coins=5, innovations=OWNED[:owned])
    assert (
        table(dict(seat, books=books(law=price)), **display("law")).do(f"innovate {QUIET}").change()["law-book"]
        == -price
    )
    assert table(dict(seat, books=books(law=price - 1)), **display("law")).illegal(f"innovate {QUIET}")


@pytest.mark.rule("INN-1")
def test_at_most_three_innovations():
    t = table(dict(books=books(law=12), coins=20, innovations=OWNED), **display("law"))
    assert t.illegal(f"innovate {QUIET}") == "INN-1"


@pytest.mark.rule("INN-1")
def test_five_coins_more_while_the_own_palace_is_not_built():
    seat = dict(board="desert", books=books(law=5))
    assert table(dict(seat, coins=4), **display("law")).illegal(f"innovate {QUIET}") in {"INN-1", "ACT-2"}
    assert table(dict(seat, coins=5), **display("law")).do(f"innovate {QUIET}").change() == {
        "law-book": -5,
        "coins": -5,
    }
    built = dict(seat, buildings={"E12": "palace"}, palace="17", coins=0)
    assert table(built, **display("law")).do(f"innovate {QUIET}").change() == {"law-book": -5}


@pytest.mark.rule("INN-1", "OPT/neutral_palace_waives_surcharge")
@pytest.mark.parametrize(("option", "coins"), [(False, 5), (True, 0)])
def test_a_neutral_palace_waives_the_surcharge_by_option_only(option, coins):
    seat = dict(
        board="desert", books=books(law=6), buildings={"E12": neutral("palace")}, innovations=["palace"], coins=9
    )
    t = table(seat, options={"neutral_palace_waives_surcharge": option}, **display("law")).do(f"innovate {QUIET}")
    assert t.change() == {"law-book": -6} | ({"coins": -coins} if coins else {})


@pytest.mark.rule("OPT/neutral_palace_waives_surcharge")
def test_neutral_palace_waives_surcharge_is_off_by_default():
    assert table().dict["options"]["neutral_palace_waives_surcharge"] is False


@pytest.mark.rule("INN-1")
def test_only_face_up_innovations():
    t = table(dict(books=books(law=9)), **display("law"))
    assert t.legal("innovate") == {f"innovate {QUIET}"}
    assert t.illegal("innovate steel") == "INN-1"


# --- INN-3 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("INN-3")
def test_places_are_not_refilled():
    two = [dict(key=QUIET, column="law"), dict(key="census", column="law")]
    t = table(dict(books=books(law=5)), innovations=two, round=3).do(f"innovate {QUIET}")
    assert t.dict["innovations"] == [dict(key="census", column="law")]


@pytest.mark.rule("INN-3", "INNO/deus-ex-machina")
def test_the_effect_comes_after_paying():
    # the book of deus-ex-machina cannot pay for it
    t = table(dict(books=books(law=4), coins=9), **display("law", "deus-ex-machina"))
    assert "innovate deus-ex-machina" not in t.legal()
    t = table(dict(books=books(law=5), coins=9), **display("law", "deus-ex-machina")).do("innovate deus-ex-machina")
    while t.asks in ("resolve", "steps"):
        t.do(sorted(t.legal())[0])
    assert t.asks == "books" and sum(t.seat()["books"].values()) == 0
    t.do("books medicine")
    assert t.seat()["books"] == books(medicine=1)


@pytest.mark.rule("INN-3", "INNO/library", "RS/innovation-law")
def test_taking_one_scores_the_round_tile_and_its_effect():
    science = dict(banking=5, law=3, engineering=1, medicine=0)
    t = table(dict(books=books(law=5), science=science), innovations=[dict(key=QUIET, column="law")], round=2).do(
        f"innovate {QUIET}"
    )
    assert (t.vp_from("round_tile"), t.vp_from("innovation")) == (5, 8)
