"""The log of rounds: one row a seat after income and one at the end of phase II (events.ROUND_COLUMNS)."""

from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v


def _measures(seat: Seat) -> tuple[int, int, int, int, int, int]:
    """What income changes: coins, tools, scholars, power steps, books, VP."""
    b = seat.books
    return (
        seat.coins,
        seat.tools,
        seat.scholars,
        -(2 * seat.bowl1 + seat.bowl2),
        b[0] + b[1] + b[2] + b[3],
        seat.vp,
    )


def note_resources(state: State) -> None:
    """Remember what the seats have before income."""
    if state.log is None:
        return
    state.income_seen = []
    for seat in state.seats:
        state.income_seen.extend(_measures(seat))


def log_round(state: State, moment: int) -> None:
    """Append a row a seat: moment 0 after income, 1 at the end of phase II (in the last round after scoring)."""
    if state.log is None:
        return
    order = state.order if moment == 0 else state.next_order
    for i, seat in enumerate(state.seats):
        b = seat.books
        state.round_log.extend(
            (
                moment,
                state.round,
                i,
                order.index(i),
                seat.passed_turn,
                seat.vp,
                seat.coins,
                seat.tools,
                seat.scholars,
                b[0] + b[1] + b[2] + b[3],
                seat.bowl1,
                seat.bowl2,
                seat.bowl3,
            )
        )
        state.round_log.extend(seat.science)
        state.round_log.extend((seat.sailing, seat.terraforming, seat.keys))
        state.round_log.extend(seat.buildings[v.WORKSHOP : v.MONUMENT + 1])
        state.round_log.extend(
            (
                seat.annexed.bit_count(),
                len(seat.city_tiles),
                len(seat.innovations),
                len(seat.competencies),
                state.tables.bridge_pieces - seat.bridge_supply,
                seat.sent,
            )
        )
        if moment == 0 and state.income_seen:
            now = _measures(seat)
            for k in range(6):
                state.round_log.append(now[k] - state.income_seen[6 * i + k])
        else:
            state.round_log.extend((0, 0, 0, 0, 0, 0))
