"""``--until "1 VP"``: a run that ends when every faction's margin is known to a half-width, in VP.

Looks come after fixed numbers of chunks in the order of the plan, so the run ends at the same game whatever the number of
workers. The interval is a confidence sequence (``analysis.sequence``), valid at all looks together. In a paired run it is
that of the paired differences from the first level; with a focus on factions only theirs count.
"""

import re
from collections.abc import Mapping
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final

from aoi_sim.sim.config import MAX_UNTIL, MIN_UNTIL, PlanError
from aoi_sim.sim.plan import Plan
from aoi_sim.sim.presence import shares_of

MAX_GAMES_UNTIL: Final = 100_000
"""Games of such a run at the most, if nothing else is said."""
_GROWTH: Final = 1.25


def parse_until(text: str) -> float:
    """The half-width of ``1 VP``.

    Raises:
        PlanError: it is none.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*VP\s*", text, re.IGNORECASE)
    wanted = float(found[1]) if found else 0.0
    if not MIN_UNTIL <= wanted <= MAX_UNTIL:
        raise PlanError(f'no half-width {text!r}, --until, write "1 VP" ({MIN_UNTIL:g} to {MAX_UNTIL:g} VP)')
    return wanted


def looks(n_chunks: int) -> list[int]:
    """After how many chunks a run is looked at: every chunk at first, then in steps of a quarter; last of all the end."""
    found = []
    look = 1
    while look < n_chunks:
        found.append(look)
        look = max(look + 1, int(look * _GROWTH))
    return [*found, n_chunks]


class Until:
    """Looks at a run and says when it may end.

    Args:
        plan: what is played; its config says until when.
        folder: the run folder.
    """

    def __init__(self, plan: Plan, folder: Path) -> None:
        from aoi_sim.analysis.sequence import design_size

        self.wanted = plan.config.until
        self._folder = folder
        self._levels = tuple(level.name for level in plan.config.levels)
        focused = [key for key in plan.config.focus if key in plan.factions]
        shares = shares_of(plan).factions
        self._factions = [key for key in plan.factions if shares[key] and (not focused or key in focused)]
        self._looks = set(looks(len(plan.chunks())))
        self._size = design_size(self.wanted)
        self._entries: list[Mapping[str, Any]] = []
        self._report: list[dict[str, Any]] = []
        self._n_wider = 0

    def enough(self, entry: Mapping[str, Any]) -> bool:
        """Whether the run may end with this chunk; to be told every chunk in the order of the plan.

        Args:
            entry: the chunk as the manifest lists it, its files written.
        """
        self._entries.append(entry)
        if len(self._entries) not in self._looks:
            return False
        width, which = self._widest()
        self._report.append(
            {
                "chunks": len(self._entries),
                "games": sum(one["n_games"] for one in self._entries),
                "half_width": round(width, 6) if isfinite(width) else None,
                "widest": which,
            }
        )
        return round(width, 6) <= self.wanted

    def report(self) -> dict[str, Any]:
        """What the manifest says: every look, the width reached and why the run ended."""
        last = self._report[-1]
        width = last["half_width"]
        reached = width is not None and width <= self.wanted
        known = "not known yet" if width is None else f"known to ± {width:.2f} VP"
        if reached:
            why = f"after {last['games']} games: every margin is {known} or better, as wanted (± {self.wanted:g} VP)"
        else:
            n = len(self._names())
            first = "the margin is" if n == 1 else f"{self._n_wider} of {n} margins are"
            why = (
                f"after all {last['games']} games: {first} not known to ± {self.wanted:g} VP, "
                f"the widest is {last['widest']} ({known})"
            )
        return {"wanted": self.wanted, "reached": reached, "half_width": width, "why": why, "looks": self._report}

    def _names(self) -> list[tuple[str, str]]:
        """Level and faction of each margin, or paired difference, that is to be known."""
        return [(level, key) for level in self._levels[1:] or ("",) for key in self._factions]

    def _widest(self) -> tuple[float, str]:
        """The widest interval and whose it is."""
        import polars as pl

        from aoi_sim.analysis.margins import margin_rows
        from aoi_sim.analysis.sequence import margin_sequence

        games, seats = (
            pl.scan_parquet([self._folder / entry["files"][name]["path"] for entry in self._entries])
            for name in ("games", "seats")
        )
        table = margin_sequence(margin_rows(seats, games), self._size, self._levels)
        names = table.select("level", "faction").rows() if self._levels else [("", key) for key in table["faction"]]
        widths = dict(zip(names, table["half_width"], strict=True))
        wanted = self._names()
        self._n_wider = sum(round(widths.get(name, inf), 6) > self.wanted for name in wanted)
        level, key = max(wanted, key=lambda name: widths.get(name, inf))
        return widths.get((level, key), inf), f"{level} {key}".strip()
