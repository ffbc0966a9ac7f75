"""``aoi-sim ablate``: what a heuristic loses when one plan or feature of it is switched off."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.errors import INTERRUPTED, WRONG, complain
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.cli.tables import interval, print_table
from aoi_sim.sim.progress import games_bar
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.studies.ablation import Ablation


def ablate(
    heuristic: Annotated[str, typer.Argument(help="A TOML heuristic (name or file).")],
    games: Annotated[int, typer.Option("--games", help="Games of each group; rounded up to set-ups of three.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the table, absent or empty before.")],
    players: run_options.Players = 4,
    seed: run_options.Seed = 1,
    jobs: run_options.Jobs = -1,
    chosen: Annotated[str, typer.Option("--groups", help="Groups to switch off: a,b,...; none: all.")] = "",
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
) -> None:
    """Switch off one plan or feature group of a heuristic at a time and measure the VP it loses."""
    from aoi_sim.sim.runner import Interrupted
    from aoi_sim.studies.ablation import FILE_NAME, Ablation, groups

    ablation = Ablation(
        heuristic,
        out,
        rules=ruleset_of(edition, rules),
        n_games=games,
        n_players=players,
        seed=seed,
        n_jobs=jobs,
        groups_off=groups([word.strip() for word in chosen.split(",") if word.strip()]),
    )
    try:
        with games_bar(ablation.n_games) as advance:
            ablation.run(advance)
    except Interrupted as error:
        if len(ablation.table):
            print_ablation(ablation)
        complain(str(error))
        raise typer.Exit(INTERRUPTED) from error
    print_ablation(ablation)
    typer.echo(f"\nData: {out / FILE_NAME}")
    if ablation.failed:
        n_failed = counted(len(ablation.failed), "set-up")
        complain(f"{n_failed} left out for failed games, first {ablation.failed[0]}, report it")
        raise typer.Exit(WRONG)


def print_ablation(ablation: "Ablation") -> None:
    """Print what each finished group loses, the greatest loss first."""
    sound = [outcome.vp for outcome in ablation.vp if outcome.error is None]
    as_it_is = f", as it is {sum(sound) / len(sound):.1f} VP in self-play" if sound else ""
    typer.echo(
        f"{ablation.source.name} at {ablation.n_players} players{as_it_is}; {counted(len(ablation.table), 'group')} switched "
        f"off one at a time, {counted(ablation.n_set_ups, 'set-up')} each; ± is half of the 95 % interval, clustered by set-up"
    )
    rows = ablation.table.sort("vp_lost", descending=True, nulls_last=True).rows(named=True)
    print_table(
        "VP lost in self-play (all off against all on), and at mixed tables behind the seats that have it on",
        ["group", "VP lost", "margin lost", "set-ups"],
        [
            [
                row["group"],
                interval({"value": row["vp_lost"], "high": row["vp_high"]}),
                interval({"value": row["margin_lost"], "high": row["margin_high"]}),
                str(row["n"]),
            ]
            for row in rows
        ],
    )
    typer.echo("\nSwitched off:")
    for row in rows:
        typer.echo(f"  {row['group']}: {row['off']}")
