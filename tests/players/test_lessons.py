"""Lessons in heuristic files: what they change, when they are off, and one line for whatever is wrong with them."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from aoi_sim.engine import actions as a
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.setup import new_game
from aoi_sim.engine.state import digest, is_over
from aoi_sim.players import Heuristic, find_heuristic
from aoi_sim.players.conformance import check_heuristic
from aoi_sim.players.heuristic import maker_of
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.features import N_FEATURES, NAMES
from aoi_sim.players.weighted.lessons import (
    CITY,
    SUBJECTS,
    TURN,
    Lessons,
    LessonsError,
    check_lessons,
    nothing_learned,
    packed,
    unpacked,
)
from aoi_sim.players.weighted.networks import Network
from aoi_sim.players.weighted.options import subject_of
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.tables import tables_for
from tests.players.table import play, start
from tests.players.taught import STEP, Rows, content, graded, preferring, toml
from tests.rules_coverage import ROOT

OVERLAYS = ROOT / "examples/overlays"


def with_lessons(folder: Path, lessons: str, name: str = "taught") -> Heuristic:
    path = folder / f"{name}.toml"
    path.write_text('base = "expert"\n' + lessons)
    return find_heuristic(path)


def game(heuristic: Heuristic, seed: int) -> Any:
    """The end of a game of two."""
    make = maker_of(heuristic)
    state = start(2, seed)
    play(state, [make(seat, 1) for seat in range(2)])
    return state


def test_a_network_is_read_row_by_row() -> None:
    """Two features of two and three codes; the first unit counts sevenfold, the second, above 3, is taken off."""
    rows = [[0, 1], [1, 2], [3, -2, 5], [32_768, 32_766], [7 << 16, -1 << 16], [5, 0], [0, 4], [0, 1], [0, 2], [2, 0]]
    network = unpacked(packed(rows), [*NAMES[:2]])
    assert [worth(network, first, second) for first, second in ((3, 6), (4, 5), (4, -2), (9, 6))] == [49, -4, -3, 12]


def worth(network: Network, *features: int) -> int:
    return network.worth([*features, *[0] * (N_FEATURES - len(features))])


def test_features_are_found_by_name() -> None:
    network = unpacked(packed(STEP), ["adds_coins"])
    x = [9] * N_FEATURES
    for coins, expected in ((3, 0), (4, 1200)):
        x[NAMES.index("adds_coins")] = coins
        assert network.worth(x) == expected


def test_a_subject_is_judged_by_its_own_network() -> None:
    """Nothing is said of subjects without one."""
    lessons = content("vp", STEP, ["turn", "city"])
    lessons["networks"]["city"] = packed(graded((3, 70)))
    held = Lessons(lessons, tables_for(load_ruleset(), 2))
    x = [4] * N_FEATURES
    assert [held.worth(subject, x) for subject in (TURN, CITY)] == [1200, 70]
    assert [held.teach(subject) for subject in range(len(SUBJECTS))] == [
        k in (TURN, CITY) for k in range(len(SUBJECTS))
    ]
    assert sum(held.worth(subject, x) for subject in range(len(SUBJECTS))) == 1270


def test_lessons_change_what_is_done(tmp_path: Path) -> None:
    """Who holds coins dearest ends with more of them."""
    plain = game(with_lessons(tmp_path, 'lessons = "none"\n', "plain"), 3)
    rich = game(with_lessons(tmp_path, toml(preferring("adds_coins"))), 3)
    assert sum(seat.coins for seat in rich.seats) > 20 + sum(seat.coins for seat in plain.seats)


def test_of_options_that_are_judged_alike_the_most_valued_is_chosen() -> None:
    alike = content(rows=graded((0, 0)))
    table = [WeightedPlayer("alike", {}, {}, "alike", alike) for _ in range(2)]
    state = start(2, 5)
    turns = 0
    while not is_over(state):
        actions = legal_actions(state)
        player = table[seat_to_move(state)]
        action = None
        if subject_of(state, actions) == TURN and len(actions) > 1 and not player.is_under_way(actions):
            turns += 1
            action = player.options(state, actions, alike["within"], alike["most"])[0].steps[0]
        chosen = player.choose(state, actions)
        assert action is None or chosen == action or chosen[0] == action[0] == a.PASS
        apply_action(state, chosen)
    assert turns > 40


def test_lessons_are_inherited_and_can_be_switched_off(tmp_path: Path) -> None:
    taught = with_lessons(tmp_path, toml(preferring("adds_coins")))
    (tmp_path / "heir.toml").write_text('base = "taught.toml"\n')
    (tmp_path / "off.toml").write_text('base = "taught.toml"\nlessons = "none"\n')
    heir, off = find_heuristic(tmp_path / "heir.toml"), find_heuristic(tmp_path / "off.toml")
    assert heir.table()["lessons"] == taught.table()["lessons"] != {}
    assert off.table()["lessons"] == {}
    assert digest(game(heir, 3)) == digest(game(taught, 3))
    assert digest(game(off, 3)) == digest(game(with_lessons(tmp_path, 'lessons = "none"\n', "plain"), 3))


def test_a_player_with_lessons_passes_the_checks(tmp_path: Path) -> None:
    assert check_heuristic(with_lessons(tmp_path, toml(preferring("adds_vp")))).failures == {}


def test_components_that_the_lessons_never_met_have_no_number() -> None:
    tables = tables_for(load_ruleset(), 3)
    lessons = nothing_learned(tables)
    lost = tables.components[7].ref
    lessons["components"] = [ref for ref in lessons["components"] if ref != lost][::-1]
    codes = Lessons(lessons, tables).codes
    assert codes[7] == -1
    assert codes.count(-1) == 1
    assert all(
        lessons["components"][code] == c.ref for code, c in zip(codes, tables.components, strict=True) if code >= 0
    )


@pytest.mark.parametrize("overlay", ["weavers", "academy-city-tile", "lecture-power-action"])
def test_lessons_play_with_components_of_an_overlay(overlay: str) -> None:
    """What they never met has no number, the rest keeps its own, and the game is played to its end."""
    rules = load_ruleset(overlays=[OVERLAYS / f"{overlay}.toml"])
    tables = tables_for(rules, 2)
    known = {c.ref for c in tables_for(load_ruleset(), 2).components}
    lessons = Lessons(preferring("adds_coins"), tables)
    unknown = [c.ref for c, code in zip(tables.components, lessons.codes, strict=True) if code < 0]
    assert unknown == [c.ref for c in tables.components if c.ref not in known] != []
    state = new_game(rules, 2, 4, deal=[{"faction": new} if (new := _new_faction(unknown)) else {}, {}])
    play(state, [WeightedPlayer("taught", {}, {}, "taught", preferring("adds_coins")) for _ in range(2)])
    assert is_over(state)


def _new_faction(refs: list[str]) -> str | None:
    return next((ref.removeprefix("faction/") for ref in refs if ref.startswith("faction/")), None)


def damaged(change: dict[str, Any]) -> str:
    return toml({**content(), **change})


def without_networks() -> dict[str, Any]:
    return {key: value for key, value in content().items() if key != "networks"}


def asking_twice() -> Rows:
    return [[0, 0], [1, 1], [3, 3], *STEP[3:5], *[[0]] * 4]


def network(rows: Any = STEP, subject: str = "turn") -> dict[str, Any]:
    return {"networks": {subject: rows if isinstance(rows, str) else packed(rows)}}


def changed(**rows: list[int]) -> dict[str, Any]:
    """The small network with other rows."""
    names = ("places", "counts", "steps", "begin", "adds", "below", "above")
    return network([rows.get(name, list(row)) for name, row in zip(names, STEP, strict=True)])


DAMAGES = {
    "no table": ("lessons = 7\n", "lessons that are no table"),
    "another word": ('lessons = "some"\n', "lessons that are no table"),
    "nothing in it": ("[lessons]\n", "components is no list"),
    "components of numbers": (damaged({"components": [1]}), "components is no list"),
    "features that are a text": (damaged({"features": "coins"}), "features is no list"),
    "within that is a text": (damaged({"within": "5"}), "within is no whole number from 0"),
    "a negative within": (damaged({"within": -1}), "within is no whole number from 0"),
    "most that is a truth": (damaged({"most": True}), "most is no whole number from 1"),
    "a negative most": (damaged({"most": -1}), "most is no whole number from 1"),
    "no option at all": (damaged({"most": 0}), "most is no whole number from 1"),
    "networks that are a list": (damaged({"networks": [1]}), "networks is no table"),
    "trees as they once were": (toml({**without_networks(), "trees": {"turn": "abcde"}}), "networks is no table"),
    "an unknown subject": (damaged(network(subject="turns")), "unknown subject 'turns'"),
    "a network that is a number": (damaged({"networks": {"turn": 7}}), "the network of turn is no text"),
    "an unknown feature": (damaged({"features": ["coin"]}), "unknown feature 'coin'"),
    "a feature of what follows": (damaged({"features": ["after_coins"]}), "unknown feature 'after_coins'"),
    "no base 85": (damaged(network("é")), "cannot be unpacked"),
    "other base 85": (damaged(network("abcde")), "cannot be unpacked"),
    "a truncated text": (damaged(network(packed(STEP)[:-7])), "cannot be unpacked"),
    "no numbers": (damaged(network((*STEP[:2], "x", *STEP[3:]))), "cannot be unpacked"),
    "rows that are missing": (damaged(network(STEP[:4])), "not whole"),
    "no row of weights": (damaged(network(STEP[:5])), "not whole"),
    "a row of weights too few": (damaged(network(STEP[:6])), "not whole"),
    "a row of weights too many": (damaged(network([*STEP, [0]])), "not whole"),
    "an empty row of weights": (damaged(changed(above=[])), "not whole"),
    "no feature": (damaged(network([[], [], [], *STEP[3:5]])), "not whole"),
    "no unit": (damaged(network([*STEP[:3], [], [], [], []])), "not whole"),
    "a number of steps too few": (damaged(changed(counts=[])), "not whole"),
    "a negative number of steps": (damaged(changed(places=[0, 0], counts=[2, -1])), "not whole"),
    "a step too many": (damaged(changed(steps=[3, 4])), "not whole"),
    "steps out of order": (damaged(network(graded((3, 1), (2, 1)))), "not whole"),
    "an amount too many": (damaged(changed(adds=[0, 0])), "not whole"),
    "a step too high": (damaged(network(graded((40_001, 1)))), "a network with a step further than 40000"),
    "a sum below 0": (damaged(changed(below=[-32_769])), "a network whose sums leave their bits"),
    "a sum too high": (damaged(changed(above=[32_768])), "a network whose sums leave their bits"),
    "a feature twice": (damaged(network(asking_twice())), "a network that asks for a feature twice"),
    "a feature without a name": (damaged(changed(places=[1])), "without a name"),
    "a feature before the first": (damaged(changed(places=[-1])), "without a name"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_one_line(tmp_path: Path, damage: str) -> None:
    text, words = DAMAGES[damage]
    path = tmp_path / "bad.toml"
    path.write_text(text)
    done = CliRunner().invoke(app, ["check", str(path)])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: ")
    assert words in done.stderr and str(path) in done.stderr


def test_every_feature_can_be_asked_for() -> None:
    for feature in NAMES:
        check_lessons(content(feature))


def test_what_was_read_before_lets_nothing_pass() -> None:
    """Networks are kept by their text and features; two names in one are still no feature."""
    unpacked(packed(STEP), ["vp", "coins"])
    with pytest.raises(LessonsError, match="unknown feature 'vp coins'"):
        unpacked(packed(STEP), ["vp coins"])


def test_undamaged_lessons_are_accepted(tmp_path: Path) -> None:
    """However the text of a network is broken into rows."""
    lessons = with_lessons(tmp_path, damaged({})).table()["lessons"]
    assert lessons == content()
    assert set(lessons["networks"]) == set(SUBJECTS)
    text = packed(STEP)
    assert unpacked(f" {text[:9]}\n{text[9:]}\n", ["vp"]).worth([4] * N_FEATURES) == 1200
