"""Heuristic files: where they are found, bases, changes, and one line for whatever is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoi_sim.players import Heuristic, HeuristicError, UnknownHeuristic, find_heuristic, find_heuristics, make_player
from aoi_sim.players.heuristic import maker_of
from aoi_sim.players.random_player import RandomPlayer
from aoi_sim.players.weighted import WeightedPlayer

PLAYER = "class Player:\n    name = 'mine'\n    def choose(self, state, actions):\n        return actions[0]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with a folder of heuristics."""
    (tmp_path / "heuristics").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path("heuristics") / name
    path.write_text(text, encoding="utf-8")
    return path


def weights(given: str | Path) -> dict[str, object]:
    return dict(find_heuristic(given).table()["weights"])


def refusal(given: str | Path) -> str:
    with pytest.raises(HeuristicError) as error:
        find_heuristic(given)
    text = str(error.value)
    assert "\n" not in text
    return text


def test_a_path_before_the_working_folder_before_the_package(folder: Path) -> None:
    packaged = find_heuristic("balanced")
    write("balanced.toml", 'doc = "mine"\n[weights]\ncoin = 7\n')
    assert weights("balanced") == {"coin": 7}
    (folder / "balanced.toml").write_text("[weights]\ncoin = 8\n")
    assert weights("balanced") == {"coin": 7}
    assert weights("balanced.toml") == weights(folder / "balanced.toml") == {"coin": 8}
    assert packaged.table()["doc"] != "mine"


def test_a_base_is_worked_in() -> None:
    write("a.toml", "[weights]\ncoin = 10\ntool = [20, 30]\n[factions.moles]\ntool = 40\nscholar = 5\n")
    write("b.toml", 'base = "a"\n[weights]\ncoin = 11\n[factions.moles]\nscholar = 6\n[factions.omar]\ncoin = 1\n')
    table = find_heuristic("b").table()
    assert table["weights"] == {"coin": 11, "tool": [20, 30]}
    assert table["factions"] == {"moles": {"tool": 40, "scholar": 6}, "omar": {"coin": 1}}
    assert [base["name"] for base in table["bases"]] == ["a"]


def test_a_weight_for_all_replaces_those_of_single_factions_and_a_change_changes_them() -> None:
    write("a.toml", "[weights]\ntool = 100\nbook = 100\n[factions.moles]\ntool = 200\nbook = 200\n")
    write("b.toml", 'base = "a"\n[weights]\ntool = 50\nbook = "150%"\n')
    table = find_heuristic("b").table()
    assert table["weights"] == {"tool": 50, "book": [150] * 6}
    assert table["factions"] == {"moles": {"book": [300] * 6}}


def test_weights_by_number_of_players_are_worked_in_as_those_by_faction_are() -> None:
    write("a.toml", "[weights]\ntool = 100\nbook = 100\n[players.2]\ntool = 200\nbook = 200\narea = 1\n")
    write(
        "b.toml",
        'base = "a"\n[weights]\ntool = 50\nbook = "150%"\n[players.2]\narea = "+4"\n[players.5]\nbook = "+1"\n',
    )
    table = find_heuristic("b").table()
    assert table["weights"] == {"tool": 50, "book": [150] * 6}
    assert table["players"] == {"2": {"book": [300] * 6, "area": [5] * 6}, "5": {"book": [151] * 6}}


def test_changes_by_round() -> None:
    write("a.toml", '[weights]\ncoin = [600, 100]\nbook = 100\narea = "-5"\n')
    write("b.toml", 'base = "a"\n[weights]\ncoin = "+7"\nbook = ["100%", "200%"]\n')
    changed = weights("b")
    assert changed["coin"] == [607, 507, 407, 307, 207, 107]
    assert changed["book"] == [100, 120, 140, 160, 180, 200]


def test_a_base_beside_the_file_comes_first(folder: Path) -> None:
    write("expert.toml", "[weights]\ncoin = 1\n")
    other = folder / "other"
    other.mkdir()
    (other / "expert.toml").write_text("[weights]\ncoin = 2\n")
    (other / "mine.toml").write_text('base = "expert"\n')
    assert weights(other / "mine.toml") == {"coin": 2}
    assert weights("expert") == {"coin": 1}


def test_the_content_tells_all_and_makes_the_player_elsewhere() -> None:
    write("a.toml", "[weights]\ncoin = 10\n")
    write("b.toml", 'base = "a"\ntemperature = 0\n')
    found = find_heuristic("b")
    Path("heuristics/a.toml").unlink()
    Path("heuristics/b.toml").unlink()
    again = Heuristic("b", found.kind, found.content)
    assert again == found
    assert again.sha256 == found.sha256
    assert isinstance(maker_of(again)(0, 1), WeightedPlayer)
    assert json.loads(found.content)["weights"] == {"coin": 10}


