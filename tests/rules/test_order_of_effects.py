"""In which order the effects of a build are resolved, and what may be declined (ORD)."""

from __future__ import annotations

import pytest

from .table import rounds, table

# 1 + 2 + 2 + 1 power in 4 buildings: a guild on E12 founds a city
CITY = {"E12": "workshop", "E13": "school", "F12": "guild", "F13": "workshop"}
SEAT = dict(board="desert", coins=30, tools=20, bowls=[12, 0, 0])
PALACE_CITY = {"E12": "guild", "E13": "workshop", "F12": "guild", "F13": "workshop"}  # 6 power: a palace makes it 7
NEIGHBOUR = dict(board="swamp", buildings={"F11": "guild"}, bowls=[12, 0, 0])


def palace_city(**options):
    """E12 becomes the palace with tile 5 (a competency) and founds a city: 3 + 1 + 2 + 1 power in 4 buildings."""
    seat = dict(SEAT, buildings=PALACE_CITY)
    t = table(seat, NEIGHBOUR, palaces=["5", "17"], options=options)
    return t.do("upgrade E12 palace")


@pytest.mark.rule("ORD-1")
def test_first_the_vp_that_the_build_scores():
    tiles = rounds({2: "school-banking"})
    seat = dict(SEAT, buildings={"E12": "guild"})
    t = table(seat, round_tiles=tiles).do("upgrade E12 school")
    assert t.asks == "competency" and t.vp_from("round_tile") == 4


@pytest.mark.rule("ORD-1", "OPT/effect_order")
@pytest.mark.parametrize("first", ["resolve palace", "resolve city"])
def test_the_active_player_chooses_whether_the_palace_tile_or_the_city_comes_first(first):
    t = palace_city()
    assert t.asks == "resolve" and t.legal() == {"resolve palace", "resolve city"}
    t.do(first)
    assert t.asks == ("palace" if first == "resolve palace" else "city_tile")


@pytest.mark.rule("ORD-1", "OPT/effect_order")
def test_with_the_fixed_order_the_tile_comes_before_the_city():
    t = palace_city(effect_order="fixed")
    assert t.asks == "palace"
    t.do("palace 17")
    assert t.asks == "city_tile"


@pytest.mark.rule("ORD-1")
def test_a_city_is_founded_at_its_check_and_only_its_tile_waits():
    t = palace_city()
    assert t.seat()["buildings"]["E12"]["city"] is True and t.seat()["city_tiles"] == []
    t.do("resolve palace", "palace 17")
    assert t.asks == "city_tile" and t.seat()["keys"] == 0
    t.do("city coins")
    assert t.seat()["keys"] == 1 and t.seat()["city_tiles"] == ["coins"]


@pytest.mark.rule("ORD-1", "POW-5")
def test_last_the_offers():
    t = palace_city().do("resolve city", "city coins", "palace 17")
    assert t.asks == "offer" and t.mover == 1
    t.do("accept")
    assert t.asks == "" and t.mover == 0 and t.stage == "after"


@pytest.mark.rule("ORD-1", "PAL/15")
def test_each_part_of_palace_fifteen_is_complete_before_the_next():
    # palace 3, guild 2, workshop 1; the workshop of the spades makes it 7 in four buildings
    seat = dict(SEAT, buildings={"E12": "guild", "E13": "workshop", "F12": "guild"})
    t = table(seat, palaces=["15"]).do("upgrade E12 palace")
    t.do("resolve palace/15 spades", "transform F13>desert", "build F13")
    assert t.asks == "city_tile"  # the city belongs to the part of the spades: it is not put among the others
    t.do("city books", "books law law")
    assert t.asks == "resolve" and t.legal() == {"resolve palace/15 bridges", "resolve palace/15 books"}


@pytest.mark.rule("ORD-1", "CITY/spades")
def test_nested_builds_do_the_same_and_their_offers_come_last_too():
    t = palace_city().do("resolve city", "city spades")
    while t.asks == "resolve":
        t.do(next(text for text in sorted(t.legal()) if "spades" in text))
    # D12 (mountain, two steps) has no building of a neighbour beside it
    t.do("transform D12>desert", "build D12", "palace 17")
    assert t.asks == "offer" and t.pending["hex"] == "E12" and t.mover == 1
    t.do("accept")
    assert t.asks == "" and t.mover == 0


@pytest.mark.rule("ORD-1", "OPT/effect_order", "COMP/5")
def test_a_competencys_steps_and_its_own_effect_are_parts_in_the_chosen_order():
    # competency 5 stands on 2 steps + 1 book of law; the book comes at once
    seat = dict(SEAT, buildings={"E12": "guild"})
    start = table(seat).do("upgrade E12 school", "competency 5")
    assert start.asks == "resolve" and start.legal() == {"resolve competency/5 steps", "resolve competency/5 spades"}
    assert start.seat()["books"]["law"] == 1 and start.seat()["science"]["law"] == 0
    start.do("resolve competency/5 spades")
    assert start.asks == "spades" and start.seat()["science"]["law"] == 0
    start.do("transform F11>desert", "decline")
    assert start.seat()["science"]["law"] == 2
    other = table(seat).do("upgrade E12 school", "competency 5", "resolve competency/5 steps")
    assert other.asks == "spades" and other.seat()["science"]["law"] == 2
    fixed = table(seat, options={"effect_order": "fixed"}).do("upgrade E12 school", "competency 5")
    assert fixed.asks == "spades" and fixed.seat()["science"]["law"] == 2


