"""The sections on what players choose: palaces, competencies, innovations, city tiles, actions, openings."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.choices import WARNING, opening_rows, vp_margin_by_opening, worth_by_tile
from aoi_sim.analysis.own_choices import own_margin_by_tile
from aoi_sim.report.document import Column, Section, Sheet
from aoi_sim.report.effects import component_text
from aoi_sim.report.sentences import bracket, extremes_differ, listed, percent, sure_rows, vp
from aoi_sim.report.sheets import HIGH, LOW, Q, plain_sheet
from aoi_sim.report.study import Study

KINDS: Final = {
    "palace": "Palaces",
    "competency": "Competencies",
    "innovation": "Innovations",
    "city": "City tiles",
    "book action": "Book actions",
    "power action": "Power actions",
}
_TABLES: Final = {"palace": "palaces", "competency": "competencies", "innovation": "innovations", "city": "city_tiles"}
_OWN: Final = ("palace", "competency", "innovation")
_DOES: Final = Column("does", "does", "its effects, from the rules of the run", "text")
_OFFERED: Final = Column(
    "offered", "offered", "picks in which it was open among others; for actions seats that could use it", "count"
)
_PICKED: Final = Column("pick_share", "picked", "share of these in which it was taken or used", "share")
_N_WITH: Final = Column("n", "n with", "games with it", "count")
_N_WITHOUT: Final = Column("n_without", "n without", "games without it in which it was in play", "count")


def choice_section(study: Study) -> Section:
    """Everything that can be chosen, observed beside the experiment of the draw."""
    section = Section("choices", "What players choose")
    return _filled(section, study, KINDS, lambda kind: worth_by_tile(study.source, kind), worth_sentence, _worth_sheet)


def own_choice_section(study: Study, faction: str) -> Section:
    """Palaces, competencies and innovations of one faction."""
    section = Section("choices", "Palaces, competencies, innovations")
    return _filled(
        section, study, _OWN, lambda kind: own_margin_by_tile(study.source, faction, kind), _own_sentence, _own_sheet
    )


def _filled(
    section: Section,
    study: Study,
    kinds: Iterable[str],
    worth: Callable[[str], pl.DataFrame],
    sentence: Callable[[pl.DataFrame, str], str],
    sheet: Callable[[Study, str, pl.DataFrame], Sheet],
) -> Section:
    """The section with a sentence and a table of each kind that the run can tell something of."""
    for kind in kinds:
        table = study.attempt(f"worth of each {kind}", partial(worth, kind))
        if table is not None and not table.is_empty():
            section.lead.append(sentence(table, kind))
            section.sheets.append(sheet(study, kind, table))
    if section.sheets:
        section.notes.append(WARNING)
    return section


def worth_sentence(table: pl.DataFrame, kind: str) -> str:
    """Which of a kind go with winning, and what the draw alone shows, as far as it is beyond doubt.

    Args:
        table: from ``worth_by_tile``.
        kind: of ``KINDS``.
    """
    words = KINDS[kind]
    known = sure_rows(table, "observed_q")
    if known.is_empty():
        return f"{words}: no difference between those who took one and those who did not is beyond doubt."
    order = known.sort("observed", descending=True)
    best, worst = order.row(0, named=True), order.row(-1, named=True)
    text = f"{words}: those with {_key(best, kind)} finish {_observed(best)} against those without"
    if worst["key"] != best["key"]:
        text += f", those with {_key(worst, kind)} {_observed(worst)}"
    sure = sure_rows(table, "drawn_q", "drawn_blocks").sort(pl.col("drawn").abs(), descending=True)
    if not sure.is_empty():
        named = [f"{_key(row, kind)} {vp(row['drawn'])} a seat" for row in sure.head(3).iter_rows(named=True)]
        text += f"; what the draw alone shows, tables with it in play less those without: {listed(named)}"
    return text + "."


def _key(row: dict[str, Any], kind: str) -> str:
    """A tile in words; those that have a number only with what they are."""
    key = str(row["key"])
    return f"{kind} {key}" if key.isdigit() else key


def _observed(row: dict[str, Any]) -> str:
    return f"{vp(row['observed'])}{bracket(row['observed_low'], row['observed_high'])}"


def _worth_sheet(study: Study, kind: str, table: pl.DataFrame) -> Sheet:
    return _filled_sheet(
        f"worth-{kind.replace(' ', '-')}",
        KINDS[kind],
        _with_text(study, kind, table.sort("observed", descending=True, nulls_last=True)),
        Column("key", kind, f"the {kind}, as docs/rules.md names it", "text"),
        _DOES,
        _OFFERED,
        _PICKED,
        Column("held", "held", "seats that had it in the end, or used it", "count"),
        Column("win_share", "wins with", "share of games won by seats with it", "share"),
        Column("win_share_without", "without", "share won by seats of the same games without it", "share"),
        Column("observed", "observed", "VP of those with it less those without, faction, board, seat held equal: no cause", "+1"),
        Column("observed_low", "from", "lower end of the 95 % interval, clustered by set-up", "+1"),
        Column("observed_high", "to", "upper end of the 95 % interval", "+1"),
        Column("observed_q", "q", "share of false alarms if this and all surer ones are believed", "3"),
        Column("drawn", "drawn", "VP a seat by which tables score more where the draw puts it in play: an experiment", "+1"),
        Column("drawn_low", "from", "lower end of the 95 % interval", "+1"),
        Column("drawn_high", "to", "upper end of the 95 % interval", "+1"),
        Column("drawn_q", "q", "share of false alarms if this and all surer ones are believed", "3"),
    )  # fmt: skip


def _filled_sheet(key: str, title: str, table: pl.DataFrame, *columns: Column) -> Sheet:
    """A table without the columns that this kind of thing cannot fill (actions have no text, city tiles are never drawn)."""
    kept = [column for column in columns if table[column.name].null_count() < len(table)]
    return plain_sheet(key, title, table, *kept)


def _with_text(study: Study, kind: str, table: pl.DataFrame) -> pl.DataFrame:
    """The table with what each tile does (``does``), from the rules of the run."""
    entries = study.rules.data.get(_TABLES.get(kind, ""), {}) if study.rules is not None else {}
    texts = {key: component_text(entry, study.n_players) for key, entry in entries.items()}
    return table.with_columns(does=pl.col("key").replace_strict(texts, default=None, return_dtype=pl.String))


def _own_sentence(table: pl.DataFrame, kind: str) -> str:
    words = KINDS[kind]
    taken = table.drop_nulls("pick_share").sort("pick_share", descending=True)
    text = words
    if not taken.is_empty():
        named = [f"{_key(row, kind)} ({percent(row['pick_share'])})" for row in taken.head(3).iter_rows(named=True)]
        text += f" taken most where open: {listed(named)}"
    sure = sure_rows(table).sort(pl.col("value").abs(), descending=True)
    if sure.is_empty():
        return f"{text}; none goes beyond doubt with a better or worse margin."
    named = [
        f"{_key(row, kind)} {vp(row['value'])}{bracket(row['low'], row['high'])}"
        for row in sure.head(3).iter_rows(named=True)
    ]
    return f"{text}; margin with it less without: {listed(named)}."


def _own_sheet(study: Study, kind: str, table: pl.DataFrame) -> Sheet:
    return _filled_sheet(
        f"own-{kind}",
        KINDS[kind],
        _with_text(study, kind, table),
        Column("key", kind, f"the {kind}, as docs/rules.md names it", "text"),
        _DOES,
        _OFFERED,
        _PICKED,
        _N_WITH,
        _N_WITHOUT,
        Column("margin_with", "margin with", "mean margin of the faction's games with it", "+1"),
        Column("margin_without", "without", "mean margin of its games without it that had it in play", "+1"),
        Column("value", "difference", "with less without: no cause", "+1"),
        LOW,
        HIGH,
        Q,
    )


def opening_section(study: Study, faction: str = "") -> Section:
    """Openings, grouped by the buildings after two rounds; of one faction or of all."""
    section = Section("openings", "Openings")
    rows = study.attempt("openings", lambda: opening_rows(study.source))
    if rows is None:
        return section
    if faction:
        rows = rows.filter(pl.col("faction") == faction)
        few = pl.len().over("opening") < _LEAST
        rows = rows.with_columns(opening=pl.when(few).then(pl.lit("other")).otherwise("opening"))
    table = vp_margin_by_opening(rows).sort("value", descending=True)
    section.lead.append(_opening_sentence(table))
    section.sheets.append(
        plain_sheet(
            "openings",
            "Buildings on the map after two rounds",
            table,
            Column("opening", "opening", "buildings after two rounds, start pieces among them; rare ones together", "text"),
            Column("n", "n", "games that opened so", "count"),
            Column("share", "share", "share of the games", "share"),
            Column("win_share", "wins", "share of them that were won, ties split", "share"),
            Column("value", "margin", "mean margin", "+1"),
            LOW,
            HIGH,
        )
    )  # fmt: skip
    section.notes.append(WARNING)
    return section


_LEAST: Final = 10
"""Games of a faction that an opening needs to have a row."""


def _opening_sentence(table: pl.DataFrame) -> str:
    named = table.filter(pl.col("opening") != "other")
    if named.is_empty():
        return "No opening was played often enough to be told from the others."
    most = named.sort("n", descending=True).row(0, named=True)
    text = (
        f"Most common after two rounds: {most['opening']} ({percent(most['share'])} of the games, {vp(most['value'])})"
    )
    known = named.drop_nulls("se").sort("value", descending=True).rename({"value": "margin"})
    if len(known) > 1 and extremes_differ(known.row(0, named=True), known.row(-1, named=True), len(known)):
        best, worst = known.row(0, named=True), known.row(-1, named=True)
        return (
            f"{text}; best {best['opening']} ({vp(best['margin'])}{bracket(best['low'], best['high'])}), "
            f"worst {worst['opening']} ({vp(worst['margin'])}{bracket(worst['low'], worst['high'])})."
        )
    return f"{text}; no opening is beyond doubt better than another."
