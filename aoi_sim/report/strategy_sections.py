"""The sections of a faction's strategy report."""

from typing import Any

import polars as pl

from aoi_sim.analysis.best_games import best_tenth_of_games
from aoi_sim.analysis.hexes import build_margin_by_hex, build_share_by_hex, built_hexes
from aoi_sim.analysis.multiplicity import with_tests
from aoi_sim.analysis.points import vp_source_by
from aoi_sim.analysis.source import AnalysisError
from aoi_sim.analysis.tempo import MILESTONES, timing_by_faction, vp_margin_by_condition
from aoi_sim.report import figures
from aoi_sim.report.balance_sections import cells_of, value_table
from aoi_sim.report.document import Column, Picture, Section
from aoi_sim.report.example_games import example_games
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import board_phrase, bracket, listed, number, sure_rows, title, vp
from aoi_sim.report.sheets import HIGH, LOW, Q, group_sheet, plain_sheet
from aoi_sim.report.study import Study
from aoi_sim.report.tile_section import DRAWN, SHIFT_COLUMNS, sure_cells

OBSERVED = (
    "What is compared here players chose for themselves, and those who are ahead can afford more: it goes with winning, it need "
    "not bring it."
)
_LEAST_SHARE = 0.05
_N = Column("n", "n", "games of the faction that the figures rest on", "count")


def own_board_section(study: Study, faction: str) -> Section:
    """The faction on every planning board."""
    table = cells_of(study, faction)
    section = Section("boards", "Planning boards", [f"{title(faction)}: {board_phrase(table)}."])
    if not table.is_empty():
        section.pictures.append(
            Picture(
                "boards",
                f"Margin of {faction} with each planning board, with 95 % interval.",
                figures.plot_vp_margin_by_board(
                    value_table(table, "board"), new_axes(8, 1.0 + 0.36 * max(3, len(table)))
                ),
            )
        )
        section.sheets.append(group_sheet("boards", "All planning boards", table, ["board"], ordered=False))
    return section


def own_draw_section(study: Study, faction: str) -> Section:
    """What the draw does to the faction: tiles, palaces, innovations, book actions in play, opponents."""
    section = Section("draw", "Tiles and opponents that help or hurt")
    parts = []
    for key, word, estimate, _ in DRAWN:
        table = study.shifts(key, estimate)
        if table is not None:
            parts.append(table.filter(pl.col("faction") == faction).with_columns(kind=pl.lit(word)))
    if not parts:
        return section
    table = pl.concat(parts, how="diagonal_relaxed").sort(pl.col("pooled").abs(), descending=True, nulls_last=True)
    sure = sure_cells(table)
    if not sure:
        section.lead.append(
            f"Nothing that the set-up draws helps or hurts {faction} beyond doubt more than the mean faction."
        )
    else:
        named = [
            f"{row['kind']} {_word(row['key'])} ({vp(row['pooled'])}{bracket(row['pooled_low'], row['pooled_high'])})"
            for row in sure[:6]
        ]
        section.lead.append(
            f"When in play, these shift {faction} beyond doubt against the mean faction: {listed(named)}."
        )
    section.sheets.append(
        plain_sheet(
            "draw",
            "Everything that is in some games and not in others",
            table,
            Column("kind", "what", "what it is", "text"),
            Column("key", "which", "the tile, action or opponent", "text"),
            *SHIFT_COLUMNS,
            n_open=20,
        )
    )
    return section


def timing_section(study: Study, faction: str) -> Section:
    """When the first school, palace, university, city and innovation come, and which timings go with winning."""
    section = Section("timings", "Timings that go with winning")
    when = timing_by_faction(study.source).filter(pl.col("faction") == faction)
    reached = when.filter(pl.col("quantity") == "share_reached").select("milestone", "n", share="value")
    rounds = when.filter(pl.col("quantity") == "round").select("milestone", "median", mean="value")
    table = reached.join(rounds, on="milestone", how="left", maintain_order="left")
    conditions = _conditions(study, faction)
    if conditions.is_empty():
        section.lead.append("No timing has enough games on either side to be compared.")
    else:
        sure = sure_rows(conditions)
        named = [f"{row['condition']} ({_value(row)})" for row in sure.head(4).iter_rows(named=True)]
        section.lead.append(
            f"Goes with more or less VP, board and seat held equal: {listed(named)}."
            if named
            else f"No timing goes beyond doubt with more or less VP for {faction}."
        )
        section.sheets.append(
            plain_sheet(
                "conditions",
                "With and without, by the end of a round",
                conditions,
                Column(
                    "condition",
                    "condition",
                    "what a player ever had by the end of that round, upgraded since or not",
                    "text",
                ),
                Column("n", "n with", "games with it by then", "count"),
                Column("n_without", "n without", "games without it until then", "count"),
                Column("margin_with", "margin with", "mean margin of those with it", "+1"),
                Column("margin_without", "margin without", "mean margin of those without it", "+1"),
                Column(
                    "value",
                    "adjusted difference",
                    "VP with less without, board and seat held equal: not the difference of the two means",
                    "+1",
                ),
                LOW,
                HIGH,
                Q,
                n_open=20,
            )
        )
    section.sheets.append(
        plain_sheet(
            "timings",
            "When it comes",
            table,
            Column("milestone", "first", "the first building, city or innovation of its kind", "text"),
            _N,
            Column("share", "reached", "share of games in which it came at all", "share"),
            Column("median", "median round", "round in which the first was built or had, median of those games", "1"),
            Column("mean", "mean round", "the same, mean", "2"),
        )
    )
    section.notes.append(OBSERVED)
    return section


