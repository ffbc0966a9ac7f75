"""``aoi-sim check`` and ``aoi-sim explain``: is a player sound, and why does it choose as it does."""

from typing import Annotated, Final

import typer

from aoi_sim.cli.errors import WRONG, InputError, complain
from aoi_sim.cli.show import state_of
from aoi_sim.storage.findings import counted

_MOST_GAMES: Final = 1000


def check(
    heuristic: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A .toml or .py file, or a name.")],
    games: Annotated[int, typer.Option("--games", help="Games with each number of players and set-up.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games.")] = 1,
) -> None:
    """Check a player: legal, repeatable, no side effects, an answer to every decision; time a decision."""
    from aoi_sim.players import find_heuristic
    from aoi_sim.players.conformance import check_heuristic

    if not 1 <= games <= _MOST_GAMES:
        raise InputError(f"{counted(games, 'game')}, --games, choose 1 to {_MOST_GAMES}")
    report = check_heuristic(find_heuristic(heuristic), seed, games=games)
    for line in report.lines():
        typer.echo(line)
    if not report.passed:
        names = ", ".join(report.failures)
        complain(f"checks failed ({names}), {heuristic}, the table says where")
        raise typer.Exit(WRONG)


def explain(
    source: Annotated[
        str,
        typer.Argument(metavar="POSITION|RECORD[:LINE]", help="A position file, or a game record and a line of it."),
    ],
    heuristic: Annotated[
        str, typer.Option("--heuristic", help="A heuristic with weights: a name or a file.")
    ] = "expert",
    options: Annotated[int, typer.Option("--options", help="How many options.")] = 5,
) -> None:
    """Show the best options of the seat to move: what each brings, costs and leads to, and by which weights."""
    from aoi_sim.players import find_heuristic
    from aoi_sim.players.explain import explain as explained
    from aoi_sim.players.explain import option_lines

    if options < 1:
        raise InputError(f"{counted(options, 'option')}, --options, choose 1 or more")
    found = find_heuristic(heuristic)
    state = state_of(source)
    typer.echo("\n".join(option_lines(state, explained(found, state, options))))
