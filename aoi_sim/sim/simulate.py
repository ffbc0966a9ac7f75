"""``simulate``: a run from a program or a notebook."""

import atexit
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanError, whole
from aoi_sim.sim.request import Players, make_request
from aoi_sim.sim.runner import Interrupted, run_plan
from aoi_sim.storage.reader import Run, open_run


def simulate(
    n_games: int | None = None,
    n_players: int = 4,
    heuristics: Players | Mapping[str, Players] = "expert",
    design: str | None = None,
    n_jobs: int = -1,
    out: str | Path | None = None,
    *,
    seed: int = 1,
    rules: Ruleset | Mapping[str, Ruleset] | None = None,
    edition: str = "1.2",
    options: Mapping[str, Any] | None = None,
    overlays: Sequence[str | Path | Mapping[str, Any]] = (),
    map: str = "auto",
    setup: str | None = None,
    focus: Sequence[str] = (),
    fixed: str | Path | None = None,
    noise: int = 0,
    replicates: int = 1,
    until: str | None = None,
    max_games: int | None = None,
    events: str = "full",
    progress: bool | None = None,
    scheduler: str | None = None,
) -> Run:
    """Play games in parallel and return their tables.

    Args:
        n_games: number of games; None plays 200, or each set-up of ``fixed`` once, or as ``until`` says.
        n_players: players of each game, 2 to 5.
        heuristics: who plays: one for all seats, or one a seat in seat order; each a name, the path of a .toml or .py
            file, or a class or function that makes a player from seat and seed. A mapping from names to these makes a
            paired run: every block is played under each of these levels.
        design: ``choice`` (players pick), ``random``, ``balanced`` (if nothing else is said), ``rotation``, ``focus``
            or ``fixed``; docs/runs.md describes them.
        n_jobs: processes; -1 for as many as there are cores.
        out: folder of the run; a run that was finished there with the same arguments is opened, one that was stopped
            is played on, another is refused. None keeps the run in a temporary folder until Python ends.
        seed: root seed; the same seed plays the same games whatever ``n_jobs``.
        rules: a ruleset, or a mapping from names to rulesets for a paired run with these levels; else ``edition``,
            ``options`` and ``overlays`` are loaded.
        edition: edition of the rules.
        options: values of options of the rules.
        overlays: paths or tables laid over the edition.
        map: ``auto`` or a side of the map.
        setup: ``standard`` or ``draft``; None as the rules' option says.
        focus: factions and boards that are in every game, the others balanced; makes the design ``focus``.
        fixed: a .toml or .csv file of set-ups; makes the design ``fixed``.
        noise: temperature of the players' noise in thousandths of a VP: a plan that is worse by this is taken half as
            often; 0 for none. Weighted players only.
        replicates: how often each game of a block is played, each time with other seeds of the players.
        until: ``1 VP``: end when every faction's margin is known to this half-width, instead of after ``n_games``.
        max_games: with ``until``: games at the most, None for 100,000.
        events: ``full``, or ``summary`` to leave out the table of events.
        progress: whether to show a progress bar; None shows it on a terminal and in a notebook.
        scheduler: address of a Dask scheduler, whose workers play instead of ``n_jobs`` processes here.

    Returns:
        The run. An interrupt in a notebook ends it early: the run is ``partial`` then and has the games that are
        finished.

    Raises:
        RulesError, PlanError, HeuristicError, RunFolderError: wrong input.
        Interrupted: Ctrl-C in a program, or before the first games are finished.
    """
    if rules is None:
        rules = load_ruleset(edition, dict(options or {}), list(overlays))
    if events not in ("full", "summary"):
        raise PlanError(f"unknown events {events!r}, events, choose full or summary")
    n_jobs = whole(n_jobs, "n_jobs")
    request = make_request(
        rules=rules,
        n_games=200 if n_games is None and fixed is None and until is None else n_games,
        n_players=n_players,
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
    if out is None:
        folder = Path(tempfile.mkdtemp(prefix="aoi-sim-"))
        # Lazy frames may outlive their run, so the folder stays until Python ends.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    else:
        folder = Path(out)
    try:
        return run_plan(
            request.config,
            request.rules,
            folder,
            heuristics=request.heuristics,
            n_jobs=n_jobs,
            events=events == "full",
            progress=progress,
            resume=True,
            scheduler=scheduler,
        )
    except Interrupted as error:
        if not (error.n_games and _in_notebook()):
            raise
        going_on = ", the same call goes on from there" if out is not None else ""
        print(f"interrupted after {error.n_games} games, the run is partial{going_on}", file=sys.stderr)
        return open_run(folder, partial=True)


def _in_notebook() -> bool:
    """Whether a person at a notebook or IPython stopped us, who wants to see what there is."""
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None
