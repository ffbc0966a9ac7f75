"""In which share of the blocks of a plan each faction and each faction on each board is."""

from fractions import Fraction
from typing import NamedTuple

from aoi_sim.sim.focus import pair_shares, presence
from aoi_sim.sim.plan import Plan


class Shares(NamedTuple):
    """Shares of the blocks.

    Attributes:
        factions: by faction.
        pairings: by faction and board.
    """

    factions: dict[str, float]
    pairings: dict[tuple[str, str], float]


def shares_of(plan: Plan) -> Shares:
    """The shares of a plan; where players pick as if they picked everything equally often.

    A file of set-ups is counted, what it leaves open by the draws of the first 1,000 blocks.
    """
    n = plan.config.n_players
    if plan.config.design == "fixed":
        return _counted(plan)
    focused = [{i for i, key in enumerate(keys) if key in plan.config.focus} for keys in (plan.factions, plan.boards)]
    factions, boards = presence(len(plan.factions), n, focused[0]), presence(len(plan.boards), n, focused[1])
    pairs = pair_shares(factions, boards, n)
    return Shares(
        {key: float(share) for key, share in zip(plan.factions, factions, strict=True)},
        {
            (faction, board): float(pairs[f][b])
            for f, faction in enumerate(plan.factions)
            for b, board in enumerate(plan.boards)
        },
    )


def _counted(plan: Plan, most: int = 1000) -> Shares:
    n_blocks = min(plan.n_blocks, most)
    deals = [plan.game(block * plan.games_a_block).deal or [] for block in range(n_blocks)]
    one = Fraction(1, n_blocks)
    factions = dict.fromkeys(plan.factions, Fraction())
    pairings = {(faction, board): Fraction() for faction in plan.factions for board in plan.boards}
    for row in (row for deal in deals for row in deal):
        factions[row["faction"]] += one
        pairings[row["faction"], row["board"]] += one
    return Shares(
        {key: float(share) for key, share in factions.items()}, {key: float(share) for key, share in pairings.items()}
    )
