"""Strange values all over the data: each is refused as it should be, or the rules work."""

from __future__ import annotations

from typing import Any

import pytest

from aoi_sim.rules import RulesError, load_ruleset
from aoi_sim.rules.tables import Tables

STRANGE: tuple[Any, ...] = (
    -1,
    0,
    1,
    14,
    10**9,
    2.5,
    True,
    None,
    "",
    "law",
    "a\nb",
    [],
    [1],
    [[]],
    {},
    {"x": 1},
    {1: 2},
)
TRIED_AT_EACH_ENTRY = 4


def entries(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every key of the tables, at any depth."""
    if not isinstance(value, dict):
        return [path]
    found = [path] if path else []
    for key, item in value.items():
        found += entries(item, (*path, key))
    return found


def refusal(overlay: dict[str, Any]) -> str:
    """Why the overlay is refused; "" if it loads and compiles for every number of players."""
    try:
        rules = load_ruleset(overlays=[overlay])
    except RulesError as error:
        return str(error)
    for players in (2, 3, 4, 5):
        Tables(rules, players)
    return ""


@pytest.mark.parametrize("table", [name for name in load_ruleset().data if name not in ("options", "conversions")])
def test_any_value_anywhere_is_refused_in_one_line_or_loads_and_compiles(table):
    refused = 0
    for n, path in enumerate(entries({table: load_ruleset().to_dict()[table]})):
        for i in range(TRIED_AT_EACH_ENTRY):
            overlay: Any = STRANGE[(7 * n + 5 * i) % len(STRANGE)]
            for key in reversed(path):
                overlay = {key: overlay}
            text = refusal(overlay)
            assert text == "" or text.startswith("overlay 1: "), (path, text)
            assert len(text.splitlines()) <= 1, path
            refused += text != ""
    assert refused >= 3
