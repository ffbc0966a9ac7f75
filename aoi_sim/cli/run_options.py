"""Options that several commands share, each with one name, one help text and one meaning."""

from pathlib import Path
from typing import Annotated

import typer


def words(text: str | None) -> list[str]:
    """The words of an option that takes several, with commas between them."""
    return [] if text is None else [word.strip() for word in text.split(",")]


Games = Annotated[
    int | None, typer.Option("--games", help="Number of games; with --fixed a game a set-up if left out.")
]
Players = Annotated[int, typer.Option("--players", help="Players of each game, 2 to 5.")]
Seed = Annotated[int, typer.Option("--seed", help="Root seed; the same seed plays the same games.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Processes; -1 for as many as there are cores.")]
Edition = Annotated[str, typer.Option("--edition", help="Edition of the rules.")]
Rules = Annotated[
    list[str] | None, typer.Option("--rules", help="A rules file (TOML) laid over the edition; may be repeated.")
]
RulesOrLevels = Annotated[
    list[str] | None,
    typer.Option(
        "--rules", help="A rules file (TOML) laid over the edition; may be repeated. With --paired a level each."
    ),
]
HeuristicsOrLevels = Annotated[
    list[str] | None,
    typer.Option(
        "--heuristics",
        help="Who plays (names or files; default expert): one for all seats, or one a seat: a,b,... With --paired it may "
        "be repeated, a level each.",
    ),
]
Paired = Annotated[
    bool, typer.Option("--paired", help="Play the same blocks under each --rules (or edition) and each --heuristics.")
]
Noise = Annotated[
    int,
    typer.Option(
        "--noise",
        help="Temperature of the players' noise: a plan worse by this, in thousandths of a VP, is half as likely.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option("--until", help='Play until every faction\'s margin is known to this half-width: "1 VP".'),
]
MaxGames = Annotated[
    int | None, typer.Option("--max-games", help="With --until: games at the most; 100000 if left out.")
]
Replicates = Annotated[
    int, typer.Option("--replicates", help="How often each game of a block is played, with other noise each time.")
]
Design = Annotated[
    str | None,
    typer.Option(
        "--design",
        help="How factions and boards are assigned: choice, random, balanced (default), rotation, focus, fixed.",
    ),
]
Focus = Annotated[
    str | None, typer.Option("--focus", help="Factions and boards that are in every game: a,b,...; the rest balanced.")
]
Fixed = Annotated[
    Path | None, typer.Option("--fixed", help="A file of set-ups, .toml or .csv: maps, tiles, factions, boards.")
]
Map = Annotated[str, typer.Option("--map", help="Side of the map: auto, 3-5 or 1-3.")]
Setup = Annotated[str | None, typer.Option("--setup", help="standard or draft; else as the rules' option says.")]
Events = Annotated[str, typer.Option("--events", help="full, or summary: without the table of events.")]
Part = Annotated[
    str | None, typer.Option("--part", help="K/N: play part K of N of the plan only; aoi-sim merge puts them together.")
]
Backend = Annotated[str, typer.Option("--backend", help="Who plays: loky (processes here) or dask (a cluster).")]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", help="Address of the scheduler of --backend dask, as tcp://127.0.0.1:8786.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with a run that was stopped: the same command with this option.")
]
