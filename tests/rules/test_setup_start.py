"""Starting goods, starting buildings, set-up competencies and spades (SET-11 to SET-16)."""

from __future__ import annotations

import pytest

from .printed_maps import land, reached, terrain
from .table import game, ruleset

BONUS = ["science", "scholar", "palace-university", "guild", "coins"]


def deal(*pairs, bonus=BONUS):
    """A dealt game: (faction, board) by seat."""
    return [
        dict(faction=faction, board=board, bonus=tile) for (faction, board), tile in zip(pairs, bonus, strict=False)
    ]


def start(*pairs, seed=7, **options):
    return game(players=len(pairs), seed=seed, deal=deal(*pairs), **options)


QUIET = [("felines", "swamp"), ("blessed", "lake"), ("moles", "forest")]


def place_all(t):
    """Every seat places its pieces on the first home hexes; ends before competencies and spades."""
    while t.phase in ("start_choices", "placement"):
        t.do(sorted(t.legal())[0])
    return t


# --- SET-11 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-11")
def test_the_goods_that_everybody_starts_with():
    seat = start(("inventors", "desert"), *QUIET).seat()
    assert seat["vp"] == 20 and seat["vp_from"]["start"] == 20
    assert (seat["coins"], seat["tools"], seat["scholars"]) == (15, 3, 0)
    assert seat["bowls"] == [5, 7, 0]
    assert seat["books"] == dict(banking=0, law=0, engineering=0, medicine=0) == seat["science"]
    assert (seat["sailing"], seat["terraforming"], seat["keys"], seat["annexes"]) == (0, 0, 0, 0)
    assert (seat["scholar_supply"], seat["bridge_supply"]) == (7, 3)


@pytest.mark.rule(
    "SET-11", "BOARD/swamp", "BOARD/forest", "BOARD/lake", "BOARD/wasteland", "BOARD/mountain", "BOARD/plains"
)
@pytest.mark.parametrize(
    ("board", "changes"),
    [
        ("desert", {}),
        ("plains", {}),
        ("swamp", dict(scholars=1, scholar_supply=6, bowls=[3, 9, 0])),
        ("lake", dict(sailing=1)),
        ("forest", dict(science=dict(banking=1, law=1, engineering=1, medicine=1), bowls=[4, 8, 0])),
        ("mountain", {}),
        ("wasteland", dict(tools=4)),
    ],
)
def test_then_the_changes_of_the_board(board, changes):
    rest = [pair for pair in QUIET if pair[1] != board]
    plain = start(("inventors", "desert"), *QUIET).seat()
    seat = start(("inventors", board), *rest).seat()
    for key in (
        "vp",
        "coins",
        "tools",
        "scholars",
        "bowls",
        "science",
        "sailing",
        "scholar_supply",
        "bridge_supply",
        "books",
    ):
        assert seat[key] == changes.get(key, plain[key]), key


@pytest.mark.rule("SET-11", "SCI-1", "FAC/navigators")
def test_power_of_science_levels_reached_in_set_up_is_gained():
    assert start(("navigators", "desert"), *QUIET).seat()["bowls"] == [4, 8, 0]
    # navigators on the forest board: law 4, still 1 power, from bowls 4/8
    assert start(("navigators", "forest"), *QUIET[:2]).seat()["bowls"] == [3, 9, 0]
    assert start(("blessed", "forest"), *QUIET[:1], ("moles", "lake")).seat()["bowls"] == [4, 8, 0]  # level 2 each


# --- SET-12 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-12", "FAC/lizards", "BOARD/wasteland")
def test_lizards_steps_and_the_wastelands_book_come_before_placing_in_turn_order():
    t = start(("felines", "wasteland"), ("lizards", "desert"), ("blessed", "lake"))
    assert t.phase == "start_choices" and t.mover == 0 and t.asks == "books"
    assert t.legal() == {"books banking", "books law", "books engineering", "books medicine"}
    t.do("books law")
    assert t.mover == 1 and t.asks == "steps"
    t.do("step law", "step medicine")
    assert t.phase == "placement"
    assert t.seat(0)["books"]["law"] == 1 and t.seat(1)["science"] == dict(banking=0, law=1, engineering=0, medicine=1)


@pytest.mark.rule("SET-12", "FAC/lizards")
def test_lizards_may_take_both_steps_in_one_discipline():
    t = start(("lizards", "desert"), *QUIET).do("step law", "step law")
    assert t.seat()["science"]["law"] == 2 and t.phase == "placement"


@pytest.mark.rule("SET-12")
def test_lizards_on_the_wasteland_board_have_both():
    t = start(("lizards", "wasteland"), *QUIET)
    while t.phase == "start_choices":
        assert t.mover == 0
        t.do(sorted(t.legal())[0])
    assert sum(t.seat()["science"].values()) == 2 and sum(t.seat()["books"].values()) == 1 and t.seat()["tools"] == 4


