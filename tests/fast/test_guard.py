"""Which build runs: extensions that belong to the sources are loaded, others refused, all passed over on request."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import aoi_sim as aoi
from aoi_sim.fast import StaleBuildError, require_build
from aoi_sim.fast.running import available, environment, run_in
from aoi_sim.fast.sources import sources
from aoi_sim.fast.stamp import extension_path, modules, source_path, stamp_path
from tests.fast.copies import ROOT, change, copy_package, pretend_build, python, traces

KIND = "import aoi_sim; print(aoi_sim.build_info().kind)"
ENGINE = "import aoi_sim.engine.state as state; print(state.__file__)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the package with a build that looks right but cannot be loaded."""
    copy_package(tmp_path)
    pretend_build(tmp_path)
    return tmp_path


def is_refused(folder: Path, reason: str) -> None:
    """One line says what is wrong and what to do, from the command line and from Python."""
    assert python(folder, "-c", KIND).stdout == "refused\n"
    for arguments in (["--version"], ["run", "--games", "2", "--out", "out"]):
        done = python(folder, "-m", "aoi_sim", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"error: compiled build refused, {reason}, "
            "run make build-fast again, or make clean-fast, or set AOI_SIM_PURE=1\n"
        )
    done = python(folder, "-c", ENGINE)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        f"aoi_sim.fast.guard.StaleBuildError: compiled build refused, {reason}"
    )


def test_every_listed_module_is_there_once() -> None:
    listed = modules()
    assert len(set(listed)) == len(listed)
    assert all((ROOT / source_path(module)).is_file() for module in listed)
    assert set(map(source_path, listed)) < set(sources(ROOT))


def test_nothing_compiled_is_pure(tmp_path: Path) -> None:
    assert python(copy_package(tmp_path), "-c", KIND).stdout == "pure\n"
    assert python(tmp_path, "-c", ENGINE).stdout.endswith("state.py\n")
    done = python(tmp_path, "-m", "aoi_sim", "--version")
    assert done.stdout == f"aoi-sim {aoi.__version__} (pure)\n"


def test_extensions_of_the_sources_are_loaded(folder: Path) -> None:
    assert python(folder, "-c", KIND).stdout == "compiled\n"
    done = python(folder, "-c", ENGINE)
    assert done.returncode == 1
    assert "ImportError" in done.stderr
    assert "StaleBuildError" not in done.stderr


def test_changed_source_is_refused(folder: Path) -> None:
    change(folder / "aoi_sim/engine/turn.py")
    is_refused(folder, "aoi_sim/engine/turn.py has changed since it was built")


def test_changed_source_that_compiled_ones_import_from_is_refused(folder: Path) -> None:
    change(folder / "aoi_sim/rules/overlay.py")
    is_refused(folder, "aoi_sim/rules/overlay.py has changed since it was built")


def test_removed_source_is_refused(folder: Path) -> None:
    (folder / "aoi_sim/engine/income.py").unlink()
    is_refused(folder, "aoi_sim/engine/income.py has changed since it was built")


def test_half_a_build_is_refused(folder: Path) -> None:
    (folder / extension_path("aoi_sim.engine.cities")).unlink()
    is_refused(folder, f"{extension_path('aoi_sim.engine.cities')} is missing")


def test_build_without_stamp_is_refused(folder: Path) -> None:
    stamp_path(folder).unlink()
    is_refused(folder, "nothing says which sources it was built from")


def test_module_that_was_not_in_the_build_is_refused(folder: Path) -> None:
    lines = stamp_path(folder).read_text().splitlines(keepends=True)
    stamp_path(folder).write_text("".join(line for line in lines if "engine/flow.py" not in line))
    is_refused(folder, "aoi_sim/engine/flow.py was not in it")


def test_other_sources_may_change(folder: Path) -> None:
    for name in ("cli/app.py", "sim/match.py", "engine/record.py", "rules/loader.py"):
        change(folder / "aoi_sim" / name)
    (folder / "aoi_sim/rules/data/game.toml").touch()
    assert python(folder, "-c", KIND).stdout == "compiled\n"


