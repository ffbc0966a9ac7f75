"""The progress bar of everything that plays games: on a terminal, or in a notebook."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

Advance = Callable[[int, str], None]
"""Is told games as they are played, and a line on how it stands (it may be empty)."""

_NOTEBOOK_SECONDS: Final = 0.2
"""Least time between two pictures of the bar in a notebook."""


@contextmanager
def games_bar(total: int, wanted: bool | None = None) -> Iterator[Advance]:
    """A bar on stderr or in the notebook's cell: games of a total, games/s, time left, how it stands.

    Args:
        total: games to play.
        wanted: whether to show it; None shows it on a terminal and in a notebook.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if wanted is False or (wanted is None and not (console.is_terminal or console.is_jupyter)):
        yield lambda games, text: None
        return
    started = time.perf_counter()
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} games"),
        TextColumn("{task.fields[rate]:.1f} games/s"),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = bar.add_task("", total=total, rate=0.0)
    # In a notebook rich draws a bar that moves only with ipywidgets; a picture that is put in place of the last one
    # needs nothing.
    show = _picture(bar) if console.is_jupyter else None
    with nullcontext() if show else bar:

        def advance(games: int, text: str) -> None:
            completed = bar.tasks[0].completed + games
            bar.update(task, completed=completed, description=text, rate=completed / (time.perf_counter() - started))
            if show:
                show(completed >= total)

        yield advance


def _picture(bar: Any) -> Callable[[bool], None]:
    """A bar in a notebook's cell. Gives the function that draws it anew, not too often unless it is the last time."""
    from IPython.display import display

    handle = display(bar, display_id=True)  # type: ignore[no-untyped-call]
    drawn = time.perf_counter()

    def show(last: bool) -> None:
        nonlocal drawn
        if handle is not None and (last or time.perf_counter() - drawn >= _NOTEBOOK_SECONDS):
            handle.update(bar)
            drawn = time.perf_counter()

    return show
