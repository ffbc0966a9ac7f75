"""Science: thresholds, keys, places, scholars."""

from __future__ import annotations

from tests.players.positions import AHEAD, Cases, spot
from tests.rules.scenes import TRIANGLE
from tests.rules.table import DISCIPLINES, Table, rounds

case = Cases()
FULL = dict.fromkeys(DISCIPLINES, 12)


def levels(**more: int) -> dict[str, int]:
    """Levels, 0 where not given."""
    return {**dict.fromkeys(DISCIPLINES, 0), **more}


@case("send law 3")
def three_steps_cross_the_threshold_of_law() -> Table:
    """Every 3 levels of law give a scholar at the end of the round; in the other disciplines three steps give nothing."""
    return spot({"scholars": 1}, round=2, round_tiles=rounds({2: "workshop-law"}))


@case("return law")
def one_step_crosses_the_threshold_and_the_scholar_comes_back() -> Table:
    """Law stands at 2 and its places are taken: one step returns the scholar at the end of the round."""
    taken = {"law": (1, 1, 1, 1), "banking": (2, 2, 2, 2), "engineering": (3, 3, 3, 3), "medicine": (1, 2, 3, 1)}
    places = {d: [{"value": v, "seat": k} for v, k in zip((3, 2, 2, 2), who, strict=True)] for d, who in taken.items()}
    seat = {"scholars": 1, "science": levels(law=2, banking=1, engineering=1, medicine=1)}
    return spot(seat, round=2, round_tiles=rounds({2: "workshop-law"}), scholar_places=places)


@case("send medicine 3")
def three_steps_reach_a_spade() -> Table:
    """Every 4 levels of medicine give a spade this round: from 1 to 4, while 1 to 4 elsewhere gives none."""
    seat = {"scholars": 1, "science": levels(law=1, banking=1, engineering=1, medicine=1)}
    return spot(seat, round=3, round_tiles=rounds({3: "guild-medicine"}))


@case("step law")
def the_step_that_crosses_the_threshold() -> Table:
    """One step of choice: law from 1 to 2 gives 3 power for the round tile."""
    seat = {"bonus": "science", "science": levels(law=1, banking=1, engineering=1, medicine=1), "bowls": [0, 12, 0]}
    return spot(seat, round=2, round_tiles=rounds({2: "innovation-law"})).do("special bonus/science")


@case("step law")
def the_last_step_breaks_a_tie_for_the_first_place() -> Table:
    """In law it shares the first place with 9: 12 VP for two; one step more is the 8 alone. Elsewhere it is last."""
    seat = {"bonus": "science", "science": levels(law=9)}
    others = [{"science": AHEAD}, {"science": AHEAD | {"law": 4}}, {"science": AHEAD | {"law": 4}}]
    return spot(seat, *others, round=6).do("special bonus/science")


@case("send law 3")
def the_last_scholar_takes_a_place() -> Table:
    """Law 4 of 6, 5, 3: three steps lead; in every other discipline all are out of reach."""
    seat = {"scholars": 1, "science": levels(law=4)}
    others = [{"science": FULL | {"law": n}} for n in (6, 5, 3)]
    return spot(seat, *others, round=6)


@case("send banking *", "send engineering *", "send medicine *")
def no_scholar_into_a_locked_discipline() -> Table:
    """Law stands at 7 without a key: the scholar's steps would be lost there."""
    return spot({"scholars": 1, "science": levels(law=7)}, round=4)


@case("key")
def a_key_is_used() -> Table:
    """Level 9 of law gives 6 power a round, and the key has no other use."""
    seat = {"scholars": 1, "keys": 1, "science": levels(law=7), "city_tiles": ["power"]}
    return spot(seat, round=3).do("send law 3")


@case("build A6")
def the_key_before_the_scholar() -> Table:
    """Law stands at 7 and the last step counts for 8 VP: first the city with its key, then the scholar."""
    seat = {"buildings": TRIANGLE, "coins": 2, "tools": 1, "scholars": 1, "science": levels(law=7)}
    others = [{"science": FULL | {"law": n}} for n in (9, 8, 8)]
    return spot(seat, *others, homes="A6", round=6)


@case("resolve city")
def the_key_before_the_steps() -> Table:
    """A school founds a city and brings steps of law, which stands at 7: the key has to come first."""
    buildings = {"B5": "school", "B6": "guild", "C6": "guild"}
    seat = {"buildings": buildings, "coins": 8, "tools": 5, "science": levels(law=7)}
    t = spot(seat, round=3).do("upgrade B5 university")
    if t.asks == "resolve" and "resolve competency" in t.legal():
        return t
    raise AssertionError(t.asks)


@case("step banking")
def the_step_to_an_income_for_four_rounds() -> Table:
    """Level 9 of banking pays 3 coins in each of four rounds; a step at the bottom pays nothing."""
    seat = {"bonus": "science", "science": levels(banking=8), "city_tiles": ["power"]}
    return spot(seat, *[{"science": FULL}] * 3, round=2).do("special bonus/science")


@case("competency 4")
def the_last_competency_for_its_points() -> Table:
    """Round 6 without a city: 5 VP, a tool and 2 coins now; income and 2 VP per city tile give nothing."""
    competencies = [
        {"key": key, "discipline": d, "place": 2, "left": 4}
        for key, d in (("4", "banking"), ("1", "law"), ("8", "engineering"), ("3", "medicine"))
    ]
    seat = {"buildings": {"B6": "guild"}, "coins": 5, "tools": 3}
    return spot(seat, round=6, competencies=competencies).do("upgrade B6 school")


@case("not competency 4", "not competency 8", "not competency 12")
def the_first_competency_for_its_income() -> Table:
    """In round 1 an income runs five times; the kinds that score once or at the end can wait."""
    competencies = [
        {"key": key, "discipline": d, "place": 2, "left": 4}
        for key, d in (("4", "banking"), ("1", "law"), ("8", "engineering"), ("3", "medicine"), ("12", "law"))
    ]
    seat = {"buildings": {"B6": "guild", "B5": "workshop"}, "coins": 5, "tools": 3}
    return spot(seat, round=1, competencies=competencies).do("upgrade B6 school")


@case("send *", "return *")
def a_scholar_is_not_carried_into_the_end() -> Table:
    """Round 6: a scholar on hand is a fifth of a VP, and with competency 9 sending it is 2 VP."""
    return spot({"scholars": 1, "competencies": ["9"]}, *[{"science": FULL}] * 3, round=6)


@case("send * 3")
def the_best_place_first() -> Table:
    """In the first round all 3-places are free: three steps rather than two or a returned scholar's one."""
    return spot({"scholars": 1}, *[{"science": levels()}] * 3, round=1)
