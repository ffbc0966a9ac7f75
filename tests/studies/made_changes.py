"""Seats of made games before and after a change of known size, as a paired run would give them."""

from typing import Any

import numpy as np
import polars as pl

FACTIONS = (
    *("blessed", "felines", "goblins", "illusionists", "inventors", "lizards"),
    *("moles", "monks", "navigators", "omar", "philosophers", "psychics"),
)
SEATS = 4


def made_rows(
    seed: int,
    n_blocks: int,
    gain: dict[str, float] | None = None,
    sd: float = 15.0,
    base: dict[str, float] | None = None,
) -> pl.DataFrame:
    """Seats of `n_blocks` games of four, under both sides.

    Args:
        seed: of everything.
        n_blocks: games of a side.
        gain: VP that a faction has more after the change.
        sd: of the VP; half of the variance is common to both sides.
        base: VP that a faction has more on both sides.
    """
    random = np.random.default_rng(seed)
    seats = random.permuted(np.tile(np.arange(len(FACTIONS)), (n_blocks, 1)), axis=1)[:, :SEATS]
    common = random.normal(0, sd / np.sqrt(2), (n_blocks, SEATS))
    gains, bases = (np.array([(one or {}).get(name, 0.0) for name in FACTIONS]) for one in (gain, base))
    parts: list[Any] = []
    for number, side in enumerate(("before", "after")):
        vp = 100 + common + random.normal(0, sd / np.sqrt(2), (n_blocks, SEATS)) + bases[seats] + number * gains[seats]
        margin = vp - vp.mean(axis=1, keepdims=True)
        share = (vp == vp.max(axis=1, keepdims=True)).astype(float)
        parts.append(
            pl.DataFrame(
                {
                    "side": [side] * vp.size,
                    "block": np.repeat(np.arange(n_blocks), SEATS),
                    "faction": np.array(FACTIONS)[seats].ravel(),
                    "vp": vp.ravel(),
                    "margin": margin.ravel(),
                    "win_share": share.ravel(),
                }
            )
        )
    return pl.concat(parts)
