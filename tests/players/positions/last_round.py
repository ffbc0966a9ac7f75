"""The last round: points, not means."""

from __future__ import annotations

from tests.players.positions import Cases, spot
from tests.rules.scenes import TRIANGLE
from tests.rules.table import Table, in_city, neutral, rounds

case = Cases()
QUIET = rounds({6: "innovation-law"})


@case("upgrade B6 university")
def a_university_for_the_round_tile() -> Table:
    """5 VP for the round tile and a competency; guilds and workshops score nothing."""
    seat = {"buildings": {"B6": "school", "I9": "workshop", "H9": "workshop"}, "coins": 8, "tools": 5}
    return spot(seat, homes="I8", round=6, round_tiles=rounds({6: "palace-university-medicine"}))


@case("upgrade B6 palace")
def a_palace_for_the_round_tile_and_ten_points() -> Table:
    """Palace 17 and the round tile: 15 VP; a school brings a competency."""
    seat = {"buildings": {"B6": "guild"}, "coins": 6, "tools": 4}
    return spot(seat, palaces=["17", "1"], round=6, round_tiles=rounds({6: "palace-university-banking"}))


@case("palace 17")
def the_last_palace_for_its_points() -> Table:
    """10 VP; income and special actions have nothing left to give."""
    seat = {"buildings": {"B6": "guild"}, "coins": 6, "tools": 4}
    return spot(seat, palaces=["1", "6", "12", "17"], round=6).do("upgrade B6 palace")


@case("not palace 17", "not palace 7")
def the_first_palace_for_its_income() -> Table:
    """Five rounds of income or actions are worth more than 10 VP at once."""
    seat = {"buildings": {"B6": "guild", "B5": "workshop"}, "coins": 6, "tools": 4}
    return spot(seat, palaces=["17", "2", "1", "7", "10"], round=1).do("upgrade B6 palace")


@case("build I8")
def an_edge_hex_for_the_final_tile() -> Table:
    """3 VP for the workshop on the edge, none inland; it is the last one."""
    seat = {"buildings": {"I9": "workshop", "H9": "workshop"}, "coins": 2, "tools": 1}
    return spot(seat, homes="I8 H10", round=6, round_tiles=QUIET, final_tile="edge-workshop")


@case("upgrade * guild")
def guilds_when_the_final_tile_pays_for_them() -> Table:
    """Round tile and final tile pay 3 VP each for a guild; a workshop pays nothing."""
    seat = {"buildings": {"B6": "workshop", "B5": "workshop"}, "coins": 6, "tools": 2}
    return spot(seat, homes="A6", round=6, round_tiles=rounds({6: "guild-law"}), final_tile="guild")


@case("upgrade B6 school")
def the_final_tile_pays_for_a_school() -> Table:
    """4 VP and a competency against nothing."""
    seat = {"buildings": {"B6": "guild", "I9": "workshop"}, "coins": 6, "tools": 3}
    return spot(seat, homes="A6 I8", round=6, round_tiles=QUIET, final_tile="school")


@case("advance sailing")
def a_track_step_for_the_round_tile() -> Table:
    """2 VP for the step and 3 for the round tile; the scholar would take no place in science."""
    seat = {"scholars": 1, "coins": 4}
    return spot(seat, round=6, round_tiles=rounds({6: "track-engineering"}))


@case("advance terraforming")
def the_last_terraforming_step_is_six_points() -> Table:
    """Scholar, tool and coins are worth 1 VP at the end, the step 6."""
    return spot({"scholars": 1, "tools": 1, "coins": 5, "terraforming": 1}, round=6, round_tiles=QUIET)


@case("advance sailing")
def the_last_sailing_step_is_four_points() -> Table:
    """4 VP for a scholar and 4 coins that are worth 1."""
    return spot({"scholars": 1, "coins": 4, "sailing": 2}, round=6, round_tiles=QUIET)


