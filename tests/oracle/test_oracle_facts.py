"""The oracle's own parts against examples worked by hand from the specification."""

from . import board, facts, score
from .example import seat, state, two
from .invariants import violations
from .legal import legal_texts

P35, P13 = board.PRINTED["3-5"], board.PRINTED["1-3"]


# --- maps ------------------------------------------------------------------------------------------------------


def test_maps_are_complete():
    """MAP-1, BR-2."""
    assert [len(line.split()) for line in board.MAPS["3-5"]["rows"]] == [13] * 9
    assert [len(line.split()) for line in board.MAPS["1-3"]["rows"]] == [11] * 9
    for p in (P35, P13):
        assert p.places <= p.lines
        assert p.edge <= set(p.land)
        kinds = [list(p.land.values()).count(t) for t in facts.CIRCLE]
        assert max(kinds) - min(kinds) <= 1, kinds
        for a, b in p.places:  # the two cells between are water or off the map
            between = p.sides[a] & p.sides[b]
            assert between <= p.rivers
            assert len(between) == 2 or (a, b) == ("G1", "I1")


def test_axial_and_sides():
    assert board.axial("A3") == (2, 0)
    assert board.axial("B1") == (0, 1)
    assert board.axial("C3") == (1, 2)
    assert P35.sides["A4"] == {"A3", "A5", "B3", "B4"}
    assert P35.sides["B4"] == {"B3", "B5", "A4", "A5", "C4", "C5"}
    assert P13.sides["C3"] == {"B2", "B3", "C2", "C4", "D2", "D3"}
    assert P13.sides["B1"] == {"B2", "A2", "C2"}  # A1, C1 are no hexes


# --- distances and reach ---------------------------------------------------------------------------------------


def test_dig_path():
    """TB-2."""
    assert board.dig_path("desert", "desert") == []
    assert board.dig_path("lake", "desert") == ["swamp", "plains", "desert"]
    assert board.dig_path("forest", "desert") == ["mountain", "wasteland", "desert"]
    assert board.dig_path("desert", "wasteland") == ["wasteland"]
    for a in facts.CIRCLE:
        assert sorted(len(board.dig_path(a, b)) for b in facts.CIRCLE) == [0, 1, 1, 2, 2, 3, 3]


def test_reach_over_rivers():
    """REACH-1: A3 lies beside the rivers A2, B2, B3; C4 is beside B3."""
    d = two({"buildings": {"A3": "workshop"}})
    assert board.reach_from(d, {"A3"}, 0) == {"A4"}
    one = {"A1", "A3", "A4", "B1", "B4", "C2", "C3"}
    assert board.reach_from(d, {"A3"}, 1) == one
    assert board.reach_from(d, {"A3"}, 2) == one | {"C5", "D3"}


def test_river_tile_counts_in_phase_two_until_passing():
    """REACH-2."""
    d = two({"buildings": {"A3": "workshop"}, "bonus": "river"})
    assert "B1" in board.reach(d, 0)
    assert "B1" not in board.reach(d | {"phase": "bonus"}, 0)  # phase III
    d["seats"][0]["passed"] = True
    assert "B1" not in board.reach(d, 0)


def test_bridges_join_for_everybody():
    """ADJ-1: a bridge of the other seat."""
    d = two({"buildings": {"A3": "workshop"}}, {"buildings": {"C3": "workshop"}}, bridges=[["A3", "C3", 1]])
    assert board.adjacent(d, "A3") == {"A2", "A4", "B2", "B3", "C3"}
    assert "A3" in board.adjacent(d, "C3")
    assert board.offer_sums(d, 0, "A3") == {1: 1}
    d["bridges"] = []
    assert board.offer_sums(d, 0, "A3") == {}


def test_tunnel_and_flight():
    """MOLE-1, FLY-1: A4 is a neighbour of A3 and no target."""
    d = two({"buildings": {"A3": "workshop"}})
    tunnel = {"A1", "A5", "B1", "B4", "C2", "C3"}
    assert board.special_targets(d, 0, 1) == tunnel
    flight = {"A6", "B5", "C1", "C5", "D1", "D2", "D3"}
    assert board.special_targets(d, 0, 2) == tunnel | flight


def test_tunnel_over_a_bridge():
    """MOLE-1 with ADJ-1: from A3 over the bridge to C3, skipping it, to D2."""
    d = two({"buildings": {"A3": "workshop"}}, bridges=[["A3", "C3", 0]])
    targets = board.special_targets(d, 0, 1)
    assert "C3" not in targets
    assert {"C2", "D2", "D3"} <= targets


# --- cities ----------------------------------------------------------------------------------------------------


def city(buildings, **changes):
    d = two({"buildings": buildings} | changes)
    return len(board.foundable_groups(d, 0))


