"""What books are worth on the way to an innovation, for one decision."""

from typing import Final

from aoi_sim.engine.legal import column_disciplines, innovation_price
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.prices import Prices

_MANY_BOOKS: Final = 8


class Books:
    """Worth of books saved for the best innovation.

    Args:
        state: the position.
        i: the seat.
        prices: its prices.
        event: what taking any innovation sets off and counts for.
    """

    def __init__(self, state: State, i: int, prices: Prices, event: int) -> None:
        self.p = prices
        self.targets = _targets(state, i, prices, event)
        self._worths: list[int] = [-1] * (2 * _MANY_BOOKS)

    def gained(self, n: int) -> int:
        """What n more books bring towards an innovation."""
        return self._saved(n) - self._saved(0) if n else 0

    def paid(self, n: int) -> int:
        """What paying n books takes from the way to an innovation."""
        return self._saved(0) - self._saved(-n) if n else 0

    def _saved(self, change: int) -> int:
        """Worth of the books on the way to the best innovation, with so many more (above 0) or fewer."""
        where = _MANY_BOOKS + change
        if not 0 <= where < len(self._worths):
            return self._worked_out(change)
        if self._worths[where] < 0:
            self._worths[where] = self._worked_out(change)
        return self._worths[where]

    def _worked_out(self, change: int) -> int:
        best = 0
        share = self.p.book_lack_pct
        n = len(share)
        for worth, lack, spare in self.targets:
            # Gained books fill what lacks, paid ones come first from what is not needed.
            k = lack - change
            if change <= 0:
                k = lack if k - spare < lack else k - spare
            elif k < 0:
                k = 0
            if k < n and worth * share[k] > best:
                best = worth * share[k]
        return best // 100


def _targets(state: State, i: int, prices: Prices, event: int) -> list[tuple[int, int, int]]:
    """Innovations worth saving for: worth without its books, books it lacks, books it does not need."""
    targets: list[tuple[int, int, int]] = []
    t = state.tables
    seat = state.seats[i]
    held = seat.books
    total = held[0] + held[1] + held[2] + held[3]
    if len(seat.innovations) >= t.innovation_limit:
        return targets
    n, coins = innovation_price(state, seat)
    event -= coins * prices.coin
    farthest = len(prices.book_lack_pct) + _MANY_BOOKS
    for cid, column in state.innovations:
        own = 0
        for d in column_disciplines(state, column):
            if held[d] < t.innovation_own_books:
                own += t.innovation_own_books - held[d]
        lack = own if own > n - total else n - total
        if lack >= farthest:
            continue
        worth = event + prices.tile(state, i, cid)
        if worth > 0:
            targets.append((worth, lack, max(0, total + lack - n)))
    return targets
