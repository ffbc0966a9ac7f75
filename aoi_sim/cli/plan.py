"""``aoi-sim plan``: what a run would play, how balanced it is, and how many games a wanted standard error needs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from aoi_sim.cli import run_options
from aoi_sim.cli.asked import asked_request
from aoi_sim.cli.errors import InputError
from aoi_sim.cli.tables import print_table
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.analysis.planning import Spreads
    from aoi_sim.sim.plan import Plan
    from aoi_sim.sim.request import Request

_MOST_COUNTED: Final = 16_800
_SE: Final = (0.01, 100.0)
"""Standard errors that may be asked for, in VP."""


def plan(
    games: run_options.Games = None,
    players: run_options.Players = 4,
    seed: run_options.Seed = 1,
    heuristics: run_options.HeuristicsOrLevels = None,
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
    se: Annotated[
        float | None, typer.Option("--se", help="Wanted standard error of every faction's margin, in VP.")
    ] = None,
    pilot: Annotated[
        Path | None, typer.Option("--pilot", help="A run to take the spread of margins from; else a stored one.")
    ] = None,
) -> None:
    """Print what aoi-sim run with the same options would play; nothing is played."""
    from aoi_sim.sim.plan import Plan
    from aoi_sim.sim.presence import shares_of

    if se is not None and not _SE[0] <= se <= _SE[1]:
        raise InputError(f"standard error {se:g}, --se, choose {_SE[0]:g} to {_SE[1]:g} VP")
    request = asked_request(
        edition=edition,
        rules=rules,
        heuristics=heuristics,
        paired=paired,
        focus=focus,
        n_games=games,
        n_blocks=None if se is None or fixed is not None or until is not None else 1,
        n_players=players,
        seed=seed,
        design=design,
        setup=setup,
        map=map,
        fixed=fixed,
        noise=noise,
        replicates=replicates,
        until=until,
        max_games=max_games,
    )
    spreads = _spreads(request, pilot)
    shares = shares_of(Plan(request.config, request.rules))
    if se is not None and games is None and fixed is None and until is None:
        request = _sized(request, spreads, shares.factions, se)
    made = Plan(request.config, request.rules)
    _print_plan(made)
    _print_balance(made)
    _print_errors(made, spreads, shares.factions, shares.pairings, se)


def _spreads(request: "Request", pilot: Path | None) -> "Spreads":
    from aoi_sim.analysis.margins import margin_rows
    from aoi_sim.analysis.planning import pilot_spreads, stored_spreads
    from aoi_sim.storage.reader import open_run

    if pilot is None:
        return stored_spreads(request.config.n_players)
    run = open_run(pilot, checked=True)
    if run.manifest["config"]["n_players"] != request.config.n_players:
        n = run.manifest["config"]["n_players"]
        raise InputError(f"pilot of {n} players for a plan of {request.config.n_players}, --pilot, give another run")
    levels = tuple(row["name"] for row in run.manifest["config"].get("levels", [])) if request.config.levels else ()
    spreads = pilot_spreads(
        margin_rows(run.seats(), run.games()), levels, f"pilot {pilot}, {counted(run.n_games, 'game')}"
    )
    if not spreads.factions:
        raise InputError(f"too few games for a spread, {pilot} (--pilot), give a longer run")
    return spreads


def _sized(request: "Request", spreads: "Spreads", shares: dict[str, float], se: float) -> "Request":
    """The request with as many games as the standard error needs."""
    from aoi_sim.analysis.planning import blocks_needed
    from aoi_sim.sim.config import MAX_GAMES

    blocks = max(
        blocks_needed(spread, shares[faction], se)
        for faction, spread in spreads.factions.items()
        if shares.get(faction) and _counts(request, faction)
    )
    n_games = blocks * request.config.games_a_block
    if n_games > MAX_GAMES:
        raise InputError(
            f"{se:g} VP would take {counted(n_games, 'game')}, --se, give more VP (at most {counted(MAX_GAMES, 'game')})"
        )
    config = replace(request.config, n_games=n_games)
    return replace(request, config=config)


def _counts(request: "Request", faction: str) -> bool:
    """Whether a faction's error is asked for: with a focus on factions only theirs."""
    focused = [key for key in request.config.focus if key in request.rules.data["factions"]]
    return not focused or faction in focused


