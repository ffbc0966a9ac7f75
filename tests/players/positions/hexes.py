"""Hexes: where to build and what to dig, tunnels and flights, round bonus tiles, books."""

from __future__ import annotations

from tests.players.positions import Cases, spot
from tests.rules.table import Table, in_city, rounds

case = Cases()
QUIET = {number: rounds({number: "innovation-law"}) for number in range(1, 7)}


@case("build I8")
def the_hex_that_needs_no_spade() -> Table:
    """One workshop's coins: I8 is home already, the others ask for tools on top."""
    return spot({"buildings": {"I9": "workshop"}, "coins": 2, "tools": 4}, homes="I8", round=1, round_tiles=QUIET[1])


@case("transform I10>forest", "transform I8>forest")
def one_spade_rather_than_three() -> Table:
    """Beside I9 lie lake (I8) and mountain (I10), one spade away, and wasteland and swamp, two."""
    return spot({"buildings": {"I9": "workshop"}, "coins": 2, "tools": 7}, round=1, round_tiles=QUIET[1])


@case("build H9")
def a_river_hex_for_the_river_tile() -> Table:
    """The round bonus tile pays 2 VP for a workshop beside the river; H9 lies there, I8 does not."""
    seat = {"buildings": {"I9": "workshop"}, "coins": 2, "tools": 1, "bonus": "river"}
    return spot(seat, homes="I8 H9", round=6, round_tiles=QUIET[6], final_tile="school")


@case("build H9")
def a_river_hex_for_the_navigators() -> Table:
    """2 VP and a coin for a workshop beside the river."""
    seat = {"faction": "navigators", "buildings": {"I9": "workshop"}, "coins": 2, "tools": 1}
    return spot(seat, homes="I8 H9", round=6, round_tiles=QUIET[6], final_tile="school")


@case("build * tunnel")
def a_tunnel_that_pays() -> Table:
    """A tunnel brings 6 VP at four players for one tool, and the hex is as good as the one next door."""
    seat = {"faction": "moles", "buildings": {"B6": "workshop"}, "coins": 2, "tools": 2}
    return spot(seat, homes="A6 D6 A5", round=5, round_tiles=QUIET[5])


@case("build * tunnel")
def a_tunnel_in_the_last_round() -> Table:
    """6 VP for the tunnel: the last tool is worth a fifth of one."""
    seat = {"faction": "moles", "buildings": {"B6": "workshop"}, "coins": 2, "tools": 2}
    return spot(seat, homes="A6 D6", round=6, round_tiles=QUIET[6], final_tile="school")


@case("build * flight")
def a_flight_that_pays() -> Table:
    """5 VP for a scholar that comes back to the supply; no place in science is in reach."""
    seat = {"buildings": {"B6": "palace"}, "palace": "9", "coins": 2, "tools": 1, "scholars": 1}
    return spot(seat, homes="A6 D6", round=6, round_tiles=QUIET[6], final_tile="school")


@case("build A6")
def no_flight_without_a_home_hex_in_need() -> Table:
    """No scholar: the plain hex."""
    seat = {"buildings": {"B6": "palace"}, "palace": "9", "coins": 2, "tools": 1}
    return spot(seat, homes="A6 D6", round=4, round_tiles=QUIET[4])


@case("special bonus/spade", then="transform *>forest")
def the_spade_of_the_round_bonus_tile() -> Table:
    """A free spade next to hexes one step away, with the price of the workshop at hand."""
    return spot({"bonus": "spade", "coins": 2, "tools": 1}, round=2)


@case("special palace/2")
def the_two_spades_of_palace_2() -> Table:
    """Two free spades every round: used before passing."""
    return spot({"buildings": {"B6": "palace"}, "palace": "2", "coins": 2, "tools": 1}, round=2)


@case("special palace/4")
def the_free_guild_of_palace_4() -> Table:
    """A guild for nothing when the round tile pays 3 VP for it."""
    buildings = {"B6": "palace", "B5": "workshop", "A6": "workshop"}
    return spot({"buildings": buildings, "palace": "4"}, round=3, round_tiles=rounds({3: "guild-law"}))


