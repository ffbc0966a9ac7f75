"""The summary of a paired run: each level by itself, then what the levels differ by on the same blocks."""

from typing import TYPE_CHECKING, Any

import typer

from aoi_sim.cli.tables import interval, print_table, share_interval

if TYPE_CHECKING:
    import polars as pl

    from aoi_sim.storage.reader import Run


def print_levels(run: "Run") -> None:
    """Print the figures by faction of each level and, against the first, the paired differences."""
    from aoi_sim.analysis.margins import margin_by_faction, margin_rows, paired_difference_by_faction

    levels = [row["name"] for row in run.manifest["config"]["levels"]]
    rows = margin_rows(run.seats(), run.games()).collect().lazy()
    figures = margin_by_faction(rows, ["level", "faction"])
    for level in levels:
        _print_figures(f"Level {level}", figures, level)
    differences = paired_difference_by_faction(rows, levels)
    for level in levels[1:]:
        _print_figures(f"{level} less {levels[0]}, on the same set-ups", differences, level)
    typer.echo("")
    typer.echo(
        "± is half of the 95 % interval, clustered by set-up; margin is VP less the mean of the table; games saved is"
    )
    typer.echo("the share of the games of two independent runs that pairing saves at the same interval of the margin")


def _print_figures(title: str, table: "pl.DataFrame", level: str) -> None:
    rows: dict[str, dict[str, Any]] = {}
    for row in table.iter_rows(named=True):
        if row["level"] == level:
            rows.setdefault(row["faction"], {})[row["quantity"]] = row
    paired = "saved" in table.columns
    head = ["faction", "set-ups" if paired else "n", "VP", "margin", "win share", *(["games saved"] if paired else [])]
    lines = []
    for faction, row in sorted(rows.items(), key=lambda item: -item[1]["margin"]["value"]):
        share = interval(row["win_share"], 3) if paired else share_interval(row["win_share"])
        cells = [interval(row["vp"]), interval(row["margin"]), share]
        if paired:
            saved = row["margin"]["saved"]
            cells.append("-" if saved is None else f"{100 * saved:.0f} %")
        lines.append([faction, str(row["vp"]["n"]), *cells])
    print_table(title, head, lines)
