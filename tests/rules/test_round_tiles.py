"""Round tiles and final round tiles (RS), the end of a round (END)."""

from __future__ import annotations

import pytest

from .scenes import TRIANGLE, alone, next_round, settle

ALL_TILES = (
    *("workshop-law", "workshop-banking", "guild-law", "guild-medicine", "school-banking", "spade-engineering"),
    *("palace-university-medicine", "palace-university-banking", "science-medicine", "city-engineering"),
    *("track-engineering", "innovation-law"),
)


def with_tile(tile, round_number):
    """Six round tiles, the wanted one in its round."""
    others = [other for other in ALL_TILES if other not in (tile, "spade-engineering")][:5]
    return [*others[: round_number - 1], tile, *others[round_number - 1 :]]


def scored(tile, *moves, seat=None, **top):
    """VP that the round tile gives for moves of round 2."""
    top.setdefault("round_tiles", with_tile(tile, 2))
    t = alone({"buildings": {"B6": "workshop"}, **(seat or {})}, **top)
    settle(t, *moves)
    assert t.vp_from("final_tile") == 0
    return t.vp_from("round_tile")


# --- RS: what the tiles score -----------------------------------------------------------------------------------------
@pytest.mark.rule("RS/workshop-law", "RS/workshop-banking", "RS-2")
@pytest.mark.parametrize("tile", ["workshop-law", "workshop-banking"])
def test_a_workshop_is_worth_two(tile):
    assert scored(tile, "build B5", homes="B5") == 2


@pytest.mark.rule("RS/guild-law", "RS/guild-medicine")
@pytest.mark.parametrize("tile", ["guild-law", "guild-medicine"])
def test_a_guild_is_worth_three(tile):
    assert scored(tile, "upgrade B6 guild") == 3


@pytest.mark.rule("RS/school-banking")
def test_a_school_is_worth_four():
    assert scored("school-banking", "upgrade B6 school", seat={"buildings": {"B6": "guild"}}) == 4


@pytest.mark.rule("RS/palace-university-medicine", "RS/palace-university-banking")
@pytest.mark.parametrize("tile", ["palace-university-medicine", "palace-university-banking"])
@pytest.mark.parametrize(("piece", "result"), [("guild", "palace"), ("school", "university")])
def test_a_palace_or_university_is_worth_five(tile, piece, result):
    assert scored(tile, f"upgrade B6 {result}", seat={"buildings": {"B6": piece}}) == 5


@pytest.mark.rule("RS-2")
@pytest.mark.parametrize("tile", [tile for tile in ALL_TILES if tile not in ("guild-law", "guild-medicine")])
def test_a_guild_scores_no_other_tile(tile):
    assert scored(tile, "upgrade B6 guild") == 0


@pytest.mark.rule("RS-2")
@pytest.mark.parametrize("tile", [tile for tile in ALL_TILES if tile not in ("workshop-law", "workshop-banking")])
def test_a_workshop_scores_no_other_tile(tile):
    assert scored(tile, "build B5", homes="B5") == 0


@pytest.mark.rule("RS/spade-engineering", "TB-7")
@pytest.mark.parametrize(("name", "spades"), [("A7", 1), ("A6", 2), ("B7", 3)])
def test_every_spade_is_worth_two(name, spades):
    assert scored("spade-engineering", f"transform {name}>forest") == 2 * spades


@pytest.mark.rule("RS/spade-engineering", "TB-7")
def test_free_spades_count_as_bought_ones_do():
    seat = {"bowls": [0, 0, 12]}
    assert scored("spade-engineering", "power two-spades", "transform A6>forest", seat=seat) == 4


@pytest.mark.rule("RS/science-medicine", "SCI-4")
@pytest.mark.parametrize(("move", "steps"), [("send law 3", 3), ("send law 2", 2), ("return law", 1)])
def test_every_step_is_worth_one(move, steps):
    assert scored("science-medicine", move, seat={"scholars": 1}) == steps


@pytest.mark.rule("RS/science-medicine", "SCI-4", "SCI-2")
def test_lost_steps_are_worth_nothing():
    assert scored("science-medicine", "send law 3", seat={"scholars": 1, "science": {"law": 6}}) == 1


@pytest.mark.rule("RS/city-engineering", "RS-2")
def test_a_city_tile_is_worth_five():
    moves = ("build A6", "city tools")
    assert scored("city-engineering", *moves, seat={"buildings": TRIANGLE}, homes="A6") == 5


@pytest.mark.rule("RS/track-engineering")
@pytest.mark.parametrize("track", ["sailing", "terraforming"])
def test_a_step_of_a_track_is_worth_three(track):
    assert scored("track-engineering", f"advance {track}", seat={"scholars": 1}) == 3