@pytest.mark.rule("ORD-1", "OPT/effect_order", "INNO/deus-ex-machina")
def test_effects_of_several_parts_without_a_build_are_resolved_in_the_same_way():
    seat = dict(SEAT, books=dict(law=5))
    top = dict(innovations=[dict(key="deus-ex-machina", column="law")], round=5)
    t = table(seat, **top).do("innovate deus-ex-machina")
    parts = {"resolve innovation/deus-ex-machina books", "resolve innovation/deus-ex-machina steps"}
    assert t.asks == "resolve" and t.legal() == parts
    t.do("resolve innovation/deus-ex-machina books", "books law")
    assert t.seat()["science"] == dict.fromkeys(["banking", "law", "engineering", "medicine"], 1)
    fixed = table(seat, options={"effect_order": "fixed"}, **top).do("innovate deus-ex-machina")
    assert fixed.asks == "books" and fixed.seat()["science"]["law"] == 1


@pytest.mark.rule("ORD-1", "OPT/effect_order", "PAL/15")
def test_the_fixed_order_has_books_before_the_rest_of_a_tile():
    seat = dict(SEAT, buildings={"E4": "guild"})
    t = table(seat, palaces=["15"], options={"effect_order": "fixed"}).do("upgrade E4 palace")
    assert t.asks == "books"
    assert table(seat, palaces=["15"]).do("upgrade E4 palace").asks == "resolve"


@pytest.mark.rule("OPT/effect_order", "OPT/offer_time", "OPT/offer_order", "OPT/bought_must_reach_home")
def test_the_defaults():
    options = table().dict["options"]
    assert options["effect_order"] == "choice" and options["offer_time"] == "end" and options["offer_order"] == "turn"
    assert options["bought_must_reach_home"] is True


# --- ORD-2 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("ORD-2")
def test_competencies_palace_tiles_and_city_tiles_cannot_be_declined():
    t = table(dict(SEAT, buildings={"E12": "guild"})).do("upgrade E12 school")
    assert t.asks == "competency" and "decline" not in t.legal()
    t = table(dict(SEAT, buildings={"E12": "guild"}), palaces=["1", "2"]).do("upgrade E12 palace")
    assert t.asks == "palace" and "decline" not in t.legal()
    t = table(dict(SEAT, buildings=CITY)).do("upgrade E12 guild")
    assert t.asks == "city_tile" and t.legal() == {
        f"city {key}" for key in ("tools", "spades", "books", "coins", "science", "power", "scholar")
    }


@pytest.mark.rule("ORD-2")
def test_steps_and_books_cannot_be_declined():
    t = table(dict(SEAT, books=dict(law=1)), book_actions=["science", "power", "coins"]).do("book science")
    assert t.asks == "steps" and "decline" not in t.legal()
    t = table(dict(SEAT, scholars=1, sailing=1)).do("advance sailing")
    assert t.asks == "books" and "decline" not in t.legal()


@pytest.mark.rule("ORD-2")
def test_steps_cannot_be_spent_on_a_discipline_in_which_none_can_be_taken():
    seat = dict(SEAT, books=dict(law=1), science=dict(law=12, medicine=7, banking=7), keys=0)
    t = table(seat, book_actions=["science", "power", "coins"]).do("book science")
    if t.asks == "steps":
        assert t.legal() == {"step engineering"}
        t.do("step engineering")
    assert t.seat()["science"] == dict(banking=7, law=12, engineering=2, medicine=7)


@pytest.mark.rule("ORD-2", "COMP/5")
def test_spades_of_an_effect_may_be_declined_whole():
    t = table(dict(SEAT, buildings={"E12": "guild"})).do(
        "upgrade E12 school", "competency 5", "resolve competency/5 spades"
    )
    assert "decline" in t.legal()
    t.do("decline")
    assert t.asks != "spades" and t.dict["terrain"]["F11"] == "swamp"


@pytest.mark.rule("ORD-2", "PAL/16")
def test_palace_sixteens_guild_may_be_declined():
    t = table(dict(SEAT, buildings={"A12": "guild"}), palaces=["16"]).do("upgrade A12 palace")
    if t.asks == "palace":
        t.do("palace 16")
    assert t.asks == "free_piece" and {"decline", "place E12 guild"} <= t.legal()
    t.do("decline")
    assert t.asks == "" and t.kind_at("E12") is None
