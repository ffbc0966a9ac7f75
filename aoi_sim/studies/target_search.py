"""The search of the smallest change that reaches a target: what is asked next, what the answer is, and why there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Final, NamedTuple

import polars as pl

from aoi_sim.analysis.uncertainty import LEAST_BLOCKS, t_half_width

_POWER: Final = 0.8
"""Chance that a test should have where games are advised."""


class Margin(NamedTuple):
    """Mean margin in VP.

    Attributes:
        value: the mean.
        se: its standard error, None where it is not known.
        blocks: set-ups that it rests on.
    """

    value: float
    se: float | None
    blocks: int

    @property
    def reach(self) -> float:
        """How far it may be off to one side at 5 %: Student's t of a one-sided test; infinite without an error."""
        half = t_half_width(self.se, self.blocks, 0.9)
        return inf if half is None else half


@dataclass(frozen=True)
class Goal:
    """What is to be reached.

    Attributes:
        component: a faction or board.
        margin: wanted, VP less the mean of the table.
        within: VP by which it may be missed.
        number: path of the number to change.
    """

    component: str
    margin: float
    within: float
    number: str


@dataclass(frozen=True)
class Found:
    """What a search knows.

    Attributes:
        ask: the change that must be played next, None if the search is over.
        answer: the change that reaches the target, None if there is none.
        why: there is none, a phrase.
        few: whether games are lacking, rather than a change that comes near.
        near: a change whose estimate lies near enough without being shown to, None if there is none.
        times: how many times as many games would probably show it, None if nobody knows.
    """

    ask: int | None = None
    answer: int | None = None
    why: str = ""
    few: bool = False
    near: int | None = None
    times: float | None = None


def searched(margins: Mapping[int, Margin], goal: Goal, possible: Sequence[int]) -> Found:
    """The state of a search from what was played.

    A change reaches the target where its margin is shown to be near enough (two one-sided tests at 5 %, Schuirmann 1987), so
    that fresh set-ups have a fair chance to confirm it.

    Args:
        margins: by change of the number, 0 for none.
        goal: what is to be reached.
        possible: changes that the rules allow, without 0.
    """
    if 0 not in margins:
        return Found(ask=0)
    reach = margins[0].reach
    if reach > 0.8 * goal.within:
        known = "a margin" if reach == inf else f"a margin known to {reach:.1f} VP"
        times = None if reach == inf else (reach / (goal.within / 2)) ** 2
        return Found(why=f"too few games, {known} shows nothing within {goal.within:g} VP", few=True, times=times)
    found = _looked(margins, goal, possible)
    return found if found.ask is not None or found.answer is not None else _near(margins, goal) or found


def _near(margins: Mapping[int, Margin], goal: Goal) -> Found | None:
    """The change whose estimate lies near enough and takes the fewest games to be shown so, None if none does."""
    inside = {
        change: times_needed(margin.value - goal.margin, margin.se, goal.within)
        for change, margin in margins.items()
        if margin.se is not None and abs(margin.value - goal.margin) < goal.within
    }
    if not inside:
        return None
    change = min(inside, key=lambda one: (inside[one], abs(one)))
    off, reach = margins[change].value - goal.margin, margins[change].reach
    what = f"a change by {change:+d}" if change else "no change"
    why = f"{what} is estimated {off:+.1f} VP off it, within {goal.within:g} VP, but known to {reach:.1f} VP only"
    return Found(why=why, few=True, near=change, times=max(1.0, inside[change]))


def times_needed(off: float, se: float, within: float) -> float:
    """How many times as many games would show with a chance of 80 % on which side of the border ``off`` lies, if it is true.

    Args:
        off: distance from the target in VP.
        se: its standard error in VP.
        within: VP by which the target may be missed.
    """
    from scipy.special import ndtri

    gap = abs(within - abs(off))
    return inf if gap <= 0 else float(((ndtri(0.95) + ndtri(_POWER)) * se / gap) ** 2)


def judged(effects: pl.DataFrame, within: float, games: int) -> pl.DataFrame:
    """Verdicts on whether the target is reached, instead of on no distance at all.

    ``equivalent``: shown to lie within (two one-sided tests at 5 %), as ``effect_rows`` has it. ``different``: shown to lie
    outside, by a one-sided test at 5 %. ``undecided``: neither; ``games_needed`` says how many would do.

    Args:
        effects: rows of ``effect_rows`` with ``within`` as their delta; estimates are distances from the target.
        within: VP by which it may be missed.
        games: of the run.
    """
    found: list[tuple[str, int | None]] = []
    for row in effects.iter_rows(named=True):
        off, se, blocks = row["estimate"], row["se"], row["blocks"]
        if row["verdict"] == "equivalent":
            found.append(("equivalent", None))
        elif se is None:
            found.append(("undecided", None))
        elif blocks >= LEAST_BLOCKS and abs(off) - Margin(off, se, blocks).reach > within:
            found.append(("different", None))
        else:
            times = times_needed(off, se, within)
            found.append(("undecided", max(games + 1, ceil(games * times)) if isfinite(times) else None))
    verdicts, needed = zip(*found, strict=True) if found else ((), ())
    return effects.with_columns(
        verdict=pl.Series(verdicts, dtype=pl.String), games_needed=pl.Series(needed, dtype=pl.Int64)
    )


def _looked(margins: Mapping[int, Margin], goal: Goal, possible: Sequence[int]) -> Found:
    """The state of a search that knows how it is without a change."""
    value, reach = margins[0].value, margins[0].reach
    gap = goal.margin - value
    if abs(gap) + reach <= goal.within:
        return Found(answer=0)
    up = 1 if gap > 0 else -1  # where the margin must go
    probes = [change for change in (1, -1) if change in possible]
    for change in probes:
        if change not in margins:
            return Found(ask=change)
    gains = {change: up * (margins[change].value - value) for change in probes}
    if not gains or max(gains.values()) <= 0:
        return Found(why="no step of it moves the margin the right way")
    way = max(gains, key=lambda change: gains[change])
    return _along(margins, goal, [abs(change) for change in possible if change * way > 0], way, up)


def _along(margins: Mapping[int, Margin], goal: Goal, steps: Sequence[int], way: int, up: int) -> Found:
    """Doubling and halving along one direction."""

    def far_enough(step: int) -> bool:
        margin = margins[way * step]
        return up * (goal.margin - margin.value) + margin.reach <= goal.within

    most = max(steps)
    short, step = 0, 1
    while True:
        if way * step not in margins:
            return Found(ask=way * step)
        if far_enough(step):
            break
        if step == most:
            return Found(why=f"even a change by {way * step:+d} does not reach it")
        short, step = step, min(2 * step, most)
    while step - short > 1:
        middle = (step + short) // 2
        if way * middle not in margins:
            return Found(ask=way * middle)
        if far_enough(middle):
            step = middle
        else:
            short = middle
    margin = margins[way * step]
    if up * (margin.value - goal.margin) + margin.reach > goal.within:
        return Found(why=f"a change by {way * short:+d} is too little, one by {way * step:+d} too much")
    return Found(answer=way * step)
