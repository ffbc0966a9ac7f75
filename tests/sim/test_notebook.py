"""Runs in a notebook: opened when they are there, interrupted, with players of a cell, and with a bar that moves."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.players import find_heuristic
from aoi_sim.storage import journal
from aoi_sim.storage.findings import counted

ROOT = Path(aoi.__file__).parents[1]

MINE = """
import random
import aoi_sim as aoi

class Careful:
    def __init__(self, seat, seed):
        self.chance = random.Random(seed)

class Mine(Careful):
    name = "mine"

    def choose(self, state, actions):
        return self.chance.choice(actions)
"""


class Notebook:
    """A kernel that plays cells."""

    def __init__(self, folder: Path) -> None:
        from jupyter_client.manager import KernelManager

        self.manager = KernelManager(kernel_name="python3", transport="ipc", ip=str(folder / "kernel"))
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        self.manager.kernel_spec.argv = command
        self.manager.start_kernel(cwd=str(folder), env=environment)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def start(self, cell: str) -> str:
        return str(self.client.execute(cell))

    def outputs(self, request: str, seconds: float = 90) -> list[dict[str, Any]]:
        """Messages of a cell until it is done."""
        found = []
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            message = self.client.get_iopub_msg(timeout=seconds)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return found
            found.append(message)
        raise AssertionError("the cell did not end in time")

    def run(self, cell: str) -> str:
        """What a cell prints; its error if it raises one."""
        return text_of(self.outputs(self.start(cell)))

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()


def text_of(messages: list[dict[str, Any]]) -> str:
    texts = []
    for message in messages:
        content = message["content"]
        texts.append(content.get("text") or (f"{content['ename']}: {content['evalue']}" if "ename" in content else ""))
    return "".join(texts)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Notebook, Path]]:
    folder = tmp_path_factory.mktemp("notebook")
    made = Notebook(folder)
    yield made, folder
    made.close()


def test_a_class_of_a_cell_plays_with_all_jobs_and_is_told_from_its_next_version(
    notebook: tuple[Notebook, Path],
) -> None:
    book, folder = notebook
    assert book.run(MINE) == ""
    call = 'run = aoi.simulate(40, 2, Mine, n_jobs={jobs}, out="{out}"); print(run.n_games, run.n_failed, run.partial)'
    assert book.run(call.format(jobs=-1, out="many")) == "40 0 False\n"
    assert book.run(call.format(jobs=1, out="one")) == "40 0 False\n"
    many, one = (aoi.open_run(folder / name) for name in ("many", "one"))
    assert many.manifest["chunks"] == one.manifest["chunks"]
    content = many.manifest["heuristics"][0]["content"]
    assert content.startswith("class Mine(Careful):\n    name")
    assert "class Careful:\n    def __init__" in content
    # The same cell once more, then with another class of the same name, then with another base class.
    assert book.run(MINE) == ""
    assert book.run(call.format(jobs=-1, out="many")) == "40 0 False\n"
    for old, new in (("chance.choice(actions)", "chance.choice(actions[:1])"), ("Random(seed)", "Random(seed + 1)")):
        assert book.run(MINE.replace(old, new)) == ""
        assert "another run lies there (its heuristic mine has other content)" in book.run(
            call.format(jobs=-1, out="many")
        )


def test_a_finished_run_is_opened_and_another_refused(notebook: tuple[Notebook, Path]) -> None:
    book, folder = notebook
    call = 'import aoi_sim as aoi; print(aoi.simulate(20, 2, "random", n_jobs=1, out="again", seed={seed}).n_games)'
    assert book.run(call.format(seed=1)) == "20\n"
    before = {path: path.stat().st_mtime_ns for path in (folder / "again").rglob("*")}
    assert book.run(call.format(seed=1)) == "20\n"
    assert {path: path.stat().st_mtime_ns for path in (folder / "again").rglob("*")} == before
    said = book.run(call.format(seed=2))
    assert said == (
        "RunFolderError: another run lies there (its seed is 1, not 2), again (--out), choose another folder"
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_cell_gives_the_games_that_are_finished(notebook: tuple[Notebook, Path], jobs: int) -> None:
    book, folder = notebook
    out = folder / f"stopped{jobs}"
    call = f'run = aoi.simulate({{games}}, 2, "random", n_jobs={jobs}, out="{out.name}"); print(repr(run))'
    assert book.run("import aoi_sim as aoi") == ""
    request = book.start(call.format(games=3000))
    deadline = time.monotonic() + 60
    while len(journal.read_entries(out)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    began = time.monotonic()
    book.manager.interrupt_kernel()
    said = text_of(book.outputs(request))
    assert time.monotonic() - began < 10
    n_games = aoi.open_run(out, partial=True).n_games
    assert 0 < n_games < 3000
    assert f"interrupted after {n_games} games, the run is partial, the same call goes on from there" in said
    assert f"{counted(n_games, 'game')} of 3,000, partial" in said
    assert "Error" not in said
    assert book.run("print(run.partial, run.seats().collect().height)") == f"True {2 * n_games}\n"
    assert "3,000 games, games, seats" in book.run(call.format(games=3000))
    assert book.run("print(run.partial)") == "False\n"


def test_the_bar_moves(notebook: tuple[Notebook, Path]) -> None:
    """One picture, put up once and then changed: no line for each step."""
    book, _ = notebook
    request = book.start('import aoi_sim as aoi; aoi.simulate(400, 2, "random", n_jobs=1); None')
    messages = [one for one in book.outputs(request) if one["msg_type"] in ("display_data", "update_display_data")]
    assert [one["msg_type"] for one in messages].count("display_data") == 1
    assert messages[0]["msg_type"] == "display_data"
    assert len({one["content"]["transient"]["display_id"] for one in messages}) == 1
    pictures = [re.sub("<[^>]*>", "", one["content"]["data"]["text/html"]) for one in messages]
    counts = [int(re.search(r"(\d+)/400 games", picture)[1]) for picture in pictures]  # type: ignore[index]
    assert counts == sorted(counts)
    assert len(counts) > 2
    assert counts[-1] == 400
    assert re.search(r"\d+\.\d games/s", pictures[-1])


def test_no_bar_where_none_is_wanted(notebook: tuple[Notebook, Path]) -> None:
    book, _ = notebook
    request = book.start('import aoi_sim as aoi; aoi.simulate(10, 2, "random", n_jobs=1, progress=False); None')
    assert [one for one in book.outputs(request) if one["msg_type"] not in ("status", "execute_input")] == []


def test_a_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    cells = [MINE, 'run = aoi.simulate(20, 2, Mine, n_jobs=2, out="run")', "run"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    # Code to be run by the kernel that the tests have, which finds the package on its path.
    client = NotebookClient(book, timeout=90, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert "20/20 games" in re.sub("<[^>]*>", "", book.cells[1].outputs[0]["data"]["text/html"])
    assert "20 games of 2 players, 0 failed" in book.cells[2].outputs[0]["data"]["text/html"]


def test_a_class_without_source_is_not_taken_for_another(tmp_path: Path) -> None:
    space: dict[str, Any] = {"__name__": "nowhere"}
    exec(MINE, space)
    assert "its source is not at hand" in find_heuristic(space["Mine"]).content
    aoi.simulate(4, 2, space["Mine"], n_jobs=1, out=tmp_path / "run")
    with pytest.raises(aoi.RunFolderError, match="heuristic mine may be another: its source is not at hand"):
        aoi.simulate(4, 2, space["Mine"], n_jobs=1, out=tmp_path / "run")
