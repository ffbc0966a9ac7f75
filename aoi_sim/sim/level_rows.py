"""The rows of a chunk whose games are played with several rulesets: components have their own numbers in each."""

from typing import Any

import numpy as np

from aoi_sim.sim.match import Played
from aoi_sim.sim.plan import GameSpec, Plan
from aoi_sim.sim.rows import ChunkRows


class LevelRows:
    """The rows of the games of a chunk, of whatever level.

    Args:
        plan: whose games.
        events: whether the table of events is made.
    """

    def __init__(self, plan: Plan, *, events: bool) -> None:
        self._plan = plan
        self._events = events
        self._rows: dict[str, ChunkRows] = {}

    def add(self, spec: GameSpec, played: Played) -> None:
        """Add a game, finished or failed."""
        rules = self._plan.rulesets[spec.level]
        if rules.hash not in self._rows:
            self._rows[rules.hash] = ChunkRows(self._plan, rules, events=self._events)
        self._rows[rules.hash].add(spec, played)

    def tables(self) -> dict[str, Any]:
        """Arrow tables by name, rows in the order of the games."""
        parts = [rows.tables() for rows in self._rows.values()]
        if len(parts) == 1:
            return parts[0]
        return {name: _merged([part[name] for part in parts]) for name in parts[0]}


def _merged(tables: list[Any]) -> Any:
    """Tables put together, sorted by game; rows of a game keep their order."""
    import pyarrow as pa

    whole = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    order = np.argsort(whole["game_index"].to_numpy(), kind="stable")
    return whole.take(pa.array(order)).combine_chunks().replace_schema_metadata(tables[0].schema.metadata)
