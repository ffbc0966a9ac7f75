"""``aoi-sim run``: play many games and write their tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.asked import asked_request
from aoi_sim.cli.errors import INTERRUPTED, WRONG, InputError, complain
from aoi_sim.cli.paired import print_levels
from aoi_sim.cli.trust import trust_lines
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.storage.reader import Run


def run(
    out: Annotated[Path, typer.Option("--out", help="Folder of the run, absent or empty before.")],
    games: run_options.Games = None,
    players: run_options.Players = 4,
    seed: run_options.Seed = 1,
    heuristics: run_options.HeuristicsOrLevels = None,
    jobs: run_options.Jobs = -1,
    edition: run_options.Edition = "1.2",
    map: run_options.Map = "auto",
    setup: run_options.Setup = None,
    design: run_options.Design = None,
    focus: run_options.Focus = None,
    fixed: run_options.Fixed = None,
    rules: run_options.RulesOrLevels = None,
    paired: run_options.Paired = False,
    noise: run_options.Noise = 0,
    replicates: run_options.Replicates = 1,
    until: run_options.Until = None,
    max_games: run_options.MaxGames = None,
    events: run_options.Events = "full",
    part: run_options.Part = None,
    resume: run_options.Resume = False,
    backend: run_options.Backend = "loky",
    scheduler: run_options.Scheduler = None,
) -> None:
    """Play games in parallel and write everything that happened as Parquet tables."""
    from aoi_sim.sim.parts import parse_part
    from aoi_sim.sim.runner import Interrupted, run_plan

    chosen = parse_part(part)
    _check_backend(backend, scheduler)
    if events not in ("full", "summary"):
        raise InputError(f"unknown events {events!r}, --events, choose full or summary")
    request = asked_request(
        edition=edition,
        rules=rules,
        paired=paired,
        n_games=games,
        n_players=players,
        seed=seed,
        heuristics=heuristics,
        design=design,
        setup=setup,
        map=map,
        focus=focus,
        fixed=fixed,
        noise=noise,
        replicates=replicates,
        until=until,
        max_games=max_games,
    )
    try:
        done = run_plan(
            request.config,
            request.rules,
            out,
            heuristics=request.heuristics,
            n_jobs=jobs,
            events=events == "full",
            part=chosen,
            resume=resume,
            scheduler=scheduler,
        )
    except Interrupted as error:
        complain(str(error))
        raise typer.Exit(INTERRUPTED) from error
    print_summary(done)
    if done.n_failed:
        complain(failed_text(done))
        raise typer.Exit(WRONG)


def _check_backend(backend: str, scheduler: str | None) -> None:
    if backend not in ("loky", "dask"):
        raise InputError(f"unknown backend {backend!r}, --backend, choose loky or dask")
    if backend == "dask" and scheduler is None:
        raise InputError("no scheduler, --backend dask, give its address with --scheduler")
    if backend == "loky" and scheduler is not None:
        raise InputError("a scheduler without a cluster, --scheduler, add --backend dask")


def failed_text(run: "Run") -> str:
    """The error line of a run with failed games."""
    from aoi_sim.storage.manifest import FAILURES

    return f"{counted(run.n_failed, 'game')} failed, {run.path}, {run.path / FAILURES} says why"


def print_summary(run: "Run") -> None:
    """Print games, failures, mean VP by faction with interval, trust checks, and where the data lie."""
    seconds = run.manifest["wall_seconds"]
    rate = f" ({run.n_games / seconds:.1f} games/s)" if seconds else ""
    typer.echo(f"{counted(run.n_games, 'game')} in {seconds:.1f} s{rate}, {run.n_failed} failed")
    if run.manifest["config"].get("levels"):
        print_levels(run)
    else:
        _print_factions(run)
    typer.echo("")
    if "until" in run.manifest:
        typer.echo(f"Ended {run.manifest['until']['why']}; {counted(len(run.manifest['until']['looks']), 'look')}")
    for line in trust_lines(run.manifest):
        typer.echo(line)
    typer.echo(f"Data: {run.path} (manifest.json, {', '.join(run.tables)})")


def _print_factions(run: "Run") -> None:
    typer.echo("")
    typer.echo(f"{'faction':<16}{'n':>7}{'mean VP':>10}{'95 %':>9}{'win share':>12}")
    for row in run.summary().iter_rows(named=True):
        width = "-" if row["half_width"] is None else f"± {row['half_width']:.1f}"
        typer.echo(f"{row['faction']:<16}{row['n']:>7}{row['vp']:>10.1f}{width:>9}{row['win_share']:>12.3f}")