@case("advance sailing")
def sailing_joins_two_halves_for_the_area() -> Table:
    """The halves of three become six and pass the others' five: 12 or 18 VP rather than 6."""
    halves = {
        "E3": "workshop",
        "D3": "workshop",
        "E2": "workshop",
        "D5": "workshop",
        "C5": "workshop",
        "C6": "workshop",
    }
    rival = {"board": "swamp", "buildings": dict.fromkeys(("I8", "H8", "H9", "I9", "H7"), "workshop")}
    return spot(
        {"buildings": halves, "scholars": 1, "coins": 4}, rival, round=6, round_tiles=QUIET, final_tile="school"
    )


@case("build C6")
def a_workshop_joins_two_halves_for_the_area() -> Table:
    """On C6 it joins both groups to seven, ahead of the other's six; on A4 it only makes four."""
    halves = {
        "B5": "workshop",
        "A6": "workshop",
        "A5": "workshop",
        "D6": "workshop",
        "C7": "workshop",
        "D5": "workshop",
    }
    cut = {name: kind for name, kind in halves.items() if name != "D5"}
    rival = {"board": "swamp", "buildings": dict.fromkeys(("I8", "H8", "H9", "I9", "H7"), "workshop")}
    seat = {"buildings": {name: in_city(kind) for name, kind in cut.items()}, "coins": 2, "tools": 1}
    return spot(seat, rival, homes="C6 A4", round=6, round_tiles=QUIET, final_tile="school")


@case("book score-guilds")
def points_for_four_guilds() -> Table:
    """8 VP for two books that are worth half a VP at the end."""
    seat = {"buildings": dict.fromkeys(("B5", "B6", "I9", "H11"), "guild"), "books": {"law": 2}}
    return spot(seat, book_actions=["score-guilds", "coins", "science"], round=6)


@case("innovate census")
def census_with_eleven_buildings() -> Table:
    """18 VP against 4 for two workshops and 5 for a school."""
    buildings = dict.fromkeys(("B6", "C6", "I9", "H11"), "guild") | dict.fromkeys(("A6", "H8", "I8"), "tower")
    built = {name: neutral(kind) if kind == "tower" else kind for name, kind in buildings.items()}
    buildings = built | {"A7": "workshop", "I12": "workshop", "I11": "palace", "B5": "school"}
    seat = {"buildings": buildings, "books": {"law": 5}, "palace": "7"}
    tiles = [{"key": key, "column": "law"} for key in ("sewage-system", "census", "science")]
    return spot(seat, round=6, innovations=tiles)


@case("innovate science")
def three_schools_for_the_innovation_science() -> Table:
    """5 VP for each of three schools against 2 for each of two workshops."""
    buildings = {"B5": "school", "I9": "school", "H11": "school", "A7": "workshop", "I12": "workshop"}
    seat = {"buildings": buildings, "books": {"law": 5}, "coins": 5}
    tiles = [{"key": key, "column": "law"} for key in ("sewage-system", "science", "trade-routes")]
    return spot(seat, round=6, innovations=tiles)


@case("innovate league-of-cities")
def three_cities_for_the_league() -> Table:
    """15 VP for three city tiles against 10 for architecture and its steps below everybody."""
    buildings = {name: in_city(kind) for name, kind in TRIANGLE.items()}
    seat = {"buildings": buildings, "city_tiles": ["power", "tools", "books"], "books": {"law": 5}, "coins": 5}
    tiles = [{"key": key, "column": "law"} for key in ("sewage-system", "league-of-cities", "telecommunication")]
    return spot(seat, round=6, innovations=tiles)


@case("pass")
def nothing_left_to_do() -> Table:
    """Neither goods nor power: the pass."""
    return spot({"coins": 3}, round=6, round_tiles=QUIET)


@case("book guild")
def the_last_books_buy_a_guild_that_scores() -> Table:
    """Fewer than five books in round 6: a guild for 6 VP is better than 6 coins."""
    seat = {"buildings": {"B6": "workshop", "B5": "workshop"}, "books": {"law": 1, "medicine": 1}}
    actions = ["guild", "coins", "power"]
    return spot(seat, book_actions=actions, round=6, round_tiles=rounds({6: "guild-law"}), final_tile="guild")