def test_city_sizes():
    """CITY-1 over A3 A4 A5 A6, a chain of neighbours."""
    w, g, s = "workshop", "guild", "school"
    assert city({"A3": g, "A4": g, "A5": s, "A6": w}) == 1  # 4 buildings, power 7
    assert city({"A3": g, "A4": g, "A5": w, "A6": w}) == 0  # power 6
    assert city({"A3": g, "A4": g, "A5": w, "A6": w}, palace="8", palace_built=True) == 1
    assert city({"A3": g, "A4": g, "A5": w, "A6": w}, palace="8") == 0  # palace not yet built
    assert city({"A3": "palace", "A4": g, "A5": s}) == 0  # power 7, 3 buildings
    assert city({"A3": "university", "A4": g, "A5": s}) == 1
    assert city({"A3": "monument", "A4": "palace"}) == 1
    assert city({"A3": "monument", "A4": g}) == 0  # power 6
    assert city({"A3": {"kind": g, "annex": True}, "A4": g, "A5": s}) == 1  # counts 4, power 7
    assert city({"A3": g, "A4": g, "A5": s, "A7": w}) == 0  # A7 is not a neighbour
    built = {"A3": {"kind": g, "city": True}, "A4": g, "A5": s, "A6": w}
    assert city(built) == 0  # CITY-3


def test_city_over_a_river():
    """CITY-6: B3 lies beside A3, A4, B4, C3."""
    mine = {
        "palace": "14",
        "palace_built": True,
        "buildings": {"A3": "palace", "C3": "guild", "D3": "workshop", "D2": "workshop"},
    }
    d = two(mine)
    assert board.foundable_rivers(d, 0) == {"B2", "B3"}
    assert {"found B2", "found B3"} <= legal_texts(d)
    d["options"]["palace14_when"] = "check"
    assert not {"found B2", "found B3"} & legal_texts(d)
    d["pending"] = [{"kind": "found", "seat": 0}]
    assert legal_texts(d) == {"found B2", "found B3", "decline"}
    d["seats"][0]["river_cities"] = ["B3"]
    assert board.foundable_rivers(d, 0) == {"B2"}
    d["city_tiles"] = dict.fromkeys(facts.CITY_TILES, 0)
    assert board.foundable_rivers(d, 0) == set()


def test_city_over_a_river_not_beside_an_own_city():
    mine = {
        "palace": "14",
        "palace_built": True,
        "buildings": {
            "A3": "palace",
            "C3": "guild",
            "D3": "workshop",
            "D2": "workshop",
            "B1": {"kind": "guild", "city": True},
        },
    }
    assert board.foundable_rivers(two(mine), 0) == {"B3"}  # B1 lies beside B2


# --- power -----------------------------------------------------------------------------------------------------


def test_offer_terms():
    """POW-4."""
    assert board.offer_terms([5, 7, 0], 20, 3) == (3, 2)
    assert board.offer_terms([5, 7, 0], 20, 1) == (1, 0)
    assert board.offer_terms([0, 2, 10], 20, 5) == (2, 1)
    assert board.offer_terms([1, 1, 0], 20, 5) == (3, 2)
    assert board.offer_terms([5, 7, 0], 1, 6) == (2, 1)
    assert board.offer_terms([5, 7, 0], 0, 6) == (1, 0)
    assert board.offer_terms([0, 0, 12], 20, 6) is None


def test_offer_sums():
    """POW-4: A4 touches A3, A5, B4; annexes count, A6 does not touch it."""
    other = {"A5": "guild", "B4": {"kind": "palace", "annex": True}, "A6": "school"}
    d = two({"buildings": {"A4": "workshop"}}, {"buildings": other})
    assert board.offer_sums(d, 0, "A4") == {1: 6}


# --- final scoring ---------------------------------------------------------------------------------------------


def test_ties():
    """FIN-3."""
    assert score.ranked([10, 9, 9, 9], facts.AREA_VP) == [18, 6, 6, 6]
    assert score.ranked([5, 5], facts.AREA_VP) == [15, 15]
    assert score.ranked([5, 5, 5, 5], facts.AREA_VP) == [9, 9, 9, 9]
    assert score.ranked([9, 7, 7], facts.SCIENCE_VP) == [8, 3, 3]
    assert score.ranked([4, 4, 4], facts.SCIENCE_VP) == [4, 4, 4]
    assert score.ranked([9, 8, 7, 7], facts.SCIENCE_VP) == [8, 4, 1, 1]
    assert score.ranked([9, 8, 7, 6], facts.SCIENCE_VP) == [8, 4, 2, 0]


