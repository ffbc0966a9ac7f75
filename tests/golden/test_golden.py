"""Golden games replay, are played again to the letter, and together use everything at each player count."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import aoi_sim as aoi

from .games import FOLDER, PLAYER_COUNTS, candidate, held, missing, play

RECORDS = sorted(FOLDER.glob("*.txt"))
COMPONENT_ACTIONS = ("power", "book", "pass")
ROOT = Path(__file__).parents[2]
CODE = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from aoi_sim.engine import draw_setup, start_game, legal_actions, seat_to_move, apply_action, is_over, digest
from aoi_sim.players import make_player
from aoi_sim.rules import load_ruleset
rules = load_ruleset()
total = hashlib.sha256()
for seed in range(20):
    n = 2 + seed % 4
    state = start_game(rules, draw_setup(rules, n, seed, setup=("standard", "draft")[seed % 2]))
    players = [make_player(("random", "explorer", "greedy")[(seed + k) % 3], k, seed + k) for k in range(n)]
    while not is_over(state):
        apply_action(state, players[seat_to_move(state)].choose(state, legal_actions(state)))
    total.update(digest(state).encode())
print(total.hexdigest())
"""


def test_there_are_golden_games_for_every_number_of_players() -> None:
    assert len(RECORDS) >= 20
    for n_players in PLAYER_COUNTS:
        assert len([path for path in RECORDS if path.name.startswith(f"{n_players}p-")]) >= 5


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_golden_game_replays_and_is_played_again_to_the_letter(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    aoi.replay(text)
    n_players, number = path.stem.split("p-")
    again, _ = play(*candidate(int(n_players), int(number)))
    assert again == text, "the rules or the players have changed: make golden, and read the difference"


@pytest.mark.parametrize("n_players", PLAYER_COUNTS)
def test_golden_games_use_every_component_and_action(n_players: int) -> None:
    used: Counter[str] = Counter()
    for path in RECORDS:
        if path.name.startswith(f"{n_players}p-"):
            record = aoi.Record.parse(path.read_text(encoding="utf-8"))
            used.update(held(aoi.replay(record)))
            for _, _, _, _, action in record.decisions:
                words = action.split()
                used[words[0]] += 1
                if words[0] == "special":
                    used[words[1]] += 1
                elif words[0] in COMPONENT_ACTIONS and len(words) > 1:
                    used[f"{'bonus' if words[0] == 'pass' else words[0]}/{words[1]}"] += 1
    assert missing(used, aoi.load_ruleset()) == set()


def digest_of_games(python: str, hash_seed: str) -> str:
    """Digest of twenty games played by an interpreter in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "AOI_SIM_PURE": "1"}
    done = subprocess.run(
        [python, "-c", CODE, str(ROOT)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return done.stdout.strip()


def interpreter(version: str) -> str | None:
    """An installed Python of a version that starts, on the path or under pyenv."""
    homes = [str(path) for path in Path.home().glob(f".pyenv/versions/{version}*/bin/python")]
    for python in [shutil.which(f"python{version}"), *sorted(homes)]:
        if python is not None:
            tried = subprocess.run([python, "-c", "import tomllib"], capture_output=True, check=False)
            if tried.returncode == 0:
                return python
    return None


def test_games_do_not_depend_on_the_hash_seed() -> None:
    assert digest_of_games(sys.executable, "1") == digest_of_games(sys.executable, "2")


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_games_are_the_same_on_other_pythons(version: str) -> None:
    found = interpreter(version)
    if found is None:
        pytest.skip(f"needs Python {version}")
    assert digest_of_games(found, "3") == digest_of_games(sys.executable, "3")
