"""Players that break whatever they can reach: their games fail, are stored and counted, and all others are played."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.engine.record import Record, replay
from aoi_sim.storage.reader import Run
from aoi_sim.studies.tuning_games import Setting, play_set_up

PLAYER = """
import random
import sys

class Own(BaseException):
    pass

class Mute(Exception):
    def __str__(self):
        raise ValueError("mute")

class Player:
    name = "broken"

    def __init__(self, seat, seed):
        self.breaks = seat == 0 and seed % 2
        self.chance = random.Random(seed)

    def choose(self, state, actions):
        if self.breaks and state.round == {round}:
            {deed}
        return self.chance.choice(actions)
"""
ERRORS = {
    "sys.exit(0)": "SystemExit: 0",
    "sys.exit(3)": "SystemExit: 3",
    "raise SystemExit": "SystemExit:",
    "raise GeneratorExit('enough')": "GeneratorExit: enough",
    "raise Own('mine')": "Own: mine",
    "raise Mute": "Mute: no text",
    r"raise ValueError('\udc80')": r"ValueError: \udc80",
}
DAMAGE = [
    "state.seats = None",
    "state.seats.clear()",
    "del state.phase",
    "state.stack = [()]",
    "state.tables = None",
    "state.geometry = None",
    "state.log = None",
    "state.log.append('x')",
    "state.log.append(1)",
    "state.log[:8] = [0, 0, 9999, 9999, 9999, 0, 0, 0]",
    "state.round_log.clear()",
    "state.round_log.append(2**40)",
    "state.seats[0].faction = 9999",
    "state.seats[0].coins = 'many'",
    "state.seats[0].vp = 2**40",
]
N_GAMES = 20


def player(folder: Path, deed: str, round_: int = 3) -> str:
    path = folder / "broken.py"
    path.write_text(PLAYER.replace("{deed}", deed).replace("{round}", str(round_)))
    return str(path)


def run(folder: Path, heuristic: str, n_jobs: int = 1) -> Run:
    made: Run = aoi.simulate(N_GAMES, 2, [heuristic, "random"], out=folder, n_jobs=n_jobs, progress=False)
    return made


def broken_games(made: Run) -> list[int]:
    """The games that must have failed, by the seed of the player in seat 0 who breaks them."""
    seeds = made.games().sort("game_index").collect()["player_seeds"].to_list()
    return [index for index, row in enumerate(seeds) if row[0] % 2]


def check_stored(made: Run) -> pl.DataFrame:
    """Broken games are failed ones, each with a text and a record that can be replayed; all others are there."""
    games = made.games().sort("game_index").collect()
    broken = broken_games(made)
    assert 0 < len(broken) < N_GAMES
    assert len(games) == N_GAMES
    assert games.filter(status="failed")["game_index"].to_list() == broken
    assert made.n_failed == len(broken)
    assert sorted(path.name for path in (made.path / "failures").iterdir()) == [f"game-{i:06d}.txt" for i in broken]
    assert made.seats().collect()["game_index"].n_unique() == N_GAMES - len(broken)
    for record in games.filter(status="failed")["record"]:
        replay(Record.parse(record), len(record.splitlines()) + 1)
    return games


@pytest.mark.parametrize("deed", ERRORS)
def test_whatever_a_player_raises_is_a_failed_game(tmp_path: Path, deed: str) -> None:
    games = check_stored(run(tmp_path / "run", player(tmp_path, deed)))
    assert set(games["error"].drop_nulls()) == {ERRORS[deed]}


@pytest.mark.parametrize("deed", ["sys.exit(0)", "raise Own('mine')", "state.seats = None", "state.log.append(1)"])
def test_workers_store_the_same(tmp_path: Path, deed: str) -> None:
    one, two = (check_stored(run(tmp_path / str(jobs), player(tmp_path, deed), jobs)) for jobs in (1, 2))
    assert one.equals(two)


@pytest.mark.parametrize("round_", [1, 6])
@pytest.mark.parametrize("deed", DAMAGE)
def test_a_damaged_state_is_a_failed_game(tmp_path: Path, deed: str, round_: int) -> None:
    games = check_stored(run(tmp_path / "run", player(tmp_path, deed, round_)))
    assert games["error"].drop_nulls().str.len_chars().min() > 0


def test_draws_that_a_player_empties_are_stored_all_the_same(tmp_path: Path) -> None:
    emptied, left = (run(tmp_path / deed[:4], player(tmp_path, deed)) for deed in ("state.draws.clear()", "pass"))
    tables = [made.games().collect().drop("game_id", "final_hash") for made in (emptied, left)]
    assert emptied.n_failed == 0
    assert tables[0].equals(tables[1])


def test_the_command_line_says_that_games_failed(tmp_path: Path) -> None:
    for number, deed in enumerate(["sys.exit(0)", "sys.exit(3)", "state.seats = None"]):
        out = tmp_path / str(number)
        line = f"run --games 10 --players 2 --jobs 1 --heuristics {player(tmp_path, deed)} --out {out}"
        result = CliRunner().invoke(app, line.split())
        failed = len(list((out / "failures").iterdir()))
        assert failed > 0
        assert result.exit_code == 1
        assert result.stderr == f"error: {failed} games failed, {out}, {out / 'failures'} says why\n"


@pytest.mark.parametrize("command", ["run --games 4 --jobs 1 --out OUT --heuristics FILE", "check FILE"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("raise SystemExit(0)", "cannot be run (SystemExit: 0), bad.py, mend the file"),
        ("import sys\nsys.exit(3)", "cannot be run (SystemExit: 3), bad.py, mend the file"),
        ("class Own(BaseException): pass\nraise Own('x')", "cannot be run (Own: x), bad.py, mend the file"),
        ("class Player: pass", "no method choose, heuristic bad, write choose(self, state, actions)"),
        ("class Player: choose = 3", "no method choose, heuristic bad, write choose(self, state, actions)"),
        ("def make(seat, seed): return None", "no method choose, heuristic bad, write choose(self, state, actions)"),
    ],
)
def test_a_file_without_a_player_is_refused(tmp_path: Path, command: str, text: str, line: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text)
    words = {"FILE": str(path), "OUT": str(tmp_path / "run")}
    result = CliRunner().invoke(app, [words.get(word, word) for word in command.split()])
    assert (result.exit_code, result.stderr) == (2, f"error: {line}\n")
    assert not (tmp_path / "run").exists()


def test_a_class_without_choose_is_refused(tmp_path: Path) -> None:
    class Silent:
        pass

    with pytest.raises(aoi.HeuristicError, match="no method choose, heuristic Silent"):
        aoi.simulate(2, 2, Silent, out=tmp_path / "run", n_jobs=1)


def test_a_player_that_exits_when_it_is_made_fails_its_games(tmp_path: Path) -> None:
    def exiting(seat: int, seed: int) -> Any:
        raise SystemExit(0)

    made = aoi.simulate(2, 2, exiting, out=tmp_path / "run", n_jobs=1)
    assert set(made.games().collect()["error"]) == {"SystemExit: 0"}


def test_tuning_keeps_what_a_player_raises_too(tmp_path: Path) -> None:
    heuristic = aoi.players.find_heuristic(player(tmp_path, "sys.exit(0)"))
    errors = {play_set_up((Setting(2, "1.2", (), (), ()), heuristic, 1, number)).error for number in range(8)}
    assert errors == {None, "SystemExit: 0"}
