"""The steps of a recorded game for the replay page: its first position, and what every decision changes."""

from typing import Any

from aoi_sim.engine import to_dict
from aoi_sim.engine.actions import Action
from aoi_sim.engine.record import Record, replay
from aoi_sim.engine.state import State

from .svg_seats import seat_facts
from .view import View

Json = dict[str, Any]


def steps_of(record: Record, stop: int | None = None) -> tuple[Json, list[list[Any]]]:
    """Play a record and take down the position at every step.

    Args:
        record: a game record.
        stop: number of the line before which to stop, as `replay` takes it; None demands a whole game.

    Returns:
        The first position, and for each decision its line in the record, the seat, its text and what it changes: a merge
        patch (RFC 7386) on the position before.

    Raises:
        RecordError: with the line where the record and the rules part.
    """
    positions: list[Json] = []

    def see(state: State, _: Action) -> None:
        positions.append(position_of(state))

    positions.append(position_of(replay(record, stop, see)))
    decisions = record.decisions[: len(positions) - 1]
    steps = [
        [line, seat, text, merge_patch(positions[k], positions[k + 1])]
        for k, (line, _, _, seat, text) in enumerate(decisions)
    ]
    return positions[0], steps


def position_of(state: State) -> Json:
    """A position of the page.

    Returns:
        `table`: `to_dict` without None, the seats by number, for a patch names what changes by its key; `said`: what the
        drawings say of it.
    """
    table = to_dict(state)
    view = View(table, state.tables.rules)
    said = {
        "headline": view.headline()[0],
        "asked": next(iter(view.pending_lines()), ""),
        "to_move": view.seat_to_move(),
        "seats": {str(i): _seat_said(view, i) for i in range(state.n_players)},
    }
    table["seats"] = {str(i): seat for i, seat in enumerate(table["seats"])}
    position: Json = _without_none({"table": table, "said": said})
    return position


def _seat_said(view: View, seat: int) -> Json:
    facts: dict[str, list[str]] = {}
    for label, text in seat_facts(view, seat):
        if label != "VP from":  # the page has a part for it
            facts.setdefault(label, []).append(text)
    return {"terrain": view.seat_terrain(seat), "facts": facts}


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_none(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_without_none(v) for v in value]
    return value


def merge_patch(before: Json, after: Json) -> Json:
    """The merge patch (RFC 7386) that makes one JSON object of another; neither may hold None."""
    patch: Json = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            if inner:
                patch[key] = inner
        elif type(value) is not type(old) or value != old:  # to Python False is 0, to JSON it is not
            patch[key] = value
    return patch
