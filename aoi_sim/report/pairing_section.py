"""The section on faction x board."""

from aoi_sim.report import figures
from aoi_sim.report.balance_sections import value_table
from aoi_sim.report.document import Picture, Section
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sheets import group_sheet
from aoi_sim.report.study import Study


def pairing_section(study: Study) -> Section:
    """Every faction on every planning board."""
    table = study.pairings
    section = Section("pairings", "Faction and board")
    if table.is_empty():
        return section
    wide, tall = 2.4 + 0.75 * max(4, table["board"].n_unique()), 1.6 + 0.36 * max(4, table["faction"].n_unique())
    section.pictures.append(
        Picture(
            "pairings",
            "Mean VP of each pairing ahead of its table; bold and framed where the 95 % interval leaves zero out.",
            figures.plot_vp_margin_by_pairing(value_table(table, "faction", "board"), new_axes(wide, tall)),
        )
    )
    section.sheets.append(group_sheet("pairings", "All pairings", table, ["faction", "board"], n_open=20))
    return section
