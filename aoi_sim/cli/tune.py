"""``aoi-sim tune``: better weights for a scripted player, by self-play and play against rivals."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.errors import INTERRUPTED, WRONG, InputError, complain
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.sim.interrupts import interrupts_raised
from aoi_sim.sim.progress import games_bar
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.studies.candidate import CandidateTest
    from aoi_sim.studies.tuning import Tuning

_OF_A_SEARCH: Final = ("by_faction", "weights", "population", "setups", "step")


def tune(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE", help="The TOML heuristic to start from (name or file).")],
    budget: Annotated[int, typer.Option("--budget", help="Games in all, tests and earlier starts included.")],
    out: Annotated[Path, typer.Option("--out", help="File of the tuned heuristic; its state lies beside it.")],
    against: Annotated[str, typer.Option("--against", help="Rivals: a,b,... (names or files); none: self-play.")] = "",
    players: run_options.Players = 4,
    seed: run_options.Seed = 1,
    jobs: run_options.Jobs = -1,
    candidate: Annotated[
        str | None, typer.Option("--candidate", help="No search: test this TOML heuristic (name or file) against FILE.")
    ] = None,
    by_faction: Annotated[
        bool, typer.Option("--by-faction", help="Search changes for each faction instead of weights for all.")
    ] = False,
    weights: Annotated[str, typer.Option("--weights", help="Weights to move: a,b,...; none: all.")] = "",
    population: Annotated[int, typer.Option("--population", help="Candidates of a generation.")] = 16,
    setups: Annotated[
        int | None, typer.Option("--setups", help="Set-ups of a generation; none: 4, by faction 12.")
    ] = None,
    held_out: Annotated[int, typer.Option("--held-out", help="Least number of set-ups of a test.")] = 48,
    step: Annotated[
        float | None,
        typer.Option("--step", help="First width; 1 is about a third of a weight; none: 0.3, by faction 0.5."),
    ] = None,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
) -> None:
    """Search better weights; what wins on held-out set-ups is written. The same command goes on after a stop."""
    from aoi_sim.studies.candidate import CandidateTest
    from aoi_sim.studies.tuning import Tuning
    from aoi_sim.studies.tuning_config import SET_UPS, STEP, TuneConfig

    loaded = ruleset_of(edition, rules)
    config = TuneConfig(
        players,
        seed,
        population,
        SET_UPS[by_faction] if setups is None else setups,
        held_out,
        STEP[by_faction] if step is None else step,
        tuple(_words(weights)),
        by_faction,
    )
    if candidate is None:
        _search(Tuning(source, _words(against), out, rules=loaded, config=config, n_jobs=jobs), budget)
        return
    for name in _OF_A_SEARCH:
        given = context.get_parameter_source(name)
        if given is not None and given.name == "COMMANDLINE":
            raise InputError(
                f"--{name.replace('_', '-')} with --candidate, a test has no search, leave one of them out"
            )
    _test(CandidateTest(source, candidate, _words(against), out, rules=loaded, config=config, n_jobs=jobs), budget)


def _test(test: "CandidateTest", budget: int) -> None:
    try:
        with interrupts_raised(), games_bar(budget) as advance:
            check = test.run(budget, advance, typer.echo)
    except KeyboardInterrupt as error:
        complain("interrupted, --candidate, run the same command again, a test begins anew")
        raise typer.Exit(INTERRUPTED) from error
    if not check.accepted:
        complain(
            f"{test.candidate.name} is not shown to be better than {test.source.name}, {test.out} is not written, "
            "a test with more games takes another --seed"
        )
        raise typer.Exit(WRONG)
    typer.echo(f"{test.out}: {test.candidate.name} accepted, {counted(check.games, 'game')}")


def _search(tuning: "Tuning", budget: int) -> None:
    if tuning.state.generations:
        done = counted(len(tuning.state.generations), "generation")
        typer.echo(f"going on after {done} ({counted(tuning.state.games, 'game')})")
    try:
        with interrupts_raised(), games_bar(budget) as advance:
            better = tuning.run(budget, advance, typer.echo)
    except KeyboardInterrupt as error:
        n = len(tuning.state.generations)
        if n:
            complain(
                f"interrupted after {counted(n, 'generation')}, {tuning.state_path} keeps what is done, run the same command "
                "to go on"
            )
        else:
            complain(f"interrupted before the first generation was played, {tuning.out}, run it again")
        raise typer.Exit(INTERRUPTED) from error
    if not better:
        complain(
            f"no change won on held-out set-ups after {counted(tuning.state.games, 'game')}, {tuning.out} is not written, "
            "run again with a larger --budget to go on"
        )
        raise typer.Exit(WRONG)
    typer.echo(
        f"{tuning.out}: {counted(len(tuning.state.accepted), 'change')} accepted, {counted(tuning.state.games, 'game')}"
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
