"""The rows of the table ``offers``: picks, what was open and what was taken."""

from typing import Any

import numpy as np
import pyarrow as pa

from aoi_sim.rules.tables import Tables
from aoi_sim.sim.match import Played
from aoi_sim.sim.packing import IntRows
from aoi_sim.sim.picks import PICK_COLUMNS, PICK_NAMES, read_picks
from aoi_sim.storage.arrow import Coded


class PickRows:
    """The rows of the table ``offers``.

    Args:
        tables: the components that can be picked.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        # What can be open: every component by its key, by its kind and key (draft), and the answers to a power offer.
        self._words = [c.key for c in tables.components] + [c.ref for c in tables.components] + ["accept", "decline"]
        self._rows = IntRows(len(PICK_COLUMNS))
        self._opened = IntRows(1)
        self._n_opened = IntRows(1)

    def add(self, index: int, played: Played) -> tuple[list[int], list[list[int]]]:
        """Add the picks of a game.

        Returns:
            First round bonus tile of each seat that picked one (-1 where dealt), and for each seat its power offers:
            how many, power taken, power declined.
        """
        assert played.state is not None
        tables = self._tables
        found = read_picks(index, played.picks, played.decisions, played.state.n_players, len(tables.components))
        self._rows.add(found.rows)
        self._opened.add(found.opened)
        self._n_opened.add(found.n_opened)
        ref = tables.by_ref
        setup = played.setup or {}
        bundles = {ref["board/" + row["board"]]: ref["bonus/" + row["bonus"]] for row in setup.get("bundles", ())}
        return [bundles.get(cid, cid) for cid in found.bonus], found.offers

    def columns(self) -> dict[str, Any]:
        """Columns of the table."""
        rows = self._rows.rows()
        columns: dict[str, Any] = {name: rows[:, k] for k, name in enumerate(PICK_COLUMNS)}
        columns["pick"] = Coded(columns["pick"], PICK_NAMES)
        columns["taken"] = Coded(columns["taken"], self._words)
        columns["power"] = np.ma.masked_less(columns["power"], 0)
        words = pa.array(self._words, type=pa.string()).take(pa.array(self._opened.rows()[:, 0]))
        ends = np.cumsum(self._n_opened.rows()[:, 0], dtype=np.int32)
        columns["open"] = pa.ListArray.from_arrays(pa.array(np.append(np.int32(0), ends)), words)
        return columns
