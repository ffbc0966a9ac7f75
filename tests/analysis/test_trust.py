"""Trust checks on made-up runs of known truth: how often they are wrong about sound ones, and what they see."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl
import pytest

from aoi_sim.analysis import trust
from aoi_sim.analysis.trust import NOT_APPLICABLE, OK, SUSPICIOUS, TrustCheck, trust_checks

N_SEATS = 4
N_WORDS = 12


def made(
    random: Any,
    n_blocks: int = 100,
    design: str = "random",
    seat_vp: Sequence[float] = (0, 0, 0, 0),
    chunk: int = 10,
    chunk_vp: Callable[[int], float] = lambda number: 0.0,
    games_a_block: int = 1,
    heuristics: Sequence[str] = ("a",) * N_SEATS,
    pull: float = 0.0,
) -> tuple[pl.DataFrame, pl.DataFrame, list[int]]:
    """Games, seats and first games of the chunks.

    VP are 100 + block + chunk + seat + noise; ``pull`` is the share of games in which seat 0 gets faction 0.
    """
    games, seats = [], []
    for block in range(n_blocks):
        shift = random.normal(0, 10) + chunk_vp(block // chunk)
        factions, boards = random.permutation(N_WORDS)[:N_SEATS], random.permutation(7)[:N_SEATS]
        if random.random() < pull and 0 not in factions[1:]:
            factions[0] = 0
        for turn in range(games_a_block):
            index = block * games_a_block + turn
            games.append((index, block, design, "finished", f"{random.integers(2**62):x}"))
            vp = np.round(100 + shift + np.array(seat_vp) + random.normal(0, 17, N_SEATS)).astype(int)
            share = (vp == vp.max()) / (vp == vp.max()).sum()
            dealt = np.roll(factions, turn) if design == "rotation" else factions
            seats += [
                (
                    index,
                    seat,
                    f"f{dealt[seat]}",
                    f"b{boards[seat]}",
                    heuristics[seat],
                    int(vp[seat]),
                    share[seat],
                    block,
                    design,
                )
                for seat in range(N_SEATS)
            ]
    game_frame = pl.DataFrame(games, ["game_index", "block", "design", "status", "final_hash"], orient="row")
    columns = ["game_index", "seat", "faction", "board", "heuristic", "vp", "win_share", "block", "design"]
    size = chunk * games_a_block
    return game_frame, pl.DataFrame(seats, columns, orient="row"), list(range(0, n_blocks * games_a_block, size))


def rate(check: Callable[[Any], TrustCheck], n_runs: int = 400) -> float:
    """Share of runs that a check is suspicious of."""
    verdicts = [check(np.random.default_rng(seed)).verdict for seed in range(n_runs)]
    assert NOT_APPLICABLE not in verdicts
    return verdicts.count(SUSPICIOUS) / n_runs


def worker_check(random: Any, **options: Any) -> TrustCheck:
    _, seats, firsts = made(random, **options)
    return trust.workers(seats, firsts)


def mirror_check(random: Any, **options: Any) -> TrustCheck:
    return trust.mirror(made(random, **options)[1])


def balance_check(random: Any, **options: Any) -> TrustCheck:
    games, seats, _ = made(random, **options)
    return trust.balance(games, seats)


# At a level of 5 % a sound run is suspect in 2 to 9 % of 400 runs (a binomial goes beyond that once in 2,000 times).
@pytest.mark.parametrize("check", [worker_check, mirror_check])
def test_sound_runs_are_suspect_as_often_as_the_level_says(
    check: Callable[..., TrustCheck], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "LEVEL", 0.05)
    monkeypatch.setattr(trust, "MIRROR_TOLERANCE", 0.0)
    assert 0.02 <= rate(check) <= 0.09


def test_random_deals_are_suspect_no_more_often_than_the_level_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "LEVEL", 0.05)
    assert rate(balance_check) <= 0.09


def test_sound_runs_are_practically_never_suspect() -> None:
    for check in (worker_check, mirror_check, balance_check):
        assert rate(check, 200) <= 0.01


def test_p_values_are_uniform_on_sound_runs() -> None:
    from scipy.stats import kstest

    for check in (worker_check, mirror_check):
        values = [check(np.random.default_rng(seed)).figures["p"] for seed in range(300)]
        assert kstest(values, "uniform").pvalue > 0.001


def test_a_worker_that_plays_otherwise_is_found() -> None:
    assert rate(lambda random: worker_check(random, chunk_vp=lambda number: 30.0 * (number == 3)), 100) >= 0.95


def test_a_favoured_seat_is_found() -> None:
    assert rate(lambda random: mirror_check(random, n_blocks=400, seat_vp=(0, 0, 10, 0)), 100) >= 0.95


def test_a_small_advantage_of_the_order_of_turns_is_no_fault() -> None:
    def check(random: Any) -> TrustCheck:
        return mirror_check(random, n_blocks=4000, seat_vp=(2.0, 0.5, -0.5, -2.0))

    found = check(np.random.default_rng(1))
    assert (found.verdict, found.figures["p"] < 0.001) == (OK, True)


def test_uneven_deals_are_found() -> None:
    assert rate(lambda random: balance_check(random, n_blocks=300, pull=0.3), 100) >= 0.95


def test_even_designs_must_be_even_when_they_are_whole() -> None:
    games, seats, _ = made(np.random.default_rng(1), 60, design="balanced")
    assert trust.balance(games, seats).verdict == SUSPICIOUS
    assert trust.balance(games, seats, whole=False).verdict == OK
    even = seats.with_columns(faction=pl.format("f{}", (pl.col("block") + pl.col("seat")) % N_WORDS))
    found = trust.balance(games, even)
    assert found.verdict == OK
    assert (found.figures["faction_seat_least"], found.figures["faction_seat_most"]) == (5, 5)


def test_rotations_count_all_games_of_a_block() -> None:
    games, seats, _ = made(np.random.default_rng(1), 12, design="rotation", games_a_block=4)
    found = trust.balance(games, seats, whole=False)
    counts = seats.group_by("faction", "seat").len()["len"]
    assert found.figures["faction_seat_most"] == counts.max()


def test_designs_that_promise_nothing_are_left_alone() -> None:
    for design in ("choice", "fixed", "focus"):
        assert balance_check(np.random.default_rng(1), design=design).verdict == NOT_APPLICABLE
    assert mirror_check(np.random.default_rng(1), design="choice").verdict == NOT_APPLICABLE
    unlike = mirror_check(np.random.default_rng(1), heuristics=("a", "b", "a", "a"))
    assert unlike.verdict == NOT_APPLICABLE
    assert "not played alike" in unlike.sentence


def test_small_runs_are_left_alone() -> None:
    random = np.random.default_rng(1)
    for check in (worker_check, mirror_check, balance_check):
        assert check(random, n_blocks=12).verdict == NOT_APPLICABLE
    assert worker_check(random, n_blocks=100, chunk=100).verdict == NOT_APPLICABLE


def test_failures_are_counted_and_bounded_by_hand() -> None:
    games = made(np.random.default_rng(1), 200)[0]
    none = trust.failures(games)
    # No failure in 200 games: 1 - 0.05 ** (1 / 200) = 0.014867 at 95 %.
    assert (none.verdict, none.figures) == (OK, {"games": 200, "failed": 0, "share_below": 0.014867})
    some = trust.failures(
        games.with_columns(status=pl.when(pl.col("game_index") < 3).then(pl.lit("failed")).otherwise("status"))
    )
    assert (some.verdict, some.figures["failed"]) == (SUSPICIOUS, 3)
    assert 3 / 200 < some.figures["share_below"] < 0.05
    every = trust.failures(games.with_columns(status=pl.lit("failed")))
    assert every.figures["share_below"] == 1.0


def test_duplicates_across_blocks_are_suspicious_and_within_blocks_are_not() -> None:
    games = made(np.random.default_rng(1), 20, games_a_block=2)[0]
    assert trust.duplicates(games).verdict == OK
    hashes = games["final_hash"].to_list()
    within = games.with_columns(final_hash=pl.Series([hashes[0], hashes[0], *hashes[2:]]))
    found = trust.duplicates(within)
    assert (found.verdict, found.figures["across_blocks"], found.figures["within_blocks"]) == (OK, 0, 1)
    across = games.with_columns(final_hash=pl.Series([hashes[0], hashes[1], hashes[0], *hashes[3:]]))
    found = trust.duplicates(across)
    assert (found.verdict, found.figures["across_blocks"], found.figures["within_blocks"]) == (SUSPICIOUS, 1, 0)
    failed = games.with_columns(final_hash=pl.lit(None, dtype=pl.String))
    assert trust.duplicates(failed).verdict == NOT_APPLICABLE


def test_all_checks_come_in_one_order_with_plain_figures() -> None:
    games, seats, firsts = made(np.random.default_rng(3), 100)
    checks = trust_checks(games.lazy(), seats.drop("block", "design").lazy(), firsts)
    assert [check.name for check in checks] == ["failures", "duplicates", "balance", "mirror match", "workers"]
    assert [check.verdict for check in checks] == [OK] * 5
    for check in checks:
        assert all(type(value) in (int, float) for value in check.figures.values()), asdict(check)
        assert check.sentence and "\n" not in check.sentence


def test_a_run_in_which_every_game_failed_has_its_checks() -> None:
    games, seats, firsts = made(np.random.default_rng(3), 50)
    failed = games.with_columns(status=pl.lit("failed"), final_hash=pl.lit(None, dtype=pl.String))
    checks = trust_checks(failed.lazy(), seats.drop("block", "design").clear().lazy(), firsts)
    assert [check.verdict for check in checks] == [SUSPICIOUS] + [NOT_APPLICABLE] * 4


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 60, 1000, 100_000])
@pytest.mark.parametrize("failed", [0, 1, 1000])
def test_how_many_games_may_fail_is_a_plain_percentage_below_all(n: int, failed: int) -> None:
    failed = min(n, failed)
    games = pl.DataFrame({"status": ["failed"] * failed + ["finished"] * (n - failed)})
    sentence = trust.failures(games).sentence
    assert sentence.startswith(f"{failed} of {n:,} game{'' if n == 1 else 's'} failed")
    if failed == n:
        assert "fewer" not in sentence
        return
    percent = float(sentence.split("fewer than ")[1].removesuffix(" % do"))
    assert 100 * failed / n < percent < 100 and "e" not in sentence.split("fewer than ")[1].split()[0]
