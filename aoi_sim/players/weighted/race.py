"""Places in the races of the final scoring: science and area."""


def place_vp(prizes: tuple[int, ...], mine: int, others: list[int], within: int, close_pct: int) -> int:
    """VP of the place that a value has now, and a share of the next place's when it is close (FIN-1, FIN-2).

    Args:
        prizes: VP of first, second, ... place.
        mine: the value, above 0.
        others: the values of the others.
        within: how far ahead somebody may be to count as close.
        close_pct: the share for being close, per cent.

    Returns:
        Hundredths of a VP; ties share.
    """
    ahead = tied = close = 0
    for x in others:
        if x > mine:
            ahead += 1
            if x - mine <= within:
                close += 1
        elif x == mine:
            tied += 1
    total = 0
    for k in range(ahead, min(ahead + tied + 1, len(prizes))):
        total += prizes[k]
    worth = 100 * total // (tied + 1)
    if close and ahead - close < len(prizes):
        better = prizes[ahead - close]
        below = prizes[ahead] if ahead < len(prizes) else 0
        worth += (better - below) * close_pct
    return worth
