"""`python -m tests.bench.spreads RUN...`: prints aoi_sim/analysis/planning.toml from balanced runs, one a number of players."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import aoi_sim as aoi
from aoi_sim.analysis.margins import margin_rows
from aoi_sim.analysis.planning import pilot_spreads
from aoi_sim.cli.errors import status_of
from aoi_sim.storage.reader import Run

HEAD = """\
# Spreads of margins (VP less the table's mean) for planning: the standard deviation over the blocks in which a faction plays,
# and for a pairing of faction and board the root of the mean square over the pairings. Made by `python -m tests.bench.spreads`.
"""


def entry(run: Run) -> str:
    """The table of a run."""
    manifest = run.manifest
    config = manifest["config"]
    player = manifest["heuristics"][0]
    spreads = pilot_spreads(margin_rows(run.seats(), run.games()), (), "")
    n = config["n_players"]
    lines = [
        f"\n[players.{n}]",
        f'heuristic = "{player["name"]}"',
        f'heuristic_sha256 = "{player["sha256"]}"',
        f'design = "{config["design"]}"',
        f"games = {run.n_games}",
        f"seed = {manifest['seed']}",
        f'edition = "{manifest["rules"]["edition"]}"',
        f'rules_hash = "{manifest["rules"]["hash"]}"',
        f'version = "{manifest["versions"]["aoi-sim"]}"',
        f"pairing = {spreads.pairing:.2f}",
        f"\n[players.{n}.factions]",
        *(f"{faction} = {spread:.2f}" for faction, spread in sorted(spreads.factions.items())),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    try:
        runs = [aoi.open_run(path) for path in (sys.argv[1:] if arguments is None else arguments)]
        runs.sort(key=lambda run: int(run.manifest["config"]["n_players"]))
        print(HEAD + "".join(map(entry, runs)), end="")
    except (Exception, KeyboardInterrupt) as error:
        return status_of(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
