"""Figures and report of a study of fair starts: handicaps, the check, pairings, bids and how well they foretell."""

from typing import TYPE_CHECKING, Any, Final

import polars as pl

from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.bids import BOARD, FACTION, PAIR, calibration, chances, reliability, strengths
from aoi_sim.analysis.handicap import contests_of, margin_handicap
from aoi_sim.analysis.uncertainty import with_intervals
from aoi_sim.storage.findings import counted
from aoi_sim.storage.reader import Run
from aoi_sim.studies.bid_store import FILE_NAME, Bids
from aoi_sim.studies.fair_rules import fair_overlay, overlay_text, start_vp
from aoi_sim.studies.study import Runs
from aoi_sim.studies.study_effects import effect_rows
from aoi_sim.studies.study_figures import intervals
from aoi_sim.studies.study_report import Section, figures_table

if TYPE_CHECKING:
    from aoi_sim.studies.fair import Check, FairStudy, Fit

BY_WIN_SHARE: Final = "starting VP from win share"
BY_MARGIN: Final = "starting VP from margin"
PLAYED: Final = "win share less an equal one, played"
SLOPE: Final = "calibration slope"
OVERLAY: Final = "fair-start.toml"
GUIDE: Final = "bid-guide.md"


class Known:
    """What a study knows from the runs that are there.

    Attributes:
        fit: the handicaps of the last check, or of the fit.
        check: the last check, if there is one.
        run: its run.
        scale: of the forecasts.
        slope: calibration on the last check, None without one.
        bins: reliability on the last check, None without one.
    """

    def __init__(self, study: "FairStudy", runs: Runs) -> None:
        n = len(study.checks(runs))
        self.fit: Fit = study.fit(runs, max(n - 1, 0))
        self.check: Check | None = study.check(runs, n) if n else None
        self.run: Run | None = runs[study.checks(runs)[-1]] if n else None
        others = {"bonus": self.fit.handicap.of("bonus")}
        self.scale = study.scale(self.fit)
        self.slope: dict[str, Any] | None = None
        self.bins: pl.DataFrame | None = None
        if self.run is not None:
            from aoi_sim.studies.fair import without_handicap

            fresh = contests_of(without_handicap(self.run), [*PAIR, "bonus"])
            strength = strengths(fresh, self.fit.pairs, others)
            self.slope = calibration(strength, self.scale, fresh)
            self.bins = reliability(chances(strength, self.scale), fresh)


def fair_effects(study: "FairStudy", runs: Runs) -> pl.DataFrame:
    """All figures as rows of the table of effects."""
    known = Known(study, runs)
    fit = known.fit
    words: dict[str, Any] = {"players": study.n_players, "heuristic": study.heuristic.name}
    games = len(fit.handicap.contests.scores)
    tables = []
    for quantity, table in (
        (BY_WIN_SHARE, fit.handicap.table()),
        (BY_MARGIN, margin_handicap(fit.rows, [FACTION, BOARD, "bonus"])),
    ):
        for factor in (FACTION, BOARD, "bonus"):
            part = table.filter(factor=factor).with_columns(component=_named(factor))
            tables.append(effect_rows(part, "component", quantity=quantity, games=games, **words))
    pairs = fit.pairs.filter(pl.col("blocks") > 1).with_columns(component=pl.format("{} on {}", *PAIR))
    tables.append(effect_rows(pairs, "component", quantity=BY_WIN_SHARE, games=games, **words))
    if known.check is not None and known.slope is not None and known.run is not None:
        tables += _check_effects(known.check, known.slope, known.run.n_games, 1 / study.n_players, words)
    return pl.concat(tables)


def _check_effects(
    check: "Check", slope: dict[str, Any], games: int, equal: float, words: dict[str, Any]
) -> list[pl.DataFrame]:
    from aoi_sim.studies.fair import WITHIN_FACTION, WITHIN_PAIR

    factions = check.factions.with_columns(pl.col("value", "low", "high") - equal)
    pairs = check.pairs.drop_nulls("pooled").select(
        "n", "blocks", component=pl.format("{} on {}", *PAIR), value="pooled", se="pooled_se"
    )
    pairs = with_intervals(pairs)
    found = [effect_rows(factions, FACTION, quantity=PLAYED, games=games, delta=WITHIN_FACTION, **words)]
    if len(pairs):
        found.append(effect_rows(pairs, "component", quantity=PLAYED, games=games, delta=WITHIN_PAIR, **words))
    bids = pl.DataFrame([{"component": "bids", **slope}])
    found.append(effect_rows(bids, "component", quantity=SLOPE, games=games, tested=False, **words))
    return found


def _named(factor: str) -> pl.Expr:
    return pl.format("bonus tile {}", "level") if factor == "bonus" else pl.col("level")


# The report.


def fair_sections(study: "FairStudy", runs: Runs, effects: pl.DataFrame) -> list[Section]:
    """Handicaps with their check, boards, pairings, bids, limits."""
    known = Known(study, runs)
    found = [_factions(study, runs, known, effects), _boards(known, effects), _pairings(known)]
    found.append(_bids(study, known))
    found.append(_limits(study, runs))
    return found


