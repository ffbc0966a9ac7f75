"""Options that several commands share, each with one name, one help text and one meaning."""

from typing import Annotated

import typer

Players = Annotated[int, typer.Option("--players", help="Players of each game, 2 to 5.")]
Seed = Annotated[int, typer.Option("--seed", help="Root seed; the same seed plays the same games.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Processes; -1 for as many as there are cores.")]
Edition = Annotated[str, typer.Option("--edition", help="Edition of the rules.")]
Rules = Annotated[
    list[str] | None, typer.Option("--rules", help="A rules file (TOML) laid over the edition; may be repeated.")
]
Events = Annotated[str, typer.Option("--events", help="full, or summary: without the table of events.")]
