"""Power: offers of neighbours, power actions, sacrifices, conversions."""

from __future__ import annotations

from typing import Any

from tests.players.positions import Cases, spot
from tests.rules.scenes import TRIANGLE
from tests.rules.table import Table, neutral, rounds

case = Cases()


def offered(buildings: dict[str, Any], *, passed: bool = True, now: int, **seat: Any) -> Table:
    """Seat 0 builds on E13; seat 1 (swamp), beside it on D12, D13, F12 or F13, is asked."""
    builder = {"board": "desert", "buildings": {"E12": "workshop"}, "coins": 2, "tools": 1}
    asked = {"board": "swamp", "buildings": buildings, "coins": 0, "tools": 0, "passed": passed, **seat}
    t = spot(builder, asked, homes="E13", round=now).do("build E13")
    assert (t.mover, t.asks) == (1, "offer")
    return t


@case("decline")
def four_power_for_three_points_in_the_last_round() -> Table:
    """It has passed: four tokens in bowl III are less than one VP at the end, and cost three."""
    return offered({"D12": "guild", "F12": "guild"}, now=6, bowls=[0, 12, 0])


@case("decline")
def five_power_for_four_points_in_round_five() -> Table:
    """Five power are a scholar or seven coins; that late they are worth less than 4 VP."""
    return offered({"D12": "guild", "F12": neutral("palace")}, now=5, bowls=[6, 6, 0])


@case("decline")
def tokens_that_only_reach_bowl_two() -> Table:
    """All tokens lie in bowl I: three power bring nothing that can be spent, and cost 2 VP of round 4."""
    return offered({"D12": "guild", "F12": "workshop"}, now=4, bowls=[12, 0, 0])


@case("decline")
def six_power_for_five_points() -> Table:
    """Five VP buy one power action at most, with only the last round to come."""
    return offered({"D12": neutral("university"), "F12": neutral("palace")}, now=5, bowls=[0, 12, 0])


@case("accept")
def free_power_is_taken() -> Table:
    """One power costs nothing."""
    return offered({"D12": "workshop"}, now=3, bowls=[0, 12, 0])


@case("accept")
def free_power_is_taken_after_passing_too() -> Table:
    """It costs nothing and is there next round."""
    return offered({"D12": "workshop"}, now=1, bowls=[5, 7, 0])


@case("accept")
def two_power_for_a_point_in_the_first_round() -> Table:
    """Tokens that reach bowl III in round 1 are spent five times more."""
    return offered({"D12": "guild"}, now=1, bowls=[0, 12, 0])


@case("accept")
def three_power_for_two_points_in_the_first_round() -> Table:
    """With one token in bowl III it opens 7 coins for 4, worth far more than 2 VP in round 1."""
    return offered({"D12": "guild", "F12": "workshop"}, now=1, passed=False, bowls=[0, 11, 1])


@case("accept")
def two_power_that_found_a_city() -> Table:
    """It has not passed: with 3 tokens in bowl III its bridge founds a city, with one it cannot."""
    builder = {"board": "desert", "buildings": {"E12": "workshop"}, "coins": 2, "tools": 1}
    buildings = {"C5": "guild", "D5": "guild", "D3": "guild", "E3": "workshop", "D12": "guild"}
    asked = {"board": "swamp", "buildings": buildings, "coins": 0, "tools": 0, "passed": False, "bowls": [9, 2, 1]}
    t = spot(builder, asked, homes="E13", round=6).do("build E13")
    assert t.mover == 1
    return t


@case("power coins")
def seven_coins_for_four_when_coins_lack() -> Table:
    """Three tools, a home hex and no coin: 7 coins build now and next turn."""
    return spot({"tools": 3, "bowls": [8, 0, 4]}, homes="A6 B5 C6", round=1)


@case("power coins")
def coins_for_a_school_next() -> Table:
    """The tools of the school lie there, only its coins lack."""
    return spot({"buildings": {"B6": "guild"}, "tools": 3, "bowls": [8, 0, 4]}, round=2)


@case("power tools")
def two_tools_for_four_when_tools_lack() -> Table:
    """Coins for two workshops, two home hexes and no tool."""
    return spot({"coins": 8, "bowls": [8, 0, 4]}, homes="A6 B5 C6", round=1)


@case("power *")
def no_power_is_left_lying() -> Table:
    """Four tokens in bowl III and nothing else to do in round 3: an action first, then the pass."""
    return spot({"bowls": [4, 4, 4]}, round=3)