def _by(effects: pl.DataFrame, quantity: str, name: str) -> pl.DataFrame:
    half = ((pl.col("high") - pl.col("low")) / 2).alias(f"{name} ±")
    return effects.filter(quantity=quantity).select("component", pl.col("estimate").alias(name), half)


def _factions(study: "FairStudy", runs: Runs, known: Known, effects: pl.DataFrame) -> Section:
    plain = pl.col("value") * 100
    before = mean_by(runs["fit"], "win_share", [FACTION]).select(component=FACTION, before=plain)
    table = before.join(_by(effects, BY_WIN_SHARE, "fair"), on="component", maintain_order="left")
    table = table.join(_by(effects, BY_MARGIN, "margin"), on="component", maintain_order="left")
    played = pl.DataFrame({"component": list(known.fit.factions), "played": list(known.fit.factions.values())})
    table = table.join(played, on="component", maintain_order="left")
    columns = {
        "component": "faction",
        "fair": "VP from win share",
        "fair ±": "±",
        "margin": "VP from margin",
        "margin ±": "± ",
        "played": "played with",
        "before": "wins %, as it is",
    }
    verdict = "The handicaps were not played with yet."
    if known.check is not None:
        after = known.check.factions.select(
            component=FACTION,
            after=plain,
            after_half=50 * (pl.col("high") - pl.col("low")),
            fair_word=pl.when("is_fair").then(pl.lit("yes")).otherwise(pl.lit("not shown")),
        )
        table = table.join(after, on="component", how="left", maintain_order="left")
        columns |= {"after": "wins %, fair start", "after_half": "±  ", "fair_word": "within 3 points"}
        verdict = _verdict(study, known.check, known.run)
    games = len(known.fit.handicap.contests.scores)
    text = [
        f"{verdict} {study.heuristic.name} in all seats, {study.n_players} players, map {study.map}, seed {study.seed}; found "
        f"from {counted(games, 'game')}, in {counted(known.fit.handicap.steps, 'Newton step')}.",
        "Starting VP above or below the mean faction with which all win equally often, boards and first round bonus tiles held "
        "equal. From win share: recorded final scores with the handicap added and ranked anew. From margin: with which all "
        "have the same mean VP. They differ where a faction wins high or loses high. ± is half of the 95 % interval.",
    ]
    shown = figures_table(table.sort("fair"), columns, decimals=1)
    factions = list(known.fit.handicap.contests.levels[FACTION])
    wanted = effects.filter(pl.col("component").is_in(factions), quantity=BY_WIN_SHARE)
    figure = intervals(wanted, "fair starting VP above or below the mean faction, with 95 % interval")
    figures = {} if figure is None else {"fair-start.png": figure}
    return Section("Fair starting VP", text, shown, figures, _files(study, known))


def _verdict(study: "FairStudy", check: "Check", run: Run | None) -> str:
    n_fair, n = int(check.factions["is_fair"].sum()), len(check.factions)
    p_fair, p = int(check.pairs["is_fair"].sum()), len(check.pairs)
    games = 0 if run is None else run.n_games
    return (
        f"With these starts {n_fair} of {n} factions are shown to win {100 / study.n_players:.0f} % within 3 points, and "
        f"{p_fair} of {p} pairings within 7 (two one-sided tests at 5 % each), on {counted(games, 'fresh game')} ({check.name})."
    )


def _boards(known: Known, effects: pl.DataFrame) -> Section:
    boards = list(known.fit.handicap.contests.levels[BOARD])
    tiles = [f"bonus tile {key}" for key in known.fit.handicap.contests.levels["bonus"]]
    table = _by(effects, BY_WIN_SHARE, "fair").join(
        _by(effects, BY_MARGIN, "margin"), on="component", maintain_order="left"
    )
    table = table.filter(pl.col("component").is_in([*boards, *tiles]))
    columns = {
        "component": "board or tile",
        "fair": "VP from win share",
        "fair ±": "±",
        "margin": "VP from margin",
        "margin ±": "± ",
    }
    return Section("Boards and first round bonus tiles", ["As above."], figures_table(table, columns, decimals=1))


def _pairings(known: Known) -> Section:
    table = known.fit.pairs.with_columns(half=(pl.col("high") - pl.col("low")) / 2)
    columns = {
        "faction": "faction",
        "board": "board",
        "value": "VP",
        "half": "±",
        "additive": "faction + board",
        "rest": "besides, raw",
        "pooled": "besides, pooled",
        "n": "seats",
    }
    if known.check is not None:
        after = known.check.pairs.select(
            *PAIR,
            after=pl.col("pooled") * 100,
            fair_word=pl.when("is_fair").then(pl.lit("yes")).otherwise(pl.lit("not shown")),
        )
        table = table.join(after, on=list(PAIR), how="left", maintain_order="left")
        columns |= {"after": "points off, pooled", "fair_word": "within 7 points"}
    text = [
        "What a faction on a board should start with: faction plus board plus what the two lack besides, pooled towards nothing. "
        "The rules know starting VP of factions and of boards; what a pairing needs besides was added to the final scores of the "
        "check."
    ]
    return Section("Pairings", text, figures_table(table.sort("value"), columns, decimals=1))


