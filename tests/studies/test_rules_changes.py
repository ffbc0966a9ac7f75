"""What a rules file changes is said whole: every leaf of the data that differs, and nothing else."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.studies.change_study import Setting
from aoi_sim.studies.changes import MOST_LINES, change_lines, changes
from aoi_sim.studies.what_if import WhatIf
from tests.rules_coverage import ROOT

OVERLAYS = sorted((ROOT / "examples/overlays").glob("*.toml"))
PAIRS = {path.stem: (load_ruleset(), load_ruleset(overlays=[path])) for path in OVERLAYS} | {
    "editions": (load_ruleset("1.0"), load_ruleset("1.2")),
    "back": (load_ruleset(overlays=[ROOT / "examples/overlays/weavers.toml"]), load_ruleset()),
}
pairs = pytest.mark.parametrize(("before", "after"), PAIRS.values(), ids=PAIRS)
QUICK = Setting(heuristics=("random",), games=10)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping | tuple) and len(value):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from leaves(item, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def all_leaves(rules: Ruleset) -> dict[str, Any]:
    data = {name: table for name, table in rules.data.items() if name != "options"}
    return dict(leaves({**data, "options": rules.options}))


@pairs
def test_every_leaf_that_differs_is_in_one_change_and_every_change_has_one(before: Ruleset, after: Ruleset) -> None:
    old, new = all_leaves(before), all_leaves(after)
    differing = {path for path in {**old, **new} if old.get(path) != new.get(path)}
    covered: dict[str, list[str]] = {
        change.path: [path for path in differing if f"{path}.".startswith(f"{change.path}.")]
        for change in changes(before, after)
    }
    assert sorted(path for paths in covered.values() for path in paths) == sorted(differing)
    assert all(covered.values())
    for change in changes(before, after):
        sides = [dict(leaves(side, change.path)) if side is not None else {} for side in (change.before, change.after)]
        under = [{path: value for path, value in side.items() if path in covered[change.path]} for side in (old, new)]
        assert sides == under


@pairs
def test_the_words_of_a_change_hold_the_path_and_every_value(before: Ruleset, after: Ruleset) -> None:
    lines = change_lines(before, after)
    assert len(lines) == len(changes(before, after))
    for line, change in zip(lines, changes(before, after), strict=True):
        assert line.startswith(f"{change.path} ")
        assert (" -> " in line) != change.is_component
        for path, value in [*leaves(change.before), *leaves(change.after)]:
            if value is not None:
                assert path.rpartition(".")[2] in line or path.rpartition(".")[2].isdigit()
                assert str(value) in line


def test_known_files_are_said_in_these_words() -> None:
    said = {name: change_lines(before, after) for name, (before, after) in PAIRS.items()}
    assert said["goblins-one-coin"] == ["factions.goblins.on.0.coins 2 -> 1"]
    assert said["cities-of-power-six"] == ["city.power 7 -> 6"]
    assert said["palaces-with-tools"] == ["palaces.10.income.tools none -> 1", "palaces.17.income.tools none -> 1"]
    assert said["moles-of-2023"] == ["factions.moles.tunnel.vp {base 2, per_player 1} -> 4"]
    assert said["limited-books"] == ["options.book_supply unlimited -> limited"]
    assert said["lecture-power-action"] == ["power_actions.lecture (new): cost 3, effect.steps 1"]
    assert said["no-edge-scoring"][0].startswith("final_tiles.edge-workshop (removed): scores workshop, ")
    assert said["back"][0].startswith("factions.weavers (removed): name Weavers, ")


def test_a_long_list_is_cut_with_a_count() -> None:
    overlay = {
        "city": {"power": 6},
        "setup": {"coins": 18},
        "factions": {name: {"start": {"vp": 7}} for name in load_ruleset().data["factions"]},
    }
    boards = {
        "boards": {
            name: {"start": dict.fromkeys(("tools", "coins", "vp", "power"), 9)}
            for name in load_ruleset().data["boards"]
        }
    }
    before, after = load_ruleset(), load_ruleset(overlays=[overlay, boards])
    n = len(changes(before, after))
    assert n > MOST_LINES
    lines = change_lines(before, after)
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == f"and {n - MOST_LINES} more"
    study = WhatIf(overlay, QUICK)
    assert study.about() == [f"Changed: {'; '.join(study.change_lines[:4])}; and {len(study.change_lines) - 4} more."]


@pytest.mark.parametrize("path", OVERLAYS, ids=lambda path: path.stem)
def test_the_report_begins_with_name_file_question_and_change(path: Path) -> None:
    import tomllib

    content = tomllib.loads(path.read_text())
    study = WhatIf(path, QUICK)
    assert study.title == f"What if: {content['name']}"
    first, second = study.about()
    assert first == f"{content['name']} ({path.name}): {content['question']}"
    assert second.startswith(f"Changed: {study.change_lines[0]}")
    section = study.change_section()
    assert section.title == "The change"
    assert section.text == change_lines(study.before, study.after)


def test_a_file_without_name_is_named_by_its_file_and_only_its_own_question_is_asked(tmp_path: Path) -> None:
    plain = tmp_path / "mine.toml"
    plain.write_text("[city]\npower = 6\n")
    study = WhatIf(plain, QUICK, base=[OVERLAYS[0]])
    assert study.title == "What if: mine.toml"
    assert study.about() == ["mine.toml", "Changed: city.power 7 -> 6."]
    assert WhatIf({"city": {"power": 6}}, QUICK).title == "What if"
    assert WhatIf({"city": {"power": 6}}, QUICK).about() == ["Changed: city.power 7 -> 6."]
