"""The section on how games go: firsts, races, offers of power, the order of passing, and the margins that go with them."""

from typing import Any, Final

import polars as pl

from aoi_sim.analysis.points import vp_margin_by_lead
from aoi_sim.analysis.tempo import share_accepted_by_power_offer, vp_margin_by_milestone, vp_margin_by_pass_order
from aoi_sim.report.document import Column, Section
from aoi_sim.report.sentences import bracket, enough, listed, percent, sure_rows, vp
from aoi_sim.report.sheets import HIGH, LOW, Q, plain_sheet
from aoi_sim.report.strategy_sections import OBSERVED
from aoi_sim.report.study import Study

_LEAST_OFFERS: Final = 30
_N: Final = Column("n", "n", "seats that the figures rest on", "count")
_BLOCKS: Final = Column("blocks", "set-ups", "different set-ups among them", "count")
_MARGIN: Final = Column("value", "margin", "mean VP ahead of the mean of the table", "+1")


def course_section(study: Study) -> Section:
    """What goes with winning on the way, all factions together."""
    section = Section("course", "How games go")
    _milestones(study, section)
    _races(study, section)
    _passing(study, section)
    if section.sheets:
        section.notes.append(OBSERVED)
    _power(study, section)
    return section


def _milestones(study: Study, section: Section) -> None:
    table = study.attempt("margins by milestone", lambda: vp_margin_by_milestone(study.source))
    if table is None:
        return
    section.lead.append(milestone_sentence(table))
    section.sheets.append(
        plain_sheet(
            "milestones",
            "With and without, by the end of a round",
            table.sort(pl.col("value").abs(), descending=True),
            Column("condition", "condition", "what a seat ever had by then, upgraded since or not", "text"),
            Column("n", "n with", "seats with it by then", "count"),
            Column("n_without", "n without", "seats without it until then", "count"),
            Column("share", "share", "share of the seats with it", "share"),
            Column("margin_with", "margin with", "mean margin of those with it", "+1"),
            Column("margin_without", "margin without", "mean margin of those without it", "+1"),
            Column(
                "value",
                "adjusted difference",
                "VP with less without, faction, board and seat held equal: not the difference of the two means",
                "+1",
            ),
            LOW,
            HIGH,
            Q,
            n_open=15,
        )
    )


def milestone_sentence(table: pl.DataFrame) -> str:
    """Which firsts go with more or less VP, as far as it is beyond doubt.

    Args:
        table: from ``vp_margin_by_milestone``.
    """
    sure = sure_rows(table).sort(pl.col("value").abs(), descending=True)
    if sure.is_empty():
        return "No first school, palace, university, city or innovation goes beyond doubt with more or less VP."
    # Of each milestone the round that says most.
    sure = sure.unique("milestone", keep="first", maintain_order=True)
    named = [f"{row['condition']} ({_figure(row)})" for row in sure.iter_rows(named=True)]
    return f"Goes with more or less VP, all else equal: {listed(named)}."


def _races(study: Study, section: Section) -> None:
    table = study.attempt("margins by lead", lambda: vp_margin_by_lead(study.source))
    if table is None:
        return
    section.lead.append(race_sentence(table))
    section.sheets.append(
        plain_sheet(
            "races",
            "Who led a race of the final scoring",
            table.with_columns(led=pl.when("led").then(pl.lit("led")).otherwise(pl.lit("others"))),
            Column("race", "race", "a discipline of science, or the largest area", "text"),
            Column("led", "who", "those who led it at the end, alone or with others, and the other seats", "text"),
            _N,
            _BLOCKS,
            _MARGIN,
            LOW,
            HIGH,
        )
    )


def race_sentence(table: pl.DataFrame) -> str:
    """Which race's leaders do best.

    Args:
        table: from ``vp_margin_by_lead``.
    """
    led = table.filter("led").drop_nulls("low").sort("value", descending=True)
    ahead = led.filter(pl.col("low") > 0, enough())
    if ahead.is_empty():
        return "To lead area or a discipline at the end goes with no better margin beyond doubt."
    named = [f"{row['race']} ({_figure(row)})" for row in ahead.iter_rows(named=True)]
    return f"Those who lead a race at the end stand ahead of their table: {listed(named)}."


def _passing(study: Study, section: Section) -> None:
    table = study.attempt("margins by pass order", lambda: vp_margin_by_pass_order(study.source))
    if table is None:
        return
    section.sheets.append(
        plain_sheet(
            "passing",
            "The order of passing",
            table.with_columns(pl.col("next_place") + 1),
            Column("round", "round", "of the game", "count"),
            Column("next_place", "passed as", "1 is the first to pass in the round, and the first to move in the next", "count"),
            _N,
            _BLOCKS,
            _MARGIN,
            LOW,
            HIGH,
            n_open=24,
        )
    )  # fmt: skip


def _power(study: Study, section: Section) -> None:
    table = study.attempt("power offers", lambda: share_accepted_by_power_offer(study.source))
    if table is None:
        return
    section.lead.append(power_sentence(table))
    section.sheets.append(
        plain_sheet(
            "power-offers",
            "Power from neighbours",
            table,
            Column("power", "power", "how much is offered", "count"),
            Column("vp_cost", "VP", "what it costs", "count"),
            Column("n", "n", "offers", "count"),
            _BLOCKS,
            Column("value", "taken", "share of the offers that were taken", "share"),
            Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "share"),
            Column("high", "to", "upper end of the 95 % interval", "share"),
        )
    )


def power_sentence(table: pl.DataFrame) -> str:
    """How often power is taken that costs VP.

    Args:
        table: from ``share_accepted_by_power_offer``.
    """
    dear = table.filter((pl.col("vp_cost") > 0) & (pl.col("n") >= _LEAST_OFFERS))
    if dear.is_empty():
        return "Power at a price was offered too seldom to tell how often it is taken."
    first = dear.sort("vp_cost").row(0, named=True)
    last = dear.sort("vp_cost").row(-1, named=True)
    text = f"Power that costs {first['vp_cost']} VP is taken in {_share(first)} of {first['n']:,} offers"
    if last["vp_cost"] != first["vp_cost"]:
        text += f", at {last['vp_cost']} VP in {_share(last)} of {last['n']:,}"
    return f"{text}."


def _share(row: dict[str, Any]) -> str:
    return f"{percent(row['value'])}{bracket(row['low'], row['high'], 100, 0)}"


def _figure(row: dict[str, Any]) -> str:
    return f"{vp(row['value'])}{bracket(row['low'], row['high'])}"
