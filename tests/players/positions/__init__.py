"""Positions with a clearly right move, each a function that builds its table; its docstring says why the move is right.

    @case("build A6")
    def a_workshop_completes_a_city() -> Table:
        \"\"\"A city gives ...\"\"\"
        return spot({"buildings": TRIANGLE, "coins": 2, "tools": 1}, homes="A6")

Patterns are those of `fnmatch`; any of them is right. What is judged is the action of the turn (conversions before it are
free) or the answer to the pending decision; `then` judges the next decision of the same seat as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import aoi_sim as aoi
from tests.rules.scenes import home_terrain
from tests.rules.table import DISCIPLINES, Table, table

AHEAD = dict.fromkeys(DISCIPLINES, 9)
_FREE = ("convert ", "sacrifice")


@dataclass(frozen=True)
class Case:
    """A position and what is right in it."""

    name: str
    reason: str
    build: Callable[[], Table]
    right: tuple[str, ...]
    then: tuple[str, ...]

    def played(self, heuristic: Any) -> list[str]:
        """What a player does: conversions, the action or answer, and with `then` the next decision."""
        t = self.build()
        seat = t.mover
        player = aoi.make_player(heuristic, seat, 1)
        texts: list[str] = []
        for _ in range(2 if self.then else 1):
            answering = bool(t.asks)
            while True:
                assert t.mover == seat, f"{self.name}: seat {t.mover} is asked"
                text = aoi.format_action(t.state, player.choose(t.state, aoi.legal_actions(t.state)))
                texts.append(text)
                t.do(text)
                if answering or not text.startswith(_FREE):
                    break
        return texts

    def found(self, texts: list[str]) -> bool:
        """Whether what was played is right."""
        acted = [text for text in texts if not text.startswith(_FREE)] or texts[-1:]
        wanted = [self.right, self.then] if self.then else [self.right]
        return len(acted) == len(wanted) and all(map(matches, acted, wanted))

    def possible(self) -> bool:
        """Whether a right move is legal, after conversions and sacrifices if need be."""
        first = self.build()
        seen = {aoi.digest(first.state)}
        open_tables = [first.state]
        while open_tables:
            state = open_tables.pop()
            for action in aoi.legal_actions(state):
                text = aoi.format_action(state, action)
                if matches(text, self.right):
                    return True
                if text.startswith(_FREE):
                    after = aoi.clone(state)
                    aoi.apply_action(after, action)
                    if aoi.digest(after) not in seen:
                        seen.add(aoi.digest(after))
                        open_tables.append(after)
        return False


def matches(text: str, patterns: tuple[str, ...]) -> bool:
    """Whether a text fits one of the patterns, and none that begins with `not `."""
    banned = [pattern[4:] for pattern in patterns if pattern.startswith("not ")]
    wanted = [pattern for pattern in patterns if not pattern.startswith("not ")] or ["*"]
    return any(fnmatchcase(text, p) for p in wanted) and not any(fnmatchcase(text, p) for p in banned)


class Cases(list[Case]):
    """The cases of a module, collected by decorating their tables."""

    def __call__(
        self, *right: str, then: tuple[str, ...] | str = ()
    ) -> Callable[[Callable[[], Table]], Callable[[], Table]]:
        after = (then,) if isinstance(then, str) else then

        def add(build: Callable[[], Table]) -> Callable[[], Table]:
            reason = " ".join((build.__doc__ or "").split())
            assert reason, f"{build.__name__} has no reason"
            self.append(Case(build.__name__, reason, build, right, after))
            return build

        return add


def spot(seat: Mapping[str, Any], *others: Mapping[str, Any], homes: str = "", players: int = 4, **top: Any) -> Table:
    """Seat 0 (forest, nothing on hand) acts; the others have passed and are at level 9 in every discipline.

    Without buildings it stands on B6 alone. B4, a forest of the printed map, is desert, so that no home hex lies there.
    """
    acting = {"board": "forest", "coins": 0, "tools": 0, "bowls": [12, 0, 0], "buildings": {"B6": "workshop"}, **seat}
    rest = [{"passed": True, "science": AHEAD, **other} for other in others]
    rest += [{"passed": True, "science": AHEAD} for _ in range(players - 1 - len(rest))]
    passed = [number for number, other in enumerate(rest, start=1) if other["passed"]]
    terrain = {"B4": "desert"} | home_terrain([acting, *rest], homes) | top.pop("terrain", {})
    return table(acting, *rest, players=players, next_order=passed, terrain=terrain, **top)
