"""aoi-sim: a simulator of the board game Age of Innovation for balance studies.

The public names are here and are loaded when they are first used, so that ``import aoi_sim`` costs nothing.
"""

import sys
from importlib import import_module
from typing import Any, Final

from aoi_sim.fast import build_info  # decides first of all whether modules come from sources or extensions

# Public name: module that has it.
_HOMES: Final = {
    "AnalysisError": "aoi_sim.analysis.source",
    "Ruleset": "aoi_sim.rules",
    "RulesError": "aoi_sim.rules",
    "edition_names": "aoi_sim.rules",
    "load_ruleset": "aoi_sim.rules",
    "IllegalAction": "aoi_sim.engine",
    "NotationError": "aoi_sim.engine",
    "PositionError": "aoi_sim.engine",
    "Record": "aoi_sim.engine",
    "RecordError": "aoi_sim.engine",
    "State": "aoi_sim.engine",
    "apply_action": "aoi_sim.engine",
    "clone": "aoi_sim.engine",
    "digest": "aoi_sim.engine",
    "dump_position": "aoi_sim.positions",
    "format_action": "aoi_sim.engine",
    "from_dict": "aoi_sim.engine",
    "is_over": "aoi_sim.engine",
    "legal_actions": "aoi_sim.engine",
    "load_position": "aoi_sim.positions",
    "new_game": "aoi_sim.engine",
    "parse_action": "aoi_sim.engine",
    "replay": "aoi_sim.engine",
    "scores": "aoi_sim.engine",
    "seat_to_move": "aoi_sim.engine",
    "to_dict": "aoi_sim.engine",
    "HeuristicError": "aoi_sim.players",
    "UnknownHeuristic": "aoi_sim.players",
    "heuristic_names": "aoi_sim.players",
    "make_player": "aoi_sim.players",
    "GameResult": "aoi_sim.sim.result",
    "Plan": "aoi_sim.sim.plan",
    "PlanConfig": "aoi_sim.sim.plan",
    "PlanError": "aoi_sim.sim.plan",
    "Run": "aoi_sim.storage.reader",
    "RunFolderError": "aoi_sim.storage.manifest",
    "open_run": "aoi_sim.storage.reader",
    "play_game": "aoi_sim.sim.result",
    "simulate": "aoi_sim.sim.simulate",
}
# Rooms of which a notebook needs all: `aoi_sim.analysis.vp_margin_by_faction(run)`.
_ROOMS: Final = ("analysis",)

__all__ = ["__version__", "build_info", *sorted((*_HOMES, *_ROOMS))]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _ROOMS:
        value = import_module(f"aoi_sim.{name}")
    else:
        raise AttributeError(f"module 'aoi_sim' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _version() -> str:
    from importlib import metadata  # takes longer than all else here

    try:
        return metadata.version("aoi-sim")
    except metadata.PackageNotFoundError:
        return "0.1.0"


if "IPython" in sys.modules:
    import_module("aoi_sim.jupyter").register()
