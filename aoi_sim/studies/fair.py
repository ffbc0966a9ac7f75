"""Fair start: starting VP with which factions, boards and pairings win equally often, found, then played with.

1. ``fit``: games as the rules are. Handicaps come from ranking them anew (``analysis.handicap``).
2. ``blind``: a few of these games with the handicaps as starting VP: do players play on as before?
3. ``check-1``: fresh set-ups played with the handicaps in whole VP. Does every faction win 1/players within 3 points, by an
   equivalence test at 5 %, and every pairing within 7? If not, handicaps are found again from all games so far and checked on
   fresh set-ups again (``check-2``), five times at the most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.bids import BOARD, FACTION, PAIR, pair_means, pairing_handicap, scale_of
from aoi_sim.analysis.handicap import (
    Contests,
    Handicap,
    contests_of,
    fair_handicap,
    joined,
    win_shares_of,
)
from aoi_sim.analysis.multiplicity import equivalence_p
from aoi_sim.analysis.pooling import shrunk_with_care
from aoi_sim.analysis.source import AnalysisError, seat_table
from aoi_sim.players import Heuristic, find_heuristic
from aoi_sim.players.registry import Given
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.plan import Plan, PlanError
from aoi_sim.sim.request import make_request
from aoi_sim.storage.findings import counted
from aoi_sim.storage.reader import Run
from aoi_sim.studies.fair_rules import fair_overlay, start_vp, whole, with_overlay
from aoi_sim.studies.study import Runs, Study, StudyRun
from aoi_sim.studies.study_report import Section

MOST_CHECKS: Final = 5
WITHIN_FACTION: Final = 0.03
WITHIN_PAIR: Final = 0.07
BONUS: Final = "bonus"
_BLIND: Final = 20
"""Set-ups of the run that asks whether players look at VP."""


@dataclass(frozen=True)
class Fit:
    """Handicaps of one round of the study.

    Attributes:
        handicap: of factions, boards and first round bonus tiles.
        factions: in whole VP, as played.
        boards: in whole VP, as played.
        pairs: ``pairing_handicap``.
        rows: seats of the fit with ``vp`` as without handicap.
    """

    handicap: Handicap
    factions: dict[str, int]
    boards: dict[str, int]
    pairs: pl.DataFrame
    rows: pl.DataFrame


@dataclass(frozen=True)
class Check:
    """What fresh games say about the handicaps that they were played with.

    Attributes:
        name: of the run.
        factions: win shares by faction with ``p_equivalent``, ``is_fair``.
        pairs: ``faction``, ``board``, ``n``, ``blocks``, ``value`` (win share less 1/players), ``se``, ``pooled``, ``pooled_se``,
            ``p_equivalent``, ``is_fair``.
    """

    name: str
    factions: pl.DataFrame
    pairs: pl.DataFrame

    @property
    def is_fair(self) -> bool:
        """Whether every faction and every pairing is known to win equally often."""
        return bool(self.factions["is_fair"].all()) and bool(self.pairs["is_fair"].all())


class FairStudy(Study):
    """Fair starting VP.

    Args:
        rules: with which rules.
        n_games: games of the fit, and of each check.
        n_players: players of each game.
        map: ``auto`` or a side of the map.
        seed: root seed.
        heuristic: who plays all seats.
        noise: temperature of their noise.
        most_checks: how often handicaps are found and checked at the most.

    Raises:
        PlanError, HeuristicError: wrong input.
    """

    kind = "fair"
    title = "Fair start: starting VP with which everybody wins equally often"

    def __init__(
        self,
        rules: Ruleset,
        n_games: int,
        *,
        n_players: int = 4,
        map: str = "auto",
        seed: int = 1,
        heuristic: Given = "expert",
        noise: int = 0,
        most_checks: int = MOST_CHECKS,
    ) -> None:
        self.rules = rules
        self.n_games = n_games
        self.n_players = n_players
        self.map = map
        self.seed = seed
        self.heuristic: Heuristic = find_heuristic(heuristic)
        self.noise = noise
        self.most_checks = most_checks
        self._fits: dict[tuple[tuple[str, str], ...], Fit] = {}
        self._checks: dict[tuple[str, str], Check] = {}
        self._scales: dict[int, float] = {}
        if n_games < 100:
            raise PlanError(f"{counted(n_games, 'game')}, --games, choose 100 and more: handicaps come from who won")
        if not 1 <= most_checks <= 100:
            raise PlanError(f"{counted(most_checks, 'check')}, --checks, choose 1 to 100")
        wanted = self.next_run({})
        assert wanted is not None
        Plan(wanted.request.config, wanted.request.rules)

    def settings(self) -> dict[str, Any]:
        """All that decides its figures."""
        return {
            "rules": self.rules.hash,
            "edition": self.rules.edition,
            "overlays": list(self.rules.overlays),
            "games": self.n_games,
            "players": self.n_players,
            "map": self.map,
            "seed": self.seed,
            "heuristic": {self.heuristic.name: self.heuristic.sha256},
            "noise": self.noise,
            "checks": self.most_checks,
        }

    def next_run(self, done: Runs) -> StudyRun | None:
        """The fit, the run that asks whether players look at VP, then checks until one is passed."""
        if "fit" not in done:
            return self._run("fit", self.rules, self.seed)
        if "blind" not in done:
            rules = self.played_rules(self.fit(done, 0))
            levels = {"as it is": self.rules, "fair start": rules}
            return self._run("blind", levels, self.seed, games=2 * _BLIND)
        n = len(self.checks(done))
        if n and (self.check(done, n).is_fair or n == self.most_checks):
            return None
        seed = seeding.stream(self.seed, n, seeding.HELD_OUT)
        return self._run(f"check-{n + 1}", self.played_rules(self.fit(done, n)), seed)

    def _run(self, name: str, rules: Ruleset | dict[str, Ruleset], seed: int, games: int | None = None) -> StudyRun:
        request = make_request(
            rules=rules,
            n_games=games or self.n_games,
            n_players=self.n_players,
            seed=seed,
            heuristics=self.heuristic,
            map=self.map,
            noise=self.noise,
        )
        return StudyRun(name, request)

    def precision(self, run: Run) -> str:
        """The standard error of the factions' win shares."""
        errors = mean_by(run, "win_share", [FACTION])["se"].drop_nulls().to_list()
        if not errors:
            raise AnalysisError("one set-up, the run, play more games")
        return f"standard error of win shares up to {100 * max(errors):.2f} points"

    @staticmethod
    def checks(runs: Runs) -> list[str]:
        """Names of the checks that are there."""
        return [name for name in runs if name.startswith("check-")]

    def played_rules(self, fit: Fit) -> Ruleset:
        """The rules with the handicaps of a fit."""
        return with_overlay(self.rules, fair_overlay(self.rules, self.n_players, fit.factions, fit.boards))

    def fit(self, runs: Runs, n_checks: int) -> Fit:
        """The handicaps from the fit and the first checks.

        Args:
            runs: those that are there.
            n_checks: how many checks to use besides.
        """
        names = ["fit", *self.checks(runs)[:n_checks]]
        key = tuple((name, runs[name].manifest.get("checksum", str(runs[name].n_games))) for name in names)
        if key not in self._fits:
            rows = [without_handicap(runs[name]) for name in names]
            parts = [contests_of(part, [*PAIR, BONUS]) for part in rows]
            found = fair_handicap(joined(parts) if len(parts) > 1 else parts[0], seed=self.seed)
            shifted = [
                part.with_columns(pl.col("block", "game_index").cast(pl.Int64) + k * 10**9)
                for k, part in enumerate(rows)
            ]
            self._fits[key] = Fit(
                found, whole(found.of(FACTION)), whole(found.of(BOARD)), pairing_handicap(found), pl.concat(shifted)
            )
        return self._fits[key]

    def scale(self, fit: Fit) -> float:
        """Scale of the forecasts of a fit."""
        games = len(fit.handicap.contests.scores)
        if games not in self._scales:
            self._scales[games] = scale_of(fit.handicap.contests)
        return self._scales[games]

    def check(self, runs: Runs, number: int) -> Check:
        """What a check says, from 1."""
        name = self.checks(runs)[number - 1]
        key = (name, str(runs[name].manifest.get("checksum", runs[name].n_games)))
        if key not in self._checks:
            self._checks[key] = checked(name, runs[name], self.fit(runs, number - 1))
        return self._checks[key]

    def shortfall(self, runs: Runs, effects: pl.DataFrame) -> str | None:
        """The line that says who could not be shown to win equally often."""
        last = self.check(runs, len(self.checks(runs)))
        if last.is_fair:
            return None
        factions = last.factions.filter(~pl.col("is_fair"))["faction"].to_list()
        pairs = [f"{f} on {b}" for f, b in last.pairs.filter(~pl.col("is_fair")).select(PAIR).iter_rows()]
        parts = []
        if factions:
            parts.append(f"{counted(len(factions), 'faction')} not within 3 points ({', '.join(factions)})")
        if pairs:
            parts.append(f"{counted(len(pairs), 'pairing')} not within 7 points (first {pairs[0]})")
        played = f"{counted(len(self.checks(runs)), 'check')} of {counted(self.n_games, 'game')}"
        return f"{' and '.join(parts)}, after {played}, the report has the table: give more --games"

    def effects(self, runs: Runs) -> pl.DataFrame:
        """Handicaps from win share and from margin, win shares played, calibration of the bids."""
        from aoi_sim.studies.fair_report import fair_effects

        return fair_effects(self, runs)

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """Handicaps, check, pairings, bids and what the players are."""
        from aoi_sim.studies.fair_report import fair_sections

        return fair_sections(self, runs, effects)


