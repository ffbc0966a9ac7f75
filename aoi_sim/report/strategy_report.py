"""The strategy report of a faction: what goes with winning for it, and what its best games look like."""

from collections.abc import Callable, Iterator

import polars as pl

from aoi_sim.report.balance_sections import cells_of
from aoi_sim.report.choice_section import opening_section, own_choice_section
from aoi_sim.report.context import facts, limits, method_section, players, subtitle, trust_section, trust_sentence
from aoi_sim.report.document import Report, Section
from aoi_sim.report.restricted_section import restricted_section
from aoi_sim.report.sentences import faction_sentence, title
from aoi_sim.report.strategy_sections import (
    best_section,
    examples_section,
    own_board_section,
    own_draw_section,
    own_map_section,
    points_section,
    timing_section,
)
from aoi_sim.report.study import Study
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run

SECTIONS: tuple[Callable[[Study, str], Section], ...] = (
    own_board_section,
    own_draw_section,
    opening_section,
    own_choice_section,
    restricted_section,
    timing_section,
    best_section,
    points_section,
    own_map_section,
    examples_section,
)


def strategy_report(run: Run, faction: str) -> Report:
    """The strategy report of a faction.

    Args:
        run: a run, finished or partial.
        faction: its key.

    Raises:
        RunFolderError: no game was finished, or the faction did not play.
    """
    study = Study(run)
    known = sorted(study.rows["faction"].unique().to_list())
    if faction not in known:
        raise RunFolderError(f"no game of faction {faction!r}, {run.path}, choose {', '.join(known)}")
    found = [section for section in (make(study, faction) for make in SECTIONS) if not section.is_empty]
    return Report(
        title=f"Strategy report: {title(faction)}",
        subtitle=subtitle(study),
        takeaways=list(takeaways(study, faction, found)),
        players=players(study),
        limits=limits(study),
        sections=[*found, method_section(study), trust_section(study)],
        facts=facts(study),
    )


def takeaways(study: Study, faction: str, sections: list[Section]) -> Iterator[str]:
    """The faction in a sentence, then the first sentence of each section, of its choices all."""
    if study.run.partial:
        yield trust_sentence(study)
    row = study.factions.filter(pl.col("faction") == faction).row(0, named=True)
    yield faction_sentence(row, study.equal, cells_of(study, faction), study.mixed("faction"))
    for section in sections:
        if section.key != "boards" and section.lead:
            yield from section.lead if section.key == "choices" else section.lead[:1]
    if not study.run.partial:
        yield trust_sentence(study)