@case("power scholar")
def a_scholar_for_three() -> Table:
    """Three tokens: a scholar for three beats three coins or a bridge to nowhere."""
    return spot({"bowls": [9, 0, 3]}, round=2)


@case("power spade", then="transform *>forest")
def a_spade_for_four_with_a_hex_one_step_away() -> Table:
    """B5 and A7 are one spade away, the workshop's price is at hand and coins are plenty."""
    return spot({"coins": 12, "tools": 1, "bowls": [8, 0, 4]}, round=1)


@case("power two-spades", "power spade")
def free_spades_when_tools_are_short() -> Table:
    """Six tokens, one tool, coins plenty: the spades make a workshop that no other action can."""
    return spot({"coins": 12, "tools": 1, "bowls": [6, 0, 6]}, round=1)


@case("power *")
def the_illusionists_take_points_for_power() -> Table:
    """Round 6: 4 VP for a power action and its coins on top; tokens kept are worth half a VP."""
    return spot({"faction": "illusionists", "bowls": [9, 0, 3]}, round=6, edition="1.0", players=5)


@case("special faction/psychics")
def the_psychics_use_their_power_first() -> Table:
    """5 power for nothing and then an action: nothing speaks for any other order."""
    return spot({"faction": "psychics", "bowls": [0, 12, 0]}, round=1)


@case("special faction/philosophers")
def the_philosophers_take_their_book() -> Table:
    """A book for nothing before passing."""
    return spot({"faction": "philosophers"}, round=2)


@case("special competency/7")
def the_power_of_competency_7() -> Table:
    """Four power for nothing before passing."""
    return spot({"competencies": ["7"], "bowls": [0, 12, 0]}, round=3)


@case("special innovation/professor")
def the_professor_before_the_pass() -> Table:
    """3 VP and a scholar for nothing, in the last round too."""
    return spot({"innovations": ["professor"]}, round=6)


@case("build A6")
def a_power_becomes_the_last_coin_of_a_city() -> Table:
    """A coin lacks; one power gives it."""
    return spot({"buildings": TRIANGLE, "coins": 1, "tools": 1, "bowls": [11, 0, 1]}, homes="A6", round=5)


@case("build A6")
def three_power_become_the_tool_of_a_city() -> Table:
    """The tool lacks; three power give it, worth more than a scholar for three."""
    return spot({"buildings": TRIANGLE, "coins": 2, "bowls": [9, 0, 3]}, homes="A6", round=5)


@case("build A6")
def tokens_are_burnt_for_the_tool_of_a_city() -> Table:
    """In the last round two tokens of bowl II are worth one coin; three become the tool of a city."""
    return spot({"buildings": TRIANGLE, "coins": 2, "bowls": [5, 4, 1]}, homes="A6", round=6)


@case("build A6")
def a_scholar_becomes_the_tool_of_a_city() -> Table:
    """Round 6: the scholar takes no place in science, as a tool it founds a city."""
    return spot({"buildings": TRIANGLE, "coins": 2, "scholars": 1}, homes="A6", round=6)


@case("upgrade B5 guild", "upgrade B6 guild")
def several_conversions_for_one_city() -> Table:
    """Three power make a tool and two make coins: the guild founds the city in the last round."""
    buildings = {"B5": "workshop", "B6": "workshop", "C6": "guild", "A6": "guild"}
    return spot({"buildings": buildings, "coins": 4, "tools": 1, "bowls": [7, 0, 5]}, round=6)


@case("innovate census")
def five_power_become_the_last_book() -> Table:
    """Four books and 5 power: census is worth 18 VP with eleven buildings."""
    return spot(
        {"buildings": ELEVEN, "books": {"law": 4}, "bowls": [7, 0, 5], "palace": "7"},
        round=6,
        innovations=[{"key": "census", "column": "law"}],
    )


ELEVEN = {
    **dict.fromkeys(("B5", "B6", "A6", "C6", "H8", "I8", "I9", "H11"), "workshop"),
    "A7": "guild",
    "I12": "guild",
    "I11": "palace",
}


@case("pass *")
def tools_are_not_turned_into_coins_for_nothing() -> Table:
    """Round 2, tools but no coin for any build: converted they would be lost for the next round's builds."""
    return spot({"tools": 1}, round=2, round_tiles=rounds({}))


@case("pass *")
def tokens_are_not_burnt_for_nothing() -> Table:
    """Two sacrifices would make a bridge to nowhere payable, at the price of two tokens for five rounds."""
    return spot({"bowls": [6, 5, 1]}, round=5)