def without_handicap(run: Run) -> pl.DataFrame:
    """Seats of a run with the VP that they would have had with equal starts."""
    from aoi_sim.sim.rerun import plan_of

    rows = seat_table(run)
    plan, rules = plan_of(run)
    n_players = plan.config.n_players
    pairs = rows.select(PAIR).unique(maintain_order=True)
    start = [start_vp(rules, n_players, faction, board) for faction, board in pairs.iter_rows()]
    starts = pairs.with_columns(start=pl.Series(start, dtype=pl.Float64))
    joined_rows = rows.join(starts, on=list(PAIR), how="left", maintain_order="left")
    return joined_rows.with_columns(vp=pl.col("vp") - pl.col("start")).drop("start")


def checked(name: str, run: Run, fit: Fit) -> Check:
    """Test the win shares of games played with handicaps.

    Factions are tested as played. The rules know starting VP of factions and of boards but not of pairings: what a pairing needs
    besides is added to the final scores.
    """
    rows = seat_table(run)
    contests = contests_of(rows, list(PAIR))
    equal = 1 / contests.n_seats
    factions = mean_by(rows, "win_share", [FACTION])
    p = [
        equivalence_p(value - equal, se, blocks, WITHIN_FACTION)
        for value, se, blocks in factions.select("value", "se", "blocks").iter_rows()
    ]
    factions = factions.with_columns(p_equivalent=pl.Series(p, dtype=pl.Float64))
    return Check(name, _judged(factions), _judged(_pairs_checked(contests, fit, equal)))


