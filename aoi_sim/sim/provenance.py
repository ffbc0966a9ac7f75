"""What a run's manifest says: what was played, with what, and which files hold it."""

import hashlib
import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final

from aoi_sim.fast.stamp import ROOT, source_path
from aoi_sim.players import Heuristic, HeuristicError, find_heuristic, make_player
from aoi_sim.players.heuristic import BUILT_IN
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.plan import Plan
from aoi_sim.storage.manifest import build_kind, counts_of, git_revision, schema_versions, software_versions
from aoi_sim.storage.schemas import TABLE_NAMES

_PLAYERS_IMPORT: Final = re.compile(r"^from (aoi_sim\.players[\w.]*) import", re.MULTILINE)


def manifest_of(
    plan: Plan, rules: Ruleset, heuristics: Sequence[Heuristic], events: bool, n_jobs: int
) -> dict[str, Any]:
    """The manifest of a run before its first chunk: all that says which run it is, marked ``partial``.

    Args:
        plan: what is played.
        rules: with which rules.
        heuristics: who plays.
        events: whether the table of events is written.
        n_jobs: processes asked for.
    """
    tables = [name for name in TABLE_NAMES if events or name != "events"]
    config = {
        **plan.config.settings(),
        "events": "full" if events else "summary",
    }
    return {
        "partial": True,
        "config": config,
        "rules": {
            "edition": rules.edition,
            "hash": rules.hash,
            "options": dict(rules.options),
            "overlays": list(rules.overlays),
        },
        "seed": plan.config.seed,
        "heuristics": [heuristic_entry(heuristic) for heuristic in heuristics],
        "versions": software_versions(),
        "build": build_kind(),
        "git_revision": git_revision(),
        "schemas": schema_versions(tables),
        "plan_hash": plan.hash,
        "chunks": [],
        "counts": counts_of([], tables),
        "jobs": n_jobs,
        "wall_seconds": 0.0,
    }


def whole_manifest(manifest: Mapping[str, Any], chunks: Sequence[Mapping[str, Any]], seconds: float) -> dict[str, Any]:
    """The manifest of a finished run.

    Args:
        manifest: that of its start.
        chunks: every chunk in order, as ``chunk_entry`` gives it.
        seconds: wall time, of all sessions together.
    """
    counts = counts_of(chunks, list(manifest["schemas"]))
    whole = {**manifest, "chunks": list(chunks), "counts": counts, "wall_seconds": round(seconds, 3)}
    del whole["partial"]
    return whole


def heuristic_entry(heuristic: Heuristic) -> dict[str, Any]:
    """A heuristic with its content and hash, and the hash of the program that reads weights.

    The content of a built-in one is the source of its module and of the players' modules that it uses.
    """
    entry: dict[str, Any] = {"name": heuristic.name, "kind": heuristic.kind}
    if heuristic.kind == "built-in":
        content = _program(heuristic)
    else:
        content = heuristic.content
    if heuristic.kind == "weights":
        entry["program_sha256"] = _sha256(_program(heuristic))
    return {**entry, "content": content, "sha256": _sha256(content)}


def heuristics_of(manifest: Mapping[str, Any]) -> list[Heuristic]:
    """The heuristics of a run, to play its games again.

    Weights are those that the manifest holds. Code of a manifest is not run: a module must still be found by its name
    and be what it was.

    Raises:
        HeuristicError: a player's code is not at hand.
    """
    found = []
    for entry in manifest["heuristics"]:
        name, kind = entry["name"], entry.get("kind", "built-in")
        heuristic = Heuristic(name, kind, entry["content"] if kind == "weights" else "")
        if kind == "module":
            heuristic = find_heuristic(name)
            if heuristic.sha256 != entry["sha256"]:
                raise HeuristicError(f"not the {name}.py that played, heuristics, restore it from the manifest")
        elif kind == "built-in" and name not in BUILT_IN:
            raise HeuristicError(f"no built-in player {name}, manifest.json, restore it from a copy")
        elif kind == "class":
            raise HeuristicError(f"played by a class of a program, heuristic {name}, play the games there")
        found.append(heuristic)
    return found


def _program(heuristic: Heuristic) -> str:
    """Source of the module of a player, and of the players' modules that it uses."""
    sources: dict[str, str] = {}
    open_names = [type(make_player(heuristic, 0, 0)).__module__]
    while open_names:
        module = open_names.pop()
        if module in sources or module not in sys.modules:
            continue
        sources[module] = _source(sys.modules[module])
        open_names += _PLAYERS_IMPORT.findall(sources[module])
    return "".join(f"# {module}\n{sources[module]}" for module in sorted(sources))


def _source(module: ModuleType) -> str:
    """The source of a module; empty if it was typed in."""
    try:
        return inspect.getsource(module)
    except (OSError, TypeError):  # compiled, which leaves the source where it was, or typed in
        path = ROOT / source_path(module.__name__)
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
