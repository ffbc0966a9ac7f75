"""Trust checks: signs in a run's own tables that something is wrong with it, whatever its result.

Each statistical check errs on a sound run once in a thousand times (``LEVEL``); the block is the unit of sampling. A
verdict is a reason to look, not a proof.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.storage.findings import counted

LEVEL: Final = 0.001
"""How often a statistical check is suspicious of a sound run."""
MIRROR_TOLERANCE: Final = 0.05
"""Win share by which a seat may differ from the others through the order of turns."""
_LEAST_BLOCKS: Final = 30
_EVEN: Final = ("balanced", "rotation")
"""Designs that promise even counts."""
_RANDOM: Final = ("random", "arena", *_EVEN)
"""Designs in which every faction and board comes to every seat equally often in the long run."""

OK: Final = "ok"
SUSPICIOUS: Final = "suspicious"
NOT_APPLICABLE: Final = "not applicable"


@dataclass(frozen=True, slots=True)
class TrustCheck:
    """What a check says.

    Attributes:
        name: of the check.
        verdict: ``ok``, ``suspicious`` or ``not applicable``.
        figures: what the verdict rests on.
        sentence: the same in words.
    """

    name: str
    verdict: str
    figures: Mapping[str, float]
    sentence: str


def trust_of_files(folder: Path, entries: Sequence[Mapping[str, Any]], whole: bool) -> list[dict[str, Any]]:
    """The trust checks of a run from its files, as the manifest keeps them.

    Args:
        folder: the run folder.
        entries: its chunks as the manifest lists them.
        whole: whether these are all chunks of the plan.
    """
    if not entries:
        return []
    tables = {
        name: pl.scan_parquet([folder / entry["files"][name]["path"] for entry in entries])
        for name in ("games", "seats")
    }
    firsts = [entry["first_game"] for entry in entries]
    return [asdict(check) for check in trust_checks(tables["games"], tables["seats"], firsts, whole)]


def trust_checks(
    games: pl.LazyFrame, seats: pl.LazyFrame, first_games: Sequence[int], whole: bool = True
) -> list[TrustCheck]:
    """All trust checks.

    Args:
        games: table of a run.
        seats: table of a run.
        first_games: index of the first game of each chunk, rising.
        whole: whether these are all games of the plan.
    """
    words = pl.selectors.categorical().cast(pl.String)
    game_rows = games.select("game_index", "block", "design", "status", "final_hash").with_columns(words).collect()
    columns = ("game_index", "seat", "faction", "board", "heuristic", "vp", "win_share")
    seat_rows = (
        seats.select(columns)
        .with_columns(words)
        .join(game_rows.lazy().select("game_index", "block", "design"), on="game_index", maintain_order="left")
        .collect()
    )
    return [
        failures(game_rows),
        duplicates(game_rows),
        balance(game_rows, seat_rows, whole),
        mirror(seat_rows),
        workers(seat_rows, first_games),
    ]


def failures(games: pl.DataFrame) -> TrustCheck:
    """Games that raised an error; with none, how many could still fail (95 %, rule of Clopper and Pearson)."""
    from scipy.special import betaincinv

    n, failed = len(games), int((games["status"] == "failed").sum())
    bound = float(betaincinv(failed + 1, n - failed, 0.95)) if failed < n else 1.0
    figures = {"games": n, "failed": failed, "share_below": round(bound, 6)}
    sentence = f"{failed} of {counted(n, 'game')} failed"
    if bound < 1:
        sentence += f"; with 95 % confidence fewer than {_percent(bound)} % do"
    return TrustCheck("failures", SUSPICIOUS if failed else OK, figures, sentence)


def _percent(share: float) -> str:
    """A share in percent, as a plain number below 100: ``0.018``, ``2.3``, ``95``, ``99.9``."""
    percent = 100 * share
    return f"{percent:.2g}" if percent < 10 else f"{percent:.0f}" if percent < 99 else f"{min(percent, 99.9):.1f}"


def duplicates(games: pl.DataFrame) -> TrustCheck:
    """Games of different blocks that ended in the same state: one game counted as several independent ones.

    Games of one block may repeat each other: players without noise play the same set-up and seats the same way.
    """
    finished = games.drop_nulls("final_hash")
    n_different = finished.select("final_hash", "block").n_unique() if len(finished) else 0
    across = n_different - finished["final_hash"].n_unique()
    within = len(finished) - n_different
    figures = {"games": len(finished), "across_blocks": across, "within_blocks": within}
    if len(finished) < 2:
        return TrustCheck("duplicates", NOT_APPLICABLE, figures, "fewer than two finished games")
    repeat = f"{counted(across, 'game')} {'repeats' if across == 1 else 'repeat'}"
    sentence = f"{repeat} a game of another block, {within} one of the own block"
    return TrustCheck("duplicates", SUSPICIOUS if across else OK, figures, sentence)


def balance(games: pl.DataFrame, seats: pl.DataFrame, whole: bool = True) -> TrustCheck:
    """Whether factions and boards came to the seats as evenly as the design deals them.

    In a whole run of an even design factions x seats differ by one (failed games are allowed for). Else chi-square over
    faction x seat and board x seat, one game a block, must not be larger than chance makes it.
    """
    name, design = "balance", str(games["design"][0]) if len(games) else ""
    if design not in _RANDOM or not len(seats):
        return TrustCheck(name, NOT_APPLICABLE, {}, f"design {design or 'unknown'} promises no even counts")
    n_failed = int((games["status"] == "failed").sum())
    if design == "rotation":
        # Levels and replicates are the same seatings again.
        seats = seats.unique(["block", "seat", "faction"], maintain_order=True)
    else:
        games_of_rows = seats["game_index"].to_numpy()
        _, firsts, codes = np.unique(seats["block"].to_numpy(), return_index=True, return_inverse=True)
        seats = seats.filter(pl.Series(games_of_rows == games_of_rows[firsts][codes]))
    tables = {what: _counts(seats, what) for what in ("faction", "board")}
    n_blocks = seats["block"].n_unique()
    p = min(_p_of_counts(counts) for counts in tables.values())
    figures: dict[str, float] = {"blocks": n_blocks, "p": round(p, 6)}
    for what, counts in tables.items():
        figures |= {f"{what}_seat_least": int(counts.min()), f"{what}_seat_most": int(counts.max())}
    text = ", ".join(f"{what} x seat {int(one.min())} to {int(one.max())} times" for what, one in tables.items())
    if whole and design in _EVEN:
        uneven = figures["faction_seat_most"] - figures["faction_seat_least"] > 1 + n_failed or p < LEVEL / 2
        return TrustCheck(name, SUSPICIOUS if uneven else OK, figures, text)
    if n_blocks < _LEAST_BLOCKS:
        return TrustCheck(name, NOT_APPLICABLE, figures, f"{_too_few(n_blocks)} ({text})")
    sentence = f"{text}; chance is as uneven with p = {p:.2g}"
    return TrustCheck(name, SUSPICIOUS if p < LEVEL / 2 else OK, figures, sentence)


def _too_few(n_blocks: int) -> str:
    return f"{counted(n_blocks, 'block')} {'is' if n_blocks == 1 else 'are'} too few"


def _counts(seats: pl.DataFrame, what: str) -> Any:
    """How often each word comes to each seat: words x seats. A word that never comes is not known here."""
    table = seats.group_by(what, "seat", maintain_order=True).agg(n=pl.len()).sort(what, "seat")
    words = table[what].unique().sort().to_list()
    counts = np.zeros((len(words), int(table["seat"].max()) + 1))  # type: ignore[arg-type]
    for word, seat, n in table.iter_rows():
        counts[words.index(word), seat] = n
    return counts


def _p_of_counts(counts: Any) -> float:
    """Probability that chance deals words to seats as unevenly (words x seats)."""
    from scipy.special import chdtrc

    expected = counts.mean(axis=0, keepdims=True)
    freedom = (counts.shape[0] - 1) * counts.shape[1]
    return float(chdtrc(freedom, ((counts - expected) ** 2 / expected).sum())) if freedom else 1.0


def mirror(seats: pl.DataFrame) -> TrustCheck:
    """Where all seats are played alike and dealt by chance, whether they win equally often.

    Hotelling's test on the blocks' win shares by seat. The order of turns is part of the game and may be worth
    something: a seat is suspicious only if it differs beyond doubt and by more than ``MIRROR_TOLERANCE``.
    """
    from scipy.special import stdtrit

    name = "mirror match"
    heuristics = seats["heuristic"].unique().to_list()
    if len(heuristics) != 1 or not seats["design"].is_in([*_RANDOM, "focus"]).all():
        reason = "players pick their seats' factions" if len(heuristics) == 1 else "the seats are not played alike"
        return TrustCheck(name, NOT_APPLICABLE, {}, reason)
    shares = _by_block_and_seat(seats)
    n_blocks, n_seats = shares.shape
    if n_blocks < _LEAST_BLOCKS:
        return TrustCheck(name, NOT_APPLICABLE, {"blocks": n_blocks}, _too_few(n_blocks))
    means, errors = shares.mean(axis=0), shares.std(axis=0, ddof=1) / np.sqrt(n_blocks)
    p = _hotelling_p(shares[:, 1:] - 1 / n_seats)
    far = int(np.abs(means - 1 / n_seats).argmax())
    half = float(stdtrit(n_blocks - 1, 0.975)) * float(errors[far])
    figures = {"blocks": n_blocks, "p": round(p, 6)}
    figures |= {f"seat_{seat}": round(float(mean), 4) for seat, mean in enumerate(means)}
    sentence = (
        f"equal would be {1 / n_seats:.3f}; seat {far} is farthest with {means[far]:.3f} ± {half:.3f}; "
        f"equal seats differ so much with p = {p:.2g}"
    )
    wrong = p < LEVEL and abs(means[far] - 1 / n_seats) > MIRROR_TOLERANCE
    return TrustCheck(name, SUSPICIOUS if wrong else OK, figures, sentence)


def _by_block_and_seat(seats: pl.DataFrame) -> Any:
    """Mean win share: blocks x seats, blocks with all seats only."""
    # Not by groups of a frame: there are as many as there are seats, and each costs memory.
    seat, (_, block) = seats["seat"].to_numpy(), np.unique(seats["block"].to_numpy(), return_inverse=True)
    n_seats = int(seat.max()) + 1
    cell = block * n_seats + seat
    return (np.bincount(cell, weights=seats["win_share"].to_numpy()) / np.bincount(cell)).reshape(-1, n_seats)


def _hotelling_p(values: Any) -> float:
    """Probability that independent rows of mean zero have means this far off (columns that do not vary are left out)."""
    from scipy.special import fdtrc

    values = values[:, values.std(axis=0) > 0]
    n, k = values.shape
    if k == 0 or n <= k:
        return 1.0
    means = values.mean(axis=0)
    spread = np.cov(values, rowvar=False).reshape(k, k)
    squared = n * float(means @ np.linalg.pinv(spread) @ means)
    return float(fdtrc(k, n - k, squared * (n - k) / (k * (n - 1))))


def workers(seats: pl.DataFrame, first_games: Sequence[int]) -> TrustCheck:
    """Whether the chunks, each played by one worker, have the same mean VP: variance between them against that within.

    The values are the blocks' mean VP; chunks are whole blocks.
    """
    from scipy.special import fdtrc

    name = "workers"
    _, first_rows, block = np.unique(seats["block"].to_numpy(), return_index=True, return_inverse=True)
    vp = np.bincount(block, weights=seats["vp"].to_numpy()) / np.bincount(block)
    games = seats["game_index"].to_numpy()[first_rows]
    chunk = np.unique(np.searchsorted(np.array(first_games), games, side="right"), return_inverse=True)[1]
    n = np.bincount(chunk)
    means = np.bincount(chunk, weights=vp) / n
    within = float(((vp - means[chunk]) ** 2).sum())
    n_chunks, n_blocks = len(n), int(n.sum())
    figures: dict[str, float] = {"chunks": n_chunks, "blocks": n_blocks}
    if n_chunks < 2 or n_blocks - n_chunks < _LEAST_BLOCKS or within == 0:
        return TrustCheck(name, NOT_APPLICABLE, figures, f"{counted(n_chunks, 'chunk')} of {_too_few(n_blocks)}")
    mean = float(n @ means) / n_blocks
    between = float(n @ (means - mean) ** 2)
    error = within / (n_blocks - n_chunks)
    # Chi-square over the chunks with its variance estimated from the blocks: an F test.
    p = float(fdtrc(n_chunks - 1, n_blocks - n_chunks, between / (n_chunks - 1) / error))
    figures |= {"chi_square": round(between / error, 3), "freedom": n_chunks - 1, "p": round(p, 6)}
    sentence = (
        f"mean VP of {counted(n_chunks, 'chunk')} from {means.min():.1f} to {means.max():.1f}; "
        f"equal workers differ so much with p = {p:.2g}"
    )
    return TrustCheck(name, SUSPICIOUS if p < LEVEL else OK, figures, sentence)