# --- SET-13 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-13")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_workshop_each_in_turn_order_then_another_in_reverse_order(players):
    pairs = [
        ("felines", "swamp"),
        ("blessed", "lake"),
        ("moles", "forest"),
        ("goblins", "plains"),
        ("psychics", "mountain"),
    ][:players]
    t = start(*pairs)
    movers = []
    while t.phase == "placement":
        seat = t.seat(t.mover)
        free = {name for name in land(t.dict["map"]) if terrain(t.dict["map"])[name] == seat["board"]} - set(
            seat["buildings"]
        )
        assert t.legal() == {f"place {name} workshop" for name in free}  # any free home hex anywhere
        movers.append(t.mover)
        t.do(sorted(t.legal())[0])
    assert movers == [*range(players), *reversed(range(players))]
    assert all(len(seat["buildings"]) == 2 for seat in t.dict["seats"])


@pytest.mark.rule("SET-13")
def test_starting_placement_is_no_build():
    # navigators, the river tile and palace tiles would pay for workshops; nothing is paid, nobody is asked
    t = game(
        players=3,
        seed=7,
        deal=[
            dict(faction="navigators", board="desert", bonus="river"),
            dict(faction="felines", board="plains", bonus="guild"),
            dict(faction="goblins", board="wasteland", bonus="power"),
        ],
    )
    while t.phase == "start_choices":
        t.do(sorted(t.legal())[0])
    # D6 and E11 (wasteland) lie beside C6 and D11 (plains), D5 and E12 (desert)
    t.mark().do(
        "place D5 workshop", "place C6 workshop", "place D6 workshop", "place E11 workshop", "place D11 workshop"
    )
    t.do("place E12 workshop")
    assert t.vp(0) == t.vp(1) == t.vp(2) == 20
    assert t.seat(0)["tools"] == 3 and t.seat(0)["coins"] == 15 and t.seat(0)["competencies"] == []


@pytest.mark.rule("SET-13", "FAC/omar")
def test_omar_places_a_third_piece_in_an_order_of_its_choice():
    for tower in (0, 1, 2):
        t = start(("omar", "desert"), ("felines", "swamp"), ("blessed", "lake"))
        movers = []
        placed = 0
        while t.phase == "placement":
            movers.append(t.mover)
            if t.mover == 0:
                kind = "tower" if placed == tower else "workshop"
                pieces = {text.split()[2] for text in t.legal("place")}
                assert kind in pieces and pieces == set(t.seat()["start_pieces"])
                t.do(sorted(text for text in t.legal() if text.endswith(kind))[0])
                placed += 1
            else:
                t.do(sorted(t.legal())[0])
        assert movers == [0, 1, 2, 2, 1, 0, 0]
        kinds = sorted(building["kind"] for building in t.seat()["buildings"].values())
        assert kinds == ["tower", "workshop", "workshop"]
        assert [b["neutral"] for b in t.seat()["buildings"].values() if b["kind"] == "tower"] == [True]
        assert not any(b["neutral"] for b in t.seat()["buildings"].values() if b["kind"] == "workshop")
        assert t.vp() == 20


@pytest.mark.rule("SET-13", "FAC/omar")
def test_omars_third_piece_comes_after_all_second_ones():
    t = start(("felines", "swamp"), ("blessed", "lake"), ("omar", "desert"))
    movers = []
    while t.phase == "placement":
        movers.append(t.mover)
        t.do(sorted(t.legal())[0])
    assert movers == [0, 1, 2, 2, 1, 0, 2]


@pytest.mark.rule("SET-13", "SET-14", "FAC/monks")
def test_monks_place_their_university_last_of_all():
    t = start(("monks", "desert"), ("omar", "swamp"), ("blessed", "lake"))
    movers = []
    while t.phase == "placement":
        movers.append(t.mover)
        if t.mover == 0:
            deserts = {name for name in land("3-5") if terrain("3-5")[name] == "desert"}
            assert t.legal() == {f"place {name} university" for name in deserts}
        t.do(sorted(t.legal())[0])
    assert movers == [1, 2, 2, 1, 1, 0]
    assert [building["kind"] for building in t.seat()["buildings"].values()] == ["university"]
    assert (t.phase, t.mover) == ("start_competency", 0)


