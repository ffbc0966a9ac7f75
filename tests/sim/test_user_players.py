"""Players of users in runs: files and classes, with any number of jobs, and what the manifest keeps of them."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.sim.rerun import rerun_game
from aoi_sim.storage.reader import Run

PLAYER = """
import random

class Player:
    def __init__(self, seat, seed):
        self.name = "careless"
        self.chance = random.Random(seed)

    def choose(self, state, actions):
        return self.chance.choice(actions)
"""


def class_of_a_notebook() -> type:
    """A class that no worker can import."""

    class Mine:
        name = "mine"

        def __init__(self, seat: int, seed: int) -> None:
            self.chance = random.Random(seed)

        def choose(self, state: Any, actions: Any) -> Any:
            return self.chance.choice(actions)

    return Mine


@pytest.fixture
def careless(tmp_path: Path) -> Path:
    path = tmp_path / "careless.py"
    path.write_text(PLAYER)
    return path


@pytest.fixture
def tuned(tmp_path: Path) -> Path:
    path = tmp_path / "tuned.toml"
    path.write_text('doc = "mine"\nbase = "expert"\n[weights]\ncoin = 500\n')
    return path


def run(folder: Path, heuristics: Any, n_jobs: int = 1, n_games: int = 20, **options: Any) -> Run:
    made: Run = aoi.simulate(n_games, 2, heuristics, out=folder, n_jobs=n_jobs, progress=False, **options)
    assert made.n_failed == 0
    return made


def stored(made: Run) -> dict[str, Any]:
    return {entry["name"]: entry for entry in made.manifest["heuristics"]}


def test_a_class_plays_in_one_process_and_in_two(tmp_path: Path) -> None:
    mine = class_of_a_notebook()
    runs = [run(tmp_path / str(jobs), [mine, "random"], jobs) for jobs in (1, 2)]
    tables = [made.seats().sort("game_index", "seat").collect() for made in runs]
    assert tables[0].equals(tables[1])
    assert set(tables[0]["heuristic"]) == {"mine", "random"}
    assert "class Mine" in stored(runs[0])["mine"]["content"]


def test_the_manifest_keeps_content_and_hash(tmp_path: Path, careless: Path, tuned: Path) -> None:
    made = run(tmp_path / "run", [careless, str(tuned)], 2)
    entries = stored(made)
    assert entries["careless"]["content"] == PLAYER
    assert entries["careless"]["kind"] == "module"
    assert '"coin":500' in entries["tuned"]["content"]
    assert len(entries["tuned"]["program_sha256"]) == 64
    for entry in entries.values():
        assert entry["sha256"] == hashlib.sha256(entry["content"].encode()).hexdigest()


def test_weights_play_again_from_the_manifest(tmp_path: Path, tuned: Path) -> None:
    """Without events a game is played again, also when the file has changed since."""
    made = run(tmp_path / "run", tuned, n_games=2, events="summary")
    tuned.write_text("[weights]\ncoin = 1\n")
    assert rerun_game(made, 1).differences == []


def test_code_of_a_manifest_is_not_run(tmp_path: Path, careless: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = run(tmp_path / "run", careless, n_games=2, events="summary")
    with pytest.raises(aoi.UnknownHeuristic):
        rerun_game(made, 0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heuristics").mkdir()
    careless.rename(tmp_path / "heuristics" / "careless.py")
    assert rerun_game(made, 0).differences == []
    (tmp_path / "heuristics" / "careless.py").write_text(PLAYER + "\n# changed\n")
    with pytest.raises(aoi.HeuristicError, match=r"not the careless\.py that played"):
        rerun_game(made, 0)


def test_a_class_is_not_played_again_without_its_program(tmp_path: Path) -> None:
    made = run(tmp_path / "run", class_of_a_notebook(), n_games=2, events="summary")
    with pytest.raises(aoi.HeuristicError, match="played by a class of a program, heuristic mine"):
        rerun_game(made, 0)
    made = run(tmp_path / "full", class_of_a_notebook(), n_games=2)
    assert rerun_game(made, 0).differences == []


def test_play_game_takes_them_too(careless: Path) -> None:
    game = aoi.play_game(aoi.load_ruleset(), [careless, class_of_a_notebook()], seed=2)
    assert game.heuristics == ("careless", "mine")
    assert "\nheuristics careless mine\n" in game.record.text