def _print_plan(made: "Plan") -> None:
    from aoi_sim.sim.until import looks

    config, chunks = made.config, made.chunks()
    parts = {"seatings": config.n_turns, "levels": len(config.levels), "replicates": config.replicates}
    block = " x ".join(f"{count} {what}" for what, count in parts.items() if count > 1) or "one game"
    lines = [
        ("games", f"{config.n_games} of {config.n_players} players"),
        ("blocks", f"{made.n_blocks}, each {block}"),
        ("chunks", f"{len(chunks)} of {counted(len(chunks[0]), 'game')}"),
        ("design", " ".join([config.design, *config.focus])),
        ("set-up", f"{config.setup}, map {config.map}"),
        ("seed", str(config.seed)),
    ]
    if config.levels:
        lines += [(f"level {k}", level.name) for k, level in enumerate(config.levels)]
        lines += [("players", "; ".join(",".join(level.heuristics) for level in config.levels))]
    else:
        rules = made.rulesets[0]
        lines += [("rules", f"edition {rules.edition}, {counted(len(rules.overlays), 'overlay')}")]
        lines += [("players", ",".join(config.heuristics))]
    if config.until:
        times = counted(len(looks(len(chunks))), "time")
        lines.append(("until", f"every margin is known to ± {config.until:g} VP, looked at {times} at most"))
    if config.noise:
        lines.append(("noise", f"{counted(config.noise, 'thousandth')} of a VP"))
    lines.append(("plan hash", made.hash))
    for name, text in lines:
        typer.echo(f"{name:<12}{text}")


def _print_balance(made: "Plan") -> None:
    from aoi_sim.sim.plan import balance_lines

    n_counted = min(len(made), _MOST_COUNTED)
    counts = made.balance(range(n_counted))
    typer.echo("")
    if not counts:
        typer.echo("Balance: nothing is dealt, players pick")
        return
    part = "" if n_counted == len(made) else f" in the first {counted(n_counted, 'game')}"
    levels = ", each level by itself" if made.config.levels else ""
    typer.echo(f"Balance{part}{levels}:")
    for line in balance_lines(counts):
        typer.echo(f"  {line}")
    seats = [f"seat {seat}" for seat in range(made.config.n_players)]
    rows = [
        [faction, *map(str, [*on_boards, *on_seats])]
        for faction, on_boards, on_seats in zip(
            made.factions, counts["faction x board"], counts["faction x seat"], strict=True
        )
    ]
    print_table("Games of each faction by board and seat", ["faction", *made.boards, *seats], rows)


def _print_errors(
    made: "Plan",
    spreads: "Spreads",
    factions: dict[str, float],
    pairings: dict[tuple[str, str], float],
    se: float | None,
) -> None:
    from aoi_sim.analysis.planning import blocks_needed, standard_error
    from aoi_sim.analysis.uncertainty import t_half_width

    what = "difference of margins" if spreads.paired else "margin"
    size = made.games_a_block
    rows = [(faction, spreads.factions.get(faction), share) for faction, share in factions.items()]
    if spreads.pairing is not None:
        least = min((share for share in pairings.values() if share), default=0.0)
        rows.append(("a faction on a board", spreads.pairing, least))
    head = ["", f"spread of its {what}", "share of blocks", "standard error", "95 % ±"]
    if se is not None:
        head.append(f"games for {se:g} VP")
    lines = []
    for name, spread, share in rows:
        error = None if spread is None else standard_error(spread, share, made.n_blocks)
        cells = ["-" if spread is None else f"{spread:.1f}", f"{share:.3f}"]
        half = t_half_width(error, round(share * made.n_blocks))
        cells += ["-" if figure is None else f"{figure:.2f}" for figure in (error, half)]
        if se is not None:
            cells.append("-" if spread is None or not share else str(blocks_needed(spread, share, se) * size))
        lines.append([name, *cells])
    print_table("Precision to expect, in VP", head, lines)
    typer.echo("")
    typer.echo(f"Spread of {spreads.source}")
    if made.config.levels and not spreads.paired:
        typer.echo("These are errors of each level; give a paired --pilot for those of their differences")
    if size > 1 and not spreads.paired and (made.config.n_turns > 1 or made.config.replicates > 1):
        typer.echo(
            "Games of a block are counted as one; what they add is in the spread of a --pilot with the same blocks"
        )