def _pairs_checked(contests: Contests, fit: Fit, equal: float) -> pl.DataFrame:
    levels = [(f, b) for f in contests.levels[FACTION] for b in contests.levels[BOARD]]
    bids = {(row["faction"], row["board"]): row["value"] for row in fit.pairs.iter_rows(named=True)}
    rest = np.array([round(bids[f, b]) - fit.factions[f] - fit.boards[b] for f, b in levels])
    codes = contests.codes[FACTION] * len(contests.levels[BOARD]) + contests.codes[BOARD]
    wins = win_shares_of(contests.scores + rest[codes]) - equal
    means, errors, n, blocks = pair_means(contests, wins)
    # Few games may all end alike: an error is not taken as less than that of fair games.
    with np.errstate(divide="ignore"):
        errors = np.fmax(errors, np.sqrt(equal * (1 - equal) / n))
    known = n > 0
    pooled, pooled_se = np.full(len(means), np.nan), np.full(len(means), np.nan)
    pooled[known], pooled_se[known] = shrunk_with_care(means[known], errors[known])
    table = pl.DataFrame(
        {
            "faction": [f for f, _ in levels],
            "board": [b for _, b in levels],
            "n": n,
            "blocks": blocks,
            "value": means,
            "se": np.where(known, errors, np.nan),
            "pooled": pooled,
            "pooled_se": pooled_se,
        }
    ).with_columns(pl.col("value", "se", "pooled", "pooled_se").fill_nan(None))
    p = [
        None if value is None else equivalence_p(value, se, count, WITHIN_PAIR)
        for value, se, count in table.select("pooled", "pooled_se", "blocks").iter_rows()
    ]
    return table.with_columns(p_equivalent=pl.Series(p, dtype=pl.Float64))


def _judged(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(is_fair=(pl.col("p_equivalent") <= 0.05).fill_null(value=False))


def seats_played_otherwise(run: Run) -> tuple[int, int]:
    """Seats of the run ``blind`` whose final VP, starting VP taken off, differ from those without handicap; and all of them."""
    from aoi_sim.sim.rerun import plan_of

    plan, _ = plan_of(run)
    names = [level.name for level in plan.config.levels]
    rows = seat_table(run)
    own = []
    for name, rules in zip(names, plan.rulesets, strict=True):
        part = rows.filter(level=name).select("block", "seat", *PAIR, "vp")
        start = [
            start_vp(rules, plan.config.n_players, faction, board) for faction, board in part.select(PAIR).iter_rows()
        ]
        own.append(part.select("block", "seat", vp=pl.col("vp") - pl.Series(start)))
    both = own[0].join(own[1], on=["block", "seat"], suffix="_fair", maintain_order="left")
    return both.filter(pl.col("vp") != pl.col("vp_fair")).height, both.height
