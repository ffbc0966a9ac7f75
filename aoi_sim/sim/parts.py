"""Parts of a plan, to be played apart (on several machines, say) and merged: the chunks in N runs of neighbours."""

import re

from aoi_sim.sim.plan import Plan, PlanError
from aoi_sim.storage.findings import counted

PlanPart = tuple[int, int]
"""Number of the part, from 1, and how many parts there are."""


def parse_part(text: str | None) -> PlanPart | None:
    """A part from its text ``K/N``.

    Raises:
        PlanError: it is none.
    """
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
    if match is None:
        raise PlanError(f"no part {text!r}, --part, give K/N: part K of N")
    return int(match[1]), int(match[2])


def chunks_of_part(plan: Plan, part: PlanPart | None) -> range:
    """Numbers of the chunks of a part of a plan; None is the whole plan.

    Raises:
        PlanError: the plan has no such part.
    """
    n_chunks = len(plan.chunks())
    if part is None:
        return range(n_chunks)
    if plan.config.until:
        raise PlanError("part of a run that ends when enough is known, --part, leave out --until")
    number, n_parts = part
    if not 1 <= n_parts <= n_chunks:
        games = f"{counted(len(plan), 'game')} in {counted(n_chunks, 'chunk')}"
        advice = f"choose 1 to {n_chunks} parts" if n_chunks > 1 else "leave it out"
        raise PlanError(f"no {n_parts} parts ({games}), --part, {advice}")
    if not 1 <= number <= n_parts:
        raise PlanError(f"part {number} of {n_parts}, --part, choose 1 to {n_parts}")
    return range((number - 1) * n_chunks // n_parts, number * n_chunks // n_parts)
