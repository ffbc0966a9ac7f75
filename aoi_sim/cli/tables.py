"""Tables of figures on the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import typer

from aoi_sim.storage.findings import unsigned_zeros


def print_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], n_left: int = 1) -> None:
    """Print a table; the first ``n_left`` columns are words, the others figures.

    A figure that is rounded to zero has no sign. On a terminal the table takes the terminal's width, otherwise the width
    that it needs.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, word in enumerate(head):
        table.add_column(word, justify="left" if number < n_left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(unsigned_zeros(cell)) for cell in row))
    typer.echo("")
    typer.echo(title)
    console = Console()
    if not console.is_terminal:
        console = Console(width=1000)
    console.print(table)


def share_interval(row: Mapping[str, Any]) -> str:
    """A share with its 95 % interval, which is not even around it: ``0.250 (0.180 to 0.336)``."""
    text = f"{row['value']:.3f}"
    return text if row["high"] is None else f"{text} ({row['low']:.3f} to {row['high']:.3f})"


def interval(row: Mapping[str, Any], decimals: int = 1) -> str:
    """A figure with half of its 95 % interval: ``12.3 ± 1.4``."""
    if row["value"] is None:
        return "-"
    text = f"{row['value']:.{decimals}f}"
    return text if row["high"] is None else f"{text} ± {row['high'] - row['value']:.{decimals}f}"