def _conditions(study: Study, faction: str) -> pl.DataFrame:
    """Each milestone by each round that splits the faction's games; q-values over all of them."""
    parts = []
    for name, column in MILESTONES.items():
        for by in range(1, 7):
            try:
                found = vp_margin_by_condition(study.source, column, by, group="faction")
            except AnalysisError:  # all seats are on one side: nothing to compare
                continue
            words = pl.lit(f"first {name} by round {by}").alias("condition")
            parts.append(found.filter(pl.col("faction") == faction).with_columns(words))
    if not parts:
        return pl.DataFrame()
    table = pl.concat(parts).filter(pl.col("share").is_between(_LEAST_SHARE, 1 - _LEAST_SHARE))
    if table.is_empty():
        return table
    return with_tests(table.drop("p", "q")).sort(pl.col("value").abs(), descending=True)


def _word(key: str) -> str:
    return key.replace("_", " ")


def _value(row: dict[str, Any]) -> str:
    return f"{vp(row['value'])}{bracket(row['low'], row['high'])}"


def _more(row: dict[str, Any]) -> str:
    """``more cities in the end (1.8 against 1.5)``."""
    degree = "more" if row["value"] > 0 else "fewer" if row["quantity"].endswith("s") else "less"
    when = "in the end" if row["when"] == "final" else f"at the end of {row['when']}"
    figures_of_both = f"{number(row['best'], sign=False)} against {number(row['rest'], sign=False)}"
    return f"{degree} {_word(row['quantity'])} {when} ({figures_of_both})"


def best_section(study: Study, faction: str) -> Section:
    """What the best tenth of its games did differently."""
    section = Section("best", "What its best tenth of games did differently")
    table = study.attempt("best tenth", lambda: best_tenth_of_games(study.source, faction))
    if table is None:
        section.lead.append(f"There are too few games of {faction} to set the best tenth apart.")
        return section
    sure = sure_rows(table)
    named = [_more(row) for row in sure.head(5).iter_rows(named=True)]
    section.lead.append(
        f"The tenth with the highest margin had {listed(named)}."
        if named
        else "The tenth with the highest margin differs from the rest in nothing beyond doubt."
    )
    section.sheets.append(
        plain_sheet(
            "best",
            "Best tenth and the rest",
            table,
            Column("quantity", "what", "what is counted, docs/data.md says how", "text"),
            Column("when", "when", "at the end of the game or of a round", "text"),
            _N,
            Column("best", "best tenth", "mean in the tenth of the games with the highest margin", "2"),
            Column("rest", "rest", "mean in the other games", "2"),
            Column("value", "difference", "best less rest", "+2"),
            Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "+2"),
            Column("high", "to", "upper end of the 95 % interval", "+2"),
            Column("size", "size", "the difference in standard deviations", "+2"),
            Q,
            n_open=20,
        )
    )
    section.notes.append(OBSERVED)
    return section


def own_map_section(study: Study, faction: str) -> Section:
    """Where the faction builds, and how it does there."""
    section = Section("map", "Where it builds")
    if not study.has("events"):
        return section
    built = built_hexes(study.source)
    own = study.rows.filter(pl.col("faction") == faction)
    for side in sorted(own["map"].drop_nulls().unique().to_list()):
        rows = own.filter(pl.col("map") == side)
        share, gain = build_share_by_hex(built, rows), build_margin_by_hex(built, rows)
        if share.is_empty():
            continue
        top = [f"{row['hex']} ({row['value']:.0%})" for row in share.head(3).iter_rows(named=True)]
        section.lead.append(f"On side {side} {faction} build most on {listed(top)}; home terrain comes with the board.")
        section.pictures.append(
            Picture(
                f"built-{side}",
                f"Share of the games of {faction} in which they build on each hex, in percent (side {side}).",
                figures.plot_build_share_by_hex(share, side, new_axes(9, 4.7), study.rules),
            )
        )
        if not gain.is_empty():
            section.pictures.append(
                Picture(
                    f"gain-{side}",
                    f"Margin of {faction} with a building on a hex less without one, in VP (side {side}).",
                    figures.plot_build_margin_by_hex(gain, side, new_axes(9, 4.7), study.rules),
                )
            )
    return section


def points_section(study: Study, faction: str) -> Section:
    """Where its points come from, beside all factions."""
    section = Section("sources", "Where its points come from")
    own = vp_source_by(study.source, ["faction"]).filter(pl.col("faction") == faction)
    every = vp_source_by(study.source, []).select("source", all="value")
    table = own.join(every, on="source", maintain_order="left").with_columns(more=pl.col("value") - pl.col("all"))
    table = table.filter((pl.col("value").abs() > 0) | (pl.col("all").abs() > 0)).sort("more", descending=True)
    top, bottom = table.row(0, named=True), table.row(-1, named=True)
    section.lead.append(
        f"Beside the mean faction {faction} get most more from {_word(top['source'])} ({vp(top['more'])}) "
        f"and most less from {_word(bottom['source'])} ({vp(bottom['more'])})."
    )
    section.sheets.append(
        plain_sheet(
            "sources",
            "VP by source",
            table,
            Column("source", "source", "where VP come from", "text"),
            _N,
            Column("value", "VP", "mean VP of the faction from it", "1"),
            Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "1"),
            Column("high", "to", "upper end of the 95 % interval", "1"),
            Column("all", "all factions", "mean VP of all factions from it", "1"),
            Column("more", "more", "difference", "+1"),
        )
    )
    return section


def examples_section(study: Study, faction: str) -> Section:
    """Three games told round by round."""
    section = Section("examples", "Three example games")
    if study.has("events"):
        section.texts += list(example_games(study, faction))
        section.notes.append(
            "Decisions in the notation of docs/notation.md, without conversions and answers to power offers."
        )
    return section