def test_area():
    """FIN-1: A3 and C3 lie one river hex apart; C3 and D3 are neighbours."""
    d = two({"buildings": {"A3": "workshop", "C3": "workshop", "D3": "guild"}})
    assert score.largest_area(d, 0) == 2
    d["seats"][0]["bonus"] = "river"
    assert score.largest_area(d, 0) == 2
    d["seats"][0]["sailing"] = 1
    assert score.largest_area(d, 0) == 3
    d["seats"][0] |= {"sailing": 0, "faction": "moles"}
    assert score.largest_area(d, 0) == 3
    d["seats"][0] |= {"faction": "blessed", "palace": "9", "palace_built": True}
    d["seats"][0]["buildings"] = {"A3": "workshop", "D3": "guild"}  # A3 - B3 - C3 - D3
    assert score.largest_area(d, 0) == 2
    d["seats"][0] |= {"faction": "moles", "palace": None, "palace_built": False}
    assert score.largest_area(d, 0) == 1


def test_rival():
    """SET-17."""
    d = two({"buildings": {"A3": "workshop"}}, {"buildings": {"A12": "workshop"}})
    d |= {"area_tile": 12, "rival": {"banking": 5, "law": 3, "engineering": 2, "medicine": 2}}
    assert score.area_scores(d) == [9, 9]  # 12, 1, 1
    d["seats"][0]["science"] |= {"banking": 5, "law": 4, "engineering": 1}
    assert score.science_scores(d) == [6 + 8 + 4, 0]


def test_science():
    """FIN-2."""
    d = state(
        seat("desert", "blessed", "guild", science=dict(banking=9, law=0, engineering=3, medicine=1)),
        seat("lake", "moles", "bridge", science=dict(banking=7, law=0, engineering=3, medicine=2)),
        seat("swamp", "omar", "science", science=dict(banking=7, law=0, engineering=3, medicine=3)),
        seat("forest", "monks", "scholar", science=dict(banking=0, law=0, engineering=0, medicine=4)),
    )
    assert score.science_scores(d) == [8 + 4, 3 + 4 + 2, 3 + 4 + 4, 8]


def test_resources():
    """FIN-4: 3 + 2 + 1 + 2 + 4 coins and two pairs in bowl II."""
    d = two({"coins": 3, "tools": 2, "scholars": 1, "bowls": [0, 5, 4]})
    d["seats"][0]["books"] |= {"law": 1, "medicine": 1}
    assert score.resource_score(d, 0) == 2  # 14 coins
    d["seats"][0]["coins"] = 4
    assert score.resource_score(d, 0) == 3
    d["options"]["burn_in_final_scoring"] = False
    assert score.resource_score(d, 0) == 2
    assert score.winners([40, 51, 51]) == [1, 2]


# --- invariants ------------------------------------------------------------------------------------------------


def test_clean_state_has_no_violations():
    d = two({"buildings": {"A3": "workshop", "A5": "guild"}}, {"buildings": {"A12": "workshop"}})
    assert violations(d) == []


def test_violations_are_found():
    def damage(**changes):
        d = two({"buildings": {"A3": "workshop", "A5": "guild"}}, {"buildings": {"A12": "workshop"}})
        d["seats"][0] |= changes
        return violations(d)

    assert damage(coins=-1)
    assert damage(bowls=[6, 7, 0])
    assert damage(vp=21)
    assert damage(scholars=1)
    assert damage(bridge_supply=2)
    assert damage(keys=1)
    assert damage(competencies=["3"])
    assert damage(innovations=["steel"])
    assert damage(city_tiles=["tools"])
    assert damage(bonus="power")
    assert damage(buildings={"A12": "workshop"})
    assert damage(buildings={"A4": "workshop"})
    assert damage(buildings={"A2": "workshop"})
    assert damage(buildings={"A3": {"kind": "tower", "neutral": True}})
    assert damage(buildings={"A3": {"kind": "workshop", "city": True}})
    assert damage(buildings={"A3": {"kind": "workshop", "annex": True}})
    assert damage(science=dict(banking=8, law=0, engineering=0, medicine=0))
    assert damage(sailing=4)
    assert damage(used=["palace/2"])
    city = {"A3": "guild", "A5": "guild"}
    assert not damage(buildings=city)


def test_unfounded_city_is_found():
    mine = {"A3": "guild", "A4": "guild", "A5": "school", "A6": "workshop"}
    d = two({"buildings": mine})
    assert any("should be a city" in text for text in violations(d))
    d["seats"][0]["buildings"] = {n: {"kind": k, "city": True} for n, k in mine.items()}
    d["seats"][0] |= {"city_tiles": ["power"], "keys": 1}
    d["city_tiles"]["power"] = 2
    assert violations(d) == []
    d["seats"][0]["buildings"]["B4"] = "workshop"  # CITY-3: it joins the city
    d["terrain"]["B4"] = "desert"
    assert any("partly" in text for text in violations(d))
