"""The rows of the table ``events``: the engine's log with its decisions, all games of a chunk at once.

A decision that logged nothing gets a row of its own (event ``decided``), so that the table holds every decision and a
game can be replayed from it. What the log gives as bare numbers becomes words: see ``_reword``. The columns are those of
the files (``aoi_sim.storage.packed``): the action in the first row of its decision, what happened as one word.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from aoi_sim.engine import events as e
from aoi_sim.engine import format_action
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.tables import Tables
from aoi_sim.storage.arrow import Coded
from aoi_sim.storage.schemas import NO_SUBJECT

DECIDED: Final = "decided"
_DECISION, _SEAT, _EVENT, _COMPONENT, _HEX, _AMOUNT, _VP, _EVENT_ROUND = range(e.EVENT_WIDTH)
_ROUND, _TURN, _DECIDER, _KIND, _A, _B, _C = range(7)
_BITS: Final = 18
_LEAST: Final = 1000
"""So far below 0 a number may be that is packed with others: VP that a power offer cost, -1 for none."""


def event_columns(
    games: Sequence[tuple[int, int, int]], log: Any, decisions: Any, tables: Tables, state: State | None
) -> dict[str, Any]:
    """Columns of the table's file.

    Args:
        games: for each game its index, its events and its decisions.
        log: the events of all games, a row an event.
        decisions: the decisions of all games, a row a decision.
        tables: the components.
        state: any state of the chunk, for the text of actions and the names of hexes.
    """
    index, n_events, n_decisions = np.array(games, dtype=np.int64).reshape(-1, 3).T
    first_decision = np.cumsum(n_decisions) - n_decisions
    # What set-up logged before the first decision has the number -1; it stands before decision 0.
    before = log[:, _DECISION] < 0
    # Position of each event's decision among the decisions of all games.
    place = np.repeat(first_decision, n_events) + np.maximum(log[:, _DECISION], 0)
    silent = np.ones(len(decisions), dtype=bool)
    silent[place[~before]] = False
    extra = np.flatnonzero(silent)
    rows = np.concatenate([log, _decided_rows(decisions, extra)])
    place = np.concatenate([place, extra])
    before = np.concatenate([before, np.zeros(len(extra), dtype=bool)])
    # Stable: events of a decision keep their order. Both halves are in order already, so that this is a merge.
    order = np.argsort(2 * place + ~before, kind="stable")
    rows, place, before = rows[order], place[order], before[order]
    game = np.repeat(np.arange(len(index)), n_decisions)[place] if len(place) else place
    sizes = np.bincount(game, minlength=len(index))
    columns = _reword(rows, tables, state)
    columns["game_index"] = index[game]
    columns["sequence"] = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # Income of a round belongs to it, though the last decision was in the round before.
    columns["round"] = rows[:, _EVENT_ROUND]
    columns["turn"] = np.where(rows[:, _EVENT_ROUND] > decisions[place, _ROUND], 0, decisions[place, _TURN])
    columns["seat"] = rows[:, _SEAT]
    # Places are in order, so that a decision begins where the place is another than in the row before.
    begins = np.append(True, place[1:] != place[:-1])[: len(place)]
    begins[1:] |= before[:-1]
    columns["action"] = _action_column(decisions, np.where(begins & ~before, place, -1), state)
    return columns


def _decided_rows(decisions: Any, extra: Any) -> Any:
    """Log rows for decisions that logged nothing."""
    rows = np.full((len(extra), e.EVENT_WIDTH), -1, dtype=np.int32)
    rows[:, _SEAT] = decisions[extra, _DECIDER]
    rows[:, _EVENT] = len(e.EVENT_NAMES)
    rows[:, _AMOUNT] = 0
    rows[:, _VP] = 0
    rows[:, _EVENT_ROUND] = decisions[extra, _ROUND]
    return rows


def _reword(rows: Any, tables: Tables, state: State | None) -> dict[str, Any]:
    """Columns ``what`` and ``hex``, in words where the log has numbers that only the engine knows.

    ``hex_transformed`` gets its terrain as subject, ``start_piece_placed`` its building, ``converted`` its conversion,
    ``effect_resolved`` is about its component; their amount is 1. The hex of ``bridge_built`` is both its hexes.
    """
    event = rows[:, _EVENT]
    subject, hex_, amount = (rows[:, k].astype(np.int64) for k in (_COMPONENT, _HEX, _AMOUNT))
    subjects = [component.ref for component in tables.components]
    for code, words in (
        (e.E_HEX, [f"terrain/{name}" for name in tables.terrains]),
        (e.E_PLACED, [f"building/{name}" for name in v.BUILDING_NAMES]),
        (e.E_CONVERTED, [f"conversion/{key}" for key in tables.conversion_keys]),
    ):
        of_code = event == code
        subject[of_code] = len(subjects) + amount[of_code]
        amount[of_code] = 1
        subjects += words
    subject[subject < 0] = len(subjects)
    subjects.append(NO_SUBJECT)
    amount[event == e.E_EFFECT] = 1
    hexes = list(state.geometry.names) if state is not None else []
    bridges = event == e.E_BRIDGE
    n_hexes = len(hexes)
    pairs, codes = np.unique(hex_[bridges] * n_hexes + amount[bridges], return_inverse=True)
    hex_[bridges] = n_hexes + codes
    amount[bridges] = 1
    hexes += [f"{hexes[pair // n_hexes]}-{hexes[pair % n_hexes]}" for pair in pairs.tolist()]
    names = [*e.EVENT_NAMES, DECIDED]
    parts = np.stack([event.astype(np.int64), subject, amount, rows[:, _VP].astype(np.int64)])
    whats = _coded(parts, lambda what: f"{names[what[0]]} {subjects[what[1]]} {what[2]} {what[3]}")
    return {"what": whats, "hex": Coded(hex_, hexes)}


def _action_column(decisions: Any, place: Any, state: State | None) -> Coded:
    """The text of each row's decision (none where its place is -1)."""
    if state is None:
        return Coded(place, [])
    actions = _coded(decisions[:, _KIND:].astype(np.int64).T, lambda action: format_action(state, action))
    return Coded(np.append(actions.codes, -1)[place], actions.words)


def _coded(parts: Any, word: Callable[[tuple[int, int, int, int]], str]) -> Coded:
    """A column of words that four numbers each stand for; each different word is made once.

    Args:
        parts: the numbers, shape (4, rows); the first from 0 to 511, the others from -1,000 to 261,143.
        word: what the numbers are in words.
    """
    packed = parts[0]
    for part in parts[1:]:
        packed = packed << _BITS | (part + _LEAST)
    different = pa.array(packed).dictionary_encode()
    values = different.dictionary.to_numpy()
    later = [((values >> shift & (1 << _BITS) - 1) - _LEAST).tolist() for shift in (2 * _BITS, _BITS, 0)]
    return Coded(
        different.indices.to_numpy(), list(map(word, zip((values >> 3 * _BITS).tolist(), *later, strict=True)))
    )
