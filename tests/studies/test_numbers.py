"""Numbers of the rules by path: read, changed alone, listed; each wrong path is one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aoi_sim.rules import load_ruleset
from aoi_sim.studies.numbers import allowed, changed_number, number_at, numbers_of
from aoi_sim.studies.study_folder import StudyError

RULES = load_ruleset()
PATHS = [
    path
    for table in ("factions", "boards", "palaces", "competencies", "city_tiles")
    for key in RULES.data[table]
    for path in numbers_of(RULES, f"{table}.{key}", 4)
]


def test_numbers_are_read_in_tables_and_in_lists() -> None:
    assert number_at(RULES, "factions.moles.tunnel.vp.base") == 2
    assert number_at(RULES, "factions.navigators.on.0.coins") == 1
    assert number_at(RULES, "factions.illusionists.on.0.vp.3") == 2
    assert number_at(RULES, "setup.bowls.1") == 7


@given(st.sampled_from(PATHS), st.sampled_from([-1, 1]))
def test_a_change_changes_that_number_and_no_other(path: str, step: int) -> None:
    value = number_at(RULES, path) + step
    if value < 0 or (changed := allowed(RULES, path, value)) is None:
        return
    assert number_at(changed, path) == value
    assert changed_number(changed, path, value - step) == RULES


def test_the_numbers_of_a_faction_are_those_that_count_at_the_table() -> None:
    assert list(numbers_of(RULES, "factions.goblins", 4)) == [
        *("factions.goblins.start.steps_of.banking", "factions.goblins.start.steps_of.engineering"),
        *("factions.goblins.start.tools", "factions.goblins.on.0.coins"),
    ]
    illusionists = [list(numbers_of(RULES, "factions.illusionists", n))[-1] for n in (2, 5)]
    assert illusionists == ["factions.illusionists.on.0.vp.0", "factions.illusionists.on.0.vp.3"]
    assert not [path for path in PATHS if "start_rounds" in path]


def test_what_the_rules_do_not_allow_is_no_step() -> None:
    assert allowed(RULES, "factions.illusionists.power_action_discount", 4) is None
    assert allowed(RULES, "factions.illusionists.power_action_discount", 3) is not None


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("factions.mole.tunnel", "no 'mole' in factions, --number factions.mole.tunnel, choose .*moles"),
        ("faction.moles", "no 'faction' in the rules, .*factions"),
        ("factions.moles.tunnel", "no number at factions.moles.tunnel, .*factions.moles.tunnel.tools"),
        ("factions.moles.name", "no number at factions.moles.name"),
        ("factions.moles.tunnel.vp.base.x", "no 'x' in factions.moles.tunnel.vp.base, .*the number ends there"),
        ("setup.bowls.3", "no '3' in setup.bowls, .*choose 0, 1, 2"),
    ],
)
def test_wrong_paths_are_one_line(path: str, words: str) -> None:
    with pytest.raises(StudyError, match=words) as error:
        number_at(RULES, path)
    assert "\n" not in str(error.value)
