"""The sections of the balance report that every run has: factions, boards, pairings, seats, sources, rounds, map."""

from typing import Any

import polars as pl

from aoi_sim.analysis.hexes import build_margin_by_hex, build_share_by_hex, built_hexes
from aoi_sim.analysis.points import vp_source_by
from aoi_sim.analysis.tempo import economy_by_round
from aoi_sim.report import figures
from aoi_sim.report.document import Column, Picture, Section, Sheet
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import (
    best_and_worst,
    counted,
    faction_sentence,
    listed,
    not_told_sentence,
    spread_sentence,
    verdict_sentence,
    vp,
)
from aoi_sim.report.sheets import group_sheet, plain_sheet
from aoi_sim.report.study import Study


def value_table(table: pl.DataFrame, *group: str) -> pl.DataFrame:
    """A table of ``Study.group_table`` as figures take it: the margin is the ``value``."""
    return table.select(*group, "n", "low", "high", value="margin")


def faction_section(study: Study) -> Section:
    """Factions: one sentence each, forest plots of margins and wins, the whole table, score distributions."""
    table = study.factions
    section = Section("factions", "Factions")
    mixed = study.mixed("faction")
    section.lead += (
        [not_told_sentence("factions", mixed)]
        if mixed
        else [spread_sentence(study.faction_spread), verdict_sentence(table, "faction", "factions")]
    )
    tall = 1.0 + 0.36 * max(3, len(table))
    section.pictures += [
        Picture(
            "factions",
            "Mean VP of each faction ahead of its table, with 95 % interval; colour where it leaves zero out.",
            figures.plot_vp_margin_by_faction(value_table(table, "faction"), new_axes(8, tall)),
        ),
        Picture(
            "faction-wins",
            f"Share of games that each faction wins, with 95 % interval; the line is the equal share of {study.equal:.0%}.",
            figures.plot_win_share_by_faction(
                table.select("faction", "n", value="win_share", low="win_low", high="win_high"),
                new_axes(8, tall),
                study.equal,
            ),
        ),
        Picture(
            "scores",
            "Final scores by faction: the box holds the middle half of the games.",
            figures.plot_vp_distribution(study.rows, new_axes(8, tall)),
        ),
    ]
    section.sheets.append(group_sheet("factions", "All factions", table, ["faction"]))
    lines = [
        faction_sentence(row, study.equal, cells_of(study, row["faction"]), mixed)
        for row in table.iter_rows(named=True)
    ]
    section.texts.append(("Every faction in a sentence", lines))
    return section


def cells_of(study: Study, faction: str) -> pl.DataFrame:
    """The pairings of a faction."""
    return study.pairings.filter(pl.col("faction") == faction)


def standing_sentence(study: Study, table: pl.DataFrame, name: str, words: str, before: str = "") -> str:
    """``best_and_worst`` of a group, or that the design cannot tell the group from another."""
    mixed = study.mixed(name)
    return not_told_sentence(words, mixed) if mixed else best_and_worst(table, name, words, before)


def standing_sentences(study: Study, table: pl.DataFrame, name: str, words: str, before: str = "") -> list[str]:
    """``standing_sentence``, and the verdicts it rests on."""
    first = standing_sentence(study, table, name, words, before)
    if study.mixed(name):
        return [first]
    verdicts = verdict_sentence(table, name, words)
    return [first, verdicts] if first.startswith("Among ") else [verdicts]


def board_section(study: Study) -> Section:
    """Planning boards alone."""
    table = study.boards
    section = Section("boards", "Planning boards")
    if table.is_empty():
        return section
    section.lead += standing_sentences(study, table, "board", "planning boards")
    section.pictures.append(
        Picture(
            "boards",
            "Mean VP of each planning board ahead of the table, with 95 % interval.",
            figures.plot_vp_margin_by_board(value_table(table, "board"), new_axes(8, 1.0 + 0.36 * max(3, len(table)))),
        )
    )
    section.sheets.append(group_sheet("boards", "All planning boards", table, ["board"]))
    return section


