"""The commands of README and docs, copied word for word, are accepted: each is called up to the first game it would play."""

import shlex
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim import runner
from aoi_sim.studies import tuning_games
from tests.test_docs import PAGES, ROOT, blocks

NOT_PLAYED = ("no such run", "unfinished study", "no bids")
"""What a command says of a run or study that the page plays before, and that was interrupted here."""


def lines(page: Path) -> list[str]:
    code = "\n".join(blocks(page, "sh")).replace("\\\n", " ")
    return [line.strip() for line in code.splitlines() if line.strip().startswith("aoi-sim ")]


SHOWN = [page for page in PAGES if lines(page)]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return aoi.simulate(24, 4, "random", n_jobs=1, out=tmp_path_factory.mktemp("demo") / "run").path


@pytest.fixture
def place(demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a reader has it who did what the pages say, in which whatever would play is interrupted."""

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "play_chunks", stop)
    monkeypatch.setattr(tuning_games.Workers, "map", stop)
    monkeypatch.chdir(tmp_path)
    for name in ("demo", "pilot"):
        shutil.copytree(demo, tmp_path / "results" / name)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "heuristics").mkdir()
    (tmp_path / "my").mkdir()
    (tmp_path / "my/found.toml").write_text("[weights]\nwait_pct = 0\n")
    (tmp_path / "my.toml").write_text("[factions.goblins]\non = [{ event = 'spade_used', coins = 1 }]\n")
    (tmp_path / "set-ups.toml").write_text("[[setup]]\nmap = '3-5'\n")
    state = aoi.new_game(aoi.load_ruleset(), n_players=4, seed=1, deal=[{}] * 4)
    (tmp_path / "position.toml").write_text(aoi.dump_position(state))
    return tmp_path


@pytest.mark.parametrize("page", SHOWN, ids=[page.name for page in SHOWN])
def test_the_commands_of_a_page_are_accepted(place: Path, page: Path) -> None:
    before: list[str] = []
    for line in lines(page):
        words = shlex.split(line, comments=True)[1:]
        done = CliRunner().invoke(app, words)
        refused = [f"error: {what}, {out}" for what in NOT_PLAYED for out in before]
        assert done.exit_code in (0, 130) or done.stderr.startswith(tuple(refused)), (line, done.stderr)
        before += [out for word, out in pairwise(words) if word == "--out"]


def test_there_are_such_commands() -> None:
    assert sum(len(lines(page)) for page in SHOWN) > 30
