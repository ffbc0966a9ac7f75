"""Cities: completing them, and what opens with them."""

from __future__ import annotations

from tests.players.positions import Cases, spot
from tests.rules.scenes import TRIANGLE
from tests.rules.table import Table, annexed, neutral, rounds

case = Cases()
FAR = {"I9": "workshop"}
RIVER = {"C5": "guild", "D5": "guild", "D3": "guild", "E4": "workshop", "I9": "palace"}


@case("build A6")
def a_workshop_completes_a_city() -> Table:
    """Three guilds lack one building; A6 founds the city, I8 is a lonely workshop."""
    return spot({"buildings": TRIANGLE | FAR, "coins": 2, "tools": 1}, homes="A6 I8")


@case("build A6")
def a_city_before_an_edge_hex_that_scores() -> Table:
    """3 VP for an edge workshop do not outweigh a city tile; A6 lies on the edge too, so it takes both."""
    seat = {"buildings": TRIANGLE | FAR, "coins": 2, "tools": 1}
    return spot(seat, homes="A6 I8", round=6, final_tile="edge-workshop", round_tiles=rounds({6: "city-engineering"}))


@case("upgrade B5 guild", "upgrade B6 guild")
def a_guild_completes_a_city() -> Table:
    """The group of four has power 6; a guild in it makes 7, the same guild on I9 makes nothing."""
    buildings = {"B5": "workshop", "B6": "workshop", "C6": "guild", "A6": "guild"} | FAR
    return spot({"buildings": buildings, "coins": 6, "tools": 2})


@case("upgrade B5 university")
def a_university_makes_a_city_of_three() -> Table:
    """With a university three buildings suffice: 3 + 2 + 2. The other school stands alone."""
    buildings = {"B5": "school", "B6": "guild", "C6": "guild", "I9": "school"}
    return spot({"buildings": buildings, "coins": 8, "tools": 5})


@case("upgrade B5 palace", "upgrade C6 palace")
def a_palace_completes_a_city() -> Table:
    """Four buildings of power 6: a palace adds the one that lacks, a school does not."""
    buildings = {"B5": "guild", "B6": "workshop", "C6": "guild", "A6": "workshop"}
    return spot({"buildings": buildings, "coins": 6, "tools": 4}, round=3)


@case("annex B5", "annex B6", "annex C6")
def an_annex_founds_a_city() -> Table:
    """An annex adds 1 power and counts as a building: three guilds become a city for nothing."""
    return spot({"buildings": TRIANGLE | FAR, "competencies": ["6"], "annexes": 1})


@case("annex A6", "annex B5", "annex B6")
def an_annex_goes_where_the_city_is_near() -> Table:
    """The group of four has power 6 with one annex; the second annex makes 7. On I9 it does nothing."""
    buildings = {"B5": annexed("workshop"), "B6": "workshop", "C6": "guild", "A6": "workshop", "I9": "guild"}
    return spot({"buildings": buildings, "competencies": ["6"], "annexes": 1})


@case("power bridge", then="bridge C5-D3")
def a_bridge_completes_a_city() -> Table:
    """Two groups of two, together of power 7, face each other over the water."""
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "E3": "workshop"}
    return spot({"buildings": buildings, "bowls": [9, 0, 3]})


@case("power bridge", then="bridge C5-D3")
def tokens_are_burnt_for_a_city() -> Table:
    """Two sacrifices make the third power of the bridge that founds a city: 8 VP for four tokens in the last round."""
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "E3": "workshop"}
    return spot({"buildings": buildings, "bowls": [6, 4, 1]}, round=6)


@case("bridge C5-D3")
def a_pending_bridge_joins_the_city() -> Table:
    """Of all places only this one founds a city."""
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "E3": "workshop"}
    return spot({"buildings": buildings, "bowls": [9, 0, 3]}).do("power bridge")


@case("found *")
def a_river_city_is_taken_back_up() -> Table:
    """With palace 14 the four buildings are a city over one river hex; nothing is gained by waiting."""
    return spot({"buildings": RIVER, "palace": "14"}, round=5)


@case("found *")
def a_river_city_is_not_declined() -> Table:
    """The question comes once a check; a city tile is at hand."""
    buildings = {name: kind for name, kind in RIVER.items() if name != "E4"}
    seat = {"buildings": buildings, "palace": "14", "coins": 2, "tools": 1}
    return spot(seat, homes="E4", round=5).do("build E4")