@pytest.mark.rule("RS/track-engineering", "RS-2", "PAL/14", "TR-3")
def test_free_steps_of_a_track_score_too():
    moves = ("upgrade B6 palace", "palace 14")
    assert scored("track-engineering", *moves, seat={"buildings": {"B6": "guild"}}) == 6


@pytest.mark.rule("RS/track-engineering", "TR-3", "INNO/steam-engine")
def test_a_lost_step_of_a_track_scores_nothing():
    seat = {"sailing": 3, "terraforming": 1, "books": {"banking": 5}}
    innovations = [{"key": "steam-engine", "column": "banking"}]
    moves = ("innovate steam-engine", "resolve innovation/steam-engine sailing")
    assert scored("track-engineering", *moves, seat=seat, innovations=innovations) == 3


@pytest.mark.rule("RS/innovation-law")
def test_an_innovation_is_worth_five():
    innovations = [{"key": "sewage-system", "column": "banking"}]
    seat = {"books": {"banking": 5}}
    assert scored("innovation-law", "innovate sewage-system", seat=seat, innovations=innovations) == 5


@pytest.mark.rule("RS-2", "PAL/4")
def test_free_upgrades_score():
    seat = {"buildings": {"B6": "workshop", "I9": "palace"}, "palace": "4"}
    t = alone(seat, round_tiles=with_tile("guild-law", 2)).do("special palace/4")
    if t.asks == "exchange":
        t.do("upgrade B6 guild")
    assert t.vp_from("round_tile") == 3


@pytest.mark.rule("RS-2", "PASS-1", "RB/school", "SCI-4")
def test_steps_gained_by_passing_score():
    seat = {"buildings": {"B6": "school"}, "bonus": "school"}
    t = alone(seat, round_tiles=with_tile("science-medicine", 2)).do("pass river")
    if t.asks == "steps":
        t.do("step law")
    assert t.vp_from("round_tile") == 1


@pytest.mark.rule("RS-2", "INC-6", "SCI-4", "COMP/1")
def test_income_scores_nothing():
    # round 2 scores steps; competency 1 gives one in phase I of round 2
    seat = {"board": "forest", "competencies": ["1"], "science": {"law": 1}}
    t = next_round(seat, round_tiles=with_tile("science-medicine", 2)).do("step law")
    assert t.seat()["science"]["law"] == 2
    assert t.vp_from("round_tile") == 0


@pytest.mark.rule("END-4", "RS-2")
def test_only_the_tile_of_the_round_scores():
    tiles = ["guild-law", "workshop-law", "guild-medicine", "workshop-banking", "school-banking", "city-engineering"]
    for round_number, vp in ((1, 0), (2, 2), (3, 0), (4, 2)):
        t = alone({"buildings": {"B6": "workshop"}}, homes="B5", round=round_number, round_tiles=tiles).do("build B5")
        assert t.vp_from("round_tile") == vp


# --- RS-1: the final round tile ---------------------------------------------------------------------------------------
FINAL = [
    ("workshop", "build B5", "workshop", 2),
    ("guild", "upgrade B6 guild", "workshop", 3),
    ("school", "upgrade B6 school", "guild", 4),
    ("edge-workshop", "build A6", "workshop", 3),
]


@pytest.mark.rule("RS-1", "SET-3")
@pytest.mark.parametrize(("tile", "move", "piece", "vp"), FINAL)
def test_final_tiles(tile, move, piece, vp):
    seat = {"buildings": {"B6": piece}}
    t = alone(seat, homes="A6 B5", round=6, final_tile=tile, round_tiles=with_tile("track-engineering", 6)).do(move)
    assert (t.vp_from("final_tile"), t.vp_from("round_tile")) == (vp, 0)


@pytest.mark.rule("RS-1")
@pytest.mark.parametrize(("tile", "move", "piece", "vp"), FINAL)
def test_the_final_tile_scores_in_round_6_only(tile, move, piece, vp):
    seat = {"buildings": {"B6": piece}}
    t = alone(seat, homes="A6 B5", round=5, final_tile=tile, round_tiles=with_tile("track-engineering", 5)).do(move)
    assert t.vp_from("final_tile") == 0


@pytest.mark.rule("RS-1")
def test_the_edge_tile_scores_edge_hexes_only():
    seat = {"buildings": {"B6": "workshop"}}
    t = alone(seat, homes="B5", round=6, final_tile="edge-workshop").do("build B5")
    assert t.vp_from("final_tile") == 0


@pytest.mark.rule("RS-1")
def test_both_tiles_may_score_for_one_event():
    seat = {"buildings": {"B6": "workshop"}}
    tiles = with_tile("workshop-law", 6)
    t = alone(seat, homes="A6", round=6, final_tile="edge-workshop", round_tiles=tiles).do("build A6")
    assert t.change() == {"coins": -2, "tools": -1, "vp": 5}
    assert (t.vp_from("final_tile"), t.vp_from("round_tile")) == (3, 2)
