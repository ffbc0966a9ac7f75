"""The two map sides: hexes, terrain, rivers, edges, printed bridge places (MAP-1, BR-2, SET-1)."""

from __future__ import annotations

from collections import Counter

import pytest

from .printed_maps import BRIDGE_DIFFERENCES, BRIDGES, CIRCLE, EDGE, SIDES, axial, beside, land, terrain
from .table import table

PLAYERS = {"3-5": 3, "1-3": 2}


def side_table(side, *seats, **top):
    return table(*seats, map=side, players=PLAYERS[side], **top)


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize("side", SIDES)
def test_every_land_hex_has_its_printed_terrain_and_rivers_have_none(side):
    shown = side_table(side).dict["terrain"]
    assert shown == {name: terrain(side)[name] for name in land(side)}


@pytest.mark.rule("MAP-1")
def test_the_3_5_side_has_81_land_hexes_36_rivers_31_bridge_places_33_edge_hexes():
    kinds = Counter(terrain("3-5").values())
    assert kinds == dict(river=36, desert=11, plains=12, swamp=12, lake=12, forest=11, mountain=11, wasteland=12)
    assert (len(land("3-5")), len(BRIDGES["3-5"]), len(EDGE["3-5"])) == (81, 31, 33)
    assert Counter(table(map="3-5").dict["terrain"].values()) == {kind: kinds[kind] for kind in CIRCLE}


@pytest.mark.rule("MAP-1")
def test_the_1_3_side_has_59_land_hexes_30_rivers_17_bridge_places_22_edge_hexes():
    kinds = Counter(terrain("1-3").values())
    assert kinds == dict(river=30, desert=9, plains=8, swamp=8, lake=8, forest=9, mountain=9, wasteland=8)
    assert (len(land("1-3")), len(BRIDGES["1-3"]), len(EDGE["1-3"])) == (59, 17, 22)
    assert Counter(table(map="1-3", players=2).dict["terrain"].values()) == {kind: kinds[kind] for kind in CIRCLE}


@pytest.mark.rule("BR-2")
@pytest.mark.parametrize("side", SIDES)
def test_printed_bridge_places_join_two_land_hexes_that_face_each_other_over_water(side):
    for place in BRIDGES[side]:
        first, second = place.split("-")
        (q1, r1), (q2, r2) = axial(first), axial(second)
        difference = (q2 - q1, r2 - r1)
        assert difference in BRIDGE_DIFFERENCES
        between = [name for name in beside(side, first) if name in beside(side, second)]
        assert all(terrain(side)[name] == "river" for name in between)
        assert len(between) == (1 if place == "G1-I1" else 2)
        assert {terrain(side)[first], terrain(side)[second]}.isdisjoint({"river"})


@pytest.mark.rule("BR-2", "BR-1", "MAP-1")
@pytest.mark.parametrize("side", SIDES)
def test_a_bridge_may_be_built_on_every_printed_place_from_both_ends_and_nowhere_else(side):
    for name in land(side):
        t = side_table(side, dict(board="desert", buildings={name: "workshop"}, bowls=[5, 4, 3]))
        places = {f"bridge {place}" for place in BRIDGES[side] if name in place.split("-")}
        if len(places) == 1:
            assert {f"bridge {a}-{b}" for a, b, _ in t.do("power bridge").dict["bridges"]} == places
        elif places:
            assert t.do("power bridge").legal("bridge") == places
        else:
            assert "power bridge" not in t.legal()


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize("side", SIDES)
def test_the_edge_hexes_are_those_of_the_list(side):
    edge = set()
    for name in land(side):
        other = next(hex_name for hex_name in beside(side, name) if terrain(side)[hex_name] != "river")
        terrains = {name: "desert", other: "desert"}
        seat = dict(board="desert", buildings={other: "guild"})
        t = side_table(side, seat, round=6, final_tile="edge-workshop", terrain=terrains).do(f"build {name}")
        if t.vp_from("final_tile") == 3:
            edge.add(name)
        else:
            assert t.vp_from("final_tile") == 0
    assert edge == set(EDGE[side])


@pytest.mark.rule("MAP-1", "RB/river")
@pytest.mark.parametrize("side", SIDES)
def test_beside_a_river_hex_means_sharing_a_side_with_one(side):
    riverside = set()
    for name in land(side):
        other = next(hex_name for hex_name in beside(side, name) if terrain(side)[hex_name] != "river")
        terrains = {name: "desert", other: "desert"}
        seat = dict(board="desert", buildings={other: "guild"}, bonus="river")
        t = side_table(side, seat, terrain=terrains).do(f"build {name}")
        if t.vp_from("bonus_tile") == 2:
            riverside.add(name)
    assert riverside == {
        name for name in land(side) if "river" in {terrain(side)[other] for other in beside(side, name)}
    }


@pytest.mark.rule("MAP-1")
def test_water_painted_off_the_grid_is_no_river_hex():
    # A12 touches the river hexes A13 and B12, I1 only H1; I12 lies at the lower edge beside land and has none
    assert [name for name in beside("3-5", "I12") if terrain("3-5")[name] == "river"] == []
    t = table(dict(board="desert", buildings={"I11": "guild"}, bonus="river"), terrain={"I12": "desert"}).do(
        "build I12"
    )
    assert t.vp_from("bonus_tile") == 0


@pytest.mark.rule("SET-1")
@pytest.mark.parametrize(("players", "side"), [(2, "1-3"), (3, "3-5"), (4, "3-5"), (5, "3-5")])
def test_the_map_side_follows_the_number_of_players(players, side):
    assert table(players=players).dict["map"] == side


@pytest.mark.rule("MAP-1")
def test_a_hex_is_named_by_its_row_and_its_column_rivers_and_missing_places_counted():
    # row A of the 1-3 side begins with a place that is no hex: its first forest is A2
    shown = table(map="1-3", players=2).dict["terrain"]
    assert "A1" not in shown and shown["A2"] == "forest" and shown["A10"] == "wasteland" and "A6" not in shown
    assert table().dict["terrain"]["F5"] == "lake"


@pytest.mark.rule("MAP-1", "ADJ-1")
def test_odd_rows_are_shifted_half_a_hex_to_the_right():
    # row F (2nd, 4th, ... row) is shifted: F5's neighbours on land are F6 and G6
    t = table(dict(board="forest", buildings={"F5": "workshop"}, tools=20), terrain={"G6": "lake"})
    assert {text.split()[1].split(">")[0] for text in t.legal("transform")} == {"F6", "G6"}
