"""The study of the balance update of 2024: the same blocks under edition 1.0 and 1.2, for each number of players."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from aoi_sim.rules import load_ruleset
from aoi_sim.studies.change_study import ChangeStudy, Setting
from aoi_sim.studies.comparison import Compared
from aoi_sim.studies.study import Runs
from aoi_sim.studies.study_report import Section


class Editions(ChangeStudy):
    """What an edition changed for each faction.

    Args:
        setting: how much is played, and how.
        before: edition.
        after: edition.
        overlays: laid over both.
    """

    kind = "editions"
    title = "What the new edition changed"

    def __init__(self, setting: Setting, before: str = "1.0", after: str = "1.2", overlays: Sequence[Any] = ()) -> None:
        self.names = (before, after)
        super().__init__(load_ruleset(before, None, overlays), load_ruleset(after, None, overlays), setting)

    def settings(self) -> dict[str, Any]:
        """With the names of the editions."""
        return {"editions": list(self.names), **super().settings()}

    def more(self, found: Compared, players: int, heuristic: str, runs: Runs) -> list[pl.DataFrame]:
        """Nothing more."""
        return []

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """Factions before and after."""
        before, after = self.names
        changed = ", ".join(self.changed.get("factions", []))
        first = self.faction_sections(effects, f"Edition {after} less edition {before}, on the same set-ups")
        method = Section(
            "How to read it",
            [
                f"Edition {after} changes {changed}. Margin is VP less the mean VP of the table, so what one faction gains the "
                "others lose: factions that did not change lose or gain a little through those that did.",
                "± is half of the 95 % interval, clustered by set-up block; a change is the paired difference on the same "
                "blocks. Equivalent means within 2 VP (spread: 0.5 VP) of no change.",
            ],
        )
        return [*first, method, self.change_section()]
