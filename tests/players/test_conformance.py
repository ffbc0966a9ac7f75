"""What every heuristic must do, built-in or file: the checks of `aoi-sim check`, found by discovery."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import aoi_sim.players
from aoi_sim.engine.state import State, digest, is_over
from aoi_sim.fast import build_info
from aoi_sim.players import Heuristic, find_heuristic, heuristic_names
from aoi_sim.players.conformance import CHECKS, KINDS, check_heuristic
from aoi_sim.players.library import file_names
from tests.players.table import play, players, start

HEURISTICS = heuristic_names()
LIBRARY = {"balanced", "cautious", "cities", "expansion", "expert", "innovator", "palace", "power", "schools"}
ROOT = Path(aoi_sim.players.__file__).parents[2]


def of_source(text: str) -> Heuristic:
    return Heuristic("mine", "module", text)


def test_heuristics_are_listed_in_alphabetical_order() -> None:
    assert sorted(HEURISTICS) == HEURISTICS
    assert {"explorer", "greedy", "random", *LIBRARY} <= set(HEURISTICS)


@pytest.mark.parametrize("name", HEURISTICS)
def test_every_heuristic_passes_the_checks(name: str) -> None:
    """Whole games of 2 to 5 players, standard and draft, and every kind of decision."""
    report = check_heuristic(find_heuristic(name))
    assert report.failures == {}
    assert [kind for kind in KINDS if not report.asked[kind]] == []


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_files_of_the_library_say_what_they_are(name: str) -> None:
    path = file_names()[name]
    assert path.parent.resolve() == ROOT / "heuristics"
    table = find_heuristic(name).table()
    assert table["doc"].count("\n") == 0
    assert all(len(table[key]) > 9 for key in ("doc", "idea", "source", "date"))


def test_another_process_plays_the_same_game() -> None:
    """Whatever the order in which sets and dicts of this process come."""
    program = (
        "from aoi_sim.engine.state import digest; from tests.players.table import *; "
        "s = start(3, 11); play(s, players(['expert', 'greedy'], 3, 5)); print(digest(s))"
    )
    seen = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True
        )
        seen.add(done.stdout)
    assert len(seen) == 1


@pytest.mark.parametrize("name", ["random", "explorer"])
def test_another_seed_plays_another_game(name: str) -> None:
    assert play(start(3, 13), players([name], 3, 5)) != play(start(3, 13), players([name], 3, 6))


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_heuristics_play_together(n_players: int) -> None:
    state: State = start(n_players, 1, "draft")
    play(state, players(HEURISTICS, n_players, 1))
    assert is_over(state)
    assert digest(state)


BROKEN = {
    "chooses legally": "return (0, 0, 0, 99)",
    "repeatable": "return random.choice(actions)",
    "no side effects": "state.seats[0].coins += 1; return actions[0]",
    "answers everything": "return actions[99999]",
    "has a name": "return actions[0]",
}


@pytest.mark.parametrize("check", BROKEN)
def test_a_player_that_breaks_a_check_fails_it(check: str) -> None:
    name = "" if check == "has a name" else "mine"
    text = f"""
import random
class Player:
    def __init__(self, seat, seed): self.name = {name!r}
    def choose(self, state, actions): {BROKEN[check]}
"""
    report = check_heuristic(of_source(text))
    assert set(report.failures) == {check}
    assert not report.passed
    lines = list(report.lines())
    assert lines[0] == "mine: FAILS"
    assert [line.split("  ")[1] for line in lines[1 : 1 + len(CHECKS)]] == list(CHECKS)


@pytest.mark.parametrize("kind", ["SystemExit(0)", "SystemExit(3)", "GeneratorExit", "Own"])
@pytest.mark.parametrize("when", ["__init__", "choose"])
def test_a_player_that_exits_does_not_end_the_checks(kind: str, when: str) -> None:
    text = f"""
class Own(BaseException): pass
class Player:
    name = "mine"
    def __init__(self, seat, seed): self.do("__init__")
    def do(self, what):
        if what == {when!r}: raise {kind}
    def choose(self, state, actions):
        self.do("choose")
        return actions[0]
"""
    report = check_heuristic(of_source(text))
    assert set(report.failures) == {"answers everything"}
    assert f"it raised {kind.partition('(')[0]}" in report.failures["answers everything"]


@pytest.mark.parametrize(
    "deed",
    ["seats = None", "seats.clear()", "stack = None", "tables = None", "geometry = None", "legal = 3", "digs = []"],
)
def test_a_damaged_state_is_a_side_effect(deed: str) -> None:
    """Also what no hash of a state can tell, or what leaves nothing to hash."""
    place = "state.seats[0]" if deed.startswith("digs") else "state"
    text = f"class Player:\n name='p'\n def choose(self, state, actions):\n  {place}.{deed}\n  return actions[0]\n"
    report = check_heuristic(of_source(text))
    if build_info().kind == "compiled" and deed not in ("seats.clear()", "digs = []"):
        # A compiled state takes no value of another type; the player is told so where it tries.
        assert set(report.failures) == {"answers everything"}
        assert "it raised TypeError" in report.failures["answers everything"]
    else:
        assert set(report.failures) == {"no side effects"}
        assert "it changed the state" in report.failures["no side effects"]


def test_a_list_that_is_changed_is_a_side_effect() -> None:
    text = "def make(seat, seed): return P()\nclass P:\n name='p'\n def choose(self, s, a): a.sort(); return a.pop()\n"
    assert set(check_heuristic(of_source(text)).failures) == {"no side effects"}


def run_nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module, without what only mypy and the compiler see."""
    for node in tree.body:
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield from ast.walk(node)


def test_players_use_the_standard_library_only() -> None:
    for path in sorted(Path(aoi_sim.players.__file__).parent.rglob("*.py")):
        for node in run_nodes(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert name.split(".")[0] in sys.stdlib_module_names or name.startswith("aoi_sim."), (path.name, name)
