"""``aoi-sim learn``: lessons for a scripted player, from its own games with other options tried in them."""

import os
from pathlib import Path
from typing import Annotated

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.errors import INTERRUPTED, WRONG, InputError, complain
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.sim.interrupts import interrupts_raised
from aoi_sim.sim.progress import games_bar
from aoi_sim.storage.findings import counted


def learn(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The TOML heuristic to teach (name or file).")],
    games: Annotated[int, typer.Option("--games", help="Games in which options are tried.")],
    out: Annotated[Path, typer.Option("--out", help="File of the taught heuristic; its trials lie beside it.")],
    players: Annotated[str, typer.Option("--players", help="Players of the games in turn, 2 to 5: 4,3,...")] = "4",
    seed: run_options.Seed = 1,
    jobs: run_options.Jobs = -1,
    against: Annotated[str, typer.Option("--against", help="Rivals of the test: a,b,...; none: FILE itself.")] = "",
    held_out: Annotated[int, typer.Option("--held-out", help="Set-ups of the test.")] = 200,
    earlier: Annotated[
        str, typer.Option("--with", help="Earlier trials that count too: DIR,DIR:0.5,... (a number: how much each).")
    ] = "",
    turns: Annotated[int, typer.Option("--turns", help="Of so many turns in a thousand one is tried.")] = 80,
    answers: Annotated[int, typer.Option("--answers", help="Of so many picks in a thousand one is tried.")] = 120,
    units: Annotated[int, typer.Option("--units", help="Units of a network with 400000 trials or more.")] = 64,
    epochs: Annotated[int, typer.Option("--epochs", help="How often a network looks at each trial, at least.")] = 10,
    trees: Annotated[int, typer.Option("--trees", help="Trees that teach it, with 400000 trials or more.")] = 150,
    leaves: Annotated[int, typer.Option("--leaves", help="Most ends of a tree.")] = 31,
    rate: Annotated[float, typer.Option("--rate", help="How much of what it finds each tree takes over.")] = 0.06,
    least: Annotated[int, typer.Option("--least", help="Least trials at an end of a tree.")] = 300,
    others: Annotated[float, typer.Option("--others", help="How much a VP of the others counts against an own.")] = 0.0,
    within: Annotated[int, typer.Option("--within", help="Judge options worth so much less than the best.")] = 4500,
    most: Annotated[int, typer.Option("--most", help="Judge so many options at most.")] = 6,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
) -> None:
    """Learn from trials which options are better; written if it wins on held-out set-ups. Goes on after a stop."""
    # Before numpy is loaded: threads that wait for each other are eight times slower on a busy machine, and with other numbers
    # of them sums come out a little different.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from aoi_sim.studies.learning import LearnConfig, Learning
    from aoi_sim.studies.learning_fit import FitConfig

    config = LearnConfig(
        games,
        _players(players),
        seed,
        held_out,
        turns,
        answers,
        within,
        most,
        FitConfig(units, epochs, trees, leaves, rate, least, others, seed % 2**31, _threads(jobs)),
    )
    learning = Learning(
        source,
        out,
        rules=ruleset_of(edition, rules),
        config=config,
        earlier=_earlier(earlier),
        against=run_options.words(against) if against else (),
        n_jobs=jobs,
    )
    try:
        with interrupts_raised(), games_bar(games + learning.test_games) as advance:
            learned = learning.run(advance, typer.echo)
    except KeyboardInterrupt as error:
        complain(f"interrupted, {learning.folder.path} keeps what is played, run the same command to go on")
        raise typer.Exit(INTERRUPTED) from error
    if learned.check is None:
        n = counted(sum(learned.trials.values()), "trial")
        complain(f"nothing was learned from {n}, {out} is not written, run again with more --games")
        raise typer.Exit(WRONG)
    if not learned.check.accepted:
        complain(
            f"what was learned is not shown to be better than {learning.source.name}, {out} is not written, "
            "run again with more --games"
        )
        raise typer.Exit(WRONG)
    typer.echo(f"{out}: lessons of {counted(len(learned.networks), 'subject')}, {counted(games, 'game')}")
    if learned.failed:
        complain(
            f"{counted(len(learned.failed), 'game')} failed ({learned.failed[0]}), {learning.folder.path}, report it"
        )
        raise typer.Exit(WRONG)


def _players(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in run_options.words(text))
    except ValueError:
        raise InputError(f"no whole numbers {text!r}, --players, write them as 4,3") from None


def _threads(jobs: int) -> int:
    from joblib import cpu_count

    cores = int(cpu_count())
    return cores if jobs < 1 else min(jobs, cores)


def _earlier(text: str) -> list[tuple[Path, float]]:
    """Folders of trials, each with how much its trials count."""
    folders = []
    for word in run_options.words(text) if text else []:
        name, colon, share = word.rpartition(":")
        try:
            folders.append((Path(name), float(share)) if colon else (Path(word), 1.0))
        except ValueError:
            raise InputError(f"no number {share!r}, --with, write DIR or DIR:0.5") from None
        if not 0 < folders[-1][1] <= 1000:
            raise InputError(f"{share} is out of bounds, --with, choose above 0 to 1000")
    return folders
