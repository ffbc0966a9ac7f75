"""What tune and learn keep beside their file: that of another version is told from a damaged one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from aoi_sim.studies import trials, tuning_state
from aoi_sim.studies.trials import TrialsFolder
from aoi_sim.studies.tuning_state import TuningError, load_state

KEPT: dict[str, tuple[str, str, Callable[[Path], Any]]] = {
    "tune": (tuning_state.FORMAT, "x.toml.state", lambda path: load_state(path, {})),
    "learn": (trials.FORMAT, "trials.json", lambda path: TrialsFolder(path.parent, {}, 4).begin()),
    "learn --with": (trials.FORMAT, "trials.json", lambda path: TrialsFolder.opened(path.parent, 1.0)),
}


@pytest.mark.parametrize("command", KEPT)
def test_another_version_is_told_from_damage(tmp_path: Path, command: str) -> None:
    known, file, read = KEPT[command]
    path, (name, version) = tmp_path / file, known.rsplit(" ", 1)
    for number in {"0", "1", "2", "3", "17"} - {version}:
        path.write_text(json.dumps({"format": f"{name} {number}"}))
        with pytest.raises(TuningError) as refused:
            read(path)
        told = f"made by another version of aoi-sim (format {number}, not {version}), {path}, "
        assert str(refused.value) == told + "go on with that version or leave it and start anew elsewhere"
    for damaged in (known, name, f"{name} x", "x 1", f"{known} 1", None, 1, [known]):
        path.write_text(json.dumps({"format": damaged}))
        with pytest.raises(TuningError, match=r"^damaged"):
            read(path)


@pytest.mark.parametrize(
    ("line", "file", "content"),
    [
        ("learn expert --games 6 --out OUT", "x.toml.trials/trials.json", "aoi-sim trials 1"),
        ("learn expert --games 6 --out OUT --with OLD", "old/trials.json", "aoi-sim trials 1"),
        ("tune expert --against greedy --budget 2000 --out OUT", "x.toml.state", "aoi-sim tuning 0"),
    ],
)
def test_a_command_that_meets_another_version_says_so_in_one_line(
    tmp_path: Path, line: str, file: str, content: str
) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"format": content, "games": 4, "identity": {}}))
    places = {"OUT": str(tmp_path / "x.toml"), "OLD": str(tmp_path / "old")}
    done = CliRunner().invoke(app, [places.get(word, word) for word in line.split()])
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: made by another version of aoi-sim (format ") and done.stderr.count("\n") == 1
    assert f" {path}, " in done.stderr
