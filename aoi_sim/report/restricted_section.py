"""What components are worth to a faction by restricted play; only in reports on a run that was played so."""

import polars as pl

from aoi_sim.analysis.restricted import restricted_pairs, worth_by_component, worth_of_taking
from aoi_sim.report.document import Column, Section
from aoi_sim.report.sentences import bracket, listed, title, vp
from aoi_sim.report.sheets import HIGH, LOW, plain_sheet
from aoi_sim.report.study import Study


def restricted_section(study: Study, faction: str) -> Section:
    """What the freedom to take a component, and taking it, is worth to a faction."""
    section = Section("restricted", "Worth of components, by restricted play")
    if not study.manifest["config"].get("restrictions"):
        return section
    pairs = study.attempt("restricted play", lambda: restricted_pairs(study.source))
    if pairs is None:
        return section
    own = pairs.filter(faction=faction)
    if own.is_empty():
        return section
    worth = worth_by_component(own).filter(quantity="vp").select("component", "n", "value", "low", "high")
    taking = worth_of_taking(own).select("component", takings="n", taking="value", taking_low="low", taking_high="high")
    whole = worth_of_taking(pairs).select("component", everybody="value")
    table = worth.join(taking, on="component", how="left", maintain_order="left")
    table = table.join(whole, on="component", how="left", maintain_order="left").sort("value", descending=True)
    section.lead.append(_sentence(table, faction))
    section.notes.append(
        "One seat after the other may not take the component (or must by a round) on the same set-ups, so this is what it "
        "brings; what goes with winning is said elsewhere."
    )
    section.sheets.append(
        plain_sheet(
            "restricted",
            "Worth of components",
            table,
            Column("component", "component", "what may not be taken, or must by a round", "text"),
            Column("n", "n", "restricted seats of the faction", "count"),
            Column(
                "value", "VP", "what the freedom (or duty) adds to its VP, whether or not it takes the component", "+1"
            ),
            LOW,
            HIGH,
            Column("takings", "takings", "takings that were gained or lost", "count"),
            Column("taking", "a taking", "VP by taking; from five takings on", "+1"),
            Column("taking_low", "from", "lower end of the 95 % interval", "+1"),
            Column("taking_high", "to", "upper end of the 95 % interval", "+1"),
            Column("everybody", "a taking, all", "VP by taking over all factions", "+1"),
        )
    )
    return section


def _sentence(table: pl.DataFrame, faction: str) -> str:
    known = table.drop_nulls("low")
    sure = known.filter((pl.col("low") > 0) | (pl.col("high") < 0)).sort(pl.col("value").abs(), descending=True)
    if sure.is_empty():
        return f"{title(faction)}: no component is known to be worth anything to it by restricted play."
    named = [
        f"{row['component']} {vp(row['value'])}{bracket(row['low'], row['high'])}"
        for row in sure.head(3).iter_rows(named=True)
    ]
    return f"{title(faction)}: free to take it or not, worth {listed(named)}."