@case("special palace/1")
def the_two_tools_of_palace_1() -> Table:
    """Two tools for nothing, kept for the next round if need be."""
    return spot({"buildings": {"B6": "palace"}, "palace": "1"}, round=3)


@case("special palace/6")
def the_two_steps_of_palace_6() -> Table:
    """Two steps for nothing."""
    return spot({"buildings": {"B6": "palace"}, "palace": "6"}, round=4)


@case("transform *>forest", "build *", "not decline")
def a_free_spade_is_used() -> Table:
    """The spade is paid; a hex one step away is in reach."""
    return spot({"coins": 2, "tools": 1, "bowls": [8, 0, 4]}, round=1).do("power spade")


@case("build *")
def the_dug_hex_gets_its_workshop() -> Table:
    """The hex is home now and the price is at hand."""
    t = spot({"coins": 2, "tools": 1, "bowls": [8, 0, 4]}, round=1)
    return t.do("power spade", "transform B5>forest")


@case("upgrade I9 guild")
def the_guild_beside_a_neighbour_is_cheaper() -> Table:
    """3 coins rather than 6: what is saved builds the second workshop."""
    seat = {"buildings": {"I9": "workshop", "B6": "workshop"}, "coins": 6, "tools": 3}
    rival = {"board": "swamp", "buildings": {"H9": "workshop"}}
    return spot(seat, rival, round=3, round_tiles=rounds({3: "guild-law"}))


@case("pass coins")
def the_tile_with_three_coins_on_it() -> Table:
    """6 coins of income and 3 on the tile against tiles of a third of that."""
    return spot({"bonus": "power"}, bonus_tiles={"coins": 3, "river": 0, "bridge": 0}, round=2)


@case("pass palace-university")
def eight_points_for_palace_and_university() -> Table:
    """Round 6 is next: the tile pays 4 VP for each when passing, and a tool."""
    seat = {"buildings": {"B6": "palace", "B5": "university"}, "palace": "7", "bonus": "coins"}
    return spot(seat, bonus_tiles={"palace-university": 0, "river": 0, "power": 0}, round=5)


@case("upgrade B6 guild", "upgrade B5 guild")
def a_guild_for_the_round_bonus_tile() -> Table:
    """The tile in hand pays 3 VP for each guild, in the last round the only points of any upgrade."""
    seat = {"buildings": {"B6": "workshop", "B5": "workshop"}, "bonus": "guild", "coins": 6, "tools": 2}
    return spot(seat, round=6, round_tiles=QUIET[6], final_tile="edge-workshop")


@case("books law")
def the_book_that_the_innovation_asks_for() -> Table:
    """Both innovations on display stand in the column of law, which asks for two books of law; one is there."""
    seat = {"faction": "philosophers", "books": {"law": 1, "banking": 3}}
    tiles = [{"key": key, "column": "law"} for key in ("professor", "workshop")]
    return spot(seat, round=3, innovations=tiles).do("special faction/philosophers")


@case("innovate *")
def an_innovation_with_income_in_time() -> Table:
    """Five books of the right kind and the palace built in round 3: nothing is gained by waiting."""
    seat = {"buildings": {"B6": "palace", "B5": "workshop"}, "palace": "7", "books": {"law": 3, "banking": 2}}
    tiles = [{"key": key, "column": "law"} for key in ("professor", "workshop")]
    return spot(seat, round=3, innovations=tiles, book_actions=["power", "science", "coins"])


@case("advance terraforming")
def terraforming_pays_when_the_track_scores() -> Table:
    """3 VP for the round tile and two books; sailing lacks the coins, no scholar's step brings that much."""
    seat = {"board": "plains", "buildings": {"I13": "workshop"}, "scholars": 1, "tools": 1, "coins": 1}
    return spot(seat, round=2, round_tiles=rounds({2: "track-engineering"}))


@case("build B5", "build A6", "build C6", "build A7", "build B7", "build C7")
def a_city_is_planned_side_by_side() -> Table:
    """The guild and the workshops of B6 lie together; the new one joins them rather than the lonely I9."""
    seat = {"buildings": {"B6": "guild", "B5": "guild", "I9": in_city("workshop")}, "coins": 2, "tools": 1}
    return spot(seat, homes="A6 I8", round=2, round_tiles=QUIET[2])
