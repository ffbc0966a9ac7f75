"""Runs the rule tests on changed copies of the project.

Each core has a copy of the tree. pytest and its plugins are imported once; every mutant is judged by a fork of that
warm process, which sees the copy first on its path. Tests that noticed earlier changes go first, so that most mutants
need the time of one test.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import hypothesis  # noqa: F401  imported here so that the forks need not
import pytest

from tests.mutate.mutant import Mutant, MutationError

NOT_COPIED = (
    ".git",
    ".venv",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    "results",
    "notebooks",
    "build",
    "dist",
    "*.so",
)
SHORTEST_TIMEOUT = 60.0
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


# By process: the mutant, its copy of the project, text and stamp of the file as it was, when it began.
Running = dict[int, tuple[Mutant, Path, tuple[str, float], float]]


@dataclass(frozen=True)
class Verdict:
    """What the rule tests said of a mutant: the first test that failed, "" when all passed."""

    mutant: Mutant
    noticed_by: str
    seconds: float

    @property
    def survived(self) -> bool:
        """Whether no test noticed the change."""
        return not self.noticed_by


class FirstKillers:
    """A pytest plugin that puts tests which noticed earlier changes first, those of the same file of all."""

    def __init__(self, same_file: Counter[str], everywhere: Counter[str]) -> None:
        self.same_file = same_file
        self.everywhere = everywhere

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sorts the tests; those without a record keep their order."""
        items.sort(key=lambda item: (-self.same_file[item.nodeid], -self.everywhere[item.nodeid]))


class Laboratory:
    """Copies of a project in which its rule tests judge mutants.

    Raises:
        MutationError: The tests fail without any change.
    """

    def __init__(self, root: Path, tests: Sequence[str], not_asked: Sequence[str], jobs: int) -> None:
        self.root = root
        self.tests = [name for name in tests if (root / name).exists()]
        self.tests += [f"--ignore={name}" for name in not_asked]
        self.folder = Path(tempfile.mkdtemp(prefix="aoi-sim-mutate-"))
        self.copies = [self.folder / f"copy-{number}" for number in range(jobs)]
        self.killers: dict[str, Counter[str]] = {}
        self.everywhere: Counter[str] = Counter()
        self.timeout = 3600.0
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        for copy in self.copies:
            shutil.copytree(self.root, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
        started = time.perf_counter()
        workers = [self._fork(copy, "", write_bytecode=True) for copy in self.copies]
        for copy, pid in zip(self.copies, workers, strict=True):
            noticed = self._wait(pid, copy)
            if noticed:
                raise MutationError(f"the rule tests fail without any change ({noticed}), mend them first")
        self.timeout = max(SHORTEST_TIMEOUT, 5 * (time.perf_counter() - started))

    def close(self) -> None:
        """Removes the copies."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def judge(self, mutants: Sequence[Mutant]) -> Iterator[Verdict]:
        """The verdict on each mutant, as they come in."""
        waiting = list(reversed(mutants))
        free = list(self.copies)
        running: Running = {}
        try:
            while waiting or running:
                while waiting and free:
                    mutant, copy = waiting.pop(), free.pop()
                    original = _change(copy, mutant)
                    running[self._fork(copy, mutant.file)] = (mutant, copy, original, time.perf_counter())
                pid = self._next_ended(running)
                mutant, copy, original, started = running.pop(pid)
                noticed = self._noticed(copy)
                _restore(copy / mutant.file, *original)
                free.append(copy)
                if noticed:
                    self.killers.setdefault(mutant.file, Counter())[noticed] += 1
                    self.everywhere[noticed] += 1
                yield Verdict(mutant, noticed, time.perf_counter() - started)
        finally:
            for pid in running:
                _stop(pid)

    def _next_ended(self, running: Running) -> int:
        while True:
            for pid, (_, copy, _, started) in running.items():
                if os.waitpid(pid, os.WNOHANG)[0] == pid:
                    return pid
                if time.perf_counter() - started > self.timeout:
                    _stop(pid)
                    (copy / "verdict").write_text("timeout")
                    return pid
            time.sleep(0.01)

    def _wait(self, pid: int, copy: Path) -> str:
        os.waitpid(pid, 0)
        return self._noticed(copy)

    def _noticed(self, copy: Path) -> str:
        verdict = copy / "verdict"
        text = verdict.read_text("utf-8") if verdict.exists() else "the process died"
        verdict.unlink(missing_ok=True)
        if text == f"{int(pytest.ExitCode.NO_TESTS_COLLECTED)}":
            raise MutationError(f"there are no tests in {', '.join(self.tests) or self.root}")
        if text == f"{int(pytest.ExitCode.OK)}":
            return ""
        failed = _FAILED.search((copy / "output").read_text("utf-8", "replace"))
        return failed[1] if failed else f"pytest's status {text}"

    def _fork(self, copy: Path, file: str, write_bytecode: bool = False) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            return pid
        status = "the process died"
        try:
            plugin = FirstKillers(self.killers.get(file, Counter()), self.everywhere)
            status = _run_tests(copy, self.root, self.tests, plugin, write_bytecode)
        except BaseException:  # this process must end here, whatever happens
            traceback.print_exc()
        finally:
            (copy / "verdict").write_text(status, "utf-8")
            os._exit(0)


def _change(copy: Path, mutant: Mutant) -> tuple[str, float]:
    """Changes the copy's file; returns what to restore. The stamp is never that of the compiled original."""
    file = copy / mutant.file
    text, stamp = file.read_text("utf-8"), file.stat().st_mtime
    _restore(file, mutant.apply(text), stamp + 1000)
    return text, stamp


def _restore(file: Path, text: str, stamp: float) -> None:
    file.write_text(text, "utf-8")
    os.utime(file, (stamp, stamp))


def _run_tests(copy: Path, root: Path, tests: Sequence[str], plugin: object, write_bytecode: bool) -> str:
    """In a fork: runs the tests of the copy; returns pytest's status."""
    os.setsid()  # what the tests start ends with them
    output = os.open(copy / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(copy)
    sys.dont_write_bytecode = not write_bytecode
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ["PYTHONPATH"] = str(copy)
    sys.path[:] = [str(copy), *(path for path in sys.path if Path(path).resolve() != root)]
    for name in list(sys.modules):
        if name.split(".")[0] in ("aoi_sim", "tests"):
            del sys.modules[name]
    random.seed(0)
    options = "-x -q --no-header --tb=no -rfE --assert=plain -p no:cacheprovider -p no:xdist".split()
    return str(int(pytest.main([*options, f"--rootdir={copy}", *tests], plugins=[plugin])))


def _stop(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def end_on_terminate(_signal: int, _frame: FrameType | None) -> None:
    """A signal handler that lets `finally` clauses run."""
    sys.exit(130)
