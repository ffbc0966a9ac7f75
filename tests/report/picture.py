"""``make picture``: the forest plot of README.md, from the run of ``make demo``."""

from __future__ import annotations

import sys
from pathlib import Path

import aoi_sim as aoi
from aoi_sim.analysis import vp_margin_by_faction
from aoi_sim.report.figures import plot_vp_margin_by_faction
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.figures_svg import svg_text
from tests.rules_coverage import ROOT

PICTURE = ROOT / "docs" / "first-plot.svg"


def drawn(run: aoi.Run) -> str:
    """The picture as a file of its own."""
    ax = plot_vp_margin_by_faction(vp_margin_by_faction(run), new_axes(7.5, 4.6))
    players, edition = " and ".join(run.manifest["config"]["heuristics"]), run.manifest["rules"]["edition"]
    ax.set_title(f"{run.n_games} games of 4 {players} players, edition {edition}", fontsize=10)
    text = svg_text(ax, "first-plot", "Mean VP of each faction ahead of its table, with 95 % interval")
    return text.replace("<svg ", '<svg style="background:#fff" ', 1) + "\n"


def main(folder: Path) -> None:
    """Write the picture.

    Args:
        folder: the run of ``make demo``.
    """
    PICTURE.write_text(drawn(aoi.open_run(folder)), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "results" / "demo")
