"""An amount of 0 in the data gives nothing, for every kind of gain."""

import pytest

import aoi_sim as aoi
from aoi_sim.rules.tables import tables_for

AMOUNTS = [
    "coins",
    "tools",
    "scholars",
    "power",
    "vp",
    "tokens",
    "annexes",
    "books",
    "steps",
    "steps_split",
    "steps_each",
]
AMOUNTS += ["sailing", "terraforming", "spades", "bridges", "competency", "city_tile"]


@pytest.mark.parametrize("word", AMOUNTS)
def test_a_gain_of_none_is_no_gain(word: str) -> None:
    rules = aoi.load_ruleset(overlays=[{"remove": ["palaces.17"], "palaces": {"17": {"once": {word: 0}}}}])
    tables = tables_for(rules, 4)
    assert tables.components[tables.by_ref["palace/17"]].once.empty


def test_an_action_that_gives_no_bridge_is_not_legal() -> None:
    rules = aoi.load_ruleset(overlays=[{"power_actions": {"bridge": {"effect": {"bridges": 0}}}}])
    state = aoi.from_dict(
        rules,
        {
            "map": "3-5",
            "seats": [
                {
                    "faction": "blessed",
                    "board": "forest",
                    "buildings": {"A1": "workshop", "B4": "workshop"},
                    "bowls": [0, 0, 12],
                },
                {"faction": "moles", "board": "desert", "buildings": {"I13": "workshop"}},
                {"faction": "omar", "board": "lake", "buildings": {"C13": "workshop"}},
            ],
        },
    )
    texts = [aoi.format_action(state, action) for action in aoi.legal_actions(state)]
    assert "power scholar" in texts
    assert "power bridge" not in texts
