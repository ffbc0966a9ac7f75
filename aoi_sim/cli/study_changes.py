"""``aoi-sim study editions`` and ``what-if``: what a change of the rules does."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.errors import InputError
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.cli.study import Out, Who, conducted, whole_numbers
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.studies.change_study import Setting
    from aoi_sim.studies.target_search import Goal

Counts = Annotated[str, typer.Option("--players", help="Numbers of players, each by itself: 2,3,4,5.")]
Games = Annotated[
    int | None,
    typer.Option(
        "--games", help="Games of each number of players and each player, before and after together; default 2000."
    ),
]
Until = Annotated[str | None, typer.Option("--until", help='Play until every change is known to "0.5 VP" instead.')]
DesignOf = Annotated[
    str, typer.Option("--design", help="balanced, or focus: the factions and boards that change are in every game.")
]


def editions(
    out: Out,
    players: Counts = "4",
    games: Games = None,
    until: Until = None,
    max_games: run_options.MaxGames = None,
    seed: run_options.Seed = 1,
    heuristics: Who = "expert",
    design: DesignOf = "balanced",
    jobs: run_options.Jobs = -1,
    map: run_options.Map = "auto",
    setup: run_options.Setup = None,
) -> None:
    """What edition 1.2 changed: the same set-ups under 1.0 and 1.2, by faction and number of players."""
    from aoi_sim.studies.editions import Editions

    setting = _setting(players, heuristics, games, until, max_games, seed, design, map, setup)
    conducted(Editions(setting), out, jobs)


def what_if(
    out: Out,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A rules file (TOML); may be left out with --target.")
    ] = None,
    players: Counts = "4",
    games: Games = None,
    until: Until = None,
    max_games: run_options.MaxGames = None,
    seed: run_options.Seed = 1,
    heuristics: Who = "expert",
    design: DesignOf = "balanced",
    jobs: run_options.Jobs = -1,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
    map: run_options.Map = "auto",
    setup: run_options.Setup = None,
    target: Annotated[
        str | None, typer.Option("--target", help="COMPONENT=VP: search a change that gives it this margin, moles=0.")
    ] = None,
    within: Annotated[
        float | None, typer.Option("--within", help="With --target: VP by which it may be missed; default 2.")
    ] = None,
    number: Annotated[
        str | None, typer.Option("--number", help="With --target: the number to change, factions.moles.tunnel.vp.base.")
    ] = None,
) -> None:
    """What a rules file of your own does; or which whole number reaches a target."""
    from aoi_sim.studies.target import Target
    from aoi_sim.studies.what_if import WhatIf

    given = list(rules or [])
    if target is None:
        if number is not None:
            raise InputError("--number without --target, --number, add --target COMPONENT=VP")
        if within is not None:
            raise InputError("--within without --target, --within, add --target COMPONENT=VP")
        if file is None:
            raise InputError("no rules file, aoi-sim study what-if, give one, or --target with --number")
        setting = _setting(players, heuristics, games, until, max_games, seed, design, map, setup)
        conducted(WhatIf(file, setting, edition, given), out, jobs)
        return
    overlays = [*given, *([] if file is None else [str(file)])]
    setting = _setting(
        players,
        heuristics,
        1000 if games is None and until is None else games,
        until,
        max_games,
        seed,
        design,
        map,
        setup,
    )
    conducted(
        Target(ruleset_of(edition, overlays), _goal(target, 2.0 if within is None else within, number), setting),
        out,
        jobs,
    )


def sensitivity(
    out: Out,
    component: Annotated[str, typer.Option("--component", help="factions or boards.")] = "factions",
    only: Annotated[str | None, typer.Option("--only", help="Of these only: a,b,...")] = None,
    games: Annotated[
        int,
        typer.Option("--games", help="Games in all for each player; 85 rules share them (12 factions, 73 changes)."),
    ] = 25_000,
    players: run_options.Players = 4,
    seed: run_options.Seed = 1,
    heuristics: Who = "expert",
    jobs: run_options.Jobs = -1,
    edition: run_options.Edition = "1.2",
    rules: run_options.Rules = None,
    map: run_options.Map = "auto",
    setup: run_options.Setup = None,
) -> None:
    """What one step up and down of each number of each faction does to its margin."""
    from aoi_sim.studies.sensitivity import Sensitivity

    if games < 1:
        raise InputError(f"{counted(games, 'game')}, --games, choose 1 or more")
    setting = _setting(str(players), heuristics, games, None, None, seed, "focus", map, setup)
    study = Sensitivity(ruleset_of(edition, rules), component, setting, run_options.words(only))
    conducted(study, out, jobs)


def agree(
    one: Annotated[Path, typer.Argument(help="Folder of a finished study of editions or of a rules file.")],
    other: Annotated[Path, typer.Argument(help="Folder of the same study with another seed.")],
) -> None:
    """Whether two studies that differ in their seed alone agree: status 1 where chance makes it unlikely (p below 0.01)."""
    from aoi_sim.cli.errors import WRONG, complain
    from aoi_sim.cli.tables import print_table
    from aoi_sim.studies.agreement import agreement

    table = agreement(one, other)
    rows = [
        [row["run"], str(row["factions"]), f"{row['chi_square']:.1f}", str(row["freedom"]), f"{row['p']:.3f}"]
        for row in table.iter_rows(named=True)
    ]
    print_table(
        "Changes by faction, one study against the other", ["run", "factions", "chi-square", "freedom", "p"], rows
    )
    odd = [row[0] for row, p in zip(rows, table["p"], strict=True) if p < 0.01]
    if odd:
        complain(f"the studies do not agree ({', '.join(odd)}), {other}, look at their trust checks")
        raise typer.Exit(WRONG)


def _goal(target: str, within: float, number: str | None) -> "Goal":
    from aoi_sim.studies.target_search import Goal

    component, sign, text = target.partition("=")
    try:
        margin = float(text)
    except ValueError:
        margin = float("nan")
    if not sign or margin != margin or abs(margin) > 1000:
        raise InputError(f"no target {target!r}, --target, write moles=0")
    if number is None:
        raise InputError("no number to change, --number, give one, factions.moles.tunnel.vp.base")
    return Goal(component.strip(), margin, within, number)


def _setting(
    players: str,
    heuristics: str,
    games: int | None,
    until: str | None,
    max_games: int | None,
    seed: int,
    design: str,
    map: str,
    setup: str | None,
) -> "Setting":
    from aoi_sim.studies.change_study import Setting

    return Setting(
        players=whole_numbers(players, "--players"),
        heuristics=run_options.words(heuristics),
        games=2000 if games is None and until is None else games,
        until=until,
        max_games=max_games,
        seed=seed,
        design=design,
        map=map,
        setup=setup,
    )
