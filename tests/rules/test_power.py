"""Power: bowls, sacrifices, power from neighbours (POW)."""

from __future__ import annotations

import pytest

from .table import annexed, in_city, neutral, table

# E12 is the builder's; E13 lies beside D12, D13, E12, F12, F13
BUILDER = dict(board="desert", buildings={"E12": "workshop"}, coins=30, tools=20)
E13 = {"E13": "desert"}


def neighbour(buildings, **more):
    return dict(board="swamp", buildings=buildings, **{"bowls": [12, 0, 0], **more})


def offered(t, seat=1):
    """(power, cost) of the offer to answer now, or None."""
    if t.asks != "offer":
        return None
    assert t.mover == seat == t.pending["seat"]
    assert t.legal() == {"accept", "decline"}
    return t.pending["power"], t.pending["cost"]


# --- bowls -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("POW-1")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([12, 0, 0], [7, 5, 0]),
        ([5, 7, 0], [0, 12, 0]),
        ([3, 2, 7], [0, 3, 9]),
        ([0, 7, 5], [0, 2, 10]),
        ([1, 1, 10], [0, 0, 12]),  # 3 of the 5 are gained
        ([1, 0, 11], [0, 0, 12]),  # 2 of the 5
        ([0, 1, 11], [0, 0, 12]),  # 1 of the 5
    ],
)
def test_five_power(before, after):
    seat = dict(bowls=before, books=dict(law=1))
    t = table(seat, book_actions=["power", "coins", "guild"]).do("book power")
    assert t.seat()["bowls"] == after


@pytest.mark.rule("POW-1", "ACT-2")
def test_with_all_tokens_in_bowl_three_all_is_lost_and_no_action_may_be_for_that_alone():
    top = dict(book_actions=["power", "coins", "guild"])
    assert table(dict(bowls=[0, 0, 12], books=dict(law=1)), **top).illegal("book power") == "ACT-2"
    others = dict(passed=True)
    t = table(
        dict(bowls=[0, 0, 12]), others, others, next_order=[1, 2], bonus_tiles={"guild": 0, "river": 0, "scholar": 0}
    )
    assert t.do("pass guild").end().seat()["bowls"] == [0, 0, 12]


@pytest.mark.rule("POW-1", "RB/guild")
def test_three_power_with_two_tokens_in_bowl_one():
    # the rulebook's example: two tokens go from I to II, then one from II to III
    seat = dict(bowls=[2, 10, 0], bonus="coins")
    others = dict(passed=True)
    t = table(seat, others, others, next_order=[1, 2], bonus_tiles={"guild": 0, "river": 0, "scholar": 0})
    t.do("pass guild").end()
    assert t.seat()["bowls"] == [0, 11, 1]


@pytest.mark.rule("POW-2", "PA/tools")
def test_spent_power_goes_from_bowl_three_to_bowl_one():
    assert table(dict(bowls=[1, 2, 9])).do("power tools").seat()["bowls"] == [5, 2, 5]


@pytest.mark.rule("POW-2", "ACT-2")
def test_only_bowl_three_pays():
    t = table(dict(bowls=[4, 5, 3]))
    assert t.illegal("power tools") in {"POW-2", "ACT-2", "PA-1"}
    assert t.illegal("convert 5power>scholar") in {"POW-2", "ACT-2", "CONV-1"}
    assert "convert 3power>tool" in t.legal()


@pytest.mark.rule("POW-3")
def test_a_sacrifice_removes_one_token_and_raises_another():
    t = table(dict(bowls=[3, 5, 4]))
    assert t.do("sacrifice").seat()["bowls"] == [3, 3, 5]
    assert t.do("sacrifice").seat()["bowls"] == [3, 1, 6]
    assert t.illegal("sacrifice") == "POW-3"


