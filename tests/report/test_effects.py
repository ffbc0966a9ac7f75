"""Effects in words, made from the rules data."""

import pytest

from aoi_sim.report.effects import amount_at, bonus_text, component_text, gain_text
from aoi_sim.rules import load_ruleset

TABLES = ("palaces", "innovations", "competencies", "bonus_tiles", "city_tiles", "power_actions", "book_actions")


@pytest.mark.parametrize("edition", ["1.0", "1.2"])
@pytest.mark.parametrize("table", [*TABLES, "factions"])
def test_every_component_has_a_text(edition: str, table: str) -> None:
    for key, component in load_ruleset(edition=edition).data[table].items():
        text = component_text(component, 4)
        assert text, key
        assert "{" not in text
        assert "_" not in text


@pytest.mark.parametrize(
    ("table", "key", "text"),
    [
        ("palaces", "4", "income: 2 power; action: workshop becomes guild"),
        ("palaces", "9", "income: 1 scholar; flight for 1 scholar: 5 VP"),
        ("innovations", "steel", "once: VP by bridge: 1+ 8, 2+ 12, 3+ 18"),
        ("bonus_tiles", "palace-university", "income: 1 tool; pass: 4 VP per palace and university"),
        ("city_tiles", "science", "once: 7 VP, 1 step in each discipline"),
        ("factions", "navigators", "start: 3 law; workshop built beside a river: 2 VP, 1 coin"),
    ],
)
def test_texts_read_as_in_the_rules(table: str, key: str, text: str) -> None:
    found = component_text(load_ruleset().data[table][key], 4)
    assert sorted(found.replace(";", ",").split(", ")) == sorted(text.replace(";", ",").split(", "))


def test_amounts_follow_the_number_of_players() -> None:
    assert [amount_at([1, 1, 2, 2], n) for n in (2, 3, 4, 5)] == [1, 1, 2, 2]
    assert amount_at({"base": 2, "per_player": 1}, 5) == 7
    assert gain_text({"vp": {"base": 2, "per_player": 1}}, 3) == "5 VP"


def test_science_bonus_reads_as_in_the_rules() -> None:
    assert bonus_text({"discipline": "law", "every": 3, "scholars": 1}) == "every 3 law: 1 scholar"
    assert bonus_text({"discipline": "law", "every": 2, "power": 3}) == "every 2 law: 3 power"


def test_a_gain_unknown_to_the_texts_is_still_shown() -> None:
    assert gain_text({"free_ships": 2}) == "free ships 2"
    assert gain_text({"ships_of": {"law": 2}}) == "ships of law 2"