# --- SET-14 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-14", "FAC/inventors", "FAC/monks", "COMP-1", "COMP-2")
def test_monks_and_inventors_take_a_competency_in_turn_order():
    t = place_all(start(("inventors", "desert"), ("felines", "swamp"), ("monks", "lake")))
    asked = []
    while t.phase == "start_competency":
        if t.asks == "competency":
            assert t.legal() == {f"competency {n}" for n in range(1, 13)}
            asked.append(t.mover)
            t.mark()
            place = next(entry for entry in t.dict["competencies"] if entry["key"] == "12")
            t.do("competency 12")
            steps = 3 - place["place"]
            base = 1 if asked[-1] == 2 and place["discipline"] == "law" else 0
            assert t.seat(asked[-1])["science"][place["discipline"]] == base + steps
            assert t.seat(asked[-1])["books"][place["discipline"]] == place["place"]
        else:
            t.do(sorted(t.legal())[0])
    assert asked == [0, 2]


@pytest.mark.rule("SET-14", "COMP/4", "RS-2")
def test_once_effects_happen_at_once():
    t = place_all(start(("inventors", "desert"), *QUIET)).mark().do("competency 4")
    assert t.vp() == 25 and t.vp_from("competency") == 5 and t.vp_from("round_tile") == 0
    # the income of round 1 (3 tools for two workshops, 2 of the tile) comes on top, the set-up spade in between
    while t.phase != "actions":
        t.do("decline" if "decline" in t.legal() else sorted(t.legal())[0])
    assert t.change()["tools"] == 1 + 3 + 2 and t.change()["coins"] == 2


@pytest.mark.rule("SET-14", "COMP/6")
def test_annexes_are_given_at_once():
    t = place_all(start(("inventors", "desert"), *QUIET)).do("competency 6")
    assert t.seat()["annexes"] == 2


@pytest.mark.rule("SET-14", "COMP/10", "NEUT-1", "POW-4", "OPT/setup_tower_offers")
@pytest.mark.parametrize("option", [True, False])
def test_a_tower_is_placed_by_the_rules_of_neutral_buildings_and_neighbours_get_their_offer(option):
    t = game(
        players=3,
        seed=7,
        deal=deal(("inventors", "desert"), ("felines", "swamp"), ("blessed", "lake")),
        setup_tower_offers=option,
    )
    t.do("place E12 workshop", "place F11 workshop", "place F12 workshop")
    t.do("place A9 workshop", "place B13 workshop", "place A12 workshop")
    t.do("competency 10")
    while t.asks == "resolve":
        t.do(next(text for text in sorted(t.legal()) if "neutral" in text))
    assert t.asks == "neutral"
    # only hexes in reach whose digging can be paid with 3 tools
    assert t.legal("place") == {f"place {name} tower" for name in ("E11", "E13", "D11", "A11")}
    t.do("place E11 tower")
    assert t.kind_at("E11") == "tower"
    while t.asks in ("resolve", "steps"):
        t.do(sorted(t.legal())[0])
    if option:
        assert t.asks == "offer" and t.mover == 1 and t.pending["power"] == 1
        t.do("accept")
        assert t.vp(1) == 20
    else:
        assert t.asks != "offer"


@pytest.mark.rule("OPT/setup_tower_offers", "OPT/setup_spades_buy")
def test_the_defaults_of_the_set_up_options():
    assert ruleset().options["setup_tower_offers"] is True
    assert ruleset().options["setup_spades_buy"] is False


# --- SET-15 ----------------------------------------------------------------------------------------------------------
def before_spades(*pairs, competency=None, **options):
    t = place_all(start(*pairs, **options))
    while t.phase == "start_competency":
        if t.asks == "competency":
            t.do(f"competency {competency or 12}")
        else:
            t.do(sorted(t.legal())[0])
    return t


@pytest.mark.rule("SET-15", "BOARD/desert")
def test_the_desert_boards_set_up_spade():
    t = before_spades(("felines", "swamp"), ("blessed", "desert"), ("moles", "forest"))
    assert t.phase == "start_spades" and t.mover == 1
    assert (t.pending["free"], t.pending["rule"]) == (1, "single")
    own = list(t.seat(1)["buildings"])
    dug = {text.split()[1].split(">")[0] for text in t.legal("transform")}
    near = {name for name in reached("3-5", own, 0) if terrain("3-5")[name] != "desert"}
    assert dug == near and "decline" in t.legal() and not t.legal("build")
    text = sorted(t.legal("transform"))[0]
    name, kind = text.split()[1].split(">")
    t.do(text)
    assert t.dict["terrain"][name] == kind and t.phase != "start_spades"
    assert len(t.seat(1)["buildings"]) == 2


@pytest.mark.rule("SET-15", "COMP/5")
def test_competency_five_gives_two_set_up_spades_that_need_finish_no_hex():
    t = before_spades(("inventors", "plains"), ("blessed", "lake"), ("felines", "swamp"), competency=5)
    assert t.phase == "start_spades" and t.mover == 0 and t.pending["free"] == 2
    texts = sorted(t.legal("transform"))
    far = [text for text in texts if not text.endswith(">plains")]
    t.do(far[0])
    assert t.pending["free"] == 1
    second = [
        text
        for text in sorted(t.legal("transform"))
        if text.split()[1].split(">")[0] != far[0].split()[1].split(">")[0]
    ]
    t.do(second[0])  # another hex although the first is not home
    assert t.phase != "start_spades"


