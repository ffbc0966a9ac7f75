"""``aoi-sim study``: what-if studies, a command each; all leave runs, effects and a report under ``--out``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.errors import BAD_INPUT, INTERRUPTED, WRONG, InputError, complain
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.cli.run_options import words
from aoi_sim.cli.tables import print_table

if TYPE_CHECKING:
    from aoi_sim.studies.study import Study

Out = Annotated[Path, typer.Option("--out", help="Folder of the study; the same command goes on there.")]
Who = Annotated[
    str, typer.Option("--heuristics", help="Who plays all seats; a,b,... makes the study with each of them.")
]


def whole_numbers(text: str, option: str) -> list[int]:
    """The whole numbers of ``2,3,4``.

    Raises:
        InputError: one is none.
    """
    found = words(text)
    for word in found:
        if not word.isdecimal():
            raise InputError(f"no whole number {word!r}, {option}, write 2,3,4")
    return [int(word) for word in found]


def conducted(study: "Study", out: Path, jobs: int) -> None:
    """Conduct a study, print the first section of its report, and end with the status that it deserves."""
    from aoi_sim.sim.runner import Interrupted
    from aoi_sim.studies.study import conduct
    from aoi_sim.studies.study_folder import EFFECTS

    try:
        outcome = conduct(study, out, n_jobs=jobs, say=typer.echo)
    except Interrupted as error:
        complain(str(error))
        raise typer.Exit(INTERRUPTED) from error
    first = outcome.page.sections[0]
    for text in first.text:
        typer.echo(f"\n{text}")
    if first.table is not None:
        print_table(first.title, first.table.columns, first.table.iter_rows())
    typer.echo(f"\nReport: {out / 'report.html'} (report.md), figures: {out / EFFECTS}")
    if outcome.shortfall is not None:
        complain(outcome.shortfall)
        raise typer.Exit(WRONG)


study = typer.Typer(name="study", help="What-if studies: editions, rules of your own, numbers, fair starts.")


@study.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        complain("no study, aoi-sim study, choose one of those that aoi-sim study --help lists")
        raise typer.Exit(BAD_INPUT)


@study.command()
def restricted(
    component: Annotated[
        str,
        typer.Option(
            "--component",
            help="palaces, competencies, innovations, city-tiles, bonus-tiles, actions, tracks, a tile (palace/14), or a whole "
            "kind (palace: none at all); several with commas.",
        ),
    ],
    games: Annotated[int, typer.Option("--games", help="Games for each player; at least two set-ups a component.")],
    out: Out,
    by: Annotated[int, typer.Option("--by", help="It must be taken by this round, if it can; 0: it may not be.")] = 0,
    players: run_options.Players = 4,
    map: run_options.Map = "auto",
    setup: run_options.Setup = None,
    seed: run_options.Seed = 1,
    heuristics: Who = "expert",
    noise: run_options.Noise = 0,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
    jobs: run_options.Jobs = -1,
) -> None:
    """What components are worth: one seat after the other may not (or must) take them, on the same set-ups."""
    from aoi_sim.studies.restricted import RestrictedStudy

    ruleset = ruleset_of(edition, rules)
    asked = RestrictedStudy(
        words(component),
        ruleset,
        games,
        by=by,
        n_players=players,
        map=map,
        setup=setup,
        seed=seed,
        heuristics=words(heuristics),
        noise=noise,
    )
    conducted(asked, out, jobs)


@study.command()
def fair(
    games: Annotated[int, typer.Option("--games", help="Games to find the starting VP from, and of each check.")],
    out: Out,
    players: run_options.Players = 4,
    map: run_options.Map = "auto",
    seed: run_options.Seed = 1,
    heuristics: Who = "expert",
    noise: run_options.Noise = 0,
    checks: Annotated[int, typer.Option("--checks", help="How often starts are found and checked at the most.")] = 5,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
    jobs: run_options.Jobs = -1,
) -> None:
    """Starting VP with which factions, boards and pairings win equally often, found and checked by playing with them."""
    from aoi_sim.studies.fair_group import fair_study

    asked = fair_study(
        ruleset_of(edition, rules),
        games,
        words(heuristics),
        n_players=players,
        map=map,
        seed=seed,
        noise=noise,
        most_checks=checks,
    )
    conducted(asked, out, jobs)
