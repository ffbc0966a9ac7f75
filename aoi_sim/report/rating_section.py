"""The section on ratings: factions, boards, seats and players together, from the order in which tables finish."""

from typing import Final

import polars as pl

from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.ratings import FACTORS, joint_ratings
from aoi_sim.report import figures
from aoi_sim.report.document import Column, Picture, Section
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import bracket, not_told_sentence, number, percent, sure_rows, title
from aoi_sim.report.sheets import plain_sheet
from aoi_sim.report.study import Study

_WORDS: Final = {"faction": "factions", "board": "planning boards", "seat": "seats", "heuristic": "players"}

_ENDLESS: Final = 400.0
"""Standard error of a rating that only the prior keeps finite."""


def rating_section(study: Study) -> Section:
    """What finishing orders alone say, each factor with the others held equal."""
    section = Section("ratings", "Ratings from finishing orders")
    table = _ratings(study)
    if table is None:
        return section
    for factor, words in _WORDS.items():
        mixed = study.mixed(factor)
        if factor in table["factor"] or mixed:
            section.lead.append(not_told_sentence(words, mixed) if mixed else rating_sentence(table, factor))
    if "faction" in table["factor"]:
        own = table.filter(factor="faction")
        section.pictures.append(
            Picture(
                "ratings",
                "Rating of each faction by an additive Plackett-Luce model of the finishing orders, with 95 % interval.",
                figures.plot_joint_ratings(table, new_axes(8, 1.0 + 0.36 * max(3, len(own)))),
            )
        )
    section.sheets.append(
        plain_sheet(
            "ratings",
            "Ratings, each with the others held equal",
            table.with_columns(factor=pl.col("factor").replace({"heuristic": "player"})),
            Column("factor", "what", "what is rated: faction, board, seat in the turn order of round 1, or player", "text"),
            Column("name", "which", "the faction, board, seat or player", "text"),
            Column("n", "n", "seats that the figures rest on: a player in a game each", "count"),
            Column("blocks", "set-ups", "different set-ups among them", "count"),
            Column("value", "rating", "400 points are odds of ten to one to finish ahead; 0 is the mean of its kind", "+0"),
            Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "+0"),
            Column("high", "to", "upper end of the 95 % interval", "+0"),
        )
    )  # fmt: skip
    section.notes.append(
        "Ratings count who finishes before whom, not by how many VP; where they and the margins disagree, a few large margins "
        "make the difference."
    )
    return section


def _ratings(study: Study) -> pl.DataFrame | None:
    """The ratings of as many factors as the run can tell apart."""
    without_seat = tuple(name for name in FACTORS if name != "seat")
    for factors in (FACTORS, without_seat, ("faction", "board")):
        table = study.attempt(f"ratings of {', '.join(factors)}", lambda kept=factors: joint_ratings(study.rows, kept))  # type: ignore[misc]
        if table is not None:
            return table
    return None


def rating_sentence(table: pl.DataFrame, factor: str) -> str:
    """Which of a factor finishes ahead, as far as it is beyond doubt.

    Args:
        table: from ``joint_ratings``.
        factor: of ``FACTORS``.
    """
    words = _WORDS[factor]
    known = table.filter(pl.col("factor") == factor).drop_nulls(["low", "high"])
    sure = sure_rows(with_tests(known)).sort("value", descending=True)
    if known.is_empty():
        return f"{title(words)}: too few set-ups to rate them."
    if max(known["se"].to_list()) > _ENDLESS:
        return (
            f"{title(words)}: one always finishes before another, so that ratings have no end; their margins tell more."
        )
    if sure.is_empty():
        return f"{title(words)}: no rating differs beyond doubt from their mean."
    best, worst = sure.row(0, named=True), sure.row(-1, named=True)
    named = [_rated(row, factor) for row in ([best] if best["name"] == worst["name"] else [best, worst])]
    odds = percent(1 / (1 + 10 ** (-(best["value"] - worst["value"]) / 400)))
    text = f"{title(words)}: {' and '.join(named)} against their mean, all else equal"
    if len(named) == 2:
        text += f"; the first finishes before the second in {odds} of the games that both are in"
    return f"{text}."


def _rated(row: dict[str, float | str], factor: str) -> str:
    name = f"seat {row['name']}" if factor == "seat" else str(row["name"]).replace("_", " ")
    return (
        f"{name} {number(float(row['value']), decimals=0)}{bracket(float(row['low']), float(row['high']), decimals=0)}"
    )