@pytest.mark.parametrize("stale", [False, True])
def test_sources_run_on_request_in_workers_too(folder: Path, stale: bool) -> None:
    """The extensions could not be loaded, so no process of the run touched one."""
    if stale:
        change(folder / "aoi_sim/engine/turn.py")
    arguments = [
        "-m",
        "aoi_sim",
        "run",
        "--games",
        "4",
        "--players",
        "2",
        "--heuristics",
        "random,expert",
        "--jobs",
        "2",
    ]
    done = python(folder, *arguments, "--out", "out", kind="pure")
    assert (done.returncode, done.stderr) == (0, "")
    manifest = json.loads((folder / "out/manifest.json").read_text())
    assert manifest["build"] == "pure"
    assert manifest["counts"]["games"] == 4


@pytest.mark.parametrize(("value", "kind"), [("", "compiled"), ("0", "compiled"), ("1", "pure")])
def test_value_of_the_variable(folder: Path, value: str, kind: str) -> None:
    assert python(folder, "-c", KIND, AOI_SIM_PURE=value).stdout == f"{kind}\n"


def test_clean_fast_leaves_nothing(folder: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    assert len(traces(folder)) == len(modules()) + 2
    subprocess.run(["make", "clean-fast"], cwd=folder, check=True, capture_output=True)
    assert traces(folder) == []
    assert python(folder, "-c", KIND).stdout == "pure\n"


def test_clean_command_leaves_nothing(folder: Path) -> None:
    assert python(folder, "-m", "aoi_sim.fast", "clean").returncode == 0
    assert traces(folder) == []


def test_no_compiler_is_one_line(tmp_path: Path) -> None:
    done = python(copy_package(tmp_path), "-m", "aoi_sim.fast", "build", CC="/nowhere/cc -O3")
    assert done.returncode == 2
    assert done.stderr == (
        "error: no C compiler, /nowhere/cc does not run, install one (Debian and Ubuntu: apt install build-essential; "
        "macOS: xcode-select --install) or name it: CC=/path/to/cc make build-fast\n"
    )
    assert traces(tmp_path) == []


def test_failed_build_keeps_what_was_there(folder: Path) -> None:
    source = folder / "aoi_sim/engine/turn.py"
    source.write_text(source.read_text(encoding="utf-8") + "\nWRONG: int = 'text'\n", encoding="utf-8")
    before = sorted(traces(folder))
    done = python(folder, "-m", "aoi_sim.fast", "build")
    assert done.returncode == (1 if "turn.py" in done.stderr else 2)  # 2: no compiler here
    assert done.stderr.splitlines()[-1].startswith("error: ")
    assert sorted(traces(folder)) == before


def test_word_that_the_builder_does_not_know() -> None:
    done = python(ROOT, "-m", "aoi_sim.fast", "burn", kind="pure")
    assert (done.returncode, done.stderr) == (2, "error: one word needed, python -m aoi_sim.fast, build or clean\n")


def test_commands_in_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AOI_SIM_PURE", "1")
    assert environment("pure", {})["AOI_SIM_PURE"] == "1"
    assert "AOI_SIM_PURE" not in environment("compiled")
    assert os.environ["AOI_SIM_PURE"] == "1"
    assert "pure" in available()
    with pytest.raises(ValueError, match="no build 'quick', choose pure or compiled"):
        environment("quick")
    done = run_in("pure", ["sh", "-c", "echo $AOI_SIM_PURE"], capture_output=True)
    assert done.stdout == "1\n"


def test_compiled_command_without_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aoi_sim.fast.running.has_extensions", lambda root: False)
    with pytest.raises(ValueError, match="no compiled build that belongs to the sources, run make build-fast"):
        run_in("compiled", ["true"])


def test_worker_of_another_build() -> None:
    require_build(aoi.build_info().kind)
    with pytest.raises(StaleBuildError, match="its parent the other one, start again"):
        require_build("other")
