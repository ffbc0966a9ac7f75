"""The rival and the area tile of two-player games (SET-17)."""

from __future__ import annotations

import pytest

from .table import DISCIPLINES, game, table

# every N levels of the round tile's discipline its science bonus is paid
THRESHOLDS = {
    "workshop-law": 3,
    "workshop-banking": 3,
    "guild-law": 3,
    "guild-medicine": 4,
    "school-banking": 1,
    "palace-university-medicine": 2,
    "palace-university-banking": 2,
    "spade-engineering": 1,
    "science-medicine": 3,
    "city-engineering": 4,
    "track-engineering": 3,
    "innovation-law": 2,
}
RANKED = dict(map="1-3", players=2, round=6, final_tile="edge-workshop")
QUIET = dict(coins=0, tools=0, bowls=[12, 0, 0])


@pytest.mark.rule("SET-17")
def test_the_area_tile_is_one_of_four():
    assert {game(players=2, seed=seed).dict["area_tile"] for seed in range(60)} == {12, 13, 14, 15}


@pytest.mark.rule("SET-17")
def test_the_rivals_markers_start_at_two_and_rise_by_the_icons_of_rounds_one_to_five():
    seen = set()
    for seed in range(150):
        state = game(players=2, seed=seed).dict
        levels = dict.fromkeys(DISCIPLINES, 2)
        for tile in state["round_tiles"][:5]:
            levels[tile.rsplit("-", 1)[1]] += THRESHOLDS[tile]
            seen.add(tile)
        assert state["rival"] == levels
    assert seen == set(THRESHOLDS)


@pytest.mark.rule("SET-17")
def test_the_rulebooks_example_one_icon_of_banking_and_three_of_law():
    for seed in range(300):
        state = game(players=2, seed=seed).dict
        tiles = state["round_tiles"][:5]
        banking = [tile for tile in tiles if tile.endswith("banking")]
        law = [tile for tile in tiles if tile.endswith("-law")]
        if banking == ["school-banking"] and len(law) == 1 and THRESHOLDS[law[0]] == 3:
            assert state["rival"]["banking"] == 2 + 1 and state["rival"]["law"] == 2 + 3
            return
    raise AssertionError("no such set-up among 300")


@pytest.mark.rule("SET-17", "SCH-1")
def test_the_rivals_scholars_lie_on_one_two_place_of_each_discipline():
    places = game(players=2).dict["scholar_places"]
    for discipline in DISCIPLINES:
        assert [(p["value"], p["seat"]) for p in places[discipline] if p["seat"] is not None] == [(2, "rival")]
        assert sorted(p["value"] for p in places[discipline]) == [2, 2, 2, 3]


@pytest.mark.rule("SET-17")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_there_is_no_rival_with_more_players(players):
    state = game(players=players).dict
    assert state["rival"] is None and state["area_tile"] is None
    assert all(place["seat"] is None for places in state["scholar_places"].values() for place in places)


@pytest.mark.rule("SET-17")
def test_the_rival_does_not_move_during_the_game():
    t = game(players=2, seed=9)
    rival = t.dict["rival"]
    while t.dict["round"] < 3:
        passes = t.legal("pass")
        t.do(sorted(passes or t.legal())[0])
    assert t.dict["rival"] == rival


@pytest.mark.rule("SET-17", "SCI-3")
def test_a_rival_on_level_twelve_is_as_a_player_there():
    # SCI-3: level 12 is for one player; a marker of the rival at 12 can come from set-up only
    t = table(dict(scholars=1, science=dict(law=10)), rival=dict.fromkeys(DISCIPLINES, 2), map="1-3", players=2)
    assert t.do("send law 2").seat()["science"]["law"] == 12


# --- final scoring ---------------------------------------------------------------------------------------------------
def final(first, second, rival, area_tile=12):
    """Both seats pass in round 6; the VP of the final scoring by source, for both."""
    t = table(
        {**QUIET, **first},
        {**QUIET, **second, "passed": True},
        rival=rival,
        area_tile=area_tile,
        next_order=[1],
        **RANKED,
    )
    t.do("pass").end()
    assert t.phase == "over"
    return t


def levels(**values):
    return {discipline: values.get(discipline, 0) for discipline in DISCIPLINES}


@pytest.mark.rule("SET-17", "FIN-2")
def test_the_rival_is_ranked_in_science_and_its_share_is_lost():
    t = final(dict(science=levels(law=6)), dict(science=levels(law=4)), levels(law=5))
    assert (t.vp_from("science", 0), t.vp_from("science", 1)) == (8, 2)
    t = final(dict(science=levels(law=6)), dict(science=levels(law=4)), levels(law=7))
    assert (t.vp_from("science", 0), t.vp_from("science", 1)) == (4, 2)
    t = final(dict(science=levels(law=6)), dict(science=levels(law=4)), levels(law=3))
    assert (t.vp_from("science", 0), t.vp_from("science", 1)) == (8, 4)


@pytest.mark.rule("SET-17", "FIN-3")
def test_in_a_tie_the_rival_counts_as_one_of_the_tied():
    t = final(dict(science=levels(law=6)), dict(science=levels(law=4)), levels(law=6))
    assert (t.vp_from("science", 0), t.vp_from("science", 1)) == (6, 2)  # 8 and 4 shared, then 2
    t = final(dict(science=levels(law=6)), dict(science=levels(law=6)), levels(law=6))
    assert (t.vp_from("science", 0), t.vp_from("science", 1)) == (4, 4)  # 8, 4 and 2 by three, rounded down


@pytest.mark.rule("SET-17", "FIN-1")
def test_the_rival_is_ranked_in_area_with_the_tiles_number():
    # two groups of own buildings: 3 and 2
    mine = dict(board="desert", buildings={"C8": "workshop", "B7": "workshop", "B8": "workshop"})
    other = dict(board="swamp", buildings={"B2": "workshop", "B3": "workshop"})
    t = final(mine, other, levels())
    assert (t.vp_from("area", 0), t.vp_from("area", 1)) == (12, 6)


@pytest.mark.rule("SET-17", "FIN-1", "FIN-3")
@pytest.mark.parametrize(("tile", "first", "second"), [(12, 15, 6), (13, 12, 6), (15, 12, 6)])
def test_the_area_tiles_number_decides(tile, first, second):
    # a row of 12 buildings, all of one's own: rows A and B of the 1-3 side, joined
    row = ["A2", "A3", "A4", "A5", "B2", "B3", "B4", "B5", "C3", "C4", "C5", "D4"]
    kinds = ["workshop"] * 9 + ["guild"] * 3
    mine = dict(board="desert", buildings=dict(zip(row, kinds, strict=True)))
    other = dict(board="swamp", buildings={"I9": "workshop"})
    t = final(mine, other, levels(), tile)
    assert (t.vp_from("area", 0), t.vp_from("area", 1)) == (first, second)