def _bids(study: "FairStudy", known: Known) -> Section:
    text = [
        "A bundle is worth the opposite of its handicap: `aoi-sim bid SETUP --study DIR` says so for any table. The chance "
        f"to win is a softmax of the bids with a scale of {known.scale:.1f} VP."
    ]
    if known.slope is None or known.bins is None:
        return Section("Bids", text)
    from aoi_sim.report.figures_reliability import plot_reliability

    slope = known.slope
    word = "calibrated" if slope["low"] <= 1 <= slope["high"] else "too bold" if slope["value"] < 1 else "too timid"
    text.append(
        f"On {counted(slope['n'], 'game')} of set-ups not used for them the forecasts are {word}: slope {slope['value']:.2f} "
        f"({slope['low']:.2f} to {slope['high']:.2f}; 1 is calibrated)."
    )
    columns = {"forecast": "foretold %", "value": "won %", "low": "low", "high": "high", "n": "seats"}
    percent = known.bins.with_columns(pl.col("forecast", "value", "low", "high") * 100)
    figure = {"reliability.png": plot_reliability(known.bins)}
    return Section("Bids", text, figures_table(percent, columns, decimals=1), figure)


def _limits(study: "FairStudy", runs: Runs) -> Section:
    from aoi_sim.studies.fair import seats_played_otherwise

    text = [
        "Handicaps are those of these players, on average over set-ups: the tiles of a table shift them, and people find other "
        "games than scripted players do.",
        "Each check is a test of its own at 5 %; a study that needs several looks as often.",
    ]
    if "blind" in runs:
        otherwise, n = seats_played_otherwise(runs["blind"])
        if otherwise:
            text.insert(
                0,
                f"Of {n} seats {otherwise} did not end with their handicap more or less: the players look at VP, or could pay "
                "more or less for power (POW-4). Ranking anew is only near the truth then; the check was played.",
            )
        else:
            text.insert(0, f"Players do not look at VP: all {n} seats played on as before with another start.")
    return Section("What this cannot say", text)


# Files beside the report.


def _files(study: "FairStudy", known: Known) -> dict[str, bytes]:
    fit = known.fit
    overlay = fair_overlay(study.rules, study.n_players, fit.factions, fit.boards)
    words = (
        f"Fair start for {study.n_players} players, found by aoi-sim study fair: {study.heuristic.name}, edition "
        f"{study.rules.edition}, {counted(len(fit.handicap.contests.scores), 'game')}, seed {study.seed}."
    )
    bids = Bids(
        n_players=study.n_players,
        map=study.map,
        edition=study.rules.edition,
        rules=study.rules.hash,
        overlays=study.rules.overlays,
        heuristic=study.heuristic.name,
        n_games=len(fit.handicap.contests.scores),
        start=_common_start(study),
        scale=known.scale,
        pairs=tuple(fit.pairs.select(*PAIR, "value", "low", "high").to_dicts()),
        bonus=fit.handicap.of("bonus"),
    )
    return {
        OVERLAY: overlay_text(overlay, words).encode(),
        FILE_NAME: bids.text().encode(),
        GUIDE: _guide(study, fit, bids, words).encode(),
    }


def _common_start(study: "FairStudy") -> int:
    starts = [
        start_vp(study.rules, study.n_players, faction, board)
        for faction in study.rules.data["factions"]
        for board in study.rules.data["boards"]
    ]
    return round(sum(starts) / len(starts))


def _guide(study: "FairStudy", fit: "Fit", bids: Bids, words: str) -> str:
    """The bid guide for players."""
    factions, boards = fit.handicap.contests.levels[FACTION], fit.handicap.contests.levels[BOARD]
    values = {(row["faction"], row["board"]): row["value"] for row in bids.pairs}
    order = sorted(factions, key=lambda faction: sum(values[faction, board] for board in boards))
    lines = [
        f"# Fair starts at {study.n_players} players",
        "",
        words,
        "",
        f"Start with these VP instead of {bids.start}. In an auction a bundle is worth as many VP as its number is below that "
        "of the bundle that nobody wants; a bid above that loses VP on average. Half of the 95 % interval of a number is about "
        f"{fit.pairs.select((pl.col('high') - pl.col('low')).mean() / 2).item():.0f} VP.",
        "",
        "| | " + " | ".join(boards) + " |",
        "|---|" + "---:|" * len(boards),
    ]
    for faction in order:
        cells = [str(round(bids.start + values[faction, board])) for board in boards]
        lines.append(f"| {faction} | " + " | ".join(cells) + " |")
    tiles = sorted(bids.bonus.items(), key=lambda item: item[1])
    lines += ["", "The first round bonus tile changes that by so many VP:", "", "| tile | VP |", "|---|---:|"]
    lines += [f"| {tile} | {value:+.1f} |" for tile, value in tiles]
    return "\n".join(lines) + "\n"
