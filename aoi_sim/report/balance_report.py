"""The balance report of a run: takeaways first, then who played, what cannot be said, and the sections."""

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

from aoi_sim.report.balance_sections import (
    board_section,
    cells_of,
    faction_section,
    map_section,
    seat_section,
    source_section,
    standing_sentence,
)
from aoi_sim.report.choice_section import choice_section, opening_section
from aoi_sim.report.comparison_section import comparisons
from aoi_sim.report.context import facts, limits, method_section, players, subtitle, trust_section, trust_sentence
from aoi_sim.report.course_section import course_section
from aoi_sim.report.document import Report, Section
from aoi_sim.report.pairing_section import interplay_sentence, pairing_section, sure_pairings
from aoi_sim.report.quality_section import player_section, quality_section
from aoi_sim.report.rating_section import rating_section
from aoi_sim.report.robustness_section import robustness_section, robustness_sentences
from aoi_sim.report.sample_size_section import sample_size_section
from aoi_sim.report.sentences import faction_sentence, not_told_sentence, spread_sentence
from aoi_sim.report.study import Study
from aoi_sim.report.tile_section import DRAWN, shift_sentence, sure_cells, tile_section
from aoi_sim.storage.reader import Run

_NAMED = 2
"""Factions at either end that have a sentence among the takeaways."""
SECTIONS: tuple[Callable[[Study], Section], ...] = (
    faction_section,
    board_section,
    pairing_section,
    seat_section,
    tile_section,
    choice_section,
    opening_section,
    source_section,
    course_section,
    map_section,
    quality_section,
    player_section,
    rating_section,
    robustness_section,
    sample_size_section,
    method_section,
    trust_section,
)


def balance_report(run: Run, against: Run | None = None) -> Report:
    """The report of a run.

    Args:
        run: a run, finished or partial.
        against: an earlier run to compare with.

    Raises:
        RunFolderError: no game was finished, or the runs cannot be compared.
    """
    study = Study(run)
    compared = list(comparisons(study, against))
    sections = [comparison.section() for comparison in compared]
    sections += [section for section in (make(study) for make in SECTIONS) if not section.is_empty]
    return Report(
        title=f"Balance report: {run.path.name}",
        subtitle=subtitle(study),
        takeaways=[*(comparison.sentence() for comparison in compared), *takeaways(study)],
        players=players(study),
        limits=limits(study),
        sections=sections,
        facts=facts(study),
    )


def takeaways(study: Study) -> Iterator[str]:
    """What to remember, most important first."""
    table = study.factions
    if study.run.partial:
        yield trust_sentence(study)
    mixed = study.mixed("faction")
    yield not_told_sentence("factions", mixed) if mixed else spread_sentence(study.faction_spread)
    if table["se"].null_count() < len(table) and not mixed:
        yield from (faction_sentence(row, study.equal, cells_of(study, row["faction"])) for row in extremes(table))
    if not study.boards.is_empty():
        yield standing_sentence(study, study.boards, "board", "planning boards")
    if not study.seats.is_empty():
        yield standing_sentence(study, study.seats, "seat", "seats", "seat ")
    if study.robust is not None:
        yield from robustness_sentences(study.robust, study.condition_word)
    if sure_pairings(study.interplay):
        yield interplay_sentence(study.interplay)
    for key, word, estimate, _ in DRAWN:
        shifts = study.shifts(key, estimate)
        if shifts is not None and sure_cells(shifts):
            yield shift_sentence(shifts, word)
    if not study.run.partial:
        yield trust_sentence(study)


def extremes(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows of the best and the worst factions; all of them if there are few."""
    if len(table) <= 2 * _NAMED:
        return list(table.iter_rows(named=True))
    return list(pl.concat([table.head(_NAMED), table.tail(_NAMED)]).iter_rows(named=True))
