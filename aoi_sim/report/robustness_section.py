"""The section on whether findings hold under every player, or every level of a paired run."""

from typing import Any, Final

import polars as pl

from aoi_sim.report.document import Column, Section
from aoi_sim.report.sentences import listed
from aoi_sim.report.sheets import HIGH, LOW, Q, plain_sheet
from aoi_sim.report.study import Study

_NONE: Final = "-"


def robustness_section(study: Study) -> Section:
    """Factions that are too strong or too weak whoever plays, where a run has several players or levels."""
    section = Section("robustness", "Does it hold whoever plays")
    table, effects = study.robust, study.condition_effects
    if table is None or effects is None:
        return section
    section.lead += robustness_sentences(table, study.condition_word)
    section.sheets += [
        plain_sheet(
            "robustness",
            f"Factions under every {study.condition_word}",
            table.with_columns(
                pl.col("strong_in", "weak_in").replace("", _NONE),
                sign=pl.when("sign_changes").then(pl.lit("changes")).otherwise(pl.lit(_NONE)),
            ).sort("most", descending=True),
            Column("faction", "faction", "the faction", "text"),
            Column("conditions", "of", f"number of {study.condition_word}s it was played under", "count"),
            Column("blocks", "set-ups", "set-ups of the one with the fewest", "count"),
            Column("least", "least", "lowest adjusted effect in VP among them", "+1"),
            Column("most", "most", "highest adjusted effect in VP among them", "+1"),
            Column("strong_in", "too strong in", "where it is surely more than 2 VP above the mean faction", "text"),
            Column("weak_in", "too weak in", "where it is surely more than 2 VP below the mean faction", "text"),
            Column("sign", "sign", "whether it is surely above the mean in one and surely below it in another", "text"),
            Column("verdict", "verdict", "too strong if in any, too weak only if in all", "text"),
        ),
        plain_sheet(
            "effects-by-condition",
            f"Adjusted effect of each faction under each {study.condition_word}",
            effects.sort("faction", "condition"),
            Column("faction", "faction", "the faction", "text"),
            Column("condition", study.condition_word, f"the {study.condition_word}", "text"),
            Column("n", "n", "seats that the figures rest on", "count"),
            Column("blocks", "set-ups", "different set-ups among them", "count"),
            Column("value", "adjusted", "VP that it adds, all else equal, against the mean faction there", "+1"),
            LOW,
            HIGH,
            Q,
            n_open=24,
        ),
    ]
    section.notes.append(
        "A publisher's rule: what some players can break is broken, what some can use is usable; so a faction is too strong if "
        "it is under any of them, and too weak only if it is under all. Beyond 2 VP at 5 % (Bonferroni over those that are "
        "looked at; all together by an intersection-union test, Berger 1982)."
    )
    return section


def robustness_sentences(table: pl.DataFrame, word: str) -> list[str]:
    """Who is too strong, who too weak, and what one makes strong and another weak.

    Args:
        table: from ``robustness``.
        word: ``player`` or ``level``.
    """
    count = int(table["conditions"].max())  # type: ignore[arg-type]
    strong = [_strong(row) for row in table.filter(verdict="too strong").iter_rows(named=True)]
    weak = table.filter(verdict="too weak")["faction"].to_list()
    turned = table.filter("sign_changes")["faction"].to_list()
    lines = [
        f"Too strong under at least one of {count} {word}s: {listed(strong)}."
        if strong
        else f"No faction is shown to be too strong under any of the {count} {word}s."
    ]
    if weak:
        lines.append(f"Too weak under each of the {count} {word}s: {listed(weak)}.")
    if turned:
        lines.append(f"Above the mean under one {word} and below it under another, beyond doubt: {listed(turned)}.")
    return lines


def _strong(row: dict[str, Any]) -> str:
    return f"{row['faction']} ({row['strong_in']})"
