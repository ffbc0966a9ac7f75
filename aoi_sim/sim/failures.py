"""What a run keeps of games that failed, besides their rows: a text for each, with seeds, traceback and record."""

import traceback

from aoi_sim.sim.match import Played
from aoi_sim.sim.plan import GameSpec, Plan
from aoi_sim.sim.transcript import record_text
from aoi_sim.storage.manifest import FAILURES


class WorkerDiedError(RuntimeError):
    """A chunk whose workers died again and again; its games fail with it."""


def failure_path(index: int) -> str:
    """Where the text of a failed game lies in the run folder."""
    return f"{FAILURES}/game-{index:06d}.txt"


def dead_chunk_path(chunk: int) -> str:
    """Where the text of a chunk that no worker survived lies in the run folder."""
    return f"{FAILURES}/chunk-{chunk:05d}.txt"


def failure_text(plan: Plan, spec: GameSpec, played: Played) -> str:
    """A failed game: how to play it again, where it broke, and its record up to there."""
    error = played.error
    assert error is not None
    record = record_text(spec.heuristics, played)
    return "\n".join(
        (
            *_game_lines(plan, spec),
            "",
            "".join(traceback.format_exception(error)),
            "Record up to the failure:" if record else "It failed before the set-up was done; there is no record.",
            "",
            record,
        )
    )


def dead_chunk_text(plan: Plan, chunk: int, error: WorkerDiedError) -> str:
    """A chunk that no worker survived: why, and how to play its games one by one."""
    lines = [f"chunk {chunk}: {error}", ""]
    for spec in plan.games(plan.chunks()[chunk]):
        lines += [*_game_lines(plan, spec), ""]
    return "\n".join(lines)


def _game_lines(plan: Plan, spec: GameSpec) -> list[str]:
    lines = [
        f"game {spec.index} of plan {plan.hash}, block {spec.block}, root seed {plan.config.seed}",
        f"setup_seed {spec.setup_seed}",
        f"player_seeds {' '.join(map(str, spec.player_seeds))}",
        f"heuristics {' '.join(spec.heuristics)}",
    ]
    if spec.deal is not None:
        lines.append("deal " + "  ".join("+".join(row.values()) for row in spec.deal))
    return lines
