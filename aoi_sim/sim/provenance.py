"""What a run's manifest says: what was played, with what, and which files hold it."""

import hashlib
import inspect
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from aoi_sim.players import make_player
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.plan import Plan
from aoi_sim.storage.manifest import build_kind, chunk_entry, git_revision, schema_versions, software_versions
from aoi_sim.storage.schemas import TABLE_NAMES

if TYPE_CHECKING:
    from aoi_sim.sim.runner import ChunkDone

_PLAYERS_IMPORT: Final = re.compile(r"^from (aoi_sim\.players[\w.]*) import", re.MULTILINE)


def manifest_of(
    plan: Plan, rules: Ruleset, done: Sequence["ChunkDone"], events: bool, n_jobs: int, seconds: float
) -> dict[str, Any]:
    """The manifest of a run.

    Args:
        plan: what was played.
        rules: with which rules.
        done: every chunk, in order.
        events: whether the table of events was written.
        n_jobs: processes asked for.
        seconds: wall time.
    """
    tables = [name for name in TABLE_NAMES if events or name != "events"]
    chunks = plan.chunks()
    rows = {name: sum(part.n_rows for result in done for part in result.parts if part.table == name) for name in tables}
    config = {
        **asdict(plan.config),
        "heuristics": list(plan.config.heuristics),
        "events": "full" if events else "summary",
    }
    return {
        "config": config,
        "rules": {
            "edition": rules.edition,
            "hash": rules.hash,
            "options": dict(rules.options),
            "overlays": list(rules.overlays),
        },
        "seed": plan.config.seed,
        "heuristics": [heuristic_entry(name) for name in sorted(set(plan.heuristics))],
        "versions": software_versions(),
        "build": build_kind(),
        "git_revision": git_revision(),
        "schemas": schema_versions(tables),
        "plan_hash": plan.hash,
        "chunks": [chunk_entry(result.chunk, chunks[result.chunk], result.parts) for result in done],
        "counts": {
            "games": sum(result.n_games for result in done),
            "failed": sum(result.n_failed for result in done),
            "rows": rows,
        },
        "jobs": n_jobs,
        "wall_seconds": round(seconds, 3),
    }


def heuristic_entry(name: str) -> dict[str, Any]:
    """A heuristic with its content and hash: the source of its module and of the players' modules that it uses."""
    sources: dict[str, str] = {}
    open_names = [type(make_player(name, 0, 0)).__module__]
    while open_names:
        module = open_names.pop()
        if module in sources or module not in sys.modules:
            continue
        try:
            sources[module] = inspect.getsource(sys.modules[module])
        except (OSError, TypeError):  # compiled, or typed in
            sources[module] = ""
        open_names += _PLAYERS_IMPORT.findall(sources[module])
    content = "".join(f"# {module}\n{sources[module]}" for module in sorted(sources))
    return {"name": name, "content": content, "sha256": hashlib.sha256(content.encode()).hexdigest()}
