"""The benchmark measures both builds and prints what it promises; no timing decides a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.fast.build import BuildError
from aoi_sim.fast.stamp import ROOT
from aoi_sim.sim import match
from tests.bench import __main__ as bench
from tests.bench import builds, measure, shares

BUILD = aoi.build_info().kind


def test_the_rate_is_in_units_before_and_after_each_block(monkeypatch: pytest.MonkeyPatch) -> None:
    units = iter([1.0, 3.0, 5.0, 7.0])
    clock = iter([0.0, 2.0, 10.0, 14.0, 20.0, 21.0])
    monkeypatch.setattr(measure, "unit", lambda: next(units))
    monkeypatch.setattr(measure, "time", SimpleNamespace(process_time=lambda: next(clock)))
    rate = measure.alternate(lambda block: (4, 40), 3)
    # (1 + 3) / 2 x 4 / 2 = 4, (3 + 5) / 2 x 4 / 4 = 4, (5 + 7) / 2 x 4 / 1 = 24
    assert rate == measure.Rate(a_unit=4.0, games=2.0, decisions=20.0)


def test_shares_are_of_the_least_times(monkeypatch: pytest.MonkeyPatch) -> None:
    # Run, without log, engine alone; twice.
    times = iter([12.0, 6.0, 2.0, 10.0, 8.0, 3.0])
    monkeypatch.setattr(shares, "_seconds", lambda way: next(times))
    games = shares.Games("random", 1, 2)
    assert shares.shares(games, 2) == shares.Shares(engine=20.0, players=40.0, storage=40.0)


def test_the_engine_alone_plays_the_games_of_the_run() -> None:
    games = shares.Games("random", 2, 2)
    games.without_log()
    games.engine_alone()
    run = aoi.simulate(2, 2, "random", n_jobs=1, seed=shares.SEED, progress=False)
    assert run.games().collect()["n_decisions"].to_list() == [len(row) for row in games.decisions]


def test_everything_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(measure.GAMES, BUILD, {"random": 1, "greedy": 1, "expert": 1})
    monkeypatch.setattr(measure, "SAMPLE", 1)
    monkeypatch.setattr(measure, "unit", lambda: 0.1)
    names = ["--players", "random", "--players", "greedy", "--players", "expert"]
    assert measure.main(["--build", BUILD, "--blocks", "1", *names]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{BUILD} build, 4 players, one core, median of 1 blocks"
    rows = {line.split(",")[0]: line[measure.WIDTH :].split() for line in lines if "a run with" in line}
    assert [len(rows[name]) for name in ("random", "greedy", "expert")] == [5, 3, 4]
    assert rows["random"][1:3] == [f"{measure.TARGETS[BUILD, 'random']:.1f}", "2.0"]
    assert rows["expert"][1] == f"{measure.TARGETS[BUILD, 'expert']:.1f}"
    parts = {line.split()[0]: line.split()[1::2] for line in lines if line.endswith(" %")}
    assert list(parts) == ["random", "greedy", "expert"]
    assert all(98 <= sum(map(int, row)) <= 102 for row in parts.values())
    text = "\n".join(lines)
    assert [word for word in ("engine alone", "legal", "apply", "clone", "unit") if word not in text] == []


def test_wrong_players_and_the_wrong_build_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure.main(["--build", BUILD, "--blocks", "1", "--players", "nobody"]) == 2
    assert "unknown heuristic, 'nobody'" in capsys.readouterr().err
    assert measure.main(["--build", "other", "--blocks", "1", "--players", "random"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1


def test_games_that_fail_are_no_fast_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(match, "_MOST_DECISIONS", 20)
    monkeypatch.setattr(measure, "unit", lambda: 0.1)
    monkeypatch.setitem(measure.GAMES, BUILD, {"random": 2})
    assert measure.main(["--build", BUILD, "--blocks", "1", "--players", "random"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: 2 of 2 games failed, random, EndlessGameError") and error.count("\n") == 1


def watched(monkeypatch: pytest.MonkeyPatch, folder: Path | BuildError) -> list[tuple[str, Path, list[str]]]:
    """Let the command start nothing; what it would measure is noted."""
    asked: list[tuple[str, Path, list[str]]] = []

    @contextmanager
    def compiled(say: object) -> Iterator[Path]:
        if isinstance(folder, BuildError):
            raise folder
        yield folder

    def noted(kind: str, package: Path, arguments: list[str]) -> int:
        asked.append((kind, package, arguments))
        return 0

    monkeypatch.setattr(bench, "compiled_package", compiled)
    monkeypatch.setattr(bench, "measure_in", noted)
    return asked


def test_both_builds_and_all_players_unless_asked_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = watched(monkeypatch, Path("copy"))
    assert bench.main([]) == 0
    names = ["--players", "random", "--players", "greedy", "--players", "quick", "--players", "expert"]
    arguments = ["--blocks", "20", *names]
    assert asked == [("pure", ROOT, arguments), ("compiled", Path("copy"), arguments)]
    asked.clear()
    assert bench.main(["--build", "pure", "--blocks", "2", "--players", "cities"]) == 0
    assert asked == [("pure", ROOT, ["--blocks", "2", "--players", "cities"])]


def test_no_compiler_is_one_line_and_the_sources_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = watched(monkeypatch, BuildError("no C compiler, cc does not run, install one"))
    assert bench.main([]) == 2
    assert capsys.readouterr().err == "error: no C compiler, cc does not run, install one\n"
    assert [kind for kind, _, _ in asked] == ["pure"]
    assert bench.main(["--build", "compiled"]) == 2
    assert len(asked) == 1


def test_a_build_beside_the_sources_is_used_if_it_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []
    monkeypatch.setattr(builds, "available", lambda: ["pure", "compiled"])
    monkeypatch.setattr(builds, "build", built.append)
    with builds.compiled_package(print) as folder:
        assert folder == ROOT
    monkeypatch.setattr(builds, "available", lambda: ["pure"])
    with builds.compiled_package(lambda text: None) as folder:
        assert built == [folder] and folder != ROOT
        assert (folder / "aoi_sim/fast/modules.txt").is_file() and (folder / "heuristics/expert.toml").is_file()
    assert not folder.exists()


def test_the_child_takes_the_package_of_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[str], dict[str, Any]]] = []

    def run(command: list[str], **options: Any) -> SimpleNamespace:
        calls.append((command, options))
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(builds, "subprocess", SimpleNamespace(run=run))
    monkeypatch.setenv("AOI_SIM_PURE", "1")
    for kind in ("pure", "compiled"):
        assert builds.measure_in(kind, tmp_path, ["--blocks", "1"]) == 0
    (command, pure), (_, compiled) = calls
    assert command == [sys.executable, "-m", "tests.bench.measure", "--build", "pure", "--blocks", "1"]
    assert pure["cwd"] == tmp_path
    environments = [pure["env"], compiled["env"]]
    assert [found.get("AOI_SIM_PURE") for found in environments] == ["1", None]
    assert environments[1]["PYTHONPATH"].split(":")[0] == str(tmp_path)
