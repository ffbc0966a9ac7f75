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
from aoi_sim.players import Heuristic, HeuristicError, find_heuristic
from aoi_sim.players.conformance import check_heuristic
from aoi_sim.players.heuristic import maker_of
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.features import AFTER, N_FEATURES, NAMES
from aoi_sim.players.weighted.lessons import (
    SUBJECTS,
    TURN,
    Lessons,
    LessonsError,
    check_lessons,
    nothing_learned,
    unpacked,
)
from aoi_sim.players.weighted.options import subject_of
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.tables import tables_for
from tests.players.table import play, start
from tests.players.taught import STUMP, Rows, content, packed, preferring, screened, stumps, toml, worth
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


def test_a_tree_adds_up_what_its_questions_lead_to() -> None:
    trees = unpacked(
        packed(([0, 1, -1, -1, -1, -1], [3, -2, 5, 7, 11, 1000], [4, 3, 0, 0, 0, 0], [0, 5])), [*NAMES[:2]]
    )
    x = [0] * N_FEATURES
    assert worth(trees, [*[3, -2], *x[2:]]) == 1005
    assert worth(trees, [*[3, -1], *x[2:]]) == 1007
    assert worth(trees, [*[4, -9], *x[2:]]) == 1011


def test_features_are_found_by_name() -> None:
    trees = unpacked(packed(STUMP), ["after_coins"])
    x = [0] * N_FEATURES
    assert worth(trees, x) == -500
    x[NAMES.index("after_coins")] = 4
    assert worth(trees, x) == 700


def chain(ends: int) -> Rows:
    """A tree that asks on and on where the answer is no."""
    n = ends - 1
    return ([0] * n + [-1] * ends, [-k for k in range(n)] + [*range(ends)], [*range(2 * n, n, -1), *[0] * ends], [0])


def test_a_tree_goes_on_as_long_as_it_asks() -> None:
    trees = unpacked(packed(chain(62)), ["vp"])
    x = [0] * N_FEATURES
    for vp, expected in ((5, 61), (1, 61), (0, 60), (-1, 59), (-7, 53), (-59, 1), (-60, 0), (-99, 0)):
        x[NAMES.index("vp")] = vp
        assert worth(trees, x) == expected


def test_lessons_change_what_is_done(tmp_path: Path) -> None:
    """Who holds coins dearest ends with more of them, and with another game."""
    plain = game(with_lessons(tmp_path, 'lessons = "none"\n', "plain"), 3)
    rich = game(with_lessons(tmp_path, toml(preferring("after_coin_income"))), 3)
    assert digest(plain) != digest(rich)


def test_of_options_that_are_judged_alike_the_most_valued_is_chosen() -> None:
    alike = content(rows=([-1], [250], [0], [0]))
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
    taught = with_lessons(tmp_path, toml(preferring("after_coin_income")))
    (tmp_path / "heir.toml").write_text('base = "taught.toml"\n')
    (tmp_path / "off.toml").write_text('base = "taught.toml"\nlessons = "none"\n')
    heir, off = find_heuristic(tmp_path / "heir.toml"), find_heuristic(tmp_path / "off.toml")
    assert heir.table()["lessons"] == taught.table()["lessons"] != {}
    assert off.table()["lessons"] == {}
    assert digest(game(heir, 3)) == digest(game(taught, 3))
    assert digest(game(off, 3)) == digest(game(with_lessons(tmp_path, 'lessons = "none"\n', "plain"), 3))


def test_a_player_with_lessons_passes_the_checks(tmp_path: Path) -> None:
    assert check_heuristic(with_lessons(tmp_path, toml(preferring("change_vp")))).failures == {}


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
    lessons = Lessons(preferring("after_coin_income"), tables)
    unknown = [c.ref for c, code in zip(tables.components, lessons.codes, strict=True) if code < 0]
    assert unknown == [c.ref for c in tables.components if c.ref not in known] != []
    state = new_game(rules, 2, 4, deal=[{"faction": new} if (new := _new_faction(unknown)) else {}, {}])
    play(state, [WeightedPlayer("taught", {}, {}, "taught", preferring("after_coin_income")) for _ in range(2)])
    assert is_over(state)


def _new_faction(refs: list[str]) -> str | None:
    return next((ref.removeprefix("faction/") for ref in refs if ref.startswith("faction/")), None)


def damaged(change: dict[str, Any]) -> str:
    return toml({**content(), **change})


def branching(ends: int) -> Rows:
    """A tree that asks on and on where the answer is yes, of two features in turn."""
    n = ends - 1
    feature = [f for k in range(n) for f in (k % 2, -1)]
    number = [x for k in range(n) for x in (k, k)]
    return ([*feature, -1], [*number, n], [*[k for q in range(n) for k in (2 * q + 2, 0)], 0], [0])


def trees(rows: Any = STUMP, subject: str = "turn") -> dict[str, Any]:
    return {"trees": {subject: rows if isinstance(rows, str) else packed(rows)}}


