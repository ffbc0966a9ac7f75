"""Every option and argument of every command with every kind of wrong value: one line, status 2, nothing written.

The options are read from the commands themselves, so that a new one is tried too.
"""

import re
import shutil
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.sim import runner
from aoi_sim.studies import tuning_games

QUICK = "--players 2 --heuristics random --jobs 1"
COMMANDS = {
    "run": f"--games 4 {QUICK} --out new",
    "plan": "--games 4 --players 2 --heuristics random",
    "arena": "--games 4 --players 2 --heuristics random,greedy --jobs 1 --out new",
    "tune": "mine.toml --budget 400 --players 2 --population 4 --held-out 2 --setups 1 --jobs 1 --out new.toml",
    "learn": "mine.toml --games 4 --players 2 --jobs 1 --out new.toml",
    "ablate": "mine.toml --games 6 --players 2 --groups waiting --jobs 1 --out new",
    "profile": "made",
    "bid": "7 --study folder",
    "report": "made --format md --out new.md",
    "replay": "game.txt",
    "verify": "made --replay 0",
    "info": "made",
    "export": "made --csv --out new",
    "merge": "made --out new",
    "show": "game.txt",
    "rules": "",
    "check": "random",
    "explain": "game.txt:60",
    "study restricted": f"--component palaces --games 40 {QUICK} --out new",
    "study fair": f"--games 100 {QUICK} --out new",
    "study editions": f"--games 4 {QUICK} --out new",
    "study what-if": f"my.toml --games 4 {QUICK} --out new",
    "study sensitivity": f"--only moles --games 40 {QUICK} --out new",
    "study agree": "folder folder",
}
VALUES = {
    int: ["", "abc", "1.5", "1e3", "nan", "-5", "0", "99999999999999999999"],
    float: ["", "abc", "nan", "inf", "-1", "0", "1e-300", "1e999"],
    str: [
        "",
        " ",
        "nonsense",
        "a,,b",
        ",",
        "-5",
        "missing.toml",
        "folder",
        "empty",
        "binary",
        "text.toml",
        "binary.toml",
    ],
    Path: ["", "missing", "folder", "empty", "binary", "text.toml", "binary.toml", "empty.csv", "text.toml/deeper"],
}
NEW_PLACE = {"missing", "empty", "binary", "text.toml", "binary.toml", "empty.csv"}
"""What a file may be written to: a new one, and one that is replaced."""
SOUND = {
    "--seed": {"0"},
    "--noise": {"0"},
    "run --out": {"missing"},
    "arena --out": {"missing"},
    "ablate --out": {"missing"},
    "study --out": {"missing"},
    "export --out": {"missing"},
    "merge --out": {"missing"},
    "report --out": NEW_PLACE,
    "tune --out": {"text.toml", "binary.toml"},
    "learn --out": {"text.toml", "binary.toml"},
    "learn --turns": {"0"},
    "learn --answers": {"0"},
    "learn --within": {"0"},
    "learn --far": {"0"},
    "learn --others": {"0", "1e-300"},
    "tune --budget": {"99999999999999999999"},
    "tune --against": {","},
    "tune --weights": {","},
    "ablate --groups": {","},
    "--rules": {"empty"},  # changes nothing, which is told in a warning
    "profile --csv": {"missing", "folder"},
    "replay --record": NEW_PLACE,
    "replay --html": NEW_PLACE,
    "show --svg": NEW_PLACE,
    "verify --replay": {"0", "99999999999999999999"},
    "study restricted --by": {"0"},
    "study what-if --rules": {"empty"},
    "explain --options": {"99999999999999999999"},
}
"""Values of the lists above that are sound after all."""


@dataclass(frozen=True)
class Parameter:
    """An option, or the argument at a place."""

    name: str
    kind: type
    place: int | None


def commands() -> Iterator[tuple[str, Any]]:
    groups = [("", app), *((f"{one.typer_instance.info.name} ", one.typer_instance) for one in app.registered_groups)]
    for prefix, group in groups:
        for one in group.registered_commands:
            assert one.callback is not None
            yield prefix + (one.name or one.callback.__name__.replace("_", "-")), one.callback


def parameters(callback: Any) -> Iterator[Parameter]:
    place = 0
    for name, hint in typing.get_type_hints(callback, include_extras=True).items():
        if name == "return" or hint is typer.Context:
            continue
        annotated = hint if hasattr(hint, "__metadata__") else next(filter(_annotated, typing.get_args(hint)))
        told, kinds = annotated.__metadata__[0], str(typing.get_args(annotated)[0])
        kind = next(kind for kind in (bool, int, float, Path, str) if kind.__name__ in kinds)
        if isinstance(told, typer.models.ArgumentInfo):
            yield Parameter(name, kind, place)
            place += 1
        elif kind is not bool:
            yield Parameter(next(word for word in (told.default, *(told.param_decls or ())) if word), kind, None)


def _annotated(hint: Any) -> bool:
    return hasattr(hint, "__metadata__")


def with_value(line: str, parameter: Parameter, value: str) -> list[str]:
    words = line.split()
    if parameter.place is not None:
        words[parameter.place : parameter.place + (parameter.place < len(words) and words[0][:2] != "--")] = [value]
    elif parameter.name in words:
        words[words.index(parameter.name) + 1] = value
    else:
        words += [parameter.name, value]
    return words


def sound(command: str, parameter: Parameter, value: str) -> bool:
    keys = (parameter.name, f"{command} {parameter.name}", f"{command.split()[0]} {parameter.name}")
    return any(value in SOUND.get(key, ()) for key in keys)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return aoi.simulate(8, 2, "random", n_jobs=1, out=tmp_path_factory.mktemp("made") / "run").path


