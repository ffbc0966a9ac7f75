"""A bar on stderr for games."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def games_bar(total: int) -> Iterator[Callable[[int, str], None]]:
    """Games of a total, a line on how it stands, time left; nothing where stderr is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda games, text: None
        return
    bar = Progress(
        BarColumn(),
        TextColumn("{task.completed}/{task.total} games"),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=total)
        yield lambda games, text: bar.update(task, advance=games, description=text)
