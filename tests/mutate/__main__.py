"""`python -m tests.mutate [--sample N] [--seed S] [--jobs J] [--only PATTERN] [--list]`.

Changes every number of the rules data by one and applies the engine mutations of `tests/mutations.toml`, one at a time,
and runs the rule tests on each. Exit status: 0 every change is noticed or explained, 1 some survive, 2 wrong input or
the list does not fit the sources.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutate.data_numbers import number_mutants
from tests.mutate.listed import Explanation, engine_mutants, explain, read_list
from tests.mutate.mutant import Mutant, MutationError
from tests.mutate.runner import Laboratory, Verdict, end_on_terminate

ROOT = Path(__file__).resolve().parents[2]
DATA = "aoi_sim/rules/data"
LIST = "tests/mutations.toml"
RULE_TESTS = ("tests/rules", "tests/rules_data")
NOT_ASKED = ("tests/rules_data/test_any_value.py",)  # slow, and judges the loader by changes of its own
SLOWEST_SHOWN = 5


def all_mutants(root: Path) -> list[Mutant]:
    """Every number of the rules data and every listed engine line, in the order of the files.

    Raises:
        MutationError: The list does not fit the sources.
    """
    numbers: list[Mutant] = []
    for path in sorted((root / DATA).rglob("*.toml")):
        numbers += number_mutants(path.relative_to(root).as_posix(), path.read_text("utf-8"))
    entries: list[dict[str, str]] = []
    explanations: list[Explanation] = []
    if (root / LIST).exists():
        entries, explanations = read_list(root / LIST)
    return explain([*numbers, *engine_mutants(entries, root)], explanations)


def sample(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """`size` mutants at random. The choice of each hangs on its own name, so that an edit elsewhere changes little."""

    def draw(mutant: Mutant) -> str:
        return hashlib.sha256(f"{seed}:{mutant.file}:{mutant.name}".encode()).hexdigest()

    return sorted(mutants, key=draw)[:size]


def examine(root: Path, mutants: Sequence[Mutant], jobs: int) -> list[Verdict]:
    """Judges the mutants and prints those that survive as they are found.

    Raises:
        MutationError: The rule tests fail without any change.
    """
    started = time.perf_counter()
    laboratory = Laboratory(root, RULE_TESTS, NOT_ASKED, min(jobs, max(1, len(mutants))))
    print(f"The rule tests pass unchanged. {len(mutants)} changes, {len(laboratory.copies)} at a time.", flush=True)
    verdicts = []
    try:
        for number, verdict in enumerate(laboratory.judge(mutants), 1):
            verdicts.append(verdict)
            if verdict.survived and not verdict.mutant.explained:
                print(f"SURVIVED {verdict.mutant}", flush=True)
            if number % 100 == 0:
                print(f"{number} of {len(mutants)} in {time.perf_counter() - started:.0f} s", flush=True)
    finally:
        laboratory.close()
    return verdicts


def _report(verdicts: Sequence[Verdict], seconds: float) -> int:
    survivors = [verdict.mutant for verdict in verdicts if verdict.survived]
    unexplained = [mutant for mutant in survivors if not mutant.explained]
    for verdict in verdicts:
        if verdict.mutant.explained and not verdict.survived:
            print(f"note: noticed by {verdict.noticed_by}, though explained: {verdict.mutant}")
    for reason in dict.fromkeys(mutant.explained for mutant in survivors if mutant.explained):
        count = sum(mutant.explained == reason for mutant in survivors)
        print(f"explained ({count}): {reason}")
    for verdict in sorted(verdicts, key=lambda one: -one.seconds)[:SLOWEST_SHOWN]:
        print(f"{verdict.seconds:6.1f} s  {verdict.mutant}  ({verdict.noticed_by or 'survived'})")
    counts = f"{len(verdicts) - len(survivors)} noticed, {len(survivors) - len(unexplained)} explained"
    print(f"{len(verdicts)} changes in {seconds:.0f} s: {counts}, {len(unexplained)} unexplained survivors")
    return 1 if unexplained else 0


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--sample", type=int, metavar="N", help="only N changes, at random (explained ones left out)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at a time (default: all cores)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only changes whose file or name contains TEXT")
    parser.add_argument("--list", action="store_true", help="list the changes, run nothing")
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, end_on_terminate)
    started = time.perf_counter()
    try:
        mutants = [mutant for mutant in all_mutants(root) if chosen.only in str(mutant)]
        if chosen.sample is not None:
            mutants = sample([mutant for mutant in mutants if not mutant.explained], chosen.sample, chosen.seed)
        if chosen.list:
            for mutant in mutants:
                print(f"{mutant}" + (f"   [explained: {mutant.explained}]" if mutant.explained else ""))
            return 0
        if not mutants or chosen.jobs < 1:
            raise MutationError("nothing to do: no change fits --only and --sample, and --jobs must be at least 1")
        return _report(examine(root, mutants, chosen.jobs), time.perf_counter() - started)
    except MutationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