@case("city power", "city scholar")
def the_last_city_tile_for_its_points() -> Table:
    """Round 6, nothing left to do, no place in science in reach: 8 VP are more than 4 to 7 with goods."""
    t = spot({"buildings": TRIANGLE, "coins": 2, "tools": 1}, homes="A6", round=6)
    return t.do("build A6")


@case("city science")
def the_science_tile_takes_four_first_places() -> Table:
    """Everybody stands at 0: one step in each discipline is worth four times 8 VP."""
    none: dict[str, int] = {}
    others = [{"science": none}, {"science": none}, {"science": none}]
    t = spot({"buildings": TRIANGLE, "coins": 2, "tools": 1}, *others, homes="A6", round=6)
    return t.do("build A6")


@case("city tools")
def the_tools_tile_when_tools_build_another_city() -> Table:
    """Coins for a university are there, tools are not: 3 tools found a second city with a competency this round."""
    buildings = TRIANGLE | {"H9": "school", "I9": "guild", "I8": neutral("guild")}
    t = spot({"buildings": buildings, "coins": 10, "tools": 3}, homes="A6", round=5)
    return t.do("build A6")


@case("upgrade B5 guild", "upgrade B6 guild")
def a_free_guild_completes_a_city() -> Table:
    """The book action's guild may stand anywhere; in the group it founds a city."""
    buildings = {"B5": "workshop", "B6": "workshop", "C6": "guild", "A6": "guild"} | FAR
    seat = {"buildings": buildings, "books": {"law": 2}}
    return spot(seat, book_actions=["guild", "coins", "power"]).do("book guild")


@case("book guild", then=("upgrade B5 guild", "upgrade B6 guild"))
def two_books_for_the_guild_of_a_city() -> Table:
    """Two books buy the guild that founds a city; 6 coins are worth far less."""
    buildings = {"B5": "workshop", "B6": "workshop", "C6": "guild", "A6": "guild"} | FAR
    seat = {"buildings": buildings, "books": {"law": 2}}
    return spot(seat, book_actions=["guild", "coins", "power"])


@case("place A6 guild")
def the_free_guild_of_palace_16_completes_a_city() -> Table:
    """It may stand on any home hex: next to palace, guild and workshop it makes the fourth building."""
    buildings = {"B5": "guild", "B6": "guild", "C6": "workshop", "I9": "guild"}
    seat = {"buildings": buildings, "coins": 6, "tools": 4}
    t = spot(seat, homes="A6 H11", palaces=["16"], round=6)
    t.do("upgrade I9 palace", *[text for text in ["palace 16"] if t.asks == "palace"])
    while t.asks and t.asks != "free_piece":
        t.do(sorted(t.legal())[0])
    return t


@case("place A6 tower")
def the_tower_completes_a_city() -> Table:
    """Competency 10's tower has power 2: beside the three buildings of power 5 it founds a city."""
    buildings = {"B5": "guild", "B6": "guild", "C6": "workshop", "I9": "guild"}
    seat = {"buildings": buildings, "coins": 5, "tools": 3}
    t = spot(seat, homes="A6 I8 H8", round=3).do("upgrade I9 school", "competency 10")
    while t.asks and t.asks != "neutral":
        t.do(next(text for text in sorted(t.legal()) if "neutral" in text or t.asks != "resolve"))
    return t


@case("palace 8")
def palace_8_founds_a_city_of_power_six() -> Table:
    """The new palace's group has four buildings and power 6; palace 8 makes that a city at once."""
    buildings = {"B5": "guild", "B6": "workshop", "C6": "workshop", "A6": "workshop"}
    seat = {"buildings": buildings, "coins": 6, "tools": 4}
    return spot(seat, palaces=["8", "7", "17", "3"], round=5).do("upgrade B5 palace")


@case("bridge C5-D3")
def the_moles_bridge_a_city_for_a_tool() -> Table:
    """One tool joins the two groups into a city."""
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "E3": "workshop"}
    return spot({"faction": "moles", "buildings": buildings, "tools": 1})


@case("not decline")
def the_lizards_build_free_of_charge() -> Table:
    """A city tile of the Lizards brings a spade and a workshop for nothing: it is built, not declined."""
    seat = {"faction": "lizards", "buildings": TRIANGLE, "coins": 2, "tools": 1}
    t = spot(seat, homes="A6 C5 D5", round=4).do("build A6")
    while t.asks and t.asks != "spades":
        t.do("city coins" if t.asks == "city_tile" else sorted(t.legal())[0])
    return t
