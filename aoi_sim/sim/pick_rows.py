"""Picks: what was open and what was taken, read off the decisions of a finished game."""

from array import array
from typing import Any, Final

import numpy as np
import pyarrow as pa

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import F_OFFER, Frame
from aoi_sim.rules.tables import Tables
from aoi_sim.sim.match import DECISION_WIDTH, Played
from aoi_sim.storage.arrow import Coded

_PICK_NAMES: Final = ("bundle", "draft", "bonus", "palace", "competency", "innovation", "city", "power")
_PICK_OF: Final = {
    a.BUNDLE: "bundle",
    a.DRAFT: "draft",
    a.BONUS: "bonus",
    a.PASS: "bonus",
    a.PALACE: "palace",
    a.COMPETENCY: "competency",
    a.INNOVATE: "innovation",
    a.CITY: "city",
}
_COLUMNS: Final = ("game_index", "sequence", "decision", "round", "turn", "seat", "pick", "taken", "power")
_POWER_OFFERED: Final = 2  # place in an offer's frame


class PickRows:
    """The rows of the table ``offers``.

    Args:
        tables: the components that can be picked.
    """

    def __init__(self, tables: Tables) -> None:
        n = len(tables.components)
        self._tables = tables
        # What can be open: every component by its key, by its kind and key (draft), and the answers to a power offer.
        self._words = [c.key for c in tables.components] + [c.ref for c in tables.components] + ["accept", "decline"]
        self._draft_shift = n
        self._accept, self._decline = 2 * n, 2 * n + 1
        self._rows = array("i")
        self._open = array("i")
        self._ends = array("i", [0])

    def add(self, index: int, played: Played) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Add the picks of a game.

        Returns:
            First round bonus tile of each seat that picked one (-1 where dealt), and for each seat its power offers:
            how many, power taken, power declined.
        """
        assert played.state is not None
        n_players = played.state.n_players
        bonus = [-1] * n_players
        asked, accepted, declined = [0] * n_players, [0] * n_players, [0] * n_players
        ref = self._tables.by_ref
        setup = played.setup or {}
        bundles = {ref["board/" + row["board"]]: ref["bonus/" + row["bonus"]] for row in setup.get("bundles", ())}
        sequence = 0
        for number, actions, frame in played.picks:
            at = DECISION_WIDTH * number
            round_, turn, seat, kind, chosen, _, _ = played.decisions[at : at + DECISION_WIDTH]
            power = -1
            if kind == a.ACCEPT or kind == a.DECLINE:
                if not frame or frame[0] != F_OFFER:
                    continue
                power = frame[_POWER_OFFERED]
                asked[seat] += 1
                (accepted if kind == a.ACCEPT else declined)[seat] += power
            elif chosen < 0:
                continue
            elif kind == a.BUNDLE:
                bonus[seat] = bundles[chosen]
            elif kind == a.BONUS:
                bonus[seat] = chosen
            pick, taken = self._note_open(kind, chosen, actions, frame)
            self._rows.extend((index, sequence, number, round_, turn, seat, pick, taken, power))
            self._ends.append(len(self._open))
            sequence += 1
        return bonus, list(zip(asked, accepted, declined, strict=True))

    def _note_open(self, kind: int, chosen: int, actions: list[Action], frame: Frame) -> tuple[int, int]:
        """Keep what was open; returns the codes of the pick and of what was taken."""
        if kind == a.ACCEPT or kind == a.DECLINE:
            self._open.extend((self._accept, self._decline))
            return _PICK_NAMES.index("power"), self._accept if kind == a.ACCEPT else self._decline
        shift = self._draft_shift if kind == a.DRAFT else 0
        self._open.fromlist([action[1] + shift for action in actions if action[0] == kind])
        return _PICK_NAMES.index(_PICK_OF[kind]), chosen + shift

    def columns(self) -> dict[str, Any]:
        """Columns of the table."""
        rows = np.frombuffer(self._rows, dtype=np.int32).reshape(-1, len(_COLUMNS))
        columns: dict[str, Any] = {name: rows[:, k] for k, name in enumerate(_COLUMNS)}
        columns["pick"] = Coded(columns["pick"], _PICK_NAMES)
        columns["taken"] = Coded(columns["taken"], self._words)
        columns["power"] = np.ma.masked_less(columns["power"], 0)
        words = pa.array(self._words, type=pa.string()).take(pa.array(np.frombuffer(self._open, dtype=np.int32)))
        ends = pa.array(np.frombuffer(self._ends, dtype=np.int32))
        columns["open"] = pa.ListArray.from_arrays(ends, words)
        return columns
