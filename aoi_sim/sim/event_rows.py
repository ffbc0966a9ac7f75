"""The rows of the table ``events``: the engine's log with its decisions, all games of a chunk at once.

A decision that logged nothing gets a row of its own (event ``decided``), so that the table holds every decision and a
game can be replayed from it. What the log gives as bare numbers becomes words: see ``_reword``.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from aoi_sim.engine import events as e
from aoi_sim.engine import format_action
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.tables import Tables
from aoi_sim.storage.arrow import Coded

DECIDED: Final = "decided"
_DECISION, _SEAT, _EVENT, _COMPONENT, _HEX, _AMOUNT, _VP, _EVENT_ROUND = range(e.EVENT_WIDTH)
_ROUND, _TURN, _DECIDER, _KIND, _A, _B, _C = range(7)


def event_columns(
    games: Sequence[tuple[int, int, int]], log: Any, decisions: Any, tables: Tables, state: State | None
) -> dict[str, Any]:
    """Columns of the table.

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
    columns["decision"] = np.where(before, -1, place - first_decision[game])
    # Income of a round belongs to it, though the last decision was in the round before.
    columns["round"] = rows[:, _EVENT_ROUND]
    columns["turn"] = np.where(rows[:, _EVENT_ROUND] > decisions[place, _ROUND], 0, decisions[place, _TURN])
    columns["seat"] = rows[:, _SEAT]
    columns["vp"] = rows[:, _VP]
    columns["action"] = _action_column(decisions, np.where(before, -1, place), state)
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
    """Columns event, subject, hex and amount, in words where the log has numbers that only the engine knows.

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
    amount[event == e.E_EFFECT] = 1
    hexes = list(state.geometry.names) if state is not None else []
    bridges = event == e.E_BRIDGE
    n_hexes = len(hexes)
    pairs, codes = np.unique(hex_[bridges] * n_hexes + amount[bridges], return_inverse=True)
    hex_[bridges] = n_hexes + codes
    amount[bridges] = 1
    hexes += [f"{hexes[pair // n_hexes]}-{hexes[pair % n_hexes]}" for pair in pairs.tolist()]
    return {
        "event": Coded(event, [*e.EVENT_NAMES, DECIDED]),
        "subject": Coded(subject, subjects),
        "hex": Coded(hex_, hexes),
        "amount": amount,
    }


def _action_column(decisions: Any, place: Any, state: State | None) -> Coded:
    """The text of each row's decision (none where its place is -1); each different action is put into words once."""
    actions = decisions[:, _KIND:].astype(np.int64)
    packed = actions[:, 0]
    for k in (1, 2, 3):
        packed = packed << 18 | (actions[:, k] + 1)
    if state is None:
        return Coded(place, [])
    different = pa.array(packed).dictionary_encode()
    words = [format_action(state, _unpack(value)) for value in different.dictionary.to_pylist()]
    return Coded(np.append(different.indices.to_numpy(), -1)[place], words)


def _unpack(packed: int) -> tuple[int, int, int, int]:
    parts = [(packed >> shift & 0x3FFFF) - 1 for shift in (36, 18, 0)]
    return packed >> 54, parts[0], parts[1], parts[2]
