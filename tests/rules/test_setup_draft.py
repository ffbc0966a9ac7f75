"""The draft (SET-10)."""

from __future__ import annotations

import pytest

from .table import game, ruleset

PLAYERS = (2, 3, 4, 5)


def draft(players=4, seed=7, **options):
    return game(players=players, seed=seed, setup="draft", **options)


def offers(t):
    return {kind: sorted(t.legal(f"draft {kind}/")) for kind in ("board", "faction", "palace")}


@pytest.mark.rule("SET-10")
@pytest.mark.parametrize("players", PLAYERS)
def test_what_lies_open(players):
    boards, factions, palaces, tiles = set(), set(), set(), set()
    for seed in range(60):
        state = draft(players, seed).dict
        assert state["phase"] == "draft" and state["setup"] == "draft"
        assert len(set(state["draft_boards"])) == 6
        assert len(set(state["draft_factions"])) == players + 1
        assert len(set(state["palaces"])) == players + 1
        assert len(state["bonus_tiles"]) == players + 3
        boards |= set(state["draft_boards"])
        factions |= set(state["draft_factions"])
        palaces |= set(state["palaces"])
        tiles |= set(state["bonus_tiles"])
    assert (len(boards), len(factions), len(tiles)) == (7, 12, 10)
    assert palaces == {str(n) for n in range(1, 17)}  # never 17


@pytest.mark.rule("SET-10")
@pytest.mark.parametrize("players", PLAYERS)
def test_three_times_clockwise_one_item_of_a_kind_still_lacked_then_a_bonus_tile_counter_clockwise(players):
    t = draft(players)
    movers = []
    while t.phase == "draft":
        seat = t.seat(t.mover)
        assert set(t.dict["bonus_tiles"].values()) == {0}  # no coin before the choice
        lacking = {kind for kind in ("board", "faction", "palace") if seat[kind] is None}
        assert {kind for kind, texts in offers(t).items() if texts} == lacking
        movers.append(t.mover)
        t.do(sorted(t.legal())[0])
    assert movers == list(range(players)) * 3
    movers = []
    while t.phase == "draft_bonus":
        assert t.legal() == {f"bonus {key}" for key in t.dict["bonus_tiles"]}
        movers.append(t.mover)
        t.do(sorted(t.legal())[0])
    assert movers == list(range(players))[::-1]
    state = t.dict
    assert state["order"] == list(range(players))
    assert [seat["coins"] for seat in state["seats"]] == [15] * players
    # the three tiles left get a coin each
    assert sorted(state["bonus_tiles"].values()) == [1, 1, 1]
    for key in ("board", "faction", "palace", "bonus"):
        assert len({seat[key] for seat in state["seats"]}) == players
    # what was not taken leaves the game
    assert state["draft_boards"] == [] and state["draft_factions"] == [] and state["palaces"] == []


@pytest.mark.rule("SET-10", "OPT/draft_order")
def test_by_default_the_kinds_come_in_free_order():
    assert ruleset().options["draft_order"] == "free"
    t = draft(3, draft_order="free")
    assert all(offers(t).values())
    t.do(offers(t)["palace"][0], offers(t)["board"][0])
    assert (
        t.mover == 2
        and len(offers(t)["palace"]) == 3
        and len(offers(t)["board"]) == 5
        and len(offers(t)["faction"]) == 4
    )


@pytest.mark.rule("SET-10", "OPT/draft_order")
def test_by_option_boards_then_factions_then_palaces():
    t = draft(3, draft_order="board_faction_palace")
    for kind in ("board", "faction", "palace"):
        for seat in range(3):
            assert t.mover == seat
            assert {k for k, texts in offers(t).items() if texts} == {kind}
            t.do(offers(t)[kind][0])
    assert t.phase == "draft_bonus"


@pytest.mark.rule("SET-10", "UP-3")
def test_the_drafted_palace_works_only_once_it_is_built():
    t = draft(3)
    while t.phase == "draft":
        t.do(sorted(t.legal())[-1])
    assert all(seat["palace"] is not None and seat["palace_built"] is False for seat in t.dict["seats"])


@pytest.mark.rule("SET-10", "OPT/extra_palaces")
def test_extra_palaces_is_about_the_standard_set_up():
    assert len(draft(4, extra_palaces=1).dict["palaces"]) == 5


@pytest.mark.rule("SET-10", "OPT/setup")
def test_setup_as_an_option_of_the_rules():
    from aoi_sim import new_game

    from .table import Table

    t = Table(new_game(ruleset(setup="draft"), n_players=3, seed=1, setup=None))
    assert t.phase == "draft"