DAMAGES = {
    "no table": ("lessons = 7\n", "lessons that are no table"),
    "another word": ('lessons = "some"\n', "lessons that are no table"),
    "nothing in it": ("[lessons]\n", "components is no list"),
    "components of numbers": (damaged({"components": [1]}), "components is no list"),
    "features that are a text": (damaged({"features": "coins"}), "features is no list"),
    "within that is a text": (damaged({"within": "5"}), "within is no whole number"),
    "most that is a truth": (damaged({"most": True}), "most is no whole number"),
    "a negative most": (damaged({"most": -1}), "most is no whole number"),
    "no option at all": (damaged({"most": 0}), "most is no whole number"),
    "trees that are a list": (damaged({"trees": [1]}), "trees is no table"),
    "screens that are a list": (damaged({"screens": [1]}), "screens is no table"),
    "tried that is a truth": (damaged({"tried": True}), "tried is no whole number from 1"),
    "none tried": (damaged({"tried": 0}), "tried is no whole number from 1"),
    "far that is a text": (damaged({"far": "2000"}), "far is no whole number from 0"),
    "a negative far": (damaged({"far": -1}), "far is no whole number from 0"),
    "a screen without trees": (
        damaged({"screens": {"turn": packed(STUMP)}, "trees": {"tile": packed(STUMP)}}),
        "a screen without trees, turn",
    ),
    "a screen of an unknown subject": (damaged({"screens": {"turns": packed(STUMP)}}), "unknown subject 'turns'"),
    "a screen that cannot be read": (damaged({"screens": {"turn": "abcde"}}), "cannot be unpacked"),
    "an unknown subject": (damaged(trees(subject="turns")), "unknown subject 'turns'"),
    "an unknown feature": (damaged({"features": ["coin"]}), "unknown feature 'coin'"),
    "no base 85": (damaged(trees("é")), "cannot be unpacked"),
    "other base 85": (damaged(trees("abcde")), "cannot be unpacked"),
    "a truncated text": (damaged(trees(packed(STUMP)[:-7])), "cannot be unpacked"),
    "no numbers": (damaged(trees(([0], "x", [0], [0]))), "cannot be unpacked"),
    "rows that are missing": (damaged(trees(STUMP[:3])), "not whole"),
    "no node": (damaged(trees(([], [], [], []))), "not whole"),
    "numbers that are missing": (damaged(trees((STUMP[0], STUMP[1][:2], *STUMP[2:]))), "not whole"),
    "a question at the end": (damaged(trees(([-1, 0], [1, 1], [0, 1], [0]))), "not whole"),
    "a child before its node": (damaged(trees((STUMP[0], STUMP[1], [0, 0, 0], [0]))), "lead nowhere"),
    "a child behind the end": (damaged(trees((STUMP[0], STUMP[1], [3, 0, 0], [0]))), "lead nowhere"),
    "a root behind the end": (damaged(trees((*STUMP[:3], [3]))), "lead nowhere"),
    "a root before the beginning": (damaged(trees((*STUMP[:3], [-1]))), "lead nowhere"),
    "no tree": (damaged(trees((*STUMP[:3], []))), "not whole"),
    "trees out of order": (damaged(trees(([-1, -1], [1, 2], [0, 0], [1, 0]))), "lead nowhere"),
    "nodes before the first tree": (damaged(trees(([-1, -1], [1, 2], [0, 0], [1]))), "lead nowhere"),
    "a tree that goes on in the next": (damaged(trees(([0, -1, -1], [3, 1, 2], [2, 0, 0], [0, 2]))), "lead nowhere"),
    "a number too high": (damaged(trees(stumps([40_001]))), "trees that compare with 40001, further than 40000"),
    "a number too low": (damaged(trees(stumps([-40_001]))), "trees that compare with -40001, further than 40000"),
    "too many numbers": (damaged(trees(stumps(range(255)))), "more than 254 features or numbers of one"),
    "too many nodes below one": (damaged(trees(chain(129))), "more than 255 nodes below one or ends"),
    "too many ends": (
        damaged({"features": ["vp", "coins"], **trees(branching(256))}),
        "more than 255 nodes below one or ends",
    ),
    "a feature without a name": (damaged(trees(([1, -1, -1], *STUMP[1:]))), "without a name"),
    "a feature below the end": (damaged(trees(([-2, -1, -1], *STUMP[1:]))), "without a name"),
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


@pytest.mark.parametrize("feature", NAMES[AFTER:])
def test_a_screen_asks_for_nothing_that_follows_an_option(tmp_path: Path, feature: str) -> None:
    words = f"a screen that asks for {feature}, which is known only once an option is tried"
    with pytest.raises(HeuristicError, match=words) as caught:
        with_lessons(tmp_path, damaged({"features": [feature], "screens": {"turn": packed(STUMP)}}))
    assert "\n" not in str(caught.value)


def test_a_screen_asks_for_everything_that_is_known_before() -> None:
    for feature in NAMES[:AFTER]:
        check_lessons({**content(), "features": [feature], "screens": {"turn": packed(STUMP)}})


def test_tried_and_far_have_no_limit_unless_they_are_given() -> None:
    tables = tables_for(load_ruleset(), 2)
    lessons = Lessons(content(), tables)
    assert lessons.tried == lessons.most and lessons.far > 10**6
    lessons = Lessons({**content(), "tried": 2, "far": 700}, tables)
    assert (lessons.tried, lessons.far) == (2, 700)


def test_only_trees_teach() -> None:
    """What a screen says of an option is not its worth."""
    x = [0] * N_FEATURES
    lessons = Lessons(screened(("gap", stumps([-1], 9000)), ("vp", stumps([-1], 300))), tables_for(load_ruleset(), 2))
    assert lessons.worth(TURN, x) == 300
    assert [lessons.teach(subject) for subject in range(len(SUBJECTS))] == [True, *[False] * 5]


def test_what_was_read_before_lets_nothing_pass() -> None:
    """Trees are kept by their text and features; two names in one are still no feature."""
    unpacked(packed(STUMP), ["vp", "coins"])
    with pytest.raises(LessonsError, match="unknown feature 'vp coins'"):
        unpacked(packed(STUMP), ["vp coins"])


def test_undamaged_lessons_are_accepted(tmp_path: Path) -> None:
    lessons = with_lessons(tmp_path, damaged({})).table()["lessons"]
    assert lessons == content()
    assert set(lessons["trees"]) == set(SUBJECTS)