@pytest.fixture
def places(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of all kinds, in which whatever would play is interrupted."""

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "play_chunks", stop)
    monkeypatch.setattr(tuning_games.Workers, "map", stop)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/something").write_text("x")
    for name in ("empty", "empty.csv"):
        (tmp_path / name).write_text("")
    for name in ("binary", "binary.toml"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00\x81" * 10)
    (tmp_path / "text.toml").write_text("hello\n")
    (tmp_path / "my.toml").write_text("[factions.goblins]\non = [{ event = 'spade_used', coins = 1 }]\n")
    (tmp_path / "mine.toml").write_text("[weights]\nwait_pct = 0\n")
    (tmp_path / "game.txt").write_text(aoi.play_game(aoi.load_ruleset(), ["random", "random"], seed=4).record.text)
    shutil.copytree(made, tmp_path / "made")
    return tmp_path


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("command", "callback"), list(commands()), ids=[name for name, _ in commands()])
def test_each_wrong_value_is_one_line(places: Path, command: str, callback: Any) -> None:
    before = files(places)
    for parameter in parameters(callback):
        for value in VALUES[parameter.kind]:
            words = [*command.split(), *with_value(COMMANDS[command], parameter, value)]
            done = CliRunner().invoke(app, words)
            if sound(command, parameter, value):
                assert done.exit_code in (0, 130), (words, done.stderr)
                for path in set(files(places)) - set(before):
                    path.unlink()
                for path, content in before.items():
                    path.write_bytes(content)
                for path in (places / "new", places / "missing"):
                    shutil.rmtree(path, ignore_errors=True)
                continue
            assert done.exit_code == 2, (words, done.exit_code, done.stderr)
            assert done.stdout == "", words
            assert re.fullmatch(r"error: [^\n]+\n", done.stderr), (words, done.stderr)
            assert len(re.split(r", |: |; ", done.stderr[len("error: ") :])) >= 3, done.stderr
            assert "unexpected" not in done.stderr.replace("unexpected extra argument", ""), done.stderr
            assert files(places) == before, (words, "nothing is written")


def test_every_command_is_tried() -> None:
    assert sorted(name for name, _ in commands()) == sorted(COMMANDS)
    assert sum(len(list(parameters(callback))) for _, callback in commands()) > 150


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("run --games abc --out new", "no whole number 'abc', --games, write one as 10 (aoi-sim run --help)"),
        ("plan --se much", "no number 'much', --se, write one as 0.5 (aoi-sim plan --help)"),
        ("plan --se 0.00001", "standard error 1e-05, --se, choose 0.01 to 100 VP"),
        ("run --out= --games 4", "nothing after the sign =, --out, give a value or leave it out"),
        ("run --games 10 --part 2/3 --out new", "no 3 parts (10 games in 1 chunk), --part, leave it out"),
        (
            "run --games 100 --part 2/11 --out new",
            "no 11 parts (100 games in 10 chunks), --part, choose 1 to 10 parts",
        ),
        ("show empty", "an empty file, empty, give a position file or a game record"),
        ("explain empty", "an empty file, empty, give a position file or a game record"),
        ("study fair --players 1 --games 100 --out new", "1 player, --players, choose 2 to 5"),
        ("study fair --checks 0 --games 100 --out new", "0 checks, --checks, choose 1 to 100"),
        ("study what-if empty --out new", "nothing changes, empty, give rules with other values than those before"),
        (
            "study what-if my.toml --within 1 --out new",
            "--within without --target, --within, add --target COMPONENT=VP",
        ),
        (
            "run --paired --rules 1.2 --rules empty --games 4 --out new",
            "the same rules as 1.2, empty (--rules), give levels with rules that differ",
        ),
        ("tune mine.toml --step nan --budget 400 --out new.toml", "nan is out of bounds, --step, choose 0.001 to 10.0"),
        ("report made --out folder", "a folder, folder (--out), give the name of a file"),
        ("report made --out no/x.md", "no such folder for the file, no/x.md (--out), make it or check the name"),
        ("report made --out made/manifest.json", "a file of a run, made/manifest.json (--out), choose another name"),
        ("export made --csv --out .", "folder is not empty, . (--out), choose a new one or empty it"),
        (
            "run --games 4 --jobs 5000 --out new",
            "5000 jobs, --jobs, choose -1 (as many as there are cores) or 1 to 1024",
        ),
    ],
)
def test_what_the_line_says(places: Path, line: str, wanted: str) -> None:
    before = files(places)
    done = CliRunner().invoke(app, line.split())
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {wanted}\n")
    assert files(places) == before


def test_the_folder_one_is_in_is_not_replaced(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "here").mkdir()
    monkeypatch.chdir(places / "here")
    for line in ("export ../made --csv --out .", "merge ../made --out ."):
        done = CliRunner().invoke(app, line.split())
        assert done.exit_code == 2
        assert done.stderr == "error: the folder you are in cannot be replaced, ., name a new folder\n"
    assert list((places / "here").iterdir()) == []


@pytest.mark.parametrize("rules", ["", "[setup]\ncoins = COINS\n", 'name = "only a name"\n'])
def test_rules_that_change_nothing_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nothing.toml").write_text(rules.replace("COINS", str(aoi.load_ruleset().data["setup"]["coins"])))
    Path("rich.toml").write_text("[setup]\ncoins = 30\n")
    rules_files = "--rules nothing.toml --rules rich.toml --rules rich.toml"
    done = CliRunner().invoke(app, ["run", "--games", "4", *QUICK.split(), *rules_files.split(), "--out", "new"])
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        "warning: changes nothing, rich.toml (--rules), the games are those without it",
        "warning: changes nothing, nothing.toml (--rules), the games are those without it",
    ]