@pytest.mark.rule("POW-3")
@pytest.mark.parametrize(("bowl2", "allowed"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_sacrifice_needs_two_tokens_in_bowl_two(bowl2, allowed):
    assert ("sacrifice" in table(dict(bowls=[5, bowl2, 3])).legal()) is allowed


@pytest.mark.rule("POW-3", "CONV-2")
def test_sacrifices_before_and_after_the_action_but_not_inside():
    seat = dict(BUILDER, bowls=[0, 6, 2])
    t = table(seat).do("sacrifice", "transform E13>desert")
    assert t.asks == "spades" and "sacrifice" not in t.legal()
    t.do("build E13", "sacrifice", "sacrifice", "end")
    assert t.seat()["bowls"] == [0, 0, 5]


# --- power from neighbours -------------------------------------------------------------------------------------------
@pytest.mark.rule("POW-4")
def test_workshop_and_school_beside_a_new_workshop_offer_three_power_for_two_vp():
    # the rulebook's example: the guild is not adjacent and does not count
    t = table(BUILDER, neighbour({"D12": "workshop", "F12": "school", "C13": "guild"}), terrain=E13)
    t.do("build E13")
    assert offered(t) == (3, 2)
    t.mark().do("accept")
    assert t.change(1) == {"vp": -2, "bowl1": -3, "bowl2": 3}
    assert t.vp_from("power", 1) == -2


@pytest.mark.rule("POW-4", "ORD-2")
def test_an_offer_may_be_declined():
    t = table(BUILDER, neighbour({"D12": "workshop", "F12": "school"}), terrain=E13).do("build E13").mark()
    assert t.do("decline").change(1) == {}
    assert t.mover == 0 and t.stage == "after"


@pytest.mark.rule("POW-4")
@pytest.mark.parametrize(
    ("building", "value"),
    [
        ("workshop", 1),
        ("guild", 2),
        ("school", 2),
        ("university", 3),
        ("palace", 3),
        (neutral("workshop"), 1),
        (neutral("guild"), 2),
        (neutral("school"), 2),
        (neutral("university"), 3),
        (neutral("palace"), 3),
        (neutral("tower"), 2),
        (neutral("monument"), 4),
        (annexed("workshop"), 2),
        (annexed("guild"), 3),
        (annexed("university"), 4),
        ({"kind": "monument", "neutral": True, "annex": True}, 5),
        (in_city("guild"), 2),
    ],
)
def test_the_power_value_of_each_building(building, value):
    t = table(BUILDER, neighbour({"D12": building}), terrain=E13).do("build E13")
    assert offered(t) == (value, value - 1)
    t.mark().do("accept")
    assert t.change(1) == {"bowl1": -value, "bowl2": value} | ({"vp": 1 - value} if value > 1 else {})


@pytest.mark.rule("POW-4")
@pytest.mark.parametrize(
    ("bowls", "vp", "gain", "after"),
    [
        ([12, 0, 0], 20, 5, [7, 5, 0]),
        ([0, 3, 9], 20, 3, [0, 0, 12]),  # bowl II holds 3
        ([1, 0, 11], 20, 2, [0, 0, 12]),  # one token can rise twice
        ([1, 1, 10], 20, 3, [0, 0, 12]),
        ([2, 0, 10], 20, 4, [0, 0, 12]),
        ([0, 1, 11], 20, 1, [0, 0, 12]),
        ([12, 0, 0], 4, 5, [7, 5, 0]),  # 4 VP pay for 5 power
        ([12, 0, 0], 3, 4, [8, 4, 0]),
        ([12, 0, 0], 1, 2, [10, 2, 0]),
        ([12, 0, 0], 0, 1, [11, 1, 0]),
    ],
)
def test_an_offer_is_bounded_by_the_bowls_and_by_the_vp(bowls, vp, gain, after):
    # university 3 + school 2 = 5 power
    t = table(BUILDER, neighbour({"D12": "university", "F12": "school"}, bowls=bowls, vp=vp), terrain=E13).do(
        "build E13"
    )
    t.mark().do("accept")
    assert t.seat(1)["bowls"] == after
    assert t.vp(1) == vp - (gain - 1)


@pytest.mark.rule("POW-4")
def test_no_offer_to_a_seat_whose_tokens_are_all_in_bowl_three():
    t = table(BUILDER, neighbour({"D12": "university"}, bowls=[0, 0, 12]), terrain=E13).do("build E13")
    assert offered(t) is None and t.mover == 0


@pytest.mark.rule("POW-4")
def test_the_new_buildings_own_value_plays_no_role():
    for kind, text in (("workshop", "upgrade E12 guild"), ("guild", "upgrade E12 school")):
        t = table(dict(BUILDER, buildings={"E12": kind}), neighbour({"F12": "workshop"})).do(text)
        while t.asks and t.asks != "offer":
            t.do(sorted(t.legal())[0])
        assert offered(t) == (1, 0)


@pytest.mark.rule("POW-4", "UP-4")
@pytest.mark.parametrize(
    ("kind", "text"), [("workshop", "guild"), ("guild", "school"), ("guild", "palace"), ("school", "university")]
)
def test_every_upgrade_gives_an_offer(kind, text):
    seat = dict(BUILDER, buildings={"E12": kind})
    t = table(seat, neighbour({"F12": "guild"}), palaces=["17"]).do(f"upgrade E12 {text}")
    while t.asks and t.asks != "offer":
        t.do(sorted(t.legal())[0])
    assert offered(t) == (2, 1)


@pytest.mark.rule("POW-4", "PA/book guild")
def test_a_free_upgrade_gives_an_offer():
    seat = dict(BUILDER, books=dict(law=2))
    t = table(seat, neighbour({"F12": "guild"}), book_actions=["guild", "power", "coins"]).do("book guild")
    if t.asks == "exchange":
        t.do("upgrade E12 guild")
    assert offered(t) == (2, 1)


@pytest.mark.rule("POW-4", "PAL/4", "PAL/3")
@pytest.mark.parametrize(("palace", "kind"), [("4", "workshop"), ("3", "school")])
def test_the_palace_exchanges_give_an_offer(palace, kind):
    seat = dict(BUILDER, buildings={"E12": kind, "A12": "palace"}, palace=palace)
    t = table(seat, neighbour({"F12": "guild"})).do(f"special palace/{palace}")
    if t.asks == "exchange":
        t.do("upgrade E12 guild")
    assert offered(t) == (2, 1)


@pytest.mark.rule("POW-4", "PAL/16")
def test_palace_sixteens_guild_gives_an_offer_of_its_own():
    seat = dict(BUILDER, buildings={"A12": "guild"})
    t = table(seat, neighbour({"F12": "guild"}), palaces=["16"]).do("upgrade A12 palace")
    while t.asks == "palace":
        t.do("palace 16")
    t.do("place E12 guild")
    assert offered(t) == (2, 1)


@pytest.mark.rule("POW-4", "NEUT-2")
def test_a_neutral_building_gives_an_offer():
    seat = dict(BUILDER, books=dict(law=5), coins=5)
    t = table(seat, neighbour({"F12": "guild"}), terrain=E13, innovations=[dict(key="workshop", column="law")])
    t.do("innovate workshop", "place E13 workshop")
    assert offered(t) == (2, 1)


@pytest.mark.rule("POW-4", "ADJ-1")
def test_a_neighbour_across_a_bridge_gets_an_offer():
    # F12 and H12 face each other over the river
    seat = dict(BUILDER, buildings={"H11": "workshop"})
    other = neighbour({"F12": "guild"})
    assert offered(table(seat, other, terrain={"H12": "desert"}).do("build H12")) is None
    for owner in (0, 1):
        t = table(seat, other, terrain={"H12": "desert"}, bridges=[["F12", "H12", owner]]).do("build H12")
        assert offered(t) == (2, 1)


@pytest.mark.rule("POW-4")
def test_transforming_gives_no_offer():
    t = table(BUILDER, neighbour({"D12": "university"})).do("transform E13>desert", "decline")
    assert t.asks == "" and t.mover == 0


@pytest.mark.rule("POW-4", "BR-1")
def test_bridging_gives_no_offer():
    seat = dict(BUILDER, buildings={"F12": "workshop"}, bowls=[0, 0, 3])
    t = table(seat, neighbour({"H12": "university"})).do("power bridge")
    assert t.dict["bridges"] == [["F12", "H12", 0]]
    assert t.asks == "" and t.mover == 0


@pytest.mark.rule("POW-4", "COMP/6")
def test_annexing_gives_no_offer():
    seat = dict(BUILDER, competencies=["6"], annexes=1)
    t = table(seat, neighbour({"F12": "university"})).do("annex E12")
    assert t.asks == "" and t.mover == 0


@pytest.mark.rule("POW-4")
def test_seats_that_have_passed_still_get_offers_also_in_round_six():
    for round_ in (2, 6):
        t = table(
            BUILDER,
            neighbour({"D12": "guild"}, passed=True),
            terrain=E13,
            round=round_,
            next_order=[1],
            final_tile="guild",
        )
        t.do("build E13")
        assert offered(t) == (2, 1)
        assert t.do("accept").vp(1) == 19


@pytest.mark.rule("POW-4")
def test_the_builder_gets_nothing_from_its_own_buildings():
    t = table(dict(BUILDER, buildings={"E12": "university", "D12": "guild"}), terrain=E13).do("build E13")
    assert t.asks == "" and t.mover == 0


# --- when and in which order -----------------------------------------------------------------------------------------
@pytest.mark.rule("POW-5", "OPT/offer_order")
@pytest.mark.parametrize(
    ("option", "order", "active", "expected"),
    [
        ("turn", [0, 1, 2, 3], 0, [1, 2, 3]),
        ("turn", [3, 2, 1, 0], 0, [3, 2, 1]),
        ("turn", [2, 0, 3, 1], 0, [3, 1, 2]),
        ("seat", [0, 1, 2, 3], 0, [1, 2, 3]),
        ("seat", [3, 2, 1, 0], 0, [1, 2, 3]),
        ("seat", [2, 0, 3, 1], 0, [1, 2, 3]),
    ],
)
def test_offers_are_decided_in_turn_order_or_by_seat(option, order, active, expected):
    others = [
        dict(board="swamp", buildings={"D12": "workshop"}),
        dict(board="lake", buildings={"F12": "workshop"}),
        dict(board="forest", buildings={"D13": "workshop"}),
    ]
    t = table(BUILDER, *others, terrain=E13, order=order, active=active, options={"offer_order": option}).do(
        "build E13"
    )
    asked = []
    while t.asks == "offer":
        asked.append(t.mover)
        t.do("accept")
    assert asked == expected


@pytest.mark.rule("POW-5", "OPT/offer_order")
def test_with_offer_order_seat_the_seats_are_asked_from_the_one_after_the_active_seat():
    seats = [
        dict(board="swamp", buildings={"D12": "workshop"}),
        dict(board="lake", buildings={"F12": "workshop"}),
        BUILDER,
        dict(board="forest", buildings={"D13": "workshop"}),
    ]
    t = table(*seats, terrain=E13, order=[0, 1, 2, 3], active=2, options={"offer_order": "seat"}).do("build E13")
    asked = []
    while t.asks == "offer":
        asked.append(t.mover)
        t.do("decline")
    assert asked in ([3, 0, 1], [0, 1, 3])


# a palace with tile 15: H12 becomes the palace; a bridge F12-H12; a workshop on I13
def palace_fifteen(**options):
    seat = dict(board="desert", buildings={"H12": "guild"}, coins=30, tools=20)
    other = neighbour({"F12": "guild", "I13": "school"})
    t = table(seat, other, palaces=["15"], terrain={"I12": "desert", "H11": "wasteland"}, options=options)
    t.do("upgrade H12 palace")
    if t.asks == "palace":
        t.do("palace 15")
    return t


@pytest.mark.rule("POW-5", "PAL/15")
def test_a_bridge_built_later_in_the_same_action_adds_nothing_to_the_offer_of_the_palace():
    t = palace_fifteen().do("resolve palace/15 bridges", "bridge F12-H12")
    while t.asks and t.asks != "offer":
        t.do("decline" if "decline" in t.legal() else sorted(t.legal())[0])
    assert offered(t) == (2, 1)  # the school on I13 only
    t.do("accept")
    assert t.asks == "" and t.mover == 0


@pytest.mark.rule("POW-5", "PAL/15")
def test_one_series_of_offers_for_each_build_after_the_whole_action():
    # the palace beside I13's school: 2; then a workshop on I12 beside I13's school: 2 again
    t = palace_fifteen().do("resolve palace/15 spades", "build I12")
    while t.asks and t.asks != "offer":
        t.do("decline" if "decline" in t.legal() else sorted(t.legal())[0])
    assert offered(t) == (2, 1) and t.pending["hex"] == "H12"
    t.do("accept")
    assert offered(t) == (2, 1) and t.pending["hex"] == "I12"
    t.do("accept")
    assert t.vp(1) == 18 and t.mover == 0 and t.asks == ""


@pytest.mark.rule("POW-5")
def test_the_second_offer_of_an_action_is_bounded_by_what_is_left_then():
    seat = dict(board="desert", buildings={"H12": "guild"}, coins=30, tools=20)
    other = neighbour({"I13": "school"}, bowls=[0, 3, 9])
    t = table(seat, other, palaces=["15"], terrain={"I12": "desert"}).do("upgrade H12 palace")
    if t.asks == "palace":
        t.do("palace 15")
    t.do("resolve palace/15 spades", "build I12")
    while t.asks and t.asks != "offer":
        t.do("decline" if "decline" in t.legal() else sorted(t.legal())[0])
    t.do("accept")
    assert t.seat(1)["bowls"] == [0, 1, 11] and t.vp(1) == 19
    t.do("accept")
    assert t.seat(1)["bowls"] == [0, 0, 12] and t.vp(1) == 19


@pytest.mark.rule("POW-5", "OPT/offer_time")
def test_offers_come_at_the_end_of_the_action_or_at_each_build():
    assert palace_fifteen(offer_time="end").asks == "resolve"
    t = palace_fifteen(offer_time="each_build")
    assert offered(t) == (2, 1) and t.pending["hex"] == "H12"
    t.do("accept")
    assert t.mover == 0 and t.asks == "resolve"
    t.do("resolve palace/15 spades", "build I12")
    assert offered(t) == (2, 1) and t.pending["hex"] == "I12"


@pytest.mark.rule("POW-5", "OPT/offer_time")
def test_with_offers_at_the_end_the_neighbour_decides_with_the_bowls_it_has_then():
    # nothing that the builder does later in the action changes the neighbour, so both orders give the same sum
    for option in ("end", "each_build"):
        t = palace_fifteen(offer_time=option)
        while t.asks:
            legal = t.legal()
            t.do(next(text for text in ("accept", "decline", *sorted(legal)) if text in legal))
        assert t.vp(1) == 19