WRONG = [
    ("a.toml", "coin = ", "no TOML"),
    ("a.toml", "[weights]\ncoyn = 3\n", "unknown weight, in coyn"),
    ("a.toml", "[weights]\ncoin = 1.5\n", "1.5, in coin"),
    ("a.toml", '[weights]\ncoin = "much"\n', "'much', in coin"),
    ("a.toml", '[weights]\ncoin = ["+1", "20%"]\n', "'20%', in coin"),
    ("a.toml", "[weights]\ncoin = [1, 2, 3, 4]\n", "4 numbers, in coin"),
    ("a.toml", "[factions.moles]\ncoyn = 3\n", "unknown weight, in factions.moles.coyn"),
    ("a.toml", "factions = 3\n", "factions is no table"),
    ("a.toml", "[factions]\nmoles = 3\n", "factions.moles is no table"),
    ("a.toml", "[players.2]\ncoyn = 3\n", "unknown weight, in players.2.coyn"),
    ("a.toml", '[players.2]\ncoin = "much"\n', "'much', in players.2.coin"),
    ("a.toml", "[players.2]\ncoin = 1.5\n", "1.5, in players.2.coin"),
    ("a.toml", "players = 2\n", "players is no table"),
    ("a.toml", "[players]\n2 = 3\n", "players.2 is no table"),
    ("a.toml", "[players.6]\ncoin = 3\n", "players.6, "),
    ("a.toml", "[players.two]\ncoin = 3\n", "players.two, "),
    ("a.toml", "wieghts = 3\n", "unknown key 'wieghts'"),
    ("a.toml", "temperature = -1\n", "temperature is -1"),
    ("a.toml", "doc = 3\n", "doc is no text"),
    ("a.toml", 'base = "b"\n', "unknown base 'b'"),
    ("a.toml", 'base = "random"\n', "unknown base 'random'"),
    ("a.toml", 'base = "a"\n', "base leads back to itself (a > a)"),
    ("a.toml", "base = 3\n", "base is 3"),
    ("a.toml", "[provenance]\nday = 2026-11-30\n", "provenance holds a date"),
    ("a.py", "1 +\n", "SyntaxError"),
    ("a.py", "1 / 0\n", "ZeroDivisionError"),
    ("a.py", "x = 1\n", "nothing to make a player with"),
    ("a.py", "from aoi_sim.players import Player\n", "nothing to make a player with"),
    ("two words.toml", "", "file name with signs"),
    ("a.txt", "", "neither .toml nor .py"),
]


@pytest.mark.parametrize(("name", "text", "words"), WRONG)
def test_wrong_files_are_told_in_one_line(name: str, text: str, words: str) -> None:
    line = refusal(write(name, text))
    assert words in line
    assert Path(name).stem in line


def test_a_cycle_of_bases_names_the_chain() -> None:
    write("a.toml", 'base = "b"\n')
    write("b.toml", 'base = "a"\n')
    assert "base leads back to itself (a > b > a)" in refusal("a")


def test_a_file_that_is_not_there() -> None:
    assert "no such file, nowhere.toml" in refusal("nowhere.toml")
    with pytest.raises(UnknownHeuristic, match="did you mean balanced"):
        find_heuristic("balancd")


def test_a_python_file_with_a_class_or_a_function() -> None:
    write("one.py", PLAYER)
    write("two.py", PLAYER.replace("Player", "P") + "def make(seat, seed):\n    return P()\n")
    for name in ("one", "two"):
        found = find_heuristic(name)
        assert (found.name, found.kind) == (name, "module")
        assert "def choose" in found.content
        assert make_player(name, 0, 1).name == "mine"


class Mine(RandomPlayer):
    name = "of_the_class"


def mine(seat: int, seed: int) -> RandomPlayer:
    return RandomPlayer(seat, seed)


def test_classes_and_functions() -> None:
    found = find_heuristics([Mine, mine, "greedy", Mine])
    assert [(one.name, one.kind) for one in found] == [
        ("of_the_class", "class"),
        ("mine", "class"),
        ("greedy", "built-in"),
        ("of_the_class", "class"),
    ]
    assert "class Mine" in found[0].content
    assert isinstance(maker_of(found[1])(0, 1), RandomPlayer)


def test_what_is_no_heuristic() -> None:
    with pytest.raises(HeuristicError, match="3 is no heuristic"):
        find_heuristic(3)  # type: ignore[arg-type]
    with pytest.raises(HeuristicError, match="no name for a heuristic"):
        find_heuristic(lambda seat, seed: RandomPlayer(seat, seed))
    with pytest.raises(HeuristicError, match="no method choose"):
        make_player(list, 0, 1)
    with pytest.raises(HeuristicError, match=r"let it take \(seat, seed\)"):
        make_player(dict, 0, 1)


def test_two_with_one_name(folder: Path) -> None:
    write("a.toml", "[weights]\ncoin = 1\n")
    (folder / "a.toml").write_text("[weights]\ncoin = 2\n")
    with pytest.raises(HeuristicError, match="two heuristics with the name a"):
        find_heuristics(["a", "a.toml"])
    assert len(find_heuristics(["a", "a"])) == 2