def seat_section(study: Study) -> Section:
    """Seats in the turn order of round 1, and the first round bonus tile."""
    table = study.seats
    section = Section("seats", "Seats and first round bonus tiles")
    if table.is_empty():
        return section
    section.lead += standing_sentences(study, table, "seat", "seats", "seat ")
    section.pictures.append(
        Picture(
            "seats",
            "Margin by seat in the turn order of round 1, with 95 % interval.",
            figures.plot_vp_margin_by_seat(value_table(table, "seat"), new_axes(7, 3.4)),
        )
    )
    section.sheets.append(group_sheet("seats", "All seats", table, ["seat"]))
    tiles = study.bonus_tiles
    if not tiles.is_empty():
        section.lead.append(standing_sentence(study, tiles, "bonus", "first round bonus tiles"))
        section.sheets.append(group_sheet("bonus", "First round bonus tiles", tiles, ["bonus"]))
    return section


def source_section(study: Study) -> Section:
    """Where points come from, and when."""
    section = Section("sources", "Where points come from")
    table = vp_source_by(study.source, ["faction"])
    section.lead.append(_source_sentence(vp_source_by(study.source, []), study.rows["vp"].mean()))
    tall = 1.4 + 0.36 * max(3, table["faction"].n_unique())
    section.pictures.append(
        Picture(
            "sources",
            "Mean VP of a player and game by source; costs lie left of zero.",
            figures.plot_vp_source_by_faction(table, new_axes(10, tall)),
        )
    )
    section.pictures.append(
        Picture(
            "rounds",
            "Mean VP at the end of each round, before the final scoring; the three highest and lowest of many have colour.",
            figures.plot_economy_by_round(economy_by_round(study.source, columns=["vp"]), new_axes(8, 4.2)),
        )
    )
    section.sheets.append(_source_sheet(table, study.factions.select("faction", "vp")))
    return section


def _source_sheet(table: pl.DataFrame, scores: pl.DataFrame) -> Sheet:
    """Sources as columns; `vp_from_` before their names, as one of them is `faction`."""
    named = table.with_columns(source=pl.format("vp_from_{}", "source"))
    wide = named.pivot("source", index=["faction", "n"], values="value")
    sources = [name for name in wide.columns if name.startswith("vp_from_")]
    # Not summed here: a sum over columns rounds as its threads come.
    wide = wide.join(scores, on="faction", maintain_order="left").sort(["vp", "faction"], descending=[True, False])
    columns = [
        Column("faction", "faction", "the faction", "text"),
        Column("n", "n", "seats that the figures rest on", "count"),
        Column("vp", "VP", "mean final score: the sum of all sources", "1"),
    ]
    for name in sources:
        if wide[name].fill_null(0).abs().sum() > 0:
            word = name.removeprefix("vp_from_").replace("_", " ")
            columns.append(Column(name, word, f"mean VP from {word}", "1"))
    return plain_sheet("sources", "Mean VP by source", wide, *columns)


def _source_sentence(every: pl.DataFrame, total: Any) -> str:
    parts = every.filter(pl.col("source") != "start").sort("value", descending=True).head(3)
    named = [
        f"{row['source'].replace('_', ' ')} ({vp(row['value'], sign=False)})" for row in parts.iter_rows(named=True)
    ]
    return f"Of {vp(float(total), sign=False)} a player makes on average, most come from {listed(named)}."


def map_section(study: Study) -> Section:
    """Where players build, on the real map, one part for each side that was played."""
    section = Section("map", "Where players build")
    if not study.has("events"):
        return section
    built = built_hexes(study.source)
    for side in sorted(study.rows["map"].drop_nulls().unique().to_list()):
        rows = study.rows.filter(pl.col("map") == side)
        share = build_share_by_hex(built, rows)
        gain = build_margin_by_hex(built, rows)
        if share.is_empty():
            continue
        top = [f"{row['hex']} ({row['value']:.0%})" for row in share.head(3).iter_rows(named=True)]
        section.lead.append(
            f"On side {side} of the map ({counted(rows['game_index'].n_unique(), 'game')}), most is built on {listed(top)}."
        )
        section.pictures.append(
            Picture(
                f"built-{side}",
                f"Share of games in which each hex is built on, in percent; rims have the printed terrain (side {side}).",
                figures.plot_build_share_by_hex(share, side, new_axes(9, 4.7), study.rules),
            )
        )
        if not gain.is_empty():
            section.pictures.append(
                Picture(
                    f"gain-{side}",
                    f"Margin of players with a building on a hex less that of players without one, in VP (side "
                    f"{side}). It says who builds there, not what building there brings.",
                    figures.plot_build_margin_by_hex(gain, side, new_axes(9, 4.7), study.rules),
                )
            )
    return section