@pytest.mark.rule("SET-15", "COMP/5", "BOARD/desert")
def test_the_two_sources_are_separate_effects():
    t = before_spades(("inventors", "desert"), ("blessed", "lake"), ("felines", "swamp"), competency=5)
    frames = []
    while t.phase == "start_spades":
        frames.append(t.pending["free"] if t.asks == "spades" else t.asks)
        t.do("decline" if t.asks == "spades" else sorted(t.legal())[0])
    assert sorted(frames, key=str) in ([1, 2], [1, 2, "resolve"])


@pytest.mark.rule("SET-15")
def test_an_unused_set_up_spade_is_lost():
    t = before_spades(("felines", "swamp"), ("blessed", "desert"), ("moles", "forest")).do("decline")
    assert t.phase == "actions"


@pytest.mark.rule("SET-15", "OPT/setup_spades_buy")
def test_nothing_is_bought_in_set_up_but_by_option():
    for option in (False, True):
        t = game(
            players=2, seed=7, map="1-3", deal=deal(("felines", "desert"), ("blessed", "lake")), setup_spades_buy=option
        )
        # E9's neighbours: D9 mountain 2, E8 lake 3, E10 wasteland 1, F9 forest 3, D10 and none other
        t.do("place E9 workshop")
        while t.phase == "placement":
            t.do(sorted(t.legal())[0])
        assert t.phase == "start_spades"
        mountain = t.legal("transform D9")
        assert mountain == ({"transform D9>wasteland", "transform D9>desert"} if option else {"transform D9>wasteland"})
        assert "transform E8>desert" not in t.legal()  # two bought spades are 6 tools, 3 are there
        if option:
            t.mark().do("transform D9>desert")
            assert t.dict["terrain"]["D9"] == "desert" and t.phase == "actions"
            # 3 tools for the bought spade, 3 + 2 of income
            assert t.change()["tools"] == -3 + 3 + 2


# --- SET-16 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-16", "INC-1")
def test_the_round_bonus_tile_gives_its_income_in_round_one():
    t = start(("blessed", "lake"), ("felines", "swamp"), ("moles", "forest")).mark()
    while t.phase != "actions":
        t.do(sorted(t.legal())[0])
    # two workshops: 3 tools; the tile "science": 2 tools, "scholar": 1 scholar, "palace-university": 1 tool
    assert t.change(0) == {"tools": 5}
    assert t.change(1) == {"tools": 3, "scholars": 1, "scholar_supply": -1}
    assert t.change(2) == {"tools": 4}
    assert t.dict["round"] == 1 and t.mover == 0


# --- no round tile scores before round 1 -----------------------------------------------------------------------------
def seed_with_first_tile(*tiles, players=3):
    return next(seed for seed in range(400) if game(players=players, seed=seed).dict["round_tiles"][0] in tiles)


@pytest.mark.rule("SET-13", "RS-2")
def test_starting_workshops_score_no_round_tile():
    seed = seed_with_first_tile("workshop-law", "workshop-banking")
    t = place_all(start(("moles", "plains"), ("blessed", "lake"), ("felines", "swamp"), seed=seed))
    assert t.dict["round_tiles"][0].startswith("workshop")
    assert [t.vp(seat) for seat in range(3)] == [20, 20, 20]


@pytest.mark.rule("SET-14", "SCI-4", "RS-2")
def test_steps_in_set_up_score_no_round_tile():
    seed = seed_with_first_tile("science-medicine")
    t = before_spades(("inventors", "plains"), ("lizards", "lake"), ("felines", "swamp"), seed=seed, competency=8)
    assert t.dict["round_tiles"][0] == "science-medicine" and sum(t.seat()["science"].values()) >= 1
    assert sum(t.seat(1)["science"].values()) == 2
    assert [t.vp(seat) for seat in range(3)] == [20, 20, 20]


@pytest.mark.rule("SET-15", "MOLE-1")
def test_no_tunnel_for_a_set_up_spade():
    t = before_spades(("moles", "desert"), ("blessed", "lake"), ("felines", "swamp"))
    assert t.phase == "start_spades" and t.legal("transform")
    assert not [text for text in t.legal() if "tunnel" in text]


@pytest.mark.rule("SET-15")
def test_set_up_spades_are_used_in_turn_order():
    t = before_spades(("inventors", "plains"), ("blessed", "desert"), ("monks", "swamp"), competency=5)
    asked = []
    while t.phase == "start_spades":
        asked.append((t.mover, t.pending["free"]))
        t.do("decline")
    assert asked == [(0, 2), (1, 1), (2, 2)]
